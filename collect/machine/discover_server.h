/*
 * discover_server: the operating system, the CPUs online and the memory of the machine.
 */
#ifndef COLLECT_MACHINE_DISCOVER_SERVER_H
#define COLLECT_MACHINE_DISCOVER_SERVER_H

#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

/* Fills s->server, with no GPUs and allocation "unknown": both are found out elsewhere; and, if
 * s->meta.discover_server, host ID and address in s->machine. Returns 0, or -1 where neither the
 * CPUs nor the memory could be read; known is false then. */
int discover_server(const struct root *r, struct snapshot *s);

/* Fills the CPU's model in s->machine. Opening /proc/cpuinfo takes 10 ms on x86 before Linux 5.18,
 * which asks all CPUs for their clocks then: call it when the command runs. */
void discover_server_cpu(const struct root *r, struct snapshot *s);

#endif
