/* fetcher: how long a server that sends nothing is waited for. The server is a child process. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "report/http/fetcher.h"
#include "tests/unit/unit.h"

#define QUIET_MS 300
#define LIMIT_MS 60000
#define HEAD     "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
#define LONG_ONE HEAD "1000\r\n\r\n"
#define ANSWER   HEAD "5\r\n\r\nright"

/* What it does with a request other than /ping. */
enum does { NEVER, LATE, HALF, SLOWLY };

static void answer_one(int fd, enum does does, bool pings)
{
	char request[4096];
	ssize_t n = read(fd, request, sizeof request - 1);

	request[n > 0 ? n : 0] = '\0';
	if (strncmp(request, "GET /ping ", 10) == 0) {
		if (!pings)
			pause();
	} else if (does == LATE) {
		usleep(4 * QUIET_MS * 1000);
	} else {
		if (does == HALF)
			(void)!write(fd, ANSWER, sizeof ANSWER - 4);
		if (does == SLOWLY)
			(void)!write(fd, LONG_ONE, sizeof LONG_ONE - 1);
		while (does == SLOWLY && write(fd, "x", 1) == 1)
			usleep(QUIET_MS * 200);
		pause();
	}
	(void)!write(fd, ANSWER, sizeof ANSWER - 1);
	_exit(0);
}

struct server {
	pid_t pid; /* of it, and of the group of its children */
	char base[64];
};

static void start(struct server *s, enum does does, bool pings)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one;

	assert_true(fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof a) == 0);
	assert_true(listen(fd, 8) == 0 && getsockname(fd, (struct sockaddr *)&a, &n) == 0);
	snprintf(s->base, sizeof s->base, "http://127.0.0.1:%d", ntohs(a.sin_port));
	s->pid = fork();
	assert_true(s->pid >= 0);
	if (s->pid == 0) {
		setpgid(0, 0);
		while ((one = accept(fd, NULL, NULL)) >= 0) {
			if (fork() == 0)
				answer_one(one, does, pings);
			close(one);
		}
		_exit(1);
	}
	setpgid(s->pid, s->pid);
	close(fd);
}

static void stop(const struct server *s)
{
	kill(-s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
}

static int gather(void *ctx, long status, const char *p, size_t n, struct err *e)
{
	(void)status;
	(void)e;
	strncat(ctx, p, n);
	return 0;
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int fetch(const struct server *s, long ping_ms, char *got, struct err *e)
{
	const struct fetcher_service service = {.base = s->base,
	                                        .call = {.method = "POST", .stall_s = 60},
	                                        .stream = true,
	                                        .ping = "/ping",
	                                        .quiet_ms = QUIET_MS,
	                                        .ping_ms = ping_ms};
	char url[80];
	struct fetcher_request q = {
	    .url = url, .body = "x", .len = 1, .limit_ms = LIMIT_MS, .asked = "SELECT 1"};
	struct fetcher f;
	int rc;

	snprintf(url, sizeof url, "%s/query", s->base);
	got[0] = '\0';
	assert_int_equal(fetcher_start(&f, &service, e), 0);
	rc = fetcher_send(&f, &q, gather, got, e);
	fetcher_stop(&f);
	return rc;
}

/* It works on a long query, and says so when asked. */
TEST(a_server_that_is_slow)
{
	struct server s;
	struct err e = {0};
	char got[1024];

	start(&s, LATE, true);
	assert_int_equal(fetch(&s, LIMIT_MS, got, &e), 0);
	stop(&s);
	assert_string_equal(got, "right");
}

/* A server that is stopped, or a machine that is lost: the kernel, or nobody, takes the
 * connection. */
TEST(a_server_that_says_nothing)
{
	static const enum does all[] = {NEVER, HALF, SLOWLY};
	struct server s;
	struct err e = {0};
	char got[1024], sentence[200];
	double began_s;

	for (size_t i = 0; i < 3; i++) {
		start(&s, all[i], false);
		began_s = now_s();
		assert_int_equal(fetch(&s, QUIET_MS, got, &e), -1);
		assert_true(now_s() - began_s < LIMIT_MS / 2000);
		stop(&s);
		snprintf(sentence, sizeof sentence, "%s: no answer for ", s.base + 7);
		assert_int_equal(strncmp(e.msg, sentence, strlen(sentence)), 0);
		assert_non_null(strstr(e.msg, " s, nor one to /ping (asked: SELECT 1)"));
	}
}
