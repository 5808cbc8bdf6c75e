/* snapshot: writes a recording of so many samples (and of the how manyth run: each begins an hour
 * and a bit after the one before, and is a little longer or shorter) to standard output, for the
 * reporter's bench. snapshot SAMPLES [RUN [NODES]]: with NODES, it is of one of so many nodes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/version.h"
#include "core/files/snapshot_write.h"

#define START 1795234310.0

/* Plausible numbers, the same each time: a slow wave, and some noise. */
static double value(const struct metric *m, double start, size_t row)
{
	double wave = 0.5 + 0.5 * sin((double)row / 97.0);
	double noise = (double)((row * 2654435761u) % 1000) / 1000.0;

	if (m->chart >= METRIC_CHART_GPU) /* an ordinary machine has none */
		return m->documented ? 0 : NAN;
	switch (m->unit) {
	case METRIC_UNIT_TIME:
		return start + 1 + (double)row + noise / 1000;
	case METRIC_UNIT_CORES:
	case METRIC_UNIT_SECONDS:
	case METRIC_UNIT_SHARE:
	case METRIC_UNIT_LOAD:
		return 2 * wave + noise;
	case METRIC_UNIT_MEMORY:
	case METRIC_UNIT_VRAM:
	case METRIC_UNIT_SPACE:
		return 1e9 * (wave + noise / 10);
	case METRIC_UNIT_BYTES:
		return floor(1e6 * noise * wave);
	case METRIC_UNIT_GPUS:
	case METRIC_UNIT_COUNT:
		return m->id == METRIC_PROCESS_PID ? 4242 : floor(10 * noise);
	}
	return NAN;
}

static int fetch(void *ctx, enum metric_id id, size_t from, size_t n, double *out, struct err *e)
{
	(void)e;
	for (size_t i = 0; i < n; i++)
		out[i] = value(&metrics[id], *(double *)ctx, from + i);
	return 0;
}

int main(int argc, char **argv)
{
	struct snapshot s = {0};
	struct err e = {0};
	size_t run = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
	double start = START + 4000 * (double)run;
	struct snapshot_source rows = {.fetch = fetch, .ctx = &start};

	rows.rows = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 60;
	rows.rows += rows.rows / 100 * (run * 7 % 11);
	s.meta.version = rtrack_version;
	s.meta.pid = 4242;
	s.meta.interval = 1;
	s.meta.start_time = start;
	s.meta.stop_time = s.meta.start_time + (double)rows.rows;
	s.meta.track_processes = s.meta.track_system = s.meta.children = true;
	s.server.vcpus = 4;
	s.server.memory_b = 8e9;
	s.exit.known = true;
	s.exit.cause = "exited";
	s.job.name = "bench";
	if (argc > 3) { /* one of so many nodes, which have the name "@NODE@" for sed to replace */
		s.part = (struct snapshot_part){.known = true,
		                                .job = "slurm:bench:1:0:0",
		                                .node = "@NODE@",
		                                .covers = "node",
		                                .nodes = strtod(argv[3], NULL),
		                                .task = NAN,
		                                .tasks = NAN,
		                                .array_job = "",
		                                .array_index = NAN};
		s.job.host = "@NODE@";
	}
	if (snapshot_write(&s, &rows, SCHEMA_1, STDOUT_FILENO, &e)) {
		fprintf(stderr, "snapshot: %s\n", e.msg);
		return 1;
	}
	return 0;
}
