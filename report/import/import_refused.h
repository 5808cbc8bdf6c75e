/*
 * import_refused: files that look like those of report/import, and cannot be read as they are.
 */
#ifndef REPORT_IMPORT_IMPORT_REFUSED_H
#define REPORT_IMPORT_IMPORT_REFUSED_H

#include <stddef.h>

/* What a file looks like from its first n bytes, and the command that writes it right, as a clause
 * without an end; NULL: it looks like none of these. Pure. */
const char *import_refused(const char *text, size_t n);

#endif
