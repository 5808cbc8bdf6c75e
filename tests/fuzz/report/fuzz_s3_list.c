/* s3_list: any bytes as a page of a list of objects. */
#include <string.h>

#include "report/store/s3_list.h"
#include "tests/fuzz/fuzz.h"

static int note_listed(void *ctx, const struct s3_list_object *o, struct err *e)
{
	char *last = ctx;

	(void)e;
	must(strlen(o->key) < STORE_KEY_MAX && strcmp(o->key, last) > 0);
	must(o->key[0] == 'a' && strlen(o->etag) < 160);
	strcpy(last, o->key);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char last[STORE_KEY_MAX] = "";
	struct s3_list_page p = {.prefix = "a", .after = "", .each = note_listed, .ctx = last};
	struct err e = {0};

	if (s3_list_parse(&p, (const char *)data, size, &e))
		must(*e.msg);
	else
		must(!p.further || p.n);
	return 0;
}
