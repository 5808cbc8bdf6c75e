/*
 * scan_several: files of several recordings (core/files/recordings.h), each of which is a row.
 *
 * The source of the first is the file's path, as of a file of one; those of the others are the
 * path, a slash and which they are, from 2 on. The first is put last, with the size and time of the
 * file: a scan that ends before leaves the file to the next one.
 */
#ifndef FLEET_SCAN_SCAN_SEVERAL_H
#define FLEET_SCAN_SCAN_SEVERAL_H

#include "fleet/scan/scan_work.h"

/* Takes a job whose file has several recordings, which is then empty: 1. 0: it has one, or cannot
 * be read. -1 without memory. */
int scan_several_take(struct scan_several *q, struct scan_job *job, struct err *e);

/* Whether files were taken whose recordings have not all been given. */
bool scan_several_has(const struct scan_several *q);

/* The file that comes next, of which there is one; and leaves it out, but for what was given. */
const struct scan_job *scan_several_file(const struct scan_several *q);
void scan_several_skip(struct scan_several *q);

/* Sets *out to the next recording of these files, or to what is left out of one; or its path to
 * NULL: a part of a file that is none was passed over. -1 without memory. */
int scan_several_next(struct scan_several *q, struct scan_job *out, double now, struct err *e);

/* Forgets the recordings that files had before and no longer have, once the first of each was put:
 * those among n jobs, up to SCAN_BATCH. */
int scan_several_shrink(struct catalog *c, const struct scan_job *v, size_t n, struct err *e);

void scan_several_free(struct scan_several *q);

#endif
