/* watch_screen: a running job as lines for a terminal of any size. */
#include "report/watch/watch_screen.h"

#include <math.h>
#include <string.h>

#include "core/base/utf8.h"
#include "report/render/escape.h"
#include "report/render/text_layout.h"
#include "report/runs/job_key.h"
#include "report/stats/allowance.h"
#include "report/stats/state_use.h"
#include "report/units/units.h"

#define LABEL        9  /* columns of a label */
#define VALUE        42 /* columns of a value where a picture follows */
#define PICTURE_MAX  60
#define PICTURE_MIN  8
#define STATES_SHOWN 3
#define STATE_LEAST  0.01
#define WINDOW_S     1.0 /* over which amounts are shown per second */
#define QUIET        3   /* intervals without a sample that are worth saying */
#define QUIET_S      10

#define BOLD "1"
#define DIM  "2"
#define RED  "31"

struct screen {
	const struct watch_view *v;
	const struct watch_size *size;
	struct buf *out;
	size_t lines;
};

/* -- lines ------------------------------------------------------------------------------------- */

/* The bytes of text that fit into so many columns. */
static size_t fitting(const char *text, size_t n, size_t columns)
{
	size_t used = 0, at = 0;

	while (at < n) {
		size_t one = utf8_length(text + at, n - at);
		size_t wide = text_layout_columns(text + at, one ? one : 1);
		if (used + wide > columns)
			break;
		used += wide;
		at += one ? one : 1;
	}
	return at;
}

/* A line that does not fit is cut; one below the last line is left out. style: SGR (ECMA-48), or
 * NULL. */
static void show_line(struct screen *s, const char *style, const struct buf *text)
{
	struct buf clean = {0};

	if (s->lines >= s->size->height)
		return;
	if (s->lines++)
		buf_char(s->out, '\n');
	escape_add(&clean, ESCAPE_LINE, buf_cstr(text), text->len);
	if (style && s->size->colour)
		buf_printf(s->out, "\x1b[%sm", style);
	buf_add(s->out, buf_cstr(&clean), fitting(buf_cstr(&clean), clean.len, s->size->width));
	if (style && s->size->colour)
		buf_str(s->out, "\x1b[0m");
	buf_free(&clean);
}

static void show_text(struct screen *s, const char *style, const char *text)
{
	struct buf b = {0};

	buf_str(&b, text);
	show_line(s, style, &b);
	buf_free(&b);
}

/* Shows parts such as "a 60%, b 30%"; the last ones are left out if not all fit. */
static void show_parts(struct screen *s, struct buf *b)
{
	while (text_layout_columns(buf_cstr(b), b->len) > s->size->width) {
		size_t n = b->len;
		while (n > 0 && !(strchr(",;", b->s[n - 1]) && b->s[n] == ' '))
			n--;
		if (n == 0)
			break;
		b->len = n - 1;
		b->s[b->len] = '\0';
	}
	show_line(s, NULL, b);
}

static void pad_to(struct buf *b, size_t columns)
{
	for (size_t n = text_layout_columns(buf_cstr(b), b->len); n < columns; n++)
		buf_char(b, ' ');
}

/* -- rows: what a job uses --------------------------------------------------------------------- */

static bool has_job(const struct watch_view *v)
{
	return v->run->snapshot.meta.track_processes;
}

static double cores_at(const struct watch_view *v, size_t before)
{
	enum metric_id id = has_job(v) ? METRIC_PROCESS_CPU_USAGE : METRIC_SYSTEM_CPU_USAGE;

	return watch_now_at(v->is, before)[id];
}

static void say_cpu(const struct watch_view *v, struct buf *b)
{
	enum metric_id u = has_job(v) ? METRIC_PROCESS_UTIME : METRIC_SYSTEM_UTIME,
		       s = has_job(v) ? METRIC_PROCESS_STIME : METRIC_SYSTEM_STIME;
	double cores = watch_now_rate(v->is, u, WINDOW_S) + watch_now_rate(v->is, s, WINDOW_S);
	double all = allowance_cpus(v->run).amount;

	if (isnan(cores))
		return;
	buf_printf(b, "%s of %s", UNITS_CORES(cores), UNITS_CPUS(all));
}

static double all_cpus(const struct watch_view *v)
{
	return allowance_cpus(v->run).amount;
}

