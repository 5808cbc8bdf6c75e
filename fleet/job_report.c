/* job_report: the recordings of one job, found in SOURCEs or in a catalog. */
#include "fleet/job_report.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "fleet/catalog/catalog_list.h"
#include "fleet/catalog/catalog_row.h"
#include "fleet/catalog/job_name.h"
#include "fleet/options/fleet_privdrop.h"
#include "fleet/options/fleet_source.h"
#include "report/input/store_address.h"
#include "report/runs/job_key.h"
#include "report/sandbox/worker.h"
#include "report/units/others_text.h"
#include "report/units/units.h"

#define NAMES_SAID ((size_t)4)

/* -- in the process that searches -------------------------------------------------------------- */

/* A row that is of the job. Texts are owned. */
struct found_row {
	char *source, *key, *array, *user;
	char *run;             /* the same for all parts of one run: nodes or tasks of a step */
	double restart, index; /* index: in the array; NAN: none */
	double cpu_s;          /* of this part; then of all parts of the run */
};

struct search {
	const struct fleet_options *o;
	job_report_store *start_store;
	const struct fleet_report_watch *watch;
	struct job_name name;
	struct found_row *row;
	size_t n, failed;           /* failed: sentences about what was left out */
	struct err why;             /* the first of them */
	struct input_others others; /* not among them */
	struct err accounted;       /* a sentence about a job that was not recorded; "" */
};

static bool is_recorded(const char *origin)
{
	enum import_origin is = import_origin_find(origin);

	return is == IMPORT_RECORDED || is == IMPORT_RECORDED_AND_SACCT;
}

/* Keeps the sentence about a job without a recording. */
static void note_accounted(struct search *s, const struct catalog_result *v)
{
	const char *cause = v[RTRACK_ROW_END_CAUSE].text;
	char start[UNITS_SIZE];

	err_set(
	    &s->accounted,
	    "job %s was not recorded, so there is no report; all that is known is from %s: %s "
	    "of %s, start %s, %s, %s, exit code %s; CPUs asked for %s, CPU time %s; memory asked "
	    "for %s, peak %s",
	    s->o->job, v[CATALOG_COLUMN_ORIGIN].text, v[RTRACK_ROW_NAME].text,
	    *v[RTRACK_ROW_USER].text ? v[RTRACK_ROW_USER].text : "unknown",
	    isnan(v[RTRACK_ROW_START].number) ? "unknown"
					      : units_time_text(v[RTRACK_ROW_START].number, start),
	    UNITS_SECONDS(v[RTRACK_ROW_WALL].number), *cause ? cause : v[RTRACK_ROW_STATUS].text,
	    isnan(v[RTRACK_ROW_CODE].number) ? "unknown" : UNITS_COUNT(v[RTRACK_ROW_CODE].number),
	    isnan(v[RTRACK_ROW_ASKED_CPUS].number) ? "unknown"
						   : UNITS_COUNT(v[RTRACK_ROW_ASKED_CPUS].number),
	    UNITS_SECONDS(v[RTRACK_ROW_CPU].number),
	    UNITS_TEXT(UNIT_BYTES, v[RTRACK_ROW_ASKED_MEMORY].number),
	    UNITS_TEXT(UNIT_BYTES, v[RTRACK_ROW_MEMORY_PEAK].number));
}

