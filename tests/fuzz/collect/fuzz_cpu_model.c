/* Fuzzes collect/machine/discover_server.c: CPU models and host IDs. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/discover_server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[DISCOVER_SERVER_CPU_SIZE], id[DISCOVER_SERVER_HOST_ID];

	if (discover_server_cpu_model((const char *)data, size, name) != (*name != '\0'))
		abort();
	for (const char *p = name; *p; p++)
		if ((unsigned char)*p < ' ')
			abort();
	if (discover_server_host_id((const char *)data, size, id) &&
	    strlen(id) != DISCOVER_SERVER_HOST_ID - 1)
		abort();
	return 0;
}
