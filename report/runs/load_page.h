/*
 * load_page: a page of rtrack-report as an input: the recording that it carries, or the row at its
 * head (docs/model.md, "The recording in the page").
 */
#ifndef REPORT_RUNS_LOAD_PAGE_H
#define REPORT_RUNS_LOAD_PAGE_H

#include <stdbool.h>

#include "core/files/snapshot_read.h"
#include "report/input/input.h"
#include "report/input/page_text.h"

/* What a run from a page has beside others. In the arena of its snapshot. */
struct load_page {
	const char *id; /* rtrack_row.id, of a page that carries nothing but its row; else NULL */
	bool joined;    /* of a run of several recordings, which have its snapshot's part.job */
	const char *prices; /* report/prices/keeper_saved.h; NULL: none */
};

/* Fills *s, which must be empty, with what the page carries: its rows or its overview, if more than
 * the head is wanted. -1 with a sentence that begins with its name. */
int load_page_read(struct snapshot *s, struct input in, enum snapshot_want want,
                   const struct load_page **page, struct err *e);

/* The same from the text of a page. Pure. */
int load_page_parse(struct snapshot *s, struct page_text text, const char *name,
                    enum snapshot_want want, const struct load_page **page, struct err *e);

#endif
