/* gate_text: a gate's answer as a sentence. */
#include "report/advice/gate_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/units/units.h"

/* -- units of a side --------------------------------------------------------------------------- */

static enum gate_dimension dimension_of_step(const struct gate_step *s)
{
	if (s->word == GATE_CHANGED)
		return GATE_SHARE;
	if (s->word != GATE_NUMBER)
		return gate_dimension_of(&s->measure);
	return s->unit == MEASURE_NUMBER ? GATE_PLAIN : GATE_OF_UNIT + s->unit;
}

static enum gate_dimension combined_dimension(char op, enum gate_dimension a, enum gate_dimension b)
{
	if (op == '/' && b != GATE_PLAIN && a == b)
		return GATE_RATIO;
	if (op == '/' && b != GATE_PLAIN)
		return b == GATE_RATIO ? a : GATE_PLAIN;
	if (op == '*' && a == GATE_RATIO)
		return b == GATE_PLAIN ? GATE_RATIO : b;
	return a == GATE_PLAIN ? b : a;
}

struct gate_display gate_display(const struct gate *g)
{
	static const enum unit units[] = {
	    [GATE_PLAIN] = UNIT_COUNT,
	    [GATE_RATIO] = UNIT_PERCENT,
	    [GATE_CORES] = UNIT_CORES,
	    [GATE_GPUS] = UNIT_GPUS,
	    [GATE_SHARE] = UNIT_PERCENT,
	    [GATE_COUNT] = UNIT_COUNT,
	    [GATE_OF_UNIT + MEASURE_NUMBER] = UNIT_COUNT,
	    [GATE_OF_UNIT + MEASURE_BYTES] = UNIT_BYTES,
	    [GATE_OF_UNIT + MEASURE_SECONDS] = UNIT_SECONDS,
	    [GATE_OF_UNIT + MEASURE_MONEY] = UNIT_MONEY,
	    [GATE_OF_UNIT + MEASURE_BYTES_HOUR] = UNIT_BYTES_HOUR,
	};
	enum gate_dimension stack[GATE_STEPS];
	size_t n = 0;
	enum unit unit;

	for (size_t i = 0; i < g->n; i++)
		if (g->step[i].word == GATE_OPERATOR) {
			n--;
			/* clang-analyzer-core.CallAndMessage: as in gate_judge */
			stack[n - 1] = combined_dimension(g->step[i].op, stack[n - 1], stack[n]);
		} else {
			stack[n++] = dimension_of_step(&g->step[i]);
		}
	/* clang-analyzer-core.uninitialized.ArraySubscript: the comparison's answer */
	unit = units[stack[0]];
	return (struct gate_display){unit, unit == UNIT_PERCENT ? 100 : 1};
}

/* -- the sentence ------------------------------------------------------------------------------ */

/* One side of the comparison: its steps, its text, and its number as text. */
struct gate_side {
	const struct gate_step *step;
	size_t n;
	const char *from, *to;
	const char *number;
};

static void say_source(const struct gate_side *s, struct buf *out)
{
	const char *from = s->from, *to = s->to;

	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (from < to && (to[-1] == ' ' || to[-1] == '\t'))
		to--;
	buf_add(out, from, (size_t)(to - from));
}

static void say_alone(const struct gate_step *s, struct buf *out)
{
	static const char *const points[] = {
	    [GATE_MEDIAN] = "median",
	    [GATE_MIN] = "least",
	    [GATE_MEAN] = "mean",
	    [GATE_MAX] = "most",
	};

	if (s->word == GATE_MEASURE) {
		measure_label(&s->measure, out);
	} else if (s->word == GATE_CHANGED) {
		buf_str(out, "the change of ");
		measure_label(&s->measure, out);
	} else if (s->word == GATE_HISTORY) {
		buf_printf(out, "the earlier runs' %s", points[s->point]);
	} else {
		buf_str(out, s->word == GATE_LIMIT ? "the limit" : "what was asked for,");
	}
}

