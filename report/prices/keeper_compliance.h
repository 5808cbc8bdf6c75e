/*
 * keeper_compliance: which of the query's vendors comply with one of its frameworks.
 *
 * If both filters are given, the service keeps the vendors that comply; but if none of them does,
 * it drops the filter and returns servers of every vendor. So each vendor is asked about alone.
 */
#ifndef REPORT_PRICES_KEEPER_COMPLIANCE_H
#define REPORT_PRICES_KEEPER_COMPLIANCE_H

#include "report/prices/keeper_fetch.h"

/* Keeps the vendors that the service confirms for at least one of the frameworks, and appends a
 * sentence about the others to why. Does nothing unless the query has both filters. 0, or -1 with
 * a sentence if the service could not be asked. */
int keeper_compliance_filter(struct keeper_fetch *f, struct opts_list *vendors, char why[512],
                             struct err *e);

#endif
