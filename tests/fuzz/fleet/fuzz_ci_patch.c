/* ci_patch: a job's name, a NUL, and any bytes as a workflow. A label that is found is one, on its line, and the patch that
 * replaces it has one line out and one in. */
#include <string.h>

#include "fleet/ci/ci_patch.h"
#include "tests/fuzz/fuzz.h"

static void check(enum ci_patch_kind kind, const char *text, size_t n, const char *job)
{
	struct ci_patch_change c = {.label = "new"};
	struct err e = {0};
	struct buf out = {0};

	if (ci_patch_find(kind, text, n, job, &c.place, &e)) {
		must(*e.msg);
		return;
	}
	must(c.place.n && c.place.at + c.place.n <= n && c.place.line);
	must(!memchr(text + c.place.at, '\n', c.place.n));
	ci_patch_diff("w.yml", text, n, &c, 1, &out);
	must(strstr(buf_cstr(&out), "\n@@ -"));
	buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *job = (const char *)data, *nul = size ? memchr(data, 0, size) : NULL;
	struct buf name = {0};
	size_t n;

	if (!nul)
		return 0;
	n = size - (size_t)(nul + 1 - job);
	check(CI_PATCH_GITHUB, nul + 1, n, job);
	check(CI_PATCH_GITLAB, nul + 1, n, job);
	ci_patch_name(nul + 1, n, &name);
	must(name.len <= n);
	buf_free(&name);
	return 0;
}
