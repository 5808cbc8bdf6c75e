/* ci: the runs of CI jobs, and which runner each job should have. */
#include "fleet/ci/ci.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/fnv1a.h"
#include "core/base/larger.h"
#include "fleet/catalog/catalog_list.h"

/* -- rows of a catalog → CI jobs and their runs ------------------------------------------------ */

#define ROWS_FIRST   64
#define TEXT_MAX     256
#define SAME_MEMORY  0.15 /* machines whose memory differs by less are the same */
#define ONLY_OF_JOBS "label:ci.job!="

/* -- labels ------------------------------------------------------------------------------------ */

const char *ci_gather_pair(const char *pairs, const char *key, size_t *n)
{
	size_t width = strlen(key);

	for (const char *at = pairs; at; at = strchr(at, ';'), at = at ? at + 1 : NULL)
		if (strncmp(at, key, width) == 0 && at[width] == '=') {
			*n = strcspn(at + width + 1, ";");
			return at + width + 1;
		}
	*n = 0;
	return NULL;
}

static void copy_pair(const char *pairs, const char *key, char *out, size_t size)
{
	size_t n;
	const char *value = ci_gather_pair(pairs, key, &n);

	n = n < size ? n : size - 1;
	if (value)
		memcpy(out, value, n);
	out[value ? n : 0] = '\0';
}

/* As the table of runners spells it. */
static void set_arch(char out[16], const char *text)
{
	static const struct {
		const char *ends, *arch;
	} spellings[] = {{"x64", "x64"},      {"X64", "x64"},     {"amd64", "x64"},
	                 {"x86_64", "x64"},   {"ARM64", "arm64"}, {"arm64", "arm64"},
	                 {"aarch64", "arm64"}};
	size_t n = strlen(text);

	*out = '\0';
	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
		size_t width = strlen(spellings[i].ends);
		if (n >= width && strcmp(text + n - width, spellings[i].ends) == 0)
			snprintf(out, 16, "%s", spellings[i].arch);
	}
}

/* -- jobs -------------------------------------------------------------------------------------- */

struct gathering {
	struct ci *out;
	uint64_t *hash; /* of each job's names */
};

struct names {
	char provider[TEXT_MAX], repository[TEXT_MAX], workflow[TEXT_MAX], job[TEXT_MAX];
};

static char *keep_text(const char *text)
{
	return alloc_failed_note(strdup(text));
}

static bool has_names(const struct ci_job *j, const struct names *names)
{
	return strcmp(j->name, names->job) == 0 && strcmp(j->workflow, names->workflow) == 0 &&
	       strcmp(j->repository, names->repository) == 0 &&
	       strcmp(j->provider, names->provider) == 0;
}

/* The rows come newest first, so the first of a job says what it runs on. */
static void describe(struct ci_job *j, const char *labels, const char *tags)
{
	char text[TEXT_MAX];
	bool gitlab = strcmp(j->provider, "gitlab") == 0;

	copy_pair(labels, "ci.arch", text, sizeof text);
	set_arch(j->arch, text);
	copy_pair(labels, "ci.runner", j->machine, sizeof j->machine);
	copy_pair(labels, "ci.runner_kind", text, sizeof text);
	j->self_hosted = strcmp(text, "self-hosted") == 0;
	copy_pair(tags, "runner", j->named, sizeof j->named);
	if (!*j->named && gitlab)
		copy_pair(labels, "ci.runner_tags", j->named, sizeof j->named);
}

static void free_job(struct ci_job *j)
{
	for (size_t i = 0; i < j->n_steps; i++)
		free(j->step[i].name);
	free(j->provider);
	free(j->repository);
	free(j->workflow);
	free(j->name);
	free(j->run);
	*j = (struct ci_job){.n = 0};
}

/* NULL: there are too many, or no memory, which alloc_failed knows. */
static struct ci_job *job_of(struct gathering *g, const struct names *names, bool *is_new)
{
	uint64_t hash = fnv1a_add(fnv1a_add(FNV1A_BEGIN, names->workflow), names->job);
	struct ci *c = g->out;
	struct ci_job *j;

	*is_new = false;
	for (size_t i = 0; i < c->n; i++)
		if (g->hash[i] == hash && has_names(&c->v[i], names))
			return &c->v[i];
	if (c->n == CI_JOBS_MAX)
		return NULL;
	j = &c->v[c->n];
	*j = (struct ci_job){.provider = keep_text(names->provider),
	                     .repository = keep_text(names->repository),
	                     .workflow = keep_text(names->workflow),
	                     .name = keep_text(names->job)};
	if (!j->provider || !j->repository || !j->workflow || !j->name) {
		free_job(j);
		return NULL;
	}
	g->hash[c->n++] = hash;
	*is_new = true;
	return j;
}

