/* gpu: all GPUs of the machine: what they are, and what the tree uses of them. */
#include "collect/gpu/gpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect/gpu/gpu_drm.h"
#include "collect/gpu/gpu_nvml.h"
#include "collect/gpu/gpu_sampler.h"
#include "core/snapshot_fields.h"

#define SECOND       INT64_C(1000000000)
#define NAMES_WAIT   (30 * SECOND) /* a driver that is loaded by the first who asks */
#define FIRST_PID_NS 0xEFFFFFFCu   /* the kernel's PROC_PID_INIT_INO */

/* A mean over time, and the highest value. */
struct mean {
	double sum, seconds, max; /* sum: of value × seconds */
};

/* What a GPU came to over the run. */
struct seen {
	struct mean utilisation, power;
	double used_max, temperature_max;
};

struct gpu {
	const struct root *r;
	struct gpu_sampler sampler;
	struct gpu_sampler_setup setup;
	bool nvidia; /* its driver is loaded */
	bool chosen[GPU_MAX];
	bool all;           /* no choice was made */
	bool unmatched;     /* the tree's part of a GPU was unknown once */
	int64_t origin;     /* of the samples */
	bool missed;        /* a regular sample came before the first reading */
	size_t late;        /* samples without a new reading for long */
	uint64_t counted;   /* the last reading that is in seen */
	int64_t counted_at; /* when it was made; 0: there is none */
	struct err failure; /* of the sampler's start */
	struct gpu_reading *table;
	struct seen seen[GPU_MAX];
	int pids[GPU_PIDS_MAX];
};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* -- what there is ----------------------------------------------------------------------------- */

