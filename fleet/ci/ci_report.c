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
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "fleet/ci/ci.h"
#include "fleet/ci/ci_choose.h"
#include "fleet/ci/ci_patch.h"
#include "fleet/groups/fleet_ask.h"
#include "fleet/groups/fleet_model_words.h"
#include "fleet/page/fleet_page.h"
#include "fleet/page/fleet_table.h"
#include "report/advice/recommend.h"
#include "report/prices/speed.h"
#include "report/render/assets.h"
#include "report/render/output_formats.h"
#include "report/units/model_json.h"

#define CI_MODEL_ROWS ((size_t)500) /* jobs that are shown one by one */
#define CI_MODEL_NAME ((size_t)128) /* bytes of a name that is shown */

/* A workflow file that is to be patched. */
#define CI_FILES_PATH 256
struct ci_file {
	char path[CI_FILES_PATH]; /* in the repository */
	struct buf text, name;    /* name: of a workflow of GitHub; "": it has none */
	enum ci_patch_kind kind;
};

/* Valid when zero. */
struct ci_files {
	struct ci_file *v; /* by path; the one of GitLab last */
	size_t n;
};

/* Which lines of which workflow files the proposed runners change, as one patch, and which jobs are
 * to be changed by hand. */
struct ci_plan_item {
	const struct ci_job *job;
	const struct ci_file *file;    /* NULL: none was found */
	struct ci_patch_change change; /* label NULL: by hand */
	struct err why;                /* then */
};

struct ci_plan {
	const char *root; /* of the repository, as given; borrowed, as the next one */
	const struct ci_files *files;
	struct ci_plan_item *v; /* the jobs to change, in their order */
	size_t n, changed;
	struct buf patch; /* "": nothing changes */
};

/* Borrowed. NULL: none, unknown, or the default. */
struct ci_model_input {
	struct fleet_page page;
	const struct ci_prices *prices;
	const char *prices_file; /* of --runner-prices */
	const struct ci_plan *plan;
	double slowdown, lambda; /* as used */
};

/* -- files: the workflows of a repository ------------------------------------------------------ */

#define CI_FILES_MAX   ((size_t)200)
#define CI_FILES_BYTES ((size_t)1 << 20) /* of a file; larger ones are passed over */

#define CI_FILES_WORKFLOWS ".github/workflows"
#define CI_FILES_GITLAB    ".gitlab-ci.yml"

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

#define PATH_SIGNS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-"

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

/* The period of --since, else from the first run to the last, also where older ones were not
 * read. */
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

/* -- the page ---------------------------------------------------------------------------------- */

/* "p95 4 min 5 s", "$12.40", or "unknown". */
#define CI_MODEL_SECONDS(v) (isnan(v) ? "unknown" : UNITS_SECONDS(v))
#define CI_MODEL_MONEY(v)   (isnan(v) ? "unknown" : UNITS_MONEY(UNIT_MONEY, v, NULL))
#define CI_MODEL_COUNT(v)   (isnan(v) ? "unknown" : UNITS_COUNT(v))

#define BAR  90    /* units of the drawing: what today's cost is wide */
#define SAME 0.005 /* times that differ by less */

static const struct {
	const char *id, *label, *text;
} groups[CI_GROUPS] = {
    [CI_FAILS_LESS] = {"fails_less", "Would fail less",
                       "Runs were killed because memory ran out; the proposed runner has more."},
    [CI_SAVES_MONEY] = {"saves_money", "Saves money",
                        "The cheapest runner that is large enough, and not much slower."},
    [CI_SAVES_TIME] = {"saves_time", "Saves time",
                       "A faster runner, on which the job costs no more than today."},
    [CI_TEST_FIRST] = {"test_first", "Test first",
                       "Too little is known of these jobs, or they would change to another "
                       "architecture or to a container."},
    [CI_KEEP] = {"keep", "Stays as it is", "Nothing in the table is better."},
};

/* Four digits are enough for a rate, "$0.006". */
static void say_rate(double usd, struct buf *out)
{
	if (usd > 0)
		buf_printf(out, "$%.4g a minute", usd);
	else
		buf_str(out, "free");
}

static void say_machine(double vcpus, double memory_b, struct buf *out)
{
	if (isnan(vcpus))
		buf_str(out, "unknown CPUs");
	else
		buf_str(out, UNITS_CPUS(vcpus));
	buf_printf(out, ", %s",
	           isnan(memory_b) ? "unknown memory" : UNITS_TEXT(UNIT_BYTES, memory_b));
}

