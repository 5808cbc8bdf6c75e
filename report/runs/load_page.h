/*
 * load_page: a page of ours as a run: what docs/model.md says of "recording".
 */
#ifndef REPORT_RUNS_LOAD_PAGE_H
#define REPORT_RUNS_LOAD_PAGE_H

#include <stdint.h>

#include <cjson/cJSON.h>

#include "report/runs/load.h"

/* Members of "recording", beside rtrack_row and the blocks of a head. The statistics are lists: how many values, and the others in the order of
 * SNAPSHOT_STATISTICS. */
#define LOAD_PAGE_RECORDING  "recording"
#define LOAD_PAGE_JOINED     "joined"
#define LOAD_PAGE_STATISTICS "statistics"

/* What a run from a page has beside others. In the arena of its snapshot. */
struct load_page {
	uint64_t id;     /* of the recording that the page was made from */
	const char *job; /* of a run of several recordings: their rtrack.part.job; else "" */
};

/* Whether path is for load_page_read: it is no recording's name, and begins as an HTML page. */
bool load_page_is(const char *path);

/* Whether a file of a folder is a page that stands for a recording. */
bool load_page_in_folder(const char *path, const char *name);

/* Fills run->snapshot, which must be empty, and run->page. Where more than the head is wanted, the
 * points of the page's charts are its overview. -1 with a sentence that begins with the path. */
int load_page_read(struct run *run, const char *path, enum snapshot_want want, struct err *e);

/* Drops each page whose run another one is of too, after all files were read: the recording counts,
 * or else the first page. */
int load_page_settle(struct runs *r, struct err *e);

#endif
