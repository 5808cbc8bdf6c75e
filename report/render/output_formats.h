/*
 * output_formats: everything that can be written from the model, as one table. An output more is a
 * row more.
 */
#ifndef REPORT_RENDER_OUTPUT_FORMATS_H
#define REPORT_RENDER_OUTPUT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "report/render/escape.h"

struct output_format {
	const char *option;    /* that names its file: "markdown"; NULL: --template @TEMPLATE */
	size_t at;             /* where struct report_options has the file */
	const char *template;  /* in report/assets.def; NULL: the model itself, as JSON */
	enum escape_kind kind; /* of what stands in double braces */
	bool laid_out;         /* by fold, for a terminal */
	size_t max;            /* bytes, after which the rest is left out and said so; 0: no cap */
};

enum {
	FORMAT_HTML,
	FORMAT_JSON,
	FORMAT_MARKDOWN,
	FORMAT_TEXT,
	FORMAT_OPENMETRICS,
	FORMAT_JUNIT,
	FORMAT_GPU_TRACKER,
	FORMAT_SNAKEMAKE,
	FORMAT_TRACE,
	FORMATS
};

extern const struct output_format output_formats[FORMATS];

/* The face of --template @NAME, or NULL; name is without the "@". */
const struct output_format *output_format_named(const char *name);

/* Takes "TEMPLATE=FILE" or "TEMPLATE" apart: appends the template's name, and *file is the part of
 * spec after the last "=", or "-". -1 where either is empty. */
int output_format_template(const char *spec, struct buf *template, const char **file);

/* "@gpu_tracker.json, @snakemake.tsv …" appended. */
void output_format_names(struct buf *out);

#endif
