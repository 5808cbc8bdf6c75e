/* load_name: what the name of a file or an object says about it. */
#include "report/runs/load_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/alloc_failed.h"
#include "core/base/standard_input.h"
#include "report/input/store_address.h"

const char *load_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (standard_input_is(path))
		return standard_input_name(path);
	return slash ? slash + 1 : path;
}

static bool name_ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && strcmp(s + n - m, end) == 0;
}

/* OUT.partial; or OUT.partial.2 and so on, if that name was taken. */
bool load_is_journal_name(const char *name)
{
	const char *end = strstr(name, ".partial");

	if (!end)
		return false;
	end += strlen(".partial");
	return !*end || (*end == '.' && end[1] && !end[1 + strspn(end + 1, "0123456789")]);
}

bool load_is_recording_name(const char *name)
{
	return *name != '.' && (name_ends_in(name, ".json.gz") || name_ends_in(name, ".json") ||
	                        load_is_journal_name(name));
}

bool load_is_page_name(const char *name)
{
	return *name != '.' && (name_ends_in(name, ".html") || name_ends_in(name, ".htm"));
}

bool load_is_packed_page_name(const char *name)
{
	return name_ends_in(name, ".html.gz") || name_ends_in(name, ".htm.gz");
}

bool load_is_address(const char *path)
{
	return store_kind_of(path) == STORE_S3;
}

char *load_name_unfinished(const char *path)
{
	static const char suffix[] = ".partial";
	size_t n = strlen(path);
	char *journal = NULL;
	struct stat st;

	if (load_is_address(path) || standard_input_is(path) || lstat(path, &st) == 0 ||
	    errno != ENOENT)
		return NULL;
	journal = alloc_failed_note(malloc(n + sizeof suffix));
	if (!journal)
		return NULL;
	memcpy(journal, path, n);
	memcpy(journal + n, suffix, sizeof suffix);
	if (stat(journal, &st) == 0 && S_ISREG(st.st_mode))
		return journal;
	free(journal);
	return NULL;
}
