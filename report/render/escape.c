/* escape: escapes untrusted text for one kind of output. */
#include "report/render/escape.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/json/json_write.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define INVALID     UINT32_MAX

/* Decodes one UTF-8 character (RFC 3629: no surrogates, no overlong forms) and sets *len to its
 * bytes. Returns INVALID, with *len 1, if there is none. */
static uint32_t decode_utf8(const unsigned char *s, size_t n, size_t *len)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t want = s[0] < 0xf0 ? 3 : 4;
	uint32_t c = s[0];

	*len = 1;
	if (s[0] < 0x80)
		return c;
	if (s[0] < 0xe0)
		want = 2;
	/* 0xc0 and 0xc1 only begin overlong forms. */
	if (s[0] < 0xc2 || want > n)
		return INVALID;
	c &= 0x7fU >> want;
	for (size_t i = 1; i < want; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return INVALID;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[want] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return INVALID;
	*len = want;
	return c;
}

static bool is_harmful(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* A character's place in a text of n bytes: s[at] to s[rest - 1]. */
struct place {
	const char *s;
	size_t at, rest, n;
};

#define TMP 32

/* Returns the replacement of c, or NULL to keep it. May build the answer in tmp. */
typedef const char *(*replacer)(uint32_t c, const struct place *where, char tmp[TMP]);

static const char *replace_plain(uint32_t c, const struct place *where, char tmp[TMP])
{
	(void)where, (void)tmp;
	return is_harmful(c) && c != '\n' && c != '\t' ? REPLACEMENT : NULL;
}

static bool is_line_break(uint32_t c)
{
	return c == '\t' || c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029;
}

static const char *replace_line(uint32_t c, const struct place *where, char tmp[TMP])
{
	(void)where, (void)tmp;
	if (is_line_break(c))
		return " ";
	return is_harmful(c) ? REPLACEMENT : NULL;
}

static const char *replace_label(uint32_t c, const struct place *where, char tmp[TMP])
{
	if (c == '\n')
		return "\\n";
	if (c == '"' || c == '\\')
		return c == '"' ? "\\\"" : "\\\\";
	return replace_line(c, where, tmp);
}

/* Whether a spreadsheet takes the cell for a formula: some skip blanks before it. The signs
 * exist in full width as well. */
static bool opens_formula(uint32_t c, const struct place *where)
{
	if (c != '=' && c != '+' && c != '-' && c != '@' && c != 0xff1d && c != 0xff0b &&
	    c != 0xff0d && c != 0xff20)
		return false;
	for (size_t i = 0; i < where->at; i++)
		if (!strchr(" \t\r\n", where->s[i]) || !where->s[i])
			return false;
	return true;
}

static const char *replace_csv(uint32_t c, const struct place *where, char tmp[TMP])
{
	if (c == '"')
		return "\"\"";
	if (!opens_formula(c, where))
		return replace_line(c, where, tmp);
	snprintf(tmp, TMP, "'%.*s", (int)(where->rest - where->at), where->s + where->at);
	return tmp;
}

static const char *replace_html(uint32_t c, const struct place *where, char tmp[TMP])
{
	(void)where, (void)tmp;
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	case '`':
		return "&#96;";
	case '\t':
	case '\n':
	case '\r':
		return NULL;
	default:
		return is_harmful(c) ? REPLACEMENT : NULL;
	}
}

static bool is_ascii_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_ascii_word(char c)
{
	return is_ascii_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Whether a unit begins at s[rest], as units.h writes it: "MiB", "MiB/s", "core-hours", "s". */
static bool is_unit(const struct place *where)
{
	static const char *const units[] = {"B",     "KiB", "MiB",  "GiB", "TiB",  "PiB", "s",
	                                    "ms",    "min", "h",    "d",   "W",    "°C",  "core",
	                                    "cores", "CPU", "CPUs", "GPU", "GPUs", "EUR"};
	const char *word = where->s + where->rest, *end = where->s + where->n;

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t n = strlen(units[i]);
		if ((size_t)(end - word) >= n && memcmp(word, units[i], n) == 0 &&
		    (word + n == end || !is_ascii_word(word[n])))
			return true;
	}
	return false;
}

