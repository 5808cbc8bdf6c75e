/* keeper_text: text from the Keeper API's answers, made safe to show. */
#include "report/prices/keeper_text.h"

#include <string.h>

void keeper_text_copy(char *out, size_t size, const char *text)
{
	size_t n = strlen(text);

	if (n >= size)
		for (n = size - 1; n && ((unsigned char)text[n] & 0xc0) == 0x80;)
			n--;
	for (size_t i = 0; i < n; i++)
		out[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? ' ' : text[i];
	out[n] = '\0';
}
