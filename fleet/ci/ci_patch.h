/*
 * ci_patch: where a workflow says on which runner a job runs, and the change of that as a patch for
 * `git apply`. Pure.
 *
 * It reads lines, not YAML: it finds a job by its key and the indentation around it, and only a
 * label that stands alone on its line. Whatever else a file may do is an error with the reason, so
 * that somebody does it by hand.
 */
#ifndef FLEET_CI_CI_PATCH_H
#define FLEET_CI_CI_PATCH_H

#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

enum ci_patch_kind { CI_PATCH_GITHUB, CI_PATCH_GITLAB };

/* A label in a text. */
struct ci_patch_place {
	size_t line;  /* from 1 */
	size_t at, n; /* its bytes, without quotes */
};

/* Finds the label of runs-on: or tags: of a job of n bytes of text. -1 with a sentence: why it is
 * to be done by hand. */
int ci_patch_find(enum ci_patch_kind kind, const char *text, size_t n, const char *job,
                  struct ci_patch_place *out, struct err *e);

/* Appends the `name:` of a workflow of GitHub; nothing where it has none that is plain. */
void ci_patch_name(const char *text, size_t n, struct buf *out);

struct ci_patch_change {
	struct ci_patch_place place;
	const char *label; /* instead; borrowed */
};

/* Appends the patch of a file: n changes, ascending, each on a line of its own. path: of the file
 * in the repository, of letters, digits and "/._-" alone. */
void ci_patch_diff(const char *path, const char *text, size_t size, const struct ci_patch_change *v,
                   size_t n, struct buf *out);

#endif
