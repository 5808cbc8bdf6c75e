/* tmpfile: an unnamed temporary file. */
#include "core/base/tmpfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"

/* Falls back to mkostemp and unlink where the file system has no O_TMPFILE. */
int tmpfile_beside(const char *beside)
{
	const char *slash = strrchr(beside, '/');
	struct buf folder = {0}, name = {0};
	int fd = -1;

	buf_add(&folder, slash ? beside : ".", slash ? (size_t)(slash - beside) + 1 : 1);
	buf_printf(&name, "%s.XXXXXX", beside);
	if (!folder.failed && !name.failed) {
		fd = open(buf_cstr(&folder), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		if (fd < 0)
			fd = mkostemp(name.s, O_CLOEXEC);
		else
			name.s[0] = '\0';
	}
	if (fd >= 0 && *name.s)
		unlink(name.s);
	buf_free(&folder);
	buf_free(&name);
	return fd;
}

static int reserve[TMPFILE_RESERVE]; /* the first in_reserve are open and empty */
static size_t in_reserve;

static int open_in_temporary_folder(void)
{
	const char *const folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
	int fd = -1;

	for (size_t i = 0; fd < 0 && i < sizeof folders / sizeof *folders; i++) {
		struct buf file = {0};
		if (!folders[i] || !*folders[i])
			continue;
		buf_printf(&file, "%s/rtrack", folders[i]);
		fd = tmpfile_beside(buf_cstr(&file));
		buf_free(&file);
	}
	return fd;
}

void tmpfile_reserve(void)
{
	while (in_reserve < TMPFILE_RESERVE) {
		int fd = open_in_temporary_folder();
		if (fd < 0)
			break;
		reserve[in_reserve++] = fd;
	}
}

int tmpfile_temporary(void)
{
	return in_reserve ? reserve[--in_reserve] : open_in_temporary_folder();
}

void tmpfile_close(int fd)
{
	if (in_reserve < TMPFILE_RESERVE && ftruncate(fd, 0) == 0)
		reserve[in_reserve++] = fd;
	else
		close(fd);
}

int tmpfile_write(int fd, const void *from, size_t n, off_t at)
{
	const char *p = from;

	while (n) {
		ssize_t w = pwrite(fd, p, n, at);
		if (w < 0 && errno == EINTR)
			continue;
		if (w == 0)
			errno = EIO;
		if (w <= 0)
			return -1;
		p += w;
		at += w;
		n -= (size_t)w;
	}
	return 0;
}

int tmpfile_read(int fd, void *to, size_t n, off_t at)
{
	char *p = to;

	while (n) {
		ssize_t r = pread(fd, p, n, at);
		if (r < 0 && errno == EINTR)
			continue;
		if (r == 0)
			errno = EIO;
		if (r <= 0)
			return -1;
		p += r;
		at += r;
		n -= (size_t)r;
	}
	return 0;
}
