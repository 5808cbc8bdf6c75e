/*
 * page_model_short: the model of a page without the texts that its numbers give.
 *
 * {"value", "text", "unit"} whose text is what units_text makes of the value is {"@UNIT": value},
 * and {"unix", "iso", "text"} is {"@time": unix}. No other object of a model has one member whose
 * name begins with "@" and whose value is a number.
 */
#ifndef REPORT_UNITS_PAGE_MODEL_SHORT_H
#define REPORT_UNITS_PAGE_MODEL_SHORT_H

#include <cjson/cJSON.h>

#include "core/json/json_write.h"

/* As model_json_write, but short. */
void page_model_short_write(struct json_write *j, const char *key, const cJSON *tree);

/* Puts the texts back in. Without memory, alloc_failed() says so. */
void page_model_short_restore(cJSON *tree);

#endif
