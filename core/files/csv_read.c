/* csv_read: reads CSV as it is inflated, a cell at a time. */
#include "core/files/csv_read.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/json/json_number.h"

#define NUMBER_MAX 64 /* bytes of a number */

void csv_read_init(struct csv_read *c, struct gz_in *g, const char *begun, size_t n,
                   const char *name, struct err *e)
{
	static const char mark[] = "\xef\xbb\xbf";

	*c = (struct csv_read){.g = g, .name = name, .e = e, .text = {.max = CSV_READ_CELL_MAX}};
	c->end = n < sizeof c->window ? n : sizeof c->window;
	memcpy(c->window, begun, c->end);
	if (c->end >= strlen(mark) && memcmp(c->window, mark, strlen(mark)) == 0)
		c->at = strlen(mark);
}

int csv_read_fail(struct csv_read *c, const char *sentence)
{
	if (!c->failed)
		err_set(c->e, "%s: line %llu: %s", c->name, (unsigned long long)c->line, sentence);
	c->failed = true;
	return -1;
}

/* False at the end of the content or on an error. */
static bool refill_csv(struct csv_read *c)
{
	long n;

	if (c->failed || !c->g)
		return false;
	n = gz_read(c->g, c->window, sizeof c->window, c->e);
	if (n < 0) {
		err_wrap(c->e, "%s", c->name);
		c->failed = true;
	}
	c->at = 0;
	c->end = n > 0 ? (size_t)n : 0;
	return n > 0;
}

/* The next byte, not consumed; -1 at the end. */
static int peek_csv(struct csv_read *c)
{
	if (c->at == c->end && !refill_csv(c))
		return -1;
	return (unsigned char)c->window[c->at];
}

static bool is_line_end(int c)
{
	return c == '\n' || c == '\r';
}

/* CR, LF or both. */
static void skip_line_end(struct csv_read *c)
{
	int first = peek_csv(c);

	c->at++;
	c->ends++;
	if (first == '\r' && peek_csv(c) == '\n')
		c->at++;
}

int csv_read_record(struct csv_read *c)
{
	int first;

	while (is_line_end(first = peek_csv(c)))
		skip_line_end(c);
	c->line = c->ends + 1;
	c->cells = 0;
	c->in_record = first >= 0;
	return c->failed ? -1 : c->in_record;
}

/* Behind a cell: a comma, or the end of the record. */
static int end_cell(struct csv_read *c)
{
	int next = peek_csv(c);

	if (c->failed)
		return -1;
	if (next == ',') {
		c->at++;
		return 1;
	}
	c->in_record = false;
	c->unterminated = next < 0;
	if (next < 0)
		return 1;
	if (!is_line_end(next))
		return csv_read_fail(c, "text after the closing quote of a cell");
	skip_line_end(c);
	return c->failed ? -1 : 1;
}

static int add_to_cell(struct csv_read *c, int byte)
{
	buf_char(&c->text, (char)byte);
	c->at++;
	return c->text.failed ? csv_read_fail(c, "a cell that is too long") : 0;
}

/* From its opening quote on. */
static int read_quoted(struct csv_read *c)
{
	int byte;

	c->at++;
	for (;;) {
		byte = peek_csv(c);
		if (byte < 0)
			return csv_read_fail(c, "the content ends in a quoted cell");
		if (byte == '"') {
			c->at++;
			if (peek_csv(c) != '"')
				return c->failed ? -1 : 0;
		} else {
			c->ends += byte == '\n';
		}
		if (add_to_cell(c, byte))
			return -1;
	}
}

static int read_unquoted(struct csv_read *c)
{
	int byte;

	while ((byte = peek_csv(c)) >= 0 && byte != ',' && !is_line_end(byte))
		if (add_to_cell(c, byte))
			return -1;
	return c->failed ? -1 : 0;
}

/* Fast path: nearly all cells are numbers that lie in the window. Returns the byte after the cell,
 * or 0 where there is more to do. */
static int take_from_window(struct csv_read *c)
{
	const char *s = c->window + c->at;
	size_t left = c->end - c->at, n = 0;

	while (n < left && n < NUMBER_MAX && s[n] != ',' && s[n] != '\n' && s[n] != '"' &&
	       s[n] != '\r')
		n++;
	if (n == left || (s[n] != ',' && s[n] != '\n'))
		return 0;
	c->cell = s;
	c->n = n;
	return s[n];
}

int csv_read_cell(struct csv_read *c)
{
	int next, failed;

	if (c->failed || !c->in_record)
		return c->failed ? -1 : 0;
	if (++c->cells > CSV_READ_CELLS_MAX)
		return csv_read_fail(c, "too many cells");
	next = take_from_window(c);
	if (next) {
		c->at += c->n + 1;
		c->in_record = next == ',';
		c->ends += next == '\n';
		c->unterminated = false;
		return 1;
	}
	buf_clear(&c->text);
	failed = peek_csv(c) == '"' ? read_quoted(c) : read_unquoted(c);
	c->cell = buf_cstr(&c->text);
	c->n = c->text.len;
	return failed ? -1 : end_cell(c);
}

bool csv_read_is(const struct csv_read *c, const char *word)
{
	return strlen(word) == c->n && memcmp(c->cell, word, c->n) == 0;
}

bool csv_read_number(const struct csv_read *c, double *v)
{
	static const char *const nothing[] = {"nan", "none", "na", "inf", "-inf"};
	char text[NUMBER_MAX];
	size_t from = 0, n = c->n;

	while (n && c->cell[n - 1] == ' ')
		n--;
	while (from < n && c->cell[from] == ' ')
		from++;
	n -= from;
	*v = NAN;
	if (n == 0)
		return true;
	if (n >= sizeof text || memchr(c->cell + from, '\0', n))
		return false;
	memset(text, 0, sizeof text);
	memcpy(text, c->cell + from, n);
	if (json_number_short(text, v) == n)
		return true;
	for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
		if (strcasecmp(text, nothing[i]) == 0) {
			*v = NAN;
			return true;
		}
	if (!json_number_word(text, v))
		return false;
	*v = isfinite(*v) ? *v : NAN;
	return true;
}

void csv_read_free(struct csv_read *c)
{
	buf_free(&c->text);
}
