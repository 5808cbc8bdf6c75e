/* catalog: groups, days, details, conditions, and what adding and forgetting do, in SQLite: in memory
 * and in a file. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/end/end_cause.h"
#include "core/numbers/log_bucket.h"
#include "fleet/catalog/catalog_runs.h"
#include "tests/unit/fleet/catalog/catalog_made.h"
#include "tests/unit/unit.h"

static struct err e;

/* -- putting ----------------------------------------------------------------------------------- */

static void put(struct catalog *c, const char *source, const struct rtrack_row *row)
{
	struct catalog_run run = {.source = {.path = source, .size = 5, .mtime_ns = 6, .tag = ""},
	                          .row = row};

	assert_int_equal(catalog_put(c, &run, 1, &e), 0);
}

static struct catalog *in_memory(void)
{
	struct catalog *c = catalog_open(NULL, CATALOG_WRITE, NULL, &e);

	assert_non_null(c);
	return c;
}

/* -- results as text --------------------------------------------------------------------------- */

static char text[8192];

static void print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void print(const char *fmt, ...)
{
	size_t n = strlen(text);
	va_list v;

	va_start(v, fmt);
	vsnprintf(text + n, sizeof text - n, fmt, v);
	va_end(v);
}

static int print_cell(void *ctx, const struct catalog_cell *cell, struct err *why)
{
	const struct catalog_map *m = &cell->classes;

	(void)why;
	print("%s", cell->group[0]);
	for (size_t i = 1; i < *(const size_t *)ctx; i++)
		print("/%s", cell->group[i]);
	print("@%s", cell->machine->instance);
	for (size_t i = 0; i < m->n; i++)
		print(" class %g: %g runs %g oom %g s paid %g core-s %g-%g", catalog_map_key(m, i),
		      catalog_map_at(m, i, CATALOG_SUM_RUNS), catalog_map_at(m, i, CATALOG_SUM_OOM),
		      catalog_map_at(m, i, CATALOG_SUM_WALL_S),
		      catalog_map_at(m, i, CATALOG_SUM_PAID_S),
		      catalog_map_at(m, i, CATALOG_SUM_ASKED_CORE_S),
		      catalog_map_at(m, i, CATALOG_SUM_USED_CORE_S));
	print(" newest %s\n", cell->newest);
	return 0;
}

static const char *cells(struct catalog *c, const char *by, const char *where)
{
	struct opts_list keys = {.n = 0}, conditions = {.n = 0};
	struct catalog_query q = {.group_by = &keys, .where = &conditions};
	char *words = strdup(by ? by : ""), *rest = words, *word;
	size_t shown;

	while ((word = strsep(&rest, ",")))
		if (*word)
			keys.v[keys.n++] = word;
	if (where)
		conditions.v[conditions.n++] = where;
	shown = keys.n ? keys.n : 1;
	*text = '\0';
	if (catalog_overview(c, &q, print_cell, NULL, &shown, &e))
		print("%s", e.msg);
	free(words);
	return text;
}

/* -- an older catalog --------------------------------------------------------------------------- */

static void sql(const char *path, const char *statements)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, statements, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* Version 1 lacks columns: it can be read, and gets them when it is opened for writing. Its rows
 * stay, and are known to be older until their recordings are read again. */
