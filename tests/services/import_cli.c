/* Prints what an import gives of each FILE: a line for each job, NAME and columns=values; then KIND, jobs, unknown values,
 * lines that were left out. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fleet/import/import.h"

static int each(void *ctx, const struct import_job *job, struct err *e)
{
	(void)ctx, (void)e;
	printf("%s", job->row->of[RTRACK_ROW_NAME].text);
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		if (rtrack_row_is_text(i) && *job->row->of[i].text)
			printf("\t%s=%s", rtrack_row_columns[i].key, job->row->of[i].text);
		else if (!rtrack_row_is_text(i) && !isnan(job->row->of[i].number))
			printf("\t%s=%.15g", rtrack_row_columns[i].key, job->row->of[i].number);
	}
	puts("");
	return 0;
}

int main(int argc, char **argv)
{
	struct err e = {.msg = ""};

	for (int i = 1; i < argc; i++) {
		struct import in = {.name = argv[i], .f = fopen(argv[i], "r"), .each = each};
		char text[4096];
		size_t n = in.f ? fread(text, 1, sizeof text, in.f) : 0;
		enum import_kind kind = import_kind_of(text, n);
		if (!in.f || !kind)
			return 1;
		rewind(in.f);
		if (import_read(&in, kind, &e))
			return 2;
		printf("%s: %zu jobs, %zu unknown, %zu left out\n",
		       import_origins[import_origin_of(kind)], in.jobs, in.unknown, in.left_out);
		fclose(in.f);
	}
	return 0;
}
