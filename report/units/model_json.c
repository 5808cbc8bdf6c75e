/* model_json: the small objects that the model is made of, and its file. */
#include "report/units/model_json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/gz.h"
#include "core/base/program_name.h"
#include "core/base/standard_input.h"
#include "core/base/version.h"
#include "core/json/json_tree.h"
#include "report/units/units.h"

/* Returns the item; NULL if it found no place, and then it is gone. */
static cJSON *add_json_item(cJSON *parent, const char *key, cJSON *item)
{
	if (!item)
		return NULL;
	if (key ? cJSON_AddItemToObject(parent, key, item) : cJSON_AddItemToArray(parent, item))
		return item;
	cJSON_Delete(item);
	return NULL;
}

void model_json_number(cJSON *parent, const char *key, double v)
{
	add_json_item(parent, key, isfinite(v) ? cJSON_CreateNumber(v) : cJSON_CreateNull());
}

void model_json_cut_text(struct buf *out, const char *text, size_t max)
{
	size_t length = strlen(text), n = length, from = out->len;

	if (n > max)
		for (n = max; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
			; /* do not split a UTF-8 character */
	buf_add(out, text, n);
	for (size_t i = from; i < out->len; i++)
		if (out->s[i] == '\n' || out->s[i] == '\r')
			out->s[i] = ' ';
	if (n < length)
		buf_str(out, "…");
}

void model_json_cut(cJSON *parent, const char *key, const char *text, size_t max)
{
	struct buf b = {0};

	model_json_cut_text(&b, text, max);
	add_json_item(parent, key, b.failed ? NULL : cJSON_CreateString(buf_cstr(&b)));
	buf_free(&b);
}

void model_json_cut_or_null(cJSON *parent, const char *key, const char *text, size_t max)
{
	if (text && *text)
		model_json_cut(parent, key, text, max);
	else
		add_json_item(parent, key, cJSON_CreateNull());
}

cJSON *model_json_money(cJSON *parent, const char *key, enum unit u, double v, const char *currency)
{
	char text[64], unit[64];
	cJSON *q = cJSON_CreateObject();

	snprintf(unit, sizeof unit, "%s", units_name(u));
	if (units_is_money(u))
		snprintf(unit, sizeof unit, "%s%s", currency && *currency ? currency : "USD",
		         u == UNIT_MONEY_HOUR ? "/h" : "");
	model_json_number(q, "value", v);
	cJSON_AddStringToObject(q, "text",
	                        isnan(v) && units_is_money(u) ? "unknown"
	                                                      : units_text(u, v, currency, text));
	cJSON_AddStringToObject(q, "unit", unit);
	return add_json_item(parent, key, q);
}

void model_json_as_text(cJSON *parent, const char *key, enum unit u, double v, const char *text)
{
	cJSON *q = cJSON_AddObjectToObject(parent, key);

	model_json_number(q, "value", v);
	cJSON_AddStringToObject(q, "text", text);
	cJSON_AddStringToObject(q, "unit", units_name(u));
}

cJSON *model_json_quantity(cJSON *parent, const char *key, enum unit u, double v)
{
	return model_json_money(parent, key, u, v, NULL);
}

void model_json_time(cJSON *parent, const char *key, double unix_s)
{
	char text[UNITS_SIZE];
	cJSON *t;

	if (!*units_time_iso(unix_s, text)) {
		cJSON_AddNullToObject(parent, key);
		return;
	}
	t = cJSON_AddObjectToObject(parent, key);
	model_json_number(t, "unix", unix_s);
	cJSON_AddStringToObject(t, "iso", text);
	cJSON_AddStringToObject(t, "text", units_time_text(unix_s, text));
}

void model_json_fact(cJSON *array, const char *id, const char *label, const char *text)
{
	cJSON *fact = cJSON_CreateObject();

	cJSON_AddStringToObject(fact, "id", id);
	cJSON_AddStringToObject(fact, "label", label);
	model_json_cut(fact, "text", text, MODEL_JSON_TEXT_MAX);
	add_json_item(array, NULL, fact);
}

cJSON *model_json_parsed(const cJSON *raw)
{
	/* A value that was made from valid JSON does not parse without memory only. */
	return alloc_failed_note(cJSON_Parse(raw->valuestring));
}

/* misc-no-recursion: as deep as JSON is written, see below */
void model_json_write(struct json_write *j, const char *key, const cJSON *t)
{
	const cJSON *child;
	bool array = cJSON_IsArray(t);

	if (array || cJSON_IsObject(t)) {
		if (array)
			json_write_array(j, key);
		else
			json_write_object(j, key);
		/* Too deep a tree: json_write_finish() reports it. */
		if (!j->failed)
			cJSON_ArrayForEach (child, t)
				model_json_write(j, array ? NULL : child->string, child);
		if (array)
			json_write_array_end(j);
		else
			json_write_object_end(j);
	} else if (cJSON_IsRaw(t)) {
		cJSON *parsed = model_json_parsed(t);
		model_json_write(j, key, parsed);
		cJSON_Delete(parsed);
	} else if (cJSON_IsString(t)) {
		json_write_str(j, key, t->valuestring);
	} else if (cJSON_IsNumber(t)) {
		json_write_num(j, key, t->valuedouble);
	} else if (cJSON_IsBool(t)) {
		json_write_bool(j, key, cJSON_IsTrue(t));
	} else {
		json_write_null(j, key);
	}
}

static int read_model_text(int fd, struct buf *text, struct err *e)
{
	struct gz_in *g = gz_in_new(fd, MODEL_JSON_MAX, e);
	char *part = malloc(65536);
	long n = -1;

	text->max = MODEL_JSON_MAX + 1;
	while (g && part && (n = gz_read(g, part, 65536, e)) > 0 && !text->failed)
		buf_add(text, part, (size_t)n);
	free(part);
	gz_in_free(g);
	if (!part || (n == 0 && text->failed))
		return err_set(e, "no memory");
	return n < 0 ? -1 : 0;
}

static int open_regular(const char *path, struct err *e)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return err_set(e, "%s", strerror(errno));
	if (fstat(fd, &st) || !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode))) {
		close(fd);
		return err_set(e, "is not a regular file");
	}
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

