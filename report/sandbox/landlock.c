/* landlock: permanently restricts the files that a process can use. */
#include "report/sandbox/landlock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Constants of <linux/landlock.h>, which may be missing, or older than the kernel. */
enum {
	CREATE_RULESET = 444, /* the same on every architecture */
	ADD_RULE,
	RESTRICT_SELF,
	ASK_VERSION = 1,
	PATH_BENEATH = 1,
	LINKS_MAX = 100000
};

enum {
	EXECUTE = 1 << 0,
	WRITE_FILE = 1 << 1,
	READ_FILE = 1 << 2,
	READ_DIR = 1 << 3,
	REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_CHAR = 1 << 6,
	MAKE_DIR = 1 << 7,
	MAKE_REG = 1 << 8,
	MAKE_SOCK = 1 << 9,
	MAKE_FIFO = 1 << 10,
	MAKE_BLOCK = 1 << 11,
	MAKE_SYM = 1 << 12,
	REFER = 1 << 13,    /* since Landlock ABI 2 */
	TRUNCATE = 1 << 14, /* since Landlock ABI 3 */

	OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE,
	READING = READ_FILE | READ_DIR,
	REPLACING = READING | WRITE_FILE | MAKE_REG | REMOVE_FILE | TRUNCATE,
	ALL = (1 << 15) - 1
};

struct beneath {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

void landlock_begin(struct landlock *r, enum landlock_scope scope)
{
	long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);

	*r = (struct landlock){.rules = -1};
#ifdef RTRACK_INSTRUMENTED /* coverage data is written next to the object files */
	version = 0;
#endif
	if (version < 1)
		return;
	r->handled = ALL;
	if (version < 2)
		r->handled &= ~(uint64_t)(REFER | TRUNCATE);
	else if (version < 3)
		r->handled &= ~(uint64_t)TRUNCATE;
	if (scope == LANDLOCK_WRITING)
		r->handled &= ~(uint64_t)READING;
	r->rules = (int)syscall(CREATE_RULESET, &r->handled, sizeof r->handled, 0);
}

/* EBADFD is not a failure: pipes and the like need no rule, because Landlock never denies them. */
static void allow_path(struct landlock *r, const char *path, uint64_t what)
{
	struct beneath rule = {.allowed = what & r->handled};
	struct stat st;

	if (r->rules < 0 || r->failed || !rule.allowed)
		return;
	rule.parent = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent < 0) {
		r->failed = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
		return;
	}
	if (fstat(rule.parent, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.allowed &= OF_A_FILE;
	if (rule.allowed && syscall(ADD_RULE, r->rules, PATH_BENEATH, &rule, 0) && errno != EBADFD)
		r->failed = true;
	close(rule.parent);
}

/* Adds a rule for the path's parent folder. */
static void allow_parent(struct landlock *r, const char *path, uint64_t what)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) : 0;

	if (slash == path)
		n = 1;
	if (n < sizeof folder) {
		snprintf(folder, sizeof folder, "%.*s", n ? (int)n : 1, n ? path : ".");
		allow_path(r, folder, what);
	}
}

static void read_one(struct landlock *r, const char *path)
{
	char real[PATH_MAX];
	struct stat st;

	allow_path(r, path, READING);
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && realpath(path, real))
		allow_parent(r, real, READ_FILE);
}

static void read_links(struct landlock *r, const char *folder)
{
	DIR *d = opendir(folder);
	const struct dirent *f;
	char path[PATH_MAX];

	for (int left = LINKS_MAX; d && left && (f = readdir(d)); left--)
		if ((f->d_type == DT_LNK || f->d_type == DT_UNKNOWN) && f->d_name[0] != '.' &&
		    snprintf(path, sizeof path, "%s/%s", folder, f->d_name) < PATH_MAX)
			read_one(r, path);
	if (d)
		closedir(d);
}

void landlock_read(struct landlock *r, const char *path)
{
	struct stat st;

	if (r->rules < 0 || !(r->handled & READ_FILE) || stat(path, &st))
		return;
	if (S_ISDIR(st.st_mode)) {
		allow_path(r, path, READING);
		read_links(r, path);
	} else {
		read_one(r, path);
	}
}

void landlock_write(struct landlock *r, const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		allow_path(r, path, REPLACING);
	else
		allow_parent(r, path, REPLACING & ~READ_DIR);
}

void landlock_folder(struct landlock *r, const char *path)
{
	allow_path(r, path, REPLACING);
}

void landlock_remove(struct landlock *r, const char *path)
{
	allow_path(r, path, READ_DIR | REMOVE_FILE | REMOVE_DIR);
}

bool landlock_end(struct landlock *r)
{
	bool held = r->rules >= 0 && !r->failed && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	            syscall(RESTRICT_SELF, r->rules, 0) == 0;

	if (r->rules >= 0)
		close(r->rules);
	*r = (struct landlock){.rules = -1};
	return held;
}
