/*
 * edit_distance: Levenshtein's distance of two words, to suggest the nearest known one.
 */
#ifndef CORE_BASE_EDIT_DISTANCE_H
#define CORE_BASE_EDIT_DISTANCE_H

#include <stddef.h>

#define EDIT_DISTANCE_FAR 99

/* The number of letters to insert, remove or replace to turn b into a (n bytes). EDIT_DISTANCE_FAR
 * for words of more than 64 bytes. */
size_t edit_distance(const char *a, size_t n, const char *b);

#endif
