/*
 * long_recording: recordings of thousands of samples that are made up, for tests.
 */
#ifndef TESTS_UNIT_REPORT_LONG_RECORDING_H
#define TESTS_UNIT_REPORT_LONG_RECORDING_H

#include <fcntl.h>
#include <math.h>
#include <stdint.h>

#include "core/base/version.h"
#include "core/files/snapshot_write.h"
#include "core/json/json_write.h"
#include "tests/unit/report/recording.h"

#define LONG_RECORDING_START 1795234310.0

/* A recording that is made up. Zero: nothing of the kind. */
struct long_recording {
	const char *name;
	size_t rows;
	double interval;
	enum schema schema;
	bool machine_alone, job_alone;
	size_t gpus;
	double gpus_lost;            /* share of the rows without any GPU */
	double quota;                /* cores; 0: none */
	double missing;              /* share of the cells of our own columns */
	size_t asleep_at, silent_at; /* rows before which the machine was suspended, */
	double asleep_s, silent_s;   /* or nothing was recorded, so long */
	size_t phases;               /* names, over and over */
	bool quiet, one_core;        /* the job's CPU usage */
};

static inline double long_recording_noise(size_t row, size_t salt)
{
	uint64_t x = (row + 1) * 0x9e3779b97f4a7c15u ^ (salt + 7) * 0xc2b2ae3d27d4eb4fu;

	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9u;
	x ^= x >> 32;
	return (double)(x % 100000) / 100000;
}

static inline double long_recording_time(const struct long_recording *m, size_t row)
{
	double t = LONG_RECORDING_START +
	           ((double)row + 1 + long_recording_noise(row, 99) / 50) * m->interval;

	t += m->asleep_at && row >= m->asleep_at ? m->asleep_s : 0;
	return t + (m->silent_at && row >= m->silent_at ? m->silent_s : 0);
}

/* What the machine was awake of a row. */
static inline double long_recording_awake(const struct long_recording *m, size_t row)
{
	double s = long_recording_time(m, row) -
	           (row ? long_recording_time(m, row - 1) : LONG_RECORDING_START);

	return m->asleep_at && row == m->asleep_at ? s - m->asleep_s : s;
}

static inline double long_recording_cores(const struct long_recording *m, enum metric_scope scope,
                                          size_t row)
{
	double wave = 0.5 + 0.5 * sin((double)row / 97),
	       own = 3 * wave + long_recording_noise(row, 1) / 2;

	if (m->one_core)
		own = 0.97 + long_recording_noise(row, 1) / 50;
	if (m->quiet)
		own = row % 500 == 0 ? 0.2 : 0;
	return scope == METRIC_SCOPE_PROCESS ? own : own + 0.3 + long_recording_noise(row, 2) / 10;
}

static inline double long_recording_cell(const struct long_recording *m, enum metric_id id,
                                         size_t row)
{
	const struct metric *c = &metrics[id];
	bool gpu = metric_is_of_one_gpu(c) || c->chart >= METRIC_CHART_GPU;
	double level = 0.5 + 0.4 * sin((double)row / 1000 + (double)id),
	       r = long_recording_noise(row, id);
	double cores = long_recording_cores(m, c->scope, row);

	if (c->unit == METRIC_UNIT_TIME)
		return long_recording_time(m, row);
	if (gpu && (!m->gpus || long_recording_noise(row, 1000) < m->gpus_lost))
		return m->gpus || !c->documented ? (double)NAN : 0;
	if (metric_is_of_one_gpu(c) && id != metric_gpu_usage(0) && id != metric_gpu_usage(1) &&
	    id != metric_gpu_vram(0) && id != metric_gpu_vram(1))
		return NAN;
	if (!c->documented && long_recording_noise(row, (size_t)id + 2000) < m->missing)
		return NAN;
	switch (id) {
	case METRIC_PROCESS_PID:
		return 4242;
	case METRIC_PROCESS_CPU_USAGE:
	case METRIC_SYSTEM_CPU_USAGE:
		return cores;
	case METRIC_PROCESS_MAIN_CPU_USAGE:
		return cores * r;
	case METRIC_PROCESS_UTIME:
	case METRIC_SYSTEM_UTIME:
		return 0.75 * cores * long_recording_awake(m, row);
	case METRIC_PROCESS_STIME:
	case METRIC_SYSTEM_STIME:
		return 0.25 * cores * long_recording_awake(m, row);
	default:
		break;
	}
	switch (c->unit) {
	case METRIC_UNIT_MEMORY:
	case METRIC_UNIT_VRAM:
	case METRIC_UNIT_SPACE:
		return 4096 * floor(500000 * level + 1000 * r + 97 * (double)(id % 11));
	case METRIC_UNIT_BYTES:
		return r < 0.5 ? 0 : floor(2e6 * r * level);
	case METRIC_UNIT_COUNT:
		return floor(10 * level + 3 * r);
	case METRIC_UNIT_SHARE:
		return level * r / 3;
	default:
		return level * r;
	}
}

