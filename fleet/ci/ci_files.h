/*
 * ci_files: what rtrack-fleet ci reads: the workflows of a repository, and a table of runners.
 */
#ifndef FLEET_CI_CI_FILES_H
#define FLEET_CI_CI_FILES_H

#include "fleet/ci/ci_patch.h"

#define CI_FILES_MAX   ((size_t)200)
#define CI_FILES_BYTES ((size_t)1 << 20) /* of a file; larger ones are passed over */
#define CI_FILES_PATH  256

#define CI_FILES_WORKFLOWS ".github/workflows"
#define CI_FILES_GITLAB    ".gitlab-ci.yml"

struct ci_file {
	char path[CI_FILES_PATH]; /* in the repository */
	struct buf text, name;    /* name: of a workflow of GitHub; "": it has none */
	enum ci_patch_kind kind;
};

/* Valid when zero. */
struct ci_files {
	struct ci_file *v; /* by path; the one of GitLab last */
	size_t n;
};

/* Reads the regular files of a repository that are workflows; there may be none. -1 with a sentence
 * if root is not a folder that can be read. Free it either way. */
int ci_files_read(struct ci_files *out, const char *root, struct err *e);
void ci_files_free(struct ci_files *files);

/* Appends a whole file, of at most so many bytes. */
int ci_files_text(const char *path, size_t max, struct buf *out, struct err *e);

#endif
