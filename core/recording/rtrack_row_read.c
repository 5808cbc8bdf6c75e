/* rtrack_row_read: the row at the beginning of a snapshot's text. A catalog reads many of them, and
 * a tree of each would take most of that time. */
#include <math.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/json/json_number.h"
#include "core/recording/rtrack_row.h"

#define WORD_MAX 64 /* bytes of a number; "1.7976931348623157e+308" has 23 */

/* What is left of the text. */
struct row_text {
	const char *p, *end;
};

/* The next character that is not white space; 0 at the end. */
static char next_character(struct row_text *t)
{
	while (t->p < t->end && (*t->p == ' ' || *t->p == '\n' || *t->p == '\t' || *t->p == '\r'))
		t->p++;
	return t->p < t->end ? *t->p : '\0';
}

static bool take_character(struct row_text *t, char c)
{
	if (next_character(t) != c || !c)
		return false;
	t->p++;
	return true;
}

/* A string without its quotes, escapes as they are. */
static bool take_string(struct row_text *t, const char **s, size_t *n)
{
	if (!take_character(t, '"'))
		return false;
	*s = t->p;
	while (t->p < t->end && *t->p != '"')
		t->p += *t->p == '\\' ? 2 : 1;
	if (t->p >= t->end)
		return false;
	*n = (size_t)(t->p++ - *s);
	return true;
}

/* Four hexadecimal digits, or -1. */
static int hex_digits(const char *s, const char *end)
{
	int v = 0;

	if (end - s < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int c = s[i] | 0x20;
		if ((s[i] < '0' || s[i] > '9') && (c < 'a' || c > 'f'))
			return -1;
		v = v * 16 + (s[i] <= '9' ? s[i] - '0' : c - 'a' + 10);
	}
	return v;
}

static size_t put_codepoint(char out[4], unsigned c)
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n - 1; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(n == 1 ? c : (0xf00u >> n) | c);
	return n;
}

/* The escape behind its backslash: writes at most 4 bytes, or 0 for none that JSON has. U+0000 and
 * lone surrogates become U+FFFD, as in json_read. */
static size_t take_escape(const char **s, const char *end, char out[4])
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	const char *name = *s < end && **s ? strchr(names, **s) : NULL;
	int c, low;

	if (name) {
		*out = values[name - names];
		++*s;
		return 1;
	}
	c = *s < end && **s == 'u' ? hex_digits(*s + 1, end) : -1;
	if (c < 0)
		return 0;
	*s += 5;
	if (c >= 0xd800 && c < 0xdc00 && end - *s >= 6 && (*s)[0] == '\\' && (*s)[1] == 'u') {
		low = hex_digits(*s + 2, end);
		if (low >= 0xdc00 && low < 0xe000) {
			*s += 6;
			return put_codepoint(out, 0x10000u + ((unsigned)(c - 0xd800) << 10) +
			                              (unsigned)(low - 0xdc00));
		}
	}
	return put_codepoint(out, !c || (c >= 0xd800 && c < 0xe000) ? 0xfffd : (unsigned)c);
}

/* Bytes that are not UTF-8 become U+FFFD. */
static const char *store_utf8(struct rtrack_row *row, const char *s, size_t n)
{
	struct buf b = {.max = 3 * RTRACK_ROW_MAX + 1};
	char *at = row->store + row->stored;

	buf_utf8(&b, s, n);
	if (b.failed || b.len + 1 > sizeof row->store - row->stored) {
		at = "";
	} else {
		memcpy(at, buf_cstr(&b), b.len + 1);
		row->stored += b.len + 1;
	}
	buf_free(&b);
	return at;
}

/* Keeps a string's value in the row; "" where it finds no room. -1 if it is no JSON. */
static int keep_string(struct rtrack_row *row, int i, const char *s, size_t n)
{
	char *at = row->store + row->stored, text[RTRACK_ROW_MAX], *out = text;
	const char *end = s + n;
	bool ascii = true;

	while (s < end) {
		size_t length = 1;
		if (*s == '\\') {
			s++;
			length = take_escape(&s, end, out);
		} else if ((unsigned char)*s < 0x20) {
			length = 0;
		} else {
			ascii = ascii && (unsigned char)*s < 0x80;
			*out = *s++;
		}
		if (!length)
			return -1;
		out += length;
	}
	n = (size_t)(out - text);
	if (!ascii) {
		row->of[i].text = store_utf8(row, text, n);
	} else if (n + 1 <= sizeof row->store - row->stored) {
		memcpy(at, text, n);
		at[n] = '\0';
		row->stored += n + 1;
		row->of[i].text = at;
	}
	return 0;
}

