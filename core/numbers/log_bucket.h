/*
 * log_bucket: logarithmic buckets of values, each 1 % wide. Pure.
 *
 * Bucket k > 0 holds values from LOG_BUCKET_MIN × 1.01^(k-1) up to below × 1.01^k; bucket 0
 * holds everything below, 0 too. Any value is within half a percent of its bucket's middle.
 */
#ifndef CORE_NUMBERS_LOG_BUCKET_H
#define CORE_NUMBERS_LOG_BUCKET_H

#define LOG_BUCKET_WIDTH 1.01
#define LOG_BUCKET_MIN   1e-3 /* bytes, seconds, cores, GPUs alike */

/* v: finite, 0 or more. */
int log_bucket(double v);

/* 0 for bucket 0. */
double log_bucket_low(int bucket);

/* The geometric middle; 0 for bucket 0. */
double log_bucket_middle(int bucket);

#endif
