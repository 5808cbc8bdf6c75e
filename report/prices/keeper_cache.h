/*
 * keeper_cache: the Keeper API's answers on disk, one file for each URL.
 *
 * The folder is created with mode 0700, its files with 0600. Both must belong to this user, and
 * nobody else may have write permission. Links are not followed, neither at the folder nor below.
 * Files are renamed into place, so a reader always finds a whole one. Failures are not errors for
 * the caller: a cache that cannot be used is an empty one. Cached answers are no more trusted than
 * answers from the network.
 */
#ifndef REPORT_PRICES_KEEPER_CACHE_H
#define REPORT_PRICES_KEEPER_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

#define KEEPER_CACHE_FILES 256               /* one more removes the oldest */
#define KEEPER_CACHE_BODY  ((size_t)2 << 20) /* larger answers are not cached */
#define KEEPER_CACHE_PATH  4096

/* {0} is valid: no cache. */
struct keeper_cache {
	bool open;
	int dir;
};

/* $XDG_CACHE_HOME/rtrack, else $HOME/.cache/rtrack. False if neither variable is an absolute path.
 */
bool keeper_cache_default(char out[KEEPER_CACHE_PATH]);

/* Opens the folder; with `make`, creates it and its parent if missing. 0, or -1 with a sentence
 * that names it; *c is valid either way. */
int keeper_cache_open(struct keeper_cache *c, const char *path, bool make, struct err *e);
void keeper_cache_close(struct keeper_cache *c);

/* A cached answer: body is NUL-terminated after len bytes; the caller frees it. */
struct keeper_cached {
	char *body; /* NULL: none */
	size_t len;
	double at; /* Unix time of its retrieval; never after `now` */
};

void keeper_cache_get(const struct keeper_cache *c, const char *url, double now,
                      struct keeper_cached *out);

/* Caches an answer, unless the URL has a user name and password, which must not reach the disk. */
void keeper_cache_put(const struct keeper_cache *c, const char *url, const char *body, size_t len,
                      double at);

/* Parses the head line of a file: returns the offset of the body and sets *at; 0 unless it is a
 * cache file for this URL. Pure. */
size_t keeper_cache_head(const char *text, size_t n, const char *url, double *at);

#endif
