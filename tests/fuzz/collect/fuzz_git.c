/* Fuzzes collect/job/git.c: the text of a ref, a line of packed-refs and an object. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/job/git.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	char out[GIT_REF_MAX];
	enum git_ref kind = git_parse_ref(text, size, out);

	if ((kind == GIT_NONE) != (*out == '\0'))
		abort();
	if (kind == GIT_SYMBOLIC && (strncmp(out, "refs/", 5) != 0 || strstr(out, "/..")))
		abort();
	if (git_packed_line(text, size, "refs/heads/main", out) && strlen(out) != 40 &&
	    strlen(out) != 64)
		abort();
	if (git_parse_commit(text, size) < 0)
		abort();
	return 0;
}
