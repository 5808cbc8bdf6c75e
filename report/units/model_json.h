/*
 * model_json: the small objects that the model is made of (docs/model.md), and its file.
 *
 *	cJSON *row = model_json_row(rows);
 *	model_json_quantity(row, "memory", UNIT_BYTES, peak_b);
 *	model_json_printf(row, "text", "%zu runs", n);
 */
#ifndef REPORT_UNITS_MODEL_JSON_H
#define REPORT_UNITS_MODEL_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/json/json_write.h"
#include "report/units/units.h"

#define MODEL_JSON_TEXT_MAX ((size_t)1024)     /* bytes of a sentence, a path, a value */
#define MODEL_JSON_NAME_MAX ((size_t)256)      /* bytes of a name */
#define MODEL_JSON_MAX      ((size_t)64 << 20) /* bytes of a model's file, inflated */

/* {"value", "text", "unit"}; parent may be an object (with key) or an array (key NULL). */
cJSON *model_json_quantity(cJSON *parent, const char *key, enum unit u, double v);
cJSON *model_json_money(cJSON *parent, const char *key, enum unit u, double v,
                        const char *currency);

/* The same with another text. */
void model_json_as_text(cJSON *parent, const char *key, enum unit u, double v, const char *text);

/* {"unix", "iso", "text"}; null for NAN. */
void model_json_time(cJSON *parent, const char *key, double unix_s);

/* {"id", "label", "text"} appended to the array; text is cut at MODEL_JSON_TEXT_MAX. */
void model_json_fact(cJSON *array, const char *id, const char *label, const char *text);

/* A number; null if it is not finite. */
void model_json_number(cJSON *parent, const char *key, double v);

/* A string from outside (a recording, a service) as one line of at most max bytes. A longer one is
 * cut and ends in "…", because a report may show thousands. Line breaks become spaces, because a
 * line of its own in a CI system's log may be a command to that system. */
void model_json_cut(cJSON *parent, const char *key, const char *text, size_t max);

/* The same, appended to out. */
void model_json_cut_text(struct buf *out, const char *text, size_t max);

/* The same; null for NULL and "". */
void model_json_cut_or_null(cJSON *parent, const char *key, const char *text, size_t max);

/* Parses a value that the tree holds as JSON text (cJSON_IsRaw), because there are too many to hold
 * each number on its own. The caller deletes the result. NULL without memory. */
cJSON *model_json_parsed(const cJSON *raw);

/* Writes a tree as JSON, with exact numbers (core/json/json_write.h). */
void model_json_write(struct json_write *j, const char *key, const cJSON *tree);

/* Reads a JSON file, gzip or plain ("-": standard input), of at most JSON_TREE_MODEL_MAX values.
 * NULL with a sentence; free it with cJSON_Delete. */
cJSON *model_json_read(const char *path, struct err *e);

/* The first keys of every model: "format", "version", "generator", "generated", "title".
 * integration: the tool that made the report; NULL: unknown. */
void model_json_head(cJSON *model, const char *format, const char *integration, double now,
                     const char *title);

/* Adds the text as it is, and frees it. For texts of rtrack's own. */
void model_json_take(cJSON *o, const char *key, struct buf *text);

/* The same of a text with words from outside: as model_json_cut. */
void model_json_take_cut(cJSON *o, const char *key, struct buf *text, size_t max);

/* Adds a text of rtrack's own, which has no line breaks. */
void model_json_printf(cJSON *o, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends an empty object to the array. */
cJSON *model_json_row(cJSON *array);

/* Adds an object, which is empty, or null and returns NULL: for what may be unknown. */
cJSON *model_json_object_if(bool known, cJSON *parent, const char *key);

#endif
