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
	for (size_t i = 0; i < n; i++)
		assert_true(worker_send(ends[1], &a[i], sizeof a[i], bytes[i],
		                        bytes[i] ? strlen(bytes[i]) : 0, NULL));
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
	    {.size = 9},
	    {.size = 9},
	};
	const char *bytes[] = {"abcde", "ab"}; /* more than was asked for; a tag without an end */
	struct store_range r;
	struct err e;
	char p[4];

	memset(cases[1].tag, 'x', sizeof cases[1].tag);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct store s = said(&cases[i], &bytes[i], 1);
		assert_int_equal(store_read(&s, "s3://b/k", 0, "", p, sizeof p, &r, &e), -1);
		assert_string_equal(e.msg, "s3://b/k: " ENDED);
		forget(&s);
	}
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
		    {0}, {0}, {.last = true, .further = cases[i].further}};
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
		const struct store_answer a[] = {{.id = 0}, {.id = second[i]}};
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
	static const char place[STORE_PLACE_MAX + 2] = {[0 ... STORE_PLACE_MAX] = 's'};
	static const char piece[STORE_PIECE_MAX + 1];
	const struct {
		struct store_question q;
		const char *bytes;
		size_t n;
	} cases[] = {
	    {{.kind = 0}, "", 0},
	    {{.kind = STORE_ASK_STOP + 1}, "", 0},
	    {{.kind = STORE_ASK_STOP}, "s", 1},
	    {{.kind = STORE_ASK_READ}, place, STORE_PLACE_MAX + 1},
	    {{.kind = STORE_ASK_READ, .n = STORE_READ_MAX + 1}, "s", 1},
	    {{.kind = STORE_ASK_READ, .at = UINT64_MAX}, "s", 1},
	    {{.kind = STORE_ASK_READ}, "s\0a", 3},
	    {{.kind = STORE_ASK_LIST}, "s\0a\0b", 5},
	    {{.kind = STORE_ASK_LIST}, "\0a", 2},
	    {{.kind = STORE_ASK_PUT}, "", 0}, /* no address */
	    {{.kind = STORE_ASK_HEAD, .n = STORE_PIECE_MAX + 1}, "s", 1},
	    {{.kind = STORE_ASK_PUT_MORE}, piece, sizeof piece},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct store_question count = {.kind = STORE_ASK_COUNT};
		const struct store_question stop = {.kind = STORE_ASK_STOP};
		struct store_answer a;
		struct store s;
		struct err e;
		size_t n;
		assert_int_equal(store_start(&s, NULL, 0, 0, &e), 0);
		assert_true(worker_send(s.worker.fd, &count, sizeof count, NULL, 0, NULL));
		assert_true(worker_receive(s.worker.fd, &a, sizeof a, NULL, 0, &n, NULL));
		/* When there is nothing to stop. */
		assert_true(worker_send(s.worker.fd, &stop, sizeof stop, NULL, 0, NULL));
		assert_true(worker_send(s.worker.fd, &count, sizeof count, NULL, 0, NULL));
		assert_true(worker_receive(s.worker.fd, &a, sizeof a, NULL, 0, &n, NULL));
		worker_send(s.worker.fd, &cases[i].q, sizeof cases[i].q, cases[i].bytes, cases[i].n,
		            NULL);
		assert_true(read(s.worker.fd, &a, 1) <= 0); /* it has ended */
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
