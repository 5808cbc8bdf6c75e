/* git: reads the commit and the branch of a directory, without running git. */
#include "collect/job/git.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/gz.h"
#include "core/base/same_file.h"

#define LEVELS_MAX 64
#define LINKS_MAX  5 /* symbolic refs in a row, as in git */
#define PACKED_MAX ((size_t)8 << 20)
#define CHUNK      ((size_t)64 << 10)
/* Bytes of an object: headers of a commit are short, unless it merges very many. */
#define OBJECT_RAW  4096
#define OBJECT_TEXT 8192
#define TIME_MAX    253402300799.0 /* the end of the year 9999 */

/* -- parsers ----------------------------------------------------------------------------------- */

static size_t line_length(const char *text, size_t n)
{
	size_t end = 0;

	while (end < n && text[end] != '\n' && text[end] != '\0')
		end++;
	while (end && (text[end - 1] == '\r' || text[end - 1] == ' '))
		end--;
	return end;
}

static bool take_hash(const char *text, size_t n, char out[GIT_REF_MAX])
{
	if (n != 40 && n != 64)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!(text[i] >= '0' && text[i] <= '9') && !(text[i] >= 'a' && text[i] <= 'f'))
			return false;
	memcpy(out, text, n);
	out[n] = '\0';
	return true;
}

/* Accepts only names that git allows and that cannot lead outside the repository when they are
 * opened: no part begins with a dot. */
static bool take_ref_name(const char *text, size_t n, char out[GIT_REF_MAX])
{
	if (n < 6 || n >= GIT_REF_MAX || memcmp(text, "refs/", 5) != 0 || text[n - 1] == '/')
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c <= ' ' || c == 0x7f || strchr("~^:?*[\\", c))
			return false;
		if (c == '/' && (text[i + 1] == '/' || text[i + 1] == '.'))
			return false;
	}
	memcpy(out, text, n);
	out[n] = '\0';
	return true;
}

enum git_ref git_parse_ref(const char *text, size_t n, char out[GIT_REF_MAX])
{
	size_t at = 4;

	out[0] = '\0';
	n = line_length(text, n);
	if (take_hash(text, n, out))
		return GIT_HASH;
	if (n < 5 || memcmp(text, "ref:", 4) != 0)
		return GIT_NONE;
	while (at < n && (text[at] == ' ' || text[at] == '\t'))
		at++;
	return take_ref_name(text + at, n - at, out) ? GIT_SYMBOLIC : GIT_NONE;
}

bool git_packed_line(const char *line, size_t n, const char *ref, char out[GIT_REF_MAX])
{
	size_t length = strlen(ref), hash;

	n = line_length(line, n);
	if (n <= length + 1 || line[n - length - 1] != ' ' ||
	    memcmp(line + n - length, ref, length) != 0)
		return false;
	hash = n - length - 1;
	return take_hash(line, hash, out);
}

/* "committer NAME <ADDRESS> 1795986689 +0100", the time from the end of the line. */
static double committer_time(const char *line, size_t n)
{
	double t = 0;
	size_t at = n, digits = 0;

	while (at > 0 && line[at - 1] != '>')
		at--;
	if (!at || at == n || line[at] != ' ')
		return NAN;
	for (at++; at < n && line[at] >= '0' && line[at] <= '9'; at++, digits++)
		t = t * 10 + (line[at] - '0');
	return digits && at < n && line[at] == ' ' && t <= TIME_MAX ? t : (double)NAN;
}

double git_parse_commit(const char *text, size_t n)
{
	static const char kind[] = "commit ", committer[] = "committer ";
	const char *begin = memchr(text, '\0', n), *end;

	if (!begin || n < sizeof kind || memcmp(text, kind, sizeof kind - 1) != 0)
		return NAN;
	for (begin++; (end = memchr(begin, '\n', n - (size_t)(begin - text))); begin = end + 1) {
		size_t length = (size_t)(end - begin);
		if (!length)
			return NAN; /* the message */
		if (length > sizeof committer &&
		    memcmp(begin, committer, sizeof committer - 1) == 0)
			return committer_time(begin, length);
	}
	return NAN;
}

/* -- files ------------------------------------------------------------------------------------- */

/* Directories of a repository: own is that of the worktree, shared the common one of all worktrees.
 * Both may be the same. */
struct repository {
	int own, shared;
};

