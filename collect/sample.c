/* sample: one look at everything, and the row that two looks make. */
#include "collect/sample.h"

#include <math.h>

#include "core/stats.h"

static const struct tree_gauges nothing = {NAN, NAN, NAN, NAN, NAN, NAN};

void sample_take(struct sample *s, struct tree *tree, struct machine *system,
                 const struct cgroup_watch *cgroup)
{
	/* The system after the tree: it takes less time. */
	s->tree = (struct tree_counters){.at = s->at, .all = nothing, .main = nothing};
	s->cgroup = (struct cgroup_gauges){NAN, NAN, NAN};
	if (tree)
		tree_read(tree, &s->tree);
	s->at = s->tree.at;
	machine_read(system, &s->system);
	if (cgroup)
		cgroup_watch_read(cgroup, &s->cgroup);
}

static double grown(double before, double now)
{
	return now > before ? now - before : isnan(now - before) ? NAN : 0;
}

/* Takes u and s seconds, and what was carried over, as far as the CPUs can have spent them. */
static void fit(double *u, double *s, double *carry_u, double *carry_s, double most)
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

/* What is ours: NAN where it was not measured. */
static void own_tree_cells(const struct tree_counters *before, const struct tree_counters *now,
                           double elapsed, double *row)
{
	double main_s = grown(before->main_cpu_s, now->main_cpu_s);

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
	    grown(before->sum[CPU_ACCOUNTING_MAJOR], now->sum[CPU_ACCOUNTING_MAJOR]);
	row[METRIC_PROCESS_CTX_VOLUNTARY] = grown(before->ctx_voluntary, now->ctx_voluntary);
	row[METRIC_PROCESS_CTX_INVOLUNTARY] = grown(before->ctx_involuntary, now->ctx_involuntary);
	/* The kernel tells of no thread before that has run. */
	row[METRIC_PROCESS_CPU_WAIT] =
	    grown(isnan(before->cpu_wait_s) ? 0 : before->cpu_wait_s, now->cpu_wait_s);
}

static void tree_cells(const struct tree_counters *before, const struct tree_counters *now,
                       double elapsed, double most, struct sample_carry *carry, double *row)
{
	double u = grown(before->sum[CPU_ACCOUNTING_UTIME], now->sum[CPU_ACCOUNTING_UTIME]);
	double s = grown(before->sum[CPU_ACCOUNTING_STIME], now->sum[CPU_ACCOUNTING_STIME]);

	fit(&u, &s, &carry->tree_u, &carry->tree_s, most);
	row[METRIC_PROCESS_CHILDREN] = (double)now->children;
	row[METRIC_PROCESS_UTIME] = u;
	row[METRIC_PROCESS_STIME] = s;
	row[METRIC_PROCESS_CPU_USAGE] = cores(u, s, elapsed);
	row[METRIC_PROCESS_MEMORY] = now->all.memory_b;
	row[METRIC_PROCESS_READ_BYTES] =
	    grown(before->sum[CPU_ACCOUNTING_READ], now->sum[CPU_ACCOUNTING_READ]);
	row[METRIC_PROCESS_WRITE_BYTES] =
	    grown(before->sum[CPU_ACCOUNTING_WRITE], now->sum[CPU_ACCOUNTING_WRITE]);
	own_tree_cells(before, now, elapsed, row);
}

double sample_memory_used(const struct machine_counters *c, enum schema schema)
{
	double used = schema == SCHEMA_2
	                  ? c->mem_total_b - c->mem_available_b
	                  : c->mem_total_b - c->mem_free_b - c->buffers_b - c->cached_b;

	return used < 0 ? 0 : used;
}

static void system_states(const struct machine_counters *now, enum schema schema, double *row)
{
	row[METRIC_SYSTEM_PROCESSES] = now->processes;
	row[METRIC_SYSTEM_MEMORY_FREE] = now->mem_free_b;
	row[METRIC_SYSTEM_MEMORY_USED] = sample_memory_used(now, schema);
	row[METRIC_SYSTEM_MEMORY_BUFFERS] = now->buffers_b;
	row[METRIC_SYSTEM_MEMORY_CACHED] = now->cached_b;
	row[METRIC_SYSTEM_MEMORY_ACTIVE] = now->active_b;
	row[METRIC_SYSTEM_MEMORY_INACTIVE] = now->inactive_b;
	row[METRIC_SYSTEM_DISK_SPACE_TOTAL] = now->space_total_b;
	row[METRIC_SYSTEM_DISK_SPACE_USED] = now->space_used_b;
	row[METRIC_SYSTEM_DISK_SPACE_FREE] = now->space_free_b;
}

