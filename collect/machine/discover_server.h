/*
 * discover_server: what the machine is: operating system, CPUs online, memory.
 */
#ifndef COLLECT_MACHINE_DISCOVER_SERVER_H
#define COLLECT_MACHINE_DISCOVER_SERVER_H

#include "collect/procfs/root.h"
#include "core/snapshot.h"

/* Fills s->server. GPUs are not looked for: their count is 0. allocation is "unknown". 0; -1 where
 * neither the CPUs nor the memory could be read: then known stays false. */
int discover_server(const struct root *r, struct snapshot *s);

#endif
