/*
 * near: how far a word is from another, to suggest what was meant.
 */
#ifndef CORE_NEAR_H
#define CORE_NEAR_H

#include <stddef.h>

#define NEAR_FAR 99

/* Letters to insert, remove or replace to make a (n bytes) of b; NEAR_FAR for words of more than 64
 * bytes. */
size_t near_distance(const char *a, size_t n, const char *b);

#endif
