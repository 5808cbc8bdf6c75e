/*
 * face: everything that can be written from the model, as one table. An output more is a row more.
 */
#ifndef REPORT_FACE_H
#define REPORT_FACE_H

#include <stdbool.h>
#include <stddef.h>

#include "../core/buf.h"
#include "escape.h"

struct face {
	const char *option;    /* that names its file: "markdown"; NULL: --template @TEMPLATE */
	size_t at;             /* where struct options has the file */
	const char *template;  /* in report/assets.def; NULL: the model itself, as JSON */
	enum escape_kind kind; /* of what stands in double braces */
	bool laid_out;         /* by fold, for a terminal */
	size_t max;            /* bytes, after which the rest is left out and said so; 0: no cap */
};

enum {
	FACE_HTML,
	FACE_JSON,
	FACE_MARKDOWN,
	FACE_TEXT,
	FACE_OPENMETRICS,
	FACE_JUNIT,
	FACE_GPU_TRACKER,
	FACE_SNAKEMAKE,
	FACE_TRACE,
	FACES
};

extern const struct face faces[FACES];

/* The face of --template @NAME, or NULL; name is without the "@". */
const struct face *face_named(const char *name);

/* Takes "TEMPLATE=FILE" or "TEMPLATE" apart: appends the template's name, and *file is the part of
 * spec after the last "=", or "-". -1 where either is empty. */
int face_template(const char *spec, struct buf *template, const char **file);

/* "@gpu_tracker.json, @snakemake.tsv …" appended. */
void face_names(struct buf *out);

#endif
