/*
 * snippets: the advice as lines to paste into what starts the job.
 *
 * Each tool has units of its own; what is converted is rounded up, so that no line asks for less
 * than the advice says.
 */
#ifndef REPORT_ADVICE_SNIPPETS_H
#define REPORT_ADVICE_SNIPPETS_H

#include "report/advice/advice.h"

#define SNIPPETS_MAX 8

struct snippet {
	const char *id, *label; /* static */
	char text[640];         /* lines, without a newline at the end */
};

/* What is not known is left out. Returns how many were written, at most max; 0 where neither CPU
 * nor memory is known. */
size_t snippets_make(const struct advice *a, struct snippet *out, size_t max);

#endif
