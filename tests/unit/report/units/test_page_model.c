/* page_model: a model comes out of its page as it went in, and no page is too hostile. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/json/json_limits.h"
#include "report/units/model_json.h"
#include "report/units/page_model.h"
#include "report/units/page_model_short.h"
#include "report/units/page_points.h"
#include "tests/unit/unit.h"

#define HEAD                                                                                       \
	"<!doctype html>\n<html lang=\"en\">\n<head>\n"                                            \
	"<meta name=\"generator\" content=\"rtrack-report 1.0\">\n"

static const char model_text[] =
    "{\"title\":\"a<b>&\\\"\",\"charts\":[{\"known\":false,\"data\":\"@page\"},"
    "{\"known\":true,\"svg\":{\"series\":[{\"look\":\"tree\",\"line\":\"M1 2l3-4\",\"band\":\"\"},"
    "{\"look\":\"system\",\"line\":\"M5 6\",\"band\":\"M7 8z\"}]},"
    "\"data\":{\"from\":1,\"step\":1,\"x\":[0.5],\"mean\":[[2]],\"min\":null,\"max\":null},"
    "\"packed\":{\"from\":1,\"step\":1,\"n\":1,\"series\":[[1,\"E\"]]}},"
    "{\"known\":true,\"svg\":null,\"data\":{\"x\":[1]}}]}";

static const char chart_text[] =
    "<section class=\"chart\" data-chart=\"a\"></section>"
    "<section class=\"chart known\" data-chart=\"b\"><figure class=\"still\">"
    "<g class=\"f-soft\" fill=\"#fff\"><path d=\"M0 0\"/></g>"
    "<g class=\"tree\" color=\"#123\"><path d=\"M1 2l3-4\" fill=\"none\"/></g>"
    "<g class=\"system\" color=\"#456\"><path d=\"M7 8z\" stroke=\"none\"/><path d=\"M5 6\"/></g>"
    "</figure></section><section class=\"chart known\" data-chart=\"c\"></section>";

/* A page of the model, with its charts. */
static void make_page(struct buf *page, const cJSON *model, const char *charts)
{
	enum page_model_without without;
	struct buf element = {0};
	struct err e = {{0}};
	cJSON *view = page_points_view(model, &e);
	const char *points = cJSON_GetStringValue(cJSON_GetObjectItem(view, PAGE_TEXT_POINTS));

	assert_int_equal(page_model_pack(&element, model, 0, &without, &e), 0);
	assert_int_equal(without, PAGE_MODEL_WITHOUT_NOTHING);
	buf_printf(page, HEAD "<body>%s", charts);
	if (points && *charts)
		buf_printf(page, "<script type=\"application/gzip\" id=\"points\">%s</script>",
		           points);
	buf_printf(page, "%s</body>", buf_cstr(&element));
	buf_free(&element);
	cJSON_Delete(view);
}

static cJSON *parse_page(const struct buf *page, struct err *e)
{
	enum page_model_without without;

	return page_model_parse((struct page_text){buf_cstr(page), page->len}, "p.html", &without,
	                        e);
}

TEST(there_and_back)
{
	cJSON *model = cJSON_Parse(model_text), *again;
	struct buf page = {0};
	struct err e = {{0}};
	char *text;

	make_page(&page, model, chart_text);
	assert_null(strstr(buf_cstr(&page), "a<b>"));
	again = parse_page(&page, &e);
	if (!again)
		fail_msg("%s", e.msg);
	text = cJSON_PrintUnformatted(again);
	/* An unknown chart has no element: its text stays as it is. */
	assert_non_null(strstr(text, "{\"known\":false,\"data\":null}"));
	cJSON_ReplaceItemInObject(cJSON_GetArrayItem(cJSON_GetObjectItem(again, "charts"), 0),
	                          "data", cJSON_CreateString("@page"));
	cJSON_ReplaceItemInObject(cJSON_GetArrayItem(cJSON_GetObjectItem(again, "charts"), 0),
	                          "known", cJSON_CreateFalse());
	assert_true(cJSON_Compare(model, again, 1));
	free(text);
	cJSON_Delete(again);
	cJSON_Delete(model);
	buf_free(&page);
}

