/* load: files and folders → runs. */
#include "report/runs/load.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/alloc_failed.h"
#include "core/base/standard_input.h"
#include "core/files/recordings.h"
#include "core/head/overview.h"
#include "core/numbers/time_at.h"
#include "core/numbers/usage.h"
#include "core/recording/gaps.h"
#include "core/recording/states.h"
#include "core/recording/written.h"
#include "report/runs/load_page.h"
#include "report/runs/load_store.h"
#include "report/runs/run_impossible.h"
#include "report/units/units.h"

#define TIME_MAX 253402300799.0 /* the end of the year 9999 */
#define SHORT_S  1e8            /* --min of as much means any time */

static enum run_status status_of(const struct snapshot *s)
{
	if (s->unfinished)
		return s->running ? RUN_RUNNING : RUN_UNFINISHED;
	if (s->exit.known && s->exit.signal)
		return RUN_KILLED;
	/* In Slurm, memory that ran out is a failure also if the script went on to status 0. */
	if ((s->exit.known && s->exit.code != 0) ||
	    (s->exit.cause && strcmp(s->exit.cause, "oom") == 0))
		return RUN_FAILED;
	/* A process that was followed, and the machine alone, have no exit code. */
	if (s->exit.known || (s->job.known && *s->exit.cause))
		return RUN_FINISHED;
	return RUN_UNKNOWN;
}

const char *load_status_word(enum run_status status)
{
	static const char *const words[RUN_STATUSES] = {"finished",   "failed",  "killed",
	                                                "unfinished", "unknown", "running"};

	return words[status];
}

bool load_is_oom(const struct run *run)
{
	return run->snapshot.exit.cause && strcmp(run->snapshot.exit.cause, "oom") == 0;
}

void load_tell_status(struct run *run, const char *word)
{
	/* A process that was followed has finished, but only the user knows how. */
	bool open = run->status == RUN_UNKNOWN ||
	            (run->status == RUN_FINISHED && !run->snapshot.exit.known);

	if (word && open)
		run->status = strcmp(word, "failed") == 0 ? RUN_FAILED : RUN_FINISHED;
}

static const enum metric_id times_of[METRIC_SCOPES] = {METRIC_PROCESS_TIMESTAMP,
                                                       METRIC_SYSTEM_TIMESTAMP};

/* NAN outside of 1970 to 9999: sums with such a time would not be finite. */
static double time_or_nan(double t)
{
	return t >= 0 && t <= TIME_MAX ? t : NAN;
}

static double cell_time_or_nan(double t, const void *ctx)
{
	(void)ctx;
	return time_or_nan(t);
}

static int clear_wild_times(struct snapshot *s, struct err *e)
{
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		if (frame_change(&s->rows[scope], times_of[scope], cell_time_or_nan, NULL, e))
			return -1;
	s->meta.start_time = time_or_nan(s->meta.start_time);
	s->meta.stop_time = time_or_nan(s->meta.stop_time);
	s->meta.duration = time_or_nan(s->meta.duration);
	s->meta.interval = s->meta.interval > 0 ? time_or_nan(s->meta.interval) : NAN;
	return 0;
}

static double nan_if_negative(double v)
{
	return v >= 0 ? v : NAN;
}

/* Whether the head counts as many samples as there are rows: someone may have cut them. */
static bool counts_rows(const struct snapshot *s)
{
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		if (s->summary[times_of[scope]].n != s->rows[scope].rows)
			return false;
	return true;
}

/* Whether the statistics are those in the head. Of a long recording they always are, so that its
 * page is the same whether it has an overview or not, and whatever else was asked for. */
static bool by_head(const struct snapshot *s)
{
	bool is_long = s->rows[METRIC_SCOPE_PROCESS].rows > OVERVIEW_LEAST ||
	               s->rows[METRIC_SCOPE_SYSTEM].rows > OVERVIEW_LEAST;

	return s->head_only || (is_long && s->summary && !gaps_rows(s) && counts_rows(s));
}