/* All cells, column by column. */
struct long_recording_cells {
	size_t rows;
	double *cell;
};

static inline int long_recording_fetch(void *ctx, enum metric_id id, size_t from, size_t n,
                                       double *out, struct err *e)
{
	const struct long_recording_cells *c = ctx;

	(void)e;
	memcpy(out, c->cell + (size_t)id * c->rows + from, n * sizeof *out);
	return 0;
}

static inline struct long_recording_cells long_recording_cells(const struct long_recording *m)
{
	struct long_recording_cells c = {m->rows, NULL};

	c.cell = calloc(METRIC_COUNT * m->rows, sizeof *c.cell);
	if (!c.cell)
		abort();
	for (int id = 0; id < METRIC_COUNT; id++)
		for (size_t i = 0; i < m->rows; i++)
			c.cell[(size_t)id * m->rows + i] =
			    long_recording_cell(m, (enum metric_id)id, i);
	return c;
}

/* What the recorder adds that core/ does not write. */
static inline void long_recording_members(void *ctx, struct json_write *j)
{
	const struct long_recording *m = ctx;

	json_write_object(j, "limits");
	json_write_num(j, "cpus", m->quota > 0 ? m->quota : NAN);
	json_write_str(j, "cpus_from", m->quota > 0 ? "cpu.max" : NULL);
	json_write_object_end(j);
	json_write_array(j, "gpus");
	for (size_t i = 0; i < m->gpus; i++) {
		json_write_object(j, NULL);
		json_write_str(j, "uuid", i ? "GPU-b" : "GPU-a");
		json_write_num(j, "memory_bytes", 80e9);
		json_write_num(j, "utilisation_mean", 0.3);
		json_write_num(j, "utilisation_max", 1);
		json_write_object_end(j);
	}
	json_write_array_end(j);
}

static inline struct phases *long_recording_phases(const struct long_recording *m)
{
	static const char *const names[] = {"load", "train </script>", "evaluate\n", "save"};
	struct phases *p = m->phases ? calloc(1, sizeof *p) : NULL;
	double end = long_recording_time(m, m->rows - 1), at = LONG_RECORDING_START + 3.2;

	for (size_t i = 0; p && at < end; i++) {
		double length = (end - LONG_RECORDING_START) / (i % 3 ? 9 : 50);
		phases_add(p, names[i % m->phases], at, at + length);
		at += length * (i % 5 ? 1 : 1.5);
	}
	return p;
}

/* Of these cells and phases. */
static inline void long_recording_write_cells(struct recordings *t, const struct long_recording *m,
                                              struct long_recording_cells *cells,
                                              struct phases *phases, double stop, double vcpus,
                                              const char *name)
{
	struct snapshot s = {0};
	struct snapshot_source rows = {
	    .rows = m->rows, .fetch = long_recording_fetch, .ctx = cells};
	int fd = open(recordings_path(t, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	s.meta.version = rtrack_version;
	s.meta.pid = 4242;
	s.meta.interval = m->interval;
	s.meta.start_time = LONG_RECORDING_START;
	s.meta.stop_time = stop;
	s.meta.track_processes = !m->machine_alone;
	s.meta.track_system = !m->job_alone;
	s.meta.children = true;
	s.server.known = true;
	s.server.vcpus = vcpus;
	s.server.memory_b = 8e9;
	s.server.gpu_count = (double)m->gpus;
	s.limits.known = m->quota > 0;
	s.limits.cpus = m->quota;
	s.limits.cpus_from = "cpu.max";
	s.exit.known = true;
	s.exit.cause = "exited";
	s.job.known = true;
	s.job.name = m->name;
	s.phases = phases;
	s.more =
	    (struct snapshot_more){.members = long_recording_members, .ctx = (void *)(uintptr_t)m};
	assert_true(fd >= 0);
	if (snapshot_write(&s, &rows, m->schema ? m->schema : SCHEMA_1, fd, &t->e))
		fail_msg("%s", t->e.msg);
	close(fd);
	snapshot_free(&s);
}

static inline void long_recording_write(struct recordings *t, const struct long_recording *m,
                                        const char *name)
{
	struct long_recording_cells cells = long_recording_cells(m);
	struct phases *phases = long_recording_phases(m);

	long_recording_write_cells(t, m, &cells, phases, long_recording_time(m, m->rows - 1) + 0.01,
	                           4, name);
	free(phases);
	free(cells.cell);
}

#endif
