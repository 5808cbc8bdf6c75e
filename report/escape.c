/* escape: makes a text from outside harmless where it is put. */
#include "escape.h"

#include <stdint.h>
#include <string.h>

#include "../core/json.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define INVALID     UINT32_MAX

/* One character of UTF-8 (RFC 3629: no surrogates, no overlong forms) and its length; INVALID and 1
 * where there is none. */
static uint32_t decode(const unsigned char *s, size_t n, size_t *len)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t want = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	uint32_t c = s[0];

	*len = 1;
	if (want == 1)
		return c;
	if (want == 0 || want > n)
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

static bool unwelcome(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* What to write in place of c, which is followed by n bytes at rest; NULL: c itself. tmp is there
 * to build an answer in. */
typedef const char *(*replacer)(uint32_t c, const char *rest, size_t n, char tmp[4]);

static const char *plain(uint32_t c, const char *rest, size_t n, char tmp[4])
{
	(void)rest, (void)n, (void)tmp;
	return unwelcome(c) && c != '\n' && c != '\t' ? REPLACEMENT : NULL;
}

static const char *html(uint32_t c, const char *rest, size_t n, char tmp[4])
{
	(void)rest, (void)n, (void)tmp;
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
		return unwelcome(c) ? REPLACEMENT : NULL;
	}
}

static const char *xml(uint32_t c, const char *rest, size_t n, char tmp[4])
{
	if (c == '\'')
		return "&apos;";
	if (c == '`')
		return NULL;
	if (c == 0xfffe || c == 0xffff) /* no Char in XML's grammar */
		return "";
	if (unwelcome(c) && c != '\t' && c != '\n' && c != '\r')
		return "";
	return html(c, rest, n, tmp);
}

static const char *markdown(uint32_t c, const char *rest, size_t n, char tmp[4])
{
	if (c == '\t' || c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029)
		return " ";
	/* Those who look for mentions look at the rendered text, where an entity alone is an @
	 * again: the zero-width space keeps the name away from it. */
	if (c == '@')
		return "&#64;&#8203;";
	if (c == ':' && n >= 2 && memcmp(rest, "//", 2) == 0)
		return "&#58;";
	if (c < 0x80 && c && strchr("\\*_{}[]()#+-.!|~$", (int)c)) {
		tmp[0] = '\\';
		tmp[1] = (char)c;
		tmp[2] = '\0';
		return tmp;
	}
	/* Entities, not backslashes: they hold within a block of HTML and a code span too. */
	return html(c, rest, n, tmp);
}

static void json(struct buf *b, const char *s, size_t n)
{
	struct buf quoted = {.max = b->max};

	json_quote(&quoted, s, n);
	if (quoted.failed)
		b->failed = true;
	else
		buf_add(b, quoted.s + 1, quoted.len - 2);
	buf_free(&quoted);
}

void escape_add(struct buf *b, enum escape_kind kind, const char *s, size_t n)
{
	static const replacer replacers[] = {[ESCAPE_NONE] = plain,
	                                     [ESCAPE_HTML] = html,
	                                     [ESCAPE_MARKDOWN] = markdown,
	                                     [ESCAPE_XML] = xml};
	size_t from = 0, i = 0;

	if (kind == ESCAPE_JSON) {
		json(b, s, n);
		return;
	}
	while (i < n) {
		char tmp[4];
		size_t len;
		uint32_t c = decode((const unsigned char *)s + i, n - i, &len);
		const char *r =
		    c == INVALID ? REPLACEMENT : replacers[kind](c, s + i + len, n - i - len, tmp);
		i += len;
		if (!r)
			continue;
		buf_add(b, s + from, i - len - from);
		buf_str(b, r);
		from = i;
	}
	buf_add(b, s + from, n - from);
}
