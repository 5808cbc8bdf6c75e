/* duct: what con/duct writes of a command. */
#include "fleet/import/duct.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "core/base/err.h"
#include "core/base/larger.h"
#include "core/base/quantity.h"
#include "core/head/snapshot_values.h"
#include "core/json/json_read.h"
#include "core/json/json_tree.h"
#include "core/json/json_write.h"
#include "core/recording/snapshot.h"
#include "fleet/import/import_row.h"

/* -- its JSON: an object, or one on each line -------------------------------------------------- */

#define SYSTEM_KEY  "system"
#define SUMMARY_KEY "execution_summary"

#define FILE_MAX ((uint64_t)1 << 30) /* bytes */
#define KEPT_MAX ((size_t)4 << 20)   /* of an object, of what is read of it */

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

static int skip_mark(FILE *f)
{
	int c = getc_unlocked(f);

	if (c != 0xef)
		return ungetc(c, f);
	getc_unlocked(f);
	return getc_unlocked(f);
}

/* Other members may be long, as "processes" is, which has most of the bytes. */
static bool is_of_use(const char *key)
{
	static const char *const keys[] = {"command",   "system", "env",      "gpu",
	                                   SUMMARY_KEY, "totals", "averages", "timestamp"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

/* Copies the members of an object that are read. */
static int copy_object(struct json_read *j, struct buf *text)
{
	struct buf key = {.max = KEPT_MAX};
	bool first = true;
	int more = json_read_open(j, '{');

	buf_char(text, '{');
	while (!more && (more = json_read_more(j, '{', &first)) > 0) {
		bool kept;
		more = json_read_key(j, &key);
		kept = is_of_use(buf_cstr(&key));
		if (kept) {
			buf_str(text, text->len > 1 ? "," : "");
			json_write_quote(text, buf_cstr(&key), key.len);
			buf_char(text, ':');
		}
		more = more || json_read_skip(j, kept ? text : NULL);
	}
	buf_char(text, '}');
	buf_free(&key);
	return more || json_read_end(j) ? -1 : 0;
}

/* Reads one object: the rest of the file, or with line a line of it, which is passed over whether
 * it is understood or not. 1: it was read; 0: there is none; -1 with a sentence if it is not an
 * object, or is cut. */
static int read_duct(FILE *f, bool line, cJSON **tree, struct err *e)
{
	struct source s = {.f = f, .line = line};
	struct gz_source from = {.read = read_source, .ctx = &s};
	struct json_read *j = NULL;
	struct buf text = {.max = KEPT_MAX};
	struct gz_in *g = NULL;
	int result = -1;

	*tree = NULL;
	if (skip_mark(f) == EOF)
		return 0;
	j = malloc(sizeof *j);
	g = j ? gz_in_from(&from, FILE_MAX, e) : NULL;
	if (!g) {
		err_set(e, "not enough memory");
		goto out;
	}
	json_read_init(j, g, "JSON", e);
	if (!json_read_peek(j)) {
		result = j->failed ? -1 : 0;
	} else if (copy_object(j, &text) == 0) {
		json_tree_mend(text.s, text.len);
		*tree = text.failed ? NULL : cJSON_ParseWithLength(text.s, text.len);
		if (*tree)
			result = 1;
		else
			err_set(e, text.failed
			               ? "its command, summary and environment have more than 4 MiB"
			               : "it is not JSON");
	}
	while (line && !s.ended) {
		int c = getc_unlocked(f);
		s.ended = c == EOF || c == '\n';
	}
out:
	buf_free(&text);
	gz_in_free(g);
	free(j);
	return result;
}

/* The last of a key that comes twice counts, as for Python, jq and JavaScript; NULL: none. */
static const cJSON *last_member(const cJSON *object, const char *key)
{
	const cJSON *found = NULL, *item;

	if (cJSON_IsObject(object))
		cJSON_ArrayForEach (item, object)
			if (strcmp(item->string, key) == 0)
				found = item;
	return found;
}

/* A member of an object of the tree. */
static const cJSON *duct_member(const cJSON *tree, const char *object, const char *key)
{
	return last_member(last_member(tree, object), key);
}

static double duct_number(const cJSON *tree, const char *object, const char *key)
{
	return snapshot_values_number(duct_member(tree, object, key));
}

/* "": there is none. */
static const char *duct_text(const cJSON *v)
{
	return cJSON_IsString(v) ? v->valuestring : "";
}

static const char *slurm_text(const cJSON *tree, const char *key)
{
	return duct_text(duct_member(tree, "env", key));
}

static double slurm_number(const cJSON *tree, const char *key)
{
	double v;

	return import_row_number(slurm_text(tree, key), &v) ? NAN : v;
}

/* -- as rows ----------------------------------------------------------------------------------- */

#define NUMBER_MAX 1e18

/* A negative number, or one that no machine has, is not understood. */
static double known_amount(struct import_row *r, const cJSON *tree, const char *object,
                           const char *key)
{
	double v = duct_number(tree, object, key);
	char text[32], path[64];

	if (isnan(v) || (v >= 0 && v <= NUMBER_MAX))
		return v;
	snprintf(text, sizeof text, "%g", v);
	snprintf(path, sizeof path, "%s.%s", object, key);
	import_reader_unknown(r->in, r->line, path, text);
	return NAN;
}

/* -- what the summary says --------------------------------------------------------------------- */

/* As rtrack-collect does for a recording: the ask of a job of one node and one task is that of the
 * command. */
static void put_slurm(struct import_row *r, const cJSON *tree)
{
	struct rtrack_row *row = &r->row;
	const char *job = slurm_text(tree, "SLURM_JOB_ID");
	const char *cluster = slurm_text(tree, "SLURM_CLUSTER_NAME");
	const char *restarts = slurm_text(tree, "SLURM_RESTART_COUNT");
	const char *account = slurm_text(tree, "SLURM_JOB_ACCOUNT");
	double cpus = slurm_number(tree, "SLURM_CPUS_ON_NODE");
	double memory = slurm_number(tree, "SLURM_MEM_PER_NODE") * QUANTITY_MIB;
	char id[112];

	if (!*job)
		return;
	snprintf(id, sizeof id, "slurm/%.40s/%.30s/%.10s", cluster, job,
	         *restarts ? restarts : "0");
	import_row_text(r, RTRACK_ROW_JOB_ID, id, sizeof id);
	import_row_text(r, RTRACK_ROW_ACCOUNT, account, 64);
	import_row_label(r, "scheduler", "slurm");
	import_row_label(r, "slurm.job_id", job);
	import_row_label(r, "slurm.cluster", cluster);
	import_row_label(r, "slurm.account", account);
	import_row_label(r, "slurm.partition", slurm_text(tree, "SLURM_JOB_PARTITION"));
	if (slurm_number(tree, "SLURM_JOB_NUM_NODES") != 1 ||
	    slurm_number(tree, "SLURM_NTASKS") > 1)
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
static void put_code(struct import_row *r, double code)
{
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
		import_reader_unknown(r->in, r->line, SUMMARY_KEY ".exit_code", text);
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

static void put_summary(struct import_row *r, const cJSON *tree)
{
	struct rtrack_row *row = &r->row;
	const cJSON *gpus = last_member(tree, "gpu");
	double cpus = known_amount(r, tree, SYSTEM_KEY, "cpu_total"),
	       memory = known_amount(r, tree, SYSTEM_KEY, "memory_total");

	import_row_program(r, duct_text(last_member(tree, "command")));
	import_row_text(r, RTRACK_ROW_HOST, duct_text(duct_member(tree, SYSTEM_KEY, "hostname")),
	                64);
	import_row_text(r, RTRACK_ROW_USER, duct_text(duct_member(tree, SYSTEM_KEY, "user")), 64);
	import_row_text(r, RTRACK_ROW_DIRECTORY,
	                duct_text(duct_member(tree, SUMMARY_KEY, "working_directory")),
	                IMPORT_ROW_PATH);
	row->of[RTRACK_ROW_START].number = known_amount(r, tree, SUMMARY_KEY, "start_time");
	row->of[RTRACK_ROW_WALL].number = known_amount(r, tree, SUMMARY_KEY, "wall_clock_time");
	row->of[RTRACK_ROW_SAMPLES].number = known_amount(r, tree, SUMMARY_KEY, "num_samples");
	row->of[RTRACK_ROW_VCPUS].number = cpus > 0 ? cpus : NAN;
	row->of[RTRACK_ROW_MACHINE_MEMORY].number = memory > 0 ? memory : NAN;
	row->of[RTRACK_ROW_MACHINE_GPUS].number =
	    cJSON_IsArray(gpus) ? (double)cJSON_GetArraySize(gpus) : (double)NAN;
	put_memory(r, known_amount(r, tree, SUMMARY_KEY, "peak_rss"),
	           known_amount(r, tree, SUMMARY_KEY, "average_rss"));
	put_slurm(r, tree);
	put_code(r, duct_number(tree, SUMMARY_KEY, "exit_code"));
}

static int read_info(struct import *in, struct err *e)
{
	struct import_row r;
	struct err why = {.msg = ""};
	cJSON *tree;
	int got;

	import_row_begin(&r, in, 1);
	in->lines++;
	got = read_duct(in->f, false, &tree, &why);
	if (got <= 0) {
		import_reader_left_out(in, 1, got ? why.msg : "it is empty");
		return 0;
	}
	put_summary(&r, tree);
	cJSON_Delete(tree);
	return import_row_give(&r, "info", false, e);
}

/* -- usage alone ------------------------------------------------------------------------------- */

/* The totals of a line are the largest of its samples, and so they make the peak; the averages make
 * the mean. */
static int read_usage(struct import *in, struct err *e)
{
	double peak = NAN, sum = 0, n = 0, first = NAN, last = NAN, at;
	struct import_row r;

	import_row_begin(&r, in, 0);
	for (;;) {
		struct err why = {.msg = ""};
		double samples;
		cJSON *tree;
		int got = read_duct(in->f, true, &tree, &why);
		if (got == 0 && (feof(in->f) || ferror(in->f)))
			break;
		r.line++;
		if (got < 0)
			import_reader_left_out(in, r.line, why.msg);
		if (got <= 0)
			continue;
		in->lines++;
		peak = larger(peak, known_amount(&r, tree, "totals", "rss"));
		samples = duct_number(tree, "averages", "num_samples");
		sum += duct_number(tree, "averages", "rss") * samples;
		n += samples;
		at = import_row_value(&r, "timestamp", duct_text(last_member(tree, "timestamp")),
		                      import_row_time);
		cJSON_Delete(tree);
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
