/* keeper_cache: which files are accepted, and which answers are cached. tests/services has the disk
 * and the network. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/prices/keeper_cache.h"
#include "tests/unit/unit.h"

#define URL "https://h/servers?a=1"

TEST(heads)
{
	static const struct {
		const char *text;
		size_t body;
		double at;
	} cases[] = {
	    {"rtrack-keeper-cache 1 1795234311 " URL "\n[]", 55, 1795234311},
	    {"rtrack-keeper-cache 1 0 " URL "\n", 46, 0},
	    {"rtrack-keeper-cache 1 999999999999 " URL "\n[]", 57, 999999999999},
	    {"rtrack-keeper-cache 1 9999999999999 " URL "\n[]", 0, 0}, /* too many digits */
	    {"rtrack-keeper-cache 1  " URL "\n[]", 0, 0},
	    {"rtrack-keeper-cache 1 -5 " URL "\n[]", 0, 0},
	    {"rtrack-keeper-cache 1 5.5 " URL "\n[]", 0, 0},
	    {"rtrack-keeper-cache 1 nan " URL "\n[]", 0, 0},
	    {"rtrack-keeper-cache 2 5 " URL "\n[]", 0, 0},
	    {"rtrack-keeper-cache 1 5 " URL "2\n[]", 0, 0}, /* another URL */
	    {"rtrack-keeper-cache 1 5 https://h/servers?a=\n1", 0, 0},
	    {"rtrack-keeper-cache 1 5 " URL, 0, 0}, /* no end of line */
	    {"rtrack-keeper-cache 1 5\n", 0, 0},
	    {"rtrack-keeper-cache 1 \n", 0, 0},
	    {"rtrack-keeper", 0, 0},
	    {"\n", 0, 0},
	    {"", 0, 0},
	    {"[]", 0, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double at = 0;
		size_t body = keeper_cache_head(cases[i].text, strlen(cases[i].text), URL, &at);
		if (body != cases[i].body || fabs(at - cases[i].at) > 0.5)
			fail_msg("case %zu: %zu, %.0f", i, body, at);
	}
}

TEST(defaults)
{
	static const struct {
		const char *xdg, *home, *path;
	} cases[] = {
	    {"/x", "/h", "/x/rtrack"},
	    {NULL, "/h", "/h/.cache/rtrack"},
	    {"", "/h", "/h/.cache/rtrack"},
	    {"x", "/h", "/h/.cache/rtrack"},
	    {NULL, NULL, NULL},
	    {NULL, "", NULL},
	    {NULL, "h", NULL},
	    {"../x", "h", NULL},
	};
	char path[KEEPER_CACHE_PATH], *longer;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unsetenv("XDG_CACHE_HOME");
		unsetenv("HOME");
		if (cases[i].xdg)
			setenv("XDG_CACHE_HOME", cases[i].xdg, 1);
		if (cases[i].home)
			setenv("HOME", cases[i].home, 1);
		assert_int_equal(keeper_cache_default(path), cases[i].path != NULL);
		if (cases[i].path)
			assert_string_equal(path, cases[i].path);
	}
	longer = malloc(KEEPER_CACHE_PATH);
	assert_non_null(longer);
	memset(longer, '/', KEEPER_CACHE_PATH - 1);
	longer[KEEPER_CACHE_PATH - 1] = '\0';
	setenv("HOME", longer, 1);
	assert_false(keeper_cache_default(path));
	free(longer);
}

static void expect_kept(const struct keeper_cache *c, const char *url, double now, const char *body)
{
	struct keeper_cached got;

	keeper_cache_get(c, url, now, &got);
	if (body) {
		assert_non_null(got.body);
		assert_int_equal(got.len, strlen(body));
		assert_string_equal(got.body, body);
	} else
		assert_null(got.body);
	free(got.body);
}

TEST(kept_and_read)
{
	char dir[] = "/tmp/rtrack-cache-XXXXXX", *large = malloc(KEEPER_CACHE_BODY + 2);
	struct keeper_cache c;
	struct err e = {0};
	char command[64];

	assert_non_null(large);
	assert_non_null(mkdtemp(dir));
	assert_int_equal(keeper_cache_open(&c, dir, true, &e), 0);
	expect_kept(&c, URL, 100, NULL);
	keeper_cache_put(&c, URL, "[1]", 3, 100);
	keeper_cache_put(&c, URL "&b=2", "", 0, 100);
	expect_kept(&c, URL, 100, "[1]");
	expect_kept(&c, URL "&b=2", 5000, "");
	expect_kept(&c, URL "&b=3", 5000, NULL);
	expect_kept(&c, URL, 99, NULL); /* from the future */
	keeper_cache_put(&c, URL, "[2]", 3, 200);
	expect_kept(&c, URL, 200, "[2]");
	/* Not cached: too large, a URL with a password, a URL of several lines. */
	memset(large, ' ', KEEPER_CACHE_BODY + 1);
	large[KEEPER_CACHE_BODY + 1] = '\0';
	keeper_cache_put(&c, "https://h/l", large, KEEPER_CACHE_BODY + 1, 1);
	expect_kept(&c, "https://h/l", 1, NULL);
	large[KEEPER_CACHE_BODY] = '\0';
	keeper_cache_put(&c, "https://h/l", large, KEEPER_CACHE_BODY, 1);
	expect_kept(&c, "https://h/l", 1, large);
	keeper_cache_put(&c, "https://u:p@h/", "[]", 2, 1);
	expect_kept(&c, "https://u:p@h/", 1, NULL);
	keeper_cache_put(&c, "https://h/\nx", "[]", 2, 1);
	expect_kept(&c, "https://h/\nx", 1, NULL);
	keeper_cache_close(&c);
	/* Without a cache, nothing is cached. */
	keeper_cache_put(&c, URL, "[3]", 3, 300);
	expect_kept(&c, URL, 300, NULL);
	snprintf(command, sizeof command, "rm -r %s", dir);
	assert_int_equal(system(command), 0);
	assert_int_equal(keeper_cache_open(&c, dir, false, &e), -1);
	assert_false(c.open);
	/* Longer than PATH_MAX. */
	memset(large, 'a', KEEPER_CACHE_PATH);
	large[KEEPER_CACHE_PATH] = '\0';
	assert_int_equal(keeper_cache_open(&c, large, true, &e), -1);
	assert_non_null(strstr(e.msg, "too long"));
	assert_false(c.open);
	free(large);
}
