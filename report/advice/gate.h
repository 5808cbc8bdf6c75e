/*
 * gate: a condition on a run that --fail-if states.
 *
 *   gate    = sum ("<" | "<=" | ">" | ">=" | "==" | "!=") sum
 *   sum     = product {("+" | "-") product}
 *   product = value {("*" | "/") value}
 *   value   = number [unit] | name | "history" ["." point] | "limit" | "(" sum ")"
 *   point   = "min" | "median" | "mean" | "max"
 *
 * name is one of measure.h's; history and limit speak of the first name in the gate: history is the
 * median of that measure over the earlier runs that count. Units: B, kB, MB, GB, TB, KiB, MiB, GiB,
 * TiB of bytes; ms, s, min, h, d of time; core(s), CPU(s), GPU(s), % (a hundredth) of numbers; USD
 * or any other currency's code of money (one in a gate). What is compared, added or subtracted must
 * be of one unit.
 */
#ifndef REPORT_ADVICE_GATE_H
#define REPORT_ADVICE_GATE_H

#include "report/stats/measure.h"

#define GATE_TEXT_MAX 256
#define GATE_STEPS    64

enum gate_word { GATE_NUMBER, GATE_MEASURE, GATE_HISTORY, GATE_LIMIT, GATE_OPERATOR };
enum gate_point { GATE_MEDIAN, GATE_MIN, GATE_MEAN, GATE_MAX };

/* A gate in reverse Polish notation; the comparison is its last step. Points into the text. */
struct gate {
	const char *text;     /* borrowed */
	size_t op_at, op_end; /* where the comparison stands in it, in bytes */
	struct gate_step {
		enum gate_word word;
		double number;
		enum measure_unit unit;
		struct measure measure;
		enum gate_point point;
		char op; /* + - * / < > L (<=) G (>=) = ! */
	} step[GATE_STEPS];
	size_t n, right;        /* the first step of the right side */
	char currency[4];       /* that it names, or "" */
	struct measure about;   /* what history and limit speak of */
	enum measure_unit unit; /* of what is compared */
};

/* -1 with a sentence that names the place, and suggests the nearest right name or unit. */
int gate_parse(const char *text, struct gate *out, struct err *e);

enum gate_answer { GATE_HOLDS_NOT, GATE_HOLDS, GATE_NOT_JUDGED, GATE_ANSWERS };

struct gate_result {
	enum gate_answer answer;
	double left, right;     /* what was compared, in base units; NAN where not known */
	enum measure_unit unit; /* of both */
	const char *why;        /* of what is not judged: static */
};

/* Whether it holds for r->v[0]. price_hour as in measure_value. */
void gate_judge(const struct gate *g, const struct runs *r, double price_hour,
                struct gate_result *out);

#endif
