/* snakemake_benchmark: a file of Snakemake's directive `benchmark`. */
#include "fleet/import/snakemake_benchmark.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/base/quantity.h"
#include "core/recording/snapshot.h"
#include "fleet/import/import_row.h"
#include "fleet/import/import_table.h"

#define SNAKEMAKE "snakemake"
#define PERCENT   100
#define ODD_SHARE 1.1
#define ODD_S     0.1
#define SHORT_S                                                                                    \
	1 /* a job below was looked at twice at most: at its start, and half a second later */

enum column {
	RULE_NAME,
	JOBID,
	WILDCARDS,
	S,
	H_M_S,
	CPU_TIME,
	MEAN_LOAD,
	MAX_RSS,
	MAX_PSS,
	IO_IN,
	IO_OUT,
	THREADS,
	RESOURCES,
	FILE_PATH, /* of tables that people make of many files */
	FILE_NAME,
	FILE_OF,
	PATH_OF,
	BENCHMARK,
	COLUMNS
};

#define NUMBER .number = import_row_number
#define IN_MIB .number = import_row_number, .unit = QUANTITY_MIB, .positive = true

/* 0 is what was not seen. */
static const struct import_column columns[COLUMNS] = {
    [RULE_NAME] = {"rule_name", .label = "snakemake.rule"},
    [JOBID] = {"jobid", .label = "snakemake.job_id"},
    [WILDCARDS] = {"wildcards", .label = "snakemake.wildcards"},
    [S] = {"s", .to = IMPORT_TO(WALL), NUMBER},
    [H_M_S] = {"h:m:s"},
    [CPU_TIME] = {"cpu_time", NUMBER},
    [MEAN_LOAD] = {"mean_load", NUMBER},
    [MAX_RSS] = {"max_rss", IN_MIB},
    [MAX_PSS] = {"max_pss", IN_MIB},
    [IO_IN] = {"io_in", IN_MIB},
    [IO_OUT] = {"io_out", IN_MIB},
    [THREADS] = {"threads", .to = IMPORT_TO(ASKED_CPUS), NUMBER, .positive = true},
    [RESOURCES] = {"resources"},
    [FILE_PATH] = {"file_path"},
    [FILE_NAME] = {"filename"},
    [FILE_OF] = {"file"},
    [PATH_OF] = {"path"},
    [BENCHMARK] = {"benchmark"},
};

/* -- names and values -------------------------------------------------------------------------- */

static bool is_one_of(const char *text, size_t n, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == n && strncasecmp(text, *words, n) == 0)
			return true;
	return false;
}

void snakemake_benchmark_name(const char *path, char *out, size_t size)
{
	static const char *const folders[] = {"benchmarks", "benchmark", "bench", NULL};
	static const char *const ends[] = {".txt",       ".tsv",        ".csv", ".log", ".bench",
	                                   ".benchmark", ".benchmarks", ".bmk", NULL};
	const char *file = strrchr(path, '/'), *name = file ? file + 1 : path, *dot;
	size_t n = strlen(name);

	while ((dot = memrchr(name, '.', n)) && dot > name &&
	       is_one_of(dot, n - (size_t)(dot - name), ends))
		n = (size_t)(dot - name);
	for (const char *at = path; file && at < file; at += strcspn(at, "/") + 1) {
		const char *below = at + strcspn(at, "/") + 1;
		if (below < file && is_one_of(at, strcspn(at, "/"), folders)) {
			name = below;
			n = strcspn(below, "/");
		}
	}
	snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), name);
}

double snakemake_benchmark_item(const char *dict, const char *key)
{
	size_t n = strlen(key);
	double v;

	for (const char *at = dict; (at = strstr(at, key)); at += n) {
		const char *p = at + n;
		if (at == dict || (at[-1] != '\'' && at[-1] != '"') || *p != at[-1])
			continue;
		p++;
		p += strspn(p, " :");
		if (!quantity_number(p, &v))
			return NAN;
		return isfinite(v) ? v : NAN;
	}
	return NAN;
}

static double seen(double v)
{
	return v > 0 ? v : NAN;
}

/* -- a repetition ------------------------------------------------------------------------------ */

/* The time of the processes that were alive at the last look, and what was seen of all of them
 * from look to look. The second is less, as it lacks what a process did before it was first
 * seen: where it is more, processes ended, and nobody knows what they had used. (Newer versions
 * write the load in cores, which is a hundredth.) 0 is what was not seen. */
static double cpu_seen(double alive, double steps)
{
	if (isnan(alive))
		return seen(steps);
	return steps > alive * ODD_SHARE + ODD_S ? NAN : seen(alive);
}

