/* clickhouse_tsv: rows as ClickHouse 18.16 writes them, and broken ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/catalog/clickhouse_tsv.h"
#include "tests/unit/unit.h"

static const struct catalog_output outputs[] = {
    {.kind = CATALOG_OUT_MAX, .column = RTRACK_ROW_WALL},
    {.kind = CATALOG_OUT_MAP, .column = CATALOG_COLUMN_CLASS, .n = 1, .value = {RTRACK_ROW_WALL}},
    {.kind = CATALOG_OUT_NEWEST, .column = RTRACK_ROW_START},
    {.kind = CATALOG_OUT_TOP, .column = RTRACK_ROW_WALL},
    {.kind = CATALOG_OUT_PLAIN, .column = RTRACK_ROW_USER},
    {.kind = CATALOG_OUT_PLAIN, .column = RTRACK_ROW_WALL},
};
#define OUTPUTS (sizeof outputs / sizeof *outputs)

static int read_row(struct clickhouse_row *r, const char *line, char **copy)
{
	*copy = strdup(line);
	assert_non_null(*copy);
	return clickhouse_row_read(r, *copy, 1, outputs, OUTPUTS);
}

TEST(whole)
{
	struct clickhouse_row r = {0};
	char *line;

	assert_int_equal(read_row(&r,
	                          "a\\0b\\tc\\\\\\'\\n\t2.5\t([0,3],[2,1],[7.25,1e300])\t/x\\\\y\t"
	                          "['/a\\'b','','c,d]']\tann\t\\N",
	                          &line),
	                 0);
	assert_string_equal(r.v[0].text, "a"); /* a NUL ends a text */
	assert_true(fabs(r.v[1].number - 2.5) < 1e-9);
	assert_int_equal(r.v[2].map.n, 2);
	assert_int_equal(r.v[2].map.width, 2);
	assert_true(fabs(catalog_map_key(&r.v[2].map, 1) - 3) < 1e-9);
	assert_true(fabs(catalog_map_at(&r.v[2].map, 0, 1) - 7.25) < 1e-9);
	assert_true(fabs(catalog_map_at(&r.v[2].map, 1, 0) - 1) < 1e-9);
	assert_string_equal(r.v[3].text, "/x\\y");
	assert_int_equal(r.v[4].n, 3);
	assert_string_equal(r.v[4].list[0], "/a'b");
	assert_string_equal(r.v[4].list[1], "");
	assert_string_equal(r.v[4].list[2], "c,d]");
	assert_string_equal(r.v[5].text, "ann");
	assert_true(isnan(r.v[6].number));
	free(line);

	/* the same row again, with less and with nothing in it */
	assert_int_equal(read_row(&r, "\\t\tnan\t([],[],[])\t\t[]\t\t0", &line), 0);
	assert_string_equal(r.v[0].text, "\t");
	assert_true(isnan(r.v[1].number));
	assert_int_equal(r.v[2].map.n, 0);
	assert_int_equal(r.v[4].n, 0);
	assert_true(fabs(r.v[6].number) < 1e-9);
	free(line);
	clickhouse_row_free(&r);
}

TEST(broken)
{
	static const char *const lines[] = {
	    "",
	    "k\t1\t([],[],[])\t\t[]\t",
	    "k\t1\t([],[],[])\t\t[]\t\t0\tmore",
	    "k\tx\t([],[],[])\t\t[]\t\t0",
	    "k\t1\t([],[])\t\t[]\t\t0",
	    "k\t1\t([],[],[],[])\t\t[]\t\t0",
	    "k\t1\t([1],[2],[])\t\t[]\t\t0",
	    "k\t1\t([1],[2],[3)\t\t[]\t\t0",
	    "k\t1\t([1,],[2],[3])\t\t[]\t\t0",
	    "k\t1\t([2,1],[2,2],[3,3])\t\t[]\t\t0",
	    "k\t1\t([1,1],[2,2],[3,3])\t\t[]\t\t0",
	    "k\t1\t([1,2,3,4,5,6,7,8,9],[1],[1])\t\t[]\t\t0",
	    "k\t1\t([nan],[1],[1])\t\t[]\t\t0",
	    "k\t1\t([1],[inf],[1])\t\t[]\t\t0",
	    "k\t1\t([1],[1],[1])x\t\t[]\t\t0",
	    "k\t1\t([],[],[])\t\t['a\t\t0",
	    "k\t1\t([],[],[])\t\t['a'\t\t0",
	    "k\t1\t([],[],[])\t\t[a]\t\t0",
	    "k\t1\t([],[],[])\t\t['a']]\t\t0",
	    "k\t1\t([],[],[])\t\t[]\t\t0x1",
	};
	struct clickhouse_row r = {0};
	char *line;

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		if (read_row(&r, lines[i], &line) == 0)
			fail_msg("%s", lines[i]);
		free(line);
	}
	clickhouse_row_free(&r);
}