/* From the text of a file that name names; text is changed. */
static cJSON *parse_model_text(struct buf *text, const char *name, struct err *e)
{
	const char *end = NULL;
	cJSON *t;

	if (json_tree_check(buf_cstr(text), text->len, JSON_WRITE_DEPTH_MAX, JSON_TREE_MODEL_MAX,
	                    "the model", e)) {
		err_wrap(e, "%s", name);
		return NULL;
	}
	if (strlen(buf_cstr(text)) != text->len) {
		err_set(e, "%s: byte %zu: a NUL byte", name, strlen(buf_cstr(text)));
		return NULL;
	}
	json_tree_mend(text->s, text->len);
	/* Parse the NUL too: text after the tree is then an error. */
	t = cJSON_ParseWithLengthOpts(buf_cstr(text), text->len + 1, &end, 1);
	if (!t && alloc_failed())
		err_set(e, "%s: no memory", name);
	else if (!t)
		err_set(e, "%s: byte %zu: wrong JSON", name,
		        end ? (size_t)(end - buf_cstr(text)) : (size_t)0);
	return t;
}

cJSON *model_json_read(const char *path, struct err *e)
{
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? STDIN_FILENO : open_regular(path, e);
	const char *name = standard_input_name(path);
	struct buf text = {0};
	cJSON *t = NULL;

	if (fd < 0 || read_model_text(fd, &text, e))
		err_wrap(e, "%s", name);
	else
		t = parse_model_text(&text, name, e);
	if (fd >= 0 && !standard)
		close(fd);
	buf_free(&text);
	return t;
}

void model_json_take(cJSON *o, const char *key, struct buf *text)
{
	cJSON_AddStringToObject(o, key, buf_cstr(text));
	buf_free(text);
}

void model_json_take_cut(cJSON *o, const char *key, struct buf *text, size_t max)
{
	model_json_cut(o, key, buf_cstr(text), max);
	buf_free(text);
}

void model_json_printf(cJSON *o, const char *key, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	cJSON_AddStringToObject(o, key, alloc_failed_note(text) ? text : "");
	free(text);
}

cJSON *model_json_row(cJSON *array)
{
	return add_json_item(array, NULL, cJSON_CreateObject());
}

cJSON *model_json_object_if(bool known, cJSON *parent, const char *key)
{
	cJSON *object =
	    add_json_item(parent, key, known ? cJSON_CreateObject() : cJSON_CreateNull());

	return known ? object : NULL;
}

void model_json_head(cJSON *model, const char *format, const char *integration, double now,
                     const char *title)
{
	cJSON *g;

	cJSON_AddStringToObject(model, "format", format);
	cJSON_AddNumberToObject(model, "version", 1);
	g = cJSON_AddObjectToObject(model, "generator");
	cJSON_AddStringToObject(g, "name", program_name());
	cJSON_AddStringToObject(g, "version", rtrack_version);
	model_json_cut_or_null(g, "integration", integration, MODEL_JSON_NAME_MAX);
	model_json_time(model, "generated", now);
	model_json_cut(model, "title", title, MODEL_JSON_NAME_MAX);
}
