/*
 * remote_output: an output to an address: an object in a store (s3://BUCKET/KEY), or an address
 * that takes the finished snapshot (https://…). docs/stores.md.
 *
 * The recording is written to disk first, under the last segment of the address.
 */
#ifndef COLLECT_OUTPUT_REMOTE_OUTPUT_H
#define COLLECT_OUTPUT_REMOTE_OUTPUT_H

#include <limits.h>
#include <stdbool.h>

#include "collect/output/snapshot_file.h"
#include "core/base/buf.h"
#include "core/base/err.h"

enum remote_output_kind {
	REMOTE_OUTPUT_NONE, /* a file */
	REMOTE_OUTPUT_S3,
	REMOTE_OUTPUT_HTTPS, /* its query may be a secret */
};

/* {0}: a file. */
struct remote_output {
	enum remote_output_kind kind;
	char address[PATH_MAX];
	char folder[PATH_MAX]; /* of the local files: "", or it ends in '/' */
	char local[PATH_MAX];  /* the name that the local snapshot gets if it is free */
};

enum remote_output_kind remote_output_kind_of(const char *output);

/* Refuses addresses of other kinds ("gs://b/k"): a file cannot have been meant. The sentence has
 * the scheme alone, as the rest may be a secret. */
int remote_output_check(const char *output, struct err *e);

/* Sets kind and folder: the current one, else $TMPDIR, else /tmp, the first that is writable. For a
 * file (or NULL) kind is REMOTE_OUTPUT_NONE. -1 with a sentence. */
int remote_output_open(struct remote_output *r, const char *output, struct err *e);

/* Sets the address and, in *file, a local name that no file has. Letters after % are replaced in
 * an s3:// address only, and one that ends in a slash, or is a bucket alone, gets the default name.
 * v NULL: nothing is replaced, and there must be a key. -1 with a sentence. */
int remote_output_name(struct remote_output *r, const char *output,
                       const struct snapshot_file_values *v, struct snapshot_file *file,
                       struct err *e);

/* The address without what may be secret. */
void remote_output_show(const struct remote_output *r, struct buf *out);

/* The command that makes a snapshot of the pieces of an s3:// address, for a shell. */
void remote_output_recover(const struct remote_output *r, struct buf *out);

/* The command that uploads a file, for a shell. */
void remote_output_command(const struct remote_output *r, const char *file, struct buf *out);

#endif
