/*
 * no_nvml: stands for collect/gpu/gpu_nvml.c in the static rtrack-collect. A static program cannot
 * load the driver's library: it has no dynamic linker, and no C library that the other would share.
 */
#include "collect/gpu/gpu_nvml.h"

struct gpu_nvml *gpu_nvml_open(const char *library, bool nested, struct gpu_reading *t,
                               struct err *e)
{
	(void)nested;
	(void)t;
	(void)err_set(e,
	              "this rtrack-collect is linked statically and cannot load %s; those of the "
	              "packages and of `make` can",
	              library);
	return NULL;
}

void gpu_nvml_read(struct gpu_nvml *n, struct gpu_reading *t)
{
	(void)n;
	(void)t;
}

void gpu_nvml_close(struct gpu_nvml *n)
{
	(void)n;
}
