/* Fuzzes fleet/owners/mail_rules.c. */
#include <math.h>

#include "fleet/owners/mail_rules.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mail_rules r = mail_rules_default();
	char *text = malloc(size ? size : 1);
	struct err e = {0};

	must(text);
	memcpy(text, data, size);
	if (mail_rules_parse(text, size, &r, &e))
		must(strncmp(e.msg, "line ", 5) == 0);
	must(r.runs >= 0 && r.runs <= 1e15 && r.cpu_share >= 0 && r.cpu_share <= 1);
	must(r.node_memory_b >= 0 && isfinite(r.node_memory_b));
	for (const char *c = r.from; *c; c++)
		must(*c >= ' ' && *c <= '~');
	must(strlen(r.note) < MAIL_RULES_NOTE);
	free(text);
	return 0;
}
