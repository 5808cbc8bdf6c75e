/*
 * render: writes the model, or the samples of a run, to files.
 *
 * Each function writes one file as output_file.h describes: completely or not at all; "-" is
 * standard output. Each returns 0, or -1 with a sentence.
 */
#ifndef REPORT_RENDER_RENDER_H
#define REPORT_RENDER_RENDER_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "core/base/err.h"
#include "report/render/csv_table.h"
#include "report/render/output_formats.h"

/* Options and remarks of the HTML page. */
struct render_page {
	bool no_model;   /* it does not carry its recording */
	struct err said; /* what it had no room for; "" */
};

/* Renders one of output_formats, of a run, a fleet or a list of runs, as the model's "format" says.
 * A format that is laid out for a terminal uses the width and colour of path, if that is a
 * terminal. page: NULL for other formats than HTML. */
int render_format(const cJSON *model, const struct output_format *format, const char *path,
                  struct render_page *page, struct err *e);

/* Renders a template of --template. spec is TEMPLATE=FILE, or TEMPLATE for standard output.
 * TEMPLATE is a user's file, whose name selects the kind of escaping, or @NAME of a built-in
 * format. *unknown: which name of a user's template the model does not have; "". */
int render_template(const cJSON *model, const char *spec, struct err *unknown, struct err *e);

/* Which model of many runs it is; OUTPUT_MANY: it is that of a run. */
enum output_many render_many(const cJSON *model);

/* Writes the patch of a model of CI jobs, which may be empty. */
int render_ci_patch(const cJSON *model, const char *path, struct err *e);

/* Writes the table of a model of many runs as CSV. -1 with a sentence, also where it has none. */
int render_table_csv(const cJSON *model, const char *path, struct err *e);

/* Writes the run's samples as CSV. This needs the recording: a model has no samples. */
int render_csv(const struct run *run, const struct csv_table_options *o, const char *path,
               struct err *e);

/* Writes the run's processes and phases on a time line, in the Trace Event format. */
int render_trace(const struct run *run, const char *path, struct err *e);

#endif
