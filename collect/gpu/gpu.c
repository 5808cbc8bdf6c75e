/* gpu: the GPUs of the machine, and how much of them the job uses. */
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
#include "collect/machine/clocks.h"
#include "core/recording/snapshot_fields.h"

#define SECOND       INT64_C(1000000000)
#define NAMES_WAIT   (30 * SECOND) /* NVML may load the kernel driver on first use */
#define FIRST_PID_NS 0xEFFFFFFCu   /* the kernel's PROC_PID_INIT_INO */
#define UUIDS_MAX    64            /* of a list; more than a machine has */

/* A mean over time, and the maximum. */
struct mean {
	double sum, seconds, max; /* sum of value × seconds */
};

/* The statistics of one GPU over the run. */
struct seen {
	struct mean utilisation, power;
	double used_max, temperature_max;
};

struct gpu {
	const struct root *r;
	struct gpu_sampler sampler;
	struct gpu_sampler_setup setup;
	bool nvidia; /* NVIDIA's driver is loaded */
	bool chosen[GPU_MAX];
	bool unmatched;     /* the job's share of a GPU was unknown at least once */
	int64_t origin;     /* when the first sample is taken */
	bool missed;        /* a regular sample came before the first reading */
	size_t late;        /* samples whose reading was too old */
	uint64_t counted;   /* number of the last reading that is in seen */
	int64_t counted_at; /* when it was made; 0: none yet */
	struct err failure; /* why the sampler could not be started; "" */
	struct gpu_reading *table;
	struct seen seen[GPU_MAX];
	int pids[GPU_PIDS_MAX];
};

/* -- detection --------------------------------------------------------------------------------- */

/* Loading NVML loads the kernel driver, which a user of another GPU may not want: look for a loaded
 * driver first. Under WSL the library works without that file. */
static bool has_nvidia(const struct root *r)
{
	return !r->replayed &&
	       (root_exists(r, "proc/driver/nvidia/version") || root_exists(r, "usr/lib/wsl/lib"));
}

static bool in_pid_namespace(const struct root *r)
{
	int fd = r->replayed ? -1 : root_openat(r, "proc/self/ns/pid");
	struct stat st;
	bool nested = fd >= 0 && fstat(fd, &st) == 0 && st.st_ino != FIRST_PID_NS;

	if (fd >= 0)
		close(fd);
	return nested;
}

/* -- choosing GPUs ----------------------------------------------------------------------------- */

static void list_names(const struct gpu_reading *t, char *out, size_t size)
{
	size_t at = 0;

	out[0] = '\0';
	for (size_t i = 0; i < t->devices && at < size; i++)
		at += (size_t)snprintf(out + at, size - at, "%s%s (%s)", i ? ", " : "",
		                       t->device[i].uuid, t->device[i].name);
}

static int choose_uuid(struct gpu *g, const char *uuid, struct err *e)
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

void gpu_wait(struct gpu *g, int64_t deadline_ns)
{
	const struct timespec moment = {.tv_nsec = 2000000};

	if (!g->sampler.pid)
		return;
	gpu_sampler_start(&g->sampler, clocks_now(CLOCK_MONOTONIC));
	while (!gpu_sampler_read(&g->sampler, g->table) &&
	       clocks_now(CLOCK_MONOTONIC) < deadline_ns)
		nanosleep(&moment, NULL);
}

static int choose_gpus(struct gpu *g, const struct gpu_options *o, struct err *e)
{
	bool all = o->n_uuids == 0;

	for (size_t i = 0; i < GPU_MAX; i++)
		g->chosen[i] = all;
	if (all)
		return 0;
	gpu_wait(g, clocks_now(CLOCK_MONOTONIC) + NAMES_WAIT);
	for (size_t i = 0; i < o->n_uuids; i++)
		if (choose_uuid(g, o->uuids[i], e))
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
	                                      .library = o->nvml,
	                                      .nested = in_pid_namespace(r),
	                                      .drm = gpu_drm_present(r),
	                                      .interval_s = o->interval_s};
	if (!o->nvml && g->nvidia)
		g->setup.library = GPU_NVML_LIBRARY;
	if (g->setup.library || g->setup.drm)
		(void)gpu_sampler_open(&g->sampler, &g->setup, &g->failure);
	if (choose_gpus(g, o, e) == 0)
		return g;
	gpu_close(g);
	return NULL;
}

struct gpu *gpu_open_list(const struct root *r, const char *list, double interval_s, struct err *e)
{
	struct gpu_options o = {.interval_s = interval_s};
	const char *uuids[UUIDS_MAX];
	char *copy = strdup(list ? list : ""), *next = NULL;
	struct gpu *g;

