/*
 * page_text: finds what a page of rtrack-report carries in its HTML (docs/model.md).
 *
 * Pure functions of the page's text, which may be anyone's: nothing is interpreted but a few
 * markers that our pages have, and that no text within them can contain, because "<" is escaped
 * there. They survive a browser's "Save page" and other line ends.
 */
#ifndef REPORT_INPUT_PAGE_TEXT_H
#define REPORT_INPUT_PAGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#define PAGE_TEXT_HEAD ((size_t)4096) /* bytes that have the mark and the row */

#define PAGE_TEXT_ROW       "rtrack-row" /* ids of its elements */
#define PAGE_TEXT_RECORDING "rtrack-recording"
#define PAGE_TEXT_PRICES    "rtrack-prices"
#define PAGE_TEXT_POINTS    "points"

struct page_text {
	const char *s;
	size_t n;
};

/* Whether the text begins as an HTML page, and as one of rtrack-report or rtrack-fleet. */
bool page_text_is_html(struct page_text page);
bool page_text_is_ours(struct page_text page);

/* The content of the script with this id; without it s is NULL. */
struct page_text page_text_by_id(struct page_text page, const char *id);

#endif
