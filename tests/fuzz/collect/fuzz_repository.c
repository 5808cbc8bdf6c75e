/* Fuzzes git_read with a repository of any files: a byte chooses the path, a NUL ends each text. */

#include "collect/job/git.h"
#include "tests/fuzz/folder.h"

static const char *const paths[] = {
    "work/.git",
    "git/HEAD",
    "git/refs/heads/main",
    "git/refs/heads/a",
    "git/packed-refs",
    "git/commondir",
    "shared/packed-refs",
    "shared/refs/heads/main",
    "shared/refs/heads/a",
    "work/sub/file",
    "git/objects/01/23456789abcdef0123456789abcdef01234567",
    NULL,
};

/* The result is a hash or nothing, and a name without control characters. */
static void check(const struct git *g, int failed)
{
	size_t n = strlen(g->commit);

	must(!failed || (n == 0 && !*g->branch));
	must(n == 0 || n == 40 || n == 64);
	must(strspn(g->commit, "0123456789abcdef") == n);
	must(strlen(g->branch) < sizeof g->branch);
	for (const char *s = g->branch; *s; s++)
		must((unsigned char)*s >= 0x20 && *s != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char where[96];
	struct git g;

	fuzz_folder_begin(paths);
	fuzz_folder_write("work/.git", "gitdir: ../git\n", 15);
	for (size_t at = 0; at < size;)
		at += fuzz_folder_put(data + at, size - at);
	snprintf(where, sizeof where, "%s/work/sub", fuzz_folder.top);
	check(&g, git_read(where, &g));
	must(!(git_commit_time(where, "0123456789abcdef0123456789abcdef01234567") < 0));
	fuzz_folder_clear();
	return 0;
}
