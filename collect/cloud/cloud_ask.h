/*
 * cloud_ask: asks metadata services, all at once, until one has told who it is or time is up.
 */
#ifndef COLLECT_CLOUD_CLOUD_ASK_H
#define COLLECT_CLOUD_CLOUD_ASK_H

#include <netinet/in.h>

#include "collect/cloud/cloud_vendor.h"

/* asked: a bit for each cloud_id. to: where all requests go, with the vendors' own names in them;
 * NULL: to the vendors. The first that answers as itself is taken; when limit_ms is over, one that
 * has told enough to be known. Allocates at most 64 KiB for each answer. 0, or -1: none. */
int cloud_ask(unsigned asked, const struct sockaddr_in *to, int limit_ms, struct cloud_found *out);

#endif
