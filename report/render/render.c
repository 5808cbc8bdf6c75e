/* render: writes the model to files. */
#include "report/render/render.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/json/json_write.h"
#include "report/input/store_address.h"
#include "report/output/output_file.h"
#include "report/output/terminal.h"
#include "report/render/assets.h"
#include "report/render/mustache.h"
#include "report/render/page_view.h"
#include "report/render/partials.h"
#include "report/render/text_layout.h"
#include "report/render/trace_events.h"
#include "report/units/model_json.h"

#define TEMPLATE_MAX ((size_t)16 << 20)

static const struct {
	const char *format, *words;
} many_models[OUTPUT_MANY] = {
    [OUTPUT_FLEET] = {OUTPUT_FLEET_FORMAT, "a fleet"},
    [OUTPUT_RUNS] = {OUTPUT_RUNS_FORMAT, "a list of runs"},
    [OUTPUT_PIPELINE] = {OUTPUT_PIPELINE_FORMAT, "a pipeline"},
    [OUTPUT_CI] = {OUTPUT_CI_FORMAT, "CI jobs"},
};

enum output_many render_many(const cJSON *model)
{
	const char *is = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(model, "format"));
	int i = 0;

	while (is && i < OUTPUT_MANY && strcmp(is, many_models[i].format) != 0)
		i++;
	return is ? (enum output_many)i : OUTPUT_MANY;
}

/* -- built-in formats -------------------------------------------------------------------------- */

#define LEFT_OUT "\n*The rest is left out: a comment cannot be longer.*\n"

/* Cuts at the end of a line, so that no character and no escape sequence is split. */
static void cut_at_line(struct buf *b, size_t max)
{
	size_t n = max - (sizeof LEFT_OUT - 1);

	if (b->len <= max)
		return;
	while (n && b->s[n - 1] != '\n')
		n--;
	b->len = n;
	b->s[n] = '\0';
	buf_str(b, LEFT_OUT);
}

/* With a cap, rendering stops at twice the cap: the rest would be cut anyway. */
static int write_template(const cJSON *model, const struct output_format *format, struct buf *out,
                          struct err *e)
{
	size_t n = 0;
	enum output_many many = render_many(model);
	const char *name = many < OUTPUT_MANY ? format->many[many] : format->template;
	const char *text = name && !format->text ? assets_find(NULL, name, &n) : NULL;

	if (name && format->text) {
		format->text(model, out);
		return 0;
	}
	if (!text)
		return err_set(e, "there is no %s of %s", format->template,
		               many < OUTPUT_MANY ? many_models[many].words : "a run");
	out->max = format->max ? 2 * format->max : 0;
	if (mustache_render(text, n, name, model, format->kind, &partials_built_in, out, e)) {
		if (!format->max || !out->failed || out->len <= format->max)
			return -1;
		out->failed = false;
		*e = (struct err){0};
	}
	if (format->max)
		cut_at_line(out, format->max);
	return 0;
}

/* -- the page ---------------------------------------------------------------------------------- */

#define PAGE_MAX ((size_t)1000000) /* bytes of a page with its recording */

static int write_page_with(const cJSON *model, const struct output_format *format,
                           enum page_view_carries carries, struct buf *out, struct err *e)
{
	cJSON *view = page_view(model, carries, e);
	int failed = view ? write_template(view, format, out, e) : -1;

	cJSON_Delete(view);
	return failed;
}

static int write_page(const cJSON *model, const struct output_format *format,
                      struct render_page *page, struct buf *out, struct err *e)
{
	enum page_view_carries carries = page->no_model ? PAGE_VIEW_NOTHING : PAGE_VIEW_RECORDING;
	const cJSON *recording = cJSON_GetObjectItemCaseSensitive(model, "recording");

	if (write_page_with(model, format, carries, out, e))
		return -1;
	if (out->len <= PAGE_MAX || page->no_model ||
	    !cJSON_GetObjectItemCaseSensitive(recording, PAGE_VIEW_PACKED))
		return 0;
	err_set(&page->said, "the page has no room for its recording: it carries only what a "
	                     "history and a catalog need");
	buf_clear(out);
	return write_page_with(model, format, PAGE_VIEW_ROW, out, e);
}

