/* gpu_nvml: NVIDIA GPUs, through the driver's own library. */
#include "collect/gpu/gpu_nvml.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* -- the part of NVML that is used ------------------------------------------------------------- */

/* NVML API Reference, CUDA 8 to 13. Every function returns one of these codes. */
enum nvml_code {
	NVML_OK = 0,
	NVML_NOT_SUPPORTED = 3,
	NVML_NO_PERMISSION = 4,
	NVML_NOT_FOUND = 6,
	NVML_INSUFFICIENT_SIZE = 7,
	NVML_DRIVER_NOT_LOADED = 9,
	NVML_GPU_IS_LOST = 15,
	NVML_VERSION_MISMATCH = 18,
};

#define NVML_NOT_AVAILABLE   UINT64_MAX /* a process's used memory is unknown */
#define NVML_TEMPERATURE_GPU 0

struct nvml_memory {
	uint64_t total, free, used;
};

/* Unlike in nvml_memory, used does not include memory that the driver reserves. */
struct nvml_memory2 {
	unsigned version;
	uint64_t total, reserved, free, used;
};
#define NVML_MEMORY2_VERSION ((unsigned)sizeof(struct nvml_memory2) | 2u << 24)

struct nvml_rates {
	unsigned gpu, memory; /* % */
};

/* An entry of the list of running processes. Functions without a suffix write 16 bytes; _v2 and _v3
 * write 24, and some drivers of the 535 series 32. */
struct nvml_process {
	unsigned pid;
	uint64_t used_b;
	unsigned gpu_instance, compute_instance;
};
#define NVML_PROCESS_V1_SIZE  16
#define NVML_PROCESS_V3_SIZE  24
#define NVML_PROCESS_535_SIZE 32

struct nvml_use {
	unsigned pid;
	uint64_t at_us;                        /* Unix */
	unsigned sm, memory, encoder, decoder; /* % */
};

struct nvml {
	int (*init)(void);
	int (*shutdown)(void);
	int (*count)(unsigned *count);
	int (*by_index)(unsigned i, void **device);
	int (*name)(void *device, char *out, unsigned size);
	int (*uuid)(void *device, char *out, unsigned size);
	int (*memory)(void *device, struct nvml_memory *out);
	int (*memory2)(void *device, struct nvml_memory2 *out);
	int (*rates)(void *device, struct nvml_rates *out);
	int (*power)(void *device, unsigned *milliwatts);
	int (*temperature)(void *device, int sensor, unsigned *celsius);
	int (*compute)(void *device, unsigned *count, void *out);
	int (*graphics)(void *device, unsigned *count, void *out);
	int (*use)(void *device, struct nvml_use *out, unsigned *count, uint64_t after_us);
	int (*mig_mode)(void *device, unsigned *current, unsigned *pending);
	int (*mig_count)(void *device, unsigned *count);
	int (*mig_device)(void *device, unsigned i, void **out);
	const char *(*text)(int code);
};

#define LIST_MAX 256  /* processes on one GPU */
#define FILL     0xA5 /* marks bytes that the library has not written */

struct nvml_card {
	void *device; /* handle of the GPU or MIG slice */
	void *whole;  /* handle of the GPU: of a slice, its parent */
	uint64_t seen_us;
};

struct gpu_nvml {
	void *library;
	struct nvml api;
	bool nested, ready, old_lists;
	size_t first, n; /* its devices in the reading */
	struct nvml_card card[GPU_MAX];
	struct nvml_use use[LIST_MAX];
	_Alignas(8) unsigned char list[LIST_MAX * NVML_PROCESS_535_SIZE];
};

/* -- the library ------------------------------------------------------------------------------- */

