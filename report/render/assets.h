/*
 * assets: the report's templates, script and style, linked into the program (assets.def lists
 * them).
 *
 * Generated at build time: "app.css" (style of the page), "app.gz.html" (uPlot and the
 * page's script, gzip in base64), "boot.js" (unpacks and runs that script), "csp.html" (the
 * Content-Security-Policy, with the hashes of exactly these scripts and this style), "favicon.html"
 * (the icon in base64), "uplot.html" (name, version and copyright of uPlot).
 */
#ifndef REPORT_RENDER_ASSETS_H
#define REPORT_RENDER_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the file's text, NUL-terminated (*len does not count the NUL), or NULL if there is no
 * file of that name. The text is static. ctx is unused; it makes this function fit
 * struct mustache_partials. */
const char *assets_find(void *ctx, const char *name, size_t *len);

/* Whether text is a pointer that assets_find returned. */
bool assets_have(const char *text);

#endif
