/* gpu_reading: one reading of all GPUs, and its sums. */
#include "collect/gpu/gpu_reading.h"

#include <math.h>

#include "core/base/quantity.h"

struct gpu_device *gpu_reading_device(struct gpu_reading *t)
{
	struct gpu_device *d;

	if (t->devices >= GPU_MAX) {
		t->cut = true;
		return NULL;
	}
	d = &t->device[t->devices++];
	*d = (struct gpu_device){.memory_b = NAN,
	                         .used_b = NAN,
	                         .utilisation = NAN,
	                         .power_w = NAN,
	                         .temperature_c = NAN};
	return d;
}

struct gpu_process *gpu_reading_process(struct gpu_reading *t, int device, int pid)
{
	for (size_t i = 0; i < t->processes; i++)
		if (t->process[i].pid == pid && t->process[i].device == device)
			return &t->process[i];
	if (t->processes >= GPU_PROCESSES_MAX) {
		t->cut = true;
		return NULL;
	}
	t->process[t->processes] = (struct gpu_process){.device = device, .pid = pid};
	return &t->process[t->processes++];
}

/* -- sums -------------------------------------------------------------------------------------- */

/* Memory that the driver itself uses on a GPU, at most. */
#define SLACK_B (64 * QUANTITY_MIB)

/* The job's share of one GPU. */
struct job_share {
	bool on;     /* the job has a process on the GPU */
	bool others; /* another job has one as well */
	double used_b, utilisation, main_b;
};

void gpu_reading_fill(struct gpu_sample *out, double v)
{
	*out = (struct gpu_sample){v, v, v, v, v, v, v, {0}, {0}};
	for (size_t i = 0; i < METRIC_GPUS; i++)
		out->each_usage[i] = out->each_vram_b[i] = NAN;
}

static double add_if_known(double sum, double v)
{
	if (isnan(v))
		return sum;
	return isnan(sum) ? v : sum + v;
}

static struct job_share job_share_of(const struct gpu_reading *t, size_t device,
                                     const struct gpu_tree *tree)
{
	struct job_share p = {.on = false};

	for (size_t i = 0; i < t->processes; i++) {
		const struct gpu_process *process = &t->process[i];
		if (process->device != (int)device)
			continue;
		if (!tree->has(tree->ctx, process->pid)) {
			p.others = true;
			continue;
		}
		p.on = true;
		p.used_b += process->used_b;
		p.utilisation += process->utilisation;
		if (process->pid == tree->main_pid)
			p.main_b += process->used_b;
	}
	return p;
}

static double job_utilisation(const struct gpu_device *d, const struct job_share *p)
{
	if (d->by_process)
		return p->utilisation > 1 ? 1 : p->utilisation;
	if (d->utilisation == 0)
		return 0;
	if (d->foreign)
		return NAN;
	if (!p->on)
		return 0;
	return !p->others && d->used_b - p->used_b <= SLACK_B ? d->utilisation : (double)NAN;
}

static void add_job_share(const struct gpu_device *d, struct job_share p, struct gpu_sample *out)
{
	double utilisation = job_utilisation(d, &p);

	if (d->foreign)
		p.used_b = p.main_b = NAN;
	out->tree_usage = add_if_known(out->tree_usage, utilisation);
	out->tree_utilized =
	    add_if_known(out->tree_utilized, isnan(utilisation) ? NAN : utilisation > 0);
	out->tree_vram_b = add_if_known(out->tree_vram_b, p.used_b);
	out->main_vram_b = add_if_known(out->main_vram_b, p.main_b);
}

void gpu_reading_sum(const struct gpu_reading *t, const bool chosen[GPU_MAX],
                     const struct gpu_tree *tree, struct gpu_sample *out)
{
	size_t n = 0; /* GPUs that are measured */

	gpu_reading_fill(out, NAN);
	for (size_t i = 0; i < t->devices; i++) {
		const struct gpu_device *d = &t->device[i];
		double u = d->utilisation;
		if (!chosen[i])
			continue;
		if (n < METRIC_GPUS) {
			out->each_usage[n] = u;
			out->each_vram_b[n] = d->used_b;
		}
		n++;
		out->system_usage = add_if_known(out->system_usage, u);
		out->system_utilized = add_if_known(out->system_utilized, isnan(u) ? NAN : u > 0);
		out->system_vram_b = add_if_known(out->system_vram_b, d->used_b);
		if (tree)
			add_job_share(d, job_share_of(t, i, tree), out);
	}
	if (!n)
		gpu_reading_fill(out, 0);
	else if (!tree)
		out->tree_usage = out->tree_vram_b = out->tree_utilized = out->main_vram_b = 0;
}