static const struct symbol {
	const char *name[2]; /* the newer name first */
	size_t at;
	bool needed;
} symbols[] = {
    {{"nvmlInit_v2", "nvmlInit"}, offsetof(struct nvml, init), true},
    {{"nvmlShutdown"}, offsetof(struct nvml, shutdown), false},
    {{"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"}, offsetof(struct nvml, count), true},
    {{"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"},
     offsetof(struct nvml, by_index),
     true},
    {{"nvmlDeviceGetName"}, offsetof(struct nvml, name), false},
    {{"nvmlDeviceGetUUID"}, offsetof(struct nvml, uuid), false},
    {{"nvmlDeviceGetMemoryInfo"}, offsetof(struct nvml, memory), false},
    {{"nvmlDeviceGetMemoryInfo_v2"}, offsetof(struct nvml, memory2), false},
    {{"nvmlDeviceGetUtilizationRates"}, offsetof(struct nvml, rates), false},
    {{"nvmlDeviceGetPowerUsage"}, offsetof(struct nvml, power), false},
    {{"nvmlDeviceGetTemperature"}, offsetof(struct nvml, temperature), false},
    {{"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"},
     offsetof(struct nvml, compute),
     false},
    {{"nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2"},
     offsetof(struct nvml, graphics),
     false},
    {{"nvmlDeviceGetProcessUtilization"}, offsetof(struct nvml, use), false},
    {{"nvmlDeviceGetMigMode"}, offsetof(struct nvml, mig_mode), false},
    {{"nvmlDeviceGetMaxMigDeviceCount"}, offsetof(struct nvml, mig_count), false},
    {{"nvmlDeviceGetMigDeviceHandleByIndex"}, offsetof(struct nvml, mig_device), false},
    {{"nvmlErrorString"}, offsetof(struct nvml, text), false},
};

static void *find_symbol(const struct gpu_nvml *n, const char *name)
{
	return name ? dlsym(n->library, name) : NULL;
}

/* POSIX guarantees that a function pointer fits in a void *, for dlsym(3); ISO C does not. */
static void set_symbol(struct gpu_nvml *n, size_t at, void *symbol)
{
	memcpy((char *)&n->api + at, &symbol, sizeof symbol);
}

static int load_library(struct gpu_nvml *n, const char *library, struct err *e)
{
	n->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!n->library)
		return err_set(e, "%s could not be loaded", library);
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		const struct symbol *s = &symbols[i];
		void *symbol = find_symbol(n, s->name[0]);
		if (!symbol)
			symbol = find_symbol(n, s->name[1]);
		if (!symbol && s->needed)
			return err_set(e, "%s has no %s", library, s->name[0]);
		set_symbol(n, s->at, symbol);
	}
	n->old_lists = !n->api.compute;
	if (n->old_lists) {
		set_symbol(n, offsetof(struct nvml, compute),
		           find_symbol(n, "nvmlDeviceGetComputeRunningProcesses"));
		set_symbol(n, offsetof(struct nvml, graphics),
		           find_symbol(n, "nvmlDeviceGetGraphicsRunningProcesses"));
	}
	return 0;
}

static int fail_nvml(const struct gpu_nvml *n, const char *what, int code, struct err *e)
{
	const char *text = n->api.text ? n->api.text(code) : NULL;

	return err_set(e, "%s: %s (error %d)", what, text ? text : "NVML failed", code);
}

/* -- the devices ------------------------------------------------------------------------------- */

static void read_gpu_memory(const struct gpu_nvml *n, const struct nvml_card *c,
                            struct gpu_device *d)
{
	struct nvml_memory2 two = {.version = NVML_MEMORY2_VERSION};
	struct nvml_memory one;

	d->used_b = NAN;
	if (n->api.memory2 && n->api.memory2(c->device, &two) == NVML_OK) {
		d->memory_b = (double)two.total;
		d->used_b = (double)two.used;
	} else if (n->api.memory && n->api.memory(c->device, &one) == NVML_OK) {
		d->memory_b = (double)one.total;
		d->used_b = (double)one.used;
	}
}

static void add_device(struct gpu_nvml *n, struct gpu_reading *t, void *device, void *whole)
{
	struct gpu_device *d = gpu_reading_device(t);
	struct nvml_card *c;

	if (!d)
		return;
	c = &n->card[n->n++];
	*c = (struct nvml_card){.device = device, .whole = whole};
	if (!n->api.name || n->api.name(device, d->name, sizeof d->name - 1) != NVML_OK)
		memcpy(d->name, "NVIDIA GPU", sizeof "NVIDIA GPU");
	if (!n->api.uuid || n->api.uuid(device, d->uuid, sizeof d->uuid - 1) != NVML_OK)
		d->uuid[0] = '\0';
	d->name[sizeof d->name - 1] = d->uuid[sizeof d->uuid - 1] = '\0';
	read_gpu_memory(n, c, d);
}

