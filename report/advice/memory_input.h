/*
 * memory_input: which number the memory of a job is fitted over. Pure.
 *
 * A run has several inputs, and its need may follow the sum of their sizes, the largest, or one
 * that always stands at the same place of the command line ("--reads", "3": job_inputs.h).
 */
#ifndef REPORT_ADVICE_MEMORY_INPUT_H
#define REPORT_ADVICE_MEMORY_INPUT_H

#include "core/head/job_inputs.h"
#include "report/advice/memory_rule.h"
#include "report/history/memory_fit.h"

/* One run as the advice on memory sees it. */
struct memory_run {
	struct memory_need need; /* input_b: the sum of its inputs */
	const char *sizes;       /* of its single inputs (job_inputs.h); borrowed, NULL: unknown */
	double wall_s;           /* NAN: unknown, or it did not finish */
};

enum memory_input_of { MEMORY_INPUT_NONE, MEMORY_INPUT_ALL, MEMORY_INPUT_LARGEST, MEMORY_INPUT_AT };

struct memory_input {
	enum memory_input_of of;
	char at[JOB_INPUTS_AT_MAX]; /* of MEMORY_INPUT_AT */
};

/* Bytes of that input of the run; NAN: unknown. */
double memory_input_bytes(const struct memory_input *in, const struct memory_run *run);

/* The input of which the asks of n runs, each predicted from the others, waste least, and the line
 * over it, with the points (room for n) in the order of the runs. NONE without a usable line. */
struct memory_input memory_input_choose(const struct memory_run *v, size_t n,
                                        struct memory_point *point, struct memory_fit *fit,
                                        struct memory_trial *trial);

/* "the input", "the largest input", "the input of --reads", "the input at word 3". */
void memory_input_name(const struct memory_input *in, char out[64]);

/* The asks for any input (memory_fit_ask_convex) as a line to paste, over all of the input. */
struct advice_line;
void memory_input_line(const struct memory_fit *fit, struct advice_line *out);

#endif
