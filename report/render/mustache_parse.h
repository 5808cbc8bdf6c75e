/*
 * mustache_parse: the text of a Mustache template as a flat list of tokens. No I/O, no model.
 *
 * All required modules of the Mustache specification: comments, set delimiters, interpolation,
 * sections, inverted sections, partials, and their rules on white space and on lines that hold
 * nothing but one tag. The optional {{<parent}} and {{$block}} are errors.
 */
#ifndef REPORT_RENDER_MUSTACHE_PARSE_H
#define REPORT_RENDER_MUSTACHE_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

#define MUSTACHE_TEMPLATE_MAX  ((size_t)16 << 20) /* bytes */
#define MUSTACHE_TOKENS_MAX    ((size_t)1 << 20)
#define MUSTACHE_SECTIONS_MAX  64 /* within each other */
#define MUSTACHE_DELIMITER_MAX 16 /* bytes */

enum mustache_kind {
	MUSTACHE_TEXT,     /* at most one line */
	MUSTACHE_VALUE,    /* {{name}} */
	MUSTACHE_RAW,      /* {{{name}}} and {{&name}} */
	MUSTACHE_SECTION,  /* {{#name}} */
	MUSTACHE_INVERTED, /* {{^name}} */
	MUSTACHE_END,      /* {{/name}} */
	MUSTACHE_PARTIAL,  /* {{>name}} */
};

struct mustache_token {
	enum mustache_kind kind;
	bool line;    /* TEXT: a line of the template begins here (the text may be empty then);
	                 PARTIAL: alone on its line */
	size_t s, n;  /* the text, or the name: a part of the template */
	size_t at;    /* where the tag begins */
	size_t other; /* SECTION, INVERTED: its END; END: the token that it ends; PARTIAL: where its
	                 line begins: from there to .at is the indentation */
};

/* Valid when zero. The offsets are those of the text that was parsed, which it does not hold. */
struct mustache_tokens {
	struct mustache_token *v;
	size_t n, cap;
};

/* Fills *out, which must be empty. On -1 the sentence begins with NAME:LINE:COLUMN, and *out is
 * empty. */
int mustache_parse(const char *text, size_t len, const char *name, struct mustache_tokens *out,
                   struct err *e);

void mustache_tokens_free(struct mustache_tokens *t);

/* Sets "NAME:LINE:COLUMN: SENTENCE" for this offset; columns count characters. Always -1. */
int mustache_fail(const char *text, size_t at, const char *name, struct err *e,
                  const char *sentence);

#endif
