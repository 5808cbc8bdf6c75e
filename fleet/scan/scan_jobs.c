/* scan_jobs: puts rows into a catalog so that the rows of one job are one run. */
#include "fleet/scan/scan_jobs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fnv1a.h"
#include "core/base/quantity.h"
#include "fleet/catalog/catalog_list.h"
#include "fleet/catalog/catalog_row.h"
#include "fleet/scan/job_rows.h"

#define SUBMIT_S     1                     /* times of one submission differ by less */
#define USED_AGAIN_S (30 * QUANTITY_DAY_S) /* after the end of a job its number may be another's */

/* A row that the catalog has. */
struct known {
	struct rtrack_row row;
	char *path, *tag;
};

struct putting {
	struct scan_jobs *jobs;
	struct catalog *c;
	struct job_row *v; /* given, then known */
	size_t n, cap;
	struct known **known;
	size_t n_known, known_cap;
};

static int no_jobs_memory(struct err *e)
{
	return err_set(e, "no memory to read the recordings");
}

static const char *scheduled_id(const struct job_row *r)
{
	return r->row->of[RTRACK_ROW_JOB_ID].text;
}

static int keep_job_row(struct putting *p, struct rtrack_row *row, const struct catalog_run *run,
                        bool given, struct err *e)
{
	struct job_row *more = p->v;

	if (p->n == p->cap) {
		p->cap = p->cap ? 2 * p->cap : 1024;
		more = reallocarray(p->v, p->cap, sizeof *more);
	}
	if (!more)
		return no_jobs_memory(e);
	p->v = more;
	p->v[p->n++] = (struct job_row){.row = row, .run = *run, .given = given};
	return 0;
}

static const char *user_of(const struct job_row *r)
{
	return r->row->of[RTRACK_ROW_USER].text;
}

/* -- jobs with too many rows ------------------------------------------------------------------- */

static uint64_t hash_of_job(const struct job_row *r)
{
	return fnv1a_add(fnv1a_add(FNV1A_BEGIN, scheduled_id(r)), user_of(r)) | 1;
}

void scan_jobs_free(struct scan_jobs *j)
{
	id_table_free(&j->crowded);
}

/* -- what the catalog has ---------------------------------------------------------------------- */

static int on_recorded(void *ctx, const struct catalog_result v[CATALOG_COLUMNS], struct err *e)
{
	struct scan_jobs *j = ctx;

	(void)v;
	(void)e;
	j->recorded = true;
	return 0;
}

static int look_for_recorded(struct scan_jobs *j, struct catalog *c, struct err *e)
{
	if (j->looked)
		return 0;
	j->looked = true;
	return catalog_list_any_recorded(c, on_recorded, j, e);
}

static void free_known(struct known *k)
{
	if (!k)
		return;
	free(k->path);
	free(k->tag);
	free(k);
}

/* Amounts of a whole job are stored as those of one of its nodes (catalog_row_values). */
static void restore_amounts(struct rtrack_row *row)
{
	static const enum rtrack_row_id of_job[] = {CATALOG_ROW_OF_JOB};
	double nodes = catalog_row_nodes(row);

	for (size_t i = 0; i < sizeof of_job / sizeof *of_job; i++)
		row->of[of_job[i]].number *= nodes;
}

static uint64_t hash_value(uint64_t hash, double v)
{
	uint64_t bits = 0;

	if (isfinite(v))
		memcpy(&bits, &v, sizeof bits);
	return (hash ^ bits) * 0x100000001b3u;
}

/* A hash of what the catalog has, and of what it is to have. */
static uint64_t hash_of_stored(const struct catalog_result v[CATALOG_COLUMNS])
{
	uint64_t hash = FNV1A_BEGIN;

	for (int i = 0; i < CATALOG_COLUMNS; i++)
		hash = catalog_columns[i].kind == CATALOG_TEXT ? fnv1a_add(hash, v[i].text)
		                                               : hash_value(hash, v[i].number);
	return hash;
}

