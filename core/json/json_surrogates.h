/*
 * json_surrogates: escapes in JSON text that cJSON does not keep. cJSON refuses lone surrogates
 * (RFC 8259, 8.2), which Python writes for bytes of file names that are not UTF-8, and it cuts a
 * string at U+0000.
 */
#ifndef CORE_JSON_JSON_SURROGATES_H
#define CORE_JSON_JSON_SURROGATES_H

#include <stddef.h>

/* Replaces each escape of U+0000, and each lone surrogate, by \\ufffd, in n bytes of JSON. */
void json_surrogates_mend(char *text, size_t n);

#endif