static int take_report_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	struct search *s = ctx;
	const struct job_name_row row = {
	    .id = v[RTRACK_ROW_ID].text,
	    .job_id = v[RTRACK_ROW_JOB_ID].text,
	    .job = v[RTRACK_ROW_JOB].text,
	    .array_job = v[RTRACK_ROW_ARRAY].text,
	    .labels = v[RTRACK_ROW_LABELS].text,
	    .array_index = v[RTRACK_ROW_INDEX].number,
	};
	struct found_row *more = s->row, *one;
	struct buf key = {0};

	if (!job_name_is(&s->name, &row))
		return 0;
	if (!is_recorded(v[CATALOG_COLUMN_ORIGIN].text)) {
		note_accounted(s, v);
		return 0;
	}
	if (s->n == LOAD_RUNS_MAX)
		return err_set(e, "job %s has more than %d recordings", s->o->job, LOAD_RUNS_MAX);
	if (!(s->n & (s->n - 1)) && !(more = realloc(s->row, (s->n ? 2 * s->n : 1) * sizeof *more)))
		return err_set(e, "%s", strerror(ENOMEM));
	s->row = more;
	one = &s->row[s->n++];
	job_name_key(&row, &key);
	*one = (struct found_row){.source = strdup(v[CATALOG_COLUMN_SOURCE].text),
	                          .key = strdup(buf_cstr(&key)),
	                          .array = strdup(row.array_job),
	                          .user = strdup(v[RTRACK_ROW_USER].text),
	                          .run = strdup(*row.job ? row.job : v[CATALOG_COLUMN_SOURCE].text),
	                          .restart = job_name_restart(&row),
	                          .index = row.array_index,
	                          .cpu_s = v[RTRACK_ROW_CPU].number};
	buf_free(&key);
	return one->source && one->key && one->array && one->user && one->run
	           ? 0
	           : err_set(e, "%s", strerror(ENOMEM));
}

/* Whether two rows are of the same job, or of elements of one array. */
static bool is_same_job(const struct found_row *a, const struct found_row *b)
{
	return strcmp(a->key, b->key) == 0 || (*a->array && strcmp(a->array, b->array) == 0);
}

static int check_one_job(const struct search *s, struct err *e)
{
	for (size_t i = 1; i < s->n; i++)
		if (strcmp(s->row[0].user, s->row[i].user) != 0)
			return err_set(
			    e,
			    "job %s: recordings of several users carry this ID: %s is of "
			    "%s, %s of %s: give SOURCEs of one of them",
			    s->o->job, s->row[0].source, s->row[0].user, s->row[i].source,
			    s->row[i].user);
		else if (!is_same_job(&s->row[0], &s->row[i]))
			return err_set(e,
			               "job %s: several jobs have this ID, such as %s and %s: "
			               "give one of these",
			               s->o->job, s->row[0].key, s->row[i].key);
	return 0;
}

static bool is_later_start(const struct search *s, const struct found_row *row)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->row[i].restart > row->restart && strcmp(s->row[i].key, row->key) == 0)
			return true;
	return false;
}

/* "815/1 of 815/0, 815/1": rows come by their sources, not by their starts. */
static void say_starts(const struct search *s, struct err *said)
{
	double last = 0, other = -1;

	for (size_t i = 0; i < s->n; i++)
		last = fmax(last, s->row[i].restart);
	for (size_t i = 0; i < s->n; i++)
		if (is_later_start(s, &s->row[i]))
			other = fmax(other, s->row[i].restart);
	if (other >= 0)
		err_set(said,
		        "job %s was started again: this report is of its last start, %.0f (the "
		        "first is 0); rtrack-fleet job ID/%.0f is the report of the one before",
		        s->o->job, last, other);
}

/* Keeps the rows of the last start of each job. */
static void keep_last_starts(struct search *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct found_row row = s->row[i];
		if (is_later_start(s, &row))
			continue;
		s->row[i] = s->row[kept];
		s->row[kept++] = row;
	}
	s->n = kept;
}

static bool is_same_run(const struct found_row *a, const struct found_row *b)
{
	return strcmp(a->run, b->run) == 0;
}

/* The first row of the run has the CPU seconds of all its parts, the others 0. */
static void add_cpu_of_parts(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		size_t first = 0;
		while (!is_same_run(&s->row[first], &s->row[i]))
			first++;
		s->row[i].cpu_s = isfinite(s->row[i].cpu_s) ? s->row[i].cpu_s : 0;
		if (first == i)
			continue;
		s->row[first].cpu_s += s->row[i].cpu_s;
		s->row[i].cpu_s = 0;
	}
}

static bool is_same_element(const struct found_row *a, const struct found_row *b)
{
	return a->index == b->index || (isnan(a->index) && isnan(b->index));
}

/* A job's steps are commands one after the other: that with most CPU time is reported on. */
static const struct found_row *longest_step(const struct search *s, const struct found_row *row)
{
	const struct found_row *best = NULL;

	for (size_t i = 0; i < s->n; i++)
		if (is_same_element(row, &s->row[i]) && (!best || s->row[i].cpu_s > best->cpu_s))
			best = &s->row[i];
	return best;
}