static bool is_there(const struct root *r, const char *path)
{
	int fd = root_openat(r, path);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* To load the library would be to load its driver, where that is not wanted. Under a Windows host
 * the library is there without this driver. */
static bool has_nvidia(const struct root *r)
{
	return !r->replayed &&
	       (is_there(r, "proc/driver/nvidia/version") || is_there(r, "usr/lib/wsl/lib"));
}

static bool is_nested(const struct root *r)
{
	int fd = r->replayed ? -1 : root_openat(r, "proc/self/ns/pid");
	struct stat st;
	bool nested = fd >= 0 && fstat(fd, &st) == 0 && st.st_ino != FIRST_PID_NS;

	if (fd >= 0)
		close(fd);
	return nested;
}

/* -- which of them count ----------------------------------------------------------------------- */

static void list_names(const struct gpu_reading *t, char *out, size_t size)
{
	size_t at = 0;

	out[0] = '\0';
	for (size_t i = 0; i < t->devices && at < size; i++)
		at += (size_t)snprintf(out + at, size - at, "%s%s (%s)", i ? ", " : "",
		                       t->device[i].uuid, t->device[i].name);
}

static int choose(struct gpu *g, const char *uuid, struct err *e)
{
	char names[800];

	for (size_t i = 0; i < g->table->devices; i++)
		if (strcmp(g->table->device[i].uuid, uuid) == 0) {
			g->chosen[i] = true;
			return 0;
		}
	if (!g->table->devices)
		return err_set(e, "no GPU %s: %s", uuid,
		               g->table->why[0] ? g->table->why : "this machine has none");
	list_names(g->table, names, sizeof names);
	return err_set(e, "no GPU %s; there are %s", uuid, names);
}

/* The names, as soon as the driver has told them. */
static void wait_for_names(struct gpu *g)
{
	const struct timespec moment = {.tv_nsec = 2000000};
	int64_t end = now_ns() + NAMES_WAIT;

	if (!g->sampler.pid)
		return;
	gpu_sampler_start(&g->sampler, now_ns());
	while (!gpu_sampler_read(&g->sampler, g->table) && now_ns() < end)
		nanosleep(&moment, NULL);
}

static int choose_all(struct gpu *g, const struct gpu_options *o, struct err *e)
{
	g->all = o->n_uuids == 0;
	for (size_t i = 0; i < GPU_MAX; i++)
		g->chosen[i] = g->all;
	if (g->all)
		return 0;
	wait_for_names(g);
	for (size_t i = 0; i < o->n_uuids; i++)
		if (choose(g, o->uuids[i], e))
			return -1;
	return 0;
}

struct gpu *gpu_open(const struct root *r, const struct gpu_options *o, struct err *e)
{
	struct gpu *g = calloc(1, sizeof *g);

	if (!g || !(g->table = calloc(1, sizeof *g->table))) {
		free(g);
		err_set(e, "no memory for the GPUs");
		return NULL;
	}
	g->r = r;
	g->nvidia = o->nvml || has_nvidia(r);
	g->setup = (struct gpu_sampler_setup){.r = r,
	                                      .library = o->nvml     ? o->nvml
	                                                 : g->nvidia ? GPU_NVML_LIBRARY
	                                                             : NULL,
	                                      .nested = is_nested(r),
	                                      .drm = gpu_drm_present(r),
	                                      .interval_s = o->interval_s};
	if (g->setup.library || g->setup.drm)
		(void)gpu_sampler_open(&g->sampler, &g->setup, &g->failure);
	if (choose_all(g, o, e) == 0)
		return g;
	gpu_close(g);
	return NULL;
}

int gpu_pid(const struct gpu *g)
{
	return g->sampler.pid;
}

bool gpu_any(const struct gpu *g)
{
	return g->sampler.shared != NULL;
}

void gpu_start(struct gpu *g, int64_t origin)
{
	g->origin = origin;
	gpu_sampler_start(&g->sampler, origin);
}

/* -- a sample ---------------------------------------------------------------------------------- */

static void tell_pids(struct gpu *g, const struct gpu_tree *tree)
{
	size_t n = 0;
	int pid;

	for (size_t i = 0; n < GPU_PIDS_MAX && (pid = tree->pid(tree->ctx, i)) != 0; i++)
		if (pid > 0)
			g->pids[n++] = pid;
	gpu_sampler_tell(&g->sampler, g->pids, n);
}

static void take_mean(double v, double seconds, struct mean *m)
{
	if (isnan(v))
		return;
	m->sum += v * seconds;
	m->seconds += seconds;
	m->max = v > m->max ? v : m->max;
}

static void take_max(double v, double *max)
{
	*max = v > *max ? v : *max;
}

static void count(struct gpu *g)
{
	int64_t since = g->counted_at ? g->counted_at : g->origin, at = g->table->at;
	/* The first reading may have been made before the start. */
	double seconds = at > since ? (double)(at - since) / (double)SECOND : 1e-9;

	if (g->table->readings == g->counted)
		return;
	g->counted = g->table->readings;
	g->counted_at = at;
	for (size_t i = 0; i < g->table->devices; i++) {
		const struct gpu_device *d = &g->table->device[i];
		struct seen *s = &g->seen[i];
		take_mean(d->utilisation, seconds, &s->utilisation);
		take_mean(d->power_w, seconds, &s->power);
		take_max(d->used_b, &s->used_max);
		take_max(d->temperature_c, &s->temperature_max);
	}
}

/* A driver that is there and a library that does not serve: not measured, which is not 0. */
static bool is_blind(const struct gpu *g)
{
	return g->failure.msg[0] || (!g->table->devices && g->table->why[0]);
}

static double age_s(int64_t at)
{
	return (double)(now_ns() - at) / (double)SECOND;
}

void gpu_read(struct gpu *g, const struct gpu_tree *tree, struct gpu_sample *out)
{
	gpu_totals_fill(out, 0);
	if (!g->sampler.shared && !is_blind(g))
		return;
	gpu_totals_fill(out, NAN);
	if (tree && g->setup.drm)
		tell_pids(g, tree);
	/* The first publication has the names alone. */
	(void)gpu_sampler_read(&g->sampler, g->table);
	if (g->table->readings && !g->table->devices && !is_blind(g)) {
		gpu_totals_fill(out, 0);
		return;
	}
	if (g->table->readings < 2 || !g->table->devices) {
		g->missed |= age_s(g->origin) >= g->setup.interval_s;
		return;
	}
	if (age_s(g->table->at) > 2 * g->setup.interval_s + 2) {
		g->late++;
		return;
	}
	count(g);
	gpu_tally(g->table, g->chosen, tree, out);
	g->unmatched |= isnan(out->tree_usage) || isnan(out->tree_vram_b);
}

/* -- what to say of them ----------------------------------------------------------------------- */

static const char *commonest(const struct gpu *g)
{
	const char *best = "";
	size_t most = 0;

	for (size_t i = 0; i < g->table->devices; i++) {
		size_t n = 0;
		for (size_t k = 0; k < g->table->devices; k++)
			n += strcmp(g->table->device[i].name, g->table->device[k].name) == 0;
		if (n > most) {
			most = n;
			best = g->table->device[i].name;
		}
	}
	return best;
}

void gpu_describe(const struct gpu *g, struct snapshot *s)
{
	s->server.gpu_count = s->server.gpu_memory_b = 0;
	s->server.gpu_names.n = 0;
	for (size_t i = 0; i < g->table->devices; i++) {
		const struct gpu_device *d = &g->table->device[i];
		s->server.gpu_count++;
		if (!isnan(d->memory_b))
			s->server.gpu_memory_b += d->memory_b;
		if (s->server.gpu_names.n < SNAPSHOT_LIST_MAX)
			s->server.gpu_names.v[s->server.gpu_names.n++] =
			    snapshot_strdup(s, d->name);
	}
	s->server.gpu_name = snapshot_strdup(s, commonest(g));
}

static void note_devices(const struct gpu *g, struct snapshot *s)
{
	bool foreign = false, awake = false, blind = false;
	size_t n = 0;

	for (size_t i = 0; i < g->table->devices; i++) {
		const struct gpu_device *d = &g->table->device[i];
		if (!g->chosen[i])
			continue;
		n++;
		foreign |= d->foreign || (g->setup.nested && !d->by_process);
		awake |= d->awake_only;
		blind |= g->counted && g->seen[i].utilisation.seconds == 0;
	}
	if (g->unmatched && foreign)
		snapshot_note(s, "Per-process GPU values cannot be matched in a PID namespace: the "
		                 "driver numbers processes as the host does.");
	else if (g->unmatched)
		snapshot_note(s, "The driver does not tell what each process uses of a GPU; where "
		                 "others used it too, the job's part is not known.");
	if (awake)
		snapshot_note(s, "Intel's driver does not tell how busy a GPU is; its utilisation "
		                 "is the time that it was not asleep.");
	if (blind)
		snapshot_note(s, "The utilisation of a GPU could not be read (one that is split "
		                 "into slices, or a driver that does not tell it).");
	if (n > METRIC_GPUS)
		snapshot_note(s,
		              "There are %zu GPUs; the first %d have columns of their own, all are "
		              "in the sums.",
		              n, METRIC_GPUS);
}

void gpu_notes(const struct gpu *g, struct snapshot *s)
{
	if (g->failure.msg[0])
		snapshot_note(s, "GPUs were not measured: %s.", g->failure.msg);
	if (g->table->why[0])
		snapshot_note(s, "NVIDIA GPUs were not measured: %s.", g->table->why);
	/* A short run may end before. */
	if (g->sampler.shared && !is_blind(g) && (g->missed || !g->counted) &&
	    (g->table->devices || !g->table->readings))
		snapshot_note(s, "GPUs were not measured before their driver had answered.");
	if (g->late)
		snapshot_note(s,
		              "GPUs were not measured in %zu sample%s: their driver, or the "
		              "process that reads it, did not answer in time.",
		              g->late, g->late == 1 ? "" : "s");
	if (g->table->cut)
		snapshot_note(s,
		              "There were more than %d GPUs or %d processes on them; those "
		              "beyond are not counted.",
		              GPU_MAX, GPU_PROCESSES_MAX);
	if (g->table->denied)
		snapshot_note(s, "What some processes used of a GPU could not be read (another "
		                 "user's); it is missing.");
	note_devices(g, s);
}

static double known(double v, bool measured)
{
	return measured ? v : (double)NAN;
}

static double mean_of(const struct mean *m)
{
	/* A sum of many products is off in its last digits. */
	return known(stats_round(m->sum / m->seconds, 6), m->seconds > 0);
}

static double max_of(const struct mean *m)
{
	return known(m->max, m->seconds > 0);
}

void gpu_write(const struct gpu *g, struct json_write *j)
{
	json_write_array(j, snapshot_block_key(SNAPSHOT_GPU));
	for (size_t i = 0; i < g->table->devices; i++) {
		const struct gpu_device *d = &g->table->device[i];
		const struct seen *s = &g->seen[i];
		if (!g->chosen[i])
			continue;
		snapshot_fields_element(
		    j, SNAPSHOT_GPU,
		    &(struct snapshot_gpu){
			.uuid = d->uuid,
			.name = d->name,
			.memory_b = d->memory_b,
			.memory_max_b = known(s->used_max, s->used_max > 0),
			.utilisation_mean = mean_of(&s->utilisation),
			.utilisation_max = max_of(&s->utilisation),
			.power_mean_w = mean_of(&s->power),
			.power_max_w = max_of(&s->power),
			.temperature_max_c = known(s->temperature_max, s->temperature_max > 0),
		    });
	}
	json_write_array_end(j);
}

void gpu_close(struct gpu *g)
{
	if (!g)
		return;
	gpu_sampler_close(&g->sampler);
	free(g->table);
	free(g);
}