static void describe_runner(cJSON *row, const char *key, const struct ci_runner *r,
                            const struct ci_job *j)
{
	cJSON *o = cJSON_AddObjectToObject(row, key);
	struct buf text = {0};

	cJSON_AddBoolToObject(o, "known", r != NULL);
	model_json_cut(o, "label", r ? r->label : "unknown", CI_MODEL_NAME);
	if (r)
		say_machine(r->vcpus, r->memory_b, &text);
	else
		say_machine(j->vcpus, j->memory_b, &text);
	if (r && strcmp(r->arch, "x64") != 0)
		buf_printf(&text, ", %s", r->arch);
	if (r) {
		buf_str(&text, ", ");
		say_rate(r->usd_minute, &text);
	}
	model_json_take_cut(o, "text", &text, CI_MODEL_NAME);
	cJSON_AddBoolToObject(o, "larger", r && r->kind == CI_LARGER);
}

static const char *today_label(const struct ci_job *j)
{
	return j->today ? j->today->label : "today's runner";
}

static void say_money(const struct ci *c, double before, double after, struct buf *out)
{
	double month = ci_monthly(c, after - before);

	if (isnan(before) || isnan(after) || isnan(month))
		return;
	if (fabs(month) < 0.005)
		buf_str(out, ", at the same cost");
	else
		buf_printf(out, ", %s a month %s", UNITS_MONEY(UNIT_MONEY, fabs(month), NULL),
		           month < 0 ? "less" : "more");
}

static void say_change_of_time(double before, double after, struct buf *out)
{
	if (fabs(after - before) < SAME * before)
		buf_printf(out, "as fast (p95 %s)", CI_MODEL_SECONDS(before));
	else
		buf_printf(out, "p95 %s instead of %s", CI_MODEL_SECONDS(after),
		           CI_MODEL_SECONDS(before));
}

/* "4 min 5 s to 19 min 46 s"; "" where the machine is the same, or nothing is known. */
static void say_times(const struct ci_figures *f, struct buf *out)
{
	if (f->p95_most_s > f->p95_least_s)
		buf_printf(out, "%s to %s", UNITS_SECONDS(f->p95_least_s),
		           UNITS_SECONDS(f->p95_most_s));
}

static void say_costs(const struct ci *c, const struct ci_figures *f, struct buf *out)
{
	if (ci_monthly(c, f->usd_most) > ci_monthly(c, f->usd_least))
		buf_printf(out, "%s to %s",
		           UNITS_MONEY(UNIT_MONEY, ci_monthly(c, f->usd_least), NULL),
		           UNITS_MONEY(UNIT_MONEY, ci_monthly(c, f->usd_most), NULL));
}

static void say_offer(const struct ci *c, const struct ci_job *j, const struct ci_offer *o,
                      struct buf *out)
{
	struct buf times = {0};

	buf_printf(out, "%s instead of %s: ", o->runner->label, today_label(j));
	say_change_of_time(j->before.p95_s, o->after.p95_s, out);
	say_money(c, j->before.usd, o->after.usd, out);
	say_times(&o->after, &times);
	if (times.len)
		buf_printf(out, "; p95 may be %s, as the speed of its CPUs is not known",
		           buf_cstr(&times));
	buf_free(&times);
}

static void add_offer(cJSON *row, const char *key, const struct ci *c, const struct ci_job *j,
                      const struct ci_offer *o)
{
	bool shown = o->runner && o->runner != j->today && o->runner != j->offer.runner;
	cJSON *one = model_json_object_if(shown, row, key);
	struct buf text = {0};

	if (!one)
		return;
	say_offer(c, j, o, &text);
	model_json_take_cut(one, "text", &text, MODEL_JSON_TEXT_MAX);
	model_json_cut(one, "label", o->runner->label, CI_MODEL_NAME);
	fleet_page_quantity(one, "p95", UNIT_SECONDS, o->after.p95_s, NULL);
	fleet_page_quantity(one, "usd", UNIT_MONEY, ci_monthly(c, o->after.usd), NULL);
}

static void say_need(const struct ci_job *j, struct buf *out)
{
	if (isnan(j->memory.ask_b)) {
		buf_str(out, "How much memory it needs is unknown");
		return;
	}
	buf_printf(out, "It needs %s and 1 GiB for what runs beside it",
	           UNITS_TEXT(UNIT_BYTES, j->memory.ask_b));
	if (j->killed > 0)
		buf_printf(out, "; %s of %zu runs %s killed because memory ran out",
		           UNITS_COUNT(j->killed), j->n, j->killed == 1 ? "was" : "were");
	if (j->offer.runner && j->offer.tried > 0)
		buf_printf(out, "; %s of %s runs would have had too little",
		           UNITS_COUNT(j->offer.fails), UNITS_COUNT(j->offer.tried));
}

