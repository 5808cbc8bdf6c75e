/* catalog_runs: single recordings of a catalog, newest first. */
#include "fleet/catalog/catalog_runs.h"

#include <stddef.h>
#include <string.h>

#include "fleet/catalog/catalog_sql.h"

#define AT(member) offsetof(struct catalog_recording, member)
static const struct {
	size_t member;
	int column;
} columns[] = {
    {AT(name), RTRACK_ROW_NAME},
    {AT(joined), CATALOG_COLUMN_JOINED},
    {AT(input_sizes), RTRACK_ROW_INPUT_SIZES},
    {AT(asked_memory_source), RTRACK_ROW_ASKED_MEMORY_SOURCE},
    {AT(class), CATALOG_COLUMN_CLASS},
    {AT(oom), CATALOG_COLUMN_OOM},
    {AT(origin_code), CATALOG_COLUMN_ORIGIN_CODE},
    {AT(start), RTRACK_ROW_START},
    {AT(wall_s), RTRACK_ROW_WALL},
    {AT(cpu_s), RTRACK_ROW_CPU},
    {AT(cores_mean), RTRACK_ROW_CORES_MEAN},
    {AT(cores_demand), RTRACK_ROW_CORES_DEMAND},
    {AT(memory_peak_b), RTRACK_ROW_MEMORY_PEAK},
    {AT(gpus_mean), RTRACK_ROW_GPUS_MEAN},
    {AT(gpus_peak), RTRACK_ROW_GPUS_PEAK},
    {AT(vram_peak_b), RTRACK_ROW_VRAM_PEAK},
    {AT(asked_memory_b), RTRACK_ROW_ASKED_MEMORY},
    {AT(asked_cpus), RTRACK_ROW_ASKED_CPUS},
    {AT(vcpus), RTRACK_ROW_VCPUS},
    {AT(input_bytes), RTRACK_ROW_INPUT},
    {AT(nodes), RTRACK_ROW_NODES},
    {AT(tasks), RTRACK_ROW_TASKS},
};
#define SINGLE  (sizeof columns / sizeof *columns)
#define COLUMNS (SINGLE + CATALOG_TIMES)

struct asker {
	catalog_each_recording *each;
	void *ctx;
};

static int each_newest(void *ctx, const struct catalog_result *v, struct err *e)
{
	const struct asker *a = ctx;
	struct catalog_recording of = {.name = ""};

	for (size_t i = 0; i < CATALOG_TIMES; i++)
		of.time_at[i] = v[SINGLE + i].number;
	for (size_t i = 0; i < SINGLE; i++) {
		char *at = (char *)&of + columns[i].member;
		if (catalog_columns[columns[i].column].kind == CATALOG_TEXT)
			memcpy(at, &v[i].text, sizeof v->text);
		else
			memcpy(at, &v[i].number, sizeof v->number);
	}
	return a->each(a->ctx, &of, e);
}

int catalog_runs(struct catalog *c, const struct catalog_query *q, size_t n,
                 catalog_each_recording *each, void *ctx, struct err *e)
{
	struct catalog_output output[COLUMNS] = {{.kind = CATALOG_OUT_COLUMN}};
	struct catalog_statement st = {.output = output, .n_outputs = COLUMNS};
	struct asker asker = {each, ctx};
	struct catalog_sql sql = {.n = 0};
	struct catalog_asked a;
	int failed;

	if (catalog_asked_read(q, &a, e))
		return -1;
	for (size_t i = 0; i < COLUMNS; i++)
		output[i] = (struct catalog_output){.kind = CATALOG_OUT_COLUMN,
		                                    .column = i < SINGLE ? columns[i].column
		                                                         : RTRACK_ROW_TIME_AT_1 +
		                                                               (int)(i - SINGLE)};
	catalog_sql_newest(&sql, &c->engine, &a, output, COLUMNS, n);
	failed = catalog_sql_select(&sql, &c->engine, &st, each_newest, &asker, e);
	catalog_sql_free(&sql);
	return failed ? -1 : 0;
}
