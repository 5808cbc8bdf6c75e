/*
 * keeper_comply: which of the vendors asked for comply with the frameworks asked for.
 *
 * Asked for both, the service keeps the vendors that comply; but where none of them does, it drops
 * the filter and answers with servers of every vendor. So each vendor is asked about by itself.
 */
#ifndef REPORT_PRICES_KEEPER_COMPLY_H
#define REPORT_PRICES_KEEPER_COMPLY_H

#include "report/prices/keeper_fetch.h"

/* Keeps the vendors that the service confirms for one of the frameworks at least; why gets a
 * sentence on the others added. Does nothing unless both filters are given. 0, or -1 with a
 * sentence where the service could not be asked. */
int keeper_comply(struct keeper_fetch *f, struct opts_list *vendors, char why[512], struct err *e);

#endif
