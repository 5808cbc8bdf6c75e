/*
 * page_settle: a page and its recording are one run.
 */
#ifndef REPORT_RUNS_PAGE_SETTLE_H
#define REPORT_RUNS_PAGE_SETTLE_H

#include "report/runs/load.h"

/* Drops each page whose run another one is of too, after all files were read: the recording counts,
 * or else the first page. */
int page_settle(struct runs *r, struct err *e);

#endif
