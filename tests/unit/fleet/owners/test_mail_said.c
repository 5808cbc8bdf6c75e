/* mail_said: what is news, the text of the state file, broken ones, and processes that are killed. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fnv1a.h"
#include "fleet/owners/mail_rules.h"
#include "fleet/owners/mail_said.h"
#include "tests/unit/unit.h"

#define DAY   86400.0
#define NOW   1795000000.0
#define FIRST "{\"format\":\"rtrack-mail-said\",\"version\":1}\n"

static struct mail_said_job job_of(const char *owner, const char *name, double at)
{
	return (struct mail_said_job){.owner = mail_said_owner("user", owner),
	                              .job = fnv1a_add(FNV1A_BEGIN, name),
	                              .at = at,
	                              .rules = 1u << MAIL_RULE_MEMORY,
	                              .v = {2, 8e9, NAN, 3600, 100, 2000, NAN}};
}

static void add(struct buf *text, const char *owner, const struct mail_said_job *v, size_t n)
{
	if (!text->len)
		buf_str(text, FIRST);
	mail_said_line(text, "user", owner, v, n);
}

static bool is_news(const struct buf *text, const struct mail_said_job *job)
{
	struct mail_said s = {0};
	struct err e = {0};
	bool news;

	assert_int_equal(mail_said_parse(&s, buf_cstr(text), text->len, "f", &e), text->len);
	news = mail_said_is_news(&s, job, 30 * DAY);
	mail_said_close(&s);
	return news;
}

TEST(what_is_news)
{
	struct mail_said_job said[2] = {job_of("ann", "fit", NOW), job_of("ann", "prep", NOW)}, is;
	struct buf text = {0}, none = {0};

	is = job_of("ann", "fit", NOW);
	assert_true(is_news(&none, &is));
	add(&text, "ann", said, 2);
	assert_false(is_news(&text, &is));
	is.at = NOW + 30 * DAY - 1;
	assert_false(is_news(&text, &is));
	is.at = NOW + 30 * DAY;
	assert_true(is_news(&text, &is));
	is = job_of("bob", "fit", NOW);
	assert_true(is_news(&text, &is));
	is = job_of("ann", "other", NOW);
	assert_true(is_news(&text, &is));
	is = job_of("ann", "prep", NOW);
	is.owner = mail_said_owner("account", "ann");
	assert_true(is_news(&text, &is));
	buf_free(&text);
}

TEST(noise_is_not_news)
{
	struct mail_said_job said = job_of("ann", "fit", NOW), is = said;
	struct buf text = {0};

	add(&text, "ann", &said, 1);
	is.v[MAIL_SAID_CPUS] = 2.5;
	is.v[MAIL_SAID_MEMORY] = 6.4e9;
	is.v[MAIL_SAID_GPUS] = 1; /* it was unknown */
	is.v[MAIL_SAID_TIME] = NAN;
	is.v[MAIL_SAID_GIB_H] = 4000;
	is.v[MAIL_SAID_CORE_H] = 0;
	is.rules = 0;
	assert_false(is_news(&text, &is));
	is.v[MAIL_SAID_MEMORY] = 6.3e9;
	assert_true(is_news(&text, &is));
	is.v[MAIL_SAID_MEMORY] = 8e9;
	is.v[MAIL_SAID_GIB_H] = 4001;
	assert_true(is_news(&text, &is));
	is.v[MAIL_SAID_GIB_H] = 1;
	is.rules = 1u << MAIL_RULE_CPU;
	assert_true(is_news(&text, &is));
	buf_free(&text);
}

TEST(the_last_line_counts)
{
	struct mail_said_job old = job_of("ann", "fit", NOW - 40 * DAY),
			     is = job_of("ann", "fit", NOW);
	struct mail_said_job newer = job_of("ann", "fit", NOW - DAY), future;
	struct buf text = {0};

	add(&text, "ann", &old, 1);
	assert_true(is_news(&text, &is));
	add(&text, "ann", &newer, 1);
	assert_false(is_news(&text, &is));
	/* A clock that was wrong silences nobody. */
	future = job_of("ann", "fit", NOW + 400 * DAY);
	add(&text, "ann", &future, 1);
	assert_true(is_news(&text, &is));
	buf_free(&text);
}

TEST(hostile_owners_keep_their_lines)
{
	struct mail_said_job is = job_of("a\"\n{}\xff\\", "x", NOW);
	struct mail_said s = {0};
	struct buf text = {0};
	struct err e = {0};

	add(&text, "a\"\n{}\xff\\", &is, 1);
	assert_true(strchr(buf_cstr(&text) + strlen(FIRST), '\n') ==
	            buf_cstr(&text) + text.len - 1);
	assert_int_equal(mail_said_parse(&s, buf_cstr(&text), text.len, "f", &e), text.len);
	assert_int_equal(s.n, 1);
	mail_said_close(&s);
	buf_free(&text);
}

