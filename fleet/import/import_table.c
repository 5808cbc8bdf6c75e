/* import_table: lines of cells with tabs between, below a line with the columns' names. */
#include "fleet/import/import_table.h"

#include <math.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* The first line without its end, of *n bytes. */
static const char *header_line(const char *text, size_t *n)
{
	const char *end;

	if (*n >= 3 && memcmp(text, BYTE_ORDER_MARK, 3) == 0) {
		text += 3;
		*n -= 3;
	}
	end = memchr(text, '\n', *n);
	*n = end ? (size_t)(end - text) : *n;
	if (*n && text[*n - 1] == '\r')
		--*n;
	return text;
}

bool import_table_has(const char *text, size_t n, const char *name)
{
	const char *at = header_line(text, &n), *end = at + n;
	size_t length = strlen(name);

	while (at < end) {
		const char *tab = memchr(at, '\t', (size_t)(end - at));
		size_t cell = (size_t)((tab ? tab : end) - at);
		if (cell == length && memcmp(at, name, length) == 0)
			return true;
		at += cell + 1;
	}
	return false;
}

bool import_table_recognise(const char *text, size_t n, const char *a, const char *b)
{
	return import_table_has(text, n, a) && import_table_has(text, n, b);
}

/* Ends each cell with a NUL. Calls of the columns: of (places to names) is made if it is the
 * header, else used. Returns how many cells there are, without empty ones beyond the header. */
static size_t split_cells(struct import_table *t, bool header)
{
	char *at = t->line.s;
	size_t n = 0, filled = 0;

	for (; at; n++) {
		char *tab = strchr(at, '\t');
		if (tab)
			*tab = '\0';
		if (*at)
			filled = n + 1;
		if (header && n < IMPORT_TABLE_CELLS) {
			size_t i = 0;
			while (i < t->names && strcmp(at, t->column[i].name) != 0)
				i++;
			t->of[n] = (unsigned char)i;
		} else if (n < t->columns && n < IMPORT_TABLE_CELLS && t->of[n] < t->names) {
			/* A name that stands there twice is that of its first column. */
			if (!*t->cell[t->of[n]])
				t->cell[t->of[n]] = at;
		}
		at = tab ? tab + 1 : NULL;
	}
	if (filled > t->columns || header)
		return filled;
	return n < t->columns ? n : t->columns;
}

int import_table_open(struct import_table *t, struct import *in, const struct import_column *column,
                      size_t n, struct err *e)
{
	t->in = in;
	t->column = column;
	t->names = n < IMPORT_TABLE_COLUMNS ? n : IMPORT_TABLE_COLUMNS;
	if (!import_reader_next_line(in, &t->line))
		return err_set(e, "%s: it has no line with the names of columns", in->name);
	t->columns = 0;
	t->columns = split_cells(t, true);
	return 0;
}

/* Whether it is the header again. */
static bool is_header(const struct import_table *t)
{
	for (size_t i = 0; i < t->names; i++)
		if (*t->cell[i] && strcmp(t->cell[i], t->column[i].name) != 0)
			return false;
	return true;
}

/* The last cell of a file without an end of its last line: "12" may have been "128". */
static void forget_last(struct import_table *t)
{
	size_t i = t->columns <= IMPORT_TABLE_CELLS ? t->of[t->columns - 1] : t->names;

	if (i >= t->names || !*t->cell[i])
		return;
	import_reader_unknown(t->in, t->line.number, t->column[i].name, t->cell[i]);
	t->cell[i] = "";
}

bool import_table_next(struct import_table *t)
{
	char why[96];
	size_t n;

	while (import_reader_next_line(t->in, &t->line)) {
		if (!*t->line.s)
			continue;
		for (size_t i = 0; i < t->names; i++)
			t->cell[i] = "";
		n = split_cells(t, false);
		if (n && n == t->columns && !t->line.cut) {
			if (!t->line.whole)
				forget_last(t);
			if (is_header(t))
				continue;
			t->in->lines++;
			return true;
		}
		snprintf(why, sizeof why, "the line has %zu cells, and the header %zu%s", n,
		         t->columns, t->line.whole ? "" : "; the file ends in it");
		import_reader_left_out(t->in, t->line.number,
		                       t->line.cut ? "the line is too long" : why);
	}
	return false;
}

static double number_of_cell(struct import_row *r, const struct import_column *c, const char *cell)
{
	double v = import_row_value(r, c->name, cell, c->number);

	if (c->positive && !(v > 0))
		return NAN;
	return c->unit > 0 ? v * c->unit : v;
}

void import_table_fill(struct import_table *t, struct import_row *r)
{
	for (size_t i = 0; i < t->names; i++) {
		const struct import_column *c = &t->column[i];
		enum rtrack_row_id to = (enum rtrack_row_id)(c->to - 1);
		if (c->number) {
			t->number[i] = number_of_cell(r, c, t->cell[i]);
			if (c->to)
				r->row.of[to].number = t->number[i];
		} else if (c->to) {
			import_row_text(r, to, t->cell[i], c->max);
		}
		if (c->label)
			import_row_label(r, c->label, t->cell[i]);
	}
}

void import_table_free(struct import_table *t)
{
	import_reader_line_free(&t->line);
}
