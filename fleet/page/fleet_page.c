/* fleet_page: what the pages of many runs share. */
#include "fleet/page/fleet_page.h"

#include <math.h>
#include <string.h>
#include <time.h>

struct fleet_page fleet_page_of(const struct fleet_sources *s)
{
	const struct fleet_options *o = s->o;

	return (struct fleet_page){
	    .title = o->page.title,
	    .integration = o->page.integration,
	    .source = s->text,
	    .where = &o->where,
	    .since = o->since_text,
	    .until = o->until_text,
	    .currency = o->page.currency,
	    .failed = s->failed->kept,
	    .n_failed = s->failed->n_kept,
	    .all_failed = s->failed->n,
	    .file = fleet_options_page_file(o),
	    .top = (size_t)o->top,
	    .now = isnan(o->page.now) ? (double)time(NULL) : o->page.now,
	};
}

/* -- the head ---------------------------------------------------------------------------------- */

static void add_filter(cJSON *filters, struct buf *all, const char *option, const char *value)
{
	struct buf text = {0};

	if (!value || !*value)
		return;
	buf_printf(&text, "%s%.*s", option, (int)MODEL_JSON_TEXT_MAX, value);
	model_json_cut(filters, NULL, buf_cstr(&text), MODEL_JSON_TEXT_MAX);
	buf_printf(all, "%s%s", all->len ? ", " : "", buf_cstr(&text));
	buf_free(&text);
}

static void add_filters(cJSON *model, const struct fleet_page *p)
{
	cJSON *filters = cJSON_AddArrayToObject(model, "filters");
	struct buf text = {0};

	for (size_t i = 0; p->where && i < p->where->n; i++)
		add_filter(filters, &text, "", p->where->v[i]);
	add_filter(filters, &text, "since ", p->since);
	add_filter(filters, &text, "until ", p->until);
	cJSON_AddBoolToObject(model, "has_filters", cJSON_GetArraySize(filters) > 0);
	model_json_take_cut(model, "filters_text", &text, MODEL_JSON_TEXT_MAX);
}

static void add_failed_files(cJSON *model, const struct fleet_page *p)
{
	cJSON *inputs = cJSON_AddArrayToObject(model, "inputs");
	size_t n = p->n_failed < FLEET_SOURCES_KEPT ? p->n_failed : FLEET_SOURCES_KEPT;
	size_t all = p->all_failed > n ? p->all_failed : n;
	struct buf more = {0};

	for (size_t i = 0; i < n; i++)
		model_json_cut(model_json_row(inputs), "error", p->failed[i].msg,
		               MODEL_JSON_TEXT_MAX);
	if (all > n)
		buf_printf(&more, "%s more like these.", UNITS_COUNT((double)(all - n)));
	model_json_take(model, "inputs_more", &more);
	cJSON_AddBoolToObject(model, "has_inputs_left_out", all > 0);
}

static void add_page_text(cJSON *model, const char *key, const char *text)
{
	model_json_cut(model, key, text ? text : "", MODEL_JSON_TEXT_MAX);
}

void fleet_page_head(cJSON *model, const char *format, const char *title,
                     const struct fleet_page *p)
{
	model_json_head(model, format, p->integration, p->now, p->title ? p->title : title);
	add_page_text(model, "source", p->source);
	add_filters(model, p);
	add_failed_files(model, p);
}

void fleet_page_prices(cJSON *model, const char *basis, const char *attribution)
{
	add_page_text(model, "money_basis", basis);
	add_page_text(model, "attribution", attribution);
}

/* -- parts ------------------------------------------------------------------------------------- */

void fleet_page_tile(cJSON *tiles, const char *id, const char *label, const char *text,
                     const char *note)
{
	cJSON *one = model_json_row(tiles);

	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "label", label);
	cJSON_AddStringToObject(one, "text", text);
	cJSON_AddStringToObject(one, "note", note);
}

void fleet_page_sentence(cJSON *verdict, const char *id, const char *level, struct buf *text)
{
	cJSON *one = text->len ? model_json_row(verdict) : NULL;

	if (!one) {
		buf_free(text);
		return;
	}
	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "level", level);
	model_json_take_cut(one, "text", text, MODEL_JSON_TEXT_MAX);
}

void fleet_page_quantity(cJSON *parent, const char *key, enum unit u, double v,
                         const struct fleet_page *p)
{
	if (isfinite(v) || units_is_money(u))
		model_json_money(parent, key, u, v, p ? p->currency : NULL);
	else
		model_json_as_text(parent, key, u, v, "unknown");
}

const char *fleet_page_plural(double n)
{
	return n == 1 ? "" : "s";
}

const char *fleet_page_or_unknown(const char *text)
{
	return text && *text ? text : "unknown";
}

size_t fleet_page_html_length(const cJSON *row, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, key));
	size_t n = 0;

	for (; text && *text; text++)
		n += strchr("<>&\"'`", *text) ? sizeof "&quot;" - 1 : 1;
	return n;
}
