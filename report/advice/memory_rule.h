/*
 * memory_rule: how much memory to ask for, from what earlier runs needed. Pure.
 *
 * More memory than a run needs is wasted; less, and all of the run is. The ask A is the one that
 * costs least with λ as the worth of a failed run, in runs:
 *
 *   A + λ × P(need > A) × (A + B)        B = the larger of today's ask and m, the largest need
 *
 *   P = (runs above A + k + 0.3) / (n + 0.4)                for A < m
 *   P = (k + 0.7 × (A / m)^(−1/h)) / (n + 0.4)              from m on
 *   h = max(0.03, mean of ln(x_i / x_(k+1)) over the k largest), k = min(⌊2√n⌋, n − 1)
 *
 * over A in {1.02 × each need from the median up} and m × {1.05 … 2.5}, each rounded up by
 * advice_step. P from m on is a power tail whose exponent is Hill's estimate. With fewer than
 * MEMORY_RULE_RUNS runs, A = m × 1.2. Then A is lifted to what the latest runs call for: see
 * struct memory_situation. docs/advice.md has worked examples.
 *
 * The need of a run that was killed for memory is unknown: it is more than its limit. So in n, m
 * and h such a run counts with its limit, and in P as one of k that fail whatever A is. If k × λ ≥
 * n, A is at least twice the largest limit that killed.
 *
 *   struct memory_situation now = {.today_b = NAN, .lambda = MEMORY_RULE_BALANCED};
 *   memory_rule_make(values, n, &now, &rule);
 *   ask = rule.ask_b;
 */
#ifndef REPORT_ADVICE_MEMORY_RULE_H
#define REPORT_ADVICE_MEMORY_RULE_H

#include <stdbool.h>
#include <stddef.h>

/* λ: what a failed run is worth, in runs. */
#define MEMORY_RULE_THRIFTY  5.0
#define MEMORY_RULE_BALANCED 20.0
#define MEMORY_RULE_CAREFUL  50.0

#define MEMORY_RULE_RUNS     5   /* fewer do not show how runs differ */
#define MEMORY_RULE_LAST     200 /* runs that count: the last that finished */
#define MEMORY_RULE_HEADROOM 1.2 /* × m, with fewer runs */
#define MEMORY_RULE_KILLED   2.0 /* × a limit that killed a run */
#define MEMORY_RULE_TAIL     0.03
#define MEMORY_RULE_GROWTH   2.0 /* at most */

#define MEMORY_RULE_CHOICE 10 /* fewer runs do not show which of two ways of asking does better */

#define MEMORY_RULE_RECENT       5   /* runs that tell where a job is now */
#define MEMORY_RULE_ABOVE_RECENT 1.1 /* × the largest of them, at least */

/* The need of one run. */
struct memory_need {
	double need_b;  /* peak; of a run that was killed for memory not used */
	double input_b; /* NAN: unknown. Only memory_fit uses it */
	double limit_b; /* what it had, NAN: unknown; of a run that was killed, what was too little
	                 */
	bool killed;    /* for memory: it needed more than limit_b */
	double start;   /* seconds since 1970; only the order matters */
};

/* Runs with the same need, or of one bucket of a histogram. */
struct memory_value {
	double b, runs;
	double killed; /* of these runs: killed for memory, they need more than b */
};

/* The ask, and what it was made of. Bytes. */
struct memory_rule {
	double ask_b;     /* rounded up by advice_step; NAN: no run, or no need is known */
	double runs;      /* n */
	double killed;    /* k: of them, killed for memory */
	double most_b;    /* m, the largest need; of a run that was killed, its limit */
	double tail;      /* h; 0: fewer than MEMORY_RULE_RUNS runs */
	double against_b; /* B */
	double lambda;    /* 0: fewer than MEMORY_RULE_RUNS runs */
	double chance;    /* of a run that needs more than ask_b, by the formula of P above */
	double growth;    /* 1: none, else ask_b has been multiplied by it: up to 2 */
	double recent_b;  /* the largest of the latest runs, if that decided; else 0 */
	double killed_b;  /* a limit that killed, if twice it decided; else 0 */
	bool
	    killed_often; /* it is the largest of all, because k × λ ≥ n; else of the latest runs */
	bool weak;        /* fewer than MEMORY_RULE_RUNS runs */
	bool plain;       /* so, or as the situation says: m × MEMORY_RULE_HEADROOM */
};

/* Other facts that the ask depends on. */
struct memory_situation {
	double today_b; /* what is asked for today; NAN: unknown */
	double lambda;
	double growth; /* of memory_growth, where the ask is for many runs ahead; else 0 */
	bool plain;    /* the rule did worse than the largest need × MEMORY_RULE_HEADROOM, which is
	                    asked for instead */
	double recent_b; /* where it is for the next run: the largest of the last
	                    MEMORY_RULE_RECENT; else 0 */
	double killed_b; /* the largest limit that killed a run after which none finished, or 0 */
	double killed_most_b; /* the largest limit that killed a run, or 0 */
};

/* The rule over values in ascending order; runs may be fractions. Values that are not positive are
 * left out. */
void memory_rule_make(const struct memory_value *v, size_t n, const struct memory_situation *s,
                      struct memory_rule *out);

/* The largest limit twice which is asked for, of n runs of which so many were killed; 0: none. */
double memory_rule_killed(const struct memory_situation *s, double killed, double runs);

/* The memory that a run showed to be needed: its need, or the limit that killed it. NAN: unknown,
 * or not above 0. */
double memory_rule_need(const struct memory_need *v);

/* The value that stands for a need: the middle of its bucket (log_bucket.h), and for all in the
 * bucket of most_b, the largest need of the job, most_b. A catalog has no more of its runs than
 * buckets, and a job has one ask, from wherever it is made. */
double memory_rule_value(double need_b, double most_b);

/* Why twice rule->killed_b is asked for: "the limit that killed the latest runs", or "the largest
 * limit that killed 3 of 20 runs". */
void memory_rule_killed_text(const struct memory_rule *rule, char out[96]);

/* The chance that a run needs more than ask_b, and what the ask costs with it: the sum above, in
 * bytes. For a curve of asks, from values as above and a rule that was made from them. */
double memory_rule_chance(const struct memory_rule *rule, const struct memory_value *v, size_t n,
                          double ask_b);
double memory_rule_cost(const struct memory_rule *rule, double ask_b, double chance);

/* How one way of asking did on runs that it did not know. */
struct memory_score {
	double runs, failed, wasted; /* wasted in any unit, as long as both have the same */
};

/* More waste, and not fewer failures for it. (By cost, with λ for each failure, one failure or none
 * would decide, which is chance.) */
bool memory_rule_worse(const struct memory_score *rule, const struct memory_score *plain);

/* Sums over the logarithms of needs, of the earlier and of the later half of the runs. */
struct memory_half {
	double runs, sum, squares;
};

/* How many times the later half needs what the earlier does: exp of the difference of the means of
 * logarithms, 1 if that is below 1.05 or not clear (Welch's t of at most 3.5), at most 2. */
double memory_growth(const struct memory_half *earlier, const struct memory_half *later);

#endif
