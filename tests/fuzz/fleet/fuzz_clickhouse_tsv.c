/* clickhouse_tsv, clickhouse_client, clickhouse_address: any bytes as a server's answer; any text as
 * an address. */
#include <math.h>
#include <string.h>

#include "fleet/catalog/clickhouse_address.h"
#include "fleet/catalog/clickhouse_client.h"
#include "fleet/catalog/clickhouse_tsv.h"
#include "tests/fuzz/fuzz.h"

static const struct catalog_output outputs[] = {
    {.kind = CATALOG_OUT_MAP, .column = CATALOG_COLUMN_CLASS, .n = 2, .value = {RTRACK_ROW_WALL}},
    {.kind = CATALOG_OUT_TOP, .column = RTRACK_ROW_WALL},
    {.kind = CATALOG_OUT_MAX, .column = RTRACK_ROW_WALL},
    {.kind = CATALOG_OUT_DAYS},
    {.kind = CATALOG_OUT_PLAIN, .column = RTRACK_ROW_WALL},
};
#define OUTPUTS (sizeof outputs / sizeof *outputs)

static void within(const char *text, const char *line, size_t n)
{
	must(text >= line && text <= line + n && strlen(text) <= n);
}

static void is_map(const struct catalog_map *m, size_t width)
{
	must(m->width == width);
	for (size_t i = 0; i < m->n; i++) {
		must(i == 0 || catalog_map_key(m, i - 1) < catalog_map_key(m, i));
		for (size_t column = 0; column < width; column++)
			must(isfinite(catalog_map_at(m, i, column)));
	}
}

static void row(char *line, size_t n)
{
	struct clickhouse_row r = {0};

	if (clickhouse_row_read(&r, line, 1, outputs, OUTPUTS) == 0) {
		within(r.v[0].text, line, n);
		is_map(&r.v[1].map, 3);
		for (size_t i = 0; i < r.v[2].n; i++)
			within(r.v[2].list[i], line, n);
		is_map(&r.v[4].map, CATALOG_DAY_SUMS);
	}
	clickhouse_row_free(&r);
}

static void sentence(const char *body)
{
	struct err e;

	must(clickhouse_client_error("h", 500, body, &e) == -1 && *e.msg);
}

static void address(const char *place)
{
	struct clickhouse_address a;
	struct err e;

	if (clickhouse_address_parse(place, &a, &e))
		return;
	must(clickhouse_is_address(place) && *clickhouse_address_host(&a) && *a.database);
	must(!strpbrk(a.base, "@?#%\r\n \t"));
	must(!strpbrk(a.database, "'\\\" ") && !strpbrk(a.cluster, "'\\\" "));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = malloc(size + 1);

	must(line);
	if (size)
		memcpy(line, data, size);
	line[size] = '\0';
	sentence(line);
	address(line);
	row(line, size);
	free(line);
	return 0;
}
