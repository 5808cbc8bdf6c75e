/* duct: what con/duct writes of a command. */
#include "fleet/import/duct.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/larger.h"
#include "core/base/utf8.h"
#include "core/json/json_read.h"
#include "core/recording/snapshot.h"
#include "fleet/import/import_row.h"

/* -- the members of its JSON that are used, read without a tree -------------------------------- */

/* By their paths, as "system.cpu_total". */
enum duct_file_number {
	DUCT_FILE_EXIT_CODE,
	DUCT_FILE_WALL,
	DUCT_FILE_PEAK_RSS,
	DUCT_FILE_AVERAGE_RSS,
	DUCT_FILE_SAMPLES,
	DUCT_FILE_START,
	DUCT_FILE_CPUS,
	DUCT_FILE_MEMORY,
	DUCT_FILE_GPUS, /* how many; of "gpu" */
	DUCT_FILE_TOTALS_RSS,
	DUCT_FILE_AVERAGES_RSS,
	DUCT_FILE_AVERAGES_SAMPLES,
	DUCT_FILE_NUMBERS
};

enum duct_file_text {
	DUCT_FILE_COMMAND,
	DUCT_FILE_HOST,
	DUCT_FILE_USER,
	DUCT_FILE_DIRECTORY,
	DUCT_FILE_TIMESTAMP,
	DUCT_FILE_SLURM_JOB,
	DUCT_FILE_SLURM_CLUSTER,
	DUCT_FILE_SLURM_RESTARTS,
	DUCT_FILE_SLURM_ACCOUNT,
	DUCT_FILE_SLURM_PARTITION,
	DUCT_FILE_SLURM_NODES,
	DUCT_FILE_SLURM_TASKS,
	DUCT_FILE_SLURM_CPUS,
	DUCT_FILE_SLURM_MEMORY,
	DUCT_FILE_TEXTS
};

#define DUCT_FILE_TEXT_MAX 256 /* bytes; longer ones are cut */

struct duct_file {
	double number[DUCT_FILE_NUMBERS]; /* NAN: not there, or not a number */
	char text[DUCT_FILE_TEXTS][DUCT_FILE_TEXT_MAX];
};

#define FILE_MAX   ((uint64_t)1 << 30) /* bytes */
#define TEXT_MAX   ((size_t)1 << 20)   /* of a string */
#define PATH_BYTES 96                  /* of names with points between */
#define LEVELS     2                   /* of objects that are looked into */

static const char *const number_paths[DUCT_FILE_NUMBERS] = {
    [DUCT_FILE_EXIT_CODE] = "execution_summary.exit_code",
    [DUCT_FILE_WALL] = "execution_summary.wall_clock_time",
    [DUCT_FILE_PEAK_RSS] = "execution_summary.peak_rss",
    [DUCT_FILE_AVERAGE_RSS] = "execution_summary.average_rss",
    [DUCT_FILE_SAMPLES] = "execution_summary.num_samples",
    [DUCT_FILE_START] = "execution_summary.start_time",
    [DUCT_FILE_CPUS] = "system.cpu_total",
    [DUCT_FILE_MEMORY] = "system.memory_total",
    [DUCT_FILE_GPUS] = "gpu",
    [DUCT_FILE_TOTALS_RSS] = "totals.rss",
    [DUCT_FILE_AVERAGES_RSS] = "averages.rss",
    [DUCT_FILE_AVERAGES_SAMPLES] = "averages.num_samples",
};

static const char *const text_paths[DUCT_FILE_TEXTS] = {
    [DUCT_FILE_COMMAND] = "command",
    [DUCT_FILE_HOST] = "system.hostname",
    [DUCT_FILE_USER] = "system.user",
    [DUCT_FILE_DIRECTORY] = "execution_summary.working_directory",
    [DUCT_FILE_TIMESTAMP] = "timestamp",
    [DUCT_FILE_SLURM_JOB] = "env.SLURM_JOB_ID",
    [DUCT_FILE_SLURM_CLUSTER] = "env.SLURM_CLUSTER_NAME",
    [DUCT_FILE_SLURM_RESTARTS] = "env.SLURM_RESTART_COUNT",
    [DUCT_FILE_SLURM_ACCOUNT] = "env.SLURM_JOB_ACCOUNT",
    [DUCT_FILE_SLURM_PARTITION] = "env.SLURM_JOB_PARTITION",
    [DUCT_FILE_SLURM_NODES] = "env.SLURM_JOB_NUM_NODES",
    [DUCT_FILE_SLURM_TASKS] = "env.SLURM_NTASKS",
    [DUCT_FILE_SLURM_CPUS] = "env.SLURM_CPUS_ON_NODE",
    [DUCT_FILE_SLURM_MEMORY] = "env.SLURM_MEM_PER_NODE",
};

