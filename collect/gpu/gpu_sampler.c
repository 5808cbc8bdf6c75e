/* gpu_sampler: a separate process that reads the GPUs. */
#include "collect/gpu/gpu_sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/gpu/gpu_drm.h"
#include "collect/gpu/gpu_nvml.h"
#include "collect/machine/clocks.h"
#include "collect/procfs/fd_limit.h"

#define SECOND      INT64_C(1000000000)
#define PERIOD_MIN  (SECOND / 10)
#define MARGIN      (SECOND / 200)
#define TRIES       100 /* to copy a table that is being written */
#define CLOSE_TRIES 20  /* of 1 ms each */

/* Two sequence locks: each part has one writer, and a counter that is odd while it writes. */
struct gpu_shared {
	atomic_uint table_turn, pids_turn;
	_Atomic int64_t origin;
	size_t n_pids;
	int pids[GPU_PIDS_MAX];
	struct gpu_reading table;
};

/* -- sequence locks ---------------------------------------------------------------------------- */

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

/* -- the recorder ------------------------------------------------------------------------------ */

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

int gpu_sampler_open(struct gpu_sampler *s, const struct gpu_sampler_setup *setup, struct err *e)
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

void gpu_sampler_start(struct gpu_sampler *s, int64_t origin)
{
	if (!s->pid)
		return;
	atomic_store(&s->shared->origin, origin);
	/* The sampler may have ended: ignore the error. */
	(void)!send(s->wake, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void gpu_sampler_set_pids(struct gpu_sampler *s, const int *pids, size_t n)
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

bool gpu_sampler_read(const struct gpu_sampler *s, struct gpu_reading *out)
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

void gpu_sampler_close(struct gpu_sampler *s)
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
