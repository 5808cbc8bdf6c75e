/* asked_sources: what was asked for: the user's list, and several sources put together. */
#include "collect/job/asked_sources.h"

#include <math.h>
#include <string.h>

#include "collect/procfs/scan.h"
#include "core/base/quantity.h"

#define AFFINITY "sched_getaffinity"

static const struct {
	const char *key;
	enum { COUNT, CORES, BYTES, SECONDS } kind;
	double max;
	bool zero, whole;
	const char *example;
} amounts[SNAPSHOT_ASKED_N] = {
    [SNAPSHOT_ASKED_CPUS] = {"cpus", CORES, 1e6, false, false, "8, 0.5 or 500m"},
    [SNAPSHOT_ASKED_MEMORY] = {"memory", BYTES, 0x1p60, false, false, "32GiB, 500MB or 32G"},
    [SNAPSHOT_ASKED_GPUS] = {"gpus", COUNT, 1e4, true, false, "1"},
    [SNAPSHOT_ASKED_TIME] = {"time", SECONDS, 3650 * QUANTITY_DAY_S, false, false,
                             "90s, 4h, 1h30m or 1-12:00:00"},
    [SNAPSHOT_ASKED_NODES] = {"nodes", COUNT, 1e7, false, true, "4"},
    [SNAPSHOT_ASKED_TASKS] = {"tasks", COUNT, 1e9, false, true, "16"},
};

bool asked_sources_plausible(enum snapshot_asked_id id, double v)
{
	return isfinite(v) && v >= 0 && (v > 0 || amounts[id].zero) && v <= amounts[id].max &&
	       (!amounts[id].whole || v == (double)(long long)v);
}

/* With "m", thousandths, as in Kubernetes. */
static bool read_count(struct scan s, bool fractions, double *out)
{
	double v;

	if (!scan_decimal(&s, &v))
		return false;
	if (s.p < s.end && !(fractions && scan_is(s, "m")))
		return false;
	*out = s.p < s.end ? v * 1e-3 : v;
	return true;
}

static bool parse_amount(enum snapshot_asked_id id, struct scan s, double *out)
{
	size_t n = (size_t)(s.end - s.p);

	/* scan_decimal would skip blanks. */
	if (n == 0 || *s.p < '0' || *s.p > '9')
		return false;
	switch (amounts[id].kind) {
	case BYTES:
		return !quantity_size(s.p, n, QUANTITY_BARE, out);
	case SECONDS:
		return !quantity_duration(s.p, n, QUANTITY_BARE, out);
	default:
		return read_count(s, amounts[id].kind == CORES, out);
	}
}

bool asked_sources_amount(enum snapshot_asked_id id, const char *text, size_t n, double *out)
{
	double v;

	if (!parse_amount(id, scan_text(text, n), &v) || !asked_sources_plausible(id, v))
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
static bool is_unset(enum snapshot_asked_id id, struct scan value)
{
	double v;

	return value.p == value.end || (parse_amount(id, value, &v) && v == 0);
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
	if (skip_unset && is_unset((enum snapshot_asked_id)id, value))
		return 0;
	if (!isnan(values[id]))
		return err_set(e, "\"%.*s\": %s is given twice", length_of(pair), pair.p,
		               amounts[id].key);
	if (!asked_sources_amount((enum snapshot_asked_id)id, value.p,
	                          (size_t)(value.end - value.p), &values[id]))
		return err_set(e, "\"%.*s\": a value of %s is for example %s", length_of(pair),
		               pair.p, amounts[id].key, amounts[id].example);
	return 0;
}

int asked_sources_list(const char *text, bool skip_unset, double values[SNAPSHOT_ASKED_N],
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

/* -- sources ----------------------------------------------------------------------------------- */

void asked_sources_clear(struct snapshot_asked *a)
{
	a->known = true;
	for (int i = 0; i < SNAPSHOT_ASKED_N; i++)
		a->of[i] = (struct snapshot_ask){NAN, "", "", false};
}

void asked_sources_put(struct snapshot_asked *a, enum snapshot_asked_id id, double value,
                       const char *source, const char *detail, bool share)
{
	if (isnan(a->of[id].value) && asked_sources_plausible(id, value))
		a->of[id] = (struct snapshot_ask){value, source, detail, share};
}

int asked_sources_put_list(struct snapshot_asked *a, const char *list, const char *source,
                           const char *detail, struct err *e)
{
	double values[SNAPSHOT_ASKED_N];
	/* Where nothing was asked, Kubernetes fills in 0, and workflow engines nothing. */
	bool skip_unset = strcmp(source, SNAPSHOT_ASKED_ENVIRONMENT) == 0;
	int r = asked_sources_list(list, skip_unset, values, e);

	for (int i = 0; i < SNAPSHOT_ASKED_N; i++)
		asked_sources_put(a, (enum snapshot_asked_id)i, values[i], source, detail, false);
	return r ? err_wrap(e, "%s", detail) : 0;
}

void asked_sources_merge(struct snapshot_asked *a, const struct snapshot_asked *from)
{
	for (int i = 0; i < SNAPSHOT_ASKED_N; i++)
		if (isnan(a->of[i].value))
			a->of[i] = from->of[i];
}

bool asked_sources_shared(enum snapshot_asked_id id)
{
	return id == SNAPSHOT_ASKED_CPUS || id == SNAPSHOT_ASKED_MEMORY ||
	       id == SNAPSHOT_ASKED_GPUS;
}

void asked_sources_put_rest(struct snapshot_asked *a, const struct snapshot_limits *limits,
                            double memory_b, double gpus, double tasks)
{
	bool share = tasks > 1;
	bool own = limits->cpus_from && strcmp(limits->cpus_from, AFFINITY) == 0;

	/* The number of CPUs that are online is a fact, not a limit. */
	if (limits->cpus < limits->cpus_online)
		asked_sources_put(a, SNAPSHOT_ASKED_CPUS, own ? limits->cpus : limits->cpus / tasks,
		                  SNAPSHOT_ASKED_LIMIT, limits->cpus_from, share);
	if (!(limits->memory_b >= memory_b))
		asked_sources_put(a, SNAPSHOT_ASKED_MEMORY, limits->memory_b / tasks,
		                  SNAPSHOT_ASKED_LIMIT, limits->memory_from, share);
	asked_sources_put(a, SNAPSHOT_ASKED_CPUS, limits->cpus_online / tasks,
	                  SNAPSHOT_ASKED_MACHINE, "online CPUs", share);
	asked_sources_put(a, SNAPSHOT_ASKED_MEMORY, memory_b / tasks, SNAPSHOT_ASKED_MACHINE,
	                  "MemTotal", share);
	if (gpus > 0)
		asked_sources_put(a, SNAPSHOT_ASKED_GPUS, gpus / tasks, SNAPSHOT_ASKED_MACHINE,
		                  "GPUs", share);
}
