/* usage_column: the job's column of a measure, or the machine's. */
#include "report/stats/usage_column.h"

static const struct {
	enum metric_id job, machine;
} columns[] = {
    [USAGE_CPU] = {METRIC_PROCESS_CPU_USAGE, METRIC_SYSTEM_CPU_USAGE},
    [USAGE_MEMORY] = {METRIC_PROCESS_MEMORY, METRIC_SYSTEM_MEMORY_USED},
    [USAGE_READ] = {METRIC_PROCESS_READ_BYTES, METRIC_SYSTEM_DISK_READ_BYTES},
    [USAGE_WRITE] = {METRIC_PROCESS_WRITE_BYTES, METRIC_SYSTEM_DISK_WRITE_BYTES},
    [USAGE_GPU] = {METRIC_PROCESS_GPU_USAGE, METRIC_SYSTEM_GPU_USAGE},
    [USAGE_VRAM] = {METRIC_PROCESS_GPU_VRAM, METRIC_SYSTEM_GPU_VRAM},
};

enum metric_id usage_column(enum usage what, const struct run *judge, enum usage decides)
{
	bool job = judge->stats[columns[decides].job].n > 0;

	return job ? columns[what].job : columns[what].machine;
}

const struct stats *usage_stats(enum usage what, const struct run *run)
{
	return &run->stats[usage_column(what, run, what)];
}

bool usage_tracks_job(const struct run *run)
{
	return run->stats[METRIC_PROCESS_CPU_USAGE].n > 0;
}

double usage_cpu_seconds(const struct run *run)
{
	const struct stats *u = &run->stats[METRIC_PROCESS_UTIME],
			   *s = &run->stats[METRIC_PROCESS_STIME];

	return run->snapshot.totals.exact_cpu_s > 0 ? run->snapshot.totals.exact_cpu_s
	                                            : u->sum + s->sum;
}
