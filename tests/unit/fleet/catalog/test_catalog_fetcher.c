/* catalog_fetcher: what reaches a server, and what does not. The server is a child process. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fleet/catalog/catalog_fetcher.h"
#include "tests/unit/unit.h"

#define OK "HTTP/1.1 200 OK\r\nConnection: close\r\n"

struct server {
	pid_t pid;
	char place[64];
};

/* Reads a request up to the end of its body, which ends in "END". */
static size_t read_request(int fd, char *out, size_t size)
{
	size_t n = 0;
	ssize_t got;

	while (n < size - 1 && (got = read(fd, out + n, size - 1 - n)) > 0) {
		n += (size_t)got;
		out[n] = '\0';
		if (n >= 3 && strcmp(out + n - 3, "END") == 0)
			break;
	}
	return n;
}

/* Answers every request with `answer`, or with the request itself. */
static void serve(int listener, const char *answer)
{
	static char request[16384];

	for (;;) {
		int fd = accept(listener, NULL, NULL);
		size_t n = read_request(fd, request, sizeof request);

		if (!answer) {
			dprintf(fd, OK "Content-Length: %zu\r\n\r\n", n);
			if (write(fd, request, n) < 0)
				_exit(1);
		} else if (write(fd, answer, strlen(answer)) < 0) {
			_exit(1);
		}
		close(fd);
	}
}

static void start(struct server *s, const char *answer)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof a) == 0);
	assert_true(listen(fd, 8) == 0 && getsockname(fd, (struct sockaddr *)&a, &n) == 0);
	snprintf(s->place, sizeof s->place, "http://127.0.0.1:%d/fleet", ntohs(a.sin_port));
	s->pid = fork();
	assert_true(s->pid >= 0);
	if (s->pid == 0)
		serve(fd, answer);
	close(fd);
}

static void stop(const struct server *s)
{
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
}

struct gathered {
	char text[300000];
	size_t n, max;
	long status;
};

static int gather(void *ctx, long status, const char *p, size_t n, struct err *e)
{
	struct gathered *g = ctx;

	g->status = status;
	if (g->n + n > g->max)
		return err_set(e, "enough");
	memcpy(g->text + g->n, p, n);
	g->n += n;
	g->text[g->n] = '\0';
	return 0;
}

static int ask(const char *place, struct gathered *g, struct err *e)
{
	struct catalog_request q = {
	    .parameters = "database=fleet&x=1", .body = "SELECT 1 END", .len = 12};
	struct catalog_fetcher f;
	int rc;

	g->n = 0;
	g->max = sizeof g->text - 1;
	*g->text = '\0';
	assert_int_equal(catalog_fetcher_start(&f, place, e), 0);
	rc = catalog_fetcher_send(&f, &q, gather, g, e);
	catalog_fetcher_stop(&f);
	return rc;
}

static int forget_login(void **state)
{
	(void)state;
	unsetenv("RTRACK_CATALOG_USER");
	unsetenv("RTRACK_CATALOG_PASSWORD");
	unsetenv("RTRACK_CATALOG_PASSWORD_FILE");
	return 0;
}

static struct gathered got;

TEST_WITH(what_is_sent, forget_login, NULL)
{
	const char *password;
	struct server s;
	struct err e = {0};

	setenv("RTRACK_CATALOG_USER", "ann", 1);
	setenv("RTRACK_CATALOG_PASSWORD", "geheim: \xc3\xa9", 1);
	password = getenv("RTRACK_CATALOG_PASSWORD");
	start(&s, NULL);
	assert_int_equal(ask(s.place, &got, &e), 0);
	stop(&s);
	assert_string_equal(password, ""); /* this process has it no more */
	assert_null(getenv("RTRACK_CATALOG_PASSWORD"));
	assert_int_equal(got.status, 200);
	assert_int_equal(strncmp(got.text, "POST /?database=fleet&x=1 HTTP/1.1\r\n", 36), 0);
	assert_non_null(strstr(got.text, "\r\nX-ClickHouse-User: ann\r\n"));
	assert_non_null(strstr(got.text, "\r\nX-ClickHouse-Key: geheim: \xc3\xa9\r\n"));
	assert_non_null(strstr(got.text, "\r\n\r\nSELECT 1 END"));
}

TEST_WITH(without_a_login, forget_login, NULL)
{
	struct server s;
	struct err e = {0};

	start(&s, NULL);
	assert_int_equal(ask(s.place, &got, &e), 0);
	stop(&s);
	assert_non_null(strstr(got.text, "X-ClickHouse-User: default\r\n"));
	assert_null(strstr(got.text, "X-ClickHouse-Key"));
}

/* The sentence that a request fails with; the server must see nothing of it. */
static void refused(const char *why)
{
	struct server s;
	struct err e = {0};

	start(&s, NULL);
	assert_int_equal(ask(s.place, &got, &e), -1);
	stop(&s);
	if (!strstr(e.msg, why))
		fail_msg("%s", e.msg);
	assert_null(strstr(e.msg, "geheim"));
	assert_int_equal(got.n, 0);
}

