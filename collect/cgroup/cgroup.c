/* cgroup: the cgroups that a process is in, and their directories. */
#include "collect/cgroup/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_text.h"
#include "collect/procfs/scan.h"
#include "core/base/alloc_failed.h"

#define TEXT_MAX        32768 /* vmstat is the longest file */
#define MOUNTINFO_USUAL ((size_t)1 << 16)
#define MOUNTINFO_MAX   ((size_t)1 << 20)

static const char *const controllers[CGROUP_KINDS] = {
    [CGROUP_CPU] = "cpu",       [CGROUP_CPUACCT] = "cpuacct", [CGROUP_CPUSET] = "cpuset",
    [CGROUP_MEMORY] = "memory", [CGROUP_PIDS] = "pids",
};

/* Takes the bytes up to a separator, and skips it; without one, the rest. */
static bool take_field(struct scan *s, char separator, struct scan *out)
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

static bool list_contains(struct scan list, const char *name)
{
	struct scan item;

	while (take_field(&list, ',', &item))
		if (scan_is(item, name))
			return true;
	return false;
}

/* -- /proc/PID/cgroup -------------------------------------------------------------------------- */

/* Copies a path; escaped: with mountinfo's octal escapes (\040). False if it does not fit, or is
 * not absolute. */
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

/* The path in the hierarchy of kind, from its line "ID:CONTROLLERS:PATH". */
static bool own_path(const char *text, size_t n, enum cgroup_kind kind, char *out, size_t size)
{
	struct scan s = scan_text(text, n), line, id, names;

	while (scan_line(&s, &line)) {
		bool v2;

		if (!take_field(&line, ':', &id) || !take_field(&line, ':', &names))
			continue;
		v2 = scan_is(id, "0") && names.p == names.end;
		if (kind == CGROUP_V2 ? v2 : !v2 && list_contains(names, controllers[kind]))
			return take_path(line, false, out, size);
	}
	return false;
}

/* -- mountinfo --------------------------------------------------------------------------------- */

struct mount {
	struct scan root, place, type, options;
};

/* Whether a line of mountinfo mounts a cgroup hierarchy. */
static bool mount_of(struct scan line, struct mount *out)
{
	struct scan word;

	if (!scan_skip(&line, 3) || !scan_word(&line, &out->root) || !scan_word(&line, &out->place))
		return false;
	while (scan_word(&line, &word))
		if (scan_is(word, "-"))
			break;
	if (!scan_word(&line, &out->type))
		return false;
	out->options = scan_text("", 0);
	if (scan_is(out->type, "cgroup"))
		return scan_skip(&line, 1) && scan_word(&line, &out->options);
	return scan_is(out->type, "cgroup2");
}

static bool mounts_kind(const struct mount *m, enum cgroup_kind kind)
{
	if (kind == CGROUP_V2)
		return scan_is(m->type, "cgroup2");
	return list_contains(m->options, controllers[kind]);
}

/* The part of path after root, or NULL if path is not below root. */
static const char *path_below(const char *path, const char *root)
{
	size_t n = strlen(root);

	if (strcmp(root, "/") == 0)
		return strcmp(path, "/") == 0 ? "" : path;
	if (strncmp(path, root, n) != 0 || (path[n] != '\0' && path[n] != '/'))
		return NULL;
	return strcmp(path + n, "/") == 0 ? "" : path + n;
}

/* The kernel writes ".." for a cgroup above the root of the cgroup namespace: its real name, by
 * which the mount shows it, is unknown. */
static bool leaves_namespace(const char *path)
{
	for (; (path = strstr(path, "/..")); path += 3)
		if (path[3] == '\0' || path[3] == '/')
			return true;
	return false;
}

/* The kernel appends this to the path of a cgroup that was removed. */
static bool is_deleted(const char *path)
{
	static const char mark[] = " (deleted)";
	size_t n = strlen(path), m = sizeof mark - 1;

	return n >= m && strcmp(path + n - m, mark) == 0;
}

/* Sets d to the place where this mount shows path, if it shows it better than d does. */
static void place_in_mount(struct cgroup_dir *d, const struct mount *m, const char *path)
{
	struct cgroup_dir at = {.known = true};
	char root[CGROUP_PATH_MAX];
	const char *rest;
	size_t len;

	if (!take_path(m->root, true, root, sizeof root) ||
	    !take_path(m->place, true, at.path, sizeof at.path))
		return;
	/* Without the leading slash: root_openat takes a path relative to the root. */
	memmove(at.path, at.path + 1, strlen(at.path));
	at.mount_len = len = strlen(at.path);
	rest = path_below(path, root);
	if (!rest || leaves_namespace(rest) || is_deleted(rest)) {
		at.known = false;
		at.mount_only = true;
		rest = "";
	}
	/* The mount that shows the most ancestors wins; of equals, the first. */
	if (len == 0 || len + strlen(rest) >= sizeof at.path || (d->known && !at.known) ||
	    (d->known && strlen(d->path) - d->mount_len >= strlen(rest)) ||
	    (d->mount_only && at.mount_only))
		return;
	memcpy(at.path + len, rest, strlen(rest) + 1);
	*d = at;
}