TEST(older_versions)
{
	char path[] = "/tmp/rtrack-catalog-XXXXXX";
	struct catalog_source recording = {
	    .path = "/r/1.json.gz", .size = 5, .mtime_ns = 6, .tag = ""};
	struct catalog *c;
	struct rtrack_row row;
	size_t older;
	int from;
	bool missing;
	const char *one =
	    "train@m5.2xlarge class 0: 1 runs 0 oom 100 s paid 50 core-s 400-150 newest "
	    "/r/1.json.gz\n";

	assert_true(mkstemp(path) >= 0);
	made_row(&row);
	assert_non_null(c = catalog_open(path, CATALOG_WRITE, NULL, &e));
	put(c, "/r/1.json.gz", &row);
	catalog_close(c);
	sql(path, "ALTER TABLE runs DROP COLUMN cores_demand; ALTER TABLE runs DROP COLUMN mostly;"
	          "ALTER TABLE runs DROP COLUMN end_cause; ALTER TABLE runs DROP COLUMN end_code;"
	          "ALTER TABLE runs DROP COLUMN mostly_code;"
	          "ALTER TABLE runs DROP COLUMN input_bytes;"
	          "ALTER TABLE runs DROP COLUMN input_sizes; PRAGMA user_version = 1");
	assert_non_null(c = catalog_open(path, CATALOG_READ, NULL, &e));
	assert_string_equal(cells(c, "name", NULL), one);
	catalog_close(c);
	for (int i = 0; i < 2; i++) { /* the second time there is nothing to do */
		assert_non_null(c = catalog_open(path, CATALOG_WRITE, NULL, &e));
		assert_string_equal(cells(c, "name", "wall_s=100"), one);
		assert_int_equal(catalog_older(c, &from, &older, &e), 0);
		assert_int_equal(from, i ? 0 : 1);
		assert_int_equal(older, 1);
		catalog_close(c);
	}
	/* What has a new column is read again, and accounting is not. */
	assert_non_null(c = catalog_open(path, CATALOG_WRITE, NULL, &e));
	assert_int_equal(catalog_missing(c, &recording, 1, &missing, &e), 0);
	assert_true(missing);
	put(c, "/r/1.json.gz", &row);
	assert_int_equal(catalog_missing(c, &recording, 1, &missing, &e), 0);
	assert_false(missing);
	assert_int_equal(catalog_older(c, &from, &older, &e), 0);
	assert_int_equal(older, 0);
	catalog_close(c);
	assert_non_null(c = catalog_open(path, CATALOG_WRITE, NULL, &e));
	row.of[RTRACK_ROW_CORES_DEMAND].number = 7;
	row.of[RTRACK_ROW_INPUT].number = 5;
	row.of[RTRACK_ROW_INPUT_SIZES].text = "1=5";
	row.of[RTRACK_ROW_START].number++;
	put(c, "/r/2.json.gz", &row);
	assert_string_equal(
	    cells(c, "name", "cores_demand=7"),
	    "train@m5.2xlarge class 0: 1 runs 0 oom 100 s paid 50 core-s 400-150 newest "
	    "/r/2.json.gz\n");
	assert_non_null(strstr(cells(c, "name", NULL), "2 runs"));
	catalog_close(c);
	unlink(path);
}

/* -- single recordings ------------------------------------------------------------------------- */

static int list_recording(void *ctx, const struct catalog_recording *of, struct err *why)
{
	char *listed = ctx;
	size_t n = strlen(listed);

	(void)why;
	snprintf(listed + n, 512 - n, "%s %.0f: %s=%.0f need %.0f, %.0f with 2 CPUs\n", of->name,
	         of->start - 1795000000, of->input_sizes, of->input_bytes, of->memory_peak_b / 1e6,
	         of->time_at[1] * of->wall_s);
	return 0;
}

/* Newest first, with the columns that no group needs; in memory as well. */
TEST(newest_recordings)
{
	const struct opts_list where = {.v = {"name=train"}, .n = 1};
	const struct catalog_query q = {.where = &where};
	struct catalog *c = catalog_open(NULL, CATALOG_WRITE, NULL, &e);
	struct rtrack_row row;
	char listed[512] = "", path[16];

	assert_non_null(c);
	made_row(&row);
	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof path, "/r/%d", i);
		row.of[RTRACK_ROW_NAME].text = i == 3 ? "other" : "train";
		row.of[RTRACK_ROW_START].number = 1795000000 + i;
		row.of[RTRACK_ROW_WALL].number = 100;
		row.of[RTRACK_ROW_TIME_AT_2].number = 1.5;
		row.of[RTRACK_ROW_MEMORY_PEAK].number = 2e6;
		row.of[RTRACK_ROW_INPUT].number = i;
		row.of[RTRACK_ROW_INPUT_SIZES].text = "--in";
		put(c, path, &row);
	}
	assert_int_equal(catalog_runs(c, &q, 2, list_recording, listed, &e), 0);
	assert_string_equal(listed, "train 2: --in=2 need 2, 150 with 2 CPUs\n"
	                            "train 1: --in=1 need 2, 150 with 2 CPUs\n");
	catalog_close(c);
}

/* -- states and ends ---------------------------------------------------------------------------- */

struct codes {
	double mostly[CATALOG_MOSTLY], ends[END_CAUSE_COUNT];
};

static int take_codes(void *ctx, const struct catalog_cell *cell, struct err *err)
{
	struct codes *of = ctx;
	const struct catalog_map *m = &cell->mostly, *ends = &cell->ends;

	(void)err;
	for (size_t i = 0; i < m->n; i++)
		of->mostly[(int)catalog_map_key(m, i)] += catalog_map_at(m, i, 0);
	for (size_t i = 0; i < ends->n; i++)
		of->ends[(int)catalog_map_key(ends, i)] += catalog_map_at(ends, i, 0);
	return 0;
}

