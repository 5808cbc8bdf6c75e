/* redact_pair: finds a name and its value. */
#include "collect/redact/redact_pair.h"

#include <string.h>

#include "collect/redact/redact_name.h"
#include "collect/redact/redact_program.h"
#include "collect/redact/redact_token.h"
#include "collect/redact/redact_value.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define LOOK     256 /* bytes of a value that decide whether it is a secret */

static size_t skip_blanks(const struct redact_text *t, size_t i)
{
	while (redact_at(t, i) == ' ' || redact_at(t, i) == '\t')
		i++;
	return i;
}

/* Returns the end of the name at i. */
size_t redact_pair_name_end(const struct redact_text *t, size_t i)
{
	while (redact_ident(redact_at(t, i)) || redact_at(t, i) == '-' || redact_at(t, i) == '.')
		i++;
	return i;
}

/* Returns how many bytes of the value at i decide whether it is a secret; *from: where they
 * begin. */
static size_t value_head(const struct redact_text *t, size_t i, size_t *from)
{
	size_t n = 0;

	while (redact_at(t, i) == '\\' || redact_quote(redact_at(t, i)))
		i++;
	*from = i;
	while (n < LOOK && i + n < t->n && !redact_blank(t->s[i + n]) &&
	       !redact_quote(t->s[i + n]) && !strchr("&;,|<>()[]{}\\", t->s[i + n]))
		n++;
	return n;
}

/* password = MD5('X'): hides the strings among the arguments of the function whose name of n bytes
 * is at i, unless it is one that reads the value from elsewhere. Returns i if there are none. */
static size_t hide_call(struct redact_scan *s, size_t i, size_t n)
{
	static const char readers[] = "getenv get getpass input read open load encode prompt env "
				      "fetch Sys.getenv environ";
	struct redact_text *t = s->t;
	size_t k = i + n + 1, from, end, word = n;

	if (redact_at(t, i + n) != '(' || !redact_letter(t->s[i]) || !redact_at(t, k) ||
	    !(redact_quote(t->s[k]) || t->s[k] == ')' || t->s[k] == '\\' ||
	      redact_quote(redact_at(t, k + 1))))
		return i;
	while (word && t->s[i + word - 1] != '.')
		word--;
	end = redact_value_inside(t, k, '(', ')');
	if (redact_listed(readers, t->s + i + word, n - word))
		return end;
	while (k < end) {
		size_t last = redact_value_end(t, k, &from, true);
		if (from > k)
			redact_hide(t, from, last);
		k = (last > k ? last : k) + 1;
	}
	return end;
}

/* token=\d+, token=[a-z]+, token=<pad> */
static bool is_pattern(const struct redact_text *t, size_t i)
{
	char c = redact_at(t, i), next = redact_at(t, i + 1);

	return (c == '\\' && redact_letter(next)) || c == '<' ||
	       (c == '[' && (next == '^' || redact_at(t, i + 2) == '-'));
}

/* Hides the value at i of a name of this kind. Returns the position to continue at: i if the value
 * is not a secret. */
size_t redact_pair_value(struct redact_scan *s, enum redact_name kind, size_t i, bool list)
{
	struct redact_text *t = s->t;
	size_t from, n = value_head(t, i, &from), end;
	char after;
	bool more;

	if (kind < REDACT_NAME_SECRET && is_pattern(t, i))
		return i;
	if (redact_value_reference(t, from, true) > from)
		return i;
	end = n ? hide_call(s, from, n) : from;
	if (end > from)
		return end;
	/* "passwords": ["X"], TOKENS=(X Y), auth=("me", "X"), Pwd={X} of ODBC; not {} in JSON */
	if (list && redact_at(t, i) == '{')
		return i;
	for (const char *pair = list ? "[]()" : "{}()"; *pair; pair += 2)
		if (redact_at(t, i) == pair[0])
			return redact_hide(t, i + 1,
			                   redact_value_inside(t, i + 1, pair[0], pair[1]));
	/* More follows: 'a b', ab'cd' */
	after = redact_at(t, from + n);
	more = from > i ? redact_blank(after) : redact_quote(after) && !redact_closes(t, after);
	if (n && !more && !redact_name_hides(kind, t->s + from, n))
		return i;
	end = redact_value_end(t, i, &from, list);
	return redact_hide(t, from, end);
}

