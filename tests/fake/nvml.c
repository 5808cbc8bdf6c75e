/*
 * A library that speaks NVML's binary interface, for tests. It plays the machine that the variable
 * FAKE_NVML describes, or, where that is "@FILE", the file, read again at each call. Statements are
 * ended by ";" or a newline:
 *   gpus N               how many (default 1)
 *   util GPU PERCENT     used GPU MIB      power GPU MILLIWATTS     temp GPU CELSIUS
 *   name GPU WORD        its name (default "Fake GPU")
 *   proc GPU PID MIB SM  computes there; MIB -1: not told; SM -1: is not busy
 *   draw GPU PID MIB     draws there
 *   junk GPU PID SM      an entry of the utilisation list that was never filled: its time is old
 *   mig GPU N            is split into N slices, which have the processes of the GPU
 *   error FUNCTION CODE  fails; lost CALLS: after so many calls of the utilisation, all is lost
 *   slow FUNCTION MS     takes its time; crash FUNCTION: never comes back
 *   entry BYTES          of the lists of processes: 24 (default), or 32
 * With -DOLD it has only what a driver of 2016 had.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GPUS    256
#define MIB     (1024ull * 1024)
#define LOST    15
#define TOO_FEW 7

#define API(name, ...)                                                                             \
	int name(__VA_ARGS__);                                                                     \
	int name(__VA_ARGS__)

/* Devices are handed out as addresses in these: whole GPUs, and slices of the first of them. */
static char whole[GPUS], slice[GPUS][8];
static unsigned calls;

static void settings(char out[8192])
{
	const char *from = getenv("FAKE_NVML");

	out[0] = '\0';
	if (from && from[0] == '@') {
		FILE *f = fopen(from + 1, "re");
		size_t n = f ? fread(out, 1, 8191, f) : 0;
		out[n] = '\0';
		if (f)
			fclose(f);
	} else if (from) {
		snprintf(out, 8192, "%s", from);
	}
}

/* The k-th statement that begins with these words: what follows them, in out. */
static int find(const char *words, unsigned k, char out[256])
{
	char text[8192], *rest = text, *line;

	settings(text);
	while ((line = strsep(&rest, ";\n"))) {
		size_t n = strlen(words);
		line += strspn(line, " ");
		if (strncmp(line, words, n) == 0 && (line[n] == ' ' || !line[n]) && k-- == 0) {
			snprintf(out, 256, "%s", line + n + (line[n] == ' '));
			return 1;
		}
	}
	return 0;
}

static long value(const char *words, long otherwise)
{
	char text[256];

	return find(words, 0, text) ? strtol(text, NULL, 10) : otherwise;
}

static long of_gpu(const char *word, unsigned gpu, long otherwise)
{
	char words[64];

	snprintf(words, sizeof words, "%s %u", word, gpu);
	return value(words, otherwise);
}

/* What a statement about the function makes of a call of it. */
static int enter(const char *function)
{
	char words[128], text[256];
	long ms, lost = value("lost", -1);

	snprintf(words, sizeof words, "crash %s", function);
	if (find(words, 0, text))
		raise(SIGKILL);
	snprintf(words, sizeof words, "slow %s", function);
	ms = value(words, 0);
	if (ms) {
		struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
		nanosleep(&t, NULL);
	}
	snprintf(words, sizeof words, "error %s", function);
	if (lost >= 0 && calls > (unsigned)lost)
		return LOST;
	return (int)value(words, 0);
}

static int is_slice(const void *device)
{
	return (const char *)device >= slice[0] && (const char *)device < slice[0] + sizeof slice;
}

static unsigned gpu_of(const void *device)
{
	return (unsigned)(is_slice(device) ? ((const char *)device - slice[0]) / 8
	                                   : (const char *)device - whole);
}

API(nvmlInit_v2, void)
{
	calls = 0;
	return enter("nvmlInit_v2");
}

API(nvmlShutdown, void)
{
	return 0;
}

