/*
 * mustache: renders a Mustache template over a JSON tree, escaping by the kind of output.
 *
 * The required modules of the Mustache specification, complete (docs/templates.md is the user's
 * view). Where it leaves a choice: 0 and "" are false, as in mustache.js; an object or a list is
 * interpolated as JSON (core/json_write.h); a number in its shortest form; null as nothing.
 *
 * Templates and model may be hostile. Caps: 16 MiB and 64 nested sections a template, 64 nested
 * partials, 256 different ones, what out holds at most, and 10^8 steps in all (about a second).
 */
#ifndef REPORT_RENDER_MUSTACHE_H
#define REPORT_RENDER_MUSTACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"
#include "report/render/escape.h"

struct cJSON;

struct mustache_partials {
	/* The text of partial `name`, or NULL for none, which renders as nothing. It must stay as
	 * it is until mustache_render returns. A partial whose name ends in .css or .js is inserted
	 * as it is: no tags, no indentation. */
	const char *(*find)(void *ctx, const char *name, size_t *len);
	void *ctx;
	/* Whether this text, the template's or a partial's, inserts trees by its {{{name}}}, and
	 * nothing else: a string there is written as JSON too, so that it ends no element. NULL:
	 * no text does. */
	bool (*trees_only)(void *ctx, const char *text);
	/* A sentence that find left where it returned NULL since it could not read a partial that
	 * is there: rendering ends with it. NULL: there never is one. */
	const struct err *why;
};

/* Appends the rendered template to out. name is what to call the template in a sentence. model may
 * be NULL, partials too. On -1 the sentence begins with NAME:LINE:COLUMN, and out holds what was
 * rendered up to there. {{{name}}} and {{&name}} are not escaped, whatever the kind. */
int mustache_render(const char *text, size_t len, const char *name, const struct cJSON *model,
                    enum escape_kind kind, const struct mustache_partials *partials,
                    struct buf *out, struct err *e);

/* By the end of the name, ignoring case: .html .htm → HTML, .md → MARKDOWN, .xml → XML, .json →
 * JSON, .tsv → LINE, .prom → LABEL, else NONE. */
enum escape_kind mustache_kind_of(const char *file_name);

#endif
