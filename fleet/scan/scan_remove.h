/*
 * scan_remove: removes recordings in folders of users that are too old (docs/operators.md).
 *
 * A folder of a day goes by its name, once the day is over before the given time: the recordings in
 * it, and then the folder if it is empty. A recording directly in a user's folder goes by its last
 * change. Nothing else is removed: no user's folder, no other file, nothing behind a link or a
 * folder's folder.
 */
#ifndef FLEET_SCAN_SCAN_REMOVE_H
#define FLEET_SCAN_SCAN_REMOVE_H

#include <stddef.h>

#include "core/base/err.h"

struct scan_removed {
	size_t files, folders; /* removed; folders of days */
	size_t kept;           /* folders of days that were not empty */
	size_t users;          /* folders of users that were looked at */
};

typedef void scan_remove_failure(void *ctx, const struct err *why);

/* path: a user's folder, or one that has folders of users. before: Unix seconds. -1 with a sentence
 * if it is neither, or cannot be read; what cannot be removed is a failure. */
int scan_remove(const char *path, double before, scan_remove_failure *failure, void *ctx,
                struct scan_removed *out, struct err *e);

#endif
