/* watch: follows running jobs on a terminal. */
#include "report/watch/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/err.h"
#include "core/base/tmpfile.h"
#include "core/files/journal_running.h"
#include "core/recording/snapshot.h"
#include "report/input/input.h"
#include "report/runs/job_key.h"
#include "report/runs/load.h"
#include "report/runs/load_store.h"
#include "report/runs/settle.h"
#include "report/store/journal_header.h"
#include "report/store/store.h"
#include "report/store/store_pieces.h"
#include "report/verdict/verdict_end.h"
#include "report/watch/watch_jobs.h"

/* -- what the recordings beside it say --------------------------------------------------------- */

/* Reads the heads of all recordings of the SOURCEs but those that are being written. */
static int load_others(struct runs *r, const struct watch_from *p, const struct watch_jobs *running,
                       struct err *e)
{
	r->store = p->store;
	for (size_t i = 0; i < running->n; i++) {
		struct load_file_id id = load_known_id(running->v[i].in);
		if (load_known_add(&r->known, &id))
			return -1;
	}
	for (size_t i = 0; i < p->n_sources; i++) {
		struct input in = p->source[i];
		struct buf folder = {0};
		int failed;
		if (in.place != INPUT_S3) {
			watch_jobs_folder(in, &folder);
			in = input_of(buf_cstr(&folder));
		}
		failed = load_input(r, in, e);
		buf_free(&folder);
		if (failed)
			return -1;
	}
	return settle_runs(r, e);
}

static int by_load_newer(const void *a, const void *b)
{
	return load_newer(a, b) ? -1 : load_newer(b, a);
}

/* Seconds that the last finished runs of the same job took, to be freed, and their number. Files
 * that cannot be read do not count. running: journals that are not read. NULL with *n 0: none. */
static double *watch_past_lengths(const struct watch_from *p, const struct run *run,
                                  const struct watch_jobs *running, size_t *n)
{
	struct runs r = {0};
	struct err e = {0};
	double *took = NULL;

	*n = 0;
	if (load_others(&r, p, running, &e) == 0 && r.n)
		took = alloc_failed_note(calloc(r.n, sizeof *took));
	if (took)
		qsort(r.v, r.n, sizeof *r.v, by_load_newer);
	for (size_t i = 0; took && i < r.n && (long)*n < p->use; i++) {
		const struct run *v = &r.v[i];
		if ((v->status == RUN_FINISHED || v->status == RUN_UNKNOWN) && !v->impossible &&
		    v->duration > 0 && !*job_key_differs(p->group_by, v, run))
			took[(*n)++] = v->duration;
	}
	load_free(&r);
	return took;
}

/* How the run ended whose journal this was: by its recording, which has taken the journal's place.
 * False: there is none, so the recording broke off; out says that then. */
static bool watch_past_end(const struct watch_from *p, struct input journal, const struct run *run,
                           char out[VERDICT_END_MAX])
{
	const struct snapshot *s = &run->snapshot;
	struct runs r = {.store = p->store};
	struct buf path = {0};
	struct err e = {0};
	bool found;

	buf_add(&path, journal.name, watch_jobs_output(journal.name));
	journal.name = buf_cstr(&path);
	journal.kind = input_kind_of(journal.name);
	found = load_input(&r, journal, &e) == 0 && r.n == 1 && !r.v[0].snapshot.unfinished &&
	        journal_header_same(s, &r.v[0].snapshot);
	if (found)
		verdict_end_sentence(&r.v[0], out);
	else
		snprintf(
		    out, VERDICT_END_MAX,
		    "The recording broke off: the recorder was killed, or its machine is gone.");
	load_free(&r);
	buf_free(&path);
	return found;
}

/* -- the bytes of a journal that grows --------------------------------------------------------- */

/* {.fd = -1} is valid: closed. */
struct watch_file {
	int fd; /* to be read by journal_follow */
	struct input in;
	const struct store *store; /* borrowed; NULL: a file */
	uint64_t have;             /* bytes of pieces that are in fd */
	double modified;           /* of the newest piece, Unix seconds */
	bool gone;                 /* no pieces are left */
};

#define AT_ONCE ((size_t)4 << 20) /* bytes of one request */

/* Copies what a piece has behind f->have. */
static int fetch_piece(struct watch_file *f, const char *folder, const struct store_piece *piece,
                       char *bytes, struct err *e)
{
	char address[STORE_PIECES_ADDRESS];

	if (store_pieces_name(folder, piece->at, address))
		return err_set(e, "%s: the address is too long", folder);
	while (f->have < piece->at + piece->size) {
		uint64_t from = f->have > piece->at ? f->have - piece->at : 0;
		struct store_range got;
		if (store_read(f->store, address, from, "", bytes, AT_ONCE, &got, e))
			return -1;
		if (!got.n)
			return 0; /* it was replaced by a longer one: the next listing has that */
		if (pwrite(f->fd, bytes, got.n, (off_t)(piece->at + from)) != (ssize_t)got.n)
			return err_set(e, "the pieces cannot be put together: %s", strerror(errno));
		f->have = piece->at + from + got.n;
	}
	return 0;
}

