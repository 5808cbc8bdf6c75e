/* fuzz_model: any JSON as a model (--model). Each output is rendered, or a sentence says why
 * not. */
#include <cjson/cJSON.h>
#include <string.h>

#include "core/json/json_write.h"
#include "report/render/assets.h"
#include "report/render/mustache.h"
#include "report/render/output_formats.h"
#include "report/render/partials.h"
#include "report/units/model_json.h"
#include "tests/fuzz/fuzz.h"

#define OUT_MAX ((size_t)4 << 20)

static size_t count(const char *s, const char *what)
{
	size_t n = 0;

	for (; (s = strstr(s, what)); s += strlen(what))
		n++;
	return n;
}

/* The tags that our own templates have, and no other. */
static void check_page(const struct buf *out)
{
	static const char *const never[] = {"<img", "<iframe", "<object", "<!--", "<base", "<form"};
	const char *s = buf_cstr(out);

	for (size_t i = 0; i < sizeof never / sizeof *never; i++)
		must(!strstr(s, never[i]));
	must(count(s, "<script") == count(s, "</script>"));
}

static void render(const cJSON *model, const struct output_format *format)
{
	struct buf out = {.max = OUT_MAX};
	struct err e = {{0}};
	size_t n = 0;
	const char *text = assets_find(NULL, format->template, &n);
	int failed =
	    mustache_render(text, n, "t", model, format->kind, &partials_built_in, &out, &e);

	must(!failed || *e.msg);
	for (size_t i = 0; i < out.len; i++)
		must((unsigned char)out.s[i] >= 0x20 || out.s[i] == '\n' || out.s[i] == '\t' ||
		     (out.s[i] == '\r' && format->kind == ESCAPE_HTML));
	if (!failed && format->kind == ESCAPE_HTML)
		check_page(&out);
	buf_free(&out);
}

static void write_again(const cJSON *model)
{
	struct json_write j = {.exponents = true};
	cJSON *again;

	model_json_write(&j, NULL, model);
	if (json_write_finish(&j)) {
		again = cJSON_ParseWithOpts(j.b.s, NULL, 1);
		must(again && cJSON_GetArraySize(again) == cJSON_GetArraySize(model));
		cJSON_Delete(again);
	}
	json_write_free(&j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = fuzz_file(data, size);
	struct err e = {{0}};
	char path[32];
	cJSON *model = model_json_read(fuzz_path(fd, path), &e);

	must(model || *e.msg);
	for (size_t i = 0; model && i < FORMATS; i++)
		if (output_formats[i].template)
			render(model, &output_formats[i]);
	if (model)
		write_again(model);
	cJSON_Delete(model);
	close(fd);
	return 0;
}
