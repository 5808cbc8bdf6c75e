/* gate: parses a condition. */
#include "report/advice/gate.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "core/base/edit_distance.h"
#include "core/base/quantity.h"
#include "report/stats/contention_run.h"
#include "report/stats/memory_peak.h"
#include "report/stats/usage_column.h"

#define DEPTH_MAX 16

struct gate_parser {
	const char *p;
	struct gate *g;
	struct err *e;
	bool about; /* g->about is set */
	bool fleet; /* names are of measure_fleets */
	int depth;
};

/* Besides those of durations and sizes. */
static const struct quantity_unit counts[] = {
    {"cores", 1}, {"core", 1}, {"CPUs", 1}, {"CPU", 1}, {"GPUs", 1}, {"GPU", 1}, {"%", 0.01},
};

#define COUNTS (sizeof counts / sizeof *counts)

/* The name of any unit; NULL after the last. */
static const char *unit_at(size_t i)
{
	size_t sizes = 0, durations = 0;

	while (quantity_size_unit(sizes))
		sizes++;
	while (quantity_duration_unit(durations))
		durations++;
	if (i < sizes)
		return quantity_size_unit(i);
	if (i - sizes < durations)
		return quantity_duration_unit(i - sizes);
	return i - sizes - durations < COUNTS ? counts[i - sizes - durations].name : NULL;
}

static int parse_error(struct gate_parser *p, const char *what)
{
	return err_set(p->e, "\"%s\": %s at byte %zu", p->g->text, what,
	               (size_t)(p->p - p->g->text) + 1);
}

static void skip_spaces(struct gate_parser *p)
{
	while (*p->p == ' ' || *p->p == '\t')
		p->p++;
}

static int push_step(struct gate_parser *p, struct gate_step step)
{
	if (p->g->n == GATE_STEPS)
		return parse_error(p, "the condition is too long");
	p->g->step[p->g->n++] = step;
	return 0;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_decimal(char c)
{
	return c >= '0' && c <= '9';
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (is_letter(s[n]) || is_decimal(s[n]) || s[n] == '.')
		n++;
	return n;
}

static bool is_word(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(s, word, n) == 0;
}

/* Three capitals are a currency's code, unless they are a unit in the wrong case. */
static bool is_currency(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] < 'A' || s[i] > 'Z')
			return false;
	for (size_t i = 0; unit_at(i); i++)
		if (strlen(unit_at(i)) == n && strncasecmp(s, unit_at(i), n) == 0)
			return false;
	return n == 3;
}

/* For suggestions: "gib" → GiB, "seconds" → s, "m" → min. Units that begin alike come first. */
static size_t unit_distance(const char *s, size_t n, const char *name)
{
	size_t length = strlen(name), d = edit_distance(s, n, name);

	if (strncasecmp(s, name, n < length ? n : length) != 0)
		return EDIT_DISTANCE_FAR + d;
	if (n == length)
		return 0;
	if (n > length)
		return 1 + d;
	return memcmp(s, name, n) == 0 ? 1 : 2;
}

static int unknown_unit(struct gate_parser *p, size_t n)
{
	const char *near = unit_at(0);
	size_t least = SIZE_MAX;

	for (size_t i = 0; unit_at(i); i++) {
		size_t d = unit_distance(p->p, n, unit_at(i));
		if (d < least) {
			least = d;
			near = unit_at(i);
		}
	}
	return err_set(p->e, "\"%s\": there is no unit \"%.*s\"; did you mean %s?", p->g->text,
	               (int)n, p->p, near);
}

static int parse_currency(struct gate_parser *p, struct gate_step *step)
{
	char *known = p->g->currency;

	if (*known && memcmp(known, p->p, 3) != 0)
		return err_set(p->e, "\"%s\": %s and %.3s can't be compared", p->g->text, known,
		               p->p);
	memcpy(known, p->p, 3);
	step->unit = MEASURE_MONEY;
	p->p += 3;
	return 0;
}

/* A duration or a size: the number, n bytes, and the word at `unit`, of so many bytes. */
static bool parse_quantity(const char *number, size_t n, const char *unit, size_t word,
                           struct gate_step *step)
{
	char text[QUANTITY_MAX];

	if (n + word > sizeof text)
		return false;
	memcpy(text, number, n);
	memcpy(text + n, unit, word);
	step->unit = MEASURE_SECONDS;
	if (!quantity_duration(text, n + word, QUANTITY_WITH_UNIT, &step->number))
		return true;
	step->unit = MEASURE_BYTES;
	return !quantity_size(text, n + word, QUANTITY_WITH_UNIT, &step->number);
}

