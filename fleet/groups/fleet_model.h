/*
 * fleet_model: everything that the fleet page shows, as one JSON tree (docs/fleet_model.md).
 */
#ifndef FLEET_GROUPS_FLEET_MODEL_H
#define FLEET_GROUPS_FLEET_MODEL_H

#include <cjson/cJSON.h>

#include "core/base/opts.h"
#include "fleet/groups/fleet.h"
#include "report/advice/gate_results.h"
#include "report/input/input.h"

#define FLEET_MODEL_TOP      ((size_t)20)  /* of them in the texts, without --top */
#define FLEET_MODEL_PICTURES ((size_t)20)  /* groups with pictures */
#define FLEET_MODEL_NAME     ((size_t)128) /* bytes of a name or a host that is shown */

/* The texts that a fleet does not have itself. Borrowed. NULL and 0: none, unknown, or the
 * default. */
struct fleet_model_input {
	const char *title, *integration;
	const char *source; /* where the runs are from, without any secret */
	const char *words;  /* the same on a command line (fleet_source.h); NULL: unknown */
	const struct opts_list *where, *group_by;
	const char *since, *until;             /* as given */
	const char *currency;                  /* NULL: USD */
	const char *money_basis, *attribution; /* sentences: where prices are from */
	const struct gate_results *gates;
	const struct err *failed; /* why files could not be read: the first ones */
	size_t n_failed, all_failed;
	struct input_others others; /* neither of them */
	const char *page;           /* path of the page; NULL and "-": reports cannot be linked */
	size_t top;                 /* --top */
	double now;                 /* Unix seconds */
};

/* The whole tree, which the caller owns. NULL only without memory. */
cJSON *fleet_model(const struct fleet *f, const struct fleet_model_input *in);

#endif
