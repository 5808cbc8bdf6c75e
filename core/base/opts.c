/* opts: command-line options as one table. */
#include "core/base/opts.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/edit_distance.h"
#include "core/base/quantity.h"

#define LONG_BASE 256 /* getopt's value of row i is LONG_BASE + i */

static bool takes_value(const struct opt *o)
{
	return o->kind != OPTS_FLAG && o->kind != OPTS_NO;
}

/* Whether the word is an option of the table, its letter, or a beginning of its name. "--" is one
 * as well. */
static bool names_option(const struct opt *table, const char *word)
{
	size_t n = strcspn(word, "=");
	bool is_long = strncmp(word, "--", 2) == 0;

	for (const struct opt *o = table; o->name; o++)
		if (is_long ? strncmp(word + 2, o->name, n - 2) == 0
		            : o->letter && word[0] == '-' && word[1] == o->letter && !word[2])
			return true;
	return false;
}

/* "--ofline": a mistyped option. */
static bool looks_like_option(const char *word)
{
	size_t n = strspn(word, "-abcdefghijklmnopqrstuvwxyz");

	return strncmp(word, "--", 2) == 0 && (!word[n] || word[n] == '=');
}

/* A suggestion is close: one letter in three may be wrong, and two that were swapped are one. */
static bool is_near(size_t distance, size_t n)
{
	return distance <= (n + 1) / 3;
}

static int unknown_option(const struct opt *table, const char *arg, struct err *e)
{
	char word[64];
	const char *near = NULL, *begins = NULL;
	size_t best = 4, n;

	if (arg[0] != '-' || arg[1] != '-' || !arg[2])
		return err_set(e, "unknown option %.2s (--help lists them)", arg);
	strncpy(word, arg + 2, sizeof word - 1);
	word[sizeof word - 1] = '\0';
	word[strcspn(word, "=")] = '\0';
	n = strlen(word);
	for (const struct opt *o = table; o->name; o++) {
		size_t d = edit_distance(word, n, o->name);
		/* getopt_long accepts unique abbreviations, so this one is ambiguous. */
		if (begins && strncmp(word, o->name, n) == 0)
			return err_set(e, "--%s may mean --%s or --%s", word, begins, o->name);
		if (strncmp(word, o->name, n) == 0)
			begins = o->name;
		if (d < best && is_near(d, n)) {
			best = d;
			near = o->name;
		}
	}
	if (near)
		return err_set(e, "unknown option --%s; did you mean --%s?", word, near);
	return err_set(e, "unknown option --%s (--help lists them)", word);
}

static int store_number(const struct opt *o, void *at, const char *value, struct err *e)
{
	char *end;
	double v = strtod(value, &end);
	bool whole = o->kind == OPTS_INT;

	if (end == value || *end || !isfinite(v) || (whole && v != floor(v)))
		return err_set(e, "--%s: \"%s\" is not a %snumber", o->name, value,
		               whole ? "whole " : "");
	if (v < o->min || v > o->max)
		return err_set(e, "--%s: %s is not between %.15g and %.15g", o->name, value, o->min,
		               o->max);
	if (whole)
		*(long *)at = (long)v;
	else
		*(double *)at = v;
	return 0;
}

static int store_duration(const struct opt *o, double *at, const char *value, struct err *e)
{
	double v;

	if (quantity_duration(value, strlen(value), QUANTITY_BARE, &v))
		return err_set(e, "--%s: \"%.100s\" is not " QUANTITY_DURATION, o->name, value);
	if (v < o->min || v > o->max)
		return err_set(e, "--%s: %.100s is not between %.15g and %.15g seconds", o->name,
		               value, o->min, o->max);
	*at = v;
	return 0;
}

static bool is_choice(const char *choices, const char *value)
{
	size_t n = strlen(value);

	for (const char *p = choices; *p;) {
		size_t len = strcspn(p, " ");
		if (len == n && memcmp(p, value, n) == 0)
			return true;
		p += len + (p[len] == ' ');
	}
	return false;
}

