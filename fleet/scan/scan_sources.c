/* scan_sources: files and folders → rows in a catalog. */
#include "fleet/scan/scan_sources.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/fnv1a.h"
#include "core/base/standard_input.h"
#include "fleet/catalog/catalog.h"
#include "fleet/catalog/catalog_list.h"
#include "fleet/catalog/catalog_row.h"
#include "fleet/scan/scan_several.h"
#include "fleet/scan/scan_work.h"
#include "report/input/input.h"
#include "report/runs/load_store.h"
#include "report/store/store_find.h"
#include "report/store/store_pieces.h"
#include "report/units/units.h"

/* -- pages: one counts as its recording, only where that is absent ----------------------------- */

/* Pages stand after all recordings of a list. A page is left out if a recording with the same id
 * and user was read in this scan, or is in the catalog, or if another page was there before it;
 * and where a recording is put into a catalog that has its page, the page is forgotten. Copies
 * of a recording are left out on demand. */

static int no_scan_memory(struct err *e)
{
	return err_set(e, "no memory to read the recordings");
}

/* Only runs of the same user can be the same run: an ID is what a recording says of itself. */
static uint64_t hash_of_id(const char *id, const char *user)
{
	return fnv1a_add(fnv1a_add(FNV1A_BEGIN, id), user) | 1;
}

static uint64_t id_of_row(const struct rtrack_row *row)
{
	return hash_of_id(row->of[RTRACK_ROW_ID].text, row->of[RTRACK_ROW_USER].text);
}

/* -- pages: runs by their ids ------------------------------------------------------------------ */

static const struct scan_pages_run *run_with(const struct scan_pages *p, uint64_t id)
{
	static const struct scan_pages_run none;
	const struct scan_pages_run *run = id_table_find(&p->runs, id);

	return run ? run : &none;
}

/* page NULL: of a recording. */
static int note_run(struct scan_pages *p, uint64_t id, const char *page, struct err *e)
{
	struct scan_pages_run *run = id_table_add(&p->runs, id, sizeof *run);

	if (!run)
		return no_scan_memory(e);
	run->recording = run->recording || !page;
	if (page && !run->page && !(run->page = strdup(page)))
		return no_scan_memory(e);
	return 0;
}

/* -- pages: what the catalog has --------------------------------------------------------------- */

static int on_known_page(void *ctx, const char *id, const char *user, const char *source,
                         struct err *e)
{
	return note_run(ctx, hash_of_id(id, user), source, e);
}

static int on_known_recording(void *ctx, const char *id, const char *user, const char *source,
                              struct err *e)
{
	return scan_list_stands_in(source) ? 0 : note_run(ctx, hash_of_id(id, user), NULL, e);
}

static int find_recordings(struct scan_pages *p, struct catalog *c, const struct catalog_run *v,
                           size_t n, struct err *e)
{
	const struct rtrack_row *asked[CATALOG_ASKED];
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		if (scan_list_stands_in(v[i].source.path) &&
		    isfinite(v[i].row->of[RTRACK_ROW_START].number))
			asked[k++] = v[i].row;
		if (k == CATALOG_ASKED || (k && i + 1 == n)) {
			if (catalog_each_start(c, asked, k, on_known_recording, p, e))
				return -1;
			k = 0;
		}
	}
	return 0;
}

/* -- pages: choosing --------------------------------------------------------------------------- */

static int choose_page(struct scan_pages *p, const struct catalog_run *run, bool *put,
                       struct err *e)
{
	uint64_t id = id_of_row(run->row);
	const struct scan_pages_run *known = run_with(p, id);

	*put = !known->recording && (!known->page || strcmp(known->page, run->source.path) == 0);
	return *put ? note_run(p, id, run->source.path, e) : 0;
}

static int choose_recording(struct scan_pages *p, struct catalog *c, const struct catalog_run *run,
                            bool *put, struct err *e)
{
	uint64_t id = id_of_row(run->row);
	const struct scan_pages_run *known = run_with(p, id);
	size_t n = 0;

	/* Other tools name no host, so that their runs have no id of their own. */
	*put = !(p->once && known->recording && *run->row->of[RTRACK_ROW_HOST].text);
	if (known->page && catalog_forget(c, known->page, 0, &n, e))
		return -1;
	return p->expected || p->once ? note_run(p, id, NULL, e) : 0;
}

