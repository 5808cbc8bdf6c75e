/*
 * snippets: the advice as lines for the configuration of schedulers and CI systems.
 *
 * Each tool has its own units. Conversions round up, so that no line requests less than the advice.
 */
#ifndef REPORT_ADVICE_SNIPPETS_H
#define REPORT_ADVICE_SNIPPETS_H

#include "core/base/buf.h"
#include "report/advice/advice.h"

#define SNIPPETS_MAX 11

struct snippet {
	const char *id, *label; /* static */
	char text[640];         /* lines, without the last newline */
};

/* The block of one process in Nextflow's configuration, "withName: 'ALIGN' { … }", indented by four
 * blanks. A task's own tag, as in "ALIGN (sample 1)", is not part of the process's name. */
void snippets_nextflow_process(const struct advice *a, struct buf *b);

/* Unknown items are omitted. With a line over the input, Snakemake and Nextflow get functions of
 * it, and only then are there snippets for WDL, CWL and sbatch. Returns how many snippets were
 * written, at most max; 0 if neither CPU nor memory is known. */
size_t snippets_make(const struct advice *a, struct snippet *out, size_t max);

#endif