static int write_json(const cJSON *model, struct buf *out, struct err *e)
{
	struct json_write j = {.exponents = true};

	model_json_write(&j, NULL, model);
	buf_char(&j.b, '\n');
	if (!json_write_finish(&j)) {
		json_write_free(&j);
		return err_set(e, "the model is nested too deeply");
	}
	*out = j.b;
	return 0;
}

static int write_laid_out(const char *path, const struct buf *text, struct err *e)
{
	struct output_file o = {0};
	struct buf page = {0};
	struct terminal t;
	int failed = -1;

	if (output_file_open(&o, path, e))
		return -1;
	t = terminal_of(o.fd);
	text_layout(&page, buf_cstr(text), text->len, t.width, t.colour);
	if (text->failed || page.failed || alloc_failed())
		output_file_fail(path, "no memory", e);
	else if (output_file_write(&o, buf_cstr(&page), page.len, e) == 0)
		failed = output_file_close(&o, e);
	output_file_drop(&o);
	buf_free(&page);
	return failed;
}

int render_format(const cJSON *model, const struct output_format *format, const char *path,
                  struct render_page *page, struct err *e)
{
	char shown[STORE_SHOWN_MAX];
	struct buf out = {0};
	int failed = format == &output_formats[FORMAT_HTML]
	                 ? write_page(model, format, page, &out, e)
	             : format->template ? write_template(model, format, &out, e)
	                                : write_json(model, &out, e);

	if (failed && alloc_failed())
		output_file_fail(path, "no memory", e);
	else if (failed && !format->template)
		err_wrap(e, "%s", store_address_shown(path, shown));
	if (!failed)
		failed = format->laid_out ? write_laid_out(path, &out, e)
		                          : output_file_put(path, &out, e);
	buf_free(&out);
	return failed;
}

/* -- the user's templates ---------------------------------------------------------------------- */

static int read_template(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "rbe");
	struct stat st;
	char part[8192];
	size_t n;

	if (!f)
		return -1;
	out->max = TEMPLATE_MAX;
	if (fstat(fileno(f), &st) == 0 && !S_ISDIR(st.st_mode))
		while (!out->failed && (n = fread(part, 1, sizeof part, f)) > 0)
			buf_add(out, part, n);
	else
		errno = EISDIR, out->failed = true;
	if (ferror(f))
		out->failed = true;
	fclose(f);
	return out->failed ? -1 : 0;
}

static int render_user_template(const cJSON *model, const char *template, const char *path,
                                struct err *unknown, struct err *e)
{
	struct buf text = {0}, out = {0};
	enum escape_kind kind = mustache_kind_of(template);
	bool charts = kind == ESCAPE_HTML && cJSON_IsObject(model);
	cJSON *view = charts ? page_view(model, PAGE_VIEW_ROW, e) : NULL;
	struct partials partials;
	int failed = -1;

	partials_open(&partials, template);
	partials.find.unknown = unknown;
	errno = 0;
	if (read_template(template, &text))
		err_set(e, "%s: %s", template,
		        alloc_failed() ? "no memory"
		        : errno        ? strerror(errno)
		                       : "larger than 16 MiB");
	else if ((view || !charts) &&
	         mustache_render(buf_cstr(&text), text.len, template, view ? view : model, kind,
	                         &partials.find, &out, e) == 0)
		failed = output_file_put(path, &out, e);
	cJSON_Delete(view);
	partials_free(&partials);
	buf_free(&text);
	buf_free(&out);
	return failed;
}