TEST(broken_files)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
	    {"hello\n", "f: not a file in which rtrack-fleet keeps what was said"},
	    {"{\"format\":\"rtrack-mail-said\",\"version\":2}\n",
	     "f: not a file in which rtrack-fleet keeps what was said"},
	    {FIRST "\n", "f: line 2 cannot be read; without it, messages would be sent again"},
	    {FIRST "{\"at\":1,\"of\":\"user\",\"owner\":\"a\",\"jobs\":[]}\n{\"at\":1\n",
	     "f: line 3 cannot be read; without it, messages would be sent again"},
	    {FIRST "{\"of\":\"user\",\"owner\":\"a\",\"jobs\":[]}\n",
	     "f: line 2 cannot be read; without it, messages would be sent again"},
	    {FIRST "{\"at\":1,\"of\":\"user\",\"owner\":\"a\",\"jobs\":[{\"job\":\"zz\"}]}\n",
	     "f: line 2 cannot be read; without it, messages would be sent again"},
	    {FIRST "{\"at\":1,\"of\":\"user\",\"owner\":\"a\",\"jobs\":[]}{}\n",
	     "f: line 2 cannot be read; without it, messages would be sent again"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mail_said s = {0};
		struct err e = {0};
		assert_int_equal(mail_said_parse(&s, cases[i].text, strlen(cases[i].text), "f", &e),
		                 -1);
		assert_string_equal(e.msg, cases[i].sentence);
		mail_said_close(&s);
	}
}

/* A folder for a test, and the file in it. */
static char folder[64], path[128];

static void make_folder(void)
{
	snprintf(folder, sizeof folder, "/tmp/test_mail_said.XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/said", folder);
}

static void remove_folder(void)
{
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
}

static off_t size_of(void)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

TEST(a_file_is_made_and_grows)
{
	struct mail_said_job is = job_of("ann", "fit", NOW);
	struct mail_said s, second;
	struct err e = {0};
	off_t whole;

	make_folder();
	assert_int_equal(mail_said_open(&s, path, 0, &e), 0);
	assert_true(mail_said_is_news(&s, &is, 30 * DAY));
	assert_int_equal(mail_said_add(&s, "user", "ann", &is, 1, &e), 0);
	assert_int_equal(mail_said_open(&second, path, 0, &e), -1);
	assert_non_null(strstr(e.msg, "another rtrack-fleet is using it"));
	mail_said_close(&second);
	mail_said_close(&s);
	whole = size_of();

	/* Killed while it wrote: the rest of a line is removed. */
	assert_int_equal(mail_said_open(&s, path, 0, &e), 0);
	assert_false(mail_said_is_news(&s, &is, 30 * DAY));
	assert_int_equal(write(s.fd, "{\"at\":17950", 11), 11);
	mail_said_close(&s);
	assert_int_equal(mail_said_open(&s, path, 0, &e), 0);
	assert_int_equal(size_of(), whole);
	mail_said_close(&s);
	remove_folder();
}

TEST(a_link_is_refused)
{
	struct mail_said s;
	struct err e = {0};

	make_folder();
	assert_int_equal(symlink("/tmp/test_mail_said_elsewhere", path), 0);
	assert_int_equal(mail_said_open(&s, path, 0, &e), -1);
	assert_non_null(strstr(e.msg, "Too many levels of symbolic links"));
	mail_said_close(&s);
	assert_int_equal(access("/tmp/test_mail_said_elsewhere", F_OK), -1);
	remove_folder();
}

TEST(a_large_file_forgets)
{
	struct mail_said_job old[100], is = job_of("bob", "fit", NOW);
	struct mail_said s;
	struct err e = {0};

	for (size_t i = 0; i < 100; i++)
		old[i] = job_of("ann", (char[]){(char)('a' + i % 26), (char)('a' + i / 26), '\0'},
		                NOW - 60 * DAY);
	make_folder();
	assert_int_equal(mail_said_open(&s, path, 0, &e), 0);
	while (size_of() < 5 << 20)
		assert_int_equal(mail_said_add(&s, "user", "ann", old, 100, &e), 0);
	assert_int_equal(mail_said_add(&s, "user", "bob", &is, 1, &e), 0);
	mail_said_close(&s);
	assert_int_equal(mail_said_open(&s, path, NOW - 30 * DAY, &e), 0);
	assert_true(size_of() < 1000);
	assert_false(mail_said_is_news(&s, &is, 30 * DAY));
	assert_int_equal(mail_said_add(&s, "user", "bob", &is, 1, &e), 0);
	mail_said_close(&s);
	assert_int_equal(mail_said_open(&s, path, 0, &e), 0);
	assert_int_equal(s.n, 2);
	mail_said_close(&s);
	remove_folder();
}