static size_t step_of(struct ci_job *j, const char *name)
{
	size_t i = 0;

	while (i < j->n_steps && strcmp(j->step[i].name, name) != 0)
		i++;
	if (i < j->n_steps)
		return i;
	if (i == CI_STEPS_MAX || !(j->step[i].name = keep_text(name))) {
		j->more_steps++;
		return CI_STEPS_MAX;
	}
	j->n_steps++;
	return i;
}

static int add_run(struct ci_job *j, const struct ci_run *run, struct err *e)
{
	size_t cap = j->cap ? 2 * j->cap : ROWS_FIRST;
	struct ci_run *v;

	if (j->n == j->cap) {
		v = alloc_failed_note(realloc(j->run, cap * sizeof *v));
		if (!v)
			return err_set(e, "no memory");
		j->run = v;
		j->cap = cap;
	}
	j->run[j->n++] = *run;
	return 0;
}

/* -- rows -------------------------------------------------------------------------------------- */

static uint64_t run_key(const struct catalog_result *v, const char *labels)
{
	char attempt[32];

	if (!*v[RTRACK_ROW_WORKFLOW_RUN].text)
		return 0;
	copy_pair(labels, "ci.attempt", attempt, sizeof attempt);
	return fnv1a_add(fnv1a_add(fnv1a_add(FNV1A_BEGIN, v[RTRACK_ROW_WORKFLOW_RUN].text),
	                           v[RTRACK_ROW_HOST].text),
	                 attempt) |
	       1;
}

/* A run that was killed shared the machine's memory with whatever ran beside the job. */
static double memory_limit(const struct catalog_result *v)
{
	double asked = v[RTRACK_ROW_ASKED_MEMORY].number;
	double machine = v[RTRACK_ROW_MACHINE_MEMORY].number - CI_BESIDE_B;

	return lesser(asked, machine);
}

static struct ci_run run_of_row(const struct catalog_result *v)
{
	double class = v[CATALOG_COLUMN_CLASS].number;
	struct ci_run run = {
	    .start = v[RTRACK_ROW_START].number,
	    .wall_s = v[RTRACK_ROW_WALL].number,
	    .need_b = v[RTRACK_ROW_MEMORY_PEAK].number,
	    .limit_b = memory_limit(v),
	    .vcpus = v[RTRACK_ROW_VCPUS].number,
	    .memory_b = v[RTRACK_ROW_MACHINE_MEMORY].number,
	    .killed = v[CATALOG_COLUMN_OOM].number == 1,
	};

	if (run.killed)
		run.limit_b = larger(run.limit_b, run.need_b);
	run.finished = class != CATALOG_FAILED && !run.killed;
	for (int i = 0; i < CATALOG_TIMES; i++)
		run.at_s[i] = v[RTRACK_ROW_TIME_AT_1 + i].number * run.wall_s;
	return run;
}

static int take_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	struct gathering *g = ctx;
	const char *labels = v[RTRACK_ROW_LABELS].text;
	double class = v[CATALOG_COLUMN_CLASS].number;
	struct ci_run run;
	struct ci_job *j;
	struct names names;
	bool is_new;

	g->out->rows++;
	copy_pair(labels, "ci.provider", names.provider, sizeof names.provider);
	copy_pair(labels, "ci.repository", names.repository, sizeof names.repository);
	copy_pair(labels, "ci.workflow", names.workflow, sizeof names.workflow);
	copy_pair(labels, "ci.job", names.job, sizeof names.job);
	run = run_of_row(v);
	if (class == CATALOG_UNFINISHED || class == CATALOG_IMPOSSIBLE || !(run.wall_s > 0)) {
		g->out->unfinished++;
		return 0;
	}
	j = job_of(g, &names, &is_new);
	if (!j && g->out->n == CI_JOBS_MAX) {
		g->out->more_jobs++;
		return 0;
	}
	if (!j)
		return err_set(e, "no memory");
	if (is_new)
		describe(j, labels, v[RTRACK_ROW_TAGS].text);
	run.key = run_key(v, labels);
	run.step = step_of(j, v[RTRACK_ROW_NAME].text);
	return add_run(j, &run, e);
}

