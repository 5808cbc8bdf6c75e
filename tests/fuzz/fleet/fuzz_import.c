/* import: any bytes as a file of another program, and as each kind that can be read. Texts are valid
 * UTF-8 without control characters, numbers are finite and no kind gives the same key twice but for
 * those that are global. */
#include <math.h>
#include <string.h>

#include "core/base/utf8.h"
#include "fleet/import/gnu_time.h"
#include "fleet/import/import.h"
#include "fleet/import/nextflow_trace.h"
#include "fleet/import/snakemake_benchmark.h"
#include "tests/fuzz/fuzz.h"

struct seen {
	size_t jobs;
	char key[256];
};

static void check_text(const char *text)
{
	size_t n = strlen(text), length;

	must(n < RTRACK_ROW_MAX);
	for (size_t at = 0; at < n; at += length) {
		length = utf8_length(text + at, n - at);
		must(length && (unsigned char)text[at] >= ' ' && text[at] != 0x7f);
	}
}

static int each(void *ctx, const struct import_job *job, struct err *e)
{
	struct seen *seen = ctx;

	(void)e;
	must(*job->key && (job->global || strcmp(job->key, seen->key) != 0));
	snprintf(seen->key, sizeof seen->key, "%s", job->key);
	seen->jobs++;
	must(isnan(job->submit) || (job->submit >= 0 && isfinite(job->submit)));
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		double v = job->row->of[i].number;
		if (rtrack_row_is_text(i))
			check_text(job->row->of[i].text);
		else
			must(isnan(v) || isfinite(v));
	}
	return 0;
}

static void read_as(const uint8_t *data, size_t size, enum import_kind kind)
{
	struct seen seen = {.jobs = 0};
	struct import in = {
	    .name = "runs/benchmarks/x.txt", .f = NULL, .now = 1e9, .each = each, .ctx = &seen};
	struct err e = {.msg = ""};
	int fd = fuzz_file(data, size);

	in.f = fdopen(fd, "r");
	must(in.f);
	if (import_read(&in, kind, &e))
		must(*e.msg);
	must(in.jobs == seen.jobs && (in.jobs + in.left_out == 0 || in.lines + in.left_out));
	must((in.unknown || in.left_out || in.impossible) == (*in.example.msg != '\0'));
	fclose(in.f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), name[32];
	double v;

	must(import_kind_of((const char *)data, size) < IMPORT_KINDS);
	for (int i = 1; i < IMPORT_KINDS; i++)
		if (import_origin_of((enum import_kind)i))
			read_as(data, size, (enum import_kind)i);
	if (nextflow_trace_bytes(text, &v) == 0)
		must(v >= 0);
	if (nextflow_trace_duration(text, &v) == 0)
		must(v >= 0);
	if (gnu_time_elapsed(text, &v) == 0)
		must(v >= 0 && isfinite(v));
	snakemake_benchmark_name(text, name, sizeof name);
	must(strlen(name) < sizeof name);
	snakemake_benchmark_item(text, "mem_mb");
	free(text);
	return 0;
}
