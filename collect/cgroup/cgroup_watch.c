/* cgroup_watch: the memory and throttling of the job's cgroup, in every sample. */
#include "collect/cgroup/cgroup_watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_alone.h"
#include "collect/cgroup/cgroup_outside.h"
#include "collect/cgroup/cgroup_text.h"
#include "core/base/fnv1a.h"
#include "core/base/larger.h"

static void read_memory_of_cgroup(const struct cgroup_watch *w, struct cgroup_gauges *out)
{
	char text[16384];
	double used = w->open ? cgroup_number(w->usage) : (double)NAN;
	long n = isnan(used) || w->stat < 0 ? -1 : root_head_fd(w->stat, text, sizeof text);
	bool v2 = w->memory_v2;

	out->memory_b = out->anonymous_b = out->shmem_b = NAN;
	if (n <= 0)
		return;
	out->memory_b = cgroup_text_working_set(used, text, (size_t)n, v2);
	if (w->others)
		return;
	out->anonymous_b = cgroup_text_key(text, (size_t)n, v2 ? "anon" : "total_rss");
	out->shmem_b = cgroup_text_key(text, (size_t)n, v2 ? "shmem" : "total_shmem");
	out->anonymous_b = larger(out->anonymous_b - w->anonymous_first_b, 0);
	out->shmem_b = larger(out->shmem_b - w->shmem_first_b, 0);
}

static void open_memory(struct cgroup_watch *w, const struct root *r, const struct cgroup *where,
                        const struct cgroup_own *own)
{
	static const char *const usage[] = {"memory.usage_in_bytes", "memory.current"};
	int dir = cgroup_own_memory(own, &w->memory_v2);
	struct cgroup_gauges first;
	const struct cgroup_dir *d;
	size_t len;

	if (dir >= 0) {
		w->usage = root_open_in(dir, usage[w->memory_v2]);
		w->stat = root_open_in(dir, "memory.stat");
		return;
	}
	d = cgroup_of(where, CGROUP_MEMORY, &w->memory_v2);
	if (!d || !d->known || cgroup_is_machine(d))
		return;
	len = strlen(d->path);
	w->usage = cgroup_open(r, d, len, usage[w->memory_v2]);
	w->stat = cgroup_open(r, d, len, "memory.stat");
	/* A step of Slurm has one of its own. */
	w->shared = w->usage >= 0 && !cgroup_outside_is_step(d->path);
	w->r = r;
	w->dir = w->shared ? root_openat(r, d->path) : -1;
	w->others = w->shared && (w->dir < 0 || !cgroup_alone(r, w->dir));
	read_memory_of_cgroup(w, &first);
	w->anonymous_first_b = first.anonymous_b;
	w->shmem_first_b = first.shmem_b;
}

/*
 * cpu.stat counts throttling at the cgroup that has the quota, and nothing at those below it. So it
 * is read where the tightest quota is. If no quota can be seen but a container may hide one above,
 * cpu.stat.local (Linux 6.6) says how long this cgroup was held back by any quota.
 */
static void open_cpu(struct cgroup_watch *w, const struct root *r, const struct cgroup *where,
                     const struct limits *limits)
{
	const struct cgroup_dir *d = cgroup_of(where, CGROUP_CPU, &w->cpu_v2);

	if (!d)
		return;
	if (limits->quota_len)
		w->cpu = cgroup_open(r, d, limits->quota_len, "cpu.stat");
	else if (d->known && d->mount_is_root)
		w->no_quota = true;
	else if (d->known)
		w->cpu = cgroup_open(r, d, strlen(d->path), "cpu.stat.local");
}

static struct pressure_total read_pressure(int fd)
{
	struct pressure_total total = {NAN, NAN};
	char text[512];
	long n = fd < 0 ? -1 : root_head_fd(fd, text, sizeof text);

	(void)pressure_parse(text, n > 0 ? (size_t)n : 0, &total);
	return total;
}

/* The command's own cgroup began with it. What is not counted stays unknown. */
static void count_from_zero(struct pressure_total *t)
{
	t->some_s = isnan(t->some_s) ? t->some_s : 0;
	t->full_s = isnan(t->full_s) ? t->full_s : 0;
}

/* A cgroup that holds others too says nothing of the job. */
static void open_pressure(struct cgroup_watch *w, const struct root *r, const struct cgroup *where,
                          const struct cgroup_own *own)
{
	static const char *const files[] = {"cpu.pressure", "io.pressure", "memory.pressure"};
	const struct cgroup_dir *d = &where->v[CGROUP_V2];
	bool step = d->known && cgroup_outside_is_step(d->path);
	int dir = cgroup_own_v2(own);

	for (int i = 0; i < CGROUP_WATCH_PRESSURES; i++) {
		w->psi[i] = -1;
		if (dir >= 0)
			w->psi[i] = root_open_in(dir, files[i]);
		else if (step)
			w->psi[i] = cgroup_open(r, d, strlen(d->path), files[i]);
		w->first[i] = w->last[i] = read_pressure(w->psi[i]);
		if (dir >= 0)
			count_from_zero(&w->first[i]);
	}
}

/* Whether a process was seen there before. Notes it. */
static bool was_noted(struct cgroup_watch *w, uint64_t place)
{
	for (size_t i = 0; i < w->n_places && i < CGROUP_WATCH_PLACES; i++)
		if (w->places[i] == place)
			return true;
	w->places[w->n_places++ % CGROUP_WATCH_PLACES] = place;
	return false;
}

/* Whether it is where no process of the job was before. */
static bool is_elsewhere(struct cgroup_watch *w, const struct root *r, const char *path)
{
	char text[4096];

	return root_read(r, path, text, sizeof text) > 0 &&
	       !was_noted(w, fnv1a_add(FNV1A_BEGIN, text));
}

