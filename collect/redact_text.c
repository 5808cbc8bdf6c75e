/* redact_text: secrets in a text of any kind. */
#include "redact_text.h"

#include <string.h>
#include <strings.h>

#include "redact_name.h"
#include "redact_token.h"
#include "redact_url.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define LOOK     256 /* bytes of a value that tell whether it is a secret */

/* The scan's state. */
struct scan {
	struct redact_text *t;
	char open;     /* the quote that the present place stands in, or NUL */
	bool netrc;    /* the words "machine" or "login" come: "password X" is a secret */
	bool pem;      /* a private key comes */
	size_t within; /* a name goes on up to here: within it only forms are looked for */
};

static bool letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static char at(const struct redact_text *t, size_t i)
{
	return i < t->n ? t->s[i] : '\0';
}

static bool is_word(const struct redact_text *t, size_t i, const char *word)
{
	size_t n = strlen(word);

	return t->n - i >= n && strncasecmp(t->s + i, word, n) == 0;
}

size_t redact_hide(struct redact_text *t, size_t from, size_t end)
{
	if (end > from)
		memset(t->copy + from, 0, end - from);
	return end;
}

static size_t skip_blanks(const struct redact_text *t, size_t i)
{
	while (at(t, i) == ' ' || at(t, i) == '\t')
		i++;
	return i;
}

/* Where a name that begins at i ends. */
static size_t name_end(const struct redact_text *t, size_t i)
{
	while (letter(at(t, i)) || digit(at(t, i)) || at(t, i) == '-' || at(t, i) == '.')
		i++;
	return i;
}

/* -- where a value ends ------------------------------------------------------------------------ */

/* Behind the ")" that closes what is opened before i, or the text's end. */
static size_t behind(const struct redact_text *t, size_t i, char open, char close)
{
	size_t depth = 1;

	for (; i < t->n && depth; i++) {
		depth += t->s[i] == open && open != close;
		depth -= t->s[i] == close;
	}
	return i;
}

/* The quote that closes one before i which has this many backslashes before it; with them, where
 * they begin. */
static size_t closing(const struct redact_text *t, size_t i, char quote, size_t escapes)
{
	size_t run = 0;

	for (; i < t->n; i++) {
		if (t->s[i] == '\\') {
			run++;
			continue;
		}
		if (t->s[i] == quote && (run <= escapes || (escapes == 0 && run % 2 == 0)))
			return i - (run <= escapes ? run : 0);
		run = 0;
	}
	return t->n;
}

/* "&" and ";" end a value where another pair follows, or a command. */
static bool ends_pair(const struct redact_text *t, size_t i)
{
	size_t end;

	if (t->s[i] == ';' || i + 1 >= t->n || redact_blank(t->s[i + 1]) || t->s[i + 1] == '&')
		return true;
	end = i + 1;
	while (end < i + 64 && (letter(at(t, end)) || digit(at(t, end)) ||
	                        (at(t, end) && strchr("-.[]%", at(t, end)))))
		end++;
	return end > i + 1 && (at(t, end) == '=' || at(t, end) == '&');
}

static bool ends_value(const struct scan *s, size_t i, bool list)
{
	char c = s->t->s[i];

	if (redact_blank(c) || (list && strchr(",}]", c)))
		return true;
	if (c == '&' || c == ';')
		return ends_pair(s->t, i);
	return strchr("|<>()", c) && !s->t->word;
}

/* Where the value that begins at i ends, a quoted one before its closing quote; *from is where what
 * is to be hidden begins. Quotes, $(…), ${…} and `…` that are glued to it belong to it. list: it is
 * one of JSON. */
static size_t value_end(const struct scan *s, size_t i, size_t *from, bool list)
{
	const struct redact_text *t = s->t;
	size_t escapes = 0, end;

	while (at(t, i + escapes) == '\\')
		escapes++;
	*from = i;
	if (redact_quote(at(t, i + escapes)) && (escapes || at(t, i + escapes) != s->open)) {
		*from = i + escapes + 1;
		end = closing(t, *from, at(t, i + escapes), escapes);
		i = end + escapes + 1;
		if (i >= t->n || ends_value(s, i, true) || redact_quote(t->s[i]) || s->open)
			return end < t->n ? end : t->n;
	}
	while (i < t->n && !ends_value(s, i, list)) {
		char c = t->s[i];
		if (c == '\\' && redact_quote(at(t, i + 1)) && at(t, i + 1) == s->open)
			break;
		if (c == s->open && c)
			break;
		if (c == '\\')
			i += 2;
		else if (c == '$' && (at(t, i + 1) == '(' || at(t, i + 1) == '{'))
			i = behind(t, i + 2, t->s[i + 1], t->s[i + 1] == '(' ? ')' : '}');
		else if (redact_quote(c))
			i = behind(t, i + 1, c, c);
		else
			i++;
	}
	return i < t->n ? i : t->n;
}

