/*
 * watch_now: what a followed journal says of the present: its last samples, and sums and peaks of
 * all of them. Its size does not depend on the length of the recording.
 */
#ifndef REPORT_WATCH_WATCH_NOW_H
#define REPORT_WATCH_WATCH_NOW_H

#include <stdbool.h>

#include "core/files/journal_follow.h"
#include "core/numbers/stats.h"
#include "core/recording/states.h"

#define WATCH_NOW_ROWS     240
#define WATCH_NOW_COMMANDS 256  /* processes whose command lines are kept */
#define WATCH_NOW_COMMAND  120  /* bytes of each */
#define WATCH_NOW_STATES   60.0 /* seconds over which states are shown */

/* {0} is valid: nothing was read. */
struct watch_now {
	double row[WATCH_NOW_ROWS][METRIC_COUNT]; /* sample i is row i % WATCH_NOW_ROWS */
	size_t n;                                 /* samples so far, without early ones */
	double peak[METRIC_COUNT];                /* largest values; NAN: not measured */
	double interval_s;                        /* set before reading; NAN: unknown */
	struct process_entry process[JOURNAL_FOLLOW_NOW_MAX];
	size_t n_processes;
	bool has_processes; /* the journal has entries of the processes now */
	struct watch_command {
		uint32_t id; /* 0: none */
		char text[WATCH_NOW_COMMAND + 1];
	} command[WATCH_NOW_COMMANDS]; /* of the processes that began last: a ring */
	size_t n_commands;             /* so far */
};

/* Functions for journal_follow_takes; ctx is a struct watch_now. */
void watch_now_row(void *ctx, const double *row, bool early);
void watch_now_processes(void *ctx, const struct process_entry *v, size_t n);
void watch_now_process(void *ctx, const struct process_entry *one);

/* Samples that are kept. The newest is at(…, 0), the one before at(…, 1). */
size_t watch_now_kept(const struct watch_now *w);
const double *watch_now_at(const struct watch_now *w, size_t before);

/* The last value of a gauge; NAN: not measured. */
double watch_now_gauge(const struct watch_now *w, enum metric_id id);

/* The amount per second of a column with amounts: of one sample, and over the last samples that
 * cover window_s, one at least. NAN: not measured. */
double watch_now_rate_at(const struct watch_now *w, enum metric_id id, size_t before);
double watch_now_rate(const struct watch_now *w, enum metric_id id, double window_s);

/* Unix seconds of the last sample; NAN: there is none. */
double watch_now_time(const struct watch_now *w);

/* Sets the number of samples and the largest of each column: by its statistics a run says which
 * columns it has. */
void watch_now_stats(const struct watch_now *w, struct stats out[METRIC_COUNT]);

enum watch_sort { WATCH_SORT_CPU, WATCH_SORT_MEMORY, WATCH_SORT_TIME };

/* Orders ->process: most CPU, most memory, or longest running first. */
void watch_now_sort(struct watch_now *w, enum watch_sort by);

#endif
