/*
 * phases: the named parts of a run, as the job marks them.
 *
 * A mark "NAME" begins a phase, and ends the one before; "NAME end" ends it where it is the present
 * one. Phases may repeat. All memory is within the struct: keep it on the heap.
 */
#ifndef CORE_PHASES_H
#define CORE_PHASES_H

#include <stddef.h>

#define PHASES_MAX      4096  /* of a run; further ones are counted only */
#define PHASES_NAME_MAX 120   /* bytes of a name; longer ones are cut */
#define PHASES_POOL     65536 /* bytes of all different names */

struct phase {
	const char *name;  /* in the pool */
	double start, end; /* Unix seconds; end is NAN while it lasts */
};

/* Valid when zero. */
struct phases {
	struct phase v[PHASES_MAX];
	size_t n;
	size_t left_out;  /* marks that found no room */
	size_t unmatched; /* ends of what was not the present phase */
	char pool[PHASES_POOL];
	size_t pool_len;
};

/* Takes one mark, n bytes without its newline, made at time t. Blanks around it are no part of it,
 * control characters and bytes that are not UTF-8 become '?'. An empty one is nothing. */
void phases_mark(struct phases *p, double t, const char *line, size_t n);

/* Ends the phase that lasts. */
void phases_close(struct phases *p, double t);

/* Appends a phase as it was recorded. */
void phases_add(struct phases *p, const char *name, double start, double end);

#endif
