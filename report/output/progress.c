/* progress: one line on a terminal that says how far something long is. */
#include "report/output/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report/output/terminal.h"
#include "report/units/units.h"

/* How much the last PROGRESS_EVERY_S count in the rate: it follows a change within some seconds. */
#define NEWEST     0.1
#define CLEAR_REST "\x1b[K" /* ECMA-48: erase to the end of the line */

static double monotonic_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *amount(double v, const char *unit, char out[UNITS_SIZE])
{
	return unit ? units_count(floor(v), out) : units_bytes(v, out);
}

void progress_text(const char *label, const char *unit, double done, double of, double rate,
                   struct buf *out)
{
	char text[UNITS_SIZE];

	buf_printf(out, "%s: %s", label, amount(done, unit, text));
	if (of > 0)
		buf_printf(out, " of %s", amount(of, unit, text));
	if (unit)
		buf_printf(out, " %s", unit);
	if (rate >= 1)
		buf_printf(out, ", %s/s", amount(rate, unit, text));
	if (rate > 0 && of > done)
		buf_printf(out, ", %s left", UNITS_WHOLE(ceil((of - done) / rate)));
}

void progress_begin(struct progress *p, int fd, const char *label, const char *unit)
{
	const char *term = getenv("TERM");

	*p = (struct progress){.fd = fd, .label = label, .unit = unit};
	p->is_terminal = fd >= 0 && isatty(fd) && term && strcmp(term, "dumb") != 0;
	p->at = p->began = monotonic_now();
}

/* A terminal that does not take it all at once loses a piece of the line: the next one follows. */
static void write_terminal(const struct progress *p, const struct buf *text)
{
	ssize_t put = text->failed ? 0 : write(p->fd, text->s, text->len);

	(void)put;
}

/* The line is cut before the last column: from there, some terminals go on to the next line, where
 * \r does not lead back from. */
static void draw_line(struct progress *p, double done, double of)
{
	size_t width = terminal_columns(p->fd);
	struct buf line = {0};

	buf_char(&line, '\r');
	progress_text(p->label, p->unit, done, of, p->rate, &line);
	if (line.len > width)
		line.len = width;
	buf_str(&line, CLEAR_REST);
	write_terminal(p, &line);
	buf_free(&line);
	p->shown = true;
}

void progress_show_at(struct progress *p, double done, double of, double now)
{
	double since = now - p->at;

	if (!p->is_terminal || since < PROGRESS_EVERY_S || now < p->began + PROGRESS_AFTER_S)
		return;
	p->rate = p->rate > 0 ? (1 - NEWEST) * p->rate + NEWEST * (done - p->done) / since
	                      : done / (now - p->began);
	p->at = now;
	p->done = done;
	draw_line(p, done, of);
}

void progress_show(struct progress *p, double done, double of)
{
	if (p->is_terminal)
		progress_show_at(p, done, of, monotonic_now());
}

void progress_clear(struct progress *p)
{
	struct buf line = {0};

	if (p->shown) {
		buf_str(&line, "\r" CLEAR_REST);
		write_terminal(p, &line);
	}
	buf_free(&line);
	p->shown = false;
}
