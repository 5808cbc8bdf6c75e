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

#include <stdint.h>

#include "core/base/err.h"

struct recordings {
	int fd;      /* a regular file; its position does not move */
	uint64_t at; /* where this recording begins */
	uint64_t n;  /* its bytes */
};

/* 0, or -1: path is no regular file that can be read. */
int recordings_open(struct recordings *v, const char *path);
void recordings_close(struct recordings *v);

/* Goes to the next recording: 1. A file that does not state that it may have several has one, all
 * of it, whatever it is. 0 at the end; -1 with a sentence, without the name of the file, if what
 * follows is not a whole recording, as after a crash, or the file cannot be read: then .at is where
 * the whole ones end. */
int recordings_next(struct recordings *v, struct err *e);

/* A name for sentences about the recording at this byte: that of the file, or that and the byte, in
 * *to. */
const char *recordings_name(const char *name, uint64_t at, struct err *to);

#endif
