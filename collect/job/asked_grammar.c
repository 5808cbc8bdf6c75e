/* asked_grammar: what was asked for, as the user says it. */
#include "collect/job/asked_grammar.h"

#include <math.h>
#include <string.h>

#include "collect/procfs/scan.h"

#define MINUTE 60.0
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

struct unit {
	const char *name; /* "": without a unit */
	double factor;
};

static const struct unit plain[] = {{"", 1}, {NULL, 0}};

static const struct unit cores[] = {{"", 1}, {"m", 1e-3}, {NULL, 0}};

static const struct unit bytes[] = {
    {"", 1},         {"B", 1},       {"K", 0x1p10},   {"Ki", 0x1p10},  {"KiB", 0x1p10},
    {"M", 0x1p20},   {"Mi", 0x1p20}, {"MiB", 0x1p20}, {"G", 0x1p30},   {"Gi", 0x1p30},
    {"GiB", 0x1p30}, {"T", 0x1p40},  {"Ti", 0x1p40},  {"TiB", 0x1p40}, {"kB", 1e3},
    {"KB", 1e3},     {"MB", 1e6},    {"GB", 1e9},     {"TB", 1e12},    {NULL, 0},
};

static const struct unit seconds[] = {{"", 1},     {"s", 1},   {"m", MINUTE},
                                      {"h", HOUR}, {"d", DAY}, {NULL, 0}};

static const struct {
	const char *key;
	const struct unit *units;
	double max;
	bool zero, whole;
	const char *example;
} amounts[SNAPSHOT_ASKED_N] = {
    [SNAPSHOT_ASKED_CPUS] = {"cpus", cores, 1e6, false, false, "8, 0.5 or 500m"},
    [SNAPSHOT_ASKED_MEMORY] = {"memory", bytes, 0x1p60, false, false, "32GiB, 500MB or 32G"},
    [SNAPSHOT_ASKED_GPUS] = {"gpus", plain, 1e4, true, false, "1"},
    [SNAPSHOT_ASKED_TIME] = {"time", seconds, 3650 * DAY, false, false, "90s, 4h or 1-12:00:00"},
    [SNAPSHOT_ASKED_NODES] = {"nodes", plain, 1e7, false, true, "4"},
    [SNAPSHOT_ASKED_TASKS] = {"tasks", plain, 1e9, false, true, "16"},
};

bool asked_grammar_plausible(enum snapshot_asked_id id, double v)
{
	return isfinite(v) && v >= 0 && (v > 0 || amounts[id].zero) && v <= amounts[id].max &&
	       (!amounts[id].whole || v == (double)(long long)v);
}

/* [days-]hours:minutes:seconds, as Slurm prints it. */
static bool read_clock(struct scan s, double *out)
{
	int days = 0, hours, minutes, secs;
	struct scan at = s;

	if (scan_int(&at, &days) && scan_literal(&at, "-"))
		s = at;
	else
		days = 0;
	if (!scan_int(&s, &hours) || !scan_literal(&s, ":") || !scan_int(&s, &minutes) ||
	    !scan_literal(&s, ":") || !scan_int(&s, &secs) || s.p != s.end)
		return false;
	if (minutes > 59 || secs > 59)
		return false;
	*out = days * DAY + hours * HOUR + minutes * MINUTE + secs;
	return true;
}

static bool read_unit(struct scan s, const struct unit *units, double *out)
{
	for (; units->name; units++)
		if (scan_is(s, units->name)) {
			*out *= units->factor;
			return true;
		}
	return false;
}

bool asked_grammar_amount(enum snapshot_asked_id id, const char *text, size_t n, double *out)
{
	struct scan s = scan_text(text, n);
	double v;

	/* scan_decimal would skip blanks. */
	if (n == 0 || *text < '0' || *text > '9')
		return false;
	if (!(id == SNAPSHOT_ASKED_TIME && read_clock(s, &v)) &&
	    !(scan_decimal(&s, &v) && read_unit(s, amounts[id].units, &v)))
		return false;
	if (!asked_grammar_plausible(id, v))
		return false;
	*out = v;
	return true;
}

/* -- the list ---------------------------------------------------------------------------------- */

static struct scan trimmed(struct scan s)
{
	scan_blanks(&s);
	while (s.end > s.p && (s.end[-1] == ' ' || s.end[-1] == '\t'))
		s.end--;
	return s;
}

static int length_of(struct scan s)
{
	return s.end - s.p > 100 ? 100 : (int)(s.end - s.p);
}

/* A number of 0 means the same as none where a template fills in the list. */
static bool is_unset(struct scan value, const struct unit *units)
{
	double v = 0;

	return value.p == value.end ||
	       (scan_decimal(&value, &v) && v == 0 && read_unit(value, units, &v));
}

static int read_pair(struct scan pair, bool skip_unset, double values[SNAPSHOT_ASKED_N],
                     struct err *e)
{
	const char *is = memchr(pair.p, '=', (size_t)(pair.end - pair.p));
	struct scan key = trimmed((struct scan){pair.p, is ? is : pair.end});
	struct scan value = trimmed((struct scan){is ? is + 1 : pair.end, pair.end});
	int id = 0;

	while (id < SNAPSHOT_ASKED_N && !scan_is(key, amounts[id].key))
		id++;
	if (!is || id == SNAPSHOT_ASKED_N)
		return err_set(e,
		               "\"%.*s\" is not one of cpus=, memory=, gpus=, time=, nodes= and "
		               "tasks=",
		               length_of(pair), pair.p);
	if (skip_unset && is_unset(value, amounts[id].units))
		return 0;
	if (!isnan(values[id]))
		return err_set(e, "\"%.*s\": %s is given twice", length_of(pair), pair.p,
		               amounts[id].key);
	if (!asked_grammar_amount((enum snapshot_asked_id)id, value.p,
	                          (size_t)(value.end - value.p), &values[id]))
		return err_set(e, "\"%.*s\": a value of %s is for example %s", length_of(pair),
		               pair.p, amounts[id].key, amounts[id].example);
	return 0;
}

int asked_grammar_read(const char *text, bool skip_unset, double values[SNAPSHOT_ASKED_N],
                       struct err *e)
{
	int r = 0;

	for (int id = 0; id < SNAPSHOT_ASKED_N; id++)
		values[id] = NAN;
	while (*text) {
		size_t n = strcspn(text, ",");
		struct scan pair = trimmed(scan_text(text, n));
		if (pair.p < pair.end && read_pair(pair, skip_unset, values, r ? NULL : e))
			r = -1;
		text += n + (text[n] == ',');
	}
	return r;
}
