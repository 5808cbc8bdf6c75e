/*
 * escape: escapes untrusted text for one kind of output.
 *
 * The output is always valid UTF-8: an invalid byte becomes U+FFFD. Control characters (C0, DEL,
 * C1) and the characters that change the direction of writing (U+202A to U+202E, U+2066 to U+2069)
 * are "bad" below and are never written; what becomes of them, and of tab and line breaks, depends
 * on the kind.
 */
#ifndef REPORT_RENDER_ESCAPE_H
#define REPORT_RENDER_ESCAPE_H

#include <stddef.h>

#include "core/base/buf.h"

enum escape_kind {
	/* Plain text for a terminal or a log: \n and \t stay, other bad characters are U+FFFD. */
	ESCAPE_NONE,
	/* HTML text and quoted attribute values: & < > " ' ` are entities; \t \n \r stay, other bad
	 * characters are U+FFFD. */
	ESCAPE_HTML,
	/* The same, with a no-break space between a number and its unit. */
	ESCAPE_HTML_WORDS,
	/* One line of CommonMark that is only text, also for GitHub and GitLab: no markup, HTML,
	 * mention, reference, link, emoji, quick action or CI command. Only characters that would
	 * be markup at their place are escaped, quotes never: not for attributes of HTML.
	 * \t \n \r are spaces, other bad characters are U+FFFD. */
	ESCAPE_MARKDOWN,
	/* XML 1.0 text and quoted attribute values: \t \n \r stay, other bad characters are
	 * removed. */
	ESCAPE_XML,
	/* One line, or one cell of tab-separated values, of plain text: \t \n \r are spaces, other
	 * bad characters are U+FFFD. */
	ESCAPE_LINE,
	/* Between the quotes of an OpenMetrics label: \ " and \n get a backslash, \t and \r are
	 * spaces, other bad characters are U+FFFD. */
	ESCAPE_LABEL,
	/* Between the quotes of a CSV cell (RFC 4180): " is doubled, \t \n \r are spaces, other bad
	 * characters are U+FFFD. A spreadsheet would compute a cell that begins with = + - @, so it
	 * gets an apostrophe before. */
	ESCAPE_CSV,
	/* Between the quotes of a JSON string. */
	ESCAPE_JSON,
};

/* Appends the first n bytes of s, escaped. */
void escape_add(struct buf *b, enum escape_kind kind, const char *s, size_t n);

#endif
