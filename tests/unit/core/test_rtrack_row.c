/* rtrack_row: the first member of a snapshot is short, first, and says what the snapshot says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "core/gz.h"
#include "core/rtrack_row.h"
#include "tests/unit/core/recording.h"

/* The row as JSON, for free(3). */
static char *row_text(const struct rtrack_row *row)
{
	struct json_write j = {.sink = NULL};
	char *text;

	json_write_object(&j, NULL);
	rtrack_row_write(row, &j);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	text = strdup(buf_cstr(&j.b));
	json_write_free(&j);
	return text;
}

/* Writes the snapshot, and returns the length of the content of the first 4 KiB of the file. */
static size_t first_4_kib(struct snapshot *s, char out[65536])
{
	struct err e = {0};
	int fd = written(s, SCHEMA_1);
	struct gz_in *g;
	size_t n = 0;
	long got;

	if (lseek(fd, 0, SEEK_END) > 4096)
		assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	g = gz_in_new(fd, 1 << 20, &e);
	assert_non_null(g);
	/* The error at the end is that of the cut. */
	while (n < 65535 && (got = gz_read(g, out + n, 65535 - n, &e)) > 0)
		n += (size_t)got;
	out[n] = '\0';
	gz_in_free(g);
	close(fd);
	return n;
}

static void the_row_says_what_the_snapshot_says(void **state)
{
	static char text[65536];
	struct snapshot s = {.exit = {0}};
	struct rtrack_row row;
	size_t n;

	(void)state;
	fill(&s, 4, false);
	s.totals.exact_cpu_s = 7.25;
	s.totals.oom_kills = 1;
	n = first_4_kib(&s, text);
	assert_int_equal(rtrack_row_read(text, n, &row), 0);
	assert_int_equal(strlen(row.of[RTRACK_ROW_ID].text), 16);
	assert_string_equal(row.of[RTRACK_ROW_NAME].text, "nightly & co");
	assert_string_equal(row.of[RTRACK_ROW_JOB].text, s.part.job);
	assert_string_equal(row.of[RTRACK_ROW_HOST].text, s.job.host);
	assert_string_equal(row.of[RTRACK_ROW_SCOPE].text, "process");
	assert_true(row.of[RTRACK_ROW_START].number == 1760000000.125);
	assert_true(row.of[RTRACK_ROW_WALL].number == 3.25);
	assert_true(row.of[RTRACK_ROW_SAMPLES].number == 4);
	assert_true(row.of[RTRACK_ROW_CPU].number == (s.totals.known ? 7.25 : NAN));
	assert_true(row.of[RTRACK_ROW_OOM_KILLS].number == 1);
	assert_true(row.of[RTRACK_ROW_ASKED_CPUS].number == 2);
	assert_string_equal(row.of[RTRACK_ROW_ASKED_CPUS_SOURCE].text, "scheduler");
	assert_true(row.of[RTRACK_ROW_ASKED_MEMORY].number == 524288000);
	assert_true(row.of[RTRACK_ROW_VCPUS].number == 4);
	assert_string_equal(row.of[RTRACK_ROW_INSTANCE].text, "m5.large");
	assert_string_equal(row.of[RTRACK_ROW_TAGS].text, "team=a\"b");
	assert_true(row.of[RTRACK_ROW_MEMORY_PEAK].number ==
	            stats_round(cell(METRIC_PROCESS_MEMORY, 3), 0));
	assert_true(row.of[RTRACK_ROW_CORES_PEAK].number ==
	            stats_round(cell(METRIC_PROCESS_CPU_USAGE, 3), 6));
	assert_true(row.of[RTRACK_ROW_RECEIVED].number ==
	            stats_round(cell(METRIC_SYSTEM_NET_RECV_BYTES, 0) +
	                            cell(METRIC_SYSTEM_NET_RECV_BYTES, 1) +
	                            cell(METRIC_SYSTEM_NET_RECV_BYTES, 2) +
	                            cell(METRIC_SYSTEM_NET_RECV_BYTES, 3),
	                        0));
	snapshot_free(&s);
}

/* Nothing measured and nothing known: null, never 0. */
static void unknown_values_are_null(void **state)
{
	struct snapshot s = {.exit = {0}};
	struct stats stats[METRIC_COUNT];
	struct rtrack_row row;
	char *text;

	(void)state;
	snapshot_head_defaults(&s);
	for (int i = 0; i < METRIC_COUNT; i++)
		stats[i] = stats_none();
	rtrack_row_fill(&row, &s, stats, 0);
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		if (i != RTRACK_ROW_SAMPLES)
			assert_true(isnan(row.of[i].number));
		if (i != RTRACK_ROW_ID && i != RTRACK_ROW_SCOPE)
			assert_string_equal(row.of[i].text, "");
	}
	s.server.gpu_count = 0;
	stats[METRIC_PROCESS_GPU_USAGE].mean = 0;
	stats[METRIC_PROCESS_CPU_USAGE].mean = 0;
	rtrack_row_fill(&row, &s, stats, 0);
	assert_true(isnan(row.of[RTRACK_ROW_GPUS_MEAN].number));
	assert_true(row.of[RTRACK_ROW_CORES_MEAN].number == 0);
	text = row_text(&row);
	assert_non_null(strstr(text, "\"cores_mean\":0,"));
	assert_non_null(strstr(text, "\"gpus_mean\":null,"));
	free(text);
	snapshot_free(&s);
}