static double memory_at(const struct watch_view *v, size_t before)
{
	enum metric_id id = has_job(v) ? METRIC_PROCESS_MEMORY : METRIC_SYSTEM_MEMORY_USED;

	return watch_now_at(v->is, before)[id];
}

static double all_memory(const struct watch_view *v)
{
	return allowance_memory(v->run).amount;
}

static void say_memory_now(const struct watch_view *v, struct buf *b)
{
	const double *peak = v->is->peak;
	double now = memory_at(v, 0), all = all_memory(v);
	double most = has_job(v)
	                  ? fmax(peak[METRIC_PROCESS_MEMORY], peak[METRIC_PROCESS_MEMORY_PEAK])
	                  : peak[METRIC_SYSTEM_MEMORY_USED];

	if (isnan(now))
		return;
	buf_str(b, UNITS_TEXT(UNIT_BYTES, now));
	if (all > 0)
		buf_printf(b, " of %s", UNITS_TEXT(UNIT_BYTES, all));
	buf_printf(b, ", peak %s", UNITS_TEXT(UNIT_BYTES, most));
}

/* "read 120 MiB/s, write 3 MiB/s" */
static void say_rates(const struct watch_view *v, const char *in, enum metric_id of_in,
                      const char *out, enum metric_id of_out, struct buf *b)
{
	double x = watch_now_rate(v->is, of_in, WINDOW_S),
	       y = watch_now_rate(v->is, of_out, WINDOW_S);

	if (!isnan(x) && !isnan(y))
		buf_printf(b, "%s %s, %s %s", in, UNITS_TEXT(UNIT_RATE, x), out,
		           UNITS_TEXT(UNIT_RATE, y));
}

static double sum_at(const struct watch_view *v, enum metric_id a, enum metric_id b, size_t before)
{
	return watch_now_rate_at(v->is, a, before) + watch_now_rate_at(v->is, b, before);
}

static void say_disk(const struct watch_view *v, struct buf *b)
{
	if (has_job(v))
		say_rates(v, "read", METRIC_PROCESS_READ_BYTES, "write", METRIC_PROCESS_WRITE_BYTES,
		          b);
	else
		say_rates(v, "read", METRIC_SYSTEM_DISK_READ_BYTES, "write",
		          METRIC_SYSTEM_DISK_WRITE_BYTES, b);
}

static double disk_at(const struct watch_view *v, size_t before)
{
	return has_job(v) ? sum_at(v, METRIC_PROCESS_READ_BYTES, METRIC_PROCESS_WRITE_BYTES, before)
	                  : sum_at(v, METRIC_SYSTEM_DISK_READ_BYTES, METRIC_SYSTEM_DISK_WRITE_BYTES,
	                           before);
}

static void say_net(const struct watch_view *v, struct buf *b)
{
	say_rates(v, "in", METRIC_SYSTEM_NET_RECV_BYTES, "out", METRIC_SYSTEM_NET_SENT_BYTES, b);
}

static double net_at(const struct watch_view *v, size_t before)
{
	return sum_at(v, METRIC_SYSTEM_NET_RECV_BYTES, METRIC_SYSTEM_NET_SENT_BYTES, before);
}

static double all_gpus(const struct watch_view *v)
{
	return v->run->snapshot.server.gpu_count;
}

static double gpus_at(const struct watch_view *v, size_t before)
{
	enum metric_id id = has_job(v) ? METRIC_PROCESS_GPU_USAGE : METRIC_SYSTEM_GPU_USAGE;

	return watch_now_at(v->is, before)[id];
}

static void say_gpu(const struct watch_view *v, struct buf *b)
{
	double all = all_gpus(v),
	       vram = watch_now_gauge(v->is, has_job(v) ? METRIC_PROCESS_GPU_VRAM
	                                                : METRIC_SYSTEM_GPU_VRAM);

	if (!(all > 0))
		return;
	buf_printf(b, "%s of %.0f, memory %s", UNITS_CORES(gpus_at(v, 0)), all,
	           UNITS_TEXT(UNIT_BYTES, vram));
}

/* "on a CPU 62%, waiting for the disk 30%" */
static void say_states(const struct watch_view *v, struct buf *b)
{
	enum states_id order[STATES_N];
	double s[STATES_N];
	struct state_use use;
	size_t n;

	for (int k = 0; k < STATES_N; k++)
		s[k] = watch_now_rate(v->is, states_metric((enum states_id)k), WATCH_NOW_STATES);
	use = state_use_of_seconds(s);
	n = use.known ? state_use_sorted(&use, order) : 0;
	for (size_t i = 0; i < n && i < STATES_SHOWN; i++)
		if (use.of[order[i]].share >= STATE_LEAST)
			buf_printf(b, "%s%s %s", i ? ", " : "", state_words[order[i]].is,
			           UNITS_SHARE(use.of[order[i]].share));
}

