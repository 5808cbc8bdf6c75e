/* What the tests of the catalog share: a run. */
#ifndef TESTS_CATALOG_MADE_H
#define TESTS_CATALOG_MADE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fleet/catalog/catalog_engine.h"

#define GIB 1073741824.0

/* A run of 100 s from noon of day 20000 on: asked 4 CPUs and 8 GiB of a machine of 8 CPUs and 32
 * GiB, used 1.5 and at most 2 GiB. */
static inline void made_row(struct rtrack_row *row)
{
	static const struct {
		enum rtrack_row_id id;
		double number;
	} numbers[] = {{RTRACK_ROW_START, 20000 * 86400.0 + 43200},
	               {RTRACK_ROW_WALL, 100},
	               {RTRACK_ROW_SAMPLES, 100},
	               {RTRACK_ROW_CODE, 0},
	               {RTRACK_ROW_CPU, 150},
	               {RTRACK_ROW_CORES_MEAN, 1.6},
	               {RTRACK_ROW_MEMORY_MEAN, GIB},
	               {RTRACK_ROW_MEMORY_PEAK, 2 * GIB},
	               {RTRACK_ROW_ASKED_CPUS, 4},
	               {RTRACK_ROW_ASKED_MEMORY, 8 * GIB},
	               {RTRACK_ROW_VCPUS, 8},
	               {RTRACK_ROW_MACHINE_MEMORY, 32 * GIB},
	               {RTRACK_ROW_MACHINE_GPUS, 0}};

	row->stored = 0;
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		row->of[i].number = NAN;
		row->of[i].text = "";
	}
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		row->of[numbers[i].id].number = numbers[i].number;
	row->of[RTRACK_ROW_STATUS].text = "exited";
	row->of[RTRACK_ROW_NAME].text = "train";
	row->of[RTRACK_ROW_USER].text = "ann";
	row->of[RTRACK_ROW_HOST].text = "node1";
	row->of[RTRACK_ROW_VENDOR].text = "aws";
	row->of[RTRACK_ROW_INSTANCE].text = "m5.2xlarge";
	row->of[RTRACK_ROW_REGION].text = "us-east-1";
	row->of[RTRACK_ROW_TAGS].text = "team=red;stage=test";
}

#endif
