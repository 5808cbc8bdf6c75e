/*
 * text_layout: lays text out in the columns of a terminal. Pure.
 *
 * What is laid out is marked up by lines, of which the first two characters tell what they are; a
 * tab ends a cell. So what is in the cells may be any text without tabs and newlines: it can't
 * forge markup.
 *
 *   "! LEVEL⇥WORD⇥TEXT"   the title, "TEXT: WORD"
 *   "# TEXT"              a heading
 *   "* LEVEL⇥TEXT"        a remark: its sign, and the text with a hanging indent
 *   ": TERM⇥TEXT"         a term and what it is; the texts of lines that follow each other are
 *                         aligned
 *   "| CELL⇥CELL…"        a row of a table, whose first row is its head; the first column is to the
 *                         left, the others are to the right. One too wide for the terminal wraps
 * its first column, or becomes a list
 *   "- TEXT"              a paragraph
 *   ""                    a blank line; several are one
 *
 * LEVEL ("good", "info", "warn", "bad") chooses sign and colour. Nothing of the text can be a
 * command to the CI system whose log it goes to: "::" never begins a line, and "##" never stands in
 * one (a zero-width space comes between).
 */
#ifndef REPORT_RENDER_TEXT_LAYOUT_H
#define REPORT_RENDER_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"

#define TEXT_LAYOUT_CELLS_MAX 12 /* of a line; the rest belongs to the last one */

/* Appends it to out, at most so many columns wide (but for a width below 20). */
void text_layout(struct buf *out, const char *text, size_t n, size_t width, bool colour);

#endif