/* Texts that numbers give come back as they were; others, and money, stay in the page. */
TEST(texts_of_numbers)
{
	static const char text[] =
	    "{\"columns\":{\"a\":{\"n\":2,\"min\":0.1,\"max\":3,\"mean\":1,\"sum\":2,\"sd\":null,"
	    "\"p50\":1,\"p95\":3}},\"recording\":{\"statistics\":{\"time\":[2,1,2,1,3,0,1,2],"
	    "\"a\":[2,0.1,3,1,2,null,1,3]}},\"list\":["
	    "{\"value\":1536,\"text\":\"1.50 KiB\",\"unit\":\"bytes\"},"
	    "{\"value\":1536,\"text\":\"a lot\",\"unit\":\"bytes\"},"
	    "{\"value\":2.5,\"text\":\"$2.50\",\"unit\":\"USD\"},"
	    "{\"value\":2,\"text\":\"2 s\",\"unit\":\"s\",\"more\":1},{\"@none\":1},"
	    "{\"value\":null,\"text\":\"–\",\"unit\":\"s\"},{\"value\":2,\"unit\":\"s\"},"
	    "{\"unix\":1795234311.5,\"iso\":\"2026-11-21T04:11:51Z\","
	    "\"text\":\"2026-11-21 04:11:51 UTC\"}]}";
	cJSON *model = cJSON_Parse(text), *again;
	struct buf page = {0};
	struct json_write j = {.exponents = true};
	struct err e = {{0}};
	char *back;

	assert_non_null(model);
	make_page(&page, model, "");
	again = parse_page(&page, &e);
	assert_non_null(again);
	back = cJSON_PrintUnformatted(again);
	assert_string_equal(back, text);
	page_model_short_write(&j, NULL, model);
	assert_true(json_write_finish(&j));
	assert_non_null(strstr(buf_cstr(&j.b), "{\"@bytes\":1536}"));
	assert_non_null(strstr(buf_cstr(&j.b), "{\"@time\":1795234311.5}"));
	assert_null(strstr(buf_cstr(&j.b), "1.50 KiB"));
	json_write_free(&j);
	free(back);
	cJSON_Delete(again);
	cJSON_Delete(model);
	buf_free(&page);
}

/* A page that lost its figures and points still has a model. */
TEST(without_figures)
{
	cJSON *model = cJSON_Parse(model_text), *again;
	const cJSON *chart;
	struct buf page = {0};
	struct err e = {{0}};

	make_page(&page, model, "");
	again = parse_page(&page, &e);
	assert_non_null(again);
	chart = cJSON_GetArrayItem(cJSON_GetObjectItem(again, "charts"), 1);
	assert_true(cJSON_IsNull(cJSON_GetObjectItem(chart, "svg")));
	assert_true(cJSON_IsNull(cJSON_GetObjectItem(chart, "data")));
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(chart, "known")));
	cJSON_Delete(again);
	cJSON_Delete(model);
	buf_free(&page);
}

/* What a model is without, where the page has no room: one byte less each time. */
static void check_room(const char *recording, const enum page_model_without *without, size_t n)
{
	static const char *const marks[] = {"rtrack-model\">H4s", "data-without=\"charts\">H4s",
	                                    "data-without=\"page\">H4s", "data-without=\"all\"></"};
	struct buf text = {0}, element = {0};
	size_t page = 0;
	cJSON *model;

	buf_printf(&text,
	           "{\"recording\":%s,\"other\":\"Some words that take room: 1234567890 qwertyuiop "
	           "asdfghjkl zxcvbnm QWERTYUIOP ASDFGHJKL ZXCVBNM\",\"charts\":"
	           "[\"c5a9e8f7d6b1234098abcdefg\",\"0918273645546372819qazwsxedcrfvtgbyhnujm\"]}",
	           recording);
	model = cJSON_Parse(buf_cstr(&text));
	assert_non_null(model);
	for (size_t i = 0; i < n; i++) {
		enum page_model_without got;
		struct err e = {{0}};
		assert_int_equal(page_model_pack(&element, model, page, &got, &e), 0);
		assert_int_equal(got, without[i]);
		assert_non_null(strstr(buf_cstr(&element), marks[got]));
		assert_true(!got == !page_model_without_text(got));
		page = PAGE_MODEL_PAGE_MAX - element.len + 1;
	}
	cJSON_Delete(model);
	buf_free(&text);
	buf_free(&element);
}