/* Skips "Bearer ", "Basic " and other authentication schemes before a secret. */
size_t redact_pair_scheme(const struct redact_text *t, size_t i)
{
	static const char *const schemes[] = {"bearer ", "basic ",  "token ", "digest ",
	                                      "apikey ", "splunk ", "ssws ",  "genie"};

	for (size_t k = 0; k < COUNT(schemes); k++)
		if (redact_is(t, i, schemes[k]))
			return skip_blanks(t, i + strlen(schemes[k]));
	return i;
}

/* A YAML value on the indented lines after the colon at *i - 1. Returns its end and moves *i to its
 * beginning, or returns 0 if there is none or it is a mapping. */
static size_t block_end(const struct redact_text *t, size_t *i)
{
	size_t from = *i, end;

	while (redact_at(t, from) && strchr("|>+-", redact_at(t, from)))
		from++;
	if (redact_at(t, from) != '\n' || !redact_blank(redact_at(t, from + 1)))
		return 0;
	for (end = from + 1; end < t->n; end++) {
		if (t->s[end] == '\n' && !redact_blank(redact_at(t, end + 1)))
			break;
		if (from == *i && t->s[end] == ':')
			return 0;
	}
	*i = skip_blanks(t, from + 1);
	return end;
}

/* "auth: ok": the value is one word that is not a secret. */
static bool is_state(const struct redact_text *t, enum redact_name kind, size_t value)
{
	size_t from, n = value_head(t, value, &from);
	char end = redact_at(t, from + n);

	return n && !redact_name_hides(kind, t->s + from, n) &&
	       (!end || strchr("\n\r\"'`,;|)]}", end));
}

/* 1.0, v2.1.3, latest */
static bool is_version(const struct redact_text *t, size_t i)
{
	size_t end = redact_pair_name_end(t, i), dots = 0;

	if (end - i == 6 && redact_is(t, i, "latest"))
		return true;
	for (size_t k = i + redact_is(t, i, "v"); k < end; k++) {
		dots += t->s[k] == '.';
		if (t->s[k] != '.' && !redact_digit(t->s[k]))
			return false;
	}
	return dots && end - i < 12;
}

/* "pass: 12, fail: 3" */
static bool counts_passes(const struct redact_text *t, size_t begin, size_t value)
{
	size_t n = 0;

	while (redact_digit(redact_at(t, value + n)))
		n++;
	return n && n < 6 && redact_is(t, begin, "pass") &&
	       redact_pair_name_end(t, begin) == begin + 4 &&
	       !redact_letter(redact_at(t, value + n));
}

/* "auth: new token": two words or more, after a name that is not that of a password. */
static bool is_prose(const struct redact_text *t, size_t begin, size_t value)
{
	size_t words = 0, i = value;

	if (!redact_is(t, begin, "auth:") && !redact_is(t, begin, "secret:") &&
	    !redact_is(t, begin, "token:") && !redact_is(t, begin, "secrets:"))
		return false;
	while (redact_letter(redact_at(t, i)) && words < 2) {
		while (redact_letter(redact_at(t, i)))
			i++;
		i += redact_at(t, i) == ',' || redact_at(t, i) == '-';
		if (!redact_letter(redact_at(t, i)) && !redact_blank(redact_at(t, i)) &&
		    redact_at(t, i) && !redact_quote(t->s[i]))
			return false;
		words++;
		i = skip_blanks(t, i);
	}
	return words == 2;
}

/* Returns the end of a header's value: the enclosing quote, or the end of the line. */
static size_t line_end(const struct redact_text *t, size_t i)
{
	while (i < t->n && t->s[i] != '\n' && t->s[i] != '\r' && !redact_closes(t, t->s[i]) &&
	       !(t->s[i] == '\\' && redact_quote(redact_at(t, i + 1))))
		i++;
	return i;
}

