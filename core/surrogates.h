/*
 * surrogates: halves of characters in JSON's text (RFC 8259, 8.2), which Python writes for the
 * bytes of strange file names and cJSON refuses.
 */
#ifndef CORE_SURROGATES_H
#define CORE_SURROGATES_H

#include <stddef.h>

/* Makes \\ufffd of each escape of one that stands alone, in n bytes of JSON. */
void surrogates_mend(char *text, size_t n);

#endif
