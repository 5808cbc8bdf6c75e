/*
 * pipeline_made: rows of a catalog, as pipeline_row_add gets them, for tests.
 */
#ifndef TESTS_UNIT_FLEET_PIPELINE_MADE_H
#define TESTS_UNIT_FLEET_PIPELINE_MADE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fleet/catalog/catalog_row.h"
#include "fleet/pipeline/pipeline.h"
#include "tests/unit/unit.h"

#define MADE_GIB 1073741824.0

/* Zero: unknown; code 0: it finished. Starts and submits are seconds since a fixed time. */
struct pipeline_made {
	const char *name, *labels, *job_id, *array, *joined, *status, *asked_source;
	double start, wall_s, submit, code, oom, class, index;
	double cpu_s, asked_cpus, memory_gib, asked_gib, asked_time_s;
	bool no_start;
};

#define MADE_EPOCH 1795000000.0

static inline double made_known(double v)
{
	return v != 0 ? v : (double)NAN;
}

static inline void made_add(struct pipeline *p, const struct pipeline_made *m)
{
	struct catalog_result v[CATALOG_COLUMNS];
	struct err e = {0};

	for (int i = 0; i < CATALOG_COLUMNS; i++)
		v[i] = (struct catalog_result){.text = "", .number = NAN};
	v[RTRACK_ROW_NAME].text = m->name ? m->name : "";
	v[RTRACK_ROW_LABELS].text = m->labels ? m->labels : "";
	v[RTRACK_ROW_JOB_ID].text = m->job_id ? m->job_id : "";
	v[RTRACK_ROW_ARRAY].text = m->array ? m->array : "";
	v[RTRACK_ROW_STATUS].text = m->status ? m->status : "finished";
	v[RTRACK_ROW_ASKED_CPUS_SOURCE].text = m->asked_source ? m->asked_source : "slurm";
	v[RTRACK_ROW_ASKED_MEMORY_SOURCE].text = m->asked_source ? m->asked_source : "slurm";
	v[CATALOG_COLUMN_JOINED].text = m->joined ? m->joined : "";
	v[RTRACK_ROW_START].number = m->no_start ? (double)NAN : MADE_EPOCH + m->start;
	v[CATALOG_COLUMN_SUBMIT].number = m->submit != 0 ? MADE_EPOCH + m->submit : (double)NAN;
	v[RTRACK_ROW_WALL].number = m->wall_s;
	v[RTRACK_ROW_CODE].number = m->code;
	v[RTRACK_ROW_INDEX].number = made_known(m->index);
	v[CATALOG_COLUMN_OOM].number = m->oom;
	v[CATALOG_COLUMN_CLASS].number = m->class;
	v[RTRACK_ROW_CPU].number = made_known(m->cpu_s);
	v[RTRACK_ROW_ASKED_CPUS].number = made_known(m->asked_cpus);
	v[RTRACK_ROW_MEMORY_PEAK].number = made_known(m->memory_gib * MADE_GIB);
	v[RTRACK_ROW_MEMORY_MEAN].number = made_known(m->memory_gib * MADE_GIB / 2);
	v[CATALOG_COLUMN_MEMORY_NEED].number = made_known(m->memory_gib * MADE_GIB);
	v[RTRACK_ROW_ASKED_MEMORY].number = made_known(m->asked_gib * MADE_GIB);
	v[RTRACK_ROW_ASKED_TIME].number = made_known(m->asked_time_s);
	assert_int_equal(pipeline_row_add(p, v, &e), 0);
}

static inline void made_pipeline(struct pipeline *p, const struct pipeline_made *m, size_t n)
{
	struct err e = {0};

	*p = (struct pipeline){0};
	for (size_t i = 0; i < n; i++)
		made_add(p, &m[i]);
	assert_int_equal(pipeline_make(p, &e), 0);
}
#define MADE_PIPELINE(p, ...)                                                                      \
	made_pipeline(p, (struct pipeline_made[]){__VA_ARGS__},                                    \
	              sizeof((struct pipeline_made[]){__VA_ARGS__}) /                              \
	                  sizeof(struct pipeline_made))

#endif