/* A run of several recordings is mostly in one state if all of them are; it ended as the one that
 * failed. */
TEST(states_and_ends)
{
	static const struct {
		const char *job, *mostly, *end;
	} runs[] = {{"", "disk", "time_limit"}, {"", "disk", "finished"}, {"", "", ""},
	            {"a", "cpu", "finished"},   {"a", "cpu", "oom"},      {"a", "cpu", "exited"},
	            {"b", "idle", "finished"},  {"b", "net", ""}};
	struct catalog *c = catalog_open(NULL, CATALOG_WRITE, NULL, &e);
	struct catalog_query q = {.group_by = NULL};
	struct codes of = {0};

	assert_non_null(c);
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct rtrack_row row;
		char source[32];
		made_row(&row);
		row.of[RTRACK_ROW_MOSTLY].text = runs[i].mostly;
		row.of[RTRACK_ROW_END_CAUSE].text = runs[i].end;
		row.of[RTRACK_ROW_JOB].text = runs[i].job;
		row.of[RTRACK_ROW_NODES].number = *runs[i].job ? 3 : 1;
		snprintf(source, sizeof source, "/r/%zu.json.gz", i);
		put(c, source, &row);
	}
	assert_int_equal(catalog_overview(c, &q, take_codes, NULL, &of, &e), 0);
	assert_true(of.mostly[STATES_GROUP_DISK] == 2 && of.mostly[STATES_GROUP_CPU] == 1 &&
	            of.mostly[CATALOG_MIXED] == 1);
	assert_true(of.ends[END_CAUSE_TIME_LIMIT] == 1 && of.ends[END_CAUSE_OOM] == 1 &&
	            of.ends[END_CAUSE_FINISHED] == 2 && of.ends[END_CAUSE_EXITED] == 0);
	catalog_close(c);
}

/* -- a run that ends ---------------------------------------------------------------------------- */

/* A run is one row whether it was added before it ended or not. */
TEST(journals)
{
	struct catalog *c = in_memory();
	struct rtrack_row row;

	made_row(&row);
	row.of[RTRACK_ROW_STATUS].text = "unfinished";
	row.of[RTRACK_ROW_START].number -= 0.001; /* that of the journal */
	put(c, "/r/1.json.gz.partial", &row);
	put(c, "/r/2.json.gz.partial.12", &row);
	put(c, "/r/1.json.gzz.partial", &row);
	put(c, "/r/1.json.gz.partially", &row);
	row.of[RTRACK_ROW_START].number -= 3600;
	put(c, "/r/1.json.gz.partial.2", &row); /* of another run */
	made_row(&row);
	assert_string_equal(cells(c, "user", "class=4"),
	                    "ann@m5.2xlarge class 4: 5 runs 0 oom 500 s paid 250 core-s 2000-750 "
	                    "newest /r/2.json.gz.partial.12\n");
	put(c, "/r/1.json.gz", &row);
	put(c, "/r/2.json.gz", &row);
	assert_string_equal(cells(c, "user", "class=4"),
	                    "ann@m5.2xlarge class 4: 3 runs 0 oom 300 s paid 150 core-s 1200-450 "
	                    "newest /r/1.json.gzz.partial\n");
	assert_string_equal(cells(c, "user", "class=0"),
	                    "ann@m5.2xlarge class 0: 2 runs 0 oom 200 s paid 100 core-s 800-300 "
	                    "newest /r/2.json.gz\n");
	catalog_close(c);
}

/* -- groups ------------------------------------------------------------------------------------ */