/* Where the value after a colon begins. *space: after a blank. */
static size_t value_after_colon(const struct redact_text *t, size_t colon, bool quoted, bool *space)
{
	size_t value = colon;

	while (redact_at(t, value) && strchr(":=>-", redact_at(t, value)))
		value++;
	*space = redact_blank(redact_at(t, value));
	value = skip_blanks(t, value);
	if (*space && quoted && redact_at(t, value) == '\n')
		while (redact_blank(redact_at(t, value)))
			value++;
	return value;
}

/* Whether what follows a colon without a blank names something: auth-token:1.0 is a container
 * image, db-secret:password the key of a secret. */
static bool is_name_after_colon(const struct redact_text *t, size_t colon, size_t value)
{
	return is_version(t, value) ||
	       (redact_is(t, value, "password") && colon > 6 && redact_is(t, colon - 7, "-secret"));
}

/* --secret-file:X, --token-env:X */
static bool is_place_after_colon(const struct redact_text *t, size_t value)
{
	size_t end = redact_pair_name_end(t, value);

	return (redact_is(t, value, "file") || redact_is(t, value, "env")) &&
	       (end == t->n || redact_blank(t->s[end]));
}

/* Hides the value after a secret's name and a colon: of a header (": X"), in JSON (":"X""), or a
 * plain pass:X. begin: where the name begins. */
static size_t after_colon(struct redact_scan *s, enum redact_name kind, size_t begin, size_t colon,
                          bool quoted)
{
	struct redact_text *t = s->t;
	size_t value, from, end, n;
	char before = begin ? t->s[begin - 1] : '\0';
	bool space, header;

	/* TestAuth::test_login, arn:aws:…:secret:name */
	if (redact_at(t, colon + 1) == ':' || (before == ':' && begin > 1 && !quoted))
		return colon;
	value = value_after_colon(t, colon, quoted, &space);
	if (redact_at(t, value) == '/' && redact_at(t, value + 1) == '/')
		return colon;
	end = block_end(t, &value);
	if (end)
		return redact_hide(t, value, end);
	if (before == '/' && begin > 1 && !space && !redact_blank(t->s[begin - 2]))
		return colon;
	/* "Password: " */
	if (redact_quote(redact_at(t, value)) &&
	    (redact_closes(t, t->s[value]) || value + 1 == t->n ||
	     strchr("),;]}", t->s[value + 1])))
		return colon;
	if (!space && !quoted && is_name_after_colon(t, colon, value))
		return colon;
	if (quoted || redact_quote(redact_at(t, value)))
		return redact_pair_value(s, kind, value, true);
	if (kind <= REDACT_NAME_LIKELY)
		return redact_pair_value(s, kind, value, false);
	if (!space && before == '-' && is_place_after_colon(t, value))
		return colon;
	if (before == '{' && redact_at(t, value) == '?') /* ${TOKEN:?unset} */
		return colon;
	n = value_head(t, value, &from);
	if (!space && n && redact_pair_scheme(t, value) == value &&
	    !redact_name_hides(kind, t->s + from, n))
		return colon;
	from = redact_pair_scheme(t, value);
	if (is_state(t, kind, value) ||
	    (space && (counts_passes(t, begin, value) || is_prose(t, begin, value))) ||
	    redact_value_reference(t, from, true) > from)
		return colon;
	header = space || begin == 0 || (begin == 2 && t->s[0] == '-');
	if (header || t->open)
		return redact_hide(t, value, line_end(t, value));
	from = redact_pair_scheme(t, value);
	end = redact_value_end(t, from, &from, false);
	return redact_hide(t, value, end);
}

/* The words of a command line as a list: '--password", "X"' and "['--password', 'X']". */
static size_t after_name_in_list(struct redact_scan *s, enum redact_name kind, size_t i)
{
	const struct redact_text *t = s->t;
	size_t value = skip_blanks(t, i);

	if (redact_at(t, value) != ',')
		return i;
	value = skip_blanks(t, value + 1);
	if (!redact_quote(redact_at(t, value)) && redact_at(t, value) != '\\')
		return i;
	return redact_pair_value(s, kind, value, true);
}

