/*
 * cpu_rule: the CPUs to ask for, from the time that runs take with each number of them
 * (core/numbers/time_at.h).
 *
 *   CPUs = the smallest N with time(N) ≤ (1 + slowdown) × time(CPUs as they were asked, all free)
 *
 * A job that was short of CPU loses none that would make it faster. Pure.
 */
#ifndef REPORT_ADVICE_CPU_RULE_H
#define REPORT_ADVICE_CPU_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/numbers/time_at.h"

#define CPU_RULE_SLOWDOWN 0.1
#define CPU_RULE_FELT     0.05 /* of the time: CPUs that save less are not missed */

/* Shorter runs, or of fewer samples, are not worth a table. */
#define CPU_RULE_SHOWN_S       60
#define CPU_RULE_SHOWN_SAMPLES 10

#define CPU_RULE_ROWS 10 /* of the table */

struct cpu_rule {
	bool known;
	struct time_at sums; /* of all runs, one after the other */
	size_t runs;
	double asked; /* CPUs, on each node: as asked for, else as allowed */
	double slowdown;
	double fewest; /* by the formula alone */
	double cpus;   /* proposed */
	double floor;  /* it was short of CPU: none is taken away below this; 0: it was not */
};

/* Fills the rest from .sums, .runs, .asked, .slowdown. is_short: of CPU. */
void cpu_rule_make(struct cpu_rule *c, bool is_short);

/* "the fewest with which it takes at most 10% longer than with 16: 2 h 2 min with 16, 2 h 10 min
 * with 4, 2 h 33 min with 3". */
void cpu_rule_formula(const struct cpu_rule *c, char *out, size_t size);

/* "With 4 CPUs instead of 16 it would take 2 h 10 min instead of 2 h 02 min." */
void cpu_rule_sentence(const struct cpu_rule *c, struct buf *out);

/* Numbers of CPUs worth listing: 1, 2, 3, 4, 6, 8, 12 … up to the widest, with those asked and
 * proposed; at most CPU_RULE_ROWS. Returns how many. */
size_t cpu_rule_list(const struct cpu_rule *c, double cpus[CPU_RULE_ROWS]);

/* Whether a reader has something to choose: the run is not short, and was wide or had more than one
 * CPU. */
bool cpu_rule_is_worth(const struct cpu_rule *c);

#endif
