/* tree: the small shapes of the model, and its way to JSON and back. */
#include <math.h>

#include "report/units/model_json.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

static void same_text(const cJSON *tree, const char *expected)
{
	struct json_write j = {0};

	model_json_write(&j, NULL, tree);
	assert_true(json_write_finish(&j));
	assert_string_equal(buf_cstr(&j.b), expected);
	json_write_free(&j);
}

TEST(quantities)
{
	static const struct {
		enum unit unit;
		double v;
		const char *currency, *expected;
	} cases[] = {
	    {UNIT_BYTES, 1536, NULL, "{\"value\":1536,\"text\":\"1.50 KiB\",\"unit\":\"bytes\"}"},
	    {UNIT_RATE, 0, NULL, "{\"value\":0,\"text\":\"0 B/s\",\"unit\":\"bytes/s\"}"},
	    {UNIT_CORES, 1, NULL, "{\"value\":1,\"text\":\"1.00 core\",\"unit\":\"cores\"}"},
	    {UNIT_CORES, 1.5, NULL, "{\"value\":1.5,\"text\":\"1.50 cores\",\"unit\":\"cores\"}"},
	    {UNIT_CORES, NAN, NULL,
	     "{\"value\":null,\"text\":\"not measured\",\"unit\":\"cores\"}"},
	    {UNIT_SECONDS, 61, NULL, "{\"value\":61,\"text\":\"1 min 1 s\",\"unit\":\"s\"}"},
	    {UNIT_GPUS, 0.5, NULL, "{\"value\":0.5,\"text\":\"0.50 GPUs\",\"unit\":\"GPUs\"}"},
	    {UNIT_GPUS, 1, NULL, "{\"value\":1,\"text\":\"1.00 GPU\",\"unit\":\"GPUs\"}"},
	    {UNIT_COUNT, 12345, NULL, "{\"value\":12345,\"text\":\"12,345\",\"unit\":\"count\"}"},
	    {UNIT_COUNT, INFINITY, NULL,
	     "{\"value\":null,\"text\":\"infinite\",\"unit\":\"count\"}"},
	    {UNIT_PERCENT, 12.5, NULL, "{\"value\":12.5,\"text\":\"12.5%\",\"unit\":\"%\"}"},
	    {UNIT_WATTS, 312.4, NULL, "{\"value\":312.4,\"text\":\"312 W\",\"unit\":\"W\"}"},
	    {UNIT_CELSIUS, 71, NULL, "{\"value\":71,\"text\":\"71 °C\",\"unit\":\"°C\"}"},
	    {UNIT_CELSIUS, NAN, NULL, "{\"value\":null,\"text\":\"not measured\",\"unit\":\"°C\"}"},
	    {UNIT_MONEY, 0.5, NULL, "{\"value\":0.5,\"text\":\"$0.50\",\"unit\":\"USD\"}"},
	    {UNIT_MONEY, 0.5, "", "{\"value\":0.5,\"text\":\"$0.50\",\"unit\":\"USD\"}"},
	    {UNIT_MONEY_HOUR, 0.5, "EUR",
	     "{\"value\":0.5,\"text\":\"0.50 EUR/h\",\"unit\":\"EUR/h\"}"},
	    {UNIT_MONEY, NAN, "EUR", "{\"value\":null,\"text\":\"unknown\",\"unit\":\"EUR\"}"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cJSON *array = cJSON_CreateArray(), *object = cJSON_CreateObject();
		cJSON *in_array =
		    model_json_money(array, NULL, cases[i].unit, cases[i].v, cases[i].currency);
		same_text(in_array, cases[i].expected);
		assert_int_equal(cJSON_GetArraySize(array), 1);
		model_json_money(object, "q", cases[i].unit, cases[i].v, cases[i].currency);
		same_text(cJSON_GetObjectItemCaseSensitive(object, "q"), cases[i].expected);
		cJSON_Delete(array);
		cJSON_Delete(object);
	}
}

TEST(moments)
{
	cJSON *o = cJSON_CreateObject();

	model_json_time(o, "a", 1795243911.5);
	model_json_time(o, "b", NAN);
	model_json_time(o, "c", 1e300);
	model_json_number(o, "d", INFINITY);
	same_text(o, "{\"a\":{\"unix\":1795243911.5,\"iso\":\"2026-11-21T06:51:51Z\","
	             "\"text\":\"2026-11-21 06:51:51 UTC\"},\"b\":null,\"c\":null,\"d\":null}");
	cJSON_Delete(o);
}

TEST(cuts)
{
	static const struct {
		const char *text;
		size_t max;
		const char *expected;
	} cases[] = {
	    {"abc", 3, "[\"abc\"]"},
	    {"abcd", 3, "[\"abc…\"]"},
	    {"", 3, "[null]"},
	    {NULL, 3, "[null]"},
	    {"aé", 3, "[\"aé\"]"},
	    {"a\nb\r\n", 5, "[\"a b  \"]"}, /* one line */
	    {"a\nbc", 3, "[\"a b…\"]"},
	    {"abé", 3, "[\"ab…\"]"}, /* no character is split */
	    {"a\xf0\x9f\x90\x9fz", 3, "[\"a…\"]"},
	    {"\x80\x80\x80\x80", 3, "[\"…\"]"},
	};
	cJSON *fact = cJSON_CreateArray();
	char longer[MODEL_JSON_TEXT_MAX + 2];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cJSON *array = cJSON_CreateArray();
		model_json_cut_or_null(array, NULL, cases[i].text, cases[i].max);
		same_text(array, cases[i].expected);
		cJSON_Delete(array);
	}
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	model_json_fact(fact, "os", "System", longer);
	assert_int_equal(strlen(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
			     cJSON_GetArrayItem(fact, 0), "text"))),
	                 MODEL_JSON_TEXT_MAX + strlen("…"));
	cJSON_Delete(fact);
}