/* Says why a proposal is not sure. */
static void say_doubts(const struct ci_job *j, struct buf *out)
{
	if (!j->today)
		buf_str(out,
		        j->several
		            ? " Several runners of the table, with other prices, fit its machine: "
		              "record it with --tag runner=LABEL."
		            : " Its runner is not in the table of prices: --runner-prices.");
	if (!j->offer.runner)
		buf_str(out, j->finished > 0 ? " No runner of the table holds it in that time."
		                             : " No run of it has finished.");
	if (j->safer)
		buf_printf(out, " Its runner has less than that; the cheapest that has it is %s.",
		           j->safer->label);
	if (j->finished < FLEET_RUNS_FEW && j->finished > 0)
		buf_printf(out, " Only %s finished.", j->finished == 1 ? "one run" : "a few runs");
	if (!j->times_known)
		buf_str(out, " How long it takes with other CPUs is unknown.");
	if (j->others)
		buf_printf(out, " %s older run%s on another machine do%s not count.",
		           UNITS_COUNT((double)j->others), j->others == 1 ? "" : "s",
		           j->others == 1 ? "es" : "");
	if (!*j->arch)
		buf_str(out, " Its architecture was not recorded: x64 is assumed.");
	if (j->offer.runner && j->offer.runner != j->today && j->offer.runner->kind == CI_LARGER)
		buf_str(out, " An organisation sets up its larger runners, and names them: use "
		             "your name for it.");
}

static void add_jobs_steps(cJSON *row, const struct ci_job *j)
{
	cJSON *steps = cJSON_AddArrayToObject(row, "steps");

	for (size_t i = 0; i < j->n_steps && j->n_steps > 1; i++) {
		cJSON *one = model_json_row(steps);
		model_json_cut(one, "name", j->step[i].name, CI_MODEL_NAME);
		fleet_page_quantity(one, "runs", UNIT_COUNT, j->step[i].runs, NULL);
		fleet_page_quantity(one, "p50", UNIT_SECONDS, j->step[i].p50_s, NULL);
		fleet_page_quantity(one, "memory", UNIT_BYTES, j->step[i].memory_b, NULL);
	}
	cJSON_AddBoolToObject(row, "has_steps", j->n_steps > 1);
}

static void add_job_names(cJSON *row, const struct ci_job *j)
{
	model_json_cut(row, "name", fleet_page_or_unknown(j->name), CI_MODEL_NAME);
	model_json_cut(row, "workflow", *j->workflow ? j->workflow : "–", CI_MODEL_NAME);
	model_json_cut(row, "repository", j->repository, CI_MODEL_NAME);
	model_json_cut(row, "provider", j->provider, CI_MODEL_NAME);
}

static void add_before_after(cJSON *row, const struct ci *c, const struct ci_job *j)
{
	static const struct ci_figures none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	const struct ci_figures *a = j->offer.runner ? &j->offer.after : &none, *b = &j->before;
	double share = a->usd / b->usd;
	struct buf times = {0}, costs = {0};

	fleet_page_quantity(row, "p50_before", UNIT_SECONDS, b->p50_s, NULL);
	fleet_page_quantity(row, "p50_after", UNIT_SECONDS, a->p50_s, NULL);
	fleet_page_quantity(row, "p95_before", UNIT_SECONDS, b->p95_s, NULL);
	fleet_page_quantity(row, "p95_after", UNIT_SECONDS, a->p95_s, NULL);
	fleet_page_quantity(row, "minutes_before", UNIT_COUNT, ci_monthly(c, b->minutes), NULL);
	fleet_page_quantity(row, "minutes_after", UNIT_COUNT, ci_monthly(c, a->minutes), NULL);
	fleet_page_quantity(row, "usd_before", UNIT_MONEY, ci_monthly(c, b->usd), NULL);
	fleet_page_quantity(row, "usd_after", UNIT_MONEY, ci_monthly(c, a->usd), NULL);
	model_json_number(row, "p95_after_least", a->p95_least_s);
	model_json_number(row, "p95_after_most", a->p95_most_s);
	say_times(a, &times);
	model_json_take(row, "p95_after_range", &times);
	model_json_number(row, "usd_after_least", ci_monthly(c, a->usd_least));
	model_json_number(row, "usd_after_most", ci_monthly(c, a->usd_most));
	say_costs(c, a, &costs);
	model_json_take(row, "usd_after_range", &costs);
	if (isfinite(share))
		cJSON_AddNumberToObject(row, "bar", round(BAR * fmin(share, 1)));
	else
		cJSON_AddNullToObject(row, "bar");
}

static void add_jobs_job(cJSON *rows, const struct ci *c, const struct ci_job *j)
{
	cJSON *row = model_json_row(rows);
	struct buf text = {0}, why = {0};
	bool changes = j->offer.runner && j->offer.runner != j->today;

	add_job_names(row, j);
	fleet_page_quantity(row, "runs", UNIT_COUNT, (double)j->n, NULL);
	fleet_page_quantity(row, "runs_month", UNIT_COUNT, ci_monthly(c, (double)j->n), NULL);
	describe_runner(row, "today", j->today, j);
	cJSON_AddBoolToObject(row, "changes", changes);
	if (j->offer.runner)
		describe_runner(row, "proposed", j->offer.runner, j);
	else
		cJSON_AddNullToObject(row, "proposed");
	add_before_after(row, c, j);
	model_json_cut(row, "confidence", fleet_model_confidence(j->confidence), CI_MODEL_NAME);
	cJSON_AddStringToObject(row, "level", j->confidence == FLEET_WEAK ? "warn" : "info");
	if (changes)
		say_offer(c, j, &j->offer, &text);
	model_json_take_cut(row, "text", &text, MODEL_JSON_TEXT_MAX);
	say_need(j, &why);
	buf_str(&why, ".");
	say_doubts(j, &why);
	model_json_take_cut(row, "why", &why, MODEL_JSON_TEXT_MAX);
	add_offer(row, "fastest", c, j, &j->fastest);
	add_offer(row, "other", c, j, &j->other);
	add_jobs_steps(row, j);
}

