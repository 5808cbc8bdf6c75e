/*
 * fleet_model: everything that the fleet page shows, as one JSON tree (docs/fleet_model.md).
 */
#ifndef REPORT_MODEL_FLEET_FLEET_MODEL_H
#define REPORT_MODEL_FLEET_FLEET_MODEL_H

#include <cjson/cJSON.h>

#include "core/base/opts.h"
#include "report/advice/gate_results.h"
#include "report/fleet/fleet.h"
#include "report/units/units.h"

#define FLEET_MODEL_FORMAT   "rtrack-fleet"
#define FLEET_MODEL_ROWS     ((size_t)200) /* of "groups", without --top */
#define FLEET_MODEL_TOP      ((size_t)20)  /* of them in the texts, without --top */
#define FLEET_MODEL_PICTURES ((size_t)20)  /* groups with pictures */
#define FLEET_MODEL_NAME     ((size_t)128) /* bytes of a name or a host that is shown */
#define FLEET_MODEL_INPUTS   ((size_t)100) /* files that are named */

/* What a fleet does not know of itself. Borrowed. NULL and 0: none, unknown, or the default. */
struct fleet_model_input {
	const char *title, *integration;
	const char *source; /* where the runs are from, without any secret */
	const struct opts_list *where, *group_by;
	const char *since, *until;             /* as given */
	const char *currency;                  /* NULL: USD */
	const char *money_basis, *attribution; /* sentences: where prices are from */
	const struct gate_results *gates;
	const struct err *failed; /* why files could not be read: the first ones */
	size_t n_failed, all_failed;
	const char *page; /* path of the page; NULL and "-": reports cannot be linked */
	size_t top;       /* --top */
	double now;       /* Unix seconds */
};

/* The whole tree, which the caller owns. NULL only without memory. */
cJSON *fleet_model(const struct fleet *f, const struct fleet_model_input *in);

/* -- its parts, each in a file of its own ------------------------------------------------------ */

/* "tiles", "verdict", "changes" (fleet_model_verdict.c). */
void fleet_model_add_verdict(cJSON *model, const struct fleet *f,
                             const struct fleet_model_input *in);

/* "left_out" (fleet_model_left_out.c), and how many runs it tells of. */
void fleet_model_add_left_out(cJSON *model, const struct fleet *f);
double fleet_model_left_out(const struct fleet *f);

/* "groups" (fleet_model_groups.c), and in it "table" and "packed" (fleet_model_table.c), and of
 * each group that can be opened "detail" (fleet_model_detail.c). */
void fleet_model_add_groups(cJSON *model, const struct fleet *f,
                            const struct fleet_model_input *in);
void fleet_model_add_table(cJSON *groups, const struct fleet *f,
                           const struct fleet_model_input *in);

/* How much of the page is left for "packed"; and which rows "opens", in the bytes that are left
 * then (fleet_model_size.c). */
size_t fleet_model_packed_max(const cJSON *groups);
void fleet_model_open_groups(cJSON *groups, size_t left);

void fleet_model_add_detail(cJSON *row, const struct fleet_group *g, size_t rank,
                            const struct fleet_model_input *in);

/* The sum of all groups from the one of this number on, as `key`; null if there are none. */
void fleet_model_add_rest(cJSON *parent, const char *key, const struct fleet *f, size_t from,
                          const struct fleet_model_input *in);

/* "days" (fleet_model_days.c), and "openmetrics" (fleet_model_openmetrics.c). */
void fleet_model_add_days(cJSON *model, const struct fleet *f);
void fleet_model_add_openmetrics(cJSON *model, const struct fleet *f,
                                 const struct fleet_model_input *in);

/* A quantity whose text is "unknown" where v is NAN. */
void fleet_model_quantity(cJSON *parent, const char *key, enum unit u, double v,
                          const struct fleet_model_input *in);

/* The name of a group's runs; "": they have several. */
const char *fleet_model_process(const struct fleet_group *g, const struct fleet_model_input *in);

/* The values of a group's keys: "train · ann". */
void fleet_model_name(const struct fleet *f, const struct fleet_group *g, struct buf *out);

/* What a group should ask for: "2 CPUs, 12.0 GiB"; "" if nothing is known. */
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

/* "0 of 12 runs would have failed; the next fails with at most 22%", and how many were killed for
 * memory, of which nobody knows. */
void fleet_model_say_trial(const struct fleet_group *g, struct buf *out);

/* "0 of 12" */
void fleet_model_tried_text(const struct fleet_group *g, struct buf *out);

/* "weak", "fair", "good". */
const char *fleet_model_confidence(enum fleet_confidence c);

/* What asks cost and what of it is recoverable: in money, or, if no price is known, in
 * machine-hours. NAN: both are unknown. */
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

#endif
