/*
 * gate_judge: whether a gate's condition holds.
 */
#ifndef REPORT_ADVICE_GATE_JUDGE_H
#define REPORT_ADVICE_GATE_JUDGE_H

#include "report/advice/gate.h"

enum gate_answer { GATE_HOLDS_NOT, GATE_HOLDS, GATE_NOT_JUDGED, GATE_ANSWERS };

struct gate_result {
	enum gate_answer answer;
	double left, right;     /* both sides in base units; NAN: unknown */
	enum measure_unit unit; /* of both */
	const char *why;        /* it is not judged: static; else "" */
};

/* Whether it holds for r->v[0]. price_hour as in measure_value. */
void gate_judge(const struct gate *g, const struct runs *r, double price_hour,
                struct gate_result *out);

/* Whether one of gate_parse_fleet holds for these values; NAN: unknown. */
void gate_judge_fleet(const struct gate *g, const double fleet[MEASURE_FLEET_NAMES],
                      struct gate_result *out);

#endif
