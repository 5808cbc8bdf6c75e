/* gpu: the GPUs of the machine, and how much of them the job uses. */
#include "collect/gpu/gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/gpu/gpu_drm.h"
#include "collect/gpu/gpu_nvml.h"
#include "collect/gpu/gpu_reading.h"
#include "collect/machine/clocks.h"
#include "collect/procfs/fd_limit.h"
#include "collect/procfs/root.h"
#include "core/base/err.h"
#include "core/recording/snapshot_fields.h"

#define SECOND       INT64_C(1000000000)
#define NAMES_WAIT   (30 * SECOND) /* NVML may load the kernel driver on first use */
#define FIRST_PID_NS 0xEFFFFFFCu   /* the kernel's PROC_PID_INIT_INO */
#define UUIDS_MAX    64            /* of a list; more than a machine has */
#define GPU_PIDS_MAX 2048          /* processes of the job whose fdinfo is read */
#define PERIOD_MIN   (SECOND / 10)
#define MARGIN       (SECOND / 200)
#define TRIES        100 /* to copy a table that is being written */
#define CLOSE_TRIES  20  /* of 1 ms each */

/* A separate process, the sampler, reads the GPUs, so that a driver that hangs, crashes or is slow
 * disturbs neither the recording nor the command.
 *
 * It publishes each reading in shared memory. Only waitpid(2) with __WCLONE sees this child, and it
 * sends no SIGCHLD; it has a session of its own, inherits no file descriptor but the root
 * directory, and is killed when the recorder ends. Code that lists the recorder's children must
 * skip it and its descendants. */

struct gpu_sampler_setup {
	const struct root *r;
	const char *library; /* the NVML library; NULL: no NVIDIA GPU */
	bool nested;         /* as in gpu_nvml_open */
	bool drm;            /* there are AMD or Intel GPUs */
	double interval_s;   /* readings are at least 0.1 s apart */
};

/* Two sequence locks: each part has one writer, and a counter that is odd while it writes. */
struct gpu_shared {
	atomic_uint table_turn, pids_turn;
	_Atomic int64_t origin;
	size_t n_pids;
	int pids[GPU_PIDS_MAX];
	struct gpu_reading table;
};

/* Valid when zero: no sampler. */
struct gpu_sampler {
	int pid;  /* 0: none */
	int wake; /* our end of a socket: a byte wakes the sampler, end of file ends it */
	struct gpu_shared *shared;
};

/* -- the shared memory ------------------------------------------------------------------------- */

