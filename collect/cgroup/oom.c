/* oom: whom the kernel's OOM killer ended, as far as its counters say. */
#include "collect/cgroup/oom.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_alone.h"
#include "collect/cgroup/cgroup_outside.h"
#include "collect/cgroup/cgroup_text.h"
#include "collect/redact/redact.h"
#include "core/base/larger.h"

#define VMSTAT_MAX 16384

/* -- counting ---------------------------------------------------------------------------------- */

static const char *counts(const struct oom *o)
{
	return o->v2 ? "memory.events" : "memory.oom_control";
}

/* The directory whose kills are counted: the command's own, or the one that it shares, which is the
 * nearest that has the memory controller. */
static int open_counted(struct oom *o, const struct cgroup_own *own)
{
	int dir = cgroup_own_memory(own, &o->v2), events;
	const struct cgroup_dir *d;
	char path[CGROUP_PATH_MAX];

	o->made = dir >= 0;
	if (o->made)
		return root_open_in(dir, ".");
	d = cgroup_of(o->where, CGROUP_MEMORY, &o->v2);
	if (!d || !d->known)
		return -1;
	for (size_t len = strlen(d->path); len; len = cgroup_parent(d, len)) {
		events = cgroup_open(o->root, d, len, counts(o));
		if (events < 0)
			continue;
		close(events);
		memcpy(path, d->path, len);
		path[len] = '\0';
		return root_openat(o->root, path);
	}
	return -1;
}

static bool is_alone(const struct oom *o)
{
	return o->dir >= 0 && cgroup_alone(o->root, o->dir);
}

/* v1 counts a kill in the victim's cgroup alone. Those below are added where all are the job's. */
static double count_kills(const struct oom *o)
{
	return o->made && !o->v2 ? cgroup_outside_kills(o->dir, false)
	                         : cgroup_key(o->events, "oom_kill");
}

double oom_count(const struct oom *o)
{
	return o->open ? count_kills(o) - o->before : (double)NAN;
}

/* Those of processes that are in this cgroup itself. */
static double read_local(const struct oom *o)
{
	return o->v2 ? cgroup_key_in(o->dir, "memory.events.local", "oom_kill")
	             : cgroup_key(o->events, "oom_kill");
}

/* Reads /proc/vmstat: returns the kills on the machine; *stalls: the sum of its lines
 * "allocstall_ZONE N". */
static double read_machine(int vmstat, double *stalls)
{
	char text[VMSTAT_MAX];
	long n = vmstat < 0 ? -1 : root_read_fd(vmstat, text, sizeof text);

	*stalls = n > 0 ? cgroup_text_sum(text, (size_t)n, "allocstall_") : (double)NAN;
	return n > 0 ? cgroup_text_key(text, (size_t)n, "oom_kill") : (double)NAN;
}

static double number_at(const struct oom *o, const struct cgroup_dir *d, size_t len,
                        const char *file, const char *key)
{
	int fd = cgroup_open(o->root, d, len, file);
	double v = key ? cgroup_key(fd, key) : cgroup_number(fd);

	if (fd >= 0)
		close(fd);
	return v;
}

/* v1 has a limit of memory, and one of memory and swap together, which may not be there. */
static double read_hits(const struct oom *o, const struct cgroup_dir *d, size_t len)
{
	double both;

	if (o->v2)
		return number_at(o, d, len, "memory.events.local", "oom");
	both = number_at(o, d, len, "memory.memsw.failcnt", NULL);
	return number_at(o, d, len, "memory.failcnt", NULL) + larger(both, 0);
}

static double read_limit(const struct oom *o, const struct cgroup_dir *d, size_t len)
{
	return number_at(o, d, len, o->v2 ? "memory.max" : "memory.limit_in_bytes", NULL);
}

/* Those from where the command was started upwards: its own has no limit. */
static void open_levels(struct oom *o)
{
	bool v2;
	const struct cgroup_dir *d = cgroup_of(o->where, CGROUP_MEMORY, &v2);

	if (!d || !d->known || v2 != o->v2)
		return;
	for (size_t len = strlen(d->path); len && o->levels < OOM_LEVELS;
	     len = cgroup_parent(d, len)) {
		double limit_b = read_limit(o, d, len);
		if (isfinite(limit_b))
			o->level[o->levels++] =
			    (struct oom_level){.len = len,
			                       .limit_b = limit_b,
			                       .hits_before = read_hits(o, d, len),
			                       .hits = NAN};
	}
}

void oom_open(struct oom *o, const struct root *r, const struct cgroup *where,
              const struct cgroup_own *own)
{
	const struct cgroup_dir *d;
	bool v2;

	*o = (struct oom){.open = true, .kills = NAN, .kills_all = NAN, .seen = NAN};
	o->where = where;
	o->root = r;
	d = cgroup_of(where, CGROUP_MEMORY, &v2);
	o->slurm = d && d->known && cgroup_outside_step(d->path);
	o->dir = open_counted(o, own);
	o->own = o->made || is_alone(o);
	o->events = -1;
	/* Cgroups below may be of others. */
	if (o->v2 && o->own && !o->made)
		o->events = root_open_in(o->dir, "memory.events.local");
	if (o->events < 0)
		o->events = root_open_in(o->dir, counts(o));
	o->vmstat = root_openat(r, "proc/vmstat");
	/* One that was made for the command has counted nothing yet. */
	o->before = o->made ? 0 : count_kills(o);
	o->before_local = o->made ? 0 : read_local(o);
	o->before_all = read_machine(o->vmstat, &o->stalls_before);
	open_levels(o);
}