/* The path of a number, for sentences. */
static const char *duct_file_path(enum duct_file_number i)
{
	return number_paths[i];
}

/* Where a path is in a list; n: it is not. */
static size_t path_index(const char *path, const char *const *paths, size_t n)
{
	size_t i = 0;

	while (i < n && strcmp(paths[i], path) != 0)
		i++;
	return i;
}

/* -- one value of the JSON --------------------------------------------------------------------- */

struct reader {
	struct json_read j;
	struct buf key, text;
	char path[PATH_BYTES];
	int level;
	struct duct_file *d;
};

static int walk_members(struct reader *r);

static int count_elements(struct reader *r, double *n)
{
	bool first = true;
	int more;

	*n = 0;
	if (json_read_open(&r->j, '['))
		return -1;
	while ((more = json_read_more(&r->j, '[', &first)) > 0) {
		if (json_read_skip(&r->j, NULL))
			return -1;
		++*n;
	}
	return more;
}

/* The first value of a path counts. Texts are cut; numbers that are texts are numbers. */
static int walk_value(struct reader *r)
{
	size_t number = path_index(r->path, number_paths, DUCT_FILE_NUMBERS);
	size_t text = path_index(r->path, text_paths, DUCT_FILE_TEXTS);
	int sign = json_read_peek(&r->j);
	double ignored;

	if (sign == '{' && r->level < LEVELS && strcmp(r->path, "processes") != 0)
		return walk_members(r);
	if (text < DUCT_FILE_TEXTS && sign == '"') {
		if (json_read_string(&r->j, &r->text))
			return -1;
		if (!*r->d->text[text]) {
			size_t n =
			    utf8_cut(buf_cstr(&r->text), r->text.len, DUCT_FILE_TEXT_MAX - 1);
			memcpy(r->d->text[text], buf_cstr(&r->text), n);
			r->d->text[text][n] = '\0';
		}
		return 0;
	}
	if (number == DUCT_FILE_NUMBERS)
		return json_read_skip(&r->j, NULL);
	if (sign == '[')
		return count_elements(r,
		                      number == DUCT_FILE_GPUS ? &r->d->number[number] : &ignored);
	return json_read_cell(&r->j, isnan(r->d->number[number]) && number != DUCT_FILE_GPUS
	                                 ? &r->d->number[number]
	                                 : &ignored);
}

static int walk_members(struct reader *r)
{
	size_t before = strlen(r->path), n;
	bool first = true;
	int more;

	if (json_read_open(&r->j, '{'))
		return -1;
	r->level++;
	while ((more = json_read_more(&r->j, '{', &first)) > 0) {
		if (json_read_key(&r->j, &r->key))
			return -1;
		n = (size_t)snprintf(r->path + before, sizeof r->path - before, "%s%s",
		                     before ? "." : "", buf_cstr(&r->key));
		/* No path that is wanted is so long. */
		if (n >= sizeof r->path - before)
			r->path[0] = '\0';
		if (walk_value(r))
			return -1;
		r->path[before] = '\0';
	}
	r->level--;
	return more;
}

/* -- an object of the JSON --------------------------------------------------------------------- */

struct source {
	FILE *f;
	bool line, ended;
};

static long read_source(void *ctx, uint64_t at, void *p, size_t n, struct err *e)
{
	struct source *s = ctx;
	char *to = p;
	size_t i = 0;
	int c;

	(void)at, (void)e; /* import_read says what went wrong with the file */
	while (i < n && !s->ended) {
		c = getc_unlocked(s->f);
		s->ended = c == EOF || (s->line && c == '\n');
		if (!s->ended)
			to[i++] = (char)c;
	}
	return (long)i;
}

