/* redact_word: a word of a command, and hiding parts of it. */
#include "collect/redact/redact_word.h"

#include <string.h>

#include "collect/redact/redact_program.h"
#include "collect/redact/redact_token.h"
#include "collect/redact/redact_value.h"

#define NAME_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_."

void redact_word_hide(struct redact_text *t, const struct redact_word *w, size_t k)
{
	size_t from = w->begin + k;

	if (redact_value_reference(t, from, false) == from)
		redact_hide(t, from, w->end);
}

/* 8080:80 and 1000:1000 are ports or user IDs, and no user:password. */
bool redact_word_ports(const struct redact_word *w, size_t k)
{
	const char *colon = memchr(w->s + k, ':', w->n - k);

	return colon && strspn(w->s + k, "0123456789.:-") == w->n - k;
}

/* $TOKEN, which a shell replaces. */
bool redact_word_reference(const struct redact_text *t, const struct redact_word *w, size_t k)
{
	size_t i = k < w->n ? w->begin + k : t->n;

	while (redact_at(t, i) == '\\' || redact_quote(redact_at(t, i)))
		i++;
	return redact_value_reference(t, i, true) > i;
}

/* Numbers, process IDs, paths and files. */
bool redact_word_harmless(const struct redact_word *w, size_t k)
{
	size_t n = w->n - k;

	return (n <= 6 && strspn(w->s + k, "0123456789.,:-") == n) ||
	       (memchr(w->s + k, '/', n) && redact_name_words(w->s + k, n)) ||
	       !redact_name_hides(REDACT_NAME_KEY, w->s + k, n);
}

/* app:app, 1000:1000, me:users: a user and a group. */
bool redact_word_group(const struct redact_word *w, size_t k)
{
	const char *colon = memchr(w->s + k, ':', w->n - k);

	return redact_word_ports(w, k) ||
	       (colon && colon[1] &&
	        (strncmp(w->s + k, colon + 1, strlen(colon + 1)) == 0 ||
	         redact_listed("root users nogroup staff wheel nobody www-data app", colon + 1,
	                       strlen(colon + 1))));
}

void redact_word_value(struct redact_text *t, const struct redact_word *w, size_t k,
                       enum redact_name kind)
{
	/* f("X") was examined as text. */
	if (w->shell && k < w->n &&
	    redact_at(t, w->begin + k + strspn(w->s + k, NAME_BYTES)) == '(')
		return;
	if (k < w->n && !redact_word_reference(t, w, k) &&
	    redact_name_hides(kind, w->s + k, w->n - k))
		redact_word_hide(t, w, k);
}

/* Hides the password in user:password from the k-th byte on, and the user if it is a token. */
void redact_word_user(struct redact_text *t, const struct redact_word *w, size_t k, char separator)
{
	char sign = separator ? separator : ':';
	const char *colon = memchr(w->s + k, sign, w->n - k);
	size_t n = colon ? (size_t)(colon - w->s) - k : w->n - k;

	if (n >= 16 && (redact_token_random(w->s + k, n) || redact_token(w->s + k, n)))
		redact_hide(t, w->begin + k, w->begin + k + n);
	if (colon)
		redact_word_hide(t, w, k + n + 1);
}
