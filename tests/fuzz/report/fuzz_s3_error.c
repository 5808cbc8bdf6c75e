/* s3_error: any bytes as the error of a store. */
#include <string.h>

#include "report/store/s3_error.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const secrets[] = {"SECRET", NULL};
	struct s3_refusal r = {.place = "s3://b/k",
	                       .status = size ? data[0] * 4 : 0,
	                       .secrets = secrets,
	                       .request_id = ""};
	struct s3_error x;
	struct err e = {0};

	s3_error_parse(&x, (const char *)data, size);
	must(strlen(x.code) < sizeof x.code && strlen(x.message) < sizeof x.message);
	must(s3_error_say(&r, &x, &e) == -1 && strstr(e.msg, "s3://b/k: "));
	must(!strstr(e.msg, "SECRET"));
	return 0;
}
