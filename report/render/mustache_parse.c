/* mustache_parse: parses a Mustache template into a flat list of tokens. */
#include "report/render/mustache_parse.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE SIZE_MAX

struct parser {
	const char *text;
	size_t len;
	const char *name;
	const char *open, *close; /* delimiters: literals or slices of the text */
	size_t open_n, close_n;
	size_t inside[MUSTACHE_SECTIONS_MAX]; /* tokens of the open sections */
	size_t depth;
	struct mustache_tokens *out;
	struct err *e;
};

/* A tag in the text. */
struct tag {
	char sigil;     /* one of "!=#^/>&{", or 0 */
	size_t at, end; /* including the delimiters */
	size_t s, n;    /* the trimmed content */
};

int mustache_fail(const char *text, size_t at, const char *name, struct err *e,
                  const char *sentence)
{
	size_t line = 1, column = 1;

	for (size_t i = 0; i < at; i++) {
		if (text[i] == '\n') {
			line++;
			column = 1;
		} else if (((unsigned char)text[i] & 0xc0) != 0x80)
			column++;
	}
	return err_set(e, "%s:%zu:%zu: %s", name, line, column, sentence);
}

static int parse_fail(const struct parser *p, size_t at, const char *sentence)
{
	return mustache_fail(p->text, at, p->name, p->e, sentence);
}

