/* group: which runs are of one job. */
#include <string.h>

#include "report/runs/job_key.h"
#include "tests/unit/unit.h"

static struct run runs[4];

static const char *one_arg[] = {"/opt/bin/train", "a b"}, *two_args[] = {"train", "a", "b"};

/* Two of one name, one that only its command names, one that says nothing. */
static int fill(void **state)
{
	static struct snapshot_pair batch[] = {{"batch", "32"}, {"batch", "64"}};
	struct snapshot *s[] = {&runs[0].snapshot, &runs[1].snapshot, &runs[2].snapshot};

	(void)state;
	memset(runs, 0, sizeof runs);
	for (size_t i = 0; i < 4; i++)
		runs[i].file = (char *)(i % 2 ? "b.json" : "a.json");
	s[0]->job.name = s[1]->job.name = "train";
	s[0]->job.host = "x";
	s[1]->job.host = "y";
	s[1]->job.argv = one_arg;
	s[1]->job.argc = 2;
	s[2]->job.argv = two_args;
	s[2]->job.argc = 3;
	s[0]->job.tags = s[2]->job.labels = (struct snapshot_pairs){&batch[0], 1};
	s[1]->job.tags = (struct snapshot_pairs){&batch[1], 1};
	s[2]->cloud.instance_type = "cx-two";
	return 0;
}

static const struct {
	const char *keys[2];
	size_t a, b;
	const char *why;
} pairs[] = {
    {{NULL}, 0, 1, ""},
    {{NULL}, 0, 2, ""}, /* the name of its command */
    {{NULL}, 0, 3, "another job"},
    {{NULL}, 3, 3, ""},
    {{"name"}, 1, 3, "another job"},
    {{"host"}, 0, 1, "another host"},
    {{"host"}, 2, 3, ""}, /* neither says */
    {{"name,host"}, 0, 1, "another host"},
    {{"name", "host"}, 0, 1, "another host"},
    {{"tag:batch"}, 0, 1, "another tag"},
    {{"tag:batch"}, 0, 2, "another tag"}, /* that is a label */
    {{"tag:batc"}, 0, 1, ""},
    {{"label:batch"}, 0, 2, "another label"},
    {{"command"}, 1, 2, "another command"},
    {{"command"}, 2, 2, ""},
    {{"instance"}, 2, 3, "another type of server"},
    {{"directory,user"}, 0, 1, ""},
};

TEST_WITH(differs, fill, NULL)
{
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct opts_list keys = {0};
		while (keys.n < 2 && pairs[i].keys[keys.n]) {
			keys.v[keys.n] = pairs[i].keys[keys.n];
			keys.n++;
		}
		assert_string_equal(job_key_differs(&keys, &runs[pairs[i].a], &runs[pairs[i].b]),
		                    pairs[i].why);
		assert_string_equal(job_key_differs(&keys, &runs[pairs[i].b], &runs[pairs[i].a]),
		                    pairs[i].why);
	}
	assert_string_equal(job_key_differs(NULL, &runs[0], &runs[3]), "another job");
}

/* "a b" is one word, "a" and "b" are two. */
TEST_WITH(words, fill, NULL)
{
	static const char *joined[] = {"train", "a b"};
	struct opts_list keys = {.v = {"command"}, .n = 1};

	runs[1].snapshot.job.argv = joined;
	assert_string_equal(job_key_differs(&keys, &runs[1], &runs[2]), "another command");
}

TEST_WITH(checked, fill, NULL)
{
	static const char *const good[] = {"name", "tag:a", "name,tag:a b,label:=", "user,host"},
				 *const bad[] = {
				     "", "nam", "names", "tag:", "tag", "name,", ",name", "name,x"};
	struct err e = {0};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_int_equal(job_key_check(&(struct opts_list){{good[i]}, 1}, &e), 0);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(job_key_check(&(struct opts_list){{bad[i]}, 1}, &e), -1);
	assert_string_equal(e.msg, "--group-by: \"x\" is not a key; keys are name, command, "
	                           "directory, host, user, instance, tag:KEY and label:KEY");
	assert_int_equal(job_key_check(&(struct opts_list){0}, &e), 0);
}

static void told(const char *keys, size_t run, const char *expected)
{
	struct buf text = {0};

	job_key_text(&(struct opts_list){{keys}, 1}, &runs[run], &text);
	assert_string_equal(buf_cstr(&text), expected);
	buf_free(&text);
}

TEST_WITH(in_words, fill, NULL)
{
	told("name", 0, "name train");
	told("name,tag:batch,host", 1, "name train, tag:batch 64, host y");
	told("command", 2, "command train a b");
	told("name", 3, "name (unknown)");
}
