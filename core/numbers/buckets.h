/*
 * buckets: a long recording as a few parts of equal length, and what each column did in them.
 *
 * The report draws them (chart_grid.h), and the recorder writes them (overview.h): both take every
 * step from here, so that the pictures are the same.
 */
#ifndef CORE_NUMBERS_BUCKETS_H
#define CORE_NUMBERS_BUCKETS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define BUCKETS_MAX 240

/* Samples of one column. Valid when zero: none, which is a gap. */
struct bucket {
	double min, max;
	double sum, seconds; /* sum: of value × seconds; seconds: time covered by the samples */
	size_t n;
};

struct buckets {
	double from, step; /* Unix seconds; seconds of a bucket */
	double gap;        /* seconds: the line breaks between samples further apart than this */
	size_t n;
};

/* The buckets of samples between two times. spacing: of the samples (buckets_spacing). */
struct buckets buckets_between(double from, double to, size_t samples, double spacing);

/* The usual distance between samples: a busy machine samples less often than the interval says.
 * t: the first n time stamps, or all; 2 × BUCKETS_MAX are enough. */
double buckets_spacing(const double *t, size_t n, double interval);

/* Where samples go, one after the other. Begin with {.before = NAN}. */
struct buckets_walk {
	double before; /* time of the sample before */
	size_t next;   /* the first bucket after the last sample */
};

/* Sample t goes to bucket *at and, where samples are further apart than buckets, to those from
 * *first on too: an empty bucket between two samples is a gap only if they are far apart. False: to
 * none, its time is not known. */
bool buckets_place(const struct buckets *b, struct buckets_walk *w, double t, size_t *first,
                   size_t *at);

/* Adds a value that stands for so many seconds; NAN: nothing. */
static inline void buckets_add_one(struct bucket *b, double v, double seconds)
{
	if (isnan(v))
		return;
	b->min = b->n == 0 || v < b->min ? v : b->min;
	b->max = b->n == 0 || v > b->max ? v : b->max;
	b->sum += v * seconds;
	b->seconds += seconds;
	b->n++;
}

/* Adds it where buckets_place said. */
static inline void buckets_add(struct bucket *b, size_t first, size_t at, double v, double seconds)
{
	for (size_t i = first; i <= at; i++)
		buckets_add_one(&b[i], v, seconds);
}

/* The mean over time; NAN if it is empty. */
double buckets_mean(const struct bucket *b);

/* Adds the values of `from` to `to`. */
void buckets_join(struct bucket *to, const struct bucket *from);

#endif