/* Sets put[i] of n runs that are to be put, and forgets the pages of the recordings among them. */
static int scan_pages_choose(struct scan_pages *p, struct catalog *c, const struct catalog_run *v,
                             size_t n, bool *put, struct err *e)
{
	if (n && !p->looked && catalog_each_page(c, on_known_page, p, e))
		return -1;
	p->looked = p->looked || n;
	if (find_recordings(p, c, v, n, e))
		return -1;
	/* Those of files of several recordings may come after the pages. */
	for (size_t i = 0; i < n; i++)
		if (!scan_list_stands_in(v[i].source.path) &&
		    choose_recording(p, c, &v[i], &put[i], e))
			return -1;
	for (size_t i = 0; i < n; i++)
		if (scan_list_stands_in(v[i].source.path) && choose_page(p, &v[i], &put[i], e))
			return -1;
	return 0;
}

static void scan_pages_free(struct scan_pages *p)
{
	struct scan_pages_run *run;

	for (size_t i = 0; (run = id_table_each(&p->runs, &i));)
		free(run->page);
	id_table_free(&p->runs);
}

/* -- objects in a store ------------------------------------------------------------------------ */

/* The listing says which objects are new. Of each of these, one request reads the first
 * SCAN_HEAD bytes, STORE_AT_ONCE at the same time; they are parsed and put into the catalog
 * while further ones arrive. Recordings without a row are read on, one after the other. */

/* -- objects: listing -------------------------------------------------------------------------- */

static void note_unlisted(struct scan_work *w, const struct err *why)
{
	w->in->failure(w->in->ctx, why);
	w->out->failed++;
}

static int add_found(void *ctx, const struct store_found *f, struct err *e)
{
	struct scan_work *w = ctx;

	return scan_list_add_object(&w->list, f, e);
}

static int list_many(void *ctx, const char *prefix, size_t *n, struct err *e)
{
	struct scan_work *w = ctx;
	struct store_find *f = calloc(1, sizeof *f);
	struct err why = {0};

	if (!f)
		return err_set(e, "no memory to list the recordings");
	f->is_recording = input_is_recording;
	f->each = add_found;
	f->ctx = w;
	if (store_find(w->in->store, prefix, f, &why))
		note_unlisted(w, &why);
	*n = *why.msg ? 1 : f->n;
	free(f);
	return 0;
}

/* An object, or its pieces. */
static int list_one(void *ctx, const char *source, size_t *n, struct err *e)
{
	struct scan_work *w = ctx;
	struct store_found found = {.address = source};
	struct store_pieces pieces = {.n = 0};
	struct store_range r;
	struct err why = {0};
	char byte;

	if (store_read(w->in->store, source, 0, "", &byte, 1, &r, &why) ||
	    (r.absent && load_store_pieces(w->in->store, source, &pieces, &why))) {
		note_unlisted(w, &why);
		*n = 1;
		return 0;
	}
	found.size = r.size;
	found.tag = r.tag;
	found.pieces = r.absent;
	if (pieces.n) {
		pieces.folder[strlen(pieces.folder) - 1] = '\0';
		found.address = pieces.folder;
		found.modified = pieces.modified;
		found.tag = "";
		for (size_t i = 0; i < pieces.n; i++)
			found.size += pieces.v[i].size;
	}
	*n = !r.absent || pieces.n;
	return *n ? scan_list_add_object(&w->list, &found, e) : 0;
}

/* Adds what a SOURCE s3://… stands for to the list. What cannot be listed is a failure. */
static int scan_store_list(struct scan_work *w, const char *source, struct err *e)
{
	const struct store_find_taker taker = {list_one, list_many, w};
	struct err why = {0};
	size_t n;

	if (store_find_source(&taker, source, &n, e))
		return -1;
	if (n)
		return 0;
	err_set(&why, "%s: there are no recordings", source);
	note_unlisted(w, &why);
	w->out->empty++;
	return 0;
}

