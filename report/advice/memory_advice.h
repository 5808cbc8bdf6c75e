/*
 * memory_advice: how much memory to ask for, from all that is known of a job's runs: by the line
 * over the input (memory_fit.h), else by what a failure is worth (memory_rule.h); and how well
 * these would have done on the runs themselves. Pure.
 */
#ifndef REPORT_ADVICE_MEMORY_ADVICE_H
#define REPORT_ADVICE_MEMORY_ADVICE_H

#include "report/advice/advice.h"
#include "report/advice/memory_input.h"

enum memory_by {
	MEMORY_BY_NOTHING, /* no need is known */
	MEMORY_BY_PLAIN, /* the largest × MEMORY_RULE_HEADROOM: few runs, or the rule did worse */
	MEMORY_BY_RULE,
	MEMORY_BY_INPUT
};

/* How one way to ask would have done, each run predicted from those before it. */
struct memory_record {
	size_t runs, failed; /* a run that was killed is in both, whatever was asked for */
	double asked_b;      /* sum over runs */
	double unused_b;     /* sum over those that fitted */
	double wasted_b;     /* that, and the asks of those that failed */
};

struct memory_advice {
	enum memory_by by;
	double ask_b; /* rounded up by advice_step; NAN: unknown */
	struct memory_situation now;
	struct memory_rule rule;
	struct memory_value value[MEMORY_RULE_LAST]; /* what the rule is made from, ascending */
	size_t n_values;

	struct memory_input input; /* NONE: there is no line */
	struct memory_fit fit;
	struct memory_point point[MEMORY_RULE_LAST];
	size_t n_points; /* runs, also those whose input is unknown */
	struct memory_trial trial;
	double input_b; /* of this run: what the ask is for; NAN: unknown */
	bool guess;     /* that is beyond what the line can tell (memory_fit.h) */

	struct memory_fit wall; /* seconds over the same input; usable or not */
	double wall_most_s;     /* with its bound; NAN: it is not */

	/* The records of the way that is used, and of the plain one. Without runs: fewer than 5
	 * came before. */
	struct memory_record record, plain;
	bool rule_lost;  /* it did worse than the plain one, which is used instead */
	bool fit_lost;   /* likewise, on the runs before which there was a line */
	double time_off; /* the median of |predicted − real| / real time; NAN: unknown */
};

struct memory_request {
	double today_b;                /* what is asked for today; NAN: unknown */
	double lambda;                 /* 0: by default */
	const struct memory_run *with; /* its inputs are those of the next run; NULL: unknown */
};

/* Over runs in any order, of which the last MEMORY_RULE_LAST count. Sorts v by start. Large: keep
 * *out on the heap. */
void memory_advice_make(struct memory_run *v, size_t n, const struct memory_request *q,
                        struct memory_advice *out);

/* Needs for a curve of asks, ascending, and the rule that weighs them. Where the ask is by the
 * input: what the runs would have needed with this one's. Returns their number. */
size_t memory_advice_curve(const struct memory_advice *m, struct memory_rule *rule,
                           struct memory_value out[MEMORY_RULE_LAST]);

/* The ask as a line over the input; of is NONE where it is not by the input. */
void memory_advice_line(const struct memory_advice *m, struct advice_line *out);

/* The formula with its numbers: "step(…) = 3072 MiB". */
void memory_advice_formula(const struct memory_advice *m, char *out, size_t size);

#endif
