/*
 * fleet_model_groups: the groups of the tree: their list, their table, and each that can be opened.
 */
#ifndef FLEET_GROUPS_FLEET_MODEL_GROUPS_H
#define FLEET_GROUPS_FLEET_MODEL_GROUPS_H

#include "fleet/groups/fleet_model.h"

/* "groups", and in it "table", "packed", and the "detail" of each group that can be opened. */
void fleet_model_groups_add(cJSON *model, const struct fleet *f,
                            const struct fleet_model_input *in);

#endif