TEST(groups)
{
	struct catalog *c = in_memory();
	struct rtrack_row row;

	assert_string_equal(cells(c, NULL, NULL), "");
	made_row(&row);
	put(c, "/r/1", &row);
	row.of[RTRACK_ROW_WALL].number = 50;
	row.of[RTRACK_ROW_START].number += 1;
	put(c, "/r/2", &row);
	row.of[RTRACK_ROW_CODE].number = 2;
	put(c, "/r/3", &row); /* as late as /r/2: the larger name is the newest */
	row.of[RTRACK_ROW_NAME].text = "";
	row.of[RTRACK_ROW_USER].text = "bob";
	row.of[RTRACK_ROW_INSTANCE].text = "c5";
	row.of[RTRACK_ROW_TAGS].text = "xteam=no;team=blue";
	row.of[RTRACK_ROW_STATUS].text = "oom";
	put(c, "/r/0", &row);
	assert_string_equal(
	    cells(c, NULL, NULL),
	    "@c5 class 0: 1 runs 1 oom 50 s paid 25 core-s 200-150 newest /r/0\n"
	    "train@m5.2xlarge class 0: 2 runs 0 oom 150 s paid 75 core-s 600-300 class 3: 1 runs 0 "
	    "oom 50 s paid 25 core-s 200-150 newest /r/3\n");
	assert_string_equal(
	    cells(c, "tag:team,user", "user=bob"),
	    "blue/bob@c5 class 0: 1 runs 1 oom 50 s paid 25 core-s 200-150 newest /r/0\n");
	assert_string_equal(
	    cells(c, "tag:team", "wall_s>=100"),
	    "red@m5.2xlarge class 0: 1 runs 0 oom 100 s paid 50 core-s 400-150 newest /r/1\n");
	assert_string_equal(cells(c, "user", "tag:team=xred"), "");
	assert_string_equal(cells(c, "label:none", "tag:team!=red"),
	                    "@c5 class 0: 1 runs 1 oom 50 s paid 25 core-s 200-150 newest /r/0\n");
	assert_string_equal(cells(c, "name", "name="),
	                    "@c5 class 0: 1 runs 1 oom 50 s paid 25 core-s 200-150 newest /r/0\n");
	assert_string_equal(cells(c, "nam", NULL), "runs have no \"nam\"; did you mean name?");
	catalog_close(c);
}

static int keep_known(void *ctx, const struct catalog_cell *cell, struct err *why)
{
	(void)why;
	for (size_t i = 0; i < 3; i++)
		((double *)ctx)[i] +=
		    catalog_map_at(&cell->classes, 0, CATALOG_SUM_CORES_KNOWN_S + i);
	return 0;
}

/* The seconds of the runs that have asked, of each resource; of several recordings their sum. */
TEST(asked_seconds)
{
	struct catalog *c = in_memory();
	struct catalog_query all = {.since = 0};
	struct rtrack_row row;
	double known[3] = {0, 0, 0};

	made_row(&row);
	put(c, "/1", &row);
	row.of[RTRACK_ROW_WALL].number = 50;
	row.of[RTRACK_ROW_ASKED_CPUS].number = NAN;
	put(c, "/2", &row);
	row.of[RTRACK_ROW_JOB].text = "77";
	row.of[RTRACK_ROW_NODES].number = 2;
	put(c, "/3", &row);
	put(c, "/4", &row);
	assert_int_equal(catalog_overview(c, &all, keep_known, NULL, known, &e), 0);
	assert_true(known[0] == 100 && known[1] == 250 && known[2] == 0);
	catalog_close(c);
}

/* The machines of runs of several recordings are kept apart, however many types there are. */
static int check_machine(void *ctx, const struct catalog_cell *cell, struct err *why)
{
	char instance[64];

	(void)why;
	snprintf(instance, sizeof instance, "type-%s", cell->group[0]);
	assert_string_equal(cell->machine->instance, instance);
	assert_true(cell->machine->vcpus == 8);
	++*(int *)ctx;
	return 0;
}

TEST(many_machines)
{
	struct opts_list by = {.v = {"job"}, .n = 1};
	struct catalog_query q = {.group_by = &by};
	struct catalog *c = in_memory();
	struct rtrack_row row;
	char job[16], instance[32], path[16];
	int n = 0;

	made_row(&row);
	row.of[RTRACK_ROW_NODES].number = 2;
	row.of[RTRACK_ROW_JOB].text = job;
	row.of[RTRACK_ROW_INSTANCE].text = instance;
	for (int i = 0; i < 300; i++) {
		snprintf(job, sizeof job, "%d", i % 150);
		snprintf(instance, sizeof instance, "type-%s", job);
		snprintf(path, sizeof path, "/%d", i);
		put(c, path, &row);
	}
	assert_int_equal(catalog_overview(c, &q, check_machine, NULL, &n, &e), 0);
	assert_int_equal(n, 150);
	catalog_close(c);
}

