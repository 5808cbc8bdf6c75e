/* scan_imports: files that other programs wrote → rows. */
#include "fleet/scan/scan_imports.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fnv1a.h"
#include "core/base/standard_input.h"
#include "fleet/catalog/catalog_list.h"
#include "fleet/catalog/catalog_row.h"
#include "report/units/units.h"

#define IMPORTS    ((size_t)1024) /* rows of one transaction */
#define SOURCE_MAX 4352           /* a path and a key */
#define SUBMIT_S   1              /* times of one submission differ by less */
#define IMPORTED   "import://"    /* and the key of another job than Slurm's */

struct importing {
	struct scan_work *w;
	const char *path;
	enum import_origin origin;
	double modified; /* of the file; NAN: unknown */
	/* Rows that are not yet put. */
	struct rtrack_row *row;
	struct catalog_run *run;
	struct import_text {
		char source[SOURCE_MAX], tag[20];
	} * text;
	size_t n;
	size_t slurm; /* of the rows that were put, those of Slurm's jobs */
};

static int no_imports_memory(struct err *e)
{
	return err_set(e, "no memory to read the recordings");
}

/* -- rows -------------------------------------------------------------------------------------- */

/* -- numbers of jobs that are used again ------------------------------------------------------- */

/* The sources of some of the rows, which may be in the catalog. */
struct used_again {
	struct importing *m;
	size_t at[CATALOG_LIST_IDS];
	size_t n;
};

/* A row of another time of submission stays: the new one gets that into its source. */
static int on_used(void *ctx, const struct catalog_result v[CATALOG_COLUMNS], struct err *e)
{
	const struct used_again *u = ctx;
	double submit = v[CATALOG_COLUMN_SUBMIT].number;

	(void)e;
	for (size_t i = 0; i < u->n; i++) {
		struct catalog_run *run = &u->m->run[u->at[i]];
		char *source = u->m->text[u->at[i]].source;
		size_t n = strlen(source);
		if (strcmp(source, v[CATALOG_COLUMN_SOURCE].text) == 0 &&
		    fabs(run->submit - submit) > SUBMIT_S && n + 32 < SOURCE_MAX)
			snprintf(source + n, SOURCE_MAX - n, "@%.0f", run->submit);
	}
	return 0;
}

/* Schedulers count from 1 again: a job is known by its cluster, its number and when it was
 * submitted. */
static int find_used_again(struct importing *m, struct err *e)
{
	const char *source[CATALOG_LIST_IDS];
	struct used_again u = {.m = m};

	/* Runs in memory that are only these have no other. */
	if (m->origin != IMPORT_OF_SACCT || (m->w->in->once && !m->slurm))
		return 0;
	for (size_t i = 0; i < m->n; i++) {
		if (isfinite(m->run[i].submit)) {
			source[u.n] = m->text[i].source;
			u.at[u.n++] = i;
		}
		if (u.n == CATALOG_LIST_IDS || (u.n && i + 1 == m->n)) {
			if (catalog_list_sources(m->w->c, source, u.n, on_used, &u, e))
				return -1;
			u.n = 0;
		}
	}
	return 0;
}

/* Puts what is new or changed. */
static int put_imported(struct importing *m, struct err *e)
{
	struct scan_work *w = m->w;
	struct catalog_source source[IMPORTS];
	struct rtrack_row *row[IMPORTS];
	bool missing[IMPORTS];
	size_t n = 0;

	if (find_used_again(m, e))
		return -1;
	for (size_t i = 0; i < m->n; i++)
		source[i] = m->run[i].source;
	if (m->n && catalog_missing(w->c, source, m->n, missing, e))
		return -1;
	for (size_t i = 0; i < m->n; i++) {
		if (!missing[i])
			continue;
		row[n] = &m->row[i];
		m->run[n++] = m->run[i];
	}
	w->done += m->n;
	m->slurm += m->origin == IMPORT_OF_SACCT ? m->n : 0;
	m->n = 0;
	if (n && scan_jobs_put(&w->jobs, w->c, m->run, row, n, e))
		return -1;
	w->out->added += n;
	scan_work_progress(w);
	return 0;
}

static uint64_t hash_number(uint64_t hash, double v)
{
	uint64_t bits = 0;

	if (isfinite(v))
		memcpy(&bits, &v, sizeof bits);
	return (hash ^ bits) * 0x100000001b3u;
}

/* Everything that a row says: so that one that is the same is not put again. */
static uint64_t hash_of_row(const struct rtrack_row *row, double submit)
{
	uint64_t hash = FNV1A_BEGIN;

	hash = hash_number(hash, submit);
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		double v = row->of[i].number;
		hash =
		    rtrack_row_is_text(i) ? fnv1a_add(hash, row->of[i].text) : hash_number(hash, v);
	}
	return hash;
}

static void copy_imported(struct rtrack_row *to, const struct rtrack_row *from)
{
	to->stored = 0;
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		to->of[i].number = from->of[i].number;
		to->of[i].text = *from->of[i].text ? rtrack_row_store(to, from->of[i].text) : "";
	}
}

/* What does not say when it ran was written at its end. */
static void set_start(struct rtrack_row *row, double modified)
{
	double *start = &row->of[RTRACK_ROW_START].number, wall = row->of[RTRACK_ROW_WALL].number;

	if (isnan(*start) && wall > 0 && modified > wall)
		*start = modified - wall;
}

