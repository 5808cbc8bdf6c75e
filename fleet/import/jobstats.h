/*
 * jobstats: what Princeton's jobstats stored of a job in Slurm's AdminComment: "JS1:" and gzipped
 * JSON in Base64, {"nodes": {NAME: {"used_memory": bytes, "total_time": CPU seconds,
 * "gpu_utilization": {GPU: percent}}}}. Pure.
 *
 * It looks at the job's cgroup on each node every 30 s: memory that processes share counts once,
 * and what happened after the last look is missing.
 */
#ifndef FLEET_IMPORT_JOBSTATS_H
#define FLEET_IMPORT_JOBSTATS_H

#include <stdbool.h>
#include <stdint.h>

#define JOBSTATS_MARK      "JS1:"
#define JOBSTATS_TEXT_MAX  65536 /* bytes of a comment, some 1,400 nodes; a longer one is refused */
#define JOBSTATS_BYTES_MAX ((uint64_t)1 << 20) /* of its JSON */

/* NAN: unknown. */
struct jobstats {
	double nodes;  /* that it names */
	double cpu_s;  /* of all nodes; unknown if it is of one */
	double node_b; /* the largest peak of a node */
	double gpus;   /* the mean number in use, on all nodes */
};

/* Whether a comment is one of jobstats. */
bool jobstats_is(const char *comment);

/* All values are unknown if it is another comment, or says that there are none ("JS1:Short"). -1,
 * and all unknown: it is not understood, or too long. */
int jobstats_read(const char *comment, struct jobstats *out);

#endif
