/* scan_budget: what is over a user's budget waits, is said once, and keeps nobody else waiting. */
#include <fcntl.h>
#include <math.h>
#include <pwd.h>
#include <time.h>

#include "core/base/gz.h"
#include "fleet/scan/scan_sources.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/fleet/catalog/catalog_double.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

struct scanned {
	struct recordings *t;
	struct catalog *c;
	struct buf sentences;
	size_t failures;
};

static void note_failure(void *ctx, const struct err *why)
{
	struct scanned *s = ctx;

	s->failures++;
	buf_printf(&s->sentences, "%s\n", why->msg);
}

static struct scan_result scan(struct scanned *s, struct scan_limits limits)
{
	struct scan scan = {.n = 0};
	const struct input input = input_of(s->t->folder);
	const struct scan_input in = {.input = &input,
	                              .n = 1,
	                              .failure = note_failure,
	                              .ctx = s,
	                              .limits = limits,
	                              .now = (double)time(NULL) + 300};
	struct scan_result r;
	struct err e = {0};

	s->failures = 0;
	buf_clear(&s->sentences);
	if (scan_run(&scan, &in, s->c, &r, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(r.failed, s->failures);
	return r;
}

static const char *of_user(const char *name)
{
	static char path[128];

	snprintf(path, sizeof path, "%u%s%s", (unsigned)geteuid(), *name ? "/" : "", name);
	return path;
}

static void begin(struct scanned *s, struct recordings *t)
{
	*s = (struct scanned){.t = t, .c = calloc(1, sizeof *s->c)};
	assert_int_equal(mkdir(recordings_path(t, of_user("")), 0700), 0);
}

static void end(struct scanned *s)
{
	buf_free(&s->sentences);
	double_free(s->c);
}

#define ROW "{\"rtrack_row\":{\"wall_s\":1}}"

/* In a folder that is no user's, there is no limit. */
TEST_WITH(files, recordings_begin, recordings_end)
{
	struct scanned s;
	struct scan_result r;
	char name[48];

	begin(&s, *state);
	assert_int_equal(mkdir(recordings_path(s.t, of_user("2020-01-01")), 0700), 0);
	for (int i = 0; i < 30; i++) {
		snprintf(name, sizeof name, "2020-01-01/%d.json.gz", i);
		recordings_file(s.t, of_user(name), ROW);
		snprintf(name, sizeof name, "%d.json.gz", i);
		recordings_file(s.t, name, ROW);
	}
	r = scan(&s, (struct scan_limits){.files = 11}); /* the folder is one of them */
	assert_int_equal(r.added, 30 + 10);
	assert_int_equal(r.failed, 1);
	assert_int_equal(r.over, 1);
	assert_non_null(strstr(buf_cstr(&s.sentences), "has more than 11 files: the others were "
	                                               "left out (--user-files)"));
	assert_int_equal(s.c->n_folders, 0);
	r = scan(&s, (struct scan_limits){.files = 31});
	assert_int_equal(r.added, 20);
	assert_int_equal(r.failed, 0);
	assert_int_equal(s.c->n_folders, 1);
	end(&s);
}

/* Each add goes on where the last one ended. */
TEST_WITH(bytes, recordings_begin, recordings_end)
{
	const struct passwd *user = getpwuid(geteuid());
	struct scanned s;
	struct scan_result r;
	char name[48];

	begin(&s, *state);
	for (int i = 0; i < 30; i++) {
		snprintf(name, sizeof name, "%d.json.gz", i);
		recordings_file(s.t, of_user(name), ROW);
	}
	r = scan(&s, (struct scan_limits){.bytes = 20 * (double)strlen(ROW) - 1});
	assert_int_equal(r.added, 20);
	assert_int_equal(r.failed, 1);
	assert_non_null(strstr(buf_cstr(&s.sentences),
	                       ": 10 recordings wait for the next add, after 540 B were read "
	                       "(--user-bytes)"));
	snprintf(name, sizeof name, "user %s: ", user ? user->pw_name : of_user(""));
	assert_non_null(strstr(buf_cstr(&s.sentences), name));
	r = scan(&s, (struct scan_limits){.bytes = 20 * (double)strlen(ROW) - 1});
	assert_int_equal(r.added, 10);
	assert_int_equal(r.failed, 0);
	end(&s);
}

TEST(seconds)
{
	struct scan_budget b = {.max = {.seconds = 2}};
	const struct scan_budget_user *user;
	size_t said = 0;
	struct err e = {0};

	for (uint32_t id = 1; id <= 1000; id++)
		scan_budget_spend(&b, id, 1, id == 777 ? 2.5 : 1);
	for (uint32_t id = 1; id <= 1000; id++)
		assert_int_equal(scan_budget_is_spent(&b, id, false), id == 777);
	assert_false(scan_budget_is_spent(&b, SCAN_USERS_ANYONE, false));
	scan_budget_spend(&b, 1, -1, -1);
	scan_budget_spend(&b, 1, NAN, NAN);
	assert_false(scan_budget_is_spent(&b, 1, false));
	scan_budget_spend(&b, 0, 0, 1);
	assert_false(scan_budget_is_spent(&b, 0, false));
	for (size_t i = 0; (user = id_table_each(&b.users, &i));)
		said += scan_budget_says(&b, user, "ann", &e);
	assert_int_equal(said, 1);
	scan_budget_spend(&b, 0, 0, 1);
	assert_true(scan_budget_is_spent(&b, 0, false));
	assert_string_equal(e.msg, "the folder of user ann: 1 recording waits for the next add, "
	                           "after 2.50 s of reading (--user-time)");
	scan_budget_free(&b);
	scan_budget_spend(&b, 1, 0, 3);
	assert_true(scan_budget_is_spent(&b, 1, true));
	for (size_t i = 0; (user = id_table_each(&b.users, &i));)
		assert_true(scan_budget_says(&b, user, "ann", &e));
	assert_string_equal(e.msg, "the folder of user ann: at least 1 recording waits for the "
	                           "next add, after 3.00 s of reading (--user-time)");
	scan_budget_free(&b);
}

/* However many files are known, there is time for those that are new. */
TEST_WITH(known_files, recordings_begin, recordings_end)
{
	struct scanned s;
	struct scan_result r;
	char name[48];

	begin(&s, *state);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof name, "%d.json.gz", i);
		recordings_file(s.t, of_user(name), ROW);
	}
	assert_int_equal(scan(&s, (struct scan_limits){.seconds = 60}).added, 1000);
	recordings_file(s.t, of_user("x.json.gz"), ROW);
	recordings_file(s.t, of_user("y.json.gz"), ROW);
	r = scan(&s, (struct scan_limits){.seconds = 1e-9});
	assert_int_equal(r.added, 1);
	assert_int_equal(r.failed, 1);
	assert_non_null(
	    strstr(buf_cstr(&s.sentences), ": 1 recording waits for the next add, after "));
	r = scan(&s, (struct scan_limits){.seconds = 1e-9});
	assert_int_equal(r.added, 1);
	assert_int_equal(r.failed, 0);
	end(&s);
}