static uint64_t hash_of_run(const struct catalog_run *run)
{
	struct catalog_value v[CATALOG_COLUMNS];
	struct catalog_row_text text;
	uint64_t hash = FNV1A_BEGIN;

	catalog_row_values(run, &text, v);
	for (int i = 0; i < CATALOG_COLUMNS; i++) {
		const char *words = v[i].kind == CATALOG_TEXT ? v[i].text : "";
		double number = v[i].kind == CATALOG_NUMBER ? v[i].number : (double)NAN;
		if (v[i].kind == CATALOG_INTEGER)
			number = (double)v[i].integer;
		hash = catalog_columns[i].kind == CATALOG_TEXT ? fnv1a_add(hash, words)
		                                               : hash_value(hash, number);
	}
	return hash;
}

static struct known *copy_known(const struct catalog_result v[CATALOG_COLUMNS])
{
	struct known *k = calloc(1, sizeof *k);

	if (!k)
		return NULL;
	k->path = strdup(v[CATALOG_COLUMN_SOURCE].text);
	k->tag = strdup(v[CATALOG_COLUMN_SOURCE_TAG].text);
	rtrack_row_clear(&k->row);
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		if (rtrack_row_is_text(i))
			k->row.of[i].text = rtrack_row_store(&k->row, v[i].text);
		else
			k->row.of[i].number = v[i].number;
	}
	restore_amounts(&k->row);
	if (k->path && k->tag)
		return k;
	free_known(k);
	return NULL;
}

static int keep_known(struct putting *p, struct known *k, struct err *e)
{
	struct known **more = p->known;

	if (p->n_known == p->known_cap) {
		p->known_cap = p->known_cap ? 2 * p->known_cap : 64;
		more = reallocarray(p->known, p->known_cap, sizeof(struct known *));
	}
	if (!k || !more) {
		free_known(k);
		return no_jobs_memory(e);
	}
	p->known = more;
	p->known[p->n_known++] = k;
	return 0;
}

static int on_known(void *ctx, const struct catalog_result v[CATALOG_COLUMNS], struct err *e)
{
	struct putting *p = ctx;
	struct known *k = copy_known(v);
	double code = v[CATALOG_COLUMN_ORIGIN_CODE].number;
	struct catalog_run run;

	if (keep_known(p, k, e))
		return -1;
	run = (struct catalog_run){
	    .source = {k->path, (int64_t)v[CATALOG_COLUMN_SOURCE_SIZE].number,
	               strtoll(v[CATALOG_COLUMN_SOURCE_MTIME].text, NULL, 10), k->tag},
	    .row = &k->row,
	    .origin = import_origin_find(v[CATALOG_COLUMN_ORIGIN].text),
	    .submit = v[CATALOG_COLUMN_SUBMIT].number,
	    .accounted_cpu_s = v[CATALOG_COLUMN_ACCOUNTED_CPU].number,
	    .accounted_memory_b = v[CATALOG_COLUMN_ACCOUNTED_MEMORY].number,
	    .differs = code >= CATALOG_DIFFERS ? (int)code / CATALOG_DIFFERS % CATALOG_BOUND : 0,
	};
	if (keep_job_row(p, &k->row, &run, false, e))
		return -1;
	p->v[p->n - 1].stored = hash_of_stored(v);
	return 0;
}

/* The rows of the jobs of the given ones, which are sorted by job, that are recordings, or that are
 * not. */
static int find_known_of(struct putting *p, bool recorded, struct err *e)
{
	const char *id[CATALOG_LIST_IDS];
	size_t n = 0, given = p->n;

	for (size_t i = 0; i < given; i++) {
		const struct job_row *r = &p->v[i];
		if (r->given && *scheduled_id(r) && job_row_recorded(&r->run) == recorded &&
		    !(n && strcmp(id[n - 1], scheduled_id(r)) == 0) &&
		    !id_table_find(&p->jobs->crowded, hash_of_job(r)))
			id[n++] = scheduled_id(r);
		if (n == CATALOG_LIST_IDS || (n && i + 1 == given)) {
			if (catalog_list_jobs(p->c, id, n, recorded, on_known, p, e))
				return -1;
			n = 0;
		}
	}
	return 0;
}

