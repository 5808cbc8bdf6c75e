/* time_at_file: what is written is read again, and nothing else is. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/head/time_at_file.h"
#include "tests/unit/unit.h"

static const struct time_at *parse(struct snapshot *s, const char *text)
{
	struct json_read *in = malloc(sizeof *in);
	struct buf key = {.max = 64};
	bool first = true;

	assert_non_null(in);
	s->time_at = NULL;
	json_read_init_text(in, text, strlen(text));
	assert_int_equal(json_read_open(in, '{'), 0);
	while (json_read_more(in, '{', &first) > 0) {
		assert_int_equal(json_read_key(in, &key), 0);
		assert_string_equal(buf_cstr(&key), TIME_AT_FILE_KEY);
		assert_int_equal(time_at_file_read(s, in, &key), 0);
	}
	assert_int_equal(json_read_end(in), 0);
	buf_free(&key);
	free(in);
	return s->time_at;
}

TEST(round_trip)
{
	struct json_write j = {.sink = NULL};
	struct snapshot s = {0};
	struct time_at t = {0};
	const struct time_at *back;

	for (int i = 0; i < 50; i++) {
		struct time_at_sample one = {
		    .h = 1, .c = 0.1 * i, .w = i % 3, .b = NAN, .b_least = 0.3, .b_most = NAN};
		time_at_add(&t, &one);
	}
	json_write_object(&j, NULL);
	time_at_file_write(&j, &t);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	assert_true(j.b.len < 2000);
	back = parse(&s, buf_cstr(&j.b));
	assert_non_null(back);
	assert_int_equal(back->samples, 50);
	for (double n = 0.5; n < 64; n *= 1.5) {
		struct time_at_range a = time_at_free_cpus(&t, n), b = time_at_free_cpus(back, n);
		assert_true(fabs(a.s / b.s - 1) < 1e-5 && fabs(a.least / b.least - 1) < 1e-5 &&
		            fabs(a.most / b.most - 1) < 1e-5);
	}
	json_write_free(&j);
	snapshot_free(&s);
}

#define HEAD(samples, idle, widths)                                                                \
	"{\"time_at\":{\"samples\":" samples ",\"wall_s\":9,\"unknown_s\":0,\"cpu_s\":4,"          \
	"\"idle_s\":" idle ",\"widths\":" widths "}}"

TEST(others)
{
	static const char *const wrong[] = {
	    "{}",
	    "{\"time_at\":null}",
	    "{\"time_at\":[1]}",
	    "{\"time_at\":{}}",
	    HEAD("-1", "[1,1,1]", "[]"),
	    HEAD("[5]", "[1,1,1]", "[]"),
	    HEAD("5", "[1,1]", "[]"),
	    HEAD("null", "[1,1,1]", "[]"),
	    HEAD("5", "1", "[]"),
	    HEAD("5", "[1,1,1]", "[1]"),
	    "{\"time_at\":{\"samples\":5,\"wall_s\":9,\"unknown_s\":0,\"cpu_s\":4}}",
	    "{\"time_at\":{\"samples\":5,\"wall_s\":9,\"cpu_s\":4,\"idle_s\":[1,1,1]}}",
	    HEAD("5", "[1,1,1]", "[[0,41,1,1]]"),
	    HEAD("5", "[1,1,1]", "[[3,0,1,1]]"),
	    HEAD("5", "[1,1,1]", "[[0,0,1]]"),
	    HEAD("5", "[1,1,1]", "[[0,0,1e99,1]]"),
	};
	struct snapshot s = {0};
	const struct time_at *wild;

	assert_non_null(parse(&s, HEAD("5", "[1,1,1]", "[[0,40,4,1],[2,0,4,4]]")));
	assert_non_null(parse(&s, HEAD("5", "[1,1,1,null]", "[[0,40,4,1,\"x\"]],\"else\":{}")));
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_null(parse(&s, wrong[i]));
	wild = parse(&s, HEAD("5", "[0,0,0]", "[[0,40,4,1e-320],[0,0,1,9]]"));
	assert_true(time_at_widest(wild) == 1);
	wild = parse(&s, HEAD("5", "[0,0,0]", "[[0,40,1e12,0.1]]"));
	assert_true(time_at_widest(wild) == TIME_AT_CPUS_MAX);
	assert_true(time_at_fewest(wild, 1) == TIME_AT_CPUS_MAX);
	snapshot_free(&s);
}
