/* surrogates: halves of characters, whole ones, and what only looks like them. */
#include <stdio.h>
#include <string.h>

#include "core/head/snapshot_head.h"
#include "core/json/json_tree.h"
#include "core/recording/snapshot.h"
#include "tests/unit/unit.h"

TEST(texts)
{
	static const struct {
		const char *given, *want;
	} cases[] = {
	    {"\"\\ud800\"", "\"\\ufffd\""},
	    {"\"\\uDCFF\"", "\"\\ufffd\""},
	    {"\"a\\udc80b\"", "\"a\\ufffdb\""},
	    {"\"\\ud83d\\ude00\"", "\"\\ud83d\\ude00\""},
	    {"\"\\ud83d\\ude00\\ude00\"", "\"\\ud83d\\ude00\\ufffd\""},
	    {"\"\\ud83d\\ud83d\\ude00\"", "\"\\ufffd\\ud83d\\ude00\""},
	    {"\"\\udc00\\ud800\"", "\"\\ufffd\\ufffd\""},
	    {"\"\\ud800\\n\"", "\"\\ufffd\\n\""},
	    {"\"\\\\ud800\"", "\"\\\\ud800\""},
	    {"\"\\\\\\ud800\"", "\"\\\\\\ufffd\""},
	    {"\"\\ud7ff\\ue000\"", "\"\\ud7ff\\ue000\""},
	    {"\"a\\u0000b\\u0000\"", "\"a\\ufffdb\\ufffd\""},
	    {"\"\\\\u0000\\u0001\"", "\"\\\\u0000\\u0001\""},
	    {"\"\\ud83d\\u0000\"", "\"\\ufffd\\ufffd\""},
	    {"\"\\u000", "\"\\u000"},
	    {"\"\\ud80", "\"\\ud80"},
	    {"\"\\ud8zz\"", "\"\\ud8zz\""},
	    {"", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[64];
		snprintf(text, sizeof text, "%s", cases[i].given);
		json_tree_mend(text, strlen(text));
		assert_string_equal(text, cases[i].want);
	}
}

/* The name of a folder of which Python knows no characters. */
TEST(in_a_recording)
{
	static const char text[] =
	    "{\"job\":{\"cwd\":\"/data/\\udcff\\ud83d\\ude00\",\"name\":\"n\"}}";
	struct snapshot s = {0};

	snapshot_head_defaults(&s);
	assert_int_equal(snapshot_head(&s, "rtrack", text, sizeof text - 1), 0);
	assert_string_equal(s.job.cwd, "/data/\xef\xbf\xbd\xf0\x9f\x98\x80");
	assert_string_equal(s.job.name, "n");
	snapshot_free(&s);
}

/* Nothing after U+0000 is lost, in a value or in a key. */
TEST(nul_in_a_recording)
{
	static const char text[] = "{\"job\":{\"cwd\":\"/a\\u0000b\",\"host\":\"\\\\u0000\","
				   "\"tags\":{\"k\\u0000ey\":\"\\u0000\"}}}";
	struct snapshot s = {0};

	snapshot_head_defaults(&s);
	assert_int_equal(snapshot_head(&s, "rtrack", text, sizeof text - 1), 0);
	assert_string_equal(s.job.cwd, "/a\xef\xbf\xbd"
	                               "b");
	assert_string_equal(s.job.host, "\\u0000");
	assert_int_equal(s.job.tags.n, 1);
	assert_string_equal(s.job.tags.v[0].key, "k\xef\xbf\xbd"
	                                         "ey");
	assert_string_equal(s.job.tags.v[0].value, "\xef\xbf\xbd");
	snapshot_free(&s);
}
