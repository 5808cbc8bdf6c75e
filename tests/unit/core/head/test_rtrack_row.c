/* rtrack_row: the first member of a snapshot is short, first, and says what the snapshot says. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/gz.h"
#include "core/head/rtrack_row.h"
#include "tests/unit/core/recording/recording.h"
#include "tests/unit/unit.h"

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

TEST(the_row_says_what_the_snapshot_says)
{
	static char text[65536];
	struct snapshot s = {.exit = {0}};
	struct rtrack_row row;
	size_t n;

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
	/* the largest process was larger than the samples */
	assert_true(row.of[RTRACK_ROW_MEMORY_PEAK].number == 123456789);
	assert_string_equal(row.of[RTRACK_ROW_MEMORY_KNOWN].text, "bound");
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

static void check_labels(struct snapshot_pair *v, size_t n, const char *expected)
{
	struct snapshot s = {.exit = {0}};
	struct stats stats[METRIC_COUNT];
	struct rtrack_row row;

	snapshot_head_defaults(&s);
	for (int i = 0; i < METRIC_COUNT; i++)
		stats[i] = stats_none();
	s.job.labels = (struct snapshot_pairs){.v = v, .n = n};
	rtrack_row_fill(&row, &s, stats, 10);
	assert_string_equal(row.of[RTRACK_ROW_LABELS].text, expected);
	snapshot_free(&s);
}

TEST(labels_in_their_order)
{
	char value[252];
	struct snapshot_pair v[] = {{"b", "1"},  {"a", "2"},  {"", "3"},
	                            {"c", NULL}, {NULL, "4"}, {"d", ""}};
	struct snapshot_pair long_one[] = {{"a", value}, {"b", "1"}};
	char expected[sizeof value + 8];

	check_labels(v, 6, "b=1;a=2;d=");
	check_labels(v, 0, "");
	/* whole pairs, in 256 bytes */
	memset(value, 'x', sizeof value - 1);
	value[251] = '\0';
	snprintf(expected, sizeof expected, "a=%s", value);
	check_labels(long_one, 2, expected);
	value[250] = '\0';
	snprintf(expected, sizeof expected, "a=%s;b=1", value);
	check_labels(long_one, 2, expected);
}

/* The address of a run pushes no label out that says which job it is. */
TEST(labels_of_ci_jobs_first)
{
	char url[230];
	struct snapshot_pair v[] = {
	    {"ci.run_url", url}, {"ci.run_id", "77"}, {"ci.workflow", "CI"}, {"ci.job", "build"}};

	memset(url, 'x', sizeof url - 1);
	url[sizeof url - 1] = '\0';
	check_labels(v, 4, "ci.workflow=CI;ci.job=build;ci.run_id=77");
}

/* The mean is by the exact CPU time; samples that missed most of the job know no peak. */
TEST(exact_cores)
{
	struct snapshot s = {.exit = {0}};
	struct stats stats[METRIC_COUNT];
	struct rtrack_row row;

	snapshot_head_defaults(&s);
	s.meta.track_processes = true;
	s.meta.start_time = 100;
	s.meta.stop_time = 110;
	s.totals.known = true;
	for (int i = 0; i < METRIC_COUNT; i++)
		stats[i] = stats_none();
	stats[METRIC_PROCESS_CPU_USAGE] = (struct stats){.n = 3, .mean = 0.25, .max = 0.5};
	s.totals.exact_cpu_s = 4;
	rtrack_row_fill(&row, &s, stats, 10);
	assert_true(row.of[RTRACK_ROW_CORES_MEAN].number == 0.4);
	assert_true(row.of[RTRACK_ROW_CORES_PEAK].number == 0.5);
	s.totals.exact_cpu_s = 9;
	rtrack_row_fill(&row, &s, stats, 10);
	assert_true(row.of[RTRACK_ROW_CORES_MEAN].number == 0.9);
	assert_true(isnan(row.of[RTRACK_ROW_CORES_PEAK].number));
	snapshot_free(&s);
}

/* The demand is what was used in the time that is left without the waits; throttled time is one only
 * where no wait was measured. */
