/* output: the name of the snapshot, and how it comes to stand there. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../core/buf.h"
#include "../core/mem.h"

#define HOST_MAX  64
#define TRIES_MAX 100

static bool harmless(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '-';
}

static void add_host(struct buf *b, const char *host)
{
	for (size_t i = 0; i < HOST_MAX && host[i]; i++)
		buf_char(b, harmless(host[i]) ? host[i] : '_');
}

static void add_time(struct buf *b, time_t now)
{
	struct tm tm;
	char text[32];

	gmtime_r(&now, &tm);
	strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &tm);
	buf_str(b, text);
}

int output_name(struct output *o, const char *pattern, const char *host, long pid, time_t now,
                struct err *e)
{
	struct buf b = {.max = sizeof o->path};
	int r = 0;

	for (const char *p = pattern; !r && *p; p++) {
		if (*p != '%')
			buf_char(&b, *p);
		else if (*++p == 'h')
			add_host(&b, host);
		else if (*p == 'p')
			buf_printf(&b, "%ld", pid);
		else if (*p == 't')
			add_time(&b, now);
		else if (*p == '%')
			buf_char(&b, '%');
		else
			r = err_set(e, "--output: \"%s\": after %% stands neither h, p, t nor %%",
			            pattern);
	}
	/* The names made from this one are longer. */
	if (!r && (b.failed || b.len + 32 > sizeof o->path))
		r = err_set(e, mem_ran_out() ? "--output: no memory for the name"
		                             : "--output: the name is too long");
	if (!r)
		memcpy(o->path, buf_cstr(&b), b.len + 1);
	buf_free(&b);
	return r;
}

/* The directory of path: "." where it has none. */
static void directory(const char *path, char out[PATH_MAX])
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		snprintf(out, PATH_MAX, ".");
	else if (slash == path)
		snprintf(out, PATH_MAX, "/");
	else
		snprintf(out, PATH_MAX, "%.*s", (int)(slash - path), path);
}

int output_check(const struct output *o, struct err *e)
{
	char dir[PATH_MAX];
	struct stat st;
	size_t n = strlen(o->path);

	directory(o->path, dir);
	if (!n || o->path[n - 1] == '/')
		return err_set(e, "%s is a directory, not a file", o->path);
	if (lstat(o->path, &st) == 0 && S_ISDIR(st.st_mode))
		return err_set(e, "%s is a directory, not a file", o->path);
	if (lstat(o->path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return err_set(e, "%s is not a regular file", o->path);
	if (stat(dir, &st))
		return err_set(e, "%s cannot be written: %s: %s", o->path, dir, strerror(errno));
	/* EPERM: a filter forbids to ask, and the journal will show it. */
	if (!S_ISDIR(st.st_mode) ||
	    (faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS) && errno != EPERM))
		return err_set(e, "%s cannot be written: %s: %s", o->path, dir,
		               strerror(S_ISDIR(st.st_mode) ? errno : ENOTDIR));
	return 0;
}

int output_journal(struct output *o, struct err *e)
{
	struct stat st;

	for (int i = 1; i < 10; i++) {
		char suffix[16] = "";
		if (i > 1)
			snprintf(suffix, sizeof suffix, ".%d", i);
		if (snprintf(o->journal, sizeof o->journal, "%s.partial%s", o->path, suffix) >=
		    (int)sizeof o->journal)
			return err_set(e, "%s: the name is too long", o->path);
		if (lstat(o->journal, &st) && errno == ENOENT)
			return 0;
	}
	return err_set(e,
	               "%s.partial to .partial.9 exist: recordings that did not come to their end",
	               o->path);
}

/* Makes a file beside the output that nobody else has. Its descriptor, or -1. */
static int make_new(const char *dir, char path[PATH_MAX], struct err *e)
{
	for (int i = 0; i < TRIES_MAX; i++) {
		int fd;
		if (snprintf(path, PATH_MAX, "%s/.rtrack-%ld-%d.tmp", dir, (long)getpid(), i) >=
		    PATH_MAX)
			return err_set(e, "%s: the name is too long", dir);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd >= 0 ? fd : err_set(e, "%s: %s", path, strerror(errno));
	}
	return err_set(e, "%s: %s", path, strerror(EEXIST));
}

/* What cannot be synced for it is forbidden or unknown here is written all the same. */
static int sync_file(int fd)
{
	int r;

	do
		r = fsync(fd);
	while (r && errno == EINTR);
	return r && errno != EPERM && errno != ENOSYS && errno != EINVAL ? -1 : 0;
}

/* Without this the new name itself may be lost in a crash. A directory that cannot be synced is no
 * failure: not every file system can. */
static void sync_directory(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)fsync(fd);
	close(fd);
}

int output_write(const struct output *o, struct snapshot *s, const struct snapshot_source *rows,
                 struct err *e)
{
	char dir[PATH_MAX], path[PATH_MAX];
	int fd, r;

	directory(o->path, dir);
	fd = make_new(dir, path, e);
	if (fd < 0)
		return err_wrap(e, "%s cannot be written", o->path);
	r = snapshot_write(s, rows, s->schema, fd, e);
	if (!r && sync_file(fd) && errno != EINVAL && errno != EROFS)
		r = err_set(e, "%s", strerror(errno));
	/* Interrupted, it is closed all the same, and synced it was before. */
	if (close(fd) && errno != EINTR && !r)
		r = err_set(e, "%s", strerror(errno));
	if (!r && rename(path, o->path))
		r = err_set(e, "%s", strerror(errno));
	if (r) {
		unlink(path);
		return err_wrap(e, "%s cannot be written", o->path);
	}
	sync_directory(dir);
	return 0;
}
