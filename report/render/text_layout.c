/* text_layout: lays text out in the columns of a terminal. */
#include "report/render/text_layout.h"

#include <string.h>

#include "report/render/text_width.h"

#define APART     "\xe2\x80\x8b" /* U+200B, a zero-width space */
#define INDENT    ((size_t)2)
#define GAP       2  /* columns between cells */
#define FIRST_MIN 12 /* columns of a table's first cell, if it must wrap */

#define BOLD "1"

struct cell {
	const char *s;
	size_t n;
};

struct line {
	char kind;
	struct cell cell[TEXT_LAYOUT_CELLS_MAX];
	size_t cells;
};

struct page {
	struct buf *out;
	size_t width;
	bool colour;
	bool blank;   /* a blank line is due before what comes next */
	size_t begun; /* bytes in this line, from the first that is no space on */
	char last;    /* of what was put in this line */
};

static const struct level {
	const char *name, *sign, *style;
} levels[] = {{"info", "-", ""}, {"good", "+", "32"}, {"warn", "!", "33"}, {"bad", "x", "31"}};

static const struct level *level_of(const struct cell *c)
{
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (strlen(levels[i].name) == c->n && memcmp(levels[i].name, c->s, c->n) == 0)
			return &levels[i];
	return &levels[0];
}

/* -- putting ----------------------------------------------------------------------------------- */

static void put(struct page *p, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == p->last && (s[i] == '#' || (s[i] == ':' && p->begun == 1)))
			buf_str(p->out, APART);
		p->begun += p->begun || s[i] != ' ';
		p->last = s[i];
		buf_char(p->out, s[i]);
	}
}

static void newline(struct page *p)
{
	buf_char(p->out, '\n');
	p->begun = 0;
	p->last = '\n';
}

static void spaces(struct page *p, size_t n)
{
	while (n--)
		put(p, " ", 1);
}

static void style(struct page *p, const char *code)
{
	if (p->colour && *code)
		buf_printf(p->out, "\033[%sm", code);
}

static void plain(struct page *p, const char *code)
{
	if (p->colour && *code)
		buf_str(p->out, "\033[0m");
}

/* What is left of the width from a column on; something is, always. */
static size_t room(const struct page *p, size_t column)
{
	return p->width > column ? p->width - column : 1;
}

/* Text from the column `indent` on, where the line is now, and in the lines below. Returns the
 * column after it. The style is put on and off in each line: a terminal may be scrolled. */
static size_t wrap(struct page *p, const struct cell *c, size_t indent, const char *code)
{
	size_t from = 0, next, n, end = indent;

	while (from < c->n) {
		n = text_width_fit(c->s + from, c->n - from, room(p, indent), &next);
		style(p, code);
		put(p, c->s + from, n);
		plain(p, code);
		end = indent + text_width_columns(c->s + from, n);
		from += next;
		if (from < c->n) {
			newline(p);
			spaces(p, indent);
		}
	}
	return end;
}

/* -- kinds of lines ---------------------------------------------------------------------------- */

static void title(struct page *p, const struct line *l)
{
	const struct cell *word = &l->cell[1], *text = &l->cell[2];
	size_t at;

	if (l->cells < 3)
		return;
	at = wrap(p, text, 0, BOLD);
	put(p, ":", 1);
	if (at + 2 + text_width_columns(word->s, word->n) > p->width) {
		newline(p);
		spaces(p, INDENT);
	} else {
		spaces(p, 1);
	}
	wrap(p, word, INDENT, level_of(&l->cell[0])->style);
	newline(p);
}

static void heading(struct page *p, const struct line *l)
{
	wrap(p, &l->cell[0], 0, BOLD);
	newline(p);
}

static void paragraph(struct page *p, const struct line *l)
{
	spaces(p, INDENT);
	wrap(p, &l->cell[0], INDENT, "");
	newline(p);
}

static void remark(struct page *p, const struct line *l)
{
	const struct level *level = level_of(&l->cell[0]);

	if (l->cells < 2)
		return;
	spaces(p, INDENT);
	style(p, level->style);
	put(p, level->sign, 1);
	plain(p, level->style);
	spaces(p, 1);
	wrap(p, &l->cell[1], INDENT + 2, "");
	newline(p);
}

static size_t widest(const struct line *l, size_t n, size_t cell)
{
	size_t max = 0;

	for (size_t i = 0; i < n; i++) {
		size_t columns = cell < l[i].cells
		                     ? text_width_columns(l[i].cell[cell].s, l[i].cell[cell].n)
		                     : 0;
		max = columns > max ? columns : max;
	}
	return max;
}

static void terms(struct page *p, const struct line *l, size_t n)
{
	size_t max = widest(l, n, 0), most = room(p, 0) / 3, at;

	max = max > most ? most : max;
	at = INDENT + max + GAP;
	for (size_t i = 0; i < n; i++) {
		size_t end;
		spaces(p, INDENT);
		end = wrap(p, &l[i].cell[0], INDENT, "");
		if (end + GAP > at) {
			newline(p);
			end = 0;
		}
		if (l[i].cells > 1) {
			spaces(p, at - end);
			wrap(p, &l[i].cell[1], at, "");
		}
		newline(p);
	}
}