/* -- objects: reading -------------------------------------------------------------------------- */

struct head_reading {
	struct scan_work *w;
	struct err *e;
	int failed; /* what is still asked for is read and not looked at */
};

static bool next_head(void *ctx, const char **address, void **item)
{
	struct head_reading *r = ctx;
	struct scan_job *job;

	while (!r->failed && (job = scan_work_waiting(r->w, true))) {
		job->state = job->pieces ? SCAN_FURTHER : SCAN_ASKED;
		if (job->pieces)
			continue;
		*address = job->path;
		*item = job;
		return true;
	}
	return false;
}

static int take_head(struct scan_work *w, struct scan_job *job, const char *p,
                     const struct store_range *range, const struct err *why, struct err *e)
{
	struct scan_answer *a = &w->answer;
	bool failed = *why->msg || range->absent;

	if (!failed && scan_head_parse(w->own, p, range->n, &a->row)) {
		job->state = SCAN_FURTHER;
		return 0;
	}
	a->failed = failed ? -1 : 0;
	if (failed)
		err_set(&a->why, "%s", *why->msg ? why->msg : "there is no such object any more");
	scan_worker_strip(a, job->path);
	if (scan_work_take(w, job, e))
		return -1;
	return w->turn(w, e);
}

static void each_head(void *ctx, void *item, const char *p, const struct store_range *range,
                      const struct err *why)
{
	struct head_reading *r = ctx;

	if (r->failed)
		return;
	r->failed = take_head(r->w, item, p, range, why, r->e);
	scan_work_progress(r->w);
}

static struct scan_job *further_job(const struct scan_work *w)
{
	for (size_t i = 0; i < SCAN_BATCHES; i++)
		for (size_t k = 0; k < w->batch[i]->n; k++)
			if (w->batch[i]->job[k].state == SCAN_FURTHER)
				return &w->batch[i]->job[k];
	return NULL;
}

/* Pieces that are gone: the run has ended since they were listed, and its snapshot is added the
 * next time. */
static int read_further(struct scan_work *w, struct scan_job *job, struct err *e)
{
	struct scan_answer *a = &w->answer;
	bool absent;

	a->failed =
	    scan_head_read_on(w->own, w->in->store, job->path, 0, &a->row, &absent, &a->why);
	if (absent && job->pieces) {
		job->state = SCAN_GONE;
		job->batch->left--;
		w->done++;
		return 0;
	}
	scan_worker_strip(a, job->path);
	return scan_work_take(w, job, e);
}

/* Whether there are objects to read. */
static bool scan_store_has(const struct scan_work *w)
{
	return scan_work_waiting(w, true) || further_job(w);
}

/* Reads objects: as many beginnings as the batches have, or else one object further. */
static int scan_store_read(struct scan_work *w, struct err *e)
{
	struct head_reading r = {.w = w, .e = e};
	const struct store_heads heads = {next_head, each_head, &r, SCAN_HEAD};
	struct scan_job *job;
	struct err why = {0};

	if (!w->own && !(w->own = scan_head_new(e)))
		return -1;
	if (!scan_work_waiting(w, true)) {
		job = further_job(w);
		return job ? read_further(w, job, e) : 0;
	}
	if (store_heads(w->in->store, &heads, &why) && !r.failed)
		return err_set(e, "%s", why.msg);
	return r.failed;
}

/* -- imports: files that other programs wrote -------------------------------------------------- */

/* They are read by this process, after all recordings: text of one line after the other, whose
 * readers (fleet/import/) keep nothing. The source of a job of Slurm's accounting is
 * CATALOG_ACCOUNTED and its key, whichever file it is read from; of another one that can be
 * known again, "import://" and its key; else the path of its file, a slash and its key, so that
 * "forget" of the file forgets its jobs. */

#define IMPORTS    ((size_t)1024) /* rows of one transaction */
#define SOURCE_MAX 4352           /* a path and a key */
#define SUBMIT_S   1              /* times of one submission differ by less */

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

