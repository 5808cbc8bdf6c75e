/*
 * page_text: finds what a page of ours carries in its HTML (docs/model.md).
 *
 * Pure functions of the page's text, which may be anyone's: nothing is interpreted but a few
 * markers that our pages have, and that no text within them can contain, because "<" is escaped
 * there. They survive a browser's "Save page" and other line ends.
 */
#ifndef REPORT_UNITS_PAGE_TEXT_H
#define REPORT_UNITS_PAGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#define PAGE_TEXT_HEAD ((size_t)4096) /* bytes in which a page of ours is known, and has its row */

#define PAGE_TEXT_ROW    "rtrack-row" /* ids of its elements */
#define PAGE_TEXT_MODEL  "rtrack-model"
#define PAGE_TEXT_POINTS "points"

struct page_text {
	const char *s;
	size_t n;
};

/* Whether the text begins as an HTML page, and as one of ours. */
bool page_text_is_html(struct page_text page);
bool page_text_is_ours(struct page_text page);

/* Finds the next <script> in *page, and moves *page behind it. *tag gets its attributes, *content
 * what is in it. False: there is none, or it does not end. */
bool page_text_script(struct page_text *page, struct page_text *tag, struct page_text *content);

/* The content of the script with this id; without it s is NULL. tag: as above, or NULL. */
struct page_text page_text_by_id(struct page_text page, const char *id, struct page_text *tag);

/* Whether a tag has this attribute with this value. */
bool page_text_has(struct page_text tag, const char *attribute, const char *value);

/* Cuts the section of the next chart from *page. False: there is none, and *page is empty. */
bool page_text_chart(struct page_text *page, struct page_text *section);

/* The next series in the figure of a chart's section, which it is moved behind: its line, and its
 * band or "". False: there is none. Where it looked in vain it leaves the section empty. */
bool page_text_series(struct page_text *section, struct page_text *line, struct page_text *band);

#endif