TEST(the_demand_is_without_the_waits_for_a_cpu)
{
	struct snapshot s = {.exit = {0}};
	struct stats stats[METRIC_COUNT];
	struct rtrack_row row;

	snapshot_head_defaults(&s);
	s.meta.track_processes = true;
	s.meta.start_time = 100;
	s.meta.stop_time = 110;
	s.totals.known = true;
	s.totals.exact_cpu_s = 5;
	s.totals.cpu_wait_s = 12;
	for (int i = 0; i < METRIC_COUNT; i++)
		stats[i] = stats_none();
	rtrack_row_fill(&row, &s, stats, 10);
	assert_true(fabs(row.of[RTRACK_ROW_CORES_DEMAND].number - 1.7) < 1e-9);
	s.totals.cgroup_cpu_some_s = 15; /* more tasks than the samples saw */
	rtrack_row_fill(&row, &s, stats, 10);
	assert_true(fabs(row.of[RTRACK_ROW_CORES_DEMAND].number - 2) < 1e-9);
	stats[METRIC_SYSTEM_THROTTLED] = (struct stats){.n = 10, .sum = 30};
	rtrack_row_fill(&row, &s, stats, 10);
	assert_true(fabs(row.of[RTRACK_ROW_CORES_DEMAND].number - 2) < 1e-9);
	s.totals.cpu_wait_s = s.totals.cgroup_cpu_some_s = NAN;
	rtrack_row_fill(&row, &s, stats, 10);
	assert_true(fabs(row.of[RTRACK_ROW_CORES_DEMAND].number - 3.5) < 1e-9);
	stats[METRIC_PROCESS_CPU_WAIT] = (struct stats){.n = 10, .sum = 20};
	rtrack_row_fill(&row, &s, stats, 10);
	assert_true(fabs(row.of[RTRACK_ROW_CORES_DEMAND].number - 2.5) < 1e-9);
	/* of the whole machine it is unknown */
	s.meta.track_processes = false;
	rtrack_row_fill(&row, &s, stats, 10);
	assert_true(isnan(row.of[RTRACK_ROW_CORES_DEMAND].number));
	snapshot_free(&s);
}

/* Nothing measured and nothing known: null, never 0. */
/* A journal that was recovered has no rtrack.memory: the peak is the largest of what the samples had
 * and what was there between two of them, as reports have it. */
TEST(the_peak_of_a_recovered_journal)
{
	struct snapshot s = {.exit = {0}};
	struct stats stats[METRIC_COUNT];
	struct rtrack_row row;

	snapshot_head_defaults(&s);
	s.meta.track_processes = true;
	for (int i = 0; i < METRIC_COUNT; i++)
		stats[i] = stats_none();
	stats[METRIC_PROCESS_MEMORY].max = 149504;
	rtrack_row_fill(&row, &s, stats, 15);
	assert_true(row.of[RTRACK_ROW_MEMORY_PEAK].number == 149504);
	stats[METRIC_PROCESS_MEMORY_PEAK].max = 1871872;
	rtrack_row_fill(&row, &s, stats, 15);
	assert_true(row.of[RTRACK_ROW_MEMORY_PEAK].number == 1871872);
	assert_string_equal(row.of[RTRACK_ROW_MEMORY_KNOWN].text, "sampled");
	snapshot_free(&s);
}

