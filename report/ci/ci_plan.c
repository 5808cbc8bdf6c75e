/* ci_plan: which lines of which workflow files the proposed runners change. */
#include "report/ci/ci_plan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"

#define PATH_SIGNS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-"

/* -- reading ----------------------------------------------------------------------------------- */

/* A file that is none, or too large, is not there. */
static void read_file(struct ci_plan *plan, int folder, const char *name, const char *path,
                      enum ci_patch_kind kind)
{
	struct ci_plan_file *f = &plan->file[plan->n_files];
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	char part[8192];
	ssize_t n = -1;

	if (fd < 0)
		return;
	*f = (struct ci_plan_file){.kind = kind, .text = {.max = CI_PLAN_BYTES}};
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
	plan->n_files++;
}

static bool is_workflow(const char *name)
{
	size_t n = strlen(name);

	return (n > 4 && strcmp(name + n - 4, ".yml") == 0) ||
	       (n > 5 && strcmp(name + n - 5, ".yaml") == 0);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct ci_plan_file *)a)->path,
	              ((const struct ci_plan_file *)b)->path);
}

static void read_folder(struct ci_plan *plan, int folder)
{
	char path[CI_PLAN_PATH];
	struct dirent *d;
	DIR *all = fdopendir(folder);

	while (all && plan->n_files < CI_PLAN_FILES && (d = readdir(all))) {
		int n = snprintf(path, sizeof path, "%s/%s", CI_PLAN_WORKFLOWS, d->d_name);
		if (is_workflow(d->d_name) && n > 0 && (size_t)n < sizeof path)
			read_file(plan, dirfd(all), d->d_name, path, CI_PATCH_GITHUB);
	}
	if (all)
		closedir(all);
	else
		close(folder);
}

int ci_plan_read(struct ci_plan *plan, const char *root, struct err *e)
{
	int at = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC), folder;

	if (at < 0)
		return err_set(e, "--ci-root: %s: %s", root, strerror(errno));
	snprintf(plan->root, sizeof plan->root, "%s", root);
	plan->file = alloc_failed_note(calloc(CI_PLAN_FILES + 1, sizeof *plan->file));
	if (!plan->file) {
		close(at);
		return err_set(e, "no memory");
	}
	folder = openat(at, CI_PLAN_WORKFLOWS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0)
		read_folder(plan, folder);
	qsort(plan->file, plan->n_files, sizeof *plan->file, by_path);
	read_file(plan, at, CI_PLAN_GITLAB, CI_PLAN_GITLAB, CI_PATCH_GITLAB);
	close(at);
	return 0;
}

/* -- the jobs ---------------------------------------------------------------------------------- */

static bool is_wanted(const struct ci_job *j)
{
	return j->offer.runner && (j->group == CI_FAILS_LESS || j->group == CI_SAVES_MONEY ||
	                           j->group == CI_SAVES_TIME);
}

/* GitHub names a workflow without a name by its path. */
static bool is_file_of(const struct ci_plan_file *f, const struct ci_job *j)
{
	if (strcmp(j->provider, "gitlab") == 0)
		return f->kind == CI_PATCH_GITLAB;
	if (f->kind != CI_PATCH_GITHUB || strcmp(j->provider, "github-actions") != 0)
		return false;
	return f->name.len ? strcmp(buf_cstr(&f->name), j->workflow) == 0
	                   : strcmp(f->path, j->workflow) == 0;
}

static int find_file(const struct ci_plan *plan, struct ci_plan_item *item)
{
	const struct ci_job *j = item->job;

	for (size_t i = 0; i < plan->n_files; i++) {
		if (!is_file_of(&plan->file[i], j))
			continue;
		if (item->file)
			return err_set(&item->why, "%s and %s have the same name", item->file->path,
			               plan->file[i].path);
		item->file = &plan->file[i];
	}
	if (item->file)
		return 0;
	if (strcmp(j->provider, "gitlab") == 0)
		return err_set(&item->why, "there is no %s in %s", CI_PLAN_GITLAB, plan->root);
	if (strcmp(j->provider, "github-actions") != 0)
		return err_set(&item->why, "files of %s are not read", j->provider);
	return err_set(&item->why, "no workflow in %s/%s has this name", plan->root,
	               CI_PLAN_WORKFLOWS);
}

