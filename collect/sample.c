/* sample: one reading of all sources, and the row that two samples make. */
#include "collect/sample.h"

#include <math.h>
#include <string.h>

#include "collect/process/process_table.h"
#include "core/base/larger.h"
#include "core/numbers/stats.h"
#include "core/recording/states.h"

#define HELD_B 16777216.0 /* so much more in the cgroup may be of others */

static const struct tree_gauges nothing = {NAN, NAN, NAN, NAN, NAN, NAN};

void sample_copy(struct sample *to, const struct sample *from)
{
	double *devices = to->devices;

	*to = *from;
	to->devices = devices;
	if (devices && from->devices)
		memcpy(devices, from->devices, from->n_devices * sizeof *devices);
}

static bool in_tree(void *ctx, int pid)
{
	return tree_has(ctx, pid);
}

static int pid_of_tree(void *ctx, size_t i)
{
	return process_table_pid(tree_table(ctx), i);
}

struct gpu_tree sample_gpu_tree(struct tree *t, int pid)
{
	return (struct gpu_tree){in_tree, pid_of_tree, t, pid};
}

/* The job's cgroup may hold more than its processes: files in tmpfs. */
static void take_held(struct sample *s, struct cgroup_watch *cgroup)
{
	double held_b = s->cgroup.anonymous_b + s->cgroup.shmem_b;

	if (held_b > s->tree.memory_least_b + HELD_B && !cgroup_watch_alone(cgroup))
		s->cgroup.anonymous_b = s->cgroup.shmem_b = held_b = NAN;
	s->tree.memory_least_b = larger(s->tree.memory_least_b, held_b);
}

void sample_take(struct sample *s, struct tree *tree, struct machine *machine,
                 struct cgroup_watch *cgroup)
{
	struct cgroup_gauges *group = &s->cgroup;

