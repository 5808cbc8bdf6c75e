/* worker: what a worker has, and when it ends. */
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/sandbox/worker.h"
#include "tests/unit/unit.h"

/* Says how many descriptors above the standard ones are open, its own left out. */
static void count_open(int fd, const void *ctx)
{
	int others = 0;

	(void)ctx;
	while (worker_receive(fd, NULL, 0, NULL, 0, NULL, NULL)) {
		for (int i = STDERR_FILENO + 1; i < 512; i++)
			others += i != fd && fcntl(i, F_GETFD) >= 0;
		worker_send(fd, &others, sizeof others, NULL, 0, NULL);
	}
}

static int others_of(const struct worker *w)
{
	int others = -1;

	assert_true(worker_send(w->fd, NULL, 0, NULL, 0, NULL));
	assert_true(worker_receive(w->fd, &others, sizeof others, NULL, 0, NULL, NULL));
	return others;
}

TEST(test_no_other_descriptors)
{
	struct worker first, second;
	int file = open("/dev/null", O_RDONLY), far = fcntl(file, F_DUPFD, 300);

	assert_true(file > STDERR_FILENO && far >= 300);
	assert_int_equal(worker_start(&first, count_open, NULL, NULL), 0);
	assert_int_equal(worker_start(&second, count_open, NULL, NULL), 0);
	assert_int_equal(others_of(&second), 0);
	/* Nobody else has its socket, so it ends although the second goes on. */
	worker_stop(&first);
	assert_int_equal(first.pid, 0);
	worker_stop(&second);
	close(far);
	close(file);
}

TEST(test_low_descriptor)
{
	struct worker w;

	/* The socket gets the first free number. */
	for (int i = STDERR_FILENO + 1; i < 16; i++)
		close(i);
	assert_int_equal(worker_start(&w, count_open, NULL, NULL), 0);
	assert_int_equal(others_of(&w), 0);
	worker_stop(&w);
}

TEST(test_ended)
{
	struct worker w;

	assert_int_equal(worker_start(&w, count_open, NULL, NULL), 0);
	kill(w.pid, SIGKILL);
	while (worker_send(w.fd, NULL, 0, NULL, 0, NULL))
		;
	assert_false(worker_receive(w.fd, NULL, 0, NULL, 0, NULL, NULL));
	worker_stop(&w);
}

/* A socket from which these bytes come, and then nothing. */
static int bytes_of(const void *p, size_t n)
{
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	assert_int_equal(write(ends[1], p, n), n);
	close(ends[1]);
	return ends[0];
}

TEST(test_messages)
{
	int ends[2], fields = 7, got = 0;
	struct err why = {.msg = "\x1b[1m no"};
	char bytes[4];
	size_t n = 9;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	assert_true(worker_send(ends[0], &fields, sizeof fields, "abcd", 4, NULL));
	assert_true(worker_send(ends[0], NULL, 0, NULL, 0, NULL));
	assert_true(worker_send(ends[0], NULL, 0, NULL, 0, NULL));
	assert_true(worker_send(ends[0], &fields, sizeof fields, "abcd", 4, &why));
	assert_true(worker_send(ends[0], NULL, 0, "abcde", 5, NULL));
	assert_true(worker_receive(ends[1], &got, sizeof got, bytes, sizeof bytes, &n, NULL));
	assert_int_equal(got, 7);
	assert_int_equal(n, 4);
	assert_memory_equal(bytes, "abcd", 4);
	assert_true(worker_receive(ends[1], NULL, 0, NULL, 0, &n, &why));
	assert_int_equal(n, 0);
	assert_string_equal(why.msg, "");
	assert_true(worker_receive(ends[1], NULL, 0, NULL, 0, NULL, NULL));
	assert_true(worker_receive(ends[1], &got, sizeof got, NULL, 0, &n, &why));
	assert_int_equal(n, 0);
	assert_string_equal(why.msg, "\\x1b[1m no");
	assert_false(
	    worker_receive(ends[1], NULL, 0, bytes, sizeof bytes, &n, NULL)); /* too many */
	close(ends[0]);
	close(ends[1]);
}

TEST(test_lies)
{
	static const struct {
		size_t n;
		unsigned char failed;
		char bytes[4];
	} lies[] = {
	    {SIZE_MAX, 0, "abc"}, /* longer than may be */
	    {40, 0, "abc"},       /* than what comes */
	    {1024, 1, "abc"},     /* than a sentence */
	    {0, 1, "abc"},        /* no sentence is so short */
	    {2, 1, "\0a"},
	};
	char bytes[64];
	struct err why;
	size_t n;

	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		int fd = bytes_of(&lies[i], sizeof lies[i]);
		assert_false(worker_receive(fd, NULL, 0, bytes, sizeof bytes, &n, &why));
		close(fd);
	}
}

TEST(test_lost)
{
	struct err e;

	worker_say_lost(&(struct worker){0}, "s3://b/k", "sends requests", &e);
	assert_string_equal(e.msg, "s3://b/k: the process that sends requests is not running");
	worker_say_lost(&(struct worker){.pid = 1}, "", "sends requests", &e);
	assert_string_equal(e.msg, "the process that sends requests has ended");
}