/* -- the page: jobs: the table, for CSV -------------------------------------------------------- */

static const struct fleet_table_column columns[] = {
    {"group", "Group", UNIT_COUNT, FLEET_TABLE_TEXT, ""},
    {"repository", "Repository", UNIT_COUNT, FLEET_TABLE_TEXT, ""},
    {"workflow", "Workflow", UNIT_COUNT, FLEET_TABLE_TEXT, ""},
    {"job", "Job", UNIT_COUNT, FLEET_TABLE_TEXT, ""},
    {"runs", "Runs", UNIT_COUNT, FLEET_TABLE_NUMBER, ""},
    {"runs_month", "Runs a month", UNIT_COUNT, FLEET_TABLE_NUMBER, ""},
    {"today", "Runner today", UNIT_COUNT, FLEET_TABLE_TEXT, ""},
    {"proposed", "Proposed runner", UNIT_COUNT, FLEET_TABLE_TEXT, ""},
    {"p50_before_s", "Time p50", UNIT_SECONDS, FLEET_TABLE_NUMBER, ""},
    {"p50_after_s", "Time p50, proposed", UNIT_SECONDS, FLEET_TABLE_NUMBER, ""},
    {"p95_before_s", "Time p95", UNIT_SECONDS, FLEET_TABLE_NUMBER, ""},
    {"p95_after_s", "Time p95, proposed", UNIT_SECONDS, FLEET_TABLE_NUMBER, ""},
    {"minutes_before_month", "Minutes a month", UNIT_COUNT, FLEET_TABLE_NUMBER, ""},
    {"minutes_after_month", "Minutes a month, proposed", UNIT_COUNT, FLEET_TABLE_NUMBER, ""},
    {"usd_before_month", "Cost a month", UNIT_MONEY, FLEET_TABLE_NUMBER, ""},
    {"usd_after_month", "Cost a month, proposed", UNIT_MONEY, FLEET_TABLE_NUMBER, ""},
    {"confidence", "Confidence", UNIT_COUNT, FLEET_TABLE_TEXT, ""},
};
#define COLUMNS (sizeof columns / sizeof *columns)

static void add_job_cells(cJSON *rows, const struct ci *c, const struct ci_job *j)
{
	static const struct ci_figures none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	const struct ci_figures *a = j->offer.runner ? &j->offer.after : &none, *b = &j->before;
	const struct fleet_table_cell cell[COLUMNS] = {
	    {.text = groups[j->group].id},
	    {.text = j->repository},
	    {.text = j->workflow},
	    {.text = j->name},
	    {.number = (double)j->n},
	    {.number = ci_monthly(c, (double)j->n)},
	    {.text = j->today ? j->today->label : ""},
	    {.text = j->offer.runner ? j->offer.runner->label : ""},
	    {.number = b->p50_s},
	    {.number = a->p50_s},
	    {.number = b->p95_s},
	    {.number = a->p95_s},
	    {.number = ci_monthly(c, b->minutes)},
	    {.number = ci_monthly(c, a->minutes)},
	    {.number = ci_monthly(c, b->usd)},
	    {.number = ci_monthly(c, a->usd)},
	    {.text = fleet_model_confidence(j->confidence)},
	};
	struct buf text = {0};

	for (size_t i = 0; i < COLUMNS; i++)
		fleet_table_add(&text, &columns[i], cell[i], &fleet_table_whole);
	fleet_table_take_row(rows, &text);
	buf_free(&text);
}

static void add_job_table(cJSON *model, const struct ci *c)
{
	cJSON *table = cJSON_AddObjectToObject(model, "table"), *rows;

	fleet_table_heads(table, columns, COLUMNS, NULL);
	rows = cJSON_AddArrayToObject(table, "rows");
	for (size_t i = 0; i < c->n; i++)
		add_job_cells(rows, c, &c->v[i]);
}