bool oom_is_closed(const struct oom *o)
{
	return o->made || (o->slurm && o->own);
}

void oom_look(struct oom *o, int64_t now)
{
	double kills;

	if (!o->open || o->events < 0)
		return;
	kills = cgroup_key(o->events, "oom_kill");
	if (kills != o->seen)
		o->changed_at = now;
	o->seen = kills;
	o->seen_at = now;
}

void oom_read(struct oom *o)
{
	bool v2;
	const struct cgroup_dir *d;

	if (!o->open)
		return;
	o->kills = count_kills(o) - o->before;
	o->kills_all = read_machine(o->vmstat, &o->stalls) - o->before_all;
	o->stalls -= o->stalls_before;
	o->kills_local = o->kills > 0 ? read_local(o) - o->before_local : NAN;
	/* Somebody may have come into it meanwhile, as kubectl exec does. */
	if (o->kills > 0 && o->own && !o->made)
		o->own = is_alone(o);
	d = o->kills > 0 ? cgroup_of(o->where, CGROUP_MEMORY, &v2) : NULL;
	for (size_t i = 0; d && i < o->levels; i++)
		o->level[i].hits = read_hits(o, d, o->level[i].len) - o->level[i].hits_before;
}

/* -- what it means ----------------------------------------------------------------------------- */

/* The one limit that was hit, if that is sure: v2 counts it. In v1 it is sure where the machine had
 * memory and there is no other limit, or where failures were counted at one alone. */
static const struct oom_level *find_hit(const struct oom *o, const struct cgroup_dir *d)
{
	const struct oom_level *hit = NULL;

	if (!o->v2 && o->levels == 1 && o->stalls == 0 && d->mount_is_root)
		return &o->level[0];
	for (size_t i = 0; i < o->levels; i++) {
		if (isnan(o->level[i].hits) || (hit && o->level[i].hits > 0))
			return NULL;
		if (o->level[i].hits > 0)
			hit = &o->level[i];
	}
	return hit;
}

/* Whether the first len bytes of the path end in the folder of a job. */
static bool is_job(const char *path, size_t len)
{
	size_t at = len;

	while (at && path[at - 1] != '/')
		at--;
	return at && cgroup_outside_is_job(path + at, len - at);
}

static void fill_whose(const struct oom *o, const struct cgroup_dir *d, struct snapshot *s)
{
	struct snapshot_evidence *e = s->end.evidence;
	const struct oom_level *hit = find_hit(o, d);
	size_t step = cgroup_outside_step(d->path), from;
	struct buf path = {0};

	if (!hit)
		return;
	from = d->mount_len < hit->len ? d->mount_len : hit->len;
	redact_text(d->path + from, hit->len - from, &path);
	e->oom_limit_b = hit->limit_b;
	e->oom_of = SNAPSHOT_OOM_CGROUP;
	if (step && hit->len >= step)
		e->oom_of = SNAPSHOT_OOM_STEP;
	else if (step && is_job(d->path, hit->len))
		e->oom_of = SNAPSHOT_OOM_JOB;
	else if (!path.len && !d->mount_is_root)
		e->oom_of = SNAPSHOT_OOM_CONTAINER;
	e->oom_cgroup = snapshot_strdup(s, path.failed ? "" : buf_cstr(&path));
	buf_free(&path);
}

void oom_fill(const struct oom *o, int64_t end, struct snapshot *s)
{
	struct snapshot_evidence *e = s->end.evidence;
	bool v2;
	const struct cgroup_dir *d;

	if (!o->open)
		return;
	if (o->own)
		e->oom_kills = o->kills;
	else
		e->oom_kills_shared = o->kills;
	e->oom_kills_machine = o->kills_all;
	e->slurm_step = o->slurm;
	if (!(o->kills > 0))
		return;
	/* Kills that the last look did not see came after it, just before the end. */
	e->oom_before_s = 0;
	if (o->seen >= o->before + o->kills && o->changed_at && end > o->changed_at)
		e->oom_before_s = (double)(end - o->changed_at) / 1e9;
	d = cgroup_of(o->where, CGROUP_MEMORY, &v2);
	/* A cgroup below, which the job made, may have a limit of its own. */
	if (!(o->kills_local >= o->kills))
		return;
	if (!d || !d->known)
		return;
	if (!o->levels && d->mount_is_root && o->stalls > 0)
		e->oom_of = SNAPSHOT_OOM_MACHINE;
	else
		fill_whose(o, d, s);
}

void oom_close(struct oom *o)
{
	const int fds[] = {o->dir, o->events, o->vmstat};

	for (size_t i = 0; o->open && i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	o->open = false;
}
