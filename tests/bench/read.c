/* read: what reading a recording of SAMPLES takes beside inflating the same file, in turns, and
 * what its statistics take on top. CPU time. read FILE SAMPLES TIMES */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <zlib.h>

#include "core/files/snapshot_read.h"
#include "core/numbers/stats.h"
#include "tests/bench/spread.h"

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double inflate_ms(const char *path)
{
	static char out[65536];
	double from = cpu_ms();
	gzFile f = gzopen(path, "rb");

	while (f && gzread(f, out, sizeof out) > 0)
		;
	if (f)
		gzclose_r(f);
	return cpu_ms() - from;
}

static int summarise(const struct snapshot *s, struct err *e)
{
	struct stats of;

	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct frame *f = &s->rows[metrics[id].scope];
		const double *col = frame_col(f, (enum metric_id)id);

		if (col && stats_of(col, NULL, f->rows, &of, e))
			return -1;
	}
	return 0;
}

static int turn(const char *path, double *read_ms, double *stats_ms, struct err *e)
{
	struct snapshot s = {0};
	double from = cpu_ms();
	int failed;

	if (snapshot_read_file(&s, path, e))
		return -1;
	*read_ms = cpu_ms() - from;
	from = cpu_ms();
	failed = summarise(&s, e);
	*stats_ms = cpu_ms() - from;
	snapshot_free(&s);
	return failed;
}

static void row(const char *what, const char *samples, const char *budget, const double *bare,
                double *ours, size_t n)
{
	char name[96], rest[96];

	snprintf(name, sizeof name, "%s samples: %s", samples, what);
	snprintf(rest, sizeof rest, "%s\t%s, against samples\t%s", budget, what, samples);
	spread_row(name, "ms", bare, ours, n, rest);
}

int main(int argc, char **argv)
{
	double bare[SPREAD_MAX], read_ms[SPREAD_MAX], stats_ms[SPREAD_MAX];
	size_t times = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 0;
	struct err e = {0};

	if (times < 1 || times > SPREAD_MAX)
		return 2;
	/* Else each turn may give its memory back and fault it in again, or may not, by chance. */
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	for (size_t i = 0; i < times; i++) {
		bare[i] = inflate_ms(argv[1]);
		if (turn(argv[1], &read_ms[i], &stats_ms[i], &e)) {
			fprintf(stderr, "read: %s\n", e.msg);
			return 1;
		}
	}
	row("reading", argv[2], "x2", bare, read_ms, times);
	row("statistics", argv[2], "", bare, stats_ms, times);
	return 0;
}
