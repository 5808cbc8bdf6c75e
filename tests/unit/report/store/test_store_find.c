/* store_find: which recordings a prefix or a glob stands for, and which pieces count. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "report/store/store_find.h"
#include "tests/unit/unit.h"

static bool is_recording_name(const char *name)
{
	return *name != '.' && strstr(name, ".json");
}

/* Appends "ADDRESS SIZE MODIFIED TAG\n", with '+' before pieces. */
static int note_found(void *ctx, const struct store_found *f, struct err *e)
{
	(void)e;
	buf_printf(ctx, "%s%s %d %g %s\n", f->pieces ? "+" : "", f->address, (int)f->size,
	           f->modified, f->tag);
	return 0;
}

/* What place stands for among the keys of its bucket, each followed by a newline. Object i is of i + 1
 * bytes. */
static void expect_found(const char *place, const char *keys, const char *expected)
{
	struct store_find *f = calloc(1, sizeof *f);
	char *all = strdup(keys), *rest = all;
	struct buf got = {0};
	struct err e = {0};
	int i = 0;

	assert_non_null(f);
	assert_non_null(all);
	f->is_recording = is_recording_name;
	f->each = note_found;
	f->ctx = &got;
	assert_int_equal(store_find_begin(f, place, &e), 0);
	for (char *key; (key = strsep(&rest, "\n")) && *key; i++) {
		char address[1200];
		struct store_object o = {.address = address, .size = (uint64_t)i + 1};
		o.modified = 100 + i;
		snprintf(o.tag, sizeof o.tag, "t%d", i);
		snprintf(address, sizeof address, "s3://%.*s/%s", (int)strcspn(place + 5, "/"),
		         place + 5, key);
		assert_int_equal(store_find_object(f, &o, &e), 0);
	}
	assert_int_equal(store_find_end(f, &e), 0);
	assert_string_equal(buf_cstr(&got), expected);
	buf_free(&got);
	free(all);
	free(f);
}

TEST(prefixes)
{
	expect_found("s3://b", "a.json\nb.html\nc/.d.json\nc/d.json.gz\n",
	             "s3://b/a.json 1 100 t0\ns3://b/c/d.json.gz 4 103 t3\n");
	expect_found("s3://b/c/", "c/\nc/d.json\n", "s3://b/c/d.json 2 101 t1\n");
	expect_found("s3://b/c/", "", "");
}

TEST(globs)
{
	static const char keys[] = "r/.a.json\nr/a.json\nr/a/b.json\nr/b.json\nr/c.txt\n";

	expect_found(
	    "s3://b/r/*", keys,
	    "s3://b/r/a.json 2 101 t1\ns3://b/r/b.json 4 103 t3\ns3://b/r/c.txt 5 104 t4\n");
	expect_found("s3://b/r/[b-z]*.json", keys, "s3://b/r/b.json 4 103 t3\n");
	expect_found("s3://b/r/?.json", keys,
	             "s3://b/r/a.json 2 101 t1\ns3://b/r/b.json 4 103 t3\n");
	expect_found("s3://b/r/.*", keys, "s3://b/r/.a.json 1 100 t0\n");
	expect_found("s3://b/q/*", keys, "");
	/* Only the last segment is a pattern. */
	expect_found("s3://b/[x]/*", "[x]/a.json\nx/a.json\n", "s3://b/[x]/a.json 1 100 t0\n");
}

#define P0 "0000000000000000\n"
#define P9 "0000000000000009\n"

TEST(pieces)
{
	expect_found("s3://b/r/", "r/a.json.partial/" P0 "r/a.json.partial/" P9,
	             "+s3://b/r/a.json.partial 3 101 t1\n");
	/* The object is there, also with others between it and its pieces. */
	expect_found("s3://b/r/", "r/a.json\nr/a.json.partial/" P0, "s3://b/r/a.json 1 100 t0\n");
	expect_found("s3://b/r/",
	             "r/a.json\nr/a.json-x.json\nr/a.json.partial.2/" P0 "r/a.json.partial/" P0
	             "r/b.json.partial/" P0,
	             "s3://b/r/a.json 1 100 t0\ns3://b/r/a.json-x.json 2 101 t1\n"
	             "+s3://b/r/b.json.partial 5 104 t4\n");
	/* Two recorders; a folder without its first piece; names that are not pieces. */
	expect_found("s3://b/r/", "r/a.json.partial.2/" P0 "r/a.json.partial/" P0,
	             "+s3://b/r/a.json.partial.2 1 100 t0\n+s3://b/r/a.json.partial 2 101 t1\n");
	expect_found("s3://b/r/", "r/a.json.partial/" P9 "r/b.json.partial/1\n", "");
	/* A longer key is another recording. */
	expect_found("s3://b/r/", "r/a\nr/a.json.partial/" P0,
	             "+s3://b/r/a.json.partial 2 101 t1\n");
	expect_found("s3://b/r/a*.json", "r/a1.json.partial/" P0 "r/b.json.partial/" P0,
	             "+s3://b/r/a1.json.partial 1 100 t0\n");
	expect_found("s3://b/r/*", "r/.a.json.partial/" P0, "");
	/* The bucket has the name of a folder of pieces. */
	expect_found("s3://b.partial/", P0 "a.json\n", "s3://b.partial/a.json 2 101 t1\n");
	/* The folder itself. */
	expect_found("s3://b/r/a.json.partial/", "r/a.json.partial/" P0,
	             "+s3://b/r/a.json.partial 1 100 t0\n");
}

TEST(kinds)
{
	static const struct {
		const char *place;
		bool many;
	} cases[] = {
	    {"s3://b", true},     {"s3://b/", true},        {"s3://b/r", false},
	    {"s3://b/r/", true},  {"s3://b/r/a*", true},    {"s3://b/r*/a", false},
	    {"s3://b/a[1", true}, {"s3://b/a?.json", true},
	};
	struct store_address a;
	struct err e = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(store_address_parse(&a, cases[i].place, &e), 0);
		assert_int_equal(store_find_is_many(&a), cases[i].many);
	}
}
