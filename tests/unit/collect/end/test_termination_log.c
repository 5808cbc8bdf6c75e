/* Tests of collect/end/termination_log.c: when the sentence is written, and when not. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/end/termination_log.h"
#include "tests/unit/unit.h"

static char path[64];

static int make_file(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "/tmp/rtrack-termination-XXXXXX");
	fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static const char *content(void)
{
	static char text[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, sizeof text - 1);

	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

TEST_WITH(written_once, make_file, remove_file)
{
	termination_log_put(path, "Ended with status 1.");
	assert_string_equal(content(), "Ended with status 1.\n");
	/* The job's own message, or the sentence, stays. */
	termination_log_put(path, "Other.");
	assert_string_equal(content(), "Ended with status 1.\n");
}

TEST_WITH(nothing_to_say, make_file, remove_file)
{
	termination_log_put(path, "");
	assert_string_equal(content(), "");
}

/* Kubernetes takes 4096 bytes. */
TEST_WITH(a_long_sentence_is_cut, make_file, remove_file)
{
	char text[6000];
	size_t n;

	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	termination_log_put(path, text);
	n = strlen(content());
	assert_true(n > 2000 && n <= 4096 && content()[n - 1] == '\n');
}

TEST_WITH(a_file_that_cannot_be_written, make_file, remove_file)
{
	termination_log_put("/no/such/folder/log", "x");
	termination_log_put("/", "x");
	termination_log_put("/dev/null", "x");
	assert_int_equal(chmod(path, 0400), 0);
	termination_log_put(path, "x"); /* root may */
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	termination_log_put(path, "x"); /* does not wait for a reader */
}

TEST_WITH(only_in_a_pod, make_file, remove_file)
{
	unsetenv("KUBERNETES_SERVICE_HOST");
	termination_log_write("x"); /* would be the machine's own file */
	setenv("KUBERNETES_SERVICE_HOST", "", 1);
	termination_log_write("x");
	unsetenv("KUBERNETES_SERVICE_HOST");
	assert_string_equal(content(), "");
}
