/* text_layout: lays out the lines of templates/summary.txt for a terminal of any width. */
#include "report/render/text_layout.h"

#include <stdint.h>
#include <string.h>

#define APART     "\xe2\x80\x8b" /* U+200B, a zero-width space */
#define INDENT    ((size_t)2)
#define GAP       2  /* columns between cells */
#define FIRST_MIN 12 /* narrowest first column of a table; below that, the table becomes a list */

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
	bool blank;   /* put a blank line before the next block */
	size_t begun; /* bytes in this line, leading spaces not counted */
	char last;    /* the last byte put */
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

/* -- width ------------------------------------------------------------------------------------- */

/* Code points from … to, ascending. wcwidth(3) would depend on the locale. */
struct range {
	uint32_t from, to;
};

static const struct range zero_width[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},
    {0x64b, 0x65f},   {0x200b, 0x200f}, {0x2060, 0x2064}, {0x20d0, 0x20ff},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef},
};
static const struct range wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
    {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

#define WITHIN(c, ranges) is_in_ranges(c, ranges, sizeof(ranges) / sizeof *(ranges))

static int is_in_ranges(uint32_t c, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n && r[i].from <= c; i++)
		if (c <= r[i].to)
			return 1;
	return 0;
}

/* The columns of the character at s: 0 if it combines with the one before, 2 if it is wide, else 1.
 * s has n > 0 bytes of UTF-8. Sets *len to the character's bytes (1 if it is invalid). */
static size_t character_width(const char *s, size_t n, size_t *len)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t want = *p < 0xf0 ? 3 : 4;
	uint32_t c = *p;

	*len = 1;
	if (*p < 0xe0)
		want = 2;
	if (*p < 0xc0 || want > n)
		return 1;
	c &= 0x7fU >> want;
	for (size_t i = 1; i < want; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (p[i] & 0x3f);
	}
	*len = want;
	if (WITHIN(c, zero_width))
		return 0;
	return WITHIN(c, wide) ? 2 : 1;
}

size_t text_layout_columns(const char *s, size_t n)
{
	size_t columns = 0, len;

	for (size_t i = 0; i < n; i += len)
		columns += character_width(s + i, n - i, &len);
	return columns;
}

size_t text_layout_fit(const char *s, size_t n, size_t columns, size_t *next)
{
	size_t used = 0, space = 0, i = 0, len, end;

	for (; i < n; i += len) {
		used += character_width(s + i, n - i, &len);
		if (used > columns && s[i] != ' ' && i)
			break;
		if (s[i] == ' ' && i)
			space = i;
	}
	end = i < n && space ? space : i;
	for (*next = end; *next < n && s[*next] == ' ';)
		++*next;
	while (end && s[end - 1] == ' ')
		end--;
	return end;
}

/* -- output ------------------------------------------------------------------------------------ */

static void put_text(struct page *p, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == p->last && (s[i] == '#' || (s[i] == ':' && p->begun == 1)))
			buf_str(p->out, APART);
		p->begun += p->begun || s[i] != ' ';
		p->last = s[i];
		buf_char(p->out, s[i]);
	}
}

static void end_line(struct page *p)
{
	buf_char(p->out, '\n');
	p->begun = 0;
	p->last = '\n';
}

static void put_spaces(struct page *p, size_t n)
{
	while (n--)
		put_text(p, " ", 1);
}

static void begin_style(struct page *p, const char *code)
{
	if (p->colour && *code)
		buf_printf(p->out, "\033[%sm", code);
}

static void end_style(struct page *p, const char *code)
{
	if (p->colour && *code)
		buf_str(p->out, "\033[0m");
}

/* Columns from this one to the right edge; at least 1, so that wrapping always makes progress. */
static size_t columns_left(const struct page *p, size_t column)
{
	return p->width > column ? p->width - column : 1;
}

/* Puts a cell that begins at column `indent`, the current one, and continues there on further
 * lines. Returns the column after it. Each line sets and resets the style, so that a pager that
 * shows only some of the lines colours them correctly. */
static size_t put_wrapped(struct page *p, const struct cell *c, size_t indent, const char *code)
{
	size_t from = 0, next, n, end = indent;

	while (from < c->n) {
		n = text_layout_fit(c->s + from, c->n - from, columns_left(p, indent), &next);
		begin_style(p, code);
		put_text(p, c->s + from, n);
		end_style(p, code);
		end = indent + text_layout_columns(c->s + from, n);
		from += next;
		if (from < c->n) {
			end_line(p);
			put_spaces(p, indent);
		}
	}
	return end;
}

/* -- kinds of lines ---------------------------------------------------------------------------- */

static void put_title(struct page *p, const struct line *l)
{
	const struct cell *word = &l->cell[1], *text = &l->cell[2];
	size_t at;

	if (l->cells < 3)
		return;
	at = put_wrapped(p, text, 0, BOLD);
	put_text(p, ":", 1);
	if (at + 2 + text_layout_columns(word->s, word->n) > p->width) {
		end_line(p);
		put_spaces(p, INDENT);
	} else {
		put_spaces(p, 1);
	}
	put_wrapped(p, word, INDENT, level_of(&l->cell[0])->style);
	end_line(p);
}

static void put_heading(struct page *p, const struct line *l)
{
	put_wrapped(p, &l->cell[0], 0, BOLD);
	end_line(p);
}

static void put_paragraph(struct page *p, const struct line *l)
{
	put_spaces(p, INDENT);
	put_wrapped(p, &l->cell[0], INDENT, "");
	end_line(p);
}

/* A command that is copied must be in one line. */
static void put_verbatim(struct page *p, const struct line *l)
{
	put_spaces(p, 2 * INDENT);
	put_text(p, l->cell[0].s, l->cell[0].n);
	end_line(p);
}

