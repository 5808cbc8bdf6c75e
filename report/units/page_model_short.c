/* page_model_short: the model of a page without the texts that its numbers give. */
#include "report/units/page_model_short.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

#define TIME "@time"

/* The members of an object with exactly these three names, in this order. */
static bool has_three(const cJSON *o, const char *const names[3], const cJSON *out[3])
{
	const cJSON *one = cJSON_IsObject(o) ? o->child : NULL;

	for (int i = 0; i < 3; i++, one = one->next) {
		if (!one || !one->string || strcmp(one->string, names[i]) != 0)
			return false;
		out[i] = one;
	}
	return !one;
}

/* Amounts of money have the report's currency as their unit, so none is found for them. */
static bool find_unit(const char *name, enum unit *unit)
{
	for (int u = 0; u <= UNIT_MONEY; u++) {
		*unit = (enum unit)u;
		if (!units_is_money(*unit) && strcmp(units_name(*unit), name) == 0)
			return true;
	}
	return false;
}

static bool reads(const cJSON *item, const char *text)
{
	return cJSON_IsString(item) && strcmp(item->valuestring, text) == 0;
}

/* The name of the short form in key; false: it must be written as it is. */
static bool short_form(const cJSON *o, char key[40], double *value)
{
	static const char *const quantity[] = {"value", "text", "unit"}, *const time[] = {
									     "unix", "iso", "text"};
	const cJSON *m[3];
	char text[64], iso[UNITS_SIZE];
	enum unit u;

	if (has_three(o, quantity, m) && cJSON_IsNumber(m[0]) && cJSON_IsString(m[2]) &&
	    find_unit(m[2]->valuestring, &u) &&
	    reads(m[1], units_text(u, m[0]->valuedouble, NULL, text)))
		snprintf(key, 40, "@%s", m[2]->valuestring);
	else if (has_three(o, time, m) && cJSON_IsNumber(m[0]) &&
	         reads(m[1], units_time_iso(m[0]->valuedouble, iso)) &&
	         reads(m[2], units_time_text(m[0]->valuedouble, text)))
		snprintf(key, 40, TIME);
	else
		return false;
	*value = m[0]->valuedouble;
	return isfinite(*value);
}

/* misc-no-recursion: as deep as JSON is written, see model_json_write */
void page_model_short_write(struct json_write *j, const char *key, const cJSON *tree)
{
	const cJSON *child;
	char name[40];
	double value;

	if (cJSON_IsObject(tree)) {
		json_write_object(j, key);
		if (short_form(tree, name, &value))
			json_write_num(j, name, value);
		else if (!j->failed)
			cJSON_ArrayForEach (child, tree)
				page_model_short_write(j, child->string, child);
		json_write_object_end(j);
	} else if (cJSON_IsArray(tree)) {
		json_write_array(j, key);
		if (!j->failed)
			cJSON_ArrayForEach (child, tree)
				page_model_short_write(j, NULL, child);
		json_write_array_end(j);
	} else {
		model_json_write(j, key, tree);
	}
}

/* Makes an object of the short form the long one again. */
static void restore_one(cJSON *o)
{
	cJSON *only = cJSON_DetachItemViaPointer(o, o->child);
	double value = only->valuedouble;
	char text[64];
	enum unit u;

	if (strcmp(only->string, TIME) == 0) {
		model_json_number(o, "unix", value);
		alloc_failed_note(cJSON_AddStringToObject(o, "iso", units_time_iso(value, text)));
		alloc_failed_note(cJSON_AddStringToObject(o, "text", units_time_text(value, text)));
	} else if (find_unit(only->string + 1, &u)) {
		model_json_number(o, "value", value);
		alloc_failed_note(
		    cJSON_AddStringToObject(o, "text", units_text(u, value, NULL, text)));
		alloc_failed_note(cJSON_AddStringToObject(o, "unit", units_name(u)));
	} else {
		cJSON_AddItemToObject(o, only->string, only);
		return;
	}
	cJSON_Delete(only);
}

/* misc-no-recursion: as deep as JSON is read, see core/json/json_tree.h */
void page_model_short_restore(cJSON *tree)
{
	cJSON *child;

	if (cJSON_IsObject(tree) && tree->child && !tree->child->next &&
	    cJSON_IsNumber(tree->child) && tree->child->string && *tree->child->string == '@')
		restore_one(tree);
	else
		cJSON_ArrayForEach (child, tree)
			page_model_short_restore(child);
}
