/* gpu_reading: one reading of all GPUs, as the sampler publishes it. */
#include "collect/gpu/gpu_reading.h"

#include <math.h>

struct gpu_device *gpu_reading_device(struct gpu_reading *t)
{
	struct gpu_device *d;

	if (t->devices >= GPU_MAX) {
		t->cut = true;
		return NULL;
	}
	d = &t->device[t->devices++];
	*d = (struct gpu_device){.memory_b = NAN,
	                         .used_b = NAN,
	                         .utilisation = NAN,
	                         .power_w = NAN,
	                         .temperature_c = NAN};
	return d;
}

struct gpu_process *gpu_reading_process(struct gpu_reading *t, int device, int pid)
{
	for (size_t i = 0; i < t->processes; i++)
		if (t->process[i].pid == pid && t->process[i].device == device)
			return &t->process[i];
	if (t->processes >= GPU_PROCESSES_MAX) {
		t->cut = true;
		return NULL;
	}
	t->process[t->processes] = (struct gpu_process){.device = device, .pid = pid};
	return &t->process[t->processes++];
}
