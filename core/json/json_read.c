/* json_read: reads JSON as it is inflated, without a tree. */
#include "core/json/json_read.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/json/json_number.h"

#define STRING_MAX ((size_t)1 << 20) /* bytes of a string that is skipped, or holds a number */
#define WORD_MAX   64                /* bytes of a number or a word, with its NUL */

/* The least that is inflated at once, and else a quarter of what was: most recordings are read for
 * their head alone, and then little more than that is inflated. */
#define STEP_LEAST ((size_t)4 << 10)

void json_read_init(struct json_read *j, struct gz_in *g, const char *name, struct err *e)
{
	j->g = g;
	j->name = name;
	j->e = e;
	j->at = j->end = 0;
	j->base = 0;
	j->depth = 0;
	j->failed = false;
	j->window[0] = '\0';
}

void json_read_init_text(struct json_read *j, const char *text, size_t n)
{
	json_read_init(j, NULL, "", NULL);
	memcpy(j->window, text, n);
	j->window[n] = '\0';
	j->end = n;
}

int json_read_fail(struct json_read *j, const char *sentence)
{
	if (!j->failed)
		err_set(j->e, "%s: byte %llu: %s", j->name, (unsigned long long)j->base + j->at,
		        sentence);
	j->failed = true;
	return -1;
}

/* Refills the empty window. False at the end of the content or on an error. */
static bool refill(struct json_read *j)
{
	uint64_t step;
	long n;

	if (j->failed)
		return false;
	j->base += j->end;
	j->at = j->end = 0;
	step = j->base / 4 > STEP_LEAST ? j->base / 4 : STEP_LEAST;
	if (step > JSON_READ_WINDOW)
		step = JSON_READ_WINDOW;
	n = j->g ? gz_read(j->g, j->window, (size_t)step, j->e) : 0;
	if (n < 0) {
		err_wrap(j->e, "%s", j->name);
		j->failed = true;
	}
	j->end = n > 0 ? (size_t)n : 0;
	j->window[j->end] = '\0';
	return n > 0;
}

/* The next byte, not consumed; -1 at the end. */
static inline int peek_char(struct json_read *j)
{
	if (j->at == j->end && !refill(j))
		return -1;
	return (unsigned char)j->window[j->at];
}

int json_read_peek(struct json_read *j)
{
	int c = j->at < j->end && !j->failed ? j->window[j->at] : 0;

	if (c > ' ')
		return c;
	while ((c = peek_char(j)) == ' ' || c == '\n' || c == '\t' || c == '\r')
		j->at++;
	return c < 0 || j->failed ? 0 : c;
}

static int ended_early(struct json_read *j)
{
	return json_read_fail(j, "the JSON ends too early");
}

int json_read_open(struct json_read *j, char bracket)
{
	int c = json_read_peek(j);

	if (!c)
		return ended_early(j);
	if (c != bracket)
		return json_read_fail(j,
		                      bracket == '{' ? "expected an object" : "expected an array");
	if (++j->depth > JSON_READ_DEPTH_MAX)
		return json_read_fail(j, "nested too deeply");
	j->at++;
	return 0;
}

int json_read_more(struct json_read *j, char bracket, bool *first)
{
	int c = json_read_peek(j), close = bracket == '{' ? '}' : ']';

	if (!c)
		return ended_early(j);
	if (c == close) {
		j->at++;
		j->depth--;
		return 0;
	}
	if (!*first) {
		if (c != ',')
			return json_read_fail(j, "expected a comma or a closing bracket");
		j->at++;
		if (json_read_peek(j) == close)
			return json_read_fail(j, "a comma before a closing bracket");
	}
	*first = false;
	return 1;
}