TEST(unknown_values_are_null)
{
	struct snapshot s = {.exit = {0}};
	struct stats stats[METRIC_COUNT];
	struct rtrack_row row;
	char *text;

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
TEST(hostile_texts)
{
	static const char *const fillers[] = {"x", "\x01",  "\xe2\x80\xae", "\xff",
	                                      "é", "<\"\\", "qzK7"};
	static char text[65536], big[20001];
	static char *argv[2] = {big, big};
	static struct snapshot_pair tags[] = {{"a", big}, {"b", "c"}};

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
		s.job.tags = (struct snapshot_pairs){tags, 2};
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

TEST(texts_that_are_no_row)
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

/* What JSON may hold beside what the collector writes. */
TEST(odd_texts)
{
	static const struct {
		const char *members, *name;
		double wall, start;
		int result;
	} rows[] = {
	    {"\"name\":\"a\",\"wall_s\":1.5,\"start\":-2e3", "a", 1.5, -2000, 0},
	    {" \t\"wall_s\" :\n1 , \"start\":\r2 ", "", 1, 2,
	     0}, /* in another order, with blanks */
	    {"\"start\":2,\"x\":{\"wall_s\":[7,\"}]\\\"\"]},\"wall_s\":1", "", 1, 2, 0},
	    {"\"wall_s\":1,\"wall_s\":2,\"name\":\"a\",\"name\":\"b\"", "a", 1, NAN, 0},
	    {"\"wall_s\":null,\"start\":true,\"name\":false", "", NAN, NAN, 0},
	    {"\"wall_s\":NaN,\"start\":-Infinity,\"name\":7", "", NAN, NAN, 0},
	    {"\"wall_s\":1e999,\"start\":\"5\"", "", NAN, NAN, 0},
	    {"\"wall_s\":1.7976931348623157e+308,\"start\":12345678901234567890", "",
	     1.7976931348623157e+308, 12345678901234567890.0, 0},
	    {"\"wall_s_\":1,\"wall\":2,\"\":3", "", NAN, NAN, 0},
	    {"\"name\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"",
	     "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", NAN, NAN, 0},
	    {"\"name\":\"\\u0000x\\ud800\\ude0\"", "", NAN, NAN, -1},
	    {"\"name\":\"\\u0000x\\ud800y\\udc00\\ud800\\u0041\"",
	     "\xef\xbf\xbdx\xef\xbf\xbdy\xef\xbf\xbd\xef\xbf\xbd"
	     "A",
	     NAN, NAN, 0},
	    {"\"name\":\"caf\xe9\xc3\xa9\"", "caf\xef\xbf\xbd\xc3\xa9", NAN, NAN, 0},
	    {"\"name\":\"a\\x\"", "", NAN, NAN, -1},
	    {"\"name\":\"a\nb\"", "a\nb", NAN, NAN, 0},
	    {"\"wall_s\":01", "", NAN, NAN, -1},
	    {"\"wall_s\":1.", "", NAN, NAN, -1},
	    {"\"wall_s\":+1", "", NAN, NAN, -1},
	    {"\"wall_s\":0x1", "", NAN, NAN, -1},
	    {"\"wall_s\":nul", "", NAN, NAN, -1},
	    {"\"wall_s\":1 2", "", NAN, NAN, -1},
	    {"\"wall_s\" 1", "", NAN, NAN, -1},
	    {"\"wall_s\":1,", "", NAN, NAN, -1},
	    {",\"wall_s\":1", "", NAN, NAN, -1},
	    {"wall_s:1", "", NAN, NAN, -1},
	    {"\"x\":[1,2", "", NAN, NAN, -1},
	    {"", "", NAN, NAN, 0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rtrack_row row;
		char text[512];
		double wall, start;
		snprintf(text, sizeof text, "{\"rtrack_row\":{%s},\"metadata\":", rows[i].members);
		if (rtrack_row_read(text, strlen(text), &row) != rows[i].result)
			fail_msg("%s: not %d", rows[i].members, rows[i].result);
		if (rows[i].result)
			continue;
		wall = row.of[RTRACK_ROW_WALL].number;
		start = row.of[RTRACK_ROW_START].number;
		assert_string_equal(row.of[RTRACK_ROW_NAME].text, rows[i].name);
		assert_true(wall == rows[i].wall || (isnan(wall) && isnan(rows[i].wall)));
		assert_true(start == rows[i].start || (isnan(start) && isnan(rows[i].start)));
	}
}

/* Texts that are longer when they are made valid than the row has room for are left out. */
TEST(texts_without_room)
{
	struct rtrack_row row;
	char text[RTRACK_ROW_MAX];
	size_t n = (size_t)snprintf(text, sizeof text, "{\"rtrack_row\":{\"name\":\"");

	memset(text + n, 0xff, 900);
	strcpy(text + n + 900, "\",\"user\":\"u\"}}");
	assert_int_equal(rtrack_row_read(text, strlen(text), &row), 0);
	assert_string_equal(row.of[RTRACK_ROW_NAME].text, "");
	assert_string_equal(row.of[RTRACK_ROW_USER].text, "u");
}
