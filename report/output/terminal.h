/*
 * terminal: the width and colour of the terminal that a file descriptor refers to.
 */
#ifndef REPORT_OUTPUT_TERMINAL_H
#define REPORT_OUTPUT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

struct terminal {
	size_t width; /* columns */
	bool colour;
};

/* If fd is a terminal, returns its width, with colour unless NO_COLOR is set or TERM is "dumb".
 * Else returns $COLUMNS if that is between 20 and 1000, or 80, without colour. */
struct terminal terminal_of(int fd);

/* The columns of the terminal fd, also fewer than text can be laid out in; if they are unknown, the
 * width of terminal_of. */
size_t terminal_columns(int fd);

#endif
