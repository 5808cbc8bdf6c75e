/*
 * scan_users: whose the files are in folders of several users (docs/slurm.md).
 *
 * Anybody can write anything into a folder of his own. What lies there says nothing of the runs of
 * others.
 */
#ifndef FLEET_SCAN_SCAN_USERS_H
#define FLEET_SCAN_SCAN_USERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#define SCAN_USERS_ANYONE UINT32_MAX

/* A folder that is named by the ID of its owner is a user's: only recordings are read below it, and
 * only as runs of that user. The folder that it lies in is shared: accounting counts there only if
 * root or the reader owns it. */
struct scan_list_folder {
	uint32_t parent, name, depth;
	uint32_t owner;     /* whose runs are below it; SCAN_USERS_ANYONE: it is no user's folder */
	bool shared;        /* it, or one above it, has folders of users */
	int64_t changed_ns; /* of a day's folder that can be closed (scan_days.h); else 0 */
};

/* Whether root or the reader is this user: those whose files need no proof. */
bool scan_users_trusts(uint32_t user);

/* The user of the first folder of a path, which is absolute and without links, that is a user's;
 * SCAN_USERS_ANYONE: there is none. */
uint32_t scan_users_of_path(const char *path);

/* The user of a run whose file has this owner, in a folder; SCAN_USERS_ANYONE: the one it names. */
uint32_t scan_users_in(const struct scan_list_folder *in, uint32_t file);

/* Whether a folder is shared, or below one. */
bool scan_users_are_in(const struct scan_list_folder *f);

/* Sets owner and shared of a folder that was opened: those of the folder `in` that it lies in, else
 * its own. Beside folders of users each folder is one of its owner. in NULL: name is its path. */
void scan_users_enter(struct scan_list_folder *f, const struct scan_list_folder *in,
                      const char *name, int fd);

/* Whether the folder of this name, in one that was opened, is a user's. */
bool scan_users_has(const char *name, int fd);

/* Why what other programs wrote does not count in a folder (NULL: it lies in none); NULL: it
 * does. */
const char *scan_users_refuse(const struct scan_list_folder *in, const char *path);

/* Whether a link may stand for a file: below shared folders only for one of the same owner. Nothing
 * else may be said of the target of one that may not. */
bool scan_users_may_follow(const struct scan_list_folder *in, const char *path,
                           const struct stat *target);

#endif
