/* Fuzzes collect/cloud/cloud_vendor.c: every vendor's rule on the same answers, which NULs part. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/cloud/cloud_vendor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const char *text, size_t size)
{
	char again[CLOUD_VALUE_MAX];
	size_t n = strnlen(text, size);

	if (n == size || (n && !cloud_vendor_value(text, n, again)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cloud_texts t = {.n = {0}};
	char *text = malloc(size + 1), *p = text;
	char token[CLOUD_TOKEN_MAX];
	struct cloud_found f;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	for (size_t i = 0; i < CLOUD_STEPS_MAX && p <= text + size; i++) {
		t.text[i] = p;
		t.n[i] = strlen(p);
		p += t.n[i] + 1;
	}
	for (size_t i = 0; i < CLOUD_COUNT; i++) {
		int got = cloud_vendor_read(&cloud_vendors[i], &t, &f);
		if ((got == 0) != (*f.vendor != '\0'))
			abort();
		check(f.instance_type, sizeof f.instance_type);
		check(f.region, sizeof f.region);
		check(f.zone, sizeof f.zone);
		check(f.account, sizeof f.account);
	}
	if (cloud_vendor_token(text, size, token) && strpbrk(token, " \t\r\n"))
		abort();
	free(text);
	return 0;
}
