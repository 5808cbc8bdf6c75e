/*
 * machine: reads all metrics of the machine, in one call.
 *
 * machine_open allocates all memory, and the first machine_read opens the files: a command need not
 * wait for that. machine_read allocates nothing, never waits for another machine (as a network file
 * system would), and makes about 15 system calls.
 */
#ifndef COLLECT_MACHINE_MACHINE_H
#define COLLECT_MACHINE_MACHINE_H

#include "collect/machine/devices.h"
#include "collect/procfs/root.h"
#include "core/base/err.h"
#include "core/numbers/metric.h"
#include "core/recording/snapshot.h"

struct machine;

/* r must outlive the machine. The schema defines memory_used. The values of a file that cannot be
 * opened are NAN. Returns NULL with a sentence where there is no memory. */
struct machine *machine_open(const struct root *r, enum schema schema, struct err *e);

/* Fills values (METRIC_COUNT cells) with what the metrics of the machine are made of, in base
 * units: a state for a METRIC_KIND_GAUGE; for the other kinds a sum that never falls, of which only
 * differences mean something. NAN: could not be read, or has another source (metrics of the job, of
 * GPUs and of the cgroup). */
void machine_read(struct machine *s, double *values);

/* The sums of disks and interfaces are since they were there, not since the first reading. Call it
 * before that. */
void machine_since_boot(struct machine *s);

/* The root process of the job, from now on. If it is in another network namespace than this
 * process, and no interface here has a device that others' traffic passes as well, the network
 * traffic is NAN from then on. */
void machine_set_job(struct machine *s, int pid);

/* Also keeps what each device has from now on, and finds those that are there. */
void machine_keep_devices(struct machine *s);

/* The devices, or NULL. */
const struct devices *machine_devices(const struct machine *s);

/* Call it after machine_read: fills out with what its devices have (devices_end). at: the time of
 * the sample. */
void machine_read_devices(struct machine *s, int64_t at, double *out);

/* Notes in the snapshot what could not be measured, and why. Call it after machine_read. */
void machine_notes(const struct machine *s, struct snapshot *snapshot);

/* NULL is fine. */
void machine_close(struct machine *s);

#endif