	*group = (struct cgroup_gauges){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	s->tree = (struct tree_counters){.at = s->at, .all = nothing, .main = nothing};
	if (cgroup)
		cgroup_watch_read(cgroup, group);
	if (tree) {
		tree_states_of(tree)->cgroup = (struct tree_states_cgroup){
		    group->throttled_s, group->cpu_full_s, group->io_full_s, group->memory_full_s};
		tree_read(tree, &s->tree);
		take_held(s, cgroup);
	}
	s->at = s->tree.at;
	/* After the tree, because it takes less time. */
	if (machine)
		machine_read(machine, s->values);
	for (int id = 0; !machine && id < METRIC_COUNT; id++)
		s->values[id] = NAN;
	if (machine && s->devices)
		machine_read_devices(machine, s->at, s->devices);
	s->values[METRIC_SYSTEM_THROTTLED] = group->throttled_s;
	s->values[METRIC_SYSTEM_CGROUP_MEMORY] = group->memory_b;
}

static double sum_growth(double before, double now)
{
	return now - before < 0 ? 0 : now - before;
}

/* Adds the carried seconds to user time u and system time s, and carries over the part of the sum
 * that exceeds most: the CPUs cannot have spent more, but whole clock ticks may say so. */
static void fit_cpu_time(double *u, double *s, double *carry_u, double *carry_s, double most)
{
	double part;

	if (isnan(*u + *s))
		return;
	*u += *carry_u;
	*s += *carry_s;
	*carry_u = *carry_s = 0;
	if (!(*u + *s > most))
		return;
	part = most / (*u + *s);
	*carry_u = *u - *u * part;
	*carry_s = *s - *s * part;
	*u *= part;
	*s *= part;
}

static double cores(double u, double s, double elapsed)
{
	return elapsed > 0 ? (u + s) / elapsed : 0;
}

/* rtrack's own columns of the job; NAN: not measured. */
static void own_tree_cells(const struct tree_counters *before, const struct tree_counters *now,
                           double elapsed, double *row)
{
	double main_s = sum_growth(before->main_cpu_s, now->main_cpu_s);

	row[METRIC_PROCESS_THREADS] = now->all.threads;
	row[METRIC_PROCESS_MAIN_THREADS] = now->main.threads;
	row[METRIC_PROCESS_MAIN_CPU_USAGE] = cores(main_s, 0, elapsed);
	row[METRIC_PROCESS_MAIN_MEMORY] = now->main.memory_b;
	row[METRIC_PROCESS_RSS] = now->all.rss_b;
	row[METRIC_PROCESS_RSS_PRIVATE] = now->all.private_b;
	row[METRIC_PROCESS_RSS_SHARED] = now->all.shared_b;
	row[METRIC_PROCESS_MAIN_RSS] = now->main.rss_b;
	row[METRIC_PROCESS_MAIN_RSS_PRIVATE] = now->main.private_b;
	row[METRIC_PROCESS_MAIN_RSS_SHARED] = now->main.shared_b;
	row[METRIC_PROCESS_SWAP] = now->all.swap_b;
	row[METRIC_PROCESS_MAJOR_FAULTS] =
	    sum_growth(before->sum[CPU_ACCOUNTING_MAJOR], now->sum[CPU_ACCOUNTING_MAJOR]);
	row[METRIC_PROCESS_CTX_VOLUNTARY] = sum_growth(before->ctx_voluntary, now->ctx_voluntary);
	row[METRIC_PROCESS_CTX_INVOLUNTARY] =
	    sum_growth(before->ctx_involuntary, now->ctx_involuntary);
	/* A thread has no schedstat before it has run. */
	row[METRIC_PROCESS_CPU_WAIT] =
	    sum_growth(isnan(before->cpu_wait_s) ? 0 : before->cpu_wait_s, now->cpu_wait_s);
	row[METRIC_PROCESS_BUSIEST_THREAD] =
	    sum_growth(isnan(before->busiest_s) ? 0 : before->busiest_s, now->busiest_s);
	for (int k = 0; k < STATES_N; k++)
		row[states_metric((enum states_id)k)] =
		    sum_growth(isnan(before->state_s[k]) ? 0 : before->state_s[k], now->state_s[k]);
}

static void tree_cells(const struct tree_counters *before, const struct tree_counters *now,
                       double elapsed, double most, struct sample_carry *carry, double *row)
{
	double u = sum_growth(before->sum[CPU_ACCOUNTING_UTIME], now->sum[CPU_ACCOUNTING_UTIME]);
	double s = sum_growth(before->sum[CPU_ACCOUNTING_STIME], now->sum[CPU_ACCOUNTING_STIME]);

	fit_cpu_time(&u, &s, &carry->tree_u, &carry->tree_s, most);
	row[METRIC_PROCESS_CHILDREN] = (double)now->children;
	row[METRIC_PROCESS_UTIME] = u;
	row[METRIC_PROCESS_STIME] = s;
	row[METRIC_PROCESS_CPU_USAGE] = cores(u, s, elapsed);
	row[METRIC_PROCESS_MEMORY] = now->all.memory_b;
	row[METRIC_PROCESS_READ_BYTES] =
	    sum_growth(before->sum[CPU_ACCOUNTING_READ], now->sum[CPU_ACCOUNTING_READ]);
	/* A file that is deleted later than it is written was counted in an earlier row; only the
	 * totals can take that back. */
	row[METRIC_PROCESS_WRITE_BYTES] = cpu_accounting_written(
	    sum_growth(before->sum[CPU_ACCOUNTING_WRITE], now->sum[CPU_ACCOUNTING_WRITE]),
	    sum_growth(before->sum[CPU_ACCOUNTING_CANCELLED], now->sum[CPU_ACCOUNTING_CANCELLED]));
	own_tree_cells(before, now, elapsed, row);
}

/* A row's cell of the machine or the cgroup, by the metric's kind. */
static double machine_cell(const struct metric *m, double before, double now, double elapsed,
                           double cpus)
{
	double most = m->unit == METRIC_UNIT_CORES ? cpus : 1, v;

	switch (m->kind) {
	case METRIC_KIND_GAUGE:
		break;
	case METRIC_KIND_DELTA:
		return sum_growth(before, now);
	case METRIC_KIND_RATE:
		v = elapsed > 0 ? sum_growth(before, now) / elapsed : 0;
		return v > most ? most : v;
	}
	return now;
}

static void gpu_cells(const struct gpu_sample *g, bool tree, double *row)
{
	row[METRIC_SYSTEM_GPU_USAGE] = g->system_usage;
	row[METRIC_SYSTEM_GPU_VRAM] = g->system_vram_b;
	row[METRIC_SYSTEM_GPU_UTILIZED] = g->system_utilized;
	for (size_t i = 0; i < METRIC_GPUS; i++) {
		row[metric_gpu_usage(i)] = g->each_usage[i];
		row[metric_gpu_vram(i)] = g->each_vram_b[i];
	}
	if (!tree)
		return;
	row[METRIC_PROCESS_GPU_USAGE] = g->tree_usage;
	row[METRIC_PROCESS_GPU_VRAM] = g->tree_vram_b;
	row[METRIC_PROCESS_GPU_UTILIZED] = g->tree_utilized;
	row[METRIC_PROCESS_MAIN_GPU_VRAM] = g->main_vram_b;
}

/* At most 1. NAN: the row has no length. */
static double share_of(double v, double elapsed)
{
	if (!(elapsed > 0))
		return NAN;
	return v > elapsed ? 1 : v / elapsed;
}

/* A device that was not there at both ends of the row has no amounts. */
static void device_cells(const struct sample *before, const struct sample *now,
                         const struct devices *d, double elapsed, double *row)
{
	for (size_t i = 0; i < d->room; i++) {
		double v = i < d->used ? now->devices[i] : (double)NAN;
		if (i < d->used && d->kind[i] != METRIC_KIND_GAUGE)
			v = sum_growth(before->devices[i], v);
		if (i < d->used && d->kind[i] == METRIC_KIND_RATE)
			v = share_of(v, elapsed);
		row[DETAIL_CELL(i)] = v;
	}
}

void sample_row(const struct sample *before, const struct sample *now,
                const struct sample_shape *shape, struct sample_carry *carry, double *row)
{
	double elapsed = (double)(now->at - before->at) / 1e9;
	double cpus = shape->cpus > 0 ? shape->cpus : (double)INFINITY;
	double most = shape->cpus > 0 ? shape->cpus * elapsed : (double)INFINITY;
	double *u = &row[METRIC_SYSTEM_UTIME], *s = &row[METRIC_SYSTEM_STIME];

	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = metrics[id].scope == METRIC_SCOPE_PROCESS
		              ? NAN
		              : machine_cell(&metrics[id], before->values[id], now->values[id],
		                             elapsed, cpus);
	fit_cpu_time(u, s, &carry->system_u, &carry->system_s, most);
	row[METRIC_SYSTEM_CPU_USAGE] = cores(*u, *s, elapsed);
	/* Rounded as in the file: the weights of rows follow from it, here and in the report. */
	row[METRIC_PROCESS_TIMESTAMP] = row[METRIC_SYSTEM_TIMESTAMP] = stats_round(now->time, 3);
	row[METRIC_PROCESS_PID] = shape->pid;
	gpu_cells(&now->gpu, shape->tree, row);
	if (shape->devices)
		device_cells(before, now, shape->devices, elapsed, row);
	if (shape->tree)
		tree_cells(&before->tree, &now->tree, elapsed, most, carry, row);
}
