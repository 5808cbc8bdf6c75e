/* import_file: the kind of a file, from its beginning. */
#include "fleet/import/import_file.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/standard_input.h"
#include "report/input/input.h"

enum import_kind import_file_kind(const char *path)
{
	char head[IMPORT_HEAD];
	struct stat st;

	if (!standard_input_is(path) && (stat(path, &st) || !S_ISREG(st.st_mode)))
		return IMPORT_NONE;
	return import_kind_of(head, input_beginning(path, head, sizeof head));
}

bool import_file_has_summary(enum import_kind kind, const char *path)
{
	static const char usage[] = "usage.json", info[] = "info.json";
	size_t n = strlen(path), end = sizeof usage - 1;
	char summary[PATH_MAX];

	if (kind != IMPORT_DUCT || n < end || strcmp(path + n - end, usage) != 0)
		return false;
	memcpy(summary, path, n - end);
	memcpy(summary + n - end, info, sizeof info);
	return import_file_kind(summary) == IMPORT_DUCT;
}
