/* s3_xml: any bytes as an answer of a store. */
#include <string.h>

#include "report/aws_keys/s3_xml.h"
#include "tests/fuzz/fuzz.h"

static int read_element(void *ctx, const char *path, const char *text, struct err *e)
{
	size_t *n = ctx;

	must(*path && *path != '/' && strlen(path) < 512 && strlen(text) <= 32768);
	*n += 1;
	return *n == 1000 ? err_set(e, "enough") : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};
	size_t n = 0;

	if (s3_xml_walk((const char *)data, size, read_element, &n, &e))
		must(*e.msg);
	else
		must(n > 0 && n < 1000 && !*e.msg);
	return 0;
}
