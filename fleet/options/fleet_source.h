/*
 * fleet_source: the names of what the runs of a fleet are from.
 */
#ifndef FLEET_OPTIONS_FLEET_SOURCE_H
#define FLEET_OPTIONS_FLEET_SOURCE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/input/input.h"

#define FLEET_SOURCE_MAX PATH_MAX

/* The name by which a catalog has this file or folder, which may be gone: its absolute path,
 * without links as far as it exists; an address as it is, without a
 * slash at its end. -1 with a sentence if that is too long.
 */
int fleet_source_path(const char *path, char out[FLEET_SOURCE_MAX], struct err *e);

/* Appends "the catalog runs.db", or "2,000 recordings in runs/", without user name, password and
 * query of an address. catalog: NULL without one. */
void fleet_source_text(const char *catalog, const struct input *input, size_t n, double recordings,
                       struct buf *out);

/* Appends a word that a shell reads as this text, in quotes where it needs them. False, and nothing
 * is appended: it has characters that nobody can paste, or is longer than a line. */
bool fleet_source_quote(const char *text, struct buf *out);

/* Appends what names the same runs on a command line: "--catalog runs.db", "runs/ other/"; of an
 * address or many SOURCEs, "--catalog DATABASE" or "SOURCE...". */
void fleet_source_words(const char *catalog, const struct input *input, size_t n, struct buf *out);

#endif