/* Fetches the pieces that have come since. 0, also for a file; -1 with a sentence. */
static int watch_file_grow(struct watch_file *f, struct err *e)
{
	struct store_pieces pieces = {.n = 0};
	char *bytes;
	int failed;

	if (!f->store)
		return 0;
	if (load_store_pieces(f->store, f->in.name, &pieces, e))
		return -1;
	f->gone = !pieces.n;
	f->modified = pieces.n ? pieces.modified : f->modified;
	bytes = alloc_failed_note(malloc(AT_ONCE));
	failed = bytes ? 0 : err_set(e, "no memory for the pieces");
	for (size_t i = 0; i < pieces.n && !failed; i++)
		if (pieces.v[i].size <= STORE_PIECES_BYTES &&
		    pieces.v[i].at <= STORE_PIECES_BYTES &&
		    pieces.v[i].at + pieces.v[i].size > f->have)
			failed = fetch_piece(f, pieces.folder, &pieces.v[i], bytes, e);
	free(bytes);
	store_pieces_free(&pieces);
	return failed;
}

/* Opens a journal by its path, or the address of its pieces' folder; in.name is borrowed. -1 with a
 * sentence. Close it either way. */
static int watch_file_open(struct watch_file *f, const struct store *s, struct input in,
                           struct err *e)
{
	*f = (struct watch_file){.in = in, .store = in.place == INPUT_S3 ? s : NULL};
	f->fd = f->store ? tmpfile_temporary() : open(in.name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (f->fd < 0)
		return err_set(e, "%s: %s", in.name, strerror(errno));
	return watch_file_grow(f, e);
}

/* Whether it is still being written. head: what its header says. */
static bool watch_file_runs(const struct watch_file *f, const struct snapshot *head)
{
	if (!f->store)
		return journal_running(f->fd, f->in.name, head);
	return !f->gone &&
	       journal_running_by_time(f->modified, STORE_PIECES_EVERY_S, (double)time(NULL));
}

static void watch_file_close(struct watch_file *f)
{
	if (f->fd >= 0 && f->store)
		tmpfile_close(f->fd);
	else if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/* -- the job that is shown --------------------------------------------------------------------- */

#define EVERY_S 1.0  /* between two screens */
#define LOOK_S  3.0  /* between two looks for other jobs */
#define STORE_S 10.0 /* between two requests to a store */
#define PATIENCE                                                                                   \
	100 /* a look that took CPU time t is repeated after so many times t: 1 % of a core */

struct watcher {
	const struct watch_from *from;
	struct watch_jobs jobs; /* that run */
	double jobs_next;       /* monotonic seconds: when to look again */
	bool only;              /* one name was given: when its job has ended, so has this */

	/* the job that is shown; name NULL: none */
	char *name;
	struct watch_file file;
	struct journal_follow *follow;
	struct watch_now is;
	struct run run; /* its head: borrowed from follow */
	struct stats stats[METRIC_COUNT];
	double *took; /* by earlier runs */
	size_t n_took;
	double next; /* monotonic seconds: when to read again */
	bool ended;
	char end[VERDICT_END_MAX];

	struct err failed; /* why it cannot be read now */
	enum watch_sort sort;
};

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpu_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double unix_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void drop_job(struct watcher *w)
{
	journal_follow_close(w->follow);
	watch_file_close(&w->file);
	free(w->took);
	free(w->name);
	w->follow = NULL;
	w->took = NULL;
	w->name = NULL;
	w->n_took = 0;
	w->ended = false;
	memset(&w->is, 0, sizeof w->is);
}

/* Reads what has come since. */
static void follow_on(struct watcher *w)
{
	const struct journal_follow_takes takes = {watch_now_row, watch_now_processes,
	                                           watch_now_process, &w->is};

	w->failed.msg[0] = '\0';
	if (watch_file_grow(&w->file, &w->failed) ||
	    journal_follow_read(w->follow, &takes, &w->failed))
		return;
	if (watch_file_runs(&w->file, &w->run.snapshot))
		return;
	/* Reads what was written between the last read and the end of the lock. */
	(void)journal_follow_read(w->follow, &takes, &w->failed);
	watch_past_end(w->from, w->file.in, &w->run, w->end);
	w->ended = true;
	w->jobs_next = 0;
}

/* Shows another job. One that cannot be read, or ends at this moment, is not shown. */
static int take_job(struct watcher *w, const struct watch_job *job)
{
	drop_job(w);
	w->name = alloc_failed_note(strdup(job->in.name));
	if (!w->name)
		return err_set(&w->failed, "no memory");
	if (watch_file_open(&w->file, w->from->store,
	                    (struct input){job->in.place, job->in.kind, w->name, 0}, &w->failed) ||
	    !(w->follow = journal_follow_open(w->file.fd, &w->failed))) {
		drop_job(w);
		return -1;
	}
	w->run = (struct run){.file = w->name,
	                      .place = job->in.place,
	                      .kind = INPUT_JOURNAL,
	                      .status = RUN_RUNNING,
	                      .stats = w->stats,
	                      .snapshot = *journal_follow_head(w->follow)};
	w->is.interval_s = w->run.snapshot.meta.interval;
	w->took = watch_past_lengths(w->from, &w->run, &w->jobs, &w->n_took);
	follow_on(w);
	return 0;
}

/* The place of the job that is shown in the list; .n if it is not there. */
static size_t shown(const struct watcher *w)
{
	size_t i = 0;

	while (i < w->jobs.n && !(w->name && strcmp(w->jobs.v[i].in.name, w->name) == 0))
		i++;
	return i;
}

/* One SOURCE in a store makes all looks seldom. */
static bool watches_store(const struct watcher *w)
{
	for (size_t i = 0; i < w->from->n_sources; i++)
		if (w->from->source[i].place == INPUT_S3)
			return true;
	return false;
}

/* Looks for jobs; shows the newest where none is shown, or the shown one has ended. */
static void look_around(struct watcher *w)
{
	double cpu = cpu_now(), least = watches_store(w) ? STORE_S : LOOK_S;
	struct watch_jobs jobs;

	if (seconds_now() < w->jobs_next)
		return;
	if (watch_jobs_find(&jobs, w->from->store, w->from->source, w->from->n_sources,
	                    &w->failed)) {
		watch_jobs_free(&jobs);
	} else {
		watch_jobs_free(&w->jobs);
		w->jobs = jobs;
	}
	if (w->jobs.n && (!w->name || (w->ended && !w->only)))
		(void)take_job(w, &w->jobs.v[0]);
	w->jobs_next = seconds_now() + fmax(least, PATIENCE * (cpu_now() - cpu));
}

static void draw(struct watcher *w)
{
	struct watch_size size = watch_terminal_size();
	struct watch_view v = {
	    .state = w->ended ? WATCH_ENDED : WATCH_RUNS,
	    .source = w->from->source->name,
	    .end = w->end,
	    .failed = w->failed.msg,
	    .job = shown(w) + 1,
	    .jobs = w->jobs.n,
	    .now = unix_now(),
	    .run = &w->run,
	    .phases = w->follow ? journal_follow_phases(w->follow) : NULL,
	    .is = &w->is,
	    .sort = w->sort,
	};
	struct buf lines = {0};

	watch_now_stats(&w->is, w->stats);
	if (!w->name) {
		v.state = WATCH_WAITS;
	} else {
		v.left = time_left_of(w->took, w->n_took, v.now - w->run.snapshot.meta.start_time);
		watch_now_sort(&w->is, w->sort);
	}
	watch_screen(&v, &size, &lines);
	(void)watch_terminal_draw(&lines);
	buf_free(&lines);
}

/* Whether to go on. */
static bool on_key(struct watcher *w, int key)
{
	switch (key) {
	case 'q':
	case 'Q':
	case WATCH_TERMINAL_END:
		return false;
	case 'c':
		w->sort = WATCH_SORT_CPU;
		break;
	case 'm':
		w->sort = WATCH_SORT_MEMORY;
		break;
	case 't':
		w->sort = WATCH_SORT_TIME;
		break;
	case 'n':
	case '\t':
		if (w->jobs.n && (w->jobs.n > 1 || w->ended))
			(void)take_job(w, &w->jobs.v[(shown(w) + 1) % w->jobs.n]);
		break;
	default:
		break;
	}
	return true;
}

static double until_next(const struct watcher *w)
{
	double now = seconds_now();

	return fmax(0.05, fmin(EVERY_S, fmin(w->jobs_next, w->name ? w->next : INFINITY) - now));
}

int watch(const struct watch_from *from, struct watch_terminal *t, struct buf *said, struct err *e)
{
	struct watcher *w = alloc_failed_note(calloc(1, sizeof *w));
	bool goes_on = true;

	if (!w)
		return err_set(e, "no memory");
	w->from = from;
	w->file.fd = -1;
	w->run.stats = w->stats;
	w->only = from->n_sources == 1 && from->source->place == INPUT_FILE &&
	          *input_file_name(from->source->name);
	look_around(w);
	if (w->only && !w->name && access(from->source->name, F_OK) == 0) {
		free(w);
		return err_set(
		    e, "%s: the recording has ended; rtrack-report shows it without --watch",
		    from->source->name);
	}
	while (goes_on && !(w->only && w->ended)) {
		look_around(w);
		if (w->name && !w->ended && seconds_now() >= w->next) {
			follow_on(w);
			w->next = seconds_now() + (w->file.store ? STORE_S : EVERY_S);
		}
		draw(w);
		if (!(w->only && w->ended))
			goes_on = on_key(w, watch_terminal_wait(t, until_next(w)));
	}
	if (w->ended)
		buf_printf(said, "%s\n", w->end);
	drop_job(w);
	watch_jobs_free(&w->jobs);
	free(w);
	return 0;
}
