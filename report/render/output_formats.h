/*
 * output_formats: every file that can be written from the model, as one table. To add an output,
 * add a row here, and in report_options.c the option that names its file.
 */
#ifndef REPORT_RENDER_OUTPUT_FORMATS_H
#define REPORT_RENDER_OUTPUT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "report/render/escape.h"

struct cJSON;

enum output_format_id {
	FORMAT_HTML,
	FORMAT_JSON,
	FORMAT_MARKDOWN,
	FORMAT_TEXT,
	FORMAT_OPENMETRICS,
	FORMAT_JUNIT,
	FORMAT_BRIEF,
	FORMAT_GPU_TRACKER,
	FORMAT_GPU_TRACKER_TEXT,
	FORMAT_SNAKEMAKE,
	FORMAT_TRACE,
	FORMATS
};

/* Models of many runs, and how their key "format" names them. */
#define FLEET_MODEL_FORMAT    "rtrack-fleet"
#define RUNS_MODEL_FORMAT     "rtrack-runs"
#define PIPELINE_MODEL_FORMAT "rtrack-pipeline"
#define CI_MODEL_FORMAT       "rtrack-ci"
enum output_many {
	OUTPUT_FLEET,    /* docs/fleet_model.md */
	OUTPUT_RUNS,     /* docs/runs_model.md */
	OUTPUT_PIPELINE, /* docs/pipelines.md */
	OUTPUT_CI,       /* docs/ci.md */
	OUTPUT_MANY
};

/* The "format" of each, by which rtrack-report --model knows it. */
#define OUTPUT_FLEET_FORMAT    "rtrack-fleet"
#define OUTPUT_RUNS_FORMAT     "rtrack-runs"
#define OUTPUT_PIPELINE_FORMAT "rtrack-pipeline"
#define OUTPUT_CI_FORMAT       "rtrack-ci"

struct output_format {
	const char *template;          /* its name in assets.def; NULL: the model itself, as JSON */
	const char *many[OUTPUT_MANY]; /* the same of a model of many runs; NULL: it has none */
	enum escape_kind kind;         /* how values in double braces are escaped */
	void (*text)(const struct cJSON *model, struct buf *out); /* in place of a template that
	                                                             would have its name; or NULL */
	bool by_name;  /* chosen with --template @TEMPLATE, not by an option of its own */
	bool laid_out; /* wrapped and aligned for a terminal by text_layout */
	size_t max;    /* bytes; a longer output is cut and says so; 0: no limit */
};

extern const struct output_format output_formats[FORMATS];

/* The format of --template @NAME (name without the "@"), or NULL. */
const struct output_format *output_format_named(const char *name);

/* Splits "TEMPLATE=FILE" at its last "=", or before s3:// or https://: appends TEMPLATE to
 * *template and points *file at FILE, or at "-" if there is no "=". Returns -1 if either part is
 * empty. */
int output_format_template(const char *spec, struct buf *template, const char **file);

/* Appends the names that --template takes: "@gpu_tracker.json, @gpu_tracker.txt, @trace.txt". */
void output_format_names(struct buf *out);

#endif