static int store_word(const struct opt *o, struct opts_list *list, const char *word, struct err *e)
{
	if (list->n == OPTS_LIST_MAX)
		return err_set(e, "--%s: given more than %d times", o->name, OPTS_LIST_MAX);
	list->v[list->n++] = word;
	return 0;
}

/* "A, B c,,D": three words. */
static int store_words(const struct opt *o, struct opts_list *list, char *value, struct err *e)
{
	size_t had = list->n;

	for (char *word, *rest = value; (word = strsep(&rest, ","));) {
		size_t n;
		word += strspn(word, " ");
		n = strlen(word);
		while (n && word[n - 1] == ' ')
			word[--n] = '\0';
		if (n && store_word(o, list, word, e))
			return -1;
	}
	return list->n > had ? 0 : err_set(e, "--%s needs a value: %s", o->name, o->arg);
}

static int store_value(const struct opt *o, void *into, char *value, struct err *e)
{
	void *at = (char *)into + o->at;
	struct opts_list *list = at;

	switch (o->kind) {
	case OPTS_FLAG:
		*(bool *)at = true;
		return 0;
	case OPTS_NO:
		*(bool *)at = false;
		return 0;
	case OPTS_NUMBER:
	case OPTS_INT:
		return store_number(o, at, value, e);
	case OPTS_DURATION:
		return store_duration(o, at, value, e);
	case OPTS_CHOICE:
		if (!value)
			value = (char *)o->without;
		if (!is_choice(o->choices, value))
			return err_set(e, "--%s: \"%s\" is not one of: %s", o->name, value,
			               o->choices);
		*(const char **)at = value;
		return 0;
	case OPTS_STRING:
		*(const char **)at = value ? value : o->without;
		return 0;
	case OPTS_LIST:
		return store_word(o, list, value, e);
	case OPTS_WORDS:
		return store_words(o, list, value, e);
	}
	return 0;
}

/* Builds getopt_long's tables from the rows. */
static void to_getopt(const struct opt *table, int flags, struct option *longs, char *shorts)
{
	size_t n = 0;

	if (flags & OPTS_STOP_AT_ARG)
		*shorts++ = '+';
	*shorts++ = ':';
	for (const struct opt *o = table; o->name && n < OPTS_MAX; o++, n++) {
		int argument = takes_value(o) ? required_argument : no_argument;
		if (o->without)
			argument = optional_argument;
		longs[n] = (struct option){o->name, argument, NULL, LONG_BASE + (int)n};
		if (!o->letter)
			continue;
		*shorts++ = o->letter;
		if (takes_value(o))
			*shorts++ = ':';
	}
	longs[n] = (struct option){0};
	*shorts = '\0';
}

static const struct opt *row_of(const struct opt *table, int c)
{
	if (c >= LONG_BASE)
		return &table[c - LONG_BASE];
	for (const struct opt *o = table; o->name; o++)
		if (o->letter == c)
			return o;
	return NULL;
}

int opts_parse(const struct opt *table, void *into, int argc, char **argv, int flags,
               struct opts_parsed *parsed, struct err *e)
{
	struct option longs[OPTS_MAX + 1];
	char shorts[OPTS_MAX * 2 + 3];
	int c;

	*parsed = (struct opts_parsed){0};
	to_getopt(table, flags, longs, shorts);
	optind = 0; /* glibc: reset its state, so that a test can parse twice */
	opterr = 0;
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct opt *o = row_of(table, c == ':' ? optopt : c);
		const char *word = argv[optind > 0 ? optind - 1 : 0];
		char letter[3] = {'-', (char)optopt, '\0'};
		if (c == ':' && o)
			return err_set(e, "--%s needs a value: %s", o->name, o->arg);
		if (!o && optopt >= LONG_BASE)
			return err_set(e, "--%s takes no value", table[optopt - LONG_BASE].name);
		if (!o)
			return unknown_option(table, optopt ? letter : word, e);
		/* "--markdown --offline a.json": the value was forgotten. */
		if (optarg && optarg == word &&
		    (names_option(table, word) || looks_like_option(word)))
			return err_set(e, "--%s needs a value: %s (\"%.*s\" %s an option)", o->name,
			               o->arg, (int)strcspn(word, "="), word,
			               names_option(table, word) ? "is" : "looks like");
		if (store_value(o, into, optarg, e))
			return -1;
		parsed->given[o - table] = true;
	}
	parsed->rest = optind;
	return 0;
}