API(nvmlDeviceGetCount_v2, unsigned *count)
{
	*count = (unsigned)value("gpus", 1);
	return enter("nvmlDeviceGetCount_v2");
}

API(nvmlDeviceGetHandleByIndex_v2, unsigned i, void **device)
{
	*device = &whole[i];
	return enter("nvmlDeviceGetHandleByIndex_v2");
}

API(nvmlDeviceGetName, void *device, char *out, unsigned size)
{
	char words[32], text[256] = "Fake GPU";

	snprintf(words, sizeof words, "name %u", gpu_of(device));
	(void)find(words, 0, text);
	snprintf(out, size, "%s%s", text, is_slice(device) ? " MIG 1g.5gb" : "");
	return enter("nvmlDeviceGetName");
}

API(nvmlDeviceGetUUID, void *device, char *out, unsigned size)
{
	if (is_slice(device))
		snprintf(out, size, "MIG-%u-%u", gpu_of(device),
		         (unsigned)(((char *)device - slice[0]) % 8));
	else
		snprintf(out, size, "GPU-%u", gpu_of(device));
	return enter("nvmlDeviceGetUUID");
}

struct memory {
	unsigned long long total, free, used;
};

API(nvmlDeviceGetMemoryInfo, void *device, struct memory *out)
{
	out->used = (unsigned long long)of_gpu("used", gpu_of(device), 0) * MIB + 100 * MIB;
	out->total = 16384 * MIB;
	out->free = out->total - out->used;
	return enter("nvmlDeviceGetMemoryInfo");
}

struct rates {
	unsigned gpu, memory;
};

API(nvmlDeviceGetUtilizationRates, void *device, struct rates *out)
{
	calls++;
	out->gpu = (unsigned)of_gpu("util", gpu_of(device), 0);
	out->memory = 1;
	return is_slice(device) ? 3 : enter("nvmlDeviceGetUtilizationRates");
}

API(nvmlDeviceGetPowerUsage, void *device, unsigned *out)
{
	*out = (unsigned)of_gpu("power", gpu_of(device), 50000);
	return is_slice(device) ? 3 : enter("nvmlDeviceGetPowerUsage");
}

API(nvmlDeviceGetTemperature, void *device, int sensor, unsigned *out)
{
	*out = (unsigned)of_gpu("temp", gpu_of(device), 40);
	return is_slice(device) || sensor ? 3 : enter("nvmlDeviceGetTemperature");
}

static void put(unsigned char *at, size_t size, unsigned pid, unsigned long long used)
{
	const unsigned instance[2] = {UINT32_MAX, UINT32_MAX};
	const unsigned long long guarded = 0;

	memset(at, 0, 16);
	memcpy(at, &pid, sizeof pid);
	memcpy(at + 8, &used, sizeof used);
	if (size > 16)
		memcpy(at + 16, instance, sizeof instance);
	if (size > 24)
		memcpy(at + 24, &guarded, sizeof guarded);
}

static int list(const char *word, unsigned gpu, size_t size, unsigned *count, unsigned char *out)
{
	char words[32], text[256];
	unsigned n = 0, room = *count;

	snprintf(words, sizeof words, "%s %u", word, gpu);
	for (; find(words, n, text); n++) {
		char *rest;
		long pid = strtol(text, &rest, 10), mib = strtol(rest, NULL, 10);
		if (n < room)
			put(out + n * size, size, (unsigned)pid,
			    mib < 0 ? ~0ull : (unsigned long long)mib * MIB);
	}
	*count = n;
	return n > room ? TOO_FEW : 0;
}

static int list_checked(const char *function, const char *word, void *device, size_t size,
                        unsigned *count, void *out)
{
	int code = enter(function);

	return code ? code : list(word, gpu_of(device), size, count, out);
}

#ifdef OLD

API(nvmlDeviceGetComputeRunningProcesses, void *device, unsigned *count, void *out)
{
	return list_checked("nvmlDeviceGetComputeRunningProcesses", "proc", device, 16, count, out);
}

