/*
 * scontrol: asks Slurm's scontrol for the time limit of a job.
 *
 * Slurm up to 22.05 has the time limit in no variable.
 */
#ifndef COLLECT_SCONTROL_H
#define COLLECT_SCONTROL_H

#include <stdbool.h>

#define SCONTROL_LIMIT_MS 1000

/* Whether this is the number of a job, which is all that scontrol is ever asked about. */
bool scontrol_is_job(const char *id);

/* Runs `scontrol show job -o ID` and returns the time limit in seconds; NAN if there is none, or it
 * was not found out. Whatever scontrol does, neither it nor a child of it is left behind: all are
 * killed after SCONTROL_LIMIT_MS, or as soon as nobody reads the pipe `answer` any more. Call it in
 * a process of its own (background.h), whose only children they are. */
double scontrol_time_limit(const char *id, int answer);

#endif
