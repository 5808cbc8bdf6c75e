/* progress_line: one line on the terminal of standard error that says what the job uses. */
#include "collect/output/progress_line.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/numbers/metric.h"
#include "core/recording/states.h"

#define GAP        "  "
#define CLEAR_REST "\x1b[K"  /* ECMA-48: erase to the end of the line */
#define TITLE      "\x1b]2;" /* xterm's control sequences: sets the title, … */
#define TITLE_END  "\x07"
#define TITLE_PUSH "\x1b[22;2t" /* … keeps that of now, … */
#define TITLE_POP  "\x1b[23;2t" /* … and sets that again */
#define COLUMNS    80           /* of a title, and of a terminal that does not say it */
#define RATE_LEAST 1e5          /* bytes per second that are worth a word */
#define WAIT_LEAST 0.1          /* likewise, of the time */
#define PHASE      "phase: "
#define PHASE_MIN  4 /* bytes of the name */

struct text {
	char *out;
	size_t n, width;
};

/* -- the text ---------------------------------------------------------------------------------- */

/* Adds a part, if there is room for all of it. */
__attribute__((format(printf, 2, 3))) static void add_part(struct text *t, const char *fmt, ...)
{
	const size_t gap = t->n ? strlen(GAP) : 0;
	char part[PROGRESS_LINE_MAX];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(part, sizeof part, fmt, ap);
	va_end(ap);
	if (n <= 0 || t->n + gap + (size_t)n > t->width)
		return;
	memcpy(t->out + t->n, GAP, gap);
	memcpy(t->out + t->n + gap, part, (size_t)n);
	t->n += gap + (size_t)n;
}

static void add_elapsed(struct text *t, double s)
{
	long all = (long)(s + 0.5);

	if (all < 60)
		add_part(t, "%ld s", all);
	else if (all < 3600)
		add_part(t, "%ld min %ld s", all / 60, all % 60);
	else if (all < 86400)
		add_part(t, "%ld h %ld min", all / 3600, all / 60 % 60);
	else
		add_part(t, "%ld d %ld h", all / 86400, all / 3600 % 24);
}

static void add_cores(struct text *t, double cores, double cpus)
{
	int digits = cores < 9.95 ? 1 : 0;

	if (isnan(cores))
		return;
	if (cpus > 0)
		add_part(t, "%.*f of %.3g core%s", digits, cores, cpus, cpus <= 1 ? "" : "s");
	else
		add_part(t, "%.*f cores", digits, cores);
}

struct amount {
	double v;
	int digits;
	const char *unit;
};

static struct amount scaled_bytes(double bytes)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
	size_t k = 0;

	for (bytes /= 1024; bytes >= 999.5 && k < sizeof units / sizeof *units - 1; k++)
		bytes /= 1024;
	return (struct amount){bytes, bytes < 9.95, units[k]};
}

static void add_used_memory(struct text *t, double bytes, double of)
{
	struct amount a = scaled_bytes(bytes), limit = scaled_bytes(of);

	if (isnan(bytes))
		return;
	/* A limit is exact, but a whole one has no decimal. */
	limit.digits = limit.v < 99.95 && fabs(limit.v - (double)(long)(limit.v + 0.5)) >= 0.05;
	if (!(of > 0))
		add_part(t, "%.*f %s", a.digits, a.v, a.unit);
	else if (strcmp(a.unit, limit.unit) == 0)
		add_part(t, "%.*f of %.*f %s", a.digits, a.v, limit.digits, limit.v, limit.unit);
	else
		add_part(t, "%.*f %s of %.*f %s", a.digits, a.v, a.unit, limit.digits, limit.v,
		         limit.unit);
}

static void add_rate(struct text *t, const char *what, double bytes, double lasted_s)
{
	struct amount a = scaled_bytes(bytes / lasted_s);

	if (bytes / lasted_s >= RATE_LEAST)
		add_part(t, "%s %.*f %s/s", what, a.digits, a.v, a.unit);
}

/* NAN counts as 0. */
static double sum_measured(double a, double b)
{
	return (isnan(a) ? 0 : a) + (isnan(b) ? 0 : b);
}

/* The state that most of the time went to, unless it is that of running. */
static void add_state(struct text *t, const double *row)
{
	static const char *const words[STATES_N] = {
#define STATE(id, word, measure, name, is, was, now, ...) now,
#include "core/numbers/job_states.def"
#undef STATE
	};
	const double *state = row + METRIC_PROCESS_STATE_CPU;
	double sum = 0;
	int most = 0;

	for (int k = 0; k < STATES_N; k++) {
		sum = sum_measured(sum, state[k]);
		if (state[k] > sum_measured(state[most], 0))
			most = k;
	}
	if (words[most] && sum > 0 && state[most] / sum >= WAIT_LEAST)
		add_part(t, "%s %.0f%%", words[most], 100 * state[most] / sum);
}