/* "/h" after a size, or another time, with which growth is not written. */
static int parse_per_time(struct gate_parser *p, struct gate_step *step)
{
	static const char *const times[] = {"hour",    "hours", "hr",  "min",  "minute",
	                                    "minutes", "s",     "sec", "secs", "second",
	                                    "seconds", "ms",    "d",   "day",  "days"};
	size_t n = word_length(p->p + 1);

	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (is_word(p->p + 1, n, times[i]))
			return err_set(p->e, "\"%s\": growth is in bytes an hour, such as 10MiB/h",
			               p->g->text);
	if (!is_word(p->p + 1, n, "h"))
		return 0;
	step->unit = MEASURE_BYTES_HOUR;
	p->p += 1 + n;
	return 0;
}

static int parse_number(struct gate_parser *p)
{
	struct gate_step step = {.word = GATE_NUMBER};
	const char *number = p->p;
	size_t n = quantity_number(number, &step.number), word;
	const struct quantity_unit *count;

	p->p += n;
	if (!isfinite(step.number))
		return parse_error(p, "the number is too large");
	if (*p->p == ' ' && (is_letter(p->p[1]) || p->p[1] == '%'))
		p->p++;
	word = *p->p == '%' ? 1 : word_length(p->p);
	if (!word)
		return push_step(p, step);
	count = quantity_unit_of(counts, COUNTS, p->p, word);
	if (count) {
		step.number *= count->factor;
		step.unit = MEASURE_NUMBER;
		step.count = count->name;
	} else if (!parse_quantity(number, n, p->p, word, &step)) {
		step.unit = MEASURE_NUMBER;
		if (!is_currency(p->p, word))
			return unknown_unit(p, word);
		return parse_currency(p, &step) ? -1 : push_step(p, step);
	}
	p->p += word;
	if (step.unit == MEASURE_BYTES && *p->p == '/' && parse_per_time(p, &step))
		return -1;
	return push_step(p, step);
}

static int parse_history(struct gate_parser *p, size_t n)
{
	static const char *const names[] = {"history.median", "history.min", "history.mean",
	                                    "history.max"};
	struct gate_step step = {.word = GATE_HISTORY, .point = GATE_MEDIAN};
	bool known = is_word(p->p, n, "history");

	for (int i = GATE_MEDIAN; i <= GATE_MAX; i++)
		if (is_word(p->p, n, names[i])) {
			step.point = (enum gate_point)i;
			known = true;
		}
	if (!known)
		return parse_error(p, "history has only min, median, mean and max,");
	p->p += n;
	return push_step(p, step);
}

static int find_measure(struct gate_parser *p, size_t n, struct measure *out)
{
	if (p->fleet)
		return measure_find_fleet(p->p, n, &out->fleet, p->e);
	if (out->kind == MEASURE_GROWTH)
		return measure_find_growth(p->p, n, out, p->e);
	return measure_find(p->p, n, out, p->e);
}

static int parse_measure(struct gate_parser *p, struct gate_step step)
{
	size_t n = word_length(p->p);

	if (p->fleet)
		step.measure.kind = MEASURE_OF_FLEET;
	if (find_measure(p, n, &step.measure))
		return err_wrap(p->e, "\"%s\"", p->g->text);
	if (!p->about)
		p->g->about = step.measure;
	p->about = true;
	step.unit = step.word == GATE_CHANGED ? MEASURE_NUMBER : measure_unit(&step.measure);
	p->p += n;
	return push_step(p, step);
}

/* "changed(NAME)" and "growth(NAME)", from the bracket on. */
static int parse_call(struct gate_parser *p, struct gate_step step)
{
	p->p++;
	skip_spaces(p);
	if (!is_letter(*p->p))
		return parse_error(p, "the name of a statistic is expected");
	if (parse_measure(p, step))
		return -1;
	skip_spaces(p);
	if (*p->p != ')')
		return parse_error(p, "\")\" is missing");
	p->p++;
	return 0;
}

