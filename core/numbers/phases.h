/*
 * phases: the named parts of a run, as the job marks them.
 *
 * A mark "NAME" begins a phase and ends the one before. A mark "NAME end" ends phase NAME if it is
 * the current one. Names may repeat. All memory is within the struct: allocate it on the heap.
 */
#ifndef CORE_NUMBERS_PHASES_H
#define CORE_NUMBERS_PHASES_H

#include <stddef.h>

#define PHASES_MAX      4096  /* phases in a run; more are only counted */
#define PHASES_NAME_MAX 120   /* bytes of a name; a longer one is cut */
#define PHASES_POOL     65536 /* bytes of all distinct names */

struct phase {
	const char *name;  /* in the pool */
	double start, end; /* Unix seconds; end is NAN while the phase lasts */
};

/* Valid when zero. */
struct phases {
	struct phase v[PHASES_MAX];
	size_t n;
	size_t left_out;  /* phases for which there was no room */
	size_t unmatched; /* "end" marks that did not name the current phase */
	char pool[PHASES_POOL];
	size_t pool_len;
};

/* Applies a mark, n bytes without its newline, made at time t. Surrounding blanks are removed and
 * control characters become '?'; invalid UTF-8 becomes U+FFFD. An empty mark is ignored. */
void phases_mark(struct phases *p, double t, const char *line, size_t n);

/* Ends the current phase, if any. */
void phases_close(struct phases *p, double t);

/* Appends a phase of a recording. */
void phases_add(struct phases *p, const char *name, double start, double end);

#endif
