/* fleet_worse: the newest change for the worse of a group, from the rows of a catalog. */
#include <stdlib.h>

#include "fleet/groups/fleet_worse.h"
#include "tests/unit/fleet/catalog/catalog_made.h"
#include "tests/unit/unit.h"

#define RUNS 30

static struct err e;

struct made {
	size_t from, to;  /* runs with half as much more memory */
	double less;      /* their memory instead of 1.5 times as much; 0: 1.5 */
	bool commits;     /* labels */
	bool times;       /* with times: theirs is the later commit */
	bool machine;     /* they ran on another one */
	bool contended;   /* and were contended, and took twice as long instead */
	const char *name; /* of each second run; NULL: as the others */
	const char *job;  /* key of a job of several nodes */
	size_t runs;      /* 0: RUNS */
};

/* Up to 3 % more or less. */
static double noise(size_t i)
{
	return 1 + ((double)(i * 7 % 11) - 5) * 0.006;
}

static void put_run(struct catalog *c, const struct made *m, size_t i, const char *source)
{
	static const char *const commits[] = {"git.commit=aaaaaaaaaaaa;ci.job=x",
	                                      "git.commit=bbbbbbbbbbbb"};
	static const char *const timed[] = {
	    "git.commit=aaaaaaaaaaaa;git.commit_time=2026-11-01T12:00:00Z",
	    "git.commit=bbbbbbbbbbbb;git.commit_time=2026-11-02T12:00:00Z"};
	bool high = i >= m->from && i < m->to;
	struct rtrack_row row;
	struct catalog_run run = {.source = {.path = source, .size = 5, .mtime_ns = 6, .tag = ""},
	                          .row = &row};

	made_row(&row);
	row.of[RTRACK_ROW_START].number += 3600.0 * (double)i;
	row.of[RTRACK_ROW_SCOPE].text = "process";
	row.of[RTRACK_ROW_CPU].number *= noise(i + 3);
	row.of[RTRACK_ROW_WALL].number *= noise(i + 5);
	row.of[RTRACK_ROW_MEMORY_PEAK].number *= noise(i);
	if (high && m->contended) {
		row.of[RTRACK_ROW_WALL].number *= 2;
		row.of[RTRACK_ROW_CONTENDED].number = 90;
		row.of[RTRACK_ROW_STOLEN].number = 0;
	} else if (high) {
		row.of[RTRACK_ROW_MEMORY_PEAK].number *= m->less > 0 ? m->less : 1.5;
	}
	if (high && m->machine)
		row.of[RTRACK_ROW_INSTANCE].text = "c5.xlarge";
	if (m->commits)
		row.of[RTRACK_ROW_LABELS].text = m->times ? timed[high] : commits[high];
	if (m->name && i % 2)
		row.of[RTRACK_ROW_NAME].text = m->name;
	if (m->job) {
		row.of[RTRACK_ROW_JOB].text = m->job;
		row.of[RTRACK_ROW_NODES].number = 2;
	}
	assert_int_equal(catalog_put(c, &run, 1, &e), 0);
}

static void find(const struct made *m, struct fleet_worse *out)
{
	struct catalog *c = catalog_open(NULL, CATALOG_WRITE, NULL, &e);
	size_t n = m->runs ? m->runs : RUNS;
	char source[RUNS][32];
	const char *sources[RUNS];

	assert_non_null(c);
	for (size_t i = 0; i < n; i++) {
		snprintf(source[i], sizeof source[i], "/r/%zu", i);
		sources[i] = source[i];
		put_run(c, m, i, source[i]);
	}
	*out = (struct fleet_worse){0};
	assert_int_equal(fleet_worse_find(c, &(struct fleet_worse_of){sources, n, out}, 1, &e), 0);
	catalog_close(c);
}

TEST(more_memory_since_a_commit)
{
	struct fleet_worse w;

	find(&(struct made){.from = 21, .to = RUNS, .commits = true}, &w);
	assert_non_null(w.measure);
	assert_string_equal(w.measure->id, "memory");
	assert_int_equal(w.runs, 9);
	assert_string_equal(w.commit, "bbbbbbbbbbbb");
	assert_true(w.since == 20000 * 86400.0 + 43200 + 21 * 3600.0);
	assert_true(w.step > 0.45 && w.step < 0.55 && w.least < w.step && w.most > w.step);
	assert_memory_equal(w.text, "Since bbbbbbb (9 runs): ", 24);
	assert_non_null(strstr(w.text, " more memory"));
	fleet_worse_free(&w);
}

TEST(without_a_label_its_time)
{
	struct fleet_worse w;

	find(&(struct made){.from = 21, .to = RUNS}, &w);
	assert_string_equal(w.commit, "");
	assert_memory_equal(w.text, "Since 2024-10-05 ", 17);
	fleet_worse_free(&w);
}

/* Runs of the older commit follow: by their start memory changed and changed back. */
TEST(in_order_of_commits)
{
	struct fleet_worse w;

	find(&(struct made){.from = 10, .to = 20, .commits = true, .times = true}, &w);
	assert_int_equal(w.runs, 10);
	assert_string_equal(w.commit, "bbbbbbbbbbbb");
	fleet_worse_free(&w);
	find(&(struct made){.from = 10, .to = 20, .commits = true}, &w);
	assert_null(w.measure);
}

TEST(nothing_is_said)
{
	static const struct made cases[] = {
	    {.from = 0, .to = 0},                        /* nothing changed */
	    {.from = 21, .to = RUNS, .less = 0.6},       /* for the better */
	    {.from = 10, .to = 20},                      /* and back */
	    {.from = 15, .to = RUNS, .machine = true},   /* with the machine */
	    {.from = 15, .to = RUNS, .contended = true}, /* others kept it waiting */
	    {.from = 21, .to = RUNS, .name = "another"}, /* several jobs */
	    {.from = 21, .to = RUNS, .job = "slurm/7"},  /* several recordings */
	    {.from = 4, .to = 8, .runs = 8},             /* few */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fleet_worse w;
		find(&cases[i], &w);
		if (w.measure)
			fail_msg("case %zu: %s", i, w.text);
	}
}
