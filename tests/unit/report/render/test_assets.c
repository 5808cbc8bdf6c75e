/* assets: each linked file is found by name and ends with a NUL; the Content-Security-Policy has
 * the hashes of the page's own scripts and style. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "report/render/assets.h"

static const char *found(const char *name)
{
	size_t len = 0;
	const char *s = assets_find(NULL, name, &len);

	assert_non_null(s);
	assert_int_equal(strlen(s), len);
	assert_true(len > 0);
	return s;
}

static void test_each_begins_as_it_should(void **state)
{
	static const struct {
		const char *name, *start;
	} cases[] = {
	    {"report.html", "<!doctype html>"},
	    {"verdict.html", "<section"},
	    {"csp.html", "default-src 'none'; script-src 'sha256-"},
	    {"app.css", ".uplot"},
	    {"app.gz.html", "H4sI"}, /* a gzip member in base64 */
	    {"boot.js", "(async"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_memory_equal(found(cases[i].name), cases[i].start, strlen(cases[i].start));
}

/* A tag in the script or the style would end its element early. */
static void test_script_and_style_stay_inside(void **state)
{
	(void)state;
	assert_null(strchr(found("app.gz.html"), '<'));
	assert_null(strstr(found("boot.js"), "</script"));
	assert_null(strstr(found("boot.js"), "<!--"));
	assert_null(strstr(found("app.css"), "</style"));
}

static void test_unknown_is_null(void **state)
{
	size_t len = 7;

	(void)state;
	assert_null(assets_find(NULL, "", &len));
	assert_null(assets_find(NULL, "report.htm", &len));
	assert_null(assets_find(NULL, "../report.html", &len));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_each_begins_as_it_should),
	    cmocka_unit_test(test_script_and_style_stay_inside),
	    cmocka_unit_test(test_unknown_is_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