/* From the job's time stamps, or the machine's if no job was tracked. */
static void set_times(struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	const struct stats *p = &run->stats[METRIC_PROCESS_TIMESTAMP],
			   *t = p->n ? p : &run->stats[METRIC_SYSTEM_TIMESTAMP];
	size_t tree = s->rows[METRIC_SCOPE_PROCESS].rows;
	double begin;

	run->samples = by_head(s) ? t->n : tree ? tree : s->rows[METRIC_SCOPE_SYSTEM].rows;
	run->samples -= gaps_rows(s);
	run->interval = s->meta.interval;
	if (isnan(run->interval) && t->max > t->min && t->n > 1)
		run->interval = (t->max - t->min) / (double)(t->n - 1);
	begin = isnan(s->meta.start_time) ? t->min - run->interval : s->meta.start_time;
	run->start = isnan(begin) ? t->min : begin;
	run->stop = isnan(s->meta.stop_time) ? t->max : s->meta.stop_time;
	run->duration = nan_if_negative(run->stop - begin);
	run->sampled_duration = nan_if_negative(stats_round(t->max - t->min + run->interval, 2));
	if (isnan(run->duration))
		run->duration = isnan(s->meta.duration) ? run->sampled_duration : s->meta.duration;
	if (s->job.known)
		run->sampled_duration = stats_round(run->duration, 2);
}

/* The statistics in a recording's head. Its times are as hostile as those of rows. */
static void stats_of_head(const struct snapshot *s, struct stats out[METRIC_COUNT])
{
	memcpy(out, s->summary, METRIC_COUNT * sizeof *out);
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		struct stats *t = &out[times_of[scope]];
		t->min = time_or_nan(t->min);
		t->max = time_or_nan(t->max);
		if (isnan(t->min + t->max) || t->max < t->min)
			t->min = t->max = NAN;
	}
}

void load_stats_of_head(const struct run *run, struct stats out[METRIC_COUNT])
{
	const struct stats *all;

	if (run->snapshot.summary && !gaps_rows(&run->snapshot)) {
		stats_of_head(&run->snapshot, out);
		return;
	}
	all = load_all_stats(run, out);
	if (all != out)
		memcpy(out, all, METRIC_COUNT * sizeof *out);
}

/* The statistics of all columns of a scope, from its rows. */
static int stats_of_rows(struct run *run, enum metric_scope scope, struct err *e)
{
	const struct frame *f = &run->snapshot.rows[scope];
	const struct elapsed_rows rows = elapsed_rows(&run->snapshot, scope);
	double *seconds = elapsed_all(&rows, e);
	int failed = !seconds;

	for (int id = 0; id < METRIC_COUNT && !failed; id++) {
		const double *col = frame_col(f, (enum metric_id)id);
		if (metrics[id].scope != scope)
			continue;
		failed = stats_of(col, seconds, col ? f->rows : 0, &run->stats[id], e);
		written_forget_stand_ins(&run->snapshot, (enum metric_id)id, &run->stats[id]);
		frame_rest(f);
	}
	free(seconds);
	return failed ? -1 : 0;
}

/* All else in the report is made from columns, so a GPU's own columns replace its totals. */
static void gpus_of_columns(struct run *run)
{
	for (size_t i = 0; i < run->snapshot.n_gpus && i < METRIC_GPUS; i++) {
		const struct stats *usage = &run->stats[metric_gpu_usage(i)];
		if (!usage->n)
			continue;
		run->snapshot.gpus[i].utilisation_mean = usage->mean;
		run->snapshot.gpus[i].utilisation_max = usage->max;
	}
}

/* The peak is one number everywhere: with what the kernel knows of the time between two samples. A
 * process has memory: statistics of 0 become "not measured". */
static void set_memory(struct run *run)
{
	struct stats *m = &run->stats[METRIC_PROCESS_MEMORY];

	run->memory_sampled_b = m->max > 0 ? m->max : (double)NAN;
	snapshot_memory_of(&run->snapshot, fmax(m->max, run->stats[METRIC_PROCESS_MEMORY_PEAK].max),
	                   &run->memory);
	if (!m->n)
		return;
	m->max = run->memory.peak_b;
	if (!(m->mean > 0))
		m->min = m->mean = m->sum = m->sd = m->p50 = m->p95 = NAN;
}

