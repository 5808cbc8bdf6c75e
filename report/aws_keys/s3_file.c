/* s3_file: reads a small file of AWS' tools: settings, credentials, a token. */
#include "report/aws_keys/s3_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file_absent(const char *path, int why)
{
	struct stat st;

	return why == ENOENT || why == ENOTDIR || (why == EACCES && stat(path, &st));
}

int s3_file_read(const char *path, size_t max, struct buf *out, bool *absent, struct err *e)
{
	/* A FIFO that nobody writes to must not be waited for. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), rc = -1;
	char piece[4096];
	size_t all = 0;
	ssize_t n;

	*absent = fd < 0 && is_file_absent(path, errno);
	if (fd < 0)
		return *absent ? 0 : err_set(e, "%s: %s", path, strerror(errno));
	if (fcntl(fd, F_SETFL, 0))
		goto failed;
	while ((n = read(fd, piece, sizeof piece)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			goto failed;
		all += (size_t)n;
		if (all > max) {
			err_set(e, "%s: larger than %zu KiB", path, max >> 10);
			goto out;
		}
		buf_add(out, piece, (size_t)n);
	}
	errno = ENOMEM;
	rc = out->failed ? -1 : 0;
failed:
	if (rc)
		err_set(e, "%s: %s", path, strerror(errno));
out:
	explicit_bzero(piece, sizeof piece);
	close(fd);
	return rc;
}
