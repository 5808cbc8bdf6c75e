/*
 * json_tree: JSON text before cJSON builds a tree of it.
 *
 * cJSON takes some 80 bytes for a value that has two in the text, and a recursive call for each
 * level. It refuses lone surrogates (RFC 8259, 8.2), which Python writes for bytes of file names
 * that are not UTF-8, and cuts a string at U+0000.
 */
#ifndef CORE_JSON_JSON_TREE_H
#define CORE_JSON_JSON_TREE_H

#include <stddef.h>

#include "core/base/err.h"

#define JSON_TREE_VALUES_MAX 500000  /* of an answer: 40 MiB of tree */
#define JSON_TREE_MODEL_MAX  1000000 /* of a model: 10,000 groups are half of it */

/* 0, or -1 with a sentence if the text has more than `most` values or is nested deeper than
 * `levels`. what names the text in the sentence ("the answer"). Pure; the text need not
 * be valid JSON. */
int json_tree_check(const char *json, size_t n, size_t levels, size_t most, const char *what,
                    struct err *e);

/* Replaces each escape of U+0000, and each lone surrogate, by \\ufffd, in n bytes of JSON. */
void json_tree_mend(char *text, size_t n);

#endif
