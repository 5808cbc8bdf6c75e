/*
 * keeper_cache: answers of the Keeper API on disk, one file for each URL.
 *
 * The folder is made with mode 0700, its files with 0600; both must belong to this user, and nobody
 * else may write to them. No link is followed at the folder or below. A file is put there by
 * rename, so that whoever reads it finds a whole one. Nothing here is an error for the caller: a
 * cache that cannot be used is one that has nothing. What comes out is as little to be trusted as
 * an answer.
 */
#ifndef REPORT_PRICES_KEEPER_CACHE_H
#define REPORT_PRICES_KEEPER_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

#define KEEPER_CACHE_FILES 64                /* the oldest goes when one more comes */
#define KEEPER_CACHE_BODY  ((size_t)2 << 20) /* a larger answer is not kept */
#define KEEPER_CACHE_PATH  4096

/* {0} is valid: no cache. */
struct keeper_cache {
	bool open;
	int dir;
};

/* $XDG_CACHE_HOME/rtrack, else ~/.cache/rtrack. False where neither is told as an absolute path. */
bool keeper_cache_default(char out[KEEPER_CACHE_PATH]);

/* Opens the folder; with make it is made where it is missing, and the one that it stands in. 0, or
 * -1 with a sentence that names it; *c is valid either way. */
int keeper_cache_open(struct keeper_cache *c, const char *path, bool make, struct err *e);
void keeper_cache_close(struct keeper_cache *c);

/* The answer that was kept for the URL: NUL-terminated after len bytes; free body. */
struct keeper_cached {
	char *body; /* NULL: none */
	size_t len;
	double at; /* Unix time of its retrieval: not later than `now` */
};

void keeper_cache_get(const struct keeper_cache *c, const char *url, double now,
                      struct keeper_cached *out);

/* Keeps it. A URL that holds a name and a password is not written down. */
void keeper_cache_put(const struct keeper_cache *c, const char *url, const char *body, size_t len,
                      double at);

/* Reads the head of a file: where the body begins, and sets *at; 0 where it is not one of ours for
 * this URL. Pure. */
size_t keeper_cache_head(const char *text, size_t n, const char *url, double *at);

#endif