static void system_cells(const struct machine_counters *before, const struct machine_counters *now,
                         double elapsed, double most, struct sample_carry *carry, double *row)
{
	double u = grown(before->utime_s, now->utime_s);
	double s = grown(before->stime_s, now->stime_s);

	fit(&u, &s, &carry->system_u, &carry->system_s, most);
	row[METRIC_SYSTEM_UTIME] = u;
	row[METRIC_SYSTEM_STIME] = s;
	row[METRIC_SYSTEM_CPU_USAGE] = cores(u, s, elapsed);
	row[METRIC_SYSTEM_DISK_READ_BYTES] = grown(before->disk_read_b, now->disk_read_b);
	row[METRIC_SYSTEM_DISK_WRITE_BYTES] = grown(before->disk_write_b, now->disk_write_b);
	row[METRIC_SYSTEM_NET_RECV_BYTES] = grown(before->net_recv_b, now->net_recv_b);
	row[METRIC_SYSTEM_NET_SENT_BYTES] = grown(before->net_sent_b, now->net_sent_b);
}

/* How much a sum grew, over the elapsed time, within 0 and the most there can be. */
static double rate(double before, double now, double elapsed, double most)
{
	double v = elapsed > 0 ? grown(before, now) / elapsed : 0;

	return v > most ? most : v;
}

static void own_system_cells(const struct sample *before, const struct sample *now, double elapsed,
                             double cpus, double *row)
{
	const struct machine_counters *a = &before->system, *b = &now->system;

	row[METRIC_SYSTEM_CPU_IOWAIT] = rate(a->iowait_s, b->iowait_s, elapsed, cpus);
	row[METRIC_SYSTEM_CPU_STEAL] = rate(a->steal_s, b->steal_s, elapsed, cpus);
	row[METRIC_SYSTEM_CPU_IRQ] = rate(a->irq_s, b->irq_s, elapsed, cpus);
	row[METRIC_SYSTEM_MEMORY_AVAILABLE] = b->mem_available_b;
	row[METRIC_SYSTEM_SWAP_USED] = b->swap_used_b;
	row[METRIC_SYSTEM_LOAD1] = b->load1;
	row[METRIC_SYSTEM_PSI_CPU_SOME] = rate(a->psi_cpu_some_s, b->psi_cpu_some_s, elapsed, 1);
	row[METRIC_SYSTEM_PSI_MEMORY_SOME] =
	    rate(a->psi_memory_some_s, b->psi_memory_some_s, elapsed, 1);
	row[METRIC_SYSTEM_PSI_MEMORY_FULL] =
	    rate(a->psi_memory_full_s, b->psi_memory_full_s, elapsed, 1);
	row[METRIC_SYSTEM_PSI_IO_SOME] = rate(a->psi_io_some_s, b->psi_io_some_s, elapsed, 1);
	row[METRIC_SYSTEM_PSI_IO_FULL] = rate(a->psi_io_full_s, b->psi_io_full_s, elapsed, 1);
	row[METRIC_SYSTEM_THROTTLED] = grown(before->cgroup.throttled_s, now->cgroup.throttled_s);
	row[METRIC_SYSTEM_CGROUP_MEMORY] = now->cgroup.memory_b;
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

void sample_row(const struct sample *before, const struct sample *now,
                const struct sample_shape *shape, struct sample_carry *carry, double *row)
{
	double elapsed = (double)(now->at - before->at) / 1e9;
	double most = shape->cpus > 0 ? shape->cpus * elapsed : INFINITY;

	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = NAN;
	/* As they are written: the rows are weighted by them, and two readers must agree. */
	row[METRIC_PROCESS_TIMESTAMP] = row[METRIC_SYSTEM_TIMESTAMP] = stats_round(now->time, 3);
	row[METRIC_PROCESS_PID] = shape->pid;
	gpu_cells(&now->gpu, shape->tree, row);
	if (shape->tree)
		tree_cells(&before->tree, &now->tree, elapsed, most, carry, row);
	system_states(&now->system, shape->schema, row);
	system_cells(&before->system, &now->system, elapsed, most, carry, row);
	own_system_cells(before, now, elapsed, shape->cpus > 0 ? shape->cpus : (double)INFINITY,
	                 row);
}
