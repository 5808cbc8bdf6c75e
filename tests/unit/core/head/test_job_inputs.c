/* job_inputs: the sum of what a run was given, and the sizes as a short text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/head/job_inputs.h"
#include "core/head/rtrack_row.h"
#include "core/head/snapshot_head.h"
#include "tests/unit/unit.h"

static void read_head(struct snapshot *s, const char *members)
{
	char text[8192];
	int n = snprintf(text, sizeof text, "{%s}", members);

	assert_true(n > 0 && n < (int)sizeof text);
	snapshot_head_defaults(s);
	assert_int_equal(snapshot_head(s, "rtrack", text, (size_t)n), 0);
}

TEST(sums_and_sizes)
{
	static const struct {
		const char *members, *sizes;
		double bytes;
	} cases[] = {
	    {"\"format\": 2", "", NAN},
	    {"\"inputs\": []", "", NAN},
	    {"\"inputs\": [{\"name\": \"a\", \"bytes\": 5, \"via\": \"argument\", \"at\": \"1\"}]",
	     "1=5", 5},
	    {"\"inputs\": [{\"bytes\": 5, \"at\": \"1\"}, {\"bytes\": 0, \"at\": \"--in\"}]",
	     "1=5;--in=0", 5},
	    /* an output of an earlier run; no size; not an amount */
	    {"\"inputs\": [{\"bytes\": 5, \"at\": \"1\", \"written\": true}, {\"at\": \"2\"}, "
	     "{\"bytes\": -1, \"at\": \"3\"}, {\"bytes\": 7, \"at\": \"4\"}]",
	     "4=7", 7},
	    /* a name that is too long, or has signs of its own */
	    {"\"inputs\": [{\"bytes\": 1, \"at\": \"--reference-file\"}, "
	     "{\"bytes\": 2, \"at\": \"a=b;\"}, {\"bytes\": 3, \"at\": \"\"}]",
	     "#9f532906=1;#20faf565=2;#8602eb6e=3", 6},
	    {"\"inputs\": [{\"bytes\": 5, \"at\": \"1\"}], "
	     "\"inputs_left_out\": {\"n\": 3, \"bytes\": 100}",
	     "1=5;…", 105},
	    {"\"inputs\": [{\"bytes\": 5, \"at\": \"1\"}], "
	     "\"inputs_left_out\": {\"n\": 3, \"bytes\": null}",
	     "", NAN},
	    {"\"inputs\": {\"bytes\": 5}", "", NAN},
	    {"\"inputs\": [5, \"x\", null]", "", NAN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot s = {.exit = {0}};
		read_head(&s, cases[i].members);
		assert_string_equal(s.inputs.sizes, cases[i].sizes);
		if (isnan(cases[i].bytes))
			assert_true(isnan(s.inputs.bytes));
		else
			assert_true(s.inputs.bytes == cases[i].bytes);
		assert_true(s.inputs.known == (strstr(cases[i].members, "inputs\": [") != NULL));
		snapshot_free(&s);
	}
}