static void add_codepoint(struct buf *b, unsigned c)
{
	char out[4];
	size_t n = 1u + (c >= 0x80) + (c >= 0x800) + (c >= 0x10000);

	for (size_t i = n - 1; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(n == 1 ? c : (0xf00u >> n) | c);
	buf_add(b, out, n);
}

/* Four hexadecimal digits, or -1. */
static int hex4(struct json_read *j)
{
	static const char digits[] = "0123456789abcdef";
	int v = 0;

	for (int i = 0; i < 4; i++) {
		int c = peek_char(j);
		const char *digit = c > 0 ? strchr(digits, tolower(c)) : NULL;
		if (!digit)
			return json_read_fail(j, "an invalid \\u escape");
		v = v * 16 + (int)(digit - digits);
		j->at++;
	}
	return v;
}

static int plain_escape(struct json_read *j, struct buf *b);

/* Lone surrogates become U+FFFD: Python writes them for bytes of file names that are not UTF-8. So
 * does U+0000, which would end a C string. */
static int unicode_escape(struct json_read *j, struct buf *b)
{
	int c = hex4(j);

	while (c >= 0xd800 && c <= 0xdbff) {
		int low;
		if (peek_char(j) != '\\')
			break;
		j->at++;
		if (peek_char(j) != 'u') {
			add_codepoint(b, 0xfffd);
			return plain_escape(j, b);
		}
		j->at++;
		low = hex4(j);
		if (low >= 0xdc00 && low <= 0xdfff) {
			add_codepoint(b, 0x10000u + ((unsigned)(c - 0xd800) << 10) +
			                     (unsigned)(low - 0xdc00));
			return 0;
		}
		add_codepoint(b, 0xfffd);
		c = low;
	}
	if (c < 0)
		return -1;
	add_codepoint(b, c == 0 || (c >= 0xd800 && c <= 0xdfff) ? 0xfffd : (unsigned)c);
	return 0;
}

static int plain_escape(struct json_read *j, struct buf *b)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	int c = peek_char(j);
	const char *p = c > 0 ? strchr(from, c) : NULL;

	if (c < 0)
		return ended_early(j);
	j->at++;
	if (!p)
		return json_read_fail(j, "an invalid escape in a string");
	buf_char(b, to[p - from]);
	return 0;
}

static int read_escape(struct json_read *j, struct buf *b)
{
	if (peek_char(j) != 'u')
		return plain_escape(j, b);
	j->at++;
	return unicode_escape(j, b);
}

/* The number of bytes in the window before a quote, a backslash or a NUL. JSON forbids the NUL, and
 * it would cut the C string. */
static size_t plain_run(const struct json_read *j)
{
	const char *p = j->window + j->at, *end = j->window + j->end;

	while (p < end && *p != '"' && *p != '\\' && *p)
		p++;
	return (size_t)(p - j->window) - j->at;
}

int json_read_string(struct json_read *j, struct buf *b)
{
	int c = json_read_peek(j);

	buf_clear(b);
	if (c != '"')
		return c ? json_read_fail(j, "expected a string") : ended_early(j);
	j->at++;
	while ((c = peek_char(j)) != '"') {
		size_t n;
		if (c < 0)
			return ended_early(j);
		if (c == '\\') {
			j->at++;
			if (read_escape(j, b))
				return -1;
			if (b->failed)
				break;
			continue;
		}
		n = plain_run(j);
		if (!n)
			return json_read_fail(j, "a NUL byte in a string");
		buf_add(b, j->window + j->at, n);
		j->at += n;
		if (b->failed)
			break;
	}
	if (b->failed)
		return json_read_fail(j, "a string that is too long");
	j->at++;
	return 0;
}

int json_read_key(struct json_read *j, struct buf *b)
{
	if (json_read_string(j, b))
		return -1;
	if (json_read_peek(j) != ':')
		return j->failed ? -1 : json_read_fail(j, "expected a colon after a key");
	j->at++;
	return 0;
}

/* Where the value of this key begins, if p begins with the key; else NULL. The window ends in a
 * NUL, which no key has. */
static const char *after_key(const char *p, const char *key)
{
	if (*p++ != '"')
		return NULL;
	for (; *key && *p == *key; key++)
		p++;
	return !*key && p[0] == '"' && p[1] == ':' ? p + 2 : NULL;
}