TEST_WITH(bad_logins, forget_login, NULL)
{
	setenv("RTRACK_CATALOG_PASSWORD", "geheim\r\nX: y", 1);
	refused("RTRACK_CATALOG_PASSWORD: has a control character");
	setenv("RTRACK_CATALOG_PASSWORD", "geheim", 1);
	setenv("RTRACK_CATALOG_USER", "ann\n", 1);
	refused("RTRACK_CATALOG_USER: has a control character");
	setenv("RTRACK_CATALOG_USER", "ann", 1);
	setenv("RTRACK_CATALOG_PASSWORD", "geheim", 1);
	setenv("RTRACK_CATALOG_PASSWORD_FILE", "/nonexistent/none", 1);
	refused("both set");
	refused("/nonexistent/none: No such file");
	setenv("RTRACK_CATALOG_PASSWORD_FILE", "/dev/null", 1);
	refused("not a regular file");
}

TEST_WITH(password_file, forget_login, NULL)
{
	char path[] = "/tmp/rtrack-test-XXXXXX";
	int fd = mkstemp(path);
	struct server s;
	struct err e = {0};

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "geheim\nmore\n", 12), 12);
	close(fd);
	setenv("RTRACK_CATALOG_PASSWORD_FILE", path, 1);
	chmod(path, 0640);
	refused("others have access");
	chmod(path, 0604);
	refused("others have access");
	chmod(path, 0400);
	start(&s, NULL);
	assert_int_equal(ask(s.place, &got, &e), 0);
	stop(&s);
	assert_non_null(strstr(got.text, "\r\nX-ClickHouse-Key: geheim\r\n"));
	unlink(path);
}

TEST_WITH(statuses, forget_login, NULL)
{
	struct server s;
	struct err e = {0};

	start(&s, "HTTP/1.1 500 Bad\r\nContent-Length: 8\r\nConnection: close\r\n\r\nCode: 6\n");
	assert_int_equal(ask(s.place, &got, &e), 0);
	stop(&s);
	assert_int_equal(got.status, 500);
	assert_string_equal(got.text, "Code: 6\n");
	start(&s, "HTTP/1.1 204 None\r\nConnection: close\r\n\r\n");
	assert_int_equal(ask(s.place, &got, &e), 0);
	stop(&s);
	assert_int_equal(got.status, 204);
}

TEST_WITH(an_answer_that_breaks_off, forget_login, NULL)
{
	struct server s;
	struct err e = {0};

	start(&s, OK "Content-Length: 100\r\n\r\nhalf");
	assert_int_equal(ask(s.place, &got, &e), -1);
	stop(&s);
	assert_non_null(strstr(e.msg, "127.0.0.1:"));
	assert_string_equal(got.text, "half");
	start(&s, "nonsense");
	assert_int_equal(ask(s.place, &got, &e), -1);
	stop(&s);
	assert_int_equal(ask(s.place, &got, &e), -1);
	assert_non_null(strstr(e.msg, "no connection"));
}

/* More than a socket holds, and a reader who stops: the next answer is whole again. */
TEST_WITH(large_answers, forget_login, NULL)
{
	static char answer[250000];
	struct catalog_request q = {.parameters = "", .body = "END", .len = 3};
	int head = snprintf(answer, sizeof answer, OK "Content-Length: 200000\r\n\r\n");
	struct catalog_fetcher f;
	struct server s;
	struct err e = {0};

	memset(answer + head, 'x', 200000);
	start(&s, answer);
	assert_int_equal(catalog_fetcher_start(&f, s.place, &e), 0);
	got.n = 0;
	got.max = 70000;
	assert_int_equal(catalog_fetcher_send(&f, &q, gather, &got, &e), -1);
	assert_string_equal(e.msg, "enough");
	got.n = 0;
	got.max = sizeof got.text - 1;
	assert_int_equal(catalog_fetcher_send(&f, &q, gather, &got, &e), 0);
	assert_int_equal(got.n, 200000);
	catalog_fetcher_stop(&f);
	assert_int_equal(catalog_fetcher_send(&f, &q, gather, &got, &e), -1);
	stop(&s);
}

TEST_WITH(no_worker, forget_login, NULL)
{
	struct catalog_fetcher f;
	struct err e = {0};

	assert_int_equal(catalog_fetcher_start(&f, "runs.db", &e), 0);
	assert_int_equal(f.fetcher.worker.pid, 0);
	assert_int_equal(catalog_fetcher_start(&f, NULL, &e), 0);
	assert_int_equal(catalog_fetcher_start(&f, "https://a:b@h/x", &e), -1);
	assert_int_equal(f.fetcher.worker.pid, 0);
	catalog_fetcher_stop(&f);
}
