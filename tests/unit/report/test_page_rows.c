/* page_rows: what a report makes from the overview of a long recording is what it makes from all of
 * its rows. Each recording is made up and written, and read once as it is and once without its
 * member "overview": then its rows have to be read. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>

#include "core/gaps.h"
#include "core/gz.h"
#include "core/json_write.h"
#include "core/overview.h"
#include "report/chart/comparison.h"
#include "report/model/model_views.h"
#include "report/page_rows.h"
#include "tests/unit/report/model_of.h"

#define START 1795234310.0

/* A recording that is made up. Zero: nothing of the kind. */
struct made {
	const char *name;
	size_t rows;
	double interval;
	enum schema schema;
	bool machine_alone;
	size_t gpus;
	double gpus_lost;            /* share of the rows without any GPU */
	double quota;                /* cores; 0: none */
	double missing;              /* share of the cells of our own columns */
	size_t asleep_at, silent_at; /* rows before which the machine was suspended, */
	double asleep_s, silent_s;   /* or nothing was recorded, so long */
	size_t phases;               /* names, over and over */
	bool quiet, one_core;        /* the job's CPU usage */
};

static double noise(size_t row, size_t salt)
{
	uint64_t x = (row + 1) * 0x9e3779b97f4a7c15u ^ (salt + 7) * 0xc2b2ae3d27d4eb4fu;

	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9u;
	x ^= x >> 32;
	return (double)(x % 100000) / 100000;
}

static double time_of(const struct made *m, size_t row)
{
	double t = START + ((double)row + 1 + noise(row, 99) / 50) * m->interval;

	t += m->asleep_at && row >= m->asleep_at ? m->asleep_s : 0;
	return t + (m->silent_at && row >= m->silent_at ? m->silent_s : 0);
}

/* What the machine was awake of a row. */
static double awake_s(const struct made *m, size_t row)
{
	double s = time_of(m, row) - (row ? time_of(m, row - 1) : START);

	return m->asleep_at && row == m->asleep_at ? s - m->asleep_s : s;
}

static double cores_of(const struct made *m, enum metric_scope scope, size_t row)
{
	double wave = 0.5 + 0.5 * sin((double)row / 97), own = 3 * wave + noise(row, 1) / 2;

	if (m->one_core)
		own = 0.97 + noise(row, 1) / 50;
	if (m->quiet)
		own = row % 500 == 0 ? 0.2 : 0;
	return scope == METRIC_SCOPE_PROCESS ? own : own + 0.3 + noise(row, 2) / 10;
}

static double cell_of(const struct made *m, enum metric_id id, size_t row)
{
	const struct metric *c = &metrics[id];
	bool gpu = metric_is_of_one_gpu(c) || c->chart >= METRIC_CHART_GPU;
	double level = 0.5 + 0.4 * sin((double)row / 1000 + (double)id), r = noise(row, id);
	double cores = cores_of(m, c->scope, row);

	if (c->unit == METRIC_UNIT_TIME)
		return time_of(m, row);
	if (gpu && (!m->gpus || noise(row, 1000) < m->gpus_lost))
		return m->gpus || !c->documented ? (double)NAN : 0;
	if (metric_is_of_one_gpu(c) && id != metric_gpu_usage(0) && id != metric_gpu_usage(1) &&
	    id != metric_gpu_vram(0) && id != metric_gpu_vram(1))
		return NAN;
	if (!c->documented && noise(row, (size_t)id + 2000) < m->missing)
		return NAN;
	switch (id) {
	case METRIC_PROCESS_PID:
		return 4242;
	case METRIC_PROCESS_CPU_USAGE:
	case METRIC_SYSTEM_CPU_USAGE:
		return cores;
	case METRIC_PROCESS_MAIN_CPU_USAGE:
		return cores * r;
	case METRIC_PROCESS_UTIME:
	case METRIC_SYSTEM_UTIME:
		return 0.75 * cores * awake_s(m, row);
	case METRIC_PROCESS_STIME:
	case METRIC_SYSTEM_STIME:
		return 0.25 * cores * awake_s(m, row);
	default:
		break;
	}
	switch (c->unit) {
	case METRIC_UNIT_MEMORY:
	case METRIC_UNIT_VRAM:
	case METRIC_UNIT_SPACE:
		return 4096 * floor(500000 * level + 1000 * r + 97 * (double)(id % 11));
	case METRIC_UNIT_BYTES:
		return r < 0.5 ? 0 : floor(2e6 * r * level);
	case METRIC_UNIT_COUNT:
		return floor(10 * level + 3 * r);
	case METRIC_UNIT_SHARE:
		return level * r / 3;
	default:
		return level * r;
	}
}

