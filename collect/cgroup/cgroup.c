/* cgroup: in which cgroups a process is, and where their directories are. */
#include "collect/cgroup/cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/procfs/scan.h"
#include "core/alloc_failed.h"

#define TEXT_MAX ((size_t)1 << 20) /* of mountinfo; untouched pages cost nothing */

static const char *const controllers[CGROUP_KINDS] = {
    [CGROUP_CPU] = "cpu",
    [CGROUP_CPUACCT] = "cpuacct",
    [CGROUP_CPUSET] = "cpuset",
    [CGROUP_MEMORY] = "memory",
};

/* Takes the bytes up to a separator, which it passes over, or the rest. */
static bool field(struct scan *s, char separator, struct scan *out)
{
	const char *end;

	if (s->p >= s->end)
		return false;
	end = memchr(s->p, separator, (size_t)(s->end - s->p));
	out->p = s->p;
	out->end = end ? end : s->end;
	s->p = end ? end + 1 : s->end;
	return true;
}

static bool lists(struct scan list, const char *name)
{
	struct scan item;

	while (field(&list, ',', &item))
		if (scan_is(item, name))
			return true;
	return false;
}

/* -- /proc/PID/cgroup -------------------------------------------------------------------------- */

/* Copies a path and undoes mountinfo's \040, where asked. False where it does not fit, or is none.
 */
static bool take_path(struct scan s, bool escaped, char *out, size_t size)
{
	size_t len = 0;

	if (s.p >= s.end || *s.p != '/')
		return false;
	while (s.p < s.end) {
		char c = *s.p++;

		if (escaped && c == '\\' && s.end - s.p >= 3 && *s.p >= '0' && *s.p <= '3') {
			c = (char)((s.p[0] & 7) * 64 + (s.p[1] & 7) * 8 + (s.p[2] & 7));
			s.p += 3;
		}
		if (c == '\0' || len + 1 >= size)
			return false;
		out[len++] = c;
	}
	out[len] = '\0';
	return true;
}

/* The path of the process in the hierarchy of kind: "ID:CONTROLLERS:PATH". */
static bool own_path(const char *text, size_t n, enum cgroup_kind kind, char *out, size_t size)
{
	struct scan s = scan_text(text, n), line, id, names;

	while (scan_line(&s, &line)) {
		bool v2;

		if (!field(&line, ':', &id) || !field(&line, ':', &names))
			continue;
		v2 = scan_is(id, "0") && names.p == names.end;
		if (kind == CGROUP_V2 ? v2 : !v2 && lists(names, controllers[kind]))
			return take_path(line, false, out, size);
	}
	return false;
}

/* -- mountinfo --------------------------------------------------------------------------------- */

struct mount {
	struct scan root, place;
};

/* A line that mounts the hierarchy of kind. */
static bool mount_of(struct scan line, enum cgroup_kind kind, struct mount *out)
{
	struct scan word, type, options;

	if (!scan_skip(&line, 3) || !scan_word(&line, &out->root) || !scan_word(&line, &out->place))
		return false;
	while (scan_word(&line, &word))
		if (scan_is(word, "-"))
			break;
	if (!scan_word(&line, &type))
		return false;
	if (kind == CGROUP_V2)
		return scan_is(type, "cgroup2");
	return scan_is(type, "cgroup") && scan_skip(&line, 1) && scan_word(&line, &options) &&
	       lists(options, controllers[kind]);
}

/* path without root before it, where it is below; else NULL. */
static const char *below(const char *path, const char *root)
{
	size_t n = strlen(root);

	if (strcmp(root, "/") == 0)
		return strcmp(path, "/") == 0 ? "" : path;
	if (strncmp(path, root, n) != 0 || (path[n] != '\0' && path[n] != '/'))
		return NULL;
	return strcmp(path + n, "/") == 0 ? "" : path + n;
}

/* ".." leads out of what a namespace shows: its name in the mount is not known. */
static bool climbs(const char *path)
{
	for (; (path = strstr(path, "/..")); path += 3)
		if (path[3] == '\0' || path[3] == '/')
			return true;
	return false;
}

/* A deleted cgroup keeps its name, with this behind it. */
static bool deleted(const char *path)
{
	static const char mark[] = " (deleted)";
	size_t n = strlen(path), m = sizeof mark - 1;

	return n >= m && strcmp(path + n - m, mark) == 0;
}