bool json_read_is_key(struct json_read *j, const char *key)
{
	const char *value = j->failed ? NULL : after_key(j->window + j->at, key);

	if (!value)
		return false;
	j->at = (size_t)(value - j->window);
	return true;
}

bool json_read_is_number(struct json_read *j, const char *key, bool *first, double *v)
{
	const char *p = j->window + j->at;
	size_t length;

	if (j->failed || (!*first && *p++ != ',') || !(p = after_key(p, key)))
		return false;
	length = json_number_short(p, v);
	if (!length || (p[length] != ',' && p[length] != '}'))
		return false;
	j->at = (size_t)(p + length - j->window);
	*first = false;
	return true;
}

/* Characters that end a number or a word; the window ends in a NUL. */
static const bool ends_word[256] = {
    [0] = true,   [1] = true,   [2] = true,  [3] = true,  [4] = true,   [5] = true,   [6] = true,
    [7] = true,   [8] = true,   [9] = true,  [10] = true, [11] = true,  [12] = true,  [13] = true,
    [14] = true,  [15] = true,  [16] = true, [17] = true, [18] = true,  [19] = true,  [20] = true,
    [21] = true,  [22] = true,  [23] = true, [24] = true, [25] = true,  [26] = true,  [27] = true,
    [28] = true,  [29] = true,  [30] = true, [31] = true, [' '] = true, [','] = true, [']'] = true,
    ['}'] = true, [':'] = true,
};

/* Collects the characters of a number or a word. */
static int word(struct json_read *j, char out[WORD_MAX])
{
	size_t n = 0;

	do {
		const char *begin = j->window + j->at, *p = begin;
		size_t most = WORD_MAX - 1 - n;
		while (!ends_word[(unsigned char)*p] && p < begin + most)
			p++;
		memcpy(out + n, begin, (size_t)(p - begin));
		n += (size_t)(p - begin);
		j->at = (size_t)(p - j->window);
		if (n == WORD_MAX - 1 && !ends_word[(unsigned char)*p])
			return json_read_fail(j, "a number that is too long");
	} while (j->at == j->end && refill(j));
	out[n] = '\0';
	return j->failed ? -1 : 0;
}

static int string_cell(struct json_read *j, double *v)
{
	struct buf b = {.max = STRING_MAX};
	int failed = json_read_string(j, &b);

	if (failed || b.len == 0 || b.len >= WORD_MAX || !json_number_word(buf_cstr(&b), v))
		*v = NAN;
	buf_free(&b);
	return failed;
}

size_t json_read_cells(struct json_read *j, double *v, size_t max)
{
	const char *p = j->window + j->at;
	size_t n = 0;

	while (n < max && *p == ',') {
		size_t length = json_number_short(p + 1, &v[n]);
		if (!length || (p[length + 1] != ',' && p[length + 1] != ']'))
			break;
		p += length + 1;
		n++;
	}
	j->at = (size_t)(p - j->window);
	return n;
}

int json_read_cell(struct json_read *j, double *v)
{
	char text[WORD_MAX], next;
	int c = json_read_peek(j);
	size_t n;

	*v = NAN;
	if (!c)
		return ended_early(j);
	if (c == '"')
		return string_cell(j, v);
	if (c == '{' || c == '[')
		return json_read_skip(j, NULL);
	/* Only a number that lies in the window together with the byte after it. */
	n = json_number_short(j->window + j->at, v);
	next = j->window[j->at + n];
	if (n && (next == ',' || next == ']' || next == '}')) {
		j->at += n;
		return 0;
	}
	if (word(j, text))
		return -1;
	if (!json_number_word(text, v))
		return json_read_peek(j) ? json_read_fail(j, "expected a number") : ended_early(j);
	return 0;
}