static void say_phase(const struct watch_view *v, struct buf *b)
{
	const struct phases *p = v->phases;
	const struct phase *last = p->n ? &p->v[p->n - 1] : NULL;

	if (!last || !isnan(last->end))
		return;
	buf_printf(b, "%s, for %s", last->name, UNITS_WHOLE(floor(fmax(v->now - last->start, 0))));
	if (p->n > 1)
		buf_printf(b, ", after %zu other%s", p->n - 1, p->n == 2 ? "" : "s");
}

/* Beside a job. */
static void say_whole_machine(const struct watch_view *v, struct buf *b)
{
	double cores = watch_now_gauge(v->is, METRIC_SYSTEM_CPU_USAGE),
	       memory = watch_now_gauge(v->is, METRIC_SYSTEM_MEMORY_USED);
	const struct snapshot *s = &v->run->snapshot;

	if (!has_job(v) || isnan(cores))
		return;
	buf_printf(b, "%s of %s, %s of %s used", UNITS_CORES(cores),
	           UNITS_CPUS(allowance_machine_cpus(v->run)), UNITS_TEXT(UNIT_BYTES, memory),
	           UNITS_TEXT(UNIT_BYTES, s->server.known ? s->server.memory_b : (double)NAN));
}

/* A row without text is left out. at: the value of a picture; full: its top, else that of its
 * largest value. */
static const struct row {
	const char *label;
	void (*say)(const struct watch_view *v, struct buf *b);
	double (*at)(const struct watch_view *v, size_t before);
	double (*full)(const struct watch_view *v);
} rows[] = {
    {"CPU", say_cpu, cores_at, all_cpus},
    {"memory", say_memory_now, memory_at, all_memory},
    {"disk", say_disk, disk_at, NULL},
    {"network", say_net, net_at, NULL}, /* the machine's: nobody counts a job's */
    {"GPU", say_gpu, gpus_at, all_gpus},
    {"time", say_states, NULL, NULL},
    {"phase", say_phase, NULL, NULL},
    {"machine", say_whole_machine, NULL, NULL},
};

/* The samples that are kept, oldest first: each column shows the largest of some. */
static void show_picture(const struct screen *s, const struct row *row, size_t columns,
                         struct buf *b)
{
	static const char *const levels[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	size_t n = watch_now_kept(s->v->is), each = (n + columns - 1) / columns;
	double full = row->full ? row->full(s->v) : (double)NAN, top = 0;

	for (size_t i = 0; i < n && !(full > 0); i++)
		top = fmax(top, row->at(s->v, i));
	full = full > 0 ? full : top;
	for (size_t end = n; end > 0; end = end > each ? end - each : 0) {
		double most = NAN;
		for (size_t k = 0; k < each && k < end; k++)
			most = fmax(most, row->at(s->v, end - 1 - k));
		most = full > 0 ? ceil(8 * most / full) : 0;
		buf_str(b, levels[(int)fmin(fmax(0, most), 8)]);
	}
}

static void show_rows(struct screen *s)
{
	size_t room = s->size->width > LABEL + VALUE ? s->size->width - LABEL - VALUE : 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf b = {0};
		size_t before;
		buf_str(&b, rows[i].label);
		pad_to(&b, LABEL);
		before = b.len;
		rows[i].say(s->v, &b);
		if (b.len > before && rows[i].at && s->size->utf8 && room >= PICTURE_MIN) {
			pad_to(&b, LABEL + VALUE);
			show_picture(s, &rows[i], room < PICTURE_MAX ? room : PICTURE_MAX, &b);
		}
		if (b.len > before)
			show_parts(s, &b);
		buf_free(&b);
	}
}

/* -- the head, the processes, the keys --------------------------------------------------------- */