/* A label of the table whose machine is not the one that the runs were on. */
static bool is_another(const struct ci_job *j, const struct ci_prices *prices, const char *label,
                       size_t n)
{
	bool known = false;

	for (size_t i = 0; i < prices->n; i++) {
		const struct ci_runner *r = &prices->v[i];
		if (strcmp(r->provider, j->provider) != 0 || !ci_prices_named(r, label, n))
			continue;
		known = true;
		if (r == j->today)
			return false;
	}
	return known;
}

static bool is_taken(const struct ci_plan *plan, const struct ci_plan_item *item)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->v[i].change.label && plan->v[i].file == item->file &&
		    plan->v[i].change.place.line == item->change.place.line)
			return true;
	return false;
}

static int find_change(const struct ci_plan *plan, const struct ci_prices *prices,
                       struct ci_plan_item *item)
{
	const struct ci_plan_file *f = item->file;
	struct ci_patch_place *place = &item->change.place;
	const char *label;

	if (strspn(f->path, PATH_SIGNS) != strlen(f->path))
		return err_set(&item->why, "the name of its file is not plain");
	if (ci_patch_find(f->kind, buf_cstr(&f->text), f->text.len, item->job->name, place,
	                  &item->why))
		return err_wrap(&item->why, "%s", f->path);
	label = f->text.s + place->at;
	if (ci_prices_named(item->job->offer.runner, label, place->n))
		return err_set(&item->why, "%s says %.*s already", f->path, (int)place->n, label);
	if (is_another(item->job, prices, label, place->n))
		return err_set(&item->why, "%s says %.*s, which is not what the runs were on",
		               f->path, (int)place->n, label);
	if (is_taken(plan, item))
		return err_set(&item->why, "%s has one line for several jobs", f->path);
	item->change.label = item->job->offer.runner->label;
	return 0;
}

/* Files are of one repository. */
static const char *other_repository(const struct ci *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (strcmp(c->v[i].repository, c->v[0].repository) != 0)
			return c->v[i].repository;
	return NULL;
}

static int by_line(const void *a, const void *b)
{
	const struct ci_patch_change *x = a, *y = b;

	return x->place.line < y->place.line ? -1 : x->place.line > y->place.line;
}

static int put_patches(struct ci_plan *plan, struct err *e)
{
	struct ci_patch_change *v = alloc_failed_note(calloc(plan->n + 1, sizeof *v));

	if (!v)
		return err_set(e, "no memory");
	for (size_t i = 0; i < plan->n_files; i++) {
		const struct ci_plan_file *f = &plan->file[i];
		size_t n = 0;
		for (size_t k = 0; k < plan->n; k++)
			if (plan->v[k].file == f && plan->v[k].change.label)
				v[n++] = plan->v[k].change;
		qsort(v, n, sizeof *v, by_line);
		if (n)
			ci_patch_diff(f->path, buf_cstr(&f->text), f->text.len, v, n, &plan->patch);
		plan->changed += n;
	}
	free(v);
	return 0;
}

int ci_plan_make(struct ci_plan *plan, const struct ci *c, const struct ci_prices *prices,
                 struct err *e)
{
	const char *other = other_repository(c);

	if (other)
		return err_set(e,
		               "the patch is of one repository, and the runs are of %s and %s: say "
		               "which with --where label:ci.repository=…",
		               c->v[0].repository, other);
	plan->v = alloc_failed_note(calloc(c->n + 1, sizeof *plan->v));
	if (!plan->v)
		return err_set(e, "no memory");
	for (size_t i = 0; i < c->n; i++) {
		struct ci_plan_item *item = &plan->v[plan->n];
		if (!is_wanted(&c->v[i]))
			continue;
		*item = (struct ci_plan_item){.job = &c->v[i]};
		if (find_file(plan, item) == 0)
			find_change(plan, prices, item);
		plan->n++;
	}
	return put_patches(plan, e);
}

void ci_plan_free(struct ci_plan *plan)
{
	for (size_t i = 0; plan->file && i < plan->n_files; i++) {
		buf_free(&plan->file[i].text);
		buf_free(&plan->file[i].name);
	}
	free(plan->file);
	free(plan->v);
	buf_free(&plan->patch);
	*plan = (struct ci_plan){.n = 0};
}
