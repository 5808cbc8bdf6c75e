/*
 * json_limits: what a JSON text asks of the reader that builds a tree of it, before it is built.
 *
 * A tree takes some 80 bytes for a value that is two in the text, and a call for each level.
 */
#ifndef CORE_JSON_LIMITS_H
#define CORE_JSON_LIMITS_H

#include <stddef.h>

#include "core/err.h"

#define JSON_LIMITS_VALUES_MAX 500000 /* 40 MiB of tree */

/* 0, or -1 with a sentence where the text has more than JSON_LIMITS_VALUES_MAX values or levels:
 * what is
 * "the answer". Pure; text that is no JSON is weighed too. */
int json_limits_check(const char *json, size_t n, size_t levels, const char *what, struct err *e);

#endif
