/* output_formats: every file that can be written from the model. */
#include "report/render/output_formats.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- gpu_tracker's text ------------------------------------------------------------------------ */

#define INDENT 3

/* Words of its keys that it does not print as they are. */
static const struct {
	const char *word, *shown;
} words[] = {{"ram", "RAM"}, {"rss", "RSS"},   {"cpu", "CPU"},
             {"gpu", "GPU"}, {"gpus", "GPUs"}, {"n", "number of"}};

/* "main_n_threads" → "Main number of threads". */
static void add_key_label(struct buf *out, const char *key)
{
	struct buf label = {0};

	while (*key) {
		size_t n = strcspn(key, "_"), i = 0;
		while (i < sizeof words / sizeof *words &&
		       (strlen(words[i].word) != n || memcmp(words[i].word, key, n) != 0))
			i++;
		buf_str(&label, label.len ? " " : "");
		if (i < sizeof words / sizeof *words)
			buf_str(&label, words[i].shown);
		else
			buf_add(&label, key, n);
		key += n + (key[n] == '_');
	}
	if (label.len)
		label.s[0] = (char)toupper((unsigned char)label.s[0]);
	escape_add(out, ESCAPE_LINE, buf_cstr(&label), label.len);
	buf_free(&label);
}

/* The keys of integers: a float of Python always has a digit after its point. */
static bool is_count(const char *key)
{
	return strstr(key, "_count") || strstr(key, "n_expected") || strstr(key, "n_threads");
}

/* At most three digits after the point, and at least one. */
static void add_python_number(struct buf *out, double v, bool count)
{
	char text[400];
	size_t n;

	if (!isfinite(v)) {
		buf_str(out, "unknown");
		return;
	}
	if (count && v == floor(v)) {
		buf_printf(out, "%.0f", v);
		return;
	}
	n = (size_t)snprintf(text, sizeof text, "%.3f", v);
	while (n > 2 && text[n - 1] == '0' && text[n - 2] != '.')
		n--;
	buf_add(out, text, n);
}

static void add_value_line(struct buf *out, const cJSON *v, int depth)
{
	buf_printf(out, "%*s", depth * INDENT, "");
	add_key_label(out, v->string);
	buf_str(out, ":");
	if (cJSON_IsString(v)) {
		buf_char(out, ' ');
		escape_add(out, ESCAPE_LINE, v->valuestring, strlen(v->valuestring));
	} else if (!cJSON_IsObject(v)) {
		buf_char(out, ' ');
		add_python_number(out, cJSON_IsNumber(v) ? v->valuedouble : (double)NAN,
		                  is_count(v->string));
	}
	buf_char(out, '\n');
}

/* Three levels are all that gpu_tracker has; a saved model may have any. */
static void add_group_lines(struct buf *out, const cJSON *group, int depth)
{
	const cJSON *v;

	cJSON_ArrayForEach (v, group) {
		if (cJSON_IsArray(v) || !v->string) /* "table" is rtrack's own */
			continue;
		add_value_line(out, v, depth);
		if (cJSON_IsObject(v) && depth < 3)
			add_group_lines(out, v, depth + 1);
	}
}

/* The text that gpu_tracker prints (str(tracker)), from the dictionary in the model: a Mustache
 * template cannot round a number. A number that is not known is "unknown". */
static void gpu_tracker_text(const cJSON *model, struct buf *out)
{
	const cJSON *view = cJSON_GetObjectItemCaseSensitive(model, "gpu_tracker");

	if (cJSON_IsObject(view))
		add_group_lines(out, view, 0);
	else
		buf_str(out, "unknown\n");
}

/* -- the formats ------------------------------------------------------------------------------- */

/* GitHub accepts comments of up to 65,536 characters. */
#define COMMENT_MAX 65536
/* A program that reads pays for each character. */
#define BRIEF_MAX 1500

const struct output_format output_formats[FORMATS] = {
    [FORMAT_HTML] = {.template = "report.html",
                     .many = {[OUTPUT_FLEET] = "fleet.html",
                              [OUTPUT_RUNS] = "runs.html",
                              [OUTPUT_PIPELINE] = "pipeline.html",
                              [OUTPUT_CI] = "ci.html"},
                     .kind = ESCAPE_HTML},
    [FORMAT_JSON] = {.template = NULL, .kind = ESCAPE_JSON},
    [FORMAT_MARKDOWN] =
	{.template = "summary.md",
         .many = {[OUTPUT_FLEET] = "fleet.md", [OUTPUT_RUNS] = "runs.md", [OUTPUT_CI] = "ci.md"},
         .kind = ESCAPE_MARKDOWN,
         .max = COMMENT_MAX},
    [FORMAT_TEXT] = {.template = "summary.txt",
                     .many = {[OUTPUT_FLEET] = "fleet.txt",
                              [OUTPUT_RUNS] = "runs.txt",
                              [OUTPUT_PIPELINE] = "pipeline.txt",
                              [OUTPUT_CI] = "ci.txt"},
                     .kind = ESCAPE_LINE,
                     .laid_out = true},
    [FORMAT_BRIEF] = {.template = "brief.txt", .kind = ESCAPE_LINE, .max = BRIEF_MAX},
    [FORMAT_OPENMETRICS] = {.template = "metrics.prom",
                            .many = {[OUTPUT_FLEET] = "metrics.prom"},
                            .kind = ESCAPE_LABEL},
    [FORMAT_JUNIT] = {.template = "junit.xml",
                      .many = {[OUTPUT_FLEET] = "fleet.xml"},
                      .kind = ESCAPE_XML},
    [FORMAT_GPU_TRACKER] = {.template = "gpu_tracker.json", .kind = ESCAPE_JSON, .by_name = true},
    [FORMAT_GPU_TRACKER_TEXT] = {.template = "gpu_tracker.txt",
                                 .kind = ESCAPE_LINE,
                                 .text = gpu_tracker_text,
                                 .by_name = true},
    [FORMAT_SNAKEMAKE] = {.template = "snakemake.tsv", .kind = ESCAPE_LINE, .by_name = true},
    [FORMAT_TRACE] = {.template = "trace.txt",
                      .many = {[OUTPUT_RUNS] = "trace.txt"},
                      .kind = ESCAPE_LINE,
                      .by_name = true},
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

	if (s3 && (!https || s3 < https))
		return s3;
	return https ? https : strrchr(spec, '=');
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