static void ci_model_jobs_add(cJSON *model, const struct ci *c)
{
	cJSON *all = cJSON_AddArrayToObject(model, "groups"), *rows = NULL;
	size_t shown = c->n < CI_MODEL_ROWS ? c->n : CI_MODEL_ROWS;

	for (size_t i = 0; i < shown; i++) {
		enum ci_group group = c->v[i].group;
		if (!i || group != c->v[i - 1].group) {
			cJSON *one = model_json_row(all);
			cJSON_AddStringToObject(one, "id", groups[group].id);
			cJSON_AddStringToObject(one, "label", groups[group].label);
			cJSON_AddStringToObject(one, "text", groups[group].text);
			rows = cJSON_AddArrayToObject(one, "rows");
		}
		add_jobs_job(rows, c, &c->v[i]);
	}
	if (c->n > shown)
		model_json_printf(model, "more", "%s more jobs are in the CSV and in the JSON.",
		                  UNITS_COUNT((double)(c->n - shown)));
	add_job_table(model, c);
}

#define DAY_TEXT 10 /* bytes of 2026-11-01 */

/* -- the page: what it is about ---------------------------------------------------------------- */

static void add_days_covered(cJSON *model, const struct ci *c)
{
	cJSON *period = cJSON_AddObjectToObject(model, "period");
	bool known = isfinite(c->first) && isfinite(c->last);
	char from[UNITS_SIZE], to[UNITS_SIZE];

	cJSON_AddBoolToObject(period, "known", known);
	cJSON_AddBoolToObject(period, "monthly", isfinite(c->period_s));
	model_json_time(period, "first", c->first);
	model_json_time(period, "last", c->last);
	model_json_number(period, "days", c->period_s / 86400);
	if (!known)
		cJSON_AddStringToObject(period, "text", "no runs");
	else
		model_json_printf(period, "text", "%.*s to %.*s", DAY_TEXT,
		                  units_time_iso(c->first, from), DAY_TEXT,
		                  units_time_iso(c->last, to));
}

/* -- the page: the verdict --------------------------------------------------------------------- */

struct sums {
	double runs, usd, saved, minutes; /* of the jobs whose cost is known */
	size_t by_group[CI_GROUPS], unknown;
};

/* Only what may be done without a test counts as saved. */
static struct sums add_up(const struct ci *c)
{
	struct sums s = {.runs = 0};

	for (size_t i = 0; i < c->n; i++) {
		const struct ci_job *j = &c->v[i];
		s.by_group[j->group]++;
		s.runs += (double)j->n;
		if (isnan(j->before.usd)) {
			s.unknown++;
			continue;
		}
		s.usd += j->before.usd;
		s.minutes += j->before.minutes;
		if (j->group < CI_TEST_FIRST)
			s.saved += j->before.usd - j->offer.after.usd;
	}
	return s;
}

static void add_month_tile(cJSON *tiles, const struct ci *c, const char *id, const char *label,
                           double usd, const char *note)
{
	fleet_page_tile(tiles, id, label, UNITS_MONEY(UNIT_MONEY, ci_monthly(c, usd), NULL), note);
}

static void add_month_tiles(cJSON *model, const struct ci *c, const struct sums *s)
{
	cJSON *tiles = cJSON_AddArrayToObject(model, "tiles");
	size_t known = c->n - s->unknown;
	char note[96] = "";

	fleet_page_tile(tiles, "runs", "Runs", c->n ? UNITS_COUNT(s->runs) : "none", "");
	if (!c->n)
		return;
	fleet_page_tile(tiles, "jobs", "Jobs", UNITS_COUNT((double)c->n), "");
	if (!known || isnan(c->period_s))
		return;
	if (s->unknown)
		snprintf(note, sizeof note, "of %s of the jobs", UNITS_COUNT((double)known));
	add_month_tile(tiles, c, "usd_month", "Cost a month", s->usd, note);
	if (s->saved > 0)
		add_month_tile(tiles, c, "saved_month", "Recoverable a month", s->saved,
		               "without a test");
}

static void say_what(const struct ci *c, const struct sums *s, cJSON *verdict)
{
	struct buf text = {0};

	buf_printf(&text, "%s run%s of %s job%s", UNITS_COUNT(s->runs), fleet_page_plural(s->runs),
	           UNITS_COUNT((double)c->n), fleet_page_plural((double)c->n));
	if (c->n > s->unknown && isfinite(c->period_s))
		buf_printf(&text, ", %s billed minutes and %s a month",
		           UNITS_COUNT(round(ci_monthly(c, s->minutes))),
		           UNITS_MONEY(UNIT_MONEY, ci_monthly(c, s->usd), NULL));
	if (s->unknown && s->unknown < c->n)
		buf_printf(&text, "; what %s of the jobs cost%s is unknown",
		           UNITS_COUNT((double)s->unknown), s->unknown == 1 ? "s" : "");
	buf_str(&text, ".");
	fleet_page_sentence(verdict, "runs", "info", &text);
}