static void add_phase(struct text *t, const char *phase)
{
	size_t gap = t->n ? strlen(GAP) : 0, from = t->n + gap + strlen(PHASE), room;

	if (!phase || from + PHASE_MIN > t->width)
		return;
	room = t->width - from;
	add_part(t, PHASE "%.*s", room < 200 ? (int)room : 200, phase);
	/* A name may hold anything: a column for each byte, and nothing that the terminal obeys. */
	for (size_t i = from; i < t->n; i++)
		if (t->out[i] < ' ' || t->out[i] > '~')
			t->out[i] = '?';
}

size_t progress_line_text(const struct progress_line_of *of, const struct progress_line_now *now,
                          size_t width, char out[PROGRESS_LINE_MAX])
{
	struct text t = {out, 0, width < PROGRESS_LINE_MAX ? width : PROGRESS_LINE_MAX};
	const double *row = now->row;
	const bool job = of->job;

	add_elapsed(&t, now->elapsed_s);
	add_cores(&t, row[job ? METRIC_PROCESS_CPU_USAGE : METRIC_SYSTEM_CPU_USAGE], of->cpus);
	add_used_memory(&t, row[job ? METRIC_PROCESS_MEMORY : METRIC_SYSTEM_MEMORY_USED],
	                of->memory_b);
	if (row[job ? METRIC_PROCESS_GPU_USAGE : METRIC_SYSTEM_GPU_USAGE] >= 0.05)
		add_part(&t, "%.1f GPUs",
		         row[job ? METRIC_PROCESS_GPU_USAGE : METRIC_SYSTEM_GPU_USAGE]);
	add_rate(&t, "read", row[job ? METRIC_PROCESS_READ_BYTES : METRIC_SYSTEM_DISK_READ_BYTES],
	         now->lasted_s);
	add_rate(&t, "write",
	         row[job ? METRIC_PROCESS_WRITE_BYTES : METRIC_SYSTEM_DISK_WRITE_BYTES],
	         now->lasted_s);
	add_rate(&t, "net",
	         sum_measured(row[METRIC_SYSTEM_NET_RECV_BYTES], row[METRIC_SYSTEM_NET_SENT_BYTES]),
	         now->lasted_s);
	if (job)
		add_state(&t, row);
	add_phase(&t, now->phase);
	return t.n;
}

/* -- the terminal ------------------------------------------------------------------------------ */

void progress_line_open(struct progress_line *p, int fd, bool title)
{
	const char *term = getenv("TERM");
	char path[32];

	*p = (struct progress_line){.fd = -1, .title = title};
	if (!isatty(fd) || !term || !*term || strcmp(term, "dumb") == 0)
		return;
	/* A description of its own: O_NONBLOCK on that of the job would be the job's. */
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	p->fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* Whether it is ours to write to: a background job keeps off it. */
static bool in_foreground(const struct progress_line *p)
{
	return p->fd >= 0 && tcgetpgrp(p->fd) == getpgrp();
}

/* False: some bytes were not taken. */
static bool flush_line(struct progress_line *p)
{
	ssize_t n = p->done < p->n ? write(p->fd, p->bytes + p->done, p->n - p->done) : 0;

	p->done += n > 0 ? (size_t)n : 0;
	return p->done == p->n;
}

static void add_control(struct progress_line *p, const char *s)
{
	size_t n = strlen(s);

	memcpy(p->bytes + p->n, s, n);
	p->n += n;
}

/* A line of which nothing was taken is dropped. One of which a part was taken goes on later: half a
 * control sequence would swallow what comes next. */
static void start_line(struct progress_line *p)
{
	p->n = p->done = 0;
	if (p->title && !p->shown)
		add_control(p, TITLE_PUSH);
	add_control(p, p->title ? TITLE : "\r");
}

/* last: the line disappears. */
static void send_line(struct progress_line *p, bool last)
{
	add_control(p, p->title ? TITLE_END : CLEAR_REST "\r");
	if (p->title && last)
		add_control(p, TITLE_POP);
	if (!flush_line(p) && !p->done)
		p->n = 0;
}

void progress_line_show(struct progress_line *p, const struct progress_line_of *of,
                        const struct progress_line_now *now)
{
	struct winsize size = {0};
	size_t columns;

	if (!in_foreground(p) || !flush_line(p))
		return;
	columns = COLUMNS;
	if (!p->title && ioctl(p->fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
		columns = size.ws_col;
	start_line(p);
	/* From the last column, some terminals go on to the next line. */
	p->n += progress_line_text(of, now, columns - 1, p->bytes + p->n);
	send_line(p, false);
	p->shown = p->shown || p->n;
}

void progress_line_clear(struct progress_line *p)
{
	if (!p->shown || !in_foreground(p) || !flush_line(p))
		return;
	start_line(p);
	send_line(p, true);
	p->shown = false;
}

void progress_line_close(struct progress_line *p)
{
	progress_line_clear(p);
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}
