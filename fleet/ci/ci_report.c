/* ci_report: recordings of CI jobs → runners → model. */
#include "fleet/ci/ci_report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "fleet/ci/ci.h"
#include "fleet/ci/ci_choose.h"
#include "fleet/ci/ci_gather.h"
#include "fleet/ci/ci_model.h"
#include "fleet/ci/ci_patch.h"
#include "fleet/groups/fleet_ask.h"
#include "report/advice/recommend.h"
#include "report/render/assets.h"

/* -- files: the workflows of a repository, and a table of runners ------------------------------ */

#define CI_FILES_MAX   ((size_t)200)
#define CI_FILES_BYTES ((size_t)1 << 20) /* of a file; larger ones are passed over */

#define CI_FILES_WORKFLOWS ".github/workflows"
#define CI_FILES_GITLAB    ".gitlab-ci.yml"

/* -- files: reading ---------------------------------------------------------------------------- */

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

/* Reads the regular files of a repository that are workflows; there may be none. -1 with a sentence
 * if root is not a folder that can be read. Free it either way. */
static int ci_files_read(struct ci_files *out, const char *root, struct err *e)
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

static void ci_files_free(struct ci_files *files)
{
	for (size_t i = 0; files->v && i < files->n; i++) {
		buf_free(&files->v[i].text);
		buf_free(&files->v[i].name);
	}
	free(files->v);
	*files = (struct ci_files){.n = 0};
}

/* Appends a whole file, of at most so many bytes. */
static int ci_files_text(const char *path, size_t max, struct buf *out, struct err *e)
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

/* -- the plan ---------------------------------------------------------------------------------- */

#define PATH_SIGNS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-"

/* -- the plan: the jobs ------------------------------------------------------------------------ */

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

/* Makes the patch. c and prices must outlive the plan. */
static int ci_plan_make(struct ci_plan *plan, const struct ci *c, const struct ci_prices *prices,
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

static void ci_plan_free(struct ci_plan *plan)
{
	free(plan->v);
	buf_free(&plan->patch);
	*plan = (struct ci_plan){.n = 0};
}

/* -- rows of a catalog → CI jobs, each with its runner ----------------------------------------- */

/* What was asked for with --since, else from the first run to the last, as where older ones were
 * not read. */
static double period_of(const struct ci *c, const struct ci_input *in)
{
	bool since = in->query->since > 0 && !c->cut;
	double from = since ? in->query->since : c->first;
	double to = c->last;

	if (since)
		to =
		    in->query->until > 0 && in->query->until < in->now ? in->query->until : in->now;
	return to - from >= 86400 ? to - from : (double)NAN;
}

static int by_change(const void *a, const void *b)
{
	const struct ci_job *x = a, *y = b;
	double more = ci_choose_saves(y) - ci_choose_saves(x);
	int order;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (more < 0 || more > 0)
		return more < 0 ? -1 : 1;
	if ((order = strcmp(x->repository, y->repository)) != 0 ||
	    (order = strcmp(x->workflow, y->workflow)) != 0)
		return order;
	return strcmp(x->name, y->name);
}

/* Fills *out, which was zero. -1 with a sentence; free it either way. */
static int ci_make(struct ci *out, const struct ci_input *in, struct err *e)
{
	double slowdown =
	    in->policy.slowdown == 0 ? FLEET_TIME_SLOWDOWN : fmax(in->policy.slowdown, 0);
	size_t most = 0;
	double *scratch;

	if (ci_gather(out, in, e))
		return -1;
	for (size_t i = 0; i < out->n; i++)
		most = out->v[i].n > most ? out->v[i].n : most;
	scratch = alloc_failed_note(calloc(most + 1, sizeof *scratch));
	if (!scratch)
		return err_set(e, "no memory");
	for (size_t i = 0; i < out->n; i++)
		ci_choose(&out->v[i], in->prices, fleet_ask_lambda(&in->policy), slowdown, scratch);
	free(scratch);
	out->period_s = period_of(out, in);
	qsort(out->v, out->n, sizeof *out->v, by_change);
	return 0;
}

/* -- the report -------------------------------------------------------------------------------- */

#define TABLE "ci_runners.tsv"

static int read_price_file(const char *path, struct ci_prices *out, struct err *e)
{
	struct buf text = {.len = 0};
	int failed = ci_files_text(path, CI_PRICES_BYTES, &text, e);

	if (!failed && ci_prices_parse(out, buf_cstr(&text), text.len, e))
		failed = err_wrap(e, "%s", path);
	buf_free(&text);
	return failed ? err_wrap(e, "--runner-prices") : 0;
}

static int price_table(const struct fleet_options *o, struct ci_prices *out, struct err *e)
{
	size_t n = 0;
	const char *text = assets_find(NULL, TABLE, &n);

	return o->runner_prices ? read_price_file(o->runner_prices, out, e)
	                        : ci_prices_parse(out, text ? text : "", n, e);
}

void ci_report_list_runners(struct buf *out)
{
	size_t n = 0;
	const char *text = assets_find(NULL, TABLE, &n);

	buf_add(out, text ? text : "", n);
}

static int make_plan(const struct fleet_options *o, const struct ci *ci,
                     const struct ci_prices *prices, struct ci_files *files, struct ci_plan *plan,
                     struct err *e)
{
	if (!o->page.patch && !o->ci_root)
		return 0;
	if (ci_files_read(files, plan->root, e))
		return -1;
	return ci_plan_make(plan, ci, prices, e);
}

struct cJSON *ci_report_make(const struct fleet_options *o, struct catalog *c,
                             const struct catalog_query *query, const char *source, size_t failed,
                             struct err *e)
{
	struct ci_prices prices = {.n = 0};
	struct ci_files files = {.n = 0};
	struct ci_plan plan = {.root = o->ci_root ? o->ci_root : ".", .files = &files};
	struct ci ci = {.n = 0};
	struct ci_input in = {.catalog = c,
	                      .query = query,
	                      .prices = &prices,
	                      .policy = {.lambda = recommend_lambda(o->page.risk),
	                                 .slowdown = o->page.slowdown > 0 ? o->page.slowdown : -1},
	                      .now = isnan(o->page.now) ? (double)time(NULL) : o->page.now};
	const struct ci_model_input shown = {
	    .title = o->page.title,
	    .integration = o->page.integration,
	    .source = source,
	    .where = &o->where,
	    .since = o->since_text,
	    .until = o->until_text,
	    .prices = &prices,
	    .prices_file = o->runner_prices,
	    .plan = o->page.patch || o->ci_root ? &plan : NULL,
	    .lambda = fleet_ask_lambda(&in.policy),
	    .slowdown = o->page.slowdown,
	    .all_failed = failed,
	    .now = in.now,
	};
	cJSON *model = NULL;

	if (price_table(o, &prices, e) == 0 && ci_make(&ci, &in, e) == 0 &&
	    make_plan(o, &ci, &prices, &files, &plan, e) == 0) {
		model = alloc_failed() ? NULL : ci_model_make(&ci, &shown);
		if (!model || alloc_failed())
			err_set(e, "no memory for the report");
	}
	ci_plan_free(&plan);
	ci_files_free(&files);
	ci_free(&ci);
	ci_prices_free(&prices);
	return model;
}
