/* cgroup_outside: the job's cgroup, as a recorder reads it that is not in it. */
#include "collect/cgroup/cgroup_outside.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/machine/pressure.h"
#include "core/base/larger.h"

#define SLUID         14 /* bytes of the name of a job's folder since Slurm 26.05: s8FXKTA79XAR00 */
#define SLUID_LETTERS "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

#define DEPTH_MAX  4    /* levels below a step: task_N, and what a container makes in it */
#define GROUPS_MAX 4096 /* cgroups that are looked at */

bool cgroup_outside_is_job(const char *name, size_t n)
{
	if (n > 4 && memcmp(name, "job_", 4) == 0)
		return strspn(name + 4, "0123456789") >= n - 4;
	return n == SLUID && *name == 's' && strspn(name + 1, SLUID_LETTERS) >= n - 1;
}

size_t cgroup_outside_step(const char *path)
{
	for (const char *job = strchr(path, '/'); job; job = strchr(job + 1, '/')) {
		size_t n = strcspn(job + 1, "/");
		const char *step = job + 1 + n;
		if (strncmp(step, "/step_", 6) == 0 && cgroup_outside_is_job(job + 1, n))
			return (size_t)(step - path) + 1 + strcspn(step + 1, "/");
	}
	return 0;
}

bool cgroup_outside_is_step(const char *path)
{
	const char *rest = path + cgroup_outside_step(path);

	return rest > path && (!*rest || strcmp(rest, "/user") == 0);
}

void cgroup_outside_widen(struct cgroup *c, const struct root *r)
{
	for (int kind = 0; kind < CGROUP_KINDS; kind++) {
		struct cgroup_dir *d = &c->v[kind];
		size_t len = d->known ? cgroup_outside_step(d->path) : 0;
		int fd;

		if (len <= d->mount_len)
			continue;
		d->path[len] = '\0';
		fd = kind == CGROUP_V2 ? cgroup_open(r, d, len, "user") : -1;
		if (fd >= 0 && len + sizeof "/user" <= sizeof d->path)
			memcpy(d->path + len, "/user", sizeof "/user");
		if (fd >= 0)
			close(fd);
	}
}

/* -- reading ----------------------------------------------------------------------------------- */

static double read_waited_some(int fd)
{
	char text[512];
	struct pressure_total total;
	long n = fd < 0 ? -1 : root_head_fd(fd, text, sizeof text);

	return n > 0 && pressure_parse(text, (size_t)n, &total) == 0 ? total.some_s : NAN;
}

struct walk {
	int dir, depth;
	int *left; /* cgroups that may still be looked at */
	double *kills;
};

static int add_kills_below(void *ctx, const char *name, bool is_dir)
{
	const struct walk *in = ctx;
	struct walk next = {.depth = in->depth + 1, .left = in->left, .kills = in->kills};
	double kills;

	if (!is_dir || --*in->left < 0)
		return *in->left < 0;
	next.dir = openat(in->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (next.dir < 0)
		return 0;
	kills = cgroup_key_in(next.dir, "memory.oom_control", "oom_kill");
	*in->kills += isnan(kills) ? 0 : kills;
	if (next.depth < DEPTH_MAX)
		(void)root_list_fd(next.dir, add_kills_below, &next);
	close(next.dir);
	return 0;
}

/* v2 counts a kill in the victim's cgroup and all above it, v1 only in the victim's own. */
double cgroup_outside_kills(int dir, bool v2)
{
	double kills = cgroup_key_in(dir, v2 ? "memory.events" : "memory.oom_control", "oom_kill");
	int left = GROUPS_MAX;
	struct walk top = {.dir = dir, .left = &left, .kills = &kills};

	if (!v2 && !isnan(kills))
		(void)root_list_fd(dir, add_kills_below, &top);
	return kills;
}

static double read_kills(const struct cgroup_outside *o)
{
	return cgroup_outside_kills(o->dir, o->v2);
}

static void take_kills(struct cgroup_outside *o)
{
	o->kills = larger(o->kills, read_kills(o) - o->kills_before);
}

/* A peak that was there before is not this run's. */
static void take_peak(struct cgroup_outside *o)
{
	double peak = cgroup_number(o->peak);

	if (peak > o->peak_before)
		o->peak_b = larger(o->peak_b, peak);
}

/* -- all --------------------------------------------------------------------------------------- */

void cgroup_outside_open(struct cgroup_outside *o, const struct root *r, const struct cgroup *where)
{
	const struct cgroup_dir *d;
	size_t len;

	*o = (struct cgroup_outside){.dir = -1, .peak = -1, .pressure = -1, .vmstat = -1};
	o->open = true;
	o->kills = o->peak_b = o->some_s = NAN;
	d = cgroup_of(where, CGROUP_MEMORY, &o->v2);
	if (!d || !d->known || cgroup_is_machine(d))
		return;
	len = strlen(d->path);
	o->slurm = cgroup_outside_step(d->path) != 0;
	o->dir = root_openat(r, d->path);
	o->peak = cgroup_open(r, d, len, o->v2 ? "memory.peak" : "memory.max_usage_in_bytes");
	o->pressure = o->v2 ? cgroup_open(r, d, len, "cpu.pressure") : -1;
	o->vmstat = root_openat(r, "proc/vmstat");
	o->vmstat_kills = cgroup_key(o->vmstat, "oom_kill");
	o->kills_before = read_kills(o);
	o->kills = o->kills_before - o->kills_before;
	o->peak_before = cgroup_number(o->peak);
	o->some_before = read_waited_some(o->pressure);
}

void cgroup_outside_look(struct cgroup_outside *o)
{
	double now;

	if (!o->open || o->dir < 0)
		return;
	take_peak(o);
	now = cgroup_key(o->vmstat, "oom_kill");
	if (now != o->vmstat_kills || isnan(now))
		take_kills(o);
	o->vmstat_kills = now;
}

void cgroup_outside_read(struct cgroup_outside *o)
{
	if (!o->open || o->dir < 0)
		return;
	take_peak(o);
	take_kills(o);
	o->some_s = larger(o->some_s, read_waited_some(o->pressure) - o->some_before);
}

void cgroup_outside_close(struct cgroup_outside *o)
{
	const int fds[] = {o->dir, o->peak, o->pressure, o->vmstat};

	for (size_t i = 0; o->open && i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	o->open = false;
}
