/*
 * render: the model → files. The CSV alone is of the recording: the model has no samples.
 */
#ifndef REPORT_RENDER_RENDER_H
#define REPORT_RENDER_RENDER_H

#include <cjson/cJSON.h>

#include "core/err.h"
#include "report/render/csv_table.h"
#include "report/render/output_formats.h"

/* Each writes one file as output_file.h says: whole or not at all, "-" is standard output. 0, or
 * -1. */

/* One of the output_formats. A format that is laid out for a terminal takes its width and colour
 * from the
 * file, where that is one. */
int render_format(const cJSON *model, const struct output_format *format, const char *path,
                  struct err *e);

/* --template: spec is TEMPLATE=FILE, or TEMPLATE alone for standard output, where TEMPLATE is a
 * file of the user's, whose name tells the kind of escaping, or @NAME of a format. */
int render_template(const cJSON *model, const char *spec, struct err *e);

int render_csv(const struct run *run, const struct csv_table_options *o, const char *path,
               struct err *e);

#endif