static bool is_first_of_run(const struct search *s, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (is_same_run(&s->row[i], &s->row[at]))
			return false;
	return true;
}

/* From here on a source is a file, of which rtrack-report reads all recordings. */
static void name_files(struct search *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->row[i].source[catalog_source_file(s->row[i].source)] = '\0';
}

/* Rows come by their sources. */
static void keep_one_of_file(struct search *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++)
		if (!kept || strcmp(s->row[kept - 1].source, s->row[i].source) != 0)
			s->row[kept++] = s->row[i];
	s->n = kept;
}

/* Keeps the runs of the longest step, of each element of an array, and what is in their files. */
static void keep_longest_steps(struct search *s, struct err *said)
{
	bool *keep = alloc_failed_note(calloc(s->n + 1, sizeof *keep));
	const char *best = NULL;
	struct buf names = {0};
	size_t kept = 0, dropped = 0;
	char cpu[UNITS_SIZE];

	add_cpu_of_parts(s);
	for (size_t i = 0; keep && i < s->n; i++) {
		const struct found_row *row = &s->row[i], *longest = longest_step(s, row);
		keep[i] = is_same_run(row, longest) || strcmp(row->source, longest->source) == 0;
		if (keep[i] || !is_first_of_run(s, i))
			continue;
		best = longest->source;
		if (dropped++ < NAMES_SAID)
			buf_printf(&names, "%s%s (%s of CPU time)", names.len ? ", " : "",
			           row->source, units_seconds(row->cpu_s, cpu));
	}
	if (best)
		err_set(said,
		        "%s used most CPU time of the job's recordings, and this report is of "
		        "it; not of %s%s",
		        best, buf_cstr(&names), dropped > NAMES_SAID ? " and others" : "");
	for (size_t i = 0; keep && i < s->n; i++)
		if (keep[i])
			s->row[kept++] = s->row[i];
	s->n = kept;
	buf_free(&names);
	free(keep);
}

static void count_failure(void *ctx, const struct err *why)
{
	struct search *s = ctx;

	if (!s->failed++)
		s->why = *why;
}

static void pass_progress(void *ctx, size_t done, size_t of)
{
	const struct search *s = ctx;

	s->watch->progress(s->watch->ctx, done, of);
}

static int scan_sources(struct search *s, struct fleet_workers *w, struct catalog *c, struct err *e)
{
	const struct scan_input in = {
	    .input = s->o->page.input,
	    .n = s->o->page.n_inputs,
	    .store = w->store,
	    .failure = count_failure,
	    .progress = pass_progress,
	    .ctx = s,
	    .now = fmax((double)time(NULL), s->o->page.now),
	    .once = true,
	};
	struct scan_result r = {0};
	int failed = in.n ? scan_run(&w->scan, &in, c, &r, e) : 0;

	s->others = r.others;
	return failed;
}

static int nothing_found(const struct search *s, struct err *e)
{
	char count[UNITS_SIZE];
	struct buf others = {0};

	others_text(&s->others, &others);
	if (*s->accounted.msg)
		*e = s->accounted;
	else if (s->failed == 1)
		err_set(e, "no recording is of job %s; %s", s->o->job, s->why.msg);
	else if (s->failed)
		err_set(e, "no recording is of job %s; the first of %s messages: %s", s->o->job,
		        units_count((double)s->failed, count), s->why.msg);
	else
		err_set(e, "no recording is of job %s%s%s", s->o->job, others.len ? "; " : "",
		        buf_cstr(&others));
	buf_free(&others);
	return -1;
}

static int search_rows(struct search *s, struct fleet_workers *w, struct err *e)
{
	struct catalog *c = catalog_open(
	    s->o->catalog, s->o->catalog ? CATALOG_READ : CATALOG_WRITE, &w->catalog, e);
	int failed;

	if (!c)
		return -1;
	failed = scan_sources(s, w, c, e) ||
	         catalog_list_job(c, isfinite(s->name.index) ? s->name.array : s->name.job,
	                          take_report_row, s, e);
	catalog_close(c);
	if (failed)
		return -1;
	return s->n ? check_one_job(s, e) : nothing_found(s, e);
}

