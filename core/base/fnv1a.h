/*
 * fnv1a: the 64-bit hash FNV-1a of texts. Not for secrets, nor against an attacker.
 */
#ifndef CORE_BASE_FNV1A_H
#define CORE_BASE_FNV1A_H

#include <stdint.h>

#define FNV1A_BEGIN 0xcbf29ce484222325u

/* Adds a text and its end, so that "a", "bc" is not "ab", "c". hash: FNV1A_BEGIN, or the hash of
 * the texts before it. */
static inline uint64_t fnv1a_add(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return (hash ^ 0xff) * 0x100000001b3u;
}

#endif
