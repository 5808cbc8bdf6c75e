/*
 * discover_server: the operating system, the CPUs online and the memory of the machine.
 */
#ifndef COLLECT_MACHINE_DISCOVER_SERVER_H
#define COLLECT_MACHINE_DISCOVER_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

/* Fills s->server, with no GPUs and allocation "unknown": both are found out elsewhere; and, if
 * s->meta.discover_server, host ID and address in s->machine. Returns 0, or -1 where neither the
 * CPUs nor the memory could be read; known is false then. */
int discover_server(const struct root *r, struct snapshot *s);

/* Fills the CPU's model in s->machine. Opening /proc/cpuinfo takes 10 ms on x86 before Linux 5.18,
 * which asks all CPUs for their clocks then: call it when the command runs. */
void discover_server_cpu(const struct root *r, struct snapshot *s);

#define DISCOVER_SERVER_HOST_ID 33 /* 32 digits and a NUL */

/* The ID of the machine's installation that recordings may carry. /etc/machine-id is confidential
 * (machine-id(5)): this is a hash of it that nobody else makes, HMAC-SHA256 of rtrack's application
 * ID keyed by the machine ID, as sd_id128_get_machine_app_specific(3) computes it. Equal IDs are of
 * one installation; the machine ID does not follow from them. text: the content of the file. False,
 * with out "", if it has no ID. */
bool discover_server_host_id(const char *text, size_t n, char out[DISCOVER_SERVER_HOST_ID]);

#define DISCOVER_SERVER_CPU_SIZE 128
#define DISCOVER_SERVER_CPU_TEXT 4096 /* bytes of the file that are enough: the first CPU's */

/* Finds the model of the machine's CPU in /proc/cpuinfo. Each architecture has a form of its own:
 * x86, and some others, have the name; Arm has numbers of the maker and the part, which a table
 * names. The name of a board says nothing about the CPU. False, with out "", if it is not known. */
bool discover_server_cpu_model(const char *text, size_t n, char out[DISCOVER_SERVER_CPU_SIZE]);

#endif