static int by_job(const void *a, const void *b);

static int find_known(struct putting *p, struct err *e)
{
	qsort(p->v, p->n, sizeof *p->v, by_job);
	if (find_known_of(p, true, e))
		return -1;
	return p->jobs->recorded ? find_known_of(p, false, e) : 0;
}

/* -- all rows, by job -------------------------------------------------------------------------- */

/* Rows of the catalog come before new ones of the same source, which replace them. */
static int by_job(const void *a, const void *b)
{
	const struct job_row *x = a, *y = b;
	int order = strcmp(scheduled_id(x), scheduled_id(y));

	if (!order)
		order = strcmp(x->run.source.path, y->run.source.path);
	return order ? order : x->given - y->given;
}

static void drop_replaced(struct putting *p)
{
	size_t kept = 0;

	qsort(p->v, p->n, sizeof *p->v, by_job);
	for (size_t i = 0; i < p->n; i++) {
		struct job_row *before = kept ? &p->v[kept - 1] : NULL;
		bool same = before && strcmp(before->run.source.path, p->v[i].run.source.path) == 0;
		if (same && !before->given)
			job_rows_inherit(&p->v[i], before);
		p->v[kept - same] = p->v[i];
		kept += !same;
	}
	p->n = kept;
}

static int by_user(const void *a, const void *b)
{
	const struct job_row *x = a, *y = b;
	int order = strcmp(user_of(x), user_of(y));

	return order ? order : strcmp(x->run.source.path, y->run.source.path);
}

/* -- numbers of jobs that are used again ------------------------------------------------------- */

/* When a row's job began: accounting has its submission. */
static double begins_at(const struct job_row *r)
{
	return r->run.submit > 0 ? r->run.submit : r->row->of[RTRACK_ROW_START].number;
}

/* Unknown times come last. */
static int by_begin(const void *a, const void *b)
{
	double x = begins_at(a), y = begins_at(b);

	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	return (x > y) - (x < y);
}

/* How many of the n rows, sorted by time, are of the first job: all until another submission, or a
 * long time after the end. */
static size_t rows_of_job(const struct job_row *v, size_t n)
{
	double submit = NAN, stop = NAN;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct rtrack_row *row = v[i].row;
		double of = v[i].run.submit > 0 ? v[i].run.submit : NAN, end;
		if (fabs(of - submit) > SUBMIT_S || begins_at(&v[i]) > stop + USED_AGAIN_S)
			break;
		submit = isnan(submit) ? of : submit;
		end = row->of[RTRACK_ROW_START].number + row->of[RTRACK_ROW_WALL].number;
		stop = fmax(stop, isnan(end) ? begins_at(&v[i]) : end);
	}
	return i;
}

/* Jobs after the first get their time into the key of the run that their recordings are. */
static void rename_joined(struct job_row *v, size_t n)
{
	char key[192];

	for (size_t i = 0; i < n; i++) {
		if (!v[i].run.joined)
			continue;
		snprintf(key, sizeof key, "%s@%.0f", v[i].run.joined, begins_at(&v[0]));
		v[i].run.joined = rtrack_row_store(v[i].row, key);
	}
}

/* The rows of one user with one number. */
static void join_by_time(struct scan_jobs *jobs, struct job_row *v, size_t n)
{
	size_t first, k;

	/* Without memory the job is looked at again, which only takes longer. */
	if (n > JOB_ROWS_MAX)
		id_table_add(&jobs->crowded, hash_of_job(v), sizeof(uint64_t));

	qsort(v, n, sizeof *v, by_begin);
	first = rows_of_job(v, n);
	if (first == n) {
		job_rows_join(v, n);
		return;
	}
	for (size_t i = 0; i < n && !isnan(begins_at(&v[i])); i += k) {
		k = rows_of_job(&v[i], n - i);
		while (k > 1 && isnan(begins_at(&v[i + k - 1])))
			k--;
		job_rows_join(&v[i], k);
		if (i)
			rename_joined(&v[i], k);
	}
}