/* Skips a string, after its first quote. */
static int skip_string(struct json_read *j, struct buf *copy)
{
	bool escaped = false, closed = false;
	size_t all = 0;

	while (!closed) {
		int c = peek_char(j);
		size_t n = escaped ? 0 : plain_run(j);
		if (c < 0)
			return ended_early(j);
		if (c == 0)
			return json_read_fail(j, "a NUL byte in a string");
		/* A quote, a backslash, or the character that a backslash escapes. */
		n += n == 0;
		if (n > STRING_MAX - all) {
			j->at += STRING_MAX - all;
			return json_read_fail(j, "a string that is too long");
		}
		all += n;
		if (copy)
			buf_add(copy, j->window + j->at, n);
		j->at += n;
		closed = c == '"' && !escaped;
		escaped = c == '\\' && !escaped;
	}
	return 0;
}

/* Skips a number or a word. NaN and infinities are copied as null and a space, so that a
 * word that follows without a comma stays an error. */
static int skip_word(struct json_read *j, struct buf *copy)
{
	char text[WORD_MAX];

	if (word(j, text))
		return -1;
	if (!*text)
		return json_read_fail(j, "expected a value");
	if (!copy)
		return 0;
	if (strcmp(text, "NaN") == 0 || strcmp(text, "Infinity") == 0 ||
	    strcmp(text, "-Infinity") == 0)
		buf_str(copy, "null");
	else
		buf_str(copy, text);
	buf_char(copy, ' ');
	return 0;
}

/* The open brackets around a value that is skipped: one bit for each; 1: an object. */
struct nesting {
	uint64_t kinds;
	int depth, limit;
};

static int nest(struct json_read *j, struct nesting *open, int c)
{
	if (c == '{' || c == '[') {
		open->kinds = open->kinds << 1 | (c == '{');
		if (++open->depth > open->limit)
			return json_read_fail(j, "nested too deeply");
	} else if (c == '}' || c == ']') {
		if ((open->kinds & 1) != (c == '}'))
			return json_read_fail(j, "a bracket that closes another kind");
		open->kinds >>= 1;
		open->depth--;
	}
	return 0;
}

/* Skips numbers of an array or an object, and the commas between them, within the window. Those
 * that are copied end with a comma: the rest may be the beginning of 1e6 or of -Infinity. */
static void skip_numbers(struct json_read *j, struct buf *copy)
{
	static const bool plain[256] = {
	    ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true,
	    ['5'] = true, ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true,
	    ['.'] = true, [','] = true, ['-'] = true,
	};
	const char *begin = j->window + j->at, *p = begin;

	while (plain[(unsigned char)*p])
		p++;
	while (copy && p > begin && p[-1] != ',')
		p--;
	if (copy)
		buf_add(copy, begin, (size_t)(p - begin));
	j->at = (size_t)(p - j->window);
}

/* Checks the nesting only: cJSON parses what is copied, and nothing reads the rest. The brackets
 * are counted in a bit mask and not by recursion, so a hostile file cannot exhaust the stack. */
int json_read_skip(struct json_read *j, struct buf *copy)
{
	static const bool mark[256] = {['{'] = true, ['}'] = true, ['['] = true, [']'] = true,
	                               ['"'] = true, [','] = true, [':'] = true};
	struct nesting open = {.limit = JSON_READ_DEPTH_MAX - j->depth};

	do {
		int c;
		if (open.depth > 0)
			skip_numbers(j, copy);
		c = json_read_peek(j);
		if (!c)
			return ended_early(j);
		if (open.depth == 0 && (c == ',' || c == ']' || c == '}' || c == ':'))
			return json_read_fail(j, "expected a value");
		if (mark[c]) {
			if (copy)
				buf_char(copy, (char)c);
			j->at++;
			if (nest(j, &open, c) || (c == '"' && skip_string(j, copy)))
				return -1;
		} else if (skip_word(j, copy)) {
			return -1;
		}
		if (copy && copy->failed)
			return json_read_fail(j, "a value that is too long");
	} while (open.depth > 0);
	return 0;
}

int json_read_end(struct json_read *j)
{
	json_read_peek(j);
	if (peek_char(j) >= 0) /* a NUL too */
		return json_read_fail(j, "something follows the end of the JSON");
	return j->failed ? -1 : 0;
}
