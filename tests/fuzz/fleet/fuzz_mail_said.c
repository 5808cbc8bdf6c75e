/* Fuzzes fleet/owners/mail_said.c. The first line of the file is there already. */
#include "fleet/owners/mail_said.h"
#include "tests/fuzz/fuzz.h"

static const char first[] = "{\"format\":\"rtrack-mail-said\",\"version\":1}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = sizeof first - 1 + size;
	char *text = malloc(n);
	struct mail_said s = {.v = NULL};
	struct err e = {0};
	long whole;

	must(text);
	memcpy(text, first, sizeof first - 1);
	memcpy(text + sizeof first - 1, data, size);
	whole = mail_said_parse(&s, text, n, "f", &e);
	must(whole < 0 ? *e.msg != '\0' : (size_t)whole <= n && text[whole - 1] == '\n');
	for (size_t i = 0; whole >= 0 && i < s.n; i++) {
		must(s.v[i].at >= 0 && s.v[i].line >= 2);
		mail_said_is_news(&s, &s.v[i], 86400);
	}
	mail_said_close(&s);
	free(text);
	return 0;
}
