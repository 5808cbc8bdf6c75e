/*
 * Recordings of other tools of the family, with what those tools said of them: $RTRACK_SHARED names
 * a folder with fixtures/runs/NAME.json.gz beside NAME.expected.json. Skipped where it is not set.
 */
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/files/snapshot_read.h"
#include "core/numbers/stats.h"
#include "core/recording/elapsed.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/unit.h"

static void shared_glob(const char *pattern, glob_t *g)
{
	const char *dir = getenv("RTRACK_SHARED");
	char path[4096];

	if (!dir) {
		print_message("RTRACK_SHARED is not set: no recordings of other tools to read\n");
		skip();
	}
	snprintf(path, sizeof path, "%s/fixtures/runs/%s", dir ? dir : "", pattern);
	if (glob(path, 0, NULL, g))
		fail_msg("%s: nothing there", path);
}

static double aggregate(const struct stats *s, const char *name)
{
	return strcmp(name, "mean") == 0  ? s->mean
	       : strcmp(name, "max") == 0 ? s->max
	       : strcmp(name, "sum") == 0 ? s->sum
	                                  : (double)NAN;
}

/* "process_memory_mib": {"mean": …}, in the units of the spelling that the name has. */
static void same_statistics(const struct snapshot *s, const cJSON *column)
{
	enum metric_scope scope = strncmp(column->string, "process_", 8) == 0 ? METRIC_SCOPE_PROCESS
	                                                                      : METRIC_SCOPE_SYSTEM;
	const struct frame *f = &s->rows[scope];
	int spelled;
	const struct metric *m = metric_find(scope, strchr(column->string, '_') + 1, &spelled);
	enum schema schema = spelled ? (enum schema)spelled : s->schema;
	const struct elapsed_rows rows = elapsed_rows(s, scope);
	double *seconds = elapsed_all(&rows, NULL);
	struct stats v;
	const cJSON *want;

	assert_non_null(m);
	assert_non_null(seconds);
	assert_int_equal(stats_of(frame_col(f, m->id), seconds, f->rows, &v, NULL), 0);
	free(seconds);
	assert_int_equal(v.left, 0);
	cJSON_ArrayForEach (want, column) {
		double got = aggregate(&v, want->string) / metric_scale(m->unit, schema);
		if (stats_round(got, 2) != want->valuedouble)
			fail_msg("%s.%s: %.17g, not %.17g", column->string, want->string, got,
			         want->valuedouble);
	}
}

static void same_duration(const struct snapshot *s, const cJSON *column)
{
	const struct frame *f = &s->rows[METRIC_SCOPE_PROCESS];
	const double *t = frame_col(f, METRIC_PROCESS_TIMESTAMP);

	assert_true(stats_round(t[f->rows - 1] - t[0] + s->meta.interval, 2) ==
	            cJSON_GetObjectItemCaseSensitive(column, "duration")->valuedouble);
}

static void compare(const char *path)
{
	char expected[4096];
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};
	const cJSON *column;
	cJSON *o;
	char *text;
	size_t n;
	int fd;

	snprintf(expected, sizeof expected, "%.*s.expected.json", (int)(strlen(path) - 8), path);
	fd = open(expected, O_RDONLY);
	if (fd < 0)
		fail_msg("%s", expected);
	text = scratch_slurp(fd, &n);
	close(fd);
	o = cJSON_ParseWithLength(text, n);
	assert_non_null(o);
	if (snapshot_read_file(&s, path, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(s.rows[0].rows, cJSON_GetObjectItem(o, "n_process")->valueint);
	assert_int_equal(s.rows[1].rows, cJSON_GetObjectItem(o, "n_system")->valueint);
	assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(o, "stats")) >= 9);
	cJSON_ArrayForEach (column, cJSON_GetObjectItem(o, "stats")) {
		if (strcmp(column->string, "timestamp") == 0)
			same_duration(&s, column);
		else
			same_statistics(&s, column);
	}
	cJSON_Delete(o);
	free(text);
	snapshot_free(&s);
}

TEST(statistics_are_what_their_makers_say)
{
	glob_t g = {.gl_pathc = 0};

	shared_glob("*.json.gz", &g);
	assert_true(g.gl_pathc >= 2);
	for (size_t i = 0; i < g.gl_pathc; i++)
		compare(g.gl_pathv[i]);
	globfree(&g);
}