static void forget(struct duct_file *d)
{
	for (int i = 0; i < DUCT_FILE_NUMBERS; i++)
		d->number[i] = NAN;
	for (int i = 0; i < DUCT_FILE_TEXTS; i++)
		d->text[i][0] = '\0';
}

static int skip_mark(FILE *f)
{
	int c = getc_unlocked(f);

	if (c != 0xef)
		return ungetc(c, f);
	getc_unlocked(f);
	return getc_unlocked(f);
}

/* Reads one object: the rest of the file, or with line a line of it, which is passed over
 * whether it is understood or not. 1: it was read; 0: there is none; -1 with a sentence if it is
 * not an object, or is cut: what was read before that is in *d. */
static int duct_file_read(FILE *f, bool line, struct duct_file *d, struct err *e)
{
	struct source s = {.f = f, .line = line};
	struct gz_source from = {.read = read_source, .ctx = &s};
	struct reader *r;
	struct gz_in *g = NULL;
	int result = -1;

	forget(d);
	if (skip_mark(f) == EOF)
		return 0;
	r = calloc(1, sizeof *r);
	g = r ? gz_in_from(&from, FILE_MAX, e) : NULL;
	if (!g) {
		free(r);
		return err_set(e, "not enough memory");
	}
	json_read_init(&r->j, g, "JSON", e);
	r->key.max = r->text.max = TEXT_MAX;
	r->d = d;
	if (json_read_peek(&r->j))
		result = walk_members(r) || json_read_end(&r->j) ? -1 : 1;
	else
		result = r->j.failed ? -1 : 0;
	buf_free(&r->key);
	buf_free(&r->text);
	gz_in_free(g);
	free(r);
	while (line && !s.ended) {
		int c = getc_unlocked(f);
		s.ended = c == EOF || c == '\n';
	}
	return result;
}

/* -- as rows ----------------------------------------------------------------------------------- */

#define MIB        1048576.0
#define NUMBER_MAX 1e18
#define KEYS       9

/* A negative number, or one that no machine has, is not understood. */
static double known_amount(struct import_row *r, const struct duct_file *d, enum duct_file_number i)
{
	double v = d->number[i];
	char text[32];

	if (isnan(v) || (v >= 0 && v <= NUMBER_MAX))
		return v;
	snprintf(text, sizeof text, "%g", v);
	import_reader_unknown(r->in, r->line, duct_file_path(i), text);
	return NAN;
}

static double text_number(const struct duct_file *d, enum duct_file_text i)
{
	double v;

	return import_row_number(d->text[i], &v) ? NAN : v;
}

/* -- what the summary says --------------------------------------------------------------------- */

/* As rtrack-collect does for a recording: the ask of a job of one node and one task is that of the
 * command. */
static void put_slurm(struct import_row *r, const struct duct_file *d)
{
	struct rtrack_row *row = &r->row;
	const char *job = d->text[DUCT_FILE_SLURM_JOB];
	const char *restarts = d->text[DUCT_FILE_SLURM_RESTARTS];
	double cpus = text_number(d, DUCT_FILE_SLURM_CPUS);
	double memory = text_number(d, DUCT_FILE_SLURM_MEMORY) * MIB;
	char id[112];

	if (!*job)
		return;
	snprintf(id, sizeof id, "slurm/%.40s/%.30s/%.10s", d->text[DUCT_FILE_SLURM_CLUSTER], job,
	         *restarts ? restarts : "0");
	import_row_text(r, RTRACK_ROW_JOB_ID, id, sizeof id);
	import_row_text(r, RTRACK_ROW_ACCOUNT, d->text[DUCT_FILE_SLURM_ACCOUNT], 64);
	import_row_label(r, "scheduler", "slurm");
	import_row_label(r, "slurm.job_id", job);
	import_row_label(r, "slurm.cluster", d->text[DUCT_FILE_SLURM_CLUSTER]);
	import_row_label(r, "slurm.account", d->text[DUCT_FILE_SLURM_ACCOUNT]);
	import_row_label(r, "slurm.partition", d->text[DUCT_FILE_SLURM_PARTITION]);
	if (text_number(d, DUCT_FILE_SLURM_NODES) != 1 || text_number(d, DUCT_FILE_SLURM_TASKS) > 1)
		return;
	if (cpus > 0) {
		row->of[RTRACK_ROW_ASKED_CPUS].number = cpus;
		row->of[RTRACK_ROW_ASKED_CPUS_SOURCE].text = "slurm";
	}
	if (memory > 0) {
		row->of[RTRACK_ROW_ASKED_MEMORY].number = memory;
		row->of[RTRACK_ROW_ASKED_MEMORY_SOURCE].text = "slurm";
	}
}

