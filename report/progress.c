/* progress: one line on a terminal that says how far something long is. */
#include "report/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report/render/terminal.h"
#include "report/units/units.h"

/* How much the last PROGRESS_EVERY_S count in the rate: it follows a change within some seconds. */
#define NEWEST 0.1

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

const char *progress_text(const char *label, const char *unit, double done, double of, double rate,
                          char out[256])
{
	char a[UNITS_SIZE], b[UNITS_SIZE], c[UNITS_SIZE], d[UNITS_SIZE];
	double left = rate > 0 && of > done ? ceil((of - done) / rate) : NAN;
	bool counts = rate >= (unit ? 1 : 1e-3);

	snprintf(out, 256, "%s: %s%s%s%s%s%s%s%s%s%s", label, amount(done, unit, a),
	         of > 0 ? " of " : "", of > 0 ? amount(of, unit, b) : "", unit ? " " : "",
	         unit ? unit : "", counts ? ", " : "", counts ? amount(rate, unit, c) : "",
	         counts ? "/s" : "", isnan(left) ? "" : ", ",
	         isnan(left) ? "" : units_seconds(left, d));
	if (!isnan(left) && strlen(out) + sizeof " left" <= 256)
		memcpy(out + strlen(out), " left", sizeof " left");
	return out;
}

void progress_begin(struct progress *p, int fd, const char *label, const char *unit)
{
	*p = (struct progress){.fd = fd, .label = label, .unit = unit};
	p->is_terminal = fd >= 0 && isatty(fd);
	p->at = p->began = monotonic_now();
}

/* A terminal that does not take it all at once loses a piece of the line: the next one follows. */
static void write_terminal(const struct progress *p, const char *text, size_t n)
{
	ssize_t put = write(p->fd, text, n);

	(void)put;
}

/* The line is cut where the next one would begin: \r could not go back to its beginning. */
static void draw_line(struct progress *p, double done, double of)
{
	char text[256], line[sizeof "\r\x1b[K" + sizeof text];
	size_t width = terminal_of(p->fd).width;
	int n;

	progress_text(p->label, p->unit, done, of, p->rate, text);
	if (width > 0 && strlen(text) > width - 1)
		text[width - 1] = '\0';
	n = snprintf(line, sizeof line, "\r%s\x1b[K", text);
	write_terminal(p, line, (size_t)n);
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
	if (p->shown)
		write_terminal(p, "\r\x1b[K", sizeof "\r\x1b[K" - 1);
	p->shown = false;
}
