/*
 * fleet_model: everything that the fleet page shows, as one JSON tree (docs/fleet_model.md).
 */
#ifndef FLEET_GROUPS_FLEET_MODEL_H
#define FLEET_GROUPS_FLEET_MODEL_H

#include <cjson/cJSON.h>

#include "fleet/groups/fleet.h"
#include "fleet/page/fleet_page.h"
#include "report/advice/gate_results.h"
#include "report/input/input.h"

#define FLEET_MODEL_TOP      ((size_t)20)  /* of them in the texts, without --top */
#define FLEET_MODEL_PICTURES ((size_t)20)  /* groups with pictures */
#define FLEET_MODEL_NAME     ((size_t)128) /* bytes of a name or a host that is shown */

/* The texts that a fleet does not have itself. Borrowed. NULL and 0: none, unknown, or the
 * default. */
struct fleet_model_input {
	struct fleet_page page;
	const char *words; /* where the runs are from, on a command line (fleet_source.h) */
	const struct opts_list *group_by;
	const char *money_basis, *attribution; /* sentences: where prices are from */
	const struct gate_results *gates;
	double unasked; /* runs that count, and asked for nothing: their ask is the machine */
	struct input_others others; /* not among the files that failed */
};

/* The whole tree, which the caller owns. NULL only without memory. */
cJSON *fleet_model(const struct fleet *f, const struct fleet_model_input *in);

#endif