/* -- users ------------------------------------------------------------------------------------- */

/* Rows of several users are not one job, whatever number a recording carries. Those of which the
 * user is unknown come first: they may be of each, and are joined with none. */
static void join_by_user(struct scan_jobs *jobs, struct job_row *v, size_t n)
{
	size_t i = 0, k = 0;

	qsort(v, n, sizeof *v, by_user);
	while (i < n && !*user_of(&v[i]))
		i++;
	if (i == n || strcmp(user_of(&v[i]), user_of(&v[n - 1])) == 0) {
		join_by_time(jobs, v, n);
		return;
	}
	if (!jobs->refused++)
		err_set(&jobs->example, "%s is of %s, and %s of %s", v[i].run.source.path,
		        user_of(&v[i]), v[n - 1].run.source.path, user_of(&v[n - 1]));
	for (; i < n; i += k) {
		for (k = 1; i + k < n && strcmp(user_of(&v[i]), user_of(&v[i + k])) == 0; k++)
			;
		if (k > 1)
			join_by_time(jobs, &v[i], k);
	}
}

static void join_jobs(struct putting *p)
{
	for (size_t i = 0, n; i < p->n; i += n) {
		for (n = 1; i + n < p->n &&
		            strcmp(scheduled_id(&p->v[i]), scheduled_id(&p->v[i + n])) == 0;
		     n++)
			;
		if (*scheduled_id(&p->v[i]) && n > 1)
			join_by_user(p->jobs, &p->v[i], n);
	}
}

static int put_jobs(struct putting *p, double now, struct err *e)
{
	struct catalog_run *run = calloc(p->n, sizeof *run);
	size_t n = 0, forgotten = 0;
	int failed = 0;

	if (!run)
		return no_jobs_memory(e);
	for (size_t i = 0; i < p->n; i++) {
		const struct job_row *r = &p->v[i];
		if (r->taken || (!r->given && r->stored == hash_of_run(&r->run)))
			continue;
		run[n] = r->run;
		run[n++].now = now;
		p->jobs->recorded =
		    p->jobs->recorded || (*scheduled_id(r) && job_row_recorded(&r->run));
	}
	if (n)
		failed = catalog_put(p->c, run, n, e);
	for (size_t i = 0; i < p->n && !failed; i++)
		if (p->v[i].taken && !p->v[i].given)
			failed = catalog_forget(p->c, p->v[i].run.source.path, 0, &forgotten, e);
	free(run);
	return failed;
}

int scan_jobs_put(struct scan_jobs *j, struct catalog *c, const struct catalog_run *run,
                  struct rtrack_row *const *row, size_t n, struct err *e)
{
	struct putting p = {.jobs = j, .c = c};
	bool ids = false;
	int rc = -1;

	for (size_t i = 0; i < n; i++)
		ids = ids || *row[i]->of[RTRACK_ROW_JOB_ID].text;
	if (!ids)
		return n ? catalog_put(c, run, n, e) : 0;
	if (look_for_recorded(j, c, e))
		goto out;
	for (size_t i = 0; i < n; i++)
		if (keep_job_row(&p, row[i], &run[i], true, e))
			goto out;
	if (find_known(&p, e))
		goto out;
	drop_replaced(&p);
	join_jobs(&p);
	if (put_jobs(&p, run->now, e))
		goto out;
	rc = 0;
out:
	for (size_t i = 0; i < p.n_known; i++)
		free_known(p.known[i]);
	free(p.known);
	free(p.v);
	return rc;
}