static bool send_text(int fd, const char *text)
{
	return worker_send(fd, NULL, 0, text, strlen(text), NULL);
}

/* A sentence, or the number of paths and what to say about the starts; then what to say about the
 * steps, and each path. */
static void send_answer(int fd, struct search *s, int failed, const struct err *e)
{
	struct err said = {0}, steps = {0};
	size_t n = 0;
	bool goes_on;

	if (failed) {
		worker_send(fd, &n, sizeof n, NULL, 0, e);
		return;
	}
	name_files(s);
	say_starts(s, &said);
	keep_last_starts(s);
	keep_longest_steps(s, &steps);
	keep_one_of_file(s);
	n = s->n;
	goes_on = worker_send(fd, &n, sizeof n, said.msg, strlen(said.msg), NULL) &&
	          send_text(fd, steps.msg);
	for (size_t i = 0; goes_on && i < n; i++)
		goes_on = send_text(fd, s->row[i].source);
}

/* Nothing is freed: the process ends. */
static void serve_search(int fd, const void *ctx)
{
	struct search s = *(const struct search *)ctx;
	struct fleet_workers w = {0};
	struct store store = {0};
	struct err e = {0};
	int failed = s.start_store(&store, &s.o->page, &e) || fleet_report_start(&w, s.o, &e);

	w.store = &store;
	if (!failed) {
		fleet_privdrop_searching(s.o);
		failed = search_rows(&s, &w, &e);
	}
	fleet_report_stop(&w);
	store_stop(&store);
	send_answer(fd, &s, failed, &e);
}

/* -- in this process --------------------------------------------------------------------------- */

/* A path is a stranger's: it is only read, and nothing that would block is opened. */
static int check_path(const char *path, struct err *e)
{
	struct stat st;

	if (*path != '/' && store_kind_of(path) != STORE_S3)
		return err_set(e, "%s: not the path of a recording", path);
	if (*path == '/' && stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(e, "%s: not a regular file", path);
	return 0;
}

/* The caller frees *out. */
static int receive_text(const struct worker *w, char **out, struct err *e)
{
	char text[FLEET_SOURCE_MAX];
	size_t n;

	if (!worker_receive(w->fd, NULL, 0, text, sizeof text - 1, &n, NULL))
		return worker_say_lost(w, "", "searches", e);
	text[n] = '\0';
	*out = strdup(text);
	return *out ? 0 : err_set(e, "%s", strerror(ENOMEM));
}

static void say_text(const struct fleet_report_watch *watch, const char *text)
{
	struct err line;

	err_set(&line, "%s", text);
	if (*text)
		watch->say(watch->ctx, &line);
}

static int receive_answer(const struct worker *w, const struct fleet_report_watch *watch,
                          struct job_report *r, struct err *e)
{
	char said[sizeof e->msg];
	size_t len, n;

	if (!worker_receive(w->fd, &n, sizeof n, said, sizeof said - 1, &len, e))
		return worker_say_lost(w, "", "searches", e);
	if (*e->msg)
		return -1;
	said[len] = '\0';
	say_text(watch, said);
	if (!n || n > LOAD_RUNS_MAX || !(r->path = calloc(n, sizeof *r->path)))
		return err_set(e, "no memory");
	if (receive_text(w, &r->note, e))
		return -1;
	say_text(watch, r->note);
	while (r->n < n) {
		if (receive_text(w, &r->path[r->n], e))
			return -1;
		r->n++;
		if (check_path(r->path[r->n - 1], e))
			return -1;
	}
	return 0;
}

int job_report_find(const struct fleet_options *o, job_report_store *store,
                    const struct fleet_report_watch *watch, struct job_report *out, struct err *e)
{
	struct search s = {.o = o, .start_store = store, .watch = watch};
	struct catalog_fetcher none;
	struct worker w;
	int failed;

	if (job_name_parse(o->job, &s.name, e) || worker_start(&w, serve_search, &s, e))
		return -1;
	/* The other one has the password now. */
	failed = catalog_fetcher_start(&none, NULL, e) || receive_answer(&w, watch, out, e);
	worker_stop(&w);
	return failed ? -1 : 0;
}

void job_report_free(struct job_report *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->path[i]);
	free(r->path);
	free(r->note);
	*r = (struct job_report){0};
}