static int parse_name(struct gate_parser *p)
{
	size_t n = word_length(p->p);

	if (!p->fleet && is_word(p->p, n, "changed") && p->p[n] == '(') {
		p->p += n;
		return parse_call(p, (struct gate_step){.word = GATE_CHANGED});
	}
	if (!p->fleet && is_word(p->p, n, "growth") && p->p[n] == '(') {
		p->p += n;
		return parse_call(
		    p, (struct gate_step){.word = GATE_MEASURE, .measure.kind = MEASURE_GROWTH});
	}
	if (!p->fleet && n >= 7 && memcmp(p->p, "history", 7) == 0)
		return parse_history(p, n);
	if (!p->fleet && (is_word(p->p, n, "limit") || is_word(p->p, n, "asked"))) {
		enum gate_word word = *p->p == 'l' ? GATE_LIMIT : GATE_ASKED;
		p->p += n;
		return push_step(p, (struct gate_step){.word = word});
	}
	return parse_measure(p, (struct gate_step){.word = GATE_MEASURE});
}

static int parse_sum(struct gate_parser *p);

static int parse_value(struct gate_parser *p)
{
	double number;

	skip_spaces(p);
	if (quantity_number(p->p, &number))
		return parse_number(p);
	if (is_letter(*p->p))
		return parse_name(p);
	if (*p->p != '(')
		return parse_error(p, *p->p ? "a number or a name is expected"
		                            : "an operand is missing");
	if (++p->depth > DEPTH_MAX)
		return parse_error(p, "too many brackets");
	p->p++;
	if (parse_sum(p))
		return -1;
	skip_spaces(p);
	if (*p->p != ')')
		return parse_error(p, "\")\" is missing");
	p->p++;
	p->depth--;
	return 0;
}

/* Operands separated by any of the operators. */
static int parse_chain(struct gate_parser *p, const char *operators,
                       int (*operand)(struct gate_parser *))
{
	if (operand(p))
		return -1;
	for (skip_spaces(p); *p->p && strchr(operators, *p->p); skip_spaces(p)) {
		char op = *p->p++;
		if (operand(p) || push_step(p, (struct gate_step){.word = GATE_OPERATOR, .op = op}))
			return -1;
	}
	return 0;
}

static int parse_product(struct gate_parser *p)
{
	return parse_chain(p, "*/", parse_value);
}

static int parse_sum(struct gate_parser *p)
{
	return parse_chain(p, "+-", parse_product);
}

static int parse_comparison(struct gate_parser *p, char *op)
{
	static const struct {
		const char *text;
		char op;
	} all[] = {{"<=", 'L'}, {">=", 'G'}, {"==", '='}, {"!=", '!'}, {"<", '<'}, {">", '>'}};

	skip_spaces(p);
	p->g->op_at = (size_t)(p->p - p->g->text);
	p->g->right = p->g->n;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strncmp(p->p, all[i].text, strlen(all[i].text)) == 0) {
			p->p += strlen(all[i].text);
			p->g->op_end = (size_t)(p->p - p->g->text);
			*op = all[i].op;
			return 0;
		}
	return parse_error(p, "<, <=, >, >=, == or != is expected");
}

/* history, limit and asked get the unit of the first name, which may stand after them. */
static void settle_units(struct gate *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->step[i].word == GATE_HISTORY || g->step[i].word == GATE_LIMIT ||
		    g->step[i].word == GATE_ASKED) {
			g->step[i].measure = g->about;
			g->step[i].unit = measure_unit(&g->about);
		}
}

static const char *unit_name(enum measure_unit u)
{
	static const char *const names[] = {
	    [MEASURE_NUMBER] = "a number",
	    [MEASURE_BYTES] = "bytes (such as 8GiB)",
	    [MEASURE_SECONDS] = "time (such as 90s, 5min)",
	    [MEASURE_MONEY] = "money (such as 0.5USD)",
	    [MEASURE_BYTES_HOUR] = "bytes an hour (such as 10MiB/h)",
	};

	return names[u];
}

/* The unit of an operator's result; -1 if the units do not fit. */
static int unit_of(char op, enum measure_unit a, enum measure_unit b)
{
	if (op == '*' && (a == MEASURE_NUMBER || b == MEASURE_NUMBER))
		return (int)(a == MEASURE_NUMBER ? b : a);
	if (op == '/' && (b == MEASURE_NUMBER || a == b))
		return (int)(b == MEASURE_NUMBER ? a : MEASURE_NUMBER);
	return a == b && op != '*' && op != '/' ? (int)a : -1;
}

enum gate_dimension gate_dimension_of(const struct measure *m)
{
	enum measure_unit u = measure_unit(m);

