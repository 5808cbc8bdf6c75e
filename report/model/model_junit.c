/* model_junit: the model's "junit": the job and each gate as a JUnit test case. */
#include <math.h>
#include <stdio.h>

#include "report/model/model_views.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

/* Seconds with three decimals, as the JUnit schema demands; null if unknown. */
static void add_junit_seconds(cJSON *junit, double s)
{
	char text[64];

	snprintf(text, sizeof text, "%.3f", s);
	model_json_cut_or_null(junit, "time", isfinite(s) && s >= 0 ? text : NULL, sizeof text);
}

/* UTC without the Z: the JUnit schema allows no time zone. */
static void add_start_time(cJSON *junit, double unix_s)
{
	char iso[UNITS_SIZE], text[UNITS_SIZE];

	snprintf(text, sizeof text, "%.19s", units_time_iso(unix_s, iso));
	model_json_cut_or_null(junit, "timestamp", text, sizeof text);
}

void junit_add(cJSON *model, const struct model_input *in)
{
	static const struct gate_results none;
	const struct gate_results *gates = in->gates ? in->gates : &none;
	const struct run *run = &in->runs->v[0];
	cJSON *junit = cJSON_AddObjectToObject(model, "junit");
	bool told = run->status != RUN_UNKNOWN;
	bool failed = told && run->status != RUN_FINISHED;

	cJSON_AddNumberToObject(junit, "tests", (double)gates->n + 1);
	cJSON_AddNumberToObject(junit, "failures", (double)gates->count[GATE_HOLDS] + failed);
	cJSON_AddNumberToObject(junit, "skipped", (double)gates->count[GATE_NOT_JUDGED] + !told);
	cJSON_AddBoolToObject(junit, "job_failed", failed);
	cJSON_AddBoolToObject(junit, "job_told", told);
	add_junit_seconds(junit, run->duration);
	add_start_time(junit, run->start);
}
