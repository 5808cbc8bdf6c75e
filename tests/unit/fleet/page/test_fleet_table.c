/* fleet_table: how values are written for programs, and for the script of the page. */
#include <math.h>

#include "core/base/base64.h"
#include "core/base/gz.h"
#include "fleet/page/fleet_table.h"
#include "tests/unit/unit.h"

static const struct fleet_table_column number = {"n", "N", UNIT_COUNT, FLEET_TABLE_NUMBER, ""},
				       share = {"s", "S", UNIT_COUNT, FLEET_TABLE_SHARE, "%"},
				       at = {"t", "T", UNIT_COUNT, FLEET_TABLE_TIME, ""},
				       text = {"x", "X", UNIT_COUNT, FLEET_TABLE_TEXT, ""};
static const struct fleet_table_form brief = {
    .digits = 4, .share_digits = 2, .exact = 1e6, .text_max = 8};

TEST(values)
{
	static const struct {
		const struct fleet_table_column *column;
		struct fleet_table_cell cell;
		const char *whole, *brief;
	} cases[] = {
	    {&number, {.number = 1234.56789}, "1234.56789", "1235"},
	    {&number, {.number = -0.000123456}, "-0.000123456", "-1235e-7"},
	    {&number, {.number = 123456}, "123456", "123456"},
	    {&number, {.number = 12345678}, "12345678", "1235e4"},
	    {&number, {.number = (double)NAN}, "null", "null"},
	    {&number, {.number = (double)INFINITY}, "null", "null"},
	    {&share, {.number = 0.12345}, "0.12345", "12e-2"},
	    {&at, {.number = 1795000000.4}, "\"2026-11-18T11:06:40Z\"", "1795000000"},
	    {&at, {.number = (double)NAN}, "null", "null"},
	    {&text, {.text = "a \"name\" that is long"}, "\"a \\\"name\\\" that is long\"", NULL},
	    {&text, {.text = ""}, "null", "null"},
	    {&text, {.text = NULL}, "null", "null"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = {0};
		fleet_table_add(&out, cases[i].column, cases[i].cell, &fleet_table_whole);
		assert_string_equal(buf_cstr(&out), cases[i].whole);
		buf_clear(&out);
		fleet_table_add(&out, cases[i].column, cases[i].cell, &brief);
		if (cases[i].brief)
			assert_string_equal(buf_cstr(&out), cases[i].brief);
		else
			assert_true(out.len <= brief.text_max + sizeof "\"\"\\\\…");
		buf_free(&out);
	}
}

TEST(rows)
{
	cJSON *table = cJSON_CreateObject(), *all;
	struct buf values = {0};
	char *json;

	fleet_table_heads(table, &number, 1, NULL);
	all = cJSON_AddArrayToObject(table, "rows");
	for (int i = 0; i < 2; i++) {
		fleet_table_add(&values, &number, (struct fleet_table_cell){.number = i},
		                &fleet_table_whole);
		fleet_table_add(&values, &text, (struct fleet_table_cell){.text = "a"},
		                &fleet_table_whole);
		fleet_table_take_row(all, &values);
	}
	json = cJSON_PrintUnformatted(table);
	assert_string_equal(json, "{\"columns\":[{\"id\":\"n\",\"label\":\"N\",\"unit\":\"count\","
	                          "\"kind\":\"number\"}],\"rows\":[[0,\"a\"],[1,\"a\"]]}");
	cJSON_free(json);
	cJSON_Delete(table);
	buf_free(&values);
}

TEST(packed)
{
	static const struct fleet_table_column column[] = {
	    {"x", "X \"quoted\"", UNIT_COUNT, FLEET_TABLE_TEXT, ""},
	    {"n", "N", UNIT_CORES, FLEET_TABLE_NUMBER, "→ n"},
	    {"none", "None", UNIT_COUNT, FLEET_TABLE_NUMBER, ""},
	    {"m", "M", UNIT_MONEY, FLEET_TABLE_NUMBER, ""},
	    {"s", "S", UNIT_PERCENT, FLEET_TABLE_SHARE, "%"},
	    {"c", "C", UNIT_COUNT, FLEET_TABLE_CHANGE, ""},
	    {"t", "T", UNIT_SECONDS, FLEET_TABLE_TIME, ""},
	};
	struct buf values[7] = {{0}}, packed = {0}, zipped = {0};
	struct gz_head *g;
	struct err e;
	char json[1024] = "";

	for (size_t c = 0; c < 7; c++)
		if (c != 2)
			buf_str(&values[c], c ? "1" : "\"a\"");
	assert_int_equal(fleet_table_pack(&packed, column, values, 7, "EUR", 6), 0);
	assert_int_equal(base64_read(&zipped, packed.s, packed.len), 0);
	g = gz_head_new(&e);
	assert_true(gz_head_read(g, zipped.s, zipped.len, json, sizeof json - 1) > 0);
	gz_head_free(g);
	assert_string_equal(
	    json, "{\"columns\":[[\"x\",\"X \\\"quoted\\\"\",\"\",\"X \\\"quoted\\\"\"],"
		  "[\"n\",\"N\",\"cores\",\"→ n\"],[\"m\",\"M\",\"EUR\",\"M\"],"
		  "[\"s\",\"S\",\"share\",\"%\"],[\"c\",\"C\",\"change\",\"C\"],"
		  "[\"t\",\"T\",\"day\",\"T\"]],\"values\":[[\"a\"],[1],[1],[1],[1],[1]]}");
	for (size_t c = 0; c < 7; c++)
		buf_free(&values[c]);
	buf_free(&packed);
	buf_free(&zipped);
}
