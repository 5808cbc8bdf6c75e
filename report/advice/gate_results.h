/*
 * gate_results: the answers of all conditions of --fail-if.
 *
 * The exit status, the messages, the model and its views all read these.
 */
#ifndef REPORT_ADVICE_GATE_RESULTS_H
#define REPORT_ADVICE_GATE_RESULTS_H

#include "core/base/opts.h"
#include "report/advice/gate.h"
#include "report/prices/keeper.h"

struct gate_outcome {
	struct gate gate;
	struct gate_result result;
};

/* Valid when zero: no conditions. */
struct gate_results {
	struct gate_outcome *v; /* failed, then not judged, then passed; each as given */
	size_t n;
	size_t count[GATE_ANSWERS]; /* by enum gate_answer */
	bool cost;                  /* a condition is about the run's cost */
	char currency[8];           /* of the prices; "": USD */
};

/* Judges every condition that gate_parse takes, a repeated one once, for r->v[0]. The run's cost is
 * at offer_price_of_run; where a condition names another currency than the prices are in, it is not
 * judged. history as in gate_judge. -1 without memory. Free *out with gate_results_free. */
int gate_results_of(const struct opts_list *conditions, const struct runs *r,
                    const struct keeper_result *prices, const struct history_changes *history,
                    struct gate_results *out, struct err *e);

/* The same for conditions of gate_parse_fleet, on these values, with money in `currency`. */
int gate_results_of_fleet(const struct opts_list *conditions,
                          const double fleet[MEASURE_FLEET_NAMES], const char *currency,
                          struct gate_results *out, struct err *e);

void gate_results_free(struct gate_results *g);

#endif
