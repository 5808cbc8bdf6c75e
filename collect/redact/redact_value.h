/*
 * redact_value: where a value that begins somewhere in a text ends.
 */
#ifndef COLLECT_REDACT_REDACT_VALUE_H
#define COLLECT_REDACT_REDACT_VALUE_H

#include "collect/redact/redact_text.h"

/* The state of a scan over a text. */
struct redact_scan {
	struct redact_text *t;
	char open;     /* the quote that the present place stands in, or NUL */
	bool netrc;    /* the words "machine" or "login" come: "password X" is a secret */
	bool pem;      /* a private key comes */
	bool pgpass;   /* lines of ~/.pgpass may come */
	size_t within; /* a name goes on up to here: within it only forms are looked for */
	size_t
	    named; /* behind a secret's name that is itself a value: "value" may follow; 0: none */
};

/* The end of the value that begins at i, of a quoted one before its closing quote; *from is where
 * what is to be hidden begins. Quotes, $(…), ${…} and `…` that are glued to it belong to it. list:
 * it is one of JSON. */
size_t redact_value_end(const struct redact_scan *s, size_t i, size_t *from, bool list);

/* The end of a header's value: of the quote that it stands in, or of the line. */
size_t redact_value_line(const struct redact_text *t, size_t i, char quote);

/* Behind the close that closes what is opened before i, or the text's end. */
size_t redact_value_behind(const struct redact_text *t, size_t i, char open, char close);

/* The same, before it. */
size_t redact_value_inside(const struct redact_text *t, size_t i, char open, char close);

static inline bool redact_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool redact_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline char redact_at(const struct redact_text *t, size_t i)
{
	return i < t->n ? t->s[i] : '\0';
}

/* Whether the text goes on with this at i, in small letters or capitals. */
static inline bool redact_is(const struct redact_text *t, size_t i, const char *word)
{
	for (; *word; word++, i++)
		if (i >= t->n ||
		    (t->s[i] >= 'A' && t->s[i] <= 'Z' ? t->s[i] + 32 : t->s[i]) != *word)
			return false;
	return true;
}

#endif
