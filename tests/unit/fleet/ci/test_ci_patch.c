/* ci_patch: lines of workflows, found or refused, and patches of them. */
#include <stdio.h>
#include <string.h>

#include "fleet/ci/ci_patch.h"
#include "tests/unit/unit.h"

struct found {
	enum ci_patch_kind kind;
	const char *job, *text, *label; /* what it finds */
	const char *why;                /* or says */
};

static void check(const struct found *c)
{
	struct ci_patch_place p = {0};
	struct err e = {0};
	int failed = ci_patch_find(c->kind, c->text, strlen(c->text), c->job, &p, &e);

	if (c->why) {
		assert_int_equal(failed, -1);
		assert_string_equal(e.msg, c->why);
		return;
	}
	assert_string_equal(e.msg, "");
	assert_int_equal(failed, 0);
	assert_int_equal(p.n, strlen(c->label));
	assert_memory_equal(c->text + p.at, c->label, p.n);
}

TEST(github)
{
	static const struct found cases[] = {
	    {0, "a", "jobs:\n  a:\n    runs-on: x\n", "x", NULL},
	    {0, "a", "jobs:\n  a:\n    runs-on: x", "x", NULL},
	    {0, "a", "jobs:\r\n  a:\r\n    runs-on: x-1.2_Y\r\n", "x-1.2_Y", NULL},
	    {0, "a", "jobs:\n  a:\n    runs-on: 'x'   # why\n", "x", NULL},
	    {0, "a", "jobs:\n  a:\n    \"runs-on\": \"x\"\n", "x", NULL},
	    {0, "a",
	     "---\njobs: # all\n\n  # one\n  'a':  # one\n# out of line\n    runs-on:    x # y\n",
	     "x", NULL},
	    {0, "b", "jobs:\n  a:\n    runs-on: x\n  b:\n    runs-on: y\n", "y", NULL},
	    {0, "a",
	     "env:\n  a:\n    runs-on: z\njobs:\n  a:\n    steps:\n      - run: |\n          runs-on: w\n    runs-on: x\n",
	     "x", NULL},
	    {0, "a", "jobs:\n a:\n  env:\n   runs-on: w\n  runs-on: x\non: push\n", "x", NULL},
	    {0, "jobs", "jobs:\n  jobs:\n    runs-on: x\n", "x", NULL},
	    /* Left to people. */
	    {0, "a", "jobs:\n  a:\n    runs-on: [x]\n", NULL,
	     "line 3: runs-on: is not a single label"},
	    {0, "a", "jobs:\n  a:\n    runs-on: ${{ matrix.os }}\n", NULL,
	     "line 3: runs-on: is not a single label"},
	    {0, "a", "jobs:\n  a:\n    runs-on:\n      group: x\n", NULL,
	     "line 3: runs-on: is not a single label"},
	    {0, "a", "jobs:\n  a:\n    runs-on: x y\n", NULL,
	     "line 3: runs-on: is not a single label"},
	    {0, "a", "jobs:\n  a:\n    runs-on: 'x\n", NULL,
	     "line 3: runs-on: is not a single label"},
	    {0, "a", "jobs:\n  a:\n    runs-on: \"x\"y\n", NULL,
	     "line 3: runs-on: is not a single label"},
	    {0, "a", "jobs:\n  a:\n    runs-on: &os x\n", NULL,
	     "line 3: runs-on: is not a single label"},
	    {0, "a", "jobs:\n  a:\n    runs-on: x#y\n", NULL,
	     "line 3: runs-on: is not a single label"},
	    {0, "a", "jobs:\n  a:\n    uses: ./b.yml\n", NULL,
	     "the job a: there is no runs-on in it"},
	    {0, "a", "jobs:\n  a: {runs-on: x}\n", NULL,
	     "the job a: line 2: the job is not a block of lines"},
	    {0, "a", "jobs:\n  a:\n", NULL, "the job a: line 2: the job is not a block of lines"},
	    {0, "a", "jobs: {a: {runs-on: x}}\n", NULL, "line 1: jobs is not a block of lines"},
	    {0, "a", "jobs:\n", NULL, "line 1: jobs is not a block of lines"},
	    {0, "c", "jobs:\n  a:\n    runs-on: x\n", NULL, "there is no c in it"},
	    {0, "a", "on: push\n", NULL, "there is no jobs in it"},
	    {0, "a", "", NULL, "there is no jobs in it"},
	    {0, "", "jobs:\n  a:\n    runs-on: x\n", NULL, "the job has no name"},
	    {0, "a", "jobs:\n  a:\n    runs-on: x\n    runs-on: y\n", NULL,
	     "the job a: it has runs-on twice"},
	    {0, "a", "jobs:\n  a:\n    runs-on: x\n  a:\n    runs-on: y\n", NULL, "it has a twice"},
	    {0, "a", "jobs:\n  a:\n\truns-on: x\n", NULL, "line 3 is indented with tabs"},
	    {0, "a", "a: 1\n---\njobs:\n  a:\n    runs-on: x\n", NULL, "it has several documents"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check(&cases[i]);
}

TEST(gitlab)
{
	static const struct found cases[] = {
	    {1, "a", "a:\n  tags: [x]\n", "x", NULL},
	    {1, "a", "a:\n  tags: [ \"x\" ] # small\n", "x", NULL},
	    {1, "a", "a:\n  tags:\n    - x # small\n  script: b\n", "x", NULL},
	    {1, "a", "a:\n  tags:\n  - 'x'\n  script:\n  - b\n", "x", NULL},
	    {1, "a", "a:\n  script: b\n  tags:\n\n    # a comment\n    - x", "x", NULL},
	    {1, "build things", "default:\n  tags: [z]\n\nbuild things:\n  tags: [x]\n", "x", NULL},
	    {1, "a:b", "\"a:b\":\n  tags: [x]\n", "x", NULL},
	    {1, "a:b", "a:b:\n  tags: [x]\n", "x", NULL},
	    {1, "test 2/3", "test:\n  parallel: 3\n  tags: [x]\n", "x", NULL},
	    {1, "test: [gcc, 12]", "test:\n  tags: [x]\n", "x", NULL},
	    {1, "test 2", "test 2:\n  tags: [x]\n", "x", NULL},
	    {1, "a", "a:\n  script: b\n", NULL, "the job a: there is no tags in it"},
	    {1, "a", "a:\n  tags: [x, y]\n", NULL, "line 2: tags: is not a single label"},
	    {1, "a", "a:\n  tags: x\n", NULL, "line 2: tags: is not a single label"},
	    {1, "a", "a:\n  tags: [x\n", NULL, "line 2: tags: is not a single label"},
	    {1, "a", "a:\n  tags: []\n", NULL, "line 2: tags: is not a single label"},
	    {1, "a", "a:\n  tags: [$TAG]\n", NULL, "line 2: tags: is not a single label"},
	    {1, "a", "a:\n  tags: !reference [.b, tags]\n", NULL,
	     "line 2: tags: is not a single label"},
	    {1, "a", "a:\n  tags:\n    - x\n    - y\n", NULL, "line 4: the job has several tags"},
	    {1, "a", "a:\n  tags:\n    - $TAG\n", NULL, "line 3: the tag is not a single label"},
	    {1, "a", "a:\n  tags:\n  script: b\n", NULL, "line 2: tags: is not a single label"},
	    {1, "a", ".a:\n  tags: [x]\n", NULL, "there is no a in it"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check(&cases[i]);
}

TEST(names)
{
	static const struct {
		const char *text, *name;
	} cases[] = {
	    {"name: CI\n", "CI"},
	    {"name: \"a # b\" # c\n", "a # b"},
	    {"name: a b # c\n", "a b"},
	    {"name: a#b\r\n", "a#b"},
	    {"name: 'x\n", ""},
	    {"name:\n", ""},
	    {"on: push\njobs:\n  name: x\n", ""},
	    {"", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = {0};
		ci_patch_name(cases[i].text, strlen(cases[i].text), &out);
		assert_string_equal(buf_cstr(&out), cases[i].name);
		buf_free(&out);
	}
}

static void find(const char *text, const char *job, struct ci_patch_change *out)
{
	assert_int_equal(ci_patch_find(CI_PATCH_GITHUB, text, strlen(text), job, &out->place, NULL),
	                 0);
	out->label = "new";
}

/* Two hunks, one of them of two changes; the last line has no end. */
TEST(a_patch)
{
	static const char text[] =
	    "jobs:\n  a:\n    runs-on: x\n  b:\n    runs-on: 'y'\n    1: 1\n    2: 2\n    3: 3\n"
	    "    4: 4\n    5: 5\n    6: 6\n  c:\n    runs-on: z";
	static const char expected[] =
	    "diff --git a/w.yml b/w.yml\n--- a/w.yml\n+++ b/w.yml\n@@ -1,8 +1,8 @@\n jobs:\n   a:\n-    runs-on: x\n"
	    "+    runs-on: new\n   b:\n-    runs-on: 'y'\n+    runs-on: 'new'\n     1: 1\n     2: 2\n     3: 3\n"
	    "@@ -10,4 +10,4 @@\n     5: 5\n     6: 6\n   c:\n-    runs-on: z\n\\ No newline at end of file\n"
	    "+    runs-on: new\n\\ No newline at end of file\n";
	struct ci_patch_change v[3];
	struct buf out = {0};

	find(text, "a", &v[0]);
	find(text, "b", &v[1]);
	find(text, "c", &v[2]);
	ci_patch_diff("w.yml", text, sizeof text - 1, v, 3, &out);
	assert_string_equal(buf_cstr(&out), expected);
	buf_free(&out);
}

TEST(lines_that_end_with_cr_keep_it)
{
	static const char text[] = "jobs:\r\n  a:\r\n    runs-on: x\r\n";
	struct ci_patch_change v;
	struct buf out = {0};

	find(text, "a", &v);
	ci_patch_diff("w.yml", text, sizeof text - 1, &v, 1, &out);
	assert_non_null(strstr(buf_cstr(&out), "-    runs-on: x\r\n+    runs-on: new\r\n"));
	buf_free(&out);
}
