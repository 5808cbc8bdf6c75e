/* stdout_output: --output -, a snapshot for standard output. */
#include "collect/output/stdout_output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATTERN "rtrack-%h-%p-%t.json"
#define CHUNK   65536

bool stdout_output_is(const char *output)
{
	return output && strcmp(output, "-") == 0;
}

int stdout_output_name(struct snapshot_file *file, const struct snapshot_file_values *v,
                       struct err *e)
{
	const char *temporary = getenv("TMPDIR");
	char folder[PATH_MAX], name[PATH_MAX];

	if (!temporary || !*temporary)
		temporary = "/tmp";
	if (snapshot_file_name(file, PATTERN, v, e))
		return -1;
	memcpy(name, file->path, sizeof name);
	if (snprintf(folder, sizeof folder, "%s/rtrack-XXXXXX", temporary) >= (int)sizeof folder)
		return err_set(e, "$TMPDIR: the name is too long");
	if (!mkdtemp(folder))
		return err_set(e, "%s: %s: the recording is written to disk before it is printed",
		               temporary, strerror(errno));
	/* Leaves room for the suffix of the journal. */
	if (snprintf(file->path, sizeof file->path, "%s/%s", folder, name) <
	    (int)sizeof file->path - 32)
		return 0;
	(void)rmdir(folder);
	return err_set(e, "$TMPDIR: the name is too long");
}

static int write_to_reader(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t w = write(fd, p, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0 && errno == EAGAIN) { /* whoever reads made it so */
			(void)poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
			continue;
		}
		if (w <= 0)
			return -1;
		p += w;
		n -= (size_t)w;
	}
	return 0;
}

static int copy_to(int from, int to)
{
	char chunk[CHUNK];
	ssize_t n;

	do {
		n = read(from, chunk, sizeof chunk);
		if (n > 0 && write_to_reader(to, chunk, (size_t)n))
			return -1;
	} while (n > 0 || (n < 0 && errno == EINTR));
	return n < 0 ? -1 : 0;
}

int stdout_output_copy(const char *path, int fd, struct err *e)
{
	int from = open(path, O_RDONLY | O_CLOEXEC), failed;

	signal(SIGPIPE, SIG_IGN); /* a failed write then returns an error */
	failed = from < 0 || copy_to(from, fd);
	if (failed)
		err_set(e, "standard output: %s: the snapshot is kept in %s", strerror(errno),
		        path);
	if (from >= 0)
		close(from);
	if (failed)
		return -1;
	unlink(path);
	stdout_output_clean(path);
	return 0;
}

void stdout_output_clean(const char *path)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/');

	if (slash && snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path) > 0)
		(void)rmdir(folder);
}