void cgroup_parse(struct cgroup *c, const char *cgroup, size_t n, const char *mountinfo, size_t m)
{
	struct scan s = scan_text(mountinfo, m), line;
	struct mount mount;
	char path[CGROUP_PATH_MAX];

	*c = (struct cgroup){.v = {{.known = false}}};
	while (scan_line(&s, &line)) {
		bool mounts = mount_of(line, &mount);
		for (int kind = 0; mounts && kind < CGROUP_KINDS; kind++)
			if (mounts_kind(&mount, (enum cgroup_kind)kind) &&
			    own_path(cgroup, n, (enum cgroup_kind)kind, path, sizeof path))
				place_in_mount(&c->v[kind], &mount, path);
	}
}

/* -- the directories --------------------------------------------------------------------------- */

/* 0, or -1 with errno. */
static int file_path(const struct cgroup_dir *d, size_t len, const char *file,
                     char out[CGROUP_PATH_MAX + 64])
{
	int n = snprintf(out, CGROUP_PATH_MAX + 64, "%.*s/%s", (int)len, d->path, file);

	if (n >= 0 && n < CGROUP_PATH_MAX + 64)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

int cgroup_open(const struct root *r, const struct cgroup_dir *d, size_t len, const char *file)
{
	char path[CGROUP_PATH_MAX + 64];

	return file_path(d, len, file, path) ? -1 : root_openat(r, path);
}

long cgroup_read(const struct root *r, const struct cgroup_dir *d, size_t len, const char *file,
                 char *out, size_t size)
{
	return root_take_fd(cgroup_open(r, d, len, file), out, size);
}

double cgroup_number(int fd)
{
	char text[64];
	long n = fd < 0 ? -1 : root_head_fd(fd, text, sizeof text);

	return n > 0 ? cgroup_text_number(text, (size_t)n) : NAN;
}

double cgroup_key(int fd, const char *key)
{
	char text[TEXT_MAX];
	long n = fd < 0 ? -1 : root_read_fd(fd, text, sizeof text);

	return n > 0 ? cgroup_text_key(text, (size_t)n, key) : NAN;
}

double cgroup_number_in(int dir, const char *file)
{
	int fd = root_open_in(dir, file);
	double v = cgroup_number(fd);

	if (fd >= 0)
		close(fd);
	return v;
}

double cgroup_key_in(int dir, const char *file, const char *key)
{
	int fd = root_open_in(dir, file);
	double v = cgroup_key(fd, key);

	if (fd >= 0)
		close(fd);
	return v;
}

static bool dir_has(const struct root *r, const struct cgroup_dir *d, const char *file)
{
	char path[CGROUP_PATH_MAX + 64];
	int fd;

	if (!r->replayed && file_path(d, d->mount_len, file, path) == 0)
		return faccessat(r->fd, path, R_OK, AT_EACCESS) == 0;
	fd = cgroup_open(r, d, d->mount_len, file);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Whether the mount point is the root of its hierarchy: in v1 only the root has release_agent, in
 * v2 only the root lacks cgroup.events. */
static bool mount_is_root(const struct root *r, const struct cgroup_dir *d, enum cgroup_kind kind)
{
	if (kind != CGROUP_V2)
		return dir_has(r, d, "release_agent");
	return dir_has(r, d, "cgroup.procs") && !dir_has(r, d, "cgroup.events");
}

/* The text of mountinfo; only its beginning where it is too large. To be freed; NULL without
 * memory. Few machines need more than the smaller size, and addresses may be limited. */
static char *read_mounts(const struct root *r, long *n)
{
	char *text = NULL;

	for (size_t size = MOUNTINFO_USUAL; size <= MOUNTINFO_MAX; size *= 16) {
		free(text);
		text = alloc_failed_note(malloc(size));
		*n = text ? root_read(r, "proc/self/mountinfo", text, size) : -1;
		if (*n >= 0 || !text || errno != EFBIG)
			return text;
	}
	*n = (long)strlen(text);
	return text;
}

void cgroup_find(struct cgroup *c, const struct root *r, int pid)
{
	char own[8192], path[64] = "proc/self/cgroup", *text;
	long n, m;

	*c = (struct cgroup){.v = {{.known = false}}};
	if (pid > 0)
		snprintf(path, sizeof path, "proc/%d/cgroup", pid);
	n = root_read(r, path, own, sizeof own);
	text = read_mounts(r, &m);
	if (n > 0 && m > 0)
		cgroup_parse(c, own, (size_t)n, text, (size_t)m);
	free(text);
	for (int kind = 0; kind < CGROUP_KINDS; kind++) {
		struct cgroup_dir *d = &c->v[kind];

		if (d->known || d->mount_only)
			d->mount_is_root = mount_is_root(r, d, (enum cgroup_kind)kind);
	}
}

const struct cgroup_dir *cgroup_of(const struct cgroup *c, enum cgroup_kind kind, bool *v2)
{
	const struct cgroup_dir *d = &c->v[kind];

	*v2 = !d->known && !d->mount_only;
	if (*v2)
		d = &c->v[CGROUP_V2];
	return d->known || d->mount_only ? d : NULL;
}

bool cgroup_is_machine(const struct cgroup_dir *d)
{
	return d->known && d->mount_is_root && d->path[d->mount_len] == '\0';
}

size_t cgroup_parent(const struct cgroup_dir *d, size_t len)
{
	if (len <= d->mount_len)
		return 0;
	while (len > d->mount_len && d->path[len - 1] != '/')
		len--;
	return len > d->mount_len ? len - 1 : d->mount_len;
}