static void add_title(struct screen *s)
{
	static const char *const words[] = {
	    [WATCH_WAITS] = "waiting", [WATCH_RUNS] = "running", [WATCH_ENDED] = "ended"};
	const struct watch_view *v = s->v;
	struct buf b = {0};

	buf_str(&b, words[v->state]);
	if (v->jobs > 1 && v->job <= v->jobs)
		buf_printf(&b, " (%zu of %zu)", v->job, v->jobs);
	buf_printf(&b, ": %s", job_key_name(v->run));
	if (v->run->snapshot.job.host && *v->run->snapshot.job.host)
		buf_printf(&b, " on %s", v->run->snapshot.job.host);
	show_line(s, BOLD, &b);
	buf_free(&b);
}

/* "12 min 3 s; about 5 min left, from 8 earlier runs" */
static void add_time(struct screen *s)
{
	const struct watch_view *v = s->v;
	double last = watch_now_time(v->is), until = v->state == WATCH_RUNS ? v->now : last;
	double quiet = v->now - last;
	struct buf b = {0}, left = {0};

	buf_str(&b, UNITS_WHOLE(floor(fmax(until - v->run->snapshot.meta.start_time, 0))));
	if (v->state == WATCH_RUNS)
		time_left_text(&v->left, &left);
	if (left.len)
		buf_printf(&b, "; %s", buf_cstr(&left));
	show_parts(s, &b);
	buf_clear(&b);
	if (v->state == WATCH_RUNS && quiet > QUIET_S && quiet > QUIET * v->is->interval_s) {
		buf_printf(&b, "The last sample is from %s ago.", UNITS_WHOLE(floor(quiet)));
		show_line(s, RED, &b);
	}
	buf_free(&b);
	buf_free(&left);
}

/* Where there is little room, its program without the folder. */
static void show_process(struct screen *s, const struct process_entry *p)
{
	bool wide = s->size->width >= 60;
	const char *command = *p->command ? p->command : p->name;
	struct buf b = {0};

	buf_printf(&b, "%7d %6.2f %9s ", p->pid, p->n / 1000.0,
	           UNITS_TEXT(UNIT_BYTES, p->memory_b));
	if (wide)
		buf_printf(&b, "%12s ", UNITS_WHOLE(floor(fmax(p->end_s - p->start_s, 0))));
	if (!wide) {
		size_t n = strcspn(command, " ");
		const char *slash = memrchr(command, '/', n);
		if (slash && slash + 1 < command + n)
			command = slash + 1;
	}
	buf_str(&b, command);
	show_line(s, NULL, &b);
	buf_free(&b);
}

/* A journal of an older recorder has no processes, and nothing is added. */
static void add_processes(struct screen *s)
{
	const struct watch_now *is = s->v->is;

	if (!is->has_processes || s->v->state != WATCH_RUNS)
		return;
	show_text(s, NULL, "");
	show_text(s, DIM,
	          s->size->width >= 60 ? "    PID  cores    memory      running process"
	                               : "    PID  cores    memory process");
	for (size_t i = 0; i < is->n_processes && s->lines + 1 < s->size->height; i++)
		show_process(s, &is->process[i]);
}

static void add_keys(struct screen *s)
{
	static const char *const by[] = {
	    [WATCH_SORT_CPU] = "CPU", [WATCH_SORT_MEMORY] = "memory", [WATCH_SORT_TIME] = "time"};
	struct buf b = {0};

	buf_printf(&b, "q quit%s", s->v->jobs > 1 ? "  n next job" : "");
	if (s->v->state == WATCH_RUNS)
		buf_printf(&b, "  sort: c m t (%s)", by[s->v->sort]);
	while (s->lines + 1 < s->size->height)
		show_text(s, NULL, "");
	show_line(s, DIM, &b);
	buf_free(&b);
}

void watch_screen(const struct watch_view *v, const struct watch_size *size, struct buf *out)
{
	struct screen s = {.v = v, .size = size, .out = out};
	struct buf b = {0};

	if (v->state == WATCH_WAITS) {
		buf_printf(&b, "No job is running in %s.", v->source);
		show_line(&s, BOLD, &b);
		show_text(&s, NULL, "Waiting for one to start.");
	} else {
		add_title(&s);
		add_time(&s);
		if (v->state == WATCH_ENDED)
			show_text(&s, NULL, v->end);
		show_text(&s, NULL, "");
		if (v->is->n)
			show_rows(&s);
		else
			show_text(&s, NULL, "There is no sample yet.");
	}
	if (*v->failed)
		show_text(&s, RED, v->failed);
	if (v->state != WATCH_WAITS)
		add_processes(&s);
	add_keys(&s);
	buf_free(&b);
}