static int fetch_made(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                      struct err *e)
{
	(void)e;
	for (size_t i = 0; i < n; i++)
		out[i] = cell_of(ctx, id, from + i);
	return 0;
}

/* What the recorder adds that core/ does not write. */
static void write_members(void *ctx, struct json_write *j)
{
	const struct made *m = ctx;

	json_write_object(j, "limits");
	json_write_num(j, "cpus", m->quota > 0 ? m->quota : NAN);
	json_write_str(j, "cpus_from", m->quota > 0 ? "cpu.max" : NULL);
	json_write_object_end(j);
	json_write_array(j, "gpus");
	for (size_t i = 0; i < m->gpus; i++) {
		json_write_object(j, NULL);
		json_write_str(j, "uuid", i ? "GPU-b" : "GPU-a");
		json_write_num(j, "memory_bytes", 80e9);
		json_write_num(j, "utilisation_mean", 0.3);
		json_write_num(j, "utilisation_max", 1);
		json_write_object_end(j);
	}
	json_write_array_end(j);
}

static struct phases *made_phases(const struct made *m)
{
	static const char *const names[] = {"load", "train </script>", "evaluate\n", "save"};
	struct phases *p = m->phases ? calloc(1, sizeof *p) : NULL;
	double end = time_of(m, m->rows - 1), at = START + 3.2;

	for (size_t i = 0; p && at < end; i++) {
		double length = (end - START) / (i % 3 ? 9 : 50);
		phases_add(p, names[i % m->phases], at, at + length);
		at += length * (i % 5 ? 1 : 1.5);
	}
	return p;
}