TEST(the_text_is_read_again)
{
	static const struct {
		const char *text;
		size_t n;
		double sum;
		bool whole;
	} cases[] = {
	    {NULL, 0, 0, false},
	    {"", 0, 0, false},
	    {"1=5", 1, 5, true},
	    {"1=5;--in=70;#5f97fcbd=100", 3, 175, true},
	    {"1=5;…", 1, 5, false},
	    {"1=5;2=70…", 1, 5, false}, /* the row was too long: 70 may have been 7000 */
	    {"1=5;2", 1, 5, true},
	    {"1=5;=7", 1, 5, true},
	    {"1=-5", 0, 0, true},
	    {"1=nan", 0, 0, true},
	    {"1=1e999", 0, 0, true},
	    {"a-name-that-is-too-long=5", 0, 0, true},
	    {";;;", 0, 0, true},
	    /* what a foreign recording says goes into commands to paste */
	    {"1=5;$(id)=7", 1, 5, false},
	    {"`id`=7", 0, 0, false},
	    {"a b=7", 0, 0, false},
	    {"a\nb=7", 0, 0, false},
	    {"caf\xc3\xa9=7", 0, 0, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *at = cases[i].text;
		struct job_inputs_size one;
		double sum = 0;
		size_t n = 0;
		for (; job_inputs_sizes_next(&at, &one); n++)
			sum += one.bytes;
		assert_int_equal(n, cases[i].n);
		assert_true(sum == cases[i].sum);
		assert_int_equal(job_inputs_sizes_whole(cases[i].text), cases[i].whole);
	}
}

/* 64 inputs find no room: whole ones are kept, and the sum is of all. */
TEST(many_inputs_are_cut_whole)
{
	struct snapshot s = {.exit = {0}};
	struct snapshot_input v[SNAPSHOT_INPUTS_MAX];
	const char *at;
	struct job_inputs_size one;
	char number[SNAPSHOT_INPUTS_MAX][8];
	size_t n = 0;

	for (size_t i = 0; i < SNAPSHOT_INPUTS_MAX; i++) {
		snprintf(number[i], sizeof number[i], "%zu", i + 1);
		v[i] = (struct snapshot_input){"f", 1e12 + (double)i, "argument", number[i], false};
	}
	s.inputs = (struct snapshot_inputs){.known = true, .v = v, .n = SNAPSHOT_INPUTS_MAX};
	job_inputs_settle(&s);
	assert_true(s.inputs.bytes == 64e12 + 63 * 64 / 2);
	assert_true(strlen(s.inputs.sizes) <= JOB_INPUTS_SIZES_MAX);
	assert_false(job_inputs_sizes_whole(s.inputs.sizes));
	for (at = s.inputs.sizes; job_inputs_sizes_next(&at, &one); n++)
		assert_true(one.bytes == 1e12 + (double)n);
	assert_true(n >= 8 && n < 64);
	snapshot_free(&s);
}

TEST(a_row_has_them)
{
	struct snapshot s = {.exit = {0}}, again = {.exit = {0}};
	struct stats stats[METRIC_COUNT];
	struct rtrack_row row;

	read_head(&s, "\"inputs\": [{\"bytes\": 5, \"at\": \"1\"}, {\"bytes\": 6, \"at\": \"2\"}]");
	for (int i = 0; i < METRIC_COUNT; i++)
		stats[i] = stats_none();
	rtrack_row_fill(&row, &s, stats, 0);
	assert_true(row.of[RTRACK_ROW_INPUT].number == 11);
	assert_string_equal(row.of[RTRACK_ROW_INPUT_SIZES].text, "1=5;2=6");
	rtrack_row_head(&row, &again);
	assert_true(again.inputs.bytes == 11);
	assert_string_equal(again.inputs.sizes, "1=5;2=6");
	snapshot_free(&s);
	snapshot_free(&again);
}

TEST(a_copy_is_its_own)
{
	struct snapshot s = {.exit = {0}}, copy = {.exit = {0}};

	read_head(&s, "\"inputs\": [{\"name\": \"a\", \"bytes\": 5, \"via\": \"staged\", \"at\": "
	              "\"1\"}, {\"bytes\": 6, \"at\": \"2\", \"written\": true}]");
	job_inputs_copy(&copy, &s.inputs);
	snapshot_free(&s);
	assert_int_equal(copy.inputs.n, 2);
	assert_true(copy.inputs.known && copy.inputs.bytes == 5);
	assert_string_equal(copy.inputs.sizes, "1=5");
	assert_string_equal(copy.inputs.v[0].name, "a");
	assert_string_equal(copy.inputs.v[0].via, "staged");
	assert_string_equal(copy.inputs.v[0].at, "1");
	assert_true(copy.inputs.v[1].written);
	snapshot_free(&copy);
}
