/* catalog_where: any text as a key of --group-by, a condition of --where, and a machine. */
#include <math.h>
#include <string.h>

#include "fleet/catalog/catalog_where.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), again[CATALOG_MACHINE_MAX];
	struct catalog_condition c;
	struct catalog_machine m;
	struct catalog_key key;
	struct err e = {0};

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (catalog_where_key(text, &key, &e))
		must(*e.msg);
	else
		must(key.column >= 0 && key.column < CATALOG_COLUMNS);
	e.msg[0] = '\0';
	if (catalog_where_condition(text, &c, &e)) {
		must(*e.msg);
	} else {
		must(c.key.column >= 0 && c.key.column < CATALOG_COLUMNS && strlen(c.op) <= 2);
		must(c.value.kind == CATALOG_TEXT
		         ? c.value.text >= text && c.value.text <= text + size
		         : isfinite(c.value.number));
	}
	if (catalog_machine_parse(text, &m) == 0) {
		catalog_machine_text(&m, again);
		must(strlen(again) < CATALOG_MACHINE_MAX);
		must(catalog_machine_parse(again, &m) == 0);
	}
	free(text);
	return 0;
}
