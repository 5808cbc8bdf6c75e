/*
 * fleet_line: memory as a line over the input of a group's runs (memory_fit.h), from buckets of
 * both. Pure.
 */
#ifndef FLEET_GROUPS_FLEET_LINE_H
#define FLEET_GROUPS_FLEET_LINE_H

#include "fleet/groups/fleet.h"

/* Points of which the line is made; of more runs, each stands for several. Of fewer, each is
 * predicted from the others. */
#define FLEET_LINE_POINTS ((size_t)2000)
#define FLEET_LINE_TRIED  ((size_t)100)

/* Makes the line of v->runs. known 0: there is no line, because the input is known of too few runs,
 * memory does not follow it, or asking by it would waste no less than asking for ask_b. */
void fleet_line_make(const struct catalog_detail *v, double counted, double ask_b,
                     struct fleet_line *out);

/* The same for lines to paste. */
void fleet_line_advice(const struct fleet_line *line, struct advice_line *out);

#endif
