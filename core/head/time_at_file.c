/* time_at_file: the sums of time_at in a recording's head. */
#include "core/head/time_at_file.h"

#include <math.h>
#include <string.h>

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

/* -- reading ------------------------------------------------------------------------------------
 * Without a tree: a history of 10,000 runs reads so many. */

struct reading {
	struct time_at t;
	double samples;
	bool wrong; /* a number that cannot be true */
};

static bool is_believable(double v)
{
	return v >= 0 && v <= MAX_S;
}

/* The first n numbers of an array, all of which must be there. */
static int read_numbers(struct reading *r, struct json_read *in, double *v, size_t n)
{
	bool first = true;
	size_t got = 0;
	double more_of;
	int more;

	if (json_read_peek(in) != '[') {
		r->wrong = true;
		return json_read_skip(in, NULL);
	}
	if (json_read_open(in, '['))
		return -1;
	while ((more = json_read_more(in, '[', &first)) > 0) {
		if (json_read_cell(in, got < n ? &v[got] : &more_of))
			return -1;
		got += got < n;
		got += json_read_cells(in, v + got, n - got);
	}
	r->wrong = r->wrong || got < n;
	for (size_t i = 0; i < got; i++)
		r->wrong = r->wrong || !is_believable(v[i]);
	return more;
}

static int read_idle(struct reading *r, struct json_read *in)
{
	double idle_s[TIME_AT_BOUNDS] = {0};
	int failed = read_numbers(r, in, idle_s, TIME_AT_BOUNDS);

	for (int i = 0; i < TIME_AT_BOUNDS; i++)
		r->t.of[i].idle_s = idle_s[i];
	return failed;
}

static int read_widths(struct reading *r, struct json_read *in)
{
	bool first = true;
	int more;

	if (json_read_peek(in) != '[')
		return json_read_skip(in, NULL);
	if (json_read_open(in, '['))
		return -1;
	while ((more = json_read_more(in, '[', &first)) > 0) {
		double v[4] = {0}; /* bound, width, cpu_s, busy_s */
		if (read_numbers(r, in, v, 4))
			return -1;
		r->wrong = r->wrong || !(v[0] < TIME_AT_BOUNDS && v[1] < TIME_AT_WIDTHS);
		if (r->wrong)
			continue;
		r->t.of[(int)v[0]].cpu_s[(int)v[1]] = v[2];
		r->t.of[(int)v[0]].busy_s[(int)v[1]] = v[3];
	}
	return more;
}

static int read_sums(struct reading *r, struct json_read *in, struct buf *key)
{
	const struct {
		const char *key;
		double *to;
	} numbers[] = {{KEY_SAMPLES, &r->samples},       {KEY_WALL_S, &r->t.wall_s},
	               {KEY_UNKNOWN_S, &r->t.unknown_s}, {KEY_CPU_S, &r->t.cpu_s},
	               {KEY_JUDGED, &r->t.judged_s},     {KEY_CONTENDED, &r->t.contended_s},
	               {KEY_STOLEN, &r->t.stolen_s}};

	if (json_read_key(in, key))
		return -1;
	if (strcmp(buf_cstr(key), KEY_IDLE_S) == 0)
		return read_idle(r, in);
	if (strcmp(buf_cstr(key), KEY_WIDTHS) == 0)
		return read_widths(r, in);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (strcmp(buf_cstr(key), numbers[i].key) == 0) {
			int failed = json_read_cell(in, numbers[i].to);
			r->wrong = r->wrong || !is_believable(*numbers[i].to);
			return failed;
		}
	return json_read_skip(in, NULL);
}

int time_at_file_read(struct snapshot *s, struct json_read *in, struct buf *key)
{
	/* Recordings of earlier versions do not have the last three: 0, so that contention is not
	 * known. */
	struct reading r = {.samples = NAN};
	struct time_at *kept;
	bool first = true;
	int more;

	s->time_at = NULL;
	if (json_read_peek(in) != '{')
		return json_read_skip(in, NULL);
	r.t.wall_s = r.t.unknown_s = r.t.cpu_s = r.t.of[0].idle_s = NAN;
	if (json_read_open(in, '{'))
		return -1;
	while ((more = json_read_more(in, '{', &first)) > 0)
		if (read_sums(&r, in, key))
			return -1;
	if (more)
		return -1;
	/* Those that must be there. */
	if (r.wrong || isnan(r.samples + r.t.wall_s + r.t.unknown_s + r.t.cpu_s) ||
	    isnan(r.t.of[0].idle_s))
		return 0;
	r.t.samples = (size_t)r.samples;
	kept = snapshot_alloc(s, sizeof *kept);
	if (kept)
		*kept = r.t;
	s->time_at = kept;
	return 0;
}