/* The mean cores too: by the exact CPU time, if the machine can have given so much. */
static void set_cores(struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	const struct snapshot_totals *t = &s->totals;
	struct stats *cores = &run->stats[METRIC_PROCESS_CPU_USAGE];
	double exact = isnan(t->exact_cpu_s) ? t->utime_s + t->stime_s : t->exact_cpu_s;
	double mean = t->known ? exact / run->duration : (double)NAN;
	bool impossible =
	    s->server.known && s->server.vcpus > 0 && mean > s->server.vcpus * RUN_IMPOSSIBLE_CPU;

	run->cores_sampled = cores->max;
	if (s->meta.children && !impossible)
		usage_exact_cores(mean, usage_has_gaps(run->duration, s->meta.interval, cores->n),
		                  &cores->mean, &cores->max);
}

int load_measure(struct run *run, struct err *e)
{
	run->stats = snapshot_alloc(&run->snapshot, METRIC_COUNT * sizeof *run->stats);
	if (!run->stats)
		return err_set(e, "no memory");
	if (clear_wild_times(&run->snapshot, e))
		return -1;
	if (by_head(&run->snapshot))
		stats_of_head(&run->snapshot, run->stats);
	for (int scope = 0; scope < METRIC_SCOPES && !by_head(&run->snapshot); scope++)
		if (stats_of_rows(run, (enum metric_scope)scope, e))
			return -1;
	gpus_of_columns(run);
	set_memory(run);
	set_times(run);
	set_cores(run);
	run->status = status_of(&run->snapshot);
	return 0;
}

int load_leave_out(struct runs *r, const char *file, const struct err *why, struct err *e)
{
	struct load_failure *v;

	if (input_count_others(&r->others, file))
		return 0;
	if (!(v = reallocarray(r->failed, r->n_failed + 1, sizeof *v)))
		return err_set(e, "no memory");
	r->failed = v;
	/* analyzer-malloc-leak: load_free frees it */
	v[r->n_failed] = (struct load_failure){strdup(file), *why};
	if (!v[r->n_failed++].file)
		return err_set(e, "no memory");
	return 0;
}

/* The statistics of a head are in run->stats. */
void load_drop_rows(struct run *run)
{
	if (run->snapshot.head_only) {
		snapshot_drop(&run->snapshot, run->snapshot.summary);
		run->snapshot.summary = NULL;
	}
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		frame_free(&run->snapshot.rows[scope]);
	for (size_t i = 0; i < run->snapshot.n_detail_rows; i++)
		frame_free(&run->snapshot.detail_rows[i]);
}

/* -- what history keeps of a run --------------------------------------------------------------- */

/* All statistics and struct time_at take 9 kB: 90 MB of 10,000 runs. */
static const enum metric_id kept_columns[] = {
    METRIC_PROCESS_CPU_USAGE,      METRIC_PROCESS_UTIME,
    METRIC_PROCESS_STIME,          METRIC_PROCESS_CPU_WAIT,
    METRIC_PROCESS_MEMORY,         METRIC_PROCESS_RSS,
    METRIC_PROCESS_READ_BYTES,     METRIC_PROCESS_WRITE_BYTES,
    METRIC_PROCESS_GPU_USAGE,      METRIC_PROCESS_GPU_VRAM,
    METRIC_PROCESS_GPU_UTILIZED,   METRIC_SYSTEM_CPU_USAGE,
    METRIC_SYSTEM_UTIME,           METRIC_SYSTEM_STIME,
    METRIC_SYSTEM_THROTTLED,       METRIC_SYSTEM_MEMORY_USED,
    METRIC_SYSTEM_DISK_READ_BYTES, METRIC_SYSTEM_DISK_WRITE_BYTES,
    METRIC_SYSTEM_GPU_USAGE,       METRIC_SYSTEM_GPU_VRAM,
    METRIC_SYSTEM_DISK_SPACE_USED, METRIC_SYSTEM_DISK_SPACE_TOTAL,
    METRIC_SYSTEM_NET_RECV_BYTES,  METRIC_SYSTEM_NET_SENT_BYTES};