static int open_regular_file(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* At most size - 1 bytes, NUL-terminated. */
static long read_head(int dir, const char *name, char *out, size_t size)
{
	int fd = open_regular_file(dir, name);
	ssize_t n;

	out[0] = '\0';
	if (fd < 0)
		return -1;
	do
		n = pread(fd, out, size - 1, 0);
	while (n < 0 && errno == EINTR);
	close(fd);
	out[n > 0 ? n : 0] = '\0';
	return n;
}

static int open_dir(int dir, const char *name)
{
	return openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Opens the directory that a file names, relative to the directory of the file. */
static int open_named(int dir, const char *name, const char *before)
{
	char text[PATH_MAX];
	size_t n, skip = strlen(before);
	long got = read_head(dir, name, text, sizeof text);

	if (got <= 0 || strncmp(text, before, skip) != 0)
		return -1;
	n = line_length(text, (size_t)got);
	text[n] = '\0';
	return n > skip ? open_dir(dir, text + skip) : -1;
}

/* Searches packed-refs, which may have many lines, chunk by chunk. */
static bool find_packed(int dir, const char *ref, char out[GIT_REF_MAX])
{
	int fd = open_regular_file(dir, "packed-refs");
	char *text = fd < 0 ? NULL : alloc_failed_note(malloc(CHUNK));
	size_t have = 0, done = 0;
	bool found = false;
	ssize_t n = text ? 1 : 0;

	while (!found && n > 0 && done < PACKED_MAX) {
		size_t at = 0;
		char *end;
		do
			n = read(fd, text + have, CHUNK - have);
		while (n < 0 && errno == EINTR);
		if (n <= 0)
			break;
		have += (size_t)n;
		done += (size_t)n;
		while (!found && (end = memchr(text + at, '\n', have - at))) {
			found = git_packed_line(text + at, (size_t)(end - text) - at, ref, out);
			at = (size_t)(end - text) + 1;
		}
		/* A line that fills a whole chunk cannot be a ref: skip that part. */
		if (at == 0 && have == CHUNK)
			at = have;
		memmove(text, text + at, have - at);
		have -= at;
	}
	free(text);
	if (fd >= 0)
		close(fd);
	return found;
}

static enum git_ref read_ref(int dir, const char *name, char out[GIT_REF_MAX])
{
	char text[512];
	long n = read_head(dir, name, text, sizeof text);

	out[0] = '\0';
	return n > 0 ? git_parse_ref(text, (size_t)n, out) : GIT_NONE;
}

/* Follows a ref to its hash. Returns false if it has none, such as a branch without a commit. */
static bool resolve_ref(const struct repository *p, const char *name, char out[GIT_REF_MAX])
{
	char ref[GIT_REF_MAX];

	memcpy(ref, name, strlen(name) + 1);
	for (int i = 0; i < LINKS_MAX; i++) {
		enum git_ref kind = read_ref(p->own, ref, out);
		if (kind == GIT_NONE)
			kind = read_ref(p->shared, ref, out);
		if (kind == GIT_HASH)
			return true;
		if (kind == GIT_NONE)
			return find_packed(p->shared, ref, out);
		memcpy(ref, out, sizeof ref);
	}
	return false;
}

static int read_repository(const struct repository *p, void *ctx)
{
	struct git *out = ctx;
	char ref[GIT_REF_MAX], hash[GIT_REF_MAX] = "";
	enum git_ref kind = read_ref(p->own, "HEAD", ref);
	bool branch = kind == GIT_SYMBOLIC && strncmp(ref, "refs/heads/", 11) == 0;

	if (kind == GIT_NONE)
		return -1;
	if (branch)
		memcpy(out->branch, ref + 11, strlen(ref + 11) + 1);
	if (kind == GIT_HASH)
		memcpy(hash, ref, sizeof hash);
	else if (!resolve_ref(p, ref, hash))
		hash[0] = '\0';
	memcpy(out->commit, hash, sizeof out->commit);
	return 0;
}

/* Opens the repository of this directory itself: .git is a directory, or a file that names one. */
static int open_repository(int dir, struct repository *p)
{
	p->own = open_dir(dir, ".git");
	if (p->own < 0)
		p->own = open_named(dir, ".git", "gitdir: ");
	if (p->own < 0)
		return -1;
	p->shared = open_named(p->own, "commondir", "");
	if (p->shared < 0)
		p->shared = dup(p->own);
	return 0;
}

static bool is_same_directory(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) || fstat(b, &y) || same_file(&x, &y);
}

/* Visits the repositories of dir and of the directories above it, until one answers 0. */
static int visit_repositories(const char *dir, int (*visit)(const struct repository *p, void *ctx),
                              void *ctx)
{
	int here = open_dir(AT_FDCWD, dir), up, found = -1;
	struct repository p;

	for (int i = 0; here >= 0 && found < 0 && i < LEVELS_MAX; i++) {
		if (open_repository(here, &p) == 0) {
			found = visit(&p, ctx);
			close(p.own);
			if (p.shared >= 0)
				close(p.shared);
		}
		up = open_dir(here, "..");
		if (up >= 0 && is_same_directory(up, here)) {
			close(up);
			up = -1;
		}
		close(here);
		here = up;
	}
	if (here >= 0)
		close(here);
	return found;
}

int git_read(const char *dir, struct git *out)
{
	*out = (struct git){.commit = ""};
	return visit_repositories(dir, read_repository, out);
}

struct commit {
	const char *hash;
	double time;
};

static int read_commit(const struct repository *p, void *ctx)
{
	struct commit *c = ctx;
	char name[sizeof "objects/00/" + GIT_HASH_MAX], raw[OBJECT_RAW], text[OBJECT_TEXT];
	long n;

	snprintf(name, sizeof name, "objects/%.2s/%s", c->hash, c->hash + 2);
	n = read_head(p->shared, name, raw, sizeof raw);
	n = n > 0 ? gz_zlib_head(raw, (size_t)n, text, sizeof text) : -1;
	if (n > 0)
		c->time = git_parse_commit(text, (size_t)n);
	return isnan(c->time) ? -1 : 0;
}

double git_commit_time(const char *dir, const char *commit)
{
	struct commit c = {.hash = commit, .time = NAN};
	char hash[GIT_REF_MAX];

	if (take_hash(commit, strlen(commit), hash))
		visit_repositories(dir, read_commit, &c);
	return c.time;
}
