/*
 * gate_text: a gate's answer as a sentence.
 */
#ifndef REPORT_ADVICE_GATE_TEXT_H
#define REPORT_ADVICE_GATE_TEXT_H

#include "report/advice/gate.h"
#include "report/units/model_json.h"

/* How both sides of a gate are shown: as `unit`, after multiplying base units by `factor`. */
struct gate_display {
	enum unit unit;
	double factor;
};

struct gate_display gate_display(const struct gate *g);

/* Appends "Peak memory (PSS) 9.10 GiB is above 8.00 GiB", or "duration > history: not judged, for
 * there is no earlier run to compare with". currency is that of the report's prices. */
void gate_sentence(const struct gate *g, const struct gate_result *r, const char *currency,
                   struct buf *out);

#endif
