/*
 * scontrol: asks Slurm's scontrol what a job asked for.
 *
 * Slurm up to 22.05 has the time limit in no variable, and memory only where the user asked sbatch
 * or salloc for it: not after `srun --mem`, nor where the cluster's DefMemPerCPU or DefMemPerNode
 * decides.
 */
#ifndef COLLECT_SCONTROL_H
#define COLLECT_SCONTROL_H

#include <stdbool.h>

#include "collect/job/asked_text.h"

#define SCONTROL_LIMIT_MS 1000

/* Whether this is the number of a job, which is all that scontrol is ever asked about. */
bool scontrol_is_job(const char *id);

/* Runs `scontrol show job -o ID` and returns what it says; NAN: not found out. Whatever scontrol
 * does, neither it nor a child of it is left behind: all are killed after SCONTROL_LIMIT_MS, or as
 * soon as nobody reads the pipe `answer` any more. Call it in a process of its own (background.h),
 * whose only children they are. */
struct asked_text_job scontrol_job(const char *id, int answer);

#endif