static void write_made(struct recordings *t, const struct made *m, const char *name)
{
	struct snapshot s = {0};
	struct snapshot_source rows = {
	    .rows = m->rows, .fetch = fetch_made, .ctx = (void *)(uintptr_t)m};
	struct phases *phases = made_phases(m);
	int fd = open(recordings_path(t, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	s.meta.version = RTRACK_VERSION;
	s.meta.pid = 4242;
	s.meta.interval = m->interval;
	s.meta.start_time = START;
	s.meta.stop_time = time_of(m, m->rows - 1) + 0.01;
	s.meta.track_processes = !m->machine_alone;
	s.meta.track_system = s.meta.children = true;
	s.server.known = true;
	s.server.vcpus = 4;
	s.server.memory_b = 8e9;
	s.server.gpu_count = (double)m->gpus;
	s.limits.known = m->quota > 0;
	s.limits.cpus = m->quota;
	s.limits.cpus_from = "cpu.max";
	s.exit.known = true;
	s.exit.cause = "exited";
	s.job.known = true;
	s.job.name = m->name;
	s.phases = phases;
	s.more = (struct snapshot_more){.members = write_members, .ctx = (void *)(uintptr_t)m};
	assert_true(fd >= 0);
	if (snapshot_write(&s, &rows, m->schema ? m->schema : SCHEMA_1, fd, &t->e))
		fail_msg("%s", t->e.msg);
	close(fd);
	snapshot_free(&s);
	free(phases);
}

/* The inflated text, for free(3) by buf_free. */
static struct buf text_of(struct recordings *t, const char *name)
{
	struct buf b = {0};
	char piece[65536];
	int fd = open(recordings_path(t, name), O_RDONLY | O_CLOEXEC);
	struct gz_in *g = gz_in_new(fd, (uint64_t)1 << 30, &t->e);
	long n;

	assert_non_null(g);
	while ((n = gz_read(g, piece, sizeof piece, &t->e)) > 0)
		buf_add(&b, piece, (size_t)n);
	gz_in_free(g);
	close(fd);
	return b;
}

/* The same recording without its overview. */
static void write_without_overview(struct recordings *t, const char *from, const char *to)
{
	struct buf b = text_of(t, from);
	char *text = (char *)(uintptr_t)buf_cstr(&b), *member = strstr(text, "\"overview\":{");
	size_t depth = 0, n = 0;

	assert_non_null(member);
	n = strlen("\"overview\":");
	do {
		depth += member[n] == '{' || member[n] == '[';
		depth -= member[n] == '}' || member[n] == ']';
		assert_true(member[n++]);
	} while (depth); /* no string of it has a bracket */
	if (member[n] == ',')
		n++;
	else
		for (member--, n++; *member != ','; member--)
			n++;
	memmove(member, member + n, strlen(member + n) + 1);
	recordings_file(t, to, text);
	buf_free(&b);
}

static const struct report_options plain = {.offline = true, .keeper_cache = "", .history = 5};

/* The whole model of one recording, read as main.c does. overview: whether it was made from it. */
static cJSON *model_of_file(struct recordings *t, const char *name, const struct report_options *o,
                            bool overview)
{
	const struct view_options views = {.gpus = o->gpus};
	struct recommend *c = calloc(1, sizeof *c);
	struct comparison *compare = NULL;
	struct model_input in;
	cJSON *model;

	assert_non_null(c);
	assert_int_equal(load_path(&t->runs, recordings_path(t, name), &t->e), 0);
	if (t->runs.n != 1)
		fail_msg("%s", t->runs.failed[0].err.msg);
	assert_int_equal(history_choose(&t->runs, o->history, &t->e), 0);
	if (page_rows_load(&t->runs.v[0], o, &t->e))
		fail_msg("%s", t->e.msg);
	assert_int_equal(t->runs.v[0].snapshot.overview != NULL, overview);
	if (o->compare)
		compare = comparison_new(&t->runs, &o->names, &t->e);
	recommend_runs(&t->runs, o, NULL, c, NULL);
	in = (struct model_input){.runs = &t->runs,
	                          .advice = &c->advice,
	                          .basis = c->basis,
	                          .keeper = &c->keeper,
	                          .compare = compare,
	                          .title = "made",
	                          .now = START + 1e6};
	model = model_build(&in);
	assert_int_equal(views_add(model, &in, &views, &t->e), 0);
	comparison_free(compare);
	free(c);
	return model;
}

/* -- comparing --------------------------------------------------------------------------------- */

/* Numbers of statistics that are not drawn or said in more than four digits: the head has them with
 * 6 decimals, of cells before they were rounded for the file. */
#define STATISTICS_NEAR 2e-4

struct difference {
	size_t n;
	double most;
	char path[512];
};

static void differ(struct difference *d, const char *path, double how_much)
{
	if (d->n++ == 0 || how_much > d->most)
		snprintf(d->path, sizeof d->path, "%s", path);
	d->most = how_much > d->most ? how_much : d->most;
}

static void compare_items(const cJSON *a, const cJSON *b, const char *path, struct difference *d)
{
	char deeper[512];

	if (a->type != b->type) {
		differ(d, path, INFINITY);
	} else if (cJSON_IsNumber(a)) {
		double x = a->valuedouble, y = b->valuedouble;
		if (x != y)
			differ(d, path, fabs(x - y) / fmax(fmax(fabs(x), fabs(y)), 1e-9));
	} else if (cJSON_IsString(a)) {
		if (strcmp(a->valuestring, b->valuestring) != 0)
			differ(d, path, INFINITY);
	} else if (cJSON_IsObject(a) || cJSON_IsArray(a)) {
		const cJSON *p = a->child, *q = b->child;
		for (int i = 0; p && q; p = p->next, q = q->next, i++) {
			if (cJSON_IsObject(a) && strcmp(p->string, q->string) != 0)
				break;
			if (p->string)
				snprintf(deeper, sizeof deeper, "%.400s.%.100s", path, p->string);
			else
				snprintf(deeper, sizeof deeper, "%.400s.%d", path, i);
			compare_items(p, q, deeper, d);
		}
		if (p || q)
			differ(d, path, INFINITY);
	}
}

/* The members of which every character is the same; all others, where numbers may differ. */
static const char *const exact[] = {"charts", "phases", "verdict", "gates", "tiles",
                                    "advice", "limits", "run",     "usage"};

static void same_page(const cJSON *head, const cJSON *rows, const char *name)
{
	struct difference all = {0};

	for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
		struct difference d = {0};
		compare_items(model_at(head, exact[i]), model_at(rows, exact[i]), exact[i], &d);
		if (d.n)
			print_message("%s: %zu differences, the most %g at %s\n", name, d.n, d.most,
			              d.path);
	}
	compare_items(head, rows, "", &all);
	if (all.n)
		print_message("%s: %zu differences, the most %g at %s\n", name, all.n, all.most,
		              all.path);
	assert_true(all.most < STATISTICS_NEAR);
}

static const struct made recordings[] = {
    {.name = "plain", .rows = 5000, .interval = 1},
    {.name = "a sample more than least", .rows = OVERVIEW_LEAST + 1, .interval = 0.1},
    {.name = "second schema", .rows = 7001, .interval = 1, .schema = SCHEMA_2},
    {.name = "the machine alone", .rows = 3000, .interval = 1, .machine_alone = true},
    {.name = "GPUs", .rows = 4000, .interval = 1, .gpus = 2},
    {.name = "GPUs, second schema",
     .rows = 4000,
     .interval = 1,
     .gpus = 2,
     .gpus_lost = 0.05,
     .schema = SCHEMA_2},
    {.name = "a quota", .rows = 4000, .interval = 1, .quota = 1.5},
    {.name = "one core", .rows = 4000, .interval = 1, .one_core = true},
    {.name = "idle", .rows = 4000, .interval = 1, .quiet = true},
    {.name = "missing cells", .rows = 6000, .interval = 1, .missing = 0.3},
    {.name = "hardly any cell", .rows = 6000, .interval = 1, .missing = 0.99},
    {.name = "suspended",
     .rows = 6000,
     .interval = 1,
     .asleep_at = 2345,
     .asleep_s = 3000,
     .phases = 4},
    {.name = "silent",
     .rows = 3000,
     .interval = 1,
     .silent_at = 1234,
     .silent_s = 40000,
     .phases = 3,
     .schema = SCHEMA_2},
    {.name = "phases", .rows = 8000, .interval = 0.5, .phases = 4, .missing = 0.1},
    {.name = "a day", .rows = 86400, .interval = 1, .phases = 2, .gpus = 1},
};

static void test_is_the_same_as_from_rows(void **state)
{
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++) {
		cJSON *head, *rows;
		write_made(t, &recordings[i], "made.json.gz");
		write_without_overview(t, "made.json.gz", "rows.json");
		head = model_of_file(t, "made.json.gz", &plain, true);
		assert_false(load_has_rows(&t->runs.v[0]));
		load_free(&t->runs);
		rows = model_of_file(t, "rows.json", &plain, false);
		assert_true(load_has_rows(&t->runs.v[0]));
		load_free(&t->runs);
		/* The name of the file is no part of what was recorded. */
		cJSON_DeleteItemFromObject(head, "inputs");
		cJSON_DeleteItemFromObject(rows, "inputs");
		same_page(head, rows, recordings[i].name);
		cJSON_Delete(head);
		cJSON_Delete(rows);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_is_the_same_as_from_rows, recordings_begin,
	                                    recordings_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
