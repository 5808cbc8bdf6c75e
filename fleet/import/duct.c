/* duct: what con/duct writes of a command. */
#include "fleet/import/duct.h"

#include <math.h>
#include <string.h>

#include "core/base/larger.h"
#include "core/recording/snapshot.h"
#include "fleet/import/duct_file.h"
#include "fleet/import/import_row.h"

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