	if (u != MEASURE_NUMBER)
		return GATE_OF_UNIT + u;
	if (m->kind == MEASURE_OF_FLEET)
		return measure_fleets[m->fleet].share ? GATE_SHARE : GATE_COUNT;
	if (m->kind == MEASURE_EFFICIENCY || m->kind == MEASURE_STATE)
		return GATE_SHARE;
	if (m->kind == MEASURE_CONTENDED)
		return GATE_COUNT;
	switch (metrics[m->id].unit) {
	case METRIC_UNIT_CORES:
		return GATE_CORES;
	case METRIC_UNIT_GPUS:
		return GATE_GPUS;
	case METRIC_UNIT_SHARE:
		return GATE_SHARE;
	default:
		return GATE_COUNT;
	}
}

/* A number that stands for another one than it seems to: 20 is 2000 % of a share. */
static int check_number(const struct gate *g, const struct gate_step *word,
                        const struct gate_step *number, struct err *e)
{
	enum gate_dimension of =
	    word->word == GATE_CHANGED ? GATE_SHARE : gate_dimension_of(&word->measure);
	bool percent = number->count && *number->count == '%';
	bool sum = word->measure.kind == MEASURE_OF_COLUMN && word->measure.stat == MEASURE_SUM;

	if (of == GATE_COUNT && percent)
		return err_set(e, "\"%s\": a count can't be compared with a percentage", g->text);
	if (of != GATE_SHARE || sum || percent || (number->number <= 1 && !number->count))
		return 0;
	return err_set(
	    e, "\"%s\": 1 is 100%% of a share, and %.6g would be %.6g%%; did you mean %.6g%%?",
	    g->text, number->number, number->number * 100, number->number);
}

static int check_numbers(const struct gate *g, const struct gate_step *a, const struct gate_step *b,
                         struct err *e)
{
	if (!a || !b || (a->word == GATE_NUMBER) == (b->word == GATE_NUMBER))
		return 0;
	return a->word == GATE_NUMBER ? check_number(g, b, a, e) : check_number(g, a, b, e);
}

static int check_units(struct gate *g, struct err *e)
{
	enum measure_unit stack[GATE_STEPS];
	const struct gate_step
	    *alone[GATE_STEPS]; /* the operand's only step; NULL: it has several */
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct gate_step *s = &g->step[i];
		int u = (int)s->unit;
		if (s->word == GATE_OPERATOR) {
			n -= 2;
			/* clang-analyzer-core.CallAndMessage: the parser gives each its two */
			u = unit_of(s->op, stack[n], stack[n + 1]);
			if (u < 0)
				return err_set(e, "\"%s\": %s and %s can't be combined", g->text,
				               unit_name(stack[n]), unit_name(stack[n + 1]));
			g->unit = stack[n];
			if (s->op != '*' && s->op != '/' &&
			    check_numbers(g, alone[n], alone[n + 1], e))
				return -1;
		}
		alone[n] = s->word == GATE_OPERATOR ? NULL : s;
		stack[n++] = (enum measure_unit)u;
	}
	return 0;
}

/* Whether the gate is a word that needs no comparison. */
static bool stands_alone(struct gate_parser *p)
{
	const struct gate_step *first = &p->g->step[0];

	skip_spaces(p);
	return !*p->p && p->g->n == 1 &&
	       (first->word == GATE_CHANGED ||
	        (first->word == GATE_MEASURE && first->measure.kind == MEASURE_CONTENDED));
}

static int parse_gate(const char *text, bool fleet, struct gate *out, struct err *e)
{
	struct gate_parser p = {.p = text, .g = out, .e = e, .fleet = fleet};
	char op = 0;

	*out = (struct gate){.text = text};
	if (strlen(text) > GATE_TEXT_MAX)
		return err_set(e, "the condition is longer than %d bytes", GATE_TEXT_MAX);
	if (parse_sum(&p))
		return -1;
	if (stands_alone(&p)) {
		out->op_at = out->op_end = strlen(text);
		out->right = out->n;
		op = '>';
		if (push_step(&p, (struct gate_step){.word = GATE_NUMBER}))
			return -1;
	} else if (parse_comparison(&p, &op) || parse_sum(&p)) {
		return -1;
	}
	skip_spaces(&p);
	if (*p.p)
		return parse_error(&p, "unexpected text");
	if (!p.about)
		return err_set(e, "\"%s\": it names no statistic", text);
	if (push_step(&p, (struct gate_step){.word = GATE_OPERATOR, .op = op}))
		return -1;
	settle_units(out);
	return check_units(out, e);
}

