/* store, store_worker: any bytes as questions to the worker, and as its answers. The first byte says
 * which. Nothing is sent: the worker's time is over at once, and nobody listens. */
#include <string.h>
#include <sys/socket.h>

#include "report/store/store.h"
#include "report/store/store_worker.h"
#include "tests/fuzz/fuzz.h"

#define MOST ((size_t)8 << 10) /* what comes back must fit into the socket */

/* A socket from which these bytes come, and then nothing. *other: its other end. */
static int socket_with(const uint8_t *p, size_t n, int *other)
{
	int ends[2];

	must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	must(write(ends[1], p, n) == (ssize_t)n);
	shutdown(ends[1], SHUT_WR);
	*other = ends[1];
	return ends[0];
}

static void questions(int fd)
{
	const struct store_grant granted[] = {
	    store_rights_grant("s3://b/r/", STORE_MAY_READ),
	    store_rights_grant("s3://b/k", STORE_MAY_WRITE | STORE_MAY_PIECE),
	    store_rights_grant("https://127.0.0.1:9/k?s=1", STORE_MAY_WRITE),
	};

	setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9", 1);
	setenv("AWS_ACCESS_KEY_ID", "A", 1);
	setenv("AWS_SECRET_ACCESS_KEY", "B", 1);
	setenv("AWS_CONFIG_FILE", "/nonexistent", 1);
	setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent", 1);
	store_worker_answer(
	    fd, &(struct store_worker_job){.rights = {.v = granted, .n = 3}, .limit_s = 0.001});
}

static int each_object(void *ctx, const struct store_object *o, struct err *e)
{
	size_t *left = ctx;

	must(strncmp(o->address, "s3://b/a", 8) == 0 && strlen(o->tag) < STORE_TAG_MAX);
	return --*left ? 0 : err_set(e, "enough");
}

static bool next_head(void *ctx, const char **address, void **item)
{
	size_t *left = ctx;

	*address = "s3://b/a";
	*item = left;
	return *left && --*left;
}

static void each_head(void *ctx, void *item, const char *p, const struct store_range *r,
                      const struct err *why)
{
	must(item == ctx && r->n <= 100 && (!*why->msg || !r->n));
	must(strlen(r->tag) < STORE_TAG_MAX);
	must(!memchr(p, 'z', r->n) || r->n > 0); /* all of it can be read */
}

static void answers(const struct store *s, unsigned what)
{
	size_t left = 100;
	const struct store_heads heads = {next_head, each_head, &left, 100};
	struct store_put put = {.address = "s3://b/a"};
	struct store_range r;
	struct err e = {0};
	bool exists;
	char p[64];

	switch (what % 4) {
	case 0:
		must(store_list(s, "s3://b/a", each_object, &left, &e) == 0 || *e.msg);
		break;
	case 1:
		if (store_read(s, "s3://b/a", 0, "", p, sizeof p, &r, &e) == 0)
			must(r.n <= sizeof p && strlen(r.tag) < STORE_TAG_MAX);
		else
			must(*e.msg);
		break;
	case 2:
		must(store_heads(s, &heads, &e) == 0 || *e.msg);
		break;
	default:
		if (store_put_begin(s, &put, &e) == 0 && store_put_write(s, "x", 1, &e) == 0)
			must(store_put_end(s, &exists, &e) == 0 || *e.msg);
		store_requests(s);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int other, fd;

	if (!size || size > MOST)
		return 0;
	fd = socket_with(data + 1, size - 1, &other);
	if (*data % 2)
		answers(&(struct store){.worker = {.pid = 1, .fd = fd}}, *data / 2);
	else
		questions(fd);
	close(fd);
	close(other);
	return 0;
}
