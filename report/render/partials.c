/* partials: finds the text of {{>name}}. */
#include "report/render/partials.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/render/assets.h"

/* A file that was read. */
struct partial {
	struct partial *next;
	char *name;
	struct buf text;
};

static int read_partial_text(int fd, struct buf *out, size_t max)
{
	char part[8192];
	ssize_t n;

	while ((n = read(fd, part, sizeof part)) > 0) {
		if ((size_t)n > max - out->len) {
			errno = EFBIG;
			return -1;
		}
		buf_add(out, part, (size_t)n);
	}
	if (out->failed) {
		errno = ENOMEM;
		return -1;
	}
	return n < 0 ? -1 : 0;
}

/* Returns 0; 1 if there is no such file; -1 with errno, which is 0 if it is not a regular file. */
static int read_partial_file(const struct partials *p, const char *name, struct buf *out)
{
	int fd = openat(p->folder, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	struct stat st;
	int failed = -1, saved;

	if (fd < 0)
		return errno == ENOENT || errno == ENAMETOOLONG ? 1 : -1;
	errno = 0;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		failed = read_partial_text(fd, out, PARTIALS_BYTES_MAX - p->bytes);
	saved = errno;
	close(fd);
	errno = saved;
	return failed;
}

static void set_partial_error(struct partials *p, const char *name)
{
	const char *why = errno ? strerror(errno) : "not a regular file";

	if (errno == EFBIG)
		why = "the partials of a template may have at most 16 MiB in all";
	else if (errno == ELOOP)
		why = "symbolic links are not followed";
	err_set(&p->why, "partial %s: %s", name, why);
}

static const struct partial *read_new_partial(struct partials *p, const char *name)
{
	struct partial *f = calloc(1, sizeof *f);
	int r = -1;

	if (f && (f->name = strdup(name)))
		r = read_partial_file(p, name, &f->text);
	if (r == 0) {
		p->bytes += f->text.len;
		f->next = p->read;
		p->read = f;
		return f;
	}
	if (r < 0)
		set_partial_error(p, name);
	if (f) {
		buf_free(&f->text);
		free(f->name);
	}
	free(f);
	return NULL;
}

static const char *find_partial(void *ctx, const char *name, size_t *len)
{
	struct partials *p = ctx;
	const struct partial *f = p->read;

	if (strchr(name, '/')) {
		err_set(
		    &p->why,
		    "a partial's name may not contain /: it is a file in the template's folder");
		return NULL;
	}
	if (p->folder < 0 || *name == '.')
		return assets_find(NULL, name, len);
	while (f && strcmp(f->name, name) != 0)
		f = f->next;
	if (!f)
		f = read_new_partial(p, name);
	if (!f)
		return *p->why.msg ? NULL : assets_find(NULL, name, len);
	*len = f->text.len;
	return buf_cstr(&f->text);
}

static bool is_built_in(void *ctx, const char *text)
{
	(void)ctx;
	return assets_have(text);
}

const struct mustache_partials partials_built_in = {.find = assets_find, .trees_only = is_built_in};

static int open_folder(const char *template)
{
	char path[PATH_MAX];
	struct stat st;

	if (stat(template, &st) || !S_ISREG(st.st_mode) || !realpath(template, path))
		return -1;
	*strrchr(path, '/') = '\0';
	return open(*path ? path : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void partials_open(struct partials *p, const char *template)
{
	*p = (struct partials){.folder = open_folder(template)};
	p->find = (struct mustache_partials){
	    .find = find_partial, .ctx = p, .trees_only = is_built_in, .why = &p->why};
}

void partials_free(struct partials *p)
{
	struct partial *next;

	for (struct partial *f = p->read; f; f = next) {
		next = f->next;
		buf_free(&f->text);
		free(f->name);
		free(f);
	}
	if (p->folder >= 0)
		close(p->folder);
	*p = (struct partials){.folder = -1};
}