static bool is_space_or_tab(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_space(char c)
{
	return is_space_or_tab(c) || (c >= '\n' && c <= '\r');
}

static int add_token(struct parser *p, struct mustache_token t)
{
	struct mustache_tokens *out = p->out;

	if (out->n == out->cap) {
		size_t cap = out->cap ? out->cap * 2 : 64;
		struct mustache_token *v;
		if (out->n >= MUSTACHE_TOKENS_MAX)
			return parse_fail(p, t.at, "the template has too many lines and tags");
		v = reallocarray(out->v, cap, sizeof *v);
		if (!v)
			return parse_fail(p, t.at, "no memory for the template");
		out->v = v;
		out->cap = cap;
	}
	out->v[out->n++] = t;
	return 0;
}

/* Adds one token for each line from s to end. A tag at the very beginning of a line gets an empty
 * text token before it, which carries the indentation of an enclosing partial. */
static int add_text_tokens(struct parser *p, size_t s, size_t end, bool tag_follows)
{
	for (;;) {
		bool line = s == 0 || p->text[s - 1] == '\n';
		const char *newline = end > s ? memchr(p->text + s, '\n', end - s) : NULL;
		size_t n = newline ? (size_t)(newline - p->text) + 1 - s : end - s;
		if (n == 0 && !(line && tag_follows))
			return 0;
		if (add_token(p, (struct mustache_token){
				     .kind = MUSTACHE_TEXT, .line = line, .s = s, .n = n, .at = s}))
			return -1;
		if (n == 0)
			return 0;
		s += n;
	}
}

static size_t find_delimiter(const struct parser *p, const char *what, size_t n, size_t from)
{
	const char *hit = memmem(p->text + from, p->len - from, what, n);

	return hit ? (size_t)(hit - p->text) : NOWHERE;
}

/* Finds the next closing delimiter that follows this character (0: any). */
static size_t find_close_delimiter(const struct parser *p, size_t from, char before)
{
	size_t at = from;

	while ((at = find_delimiter(p, p->close, p->close_n, at)) != NOWHERE) {
		if (!before || (at > from && p->text[at - 1] == before))
			return at;
		at++;
	}
	return NOWHERE;
}

static int not_closed(const struct parser *p, const struct tag *t)
{
	char sentence[160];
	const char *s = p->text + t->at;
	int n = 0;

	while (n < 40 && t->at + (size_t)n < p->len && (unsigned char)s[n] >= ' ')
		n++;
	snprintf(sentence, sizeof sentence, "the tag %.*s is not closed: %s%.*s is missing", n, s,
	         t->sigil == '{'   ? "}"
	         : t->sigil == '=' ? "="
	                           : "",
	         (int)p->close_n, p->close);
	return parse_fail(p, t->at, sentence);
}

/* Reads the tag that begins at t->at. */
static int read_tag(const struct parser *p, struct tag *t)
{
	size_t i = t->at + p->open_n, end;
	char before;

	while (i < p->len && is_space(p->text[i]))
		i++;
	t->sigil = '\0';
	if (i < p->len && p->text[i] && strchr("!=#^/>&{<$", p->text[i]))
		t->sigil = p->text[i++];
	before = t->sigil == '{' ? '}' : t->sigil == '=' ? '=' : '\0';
	end = find_close_delimiter(p, i, before);
	if (end == NOWHERE)
		return not_closed(p, t);
	t->end = end + p->close_n;
	if (before)
		end--;
	while (i < end && is_space(p->text[i]))
		i++;
	while (end > i && is_space(p->text[end - 1]))
		end--;
	t->s = i;
	t->n = end - i;
	if (t->n == 0 && t->sigil != '!' && t->sigil != '=')
		return parse_fail(p, t->at, "a tag without a name");
	return 0;
}

/* {{=OPEN CLOSE=}} */
static int set_delimiters(struct parser *p, const struct tag *t)
{
	const char *s = p->text + t->s, *end = s + t->n, *middle = s, *second;

	while (middle < end && !is_space(*middle))
		middle++;
	second = middle;
	while (second < end && is_space(*second))
		second++;
	for (const char *c = second; c < end; c++)
		if (is_space(*c))
			second = end;
	if (second == end || middle - s > MUSTACHE_DELIMITER_MAX ||
	    end - second > MUSTACHE_DELIMITER_MAX)
		return parse_fail(
		    p, t->at,
		    "new delimiters are two words of at most 16 bytes, as in {{=<% %>=}}");
	p->open = s;
	p->open_n = (size_t)(middle - s);
	p->close = second;
	p->close_n = (size_t)(end - second);
	return 0;
}

static int begin_section(struct parser *p, const struct tag *t)
{
	if (p->depth == MUSTACHE_SECTIONS_MAX)
		return parse_fail(p, t->at, "more than 64 nested sections");
	p->inside[p->depth++] = p->out->n;
	return add_token(p, (struct mustache_token){.kind = t->sigil == '#' ? MUSTACHE_SECTION
	                                                                    : MUSTACHE_INVERTED,
	                                            .s = t->s,
	                                            .n = t->n,
	                                            .at = t->at});
}

static int name_width(size_t n)
{
	return n > 60 ? 60 : (int)n;
}

static int end_section(struct parser *p, const struct tag *t)
{
	const char *name = p->text + t->s;
	struct mustache_token *begin;
	size_t from;
	char sentence[240];

	if (p->depth == 0) {
		snprintf(sentence, sizeof sentence, "the end tag /%.*s has no open section",
		         name_width(t->n), name);
		return parse_fail(p, t->at, sentence);
	}
	from = p->inside[--p->depth];
	begin = &p->out->v[from];
	if (begin->n != t->n || memcmp(p->text + begin->s, name, t->n) != 0) {
		snprintf(sentence, sizeof sentence,
		         "the end tag /%.*s is inside the section %.*s, which must end first",
		         name_width(t->n), name, name_width(begin->n), p->text + begin->s);
		return parse_fail(p, t->at, sentence);
	}
	begin->other = p->out->n;
	return add_token(
	    p, (struct mustache_token){
		   .kind = MUSTACHE_END, .s = t->s, .n = t->n, .at = t->at, .other = from});
}

/* Whether the tag is alone on its line ("standalone" in the specification). Sets *line and *next to
 * the beginnings of its line and of the next one. from is where the text before the tag begins. */
static bool is_alone_on_line(const struct parser *p, const struct tag *t, size_t from, size_t *line,
                             size_t *next)
{
	size_t i = t->at;

	while (i > from && is_space_or_tab(p->text[i - 1]))
		i--;
	if (i > 0 && p->text[i - 1] != '\n')
		return false;
	*line = i;
	i = t->end;
	while (i < p->len && is_space_or_tab(p->text[i]))
		i++;
	if (i < p->len && p->text[i] == '\r' && i + 1 < p->len && p->text[i + 1] == '\n')
		i++;
	*next = i < p->len ? i + 1 : i;
	return i == p->len || p->text[i] == '\n';
}

static int add_tag_token(struct parser *p, const struct tag *t, bool on_line, size_t line)
{
	struct mustache_token token = {.kind = MUSTACHE_VALUE, .s = t->s, .n = t->n, .at = t->at};

	switch (t->sigil) {
	case '!':
		return 0;
	case '=':
		return set_delimiters(p, t);
	case '#':
	case '^':
		return begin_section(p, t);
	case '/':
		return end_section(p, t);
	case '<':
	case '$':
		return parse_fail(p, t->at, "template inheritance (< and $ tags) is not supported");
	case '>':
		token.kind = MUSTACHE_PARTIAL;
		token.line = on_line;
		token.other = line;
		break;
	case '{':
	case '&':
		token.kind = MUSTACHE_RAW;
		break;
	default:
		break;
	}
	return add_token(p, token);
}

static int parse_template(struct parser *p)
{
	size_t at = 0;

	while (at < p->len) {
		struct tag t = {.at = find_delimiter(p, p->open, p->open_n, at)};
		size_t line = 0, next = 0;
		bool on_line;
		if (t.at == NOWHERE)
			break;
		if (read_tag(p, &t))
			return -1;
		on_line =
		    t.sigil && !strchr("{&", t.sigil) && is_alone_on_line(p, &t, at, &line, &next);
		if (add_text_tokens(p, at, on_line ? line : t.at, !on_line))
			return -1;
		if (add_tag_token(p, &t, on_line, line))
			return -1;
		at = on_line ? next : t.end;
	}
	if (add_text_tokens(p, at, p->len, false))
		return -1;
	if (p->depth) {
		const struct mustache_token *begin = &p->out->v[p->inside[p->depth - 1]];
		char sentence[160];
		snprintf(sentence, sizeof sentence, "the section %.*s has no end tag",
		         name_width(begin->n), p->text + begin->s);
		return parse_fail(p, begin->at, sentence);
	}
	return 0;
}

int mustache_parse(const char *text, size_t len, const char *name, struct mustache_tokens *out,
                   struct err *e)
{
	struct parser p = {.text = text,
	                   .len = len,
	                   .name = name,
	                   .open = "{{",
	                   .open_n = 2,
	                   .close = "}}",
	                   .close_n = 2,
	                   .out = out,
	                   .e = e};

	if (len > MUSTACHE_TEMPLATE_MAX)
		return err_set(e, "%s: a template of more than %zu MiB", name,
		               MUSTACHE_TEMPLATE_MAX >> 20);
	if (parse_template(&p)) {
		mustache_tokens_free(out);
		return -1;
	}
	return 0;
}

void mustache_tokens_free(struct mustache_tokens *t)
{
	free(t->v);
	*t = (struct mustache_tokens){0};
}