/* Older versions write the signal as a negative code; newer ones add 128, as a shell does. */
static void put_code(struct import_row *r, const struct duct_file *d)
{
	double code = d->number[DUCT_FILE_EXIT_CODE];
	struct rtrack_row *row = &r->row;
	char text[32];

	if (code >= 0 && code <= 255) {
		row->of[RTRACK_ROW_CODE].number = code;
		row->of[RTRACK_ROW_STATUS].text = "exited";
	} else if (code < 0 && code > -64 && *snapshot_signal_name((int)-code)) {
		row->of[RTRACK_ROW_SIGNAL].text = snapshot_signal_name((int)-code);
		row->of[RTRACK_ROW_STATUS].text = "signaled";
	} else if (isnan(code)) {
		row->of[RTRACK_ROW_STATUS].text = "unfinished";
	} else {
		snprintf(text, sizeof text, "%g", code);
		import_reader_unknown(r->in, r->line, duct_file_path(DUCT_FILE_EXIT_CODE), text);
	}
}

static void put_memory(struct import_row *r, double peak, double mean)
{
	struct rtrack_row *row = &r->row;

	if (!(peak > 0))
		return;
	peak = import_reader_peak(r->in, r->line, peak, row->of[RTRACK_ROW_MACHINE_MEMORY].number);
	if (isnan(peak))
		return;
	row->of[RTRACK_ROW_MEMORY_PEAK].number = peak;
	row->of[RTRACK_ROW_MEMORY_KNOWN].text = SNAPSHOT_MEMORY_SAMPLED;
	row->of[RTRACK_ROW_MEMORY_MEAN].number = mean > 0 && mean <= peak ? mean : NAN;
}

static void put_summary(struct import_row *r, const struct duct_file *d)
{
	struct rtrack_row *row = &r->row;
	double cpus = known_amount(r, d, DUCT_FILE_CPUS),
	       memory = known_amount(r, d, DUCT_FILE_MEMORY);

	import_row_program(r, d->text[DUCT_FILE_COMMAND]);
	import_row_text(r, RTRACK_ROW_HOST, d->text[DUCT_FILE_HOST], 64);
	import_row_text(r, RTRACK_ROW_USER, d->text[DUCT_FILE_USER], 64);
	import_row_text(r, RTRACK_ROW_DIRECTORY, d->text[DUCT_FILE_DIRECTORY], IMPORT_ROW_PATH);
	row->of[RTRACK_ROW_START].number = known_amount(r, d, DUCT_FILE_START);
	row->of[RTRACK_ROW_WALL].number = known_amount(r, d, DUCT_FILE_WALL);
	row->of[RTRACK_ROW_SAMPLES].number = known_amount(r, d, DUCT_FILE_SAMPLES);
	row->of[RTRACK_ROW_VCPUS].number = cpus > 0 ? cpus : NAN;
	row->of[RTRACK_ROW_MACHINE_MEMORY].number = memory > 0 ? memory : NAN;
	row->of[RTRACK_ROW_MACHINE_GPUS].number = known_amount(r, d, DUCT_FILE_GPUS);
	put_memory(r, known_amount(r, d, DUCT_FILE_PEAK_RSS),
	           known_amount(r, d, DUCT_FILE_AVERAGE_RSS));
	put_slurm(r, d);
	put_code(r, d);
}

static int read_info(struct import *in, struct err *e)
{
	struct duct_file d;
	struct import_row r;
	struct err why = {.msg = ""};

	import_row_begin(&r, in, 1);
	in->lines++;
	if (duct_file_read(in->f, false, &d, &why) <= 0) {
		import_reader_left_out(in, 1, *why.msg ? why.msg : "it is empty");
		return 0;
	}
	put_summary(&r, &d);
	return import_row_give(&r, "info", false, e);
}

/* -- usage alone ------------------------------------------------------------------------------- */

/* The totals of a line are the largest of its samples, and so they make the peak; the averages make
 * the mean. */