static int keep_first_cell(void *ctx, const struct catalog_cell *cell, struct err *why)
{
	(void)why;
	assert_int_equal(cell->memory.width, 3);
	assert_int_equal(cell->memory.n, 2);
	assert_true(catalog_map_key(&cell->memory, 0) == log_bucket(GIB));
	assert_true(catalog_map_at(&cell->memory, 0, 0) == 1);
	assert_true(catalog_map_at(&cell->memory, 0, 1) == 100);
	assert_true(catalog_map_key(&cell->memory, 1) == log_bucket(2 * GIB));
	assert_true(catalog_map_at(&cell->memory, 1, 0) == 2);
	assert_true(catalog_map_at(&cell->memory, 1, 1) == 300);
	assert_int_equal(cell->wall.n, 2);
	assert_int_equal(cell->gpus.n, 0);
	assert_int_equal(cell->days.n, 2);
	assert_true(catalog_map_key(&cell->days, 0) == 20000);
	assert_true(catalog_map_at(&cell->days, 0, 0) == 2);
	assert_true(catalog_map_at(&cell->days, 0, 1) == 4 * GIB);
	/* The largest asks are of all runs, the largest needs of runs that count. */
	assert_true(cell->asked_cpus == 16 && cell->asked_memory_b == 8 * GIB);
	assert_true(isnan(cell->asked_gpus) && cell->asked_time_s == 600);
	assert_true(cell->memory_need_b == 2 * GIB && cell->wall_s == 200);
	assert_true(cell->first == 20000 * 86400.0 + 43200);
	assert_true(cell->last == 20001 * 86400.0 + 43200);
	++*(int *)ctx;
	return 0;
}

TEST(histograms)
{
	struct catalog *c = in_memory();
	struct catalog_query all = {.since = 0};
	struct rtrack_row row;
	int n = 0;

	made_row(&row);
	put(c, "/1", &row);
	row.of[RTRACK_ROW_WALL].number = 200;
	put(c, "/2", &row);
	row.of[RTRACK_ROW_WALL].number = 100;
	row.of[RTRACK_ROW_MEMORY_PEAK].number = GIB;
	row.of[RTRACK_ROW_START].number += 86400;
	row.of[RTRACK_ROW_ASKED_TIME].number = 600;
	put(c, "/3", &row);
	row.of[RTRACK_ROW_SAMPLES].number = 9;
	row.of[RTRACK_ROW_WALL].number = 1000;
	row.of[RTRACK_ROW_MEMORY_PEAK].number = 20 * GIB;
	row.of[RTRACK_ROW_ASKED_CPUS].number = 16;
	put(c, "/4", &row);
	assert_int_equal(catalog_overview(c, &all, keep_first_cell, NULL, &n, &e), 0);
	assert_int_equal(n, 1);
	catalog_close(c);
}

/* -- runs of several recordings ---------------------------------------------------------------- */

TEST(recordings_of_one_run)
{
	struct catalog *c = in_memory();
	struct rtrack_row row;

	made_row(&row);
	put(c, "/single", &row);
	row.of[RTRACK_ROW_NODES].number = 2;
	row.of[RTRACK_ROW_JOB].text = "slurm/7";
	put(c, "/a", &row);
	row.of[RTRACK_ROW_WALL].number = 110;
	row.of[RTRACK_ROW_CPU].number = 110;
	put(c, "/b", &row);
	row.of[RTRACK_ROW_JOB].text = "slurm/8"; /* one of its nodes failed */
	put(c, "/c", &row);
	row.of[RTRACK_ROW_CODE].number = 1;
	put(c, "/d", &row);
	row.of[RTRACK_ROW_JOB].text = "slurm/9"; /* and of this one's, one ran out of memory */
	row.of[RTRACK_ROW_NAME].text = "alone";
	put(c, "/e", &row);
	row.of[RTRACK_ROW_STATUS].text = "oom";
	put(c, "/f", &row);
	assert_string_equal(
	    cells(c, NULL, NULL),
	    "alone@m5.2xlarge class 0: 1 runs 1 oom 220 s paid 110 core-s 880-220 newest /f\n"
	    "train@m5.2xlarge class 0: 1 runs 0 oom 100 s paid 50 core-s 400-150 newest /single\n"
	    "train@m5.2xlarge class 0: 1 runs 0 oom 210 s paid 105 core-s 840-260 class 3: 1 runs 0 "
	    "oom 220 s paid 110 core-s 880-220 newest /d\n");
	assert_string_equal(
	    cells(c, "job", "class!=3"),
	    "@m5.2xlarge class 0: 1 runs 0 oom 100 s paid 50 core-s 400-150 newest /single\n"
	    "slurm/7@m5.2xlarge class 0: 1 runs 0 oom 210 s paid 105 core-s 840-260 newest /b\n"
	    "slurm/8@m5.2xlarge class 0: 1 runs 0 oom 110 s paid 55 core-s 440-110 newest /c\n"
	    "slurm/9@m5.2xlarge class 0: 1 runs 1 oom 110 s paid 55 core-s 440-110 newest /f\n");
	catalog_close(c);
}

