/*
 * courier: asks the Keeper, from a process of its own, so that the one that reads recordings needs
 * no network.
 *
 * That process asks nobody but the address that it was started with, writes no file and runs
 * nothing.
 */
#ifndef REPORT_COURIER_H
#define REPORT_COURIER_H

#include "../core/http.h"
#include "aide.h"

#define COURIER_URL_MAX ((size_t)64 << 10)

/* {0}: none, which asks nobody. */
struct courier {
	struct aide aide;
	struct err why; /* it could not be started; or "" */
};

/* base: what every URL begins with; borrowed. Where this fails, courier_get tells why. */
void courier_start(struct courier *c, const char *base);

/* As http_get of this URL within budget_ms. NULL for c: this process asks by itself. */
int courier_get(const struct courier *c, const char *url, long budget_ms, struct http_answer *a,
                struct err *e);

/* There is no network from here on. */
void courier_stop(struct courier *c);

#endif
