/* report_link: which addresses a page has of reports beside recordings. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fleet/groups/report_link.h"
#include "tests/unit/unit.h"

static char folder[] = "/tmp/report-link-XXXXXX", before[PATH_MAX];

static void touch(const char *name)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fclose(f);
}

static int begin(void **state)
{
	(void)state;
	assert_non_null(getcwd(before, sizeof before));
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	mkdir("runs", 0755);
	mkdir("runs/a b", 0755);
	mkdir("pages", 0755);
	mkdir("runs/dir.html", 0755);
	touch("runs/one.html");
	touch("runs/a b/<x>\"'?#%&ż.html");
	touch("runs/javascript:alert(1).html");
	return 0;
}

static int end(void **state)
{
	(void)state;
	unlink("runs/one.html");
	unlink("runs/a b/<x>\"'?#%&ż.html");
	unlink("runs/javascript:alert(1).html");
	rmdir("runs/dir.html");
	rmdir("runs/a b");
	rmdir("runs");
	rmdir("pages");
	assert_int_equal(chdir(before), 0);
	return rmdir(folder);
}

ALL_TESTS_WITH(begin, end)

TEST(addresses)
{
	/* source: after the folder, if it begins with a slash. */
	static const struct {
		const char *source, *page, *expected;
	} cases[] = {
	    {"/runs/one.json.gz", "fleet.html", "runs/one.html"},
	    {"/runs/one.json", "./fleet.html", "runs/one.html"},
	    {"/runs/one.json.gz", "pages/fleet.html", "../runs/one.html"},
	    {"/runs/one.json.gz", "pages/../runs//fleet.html", "one.html"},
	    {"/runs/./a b/../one.json.gz", "pages/fleet.html", "../runs/one.html"},
	    {"/runs/a b/<x>\"'?#%&ż.json.gz", "fleet.html",
	     "runs/a%20b/%3Cx%3E%22%27%3F%23%25%26%C5%BC.html"},
	    {"/runs/javascript:alert(1).json", "runs/fleet.html", "javascript%3Aalert%281%29.html"},
	    /* The run is known from its report. */
	    {"/runs/one.html", "fleet.html", "runs/one.html"},
	    /* There is no such file, or it is not a file. */
	    {"/runs/two.html", "fleet.html", ""},
	    {"/runs/two.json.gz", "fleet.html", ""},
	    {"/runs/dir.json.gz", "fleet.html", ""},
	    {"/runs/.json.gz", "fleet.html", ""},
	    /* There is nothing to be relative to. */
	    {"/runs/one.json.gz", "-", ""},
	    {"/runs/one.json.gz", NULL, ""},
	    {"https://host/runs/one.json.gz", "fleet.html", ""},
	    {"s3://bucket/one.json.gz", "fleet.html", ""},
	    {"", "fleet.html", ""},
	    {NULL, "fleet.html", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf source = {0}, out = {0};
		bool here = cases[i].source && *cases[i].source == '/';
		buf_printf(&source, "%s%s", here ? folder : "",
		           cases[i].source ? cases[i].source : "");
		report_link(cases[i].source ? buf_cstr(&source) : NULL, cases[i].page, &out);
		assert_string_equal(buf_cstr(&out), cases[i].expected);
		buf_free(&source);
		buf_free(&out);
	}
}

/* The page's path may be absolute, or in another tree. */
TEST(elsewhere)
{
	struct buf page = {0}, source = {0}, out = {0}, expected = {0};

	buf_printf(&page, "%s/runs/x/y/fleet.html", folder);
	buf_printf(&source, "%s/runs/one.json.gz", folder);
	report_link(buf_cstr(&source), buf_cstr(&page), &out);
	assert_string_equal(buf_cstr(&out), "../../one.html");
	buf_clear(&out);
	report_link(buf_cstr(&source), "/srv/fleet.html", &out);
	buf_printf(&expected, "..%s/runs/one.html", folder);
	assert_string_equal(buf_cstr(&out), buf_cstr(&expected));
	buf_free(&page);
	buf_free(&source);
	buf_free(&expected);
	buf_free(&out);
}

TEST(long_paths)
{
	struct buf source = {0}, out = {0};

	for (int i = 0; i < 5000; i++)
		buf_str(&source, "/x");
	buf_str(&source, ".json.gz");
	report_link(buf_cstr(&source), "fleet.html", &out);
	assert_string_equal(buf_cstr(&out), "");
	buf_free(&source);
	buf_free(&out);
}