/* "--name needs --compare" if the mode can be asked for as well; else what cannot go together. */
static int refuse(const struct opt *o, const struct opts_mode *modes, int mode, struct err *e)
{
	unsigned needs = o->modes & modes[mode].more;
	struct buf list = {0};

	if (!needs)
		return err_set(e, "%s and --%s cannot be used together%s%s%s", modes[mode].said,
		               o->name, modes[mode].usage ? " (see --help " : "",
		               modes[mode].usage ? modes[mode].name : "",
		               modes[mode].usage ? ")" : "");
	for (unsigned m = 0; needs; needs &= ~OPTS_MODE(m), m++) {
		if (!(needs & OPTS_MODE(m)))
			continue;
		if (list.len)
			buf_str(&list, needs == OPTS_MODE(m) ? " or " : ", ");
		buf_str(&list, modes[m].said);
	}
	err_set(e, "--%s needs %s", o->name, buf_cstr(&list));
	buf_free(&list);
	return -1;
}

static bool is_given(const struct opt *table, const struct opts_parsed *parsed, const char *name)
{
	const struct opt *o = table;

	while (o->name && strcmp(o->name, name) != 0)
		o++;
	return o->name && parsed->given[o - table];
}

int opts_mode_named(const struct opts_mode *modes, const char *name)
{
	for (int m = 0; modes[m].name; m++)
		if (strcmp(modes[m].name, name) == 0)
			return m;
	return -1;
}

int opts_check(const struct opt *table, const struct opts_mode *modes, int mode,
               const struct opts_parsed *parsed, struct err *e)
{
	for (const struct opt *o = table; o->name; o++) {
		if (!parsed->given[o - table])
			continue;
		if (o->modes && !(o->modes & OPTS_MODE(mode)))
			return refuse(o, modes, mode, e);
		if (o->needs && !is_given(table, parsed, o->needs))
			return err_set(e, "--%s needs --%s", o->name, o->needs);
	}
	return 0;
}

int opts_mode(const struct opt *table, const struct opts_mode *modes, int otherwise,
              const struct opts_parsed *parsed, struct err *e)
{
	int mode = otherwise;

	for (int m = 0; modes[m].name; m++)
		if (is_given(table, parsed, modes[m].name))
			mode = m;
	return opts_check(table, modes, mode, parsed, e) ? -1 : mode;
}

/* Appends text wrapped at 80 columns, with all lines but the first indented. */
static void wrap_help(struct buf *out, const char *text, size_t indent)
{
	size_t column = indent;

	while (*text) {
		size_t word = strcspn(text, " ");
		if (column > indent && column + 1 + word > 80) {
			buf_printf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			buf_char(out, ' ');
			column++;
		}
		buf_add(out, text, word);
		column += word;
		text += word + strspn(text + word, " ");
	}
	buf_char(out, '\n');
}

#define HELP_INDENT 30

static void help_row(const struct opt *o, struct buf *out)
{
	size_t from = out->len, width;

	if (o->letter)
		buf_printf(out, "  -%c, --%s", o->letter, o->name);
	else
		buf_printf(out, "      --%s", o->name);
	if (o->arg)
		buf_printf(out, o->without ? "[=%s]" : " %s", o->arg);
	width = out->len - from;
	if (width + 2 > HELP_INDENT) {
		buf_char(out, '\n');
		width = 0;
	}
	buf_printf(out, "%*s", (int)(HELP_INDENT - width), "");
	wrap_help(out, o->help, HELP_INDENT);
}

void opts_help(const struct opt *table, unsigned modes, struct buf *out)
{
	const char *heading = NULL;
	bool first = true;

	for (const struct opt *o = table; o->name; o++) {
		heading = o->group ? o->group : heading;
		if (!o->help || (modes && o->modes && !(o->modes & modes)))
			continue;
		if (heading)
			buf_printf(out, "%s%s:\n", first ? "" : "\n", heading);
		heading = NULL;
		first = false;
		help_row(o, out);
	}
}
