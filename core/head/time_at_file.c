/* time_at_file: the sums of time_at in a recording's head. */
#include "core/head/time_at_file.h"

#include <math.h>

#include <cjson/cJSON.h>

#include "core/head/snapshot_values.h"
#include "core/numbers/stats.h"

#define DIGITS 6
#define MAX_S  1e12

#define KEY_SAMPLES   "samples"
#define KEY_WALL_S    "wall_s"
#define KEY_UNKNOWN_S "unknown_s"
#define KEY_CPU_S     "cpu_s"
#define KEY_JUDGED    "judged_s"
#define KEY_CONTENDED "contended_s"
#define KEY_STOLEN    "stolen_s"
#define KEY_IDLE_S    "idle_s"
#define KEY_WIDTHS    "widths"

static void write_time(struct json_write *j, const char *key, double v)
{
	json_write_num(j, key, stats_digits(v, DIGITS));
}

void time_at_file_round(struct time_at *t)
{
	double *const sums[] = {&t->wall_s,   &t->unknown_s,   &t->cpu_s,
	                        &t->judged_s, &t->contended_s, &t->stolen_s};

	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		*sums[i] = stats_digits(*sums[i], DIGITS);
	for (int i = 0; i < TIME_AT_BOUNDS; i++) {
		t->of[i].idle_s = stats_digits(t->of[i].idle_s, DIGITS);
		for (int k = 0; k < TIME_AT_WIDTHS; k++) {
			t->of[i].cpu_s[k] = stats_digits(t->of[i].cpu_s[k], DIGITS);
			t->of[i].busy_s[k] = stats_digits(t->of[i].busy_s[k], DIGITS);
		}
	}
}

void time_at_file_write(struct json_write *j, const struct time_at *t)
{
	json_write_object(j, TIME_AT_FILE_KEY);
	json_write_num(j, KEY_SAMPLES, (double)t->samples);
	write_time(j, KEY_WALL_S, t->wall_s);
	write_time(j, KEY_UNKNOWN_S, t->unknown_s);
	write_time(j, KEY_CPU_S, t->cpu_s);
	write_time(j, KEY_JUDGED, t->judged_s);
	write_time(j, KEY_CONTENDED, t->contended_s);
	write_time(j, KEY_STOLEN, t->stolen_s);
	json_write_array(j, KEY_IDLE_S);
	for (int i = 0; i < TIME_AT_BOUNDS; i++)
		write_time(j, NULL, t->of[i].idle_s);
	json_write_array_end(j);
	json_write_array(j, KEY_WIDTHS);
	for (int i = 0; i < TIME_AT_BOUNDS; i++)
		for (int k = 0; k < TIME_AT_WIDTHS; k++) {
			if (!(t->of[i].cpu_s[k] > 0))
				continue;
			json_write_array(j, NULL);
			json_write_num(j, NULL, i);
			json_write_num(j, NULL, k);
			write_time(j, NULL, t->of[i].cpu_s[k]);
			write_time(j, NULL, t->of[i].busy_s[k]);
			json_write_array_end(j);
		}
	json_write_array_end(j);
	json_write_object_end(j);
}

/* A number that may stand there; sets *wrong for another one. */
static double read_time(const cJSON *v, bool *wrong)
{
	double s = snapshot_values_number(v);

	*wrong = *wrong || !(s >= 0 && s <= MAX_S);
	return s;
}

/* Recordings of earlier versions do not have it: 0, so that contention is not known. */
static double read_time_or_0(const cJSON *v, bool *wrong)
{
	return v ? read_time(v, wrong) : 0;
}

static void read_width(struct time_at *t, const cJSON *o, bool *wrong)
{
	double bound = read_time(cJSON_GetArrayItem(o, 0), wrong);
	double width = read_time(cJSON_GetArrayItem(o, 1), wrong);

	*wrong = *wrong || !(bound < TIME_AT_BOUNDS && width < TIME_AT_WIDTHS);
	if (*wrong)
		return;
	t->of[(int)bound].cpu_s[(int)width] = read_time(cJSON_GetArrayItem(o, 2), wrong);
	t->of[(int)bound].busy_s[(int)width] = read_time(cJSON_GetArrayItem(o, 3), wrong);
}

const struct time_at *time_at_file_read(struct snapshot *s, const cJSON *o)
{
	const cJSON *idle = snapshot_values_member(o, KEY_IDLE_S), *of;
	struct time_at t = {0}, *kept;
	bool wrong = !cJSON_IsObject(o);
	double samples;

	if (wrong)
		return NULL;
	samples = read_time(snapshot_values_member(o, KEY_SAMPLES), &wrong);
	t.samples = wrong ? 0 : (size_t)samples;
	t.wall_s = read_time(snapshot_values_member(o, KEY_WALL_S), &wrong);
	t.unknown_s = read_time(snapshot_values_member(o, KEY_UNKNOWN_S), &wrong);
	t.cpu_s = read_time(snapshot_values_member(o, KEY_CPU_S), &wrong);
	t.judged_s = read_time_or_0(snapshot_values_member(o, KEY_JUDGED), &wrong);
	t.contended_s = read_time_or_0(snapshot_values_member(o, KEY_CONTENDED), &wrong);
	t.stolen_s = read_time_or_0(snapshot_values_member(o, KEY_STOLEN), &wrong);
	for (int i = 0; i < TIME_AT_BOUNDS; i++)
		t.of[i].idle_s = read_time(cJSON_GetArrayItem(idle, i), &wrong);
	cJSON_ArrayForEach (of, snapshot_values_member(o, KEY_WIDTHS))
		read_width(&t, of, &wrong);
	kept = wrong ? NULL : snapshot_alloc(s, sizeof *kept);
	if (kept)
		*kept = t;
	return kept;
}