TEST(room)
{
	static const enum page_model_without run[] = {
	    PAGE_MODEL_WITHOUT_NOTHING, PAGE_MODEL_WITHOUT_CHARTS, PAGE_MODEL_WITHOUT_PAGE,
	    PAGE_MODEL_WITHOUT_ALL};
	static const enum page_model_without other[] = {
	    PAGE_MODEL_WITHOUT_NOTHING, PAGE_MODEL_WITHOUT_CHARTS, PAGE_MODEL_WITHOUT_ALL};

	check_room("{}", run, 4);
	check_room("null", other, 3);
}

TEST(refused)
{
	static const struct {
		const char *page, *why;
	} cases[] = {
	    {"", "p.html: an HTML page, but not one that rtrack-report made"},
	    {"<!doctype html><script id=\"rtrack-model\">H4sI</script>",
	     "p.html: an HTML page, but not one that rtrack-report made"},
	    {HEAD, "p.html: this page carries no model"},
	    {HEAD "<script id=\"rtrack-model\">H4sI", "p.html: this page carries no model"},
	    {HEAD "<script xid=\"rtrack-model\">H4sI</script>",
	     "p.html: this page carries no model"},
	    {HEAD "<script id=\"rtrack-model\" data-without=\"all\"></script>",
	     "p.html: this page had no room for its model"},
	    {HEAD "<script id=\"rtrack-model\"></script>",
	     "p.html: the model in this page is damaged: it is not base64"},
	    {HEAD "<script id='rtrack-model'>H4sI</script>",
	     "p.html: the model in this page is damaged"},
	    {HEAD "<script id=\"rtrack-model\">W10K</script>", NULL}, /* [] that is not gzipped */
	    {HEAD "<script id=\"rtrack-model\">e30x</script>", "p.html: byte "},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {{0}};
		struct buf page = {0};
		cJSON *model;
		buf_str(&page, cases[i].page);
		model = parse_page(&page, &e);
		if (cases[i].why
		        ? model != NULL || strncmp(e.msg, cases[i].why, strlen(cases[i].why))
		        : !model)
			fail_msg("%zu: %s", i, e.msg);
		cJSON_Delete(model);
		buf_free(&page);
	}
}

/* Cut anywhere, it is refused or whole; a browser's and a mail's changes do not matter. */
TEST(changed_on_the_way)
{
	cJSON *model = cJSON_Parse(model_text), *again;
	struct buf page = {0}, other = {0};
	struct err e = {{0}};
	size_t at;

	make_page(&page, model, chart_text);
	for (size_t n = 0; n < page.len; n++) {
		struct buf cut = {.s = page.s, .len = n};
		again = parse_page(&cut, &e);
		assert_true(!again || n + sizeof "\n</body>" > page.len);
		cJSON_Delete(again);
	}
	at = (size_t)(strstr(page.s, "rtrack-model\">") - page.s) + 30;
	buf_str(&other,
	        "\xef\xbb\xbf<!DOCTYPE html><!-- saved from url=(0014)about:internet -->\r\n");
	buf_add(&other, page.s + strlen("<!doctype html>\n"), at - strlen("<!doctype html>\n"));
	buf_str(&other, "\r\n");
	buf_add(&other, page.s + at, page.len - at);
	again = parse_page(&other, &e);
	if (!again)
		fail_msg("%s", e.msg);
	cJSON_Delete(again);
	cJSON_Delete(model);
	buf_free(&page);
	buf_free(&other);
}

