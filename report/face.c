/* face: everything that can be written from the model. */
#include "face.h"

#include <string.h>

#include "options.h"

#define AT(field) offsetof(struct options, field)

/* A comment of GitHub may have 65,536 characters. */
#define COMMENT_MAX 65536

const struct face faces[FACES] = {
    [FACE_HTML] = {"output", AT(output), "report.html", ESCAPE_HTML, false, 0},
    [FACE_JSON] = {"json", AT(json), NULL, ESCAPE_JSON, false, 0},
    [FACE_MARKDOWN] = {"markdown", AT(markdown), "summary.md", ESCAPE_MARKDOWN, false, COMMENT_MAX},
    [FACE_TEXT] = {"text", AT(text), "summary.txt", ESCAPE_LINE, true, 0},
    [FACE_OPENMETRICS] = {"openmetrics", AT(openmetrics), "metrics.prom", ESCAPE_LABEL, false, 0},
    [FACE_JUNIT] = {"junit", AT(junit), "junit.xml", ESCAPE_XML, false, 0},
    [FACE_GPU_TRACKER] = {NULL, 0, "gpu_tracker.json", ESCAPE_JSON, false, 0},
    [FACE_SNAKEMAKE] = {NULL, 0, "snakemake.tsv", ESCAPE_LINE, false, 0},
    [FACE_TRACE] = {NULL, 0, "trace.txt", ESCAPE_LINE, false, 0},
};

const struct face *face_named(const char *name)
{
	for (size_t i = 0; i < FACES; i++)
		if (!faces[i].option && strcmp(faces[i].template, name) == 0)
			return &faces[i];
	return NULL;
}

int face_template(const char *spec, struct buf *template, const char **file)
{
	const char *equals = strrchr(spec, '=');

	if (equals == spec || (equals && !equals[1]) || !*spec)
		return -1;
	buf_add(template, spec, equals ? (size_t)(equals - spec) : strlen(spec));
	*file = equals ? equals + 1 : "-";
	return 0;
}

void face_names(struct buf *out)
{
	const char *between = "";

	for (size_t i = 0; i < FACES; i++) {
		if (faces[i].option)
			continue;
		buf_printf(out, "%s@%s", between, faces[i].template);
		between = ", ";
	}
}