/* -- imports: numbers of jobs that are used again ---------------------------------------------- */

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

/* A job without a start is taken to have ended when its file was written. */
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
	const char *global = slurm ? CATALOG_ACCOUNTED : CATALOG_IMPORTED;
	int n = snprintf(text->source, SOURCE_MAX, "%s%s%s", job->global ? global : m->path,
	                 job->global ? "" : "/", job->key);

	if (n < 0 || n >= SOURCE_MAX)
		return err_set(e, "%.64s…: the path is too long", m->path);
	copy_imported(row, job->row);
	/* Steps are listed as they are: a recording of the job is not one of them. */
	if (slurm && m->w->in->steps)
		row->of[RTRACK_ROW_JOB_ID].text = row->of[RTRACK_ROW_JOB].text = "";
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

/* -- imports: files ---------------------------------------------------------------------------- */

/* "3 values were not understood", after a comma if there is something before it; nothing of 0. */
static void add_misread(struct buf *out, size_t n, const char *what, const char *one,
                        const char *several)
{
	char count[UNITS_SIZE];

	if (n)
		buf_printf(out, "%s%s %s%s %s", out->len ? ", " : "", units_count((double)n, count),
		           what, n == 1 ? "" : "s", n == 1 ? one : several);
}

static void remark(struct scan_work *w, const struct import *in)
{
	struct buf text = {0};
	struct err line = {0};

	w->out->unknown += in->unknown + in->impossible;
	w->out->lines_left_out += in->left_out;
	add_misread(&text, in->impossible, "value", "cannot be true", "cannot be true");
	add_misread(&text, in->unknown, "value", "was not understood", "were not understood");
	add_misread(&text, in->left_out, "line", "was left out", "were left out");
	if (w->in->remark && text.len) {
		err_set(&line, "%s: %s; the first: %s", in->name, buf_cstr(&text), in->example.msg);
		w->in->remark(w->in->ctx, &line);
	}
	buf_free(&text);
}

