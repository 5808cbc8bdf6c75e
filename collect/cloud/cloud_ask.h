/*
 * cloud_ask: asks metadata services, all at once, until one is recognized or the time is up.
 */
#ifndef COLLECT_CLOUD_CLOUD_ASK_H
#define COLLECT_CLOUD_CLOUD_ASK_H

#include <netinet/in.h>

#include "collect/cloud/cloud_vendor.h"

/* asked: a bit per cloud_id. to: where all requests go, with the vendor's own name in the Host
 * header; NULL: to the vendors. The first vendor whose answers are complete wins; after
 * limit_ms, a vendor whose answers so far identify it. Allocates at most 64 KiB per answer. 0,
 * or -1: none. */
int cloud_ask(unsigned asked, const struct sockaddr_in *to, int limit_ms, struct cloud_found *out);

#endif
