/*
 * text_layout: lays out the lines of templates/summary.txt for a terminal of any width. Pure.
 *
 * A Mustache template cannot know how wide the terminal is or how wide a column's widest cell is.
 * So summary.txt writes each line with its kind, and this file aligns, wraps and colours it. The
 * first two characters of a line are its kind, and a tab separates cells. Values are escaped with
 * ESCAPE_LINE and thus have neither tabs nor line breaks, so they cannot forge a line or a cell.
 *
 *   "! LEVEL⇥WORD⇥TEXT"   the title, "TEXT: WORD"
 *   "# TEXT"              a heading
 *   "* LEVEL⇥TEXT"        a remark: the level's sign, and the text with a hanging indent
 *   ": TERM⇥TEXT"         a term and its text; the texts of consecutive lines are aligned
 *   "| CELL⇥CELL…"        a row of a table; its first row is the head. The first column is aligned
 *                         to the left, the others to the right. A table that is too wide wraps its
 *                         first column; if that is not enough, each row becomes a list "HEAD: CELL"
 *   "- TEXT"              a paragraph
 *   "> TEXT"              a line to copy, which is never wrapped
 *   ""                    a blank line; consecutive ones become one
 *
 * LEVEL ("good", "info", "warn", "bad") selects the sign and the colour. A CI system that logs the
 * output cannot find a command in it: "::" never begins a line and "##" never occurs, because a
 * zero-width space is put between the two characters.
 */
#ifndef REPORT_RENDER_TEXT_LAYOUT_H
#define REPORT_RENDER_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"

#define TEXT_LAYOUT_CELLS_MAX 12 /* of a line; more belong to the last cell */

/* Appends n bytes of text, laid out, to out. No line is wider than `width` columns if width ≥
 * 20, but for lines to copy. */
void text_layout(struct buf *out, const char *text, size_t n, size_t width, bool colour);

/* -- the width of a text in a terminal, the same in every locale ------------------------------- */

/* Returns the columns of n bytes of s. */
size_t text_layout_columns(const char *s, size_t n);

/* Returns how many bytes of s fit into a line of so many columns: up to the last space at which no
 * word is split, or, if the first word alone is too long, as much of it as fits, but at least one
 * character. Sets *next to the beginning of the next line, after the spaces. */
size_t text_layout_fit(const char *s, size_t n, size_t columns, size_t *next);

#endif