static void seq_write_begin(atomic_uint *turn)
{
	atomic_store_explicit(turn, atomic_load_explicit(turn, memory_order_relaxed) | 1,
	                      memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
}

static void seq_write_end(atomic_uint *turn)
{
	atomic_fetch_add_explicit(turn, 1, memory_order_release);
}

static unsigned seq_read_begin(const atomic_uint *turn)
{
	return atomic_load_explicit(turn, memory_order_acquire);
}

static bool seq_read_ok(const atomic_uint *turn, unsigned begin)
{
	atomic_thread_fence(memory_order_acquire);
	return begin % 2 == 0 && atomic_load_explicit(turn, memory_order_relaxed) == begin;
}

/* Copies only the used entries, so that the unused pages of the table stay untouched. */
static void copy_reading(struct gpu_reading *out, const struct gpu_reading *in)
{
	memcpy(out, in, offsetof(struct gpu_reading, device));
	if (out->devices > GPU_MAX)
		out->devices = GPU_MAX;
	if (out->processes > GPU_PROCESSES_MAX)
		out->processes = GPU_PROCESSES_MAX;
	memcpy(out->device, in->device, out->devices * sizeof *out->device);
	memcpy(out->process, in->process, out->processes * sizeof *out->process);
}

/* -- the sampler ------------------------------------------------------------------------------- */

/* The state of the sampler process. */
struct sampler {
	const struct gpu_sampler_setup *setup;
	struct root root;
	struct gpu_shared *shared;
	int wake;
	struct gpu_reading *table; /* being filled; shared->table is a copy */
	struct gpu_nvml *nvml;
	struct gpu_drm *drm;
	int pids[GPU_PIDS_MAX];
	size_t n_pids;
};

static void detach_sampler(const struct sampler *l)
{
	int last = l->wake > l->root.fd ? l->wake : l->root.fd, null;
	sigset_t all;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	prctl(PR_SET_NAME, "rtrack-gpu", 0, 0, 0);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	/* An inherited descriptor would keep the user's pipes open, and their readers waiting. */
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
	for (int fd = 3; fd < last; fd++)
		if (fd != l->wake && fd != l->root.fd)
			close(fd);
	fd_limit_close_from(last + 1);
}

/* Sleeps until the time or a wake-up. False if the recorder has ended. */
static bool sleep_or_wake(const struct sampler *l, int64_t at)
{
	struct pollfd fd = {.fd = l->wake, .events = POLLIN};
	int64_t left = at - clocks_now(CLOCK_MONOTONIC);
	struct timespec t = {.tv_sec = left / SECOND, .tv_nsec = left % SECOND};
	char bytes[64];

	if (left <= 0)
		t = (struct timespec){.tv_sec = 0};
	if (ppoll(&fd, 1, at == INT64_MAX ? NULL : &t, NULL) <= 0)
		return true;
	return read(l->wake, bytes, sizeof bytes) > 0;
}

static void publish_reading(struct sampler *l)
{
	l->table->at = clocks_now(CLOCK_MONOTONIC);
	l->table->readings++;
	seq_write_begin(&l->shared->table_turn);
	copy_reading(&l->shared->table, l->table);
	seq_write_end(&l->shared->table_turn);
}

static void copy_pids(struct sampler *l)
{
	const struct gpu_shared *s = l->shared;

	for (int i = 0; i < TRIES; i++) {
		unsigned begin = seq_read_begin(&s->pids_turn);
		size_t n = s->n_pids < GPU_PIDS_MAX ? s->n_pids : GPU_PIDS_MAX;
		memcpy(l->pids, s->pids, n * sizeof *l->pids);
		l->n_pids = n;
		if (seq_read_ok(&s->pids_turn, begin))
			return;
	}
	l->n_pids = 0;
}

/* When to begin the next reading, given the duration of the last, so that it is complete just
 * before the sample is taken. */
static int64_t next_reading_at(const struct sampler *l, int64_t cost)
{
	double wanted = l->setup->interval_s * (double)SECOND;
	int64_t period = wanted > PERIOD_MIN ? (int64_t)wanted : PERIOD_MIN;
	int64_t lead = 2 * cost + MARGIN, from, slots;

	lead = lead < period / 2 ? lead : period / 2;
	from = clocks_now(CLOCK_MONOTONIC) + lead - atomic_load(&l->shared->origin);
	slots = from / period + 1;
	return atomic_load(&l->shared->origin) + slots * period - lead;
}

static bool open_drivers(struct sampler *l)
{
	const struct gpu_sampler_setup *setup = l->setup;
	struct err e = {.msg = ""};

	l->table = calloc(1, sizeof *l->table);
	if (!l->table)
		return false;
	if (setup->library) {
		l->nvml = gpu_nvml_open(setup->library, setup->nested, l->table, &e);
		snprintf(l->table->why, sizeof l->table->why, "%.200s", e.msg);
	}
	if (setup->drm)
		l->drm = gpu_drm_open(&l->root, l->table);
	return true;
}

static void run_sampler(struct sampler *l)
{
	int64_t begin;

	detach_sampler(l);
	if (!sleep_or_wake(l, INT64_MAX) || !open_drivers(l))
		return;
	/* gpu_open may wait for the names: publish them before the first values. */
	publish_reading(l);
	if (!l->nvml && !l->drm)
		return;
	do {
		begin = clocks_now(CLOCK_MONOTONIC);
		l->table->processes = 0;
		l->table->denied = false;
		if (l->nvml)
			gpu_nvml_read(l->nvml, l->table);
		if (l->drm) {
			copy_pids(l);
			gpu_drm_read(l->drm, l->pids, l->n_pids, clocks_now(CLOCK_MONOTONIC),
			             l->table);
		}
		publish_reading(l);
	} while (sleep_or_wake(l, next_reading_at(l, clocks_now(CLOCK_MONOTONIC) - begin)));
}

/* -- the recorder's side of the sampler -------------------------------------------------------- */

static struct gpu_shared *map_shared(void)
{
	void *p = mmap(NULL, sizeof(struct gpu_shared), PROT_READ | PROT_WRITE,
	               MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static int fail_start(struct gpu_sampler *s, int other_end, struct err *e)
{
	err_set(e, "the process that reads the GPUs cannot be started: %s", strerror(errno));
	if (other_end >= 0) {
		close(other_end);
		close(s->wake);
	}
	if (s->shared)
		munmap(s->shared, sizeof *s->shared);
	*s = (struct gpu_sampler){.pid = 0};
	return -1;
}

/* Forks the sampler, which waits for gpu_sampler_start. 0, or -1 with a sentence. */
static int gpu_sampler_open(struct gpu_sampler *s, const struct gpu_sampler_setup *setup,
                            struct err *e)
{
	int ends[2] = {-1, -1};
	long pid;

	*s = (struct gpu_sampler){.shared = map_shared()};
	if (!s->shared || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return fail_start(s, -1, e);
	s->wake = ends[1];
	/* Exit signal 0: wait(2) does not see this child, and its end sends no SIGCHLD. */
	pid = syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
	if (pid < 0)
		return fail_start(s, ends[0], e);
	if (pid == 0) {
		struct sampler *l = calloc(1, sizeof *l);
		if (l) {
			*l = (struct sampler){.setup = setup,
			                      .root = *setup->r,
			                      .shared = s->shared,
			                      .wake = ends[0]};
			run_sampler(l);
		}
		_exit(0);
	}
	close(ends[0]);
	s->pid = (int)pid;
	return 0;
}

/* Starts the readings: one now, then one shortly before each multiple of the interval after origin
 * (CLOCK_MONOTONIC, ns). May be called again with another origin. */
static void gpu_sampler_start(struct gpu_sampler *s, int64_t origin)
{
	if (!s->pid)
		return;
	atomic_store(&s->shared->origin, origin);
	/* The sampler may have ended: ignore the error. */
	(void)!send(s->wake, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Publishes the PIDs of the job for the sampler. */
static void gpu_sampler_set_pids(struct gpu_sampler *s, const int *pids, size_t n)
{
	struct gpu_shared *to = s->shared;

	if (!s->pid)
		return;
	n = n < GPU_PIDS_MAX ? n : GPU_PIDS_MAX;
	seq_write_begin(&to->pids_turn);
	memcpy(to->pids, pids, n * sizeof *pids);
	to->n_pids = n;
	seq_write_end(&to->pids_turn);
}

static void validate_reading(struct gpu_reading *t)
{
	size_t kept = 0;

	t->why[sizeof t->why - 1] = '\0';
	for (size_t i = 0; i < t->devices; i++) {
		struct gpu_device *d = &t->device[i];
		d->uuid[sizeof d->uuid - 1] = d->name[sizeof d->name - 1] = '\0';
	}
	for (size_t i = 0; i < t->processes; i++)
		if (t->process[i].device >= 0 && (size_t)t->process[i].device < t->devices)
			t->process[kept++] = t->process[i];
	t->processes = kept;
}

/* Copies the last reading; false if there is no complete one. The copy is validated: counts and
 * indexes are in range, and strings are terminated. */
static bool gpu_sampler_read(const struct gpu_sampler *s, struct gpu_reading *out)
{
	if (!s->shared)
		return false;
	for (int i = 0; i < TRIES; i++) {
		unsigned begin = seq_read_begin(&s->shared->table_turn);
		if (begin == 0)
			return false;
		if (begin % 2)
			continue;
		copy_reading(out, &s->shared->table);
		if (seq_read_ok(&s->shared->table_turn, begin)) {
			validate_reading(out);
			return true;
		}
	}
	return false;
}

/* Kills the sampler. Waits at most 20 ms: it may be stuck in the driver, in uninterruptible
 * sleep. */
static void gpu_sampler_close(struct gpu_sampler *s)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	if (s->shared) {
		close(s->wake);
		munmap(s->shared, sizeof *s->shared);
	}
	if (s->pid) {
		kill(s->pid, SIGKILL);
		for (int i = 0; i < CLOSE_TRIES; i++) {
			if (waitpid(s->pid, NULL, WNOHANG | (int)__WCLONE) != 0)
				break;
			nanosleep(&moment, NULL);
		}
	}
	*s = (struct gpu_sampler){.pid = 0};
}

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
	bool looked; /* for drivers */
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

void gpu_find(struct gpu *g)
{
	struct gpu_sampler_setup *setup = &g->setup;

	if (g->looked)
		return;
	g->looked = true;
	g->nvidia = setup->library || has_nvidia(g->r);
	setup->nested = in_pid_namespace(g->r);
	setup->drm = gpu_drm_present(g->r);
	if (!setup->library && g->nvidia)
		setup->library = GPU_NVML_LIBRARY;
	if (setup->library || setup->drm)
		(void)gpu_sampler_open(&g->sampler, setup, &g->failure);
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

	gpu_find(g);
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
	g->setup =
	    (struct gpu_sampler_setup){.r = r, .library = o->nvml, .interval_s = o->interval_s};
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
	gpu_find(g);
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

/* -- the snapshot ------------------------------------------------------------------------------ */

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
