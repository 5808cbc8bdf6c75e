/*
 * load_name: what the name of a file or an object says about it.
 */
#ifndef REPORT_RUNS_LOAD_NAME_H
#define REPORT_RUNS_LOAD_NAME_H

#include <stdbool.h>

/* Whether a file in a folder is a recording, by its name. */
bool load_is_recording_name(const char *name);

/* Whether it is the name of a recording that has not ended. */
bool load_is_journal_name(const char *name);

/* Whether a file in a folder may be a page, by its name. */
bool load_is_page_name(const char *name);

/* Whether it is a page that was gzipped, by its name. */
bool load_is_packed_page_name(const char *name);

/* The part of a path after its last slash; of "-", "standard input". */
const char *load_file_name(const char *path);

/* Whether a path is the address of an object. */
bool load_is_address(const char *path);

/* PATH.partial, the journal of a recording that has not ended, if there is nothing at path itself.
 * Else NULL. To be freed. */
char *load_name_unfinished(const char *path);

#endif
