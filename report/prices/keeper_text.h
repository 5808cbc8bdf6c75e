/*
 * keeper_text: text from the Keeper API's answers, made safe to show. Pure.
 */
#ifndef REPORT_PRICES_KEEPER_TEXT_H
#define REPORT_PRICES_KEEPER_TEXT_H

#include <stddef.h>

/* Copies text and cuts it to fit, at a UTF-8 character boundary; control characters become
 * spaces. */
void keeper_text_copy(char *out, size_t size, const char *text);

#endif
