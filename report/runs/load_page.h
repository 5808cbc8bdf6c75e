/*
 * load_page: a page of ours as a recording: what docs/model.md says of "recording".
 */
#ifndef REPORT_RUNS_LOAD_PAGE_H
#define REPORT_RUNS_LOAD_PAGE_H

#include <stdbool.h>

#include "core/recording/snapshot_read.h"

/* Members of "recording", beside rtrack_row and the blocks of a head. The statistics are lists: how
 * many values, and the others in the order of SNAPSHOT_STATISTICS. */
#define LOAD_PAGE_RECORDING  "recording"
#define LOAD_PAGE_JOINED     "joined"
#define LOAD_PAGE_STATISTICS "statistics"

/* What a run from a page has beside others. In the arena of its snapshot. */
struct load_page {
	bool joined; /* the run was joined from recordings with its snapshot's part.job */
};

/* Whether path is for load_page_read: it is no recording's name, and begins as an HTML page. */
bool load_page_is(const char *path);

/* Whether a file of a folder is a page that stands for a recording. */
bool load_page_in_folder(const char *path, const char *name);

/* Fills *s, which must be empty, as from the head of the recording. Where more than that is wanted,
 * the points of the page's charts are its overview. -1 with a sentence that begins with path. */
int load_page_read(struct snapshot *s, const char *path, enum snapshot_want want,
                   const struct load_page **page, struct err *e);

#endif
