/*
 * tree: the small shapes that the model is made of (docs/model.md), and its text.
 */
#ifndef REPORT_TREE_H
#define REPORT_TREE_H

#include <stddef.h>

#include <cjson/cJSON.h>

#include "../core/err.h"
#include "../core/json.h"

#define TREE_TEXT_MAX ((size_t)1024) /* bytes of a sentence, a path, a value */
#define TREE_NAME_MAX ((size_t)256)  /* bytes of a name */

/* What a quantity measures: its base unit, and how it reads. */
enum tree_unit {
	TREE_BYTES,
	TREE_RATE, /* bytes per second */
	TREE_CORES,
	TREE_SECONDS,
	TREE_GPUS,
	TREE_COUNT,
	TREE_PERCENT, /* of percent, not of shares */
	TREE_WATTS,
	TREE_CELSIUS,
	TREE_MONEY_HOUR, /* in the report's currency */
	TREE_MONEY,
};

/* The unit's name in the model: "bytes/s". */
const char *tree_unit_name(enum tree_unit u);

/* v as people read it: "1.34 cores". Money needs its currency; NULL is USD. */
const char *tree_text(enum tree_unit u, double v, const char *currency, char out[64]);

/* {"value", "text", "unit"}; parent may be an object (with key) or an array (key NULL). */
cJSON *tree_quantity(cJSON *parent, const char *key, enum tree_unit u, double v);
cJSON *tree_money(cJSON *parent, const char *key, enum tree_unit u, double v, const char *currency);

/* {"unix", "iso", "text"}, or null where v is NAN. */
void tree_time(cJSON *parent, const char *key, double unix_s);

/* {"id", "label", "text"} appended to the array; text is cut at TREE_TEXT_MAX. */
void tree_fact(cJSON *array, const char *id, const char *label, const char *text);

/* A number; null where NAN. */
void tree_number(cJSON *parent, const char *key, double v);

/* A string of others (a recording's, a service's) as one line of at most max bytes: one that is
 * longer is cut, and ends in "…", for a report shows thousands of them; line breaks become spaces,
 * for a line of its own may be a command to the CI system whose log a text template goes to. */
void tree_cut(cJSON *parent, const char *key, const char *text, size_t max);

/* The same; null where NULL or "". */
void tree_cut_or_null(cJSON *parent, const char *key, const char *text, size_t max);

/* Writes a tree as JSON. Numbers stay exact, as core/json.h says. */
void tree_write(struct json *j, const char *key, const cJSON *tree);

/* The tree of a JSON file, gzip or plain ("-": standard input). One of over
 * WEIGH_VALUES_MAX values is refused. NULL with a sentence; free it with cJSON_Delete. */
cJSON *tree_read(const char *path, struct err *e);

#endif
