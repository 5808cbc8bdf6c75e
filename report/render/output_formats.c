/* output_formats: everything that can be written from the model. */
#include "report/render/output_formats.h"

#include <string.h>

#include "report/report_options.h"

#define AT(field) offsetof(struct report_options, field)

/* A comment of GitHub may have 65,536 characters. */
#define COMMENT_MAX 65536

const struct output_format output_formats[FORMATS] = {
    [FORMAT_HTML] = {"output", AT(output), "report.html", ESCAPE_HTML, false, 0},
    [FORMAT_JSON] = {"json", AT(json), NULL, ESCAPE_JSON, false, 0},
    [FORMAT_MARKDOWN] = {"markdown", AT(markdown), "summary.md", ESCAPE_MARKDOWN, false,
                         COMMENT_MAX},
    [FORMAT_TEXT] = {"text", AT(text), "summary.txt", ESCAPE_LINE, true, 0},
    [FORMAT_OPENMETRICS] = {"openmetrics", AT(openmetrics), "metrics.prom", ESCAPE_LABEL, false, 0},
    [FORMAT_JUNIT] = {"junit", AT(junit), "junit.xml", ESCAPE_XML, false, 0},
    [FORMAT_GPU_TRACKER] = {NULL, 0, "gpu_tracker.json", ESCAPE_JSON, false, 0},
    [FORMAT_SNAKEMAKE] = {NULL, 0, "snakemake.tsv", ESCAPE_LINE, false, 0},
    [FORMAT_TRACE] = {NULL, 0, "trace.txt", ESCAPE_LINE, false, 0},
};

const struct output_format *output_format_named(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (!output_formats[i].option && strcmp(output_formats[i].template, name) == 0)
			return &output_formats[i];
	return NULL;
}

int output_format_template(const char *spec, struct buf *template, const char **file)
{
	const char *equals = strrchr(spec, '=');

	if (equals == spec || (equals && !equals[1]) || !*spec)
		return -1;
	buf_add(template, spec, equals ? (size_t)(equals - spec) : strlen(spec));
	*file = equals ? equals + 1 : "-";
	return 0;
}

void output_format_names(struct buf *out)
{
	const char *between = "";

	for (size_t i = 0; i < FORMATS; i++) {
		if (output_formats[i].option)
			continue;
		buf_printf(out, "%s@%s", between, output_formats[i].template);
		between = ", ";
	}
}
