/* terminal: the width and colour of the terminal that a file descriptor refers to. */
#include "report/output/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_MIN     20
#define WIDTH_MAX     1000
#define WIDTH_DEFAULT 80

static bool is_usable_width(long width)
{
	return width >= WIDTH_MIN && width <= WIDTH_MAX;
}

struct terminal terminal_of(int fd)
{
	const char *columns = getenv("COLUMNS"), *none = getenv("NO_COLOR"), *term = getenv("TERM");
	struct terminal t = {.width = WIDTH_DEFAULT};
	struct winsize size = {0};
	char *end = NULL;
	long asked = columns ? strtol(columns, &end, 10) : 0;

	if (columns && !*end && is_usable_width(asked))
		t.width = (size_t)asked;
	if (!isatty(fd))
		return t;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col) {
		t.width = size.ws_col < WIDTH_MIN ? WIDTH_MIN : WIDTH_MAX;
		if (is_usable_width(size.ws_col))
			t.width = size.ws_col;
	}
	t.colour = !(none && *none) && term && strcmp(term, "dumb") != 0;
	return t;
}

size_t terminal_columns(int fd)
{
	struct winsize size = {0};

	return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col
	                                                        : terminal_of(fd).width;
}
