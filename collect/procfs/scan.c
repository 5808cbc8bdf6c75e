/* scan: bounded scanning of the kernel's text. */
#include "collect/procfs/scan.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define COUNT_MAX 1048576 /* a longer list says nothing about a real machine */

struct scan scan_text(const char *text, size_t n)
{
	return (struct scan){text, n ? text + n : text};
}

static bool at_digit(const struct scan *s)
{
	return s->p < s->end && *s->p >= '0' && *s->p <= '9';
}

void scan_blanks(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

bool scan_line(struct scan *s, struct scan *line)
{
	const char *nl;

	if (s->p >= s->end)
		return false;
	nl = memchr(s->p, '\n', (size_t)(s->end - s->p));
	line->p = s->p;
	line->end = nl ? nl : s->end;
	s->p = nl ? nl + 1 : s->end;
	return true;
}

static bool in_word(char c)
{
	/* Fast path: nearly every byte is above the blank. */
	return (unsigned char)c > ' ' || (c != ' ' && c != '\t' && c != '\n');
}

bool scan_word(struct scan *s, struct scan *word)
{
	const char *p = s->p, *end = s->end, *from;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	from = p;
	while (p < end && in_word(*p))
		p++;
	*word = (struct scan){from, p};
	if (from == p)
		return false;
	s->p = p;
	return true;
}

bool scan_skip(struct scan *s, size_t n)
{
	struct scan at = *s, word;

	while (n-- > 0)
		if (!scan_word(&at, &word))
			return false;
	*s = at;
	return true;
}

bool scan_literal_rest(struct scan *s, const char *literal)
{
	size_t n = strlen(literal);

	if ((size_t)(s->end - s->p) < n || (n && memcmp(s->p, literal, n) != 0))
		return false;
	s->p += n;
	return true;
}

/* Takes digits at the cursor; there must be at least one. */
static uint64_t take_digits(struct scan *s)
{
	const char *p = s->p;
	/* 19 digits always fit into 64 bits. */
	const char *fit = s->end - p > 19 ? p + 19 : s->end;
	uint64_t v = 0;
	unsigned d;

	while (p < fit && (d = (unsigned)*p - '0') < 10) {
		v = v * 10 + d;
		p++;
	}
	for (s->p = p; at_digit(s); s->p++) {
		d = (unsigned)(*s->p - '0');
		v = v > (UINT64_MAX - d) / 10 ? UINT64_MAX : v * 10 + d;
	}
	return v;
}

bool scan_u64(struct scan *s, uint64_t *out)
{
	struct scan at = *s;

	while (at.p < at.end && (*at.p == ' ' || *at.p == '\t'))
		at.p++;
	if (!at_digit(&at))
		return false;
	*out = take_digits(&at);
	s->p = at.p;
	return true;
}

bool scan_i64(struct scan *s, int64_t *out)
{
	struct scan at = *s;
	bool minus;
	uint64_t v;

	scan_blanks(&at);
	minus = scan_literal(&at, "-");
	if (!at_digit(&at))
		return false;
	v = take_digits(&at);
	if (v > INT64_MAX)
		*out = minus ? INT64_MIN : INT64_MAX;
	else
		*out = minus ? -(int64_t)v : (int64_t)v;
	*s = at;
	return true;
}

bool scan_int(struct scan *s, int *out)
{
	struct scan at = *s;
	uint64_t v;

	if (!scan_u64(&at, &v) || v > INT_MAX)
		return false;
	*out = (int)v;
	*s = at;
	return true;
}

bool scan_decimal(struct scan *s, double *out)
{
	struct scan at = *s;
	double unit = 0.1;

	scan_blanks(&at);
	if (!at_digit(&at))
		return false;
	*out = (double)take_digits(&at);
	if (scan_literal(&at, "."))
		for (; at_digit(&at); at.p++, unit /= 10)
			*out += unit * (*at.p - '0');
	*s = at;
	return true;
}

int scan_hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20; /* lower case */
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

double scan_list(const char *text, size_t n)
{
	struct scan s = scan_text(text, n);
	int first, last, count = 0;

	do {
		if (!scan_int(&s, &first))
			return NAN;
		last = first;
		if (scan_literal(&s, "-") && !scan_int(&s, &last))
			return NAN;
		if (last < first || last - first >= COUNT_MAX - count)
			return NAN;
		count += last - first + 1;
	} while (scan_literal(&s, ","));
	scan_blanks(&s);
	return s.p == s.end || *s.p == '\n' ? (double)count : NAN;
}

bool scan_copy(struct scan s, char *out, size_t size)
{
	size_t n = (size_t)(s.end - s.p);
	bool fits = n < size;

	if (!fits)
		n = size - 1;
	if (n)
		memcpy(out, s.p, n);
	out[n] = '\0';
	return fits;
}

bool scan_is(struct scan s, const char *text)
{
	return scan_literal(&s, text) && s.p == s.end;
}
