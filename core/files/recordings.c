/* recordings: a file that has one recording, or several. */
#include "core/files/recordings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gz.h"

/* A FIFO has one reader only: it is not opened here. */
int recordings_open(struct recordings *v, const char *path)
{
	struct stat st;

	*v = (struct recordings){.fd = -1};
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		v->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return v->fd < 0 ? -1 : 0;
}

void recordings_close(struct recordings *v)
{
	if (v->fd >= 0)
		close(v->fd);
	v->fd = -1;
}

int recordings_next(struct recordings *v, struct err *e)
{
	unsigned char head[GZ_MEMBER_HEAD];
	uint64_t size, n;
	struct stat st;
	ssize_t got;

	v->at += v->n;
	v->n = 0;
	if (fstat(v->fd, &st))
		return err_set(e, "%s", strerror(errno));
	size = (uint64_t)st.st_size;
	if (v->at && v->at >= size)
		return 0;
	got = pread(v->fd, head, sizeof head, (off_t)v->at);
	if (got < 0)
		return err_set(e, "%s", strerror(errno));
	n = gz_member_size(head, (size_t)got);
	if (!v->at && !n)
		n = size ? size : 1; /* an empty file is one recording, which has no samples */
	else if (n < GZ_MEMBER_HEAD || n > size - v->at)
		return err_set(e,
		               "its last recording is not whole: the last %llu bytes, from byte "
		               "%llu on, are left out",
		               (unsigned long long)(size - v->at), (unsigned long long)v->at);
	v->n = n;
	return 1;
}

const char *recordings_name(const char *name, uint64_t at, struct err *to)
{
	if (!at)
		return name;
	err_set(to, "%s, recording at byte %llu", name, (unsigned long long)at);
	return to->msg;
}
