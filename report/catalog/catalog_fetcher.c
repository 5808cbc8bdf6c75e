/* catalog_fetcher: sends the requests to a ClickHouse server from a worker process. */
#include "report/catalog/catalog_fetcher.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "report/http/http.h"
#include "report/sandbox/landlock.h"
#include "report/sandbox/seccomp.h"

#define USER          "RTRACK_CATALOG_USER"
#define PASSWORD      "RTRACK_CATALOG_PASSWORD"
#define PASSWORD_FILE "RTRACK_CATALOG_PASSWORD_FILE"
#define SECRET_MAX    1024
#define PIECE_MAX     ((size_t)64 << 10)

/* The protocol on the socket: a question is followed by its parameters and its body; each piece of
 * an answer by its bytes, and the last by a sentence, if rc is not 0. */
struct question {
	size_t parameters, body;
};

struct piece {
	size_t len;
	long status;
	int rc;
	bool last;
};

/* What only the worker has. */
struct login {
	char user[64 + SECRET_MAX], password[64 + SECRET_MAX]; /* headers */
	size_t n;
	struct err why; /* why they could not be read, or "" */
};

struct service {
	int fd;
	const char *base;
	struct login login;
};

/* -- who the user is --------------------------------------------------------------------------- */

static int add_header(char out[64 + SECRET_MAX], const char *name, const char *value,
                      const char *from, struct err *e)
{
	if (strlen(value) > SECRET_MAX)
		return err_set(e, "%s: longer than %d bytes", from, SECRET_MAX);
	for (const char *p = value; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			return err_set(e, "%s: has a control character", from);
	snprintf(out, 64 + SECRET_MAX, "%s: %s", name, value);
	return 0;
}

/* As psql does with ~/.pgpass: a file that others can read holds no secret. */
static int read_secret_file(const char *path, char out[SECRET_MAX + 2], struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st)) {
		err_set(e, PASSWORD_FILE ": %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	if (!S_ISREG(st.st_mode) || st.st_mode & (S_IRWXG | S_IRWXO)) {
		close(fd);
		return err_set(e, PASSWORD_FILE ": %s: %s", path,
		               S_ISREG(st.st_mode) ? "others have access to it; chmod 600 is needed"
		                                   : "this is no regular file");
	}
	n = read(fd, out, SECRET_MAX + 1);
	close(fd);
	if (n < 0)
		return err_set(e, PASSWORD_FILE ": %s: %s", path, strerror(errno));
	out[n] = '\0';
	out[strcspn(out, "\r\n")] = '\0';
	return 0;
}

static int read_login(struct login *l)
{
	const char *user = getenv(USER), *password = getenv(PASSWORD),
		   *file = getenv(PASSWORD_FILE);
	char secret[SECRET_MAX + 2];
	int rc = 0;

	if (password && file && *file)
		return err_set(&l->why, PASSWORD " and " PASSWORD_FILE " are both set: only one of "
		                                 "them may be");
	if (!user || !*user)
		user = "default"; /* as the server has it, but 18.16 not beside a password */
	if (add_header(l->user, "X-ClickHouse-User", user, USER, &l->why))
		return -1;
	if (file && *file) {
		rc = read_secret_file(file, secret, &l->why);
		password = rc ? NULL : secret;
	}
	if (password && *password)
		rc = add_header(l->password, "X-ClickHouse-Key", password,
		                file && *file ? PASSWORD_FILE : PASSWORD, &l->why);
	explicit_bzero(secret, sizeof secret);
	return rc;
}

/* -- in the worker ----------------------------------------------------------------------------- */

static int put_piece(void *ctx, long status, const char *p, size_t n)
{
	const struct service *s = ctx;

	while (n) {
		struct piece piece = {.len = n < PIECE_MAX ? n : PIECE_MAX, .status = status};
		if (!worker_process_put(s->fd, &piece, sizeof piece) ||
		    !worker_process_put(s->fd, p, piece.len))
			return -1;
		p += piece.len;
		n -= piece.len;
	}
	return 0;
}

static bool put_end(const struct service *s, int rc, long status, const struct err *why)
{
	struct piece end = {
	    .last = true, .rc = rc, .status = status, .len = rc ? strlen(why->msg) : 0};

	return worker_process_put(s->fd, &end, sizeof end) &&
	       worker_process_put(s->fd, why->msg, end.len);
}

static bool serve_request(struct service *s, const char *parameters, const char *body, size_t len)
{
	const char *headers[2];
	struct http_request q = {.headers = headers,
	                         .timeout_ms = CATALOG_FETCHER_TIMEOUT_MS,
	                         .budget_ms = CATALOG_FETCHER_TIMEOUT_MS,
	                         .body_max = CATALOG_FETCHER_ANSWER_MAX,
	                         .sent = body,
	                         .sent_len = len,
	                         .sink = put_piece,
	                         .ctx = s};
	struct http_answer a = {0};
	struct buf url = {0};
	struct err why = s->login.why;
	int rc = *why.msg ? -1 : 0;
	bool sent;

	if (*s->login.user)
		headers[q.n_headers++] = s->login.user;
	if (*s->login.password)
		headers[q.n_headers++] = s->login.password;
	buf_printf(&url, "%s/?%s", s->base, parameters);
	q.url = buf_cstr(&url);
	if (!rc && url.failed)
		rc = err_set(&why, "%s", strerror(ENOMEM));
	if (!rc)
		rc = http_post(&q, &a, &why);
	sent = put_end(s, rc, a.status, &why);
	http_answer_free(&a);
	buf_free(&url);
	return sent;
}

