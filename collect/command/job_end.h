/*
 * job_end: how a job ended and what its tasks used, as a launcher reports it through
 * --end-fd: one line of words KEY=NUMBER, in any order.
 *
 *     status=256 wall_us=1503817 utime_us=801200 oom_kills=1
 *
 * A line of one number is the status alone. Slurm's plugin (spank/) writes the line, after the last
 * task has ended: what it says is exact, also of tasks that no sample saw.
 */
#ifndef COLLECT_COMMAND_JOB_END_H
#define COLLECT_COMMAND_JOB_END_H

#include <stdbool.h>
#include <stddef.h>

#define JOB_END_MAX 1024 /* bytes of the line */

/* The usage of the tasks that ended, as getrusage(2) gives it. NAN: not known. */
enum job_end_id {
	JOB_END_STATUS, /* as of wait(2) */
	JOB_END_WALL,   /* seconds from the start of the tasks to the end of the last */
	JOB_END_UTIME,
	JOB_END_STIME,
	JOB_END_MAX_RSS, /* bytes, of the largest process */
	JOB_END_READ,    /* bytes of storage */
	JOB_END_WRITE,
	JOB_END_MINOR_FAULTS,
	JOB_END_MAJOR_FAULTS,
	JOB_END_CTX_VOLUNTARY,
	JOB_END_CTX_INVOLUNTARY,
	JOB_END_OOM_KILLS,   /* in the job's cgroup */
	JOB_END_MEMORY_PEAK, /* bytes, of the job's cgroup, as its limit counts them */
	JOB_END_CPU_SOME,    /* seconds in which some task waited for a CPU (PSI) */
	JOB_END_KILL_ABOVE,  /* bytes: the launcher itself kills the job above (OverMemoryKill) */
	JOB_END_COUNT
};

struct job_end {
	double of[JOB_END_COUNT];
};

/* Nothing is known. */
struct job_end job_end_none(void);

/* Reads a line, with or without its end. Unknown words and values that cannot be are left out.
 * False if nothing in it is known. */
bool job_end_read(const char *text, size_t n, struct job_end *out);

/* Writes the line, with its end: its length, or 0 if it does not fit. */
size_t job_end_write(const struct job_end *e, char *out, size_t size);

/* Whether the launcher's own limit on memory (JOB_END_KILL_ABOVE) explains the status: death by
 * SIGKILL when the job had used peak_b bytes. */
bool job_end_over_memory(const struct job_end *e, double peak_b);

#endif
