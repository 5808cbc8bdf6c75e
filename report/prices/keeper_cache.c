/* keeper_cache: the Keeper API's answers on disk, one file for each URL. */
#include "report/prices/keeper_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/fnv1a.h"

#define MAGIC      "rtrack-keeper-cache 1 "
#define HEAD_MAX   ((size_t)66 << 10) /* KEEPER_FETCH_URL_MAX, and the words before the URL */
#define NAME       "rtrack-keeper-"   /* the folder may have other files */
#define TEMP       ".rtrack-keeper-"
#define NAME_SIZE  64
#define TEMP_OLD_S 3600 /* an older temporary file was left behind by a crash */

/* -- the folder -------------------------------------------------------------------------------- */

bool keeper_cache_default(char out[KEEPER_CACHE_PATH])
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n = -1;

	if (xdg && *xdg == '/')
		n = snprintf(out, KEEPER_CACHE_PATH, "%s/rtrack", xdg);
	else if (home && *home == '/')
		n = snprintf(out, KEEPER_CACHE_PATH, "%s/.cache/rtrack", home);
	return n > 0 && n < KEEPER_CACHE_PATH;
}

static void make_folders(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash && slash != path) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	mkdir(path, 0700);
}

static bool is_private(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

int keeper_cache_open(struct keeper_cache *c, const char *path, bool make, struct err *e)
{
	char p[KEEPER_CACHE_PATH];
	size_t n = strlen(path);
	struct stat st;
	int fd;

	*c = (struct keeper_cache){0};
	/* O_NOFOLLOW follows "link/", so drop the slash. */
	while (n > 1 && path[n - 1] == '/')
		n--;
	if (n >= sizeof p)
		return err_set(e, "%s: %s", path, strerror(ENAMETOOLONG));
	snprintf(p, sizeof p, "%.*s", (int)n, path);
	if (make)
		make_folders(p);
	fd = open(p, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return err_set(e, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) || !is_private(&st)) {
		close(fd);
		return err_set(e, "%s: not owned by this user, or writable by others", path);
	}
	*c = (struct keeper_cache){.open = true, .dir = fd};
	return 0;
}

void keeper_cache_close(struct keeper_cache *c)
{
	if (c->open)
		close(c->dir);
	*c = (struct keeper_cache){0};
}

/* The file also has the whole URL, so a collision is noticed. */
static void cache_file_name(const char *url, char out[NAME_SIZE])
{
	snprintf(out, NAME_SIZE, NAME "%016llx.json",
	         (unsigned long long)fnv1a_add(FNV1A_BEGIN, url));
}

/* -- reading ----------------------------------------------------------------------------------- */

size_t keeper_cache_head(const char *text, size_t n, const char *url, double *at)
{
	static const char magic[] = MAGIC;
	const char *line = memchr(text, '\n', n < HEAD_MAX ? n : HEAD_MAX);
	size_t len = line ? (size_t)(line - text) : 0, i = sizeof magic - 1, digits = 0;
	double t = 0;

	if (len <= i || memcmp(text, magic, i))
		return 0;
	for (; i < len && text[i] >= '0' && text[i] <= '9' && digits < 12; i++, digits++)
		t = t * 10 + (text[i] - '0');
	if (!digits || i >= len || text[i++] != ' ' || strlen(url) != len - i ||
	    memcmp(text + i, url, len - i))
		return 0;
	*at = t;
	return len + 1;
}

static char *read_up_to(int fd, size_t size, size_t *n)
{
	char *text = alloc_failed_note(malloc(size + 1));

	for (*n = 0; text && *n < size;) {
		ssize_t got = read(fd, text + *n, size - *n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		*n += (size_t)got;
	}
	if (text)
		text[*n] = '\0';
	return text;
}

void keeper_cache_get(const struct keeper_cache *c, const char *url, double now,
                      struct keeper_cached *out)
{
	char name[NAME_SIZE];
	struct stat st;
	size_t n = 0, body = 0;
	char *text = NULL;
	int fd;

	*out = (struct keeper_cached){0};
	cache_file_name(url, name);
	/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
	fd = c->open ? openat(c->dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && is_private(&st) && st.st_size > 0 &&
	    (uint64_t)st.st_size <= HEAD_MAX + KEEPER_CACHE_BODY)
		text = read_up_to(fd, (size_t)st.st_size, &n);
	close(fd);
	if (text)
		body = keeper_cache_head(text, n, url, &out->at);
	if (body && out->at <= now) {
		out->len = n - body;
		memmove(text, text + body, out->len + 1);
		out->body = text;
	} else
		free(text);
}

/* -- writing ----------------------------------------------------------------------------------- */

static bool write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t put = write(fd, p, n);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		p += put;
		n -= (size_t)put;
	}
	return true;
}

static bool has_prefix(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* Counts the cache files, and sets *oldest. Removes temporary files that were left behind. */
static size_t count_files(int dir, DIR *d, char oldest[NAME_SIZE])
{
	time_t when = 0, stale = time(NULL) - TEMP_OLD_S;
	const struct dirent *f;
	struct stat st;
	size_t count = 0;

	while ((f = readdir(d))) {
		bool temp = has_prefix(f->d_name, TEMP);
		if (!(temp || has_prefix(f->d_name, NAME)) || strlen(f->d_name) >= NAME_SIZE ||
		    fstatat(dir, f->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (temp && st.st_mtime < stale)
			unlinkat(dir, f->d_name, 0);
		if (temp || (count++ && st.st_mtime >= when))
			continue;
		when = st.st_mtime;
		snprintf(oldest, NAME_SIZE, "%.*s", NAME_SIZE - 1, f->d_name);
	}
	return count;
}

static void prune(int dir)
{
	char oldest[NAME_SIZE];
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d) {
		if (fd >= 0)
			close(fd);
		return;
	}
	/* One removal is enough, unless several processes wrote at once. */
	for (int i = 0; i < 8 && count_files(dir, d, oldest) > KEEPER_CACHE_FILES; i++) {
		unlinkat(dir, oldest, 0);
		rewinddir(d);
	}
	closedir(d);
}

static void write_file(int dir, const char *name, const struct buf *head, const char *body,
                       size_t len)
{
	char temp[NAME_SIZE];
	struct timespec t;
	bool ok;
	int fd;

	clock_gettime(CLOCK_REALTIME, &t);
	snprintf(temp, sizeof temp, TEMP "%ld.%09ld", (long)getpid(), t.tv_nsec);
	fd = openat(dir, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	ok = write_all(fd, head->s, head->len) && write_all(fd, body, len);
	ok &= close(fd) == 0;
	if (!ok || renameat(dir, temp, dir, name))
		unlinkat(dir, temp, 0);
}

void keeper_cache_put(const struct keeper_cache *c, const char *url, const char *body, size_t len,
                      double at)
{
	struct buf head = {.max = HEAD_MAX};
	char name[NAME_SIZE];

	if (!c->open || len > KEEPER_CACHE_BODY || strpbrk(url, "@\r\n"))
		return;
	buf_printf(&head, MAGIC "%.0f %s\n", at, url);
	if (!head.failed && at >= 0 && at < 1e12) {
		cache_file_name(url, name);
		write_file(c->dir, name, &head, body, len);
		prune(c->dir);
	}
	buf_free(&head);
}
