/* watch_now: what a followed journal says of the present. */
#include "report/watch/watch_now.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"

void watch_now_row(void *ctx, const double *row, bool early)
{
	struct watch_now *w = ctx;

	if (early)
		return;
	memcpy(w->row[w->n % WATCH_NOW_ROWS], row, sizeof *w->row);
	for (int id = 0; id < METRIC_COUNT; id++)
		w->peak[id] = w->n ? fmax(w->peak[id], row[id]) : row[id];
	w->n++;
}

static struct watch_command *command_of(struct watch_now *w, uint32_t id)
{
	for (size_t i = 0; id && i < WATCH_NOW_COMMANDS; i++)
		if (w->command[i].id == id)
			return &w->command[i];
	return NULL;
}

void watch_now_process(void *ctx, const struct process_entry *one)
{
	struct watch_now *w = ctx;
	struct watch_command *c = command_of(w, one->id);

	if (one->kind != PROCESS_ENTRY_RUNNING || !*one->command)
		return;
	if (!c)
		c = &w->command[w->n_commands++ % WATCH_NOW_COMMANDS];
	c->id = one->id;
	snprintf(c->text, sizeof c->text, "%.*s",
	         (int)utf8_cut(one->command, strlen(one->command), sizeof c->text - 1),
	         one->command);
}

/* The command line is in the ring, or was in the list before. */
static void set_command(struct watch_now *w, struct process_entry *p)
{
	const struct watch_command *c = command_of(w, p->id);

	if (c)
		snprintf(p->command, sizeof p->command, "%s", c->text);
	for (size_t i = 0; p->id && !c && i < w->n_processes; i++)
		if (w->process[i].id == p->id)
			memcpy(p->command, w->process[i].command, sizeof p->command);
}

void watch_now_processes(void *ctx, const struct process_entry *v, size_t n)
{
	struct process_entry now[JOURNAL_FOLLOW_NOW_MAX];
	struct watch_now *w = ctx;

	for (size_t i = 0; i < n; i++) {
		now[i] = v[i];
		set_command(w, &now[i]);
	}
	memcpy(w->process, now, n * sizeof *now);
	w->n_processes = n;
	w->has_processes = true;
}

size_t watch_now_kept(const struct watch_now *w)
{
	return w->n < WATCH_NOW_ROWS ? w->n : WATCH_NOW_ROWS;
}

const double *watch_now_at(const struct watch_now *w, size_t before)
{
	return w->row[(w->n - 1 - before) % WATCH_NOW_ROWS];
}

double watch_now_gauge(const struct watch_now *w, enum metric_id id)
{
	return w->n ? watch_now_at(w, 0)[id] : (double)NAN;
}

static double sample_time(const double *row)
{
	double t = row[METRIC_SYSTEM_TIMESTAMP];

	return isnan(t) ? row[METRIC_PROCESS_TIMESTAMP] : t;
}

/* The time that a sample represents: since the one before. */
static double sample_lasted(const struct watch_now *w, size_t before)
{
	double s = before + 1 < watch_now_kept(w) ? sample_time(watch_now_at(w, before)) -
	                                                sample_time(watch_now_at(w, before + 1))
	                                          : w->interval_s;

	return s > 0 ? s : (double)NAN;
}

double watch_now_rate_at(const struct watch_now *w, enum metric_id id, size_t before)
{
	return watch_now_at(w, before)[id] / sample_lasted(w, before);
}

double watch_now_rate(const struct watch_now *w, enum metric_id id, double window_s)
{
	double sum = 0, s = 0;

	for (size_t i = 0; i < watch_now_kept(w) && (!i || s + sample_lasted(w, i) <= window_s);
	     i++) {
		double v = watch_now_at(w, i)[id];
		if (isnan(v) || isnan(sample_lasted(w, i)))
			break;
		sum += v;
		s += sample_lasted(w, i);
	}
	return s > 0 ? sum / s : (double)NAN;
}

double watch_now_time(const struct watch_now *w)
{
	return w->n ? sample_time(watch_now_at(w, 0)) : (double)NAN;
}

void watch_now_stats(const struct watch_now *w, struct stats out[METRIC_COUNT])
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		out[id] = stats_none();
		out[id].n = w->n && !isnan(w->peak[id]) ? w->n : 0;
		out[id].max = w->n ? w->peak[id] : (double)NAN;
	}
}

static int by_cpu(const void *a, const void *b)
{
	const struct process_entry *x = a, *y = b;

	return (x->n < y->n) - (x->n > y->n);
}

static int by_memory(const void *a, const void *b)
{
	const struct process_entry *x = a, *y = b;

	return (x->memory_b < y->memory_b) - (x->memory_b > y->memory_b);
}

static int by_process_start(const void *a, const void *b)
{
	const struct process_entry *x = a, *y = b;

	return (x->start_s > y->start_s) - (x->start_s < y->start_s);
}

void watch_now_sort(struct watch_now *w, enum watch_sort by)
{
	static int (*const order[])(const void *,
	                            const void *) = {[WATCH_SORT_CPU] = by_cpu,
	                                             [WATCH_SORT_MEMORY] = by_memory,
	                                             [WATCH_SORT_TIME] = by_process_start};

	qsort(w->process, w->n_processes, sizeof *w->process, order[by]);
}
