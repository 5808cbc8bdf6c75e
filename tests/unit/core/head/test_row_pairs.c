/* row_pairs: which labels find room, and in which order. */
#include <string.h>

#include "core/head/row_pairs.h"
#include "tests/unit/unit.h"

static void check(struct snapshot_pair *v, size_t n, size_t size, const char *expected)
{
	const struct snapshot_pairs pairs = {.v = v, .n = n};
	char out[257];

	row_pairs_text(&pairs, out, size);
	assert_string_equal(out, expected);
}

TEST(in_their_order)
{
	struct snapshot_pair v[] = {{"b", "1"},  {"a", "2"},  {"", "3"},
	                            {"c", NULL}, {NULL, "4"}, {"d", ""}};

	check(v, 6, 257, "b=1;a=2;d=");
	check(v, 2, 7, "b=1"); /* whole pairs */
	check(v, 2, 8, "b=1;a=2");
	check(v, 0, 1, "");
}

/* The address of a run pushes no label out that says which job it is. */
TEST(ci_jobs_first)
{
	char url[230];
	struct snapshot_pair v[] = {
	    {"ci.run_url", url}, {"ci.run_id", "77"}, {"ci.workflow", "CI"}, {"ci.job", "build"}};

	memset(url, 'x', sizeof url - 1);
	url[sizeof url - 1] = '\0';
	check(v, 4, 257, "ci.workflow=CI;ci.job=build;ci.run_id=77");
}