/* A header's value: to the end of the quote that it stands in, or of the line. */
static size_t header_end(const struct redact_text *t, size_t i, char quote)
{
	while (i < t->n && t->s[i] != '\n' && t->s[i] != '\r' &&
	       !(quote ? t->s[i] == quote : redact_quote(t->s[i])) &&
	       !(t->s[i] == '\\' && redact_quote(at(t, i + 1))))
		i++;
	return i;
}

/* -- names and their values -------------------------------------------------------------------- */

/* How far the value at i is to be read to judge it. */
static size_t value_head(const struct redact_text *t, size_t i, size_t *from)
{
	size_t n = 0;

	while (at(t, i) == '\\' || redact_quote(at(t, i)))
		i++;
	*from = i;
	while (n < LOOK && i + n < t->n && !redact_blank(t->s[i + n]) &&
	       !redact_quote(t->s[i + n]) && !strchr("&;,|<>()[]{}\\", t->s[i + n]))
		n++;
	return n;
}

/* Hides the value at i under a name of this kind. Returns where to go on. */
static size_t hide_value(struct scan *s, enum redact_name kind, size_t i, bool list)
{
	struct redact_text *t = s->t;
	size_t from, n = value_head(t, i, &from), end;

	if (list && at(t, i) == '[')
		return redact_hide(t, i + 1, behind(t, i + 1, '[', ']') - 1);
	if (list && (at(t, i) == '{' || at(t, i) == '['))
		return i;
	if (kind == REDACT_NAME_MAYBE)
		return redact_name_hides(kind, t->s + from, n) ? redact_hide(t, from, from + n) : i;
	if (n && !redact_name_hides(kind, t->s + from, n))
		return i;
	end = value_end(s, i, &from, list);
	return redact_hide(t, from, end);
}

/* "Bearer", "Basic" and the like, which a blank and the secret follow. */
static size_t scheme(const struct redact_text *t, size_t i)
{
	static const char *const schemes[] = {"bearer ", "basic ",  "token ", "digest ",
	                                      "apikey ", "splunk ", "ssws ",  "genie"};

	for (size_t k = 0; k < COUNT(schemes); k++)
		if (is_word(t, i, schemes[k]))
			return skip_blanks(t, i + strlen(schemes[k]));
	return i;
}

/* What a colon after a secret's name means: a header (": X"), JSON (":"X""), or a bare pass:X.
 * begin is where the name does. */
static size_t after_colon(struct scan *s, enum redact_name kind, size_t begin, size_t colon,
                          bool quoted)
{
	struct redact_text *t = s->t;
	size_t value = colon, from, end;
	char before = begin ? t->s[begin - 1] : '\0';
	bool space, header;

	while (at(t, value) && strchr(":=>-", at(t, value)))
		value++;
	space = redact_blank(at(t, value));
	value = skip_blanks(t, value);
	if (space && quoted && at(t, value) == '\n')
		while (redact_blank(at(t, value)))
			value++;
	if (at(t, value) == '/' && at(t, value + 1) == '/')
		return colon;
	if (before == '/' && begin > 1 && !space)
		return colon;
	if (quoted || redact_quote(at(t, value)))
		return hide_value(s, kind, value, true);
	if (kind == REDACT_NAME_MAYBE)
		return hide_value(s, kind, value, false);
	header = space || begin == 0 || (begin == 2 && t->s[0] == '-');
	if (header || s->open)
		return redact_hide(t, value, header_end(t, value, s->open));
	from = scheme(t, value);
	end = value_end(s, from, &from, false);
	return redact_hide(t, value, end);
}

/* '--password", "X"' and "['--password', 'X']": the words of a command line as a list. */
static size_t in_list(struct scan *s, enum redact_name kind, size_t i)
{
	const struct redact_text *t = s->t;
	size_t value = skip_blanks(t, i);

	if (at(t, value) != ',')
		return i;
	value = skip_blanks(t, value + 1);
	if (!redact_quote(at(t, value)) && at(t, value) != '\\')
		return i;
	return hide_value(s, kind, value, true);
}