API(nvmlDeviceGetGraphicsRunningProcesses, void *device, unsigned *count, void *out)
{
	return list_checked("nvmlDeviceGetGraphicsRunningProcesses", "draw", device, 16, count,
	                    out);
}

#else

const char *nvmlErrorString(int code);
const char *nvmlErrorString(int code)
{
	return code == 18 ? "Driver/library version mismatch" : "Some Error";
}

struct memory2 {
	unsigned version;
	unsigned long long total, reserved, free, used;
};

API(nvmlDeviceGetMemoryInfo_v2, void *device, struct memory2 *out)
{
	if (out->version != (40 | 2u << 24))
		return 25;
	out->used = (unsigned long long)of_gpu("used", gpu_of(device), 0) * MIB;
	out->total = 16384 * MIB;
	out->reserved = 100 * MIB;
	out->free = out->total - out->used - out->reserved;
	return enter("nvmlDeviceGetMemoryInfo_v2");
}

API(nvmlDeviceGetComputeRunningProcesses_v3, void *device, unsigned *count, void *out)
{
	return list_checked("nvmlDeviceGetComputeRunningProcesses_v3", "proc", device,
	                    (size_t)value("entry", 24), count, out);
}

API(nvmlDeviceGetGraphicsRunningProcesses_v3, void *device, unsigned *count, void *out)
{
	return list_checked("nvmlDeviceGetGraphicsRunningProcesses_v3", "draw", device,
	                    (size_t)value("entry", 24), count, out);
}

struct use {
	unsigned pid;
	unsigned long long at;
	unsigned sm, memory, encoder, decoder;
};

static unsigned long long unix_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (unsigned long long)t.tv_sec * 1000000 + (unsigned long long)t.tv_nsec / 1000;
}

static unsigned uses(const char *word, unsigned gpu, unsigned long long at, unsigned n,
                     unsigned room, struct use *out)
{
	char words[32], text[256];

	snprintf(words, sizeof words, "%s %u", word, gpu);
	for (unsigned k = 0; find(words, k, text); k++) {
		char *rest;
		long pid = strtol(text, &rest, 10), sm;
		if (strcmp(word, "proc") == 0)
			strtol(rest, &rest, 10);
		sm = strtol(rest, NULL, 10);
		if (sm < 0)
			continue;
		if (n < room)
			out[n] = (struct use){
			    .pid = (unsigned)pid, .at = at, .sm = (unsigned)sm, .memory = 1};
		n++;
	}
	return n;
}

API(nvmlDeviceGetProcessUtilization, void *device, struct use *out, unsigned *count,
    unsigned long long after)
{
	int code = enter("nvmlDeviceGetProcessUtilization");
	unsigned long long now = unix_us();
	unsigned n;

	if (code || is_slice(device))
		return code ? code : 3;
	n = uses("proc", gpu_of(device), now, 0, *count, out);
	n = uses("junk", gpu_of(device), after < now ? after : now, n, *count, out);
	if (n > *count || n == 0) {
		*count = n;
		return n ? TOO_FEW : 6;
	}
	*count = n;
	return 0;
}

API(nvmlDeviceGetMigMode, void *device, unsigned *current, unsigned *pending)
{
	*current = *pending = of_gpu("mig", gpu_of(device), 0) > 0;
	return enter("nvmlDeviceGetMigMode");
}

API(nvmlDeviceGetMaxMigDeviceCount, void *device, unsigned *count)
{
	(void)device;
	*count = 7;
	return enter("nvmlDeviceGetMaxMigDeviceCount");
}

API(nvmlDeviceGetMigDeviceHandleByIndex, void *device, unsigned i, void **out)
{
	*out = &slice[gpu_of(device)][i];
	return i < (unsigned)of_gpu("mig", gpu_of(device), 0) ? 0 : 6;
}

#endif