static void say_how_many(const struct ci *c, const struct sums *s, cJSON *verdict)
{
	size_t changes =
	    s->by_group[CI_FAILS_LESS] + s->by_group[CI_SAVES_MONEY] + s->by_group[CI_SAVES_TIME];
	double month = ci_monthly(c, s->saved);
	struct buf text = {0};

	if (!changes) {
		buf_str(&text, "No job has a better runner in the table without a test.");
		fleet_page_sentence(verdict, "changes", "good", &text);
		return;
	}
	buf_printf(&text, "%s job%s should run on %s", UNITS_COUNT((double)changes),
	           fleet_page_plural((double)changes),
	           changes == 1 ? "another runner" : "other runners");
	if (isfinite(month) && fabs(month) >= 0.005)
		buf_printf(&text, ", which %s %s a month", month > 0 ? "saves" : "costs",
		           UNITS_MONEY(UNIT_MONEY, fabs(month), NULL));
	buf_printf(&text, ": %zu would fail less, %zu would cost less, %zu would take less time.",
	           s->by_group[CI_FAILS_LESS], s->by_group[CI_SAVES_MONEY],
	           s->by_group[CI_SAVES_TIME]);
	fleet_page_sentence(verdict, "changes", s->by_group[CI_FAILS_LESS] ? "warn" : "info",
	                    &text);
}

static void say_missing(const struct ci *c, const struct ci_model_input *in, cJSON *verdict)
{
	struct buf text = {0};

	if (!c->rows) {
		buf_str(&text, "There is no recording of a CI job: none has the label ci.job.");
		fleet_page_sentence(verdict, "none", "warn", &text);
	}
	if (c->n && isnan(c->period_s)) {
		buf_str(&text, "The runs cover less than a day: what they cost in a month is "
		               "unknown.");
		fleet_page_sentence(verdict, "period", "warn", &text);
	}
	if (c->cut) {
		buf_printf(&text, "Only the newest %s recordings were read.",
		           UNITS_COUNT((double)CI_ROWS_MAX));
		fleet_page_sentence(verdict, "cut", "warn", &text);
	}
	if (c->more_jobs) {
		buf_printf(&text, "%s recordings of jobs beyond the first %zu are left out.",
		           UNITS_COUNT((double)c->more_jobs), CI_JOBS_MAX);
		fleet_page_sentence(verdict, "more_jobs", "warn", &text);
	}
	if (c->unfinished) {
		buf_printf(&text,
		           "%s recording%s left out: without an end, or with numbers that cannot "
		           "be true.",
		           UNITS_COUNT((double)c->unfinished),
		           c->unfinished == 1 ? " is" : "s are");
		fleet_page_sentence(verdict, "unfinished", "info", &text);
	}
	if (in->page.all_failed) {
		buf_str(&text, "Some recordings may be missing.");
		fleet_page_sentence(verdict, "unread", "warn", &text);
	}
}

/* -- the page: what gives it data -------------------------------------------------------------- */

/* null: there are recordings of CI jobs. */
static void add_first_steps(cJSON *model, bool none)
{
	static const char *const lines[][2] = {
	    {"In each CI job, record its command, and keep the recording as an artifact",
	     "rtrack-collect -o rtrack.json.gz -- make test"},
	    {"Collect the artifacts in one folder",
	     "gh run download --pattern 'rtrack*' --dir runs"},
	    {"Make this page of them", "rtrack-fleet ci runs"},
	};
	cJSON *start = model_json_object_if(none, model, "start"), *all;

	if (!start)
		return;
	all = cJSON_AddArrayToObject(start, "lines");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		cJSON *one = model_json_row(all);
		cJSON_AddStringToObject(one, "text", lines[i][0]);
		cJSON_AddStringToObject(one, "command", lines[i][1]);
	}
}

/* -- the page: prices -------------------------------------------------------------------------- */

static void add_price_row(cJSON *rows, const struct ci_runner *r)
{
	static const char *const of[CI_KINDS] = {
	    [CI_STANDARD] = "",
	    [CI_PUBLIC] = "public repositories",
	    [CI_LARGER] = "named by an organisation",
	    [CI_SLIM] = "a container",
	    [CI_OWN] = "your own",
	};
	cJSON *row = model_json_row(rows);
	char day[UNITS_SIZE];

	model_json_cut(row, "provider", r->provider, CI_MODEL_NAME);
	model_json_cut(row, "label", r->label, CI_MODEL_NAME);
	cJSON_AddStringToObject(row, "of", of[r->kind]); /* two runners may have one label */
	model_json_number(row, "vcpus", r->vcpus);
	model_json_quantity(row, "memory", UNIT_BYTES, r->memory_b);
	model_json_cut(row, "arch", r->arch, CI_MODEL_NAME);
	model_json_number(row, "usd_minute", r->usd_minute);
	model_json_printf(row, "usd_text", "$%.4g", r->usd_minute);
	model_json_printf(row, "day", "%.*s", DAY_TEXT, units_time_iso(r->known, day));
	model_json_cut(row, "source", r->source, MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(row, "link", strncmp(r->source, "https://", 8) == 0);
}

static bool has_provider(const struct ci *c, const char *provider)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->v[i].provider, provider) == 0)
			return true;
	return false;
}

