/* made_rows: the samples of a made-up run. */
#include "tests/bench/fleet/made_rows.h"

#include <math.h>

#include "tests/bench/fleet/made_random.h"

#define PAGE 4096.0
#define TICK 0.01 /* seconds of CPU time are counted in */

static double in_pages(double bytes)
{
	return floor(bytes / PAGE) * PAGE;
}

/* Noise of a row, 0 to 1; sort tells columns apart. */
static double noise(const struct made_run *run, size_t row, uint64_t sort)
{
	struct made_random r = {run->number * 0x9e3779b97f4a7c15 + sort * 1000003 + row};

	return made_share(&r);
}

/* Memory over time, 0 to 1 of its peak; x: 0 to 1 of the run. */
static double memory_shape(int shape, double x)
{
	switch (shape) {
	case 0: /* loads what it works on, and keeps it */
		return 1 - exp(-12 * x);
	case 1: /* grows all the time */
		return 0.1 + 0.9 * x;
	case 2: /* one part after the other */
		return 0.3 + 0.7 * (x * 5 - floor(x * 5));
	default: /* a peak in the last third */
		return x > 0.7 && x < 0.85 ? 1 : 0.35 + 0.2 * x;
	}
}

static void fill_memory(struct made_rows *m)
{
	const struct made_run *run = m->run;
	double most = 0;

	for (size_t i = 0; i < run->samples; i++) {
		double x = ((double)i + 1) / (double)run->samples;
		int shape = run->end == MADE_OOM ? 1 : run->group->shape;
		m->memory_b[i] = memory_shape(shape, x) * (1 - 0.02 * noise(run, i, 1));
		most = fmax(most, m->memory_b[i]);
	}
	for (size_t i = 0; i < run->samples; i++)
		m->memory_b[i] = in_pages(m->memory_b[i] / most * run->peak_b);
}

/* In steps as the kernel counts CPU time; on average run->cores, but a limit cuts the peaks. */
static void fill_cores(struct made_rows *m)
{
	const struct made_run *run = m->run;
	const struct made_group *g = run->group;
	double limit = isnan(g->asked_cpus) ? g->machine->vcpus : g->asked_cpus;

	for (size_t i = 0; i < run->samples; i++) {
		double part = 0.75 + 0.5 * noise(run, i, 2);
		m->cores[i] = fmin(run->cores * part, limit);
		m->cores[i] = floor(m->cores[i] * m->seconds[i] / TICK) * TICK / m->seconds[i];
	}
}

void made_rows(struct made_rows *m, const struct made_run *run)
{
	m->run = run;
	for (size_t i = 0; i < run->samples; i++)
		m->seconds[i] =
		    i + 1 < run->samples ? run->interval : run->wall_s - run->interval * (double)i;
	fill_memory(m);
	fill_cores(m);
}

/* -- columns ----------------------------------------------------------------------------------- */

static double job_cell(const struct made_rows *m, enum metric_id id, size_t i)
{
	const struct made_run *run = m->run;
	double cpu_s = m->cores[i] * m->seconds[i], threads = ceil(run->cores) + 1;
	double user_s = floor(cpu_s * 0.93 / TICK) * TICK;

	switch (id) {
	case METRIC_PROCESS_PID:
		return run->pid;
	case METRIC_PROCESS_CHILDREN:
		return 1;
	case METRIC_PROCESS_UTIME:
		return user_s;
	case METRIC_PROCESS_STIME:
		return cpu_s - user_s;
	case METRIC_PROCESS_CPU_USAGE:
		return m->cores[i];
	case METRIC_PROCESS_MEMORY:
		return m->memory_b[i];
	case METRIC_PROCESS_RSS:
		return in_pages(m->memory_b[i] * 1.01);
	case METRIC_PROCESS_READ_BYTES:
		return in_pages(run->group->read_b * m->seconds[i] * noise(run, i, 3));
	case METRIC_PROCESS_WRITE_BYTES:
		return in_pages(run->group->read_b / 10 * m->seconds[i] * noise(run, i, 4));
	case METRIC_PROCESS_GPU_USAGE:
		return floor(run->gpus * 100 * (1 - 0.1 * noise(run, i, 5))) / 100;
	case METRIC_PROCESS_GPU_VRAM:
		return run->gpus > 0 ? in_pages(0.1 * run->group->machine->vram_b * ceil(run->gpus))
		                     : 0;
	case METRIC_PROCESS_GPU_UTILIZED:
		return ceil(run->gpus);
	case METRIC_PROCESS_THREADS:
		return threads;
	case METRIC_PROCESS_MAIN_THREADS:
		return 1;
	case METRIC_PROCESS_SWAP:
	case METRIC_PROCESS_MAJOR_FAULTS:
		return 0;
	default:
		return NAN;
	}
}