/* SQL: "PASSWORD 'X'", "password to 'X'", "IDENTIFIED BY 'X'". .netrc: "login me password X". */
static size_t after_word(struct redact_scan *s, size_t end)
{
	static const char *const links[] = {"by ", "to ", "is ", "as ", "with "};
	const struct redact_text *t = s->t;
	size_t value = end, from, n;
	bool said = false; /* "the password is X" */

	while (redact_blank(redact_at(t, value)))
		value++;
	for (size_t k = 0; value > end && k < COUNT(links); k++)
		if (redact_is(t, value, links[k])) {
			said = *links[k] == 'i';
			value += strlen(links[k]);
		}
	if (value == end && redact_at(t, value) == '(' &&
	    strchr("\"'\\`N", redact_at(t, value + 1)))
		return redact_pair_value(s, REDACT_NAME_SECRET, value, true);
	if (value == end)
		return end;
	if (redact_is(t, value, "$$")) {
		const char *last = strstr(t->s + value + 2, "$$");
		return last ? redact_hide(s->t, value + 2, (size_t)(last - t->s)) : end;
	}
	if ((redact_quote(redact_at(t, value)) && !redact_closes(t, t->s[value])) ||
	    (redact_at(t, value) == '\\' && redact_quote(redact_at(t, value + 1))) || s->netrc ||
	    said)
		return redact_pair_value(s, REDACT_NAME_SECRET, value, true);
	n = value_head(t, value, &from);
	return redact_token_random(t->s + from, n) ? redact_hide(s->t, from, from + n) : end;
}

/* Skips the bytes between a name and its value: quotes, "]", %22. */
static size_t close_name(const struct redact_text *t, size_t i)
{
	size_t from = i;

	while (redact_at(t, i) == '\\')
		i++;
	if (redact_quote(redact_at(t, i)))
		i++;
	else if (redact_is(t, i, "%22") || redact_is(t, i, "%5d"))
		i += 3;
	else if (redact_is(t, i, "%5b%5d"))
		i += 6;
	else
		i = from;
	if (redact_is(t, i, "[]"))
		i++;
	/* TOKENS[prod]= */
	if (i == from && redact_at(t, i) == '[') {
		size_t end = redact_pair_name_end(t, i + 1);
		if (end > i + 1 && redact_is(t, end, "]="))
			return end + 1;
	}
	return redact_at(t, i) == ']' ? i + 1 : i;
}

/* Hides the value after "=", "==" or "=>", with or without blanks around it. */
static size_t after_equals(struct redact_scan *s, enum redact_name kind, size_t end, size_t equals,
                           bool partition)
{
	const struct redact_text *t = s->t;
	size_t value = equals + 1;
	bool capital = t->s[end - 1] >= 'A' && t->s[end - 1] <= 'Z';
	size_t from, n = value_head(t, value, &from);
	const char *slash = memchr(t->s + from, '/', n);

	/* s3://bucket/token=a/part-1 */
	if (slash && partition && redact_name_words(t->s + from, (size_t)(slash - t->s) - from))
		return value;

	while (redact_at(t, value) && strchr("=>~", redact_at(t, value)))
		value++;
	if (end >= 4 && redact_is(t, end - 4, "pass") && counts_passes(t, end - 4, value) &&
	    !redact_digit(redact_at(t, value + 3)))
		return value;
	if (redact_blank(redact_at(t, value))) {
		/* "TOKEN= make" sets an empty variable for a command. */
		if (equals == end && capital)
			return value;
		value = skip_blanks(t, value);
		if (redact_at(t, value) == '-') /* --password= --verbose */
			return value;
	}
	return redact_pair_value(s, kind, value, equals != end && end + 1 == equals && !capital);
}

/* <password type="a">X</password>: the name is at i and ends at next. */
static size_t after_name_in_element(struct redact_text *t, size_t i, size_t next)
{
	size_t begin = i, value = next;

	while (begin && i - begin < 16 && t->s[begin - 1] != '<' && !redact_blank(t->s[begin - 1]))
		begin--;
	if (!begin || t->s[begin - 1] != '<')
		return i;
	while (redact_at(t, value) && value - next < LOOK && t->s[value] != '>' &&
	       t->s[value] != '<')
		value++;
	if (redact_at(t, value) != '>')
		return i;
	value++;
	if (redact_is(t, value, "<![cdata["))
		value += 9;
	return redact_hide(t, value, redact_value_inside(t, value, '<', '<'));
}