/* The worst of all rows has room, is whole in the first 4 KiB of the file, and no key is cut
 * without its hash. */
static void hostile_texts(void **state)
{
	static const char *const fillers[] = {"x", "\x01",  "\xe2\x80\xae", "\xff",
	                                      "é", "<\"\\", "qzK7"};
	static char text[65536], big[20001];
	static char *argv[2] = {big, big};

	(void)state;
	for (size_t f = 0; f < sizeof fillers / sizeof *fillers; f++) {
		struct snapshot s = {.exit = {0}};
		struct rtrack_row row, again;
		struct stats stats[METRIC_COUNT];
		size_t step = strlen(fillers[f]), n;
		char *first, *second, *end;
		for (size_t i = 0; i + step < sizeof big; i += step)
			memcpy(big + i, fillers[f], step + 1);
		if (f == 6) /* does not compress */
			for (size_t i = 0; i < sizeof big - 1; i++)
				big[i] = (char)(' ' + rand() % 95);
		fill(&s, 4, false);
		s.job.argv = (const char **)argv;
		s.job.argc = 2;
		s.job.name = s.job.cwd = s.job.host = s.job.user = big;
		s.part = (struct snapshot_part){true,     big,      big, big,     1e17 / 3,
		                                1e17 / 3, 1e17 / 3, big, 1e17 / 3};
		s.cloud.vendor = s.cloud.instance_type = s.cloud.region = s.exit.cause = big;
		s.job.tags = (struct snapshot_pairs){{{"a", big}, {"b", "c"}}, 2};
		n = first_4_kib(&s, text);
		assert_int_equal(rtrack_row_read(text, n, &row), 0);
		assert_string_equal(row.of[RTRACK_ROW_TAGS].text, "b=c");
		assert_true(row.of[RTRACK_ROW_VCPUS].number == 4);
		end = strstr(text, ",\"metadata\"");
		assert_true(end &&
		            end - text <= (long)(RTRACK_ROW_MAX + strlen("{\"rtrack_row\":")));
		/* Once more with numbers that are as long as a number can be. */
		for (int i = 0; i < METRIC_COUNT; i++)
			stats[i] = (struct stats){4,         0, -1e17 / 3, -1e17 / 3, -1e17 / 3,
			                          -1e17 / 3, 0, 0,         0};
		rtrack_row_fill(&row, &s, stats, SIZE_MAX / 64);
		first = row_text(&row);
		assert_true(strlen(first) <= RTRACK_ROW_MAX + strlen("{\"rtrack_row\":}"));
		assert_int_equal(rtrack_row_read(first, strlen(first), &again), 0);
		second = row_text(&again);
		assert_string_equal(first, second);
		big[sizeof big - step - 1] ^= 1; /* another key, equal in all but its end */
		s.part.job = big;
		rtrack_row_fill(&row, &s, stats, 1);
		free(second);
		second = row_text(&row);
		assert_int_equal(rtrack_row_read(second, strlen(second), &row), 0);
		assert_string_not_equal(row.of[RTRACK_ROW_JOB].text, again.of[RTRACK_ROW_JOB].text);
		free(first);
		free(second);
		snapshot_free(&s);
	}
}

static void texts_that_are_no_row(void **state)
{
	static const char whole[] =
	    "{\"rtrack_row\":{\"id\":\"a\",\"vcpus\":\"4\",\"name\":7,\"x\":[]}";
	static const char *const wrong[] = {"",
	                                    "{",
	                                    "{\"metadata\":{}}",
	                                    "{\"rtrack_row\":",
	                                    "{\"rtrack_row\":[]}",
	                                    "{\"rtrack_row\":null}",
	                                    "{\"rtrack_row\":{\"id\":}}"};
	struct rtrack_row row;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(rtrack_row_read(wrong[i], strlen(wrong[i]), &row), -1);
	for (size_t n = 0; n < sizeof whole - 1; n++) {
		char *cut = malloc(n + 1); /* of its size, for AddressSanitizer */
		memcpy(cut, whole, n);
		assert_int_equal(rtrack_row_read(cut, n, &row), -1);
		free(cut);
	}
	assert_int_equal(rtrack_row_read(whole, sizeof whole - 1, &row), 0);
	assert_string_equal(row.of[RTRACK_ROW_ID].text, "a");
	assert_string_equal(row.of[RTRACK_ROW_NAME].text, "");
	assert_true(isnan(row.of[RTRACK_ROW_VCPUS].number));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_row_says_what_the_snapshot_says),
	    cmocka_unit_test(unknown_values_are_null),
	    cmocka_unit_test(hostile_texts),
	    cmocka_unit_test(texts_that_are_no_row),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
