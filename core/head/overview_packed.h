/*
 * overview_packed: the points of a chart, or of a column of an overview, as text: each as a level
 * between 0 and the peak. A page has them so, because as numbers they would take three times as
 * much of it (docs/model.md, "packed"). assets/points.js reads them too. Pure.
 */
#ifndef CORE_HEAD_OVERVIEW_PACKED_H
#define CORE_HEAD_OVERVIEW_PACKED_H

#include <stddef.h>

#include "core/base/buf.h"
#include "core/numbers/buckets.h"

#define OVERVIEW_PACKED_LEVELS 1000 /* from 0 to the peak */

enum overview_packed { OVERVIEW_PACKED_MEAN, OVERVIEW_PACKED_MIN, OVERVIEW_PACKED_MAX };

/* Appends one number of each of n cells. scale: of a level; edge: how many levels a step of an
 * extreme's distance from its mean has. */
void overview_packed_add(struct buf *out, enum overview_packed of, const struct bucket *cells,
                         size_t n, double scale, unsigned edge);

/* Reads n levels into out[of * n]; the means, which the others are distances from, must stand in
 * out. NAN: a gap. 0, or -1 if the text is malformed. */
int overview_packed_read(const char *text, enum overview_packed of, double *out, size_t n,
                         double edge);

#endif
