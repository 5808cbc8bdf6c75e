/* fleet_model_left_out: the runs that are in no sum, and why. */
#include <math.h>

#include "fleet/groups/fleet_model_parts.h"
#include "fleet/groups/fleet_model_words.h"
#include "report/units/model_json.h"
#include "report/units/others_text.h"

double fleet_model_left_out_runs(const struct fleet *f)
{
	double runs = 0;

	for (int c = 0; c < CATALOG_CLASSES; c++)
		runs += c == CATALOG_COUNTED ? 0 : f->left_out[c].runs;
	return runs;
}

#define AS_TEXT(number) AS_TEXT_OF(number)
#define AS_TEXT_OF(n)   #n

static const struct {
	const char *id, *label, *why;
} reasons[CATALOG_CLASSES] = {
    [CATALOG_NO_ASK] = {"no_ask", "No ask",
                        "It is unknown how many CPUs and how much memory they asked for."},
    [CATALOG_SHORT] = {"short", "Too short",
                       "They have fewer than " AS_TEXT(
			   CATALOG_SAMPLES) " samples, which say "
                                            "little about means and peaks."},
    [CATALOG_FAILED] = {"failed", "Failed",
                        "They failed or were killed, not for memory: a whole run may need more."},
    [CATALOG_UNFINISHED] = {"unfinished", "Not finished",
                            "Their recordings have no end: they may still run, or the machine is "
                            "gone."},
    [CATALOG_UNMEASURED] = {"unmeasured", "Not measured",
                            "Their wall time or their peak memory is unknown."},
    [CATALOG_IMPOSSIBLE] =
	{"impossible", "Cannot be true",
         "They end in the future, used more CPU time or memory than their machine "
         "has, or asked for 100,000 CPUs or 1 PiB of memory or more: no number of theirs counts."},
};

/* What they asked for is in their files. */
static void add_others(cJSON *rows, const struct fleet_model_input *in)
{
	double files = (double)in->others.files;
	struct buf why = {0};
	cJSON *one;

	others_text(&in->others, &why);
	if (why.len) {
		buf_char(&why, '.');
		one = model_json_row(rows);
		cJSON_AddStringToObject(one, "id", "others");
		cJSON_AddStringToObject(one, "label", "Of other people");
		model_json_take(one, "why", &why);
		fleet_model_quantity(one, "runs", UNIT_COUNT, fleet_model_ask(files), in);
		fleet_model_quantity(one, "cores", UNIT_CORE_HOURS, NAN, in);
		fleet_model_quantity(one, "memory", UNIT_GIB_HOURS, NAN, in);
	}
	buf_free(&why);
}

void fleet_model_left_out_add(cJSON *model, const struct fleet *f,
                              const struct fleet_model_input *in)
{
	cJSON *left_out = cJSON_AddObjectToObject(model, "left_out"), *rows;
	double runs = fleet_model_left_out_runs(f);
	char count[UNITS_SIZE], all[UNITS_SIZE], share[UNITS_SIZE];
	struct buf text = {0};

	cJSON_AddBoolToObject(left_out, "known",
	                      runs > 0 || in->others.files + in->others.folders > 0);
	if (runs > 0)
		buf_printf(&text,
		           "%s of %s runs (%s) are left out of all sums, histograms and proposed "
		           "asks.",
		           units_count(runs, count), units_count(f->runs, all),
		           fleet_model_share(runs, f->runs, share));
	model_json_take(left_out, "text", &text);
	rows = cJSON_AddArrayToObject(left_out, "rows");
	for (int c = 0; c < CATALOG_CLASSES; c++) {
		const struct fleet_left_out *of = &f->left_out[c];
		cJSON *one;
		if (!reasons[c].id || !(of->runs > 0))
			continue;
		one = model_json_row(rows);
		cJSON_AddStringToObject(one, "id", reasons[c].id);
		cJSON_AddStringToObject(one, "label", reasons[c].label);
		cJSON_AddStringToObject(one, "why", reasons[c].why);
		fleet_model_quantity(one, "runs", UNIT_COUNT, of->runs, in);
		fleet_model_quantity(one, "cores", UNIT_CORE_HOURS, fleet_model_ask(of->core_h),
		                     in);
		fleet_model_quantity(one, "memory", UNIT_GIB_HOURS,
		                     fleet_model_ask(of->memory_gib_h), in);
	}
	add_others(rows, in);
}