/* PSS counts what processes share once, as rtrack does; RSS once for each of them. */
static void put_seen(struct import_row *r, const struct import_table *t)
{
	struct rtrack_row *row = &r->row;
	const double *number = t->number;
	double wall = number[S], cpu, peak;

	if (!(wall >= SHORT_S))
		return;
	cpu = cpu_seen(number[CPU_TIME], number[MEAN_LOAD] / PERCENT * wall);
	row->of[RTRACK_ROW_CPU].number = cpu;
	row->of[RTRACK_ROW_CORES_MEAN].number = cpu / wall;
	peak = isnan(number[MAX_PSS]) ? number[MAX_RSS] : number[MAX_PSS];
	peak = import_reader_peak(r->in, r->line, peak, NAN);
	row->of[RTRACK_ROW_MEMORY_PEAK].number = peak;
	row->of[RTRACK_ROW_MEMORY_KNOWN].text = isnan(peak) ? "" : SNAPSHOT_MEMORY_SAMPLED;
	row->of[RTRACK_ROW_READ].number = number[IO_IN];
	row->of[RTRACK_ROW_WRITTEN].number = number[IO_OUT];
}

/* The ask of a rule: memory in MB of 1000², time in minutes. */
static void put_ask(struct import_row *r, const struct import_table *t)
{
	struct rtrack_row *row = &r->row;
	double cpus = t->number[THREADS];
	double memory = seen(snakemake_benchmark_item(t->cell[RESOURCES], "mem_mb") * 1e6);

	row->of[RTRACK_ROW_CPU].number = import_reader_cpu(
	    r->in, r->line, row->of[RTRACK_ROW_CPU].number, row->of[RTRACK_ROW_WALL].number, cpus);
	if (isnan(row->of[RTRACK_ROW_CPU].number))
		row->of[RTRACK_ROW_CORES_MEAN].number = NAN;
	row->of[RTRACK_ROW_ASKED_CPUS_SOURCE].text = isnan(cpus) ? "" : SNAKEMAKE;
	row->of[RTRACK_ROW_ASKED_MEMORY].number = memory;
	row->of[RTRACK_ROW_ASKED_MEMORY_SOURCE].text = isnan(memory) ? "" : SNAKEMAKE;
	row->of[RTRACK_ROW_ASKED_TIME].number =
	    seen(snakemake_benchmark_item(t->cell[RESOURCES], "runtime") * 60);
}

static int read_repetition(struct import_row *r, struct import_table *t, const char *name,
                           size_t repetition, struct err *e)
{
	char key[IMPORT_ROW_KEY], of_file[IMPORT_ROW_NAME * 2];

	import_row_begin(r, t->in, t->line.number);
	for (size_t i = FILE_PATH; i < COLUMNS; i++)
		if (!import_row_absent(t->cell[i])) {
			snakemake_benchmark_name(t->cell[i], of_file, sizeof of_file);
			name = of_file;
			break;
		}
	import_row_text(r, RTRACK_ROW_NAME, name, IMPORT_ROW_NAME);
	import_row_text(r, RTRACK_ROW_NAME, t->cell[RULE_NAME], IMPORT_ROW_NAME);
	import_row_label(r, "workflow", SNAKEMAKE);
	import_table_fill(t, r);
	put_seen(r, t);
	put_ask(r, t);
	if (isnan(r->row.of[RTRACK_ROW_WALL].number)) {
		import_reader_left_out(t->in, t->line.number, "the line has no time");
		return 0;
	}
	/* A job that failed leaves no file. */
	r->row.of[RTRACK_ROW_STATUS].text = "exited";
	r->row.of[RTRACK_ROW_CODE].number = 0;
	snprintf(key, sizeof key, "%zu", repetition);
	return import_row_give(r, key, false, e);
}

/* -- the file ---------------------------------------------------------------------------------- */

bool snakemake_benchmark_recognise(const char *text, size_t n)
{
	return import_table_recognise(text, n, columns[S].name, columns[H_M_S].name) &&
	       import_table_has(text, n, columns[MAX_RSS].name);
}

int snakemake_benchmark_read(struct import *in, struct err *e)
{
	struct import_table t = {.in = NULL};
	struct import_row r;
	char name[IMPORT_ROW_NAME * 2];
	int failed = import_table_open(&t, in, columns, COLUMNS, e);

	snakemake_benchmark_name(in->name, name, sizeof name);
	for (size_t i = 1; !failed && import_table_next(&t); i++) {
		if (i == SNAKEMAKE_BENCHMARK_LINES + 1) /* whatever else there is to say */
			err_set(&in->example,
			        "%s:%zu: the lines after the first %d are not read; give them as "
			        "files of their own",
			        in->name, t.line.number, SNAKEMAKE_BENCHMARK_LINES);
		if (i > SNAKEMAKE_BENCHMARK_LINES)
			in->left_out++;
		else
			failed = read_repetition(&r, &t, name, i, e);
	}
	import_table_free(&t);
	return failed;
}