static int on_import(void *ctx, const struct import_job *job, struct err *e)
{
	struct importing *m = ctx;
	struct rtrack_row *row = &m->row[m->n];
	struct import_text *text = &m->text[m->n];
	bool slurm = m->origin == IMPORT_OF_SACCT && job->global;
	int n = snprintf(text->source, SOURCE_MAX, "%s%s%s",
	                 slurm         ? CATALOG_ACCOUNTED
	                 : job->global ? IMPORTED
	                               : m->path,
	                 job->global ? "" : "/", job->key);

	if (n < 0 || n >= SOURCE_MAX)
		return err_set(e, "%.64s…: the path is too long", m->path);
	copy_imported(row, job->row);
	/* Steps are listed as they are: a recording of the job is not one of them. */
	if (slurm)
		row->of[RTRACK_ROW_JOB_ID].text =
		    m->w->in->steps ? "" : rtrack_row_store(row, job->key);
	set_start(row, m->modified);
	snprintf(text->tag, sizeof text->tag, "#%016" PRIx64, hash_of_row(row, job->submit));
	m->run[m->n++] = (struct catalog_run){.source = {.path = text->source, .tag = text->tag},
	                                      .row = row,
	                                      .now = m->w->in->now,
	                                      .origin = m->origin,
	                                      .submit = job->submit};
	m->w->out->listed++;
	m->w->out->imported++;
	return m->n == IMPORTS ? put_imported(m, e) : 0;
}

/* -- files ------------------------------------------------------------------------------------- */

static void remark(struct scan_work *w, const struct import *in)
{
	char values[UNITS_SIZE], lines[UNITS_SIZE], impossible[64] = "";
	struct err line = {0};

	w->out->unknown += in->unknown + in->impossible;
	w->out->lines_left_out += in->left_out;
	if (!w->in->remark || (!in->unknown && !in->impossible && !in->left_out))
		return;
	if (in->impossible)
		snprintf(impossible, sizeof impossible, "%s value%s cannot be true, ",
		         units_count((double)in->impossible, values),
		         in->impossible == 1 ? "" : "s");
	err_set(&line, "%s: %s%s value%s not understood, %s line%s left out; the first: %s",
	        in->name, impossible, units_count((double)in->unknown, values),
	        in->unknown == 1 ? " was" : "s were", units_count((double)in->left_out, lines),
	        in->left_out == 1 ? " was" : "s were", in->example.msg);
	w->in->remark(w->in->ctx, &line);
}

/* A file that cannot be read is left out. */
static int import_stream(struct importing *m, FILE *f, enum import_kind kind, struct err *e)
{
	struct scan_work *w = m->w;
	struct import in = {.name = standard_input_name(m->path),
	                    .f = f,
	                    .now = w->in->now,
	                    .steps = w->in->steps,
	                    .each = on_import,
	                    .ctx = m};
	struct err why = {0};
	int failed;

	m->origin = import_origin_of(kind);
	failed = import_read(&in, kind, &why);
	if (failed && !in.refused) {
		w->in->failure(w->in->ctx, &why);
		w->out->failed++;
	}
	if (failed && in.refused)
		return err_set(e, "%s", why.msg);
	remark(w, &in);
	return put_imported(m, e);
}

static int import_file(struct importing *m, const char *path, enum import_kind kind, struct err *e)
{
	struct scan_work *w = m->w;
	int fd = path ? standard_input_open(path) : -1;
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	struct err why = {0};
	struct stat st;
	int failed;

	if (!f) {
		err_set(&why, "%s: %s", path ? path : "a file",
		        strerror(path ? errno : ENAMETOOLONG));
		if (fd >= 0)
			close(fd);
		w->in->failure(w->in->ctx, &why);
		w->out->failed++;
		return 0;
	}
	m->path = path;
	m->modified = !standard_input_is(path) && fstat(fd, &st) == 0 ? (double)st.st_mtim.tv_sec
	                                                              : (double)NAN;
	failed = import_stream(m, f, kind, e);
	fclose(f);
	return failed;
}

static int import_all(struct importing *m, struct err *e)
{
	struct scan_work *w = m->w;
	int failed = catalog_bulk(w->c, true, e);

	for (size_t i = 0; i < w->list.n_imports && !failed; i++) {
		char text[PATH_MAX];
		const char *path;
		enum import_kind kind = scan_list_import(&w->list, i, text, &path);
		failed = import_file(m, path, kind, e);
	}
	if (w->in->accounting && !failed) {
		m->path = "sacct";
		m->modified = NAN;
		failed = import_stream(m, w->in->accounting, IMPORT_SACCT, e);
	}
	return failed ? -1 : catalog_bulk(w->c, false, e);
}

int scan_imports_read(struct scan_work *w, struct err *e)
{
	struct importing m = {.w = w};
	int failed;

	if (!w->list.n_imports && !w->in->accounting)
		return 0;
	m.row = calloc(IMPORTS, sizeof *m.row);
	m.run = calloc(IMPORTS, sizeof *m.run);
	m.text = calloc(IMPORTS, sizeof *m.text);
	failed = m.row && m.run && m.text ? import_all(&m, e) : no_imports_memory(e);
	free(m.row);
	free(m.run);
	free(m.text);
	return failed;
}
