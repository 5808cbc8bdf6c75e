/*
 * scan_days: the folders of days in users' folders, DIR/UID/YYYY-MM-DD/ (docs/slurm.md), and which
 * of them need not be read again.
 *
 * A day's folder is closed once it is SCAN_DAYS_OPEN days old by its name, and all its recordings
 * are in the catalog, or are journals that nobody has written to for as long. As long as it is not
 * changed, neither it nor its files are looked at: one call for each such folder. Until then each
 * file is looked at, because what is appended to a file does not change its folder.
 */
#ifndef FLEET_SCAN_SCAN_DAYS_H
#define FLEET_SCAN_SCAN_DAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "core/base/err.h"
#include "fleet/scan/id_table.h"

#define SCAN_DAYS_OPEN    2  /* whole days after the one of the name */
#define SCAN_DAYS_QUIET_S 60 /* closed only so long after the last change: clocks are coarse */

struct catalog;

/* {0} is valid: no folder is closed, and none will be. */
struct scan_days {
	double now;             /* Unix seconds; 0: folders are not closed */
	struct id_table closed; /* the hashes of folders, each with its time of change */
};

/* Reads which folders are closed from the catalog. */
int scan_days_begin(struct scan_days *d, struct catalog *c, double now, struct err *e);
void scan_days_free(struct scan_days *d);

/* The first second of the day, UTC, that a folder's name is: YYYY-MM-DD; NAN: it is none. Pure. */
double scan_days_of_name(const char *name);

/* Whether the folder is closed, and as it was then. Else *changed_ns is what it can be closed with
 * (catalog_close_folders), 0 if it cannot. */
bool scan_days_is_closed(const struct scan_days *d, const char *path, const char *name,
                         int64_t *changed_ns);

/* Whether a journal may still be written to. */
bool scan_days_may_grow(const struct scan_days *d, int64_t mtime_ns);

/* A time of a file in ns; before 1678 and after 2262, which do not fit, the seconds. Pure. */
int64_t scan_days_ns(struct timespec t);

#endif