/* Hides the value after a secret's name at i..end; next: the position after the name's quotes. */
static size_t after_name(struct redact_scan *s, enum redact_name kind, size_t i, size_t end,
                         size_t next)
{
	const struct redact_text *t = s->t;
	size_t sign = skip_blanks(t, next);
	char before = i ? t->s[i - 1] : '\0';

	if (redact_is(t, sign, "\\u003d") || redact_is(t, sign, "\\u003a"))
		return redact_pair_value(s, kind, sign + 6, false);
	if (redact_is(t, sign, "%3d") || redact_is(t, sign, "%3a"))
		return redact_pair_value(s, kind,
		                         sign + 3 + (redact_is(t, sign + 3, "%22") ? 3 : 0), false);
	if (redact_at(t, sign) == '=' ||
	    (redact_at(t, sign) && strchr("!+?:", t->s[sign]) && redact_at(t, sign + 1) == '='))
		return after_equals(s, kind, end, redact_at(t, sign) == '=' ? sign : sign + 1,
		                    before == '/' && i > 1 && !redact_blank(t->s[i - 2]));
	if (redact_at(t, sign) == ':')
		return after_colon(s, kind, i, sign, next != end);
	if (before == '<' || before == ':')
		return after_name_in_element(s->t, i, next);
	/* f("TOKEN", "X") */
	if (next != end && (before == '-' || (i > 1 && t->s[i - 2] == '(')))
		return after_name_in_list(s, kind, next);
	next = kind >= REDACT_NAME_KEY && !redact_is(t, end - 3, "key") && before != '-' &&
	               !redact_is(t, i, "auth")
	           ? after_word(s, end)
	           : end;
	return next > end ? next : i;
}

/* Whether the name at i..end is that of an HTTP header: X-Foo-Key: X, Subscription-Key: X. */
static bool names_header(const struct redact_text *t, size_t i, size_t end)
{
	bool capital = redact_upper(t->s[i]), dash = false;

	if (redact_at(t, end) != ':')
		return false;
	for (size_t k = i; k < end; k++) {
		if (t->s[k] == '_' || t->s[k] == '.')
			return false;
		dash = dash || t->s[k] == '-';
		capital = capital && (t->s[k] != '-' || redact_upper(redact_at(t, k + 1)));
	}
	return dash && (capital || redact_is(t, i, "x-"));
}

/* Handles a name at i. Returns the position to continue at, or i if it is not a secret's. */
size_t redact_pair(struct redact_scan *s, size_t i)
{
	struct redact_text *t = s->t;
	size_t end = redact_pair_name_end(t, i), next;
	char before = i ? t->s[i - 1] : '\0', open = t->open, outer = t->outer;
	enum redact_name kind;
	bool query;

	while (end > i && redact_at(t, end - 1) == '-')
		end--;
	query = before == '?' || before == '&' || before == ';' || names_header(t, i, end);
	kind = redact_name(t->s + i, end - i, query);
	/* name: TOKEN, value: X */
	if (end - i == 5 && redact_is(t, i, "value") && s->named && i - s->named < LOOK / 2)
		kind = REDACT_NAME_SECRET;
	/* Server=h;PWD=X is not a working directory. */
	if (before == ';' && end - i == 3 && redact_is(t, i, "pwd"))
		kind = REDACT_NAME_SECRET;
	if (kind == REDACT_NAME_PLAIN)
		return i;
	next = close_name(t, end);
	/* A name that has a value of its own is not the value of "name". */
	if (kind >= REDACT_NAME_KEY && before != '-' &&
	    !strchr("=:", redact_at(t, skip_blanks(t, next))))
		s->named = end;
	if (next > end && redact_at(t, end) == open) {
		t->open = outer;
		t->outer = '\0';
	}
	next = after_name(s, kind, i, end, next);
	t->open = open;
	t->outer = outer;
	return next;
}