/* -- days -------------------------------------------------------------------------------------- */

static int print_day(void *ctx, const struct catalog_day *d, struct err *why)
{
	(void)ctx;
	(void)why;
	print("%ld: %g s %g-%g core-s %g byte-s, %g %g %g\n", (long)d->day, d->run_s,
	      d->asked_core_s, d->used_core_s, d->asked_byte_s, d->started, d->failed, d->oom);
	return 0;
}

TEST(days)
{
	struct catalog *c = in_memory();
	struct catalog_query all = {.since = 0};
	struct rtrack_row row;
	size_t n = 0;

	made_row(&row);
	row.of[RTRACK_ROW_WALL].number = 86400;
	row.of[RTRACK_ROW_CPU].number = 86400;
	row.of[RTRACK_ROW_MEMORY_MEAN].number = row.of[RTRACK_ROW_ASKED_MEMORY].number = 1;
	row.of[RTRACK_ROW_START].number += 21600; /* 18 h: a quarter of it is on this day */
	put(c, "/1", &row);
	row.of[RTRACK_ROW_WALL].number = 10;
	row.of[RTRACK_ROW_CPU].number = NAN;
	row.of[RTRACK_ROW_CORES_MEAN].number = NAN;
	row.of[RTRACK_ROW_CODE].number = 3;
	put(c, "/2", &row);
	row.of[RTRACK_ROW_STATUS].text = "oom";
	row.of[RTRACK_ROW_NODES].number = 2;
	row.of[RTRACK_ROW_JOB].text = "slurm/1";
	put(c, "/3", &row);
	put(c, "/4", &row);
	row.of[RTRACK_ROW_STATUS].text = "";
	row.of[RTRACK_ROW_CODE].number = row.of[RTRACK_ROW_ASKED_CPUS].number =
	    row.of[RTRACK_ROW_ASKED_MEMORY].number = NAN;
	row.of[RTRACK_ROW_NODES].number = NAN;
	put(c, "/5", &row); /* without an ask */
	*text = '\0';
	assert_int_equal(catalog_overview(c, &all, NULL, print_day, NULL, &e), 0);
	/* A run of two recordings of 10 s is one run of 10 s, that asked for twice as much. */
	assert_string_equal(text, "20000: 21620 s 86400-21600 core-s 21630 byte-s, 3 1 1\n"
	                          "20001: 64800 s 259200-64800 core-s 64800 byte-s, 0 0 0\n");
	row.of[RTRACK_ROW_ASKED_CPUS].number = 1;
	row.of[RTRACK_ROW_WALL].number = 1e9; /* 31 years */
	put(c, "/6", &row);
	*text = '\0';
	assert_int_equal(catalog_overview(c, &all, NULL, print_day, NULL, &e), 0);
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		n++;
	assert_true(n > 100);
	assert_null(strstr(text, "20400:"));
	catalog_close(c);
}

/* -- details ----------------------------------------------------------------------------------- */

static void print_detail(const char *const *key, struct catalog_detail *d)
{
	double runs = 0, oom = 0;

	for (size_t i = 0; i < d->n_spots; i++) {
		runs += d->spot[i].runs;
		oom += d->spot[i].oom;
		assert_true(fabs(d->spot[i].memory_b / (2 * GIB) - 1) < 0.07 ||
		            d->spot[i].oom == 1);
	}
	print("%s/%s %g %g", key[0], key[1], runs, oom);
	for (size_t i = 0; i < d->n_worst; i++)
		print(" %s", d->worst[i].source);
	print("\n");
	catalog_detail_free(d);
}

