/* Fuzzes collect/machine/host_address.c: two tables, which a NUL parts. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/host_address.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *nul = size ? memchr(text, '\0', size) : NULL;
	size_t n = nul ? (size_t)(nul - text) : size;
	struct host_address_text route = {text, n};
	struct host_address_text addresses = {text + n, size - n};
	char out[HOST_ADDRESS_SIZE];

	if (host_address_v4(route, addresses, out) != (*out != '\0'))
		abort();
	if (host_address_v6(route, addresses, out) != (*out != '\0'))
		abort();
	return 0;
}
