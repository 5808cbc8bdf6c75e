/*
 * import_file: the kind of a file that may be one to import, from its beginning.
 */
#ifndef FLEET_IMPORT_IMPORT_FILE_H
#define FLEET_IMPORT_IMPORT_FILE_H

#include "fleet/import/import.h"

/* IMPORT_NONE also of what cannot be read, or is not a regular file. */
enum import_kind import_file_kind(const char *path);

/* For con/duct's usage of a command: whether its summary lies beside it (duct.h). */
bool import_file_has_summary(enum import_kind kind, const char *path);

#endif
