/*
 * living_program: the name and the command line of a process that lives. text: for redaction, which
 * keeps its memory.
 */
#ifndef COLLECT_EVENTS_LIVING_PROGRAM_H
#define COLLECT_EVENTS_LIVING_PROGRAM_H

#include "collect/events/living.h"
#include "collect/procfs/root.h"
#include "core/base/buf.h"

/* Reads both at an exec, as far as they are still there. hurries: the name alone. */
void living_program_read(struct living_program *p, const struct root *r, bool commands,
                         bool hurries, struct buf *text);

/* A sample has found them: a name that a process has given itself, and what an exec was too fast
 * for. */
void living_program_take(struct living_table *t, struct living *p, const struct top_process *top,
                         bool commands, struct buf *text);

#endif
