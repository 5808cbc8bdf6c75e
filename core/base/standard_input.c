/* standard_input: "-" among the inputs. */
#include "core/base/standard_input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/tmpfile.h"

#define SHOWN "standard input"

static bool spooled;

bool standard_input_is(const char *path)
{
	return spooled && strcmp(path, STANDARD_INPUT) == 0;
}

const char *standard_input_name(const char *path)
{
	return standard_input_is(path) ? SHOWN : path;
}

int standard_input_open(const char *path)
{
	int fd;

	if (!standard_input_is(path))
		return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET); /* of a regular file: it cannot fail */
	return fd;
}

static int copy_all(int to, uint64_t max, struct err *e)
{
	static char part[65536];
	uint64_t at = 0;
	ssize_t n;

	for (;;) {
		n = read(STDIN_FILENO, part, sizeof part);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		if (at + (uint64_t)n > max)
			return err_set(e, SHOWN ": more than %llu MiB",
			               (unsigned long long)(max >> 20));
		if (tmpfile_write(to, part, (size_t)n, (off_t)at))
			return err_set(e, SHOWN ": no room to keep it: %s", strerror(errno));
		at += (uint64_t)n;
	}
	return n < 0 ? err_set(e, SHOWN ": %s", strerror(errno)) : 0;
}

/* A folder for temporary files may be missing, as in a small container. */
static int open_spool(void)
{
	int fd = tmpfile_temporary();

	return fd < 0 ? memfd_create("rtrack", MFD_CLOEXEC) : fd;
}

int standard_input_spool(uint64_t max, struct err *e)
{
	struct stat st;
	int fd, failed;

	if (isatty(STDIN_FILENO))
		return err_set(e, SHOWN " is a terminal: \"-\" needs a file or a pipe, as in "
		                        "\"… | rtrack-report -\"");
	if (fstat(STDIN_FILENO, &st))
		return err_set(e, SHOWN ": %s", strerror(errno));
	if (S_ISREG(st.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0) {
		spooled = true;
		return 0;
	}
	fd = open_spool();
	if (fd < 0)
		return err_set(e, SHOWN ": no room to keep it: %s", strerror(errno));
	failed = copy_all(fd, max, e);
	if (!failed && dup2(fd, STDIN_FILENO) < 0)
		failed = err_set(e, SHOWN ": %s", strerror(errno));
	close(fd);
	spooled = !failed;
	return failed;
}

void standard_input_occupy(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}