int gate_parse(const char *text, struct gate *out, struct err *e)
{
	return parse_gate(text, false, out, e);
}

int gate_parse_fleet(const char *text, struct gate *out, struct err *e)
{
	return parse_gate(text, true, out, e);
}

/* -- whether it holds -------------------------------------------------------------------------- */

/* The facts that a gate is judged on: a run and its history, or many runs. */
struct gate_facts {
	const struct runs *r;
	double price_hour;
	const struct history_changes *h; /* NULL: none, or unknown */
	const double *fleet;             /* NULL: a run */
};

struct value_of {
	const struct measure *m;
	const struct gate_facts *f;
};

static double measured_of_run(const void *ctx, size_t i)
{
	const struct value_of *of = ctx;

	return measure_value(of->m, &of->f->r->v[i], of->f->price_hour);
}

static struct history_range past_of(const struct gate_step *step, const struct gate_facts *f)
{
	const struct value_of of = {&step->measure, f};

	return history_range(f->r, measure_follows_load(&step->measure), measured_of_run, &of);
}

static double history_value(const struct gate_step *step, const struct gate_facts *f, size_t *n)
{
	struct history_range past = past_of(step, f);
	const double points[] = {[GATE_MEDIAN] = past.median,
	                         [GATE_MIN] = past.low,
	                         [GATE_MEAN] = past.mean,
	                         [GATE_MAX] = past.high};

	*n = past.n;
	return points[step->point];
}

/* The change of a measure that the page judges, among others and so more strictly than alone. NULL:
 * it does not, or by the machine's column. */
static const struct history_measure *judged_on_page(const struct measure *m,
                                                    const struct gate_facts *f)
{
	if (!f->h || (m->kind == MEASURE_OF_COLUMN && !usage_tracks_job(&f->r->v[0])))
		return NULL;
	for (int i = 0; i < TREND_JUDGED; i++)
		if (trend_measures[i].gate && measure_is(m, trend_measures[i].gate))
			return &f->h->of[i];
	return NULL;
}

/* Why the word is HISTORY_CANNOT_TELL; "": this run lacks the measure. */
static const char *why_cannot_tell(const struct history_measure *m)
{
	_Static_assert(2 * CHANGE_LEAST == 10, "the number in the sentence");
	if (*m->why)
		return m->why;
	return isfinite(m->now) ? "there are fewer than 10 comparable runs" : "";
}

/* The step of a change that is news; 0: there is none. NAN: that cannot be told; out->why says why
 * if not this run lacks the measure. */
static double changed_value(const struct gate_step *step, const struct gate_facts *f,
                            struct gate_result *out)
{
	const struct value_of of = {&step->measure, f};
	const struct history_measure *m = judged_on_page(&step->measure, f);
	struct history_measure own;

	if (!m) {
		history_measure_make(&own, f->r, measure_follows_load(&step->measure),
		                     measured_of_run, &of);
		m = &own;
	}
	out->compared = m->series.n;
	if (m->word == HISTORY_CANNOT_TELL) {
		out->why = *out->why ? out->why : why_cannot_tell(m);
		return NAN;
	}
	return m->change ? m->change->step : 0;
}

static double value_of_step(const struct gate_step *s, const struct gate_facts *f,
                            struct gate_result *out)
{
	switch (s->word) {
	case GATE_NUMBER:
		return s->number;
	case GATE_MEASURE:
		return f->fleet ? f->fleet[s->measure.fleet]
		                : measure_value(&s->measure, &f->r->v[0], f->price_hour);
	case GATE_HISTORY:
		return history_value(s, f, &out->compared);
	case GATE_CHANGED:
		return changed_value(s, f, out);
	case GATE_LIMIT:
		return measure_limit(&s->measure, &f->r->v[0]);
	case GATE_ASKED:
		return measure_asked(&s->measure, &f->r->v[0]);
	case GATE_OPERATOR:
		break;
	}
	return NAN;
}

