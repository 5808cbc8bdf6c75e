/*
 * terminal: what the place is like where text is read.
 */
#ifndef REPORT_RENDER_TERMINAL_H
#define REPORT_RENDER_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

struct terminal {
	size_t width; /* columns */
	bool colour;
};

/* Of a file descriptor: of a terminal its own width, and colour but where NO_COLOR is set or TERM
 * is "dumb"; else $COLUMNS where that is between 20 and 1000, else 80. */
struct terminal terminal_of(int fd);

#endif
