/* metric: the table of metric.def and its two spellings. */
#include "core/numbers/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/quantity.h"
#include "core/numbers/stats.h"

/* clang-format off */
#define METRIC(scope_, id_, kind_, unit_, ...)                                                     \
	[METRIC_##scope_##_##id_] = {.id = METRIC_##scope_##_##id_,                                \
	                             .scope = METRIC_SCOPE_##scope_,                               \
	                             .kind = METRIC_KIND_##kind_,                                  \
	                             .unit = METRIC_UNIT_##unit_,                                  \
	                             __VA_ARGS__},
#define SAME(name_)          {"", name_, name_}
#define BOTH(name1, name2)   {"", name1, name2}
#define DOCUMENTED(human_)   .human = human_, .documented = true
#define CHART(chart_, mark_) .chart = METRIC_CHART_##chart_, .mark = mark_
/* clang-format on */

const struct metric metrics[METRIC_COUNT] = {
#include "core/numbers/metric.def"
};
#undef METRIC
#undef SAME
#undef BOTH
#undef DOCUMENTED
#undef CHART

/* How each schema writes a unit; [0] is not used. */
static const struct {
	double scale[3];
	int digits[3];
	const char *name[3];
} units[] = {
    [METRIC_UNIT_TIME] = {{1, 1, 1}, {0, 3, 3}, {"", "s", "s"}},
    [METRIC_UNIT_SECONDS] = {{1, 1, 1}, {0, 6, 6}, {"", "s", "s"}},
    [METRIC_UNIT_CORES] = {{1, 1, 1}, {0, 4, 4}, {"", "cores", "cores"}},
    [METRIC_UNIT_MEMORY] = {{1, QUANTITY_KIB, QUANTITY_MIB}, {0, 0, 4}, {"", "kB", "MiB"}},
    [METRIC_UNIT_VRAM] = {{1, QUANTITY_MIB, QUANTITY_MIB}, {0, 4, 4}, {"", "MiB", "MiB"}},
    [METRIC_UNIT_SPACE] = {{1, QUANTITY_GIB, 1e9}, {0, 2, 2}, {"", "GiB", "GB"}},
    [METRIC_UNIT_BYTES] = {{1, 1, 1}, {0, 0, 0}, {"", "B", "B"}},
    [METRIC_UNIT_GPUS] = {{1, 1, 1}, {0, 4, 4}, {"", "GPUs", "GPUs"}},
    [METRIC_UNIT_COUNT] = {{1, 1, 1}, {0, 0, 0}, {"", "count", "count"}},
    [METRIC_UNIT_SHARE] = {{1, 1, 1}, {0, 4, 4}, {"", "share", "share"}},
    [METRIC_UNIT_LOAD] = {{1, 1, 1}, {0, 2, 2}, {"", "tasks", "tasks"}},
};

const char *metric_scope_name(enum metric_scope scope)
{
	return scope == METRIC_SCOPE_PROCESS ? "process" : "system";
}

double metric_scale(enum metric_unit unit, enum schema schema)
{
	return units[unit].scale[schema];
}

const char *metric_unit_name(enum metric_unit unit, enum schema schema)
{
	return units[unit].name[schema];
}

double metric_spell(const struct metric *m, enum schema schema, double base)
{
	return stats_round(base / units[m->unit].scale[schema], units[m->unit].digits[schema]);
}

const struct metric *metric_find(enum metric_scope scope, const char *name, int *schema)
{
	for (int spelling = SCHEMA_1; spelling <= SCHEMA_2; spelling++)
		for (size_t i = 0; i < METRIC_COUNT; i++) {
			const struct metric *m = &metrics[i];
			/* The first byte saves most calls: a hostile file has millions of names. */
			if (m->scope != scope || m->name[spelling][0] != name[0] ||
			    strcmp(m->name[spelling], name) != 0)
				continue;
			*schema = strcmp(m->name[SCHEMA_1], m->name[SCHEMA_2]) == 0 ? 0 : spelling;
			return m;
		}
	return NULL;
}

enum metric_id metric_of_column(const char *name)
{
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		const char *prefix = metric_scope_name((enum metric_scope)scope);
		size_t n = strlen(prefix);
		const struct metric *m = NULL;
		int schema;
		if (strncmp(name, prefix, n) == 0 && name[n] == '_')
			m = metric_find((enum metric_scope)scope, name + n + 1, &schema);
		if (m)
			return m->id;
	}
	return METRIC_COUNT;
}

const char *metric_column_name(enum metric_id id, char out[METRIC_NAME_MAX])
{
	/* Not by snprintf: thousands of heads have a hundred columns each. */
	char *end = stpcpy(out, metric_scope_name(metrics[id].scope));

	*end++ = '_';
	stpcpy(end, metrics[id].name[SCHEMA_1]);
	return out;
}

enum metric_id metric_time_of(enum metric_scope scope)
{
	return scope == METRIC_SCOPE_PROCESS ? METRIC_PROCESS_TIMESTAMP : METRIC_SYSTEM_TIMESTAMP;
}

_Static_assert(METRIC_SYSTEM_GPU7_VRAM == METRIC_SYSTEM_GPU0_USAGE + 2 * METRIC_GPUS - 1,
               "metric.def has two rows for each of METRIC_GPUS");

enum metric_id metric_gpu_usage(size_t gpu)
{
	return (enum metric_id)(METRIC_SYSTEM_GPU0_USAGE + 2 * (int)gpu);
}

enum metric_id metric_gpu_vram(size_t gpu)
{
	return (enum metric_id)(METRIC_SYSTEM_GPU0_VRAM + 2 * (int)gpu);
}

bool metric_is_of_one_gpu(const struct metric *m)
{
	return m->id >= METRIC_SYSTEM_GPU0_USAGE && m->id <= METRIC_SYSTEM_GPU7_VRAM;
}

bool metric_is_of_gpus(const struct metric *m)
{
	return m->unit == METRIC_UNIT_GPUS || m->unit == METRIC_UNIT_VRAM ||
	       m->chart == METRIC_CHART_GPUS || metric_is_of_one_gpu(m);
}

void metric_list(struct buf *out)
{
	buf_printf(out, "%-8s %-20s %-6s %-21s %-6s %s\n", "SCOPE", "SCHEMA 1", "UNIT", "SCHEMA 2",
	           "UNIT", "WHAT");
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct metric *m = &metrics[i];
		buf_printf(out, "%-8s %-20s %-6s %-21s %-6s %s (%s)\n", metric_scope_name(m->scope),
		           m->name[SCHEMA_1], metric_unit_name(m->unit, SCHEMA_1),
		           m->name[SCHEMA_2], metric_unit_name(m->unit, SCHEMA_2), m->help,
		           m->source);
	}
}
