/*
 * others_text: what may not be read because it belongs to other people, as a sentence.
 */
#ifndef REPORT_UNITS_OTHERS_TEXT_H
#define REPORT_UNITS_OTHERS_TEXT_H

#include "core/base/buf.h"
#include "report/input/input.h"

/* Appends "12 recordings and 1 folder belong to other people and may not be read", without a full
 * stop; nothing if there are none. */
void others_text(const struct input_others *others, struct buf *out);

#endif
