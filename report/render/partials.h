/*
 * partials: finds the text of {{>name}}: a file in the folder of the user's template, else a
 * built-in template.
 *
 * A file's name may not contain "/" or begin with ".", so a template cannot read outside its
 * folder. Only regular files are read; symbolic links are not followed. All files of one template
 * together may have at most PARTIALS_BYTES_MAX.
 */
#ifndef REPORT_RENDER_PARTIALS_H
#define REPORT_RENDER_PARTIALS_H

#include <stddef.h>

#include "core/base/err.h"
#include "report/render/mustache.h"

#define PARTIALS_BYTES_MAX ((size_t)16 << 20)

/* Finds built-in templates only. */
extern const struct mustache_partials partials_built_in;

struct partial;

/* Valid from partials_open to partials_free. */
struct partials {
	struct mustache_partials find; /* argument for mustache_render */
	struct err why;
	int folder; /* descriptor; -1: none */
	struct partial *read;
	size_t bytes;
};

/* template is the user's file. Its folder is that of its real path, because a symbolic link to it
 * may be elsewhere. If it is not a regular file, or its folder cannot be opened, only built-in
 * templates are found. *p must not move: find.ctx points to it. */
void partials_open(struct partials *p, const char *template);

void partials_free(struct partials *p);

#endif
