/* price_fetcher: sends the requests to the Keeper API from a worker process. */
#include "report/prices/price_fetcher.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/sandbox/landlock.h"
#include "report/sandbox/seccomp.h"

/* The protocol on the socket: a question is followed by its URL, an answer by its body. */
struct question {
	size_t len;
	long budget_ms;
};

struct answer {
	int rc;
	long status;
	size_t len;
	struct err why;
};

static int send_request(const char *url, long budget_ms, struct http_answer *a, struct err *e)
{
	static const char *const headers[] = {"X-Application-ID: rtrack",
	                                      "Accept: application/json"};
	struct http_request q = {
	    .url = url, .headers = headers, .n_headers = 2, .budget_ms = budget_ms};

	return http_get(&q, a, e);
}

/* -- in the worker ----------------------------------------------------------------------------- */

static bool is_below(const char *url, const char *base)
{
	size_t n = strlen(base);

	while (n && base[n - 1] == '/')
		n--;
	return strncmp(url, base, n) == 0 && url[n] == '/';
}

static bool serve_one(int fd, const char *base, const struct question *q, char *url)
{
	struct http_answer a = {0};
	struct answer answer = {0};
	bool sent;

	if (!worker_process_take(fd, url, q->len))
		return false;
	url[q->len] = '\0';
	if (is_below(url, base))
		answer.rc = send_request(url, q->budget_ms, &a, &answer.why);
	else
		answer.rc = err_set(&answer.why, "this URL is not below the configured address");
	answer.status = a.status;
	answer.len = a.len;
	sent =
	    worker_process_put(fd, &answer, sizeof answer) && worker_process_put(fd, a.body, a.len);
	http_answer_free(&a);
	return sent;
}

/* Reading stays allowed, as name resolution and TLS need files of the system; writing is not. */
static void drop_rights(void)
{
	struct landlock r;

	landlock_begin(&r, LANDLOCK_WRITING);
	landlock_end(&r);
	seccomp_enter(SECCOMP_NETWORK);
}

static void serve_requests(int fd, const void *base)
{
	char *url = malloc(PRICE_FETCHER_URL_MAX + 1);
	struct question q;

	drop_rights();
	while (url && worker_process_take(fd, &q, sizeof q) && q.len <= PRICE_FETCHER_URL_MAX)
		if (!serve_one(fd, base, &q, url))
			break;
	free(url);
}

/* -- in this process --------------------------------------------------------------------------- */

void price_fetcher_start(struct price_fetcher *c, const char *base)
{
	*c = (struct price_fetcher){0};
	worker_process_start(&c->worker, serve_requests, base, &c->why);
}

/* The worker handles data from the network, so the lengths in its answer are checked. */
static int read_reply(int fd, const char *url, struct http_answer *a, struct err *e)
{
	char host[HTTP_HOST_MAX];
	struct answer answer;

	http_host(url, host);
	if (!worker_process_take(fd, &answer, sizeof answer) || answer.len > HTTP_BODY_MAX)
		return err_set(e, "%s: the process that sends requests has ended", host);
	answer.why.msg[sizeof answer.why.msg - 1] = '\0';
	if (answer.rc)
		return err_set(e, "%s", answer.why.msg);
	a->body = malloc(answer.len + 1);
	if (!a->body)
		return err_set(e, "%s: %s", host, strerror(ENOMEM));
	a->status = answer.status;
	a->len = answer.len;
	a->body[a->len] = '\0';
	if (worker_process_take(fd, a->body, a->len))
		return 0;
	http_answer_free(a);
	return err_set(e, "%s: the process that sends requests has ended", host);
}

int price_fetcher_get(const struct price_fetcher *c, const char *url, long budget_ms,
                      struct http_answer *a, struct err *e)
{
	struct question q = {.len = strlen(url), .budget_ms = budget_ms};

	*a = (struct http_answer){0};
	if (!c)
		return send_request(url, budget_ms, a, e);
	if (!c->worker.pid)
		return err_set(e, "%s",
		               *c->why.msg ? c->why.msg
		                           : "the process that sends requests is not running");
	if (q.len > PRICE_FETCHER_URL_MAX)
		return err_set(e, "the request is too long");
	/* If the worker has ended, reading its answer fails. */
	(void)(worker_process_put(c->worker.fd, &q, sizeof q) &&
	       worker_process_put(c->worker.fd, url, q.len));
	return read_reply(c->worker.fd, url, a, e);
}

void price_fetcher_stop(struct price_fetcher *c)
{
	worker_process_stop(&c->worker);
}
