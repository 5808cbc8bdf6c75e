/* journal: marks among the samples, and what comes back of them. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/files/journal.h"
#include "core/files/snapshot_read.h"
#include "tests/unit/unit.h"

static char folder[] = "/tmp/rtrack-marks-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/j", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

ALL_TESTS_WITH(make_folder, remove_folder)

static void begin(struct snapshot *s)
{
	*s = (struct snapshot){0};
	s->meta.interval = 1;
	s->meta.start_time = 100;
	s->meta.track_processes = s->meta.track_system = true;
}

static void append(struct journal *j, double t)
{
	double row[METRIC_COUNT];
	struct err e = {0};

	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = t;
	assert_int_equal(journal_append(j, row, 0, &e), 0);
}

static void put_mark(struct journal *j, double t, const char *line)
{
	struct err e = {0};

	assert_int_equal(journal_mark(j, t, line, strlen(line), &e), 0);
}

/* Samples 101 … 110; a mark before each but the last. */
static struct journal *fill(struct snapshot *s, int marks)
{
	struct err e = {0};
	struct journal *j;

	unlink(path);
	begin(s);
	j = journal_create(path, s, &e);
	assert_non_null(j);
	for (int i = 0; i < 10; i++) {
		char name[32];
		for (int k = 0; i < 9 && k < marks; k++) {
			snprintf(name, sizeof name, "p%d.%d", i, k);
			put_mark(j, 100.5 + i, name);
		}
		append(j, 101 + i);
	}
	return j;
}

/* The rows are the samples, whatever lies between them. */
TEST(rows_are_samples)
{
	for (int marks = 0; marks < 4; marks++) {
		struct snapshot s;
		struct err e = {0};
		struct journal *j = fill(&s, marks);
		struct snapshot_source rows = journal_source(j, false);
		double v[10];
		assert_int_equal(rows.rows, 10);
		assert_int_equal(rows.fetch(rows.ctx, METRIC_SYSTEM_TIMESTAMP, 0, 10, v, &e), 0);
		for (int i = 0; i < 10; i++)
			assert_true(v[i] == 101 + i);
		assert_int_equal(rows.fetch(rows.ctx, METRIC_SYSTEM_TIMESTAMP, 7, 2, v, &e), 0);
		assert_true(v[0] == 108 && v[1] == 109);
		journal_close(j, true);
		snapshot_free(&s);
	}
}

TEST(marks_come_back)
{
	struct snapshot s, got = {0};
	struct err e = {0};
	struct journal *j = fill(&s, 1);

	journal_close(j, false);
	assert_int_equal(snapshot_read_file(&got, path, &e), 0);
	assert_true(got.unfinished);
	assert_int_equal(got.rows[METRIC_SCOPE_SYSTEM].rows, 10);
	assert_non_null(got.phases);
	assert_int_equal(got.phases->n, 9);
	assert_string_equal(got.phases->v[8].name, "p8.0");
	assert_true(got.phases->v[0].start == 100.5 && got.phases->v[0].end == 101.5);
	assert_true(got.phases->v[8].end == 110); /* the last sample */
	snapshot_free(&got);
	snapshot_free(&s);
}

/* A journal that was cut anywhere in its last records holds what is whole. */
TEST(any_cut_is_readable)
{
	struct snapshot s;
	struct err e = {0};
	struct journal *j = fill(&s, 1);
	struct stat st;
	size_t record;

	journal_close(j, false);
	assert_int_equal(stat(path, &st), 0);
	record = 16 + METRIC_COUNT * 8 + 4;
	/* From the end backwards: truncate(2) would fill with zeros what it had cut. */
	for (size_t cut = 1; cut < 3 * record; cut++) {
		struct snapshot got = {0};
		size_t whole = 19 - (cut + record - 1) / record;
		assert_int_equal(truncate(path, st.st_size - (off_t)cut), 0);
		assert_int_equal(snapshot_read_file(&got, path, &e), 0);
		assert_int_equal(got.rows[METRIC_SCOPE_SYSTEM].rows + got.phases->n, whole);
		snapshot_free(&got);
	}
	snapshot_free(&s);
}

TEST(more_marks_than_fit)
{
	struct snapshot s, got = {0};
	struct err e = {0};
	struct journal *j;

	unlink(path);
	begin(&s);
	j = journal_create(path, &s, &e);
	assert_non_null(j);
	append(j, 101);
	for (int i = 0; i < PHASES_MAX + 100; i++)
		put_mark(j, 102, "again");
	append(j, 103);
	assert_int_equal(journal_source(j, false).rows, 2);
	journal_close(j, false);
	assert_int_equal(snapshot_read_file(&got, path, &e), 0);
	assert_int_equal(got.rows[METRIC_SCOPE_SYSTEM].rows, 2);
	assert_int_equal(got.phases->n, PHASES_MAX);
	snapshot_free(&got);
	snapshot_free(&s);
}

/* The longest mark that is kept. */
TEST(a_long_mark_is_cut)
{
	struct snapshot s, got = {0};
	struct err e = {0};
	struct journal *j;
	char line[400];

	unlink(path);
	begin(&s);
	s.meta.track_processes = false;
	j = journal_create(path, &s, &e);
	assert_non_null(j);
	memset(line, 'm', sizeof line);
	line[sizeof line - 1] = '\0';
	put_mark(j, 101, line);
	append(j, 102);
	journal_close(j, false);
	assert_int_equal(snapshot_read_file(&got, path, &e), 0);
	assert_int_equal(strlen(got.phases->v[0].name), PHASES_NAME_MAX);
	snapshot_free(&got);
	snapshot_free(&s);
}
