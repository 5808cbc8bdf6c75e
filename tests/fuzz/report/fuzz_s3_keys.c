/* s3_keys, iso_time_read, s3_profile_url: any bytes as an answer with keys, as a time, and as an endpoint. */
#include <math.h>
#include <string.h>

#include "core/base/iso_time.h"
#include "report/aws_keys/s3_keys.h"
#include "report/aws_keys/s3_profile.h"
#include "tests/fuzz/fuzz.h"

static void check_keys(int rc, const struct s3_keys *k, const struct err *e)
{
	if (rc) {
		must(*e->msg && !*k->secret && !*k->token);
		return;
	}
	must(*k->access && *k->secret && k->expires >= 0);
	for (const char *c = k->token; *c; c++)
		must(*c > ' ' && *c < 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), code[S3_KEYS_CODE_MAX];
	struct s3_keys k;
	struct s3_url u;
	struct err e = {0};

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	check_keys(s3_keys_read_json(&k, text, size, &e), &k, &e);
	check_keys(s3_keys_read_sts(&k, text, size, &e), &k, &e);
	must(strlen(s3_keys_error_code(text, size, code)) < S3_KEYS_CODE_MAX);
	must(isnan(iso_time_read(text)) || iso_time_read(text) >= 0);
	if (!s3_profile_url(&u, text, &e)) {
		must(*u.host && strlen(u.host) < sizeof u.host && !strchr(u.base, '@'));
		must(strlen(u.base) > strlen(u.host) && u.base[strlen(u.base) - 1] != '/');
	}
	free(text);
	return 0;
}
