/* Fuzzes the reader of a row's text in core/recording/job_inputs.c. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/recording/job_inputs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	const char *at = text;
	struct job_inputs_size one;

	while (text && job_inputs_sizes_next(&at, &one))
		if (!(one.bytes >= 0) || !isfinite(one.bytes) || !*one.at || at > text + size)
			abort();
	free(text);
	return 0;
}
