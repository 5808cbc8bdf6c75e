/*
 * fleet_model_parts: the parts of the tree, each in a file of its own.
 */
#ifndef FLEET_GROUPS_FLEET_MODEL_PARTS_H
#define FLEET_GROUPS_FLEET_MODEL_PARTS_H

#include "fleet/groups/fleet_model.h"

/* "tiles", "verdict" and "changes" (fleet_model_verdict.c). */
void fleet_model_add_verdict(cJSON *model, const struct fleet *f,
                             const struct fleet_model_input *in);

/* "left_out" (fleet_model_left_out.c), and how many runs that are. */
double fleet_model_left_out_runs(const struct fleet *f);
void fleet_model_left_out_add(cJSON *model, const struct fleet *f,
                              const struct fleet_model_input *in);

/* "origins" (fleet_model_origins.c): where runs are from, if not all are recordings alone; and the
 * sentence about it. */
void fleet_model_origins_add(cJSON *model, const struct fleet *f);
void fleet_model_origins_text(const struct fleet *f, struct buf *out);

/* "groups" (fleet_model_groups.c), and in it "table" and "packed" (fleet_model_table.c), and of
 * each group that can be opened "detail" (fleet_model_detail.c). */
void fleet_model_add_groups(cJSON *model, const struct fleet *f,
                            const struct fleet_model_input *in);
void fleet_model_add_table(cJSON *groups, const struct fleet *f,
                           const struct fleet_model_input *in);
void fleet_model_add_detail(cJSON *row, const struct fleet_group *g, size_t rank,
                            const struct fleet_model_input *in);

/* Columns of the table as quantities of a group's row (fleet_model_table.c). */
enum fleet_column {
#define COLUMN(id, ...) FLEET_COLUMN_##id,
#include "fleet/groups/fleet_model_columns.def"
#undef COLUMN
	FLEET_COLUMNS
};
void fleet_model_add_columns(cJSON *row, const struct fleet_group *g, enum fleet_column first,
                             enum fleet_column last, const struct fleet_model_input *in);

/* "days" (fleet_model_days.c), and "openmetrics" (fleet_model_openmetrics.c). */
void fleet_model_add_days(cJSON *model, const struct fleet *f);
void fleet_model_add_openmetrics(cJSON *model, const struct fleet *f,
                                 const struct fleet_model_input *in);

#endif