/* Of the machine: the job, and what else runs there, which is little. */
static double machine_cell(const struct made_rows *m, enum metric_id id, size_t i)
{
	const struct made_run *run = m->run;
	const struct made_machine *machine = run->group->machine;
	double used_b = in_pages(fmin(m->memory_b[i] + 0.8 * MADE_GIB, machine->memory_b));
	double cached_b = in_pages(fmin(3 * MADE_GIB, (machine->memory_b - used_b) / 2));
	double other_s = floor(0.02 * m->seconds[i] / TICK) * TICK;

	switch (id) {
	case METRIC_SYSTEM_PROCESSES:
		return 180 + 8 * machine->vcpus;
	case METRIC_SYSTEM_UTIME:
		return job_cell(m, METRIC_PROCESS_UTIME, i) + other_s;
	case METRIC_SYSTEM_STIME:
		return job_cell(m, METRIC_PROCESS_STIME, i);
	case METRIC_SYSTEM_CPU_USAGE:
		return m->cores[i] + other_s / m->seconds[i];
	case METRIC_SYSTEM_MEMORY_USED:
		return used_b;
	case METRIC_SYSTEM_MEMORY_FREE:
		return machine->memory_b - used_b - cached_b;
	case METRIC_SYSTEM_MEMORY_AVAILABLE:
		return machine->memory_b - used_b;
	case METRIC_SYSTEM_MEMORY_BUFFERS:
		return 0;
	case METRIC_SYSTEM_MEMORY_CACHED:
	case METRIC_SYSTEM_MEMORY_INACTIVE:
		return cached_b;
	case METRIC_SYSTEM_MEMORY_ACTIVE:
		return used_b;
	case METRIC_SYSTEM_DISK_READ_BYTES:
		return job_cell(m, METRIC_PROCESS_READ_BYTES, i);
	case METRIC_SYSTEM_DISK_WRITE_BYTES:
		return job_cell(m, METRIC_PROCESS_WRITE_BYTES, i);
	case METRIC_SYSTEM_DISK_SPACE_TOTAL:
		return 400 * MADE_GIB;
	case METRIC_SYSTEM_DISK_SPACE_USED:
		return 120 * MADE_GIB;
	case METRIC_SYSTEM_DISK_SPACE_FREE:
		return 280 * MADE_GIB;
	case METRIC_SYSTEM_NET_RECV_BYTES:
		return floor(2e4 * m->seconds[i] * noise(run, i, 6));
	case METRIC_SYSTEM_NET_SENT_BYTES:
		return floor(8e3 * m->seconds[i] * noise(run, i, 7));
	case METRIC_SYSTEM_GPU_USAGE:
	case METRIC_SYSTEM_GPU_VRAM:
	case METRIC_SYSTEM_GPU_UTILIZED:
		return job_cell(m, METRIC_PROCESS_GPU_USAGE + (id - METRIC_SYSTEM_GPU_USAGE), i);
	case METRIC_SYSTEM_CPU_IOWAIT:
	case METRIC_SYSTEM_CPU_STEAL:
	case METRIC_SYSTEM_SWAP_USED:
	case METRIC_SYSTEM_PSI_CPU_SOME:
	case METRIC_SYSTEM_PSI_MEMORY_SOME:
	case METRIC_SYSTEM_PSI_MEMORY_FULL:
	case METRIC_SYSTEM_PSI_IO_SOME:
	case METRIC_SYSTEM_PSI_IO_FULL:
		return 0;
	case METRIC_SYSTEM_LOAD1:
		return floor(run->cores * (1 + 0.2 * noise(run, i, 8)) * 100) / 100;
	default:
		return NAN;
	}
}

double made_rows_cell(const struct made_rows *m, enum metric_id id, size_t i)
{
	const struct made_run *run = m->run;

	if (id == METRIC_PROCESS_TIMESTAMP || id == METRIC_SYSTEM_TIMESTAMP)
		return i + 1 < run->samples ? run->start + run->interval * (double)(i + 1)
		                            : run->start + run->wall_s;
	if (metrics[id].scope == METRIC_SCOPE_PROCESS)
		return job_cell(m, id, i);
	return machine_cell(m, id, i);
}