static size_t count_values(const cJSON *all)
{
	const cJSON *one;
	size_t n = 1;

	cJSON_ArrayForEach (one, all)
		n += count_values(one);
	return n;
}

/* A small page is no model that fills the memory, nor one that takes hours. */
TEST(unpacks_to_too_much)
{
	static const char *const models[] = {"{\"charts\":[", "{\"charts\":[{\"svg\":{\"series\":[",
	                                     "{\"charts\":["};
	/* 2000 points by a few letters */
	static const char *const items[] = {
	    "0", "0",
	    "{\"known\":true,\"data\":{},\"packed\":"
	    "{\"from\":1,\"step\":1,\"n\":2000,\"series\":[[1,\"A*v+B\"]]}}"};
	static const char *const ends[] = {"]}", "]}}]}", "]}"};

	alarm(60);
	for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
		struct buf text = {0}, charts = {0}, page = {0};
		size_t n = k == 2 ? 600 : 200000;
		struct err e = {{0}};
		cJSON *model;
		buf_str(&text, models[k]);
		for (size_t i = 0; i < n; i++)
			buf_printf(&text, "%s%s", i ? "," : "", items[k]);
		buf_str(&text, ends[k]);
		if (k == 1)
			buf_str(&charts, "<section class=\"chart\">");
		for (size_t i = 0; k < 2 && i < ((size_t)4 << 20); i++)
			buf_char(&charts, ' ');
		if (k == 2)
			buf_str(&charts, "<p>"); /* make_page writes the points then */
		model = cJSON_Parse(buf_cstr(&text));
		assert_non_null(model);
		make_page(&page, model, buf_cstr(&charts));
		cJSON_Delete(model);
		model = parse_page(&page, &e);
		if (!model)
			fail_msg("%s", e.msg);
		assert_true(count_values(model) < 2 * (size_t)JSON_LIMITS_VALUES_MAX);
		if (k == 2)
			assert_true(count_values(model) > JSON_LIMITS_VALUES_MAX / 2);
		cJSON_Delete(model);
		buf_free(&text);
		buf_free(&charts);
		buf_free(&page);
	}
	alarm(0);
}

/* A fleet's table of so many rows that the columns which the page lacks would fill the memory. */
TEST(table_of_too_much)
{
	struct buf text = {0}, table = {0}, packed = {0}, page = {0};
	struct err e = {{0}};
	enum page_model_without without;
	cJSON *model, *rows;

	buf_str(&text, "{\"groups\":{\"packed\":\"@page\",\"table\":{\"columns\":[");
	for (int i = 0; i < 64; i++)
		buf_printf(&text, "%s{\"id\":\"c%d\"}", i ? "," : "", i);
	buf_str(&text, "],\"rows\":\"@page\"}}}");
	buf_str(&table, "{\"columns\":[\"c0\"],\"values\":[[0");
	for (int i = 0; i < 100000; i++)
		buf_str(&table, ",0");
	buf_str(&table, "]]}");
	model = cJSON_Parse(buf_cstr(&table));
	assert_int_equal(page_model_pack(&packed, model, 0, &without, &e), 0);
	cJSON_Delete(model);
	/* The element of a model has the form of the table's. */
	buf_printf(&page, "<script id=\"fleet-table\"%s", strstr(buf_cstr(&packed), ">"));
	model = cJSON_Parse(buf_cstr(&text));
	buf_clear(&text);
	make_page(&text, model, buf_cstr(&page));
	cJSON_Delete(model);
	model = parse_page(&text, &e);
	if (!model)
		fail_msg("%s", e.msg);
	rows = cJSON_GetObjectItem(
	    cJSON_GetObjectItem(cJSON_GetObjectItem(model, "groups"), "table"), "rows");
	assert_true(cJSON_IsNull(rows));
	cJSON_Delete(model);
	buf_free(&text);
	buf_free(&table);
	buf_free(&packed);
	buf_free(&page);
}