/* A file that cannot be read is left out. */
static int import_stream(struct importing *m, FILE *f, enum import_kind kind, struct err *e)
{
	struct scan_work *w = m->w;
	struct import in = {.name = standard_input_name(m->path),
	                    .f = f,
	                    .now = w->in->now,
	                    .steps = w->in->steps,
	                    .allocated = w->in->allocated,
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

/* Reads all imports of the list, and what sacct prints. A file that cannot be read is a failure;
 * what was not understood is a remark, one for each file. */
static int scan_imports_read(struct scan_work *w, struct err *e)
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

/* -- the workers ------------------------------------------------------------------------------- */

static size_t allowed_cpus(void)
{
	cpu_set_t set;

	/* It fails for more CPUs than the set has room for. */
	return sched_getaffinity(0, sizeof set, &set) ? SCAN_WORKERS_MAX : (size_t)CPU_COUNT(&set);
}

void scan_start(struct scan *s, scan_worker_drop *drop, const void *ctx)
{
	size_t cpus = allowed_cpus();

	*s = (struct scan){.n = 0};
	if (cpus > SCAN_WORKERS_MAX)
		cpus = SCAN_WORKERS_MAX;
	while (s->n < cpus && scan_worker_start(s->worker, s->n, drop, ctx) == 0)
		s->n++;
	/* Once files are read, no process can be started. */
	while (s->spare < s->n && scan_worker_start(s->worker, s->n + s->spare, drop, ctx) == 0)
		s->spare++;
}

void scan_stop(struct scan *s)
{
	for (; s->spare; s->spare--)
		scan_worker_stop(&s->worker[s->n + s->spare - 1]);
	while (s->n)
		scan_worker_stop(&s->worker[--s->n]);
}

/* -- batches ----------------------------------------------------------------------------------- */

static int64_t mtime_ns_of_object(const struct scan_list_object *o)
{
	return o->modified > 0 && o->modified < 9e9 ? (int64_t)(o->modified * 1e9) : 0;
}

/* Sets the path, size and time of a recording. Its state says whether it can be read. */
static int look_at_file(struct scan_work *w, size_t i, struct scan_job *job, struct err *e)
{
	char text[PATH_MAX];
	const struct scan_list_object *object = scan_list_object(&w->list, i);
	const char *path = scan_list_path(&w->list, i, text);
	bool shared = !object && scan_list_is_shared(&w->list, i);
	const char *refused = NULL;
	struct err why = {0};
	struct stat st;

	*job = (struct scan_job){.entry = i,
	                         .path = strdup(path ? path : ""),
	                         .tag = "",
	                         .place = scan_list_place(&w->list, i)};
	if (!job->path)
		return err_set(e, "no memory to read the recordings");
	if (object) {
		job->tag = scan_list_tag(&w->list, object);
		job->pieces = object->pieces;
		job->size = (int64_t)(object->size & INT64_MAX);
		job->mtime_ns = mtime_ns_of_object(object);
		return 0;
	}
	if (job->place == INPUT_STANDARD)
		return 0; /* its size and time are those of no file */
	if (!path || (shared ? lstat : stat)(path, &st))
		err_set(&why, "%s: %s", job->path, strerror(path ? errno : ENAMETOOLONG));
	else if (!S_ISREG(st.st_mode))
		err_set(&why, "%s: is not a regular file", path);
	else if ((refused = scan_work_own(w, job, scan_list_owner(&w->list, i, &st), &st)))
		err_set(&why, "%s: %s", path, refused);
	if (*why.msg)
		return scan_work_leave_out(job, why.msg, e);
	job->size = st.st_size;
	job->mtime_ns = scan_days_ns(st.st_mtim);
	if (input_kind_of(path) == INPUT_JOURNAL && scan_days_may_grow(&w->days, job->mtime_ns))
		scan_list_keep_open(&w->list, i);
	return 0;
}

static struct catalog_source source_of_job(const struct scan_job *job)
{
	return (struct catalog_source){job->source ? job->source : job->path, job->size,
	                               job->mtime_ns, job->tag};
}

static void clear_job(struct scan_job *job)
{
	free(job->path);
	free(job->why);
	free(job->source);
	*job = (struct scan_job){.path = NULL};
}

/* Keeps those jobs, from `from` on, that the catalog does not have as they are. */
static int drop_known(struct scan_work *w, struct scan_batch *b, size_t from, struct err *e)
{
	struct catalog_source source[SCAN_BATCH];
	bool missing[SCAN_BATCH];
	size_t asked = 0, kept = from;

	for (size_t i = from; i < b->n; i++)
		if (b->job[i].state == SCAN_WAITING)
			source[asked++] = source_of_job(&b->job[i]);
	if (asked && catalog_missing(w->c, source, asked, missing, e))
		return -1;
	asked = 0;
	for (size_t i = from; i < b->n; i++) {
		bool waiting = b->job[i].state == SCAN_WAITING;
		w->done += !waiting;
		if (waiting && !missing[asked++]) {
			clear_job(&b->job[i]);
			w->done++;
			continue;
		}
		b->left += waiting;
		b->job[kept++] = b->job[i];
	}
	b->n = kept;
	return 0;
}

/* Moves the files of several recordings out of a batch, from the job `from` on. */
static int take_several(struct scan_work *w, struct scan_batch *b, size_t from, struct err *e)
{
	size_t kept = from;

	for (size_t i = from; i < b->n; i++) {
		int taken = b->job[i].state == SCAN_WAITING
		                ? scan_several_take(&w->several, &b->job[i], e)
		                : 0;
		if (taken < 0)
			return -1;
		b->left -= (size_t)taken;
		if (!taken)
			b->job[kept++] = b->job[i];
	}
	b->n = kept;
	return 0;
}

/* Adds the next n recordings of the list. */
static int add_from_list(struct scan_work *w, struct scan_batch *b, size_t n, struct err *e)
{
	size_t before = b->n;

	for (size_t end = w->at + n; w->at < end; w->at++) {
		struct scan_job *job = &b->job[b->n++];
		if (look_at_file(w, w->at, job, e))
			return -1;
		job->batch = b;
	}
	return drop_known(w, b, before, e) || take_several(w, b, before, e) ? -1 : 0;
}

/* Adds the next recording of a file that has several. */
static int add_of_several(struct scan_work *w, struct scan_batch *b, struct err *e)
{
	const struct scan_job *file = scan_several_file(&w->several);
	struct scan_job *job = &b->job[b->n];
	uint32_t user = scan_work_user(file);
	double begin = scan_worker_now();

	if (scan_budget_is_spent(&w->budget, user, true)) {
		scan_list_keep_open(&w->list, file->entry);
		scan_several_skip(&w->several);
		w->done++;
		return 0;
	}
	if (scan_several_next(&w->several, job, w->in->now, e)) {
		clear_job(job);
		return -1;
	}
	scan_budget_spend(&w->budget, user, 0, scan_worker_now() - begin);
	if (!job->path)
		return 0;
	b->n++;
	w->more += job->nth > 1;
	w->out->listed += job->nth > 1;
	job->batch = b;
	return 0;
}

/* Adds the next recordings of files that have several. */
static int add_from_several(struct scan_work *w, struct scan_batch *b, struct err *e)
{
	size_t before = b->n;

	while (b->n < SCAN_BATCH && scan_several_has(&w->several))
		if (add_of_several(w, b, e))
			return -1;
	return drop_known(w, b, before, e);
}

static int fill_batch(struct scan_work *w, struct scan_batch *b, struct err *e)
{
	while (b->n < SCAN_BATCH && (w->at < w->list.n || scan_several_has(&w->several))) {
		size_t room = SCAN_BATCH - b->n, rest = w->list.n - w->at;
		if (rest < room)
			room = rest;
		if (scan_several_has(&w->several) ? add_from_several(w, b, e)
		                                  : add_from_list(w, b, room, e))
			return -1;
		scan_work_progress(w);
	}
	return 0;
}

static void empty_batch(struct scan_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		clear_job(&b->job[i]);
	b->n = b->next[0] = b->next[1] = b->left = 0;
}

/* The run of a job that was read. The first recording of a file comes last: if another one was left
 * out, it does not have the size of the file, so that the next scan looks at the file again. */
static struct catalog_run run_of_job(const struct scan_work *w, const struct scan_job *job)
{
	struct catalog_run run = {.source = source_of_job(job),
	                          .row = &job->batch->row[job - job->batch->job],
	                          .now = w->in->now};

	if (job->of && job->entry == w->left.entry && job->size == w->left.size)
		run.source.size--;
	return run;
}

/* Everything in it is read. */
static int put_batch(struct scan_work *w, struct scan_batch *b, struct err *e)
{
	struct catalog_run run[SCAN_BATCH];
	struct rtrack_row *row[SCAN_BATCH];
	bool put[SCAN_BATCH];
	struct err why = {0};
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct scan_job *job = &b->job[i];
		if (job->state == SCAN_LEFT_OUT && job->nth > 1) {
			w->left.entry = job->entry;
			w->left.size = job->size;
		}
		if (job->state != SCAN_READ)
			continue;
		row[n] = &b->row[i];
		run[n++] = run_of_job(w, job);
	}
	if (n && scan_pages_choose(&w->pages, w->c, run, n, put, e))
		return -1;
	for (size_t i = 0; i < n; i++) {
		w->out->copies += !put[i] && !scan_list_stands_in(run[i].source.path);
		if (!put[i])
			continue;
		row[kept] = row[i];
		run[kept++] = run[i];
	}
	if (kept && scan_jobs_put(&w->jobs, w->c, run, row, kept, e))
		return -1;
	if (kept && !w->in->once && scan_several_shrink(w->c, b->job, b->n, e))
		return -1;
	w->out->added += kept;
	w->out->listed -= n - kept; /* pages of runs that are there, and copies */
	for (size_t i = 0; i < b->n; i++) {
		if (b->job[i].state != SCAN_LEFT_OUT)
			continue;
		scan_list_keep_open(&w->list, b->job[i].entry);
		if (b->job[i].place == INPUT_FILE &&
		    input_count_others(&w->out->others, b->job[i].path)) {
			w->out->listed--;
			continue;
		}
		err_set(&why, "%s", b->job[i].why);
		w->in->failure(w->in->ctx, &why);
		w->out->failed++;
	}
	empty_batch(b);
	return 0;
}

/* -- all of it --------------------------------------------------------------------------------- */

static int list_inputs(struct scan_work *w, struct err *e)
{
	/* A catalog in memory has nothing from before. */
	if (!w->in->once && scan_days_begin(&w->days, w->c, w->in->now, e))
		return -1;
	w->list.days = w->in->once ? NULL : &w->days;
	w->budget.max = w->in->limits;
	w->list.budget = &w->budget;
	for (size_t i = 0; i < w->in->n; i++)
		if (w->in->input[i].place == INPUT_S3
		        ? scan_store_list(w, w->in->input[i].name, e)
		        : scan_list_add(&w->list, w->in->input[i], w->in->failure, w->in->ctx,
		                        &w->out->failed, e))
			return -1;
	if ((w->in->n > 1 || w->list.links) && scan_list_unique(&w->list, e))
		return -1;
	w->pages.expected = scan_list_pages_last(&w->list);
	w->pages.once = w->in->once;
	w->out->listed = w->list.n;
	w->out->closed = w->list.closed;
	w->out->empty += w->list.empty;
	w->out->others = w->list.others;
	return 0;
}

static int turn_batches(struct scan_work *w, struct err *e)
{
	for (;;) {
		struct scan_batch *older = w->batch[0];
		for (int i = 0; i < SCAN_BATCHES; i++)
			if (!w->batch[i]->n &&
			    (fill_batch(w, w->batch[i], e) || scan_work_ask(w, e)))
				return -1;
		if (!older->n || older->left)
			return 0;
		if (put_batch(w, older, e))
			return -1;
		w->batch[0] = w->batch[1];
		w->batch[1] = older;
	}
}

static int read_listed(struct scan_work *w, struct err *e)
{
	for (;;) {
		if (turn_batches(w, e))
			return -1;
		if (!w->batch[0]->n)
			return 0;
		if (scan_store_has(w) ? scan_store_read(w, e)
		                      : scan_work_ask(w, e) || scan_work_read(w, e))
			return -1;
		scan_work_progress(w);
	}
}

static void remark_refused(const struct scan_work *w)
{
	struct err line = {0};
	char n[UNITS_SIZE];

	if (!w->jobs.refused || !w->in->remark)
		return;
	err_set(&line, "%s job%s of several users: not joined; the first: %s",
	        units_count((double)w->jobs.refused, n),
	        w->jobs.refused == 1 ? " has rows" : "s have rows", w->jobs.example.msg);
	w->in->remark(w->in->ctx, &line);
}

int scan_run(struct scan *s, const struct scan_input *in, struct catalog *c,
             struct scan_result *out, struct err *e)
{
	struct scan_work w = {.s = s, .in = in, .c = c, .out = out, .turn = turn_batches};
	int rc = -1;

	*out = (struct scan_result){.listed = 0};
	for (int i = 0; i < SCAN_BATCHES; i++) {
		w.batch[i] = calloc(1, sizeof *w.batch[i]);
		if (!w.batch[i]) {
			err_set(e, "no memory to read the recordings");
			goto out;
		}
	}
	if (list_inputs(&w, e) || read_listed(&w, e) || scan_imports_read(&w, e) ||
	    scan_work_close_days(&w, e))
		goto out;
	remark_refused(&w);
	scan_work_say_budgets(&w);
	rc = 0;
out:
	/* Answers that nobody has taken would be taken for those of the next scan. */
	if (rc)
		scan_stop(s);
	for (int i = 0; i < SCAN_BATCHES; i++) {
		if (w.batch[i])
			empty_batch(w.batch[i]);
		free(w.batch[i]);
	}
	scan_list_free(&w.list);
	scan_days_free(&w.days);
	scan_several_free(&w.several);
	scan_budget_free(&w.budget);
	scan_names_free(&w.names);
	scan_pages_free(&w.pages);
	scan_jobs_free(&w.jobs);
	scan_head_free(w.own);
	return rc;
}