/* Where this mount shows path. */
static void place(struct cgroup_dir *d, const struct mount *m, const char *path)
{
	struct cgroup_dir at = {.known = true};
	char root[CGROUP_PATH_MAX];
	const char *rest;
	size_t len;

	if (!take_path(m->root, true, root, sizeof root) ||
	    !take_path(m->place, true, at.path, sizeof at.path))
		return;
	/* No leading slash, and none at the end: the path is one of openat(2), below the root. */
	memmove(at.path, at.path + 1, strlen(at.path));
	at.top = len = strlen(at.path);
	rest = below(path, root);
	if (!rest || climbs(rest) || deleted(rest)) {
		at.known = false;
		at.above = true;
		rest = "";
	}
	/* The first that shows it; one that shows more ancestors is better. */
	if (len == 0 || len + strlen(rest) >= sizeof at.path || (d->known && !at.known) ||
	    (d->known && strlen(d->path) - d->top >= strlen(rest)) || (d->above && at.above))
		return;
	memcpy(at.path + len, rest, strlen(rest) + 1);
	*d = at;
}

void cgroup_parse(struct cgroup *c, const char *cgroup, size_t n, const char *mountinfo, size_t m)
{
	*c = (struct cgroup){.v = {{.known = false}}};
	for (int kind = 0; kind < CGROUP_KINDS; kind++) {
		struct scan s = scan_text(mountinfo, m), line;
		struct mount mount;
		char path[CGROUP_PATH_MAX];

		if (!own_path(cgroup, n, (enum cgroup_kind)kind, path, sizeof path))
			continue;
		while (scan_line(&s, &line))
			if (mount_of(line, (enum cgroup_kind)kind, &mount))
				place(&c->v[kind], &mount, path);
	}
}

/* -- the directories --------------------------------------------------------------------------- */

int cgroup_open(const struct root *r, const struct cgroup_dir *d, size_t len, const char *file)
{
	char path[CGROUP_PATH_MAX + 64];
	int n = snprintf(path, sizeof path, "%.*s/%s", (int)len, d->path, file);

	if (n < 0 || (size_t)n >= sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return root_openat(r, path);
}

long cgroup_read(const struct root *r, const struct cgroup_dir *d, size_t len, const char *file,
                 char *out, size_t size)
{
	return root_take_fd(cgroup_open(r, d, len, file), out, size);
}

static bool has(const struct root *r, const struct cgroup_dir *d, const char *file)
{
	int fd = cgroup_open(r, d, d->top, file);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* The mount point has the files that only the root of a hierarchy has, or lacks those that only it
 * lacks. */
static bool is_whole(const struct root *r, const struct cgroup_dir *d, enum cgroup_kind kind)
{
	if (!has(r, d, "cgroup.procs"))
		return false;
	return kind == CGROUP_V2 ? !has(r, d, "cgroup.events") : has(r, d, "release_agent");
}

void cgroup_find(struct cgroup *c, const struct root *r, int pid)
{
	char *text = alloc_failed_note(malloc(TEXT_MAX)), own[8192], path[64] = "proc/self/cgroup";
	long n, m;

	*c = (struct cgroup){.v = {{.known = false}}};
	if (!text)
		return;
	if (pid > 0)
		snprintf(path, sizeof path, "proc/%d/cgroup", pid);
	n = root_read(r, path, own, sizeof own);
	m = root_read(r, "proc/self/mountinfo", text, TEXT_MAX);
	if (m < 0 && errno == EFBIG)
		m = (long)strlen(text);
	if (n > 0 && m > 0)
		cgroup_parse(c, own, (size_t)n, text, (size_t)m);
	free(text);
	for (int kind = 0; kind < CGROUP_KINDS; kind++) {
		struct cgroup_dir *d = &c->v[kind];

		if (d->known || d->above)
			d->whole = is_whole(r, d, (enum cgroup_kind)kind);
	}
}

const struct cgroup_dir *cgroup_of(const struct cgroup *c, enum cgroup_kind kind, bool *v2)
{
	const struct cgroup_dir *d = &c->v[kind];

	*v2 = !d->known && !d->above;
	if (*v2)
		d = &c->v[CGROUP_V2];
	return d->known || d->above ? d : NULL;
}

bool cgroup_is_machine(const struct cgroup_dir *d)
{
	return d->known && d->whole && d->path[d->top] == '\0';
}

size_t cgroup_parent(const struct cgroup_dir *d, size_t len)
{
	if (len <= d->top)
		return 0;
	while (len > d->top && d->path[len - 1] != '/')
		len--;
	return len > d->top ? len - 1 : d->top;
}
