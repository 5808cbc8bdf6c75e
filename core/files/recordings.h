/*
 * recordings: a file that has one recording, or several, one after the other (docs/snapshot.md).
 *
 *	struct recordings v;
 *
 *	if (recordings_open(&v, path))
 *		return -1;
 *	while ((got = recordings_next(&v, &why)) > 0)
 *		snapshot_read_at(&s, path, v.at, SNAPSHOT_WANT_HEAD, &e);
 *	recordings_close(&v);
 *
 * Only the first bytes of each recording are read, so a visit costs one read for each.
 */
#ifndef CORE_FILES_RECORDINGS_H
#define CORE_FILES_RECORDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

/* Steps that were too short for recordings of their own, in the place of one. */
#define RECORDINGS_SHORT_KEY "rtrack_short"
struct recordings_short {
	double n;             /* how many */
	double cpu_s;         /* of all; NAN: unknown, as the next two */
	double longest_s;     /* the wall time of the longest */
	double memory_peak_b; /* the largest */
	double below_s;       /* each took less than this */
	/* Whose it is, as of a recording; NAN: of several, or unknown. */
	double pid, start_time;
};

struct recordings {
	int fd;       /* a regular file; its position does not move */
	uint64_t at;  /* where this recording begins */
	uint64_t n;   /* its bytes */
	bool several; /* the file may have several */
	struct recordings_short sum;
};

/* 0, or -1: path is no regular file that can be read. */
int recordings_open(struct recordings *v, const char *path);
void recordings_close(struct recordings *v);

/* Goes to the next recording: 1; or RECORDINGS_SHORT: it is a sum of short steps, in .sum. A file
 * that does not state that it may have several has one, all of it, whatever it is. 0 at the end; -1
 * with a sentence, without the name of the file, if what follows is not a whole recording, as after
 * a crash, or the file cannot be read: then .at is where the whole ones end. */
#define RECORDINGS_SHORT 2
int recordings_next(struct recordings *v, struct err *e);

/* Adds another sum, from {0} on. */
void recordings_short_add(struct recordings_short *to, const struct recordings_short *more);

/* A name for sentences about the recording at this byte: that of the file; or that and the byte, in
 * *to. */
const char *recordings_name(const char *name, uint64_t at, struct err *to);

#endif
