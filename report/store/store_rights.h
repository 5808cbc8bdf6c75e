/*
 * store_rights: what the worker of the stores may be asked for: what the command line names.
 *
 * The process that asks reads strangers' recordings. If one of these takes it over, it must not
 * reach the other objects of the user's buckets.
 */
#ifndef REPORT_STORE_STORE_RIGHTS_H
#define REPORT_STORE_STORE_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/store/store_protocol.h"

enum store_right {
	STORE_MAY_READ = 1,  /* all that the address stands for as a SOURCE, and its pieces */
	STORE_MAY_WRITE = 2, /* the object */
	STORE_MAY_PIECE = 4, /* read, write and delete the pieces of the object */
};

struct store_grant {
	const char *place; /* an address of the command line; borrowed */
	unsigned may;

	/* store_rights' own: */
	size_t fixed; /* bytes with which all granted addresses begin */
	bool open;    /* whatever follows them */
};

struct store_grant store_rights_grant(const char *place, unsigned may);

struct store_rights {
	const struct store_grant *v;
	size_t n, last; /* last: the grant that was used last, as many requests are about one */
};

/* Whether a question of this kind about this address is allowed. */
bool store_rights_allow(struct store_rights *r, enum store_ask kind, const char *place);

#endif
