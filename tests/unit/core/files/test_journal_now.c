/* journal: records of the processes now among the samples: when they are due, that every row is found
 * between them, and that the tree is the same without them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/files/journal.h"
#include "core/files/snapshot_read.h"
#include "core/processes/process_entry.h"
#include "core/processes/process_tree.h"
#include "core/recording/snapshot_source.h"
#include "tests/unit/unit.h"

static char folder[] = "/tmp/rtrack-now-XXXXXX";
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

static struct journal *begun(double interval)
{
	struct snapshot s = {.unfinished = false};
	struct err e = {0};
	struct journal *j;

	unlink(path);
	s.meta.interval = interval;
	s.meta.start_time = 100;
	s.meta.track_processes = s.meta.track_system = true;
	j = journal_create(path, &s, &e);
	assert_non_null(j);
	return j;
}

static void append(struct journal *j, double t, unsigned flags)
{
	double row[METRIC_COUNT];

	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = t;
	assert_int_equal(journal_append(j, row, flags, NULL), 0);
}

static void put(struct journal *j, enum process_entry_kind kind, uint32_t id)
{
	struct process_entry e = {.kind = kind,
	                          .id = kind == PROCESS_ENTRY_NOW ? 7 : id,
	                          .n = 1,
	                          .pid = 1000 + (int)id,
	                          .start_s = 1,
	                          .end_s = kind == PROCESS_ENTRY_NOW ? 9999 : id + 2,
	                          .cpu_s = id,
	                          .name = "job"};
	unsigned char bytes[2 * PROCESS_ENTRY_MAX];
	size_t n = process_entry_pack(&e, bytes, sizeof bytes);

	n += process_entry_pack(&e, bytes + n, sizeof bytes - n);
	if (kind == PROCESS_ENTRY_NOW)
		assert_int_equal(journal_now(j, bytes, id % 2 ? n : 0, NULL), 0);
	else
		assert_int_equal(journal_processes(j, bytes, n, NULL), 0);
}

TEST(due)
{
	static const struct {
		double interval;
		const char *after; /* the regular rows after which one is due, of the first 12 */
	} cases[] = {{1, "1 6 11 "},
	             {5, "1 2 3 4 5 6 7 8 9 10 11 12 "},
	             {60, "1 2 3 4 5 6 7 8 9 10 11 12 "},
	             {2, "1 4 7 10 "},
	             {0.5, "1 11 "},
	             {0, "1 2 3 4 5 6 7 8 9 10 11 12 "}};

	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct journal *j = begun(cases[c].interval);
		char after[64] = "";
		assert_false(journal_now_due(j));
		for (int row = 1; row <= 12; row++) {
			append(j, 100 + row, 0);
			if (!journal_now_due(j))
				continue;
			put(j, PROCESS_ENTRY_NOW, 1);
			assert_false(journal_now_due(j));
			snprintf(after + strlen(after), sizeof after - strlen(after), "%d ", row);
		}
		assert_string_equal(after, cases[c].after);
		journal_close(j, true);
	}
}

TEST(due_once_in_the_first_moments)
{
	struct journal *j = begun(60);

	append(j, 100.1, JOURNAL_EARLY);
	assert_false(journal_now_due(j));
	append(j, 100.2, JOURNAL_EARLY);
	assert_true(journal_now_due(j));
	put(j, PROCESS_ENTRY_NOW, 1);
	append(j, 100.3, JOURNAL_EARLY);
	assert_false(journal_now_due(j));
	append(j, 160, 0);
	assert_true(journal_now_due(j));
	journal_close(j, true);
}

TEST(none_is_due_once_one_was_missed)
{
	struct journal *j = begun(5);

	append(j, 101, 0);
	put(j, PROCESS_ENTRY_NOW, 1);
	append(j, 102, 0);
	append(j, 103, 0);
	assert_false(journal_now_due(j));
	journal_close(j, true);
}

/* All records of so many rows: early ones, marks and ended processes now and then, at changing
 * places, also between a row and its record of the processes now. Those end after some row. */
static struct journal *filled(double interval, int rows, int last_now)
{
	struct journal *j = begun(interval);
	unsigned r = 7;
	uint32_t id = 0, early = 0;

