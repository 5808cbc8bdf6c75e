/* assets: each linked file is found by name and ends with a NUL; the Content-Security-Policy has
 * the hashes of the page's own scripts and style. */
#include <string.h>

#include "report/render/assets.h"
#include "tests/unit/unit.h"

static const char *found(const char *name)
{
	size_t len = 0;
	const char *s = assets_find(NULL, name, &len);

	assert_non_null(s);
	assert_int_equal(strlen(s), len);
	assert_true(len > 0);
	return s;
}

TEST(test_each_begins_as_it_should)
{
	static const struct {
		const char *name, *start;
	} cases[] = {
	    {"report.html", "<!doctype html>"},
	    {"verdict.html", "<section"},
	    {"csp.html", "default-src 'none'; script-src 'sha256-"},
	    {"app.css", ":root"},
	    {"more.css", ".best"},
	    {"app.gz.html", "H4sI"}, /* a gzip member in base64 */
	    {"boot.js", "(async"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_memory_equal(found(cases[i].name), cases[i].start, strlen(cases[i].start));
}

/* A tag in the script or the style would end its element early. */
TEST(test_script_and_style_stay_inside)
{
	assert_null(strchr(found("app.gz.html"), '<'));
	assert_null(strstr(found("boot.js"), "</script"));
	assert_null(strstr(found("boot.js"), "<!--"));
	assert_null(strstr(found("app.css"), "</style"));
	assert_null(strstr(found("more.css"), "</style"));
}

TEST(test_unknown_is_null)
{
	size_t len = 7;

	assert_null(assets_find(NULL, "", &len));
	assert_null(assets_find(NULL, "report.htm", &len));
	assert_null(assets_find(NULL, "../report.html", &len));
}