static void say_side(const struct gate_side *s, struct buf *out)
{
	if (s->n > 1) {
		say_source(s, out);
		buf_printf(out, " (%s)", s->number);
	} else if (s->step->word == GATE_NUMBER) {
		buf_str(out, s->number);
	} else {
		say_alone(s->step, out);
		buf_printf(out, " %s", s->number);
	}
}

static const char *comparison_verb(char op, bool holds)
{
	switch (op) {
	case '<':
		return holds ? "is below" : "is at least";
	case '>':
		return holds ? "is above" : "is at most";
	case 'L':
		return holds ? "is at most" : "is above";
	case 'G':
		return holds ? "is at least" : "is below";
	case '=':
		return holds ? "equals" : "differs from";
	default:
		return holds ? "differs from" : "equals";
	}
}

/* Both numbers as text; with more digits if different numbers would look alike. */
static void say_numbers(const struct gate *g, const struct gate_result *r, const char *currency,
                        char left[64], char right[64])
{
	struct gate_display d = gate_display(g);
	const char *unit = d.unit == UNIT_MONEY ? currency : units_name(d.unit);

	if (d.unit == UNIT_COUNT)
		unit = "";

	units_text(d.unit, r->left * d.factor, currency, left);
	units_text(d.unit, r->right * d.factor, currency, right);
	if (strcmp(left, right) != 0 || r->left == r->right)
		return;
	snprintf(left, 64, "%.10g%s%.16s", r->left * d.factor, *unit ? " " : "", unit);
	snprintf(right, 64, "%.10g%s%.16s", r->right * d.factor, *unit ? " " : "", unit);
}

/* A word that stands without a comparison. */
static void say_word(const struct gate_step *s, const struct gate_result *r, struct buf *out)
{
	bool holds = r->answer == GATE_HOLDS;

	if (s->word == GATE_MEASURE) {
		buf_printf(out, "It was %scontended: other programs %s it waiting",
		           holds ? "" : "not ", holds ? "kept" : "did not keep");
		return;
	}
	buf_str(out, "The change of ");
	measure_label(&s->measure, out);
	if (r->left == 0)
		buf_str(out, " is none");
	else
		buf_printf(out, " is %s%s", r->left > 0 ? "+" : "\u2212",
		           UNITS_SHARE(fabs(r->left)));
}

static void say_compared(const struct gate_result *r, struct buf *out)
{
	if (*r->peak)
		buf_printf(out, "; the peak was %s", r->peak);
	if (r->compared)
		buf_printf(out, " (%zu comparable run%s)", r->compared,
		           r->compared == 1 ? "" : "s");
}

void gate_sentence(const struct gate *g, const struct gate_result *r, const char *currency,
                   struct buf *out)
{
	char left[64], right[64];
	const char *end = g->text + strlen(g->text);
	const struct gate_side a = {g->step, g->right, g->text, g->text + g->op_at, left};
	const struct gate_side b = {g->step + g->right, g->n - 1 - g->right, g->text + g->op_end,
	                            end, right};
	size_t from = out->len;

	if (r->answer == GATE_NOT_JUDGED) {
		buf_printf(out, "%s: not judged, because %s", g->text, r->why);
		return;
	}
	if (g->op_at == strlen(g->text)) {
		say_word(g->step, r, out);
		say_compared(r, out);
		return;
	}
	say_numbers(g, r, currency, left, right);
	say_side(&a, out);
	if (a.n == 1 && a.step->word != GATE_NUMBER && !out->failed && out->s[from] >= 'a' &&
	    out->s[from] <= 'z')
		out->s[from] = (char)(out->s[from] - 0x20);
	buf_printf(out, " %s ", comparison_verb(g->step[g->n - 1].op, r->answer == GATE_HOLDS));
	say_side(&b, out);
	say_compared(r, out);
}