static bool take_one(struct service *s, const struct question *q)
{
	char *parameters, *body;
	bool served = false;

	if (q->parameters > CATALOG_FETCHER_PARAMETERS_MAX || q->body > CATALOG_FETCHER_BODY_MAX)
		return false;
	parameters = malloc(q->parameters + 1);
	body = malloc(q->body + 1);
	if (parameters && body && worker_process_take(s->fd, parameters, q->parameters) &&
	    worker_process_take(s->fd, body, q->body)) {
		parameters[q->parameters] = '\0';
		served = serve_request(s, parameters, body, q->body);
	}
	free(parameters);
	free(body);
	return served;
}

/* Reading stays allowed, as name resolution and TLS need files of the system; writing is not. */
static void keep_network_only(void)
{
	struct landlock r;

	landlock_begin(&r, LANDLOCK_WRITING);
	landlock_end(&r);
	seccomp_enter(SECCOMP_NETWORK);
}

static void serve_server(int fd, const void *base)
{
	struct service s = {.fd = fd, .base = base};
	struct question q;

	prctl(PR_SET_DUMPABLE, 0); /* a core dump would have the password */
	read_login(&s.login);
	keep_network_only();
	while (worker_process_take(fd, &q, sizeof q))
		if (!take_one(&s, &q))
			break;
}

/* -- in this process --------------------------------------------------------------------------- */

/* This process reads recordings, and so do workers that are started later. */
static void forget_password(void)
{
	char *password = getenv(PASSWORD);

	if (!password)
		return;
	explicit_bzero(password, strlen(password));
	unsetenv(PASSWORD);
}

int catalog_fetcher_start(struct catalog_fetcher *f, const char *place, struct err *e)
{
	int rc = 0;

	*f = (struct catalog_fetcher){0};
	if (place && clickhouse_is_address(place)) {
		rc = clickhouse_address_parse(place, &f->address, e);
		if (!rc)
			rc = worker_process_start(&f->worker, serve_server, f->address.base, e);
	}
	forget_password();
	return rc;
}

static int say_ended(const struct catalog_fetcher *f, struct err *e)
{
	return err_set(e, "%s: the process that sends requests has ended",
	               clickhouse_address_host(&f->address));
}

/* The worker handles data from the network, so what it says is checked. After a failure the
 * remaining pieces are read all the same: the next answer follows them. */
static int take_fetched(const struct catalog_fetcher *f, char *piece_bytes, catalog_piece *each,
                        void *ctx, struct err *e)
{
	struct piece piece;
	int rc = 0;

	do {
		if (!worker_process_take(f->worker.fd, &piece, sizeof piece) ||
		    piece.len > PIECE_MAX ||
		    !worker_process_take(f->worker.fd, piece_bytes, piece.len))
			return say_ended(f, e);
		piece_bytes[piece.len] = '\0';
		if (!rc && !piece.last)
			rc = each(ctx, piece.status, piece_bytes, piece.len, e);
	} while (!piece.last);
	if (rc)
		return -1;
	if (piece.rc)
		return err_set(e, "%s", piece_bytes);
	/* An answer without a body has a status, too. */
	return each(ctx, piece.status, "", 0, e) ? -1 : 0;
}

int catalog_fetcher_send(const struct catalog_fetcher *f, const struct catalog_request *q,
                         catalog_piece *each, void *ctx, struct err *e)
{
	struct question question = {.parameters = strlen(q->parameters), .body = q->len};
	char *piece_bytes;
	int rc;

	if (!f || !f->worker.pid)
		return err_set(e, "the process that sends requests is not running");
	if (question.parameters > CATALOG_FETCHER_PARAMETERS_MAX ||
	    question.body > CATALOG_FETCHER_BODY_MAX)
		return err_set(e, "%s: the request is too long",
		               clickhouse_address_host(&f->address));
	piece_bytes = malloc(PIECE_MAX + 1);
	if (!piece_bytes)
		return err_set(e, "%s: %s", clickhouse_address_host(&f->address), strerror(ENOMEM));
	/* If the worker has ended, reading its answer fails. */
	(void)(worker_process_put(f->worker.fd, &question, sizeof question) &&
	       worker_process_put(f->worker.fd, q->parameters, question.parameters) &&
	       worker_process_put(f->worker.fd, q->body, question.body));
	rc = take_fetched(f, piece_bytes, each, ctx, e);
	free(piece_bytes);
	return rc;
}

void catalog_fetcher_stop(struct catalog_fetcher *f)
{
	worker_process_stop(&f->worker);
}
