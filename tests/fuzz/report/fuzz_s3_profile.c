/* s3_profile: any bytes as a settings file. */
#include <string.h>

#include "report/aws_keys/s3_profile.h"
#include "tests/fuzz/fuzz.h"

static void read_setting(void *ctx, const char *section, const char *key, const char *value)
{
	size_t size = *(const size_t *)ctx;

	must(strlen(section) <= size && strlen(key) <= size && strlen(value) <= size);
	for (const char *c = key; *c; c++)
		must(!(*c >= 'A' && *c <= 'Z') && *c != '\n');
	must(!strchr(section, '\n'));
	if (s3_profile_is(section, "profile", "default"))
		must(strncmp(section, "profile", 7) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = {0};

	if (s3_profile_walk((const char *)data, size, read_setting, &size, &e))
		must(*e.msg);
	return 0;
}