bool cgroup_watch_can_wait(const struct cgroup *where, const struct cgroup_own *own)
{
	bool v2;

	return cgroup_own_memory(own, &v2) >= 0 &&
	       (cgroup_own_v2(own) >= 0 || !where->v[CGROUP_V2].known);
}

void cgroup_watch_open(struct cgroup_watch *w, const struct root *r, const struct cgroup *where,
                       const struct cgroup_own *own, const struct limits *limits)
{
	*w = (struct cgroup_watch){.open = true, .cpu = -1, .usage = -1, .stat = -1, .dir = -1};
	open_memory(w, r, where, own);
	open_cpu(w, r, where, limits);
	open_pressure(w, r, where, own);
	(void)is_elsewhere(w, r, "proc/self/cgroup");
}

/* A removed cgroup has no more to say. */
static void read_pressures(struct cgroup_watch *w, struct cgroup_gauges *out)
{
	double *const full[] = {&out->cpu_full_s, &out->io_full_s, &out->memory_full_s};

	for (int i = 0; i < CGROUP_WATCH_PRESSURES; i++) {
		struct pressure_total now = {NAN, NAN};
		*full[i] = NAN;
		if (!w->open || w->psi[i] < 0)
			continue;
		now = read_pressure(w->psi[i]);
		if (!isnan(now.some_s))
			w->last[i] = now;
		*full[i] = w->last[i].full_s;
	}
}

void cgroup_watch_totals(const struct cgroup_watch *w, struct snapshot_totals *out)
{
	double *const some[] = {&out->cgroup_cpu_some_s, &out->cgroup_io_some_s,
	                        &out->cgroup_memory_some_s};
	double *const full[] = {&out->cgroup_cpu_full_s, &out->cgroup_io_full_s,
	                        &out->cgroup_memory_full_s};

	for (int i = 0; w->open && i < CGROUP_WATCH_PRESSURES; i++) {
		if (w->psi[i] < 0)
			continue;
		*some[i] = larger(*some[i], w->last[i].some_s - w->first[i].some_s);
		*full[i] = larger(*full[i], w->last[i].full_s - w->first[i].full_s);
	}
}

static double read_throttled(const struct cgroup_watch *w, double *count)
{
	char text[1024];
	long n = root_head_fd(w->cpu, text, sizeof text);

	if (n <= 0)
		return NAN;
	*count = cgroup_text_key(text, (size_t)n, "nr_throttled");
	/* v1 counts ns, v2 µs. */
	return w->cpu_v2 ? cgroup_text_key(text, (size_t)n, "throttled_usec") / 1e6
	                 : cgroup_text_key(text, (size_t)n, "throttled_time") / 1e9;
}

void cgroup_watch_read(struct cgroup_watch *w, struct cgroup_gauges *out)
{
	read_pressures(w, out);
	read_memory_of_cgroup(w, out);
	out->throttled_s = out->throttled_count = w->no_quota ? 0 : NAN;
	if (w->open && w->cpu >= 0)
		out->throttled_s = read_throttled(w, &out->throttled_count) - w->joined_s;
	w->throttled_s = out->throttled_s;
}

static bool is_tighter(const struct limits *now, const struct limits *before)
{
	return now->quota_len && !(now->of.cpus_quota >= before->of.cpus_quota);
}

void cgroup_watch_follow(struct cgroup_watch *w, const struct root *r, int pid,
                         struct limits *limits)
{
	char path[48];
	struct limits now = *limits;
	const struct cgroup_dir *d;
	struct cgroup where;
	bool v2;
	double count;

	snprintf(path, sizeof path, "proc/%d/cgroup", pid);
	if (!w->open || !is_elsewhere(w, r, path))
		return;
	cgroup_find(&where, r, pid);
	limits_read_quota(&now, r, &where, pid);
	d = cgroup_of(&where, CGROUP_CPU, &v2);
	if (!d || !is_tighter(&now, limits))
		return;
	*limits = now;
	w->cpu_v2 = v2;
	if (w->cpu >= 0)
		close(w->cpu);
	w->cpu = cgroup_open(r, d, now.quota_len, "cpu.stat");
	w->joined_s = read_throttled(w, &count) - (w->throttled_s > 0 ? w->throttled_s : 0);
}

bool cgroup_watch_alone(struct cgroup_watch *w)
{
	if (w->open && w->shared && !w->others)
		w->others = !cgroup_alone(w->r, w->dir);
	return w->open && w->usage >= 0 && !w->others;
}

void cgroup_watch_notes(const struct cgroup_watch *w, struct snapshot *s)
{
	if (!w->open)
		return;
	if (w->shared)
		snapshot_note(s, "cgroup_memory is of the cgroup that the command was started in, "
		                 "which may hold other processes.");
	else if (w->usage < 0)
		snapshot_note(s, "cgroup_memory is not measured: the command is in no cgroup of "
		                 "the memory controller but the machine's.");
	if (w->cpu < 0 && !w->no_quota)
		snapshot_note(s, "throttled is not measured: no cgroup with a CPU quota can be "
		                 "seen.");
}

void cgroup_watch_close(struct cgroup_watch *w)
{
	int *const fds[] = {&w->cpu, &w->usage, &w->stat, &w->dir};

	for (size_t i = 0; w->open && i < sizeof fds / sizeof *fds; i++)
		if (*fds[i] >= 0)
			close(*fds[i]);
	for (size_t i = 0; w->open && i < CGROUP_WATCH_PRESSURES; i++)
		if (w->psi[i] >= 0)
			close(w->psi[i]);
	w->open = false;
}