/* -- tables ------------------------------------------------------------------------------------ */

static void right(struct page *p, const struct cell *c, size_t width)
{
	size_t columns = text_width_columns(c->s, c->n);

	spaces(p, width > columns ? width - columns : 0);
	put(p, c->s, c->n);
}

static void row(struct page *p, const struct line *l, const size_t *width, const char *code)
{
	const struct cell *first = &l->cell[0];
	size_t next, n = text_width_fit(first->s, first->n, width[0], &next), from;

	spaces(p, INDENT);
	style(p, code);
	put(p, first->s, n);
	if (l->cells > 1)
		spaces(p, width[0] - text_width_columns(first->s, n));
	for (size_t i = 1; i < l->cells; i++) {
		spaces(p, GAP);
		right(p, &l->cell[i], width[i]);
	}
	plain(p, code);
	newline(p);
	for (from = next; from < first->n; from += next) {
		n = text_width_fit(first->s + from, first->n - from, width[0], &next);
		spaces(p, INDENT);
		put(p, first->s + from, n);
		newline(p);
	}
}

/* "Head: cell", the cell below its head where there is no room beside it. */
static void named(struct page *p, const struct cell *head, const struct cell *c)
{
	size_t at = 2 * INDENT;

	spaces(p, at);
	if (head->n) {
		at = wrap(p, head, at, "") + 2;
		put(p, ":", 1);
		if (at + text_width_columns(c->s, c->n) > p->width) {
			newline(p);
			at = 3 * INDENT;
			spaces(p, at);
		} else {
			spaces(p, 1);
		}
	}
	wrap(p, c, at, "");
	newline(p);
}

/* Each row as a term, and below it its cells with the head's names. */
static void list(struct page *p, const struct line *l, size_t n)
{
	static const struct cell nameless = {"", 0};

	for (size_t i = 1; i < n; i++) {
		spaces(p, INDENT);
		wrap(p, &l[i].cell[0], INDENT, "");
		newline(p);
		for (size_t c = 1; c < l[i].cells; c++)
			named(p, c < l[0].cells ? &l[0].cell[c] : &nameless, &l[i].cell[c]);
	}
}

static void table(struct page *p, const struct line *l, size_t n)
{
	size_t width[TEXT_LAYOUT_CELLS_MAX], rest = INDENT;

	for (size_t i = 0; i < TEXT_LAYOUT_CELLS_MAX; i++) {
		width[i] = widest(l, n, i);
		if (i && width[i])
			rest += GAP + width[i];
	}
	if (rest + width[0] > p->width)
		width[0] = room(p, rest) >= FIRST_MIN ? room(p, rest) : 0;
	if (!width[0]) {
		list(p, l, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		row(p, &l[i], width, i ? "" : BOLD);
}

/* -- lines ------------------------------------------------------------------------------------- */

/* The line at s, of n bytes without its end. */
static struct line line_of(const char *s, size_t n)
{
	struct line l = {.kind = n >= 2 ? s[0] : '\0', .cells = 1};
	const char *end = s + n, *tab;

	s += n >= 2 ? 2 : n;
	while (l.cells < TEXT_LAYOUT_CELLS_MAX && (tab = memchr(s, '\t', (size_t)(end - s)))) {
		l.cell[l.cells - 1] = (struct cell){s, (size_t)(tab - s)};
		l.cells++;
		s = tab + 1;
	}
	l.cell[l.cells - 1] = (struct cell){s, (size_t)(end - s)};
	return l;
}

#define BLOCK_MAX 512 /* lines that are aligned together */

static void block(struct page *p, const struct line *l, size_t n)
{
	if (p->blank && p->out->len)
		newline(p);
	p->blank = false;
	if (l->kind == '|')
		table(p, l, n);
	else if (l->kind == ':')
		terms(p, l, n);
	else if (l->kind == '!')
		title(p, l);
	else if (l->kind == '#')
		heading(p, l);
	else if (l->kind == '*')
		remark(p, l);
	else
		paragraph(p, l);
}

void text_layout(struct buf *out, const char *text, size_t n, size_t width, bool colour)
{
	struct page p = {.out = out, .width = width, .colour = colour};
	const char *end = text + n;

	while (text < end) {
		struct line l[BLOCK_MAX];
		size_t lines = 0, most = *text == '|' || *text == ':' ? BLOCK_MAX : 1;
		char kind = *text;
		while (text < end && *text == kind && lines < most) {
			const char *stop = memchr(text, '\n', (size_t)(end - text));
			stop = stop ? stop : end;
			l[lines++] = line_of(text, (size_t)(stop - text));
			text = stop < end ? stop + 1 : end;
		}
		/* clang-analyzer-core.uninitialized.Branch: text < end, so there is a line */
		if (l->kind)
			block(&p, l, lines);
		else
			p.blank = true;
	}
}
