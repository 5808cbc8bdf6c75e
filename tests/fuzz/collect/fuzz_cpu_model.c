/* Fuzzes collect/machine/cpu_model.c and host_id.c. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/cpu_model.h"
#include "collect/machine/host_id.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[CPU_MODEL_SIZE], id[HOST_ID_SIZE];

	if (cpu_model((const char *)data, size, name) != (*name != '\0'))
		abort();
	for (const char *p = name; *p; p++)
		if ((unsigned char)*p < ' ')
			abort();
	if (host_id((const char *)data, size, id) && strlen(id) != HOST_ID_SIZE - 1)
		abort();
	return 0;
}