int render_template(const cJSON *model, const char *spec, struct err *unknown, struct err *e)
{
	const struct output_format *format = NULL;
	struct buf template = {0};
	const char *path;
	int failed;

	if (output_format_template(spec, &template, &path))
		failed = err_set(e, "--template: \"%s\" is not TEMPLATE=FILE", spec);
	else if (*buf_cstr(&template) != '@')
		failed = render_user_template(model, buf_cstr(&template), path, unknown, e);
	else if ((format = output_format_named(buf_cstr(&template) + 1)))
		failed = render_format(model, format, path, NULL, e);
	else
		failed = err_set(e, "%s: no such template", buf_cstr(&template));
	buf_free(&template);
	return failed;
}

/* -- the groups of a fleet, or the runs -------------------------------------------------------- */

static void add_csv_text(struct buf *out, const char *text)
{
	buf_char(out, '"');
	escape_add(out, ESCAPE_CSV, text, strlen(text));
	buf_char(out, '"');
}

/* An empty cell where the value is unknown. */
static void add_csv_cell(struct buf *out, const cJSON *v)
{
	char number[32];

	if (cJSON_IsString(v))
		add_csv_text(out, v->valuestring);
	else if (cJSON_IsNumber(v))
		buf_add(out, number, json_write_number_text(v->valuedouble, number));
}

static void add_csv_line(struct buf *out, const cJSON *row)
{
	cJSON *parsed = cJSON_IsRaw(row) ? model_json_parsed(row) : NULL;
	const cJSON *cells = parsed ? parsed : row, *cell;

	cJSON_ArrayForEach (cell, cells) {
		buf_str(out, cell == cells->child ? "" : ",");
		add_csv_cell(out, cell);
	}
	buf_char(out, '\n');
	cJSON_Delete(parsed);
}

int render_table_csv(const cJSON *model, const char *path, struct err *e)
{
	const cJSON *groups = cJSON_GetObjectItemCaseSensitive(model, "groups");
	const cJSON *runs = cJSON_GetObjectItemCaseSensitive(model, "runs");
	const cJSON *own = cJSON_GetObjectItemCaseSensitive(model, "table");
	const cJSON *table =
	    own ? own : cJSON_GetObjectItemCaseSensitive(runs ? runs : groups, "table");
	const cJSON *one;
	struct buf out = {0};
	int failed;

	if (!table)
		return err_set(e, "%s: there is no CSV of this", path);
	cJSON_ArrayForEach (one, cJSON_GetObjectItemCaseSensitive(table, "columns")) {
		const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "id"));
		buf_str(&out, out.len ? "," : "");
		add_csv_text(&out, id ? id : "");
	}
	buf_char(&out, '\n');
	cJSON_ArrayForEach (one, cJSON_GetObjectItemCaseSensitive(table, "rows"))
		add_csv_line(&out, one);
	failed = out.failed || alloc_failed() ? output_file_fail(path, "no memory", e)
	                                      : output_file_put(path, &out, e);
	buf_free(&out);
	return failed;
}

/* -- the patch of CI jobs ---------------------------------------------------------------------- */

int render_ci_patch(const cJSON *model, const char *path, struct err *e)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(model, "patch"), "text"));
	struct buf out = {0};
	int failed;

	buf_str(&out, text ? text : "");
	failed = output_file_put(path, &out, e);
	buf_free(&out);
	return failed;
}

/* -- samples ----------------------------------------------------------------------------------- */

static int write_csv_piece(void *ctx, const char *p, size_t n, struct err *e)
{
	return output_file_write(ctx, p, n, e);
}

int render_csv(const struct run *run, const struct csv_table_options *o, const char *path,
               struct err *e)
{
	struct output_file out = {0};

	if (output_file_open(&out, path, e))
		return -1;
	if (csv_table_write(run, o, write_csv_piece, &out, e) == 0)
		return output_file_close(&out, e);
	output_file_drop(&out);
	return -1;
}

int render_trace(const struct run *run, const char *path, struct err *e)
{
	struct output_file out = {0};

	if (output_file_open(&out, path, e))
		return -1;
	if (trace_events_write(run, write_csv_piece, &out, e) == 0)
		return output_file_close(&out, e);
	output_file_drop(&out);
	return -1;
}