static const char *why_not_judged(const struct gate_step *s, const struct gate_facts *f)
{
	bool efficiency = s->word == GATE_MEASURE && s->measure.kind == MEASURE_EFFICIENCY;

	if (f->fleet)
		return measure_fleets[s->measure.fleet].unknown;
	if (s->word == GATE_ASKED ||
	    (efficiency && isnan(asked_of(&f->r->v[0], s->measure.of).amount)))
		return "it is not known what was asked for";
	if (s->word == GATE_LIMIT)
		return "the job has no such limit";
	if (s->measure.kind == MEASURE_COST && isnan(f->price_hour))
		return "no price is known";
	if (s->word == GATE_HISTORY && measure_follows_load(&s->measure) &&
	    contention_run_is(&f->r->v[0]))
		return "other programs kept this run waiting";
	if (s->word == GATE_HISTORY && past_of(s, f).runs)
		return "the earlier runs did not measure it";
	if (s->word == GATE_HISTORY && history_used(f->r))
		return "other programs kept all earlier runs waiting";
	if (s->word == GATE_HISTORY)
		return "there is no earlier run to compare with";
	if ((s->measure.kind == MEASURE_OF_COLUMN || s->measure.kind == MEASURE_GROWTH) &&
	    metric_is_of_gpus(&metrics[s->measure.id]) &&
	    !(snapshot_gpus(&f->r->v[0].snapshot) > 0))
		return "no GPU was found";
	if (s->measure.kind == MEASURE_GROWTH && f->r->v[0].stats[s->measure.id].max > 0)
		return "growth needs 20 minutes of samples without a gap";
	if (s->measure.kind == MEASURE_CONTENDED)
		return "its recording does not say whether other programs kept it waiting";
	return "it was not measured";
}

static double apply_operator(char op, double a, double b)
{
	switch (op) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	default:
		return b != 0 ? a / b : NAN;
	}
}

static bool comparison_holds(char op, double a, double b)
{
	switch (op) {
	case '<':
		return a < b;
	case '>':
		return a > b;
	case 'L':
		return a <= b;
	case 'G':
		return a >= b;
	case '=':
		return a == b;
	default:
		return a != b;
	}
}

static void judge_on(const struct gate *g, const struct gate_facts *f, struct gate_result *out)
{
	double stack[GATE_STEPS];
	size_t n = 0;

	*out =
	    (struct gate_result){.answer = GATE_NOT_JUDGED, .left = NAN, .right = NAN, .why = ""};
	for (size_t i = 0; i + 1 < g->n; i++) {
		const struct gate_step *s = &g->step[i];
		if (s->word == GATE_OPERATOR) {
			n--;
			/* clang-analyzer-core.CallAndMessage: as in check_units */
			stack[n - 1] = apply_operator(s->op, stack[n - 1], stack[n]);
			continue;
		}
		stack[n] = value_of_step(s, f, out);
		if (isnan(stack[n++]) && !*out->why)
			out->why = why_not_judged(s, f);
	}
	/* clang-analyzer-core.uninitialized.Assign: a comparison has two sides */
	out->left = stack[0];
	out->right = stack[1];
	out->unit = g->unit;
	if (!isfinite(out->left) || !isfinite(out->right)) {
		out->why = *out->why ? out->why : "it divides by 0, or the number is too large";
		return;
	}
	out->answer = comparison_holds(g->step[g->n - 1].op, out->left, out->right)
	                  ? GATE_HOLDS
	                  : GATE_HOLDS_NOT;
}

/* A gate judges the lower bound of the job's peak memory. */
static bool is_of_peak(const struct gate_step *s)
{
	const struct measure *m = &s->measure;

	return s->word == GATE_MEASURE &&
	       ((m->kind == MEASURE_OF_COLUMN && m->id == METRIC_PROCESS_MEMORY &&
	         m->stat == MEASURE_MAX) ||
	        (m->kind == MEASURE_EFFICIENCY && m->of == ASKED_MEMORY));
}

void gate_judge(const struct gate *g, const struct runs *r, double price_hour,
                const struct history_changes *h, struct gate_result *out)
{
	const struct run *run = &r->v[0];

	judge_on(g, &(struct gate_facts){r, price_hour, h, NULL}, out);
	for (size_t i = 0; i < g->n && memory_peak_is_bound(run); i++)
		if (is_of_peak(&g->step[i]))
			memory_peak_text(run, run->memory.peak_b, out->peak);
}

void gate_judge_fleet(const struct gate *g, const double fleet[MEASURE_FLEET_NAMES],
                      struct gate_result *out)
{
	judge_on(g, &(struct gate_facts){NULL, NAN, NULL, fleet}, out);
}
