/* output_formats: every file that can be written from the model. */
#include "report/render/output_formats.h"

#include <string.h>

#include "report/render/gpu_tracker_text.h"

/* GitHub accepts comments of up to 65,536 characters. */
#define COMMENT_MAX 65536

const struct output_format output_formats[FORMATS] = {
    [FORMAT_HTML] = {.template = "report.html", .fleet = "fleet.html", .kind = ESCAPE_HTML},
    [FORMAT_JSON] = {.template = NULL, .kind = ESCAPE_JSON},
    [FORMAT_MARKDOWN] = {.template = "summary.md",
                         .fleet = "fleet.md",
                         .kind = ESCAPE_MARKDOWN,
                         .max = COMMENT_MAX},
    [FORMAT_TEXT] = {.template = "summary.txt",
                     .fleet = "fleet.txt",
                     .kind = ESCAPE_LINE,
                     .laid_out = true},
    [FORMAT_OPENMETRICS] = {.template = "metrics.prom",
                            .fleet = "metrics.prom",
                            .kind = ESCAPE_LABEL},
    [FORMAT_JUNIT] = {.template = "junit.xml", .fleet = "fleet.xml", .kind = ESCAPE_XML},
    [FORMAT_GPU_TRACKER] = {.template = "gpu_tracker.json", .kind = ESCAPE_JSON, .by_name = true},
    [FORMAT_GPU_TRACKER_TEXT] = {.template = "gpu_tracker.txt",
                                 .kind = ESCAPE_LINE,
                                 .text = gpu_tracker_text,
                                 .by_name = true},
    [FORMAT_SNAKEMAKE] = {.template = "snakemake.tsv", .kind = ESCAPE_LINE, .by_name = true},
    [FORMAT_TRACE] = {.template = "trace.txt", .kind = ESCAPE_LINE, .by_name = true},
};

const struct output_format *output_format_named(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (output_formats[i].by_name && strcmp(output_formats[i].template, name) == 0)
			return &output_formats[i];
	return NULL;
}

/* The "=" before FILE: the last one, but that of an address, whose query has more. */
static const char *equals_of(const char *spec)
{
	const char *s3 = strstr(spec, "=s3://"), *https = strstr(spec, "=https://");

	return s3 && (!https || s3 < https) ? s3 : https ? https : strrchr(spec, '=');
}

int output_format_template(const char *spec, struct buf *template, const char **file)
{
	const char *equals = equals_of(spec);

	if (equals == spec || (equals && !equals[1]) || !*spec)
		return -1;
	buf_add(template, spec, equals ? (size_t)(equals - spec) : strlen(spec));
	*file = equals ? equals + 1 : "-";
	return 0;
}

void output_format_names(struct buf *out)
{
	const char *separator = "";

	for (size_t i = 0; i < FORMATS; i++) {
		if (!output_formats[i].by_name)
			continue;
		buf_printf(out, "%s@%s", separator, output_formats[i].template);
		separator = ", ";
	}
}
