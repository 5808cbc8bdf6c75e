/* store: what a worker that a hostile server has taken over may say, and what it may be asked. */
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/store/store.h"
#include "report/store/store_protocol.h"
#include "report/store/store_worker.h"
#include "tests/unit/unit.h"

#define ENDED "the process that speaks to the store has ended"

/* A store whose worker has said this, and then ended. */
static struct store said(const struct store_answer *a, const char *const *bytes, size_t n)
{
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	for (size_t i = 0; i < n; i++) {
		assert_true(write(ends[1], &a[i], sizeof a[i]) == sizeof a[i]);
		if (bytes[i])
			assert_true(write(ends[1], bytes[i], strlen(bytes[i])) ==
			            (ssize_t)strlen(bytes[i]));
	}
	shutdown(ends[1], SHUT_WR);
	return (struct store){.worker = {.pid = ends[1], .fd = ends[0]}};
}

static void forget(struct store *s)
{
	close(s->worker.fd);
	close(s->worker.pid);
}

TEST(test_reading)
{
	struct store_answer cases[] = {
	    {.n = 5, .size = 9}, /* more than was asked for */
	    {.n = SIZE_MAX, .size = 9},
	    {.n = 3, .size = 9},       /* fewer than it says */
	    {.rc = -1, .n = 1u << 30}, /* no sentence is so long */
	    {.rc = -1, .n = 0},        /* nor so short */
	    {.n = 2, .size = 9, .tag = {[71] = 'x'}},
	};
	const char *bytes = "ab";
	struct store_range r;
	struct err e;
	char p[4];

	memset(cases[5].tag, 'x', sizeof cases[5].tag);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct store s = said(&cases[i], &bytes, 1);
		assert_int_equal(store_read(&s, "s3://b/k", 0, "", p, sizeof p, &r, &e), -1);
		assert_string_equal(e.msg, "s3://b/k: " ENDED);
		forget(&s);
	}
}

TEST(test_sentence)
{
	const struct store_answer a = {.rc = -1, .n = 5};
	const char *bytes = "\x1b[1m\n";
	struct store s = said(&a, &bytes, 1);
	struct err e;

	assert_int_equal(store_delete(&s, "s3://b/k", &e), -1);
	assert_string_equal(e.msg, "\\x1b[1m\\x0a");
	forget(&s);
}

static int count_object(void *ctx, const struct store_object *o, struct err *e)
{
	int *n = ctx;

	(void)e;
	assert_non_null(strstr(o->address, "s3://b/a"));
	++*n;
	return 0;
}

TEST(test_listing)
{
	static const struct {
		const char *keys[2];
		bool further;
		int rc, n;
	} cases[] = {
	    {{"a1", "a2"}, false, 0, 2},
	    {{"a2", "a1"}, false, -1, 1}, /* not in order */
	    {{"a1", "b1"}, false, -1, 1}, /* not asked for */
	    {{"a1", "a2"}, true, -1, 2},  /* and no further page */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct store_answer a[] = {
		    {.n = 2}, {.n = 2}, {.last = true, .further = cases[i].further}};
		const char *bytes[] = {cases[i].keys[0], cases[i].keys[1], NULL};
		struct store s = said(a, bytes, 3);
		struct err e;
		int n = 0;
		assert_int_equal(store_list(&s, "s3://b/a", count_object, &n, &e), cases[i].rc);
		assert_int_equal(n, cases[i].n);
		forget(&s);
	}
}

static bool next_one(void *ctx, const char **address, void **item)
{
	int *n = ctx;

	*address = "s3://b/k";
	*item = n;
	return ++*n <= 3;
}

static void each_one(void *ctx, void *item, const char *p, const struct store_range *r,
                     const struct err *why)
{
	(void)p;
	(void)why;
	assert_ptr_equal(ctx, item);
	assert_int_equal(r->n, 2);
}

/* Ids that were not given, or were answered before. */
TEST(test_heads)
{
	static const unsigned second[] = {0, STORE_WAITING, UINT32_MAX};

	for (size_t i = 0; i < 3; i++) {
		const struct store_answer a[] = {{.id = 0, .n = 2}, {.id = second[i], .n = 2}};
		const char *bytes[] = {"ab", "ab"};
		int n = 0;
		struct store s = said(a, bytes, 2);
		const struct store_heads h = {
		    .next = next_one, .each = each_one, .ctx = &n, .n = 4};
		struct err e;
		assert_int_equal(store_heads(&s, &h, &e), -1);
		assert_string_equal(e.msg, ENDED);
		forget(&s);
	}
}

/* The worker ends when it is asked what it may not be. */
TEST(test_questions)
{
	const struct store_question cases[] = {
	    {.kind = 0},
	    {.kind = STORE_ASK_STOP + 1},
	    {.kind = STORE_ASK_READ, .place = STORE_PLACE_MAX + 1},
	    {.kind = STORE_ASK_READ, .n = STORE_READ_MAX + 1},
	    {.kind = STORE_ASK_READ, .at = UINT64_MAX},
	    {.kind = STORE_ASK_READ, .more = 1},
	    {.kind = STORE_ASK_PUT}, /* no address */
	    {.kind = STORE_ASK_HEAD, .n = STORE_PIECE_MAX + 1},
	    {.kind = STORE_ASK_PUT_MORE, .more = STORE_PIECE_MAX + 1},
	    {.kind = STORE_ASK_LIST, .more = SIZE_MAX},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct store_question count = {.kind = STORE_ASK_COUNT};
		const struct store_question stop = {.kind = STORE_ASK_STOP};
		struct store_answer a;
		struct store s;
		struct err e;
		assert_int_equal(store_start(&s, NULL, 0, 0, &e), 0);
		assert_true(worker_process_put(s.worker.fd, &count, sizeof count));
		assert_true(worker_process_take(s.worker.fd, &a, sizeof a));
		/* When there is nothing to stop. */
		assert_true(worker_process_put(s.worker.fd, &stop, sizeof stop));
		assert_true(worker_process_put(s.worker.fd, &count, sizeof count));
		assert_true(worker_process_take(s.worker.fd, &a, sizeof a));
		assert_true(worker_process_put(s.worker.fd, &cases[i], sizeof cases[i]));
		assert_false(worker_process_take(s.worker.fd, &a, 1));
		store_stop(&s);
	}
}

TEST(test_none)
{
	struct store s = {0};
	struct err e;

	assert_int_equal(store_delete(&s, "s3://b/k", &e), -1);
	assert_string_equal(e.msg, "s3://b/k: the process that speaks to the store is not running");
	assert_int_equal(store_requests(&s), 0);
}
