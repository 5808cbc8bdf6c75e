/*
 * mustache_parse: parses the text of a Mustache template into a flat list of tokens. No I/O.
 *
 * Supports all required modules of the Mustache specification: comments, set delimiters,
 * interpolation, sections, inverted sections, partials, and the rules for white space and
 * standalone tags (a tag that is alone on its line). The optional {{<parent}} and {{$block}} are
 * errors.
 */
#ifndef REPORT_RENDER_MUSTACHE_PARSE_H
#define REPORT_RENDER_MUSTACHE_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

#define MUSTACHE_TEMPLATE_MAX  ((size_t)16 << 20) /* bytes */
#define MUSTACHE_TOKENS_MAX    ((size_t)1 << 20)
#define MUSTACHE_SECTIONS_MAX  64 /* nested */
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
	bool line;    /* TEXT: a line of the template begins here (its text may be empty);
	                 PARTIAL: alone on its line */
	size_t s, n;  /* offset and length of the text or the name */
	size_t at;    /* offset of the tag */
	size_t other; /* SECTION, INVERTED: index of its END; END: index of its section;
	                 PARTIAL: offset of its line; the indentation is other … at */
};

/* Valid when zero. Offsets refer to the parsed text, which the caller keeps. */
struct mustache_tokens {
	struct mustache_token *v;
	size_t n, cap;
};

/* Fills *out, which must be empty. On -1 the sentence begins with NAME:LINE:COLUMN and *out is
 * empty. */
int mustache_parse(const char *text, size_t len, const char *name, struct mustache_tokens *out,
                   struct err *e);

void mustache_tokens_free(struct mustache_tokens *t);

/* Sets the error "NAME:LINE:COLUMN: SENTENCE" for offset `at`; columns count characters. Returns
 * -1. */
int mustache_fail(const char *text, size_t at, const char *name, struct err *e,
                  const char *sentence);

#endif