/* The prices of the providers that the jobs are on. null: there are no jobs. */
static void add_price_table(cJSON *model, cJSON *verdict, const struct ci *c,
                            const struct ci_model_input *in)
{
	static const char warning[] = "These prices are older than a year: check them, and give "
				      "today's with --runner-prices.";
	cJSON *prices = model_json_object_if(c->n, model, "prices"), *rows;
	double known = NAN;
	char day[UNITS_SIZE];
	struct buf text = {0};
	bool old;

	if (!prices)
		return;
	rows = cJSON_AddArrayToObject(prices, "rows");
	for (size_t i = 0; i < in->prices->n; i++) {
		const struct ci_runner *r = &in->prices->v[i];
		if (!has_provider(c, r->provider))
			continue;
		known = fmin(known, r->known);
		add_price_row(rows, r);
	}
	if (isnan(known))
		buf_str(&text, "The table of prices has none of these providers.");
	else
		buf_printf(&text,
		           "Prices as of %.*s%s%s, without taxes, discounts and the minutes "
		           "that a plan includes.",
		           DAY_TEXT, units_time_iso(known, day), in->prices_file ? ", from " : "",
		           in->prices_file ? in->prices_file : "");
	model_json_take_cut(prices, "text", &text, MODEL_JSON_TEXT_MAX);
	model_json_time(prices, "known", known);
	old = in->page.now - known > CI_PRICES_OLD_S;
	cJSON_AddBoolToObject(prices, "old", old);
	model_json_cut_or_null(prices, "warning", old ? warning : NULL, MODEL_JSON_TEXT_MAX);
	if (old)
		buf_str(&text, warning);
	fleet_page_sentence(verdict, "prices", "warn", &text);
}

/* -- the page: the patch ----------------------------------------------------------------------- */

static void add_plan_row(cJSON *rows, const struct ci_plan_item *item)
{
	cJSON *row = model_json_row(rows);
	const struct ci_job *j = item->job;

	model_json_cut(row, "workflow", *j->workflow ? j->workflow : "–", CI_MODEL_NAME);
	model_json_cut(row, "name", j->name, CI_MODEL_NAME);
	model_json_cut(row, "label", j->offer.runner->label, CI_MODEL_NAME);
	model_json_cut(row, "file", item->file ? item->file->path : "", MODEL_JSON_NAME_MAX);
	model_json_number(row, "line", item->change.label ? (double)item->change.place.line : NAN);
	model_json_cut(row, "why", item->why.msg, MODEL_JSON_TEXT_MAX);
}

static void add_plan(cJSON *model, const struct ci_plan *plan)
{
	cJSON *patch = model_json_object_if(plan != NULL, model, "patch");
	cJSON *changed, *by_hand;

	if (!patch)
		return;
	changed = cJSON_AddArrayToObject(patch, "changed");
	by_hand = cJSON_AddArrayToObject(patch, "by_hand");
	for (size_t i = 0; i < plan->n; i++)
		add_plan_row(plan->v[i].change.label ? changed : by_hand, &plan->v[i]);
	cJSON_AddBoolToObject(patch, "has_by_hand", cJSON_GetArraySize(by_hand) > 0);
	if (plan->n)
		model_json_printf(patch, "summary", "It changes the runner of %s of %s job%s.",
		                  UNITS_COUNT((double)plan->changed), UNITS_COUNT((double)plan->n),
		                  fleet_page_plural((double)plan->n));
	else
		cJSON_AddStringToObject(patch, "summary",
		                        "There is none: no job changes without a test.");
	cJSON_AddStringToObject(patch, "text", buf_cstr(&plan->patch));
}

static void add_method(cJSON *model, const struct ci *c, const struct ci_model_input *in)
{
	if (!c->rows) {
		cJSON_AddNullToObject(model, "method");
		return;
	}
	model_json_printf(
	    model, "method",
	    "The proposed runner is the cheapest of the table that holds the memory that the job "
	    "should ask for (a run that fails is worth %s runs) and 1 GiB for what runs beside it, "
	    "and with which the predicted p95 of the time is at most %s longer than today's. Each "
	    "run is predicted from its recording: the same CPU work on other numbers of CPUs, each "
	    "as fast as today's. The table does not say how fast the CPUs of another runner are: "
	    "a time there may be %g times as long, or as short, and that range is shown. Each run "
	    "is billed as its provider does: GitHub rounds a job up to whole minutes. Only what "
	    "was recorded of a job is counted, so steps without rtrack-collect come on top, "
	    "before and after.",
	    UNITS_COUNT(in->lambda), UNITS_SHARE(in->slowdown), SPEED_RANGE_UNKNOWN);
}