/* "PASSWORD 'X'", "password to 'X'", "IDENTIFIED BY 'X'" of SQL; "login me password X". */
static size_t after_word(struct scan *s, size_t end)
{
	static const char *const links[] = {"by ", "to ", "is ", "as ", "with "};
	const struct redact_text *t = s->t;
	size_t value = end;

	while (redact_blank(at(t, value)))
		value++;
	for (size_t k = 0; value > end && k < COUNT(links); k++)
		if (is_word(t, value, links[k]))
			value += strlen(links[k]);
	if (at(t, value) == '(' && value == end)
		value++;
	else if (value == end)
		return end;
	if ((redact_quote(at(t, value)) && at(t, value) != s->open) ||
	    (at(t, value) == '\\' && redact_quote(at(t, value + 1))) || s->netrc)
		return hide_value(s, REDACT_NAME_SECRET, value, true);
	return end;
}

/* What stands between a name and its value: quotes, "]", %22. */
static size_t close_name(const struct redact_text *t, size_t i)
{
	size_t from = i;

	while (at(t, i) == '\\')
		i++;
	if (redact_quote(at(t, i)))
		i++;
	else if (is_word(t, i, "%22"))
		i += 3;
	else
		i = from;
	return at(t, i) == ']' ? i + 1 : i;
}

/* "=", "==", "=>" and a blank or none around it. */
static size_t after_equals(struct scan *s, enum redact_name kind, size_t end, size_t equals)
{
	const struct redact_text *t = s->t;
	size_t value = equals + 1;
	bool capital = t->s[end - 1] >= 'A' && t->s[end - 1] <= 'Z';

	while (at(t, value) && strchr("=>~", at(t, value)))
		value++;
	if (redact_blank(at(t, value))) {
		/* TOKEN= make: an empty variable of a command */
		if (equals == end && capital)
			return value;
		value = skip_blanks(t, value);
	}
	return hide_value(s, kind, value, equals != end && end + 1 == equals && !capital);
}

/* What follows a secret's name, which stands from i to end; next is behind its quotes. */
static size_t after_name(struct scan *s, enum redact_name kind, size_t i, size_t end, size_t next)
{
	const struct redact_text *t = s->t;
	size_t sign = skip_blanks(t, next);
	char before = i ? t->s[i - 1] : '\0';

	if (is_word(t, sign, "%3d") || is_word(t, sign, "%3a"))
		return hide_value(s, kind, sign + 3 + (is_word(t, sign + 3, "%22") ? 3 : 0), false);
	if (at(t, sign) == '=' ||
	    (at(t, sign) && strchr("!+?:", t->s[sign]) && at(t, sign + 1) == '='))
		return after_equals(s, kind, end, at(t, sign) == '=' ? sign : sign + 1);
	if (at(t, sign) == ':')
		return after_colon(s, kind, i, sign, next != end);
	if (at(t, next) == '>' && before == '<')
		return redact_hide(s->t, next + 1, behind(t, next + 1, '<', '<') - 1);
	if (next != end && before == '-')
		return in_list(s, kind, next);
	next = kind == REDACT_NAME_SECRET && before != '-' ? after_word(s, end) : end;
	return next > end ? next : i;
}

/* A name at i. Returns where to go on, or i where it is none that matters. */
static size_t name(struct scan *s, size_t i)
{
	const struct redact_text *t = s->t;
	size_t end = name_end(t, i), next;
	char before = i ? t->s[i - 1] : '\0', open = s->open;
	enum redact_name kind;

	while (end > i && at(t, end - 1) == '-')
		end--;
	kind = redact_name(t->s + i, end - i, before == '?' || before == '&' || before == ';');
	if (kind == REDACT_NAME_PLAIN)
		return i;
	next = close_name(t, end);
	if (next > end && at(t, end) == open)
		s->open = '\0';
	next = after_name(s, kind, i, end, next);
	s->open = open;
	return next;
}

/* -- others ------------------------------------------------------------------------------------ */

