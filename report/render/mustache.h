/*
 * mustache: renders a Mustache template from a JSON tree, with escaping for the kind of output.
 *
 * Implements all required modules of the Mustache specification (docs/templates.md is the user's
 * manual). Where the specification leaves a choice: 0 and "" are false, as in mustache.js; an
 * object or a list is written as JSON (core/json/json_write.h), a number in its shortest form, null
 * as nothing.
 *
 * Template and model may be hostile. Limits: 16 MiB and 64 nested sections per template, 64 nested
 * partials, 256 different partials, out->max, and 10^8 steps in all (about a second).
 */
#ifndef REPORT_RENDER_MUSTACHE_H
#define REPORT_RENDER_MUSTACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/render/escape.h"

struct cJSON;

struct mustache_partials {
	/* Returns the text of partial `name`, valid until mustache_render returns, or NULL if there
	 * is none; a missing partial renders as nothing. A partial whose name ends in .css or .js
	 * is inserted verbatim: no tags, no indentation. */
	const char *(*find)(void *ctx, const char *name, size_t *len);
	void *ctx;
	/* Whether {{{name}}} in this text (a template's or a partial's) is meant for JSON trees
	 * only. A string there is then written as JSON too, so that a foreign model cannot close
	 * the HTML element around it. NULL: never. */
	bool (*trees_only)(void *ctx, const char *text);
	/* find's error: non-empty after find returned NULL for a partial that exists but cannot be
	 * read. Rendering then fails with this sentence. NULL: find never fails. */
	const struct err *why;
	/* Gets a warning about the first {{name}} that the model does not have, in a text that is
	 * not trees_only; it renders as nothing. NULL: not asked for. */
	struct err *unknown;
};

/* Appends the rendered template to out. name is the template's name in error sentences. model and
 * partials may be NULL. On -1 the sentence begins with NAME:LINE:COLUMN, and out holds the output
 * up to that place. {{{name}}} and {{&name}} are not escaped, whatever the kind. */
int mustache_render(const char *text, size_t len, const char *name, const struct cJSON *model,
                    enum escape_kind kind, const struct mustache_partials *partials,
                    struct buf *out, struct err *e);

/* Chooses the kind by the file name's extension, in any case: .html .htm → HTML, .md → MARKDOWN,
 * .xml → XML, .json → JSON, .tsv → LINE, .prom → LABEL, else NONE. */
enum escape_kind mustache_kind_of(const char *file_name);

#endif