	for (int i = 0; i < rows; i++) {
		bool before;
		r = r * 1664525 + 1013904223;
		before = r >> 16 & 1;
		if ((r >> 20) % 64 == 0 && early < JOURNAL_EARLY_MAX) {
			append(j, 0.5, JOURNAL_EARLY);
			early++;
		}
		append(j, 101 + i, 0);
		if ((r >> 24) % 5 == 0 && before)
			put(j, PROCESS_ENTRY_ENDED, ++id);
		if (i < last_now && journal_now_due(j))
			put(j, PROCESS_ENTRY_NOW, (unsigned)i);
		if ((r >> 24) % 5 == 0 && !before)
			put(j, PROCESS_ENTRY_ENDED, ++id);
		if ((r >> 24) % 97 == 0)
			assert_int_equal(journal_mark(j, 101.5 + i, "phase", 5, NULL), 0);
	}
	return j;
}

static void source_has(struct journal *j, int rows)
{
	struct snapshot_source from = journal_source(j, false);
	double v[64];

	assert_int_equal(from.rows, rows);
	for (int i = 0; i < rows; i += 13) {
		int n = rows - i < 64 ? rows - i : 64;
		assert_int_equal(
		    from.fetch(from.ctx, METRIC_SYSTEM_TIMESTAMP, (size_t)i, (size_t)n, v, NULL),
		    0);
		for (int k = 0; k < n; k++)
			assert_true(v[k] == 101 + i + k);
	}
}

/* 9000 are so many that they are turned into columns. */
TEST(every_row_is_found)
{
	static const struct {
		double interval;
		int rows, last_now;
	} cases[] = {{1, 300, 300}, {5, 300, 300}, {1, 300, 0},     {1, 300, 101},
	             {5, 300, 1},   {0.5, 40, 40}, {1, 9000, 9000}, {7, 9000, 5000}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct journal *j = filled(cases[i].interval, cases[i].rows, cases[i].last_now);
		double row[METRIC_COUNT], v[1];
		struct snapshot_source from;
		source_has(j, cases[i].rows);
		for (int id = 0; id < METRIC_COUNT; id++)
			row[id] = -3;
		assert_int_equal(journal_replace(j, row, NULL), 0);
		from = journal_source(j, false);
		assert_int_equal(
		    from.fetch(from.ctx, METRIC_SYSTEM_UTIME, from.rows - 1, 1, v, NULL), 0);
		assert_true(v[0] == -3);
		journal_close(j, true);
	}
}

static size_t processes_in(struct journal *j)
{
	const unsigned char *bytes;
	struct process_entry one;
	size_t at = 0, n, count = 0;
	struct err e;

	while (journal_processes_next(j, &at, &bytes, &n, &e) == 1)
		for (size_t i = 0; process_entry_next(bytes, n, &i, &one); count++)
			assert_int_equal(one.kind, PROCESS_ENTRY_ENDED);
	return count;
}

/* With them and without: the same rows, marks and tree. */
TEST(the_tree_is_the_same_without_them)
{
	struct snapshot with = {0}, without = {0};
	struct journal *j = filled(1, 300, 300);
	size_t n = processes_in(j);
	struct err e = {0};

	journal_close(j, false);
	assert_int_equal(snapshot_read_file(&with, path, &e), 0);
	j = filled(1, 300, 0);
	assert_true(n > 50);
	assert_int_equal(processes_in(j), n);
	journal_close(j, false);
	assert_int_equal(snapshot_read_file(&without, path, &e), 0);
	assert_non_null(with.tree);
	assert_int_equal(with.tree->kept, without.tree->kept);
	assert_int_equal(with.tree->kept, n / 2);
	for (size_t i = 0; i < with.tree->kept; i++) {
		assert_int_equal(with.tree->of[i].pid, without.tree->of[i].pid);
		assert_true(with.tree->of[i].end_s == without.tree->of[i].end_s);
	}
	assert_int_equal(with.rows[METRIC_SCOPE_SYSTEM].rows, 300);
	assert_int_equal(with.phases->n, without.phases->n);
	assert_int_equal(with.damage.places, 0);
	snapshot_free(&with);
	snapshot_free(&without);
}

/* A job of days has more of them than records of ended processes may be. */
TEST(they_have_no_cap)
{
	struct journal *j = begun(5);

	for (int i = 0; i < JOURNAL_PROCESSES_MAX + 100; i++) {
		append(j, 101 + i, 0);
		assert_true(journal_now_due(j));
		put(j, PROCESS_ENTRY_NOW, 1);
	}
	put(j, PROCESS_ENTRY_ENDED, 1);
	assert_false(journal_processes_full(j));
	assert_int_equal(processes_in(j), 2);
	source_has(j, JOURNAL_PROCESSES_MAX + 100);
	journal_close(j, true);
}
