/*
 * fleet_model_words: quantities, words and sums that several parts of the model use.
 */
#ifndef FLEET_GROUPS_FLEET_MODEL_WORDS_H
#define FLEET_GROUPS_FLEET_MODEL_WORDS_H

#include "fleet/groups/fleet_model.h"
#include "report/units/units.h"

/* The name of a group's runs; "": they have several. */
const char *fleet_model_process(const struct fleet_group *g, const struct fleet_model_input *in);

/* The values of a group's keys: "train · ann". */
void fleet_model_name(const struct fleet *f, const struct fleet_group *g, struct buf *out);

/* The ask that a group should have: "2 CPUs, 12.0 GiB"; "" if nothing is known. */
void fleet_model_ask_text(const struct fleet_ask *a, struct buf *out);

/* An ask that is 0 is unknown: NAN. */
double fleet_model_ask(double v);

/* The mean that was used of what was asked for. */
double fleet_model_used(double asked, const struct fleet_hours *h);

/* "3", "3 November", "3 November 2026", "3 Nov", "Nov 2026": of a time in UTC. */
enum fleet_date {
	FLEET_DATE_OF_MONTH,
	FLEET_DATE_OF_YEAR,
	FLEET_DATE_WHOLE,
	FLEET_DATE_SHORT,
	FLEET_DATE_MONTH
};
const char *fleet_model_date(double unix_s, enum fleet_date how, char out[64]);

/* "0 of 12 runs would have failed; the next fails with at most 22%", which is the group's
 * fail_at_most: the back-test may have raised it. Of fewer than FLEET_RUNS_FEW runs the bound says
 * nothing: "0 of 3 runs would have failed: a first guess". And how many were killed for memory,
 * whose need is unknown. */
void fleet_model_say_trial(const struct fleet_group *g, struct buf *out);

/* "4% longer": what runs take with the proposed CPUs instead of those that were asked for; nothing
 * where it is unknown or below a percent. */
void fleet_model_words_longer(const struct fleet_group *g, struct buf *out);

/* "1 of 40 failed, 42.0 GiB-hours wasted instead of 236": of the back-test; nothing where there is
 * none. */
void fleet_model_say_backtest(const struct fleet_backtest *t, struct buf *out);

/* "0 of 12" */
void fleet_model_tried_text(const struct fleet_group *g, struct buf *out);

/* The states in which most of a group's runs spent most of their time: "disk"; of several the first
 * of enum states_group. NULL: of no run is it known. */
const char *fleet_model_mostly(const struct fleet_group *g);

/* The same for people: "disk", "disk (7 of 9)"; nothing where it is unknown. */
void fleet_model_say_mostly(const struct fleet_group *g, struct buf *out);

/* "2 × its time was up, 1 × crashed": why runs ended, the most frequent causes first; nothing where
 * there is no more to say than that they failed. */
void fleet_model_say_ends(const struct fleet_group *g, struct buf *out);

/* How a single run ended: "finished", "its time was up"; "unknown". */
const char *fleet_model_words_end(const struct catalog_worst *run);

/* "weak", "fair", "good". */
const char *fleet_model_confidence(enum fleet_confidence c);

/* The cost of asks and its recoverable part: in money, or, if no price is known, in machine-hours.
 * NAN: both are unknown. */
struct fleet_model_cost {
	enum unit unit;
	double asked, recoverable;
};
struct fleet_model_cost fleet_model_cost(const struct fleet *f, const struct fleet_usage *u);

/* Hours of anything, without their unit. Returns out, or a constant. */
const char *fleet_model_hours_text(double v, char out[64]);

/* The days from the first run to the last. */
double fleet_model_period_days(const struct fleet *f);

/* The spelling of a share of 1 as a percentage: "31%"; "" if it is not known. */
const char *fleet_model_share(double part, double of, char out[32]);

/* Whether money is known; if not, whether machine-hours are; whether any GPUs were asked for. */
bool fleet_model_has_money(const struct fleet *f);
bool fleet_model_has_machine_hours(const struct fleet *f);
bool fleet_model_has_gpus(const struct fleet *f);

/* Machine-hours as "machine_hours" and "machine_recoverable", whose columns name the unit. */
void fleet_model_machine_hours(cJSON *row, const struct fleet_usage *u);

/* The sum of all groups from the one of this number on, as `key`; null if there are none. */
void fleet_model_add_rest(cJSON *parent, const char *key, const struct fleet *f, size_t from,
                          const struct fleet_model_input *in);

#endif