/* -- runs of recordings ------------------------------------------------------------------------ */

static int by_key(const void *a, const void *b)
{
	const struct ci_run *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

static int by_run_start(const void *a, const void *b)
{
	const struct ci_run *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int by_wall(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Before the recordings of a run are joined. */
static void describe_steps(struct ci_job *j, double *wall)
{
	for (size_t i = 0; i < j->n_steps; i++) {
		struct ci_step *s = &j->step[i];
		size_t n = 0;
		s->memory_b = NAN;
		for (size_t k = 0; k < j->n; k++) {
			if (j->run[k].step != i)
				continue;
			wall[n++] = j->run[k].wall_s;
			s->memory_b = larger(s->memory_b, j->run[k].need_b);
		}
		qsort(wall, n, sizeof *wall, by_wall);
		s->runs = (double)n;
		s->p50_s = n ? wall[(n - 1) / 2] : (double)NAN;
	}
}

static void join_recording(struct ci_run *run, const struct ci_run *with)
{
	run->wall_s += with->wall_s;
	for (int i = 0; i < CATALOG_TIMES; i++)
		run->at_s[i] += with->at_s[i];
	run->need_b = larger(run->need_b, with->need_b);
	run->limit_b = larger(run->limit_b, with->limit_b);
	run->killed |= with->killed;
	run->finished &= with->finished;
}

static void join_recordings(struct ci_job *j)
{
	size_t n = 0;

	qsort(j->run, j->n, sizeof *j->run, by_key);
	for (size_t i = 0; i < j->n; i++) {
		if (n && j->run[i].key && j->run[i].key == j->run[n - 1].key)
			join_recording(&j->run[n - 1], &j->run[i]);
		else
			j->run[n++] = j->run[i];
	}
	j->n = n;
	qsort(j->run, j->n, sizeof *j->run, by_run_start);
}

static bool is_same_machine(const struct ci_run *a, const struct ci_run *b)
{
	double ratio = a->memory_b / b->memory_b;

	return (a->vcpus == b->vcpus || (isnan(a->vcpus) && isnan(b->vcpus))) &&
	       !(fabs(ratio - 1) > SAME_MEMORY);
}

static void keep_machine(struct ci_job *j)
{
	struct ci_run newest = j->run[j->n - 1];
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++)
		if (is_same_machine(&j->run[i], &newest))
			j->run[n++] = j->run[i];
	j->others = j->n - n;
	j->n = n;
	j->vcpus = newest.vcpus;
	j->memory_b = newest.memory_b;
}

int ci_gather(struct ci *out, const struct ci_input *in, struct err *e)
{
	struct opts_list where = in->query->where ? *in->query->where : (struct opts_list){.n = 0};
	struct catalog_query query = *in->query;
	struct gathering g = {.out = out};
	double *wall = NULL;
	int failed = -1;

	if (where.n == OPTS_LIST_MAX)
		return err_set(e, "--where: more than %d conditions", OPTS_LIST_MAX - 1);
	where.v[where.n++] = ONLY_OF_JOBS;
	query.where = &where;
	out->first = out->last = out->period_s = NAN;
	out->v = alloc_failed_note(calloc(CI_JOBS_MAX, sizeof *out->v));
	g.hash = alloc_failed_note(calloc(CI_JOBS_MAX, sizeof *g.hash));
	wall = alloc_failed_note(calloc(CI_ROWS_MAX, sizeof *wall));
	if (!out->v || !g.hash || !wall)
		err_set(e, "no memory");
	else
		failed = catalog_list(in->catalog, &query, CI_ROWS_MAX, take_row, &g, e);
	out->cut = out->rows == CI_ROWS_MAX;
	for (size_t i = 0; !failed && i < out->n; i++) {
		struct ci_job *j = &out->v[i];
		describe_steps(j, wall);
		join_recordings(j);
		out->first = lesser(out->first, j->run[0].start);
		out->last = larger(out->last, j->run[j->n - 1].start);
		keep_machine(j);
	}
	free(g.hash);
	free(wall);
	return failed ? -1 : 0;
}

/* -- release ----------------------------------------------------------------------------------- */

double ci_monthly(const struct ci *c, double v)
{
	return v * CI_MONTH_S / c->period_s;
}

void ci_free(struct ci *c)
{
	for (size_t i = 0; c->v && i < c->n; i++)
		free_job(&c->v[i]);
	free(c->v);
	*c = (struct ci){.n = 0};
}
