/*
 * gpu_nvml_abi: the part of NVML's binary interface that rtrack uses (NVML API Reference, CUDA 8 to
 * 13). Every function returns one of the codes below.
 */
#ifndef COLLECT_GPU_GPU_NVML_ABI_H
#define COLLECT_GPU_GPU_NVML_ABI_H

#include <stddef.h>
#include <stdint.h>

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

#endif