static bool ends_word(char c)
{
	return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* A number, null, true or false: NAN for the last three. */
static bool take_word(struct row_text *t, double *v)
{
	char word[WORD_MAX];
	size_t n = 0;

	if (t->end - t->p > JSON_NUMBER_AT_HAND && (n = json_number_fast(t->p, v)) > 0 &&
	    ends_word(t->p[n])) {
		t->p += n;
		return true;
	}
	for (n = 0; t->p < t->end && !ends_word(*t->p) && n < sizeof word - 1; t->p++)
		word[n++] = *t->p;
	word[n] = '\0';
	return t->p < t->end && json_number_word(word, v);
}

/* An array or an object, of which only strings and brackets are looked at. */
static bool skip_nested(struct row_text *t)
{
	const char *s;
	size_t depth = 0, n;
	char c;

	while ((c = next_character(t))) {
		if (c == '"') {
			if (!take_string(t, &s, &n))
				return false;
			continue;
		}
		t->p++;
		if (c == '[' || c == '{')
			depth++;
		else if ((c == ']' || c == '}') && --depth == 0)
			return true;
	}
	return false;
}

/* i: the column, or RTRACK_ROW_COLUMNS for none. */
static bool take_value(struct row_text *t, struct rtrack_row *row, int i)
{
	char c = next_character(t);
	const char *s;
	double v;
	size_t n;

	if (c == '"')
		return take_string(t, &s, &n) &&
		       (i == RTRACK_ROW_COLUMNS || !rtrack_row_is_text(i) ||
		        keep_string(row, i, s, n) == 0);
	if (c == '[' || c == '{')
		return skip_nested(t);
	if (!take_word(t, &v))
		return false;
	if (i < RTRACK_ROW_COLUMNS && !rtrack_row_is_text(i) && isfinite(v))
		row->of[i].number = v;
	return true;
}

/* The column of a key, RTRACK_ROW_COLUMNS for none. They usually stand in the order of the table:
 * next is looked at first. */
static int column_of_key(const char *key, size_t n, int next)
{
	for (int tried = 0, i = next; tried < RTRACK_ROW_COLUMNS; tried++, i++) {
		const char *name;
		if (i >= RTRACK_ROW_COLUMNS)
			i = 0;
		name = rtrack_row_columns[i].key;
		if (strlen(name) == n && memcmp(name, key, n) == 0)
			return i;
	}
	return RTRACK_ROW_COLUMNS;
}

static int read_members(struct row_text *t, struct rtrack_row *row)
{
	bool seen[RTRACK_ROW_COLUMNS + 1] = {false};
	const char *key;
	size_t n;
	int i = -1;

	if (!take_character(t, '{'))
		return -1;
	if (take_character(t, '}'))
		return 0;
	do {
		if (!take_string(t, &key, &n) || !take_character(t, ':'))
			return -1;
		i = column_of_key(key, n, i + 1);
		/* The first of two with the same key counts. */
		if (!take_value(t, row, seen[i] ? RTRACK_ROW_COLUMNS : i))
			return -1;
		seen[i] = true;
	} while (take_character(t, ','));
	return take_character(t, '}') ? 0 : -1;
}

int rtrack_row_read(const char *text, size_t n, struct rtrack_row *row)
{
	static const char begin[] = "{\"" RTRACK_ROW_KEY "\":";
	size_t skip = sizeof begin - 1;
	struct row_text t = {text + skip, text + (n < RTRACK_ROW_TEXT ? n : RTRACK_ROW_TEXT)};

	rtrack_row_clear(row);
	return n > skip && memcmp(text, begin, skip) == 0 ? read_members(&t, row) : -1;
}
