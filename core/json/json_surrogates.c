/* json_surrogates: escapes in JSON's text that cJSON does not keep. */
#include "core/json/json_surrogates.h"

#include <stdlib.h>
#include <string.h>

/* The surrogate that an escape such as "\\ud83d" stands for; 0 if it is none. */
static unsigned surrogate(const char *p, const char *end)
{
	char digits[5] = "";

	if (end - p < 6 || p[0] != '\\' || p[1] != 'u' || (p[2] | 32) != 'd')
		return 0;
	memcpy(digits, p + 2, 4);
	return strspn(digits, "0123456789abcdefABCDEF") == 4 && digits[1] >= '8'
	           ? (unsigned)strtoul(digits, NULL, 16)
	           : 0;
}

void json_surrogates_mend(char *text, size_t n)
{
	const char *end = text + n;

	for (char *p = text; p < end; p += p[0] == '\\' ? 2 : 1) {
		unsigned high = surrogate(p, end), low = high ? surrogate(p + 6, end) : 0;
		if (high && high < 0xdc00 && low >= 0xdc00)
			p += 10;
		else if (high || (end - p >= 6 && memcmp(p, "\\u0000", 6) == 0))
			/* bugprone-not-null-terminated-result: within the text */
			memcpy(p + 2, "fffd", 4);
	}
}
