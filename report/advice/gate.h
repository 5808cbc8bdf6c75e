/*
 * gate: a condition of --fail-if on a run, or on many runs (rtrack-fleet).
 *
 *   gate    = sum ("<" | "<=" | ">" | ">=" | "==" | "!=") sum | name | "changed(" name ")"
 *   sum     = product {("+" | "-") product}
 *   product = value {("*" | "/") value}
 *   value   = number [unit] | name | "changed(" name ")" | "growth(" column ")" |
 *             "history" ["." point] | "limit" | "asked" | "(" sum ")"
 *   point   = "min" | "median" | "mean" | "max"
 *
 * name is a measure (measure.h), of many runs in rtrack-fleet, where there is no history,
 * limit or asked. history, limit and asked refer to the first name in the gate:
 * history is that measure over the runs that it is compared with (history_range), by default
 * their median. changed(name) is the step of a change of the measure that is news
 * (history_changes.h), as a share of the old level; 0 without one; not judged where that cannot be
 * told. A name, or changed(name), alone is the same as with "> 0". Units of bytes: B, kB, MB, GB,
 * TB, KiB, MiB, GiB, TiB, and with /h bytes an hour, which growth is; of time: ms, s, min, h, d; of
 * numbers: core(s), CPU(s), GPU(s), % (a hundredth); of money: USD or another currency's code, one
 * per gate. Operands of a comparison, an addition or a subtraction must have the same unit. A
 * share is compared with a percentage or a number up to 1, a count not with a percentage.
 */
#ifndef REPORT_ADVICE_GATE_H
#define REPORT_ADVICE_GATE_H

#include "report/history/history_changes.h"
#include "report/stats/measure.h"
#include "report/units/units.h"

#define GATE_TEXT_MAX 256
#define GATE_STEPS    64

/* The kind of thing that a number of a gate counts. All but the last are plain numbers in
 * measure_unit. */
enum gate_dimension {
	GATE_PLAIN,
	GATE_RATIO,
	GATE_CORES,
	GATE_GPUS,
	GATE_SHARE,
	GATE_COUNT,
	GATE_OF_UNIT /* + enum measure_unit */
};

enum gate_word {
	GATE_NUMBER,
	GATE_MEASURE,
	GATE_HISTORY,
	GATE_CHANGED,
	GATE_LIMIT,
	GATE_ASKED,
	GATE_OPERATOR
};
enum gate_point { GATE_MEDIAN, GATE_MIN, GATE_MEAN, GATE_MAX };

/* A gate in reverse Polish notation; the comparison is its last step. Points into the text. */
struct gate {
	const char *text;     /* borrowed */
	size_t op_at, op_end; /* bytes of the text that are the comparison */
	struct gate_step {
		enum gate_word word;
		double number;
		const char *count; /* GATE_NUMBER: its unit if that is of counts ("%"); else NULL */
		enum measure_unit unit;
		struct measure measure;
		enum gate_point point;
		char op; /* + - * / < > L (<=) G (>=) = ! */
	} step[GATE_STEPS];
	size_t n, right;        /* the first step of the right side */
	char currency[4];       /* named in it, or "" */
	struct measure about;   /* the first name: what the other words refer to */
	enum measure_unit unit; /* of both sides */
};

/* -1 with a sentence that names the byte, or suggests the nearest right name or unit. */
int gate_parse(const char *text, struct gate *out, struct err *e);
int gate_parse_fleet(const char *text, struct gate *out, struct err *e);

enum gate_dimension gate_dimension_of(const struct measure *m);

enum gate_answer { GATE_HOLDS_NOT, GATE_HOLDS, GATE_NOT_JUDGED, GATE_ANSWERS };

struct gate_result {
	enum gate_answer answer;
	double left, right;          /* both sides in base units; NAN: unknown */
	enum measure_unit unit;      /* of both */
	const char *why;             /* it is not judged: static; else "" */
	size_t compared;             /* runs that history or changed() is of; 0: it has neither */
	char peak[UNITS_RANGE_SIZE]; /* the job's peak memory, if it is in the gate and a lower
	                              * bound (memory_peak_text); else "" */
};

/* Whether it holds for r->v[0]. price_hour as in measure_value. changed() of a measure of the page
 * is as h has it, so that both say the same; h may be NULL. */
void gate_judge(const struct gate *g, const struct runs *r, double price_hour,
                const struct history_changes *h, struct gate_result *out);

/* Whether one of gate_parse_fleet holds for these values; NAN: unknown. */
void gate_judge_fleet(const struct gate *g, const double fleet[MEASURE_FLEET_NAMES],
                      struct gate_result *out);

#endif
