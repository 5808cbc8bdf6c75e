/* sacct: any bytes as sacct's text, its JSON, and seff's text, whatever they look like. */
#include <math.h>
#include <string.h>

#include "fleet/import/import.h"
#include "tests/fuzz/fuzz.h"

static int each(void *ctx, const struct import_job *job, struct err *e)
{
	size_t *jobs = ctx;

	(void)e;
	must(*job->key && strlen(job->key) < 256);
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		double v = job->row->of[i].number;
		must(strlen(job->row->of[i].text) <= 256);
		must(isnan(v) || (isfinite(v) && v >= 0));
	}
	++*jobs;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum import_kind kinds[] = {IMPORT_SACCT, IMPORT_SACCT_JSON, IMPORT_SEFF};

	(void)import_kind_of((const char *)data, size);
	for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++) {
		size_t jobs = 0;
		struct import in = {.name = "f", .steps = i % 2, .each = each, .ctx = &jobs};
		struct err e = {0};

		in.f = fdopen(fuzz_file(data, size), "r");
		must(in.f);
		if (import_read(&in, kinds[i / 2], &e))
			must(*e.msg);
		must(in.jobs == jobs && jobs <= in.lines);
		must(!(in.unknown + in.left_out + in.impossible) == !*in.example.msg);
		fclose(in.f);
	}
	return 0;
}
