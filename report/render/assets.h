/*
 * assets: the templates of the report, its script and its style, linked into the program.
 *
 * The generated ones: "app.css" (uPlot's style and ours), "app.gz.html" (uPlot and our script,
 * gzip in base64), "boot.js" (which unpacks and runs it), "csp.html" (the content policy, with the
 * hashes of exactly these scripts and this style), "favicon.html"
 * (base64 of the icon), "uplot.html" (name, version and copyright of uPlot).
 */
#ifndef REPORT_RENDER_ASSETS_H
#define REPORT_RENDER_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

/* The text of the file, NUL-terminated (the NUL is not counted in *len), or NULL where there is
 * none of that name. Lives as long as the program. ctx is not used: it is there so that this can be
 * given as the look-up of a template's partials. */
const char *assets_find(void *ctx, const char *name, size_t *len);

/* Whether text is what assets_find returns for some name. */
bool assets_have(const char *text);

#endif