/* -- rtrack-report ----------------------------------------------------------------------------- */

static void add_word(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, value ? "--%s=%s" : "--%s", name, value);
	buf_char(out, '\0');
}

/* Each option that both programs have, as rtrack-report takes it. */
static void add_option(struct buf *out, const struct report_options *o, const struct opt *row)
{
	const void *at = (const char *)o + row->at;
	const struct opts_list *list = at;
	char number[64];

	switch (row->kind) {
	case OPTS_FLAG:
		if (*(const bool *)at)
			add_word(out, row->name, NULL);
		break;
	case OPTS_STRING:
	case OPTS_CHOICE:
		if (*(const char *const *)at)
			add_word(out, row->name, *(const char *const *)at);
		break;
	case OPTS_NUMBER:
	case OPTS_DURATION:
		snprintf(number, sizeof number, "%.17g", *(const double *)at);
		if (*(const double *)at >= row->min) /* unset: NAN, or 0 below the least */
			add_word(out, row->name, number);
		break;
	case OPTS_LIST:
	case OPTS_WORDS:
		for (size_t i = 0; i < list->n; i++)
			add_word(out, row->name, list->v[i]);
		break;
	case OPTS_NO:
	case OPTS_INT:
		break; /* no row of both programs */
	}
}

#define REPORT_PROGRAM "rtrack-report"

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* The program of the same build, else the first of $PATH. -1 with a sentence: there is none. */
static int program_path(char path[PATH_MAX], struct err *e)
{
	char own[PATH_MAX];
	const char *folder = getenv("PATH"), *end;
	ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
	char *slash;

	own[n > 0 ? n : 0] = '\0';
	slash = strrchr(own, '/');
	if (slash)
		*slash = '\0';
	if (slash && snprintf(path, PATH_MAX, "%s/" REPORT_PROGRAM, own) < PATH_MAX &&
	    is_program(path))
		return 0;
	for (; folder; folder = *end ? end + 1 : NULL) {
		end = strchrnul(folder, ':');
		if (end > folder &&
		    snprintf(path, PATH_MAX, "%.*s/" REPORT_PROGRAM, (int)(end - folder), folder) <
		        PATH_MAX &&
		    is_program(path))
			return 0;
	}
	return err_set(e,
	               "the program " REPORT_PROGRAM " is missing: it is neither in %s, beside "
	               "rtrack-fleet, nor in a folder of $PATH",
	               slash ? own : "its folder");
}

int job_report_exec(const struct fleet_options *o, const struct job_report *r, struct err *e)
{
	const char *url = getenv("RTRACK_KEEPER_URL");
	struct report_options page = o->page;
	struct buf words = {.max = SIZE_MAX};
	char path[PATH_MAX], **argv;
	size_t n = 0, at = 0;

	/* It may hold a password, which others would see; rtrack-report has the variable, too. */
	if (url && strcmp(url, page.keeper_url) == 0)
		page.keeper_url = NULL;
	add_word(&words, "history", "0");
	if (*r->note)
		add_word(&words, "note", r->note);
	for (const struct opt *row = fleet_options_table; row->name; row++)
		if (row->at < sizeof o->page)
			add_option(&words, &page, row);
	for (size_t i = 0; i < o->n_passed_on; i++)
		buf_add(&words, o->passed_on[i], strlen(o->passed_on[i]) + 1);
	buf_str(&words, "--");
	buf_char(&words, '\0');
	for (size_t i = 0; i < words.len; i++)
		n += words.s[i] == '\0';
	argv = calloc(n + r->n + 2, sizeof *argv);
	if (!argv || words.failed) {
		err_set(e, "%s", strerror(ENOMEM));
		goto out;
	}
	if (program_path(path, e))
		goto out;
	argv[0] = path;
	for (size_t i = 1; i <= n; at += strlen(words.s + at) + 1)
		argv[i++] = words.s + at;
	memcpy(argv + n + 1, r->path, r->n * sizeof *argv);
	execv(path, argv);
	err_set(e, "%s: %s", path, strerror(errno));
out:
	free(argv);
	buf_free(&words);
	return -1;
}
