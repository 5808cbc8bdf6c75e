/*
 * escape: makes a text from outside harmless where it is put.
 *
 * Every kind writes valid UTF-8: a byte that is none becomes U+FFFD. Control characters (C0, DEL,
 * C1) and the characters that turn the direction of writing (U+202A to U+202E, U+2066 to U+2069)
 * never come through, except that tab and newline do where the kind says so.
 */
#ifndef REPORT_RENDER_ESCAPE_H
#define REPORT_RENDER_ESCAPE_H

#include <stddef.h>

#include "core/buf.h"

enum escape_kind {
	ESCAPE_NONE, /* plain text for a terminal or a log: \n and \t stay, others are U+FFFD */
	ESCAPE_HTML, /* HTML text and quoted attribute values: & < > " ' ` are entities; \t \n \r
	                stay, others are U+FFFD */
	ESCAPE_MARKDOWN, /* one line of CommonMark text that is nothing but text, also in the
	                    flavours of GitHub and GitLab: no markup, no HTML, no mention, reference
	                    or link, no emoji, no quick action and no command to the CI system; \t
	                    \n \r are spaces, others are U+FFFD */
	ESCAPE_XML,   /* XML 1.0 text and quoted attribute values; \t \n \r stay, others are dropped
	               */
	ESCAPE_LINE,  /* plain text in a line or a cell of tab-separated values: \t \n \r are
	                 spaces, others are U+FFFD */
	ESCAPE_LABEL, /* what stands between the quotes of an OpenMetrics label: \ " and \n have a
	                 backslash; \t and \r are spaces, others are U+FFFD */
	ESCAPE_JSON,  /* what stands between the quotes of a JSON string */
};

/* Appends n bytes of s, escaped. */
void escape_add(struct buf *b, enum escape_kind kind, const char *s, size_t n);

#endif
