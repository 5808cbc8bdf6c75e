/*
 * pipeline_lanes: attempts as bars in lanes, the lanes of one process below each other. Pure.
 */
#ifndef FLEET_PIPELINE_PIPELINE_LANES_H
#define FLEET_PIPELINE_PIPELINE_LANES_H

#include "fleet/pipeline/pipeline.h"

#define PIPELINE_LANES_MAX ((size_t)2000) /* attempts that have a bar each */

/* Valid when zero. */
struct pipeline_lanes {
	size_t *lane;  /* of each attempt whose start and end are known */
	size_t *first; /* of each process: its first lane; and at the end, the number of lanes */
	size_t n;      /* lanes */
};

/* An attempt takes the first lane of its process that is free; together: of all, which are in
 * `first` as one process. -1 without memory. */
int pipeline_lanes_make(const struct pipeline *p, bool together, struct pipeline_lanes *out,
                        struct err *e);
void pipeline_lanes_free(struct pipeline_lanes *l);

#endif
