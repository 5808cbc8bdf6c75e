/*
 * time_at: how long a run would take with another number of CPUs, all of them free.
 *
 *	struct time_at t = {0};
 *	time_at_add(&t, &sample);       (for each sample)
 *	struct time_at_range s = time_at_free_cpus(&t, 4);
 *
 * In a sample of h seconds the job used c cores, and its threads waited for a further w: d = c + w
 * is what they would have used at once. In the share b of the sample at least one ran or could have
 * run, so then d / b of them did, the sample's width. With N free CPUs it takes
 *
 *	(1 - b) h + c h / min(N, d / b)
 *
 * Where b is not known, a lower one gives a longer time. The least time of the range has the
 * highest b; the most has the lowest, and takes it that half of what waited for a CPU would then
 * have waited for something else; and on both sides the same work may need a tenth fewer or more
 * CPU seconds, as it does beside other work on the same cores. What a job would do with more CPUs
 * than it ever had threads for is not known: time_at_widest.
 *
 * Samples are added up to sums over classes of widths, four in each octave from 1 on, so the
 * struct has one size for runs of any length. At the bounds of the classes (1, 1.25 … 2, 2.5, 3,
 * 3.5, 4, 5, 6, 7, 8, 10 …) times are exact sums, and between them close to that.
 */
#ifndef CORE_NUMBERS_TIME_AT_H
#define CORE_NUMBERS_TIME_AT_H

#include <stddef.h>

#define TIME_AT_SPEED  0.1  /* of the time on a CPU */
#define TIME_AT_WIDTHS 41   /* classes; the last one is open */
#define TIME_AT_WIDEST 1024 /* where it begins */

/* NAN: not known. */
struct time_at_sample {
	double h;      /* seconds */
	double c;      /* cores used; NAN: the sample counts as waiting, and as not measured */
	double w;      /* cores waited for, throttled too, at least */
	double w_most; /* at most; NAN: w */
	double b;      /* 0 to 1 */
	double b_least, b_most; /* b lies between; narrowed to what c and w allow */
	double contended;       /* share in which others kept it waiting (contention.h); NAN: not
	                           judged */
	double stolen;          /* share that the hypervisor took */
};

/* The same sums for the time as estimated, and for the least and the most that it can be. */
enum time_at_bound { TIME_AT_ESTIMATE, TIME_AT_LEAST, TIME_AT_MOST };
#define TIME_AT_BOUNDS 3

/* Seconds. Valid when zero. */
struct time_at {
	size_t samples;   /* in which CPU use was measured */
	double wall_s;    /* of all samples */
	double unknown_s; /* of those without */
	double cpu_s;     /* CPU time: Σ c h, the same for each bound */
	double judged_s;  /* of the samples of which contention is known */
	double contended_s, stolen_s;
	struct time_at_sums {
		double idle_s;                 /* no thread could run: Σ (1 - b) h */
		double cpu_s[TIME_AT_WIDTHS];  /* Σ c h of the samples of a width */
		double busy_s[TIME_AT_WIDTHS]; /* what they take on CPUs enough: Σ c h b / d */
	} of[TIME_AT_BOUNDS];
};

#define TIME_AT_CPUS_MAX 100000 /* of the widest */

/* Numbers of CPUs of a short list: 1, 2, 4 … 256. */
#define TIME_AT_POWERS 9

struct time_at_range {
	double s, least, most; /* seconds; NAN: not known */
};

void time_at_add(struct time_at *t, const struct time_at_sample *sample);

/* Adds what another recording of the same machine's run has: sums of one after the other. */
void time_at_join(struct time_at *t, const struct time_at *more);

/* Whether enough was measured for times to mean something: two samples of CPU use, and at most a
 * tenth of the time without. */
int time_at_known(const struct time_at *t);

/* Whether contended_s and stolen_s stand for the whole run. */
int time_at_contention_known(const struct time_at *t);

/* Seconds by which the samples would have been shorter if no thread had waited for a CPU, as
 * estimated. Unlike the functions below it needs no number of samples: one may stand for a run. */
double time_at_lost_s(const struct time_at *t);

/* The time with so many free CPUs, any number above 0. .idle_s of each bound is the part that other
 * CPUs would not change: with cores that are r times as fast, the time is idle + (s - idle) / r. */
struct time_at_range time_at_free_cpus(const struct time_at *t, double cpus);

/* The most CPUs that would have been used at once, for a two-hundredth of the time at least: more
 * would not help, as far as is known; at most TIME_AT_CPUS_MAX. 0: unknown. */
double time_at_widest(const struct time_at *t);

/* The smallest whole number of CPUs with which the time, as estimated, is at most `most_s`, none
 * above the widest; 0: unknown. */
double time_at_fewest(const struct time_at *t, double most_s);

#endif
