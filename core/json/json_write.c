/* json_write: writes JSON without a tree. */
#include "core/json/json_write.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"

#define FLUSH_AT 16384

/* Fast path: v as a decimal with at most 6 digits after the point, if that reads back equal. i /
 * 10^k is correctly rounded when both are exact doubles. Most numbers are like that, and this is
 * many times faster than trying one precision after the other. */
static size_t short_decimal(double v, char out[32])
{
	static const double power[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
	int64_t whole = 0;
	char digits[24];
	int k, n;
	size_t at = 0;

	for (k = 0; k < 7; k++) {
		double scaled = v * power[k];
		if (fabs(scaled) >= 9e15) /* 2^53: a larger whole number is not exact */
			return 0;
		whole = (int64_t)(scaled + (v < 0 ? -0.5 : 0.5));
		if ((double)whole / power[k] == v)
			break;
	}
	if (k == 7 || (whole == 0 && signbit(v)))
		return 0;
	/* Most numbers of a recording are 0. */
	if (k == 0 && whole >= 0 && whole < 10) {
		memcpy(out, (char[]){(char)('0' + whole), '\0'}, 2);
		return 1;
	}
	n = snprintf(digits, sizeof digits, "%0*lld", k + 1, (long long)llabs(whole));
	if (whole < 0)
		out[at++] = '-';
	memcpy(out + at, digits, (size_t)(n - k));
	at += (size_t)(n - k);
	if (k) {
		out[at++] = '.';
		memcpy(out + at, digits + n - k, (size_t)k);
		at += (size_t)k;
	}
	out[at] = '\0';
	return at;
}

size_t json_write_number_text(double v, char out[32])
{
	size_t n;

	if (!isfinite(v))
		return (size_t)snprintf(out, 32, "null");
	n = short_decimal(v, out);
	/* 15 digits are enough for most numbers; a denormal has fewer. */
	for (int precision = fabs(v) < DBL_MIN ? 1 : 15; !n; precision++) {
		int len = snprintf(out, 32, "%.*g", precision, v);
		if (precision >= 17 || strtod(out, NULL) == v)
			n = (size_t)len;
	}
	return n;
}

/* Most texts are: keys above all. */
static bool needs_no_escape(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] < 0x20 || text[i] > 0x7e || text[i] == '"' || text[i] == '\\' ||
		    text[i] == '<' || text[i] == '>' || text[i] == '&')
			return false;
	return true;
}

/* Appends the character of n bytes at s. */
static void quote_char(struct buf *b, const char *s, size_t n)
{
	static const char names[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	unsigned code = n > 1 ? utf8_hidden(s, n) : (unsigned char)*s;

	if (n > 1 ? !code : needs_no_escape(s, 1)) {
		buf_add(b, s, n);
		return;
	}
	for (const char *p = names; *p; p += 2)
		if (code == (unsigned char)*p) {
			buf_char(b, '\\');
			buf_char(b, p[1]);
			return;
		}
	buf_printf(b, "\\u%04x", code);
}

void json_write_quote(struct buf *b, const char *text, size_t n)
{
	struct buf valid = {.max = b->max};

	buf_char(b, '"');
	if (needs_no_escape(text, n)) {
		buf_add(b, text, n);
	} else {
		buf_utf8(&valid, text, n);
		b->failed = b->failed || valid.failed;
		for (size_t i = 0, length; i < valid.len; i += length) {
			length = utf8_length(valid.s + i, valid.len - i);
			quote_char(b, valid.s + i, length);
		}
	}
	buf_char(b, '"');
	buf_free(&valid);
}

static void flush(struct json_write *j)
{
	if (!j->sink)
		return;
	/* After a failure the text is dropped, so that b does not grow. */
	if (!j->failed && (j->b.failed || (j->b.len && j->sink(j->ctx, j->b.s, j->b.len))))
		j->failed = true;
	buf_clear(&j->b);
}

static void begin_value(struct json_write *j, const char *key)
{
	if (j->b.len >= FLUSH_AT)
		flush(j);
	if (j->comma[j->depth])
		buf_char(&j->b, ',');
	j->comma[j->depth] = true;
	if (key) {
		json_write_quote(&j->b, key, strlen(key));
		buf_char(&j->b, ':');
	}
}

static void open(struct json_write *j, const char *key, char bracket)
{
	begin_value(j, key);
	buf_char(&j->b, bracket);
	if (j->depth + 1 >= JSON_WRITE_DEPTH_MAX) {
		j->failed = true;
		return;
	}
	j->comma[++j->depth] = false;
}

static void close(struct json_write *j, char bracket)
{
	buf_char(&j->b, bracket);
	if (j->depth == 0)
		j->failed = true;
	else
		j->depth--;
}

void json_write_object(struct json_write *j, const char *key)
{
	open(j, key, '{');
}

void json_write_object_end(struct json_write *j)
{
	close(j, '}');
}

void json_write_array(struct json_write *j, const char *key)
{
	open(j, key, '[');
}

void json_write_array_end(struct json_write *j)
{
	close(j, ']');
}

void json_write_str(struct json_write *j, const char *key, const char *value)
{
	begin_value(j, key);
	if (value)
		json_write_quote(&j->b, value, strlen(value));
	else
		buf_str(&j->b, "null");
}

/* 1500000 → 15e5 */
static size_t with_exponent(char text[32], size_t n)
{
	size_t zeros = 0;

	while (zeros < n && text[n - 1 - zeros] == '0')
		zeros++;
	if (zeros < 3 || zeros == n || memchr(text, '.', n) || memchr(text, 'e', n))
		return n;
	return n - zeros + (size_t)snprintf(text + n - zeros, 8, "e%zu", zeros);
}

void json_write_num(struct json_write *j, const char *key, double value)
{
	char text[32];
	size_t n = json_write_number_text(value, text);

	if (j->exponents)
		n = with_exponent(text, n);
	begin_value(j, key);
	buf_add(&j->b, text, n);
}

void json_write_bool(struct json_write *j, const char *key, bool value)
{
	begin_value(j, key);
	buf_str(&j->b, value ? "true" : "false");
}

void json_write_null(struct json_write *j, const char *key)
{
	json_write_str(j, key, NULL);
}

bool json_write_finish(struct json_write *j)
{
	flush(j);
	return !j->failed && !j->b.failed && j->depth == 0;
}

void json_write_free(struct json_write *j)
{
	buf_free(&j->b);
	*j = (struct json_write){0};
}
