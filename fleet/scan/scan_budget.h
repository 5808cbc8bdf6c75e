/*
 * scan_budget: how much of one add the folder of one user may take, so that nobody can keep the
 * recordings of others from being added.
 *
 * Anybody can put millions of files, or files that take long to read, into his own folder. What is
 * over the budget waits for the next add. Recordings that the catalog has as they are cost nothing
 * but their names, so that each add goes on after the last one.
 */
#ifndef FLEET_SCAN_SCAN_BUDGET_H
#define FLEET_SCAN_SCAN_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "fleet/scan/id_table.h"

struct scan_limits {
	size_t files;   /* names in the user's folder and below; a closed day is one */
	double bytes;   /* of content that is read */
	double seconds; /* of reading, of all workers; a recording that alone takes longer is left
	                 * out, whose ever it is */
};

struct scan_budget_user {
	uint64_t key; /* 1 + the user's ID */
	struct scan_limits of;
	bool too_many; /* files were left out */
	size_t unread; /* recordings that wait for the next add, */
	bool rest;     /* and others of their files */
};

/* {0} is valid: no limits, nothing was read. */
struct scan_budget {
	struct scan_limits max; /* set before; 0: no limit */
	struct id_table users;
};

/* A user is an ID; SCAN_USERS_ANYONE has no limits. Without memory there are none. */

/* Counts a name: whether there may be one more. */
bool scan_budget_file(struct scan_budget *b, uint32_t user);

/* Counts what reading a recording took. */
void scan_budget_spend(struct scan_budget *b, uint32_t user, double bytes, double seconds);

/* Whether nothing more is to be read; then counts a recording that waits, or the rest of a file of
 * several. */
bool scan_budget_is_spent(struct scan_budget *b, uint32_t user, bool rest);

/* Sets why to a sentence about a user whose folder exceeded its budget, who is named so. False: it
 * did not. */
bool scan_budget_says(const struct scan_budget *b, const struct scan_budget_user *user,
                      const char *name, struct err *why);

void scan_budget_free(struct scan_budget *b);

#endif
