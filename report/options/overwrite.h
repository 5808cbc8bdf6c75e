/*
 * overwrite: refuses outputs that would destroy an input or a recording.
 *
 * "-o runs/" followed by a shell pattern expands to "-o runs/a.json.gz runs/b.json.gz …", which
 * makes a recording the output.
 */
#ifndef REPORT_OPTIONS_OVERWRITE_H
#define REPORT_OPTIONS_OVERWRITE_H

#include "core/base/err.h"
#include "report/options/report_options.h"

/* Returns -1 with a sentence if an output is one of the inputs (same device and inode), is a
 * recording or a database, or is the same file as another output, or if the page has its default
 * name and a file that rtrack did not write has it, too; else 0. Devices, pipes and standard output
 * are not checked. also: n files that are inputs, too; NULL: none. Reads the beginning of each
 * output that exists. */
int overwrite_check(const struct report_options *o, const char *const *also, size_t n,
                    struct err *e);

/* The same of these n inputs alone. Reads no file. */
int overwrite_check_files(const struct report_options *o, const char *const *file, size_t n,
                          struct err *e);

#endif
