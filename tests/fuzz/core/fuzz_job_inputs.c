/* Fuzzes the reader of a row's text in core/head/job_inputs.c. */
#include <math.h>
#include <string.h>

#include "core/head/job_inputs.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	const char *at = text;
	struct job_inputs_size one;

	while (job_inputs_sizes_next(&at, &one))
		must(one.bytes >= 0 && isfinite(one.bytes) && *one.at && at <= text + size);
	free(text);
	return 0;
}
