/*
 * partials: what {{>name}} stands for: a file in the folder of the user's template, else one of the
 * built-in templates.
 *
 * A name is the name of a file, without "/" and not beginning with ".", so no template reaches
 * beyond the folder. Only regular files are read; a symbolic link is not followed. All files that
 * one template uses have at most PARTIALS_BYTES_MAX.
 */
#ifndef REPORT_RENDER_PARTIALS_H
#define REPORT_RENDER_PARTIALS_H

#include <stddef.h>

#include "core/err.h"
#include "report/render/mustache.h"

#define PARTIALS_BYTES_MAX ((size_t)16 << 20)

/* The built-in ones alone. */
extern const struct mustache_partials partials_built_in;

struct partial;

/* Valid after partials_open, to be given up by partials_free. */
struct partials {
	struct mustache_partials find; /* to be given to mustache_render */
	struct err why;
	int folder; /* -1: there is none */
	struct partial *read;
	size_t bytes;
};

/* template is the user's file; its folder is that of its real path, for a link to it may lie
 * elsewhere. Where it is not a regular file, or its folder can't be opened, the built-in ones are
 * all there are. *p must stay where it is. */
void partials_open(struct partials *p, const char *template);

void partials_free(struct partials *p);

#endif