static cJSON *ci_model_make(const struct ci *c, const struct ci_model_input *in)
{
	cJSON *model = cJSON_CreateObject(), *verdict;
	struct sums s = add_up(c);

	if (!model)
		return NULL;
	fleet_page_head(model, OUTPUT_CI_FORMAT, "CI runners", &in->page);
	add_days_covered(model, c);
	model_json_number(model, "runs", s.runs);
	model_json_number(model, "jobs", (double)c->n);
	model_json_number(model, "usd_month", c->n > s.unknown ? ci_monthly(c, s.usd) : NAN);
	model_json_number(model, "saved_month", c->n > s.unknown ? ci_monthly(c, s.saved) : NAN);
	add_month_tiles(model, c, &s);
	verdict = cJSON_AddArrayToObject(model, "verdict");
	if (c->n) {
		say_what(c, &s, verdict);
		say_how_many(c, &s, verdict);
	}
	say_missing(c, in, verdict);
	add_first_steps(model, !c->rows);
	ci_model_jobs_add(model, c);
	add_price_table(model, verdict, c, in);
	add_plan(model, in->plan);
	add_method(model, c, in);
	if (alloc_failed()) {
		cJSON_Delete(model);
		return NULL;
	}
	return model;
}

/* -- the report -------------------------------------------------------------------------------- */

#define TABLE "ci_runners.tsv"

static int read_price_file(const char *path, struct ci_prices *out, struct err *e)
{
	FILE *f = fopen(path, "rbe");
	struct buf text = {.max = CI_PRICES_BYTES};
	char part[8192];
	size_t n;
	int failed = -1;

	while (f && !text.failed && (n = fread(part, 1, sizeof part, f)) > 0)
		buf_add(&text, part, n);
	if (!f || ferror(f))
		err_set(e, "%s: %s", path, strerror(errno));
	else if (text.failed)
		err_set(e, "%s: larger than %zu bytes", path, CI_PRICES_BYTES);
	else if (ci_prices_parse(out, buf_cstr(&text), text.len, e))
		err_wrap(e, "%s", path);
	else
		failed = 0;
	if (f)
		fclose(f);
	buf_free(&text);
	return failed ? err_wrap(e, "--runner-prices") : 0;
}

static int price_table(const struct fleet_options *o, struct ci_prices *out, struct err *e)
{
	size_t n = 0;
	const char *text = assets_find(NULL, TABLE, &n);

	if (o->runner_prices)
		return read_price_file(o->runner_prices, out, e);
	return ci_prices_parse(out, text ? text : "", n, e);
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

/* git apply would say of an empty patch only that it is none. */
static void say_empty_patch(const struct fleet_sources *s, const struct ci *ci,
                            const struct ci_plan *plan)
{
	const struct fleet_report_watch *watch = s->failed->watch;
	struct err line = {0};

	if (!s->o->page.patch || plan->patch.len)
		return;
	if (!ci->n)
		err_set(&line, "the patch is empty: no run is of a CI job");
	else if (!plan->n)
		err_set(&line, "the patch is empty: no job changes without a test");
	else
		err_set(&line,
		        "the patch is empty: the line of %s job%s is to be changed by hand "
		        "(--text - says why)",
		        UNITS_COUNT((double)plan->n), fleet_page_plural((double)plan->n));
	watch->say(watch->ctx, &line);
}

int ci_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e)
{
	const struct fleet_options *o = s->o;
	const struct fleet_page page = fleet_page_of(s);
	struct ci_prices prices = {.n = 0};
	struct ci_files files = {.n = 0};
	struct ci_plan plan = {.root = o->ci_root ? o->ci_root : ".", .files = &files};
	struct ci ci = {.n = 0};
	struct ci_input in = {.catalog = s->catalog,
	                      .query = s->query,
	                      .prices = &prices,
	                      .policy = {.lambda = recommend_lambda(o->page.risk),
	                                 .slowdown = o->page.slowdown > 0 ? o->page.slowdown : -1},
	                      .now = page.now};
	const struct ci_model_input shown = {
	    .page = page,
	    .prices = &prices,
	    .prices_file = o->runner_prices,
	    .plan = o->page.patch || o->ci_root ? &plan : NULL,
	    .lambda = fleet_ask_lambda(&in.policy),
	    .slowdown = o->page.slowdown,
	};

	if (price_table(o, &prices, e) || ci_make(&ci, &in, e) ||
	    make_plan(o, &ci, &prices, &files, &plan, e))
		goto out;
	say_empty_patch(s, &ci, &plan);
	out->model = alloc_failed() ? NULL : ci_model_make(&ci, &shown);
	if (!out->model || alloc_failed()) {
		err_set(e, "no memory for the report");
		cJSON_Delete(out->model);
		out->model = NULL;
	}
out:
	ci_plan_free(&plan);
	ci_files_free(&files);
	ci_free(&ci);
	ci_prices_free(&prices);
	return out->model ? 0 : -1;
}
