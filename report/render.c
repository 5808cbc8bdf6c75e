/* render: the model → files. */
#include "render.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../core/buf.h"
#include "../core/json.h"
#include "assets.h"
#include "mustache.h"
#include "tree.h"

#define TEMPLATE_MAX ((size_t)16 << 20)

static int write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t w = write(fd, p, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return -1;
		p += w;
		n -= (size_t)w;
	}
	return 0;
}

static int put_special(const char *path, const struct buf *text)
{
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	int failed = fd < 0 || write_all(fd, buf_cstr(text), text->len);

	if (fd >= 0 && !standard && close(fd))
		failed = -1;
	return failed;
}

static int put_file(const char *path, const struct buf *text)
{
	struct buf temporary = {0};
	mode_t mask = umask(0);
	int fd, failed = -1, saved;

	umask(mask);
	buf_printf(&temporary, "%s.XXXXXX", path);
	fd = temporary.failed ? -1 : mkostemp(temporary.s, O_CLOEXEC);
	if (fd < 0)
		goto out;
	failed = fchmod(fd, 0666 & ~mask) || write_all(fd, buf_cstr(text), text->len);
	if (close(fd) || failed || rename(temporary.s, path)) {
		failed = -1;
		saved = errno;
		unlink(temporary.s);
		errno = saved;
	}
out:
	saved = errno;
	buf_free(&temporary);
	errno = saved;
	return failed;
}

/* A device or a pipe (/dev/stdout, a FIFO) is written to as it is; a file appears by rename. */
static int put(const char *path, const struct buf *text, struct err *e)
{
	bool standard = strcmp(path, "-") == 0;
	const char *name = standard ? "standard output" : *path ? path : "\"\"";
	struct stat st;
	bool there = !standard && stat(path, &st) == 0;

	if (text->failed)
		return err_set(e, "%s: no memory", name);
	if (there && S_ISDIR(st.st_mode))
		return err_set(e, "%s: %s", name, strerror(EISDIR));
	if (standard || (there && !S_ISREG(st.st_mode)) ? put_special(path, text)
	                                                : put_file(path, text))
		return err_set(e, "%s: %s", name, strerror(errno));
	return 0;
}

static const struct mustache_partials built_in = {assets_find, NULL};

int render_html(const cJSON *model, const char *path, struct err *e)
{
	struct buf out = {0};
	size_t n = 0;
	const char *page = assets_find(NULL, "report.html", &n);
	int failed =
	    mustache_render(page, n, "report.html", model, ESCAPE_HTML, &built_in, &out, e);

	if (!failed)
		failed = put(path, &out, e);
	buf_free(&out);
	return failed;
}

int render_json(const cJSON *model, const char *path, struct err *e)
{
	struct json j = {.exponents = true};
	int failed;

	tree_write(&j, NULL, model);
	buf_char(&j.b, '\n');
	failed =
	    json_finish(&j) ? put(path, &j.b, e) : err_set(e, "%s: the model is too deep", path);
	json_free(&j);
	return failed;
}

static int read_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "rbe");
	struct stat st;
	char part[8192];
	size_t n;

	if (!f)
		return -1;
	out->max = TEMPLATE_MAX;
	if (fstat(fileno(f), &st) == 0 && !S_ISDIR(st.st_mode))
		while (!out->failed && (n = fread(part, 1, sizeof part, f)) > 0)
			buf_add(out, part, n);
	else
		errno = EISDIR, out->failed = true;
	if (ferror(f))
		out->failed = true;
	fclose(f);
	return out->failed ? -1 : 0;
}

int render_template(const cJSON *model, const char *spec, struct err *e)
{
	const char *equals = strrchr(spec, '=');
	struct buf name = {0}, text = {0}, out = {0};
	int failed = -1;

	if (equals && (equals == spec || !equals[1]))
		return err_set(e, "--template: \"%s\" is not TEMPLATE=FILE", spec);
	buf_add(&name, spec, equals ? (size_t)(equals - spec) : strlen(spec));
	errno = 0;
	if (read_file(buf_cstr(&name), &text))
		err_set(e, "%s: %s", buf_cstr(&name), errno ? strerror(errno) : "is too long");
	else if (mustache_render(buf_cstr(&text), text.len, buf_cstr(&name), model,
	                         mustache_kind_of(buf_cstr(&name)), &built_in, &out, e) == 0)
		failed = put(equals ? equals + 1 : "-", &out, e);
	buf_free(&name);
	buf_free(&text);
	buf_free(&out);
	return failed;
}