	if (!copy) {
		err_set(e, "no memory");
		return NULL;
	}
	for (char *uuid = strtok_r(copy, ",", &next); uuid; uuid = strtok_r(NULL, ",", &next))
		if (o.n_uuids < UUIDS_MAX)
			uuids[o.n_uuids++] = uuid;
	o.uuids = uuids;
	g = gpu_open(r, &o, e);
	free(copy);
	return g;
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

static void publish_pids(struct gpu *g, const struct gpu_tree *tree)
{
	size_t n = 0;
	int pid;

	for (size_t i = 0; n < GPU_PIDS_MAX && (pid = tree->pid(tree->ctx, i)) != 0; i++)
		if (pid > 0)
			g->pids[n++] = pid;
	gpu_sampler_set_pids(&g->sampler, g->pids, n);
}

static void add_to_mean(double v, double seconds, struct mean *m)
{
	if (isnan(v))
		return;
	m->sum += v * seconds;
	m->seconds += seconds;
	m->max = v > m->max ? v : m->max;
}

static void raise_max(double v, double *max)
{
	*max = v > *max ? v : *max;
}

static void count_reading(struct gpu *g)
{
	int64_t since = g->counted_at ? g->counted_at : g->origin, at = g->table->at;
	/* The first reading may be older than the start: give it almost no weight. */
	double seconds = at > since ? (double)(at - since) / (double)SECOND : 1e-9;

	if (g->table->readings == g->counted)
		return;
	g->counted = g->table->readings;
	g->counted_at = at;
	for (size_t i = 0; i < g->table->devices; i++) {
		const struct gpu_device *d = &g->table->device[i];
		struct seen *s = &g->seen[i];
		add_to_mean(d->utilisation, seconds, &s->utilisation);
		add_to_mean(d->power_w, seconds, &s->power);
		raise_max(d->used_b, &s->used_max);
		raise_max(d->temperature_c, &s->temperature_max);
	}
}

/* A driver is loaded, but its library does not work: unknown, which is not 0. */
static bool is_blind(const struct gpu *g)
{
	return g->failure.msg[0] || (!g->table->devices && g->table->why[0]);
}

static double age_s(int64_t at)
{
	return (double)(clocks_now(CLOCK_MONOTONIC) - at) / (double)SECOND;
}

void gpu_read(struct gpu *g, const struct gpu_tree *tree, struct gpu_sample *out)
{
	gpu_reading_fill(out, 0);
	if (!g->sampler.shared && !is_blind(g))
		return;
	gpu_reading_fill(out, NAN);
	if (tree && g->setup.drm)
		publish_pids(g, tree);
	/* The first reading has only the names. */
	(void)gpu_sampler_read(&g->sampler, g->table);
	if (g->table->readings && !g->table->devices && !is_blind(g)) {
		gpu_reading_fill(out, 0);
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
	count_reading(g);
	gpu_reading_sum(g->table, g->chosen, tree, out);
	g->unmatched |= isnan(out->tree_usage) || isnan(out->tree_vram_b);
}

/* -- the snapshot ----------------------------------------------------------------------------- */

static const char *most_common_name(const struct gpu *g)
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
		snapshot_list_add(s, &s->server.gpu_names, snapshot_strdup(s, d->name));
	}
	s->server.gpu_name = snapshot_strdup(s, most_common_name(g));
}

static void note_gpus(const struct gpu *g, struct snapshot *s)
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
		                 "driver reports the host's PIDs.");
	else if (g->unmatched)
		snapshot_note(
		    s, "The driver does not report per-process GPU use; where other processes "
		       "used a GPU too, the job's share is unknown.");
	if (awake)
		snapshot_note(
		    s, "Intel's driver does not report GPU utilisation; the time that the GPU "
		       "was awake stands for it.");
	if (blind)
		snapshot_note(
		    s, "The utilisation of a GPU could not be read (a MIG slice, or a driver "
		       "that does not report it).");
	if (n > METRIC_GPUS)
		snapshot_note(
		    s,
		    "There are %zu GPUs; only the first %d have columns of their own, but "
		    "the sums include all.",
		    n, METRIC_GPUS);
}

void gpu_notes_unread(const struct gpu *g, struct snapshot *s)
{
	if (g->failure.msg[0])
		snapshot_note(s, "GPUs were not measured: %s.", g->failure.msg);
	if (g->table->why[0])
		snapshot_note(s, "NVIDIA GPUs were not measured: %s.", g->table->why);
}

void gpu_notes(const struct gpu *g, struct snapshot *s)
{
	gpu_notes_unread(g, s);
	/* A short run may end before the first reading. */
	if (g->sampler.shared && !is_blind(g) && (g->missed || !g->counted) &&
	    (g->table->devices || !g->table->readings))
		snapshot_note(s, "GPUs were not measured until their driver had answered.");
	if (g->late)
		snapshot_note(s,
		              "GPUs were not measured in %zu sample%s: the driver, or the process "
		              "that reads it, did not answer in time.",
		              g->late, g->late == 1 ? "" : "s");
	if (g->table->cut)
		snapshot_note(
		    s,
		    "There were more than %d GPUs or %d processes on them; the rest is not "
		    "counted.",
		    GPU_MAX, GPU_PROCESSES_MAX);
	if (g->table->denied)
		snapshot_note(
		    s, "The GPU use of some processes could not be read (they belong to another "
		       "user); it is missing.");
	note_gpus(g, s);
}

static double value_or_nan(double v, bool measured)
{
	return measured ? v : (double)NAN;
}

static double mean_or_nan(const struct mean *m)
{
	/* Rounding removes the floating-point error of a long sum. */
	return value_or_nan(stats_round(m->sum / m->seconds, 6), m->seconds > 0);
}

static double max_or_nan(const struct mean *m)
{
	return value_or_nan(m->max, m->seconds > 0);
}

void gpu_write(const struct gpu *g, struct json_write *j)
{
	json_write_array(j, snapshot_fields_key(SNAPSHOT_GPU));
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
			.memory_max_b = value_or_nan(s->used_max, s->used_max > 0),
			.utilisation_mean = mean_or_nan(&s->utilisation),
			.utilisation_max = max_or_nan(&s->utilisation),
			.power_mean_w = mean_or_nan(&s->power),
			.power_max_w = max_or_nan(&s->power),
			.temperature_max_c =
			    value_or_nan(s->temperature_max, s->temperature_max > 0),
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
