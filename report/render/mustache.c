/* mustache: parses a Mustache template, and renders it from a JSON tree. */
#include "report/render/mustache.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/json/json_write.h"
#include "report/units/model_json.h"

/* -- parsing ----------------------------------------------------------------------------------- */

/* A template becomes a flat list of tokens. The rules for white space and standalone tags (a tag
 * that is alone on its line) are those of the specification. The optional {{<parent}} and
 * {{$block}} are errors. */

#define MUSTACHE_TEMPLATE_MAX  ((size_t)16 << 20) /* bytes */
#define MUSTACHE_TOKENS_MAX    ((size_t)1 << 20)
#define MUSTACHE_SECTIONS_MAX  64 /* nested */
#define MUSTACHE_DELIMITER_MAX 16 /* bytes */

enum mustache_kind {
	MUSTACHE_TEXT,     /* at most one line */
	MUSTACHE_VALUE,    /* {{name}} */
	MUSTACHE_RAW,      /* {{{name}}} and {{&name}} */
	MUSTACHE_SECTION,  /* {{#name}} */
	MUSTACHE_INVERTED, /* {{^name}} */
	MUSTACHE_END,      /* {{/name}} */
	MUSTACHE_PARTIAL,  /* {{>name}} */
};

struct mustache_token {
	enum mustache_kind kind;
	bool line;    /* TEXT: a line of the template begins here (its text may be empty);
	                 PARTIAL: alone on its line */
	size_t s, n;  /* offset and length of the text or the name */
	size_t at;    /* offset of the tag */
	size_t other; /* SECTION, INVERTED: index of its END; END: index of its section;
	                 PARTIAL: offset of its line; the indentation is other … at */
};

/* Valid when zero. Offsets refer to the parsed text, which the caller keeps. */
struct mustache_tokens {
	struct mustache_token *v;
	size_t n, cap;
};

static void mustache_tokens_free(struct mustache_tokens *t)
{
	free(t->v);
	*t = (struct mustache_tokens){0};
}

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

/* Sets the error "NAME:LINE:COLUMN: SENTENCE" for offset `at`; columns count characters. Returns
 * -1. */