static int read_usage(struct import *in, struct err *e)
{
	double peak = NAN, sum = 0, n = 0, first = NAN, last = NAN, at;
	struct duct_file d;
	struct import_row r;
	int got;

	import_row_begin(&r, in, 0);
	for (;;) {
		struct err why = {.msg = ""};
		got = duct_file_read(in->f, true, &d, &why);
		if (got == 0 && (feof(in->f) || ferror(in->f)))
			break;
		r.line++;
		if (got < 0)
			import_reader_left_out(in, r.line, why.msg);
		if (got <= 0)
			continue;
		in->lines++;
		peak = larger(peak, known_amount(&r, &d, DUCT_FILE_TOTALS_RSS));
		sum += d.number[DUCT_FILE_AVERAGES_RSS] * d.number[DUCT_FILE_AVERAGES_SAMPLES];
		n += d.number[DUCT_FILE_AVERAGES_SAMPLES];
		at =
		    import_row_value(&r, "timestamp", d.text[DUCT_FILE_TIMESTAMP], import_row_time);
		first = isnan(first) ? at : first;
		last = isnan(at) ? last : at;
	}
	if (!in->lines)
		return 0;
	put_memory(&r, peak, sum / n);
	r.row.of[RTRACK_ROW_SAMPLES].number = n;
	r.row.of[RTRACK_ROW_START].number = first;
	r.row.of[RTRACK_ROW_WALL].number = last >= first ? last - first : NAN;
	r.row.of[RTRACK_ROW_STATUS].text = "unfinished";
	return import_row_give(&r, "usage", false, e);
}

/* -- the file ---------------------------------------------------------------------------------- */

enum { COMMAND, SYSTEM, CPU_TOTAL, VERSION, SUMMARY, TIMESTAMP, SAMPLES, PROCESSES, NESTED = 2 };

/* Which keys the beginning of an object has: a bit of each. Those of the second level count only
 * where it is said. Pure; the text may be cut anywhere. */
static unsigned keys_of(const char *text, const char *end)
{
	static const struct {
		const char *key;
		int level;
	} keys[] = {
	    [COMMAND] = {"command", 1},           [SYSTEM] = {"system", 1},
	    [CPU_TOTAL] = {"cpu_total", 2},       [VERSION] = {"duct_version", 1},
	    [SUMMARY] = {"execution_summary", 1}, [TIMESTAMP] = {"timestamp", 1},
	    [SAMPLES] = {"num_samples", 1},       [PROCESSES] = {"processes", 1},
	};
	unsigned found = 0;
	int level = 0;

	for (const char *p = text; p < end; p++) {
		const char *from = p + 1;
		if (*p == '{' || *p == '[')
			level++;
		else if (*p == '}' || *p == ']')
			level--;
		if (level <= 0 && p > text)
			return found;
		if (*p != '"')
			continue;
		for (p++; p < end && *p != '"'; p++)
			p += *p == '\\';
		if (p + 1 >= end || p[1] != ':')
			continue;
		for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
			if (keys[i].level == level && strlen(keys[i].key) == (size_t)(p - from) &&
			    memcmp(keys[i].key, from, (size_t)(p - from)) == 0)
				found |= 1U << i;
	}
	return found;
}

static bool has_duct_key(unsigned found, int key)
{
	return found >> key & 1;
}

static bool is_usage(unsigned found)
{
	return has_duct_key(found, TIMESTAMP) && has_duct_key(found, SAMPLES) &&
	       has_duct_key(found, PROCESSES);
}

static unsigned keys_of_file(const char *text, size_t n)
{
	const char *end = text + n;

	if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		text += 3;
	return text < end && *text == '{' ? keys_of(text, end) : 0;
}

bool duct_recognise(const char *text, size_t n)
{
	unsigned found = keys_of_file(text, n);

	return is_usage(found) ||
	       (has_duct_key(found, COMMAND) &&
	        (has_duct_key(found, VERSION) ||
	         (has_duct_key(found, SYSTEM) && has_duct_key(found, CPU_TOTAL))));
}

int duct_read(struct import *in, struct err *e)
{
	char text[4096];
	size_t n = fread(text, 1, sizeof text, in->f);

	rewind(in->f);
	return is_usage(keys_of_file(text, n)) ? read_usage(in, e) : read_info(in, e);
}
