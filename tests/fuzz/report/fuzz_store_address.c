/* store_address: any text as an address. */
#include <string.h>

#include "report/input/store_address.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), shown[STORE_SHOWN_MAX];
	struct store_address a;
	struct err e = {0};
	struct buf b = {0};

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	must(strlen(store_address_shown(text, shown)) < STORE_SHOWN_MAX);
	must(store_kind_of(text) != STORE_HTTPS || !strpbrk(shown, "?#"));
	if (store_address_parse(&a, text, &e)) {
		must(*e.msg && !*a.bucket && !*a.key);
	} else {
		must(store_kind_of(text) == STORE_S3 && strcmp(shown, text) == 0);
		must(*a.bucket && strncmp(text + 5, a.bucket, strlen(a.bucket)) == 0);
		must(!*a.key || strcmp(text + 6 + strlen(a.bucket), a.key) == 0);
		must(!store_address_is_glob(&a) || strpbrk(a.key, "*?["));
		store_address_encode(&b, a.key);
		must(!b.failed && b.len <= 3 * strlen(a.key));
		must(strspn(buf_cstr(&b), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		                          "0123456789-._~/%") == b.len);
		buf_free(&b);
	}
	free(text);
	return 0;
}
