/* worker_process: what a worker has, and when it ends. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/sandbox/worker_process.h"
#include "tests/unit/unit.h"

/* Says how many descriptors above the standard ones are open, its own left out. */
static void count_open(int fd, const void *ctx)
{
	char n, others = 0;

	(void)ctx;
	while (worker_process_take(fd, &n, 1)) {
		for (int i = STDERR_FILENO + 1; i < 512; i++)
			others = (char)(others + (i != fd && fcntl(i, F_GETFD) >= 0));
		worker_process_put(fd, &others, 1);
	}
}

TEST(test_no_other_descriptors)
{
	struct worker_process first, second;
	int file = open("/dev/null", O_RDONLY), far = fcntl(file, F_DUPFD, 300);
	char n = '?';

	assert_true(file > STDERR_FILENO && far >= 300);
	assert_int_equal(worker_process_start(&first, count_open, NULL, NULL), 0);
	assert_int_equal(worker_process_start(&second, count_open, NULL, NULL), 0);
	assert_true(worker_process_put(second.fd, &n, 1) && worker_process_take(second.fd, &n, 1));
	assert_int_equal(n, 0);
	/* Nobody else has its socket, so it ends although the second goes on. */
	worker_process_stop(&first);
	assert_int_equal(first.pid, 0);
	worker_process_stop(&second);
	close(far);
	close(file);
}

TEST(test_low_descriptor)
{
	struct worker_process w;
	char n = '?';

	/* The socket gets the first free number. */
	for (int i = STDERR_FILENO + 1; i < 16; i++)
		close(i);
	assert_int_equal(worker_process_start(&w, count_open, NULL, NULL), 0);
	assert_true(worker_process_put(w.fd, &n, 1) && worker_process_take(w.fd, &n, 1));
	assert_int_equal(n, 0);
	worker_process_stop(&w);
}

TEST(test_ended)
{
	struct worker_process w;
	char n = '?';

	assert_int_equal(worker_process_start(&w, count_open, NULL, NULL), 0);
	kill(w.pid, SIGKILL);
	while (worker_process_put(w.fd, &n, 1))
		;
	assert_false(worker_process_take(w.fd, &n, 1));
	worker_process_stop(&w);
}