TEST(details)
{
	static const char *const only[] = {"train", "ann", "train", "bob", "x", "ann"};
	struct opts_list keys = {.v = {"name", "user"}, .n = 2};
	struct catalog_query q = {.group_by = &keys, .only = only, .n_only = 3};
	struct catalog_detail of[3] = {{.n_spots = 0}};
	struct catalog *c = in_memory();
	struct rtrack_row row;
	char source[16];

	made_row(&row);
	for (int i = 0; i < 8; i++) {
		row.of[RTRACK_ROW_WALL].number = 100 + i % 5;
		snprintf(source, sizeof source, "/%d", i);
		put(c, source, &row);
	}
	row.of[RTRACK_ROW_USER].text = "bob";
	row.of[RTRACK_ROW_STATUS].text = "oom";
	put(c, "/8", &row);
	row.of[RTRACK_ROW_NAME].text = "other";
	put(c, "/9", &row);
	*text = '\0';
	assert_int_equal(catalog_details(c, &q, of, &e), 0);
	assert_true(of[0].worst[0].wall_s == 104 && of[0].worst[0].asked_cpus == 4);
	assert_string_equal(of[0].worst[0].host, "node1");
	for (int i = 0; i < 3; i++)
		print_detail(&only[2 * (size_t)i], &of[i]);
	/* By unused machine-seconds, most first: /4 104 s, /3 103 s, /7 and /2 102 s: of equal ones the larger source */
	assert_string_equal(text, "train/ann 8 0 /4 /3 /7 /2 /6\ntrain/bob 1 1 /8\nx/ann 0 0\n");
	/* A run of two recordings wastes their sum. */
	made_row(&row);
	row.of[RTRACK_ROW_NODES].number = 2;
	row.of[RTRACK_ROW_JOB].text = "j";
	put(c, "/n1", &row);
	put(c, "/n2", &row);
	q.n_only = 1;
	*text = '\0';
	assert_int_equal(catalog_details(c, &q, of, &e), 0);
	assert_int_equal(of[0].n_spots, 1);
	print_detail(only, &of[0]);
	assert_string_equal(text, "train/ann 9 0 /n2 /4 /3 /7 /2\n");
	catalog_close(c);
}

/* -- hostile texts ----------------------------------------------------------------------------- */

static int compare_name(void *ctx, const struct catalog_cell *cell, struct err *why)
{
	(void)why;
	assert_string_equal(cell->group[0], ctx);
	assert_string_equal(cell->newest, ctx);
	return 0;
}

TEST(hostile_texts)
{
	static char large[10 << 20];
	const char *hostile[] = {
	    "'; DROP TABLE runs; --", "\"",   "?1 ?",  "</script>", "=cmd()", "a\nb\tc\x1b[2J",
	    "\xff\xfe not UTF-8",     "%s%n", ";=;==", large};
	struct opts_list where = {.n = 1}, by = {.v = {"tag:k"}, .n = 1};
	struct catalog_query q = {.group_by = NULL};
	struct rtrack_row row;
	char condition[64];

	memset(large, '\'', sizeof large - 1);
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		struct catalog *c = in_memory();
		made_row(&row);
		for (int k = 0; k < RTRACK_ROW_COLUMNS; k++)
			if (catalog_columns[k].kind == CATALOG_TEXT)
				row.of[k].text = hostile[i];
		row.of[RTRACK_ROW_SIGNAL].text = "";
		put(c, hostile[i], &row);
		q = (struct catalog_query){.group_by = NULL};
		assert_int_equal(
		    catalog_overview(c, &q, compare_name, NULL, (char *)hostile[i], &e), 0);
		snprintf(condition, sizeof condition, "user=%s", hostile[i]);
		where.v[0] = condition;
		q.where = &where;
		q.group_by = &by;
		*text = '\0';
		assert_int_equal(catalog_overview(c, &q, print_cell, NULL, (size_t[]){1}, &e), 0);
		assert_int_equal(!*text, hostile[i] == large);
		catalog_close(c);
	}
}

/* A catalog of others: long texts are refused before they are read. */
TEST(long_texts_of_a_file)
{
	char path[] = "/tmp/rtrack_catalog_XXXXXX";
	struct catalog_query q = {.group_by = NULL};
	struct rtrack_row row;
	struct catalog *c;

	assert_true(mkstemp(path) >= 0);
	made_row(&row);
	assert_non_null(c = catalog_open(path, CATALOG_WRITE, NULL, &e));
	put(c, "/r/1.json.gz", &row);
	catalog_close(c);
	sql(path, "UPDATE runs SET name = hex(zeroblob(32000))");
	assert_non_null(c = catalog_open(path, CATALOG_READ, NULL, &e));
	assert_int_equal(catalog_overview(c, &q, print_cell, NULL, (size_t[]){1}, &e), 0);
	catalog_close(c);
	sql(path, "UPDATE runs SET name = hex(zeroblob(4000000))");
	assert_non_null(c = catalog_open(path, CATALOG_READ, NULL, &e));
	assert_int_equal(catalog_overview(c, &q, print_cell, NULL, (size_t[]){1}, &e), -1);
	assert_non_null(strstr(e.msg, ": a text in it is longer than 64 KiB"));
	catalog_close(c);
	unlink(path);
}

/* -- adding and forgetting --------------------------------------------------------------------- */

