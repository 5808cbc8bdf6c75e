/* fleet_source: names of files and folders that may be gone, and of catalogs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fleet/options/fleet_source.h"
#include "tests/unit/unit.h"

static char top[PATH_MAX]; /* TOP/runs, and TOP/link to it; the working directory is TOP */

static int make_folders(void **state)
{
	char folder[] = "/tmp/rtrack-source-XXXXXX";

	(void)state;
	return !mkdtemp(folder) || !realpath(folder, top) || chdir(top) || mkdir("runs", 0700) ||
	       symlink("runs", "link");
}

static int remove_folders(void **state)
{
	(void)state;
	return unlink("link") || rmdir("runs") || chdir("/") || rmdir(top);
}

ALL_TESTS_WITH(make_folders, remove_folders)

TEST(test_path)
{
	static const struct {
		const char *path, *below; /* of top */
	} cases[] = {
	    {"runs", "/runs"},
	    {"./runs/", "/runs"},
	    {"link", "/runs"},
	    {"runs/gone.json.gz", "/runs/gone.json.gz"},
	    {"link/gone/a.json", "/runs/gone/a.json"},
	    {"link/gone/./b//a.json/", "/runs/gone/b/a.json"},
	    {"gone/../other", "/other"},
	    {"gone", "/gone"},
	    {".", ""},
	    {"", ""},
	};
	char out[FLEET_SOURCE_MAX], expected[PATH_MAX + 64];
	struct err e = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(expected, sizeof expected, "%s%s", top, cases[i].below);
		assert_int_equal(fleet_source_path(cases[i].path, out, &e), 0);
		assert_string_equal(out, expected);
	}
	assert_int_equal(fleet_source_path("/nowhere-at-all/a", out, &e), 0);
	assert_string_equal(out, "/nowhere-at-all/a");
	assert_int_equal(fleet_source_path("/nowhere-at-all/../../a", out, &e), 0);
	assert_string_equal(out, "/a");
	assert_int_equal(fleet_source_path("s3://bucket/a b/../c", out, &e), 0);
	assert_string_equal(out, "s3://bucket/a b/../c");
}

TEST(test_long)
{
	char path[FLEET_SOURCE_MAX + 8], out[FLEET_SOURCE_MAX];
	struct err e = {0};

	memset(path, 'a', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	assert_int_equal(fleet_source_path(path, out, &e), -1);
	assert_non_null(strstr(e.msg, "the path is too long"));
	path[FLEET_SOURCE_MAX - 1] = '\0'; /* fits, but not below the working directory */
	assert_int_equal(fleet_source_path(path, out, &e), -1);
}

TEST(test_text)
{
	static const struct {
		const char *catalog, *text;
	} cases[] = {
	    {"runs.db", "the catalog runs.db"},
	    {"/data/a@b.db", "the catalog /data/a@b.db"},
	    {"https://host:8443/site", "the catalog https://host:8443/site"},
	    {"https://ann:secret@host:8443/site", "the catalog https://***@host:8443/site"},
	    {"https://ann:se@cret@host/site?cluster=a@b", "the catalog https://***@host/site?***"},
	    {"https://host/site?sig=secret", "the catalog https://host/site?***"},
	    {"http://ann@[::1]:8123/d", "the catalog http://***@[::1]:8123/d"},
	    {"https:/ann:secret@host/d", "the catalog https:/***@host/d"},
	    {"ann:secret@host", "the catalog ***@host"},
	};
	const struct input inputs[] = {{.name = "a"},
	                               {.name = "b/"},
	                               {.name = "s3://me:word@c/d"},
	                               {.name = "e"},
	                               {.name = "f"}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf text = {0};
		fleet_source_text(cases[i].catalog, NULL, 0, 7, &text);
		assert_string_equal(buf_cstr(&text), cases[i].text);
		buf_free(&text);
	}
	for (size_t n = 1; n <= 5; n += 2) {
		static const char *const texts[] = {
		    "1 recording in a", "3,000 recordings in a, b/, s3://***@c/d",
		    "5,000 recordings in a, b/, s3://***@c/d and 2 more"};
		struct buf text = {0};
		fleet_source_text(NULL, inputs, n, n > 1 ? (double)n * 1000 : 1, &text);
		assert_string_equal(buf_cstr(&text), texts[n / 2]);
		buf_free(&text);
	}
}

TEST(test_quote)
{
	static const struct {
		const char *text, *word;
	} cases[] = {
	    {"name=train", "name=train"},
	    {"", "''"},
	    {"wall_s > 5", "'wall_s > 5'"},
	    {"it's", "'it'\\''s'"},
	    {"$(id)`x`\"\\!*?~#;&|", "'$(id)`x`\"\\!*?~#;&|'"},
	    {"é", "'é'"},
	    {"a\nb", NULL},
	    {"a\tb", NULL},
	    {"\x1b[31m", NULL},
	    {"\x7f", NULL},
	    {"\xff", NULL},
	    {"a\xe2\x80\xae", NULL}, /* turns the direction of writing */
	};
	char longest[600];

	memset(longest, 'a', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = {0};
		assert_int_equal(fleet_source_quote(cases[i].text, &out), cases[i].word != NULL);
		assert_string_equal(buf_cstr(&out), cases[i].word ? cases[i].word : "");
		buf_free(&out);
	}
	assert_false(fleet_source_quote(longest, &(struct buf){0}));
}

TEST(test_words)
{
	const struct input inputs[] = {
	    {.name = "a b"}, {.name = "c/"}, {.name = "d"}, {.name = "e"}};
	const struct input store = {.name = "s3://bucket/runs/"};
	static const struct {
		const char *catalog;
		size_t n;
		const char *words;
	} cases[] = {{"runs.db", 0, "--catalog runs.db"},
	             {"my runs.db", 0, "--catalog 'my runs.db'"},
	             {"https://host:8443/site", 0, "--catalog DATABASE"},
	             {NULL, 2, "'a b' c/"},
	             {NULL, 4, "SOURCE..."}};
	struct buf out = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		buf_clear(&out);
		fleet_source_words(cases[i].catalog, inputs, cases[i].n, &out);
		assert_string_equal(buf_cstr(&out), cases[i].words);
	}
	buf_clear(&out);
	fleet_source_words(NULL, &store, 1, &out);
	assert_string_equal(buf_cstr(&out), "SOURCE...");
	buf_free(&out);
}