/* "Bearer X", which is a secret whatever stands before; "Basic X" where X is in base 64. */
static size_t bearer(struct redact_text *t, size_t i)
{
	bool basic = is_word(t, i, "basic ");
	size_t from, end;

	if (!basic && !is_word(t, i, "bearer "))
		return i;
	from = end = scheme(t, i);
	while (end < t->n && !redact_blank(t->s[end]) && !redact_quote(t->s[end]) &&
	       t->s[end] != '\\')
		end++;
	if (end - from < 8 ||
	    (basic && t->s[end - 1] != '=' && !redact_token(t->s + from, end - from) &&
	     !redact_token_random(t->s + from, end - from)))
		return i;
	return redact_hide(t, from, end);
}

/* A private key, up to the line that ends it. */
static size_t private_key(struct redact_text *t, size_t i)
{
	size_t head = t->n - i < 64 ? t->n - i : 64;
	const char *line = memmem(t->s + i, head, "PRIVATE KEY", 11), *end;

	if (!line)
		return i;
	end = strstr(line, "-----END ");
	end = end ? strstr(end, "KEY-----") : NULL;
	return redact_hide(t, i, end ? (size_t)(end - t->s) + 8 : t->n);
}

/* qemu's -object secret,id=a,data=X */
static size_t object(struct scan *s, size_t i)
{
	size_t head = s->t->n - i < LOOK ? s->t->n - i : LOOK;
	const char *data = memmem(s->t->s + i, head, "data=", 5);

	if (!data || !is_word(s->t, i, "secret,"))
		return i;
	return hide_value(s, REDACT_NAME_SECRET, (size_t)(data - s->t->s) + 5, true);
}

/* What begins at i, the beginning of a word; where to go on, or i where it is nothing of ours. */
static size_t one(struct scan *s, size_t i)
{
	struct redact_text *t = s->t;
	size_t next = i;

	if (s->pem && is_word(t, i, "-----BEGIN "))
		next = private_key(t, i);
	if (next == i)
		next = bearer(t, i);
	if (next == i)
		next = redact_url_webhook(t, i);
	if (next == i)
		next = redact_url_bare(t, i);
	if (next == i && is_word(t, i, "identified by "))
		next = hide_value(s, REDACT_NAME_SECRET, i + 14, true);
	if (next == i && t->s[i] == 's')
		next = object(s, i);
	if (next == i && (letter(t->s[i]) || digit(t->s[i])))
		next = name(s, i);
	return next;
}

static void follow_quotes(struct scan *s, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		char c = s->t->s[i];
		if (!redact_quote(c) || (i && s->t->s[i - 1] == '\\'))
			continue;
		if (!s->open)
			s->open = c;
		else if (s->open == c)
			s->open = '\0';
	}
}

/* sha512-X and sha256:X are no secrets, however random. Returns what is behind, or i. */
static size_t digest(const struct redact_text *t, size_t i)
{
	size_t end = i + 3;

	if (!is_word(t, i, "sha"))
		return i;
	while (digit(at(t, end)))
		end++;
	if (end == i + 3 || (at(t, end) != '-' && at(t, end) != ':'))
		return i;
	while (letter(at(t, end)) || digit(at(t, end)) || (at(t, end) && strchr("-:+/", t->s[end])))
		end++;
	return end;
}

/* A token at i; where an identifier and ":" stand before it, the secret that follows. */
static size_t token(struct redact_text *t, size_t i)
{
	size_t end = i + redact_token(t->s + i, t->n - i), from = end + 1;

	if (end > i && at(t, end) == ':') {
		size_t n = 0;
		while (n < LOOK && (letter(at(t, from + n)) || digit(at(t, from + n))))
			n++;
		if (redact_token_random(t->s + from, n))
			return redact_hide(t, i, from + n);
	}
	return redact_hide(t, i, end);
}

void redact_text_scan(struct redact_text *t)
{
	struct scan s = {.t = t};
	size_t i = 0;

	s.netrc = strstr(t->s, "machine ") || strstr(t->s, "login ");
	s.pem = strstr(t->s, "PRIVATE KEY") != NULL;
	while (i < t->n) {
		bool inside =
		    i && (letter(t->s[i - 1]) || digit(t->s[i - 1])) && t->s[i - 1] != '_';
		size_t next = i;
		if (is_word(t, i, "//"))
			next = redact_url(t, i);
		else if (!inside)
			next = digest(t, i);
		if (next == i && !inside)
			next = token(t, i);
		if (next == i && !inside && i >= s.within) {
			next = one(&s, i);
			if (next == i && (letter(t->s[i]) || digit(t->s[i])))
				s.within = name_end(t, i);
		}
		next = next > i ? next : i + 1;
		follow_quotes(&s, i, next);
		i = next;
	}
}
