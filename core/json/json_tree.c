/* json_tree: JSON text before cJSON builds a tree of it. */
#include "core/json/json_tree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int json_tree_check(const char *json, size_t n, size_t levels, size_t most, const char *what,
                    struct err *e)
{
	size_t values = 1, depth = 0;
	bool string = false;

	for (size_t i = 0; i < n; i++) {
		char c = json[i];
		if (string && c == '\\')
			i++;
		else if (c == '"')
			string = !string;
		else if (string)
			continue;
		else if (c == '[' || c == '{')
			values++, depth++;
		else if (c == ',')
			values++;
		else if ((c == ']' || c == '}') && depth)
			depth--;
		if (depth > levels)
			return err_set(e, "%s is nested deeper than %zu levels", what, levels);
		if (values > most)
			return err_set(e, "%s has more than %zu values", what, most);
	}
	return 0;
}

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

void json_tree_mend(char *text, size_t n)
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
