/* json_limits: refuses JSON text whose tree would be too large. */
#include "core/json/json_limits.h"

#include <stdbool.h>

int json_limits_check(const char *json, size_t n, size_t levels, const char *what, struct err *e)
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
		if (values > JSON_LIMITS_VALUES_MAX)
			return err_set(e, "%s has more than %d values", what,
			               JSON_LIMITS_VALUES_MAX);
	}
	return 0;
}
