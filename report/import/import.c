/* import: what other programs wrote down about jobs. */
#include "report/import/import.h"

#include <errno.h>
#include <string.h>

#include "report/import/duct.h"
#include "report/import/gnu_time.h"
#include "report/import/import_refused.h"
#include "report/import/nextflow_trace.h"
#include "report/import/sacct.h"
#include "report/import/sacct_json.h"
#include "report/import/seff.h"
#include "report/import/snakemake_benchmark.h"

const char *const import_origins[IMPORT_ORIGINS] = {
    [IMPORT_RECORDED] = "recorded",      [IMPORT_OF_SACCT] = "sacct",
    [IMPORT_OF_SEFF] = "seff",           [IMPORT_OF_NEXTFLOW] = "nextflow",
    [IMPORT_OF_SNAKEMAKE] = "snakemake", [IMPORT_OF_TIME] = "time",
    [IMPORT_OF_DUCT] = "duct",           [IMPORT_RECORDED_AND_SACCT] = "recorded+sacct",
};

static bool looks_refused(const char *text, size_t n)
{
	return import_refused(text, n) != NULL;
}

static int say_refused(struct import *in, struct err *e)
{
	char head[IMPORT_HEAD];
	size_t n = fread(head, 1, sizeof head, in->f);
	const char *why = import_refused(head, n);

	return err_set(e, "%s: this looks like %s", in->name, why ? why : "another file now");
}

static const struct {
	enum import_origin origin;
	bool (*recognise)(const char *text, size_t n);
	int (*read)(struct import *in, struct err *e);
} kinds[IMPORT_KINDS] = {
    [IMPORT_NONE] = {IMPORT_RECORDED, NULL, NULL},
    [IMPORT_NEXTFLOW] = {IMPORT_OF_NEXTFLOW, nextflow_trace_recognise, nextflow_trace_read},
    [IMPORT_SNAKEMAKE] = {IMPORT_OF_SNAKEMAKE, snakemake_benchmark_recognise,
                          snakemake_benchmark_read},
    [IMPORT_TIME] = {IMPORT_OF_TIME, gnu_time_recognise, gnu_time_read},
    [IMPORT_DUCT] = {IMPORT_OF_DUCT, duct_recognise, duct_read},
    [IMPORT_SACCT] = {IMPORT_OF_SACCT, sacct_recognise, sacct_read},
    [IMPORT_SACCT_JSON] = {IMPORT_OF_SACCT, sacct_json_recognise, sacct_json_read},
    [IMPORT_SEFF] = {IMPORT_OF_SEFF, seff_recognise, seff_read},
    [IMPORT_REFUSED] = {IMPORT_RECORDED, looks_refused, say_refused},
};

enum import_kind import_kind_of(const char *text, size_t n)
{
	for (int i = 1; i < IMPORT_KINDS; i++)
		if (kinds[i].recognise && kinds[i].recognise(text, n))
			return (enum import_kind)i;
	return IMPORT_NONE;
}

enum import_origin import_origin_of(enum import_kind kind)
{
	return kinds[kind].origin;
}

enum import_origin import_origin_find(const char *word)
{
	int i = IMPORT_ORIGINS - 1;

	while (i > IMPORT_RECORDED && strcmp(import_origins[i], word) != 0)
		i--;
	return (enum import_origin)i;
}

int import_read(struct import *in, enum import_kind kind, struct err *e)
{
	if (!kinds[kind].read)
		return err_set(e, "%s: not a file that can be imported", in->name);
	if (kinds[kind].read(in, e))
		return -1;
	return ferror(in->f) ? err_set(e, "%s: %s", in->name, strerror(errno)) : 0;
}