/* Appends the MIG slices of a GPU and returns their number. */
static size_t add_slices(struct gpu_nvml *n, struct gpu_reading *t, void *whole)
{
	unsigned on = 0, pending, max = 0;
	size_t found = 0;
	void *slice;

	if (!n->api.mig_mode || !n->api.mig_count || !n->api.mig_device ||
	    n->api.mig_mode(whole, &on, &pending) != NVML_OK || on != 1 ||
	    n->api.mig_count(whole, &max) != NVML_OK)
		return 0;
	for (unsigned i = 0; i < max && i < GPU_MAX; i++)
		if (n->api.mig_device(whole, i, &slice) == NVML_OK) {
			add_device(n, t, slice, whole);
			found++;
		}
	return found;
}

/* Skips GPUs that do not answer (lost, or no permission). */
static int add_devices(struct gpu_nvml *n, struct gpu_reading *t, struct err *e)
{
	unsigned count = 0;
	int code = n->api.count(&count);
	void *device;

	if (code != NVML_OK)
		return fail_nvml(n, "nvmlDeviceGetCount", code, e);
	for (unsigned i = 0; i < count && i < GPU_MAX; i++) {
		code = n->api.by_index(i, &device);
		if (code != NVML_OK)
			(void)fail_nvml(n, "nvmlDeviceGetHandleByIndex", code, e);
		else if (add_slices(n, t, device) == 0)
			add_device(n, t, device, device);
	}
	t->cut |= count > GPU_MAX;
	return n->n ? 0 : -1;
}

struct gpu_nvml *gpu_nvml_open(const char *library, bool nested, struct gpu_reading *t,
                               struct err *e)
{
	struct gpu_nvml *n = calloc(1, sizeof *n);
	int code;

	*e = (struct err){.msg = ""};
	if (!n) {
		(void)err_set(e, "no memory");
		return NULL;
	}
	n->nested = nested;
	n->first = t->devices;
	if (load_library(n, library, e))
		goto fail;
	/* clang-analyzer-core.CallAndMessage: load_library() fails, by err_set, where it is not
	 * found */
	code = n->api.init();
	n->ready = code == NVML_OK;
	if (!n->ready && code != NVML_DRIVER_NOT_LOADED)
		(void)fail_nvml(n, "nvmlInit", code, e);
	if (n->ready && add_devices(n, t, e) == 0)
		return n;
fail:
	gpu_nvml_close(n);
	return NULL;
}

/* -- processes --------------------------------------------------------------------------------- */

static bool process_exists(int pid)
{
	return kill(pid, 0) == 0 || errno != ESRCH;
}

/* The size of an entry, from how much the library wrote. */
static size_t entry_size(const struct gpu_nvml *n, size_t count)
{
	if (n->old_lists)
		return NVML_PROCESS_V1_SIZE;
	for (size_t i = count * NVML_PROCESS_V3_SIZE; i < count * NVML_PROCESS_535_SIZE; i++)
		if (n->list[i] != FILL)
			return NVML_PROCESS_535_SIZE;
	return NVML_PROCESS_V3_SIZE;
}

/* A process that computes and renders is in both lists, with the same memory: keep the maximum. */
static void add_process(struct gpu_nvml *n, struct gpu_reading *t, size_t place, unsigned pid,
                        uint64_t used)
{
	struct gpu_process *p;
	double used_b = used == NVML_NOT_AVAILABLE ? (double)NAN : (double)used;

	if (n->nested && (pid == 0 || !process_exists((int)pid)))
		t->device[place].foreign = true;
	p = gpu_reading_process(t, (int)place, (int)pid);
	if (p && !(p->used_b >= used_b) && !(p->used_b > 0 && isnan(used_b)))
		p->used_b = used_b;
}