static void put_remark(struct page *p, const struct line *l)
{
	const struct level *level = level_of(&l->cell[0]);

	if (l->cells < 2)
		return;
	put_spaces(p, INDENT);
	begin_style(p, level->style);
	put_text(p, level->sign, 1);
	end_style(p, level->style);
	put_spaces(p, 1);
	put_wrapped(p, &l->cell[1], INDENT + 2, "");
	end_line(p);
}

static size_t widest_cell(const struct line *l, size_t n, size_t cell)
{
	size_t max = 0;

	for (size_t i = 0; i < n; i++) {
		size_t columns = cell < l[i].cells
		                     ? text_layout_columns(l[i].cell[cell].s, l[i].cell[cell].n)
		                     : 0;
		max = columns > max ? columns : max;
	}
	return max;
}

static void put_terms(struct page *p, const struct line *l, size_t n)
{
	size_t max = widest_cell(l, n, 0), most = columns_left(p, 0) / 3, at;

	max = max > most ? most : max;
	at = INDENT + max + GAP;
	for (size_t i = 0; i < n; i++) {
		size_t end;
		put_spaces(p, INDENT);
		end = put_wrapped(p, &l[i].cell[0], INDENT, "");
		if (end + GAP > at) {
			end_line(p);
			end = 0;
		}
		if (l[i].cells > 1) {
			put_spaces(p, at - end);
			put_wrapped(p, &l[i].cell[1], at, "");
		}
		end_line(p);
	}
}

/* -- tables ------------------------------------------------------------------------------------ */

static void put_right(struct page *p, const struct cell *c, size_t width)
{
	size_t columns = text_layout_columns(c->s, c->n);

	put_spaces(p, width > columns ? width - columns : 0);
	put_text(p, c->s, c->n);
}

static void put_table_row(struct page *p, const struct line *l, const size_t *width,
                          const char *code)
{
	const struct cell *first = &l->cell[0];
	size_t next, n = text_layout_fit(first->s, first->n, width[0], &next), from;

	put_spaces(p, INDENT);
	begin_style(p, code);
	put_text(p, first->s, n);
	if (l->cells > 1)
		put_spaces(p, width[0] - text_layout_columns(first->s, n));
	for (size_t i = 1; i < l->cells; i++) {
		put_spaces(p, GAP);
		put_right(p, &l->cell[i], width[i]);
	}
	end_style(p, code);
	end_line(p);
	for (from = next; from < first->n; from += next) {
		n = text_layout_fit(first->s + from, first->n - from, width[0], &next);
		put_spaces(p, INDENT);
		put_text(p, first->s + from, n);
		end_line(p);
	}
}

/* "Head: cell", with the cell on the next line if it does not fit beside its head. */
static void put_named(struct page *p, const struct cell *head, const struct cell *c)
{
	size_t at = 2 * INDENT;

	put_spaces(p, at);
	if (head->n) {
		at = put_wrapped(p, head, at, "") + 2;
		put_text(p, ":", 1);
		if (at + text_layout_columns(c->s, c->n) > p->width) {
			end_line(p);
			at = 3 * INDENT;
			put_spaces(p, at);
		} else {
			put_spaces(p, 1);
		}
	}
	put_wrapped(p, c, at, "");
	end_line(p);
}

/* A table that is too wide: each row's first cell, and below it the other cells with their
 * heads. */
static void put_list(struct page *p, const struct line *l, size_t n)
{
	static const struct cell nameless = {"", 0};

	for (size_t i = 1; i < n; i++) {
		put_spaces(p, INDENT);
		put_wrapped(p, &l[i].cell[0], INDENT, "");
		end_line(p);
		for (size_t c = 1; c < l[i].cells; c++)
			put_named(p, c < l[0].cells ? &l[0].cell[c] : &nameless, &l[i].cell[c]);
	}
}

static void put_table(struct page *p, const struct line *l, size_t n)
{
	size_t width[TEXT_LAYOUT_CELLS_MAX], rest = INDENT;

	for (size_t i = 0; i < TEXT_LAYOUT_CELLS_MAX; i++) {
		width[i] = widest_cell(l, n, i);
		if (i && width[i])
			rest += GAP + width[i];
	}
	if (rest + width[0] > p->width)
		width[0] = columns_left(p, rest) >= FIRST_MIN ? columns_left(p, rest) : 0;
	if (!width[0]) {
		put_list(p, l, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		put_table_row(p, &l[i], width, i ? "" : BOLD);
}

/* -- lines ------------------------------------------------------------------------------------- */

/* Parses the line of n bytes at s, without its line break. */
static struct line parse_line(const char *s, size_t n)
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

#define BLOCK_MAX 512 /* lines that are aligned together; a longer table is split */

static void put_block(struct page *p, const struct line *l, size_t n)
{
	if (p->blank && p->out->len)
		end_line(p);
	p->blank = false;
	if (l->kind == '|')
		put_table(p, l, n);
	else if (l->kind == ':')
		put_terms(p, l, n);
	else if (l->kind == '!')
		put_title(p, l);
	else if (l->kind == '#')
		put_heading(p, l);
	else if (l->kind == '*')
		put_remark(p, l);
	else if (l->kind == '>')
		put_verbatim(p, l);
	else
		put_paragraph(p, l);
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
			l[lines++] = parse_line(text, (size_t)(stop - text));
			text = stop < end ? stop + 1 : end;
		}
		/* clang-analyzer-core.uninitialized.Branch: text < end, so l[0] is set */
		if (l->kind)
			put_block(&p, l, lines);
		else
			p.blank = true;
	}
}
