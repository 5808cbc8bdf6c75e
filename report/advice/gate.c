/* gate: parses a condition. */
#include "report/advice/gate.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/edit_distance.h"
#include "report/stats/measure_fleet.h"

#define DEPTH_MAX 16

struct gate_parser {
	const char *p;
	struct gate *g;
	struct err *e;
	bool about; /* g->about is set */
	bool fleet; /* names are of measure_fleet.h */
	int depth;
};

static const struct {
	const char *name;
	double factor;
	enum measure_unit unit;
} units[] = {
    {"B", 1, MEASURE_BYTES},
    {"kB", 1e3, MEASURE_BYTES},
    {"MB", 1e6, MEASURE_BYTES},
    {"GB", 1e9, MEASURE_BYTES},
    {"TB", 1e12, MEASURE_BYTES},
    {"KiB", 1024, MEASURE_BYTES},
    {"MiB", 1048576, MEASURE_BYTES},
    {"GiB", 1073741824, MEASURE_BYTES},
    {"TiB", 1099511627776, MEASURE_BYTES},
    {"s", 1, MEASURE_SECONDS},
    {"min", 60, MEASURE_SECONDS},
    {"h", 3600, MEASURE_SECONDS},
    {"d", 86400, MEASURE_SECONDS},
    {"ms", 1e-3, MEASURE_SECONDS},
    {"cores", 1, MEASURE_NUMBER},
    {"core", 1, MEASURE_NUMBER},
    {"CPUs", 1, MEASURE_NUMBER},
    {"CPU", 1, MEASURE_NUMBER},
    {"GPUs", 1, MEASURE_NUMBER},
    {"GPU", 1, MEASURE_NUMBER},
    {"%", 0.01, MEASURE_NUMBER},
};

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
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i].name) == n && strncasecmp(s, units[i].name, n) == 0)
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
	return n > length ? 1 + d : memcmp(s, name, n) == 0 ? 1 : 2;
}

static int unknown_unit(struct gate_parser *p, size_t n)
{
	const char *near = units[0].name;
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t d = unit_distance(p->p, n, units[i].name);
		if (d < least) {
			least = d;
			near = units[i].name;
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

static int parse_unit(struct gate_parser *p, struct gate_step *step)
{
	size_t n = *p->p == '%' ? 1 : word_length(p->p);

	if (!n)
		return 0;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (is_word(p->p, n, units[i].name)) {
			step->number *= units[i].factor;
			step->unit = units[i].unit;
			p->p += n;
			return 0;
		}
	return is_currency(p->p, n) ? parse_currency(p, step) : unknown_unit(p, n);
}

/* Digits, a point and more digits, an exponent; no sign, no hexadecimal, no "nan". */
static size_t number_length(const char *s)
{
	size_t n = strspn(s, "0123456789"), digits = n, exponent;

	if (s[n] == '.') {
		digits += strspn(s + n + 1, "0123456789");
		n += 1 + strspn(s + n + 1, "0123456789");
	}
	if (!digits)
		return 0;
	exponent = n + 1 + (s[n] && (s[n + 1] == '+' || s[n + 1] == '-'));
	if ((s[n] == 'e' || s[n] == 'E') && is_decimal(s[exponent]))
		n = exponent + strspn(s + exponent, "0123456789");
	return n;
}

static int parse_number(struct gate_parser *p)
{
	struct gate_step step = {.word = GATE_NUMBER, .number = strtod(p->p, NULL)};

	p->p += number_length(p->p);
	if (!isfinite(step.number))
		return parse_error(p, "the number is too large");
	if (*p->p == ' ' && (is_letter(p->p[1]) || p->p[1] == '%'))
		p->p++;
	return parse_unit(p, &step) || push_step(p, step);
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

static int parse_name(struct gate_parser *p)
{
	struct gate_step step = {.word = GATE_MEASURE};
	size_t n = word_length(p->p);

	if (!p->fleet && n >= 7 && memcmp(p->p, "history", 7) == 0)
		return parse_history(p, n);
	if (!p->fleet && (is_word(p->p, n, "limit") || is_word(p->p, n, "asked"))) {
		enum gate_word word = *p->p == 'l' ? GATE_LIMIT : GATE_ASKED;
		p->p += n;
		return push_step(p, (struct gate_step){.word = word});
	}
	if (p->fleet)
		step.measure.kind = MEASURE_OF_FLEET;
	if (p->fleet ? measure_fleet_find(p->p, n, &step.measure.fleet, p->e)
	             : measure_find(p->p, n, &step.measure, p->e))
		return err_wrap(p->e, "\"%s\"", p->g->text);
	if (!p->about)
		p->g->about = step.measure;
	p->about = true;
	step.unit = measure_unit(&step.measure);
	p->p += n;
	return push_step(p, step);
}

static int parse_sum(struct gate_parser *p);

static int parse_value(struct gate_parser *p)
{
	skip_spaces(p);
	if (number_length(p->p))
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

static int check_units(struct gate *g, struct err *e)
{
	enum measure_unit stack[GATE_STEPS];
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
		}
		stack[n++] = (enum measure_unit)u;
	}
	return 0;
}

static int parse_gate(const char *text, bool fleet, struct gate *out, struct err *e)
{
	struct gate_parser p = {.p = text, .g = out, .e = e, .fleet = fleet};
	char op = 0;

	*out = (struct gate){.text = text};
	if (strlen(text) > GATE_TEXT_MAX)
		return err_set(e, "the condition is longer than %d bytes", GATE_TEXT_MAX);
	if (parse_sum(&p) || parse_comparison(&p, &op) || parse_sum(&p))
		return -1;
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