#define KEPT_COLUMNS  (sizeof kept_columns / sizeof *kept_columns)
#define TIME_AT_WORDS (sizeof(struct time_at) / sizeof(uint64_t))

/* A recording uses few widths of struct time_at: only the words that are not 0 are kept, one after
 * the other. */
struct load_few {
	struct stats of[KEPT_COLUMNS];
	double states_s[STATES_N]; /* NAN: not recorded */
	bool has_time_at;
	uint64_t nonzero[(TIME_AT_WORDS + 63) / 64]; /* a bit for each word */
	uint64_t words[];
};

static size_t count_nonzero(const struct time_at *t)
{
	uint64_t word[TIME_AT_WORDS];
	size_t n = 0;

	memcpy(word, t, sizeof word);
	for (size_t i = 0; i < TIME_AT_WORDS; i++)
		n += word[i] != 0;
	return n;
}

static void pack_time_at(struct load_few *few, const struct time_at *t)
{
	uint64_t word[TIME_AT_WORDS], *next = few->words;

	memcpy(word, t, sizeof word);
	few->has_time_at = true;
	for (size_t i = 0; i < TIME_AT_WORDS; i++) {
		if (!word[i])
			continue;
		few->nonzero[i / 64] |= UINT64_C(1) << i % 64;
		*next++ = word[i];
	}
}

const struct time_at *load_time_at(const struct run *run, struct time_at *own)
{
	const struct load_few *few = run->few;
	uint64_t word[TIME_AT_WORDS];
	const uint64_t *next = few ? few->words : NULL;

	if (!few || !few->has_time_at)
		return run->snapshot.time_at;
	for (size_t i = 0; i < TIME_AT_WORDS; i++)
		word[i] = few->nonzero[i / 64] >> i % 64 & 1 ? *next++ : 0;
	memcpy(own, word, sizeof word);
	return own;
}

/* Journals and CSV are few, and settle_runs asks for more of them. */
static void keep_few(const struct runs *r, struct run *run)
{
	struct snapshot *s = &run->snapshot;
	size_t words = s->time_at ? count_nonzero(s->time_at) : 0;
	struct load_few *few;

	if (r->all_stats || !s->head_only)
		return;
	few = snapshot_alloc(s, sizeof *few + words * sizeof *few->words);
	if (!few)
		return;
	for (size_t i = 0; i < KEPT_COLUMNS; i++)
		few->of[i] = run->stats[kept_columns[i]];
	for (int k = 0; k < STATES_N; k++) {
		const struct stats *of = &run->stats[states_metric((enum states_id)k)];
		few->states_s[k] = of->n ? of->sum : (double)NAN;
	}
	if (s->time_at)
		pack_time_at(few, s->time_at);
	snapshot_drop(s, s->time_at);
	snapshot_drop(s, run->stats);
	s->time_at = NULL;
	run->stats = NULL;
	run->few = few;
}

