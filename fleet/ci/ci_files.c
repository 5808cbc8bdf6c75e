/* ci_files: the files that rtrack-fleet ci reads. */
#include "fleet/ci/ci_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"

/* -- reading ----------------------------------------------------------------------------------- */

/* A file that is none, or too large, is not there. */
static void read_workflow(struct ci_files *out, int folder, const char *name, const char *path,
                          enum ci_patch_kind kind)
{
	struct ci_file *f = &out->v[out->n];
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	char part[8192];
	ssize_t n = -1;

	if (fd < 0)
		return;
	*f = (struct ci_file){.kind = kind, .text = {.max = CI_FILES_BYTES}};
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		while ((n = read(fd, part, sizeof part)) > 0)
			buf_add(&f->text, part, (size_t)n);
	close(fd);
	if (n < 0 || f->text.failed || snprintf(f->path, sizeof f->path, "%s", path) < 0) {
		buf_free(&f->text);
		return;
	}
	if (kind == CI_PATCH_GITHUB)
		ci_patch_name(buf_cstr(&f->text), f->text.len, &f->name);
	out->n++;
}

static bool is_workflow(const char *name)
{
	size_t n = strlen(name);

	return (n > 4 && strcmp(name + n - 4, ".yml") == 0) ||
	       (n > 5 && strcmp(name + n - 5, ".yaml") == 0);
}

static int by_path_in_repository(const void *a, const void *b)
{
	return strcmp(((const struct ci_file *)a)->path, ((const struct ci_file *)b)->path);
}

static void read_workflows(struct ci_files *out, int folder)
{
	char path[CI_FILES_PATH];
	struct dirent *d;
	DIR *all = fdopendir(folder);

	while (all && out->n < CI_FILES_MAX && (d = readdir(all))) {
		int n = snprintf(path, sizeof path, "%s/%s", CI_FILES_WORKFLOWS, d->d_name);
		if (is_workflow(d->d_name) && n > 0 && (size_t)n < sizeof path)
			read_workflow(out, dirfd(all), d->d_name, path, CI_PATCH_GITHUB);
	}
	if (all)
		closedir(all);
	else
		close(folder);
}

int ci_files_read(struct ci_files *out, const char *root, struct err *e)
{
	int at = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC), folder;

	if (at < 0)
		return err_set(e, "--ci-root: %s: %s", root, strerror(errno));
	out->v = alloc_failed_note(calloc(CI_FILES_MAX + 1, sizeof *out->v));
	if (!out->v) {
		close(at);
		return err_set(e, "no memory");
	}
	folder = openat(at, CI_FILES_WORKFLOWS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0)
		read_workflows(out, folder);
	qsort(out->v, out->n, sizeof *out->v, by_path_in_repository);
	read_workflow(out, at, CI_FILES_GITLAB, CI_FILES_GITLAB, CI_PATCH_GITLAB);
	close(at);
	return 0;
}

void ci_files_free(struct ci_files *files)
{
	for (size_t i = 0; files->v && i < files->n; i++) {
		buf_free(&files->v[i].text);
		buf_free(&files->v[i].name);
	}
	free(files->v);
	*files = (struct ci_files){.n = 0};
}

int ci_files_text(const char *path, size_t max, struct buf *out, struct err *e)
{
	FILE *f = fopen(path, "rbe");
	char part[8192];
	size_t n;
	int failed = -1;

	if (!f)
		return err_set(e, "%s: %s", path, strerror(errno));
	out->max = max;
	while (!out->failed && (n = fread(part, 1, sizeof part, f)) > 0)
		buf_add(out, part, n);
	if (ferror(f))
		err_set(e, "%s: %s", path, strerror(errno));
	else if (out->failed)
		err_set(e, "%s: larger than %zu bytes", path, max);
	else
		failed = 0;
	fclose(f);
	return failed;
}
