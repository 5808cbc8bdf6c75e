/* output_file: writes a file completely or not at all. */
#include "report/output/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "report/store/store.h"

static const struct store *stores;

void output_file_store(const struct store *s)
{
	stores = s;
}

int output_file_fail(const char *path, const char *why, struct err *e)
{
	char shown[STORE_SHOWN_MAX];
	const char *name = *path ? store_address_shown(path, shown) : "\"\"";

	return err_set(e, "%s: %s", strcmp(path, "-") == 0 ? "standard output" : name, why);
}

static int file_fail(const struct output_file *o, struct err *e)
{
	return output_file_fail(o->path, strerror(errno), e);
}

/* -- Ctrl-C ------------------------------------------------------------------------------------ */

static const char *volatile unfinished; /* the temporary file that is open */

static void remove_unfinished(int number)
{
	const char *path = unfinished;

	if (path)
		unlink(path);
	signal(number, SIG_DFL);
	raise(number);
}

/* A signal that ends this process leaves no temporary file. One that is ignored stays so. */
static void watch_signals(void)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction watch = {.sa_handler = remove_unfinished}, before;

	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			sigaction(ending[i], &watch, NULL);
}

static void forget_temporary(struct output_file *o)
{
	unfinished = NULL;
	free(o->temporary);
	o->temporary = NULL;
}

/* -- files ------------------------------------------------------------------------------------- */

/* In the same folder, because rename(2) works only within a file system. */
static int open_sibling(struct output_file *o)
{
	struct buf name = {0};
	mode_t mask = umask(0);

	umask(mask);
	buf_printf(&name, "%s.XXXXXX", o->path);
	o->temporary = buf_take(&name);
	if (!o->temporary) {
		errno = ENOMEM;
		return -1;
	}
	o->fd = mkostemp(o->temporary, O_CLOEXEC);
	o->open = o->fd >= 0;
	if (o->open) {
		unfinished = o->temporary;
		watch_signals();
	}
	return o->open ? fchmod(o->fd, 0666 & ~mask) : -1;
}

static int open_stored(struct output_file *o, struct err *e)
{
	const struct store_put put = {.address = o->path};

	o->stored = true;
	if (!stores)
		return output_file_fail(o->path, "no store was started", e);
	if (store_put_begin(stores, &put, e))
		return -1;
	o->open = true;
	return 0;
}

int output_file_open(struct output_file *o, const char *path, struct err *e)
{
	struct stat st;
	bool there;

	*o = (struct output_file){.path = path, .standard = strcmp(path, "-") == 0, .fd = -1};
	if (store_kind_of(path) != STORE_NONE)
		return open_stored(o, e);
	there = !o->standard && stat(path, &st) == 0;
	if (there && S_ISDIR(st.st_mode))
		return output_file_fail(path, strerror(EISDIR), e);
	if (o->standard)
		o->fd = STDOUT_FILENO;
	else if (there && !S_ISREG(st.st_mode))
		o->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	else if (open_sibling(o)) {
		file_fail(o, e);
		output_file_drop(o);
		return -1;
	}
	if (o->fd < 0)
		return file_fail(o, e);
	o->open = true;
	return 0;
}

int output_file_write(struct output_file *o, const char *p, size_t n, struct err *e)
{
	if (o->stored)
		return store_put_write(stores, p, n, e);
	while (n) {
		ssize_t w = write(o->fd, p, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return file_fail(o, e);
		p += w;
		n -= (size_t)w;
	}
	return 0;
}

static int close_stored(struct output_file *o, struct err *e)
{
	bool exists;

	o->open = false;
	if (!alloc_failed())
		return store_put_end(stores, &exists, e);
	store_put_drop(stores);
	return output_file_fail(o->path, strerror(ENOMEM), e);
}

int output_file_close(struct output_file *o, struct err *e)
{
	int rc = -1;

	if (o->stored)
		return close_stored(o, e);
	o->open = false;
	/* After EINTR, Linux has closed the descriptor all the same. */
	if (!o->standard && close(o->fd) && errno != EINTR)
		goto out;
	if (alloc_failed()) {
		errno = ENOMEM;
		goto out;
	}
	rc = o->temporary ? rename(o->temporary, o->path) : 0;
out:
	if (rc)
		file_fail(o, e);
	if (rc && o->temporary)
		unlink(o->temporary);
	forget_temporary(o);
	return rc;
}

void output_file_drop(struct output_file *o)
{
	int saved = errno;

	if (o->open && o->stored)
		store_put_drop(stores);
	else if (o->open && !o->standard)
		close(o->fd);
	if (o->open && o->temporary)
		unlink(o->temporary);
	if (o->temporary)
		forget_temporary(o);
	*o = (struct output_file){0};
	errno = saved;
}

int output_file_put(const char *path, const struct buf *text, struct err *e)
{
	struct output_file o = {0};

	if (text->failed || alloc_failed())
		return output_file_fail(path, "no memory", e);
	if (output_file_open(&o, path, e) == 0 &&
	    output_file_write(&o, buf_cstr(text), text->len, e) == 0)
		return output_file_close(&o, e);
	output_file_drop(&o);
	return -1;
}