/* A file of n recordings. */
static void several_file(struct scanned *s, const char *name, int n)
{
	struct buf file = {0};
	size_t size;
	char *p = scratch_slurp(scratch_gzip(ROW, strlen(ROW)), &size);
	int fd;

	for (int i = 0; i < n; i++)
		assert_int_equal(gz_member_state(&file, p, size), 0);
	fd = open(recordings_path(s->t, of_user(name)), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, file.s, file.len), (ssize_t)file.len);
	close(fd);
	free(p);
	buf_free(&file);
}

/* More names than --user-files allows leave room for the recordings of those that it does. */
TEST_WITH(several_and_files, recordings_begin, recordings_end)
{
	struct scanned s;
	struct scan_result r;

	begin(&s, *state);
	several_file(&s, "a.json.gz", 4);
	several_file(&s, "b.json.gz", 4);
	several_file(&s, "c.json.gz", 4);
	r = scan(&s, (struct scan_limits){.files = 2});
	assert_int_equal(r.added, 8);
	assert_int_equal(r.failed, 1);
	r = scan(&s, (struct scan_limits){.files = 3});
	assert_int_equal(r.added, 4);
	assert_int_equal(r.failed, 0);
	end(&s);
}

/* Each add goes on within a file, even of more recordings than a batch has. */
TEST_WITH(several_and_bytes, recordings_begin, recordings_end)
{
	struct scanned s;
	struct scan_result r;
	size_t added = 0, adds = 0;

	begin(&s, *state);
	several_file(&s, "a.json.gz", 1200);
	recordings_file(s.t, of_user("b.json.gz"), ROW);
	do {
		r = scan(&s, (struct scan_limits){.bytes = 300 * 4096.});
		assert_true(r.added >= 300 || !r.failed);
		added += r.added;
		adds++;
		if (adds == 1) /* no batch has had the last ones */
			assert_non_null(strstr(buf_cstr(&s.sentences), ": at least "));
	} while (r.failed);
	assert_int_equal(added, 1201);
	assert_in_range(adds, 3, 5);
	assert_int_equal(scan(&s, (struct scan_limits){.bytes = 1}).added, 0);
	end(&s);
}
