/*
 * scan_sources: files and folders → rows in a catalog.
 *
 * Worker processes, as many as CPUs but at most SCAN_WORKERS_MAX, read the beginnings of the
 * files, because recordings are the work of strangers: a worker can neither write nor use the
 * network. A snapshot with rtrack_row costs one read of SCAN_HEAD bytes and one small inflate;
 * older ones, those of other tools and journals are read by their heads, or whole. The beginnings
 * of objects come from the store's worker (scan_store.h), and are parsed by this process.
 */
#ifndef REPORT_CATALOG_SCAN_SOURCES_H
#define REPORT_CATALOG_SCAN_SOURCES_H

#include "report/catalog/catalog.h"
#include "report/catalog/scan_worker.h"

#define SCAN_WORKERS_MAX 16
#define SCAN_BATCH       ((size_t)512) /* runs of one transaction */

/* {0} is valid: no workers, this process reads everything itself. */
struct scan {
	struct scan_worker worker[SCAN_WORKERS_MAX];
	size_t n;
};

/* Starts the workers, before anything is read. */
void scan_start(struct scan *s, scan_worker_drop *drop, const void *ctx);
void scan_stop(struct scan *s);

/* What a scan did. */
struct scan_result {
	size_t listed; /* recordings that were found */
	size_t added;  /* read, and put into the catalog: new or changed ones */
	size_t failed; /* files that could not be read */
	double bytes;  /* read from disk, and from stores */
};

/* Called for each file that cannot be read, with its sentence; in the order of the list. */
typedef void scan_failure(void *ctx, const struct err *why);

/* Called now and then: done of how many recordings. */
typedef void scan_progress(void *ctx, size_t done, size_t of);

struct scan_input {
	char *const *path; /* files, folders, which stand for all recordings below them, and
	                      addresses */
	size_t n;
	scan_failure *failure;
	scan_progress *progress;   /* NULL: none */
	void *ctx;                 /* of both */
	const struct store *store; /* for addresses; or NULL */
};

/* Adds what is new or changed since the last time, in transactions of SCAN_BATCH: ended anywhere,
 * the next scan goes on there. What is put, and in which order, does not depend on the workers. A
 * file that ends its worker is left out; without workers this process reads. -1 with a sentence if
 * the catalog fails, or without memory: the workers are then stopped. */
int scan_run(struct scan *s, const struct scan_input *in, struct catalog *c,
             struct scan_result *out, struct err *e);

#endif
