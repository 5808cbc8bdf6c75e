/* redact_value: finds the end of a value in a text. */
#include "collect/redact/redact_value.h"

#include <string.h>

#include "collect/redact/redact_name.h"

size_t redact_value_behind(const struct redact_text *t, size_t i, char open, char close)
{
	size_t depth = 1;

	for (; i < t->n && depth; i++) {
		depth += t->s[i] == open && open != close;
		depth -= t->s[i] == close;
	}
	return i;
}

size_t redact_value_inside(const struct redact_text *t, size_t i, char open, char close)
{
	size_t end = redact_value_behind(t, i, open, close);

	return end > i && t->s[end - 1] == close ? end - 1 : end;
}

/* Finds the closing quote of a string that begins at i; its opening quote has this many backslashes
 * before it. Returns the position of the closing quote, or of the backslashes before it. */
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

/* Whether the "&" or ";" at i ends a value: a command or another NAME= follows. */
static bool ends_pair(const struct redact_text *t, size_t i)
{
	size_t end;

	if (t->s[i] == ';' || i + 1 >= t->n || redact_blank(t->s[i + 1]) || t->s[i + 1] == '&')
		return true;
	end = i + 1;
	while (end < i + 64 && (redact_ident(redact_at(t, end)) ||
	                        (redact_at(t, end) && strchr("-.[]%", redact_at(t, end)))))
		end++;
	return end > i + 1 && (redact_at(t, end) == '=' || redact_at(t, end) == '&');
}

static bool ends_value(const struct redact_text *t, size_t i, bool list)
{
	char c = t->s[i];

	if (redact_blank(c) || (list && strchr(",}]", c)))
		return true;
	if (c == '&' || c == ';')
		return ends_pair(t, i);
	return strchr("|<>()", c) && !t->word;
}

size_t redact_value_end(const struct redact_text *t, size_t i, size_t *from, bool list)
{
	size_t escapes = 0, end;

	while (redact_at(t, i + escapes) == '\\')
		escapes++;
	*from = i;
	if (redact_quote(redact_at(t, i + escapes)) &&
	    (escapes || !redact_closes(t, t->s[i + escapes]))) {
		*from = i + escapes + 1;
		end = closing(t, *from, redact_at(t, i + escapes), escapes);
		i = end + escapes + 1;
		if (i >= t->n || ends_value(t, i, true) || redact_quote(t->s[i]) || t->open ||
		    t->s[i] == ')')
			return end < t->n ? end : t->n;
	}
	while (i < t->n && !ends_value(t, i, list)) {
		char c = t->s[i], quoted = c == '\\' ? redact_at(t, i + 1) : c;
		if (redact_closes(t, quoted))
			break;
		if (c == '\\')
			i += 2;
		else if (c == '$' && (redact_at(t, i + 1) == '(' || redact_at(t, i + 1) == '{'))
			i = redact_value_behind(t, i + 2, t->s[i + 1],
			                        t->s[i + 1] == '(' ? ')' : '}');
		else if (redact_quote(c))
			i = redact_value_behind(t, i + 1, c, c);
		else
			i++;
	}
	return i < t->n ? i : t->n;
}

size_t redact_value_near(const struct redact_text *t, size_t i, char open, char close)
{
	struct redact_text near = *t;
	size_t end;

	near.n = t->n - i > 1024 ? i + 1024 : t->n;
	end = redact_value_behind(&near, i, open, close);
	return end < near.n || (end && t->s[end - 1] == close) ? end : 0;
}

static size_t name_length(const struct redact_text *t, size_t i)
{
	size_t n = 0;

	while (redact_letter(redact_at(t, i + n)) || (n && redact_digit(redact_at(t, i + n))))
		n++;
	return n;
}

/* $(cat f), but not $(echo X). */
static size_t output_end(const struct redact_text *t, size_t i)
{
	size_t end = redact_value_near(t, i + 2, '(', ')');

	if (redact_is(t, i + 2, "echo") || redact_is(t, i + 2, "printf") || end <= i ||
	    memmem(t->s + i, end - i, "<<<", 3))
		return i;
	return end;
}

/* $NAME in capitals, or with the name of a secret; ${NAME}; ${{ name }}; $1; $env:NAME. */
static size_t dollar_end(const struct redact_text *t, size_t i, bool output)
{
	size_t from = i + 1, n;
	bool capital = true;

	if (redact_at(t, from) == '(')
		return output ? output_end(t, i) : i;
	if (redact_is(t, from, "{{"))
		return redact_value_near(t, from + 1, '{', '}');
	if (redact_at(t, from) == '{') {
		n = name_length(t, from + 1);
		if (n && (redact_is(t, from + 1 + n, ":?") || redact_is(t, from + 1 + n, ":-}")))
			return redact_value_near(t, from + 1, '{', '}');
		return n && redact_at(t, from + 1 + n) == '}' ? from + n + 2 : i;
	}
	if (redact_digit(redact_at(t, from)))
		return from + 1;
	from += redact_is(t, from, "env:") ? 4 : 0;
	n = name_length(t, from);
	for (size_t k = 0; k < n; k++)
		capital = capital && !redact_lower(t->s[from + k]);
	if (n &&
	    (capital || from > i + 1 || redact_name(t->s + from, n, false) > REDACT_NAME_MAYBE))
		return from + n;
	return i;
}

/* Where programs read a value from: os.environ["X"], process.env.X, args.token. */
static size_t member_end(const struct redact_text *t, size_t i)
{
	size_t end = i, last = i;

	while (redact_letter(redact_at(t, end)) || redact_at(t, end) == '.') {
		last = t->s[end] == '.' ? end + 1 : last;
		end++;
	}
	if (redact_is(t, i, "os.environ[") || redact_is(t, i, "env["))
		return redact_value_near(t, end + 1, '[', ']');
	if (redact_is(t, i, "process.env."))
		return end;
	if (last == i || redact_name(t->s + last, end - last, false) < REDACT_NAME_LIKELY)
		return i;
	return end;
}

size_t redact_value_reference(const struct redact_text *t, size_t i, bool output)
{
	size_t end = i, n;

	if (redact_at(t, i) == '$')
		end = dollar_end(t, i, output);
	else if (redact_is(t, i, "{{"))
		end = redact_value_near(t, i + 1, '{', '}');
	else if (redact_at(t, i) == '%' && (n = name_length(t, i + 1)) > 1 &&
	         redact_at(t, i + 1 + n) == '%')
		end = i + n + 2;
	else if (output && redact_letter(redact_at(t, i)))
		end = member_end(t, i);
	if (end <= i || end > t->n)
		return i;
	if (end < t->n && !redact_blank(t->s[end]) && !redact_quote(t->s[end]) &&
	    !strchr(";&|),}]@/\\", t->s[end]))
		return i;
	return end;
}
