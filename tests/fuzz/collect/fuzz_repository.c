/* git_read: a repository of any files: a byte chooses the path, and a NUL stands behind each text.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "../../../collect/git.h"
#include "../fuzz.h"

static const char *const paths[] = {
    "work/.git",           "git/HEAD",      "git/refs/heads/main", "git/refs/heads/a",
    "git/packed-refs",     "git/commondir", "shared/packed-refs",  "shared/refs/heads/main",
    "shared/refs/heads/a",
};
#define PATHS (sizeof paths / sizeof *paths)

static const char *const folders[] = {
    "work",     "git",    "git/refs",    "git/refs/heads",
    "work/sub", "shared", "shared/refs", "shared/refs/heads",
};
#define FOLDERS (sizeof folders / sizeof *folders)

static char top[64];

static void clear(void)
{
	int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; i < PATHS; i++)
		unlinkat(dir, paths[i], 0);
	close(dir);
}

static void remove_all(void)
{
	int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	clear();
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < FOLDERS; i++)
			unlinkat(dir, folders[i], AT_REMOVEDIR);
	close(dir);
	rmdir(top);
}

static void make_folders(void)
{
	char path[128];

	if (*top)
		return;
	snprintf(top, sizeof top, "%s/rtrack-fuzz-XXXXXX",
	         access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	must(mkdtemp(top) != NULL);
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < FOLDERS; i++) {
			snprintf(path, sizeof path, "%s/%s", top, folders[i]);
			mkdir(path, 0700);
		}
	atexit(remove_all);
}

static void put(const char *path, const uint8_t *text, size_t n)
{
	char name[128];
	int fd;

	snprintf(name, sizeof name, "%s/%s", top, path);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	must(fd >= 0 && write(fd, text, n) == (ssize_t)n);
	close(fd);
}

/* A hash or nothing, and a name without anything that a terminal obeys. */
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

	make_folders();
	put("work/.git", (const uint8_t *)"gitdir: ../git\n", 15);
	for (size_t at = 0; at < size;) {
		const uint8_t *text = data + at + 1, *nul = memchr(text, 0, size - at - 1);
		size_t n = nul ? (size_t)(nul - text) : size - at - 1;
		put(paths[data[at] % PATHS], text, n);
		at += n + 2;
	}
	snprintf(where, sizeof where, "%s/work/sub", top);
	check(&g, git_read(where, &g));
	clear();
	return 0;
}
