/*
 * render: the model → files.
 */
#ifndef REPORT_RENDER_H
#define REPORT_RENDER_H

#include <cjson/cJSON.h>

#include "../core/err.h"

/* The HTML report. path "-" is standard output. A file appears by rename, and is never half there.
 */
int render_html(const cJSON *model, const char *path, struct err *e);

/* The model itself, as JSON. */
int render_json(const cJSON *model, const char *path, struct err *e);

/* A template of the user's: spec is TEMPLATE=FILE, or TEMPLATE alone for standard output;
 * the escaping goes by TEMPLATE's name. */
int render_template(const cJSON *model, const char *spec, struct err *e);

#endif
