/* catalog_where: the words of --group-by and --where. */
#include "fleet/catalog/catalog_where.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/edit_distance.h"
#include "core/base/quantity.h"

/* The keys by which runs can be grouped. */
static const struct {
	const char *word;
	int column;
	bool pair; /* word:KEY */
} keys[] = {
    {"name", RTRACK_ROW_NAME, false},           {"command", RTRACK_ROW_COMMAND, false},
    {"directory", RTRACK_ROW_DIRECTORY, false}, {"host", RTRACK_ROW_HOST, false},
    {"user", RTRACK_ROW_USER, false},           {"account", RTRACK_ROW_ACCOUNT, false},
    {"instance", RTRACK_ROW_INSTANCE, false},   {"vendor", RTRACK_ROW_VENDOR, false},
    {"region", RTRACK_ROW_REGION, false},       {"job", RTRACK_ROW_JOB, false},
    {"array", RTRACK_ROW_ARRAY, false},         {"workflow_run", RTRACK_ROW_WORKFLOW_RUN, false},
    {"origin", CATALOG_COLUMN_ORIGIN, false},   {"tag", RTRACK_ROW_TAGS, true},
    {"label", RTRACK_ROW_LABELS, true},
};

#define KEYS (sizeof keys / sizeof *keys)

static bool same_word(const char *text, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(text, word, n) == 0;
}

/* tag:KEY */
static int read_pair_key(const char *text, size_t n, size_t word, struct catalog_key *out,
                         struct err *e)
{
	const char *key = text + word + 1;

	if (n < word + 1 || n - word - 1 == 0)
		return err_set(e, "\"%.*s\" needs the name of a %.*s: %.*s:KEY", (int)n, text,
		               (int)word, text, (int)word, text);
	n -= word + 1;
	if (n >= sizeof out->pair || memchr(key, ';', n) || memchr(key, '=', n))
		return err_set(e, "\"%.*s\" is not the name of a %.*s", (int)(n < 100 ? n : 100),
		               key, (int)word, text);
	memcpy(out->pair, key, n);
	out->pair[n] = '\0';
	return 0;
}

/* A key of --group-by: 1 if it is none. */
static int read_group_key(const char *text, size_t n, struct catalog_key *out, struct err *e)
{
	const char *colon = memchr(text, ':', n);
	size_t word = colon ? (size_t)(colon - text) : n;

	for (size_t i = 0; i < KEYS; i++) {
		if (!same_word(text, word, keys[i].word) || (colon && !keys[i].pair))
			continue;
		*out = (struct catalog_key){.column = keys[i].column};
		return keys[i].pair ? read_pair_key(text, n, word, out, e) : 0;
	}
	return 1;
}

static int column_of_word(const char *text, size_t n, struct catalog_key *out)
{
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		if (same_word(text, n, catalog_columns[i].name)) {
			*out = (struct catalog_key){.column = i};
			return 0;
		}
	return -1;
}

static void keep_nearest(const char *text, size_t n, const char *word, const char **best,
                         size_t *least)
{
	size_t d = edit_distance(text, n, word);

	if (d < *least) {
		*least = d;
		*best = word;
	}
}

/* The sentence for an unknown key. columns: any column of the table would be one. */
static int refuse_word(const char *text, size_t n, bool columns, struct err *e)
{
	size_t least = n / 2 + 1 < EDIT_DISTANCE_FAR ? n / 2 + 1 : EDIT_DISTANCE_FAR;
	const char *best = NULL;
	int shown = (int)(n < 100 ? n : 100);

	for (size_t i = 0; i < KEYS; i++)
		keep_nearest(text, n, keys[i].word, &best, &least);
	for (int i = 0; columns && i < CATALOG_COLUMNS; i++)
		keep_nearest(text, n, catalog_columns[i].name, &best, &least);
	if (best)
		return err_set(e, "runs have no \"%.*s\"; did you mean %s?", shown, text, best);
	if (columns)
		return err_set(e, "runs have no \"%.*s\" (docs/catalog.md lists the columns)",
		               shown, text);
	return err_set(e,
	               "runs have no \"%.*s\" (name, command, directory, host, user, account, "
	               "instance, vendor, region, job, array, workflow_run, origin, tag:KEY or "
	               "label:KEY)",
	               shown, text);
}

int catalog_where_key(const char *text, struct catalog_key *out, struct err *e)
{
	int found = read_group_key(text, strlen(text), out, e);

	return found == 1 ? refuse_word(text, strlen(text), false, e) : found;
}

/* -- conditions -------------------------------------------------------------------------------- */

static const char *const operators[] = {"!=", "<=", ">=", "=", "<", ">"}; /* longer ones first */

#define OPERATORS (sizeof operators / sizeof *operators)

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && strcmp(name + n - m, end) == 0;
}

/* A number; of columns in seconds and bytes also with a unit. */
static int parse_operand(const char *text, const char *column, double *out)
{
	size_t n = strlen(text);
	char *end;

	while (n && text[n - 1] == ' ')
		n--;
	*out = strtod(text, &end);
	if (n && end == text + n)
		return isfinite(*out) ? 0 : -1;
	if (ends_with(column, "_s"))
		return quantity_duration(text, n, QUANTITY_WITH_UNIT, out);
	if (ends_with(column, "_bytes"))
		return quantity_size(text, n, QUANTITY_WITH_UNIT, out);
	return -1;
}

static const char *operand_words(const char *column)
{
	if (ends_with(column, "_s"))
		return QUANTITY_DURATION;
	return ends_with(column, "_bytes") ? QUANTITY_SIZE : "a number";
}

static int read_operand(const char *text, struct catalog_condition *c, struct err *e)
{
	const char *column = catalog_columns[c->key.column].name;

	if (*c->key.pair || catalog_columns[c->key.column].kind == CATALOG_TEXT) {
		c->value = (struct catalog_value){.kind = CATALOG_TEXT, .text = text};
		return 0;
	}
	c->value = (struct catalog_value){.kind = CATALOG_NUMBER};
	if (parse_operand(text, column, &c->value.number))
		return err_set(e, "\"%.100s\" is not %s, but %s is", text, operand_words(column),
		               column);
	return 0;
}

int catalog_where_condition(const char *text, struct catalog_condition *out, struct err *e)
{
	size_t n = strcspn(text, "=!<>"), blank, op = 0;
	int found;

	while (op < OPERATORS && strncmp(text + n, operators[op], strlen(operators[op])) != 0)
		op++;
	if (op == OPERATORS)
		return err_set(e, "\"%.100s\" is not a condition like user=ann or wall_s>=3600",
		               text);
	*out = (struct catalog_condition){.op = operators[op]};
	blank = strspn(text, " ");
	if (blank > n)
		blank = n;
	text += blank;
	n -= blank;
	op = n + strlen(out->op);
	while (n && text[n - 1] == ' ')
		n--;
	found = read_group_key(text, n, &out->key, e);
	if (found == 1 && column_of_word(text, n, &out->key))
		return refuse_word(text, n, true, e);
	if (found < 0)
		return -1;
	return read_operand(text + op + strspn(text + op, " "), out, e);
}
