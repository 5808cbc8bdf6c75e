/* model_detail: the model's "detail": each CPU, interface, file system and disk. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/chart/chart_devices.h"
#include "report/model/model.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

#define SHOWN_MAX ((size_t)8) /* rows of a table; the others are counted */
#define CELLS     4

static double part_in_percent(double share)
{
	return 100 * share;
}

static double value_of(const struct device_use *d, size_t measure, size_t at)
{
	return d->of[measure] ? *(const double *)((const char *)d->of[measure] + at) : (double)NAN;
}

/* What a cell shows: a number of one of the device's series, or one of the device itself. */
struct detail_cell {
	const char *label;
	enum unit unit;
	size_t measure, at;
	bool share; /* of the series: 0 to 1 */
};
#define OF(member) offsetof(struct detail_series, member)
#define FULL       ((size_t)-1)

static const struct {
	const char *id, *title, *head, *rule, *none;
	struct detail_cell cell[CELLS]; /* up to the first without a label */
} kinds[DETAIL_KINDS] = {
    [DETAIL_CPU] =
	{"cpus",
         "CPUs",
         "CPU",
         "The picture has the mean and the range of all CPUs, the busiest CPU, and, where "
         "all together were less than 70% busy, each that was at 90% or more for 30% "
         "of the time.",
         "",
         {{"Mean", UNIT_PERCENT, 0, OF(mean), true},
          {"Peak", UNIT_PERCENT, 0, OF(max), true},
          {"Time at 90% or more", UNIT_PERCENT, 0, OF(busy), true}}},
    [DETAIL_INTERFACE] = {"interfaces",
                          "Network interfaces",
                          "Interface",
                          "The picture has what is 10% of all bytes or more.",
                          "Nothing was received or sent.",
                          {{"Received", UNIT_BYTES, 0, OF(sum), false},
                           {"Sent", UNIT_BYTES, 1, OF(sum), false},
                           {"Received, peak", UNIT_RATE, 0, OF(max), false},
                           {"Sent, peak", UNIT_RATE, 1, OF(max), false}}},
    [DETAIL_FILE_SYSTEM] = {"file_systems",
                            "File systems",
                            "Mounted on",
                            "The picture has those that grew by 1% of their size or more, or were "
                            "90% full.",
                            "None grew by 1% of its size, and none was 90% full.",
                            {{"Full, peak", UNIT_PERCENT, 0, FULL, true},
                             {"Used at the start", UNIT_BYTES, 0, OF(first), false},
                             {"Used, peak", UNIT_BYTES, 0, OF(max), false},
                             {"Used at the end", UNIT_BYTES, 0, OF(last), false}}},
    [DETAIL_DISK] = {"disks",
                     "Disks",
                     "Disk",
                     "The picture has what is 10% of all bytes or more.",
                     "Nothing was read or written.",
                     {{"Read", UNIT_BYTES, 0, OF(sum), false},
                      {"Written", UNIT_BYTES, 1, OF(sum), false},
                      {"Read, peak", UNIT_RATE, 0, OF(max), false},
                      {"Written, peak", UNIT_RATE, 1, OF(max), false}}},
};

static void add_device_row(cJSON *rows, const struct device_use *d, const struct detail_cell *cell)
{
	cJSON *one = model_json_row(rows), *cells;

	model_json_cut(one, "name", d->name, MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(one, "stands_out", d->stands[0] || d->stands[1]);
	cells = cJSON_AddArrayToObject(one, "cells");
	for (size_t i = 0; i < CELLS && cell[i].label; i++) {
		double v = cell[i].at == FULL ? d->full : value_of(d, cell[i].measure, cell[i].at);
		cJSON *c = model_json_quantity(cells, NULL, cell[i].unit,
		                               cell[i].share ? part_in_percent(v) : v);
		cJSON_AddStringToObject(c, "label", cell[i].label);
	}
}

static void add_rest_of_devices(cJSON *one, const struct device_uses *u)
{
	char text[64] = "";

	if (u->n > SHOWN_MAX)
		snprintf(text, sizeof text, "%zu others that were used less.", u->n - SHOWN_MAX);
	cJSON_AddStringToObject(one, "rest", text);
}

static void add_kind(cJSON *all, const struct run *run, const struct device_uses *u)
{
	cJSON *one = model_json_row(all), *head, *rows;
	const struct detail_cell *cell = kinds[u->kind].cell;
	size_t out = 0;

	for (size_t i = 0; i < u->n; i++)
		out += u->v[i].stands[0] || u->v[i].stands[1];
	cJSON_AddStringToObject(one, "id", kinds[u->kind].id);
	cJSON_AddStringToObject(one, "title", kinds[u->kind].title);
	model_json_number(one, "devices", (double)u->n);
	model_json_number(one, "stand_out", (double)out);
	cJSON_AddStringToObject(one, "rule", out ? kinds[u->kind].rule : kinds[u->kind].none);
	cJSON_AddStringToObject(one, "head", kinds[u->kind].head);
	head = cJSON_AddArrayToObject(one, "labels");
	for (size_t i = 0; i < CELLS && cell[i].label; i++)
		cJSON_AddItemToArray(head, cJSON_CreateString(cell[i].label));
	rows = cJSON_AddArrayToObject(one, "rows");
	for (size_t i = 0; i < u->n && i < SHOWN_MAX; i++)
		add_device_row(rows, &u->v[i], cell);
	add_rest_of_devices(one, u);
	chart_devices_add(one, run, u);
}

void model_detail_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	cJSON *detail = cJSON_AddObjectToObject(model, "detail"), *all;

	cJSON_AddBoolToObject(detail, "known", device_use_known(run));
	if (!device_use_known(run))
		return;
	all = cJSON_AddArrayToObject(detail, "kinds");
	for (int kind = 0; kind < DETAIL_KINDS; kind++) {
		struct device_uses u;
		struct err e;
		/* Without memory alloc_failed() is true. */
		if (device_use_make(&u, run, (enum detail_kind)kind, &e) == 0 && u.n)
			add_kind(all, run, &u);
		free(u.v);
	}
}
