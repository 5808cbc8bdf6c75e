/*
 * discover_server: the operating system, the CPUs online and the memory of the machine.
 */
#ifndef COLLECT_MACHINE_DISCOVER_SERVER_H
#define COLLECT_MACHINE_DISCOVER_SERVER_H

#include "collect/procfs/root.h"
#include "core/snapshot.h"

/* Fills s->server, with no GPUs and allocation "unknown": both are found out elsewhere. Returns 0,
 * or -1 where neither the CPUs nor the memory could be read; known is false then. */
int discover_server(const struct root *r, struct snapshot *s);

#endif