const struct stats *load_stats(const struct run *run, enum metric_id id)
{
	static const struct stats none = {0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

	if (run->stats)
		return &run->stats[id];
	for (size_t i = 0; run->few && i < KEPT_COLUMNS; i++)
		if (kept_columns[i] == id)
			return &run->few->of[i];
	return &none;
}

const struct stats *load_all_stats(const struct run *run, struct stats own[METRIC_COUNT])
{
	if (run->stats)
		return run->stats;
	for (int id = 0; id < METRIC_COUNT; id++)
		own[id] = *load_stats(run, (enum metric_id)id);
	for (int k = 0; run->few && k < STATES_N; k++)
		if (!isnan(run->few->states_s[k])) {
			own[states_metric((enum states_id)k)] = stats_none();
			own[states_metric((enum states_id)k)].n = 1;
			own[states_metric((enum states_id)k)].sum = run->few->states_s[k];
		}
	return own;
}

/* -- adding runs ------------------------------------------------------------------------------- */

bool load_newer(const struct run *a, const struct run *b)
{
	double s = isnan(a->start) ? -INFINITY : a->start,
	       t = isnan(b->start) ? -INFINITY : b->start;

	if (a->future != b->future)
		return b->future;
	if (s != t)
		return s > t;
	return strcmp(a->file, b->file) == 0 ? a->at < b->at : strcmp(a->file, b->file) < 0;
}

/* The run that was added last, or the one that has its rows so far: one of them keeps them. */
static void keep_rows_of_one(struct runs *r)
{
	struct run *last = &r->v[r->n - 1], *keeper = &r->v[r->keeper];
	bool keep = r->current ? strcmp(last->file, r->current) == 0 : load_newer(last, keeper);

	if (r->n == 1)
		return;
	load_drop_rows(keep ? keeper : last);
	keep_few(r, keep ? keeper : last);
	r->keeper = keep ? r->n - 1 : r->keeper;
}

static int append_run(struct runs *r, struct run *run, const char *file, struct err *e)
{
	/* Doubles whenever it is full: n is then a power of 2, or 0. */
	struct run *v =
	    (r->n & (r->n - 1)) ? r->v : reallocarray(r->v, r->n ? 2 * r->n : 1, sizeof *v);

	if (v)
		r->v = v;
	run->file = v ? strdup(file) : NULL;
	if (run->id.address == file)
		run->id.address = run->file;
	if (!run->file || load_known_add(&r->known, &run->id)) {
		free(run->file);
		run->file = NULL;
		return err_set(e, "no memory");
	}
	run->given = r->n;
	run->future = r->now > 0 && run->start > r->now + LOAD_FUTURE_S;
	run->impossible =
	    run_impossible_refuse(&run->snapshot, run->start, &run->duration, &run->stop,
	                          run->stats[METRIC_PROCESS_MEMORY].max, run->future ? 0 : r->now);
	r->v[r->n++] = *run;
	keep_rows_of_one(r);
	return 0;
}

/* Takes the machine's rows from the second file of a run. */
static int add_mate(struct run *run, struct err *e)
{
	struct snapshot *s = &run->snapshot, *t = calloc(1, sizeof *t);
	int failed;

	if (!t)
		return err_set(e, "no memory");
	t->budget = s->budget;
	failed = snapshot_read_file(t, run->mate, e);
	if (!failed) {
		s->rows[METRIC_SCOPE_SYSTEM] = t->rows[METRIC_SCOPE_SYSTEM];
		t->rows[METRIC_SCOPE_SYSTEM] = (struct frame){.rows = 0};
		s->meta.track_system = true;
		for (size_t i = 0; i < t->notes.n; i++)
			snapshot_note(s, "%s", t->notes.v[i]);
		snapshot_note(s, "The numbers of the machine are from the file %s.",
		              input_file_name(run->mate));
	}
	snapshot_free(t);
	free(t);
	return failed;
}

int load_snapshot(struct run *run, struct input in, enum snapshot_want want, struct err *e)
{
	struct load_stored stored = {.store = run->store, .address = in.name};
	int failed;

	in.kind = input_look(in);
	if (in.kind == INPUT_PAGE || (in.kind == INPUT_PACKED_PAGE && in.place == INPUT_FILE))
		return load_page_read(&run->snapshot, in, want, &run->page, e);
	if (in.place != INPUT_S3)
		return snapshot_read_at(&run->snapshot, in.name, in.at, want, e) ||
		               (run->mate && add_mate(run, e))
		           ? -1
		           : 0;
	failed = load_store_read(&stored, &run->snapshot, want, e);
	run->absent = stored.absent;
	if (*stored.folder)
		run->id = load_known_id((struct input){
		    .place = INPUT_S3, .name = snapshot_strdup(&run->snapshot, stored.folder)});
	return failed;
}

static int read_run(struct run *run, struct input in, enum snapshot_want want, struct err *why)
{
	run->place = in.place;
	run->kind = in.kind;
	run->at = in.at;
	if (load_snapshot(run, in, want, why))
		return -1;
	if (load_measure(run, why))
		return err_wrap(why, "%s", standard_input_name(in.name));
	return run->samples ? 0
	                    : err_set(why, "%s: holds no samples", standard_input_name(in.name));
}

/* Reads one file, or the object or pieces of one address, into a struct runs. absent: an address at
 * which there is nothing is not a failure, but sets it; or NULL. */
static int load_one(void *runs, struct input in, bool *absent, struct err *e)
{
	struct runs *r = runs;
	struct run *run = calloc(1, sizeof *run);
	struct err why = {0};
	int failed = 0;

	if (!run)
		return err_set(e, "no memory");
	if (!r->n && !r->n_failed)
		r->budget = (struct snapshot_budget){SNAPSHOT_BUDGET_BYTES, SNAPSHOT_BUDGET_CELLS};
	run->snapshot.budget = &r->budget;
	run->store = r->store;
	run->id = load_known_id(in);
	if (load_known_has(&r->known, &run->id))
		goto out;
	if (r->n + r->n_failed >= LOAD_RUNS_MAX)
		failed = err_set(e, LOAD_TOO_MANY, LOAD_RUNS_MAX);
	else if (read_run(run, in, SNAPSHOT_WANT_HEAD, &why)) {
		if (absent && run->absent)
			*absent = true;
		else
			failed = load_leave_out(r, in.name, &why, e);
	} else if (load_known_has(&r->known, &run->id)) /* its pieces, by another name */
		goto out;
	else if (append_run(r, run, in.name, e) == 0)
		run->snapshot = (struct snapshot){0}; /* it was handed over */
	else
		failed = -1;
out:
	snapshot_free(&run->snapshot);
	free(run);
	return failed;
}

/* The steps of a file that have no recordings of their own. */
struct load_short {
	char *file;
	struct recordings_short sum;
};

static int keep_short(struct runs *r, const char *file, const struct recordings_short *sum,
                      struct err *e)
{
	struct load_short *v;

	for (size_t i = 0; i < r->n_shorts; i++)
		if (strcmp(r->shorts[i].file, file) == 0)
			return 0; /* it was given before */
	if (!(v = reallocarray(r->shorts, r->n_shorts + 1, sizeof *v)))
		return err_set(e, "no memory");
	r->shorts = v;
	/* analyzer-malloc-leak: load_free frees it */
	v[r->n_shorts] = (struct load_short){strdup(file), *sum};
	return v[r->n_shorts++].file ? 0 : err_set(e, "no memory");
}

static struct err short_text(const char *file, const struct recordings_short *sum)
{
	struct buf b = {0};
	struct err text = {0};

	buf_printf(&b, "%s also has %.0f step%s", input_file_name(file), sum->n,
	           sum->n > 1 ? "s" : "");
	if (sum->below_s < SHORT_S)
		buf_printf(&b, " of less than %g s", sum->below_s);
	buf_str(&b, ", without samples:");
	if (isnan(sum->cpu_s))
		buf_str(&b, " their CPU time is unknown");
	else
		buf_printf(&b, " %s of CPU time", UNITS_SECONDS(sum->cpu_s));
	if (sum->longest_s >= 0)
		buf_printf(&b, ", the longest took %s", UNITS_SECONDS(sum->longest_s));
	if (sum->memory_peak_b >= 0)
		buf_printf(&b, ", at most %.0f MiB of memory", ceil(sum->memory_peak_b / 0x1p20));
	err_set(&text, "%s", buf_cstr(&b));
	buf_free(&b);
	return text;
}

struct err load_short_text(const struct runs *r, const struct run *run)
{
	for (size_t i = 0; i < r->n_shorts; i++)
		if (strcmp(r->shorts[i].file, run->file) == 0)
			return short_text(run->file, &r->shorts[i].sum);
	return (struct err){{0}};
}

/* Reads the recordings of a file, of which there may be several (recordings.h). */
static int load_file(struct runs *r, struct input in, struct err *e)
{
	struct recordings_short sum = {0};
	size_t recordings = 0;
	struct recordings v;
	struct err why = {0};
	int got = 0, failed = 0;

	if (in.place != INPUT_FILE || recordings_open(&v, in.name))
		return load_one(r, in, NULL, e);
	while (!failed && (got = recordings_next(&v, &why)) > 0) {
		if (got == RECORDINGS_SHORT) {
			recordings_short_add(&sum, &v.sum);
			continue;
		}
		in.at = v.at;
		failed = load_one(r, in, NULL, e);
		recordings++;
	}
	recordings_close(&v);
	if (!failed && sum.n > 0)
		failed = keep_short(r, in.name, &sum, e);
	if (!failed && got < 0) {
		err_wrap(&why, "%s", in.name);
		return load_leave_out(r, in.name, &why, e);
	}
	if (failed || recordings)
		return failed;
	why = short_text(in.name, &sum);
	return load_leave_out(r, in.name, &why, e);
}

bool load_has_rows(const struct run *run)
{
	return run->snapshot.rows[0].rows || run->snapshot.rows[1].rows;
}

/* What the run is beside others does not come from its file. */
static void keep_identity(struct run *again, const struct run *run)
{
	again->file = run->file;
	again->why = run->why;
	again->used = run->used;
	again->shows_need = run->shows_need;
	again->given = run->given;
	again->order = run->order;
	again->future = run->future;
	again->impossible = run->impossible;
	if (run->impossible)
		run_impossible_forget(&again->snapshot, &again->duration, &again->stop);
}

int load_again(struct run *run, enum snapshot_want want, struct err *e)
{
	struct run *again;
	int failed;

	if (load_has_rows(run))
		return 0;
	again = calloc(1, sizeof *again);
	if (!again)
		return err_set(e, "no memory");
	again->store = run->store;
	again->mate = run->mate;
	failed =
	    read_run(again, (struct input){run->place, run->kind, run->file, run->at}, want, e);
	if (failed) {
		snapshot_free(&again->snapshot);
	} else {
		keep_identity(again, run);
		snapshot_free(&run->snapshot);
		*run = *again;
	}
	free(again);
	return failed;
}

/* A FIFO would block until it has a writer. A dangling link is not skipped: it is named. */
static bool is_passed_over(struct input in, unsigned char type)
{
	struct stat st;

	if (type != DT_REG && stat(in.name, &st) == 0 && !S_ISREG(st.st_mode))
		return true;
	return in.kind == INPUT_PAGE && input_html_of(in) != INPUT_OUR_PAGE;
}

static int load_folder(struct runs *r, const char *path, struct err *e)
{
	struct dirent **names;
	int n = scandir(path, &names, input_is_listed, alphasort), failed = 0, taken = 0;
	struct err why = {0};

	if (n < 0) {
		err_set(&why, "%s: %s", path, strerror(errno));
		return load_leave_out(r, path, &why, e);
	}
	for (int i = 0; i < n; i++) {
		struct input in = {INPUT_FILE, input_kind_of(names[i]->d_name), NULL, 0};
		struct buf file = {0};
		buf_printf(&file, "%s%s%s", path, input_file_name(path)[0] == '\0' ? "" : "/",
		           names[i]->d_name);
		in.name = buf_cstr(&file);
		if (!failed && !is_passed_over(in, names[i]->d_type)) {
			failed = load_file(r, in, e);
			taken++;
		}
		buf_free(&file);
		free(names[i]);
	}
	free(names);
	if (failed || taken)
		return failed;
	err_set(&why, "%s: a folder without snapshots", path);
	return load_leave_out(r, path, &why, e);
}

int load_input(struct runs *r, struct input in, struct err *e)
{
	struct err why = {0};

	if (in.place == INPUT_FOLDER)
		return load_folder(r, in.name, e);
	if (in.place != INPUT_S3)
		return load_file(r, in, e);
	if (load_store_source(r->store, in.name, load_one, r, &why, e))
		return -1;
	return *why.msg ? load_leave_out(r, in.name, &why, e) : 0;
}

void load_free(struct runs *r)
{
	for (size_t i = 0; i < r->n; i++) {
		snapshot_free(&r->v[i].snapshot);
		free(r->v[i].file);
		free(r->v[i].mate);
	}
	for (size_t i = 0; i < r->n_failed; i++)
		free(r->failed[i].file);
	for (size_t i = 0; i < r->n_shorts; i++)
		free(r->shorts[i].file);
	free(r->v);
	free(r->failed);
	free(r->shorts);
	load_known_free(&r->known);
	*r = (struct runs){0};
}