/* What is printed reads back as the same tree: every number, every string. */
TEST_WITH(round_trip, recordings_begin, recordings_end)
{
	static const char *const texts[] = {
	    "{}",
	    "[]",
	    "null",
	    "[true,false,null,\"\",0,-1.5,1e300,5e-324,0.1,9007199254740993]",
	    "{\"a\":{\"b\":[{\"c\":[[1],[2]]}]},\"A\":1}",
	    "[1795243911.123,100000000000000000000,1.7976931348623157e308]",
	    "\"\\u003c/script\\u003e\\u2028\\u0026 é \\\" \\\\ \\n \\u0001\"",
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct json_write j = {0}, k = {0};
		cJSON *a = model_json_read(recordings_file(t, "m.json", texts[i]), &t->e), *b;
		assert_non_null(a);
		model_json_write(&j, NULL, a);
		assert_true(json_write_finish(&j));
		b = model_json_read(recordings_file(t, "n.json", buf_cstr(&j.b)), &t->e);
		assert_non_null(b);
		model_json_write(&k, NULL, b);
		assert_true(json_write_finish(&k));
		assert_string_equal(buf_cstr(&j.b), buf_cstr(&k.b));
		assert_null(strstr(buf_cstr(&j.b), "</"));
		assert_true(cJSON_Compare(a, b, 1));
		json_write_free(&j);
		json_write_free(&k);
		cJSON_Delete(a);
		cJSON_Delete(b);
	}
}

TEST_WITH(bad_files, recordings_begin, recordings_end)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
	    {"", "m.json: byte 0: wrong JSON"},
	    {"{\"a\": 1", "m.json: byte 7: wrong JSON"},
	    {"{\"a\": }", "m.json: byte 6: wrong JSON"},
	    {"{} trailing", "m.json: byte 3: wrong JSON"},
	    {"\x1f\x8b\x08", "m.json: "},
	};
	struct recordings *t = *state;
	cJSON *tree;
	FILE *f;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		t->e = (struct err){0};
		assert_null(model_json_read(recordings_file(t, "m.json", cases[i].text), &t->e));
		assert_non_null(strstr(t->e.msg, cases[i].sentence));
	}
	/* a NUL ends nothing: as an escape it is seen, as a byte it is refused */
	tree = model_json_read(recordings_file(t, "m.json", "{\"a\":\"b\\u0000c\"}"), &t->e);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(tree, "a")), "b\xef\xbf\xbd"
	                                                                          "c");
	cJSON_Delete(tree);
	f = fopen(recordings_path(t, "m.json"), "we");
	assert_non_null(f);
	assert_int_equal(fwrite("[\"a\0b\"]", 1, 7, f), 7);
	assert_int_equal(fclose(f), 0);
	assert_null(model_json_read(t->path, &t->e));
	assert_non_null(strstr(t->e.msg, "m.json: byte 3: a NUL byte"));
	assert_null(model_json_read(recordings_path(t, "missing"), &t->e));
	assert_non_null(strstr(t->e.msg, "missing: No such file or directory"));
	assert_null(model_json_read("/dev/zero", &t->e));
	assert_string_equal(t->e.msg, "/dev/zero: is not a regular file");
	assert_null(model_json_read(t->folder, &t->e));
	assert_non_null(strstr(t->e.msg, ": is not a regular file"));
}

/* Sixty-four levels and half a million values are read, one more is not; what stands in a string is
 * neither. */
TEST_WITH(heavy_files, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	for (size_t more = 0; more < 2; more++) {
		struct buf values = {0}, levels = {0};
		cJSON *one, *two;
		buf_str(&values, "[\"[[\\\",,\"");
		for (size_t i = 0; i < 999998 + more; i++)
			buf_str(&values, ",0");
		buf_str(&values, "]");
		for (size_t i = 0; i < 64 + more; i++)
			buf_str(&levels, "[");
		for (size_t i = 0; i < 64 + more; i++)
			buf_str(&levels, "]");
		t->e = (struct err){0};
		one = model_json_read(recordings_file(t, "m.json", buf_cstr(&values)), &t->e);
		assert_true(more == !one);
		assert_true(more == !!strstr(t->e.msg, "m.json: the model has more than 1000000"));
		two = model_json_read(recordings_file(t, "m.json", buf_cstr(&levels)), &t->e);
		assert_true(more == !two);
		assert_true(more == !!strstr(t->e.msg, "m.json: the model is nested deeper than"));
		cJSON_Delete(one);
		cJSON_Delete(two);
		buf_free(&values);
		buf_free(&levels);
	}
}

/* Deeper than JSON_WRITE_DEPTH_MAX nothing is written, and the writer says so. */
TEST(too_deep)
{
	cJSON *root = cJSON_CreateArray(), *at = root;
	struct json_write j = {0};

	for (int i = 0; i < 5000; i++) {
		cJSON *child = cJSON_CreateArray();
		cJSON_AddItemToArray(at, child);
		at = child;
	}
	model_json_write(&j, NULL, root);
	assert_false(json_write_finish(&j));
	json_write_free(&j);
	cJSON_Delete(root);
}

/* Where an object found no place, what is added to it must not go into memory that is free. */
TEST(no_place)
{
	assert_null(model_json_quantity(NULL, NULL, UNIT_SECONDS, 1));
	assert_null(model_json_quantity(NULL, "a", UNIT_SECONDS, 1));
}
