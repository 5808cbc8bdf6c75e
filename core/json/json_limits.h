/*
 * json_limits: refuses JSON text whose tree would be too large, before cJSON builds the tree.
 *
 * cJSON takes some 80 bytes for a value that has two in the text, and a recursive call a level.
 */
#ifndef CORE_JSON_JSON_LIMITS_H
#define CORE_JSON_JSON_LIMITS_H

#include <stddef.h>

#include "core/base/err.h"

#define JSON_LIMITS_VALUES_MAX 500000 /* 40 MiB of tree */

/* 0, or -1 with a sentence if the text has more than JSON_LIMITS_VALUES_MAX values or is nested
 * deeper than levels. what names the text in the sentence ("the answer"). Pure; the text need not
 * be valid JSON. */
int json_limits_check(const char *json, size_t n, size_t levels, const char *what, struct err *e);

#endif
