/* ci_plan: which lines of which workflow files the proposed runners change. */
#include "fleet/ci/ci_plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"

#define PATH_SIGNS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-"

/* -- the jobs ---------------------------------------------------------------------------------- */

static bool is_wanted(const struct ci_job *j)
{
	return j->offer.runner && (j->group == CI_FAILS_LESS || j->group == CI_SAVES_MONEY ||
	                           j->group == CI_SAVES_TIME);
}

/* GitHub names a workflow without a name by its path. */
static bool is_file_of(const struct ci_file *f, const struct ci_job *j)
{
	if (strcmp(j->provider, "gitlab") == 0)
		return f->kind == CI_PATCH_GITLAB;
	if (f->kind != CI_PATCH_GITHUB || strcmp(j->provider, "github-actions") != 0)
		return false;
	return f->name.len ? strcmp(buf_cstr(&f->name), j->workflow) == 0
	                   : strcmp(f->path, j->workflow) == 0;
}

static int find_workflow(const struct ci_plan *plan, struct ci_plan_item *item)
{
	const struct ci_job *j = item->job;

	for (size_t i = 0; i < plan->files->n; i++) {
		if (!is_file_of(&plan->files->v[i], j))
			continue;
		if (item->file)
			return err_set(&item->why, "%s and %s have the same name", item->file->path,
			               plan->files->v[i].path);
		item->file = &plan->files->v[i];
	}
	if (item->file)
		return 0;
	if (strcmp(j->provider, "gitlab") == 0)
		return err_set(&item->why, "there is no %s in %s", CI_FILES_GITLAB, plan->root);
	if (strcmp(j->provider, "github-actions") != 0)
		return err_set(&item->why, "files of %s are not read", j->provider);
	return err_set(&item->why, "no workflow in %s/%s has this name", plan->root,
	               CI_FILES_WORKFLOWS);
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

static bool has_its_line(const struct ci_plan *plan, const struct ci_plan_item *item)
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
	const struct ci_file *f = item->file;
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
	if (has_its_line(plan, item))
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
	for (size_t i = 0; i < plan->files->n; i++) {
		const struct ci_file *f = &plan->files->v[i];
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
		if (find_workflow(plan, item) == 0)
			find_change(plan, prices, item);
		plan->n++;
	}
	return put_patches(plan, e);
}

void ci_plan_free(struct ci_plan *plan)
{
	free(plan->v);
	buf_free(&plan->patch);
	*plan = (struct ci_plan){.n = 0};
}
