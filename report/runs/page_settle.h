/*
 * page_settle: a page and its recording are one run, and so are copies of a recording.
 */
#ifndef REPORT_RUNS_PAGE_SETTLE_H
#define REPORT_RUNS_PAGE_SETTLE_H

#include "report/runs/load.h"

/* Drops each page whose run another one is of too, after all files were read: the recording counts,
 * or else the first page. Of recordings with the same id (rtrack_row.id: copies, or a journal and
 * its snapshot) one counts: the first that has ended, in the order of reading; r->copies. */
int page_settle(struct runs *r, struct err *e);

#endif
