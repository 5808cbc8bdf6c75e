/*
 * history: chooses the run to report on and the earlier runs that it is compared with.
 */
#ifndef REPORT_STATS_HISTORY_H
#define REPORT_STATS_HISTORY_H

#include "report/runs/load.h"

#define HISTORY_TEXT      96
#define HISTORY_NEEDS     200                /* runs that show what the job needs */
#define HISTORY_ORDERED   120                /* runs that may be ordered by their commits */
#define HISTORY_INDEX_MAX 9007199254740992.0 /* of an array's element: 2^53 */

/* Orders the runs: v[0] is this run (r->current, or else the newest), then the history, newest
 * first. Among runs of the same job (r->group_by), marks the last `use` that finished, or whose end
 * is unknown, as used; the others get the reason why they are not. All elements of v[0]'s array
 * that finished are used, however many they are: what is asked for an array must do for each of
 * them. Of several attempts of one job only the last is used. -1 if there is no run, or r->current
 * is not among them.
 *
 * Runs on another kind of machine are not used: their numbers are not comparable. Nor are runs that
 * began after v[0], where that was chosen (-c), but for elements of its array.
 *
 * More runs show how much the job needs: all finished ones of the job, however few the averages are
 * of, and those that were killed for memory, which needed more than they had. The newest
 * HISTORY_NEEDS of them are marked with shows_need, v[0] always. With `use` 0 these are the runs
 * that are used.
 *
 * Their ->order is the time of their commit, if it is known of each of the newest HISTORY_ORDERED
 * runs of the job, however they ended; else their start. So a run of an old commit, as in a
 * bisection, stands among those of its time. The newest runs are still those that began last. */
int history_choose(struct runs *r, long use, struct err *e);

/* Whether a comes before b by ->order, and if that is the same, by their start. */
bool history_precedes(const struct run *a, const struct run *b);

/* The commit that a run was recorded on; "" if it is unknown. Borrowed. */
const char *history_commit(const struct run *run);

/* Whether run i is in the trend: this run, and every earlier run of the same job that did not fail,
 * used or not, on whatever machine. */
bool history_is_trend(const struct runs *r, size_t i);

/* Whether two runs had the same kind of machine: CPU model, or else instance type (one that is
 * unknown does not differ), CPUs of the machine, CPUs that were asked for. */
bool history_same_machine(const struct run *a, const struct run *b);

/* The same, but unknown is only the same as unknown. So the runs fall into groups: an unknown
 * machine, which may be any, does not join two that differ. */
bool history_same_stratum(const struct run *a, const struct run *b);

struct history_range {
	size_t runs;                    /* that v[0] is compared with */
	size_t n;                       /* of them have the measure */
	double median, low, high, mean; /* NAN: n is 0 */
};

/* A measure over the runs that v[0] is compared with, the same for all outputs: value(ctx, i) of
 * each run, NAN left out. The runs are those that are used; if the measure follows the load of the
 * machine (as a duration does), contended runs are passed over, and older ones take their place;
 * none if v[0] itself is contended. */
struct history_range history_range(const struct runs *r, bool follows_load,
                                   double (*value)(const void *ctx, size_t i), const void *ctx);

/* How many runs of the history are used. */
size_t history_used(const struct runs *r);

/* How many comparable runs are not used, because they are older than so many (--history). */
size_t history_older(const struct runs *r);

/* history_used in words: "2 earlier runs", "7 other elements of its array and 1 earlier run"; "the
 * last 5 of 38 comparable runs" where --history leaves out older ones. */
void history_used_text(const struct runs *r, char out[HISTORY_TEXT]);

/* The same of the runs that show what the job needs, this one not counted. */
size_t history_needed(const struct runs *r);
void history_needed_text(const struct runs *r, char out[HISTORY_TEXT]);

/* Whether both runs are elements of one job array. */
bool history_one_array(const struct run *a, const struct run *b);

/* Whether they are two attempts of one job: its scheduler started it again. */
bool history_one_job(const struct run *a, const struct run *b);

/* Whether run i and v[0] are of one array. */
bool history_in_array(const struct runs *r, size_t i);

#endif