static void read_process_list(struct gpu_nvml *n, struct gpu_reading *t, size_t i,
                              int (*call)(void *, unsigned *, void *))
{
	unsigned count = LIST_MAX;
	size_t size;
	int code;

	if (!call)
		return;
	memset(n->list, FILL, sizeof n->list);
	code = call(n->card[i].device, &count, n->list);
	t->cut |= code == NVML_INSUFFICIENT_SIZE;
	if (code != NVML_OK || count > LIST_MAX)
		return;
	size = entry_size(n, count);
	for (size_t k = 0; k < count; k++) {
		struct nvml_process p;
		memcpy(&p, n->list + k * size, NVML_PROCESS_V1_SIZE);
		if (p.pid <= INT32_MAX)
			add_process(n, t, n->first + i, p.pid, p.used_b);
	}
}

/* Whether this is the process's newest entry. */
static bool is_newest(const struct nvml_use *use, size_t i, size_t count)
{
	for (size_t k = 0; k < count; k++)
		if (use[k].pid == use[i].pid && /* arrayIndexThenCheck: i is one of them */
		    (use[k].at_us > use[i].at_us || (use[k].at_us == use[i].at_us && k > i)))
			return false;
	return true;
}

/* The driver lists only busy processes. Some drivers include entries that were never filled. */
static void add_utilisation(struct gpu_nvml *n, struct gpu_reading *t, size_t i, size_t count)
{
	struct nvml_card *c = &n->card[i];
	uint64_t last = c->seen_us;

	for (size_t k = 0; k < count; k++) {
		const struct nvml_use *u = &n->use[k];
		struct gpu_process *p;
		if (u->pid == 0 || u->pid > INT32_MAX || u->sm > 100 || u->at_us <= c->seen_us ||
		    !is_newest(n->use, k, count))
			continue;
		last = u->at_us > last ? u->at_us : last;
		p = gpu_reading_process(t, (int)(n->first + i), (int)u->pid);
		if (p)
			p->utilisation = u->sm / 100.0;
	}
	c->seen_us = last;
}

/* The PIDs are always those of the host's PID namespace, and MIG slices have no such list. */
static void read_utilisation(struct gpu_nvml *n, struct gpu_reading *t, size_t i)
{
	struct gpu_device *d = &t->device[n->first + i];
	unsigned count = LIST_MAX;
	int code;

	d->by_process = false;
	if (!n->api.use || n->nested || n->card[i].device != n->card[i].whole)
		return;
	code = n->api.use(n->card[i].device, n->use, &count, n->card[i].seen_us);
	d->by_process = code == NVML_OK || code == NVML_NOT_FOUND;
	if (code == NVML_OK && count <= LIST_MAX)
		add_utilisation(n, t, i, count);
}

/* -- reading ----------------------------------------------------------------------------------- */

static void read_gpu_values(struct gpu_nvml *n, struct gpu_reading *t, size_t i)
{
	struct gpu_device *d = &t->device[n->first + i];
	const struct nvml_card *c = &n->card[i];
	struct nvml_rates rates;
	unsigned v;

	d->utilisation = d->power_w = d->temperature_c = NAN;
	d->foreign = false;
	read_gpu_memory(n, c, d);
	if (n->api.rates && n->api.rates(c->device, &rates) == NVML_OK)
		d->utilisation = rates.gpu > 100 ? 1 : rates.gpu / 100.0;
	if (n->api.power && n->api.power(c->whole, &v) == NVML_OK)
		d->power_w = v / 1000.0;
	if (n->api.temperature && n->api.temperature(c->whole, NVML_TEMPERATURE_GPU, &v) == NVML_OK)
		d->temperature_c = v;
	read_process_list(n, t, i, n->api.compute);
	read_process_list(n, t, i, n->api.graphics);
	read_utilisation(n, t, i);
}

void gpu_nvml_read(struct gpu_nvml *n, struct gpu_reading *t)
{
	for (size_t i = 0; i < n->n; i++)
		read_gpu_values(n, t, i);
}

void gpu_nvml_close(struct gpu_nvml *n)
{
	if (!n)
		return;
	if (n->ready && n->api.shutdown)
		(void)n->api.shutdown();
	if (n->library)
		dlclose(n->library);
	free(n);
}
