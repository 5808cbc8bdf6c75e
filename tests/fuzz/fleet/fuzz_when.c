/* when: any text as a point in time. */
#include <string.h>

#include "fleet/options/when.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct err e = {0};
	double at = -1;

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (when_parse(text, 1764547200, &at, &e))
		must(*e.msg && at == -1);
	else
		must(at > 0 && at <= 253402300799.0);
	free(text);
	return 0;
}