static int mustache_fail(const char *text, size_t at, const char *name, struct err *e,
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

/* The character before the closing delimiter of {{{name}}} and {{=<% %>=}}; '\0': none. */
static char closing_sigil(char sigil)
{
	if (sigil == '{')
		return '}';
	return sigil == '=' ? '=' : '\0';
}

static int not_closed(const struct parser *p, const struct tag *t)
{
	char sentence[160], before = closing_sigil(t->sigil);
	const char *s = p->text + t->at;
	int n = 0;

	while (n < 40 && t->at + (size_t)n < p->len && (unsigned char)s[n] >= ' ')
		n++;
	snprintf(sentence, sizeof sentence, "the tag %.*s is not closed: %.*s%.*s is missing", n, s,
	         before != '\0', &before, (int)p->close_n, p->close);
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
	before = closing_sigil(t->sigil);
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

/* Fills *out, which must be empty. On -1 the sentence begins with NAME:LINE:COLUMN and *out is
 * empty. */
static int mustache_parse(const char *text, size_t len, const char *name,
                          struct mustache_tokens *out, struct err *e)
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

/* -- rendering --------------------------------------------------------------------------------- */

#define PARTIALS_DEPTH_MAX 64
#define PARTIALS_MAX       256
#define NAME_SIZE          256
#define STEPS_MAX          100000000 /* a step: a token, or a key compared with a name */
#define PARTIAL_STEPS      100       /* cost in steps of finding a partial */
#define STEP_BYTES         64        /* bytes of a name or value that cost one more step */
#define CONTEXT_MAX        ((PARTIALS_DEPTH_MAX + 1) * MUSTACHE_SECTIONS_MAX + 1)

/* A parsed template or partial. Each is parsed once, however often it is used. */
struct part {
	const char *text;
	size_t len;
	char name[NAME_SIZE];
	bool trees_only; /* see struct mustache_partials */
	struct mustache_tokens tokens;
};

struct indentation {
	const char *s;
	size_t n;
};

struct render {
	enum escape_kind kind;
	const struct mustache_partials *partials;
	struct buf *out;
	struct err *e;
	uint64_t steps;
	const cJSON *context[CONTEXT_MAX]; /* the stack: context[depth - 1] is the current item */
	size_t depth;
	/* indent[indent_from] to indent[indent_to - 1] precede each line of the current partial. A
	 * partial that is not alone on its line starts without indentation. */
	struct indentation indent[PARTIALS_DEPTH_MAX];
	size_t indent_from, indent_to;
	size_t nested; /* depth of partials now */
	struct part *part[PARTIALS_MAX];
	size_t parts;
};

static int render_fail(const struct render *r, const struct part *p, const struct mustache_token *t,
                       const char *sentence)
{
	return mustache_fail(p->text, t->at, p->name, r->e, sentence);
}

/* -- names ------------------------------------------------------------------------------------- */

/* Like cJSON_GetObjectItemCaseSensitive, but the name is a slice of the template, and each
 * comparison counts as a step: a large object would otherwise make a short template run for
 * hours. */
static const cJSON *find_key(struct render *r, const cJSON *object, const char *name, size_t n)
{
	const cJSON *item;

	r->steps++;
	if (!cJSON_IsObject(object))
		return NULL;
	cJSON_ArrayForEach (item, object) {
		r->steps += 1 + n / STEP_BYTES;
		if (item->string && strnlen(item->string, n + 1) == n &&
		    memcmp(item->string, name, n) == 0)
			return item;
	}
	return NULL;
}

static const cJSON *current_item(const struct render *r)
{
	return r->context[r->depth - 1];
}

/* Returns the value of a name, or NULL. The first part of a dotted name is searched for in the
 * current item and then in the enclosing ones, the other parts only in the value found so far. A
 * leading dot is the current item. */
static const cJSON *look_up(struct render *r, const char *name, size_t n)
{
	const cJSON *v = NULL;
	const char *end = name + n, *dot = memchr(name, '.', n);

	if (n == 1 && *name == '.')
		return current_item(r);
	if (dot == name)
		v = current_item(r);
	for (size_t i = r->depth; i > 0 && !v; i--)
		v = find_key(r, r->context[i - 1], name, dot ? (size_t)(dot - name) : n);
	while (v && dot) {
		name = dot + 1;
		dot = memchr(name, '.', (size_t)(end - name));
		v = find_key(r, v, name, (size_t)((dot ? dot : end) - name));
	}
	return v;
}

static bool is_truthy(const cJSON *v)
{
	if (!v || cJSON_IsNull(v) || cJSON_IsFalse(v) || cJSON_IsInvalid(v))
		return false;
	if (cJSON_IsNumber(v))
		return v->valuedouble != 0 && !isnan(v->valuedouble);
	if (cJSON_IsString(v))
		return v->valuestring && *v->valuestring;
	return !cJSON_IsArray(v) || v->child;
}

/* -- values ------------------------------------------------------------------------------------ */

struct json_target {
	struct buf *out;
	bool raw;
	enum escape_kind kind;
};

/* The JSON writer passes whole tokens, so no UTF-8 character is split between two calls. */
static int escape_json_piece(void *ctx, const char *p, size_t n)
{
	struct json_target *t = ctx;

	if (t->raw)
		buf_add(t->out, p, n);
	else
		escape_add(t->out, t->kind, p, n);
	return t->out->failed ? -1 : 0;
}

static int interpolate_tree(struct render *r, const struct part *p, const struct mustache_token *t,
                            const cJSON *v)
{
	struct json_target to = {.out = r->out, .raw = t->kind == MUSTACHE_RAW, .kind = r->kind};
	struct json_write j = {.sink = escape_json_piece, .ctx = &to, .exponents = true};
	bool ok;

	model_json_write(&j, NULL, v);
	ok = json_write_finish(&j);
	json_write_free(&j);
	if (ok || r->out->failed) /* check_caps reports the latter */
		return 0;
	return render_fail(r, p, t, "the value is nested too deeply to be written as JSON");
}

/* Whether the tag is for words of rtrack's own: "now.text", "note", "used_note". What stands in
 * <code> is to be copied, and stays as it is. */
static bool is_for_words(const struct part *p, const struct mustache_token *t)
{
	static const char *const ends[] = {"text",     "note",    "range", "basis",  "summary",
	                                   "sentence", "instead", "times", "formula"};
	static const char code[] = "<code>";
	const char *name = p->text + t->s;
	size_t n = sizeof code - 1;

	if (t->at >= n && memcmp(p->text + t->at - n, code, n) == 0)
		return false;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		n = strlen(ends[i]);
		if (t->n >= n && memcmp(name + t->n - n, ends[i], n) == 0)
			return true;
	}
	return false;
}

static void interpolate_string(struct render *r, const struct part *p,
                               const struct mustache_token *t, const char *s)
{
	enum escape_kind kind = r->kind;
	size_t n = strlen(s);

	r->steps += n / STEP_BYTES; /* escaping may drop bytes, so out->max alone is not a limit */
	if (kind == ESCAPE_HTML && is_for_words(p, t))
		kind = ESCAPE_HTML_WORDS;
	if (t->kind == MUSTACHE_RAW)
		buf_add(r->out, s, n);
	else
		escape_add(r->out, kind, s, n);
}

/* Whether a name without a value is none of the model's: "now.text" is known where now is null. */
static bool lacks_name(struct render *r, const char *name, size_t n)
{
	const cJSON *v = NULL;
	const char *dot;

	while (!v && (dot = memrchr(name, '.', n)) && dot > name) {
		n = (size_t)(dot - name);
		v = look_up(r, name, n);
	}
	return !v || cJSON_IsObject(v);
}

static void note_unknown(struct render *r, const struct part *p, const struct mustache_token *t)
{
	struct err *unknown = r->partials ? r->partials->unknown : NULL;
	struct err sentence = {0};

	if (!unknown || *unknown->msg || p->trees_only || !lacks_name(r, p->text + t->s, t->n))
		return;
	err_set(&sentence, "the model has no \"%.*s\"; it is left empty",
	        (int)(t->n < 64 ? t->n : 64), p->text + t->s);
	(void)mustache_fail(p->text, t->at, p->name, unknown, sentence.msg);
}

static int interpolate(struct render *r, const struct part *p, const struct mustache_token *t)
{
	const cJSON *v = look_up(r, p->text + t->s, t->n);
	char number[32];

	if (!v)
		note_unknown(r, p, t);
	if (!v)
		return 0;
	if (cJSON_IsObject(v) || cJSON_IsArray(v) || cJSON_IsRaw(v) ||
	    (cJSON_IsString(v) && p->trees_only && t->kind == MUSTACHE_RAW))
		return interpolate_tree(r, p, t, v);
	if (cJSON_IsBool(v))
		buf_str(r->out, cJSON_IsTrue(v) ? "true" : "false");
	else if (cJSON_IsNumber(v) && isfinite(v->valuedouble))
		buf_add(r->out, number, json_write_number_text(v->valuedouble, number));
	else if (cJSON_IsString(v) && v->valuestring)
		interpolate_string(r, p, t, v->valuestring);
	return 0;
}

/* -- partials ---------------------------------------------------------------------------------- */

static bool is_verbatim(const char *name)
{
	const char *end = strrchr(name, '.');

	return end && (strcmp(end, ".css") == 0 || strcmp(end, ".js") == 0);
}

static struct part *parsed_part(struct render *r, const char *text, size_t len, const char *name)
{
	struct part *p;

	for (size_t i = 0; i < r->parts; i++)
		if (r->part[i]->text == text && r->part[i]->len == len)
			return r->part[i];
	if (r->parts == PARTIALS_MAX) {
		err_set(r->e, "%s: more than %d partials", name, PARTIALS_MAX);
		return NULL;
	}
	p = calloc(1, sizeof *p);
	if (!p) {
		err_set(r->e, "%s: no memory for the template", name);
		return NULL;
	}
	p->text = text;
	p->len = len;
	p->trees_only = r->partials && r->partials->trees_only &&
	                r->partials->trees_only(r->partials->ctx, text);
	strncpy(p->name, name, sizeof p->name - 1);
	if (mustache_parse(text, len, p->name, &p->tokens, r->e)) {
		free(p);
		return NULL;
	}
	r->part[r->parts++] = p;
	return p;
}

static int render_part(struct render *r, const struct part *p);

/* misc-no-recursion: at most PARTIALS_DEPTH_MAX deep */
static int render_partial(struct render *r, const struct part *p, const struct mustache_token *t)
{
	size_t from = r->indent_from, to = r->indent_to, len = 0;
	char name[NAME_SIZE];
	const char *text;
	struct part *partial;
	int rc;

	if (t->n >= sizeof name || !r->partials || memchr(p->text + t->s, '\0', t->n))
		return 0;
	memcpy(name, p->text + t->s, t->n);
	name[t->n] = '\0';
	r->steps += PARTIAL_STEPS;
	text = r->partials->find(r->partials->ctx, name, &len);
	if (!text && r->partials->why && *r->partials->why->msg)
		return render_fail(r, p, t, r->partials->why->msg);
	if (text && is_verbatim(name))
		buf_add(r->out, text, len);
	if (!text || is_verbatim(name))
		return 0;
	if (r->nested == PARTIALS_DEPTH_MAX)
		return render_fail(r, p, t, "more than 64 nested partials");
	partial = parsed_part(r, text, len, name);
	if (!partial)
		return -1;
	if (t->line && t->at > t->other)
		r->indent[r->indent_to++] =
		    (struct indentation){p->text + t->other, t->at - t->other};
	else if (!t->line)
		r->indent_from = r->indent_to;
	r->nested++;
	/* clang-analyzer-unix.Malloc: r->part[] owns it until the end */
	rc = render_part(r, partial);
	r->nested--;
	r->indent_from = from;
	r->indent_to = to;
	return rc;
}

/* -- tokens ------------------------------------------------------------------------------------ */

/* A section that is being rendered; next is the list's next item, or NULL. */
struct section_frame {
	const cJSON *next;
};

static void write_text_token(struct render *r, const struct part *p, const struct mustache_token *t)
{
	if (t->line)
		for (size_t i = r->indent_from; i < r->indent_to; i++)
			buf_add(r->out, r->indent[i].s, r->indent[i].n);
	buf_add(r->out, p->text + t->s, t->n);
}

/* Enters a section or skips it. Returns the token at which to continue. */
static size_t enter_section(struct render *r, const struct part *p, size_t i,
                            struct section_frame *f)
{
	const struct mustache_token *t = &p->tokens.v[i];
	const cJSON *v = look_up(r, p->text + t->s, t->n);

	if (is_truthy(v) != (t->kind == MUSTACHE_SECTION))
		return t->other + 1;
	f->next = NULL;
	if (cJSON_IsArray(v) && t->kind == MUSTACHE_SECTION) {
		f->next = v->child->next;
		v = v->child;
	}
	/* An inverted section pushes the current item again, because END always pops one. */
	r->context[r->depth] = t->kind == MUSTACHE_SECTION ? v : current_item(r);
	r->depth++;
	return i + 1;
}

/* misc-no-recursion: see render_partial */
static int render_token(struct render *r, const struct part *p, const struct mustache_token *t)
{
	if (t->kind == MUSTACHE_TEXT)
		write_text_token(r, p, t);
	else if (t->kind == MUSTACHE_PARTIAL)
		return render_partial(r, p, t);
	else
		return interpolate(r, p, t);
	return 0;
}

static int check_caps(struct render *r, const struct part *p, const struct mustache_token *t)
{
	if (r->out->failed)
		return render_fail(r, p, t, "the output is too large, or memory ran out");
	if (++r->steps > STEPS_MAX)
		return render_fail(r, p, t, "the template takes too long with this model");
	return 0;
}

/* misc-no-recursion: see render_partial */
static int render_part(struct render *r, const struct part *p)
{
	struct section_frame frame[MUSTACHE_SECTIONS_MAX];
	size_t base = r->depth, i = 0;

	while (i < p->tokens.n) {
		const struct mustache_token *t = &p->tokens.v[i];
		struct section_frame *top = &frame[r->depth - base]; /* the next free one */
		if (t->kind == MUSTACHE_SECTION || t->kind == MUSTACHE_INVERTED) {
			i = enter_section(r, p, i, top);
			/* clang-analyzer-core.uninitialized.Branch: each END follows its section */
		} else if (t->kind == MUSTACHE_END && top[-1].next) {
			r->context[r->depth - 1] = top[-1].next;
			top[-1].next = top[-1].next->next;
			i = t->other + 1;
		} else {
			if (t->kind == MUSTACHE_END)
				r->depth--;
			else if (render_token(r, p, t))
				return -1;
			i++;
		}
		if (check_caps(r, p, t))
			return -1;
	}
	return 0;
}

int mustache_render(const char *text, size_t len, const char *name, const struct cJSON *model,
                    enum escape_kind kind, const struct mustache_partials *partials,
                    struct buf *out, struct err *e)
{
	struct render r = {.kind = kind, .partials = partials, .out = out, .e = e, .depth = 1};
	const struct part *p;
	int rc = -1;

	r.context[0] = model;
	p = parsed_part(&r, text, len, name);
	/* clang-analyzer-unix.Malloc: part[] holds each part, freed below */
	if (p)
		rc = render_part(&r, p);
	for (size_t i = 0; i < r.parts; i++) {
		mustache_tokens_free(&r.part[i]->tokens);
		free(r.part[i]);
	}
	return rc;
}

enum escape_kind mustache_kind_of(const char *file_name)
{
	static const struct {
		const char *end;
		enum escape_kind kind;
	} kinds[] = {
	    {".html", ESCAPE_HTML},  {".htm", ESCAPE_HTML},  {".md", ESCAPE_MARKDOWN},
	    {".xml", ESCAPE_XML},    {".json", ESCAPE_JSON}, {".tsv", ESCAPE_LINE},
	    {".prom", ESCAPE_LABEL},
	};
	const char *end = strrchr(file_name, '.');

	for (size_t i = 0; end && i < sizeof kinds / sizeof *kinds; i++)
		if (strcasecmp(end, kinds[i].end) == 0)
			return kinds[i].kind;
	return ESCAPE_NONE;
}