static const char *replace_html_words(uint32_t c, const struct place *where, char tmp[TMP])
{
	bool after_digit =
	    where->at && where->s[where->at - 1] >= '0' && where->s[where->at - 1] <= '9';

	return c == ' ' && after_digit && is_unit(where) ? "\u00a0" : replace_html(c, where, tmp);
}

static const char *replace_xml(uint32_t c, const struct place *where, char tmp[TMP])
{
	if (c == '\'')
		return "&apos;";
	if (c == '`')
		return NULL;
	if (c == 0xfffe || c == 0xffff) /* not a Char in the grammar of XML 1.0 */
		return "";
	if (is_harmful(c) && c != '\t' && c != '\n' && c != '\r')
		return "";
	return replace_html(c, where, tmp);
}

static bool follows(const struct place *w, const char *word)
{
	size_t n = strlen(word);

	return w->n - w->rest >= n && memcmp(w->s + w->rest, word, n) == 0;
}

/* Whether this colon begins ":name:", which may be an emoji; 12:30:45 is none. */
static bool opens_emoji(const struct place *w)
{
	static const char in_name[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-";
	size_t i = w->rest, digits = 0;

	for (; i < w->n && w->s[i] && strchr(in_name, w->s[i]); i++)
		digits += is_ascii_digit(w->s[i]);
	return i > w->rest + (digits == 2 && i == w->rest + 2 ? 2 : 0) && i < w->n &&
	       w->s[i] == ':';
}

/* GitHub and GitLab search the rendered text for mentions, references, links and emoji. Backslashes
 * and entities are resolved by then, so a zero-width space has to break the pattern. */
static bool must_stand_apart(uint32_t c, const struct place *w)
{
	char next = w->rest < w->n ? w->s[w->rest] : '\0';

	switch (c) {
	case '@': /* @name */
		return true;
	case ':': /* irc://host, ::error::, :tada: */
		return follows(w, "//") || next == ':' || opens_emoji(w);
	/* bugprone-branch-clone: same test, different reasons */
	case '#': /* #1, GitLab's ##[command] */
		return is_ascii_digit(next);
	case '&': /* GitLab's epic &1 */
		return is_ascii_digit(next);
	case '-': /* GH-1 */
		return is_ascii_digit(next) && w->at >= 2 && (w->s[w->at - 1] | 0x20) == 'h' &&
		       (w->s[w->at - 2] | 0x20) == 'g';
	case '{': /* GitLab's {+ added +} and [- deleted -] */
	case '[':
		return next == '+' || next == '-';
	default:
		return false;
	}
}

/* Whether the text before the character is blank but for at most nine digits (the number of a list
 * item). */
static bool at_beginning(const struct place *w, size_t digits)
{
	size_t i = w->at;

	for (; i && digits && is_ascii_digit(w->s[i - 1]); i--)
		digits--;
	while (i && w->s[i - 1] == ' ')
		i--;
	return i == 0;
}

/* The character beside this one; NUL at an edge of the value. */
static char before(const struct place *w)
{
	return w->at ? w->s[w->at - 1] : '\0';
}

static char after(const struct place *w)
{
	return w->rest < w->n ? w->s[w->rest] : '\0';
}

static bool is_blank_or_edge(char c)
{
	return !c || is_line_break((unsigned char)c) || c == ' ';
}

/* Whether CommonMark, GitHub or GitLab would take this ASCII character for markup at this place.
 * What the template has beside the value is unknown: at an edge, anything may follow. */
static bool is_markdown(char c, const struct place *w)
{
	char prev = before(w), next = after(w);

	switch (c) {
	case '\\':
	case '[': /* without it, ! ( and ) mean nothing */
	case ']':
	case '|':
	case '~':
	case '$':
		return true;
	case '*': /* 2 * 3 */
		return prev != ' ' || next != ' ' || at_beginning(w, 0);
	case '_': /* peak_memory */
		return !is_ascii_word(prev) || !is_ascii_word(next);
	case '#': /* a heading; the end of one */
		return is_blank_or_edge(prev) || prev == '#';
	case '+':
	case '-': /* an item, a line of dashes */
		return at_beginning(w, 0) && (is_blank_or_edge(next) || next == c);
	case '=': /* a line of them makes a heading of the line before */
		return at_beginning(w, 0);
	case '.': /* "12. " begins an item; www.a.org is a link */
		if (w->at >= 3 && strncasecmp(w->s + w->at - 3, "www", 3) == 0)
			return true;
		/* fall through */
	case ')':
		return is_ascii_digit(prev) && is_blank_or_edge(next) && at_beginning(w, 9);
	case '!': /* GitLab's !merge request, %milestone, ^alert */
	case '%':
	case '^':
		return is_ascii_word(next) || next == '"';
	default:
		return false;
	}
}

/* The replacement of c alone, without a zero-width space; NULL to keep it. */
static const char *markdown_escape(uint32_t c, const struct place *where, char tmp[TMP])
{
	char next = after(where);

	if (is_line_break(c))
		return " ";
	if (c == '@')
		return "&#64;";
	if (c == ':')
		return must_stand_apart(c, where) ? "&#58;" : NULL;
	if (c == '/') /* at the beginning of a line, GitLab's quick action */
		return where->at ? NULL : "&#47;";
	if (c < 0x80 && is_markdown((char)c, where)) {
		snprintf(tmp, TMP, "\\%c", (char)c);
		return tmp;
	}
	if (c == '\'' || c == '"' || (c == '>' && !at_beginning(where, 0)) ||
	    (c == '&' && next && !is_ascii_word(next) && next != '#'))
		return NULL;
	/* Entities, not backslashes: they also escape inside HTML blocks and code spans. */
	return replace_html(c, where, tmp);
}

static const char *replace_markdown(uint32_t c, const struct place *where, char tmp[TMP])
{
	char one[TMP];
	const char *text = markdown_escape(c, where, one);
	bool apart = must_stand_apart(c, where);

	if (text != one && !apart)
		return text;
	if (!text) /* only ASCII stands apart */
		snprintf(one, sizeof one, "%c", (char)c);
	snprintf(tmp, TMP, "%.15s%s", text ? text : one, apart ? "&#8203;" : "");
	return tmp;
}

static void escape_json(struct buf *b, const char *s, size_t n)
{
	struct buf quoted = {.max = b->max};

	json_write_quote(&quoted, s, n);
	if (quoted.failed)
		b->failed = true;
	else
		buf_add(b, quoted.s + 1, quoted.len - 2);
	buf_free(&quoted);
}

void escape_add(struct buf *b, enum escape_kind kind, const char *s, size_t n)
{
	static const replacer replacers[] = {
	    [ESCAPE_NONE] = replace_plain,        [ESCAPE_HTML] = replace_html,
	    [ESCAPE_MARKDOWN] = replace_markdown, [ESCAPE_XML] = replace_xml,
	    [ESCAPE_LINE] = replace_line,         [ESCAPE_LABEL] = replace_label,
	    [ESCAPE_CSV] = replace_csv,           [ESCAPE_HTML_WORDS] = replace_html_words,
	};
	size_t from = 0, i = 0;

	if (kind == ESCAPE_JSON) {
		escape_json(b, s, n);
		return;
	}
	while (i < n) {
		char tmp[TMP];
		size_t len;
		uint32_t c = decode_utf8((const unsigned char *)s + i, n - i, &len);
		struct place where = {.s = s, .at = i, .rest = i + len, .n = n};
		const char *r = c == INVALID ? REPLACEMENT : replacers[kind](c, &where, tmp);
		i += len;
		if (!r)
			continue;
		buf_add(b, s + from, i - len - from);
		buf_str(b, r);
		from = i;
	}
	buf_add(b, s + from, n - from);
}
