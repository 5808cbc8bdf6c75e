/* redact_word: a word of a command, and hiding parts of it. */
#include "collect/redact/redact_word.h"

#include <string.h>

#include "collect/redact/redact_token.h"
#include "collect/redact/redact_value.h"

#define NAME_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_."

bool redact_word_is(const struct redact_word *w, const char *list)
{
	return redact_listed(list, w->s, w->n);
}

void redact_word_hide(const struct redact_word *w, size_t k)
{
	size_t from = w->begin + k;

	if (redact_value_reference(w->t, from, false) == from)
		redact_hide(w->t, from, w->end);
}

void redact_word_value(const struct redact_word *w, size_t k, enum redact_name kind)
{
	size_t i = w->begin + k;
	const char *comma;

	/* f("X") was examined as text. */
	if (k >= w->n || (w->shell && redact_at(w->t, i + strspn(w->s + k, NAME_BYTES)) == '('))
		return;
	while (redact_at(w->t, i) == '\\' || redact_quote(redact_at(w->t, i)))
		i++;
	/* KEY=id,N=3: each pair of a list is examined as text. */
	comma = memchr(w->s + k, ',', w->n - k);
	if (comma && kind <= REDACT_NAME_KEY && memchr(comma, '=', w->n - (size_t)(comma - w->s)) &&
	    !redact_name_hides(kind, w->s + k, (size_t)(comma - w->s) - k))
		return;
	if (redact_value_reference(w->t, i, true) == i &&
	    redact_name_hides(kind, w->s + k, w->n - k))
		redact_word_hide(w, k);
}

void redact_word_user(const struct redact_word *w, size_t k, char separator)
{
	const char *colon = memchr(w->s + k, separator ? separator : ':', w->n - k);
	size_t n = colon ? (size_t)(colon - w->s) - k : w->n - k;

	if (n >= 16 && (redact_token_random(w->s + k, n) || redact_token(w->s + k, n)))
		redact_hide(w->t, w->begin + k, w->begin + k + n);
	if (colon)
		redact_word_hide(w, k + n + 1);
}

void redact_word_show(const struct redact_word *w, size_t k)
{
	if (k < w->n && !redact_token(w->s + k, w->n - k) && !strstr(w->s + k, "//"))
		redact_show(w->t, w->begin + k, w->end);
}

bool redact_word_ports(const struct redact_word *w, size_t k)
{
	return memchr(w->s + k, ':', w->n - k) && strspn(w->s + k, "0123456789.:-") == w->n - k;
}

bool redact_word_group(const struct redact_word *w, size_t k)
{
	const char *group = memchr(w->s + k, ':', w->n - k);
	size_t n = group ? strlen(++group) : 0;

	return redact_word_ports(w, k) ||
	       (n &&
	        (strncmp(w->s + k, group, n) == 0 ||
	         redact_listed("root users nogroup staff wheel nobody www-data app", group, n)));
}

bool redact_word_harmless(const struct redact_word *w, size_t k)
{
	size_t n = w->n - k;

	return (n <= 6 && strspn(w->s + k, "0123456789.,:-") == n) ||
	       (memchr(w->s + k, '/', n) && redact_name_words(w->s + k, n)) ||
	       !redact_name_hides(REDACT_NAME_KEY, w->s + k, n);
}

bool redact_word_sets(const struct redact_word *w)
{
	size_t from = w->n;

	while (from && w->s[from - 1] != ':' && w->s[from - 1] != '.')
		from--;
	return redact_listed("set SET Set setenv setx config CONFIG configure put PUT set-item "
	                     "Set-Item",
	                     w->s + from, w->n - from);
}

bool redact_word_names_password(const struct redact_word *w)
{
	static const char *const parts[] = {"password", "passphrase", "credentials", "passwd"};

	for (size_t k = 0; k < sizeof parts / sizeof *parts && !strpbrk(w->s, "/. "); k++)
		if (w->n > strlen(parts[k]) && strstr(w->s, parts[k]))
			return true;
	return false;
}