TEST(forgetting)
{
	static const char *const sources[] = {"/d/a", "/d/a/1", "/d/a/2", "/d/ab", "/d/a.json"};
	struct catalog *c = in_memory();
	struct catalog_source s = {.path = "/d/a/1", .size = 5, .mtime_ns = 6, .tag = ""};
	struct rtrack_row row;
	bool missing;
	size_t n = 0;

	made_row(&row);
	for (size_t i = 0; i < 5; i++)
		put(c, sources[i], &row);
	put(c, "/d/ab", &row); /* again */
	assert_int_equal(catalog_missing(c, &s, 1, &missing, &e), 0);
	assert_false(missing);
	s.size++;
	assert_int_equal(catalog_missing(c, &s, 1, &missing, &e), 0);
	assert_true(missing);
	s.size--;
	s.mtime_ns++;
	assert_int_equal(catalog_missing(c, &s, 1, &missing, &e), 0);
	assert_true(missing);
	s.tag = "etag";
	assert_int_equal(catalog_missing(c, &s, 1, &missing, &e), 0);
	assert_true(missing);
	assert_int_equal(catalog_put(c, &(struct catalog_run){.source = s, .row = &row}, 1, &e), 0);
	s.size = s.mtime_ns = 0;
	assert_int_equal(catalog_missing(c, &s, 1, &missing, &e), 0);
	assert_false(missing);
	assert_int_equal(catalog_forget(c, "/d/a/", 0, &n, &e), 0);
	assert_int_equal(n, 3);
	assert_int_equal(catalog_forget(c, "/d/a%", 0, &n, &e), 0);
	assert_int_equal(n, 3);
	/* By their start, which is not known of one. */
	made_row(&row);
	row.of[RTRACK_ROW_START].number = NAN;
	put(c, "/e/unknown", &row);
	row.of[RTRACK_ROW_START].number = 1700000000;
	put(c, "/e/old", &row);
	row.of[RTRACK_ROW_START].number = 1700000001;
	put(c, "/e/new", &row);
	assert_int_equal(catalog_forget(c, "/e", 1700000001, &n, &e), 0);
	assert_int_equal(n, 4);
	assert_int_equal(catalog_forget(c, "/", 0, &n, &e), 0);
	assert_int_equal(n, 8);
	catalog_close(c);
}

static int print_folder(void *ctx, const struct catalog_folder *f, struct err *why)
{
	char *list = ctx;
	size_t n = strlen(list);

	(void)why;
	snprintf(list + n, 256 - n, "%s %lld\n", f->path, (long long)f->changed_ns);
	return 0;
}

/* Forgetting opens the folder of what was forgotten, and those in it. An older catalog has none. */
TEST(closed_folders)
{
	static const struct catalog_folder days[] = {
	    {"/s/1/2026-01-01", 1}, {"/s/1/2026-01-02", 2}, {"/s/2/2026-01-01", 3}};
	char path[] = "/tmp/rtrack-catalog-XXXXXX", list[256] = "";
	struct catalog_folder again = {"/s/1/2026-01-01", 1795962541938504299};
	struct catalog *c;
	size_t n = 0;

	assert_true(mkstemp(path) >= 0);
	assert_non_null(c = catalog_open(path, CATALOG_WRITE, NULL, &e));
	catalog_close(c);
	sql(path, "DROP TABLE folders; PRAGMA user_version = 6");
	assert_non_null(c = catalog_open(path, CATALOG_WRITE, NULL, &e));
	assert_int_equal(catalog_close_folders(c, days, 3, &e), 0);
	assert_int_equal(catalog_close_folders(c, &again, 1, &e), 0);
	assert_int_equal(catalog_each_closed(c, print_folder, list, &e), 0);
	assert_string_equal(list, "/s/1/2026-01-01 1795962541938504299\n/s/1/2026-01-02 2\n"
	                          "/s/2/2026-01-01 3\n");
	*list = '\0';
	assert_int_equal(catalog_forget(c, "/s/1/2026-01-02/a.json.gz", 0, &n, &e), 0);
	assert_int_equal(catalog_forget(c, "/s/2/", 0, &n, &e), 0);
	assert_int_equal(catalog_each_closed(c, print_folder, list, &e), 0);
	assert_string_equal(list, "/s/1/2026-01-01 1795962541938504299\n");
	assert_int_equal(catalog_forget(c, "/", 0, &n, &e), 0);
	*list = '\0';
	assert_int_equal(catalog_each_closed(c, print_folder, list, &e), 0);
	assert_string_equal(list, "");
	assert_int_equal(n, 0);
	catalog_close(c);
	unlink(path);
}
