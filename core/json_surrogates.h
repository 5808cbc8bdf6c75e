/*
 * json_surrogates: escapes in JSON's text that cJSON does not keep. Halves of characters (RFC
 * 8259, 8.2), which Python writes for the bytes of strange file names, it refuses; at U+0000 it
 * cuts the string.
 */
#ifndef CORE_JSON_SURROGATES_H
#define CORE_JSON_SURROGATES_H

#include <stddef.h>

/* Makes \\ufffd of each escape of U+0000, and of each half that stands alone, in n bytes of JSON.
 */
void json_surrogates_mend(char *text, size_t n);

#endif
