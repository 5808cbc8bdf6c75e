/* snapshot: what a recording owns. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/recording/snapshot_source.h"
#include "tests/unit/unit.h"

TEST(strings)
{
	struct snapshot s = {.unfinished = false};
	char *big = malloc(200002);
	const char *copy;

	assert_string_equal(snapshot_strdup(&s, NULL), "");
	assert_string_equal(snapshot_strdup(&s, ""), "");
	assert_string_equal(snapshot_strdup(&s, "a\xff"), "a\xef\xbf\xbd");
	for (size_t i = 0; i < 200000; i += 2)
		memcpy(big + i + 1, "é", 3);
	big[0] = 'x';
	copy = snapshot_strdup(&s, big);
	assert_int_equal(strlen(copy), SNAPSHOT_STRING_MAX - 1 + strlen("…"));
	assert_string_equal(copy + strlen(copy) - 5, "é…");
	free(big);
	for (int i = 0; i < 200; i++) {
		snapshot_note(&s, "note %d", i / 2);
		snapshot_note(&s, "bad \xff");
	}
	assert_int_equal(s.notes.n, SNAPSHOT_LIST_MAX);
	assert_string_equal(s.notes.v[0], "note 0");
	assert_string_equal(s.notes.v[1], "bad \xef\xbf\xbd");
	assert_string_equal(s.notes.v[2], "note 1");
	snapshot_free(&s);
	assert_int_equal(s.notes.n, 0);
}

TEST(pairs)
{
	struct snapshot s = {.unfinished = false};
	static char keys[SNAPSHOT_LIST_MAX + 1][16];

	for (int i = 0; i <= SNAPSHOT_LIST_MAX; i++) {
		snprintf(keys[i], sizeof keys[i], "k%d", i);
		snapshot_pairs_add(&s, &s.job.tags, keys[i], "v");
	}
	assert_int_equal(s.job.tags.n, SNAPSHOT_LIST_MAX);
	for (int i = 0; i < SNAPSHOT_LIST_MAX; i++)
		assert_string_equal(s.job.tags.v[i].key, keys[i]);
	snapshot_free(&s);
	assert_null(s.job.tags.v);
}

TEST(frames_of_different_length)
{
	struct snapshot s = {.unfinished = false};
	struct snapshot_source rows;
	double out[3];

	for (int i = 0; i < 3; i++)
		frame_push(&s.rows[1], METRIC_SYSTEM_UTIME, i, NULL);
	frame_push(&s.rows[0], METRIC_PROCESS_UTIME, 5, NULL);
	frame_square(&s.rows[0], NULL);
	frame_square(&s.rows[1], NULL);
	rows = snapshot_source_of(&s);
	assert_int_equal(rows.rows, 3);
	assert_int_equal(rows.fetch(rows.ctx, METRIC_PROCESS_UTIME, 0, 3, out, NULL), 0);
	assert_true(out[0] == 5 && isnan(out[1]) && isnan(out[2]));
	assert_int_equal(rows.fetch(rows.ctx, METRIC_SYSTEM_STIME, 0, 3, out, NULL), 0);
	assert_true(isnan(out[0]));
	snapshot_free(&s);
}

TEST(signal_names)
{
	assert_string_equal(snapshot_signal_name(SIGHUP), "HUP");
	assert_string_equal(snapshot_signal_name(0), "");
	assert_string_equal(snapshot_signal_name(-1), "");
	assert_string_equal(snapshot_signal_name(1000), "");
}
