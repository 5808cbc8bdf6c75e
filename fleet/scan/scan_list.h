/*
 * scan_list: files and folders → the absolute paths of all recordings below them.
 *
 * A million names take some 40 MB: a path is a folder's number and a name.
 */
#ifndef FLEET_SCAN_SCAN_LIST_H
#define FLEET_SCAN_SCAN_LIST_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "fleet/import/import.h"
#include "fleet/scan/scan_budget.h"
#include "fleet/scan/scan_days.h"
#include "fleet/scan/scan_users.h"
#include "report/input/input.h"

#define SCAN_LIST_MAX       ((size_t)16 << 20) /* recordings */
#define SCAN_LIST_NAMES_MAX ((size_t)1 << 30)  /* bytes of all names */
#define SCAN_LIST_DEPTH     32                 /* folders in folders; deeper ones are left out */

struct scan_list_entry {
	uint32_t folder, name;
	uint32_t object; /* 1 + its number; 0: a file */
};

/* An object in a store's listing. */
struct scan_list_object {
	uint64_t size;
	double modified; /* Unix seconds; 0: unknown */
	uint32_t tag;    /* in names */
	bool pieces;     /* of a recording that has not ended */
};

/* {0} is valid: empty. The `object` of an import is its enum import_kind. */
struct scan_list {
	struct scan_list_entry *v;
	size_t n, cap;
	struct scan_list_entry *import;
	size_t n_imports, imports_cap;
	struct scan_list_folder *folder;
	size_t n_folders, folders_cap;
	struct scan_list_object *object;
	size_t n_objects, objects_cap;
	struct buf names;
	struct input_others others; /* folders, mostly */
	size_t links;               /* entries that links led to: a file may be in the list twice */
	struct scan_budget *budget; /* set before, with days; NULL: no limits */
	const struct scan_days *days; /* set before; NULL: no folder is closed */
	size_t closed;                /* folders of days that were passed over */
	size_t empty;                 /* inputs that are folders without recordings */
};

/* Called for each file or folder that cannot be read, and for an input without recordings; not for
 * those of other people. */
typedef void scan_list_failure(void *ctx, const struct err *why);

/* Adds an input: a file, whatever its name, or all recordings below a folder, what may be a page,
 * and what can be imported, in an order that depends on names alone. Of a folder: regular files,
 * and links to recordings. Links to folders, and names that begin with a dot, are passed over.
 * Below a shared folder (above) files that are not what they may be there are failures. Folders of
 * days that are closed are passed over, and what is over a user's budget. Adds the failures to
 * *failed. -1 only without memory or beyond the caps. */
int scan_list_add(struct scan_list *l, struct input in, scan_list_failure *failure, void *ctx,
                  size_t *failed, struct err *e);

/* Adds an object, or the pieces of one. -1 as above. */
struct store_found;
int scan_list_add_object(struct scan_list *l, const struct store_found *f, struct err *e);

/* INPUT_STANDARD, INPUT_FILE or INPUT_S3. */
enum input_place scan_list_place(const struct scan_list *l, size_t i);

/* Whether recording i lies in a shared folder or below one: links are not to be followed then. */
bool scan_list_is_shared(const struct scan_list *l, size_t i);

/* The ID of the user whose run recording i is, by its folder, or beside folders of users by its own
 * owner; SCAN_USERS_ANYONE: whose it says. */
struct stat;
uint32_t scan_list_owner(const struct scan_list *l, size_t i, const struct stat *st);

/* Keeps the folder of recording i from being closed: it is not in the catalog as it is. */
void scan_list_keep_open(struct scan_list *l, size_t i);

/* Calls each for the folders of days that can be closed, once all recordings of the list are in the
 * catalog. A value other than 0 ends it, and is returned. */
typedef int scan_list_closable(void *ctx, const char *path, int64_t changed_ns, struct err *e);
int scan_list_each_closable(const struct scan_list *l, scan_list_closable *each, void *ctx,
                            struct err *e);

/* The listing's entry for recording i; NULL: it is a file. scan_list_tag is its tag. */
const struct scan_list_object *scan_list_object(const struct scan_list *l, size_t i);
const char *scan_list_tag(const struct scan_list *l, const struct scan_list_object *o);

/* Keeps one of equal paths, the first. */
int scan_list_unique(struct scan_list *l, struct err *e);

/* Whether a source counts only where its recording is absent: a page, or the copy of a journal.
 * What is said of pages here and in scan_sources.c is true of these copies as well. */
bool scan_list_stands_in(const char *path);

/* Moves the pages after all recordings, without another change. Whether there are any. */
bool scan_list_pages_last(struct scan_list *l);

/* The path of recording i. */
const char *scan_list_path(const struct scan_list *l, size_t i, char out[PATH_MAX]);

/* The path and the kind of import i. */
enum import_kind scan_list_import(const struct scan_list *l, size_t i, char out[PATH_MAX],
                                  const char **path);

void scan_list_free(struct scan_list *l);

#endif
