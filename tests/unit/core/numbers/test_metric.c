/* metric: both spellings, word for word. */
#include <math.h>
#include <string.h>

#include "core/numbers/metric.h"
#include "core/numbers/stats.h"
#include "tests/unit/unit.h"

/* What readers of other tools rely on: names, order and units of each schema. */
static const struct {
	enum metric_scope scope;
	const char *name1, *unit1, *name2, *unit2;
} documented[] = {
    {METRIC_SCOPE_PROCESS, "timestamp", "s", "timestamp", "s"},
    {METRIC_SCOPE_PROCESS, "pid", "count", "pid", "count"},
    {METRIC_SCOPE_PROCESS, "children", "count", "children", "count"},
    {METRIC_SCOPE_PROCESS, "utime", "s", "utime", "s"},
    {METRIC_SCOPE_PROCESS, "stime", "s", "stime", "s"},
    {METRIC_SCOPE_PROCESS, "cpu_usage", "cores", "cpu_usage", "cores"},
    {METRIC_SCOPE_PROCESS, "memory", "kB", "memory_mib", "MiB"},
    {METRIC_SCOPE_PROCESS, "read_bytes", "B", "disk_read_bytes", "B"},
    {METRIC_SCOPE_PROCESS, "write_bytes", "B", "disk_write_bytes", "B"},
    {METRIC_SCOPE_PROCESS, "gpu_usage", "GPUs", "gpu_usage", "GPUs"},
    {METRIC_SCOPE_PROCESS, "gpu_vram", "MiB", "gpu_vram_mib", "MiB"},
    {METRIC_SCOPE_PROCESS, "gpu_utilized", "count", "gpu_utilized", "count"},
    {METRIC_SCOPE_SYSTEM, "timestamp", "s", "timestamp", "s"},
    {METRIC_SCOPE_SYSTEM, "processes", "count", "processes", "count"},
    {METRIC_SCOPE_SYSTEM, "utime", "s", "utime", "s"},
    {METRIC_SCOPE_SYSTEM, "stime", "s", "stime", "s"},
    {METRIC_SCOPE_SYSTEM, "cpu_usage", "cores", "cpu_usage", "cores"},
    {METRIC_SCOPE_SYSTEM, "memory_free", "kB", "memory_free_mib", "MiB"},
    {METRIC_SCOPE_SYSTEM, "memory_used", "kB", "memory_used_mib", "MiB"},
    {METRIC_SCOPE_SYSTEM, "memory_buffers", "kB", "memory_buffers_mib", "MiB"},
    {METRIC_SCOPE_SYSTEM, "memory_cached", "kB", "memory_cached_mib", "MiB"},
    {METRIC_SCOPE_SYSTEM, "memory_active", "kB", "memory_active_mib", "MiB"},
    {METRIC_SCOPE_SYSTEM, "memory_inactive", "kB", "memory_inactive_mib", "MiB"},
    {METRIC_SCOPE_SYSTEM, "disk_read_bytes", "B", "disk_read_bytes", "B"},
    {METRIC_SCOPE_SYSTEM, "disk_write_bytes", "B", "disk_write_bytes", "B"},
    {METRIC_SCOPE_SYSTEM, "disk_space_total_gb", "GiB", "disk_space_total_gb", "GB"},
    {METRIC_SCOPE_SYSTEM, "disk_space_used_gb", "GiB", "disk_space_used_gb", "GB"},
    {METRIC_SCOPE_SYSTEM, "disk_space_free_gb", "GiB", "disk_space_free_gb", "GB"},
    {METRIC_SCOPE_SYSTEM, "net_recv_bytes", "B", "net_recv_bytes", "B"},
    {METRIC_SCOPE_SYSTEM, "net_sent_bytes", "B", "net_sent_bytes", "B"},
    {METRIC_SCOPE_SYSTEM, "gpu_usage", "GPUs", "gpu_usage", "GPUs"},
    {METRIC_SCOPE_SYSTEM, "gpu_vram", "MiB", "gpu_vram_mib", "MiB"},
    {METRIC_SCOPE_SYSTEM, "gpu_utilized", "count", "gpu_utilized", "count"},
};

#define DOCUMENTED (sizeof documented / sizeof *documented)

TEST(names_order_and_units)
{
	size_t k = 0;

	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		if (!m->documented)
			continue;
		assert_true(k < DOCUMENTED);
		assert_int_equal(m->scope, documented[k].scope);
		assert_string_equal(m->name[SCHEMA_1], documented[k].name1);
		assert_string_equal(m->name[SCHEMA_2], documented[k].name2);
		assert_string_equal(metric_unit_name(m->unit, SCHEMA_1), documented[k].unit1);
		assert_string_equal(metric_unit_name(m->unit, SCHEMA_2), documented[k].unit2);
		k++;
	}
	assert_int_equal(k, DOCUMENTED);
}

TEST(rows_are_whole)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		assert_int_equal(m->id, id);
		assert_true(*m->label && *m->source && *m->help);
		assert_true(m->help[strlen(m->help) - 1] != '.');
		assert_true(metric_scale(m->unit, SCHEMA_1) >= 1);
		assert_true(metric_scale(m->unit, SCHEMA_2) >= 1);
		for (int other = 0; other < id; other++)
			for (int schema = SCHEMA_1; schema <= SCHEMA_2; schema++)
				assert_true(metrics[other].scope != m->scope ||
				            strcmp(metrics[other].name[schema], m->name[schema]) !=
				                0);
	}
}

/* What the faces derive: a drawn line has a short name, a family has one unit, sums stay sums. */
TEST(cells_agree)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		assert_int_equal(m->documented, m->human != NULL);
		assert_int_equal(m->chart != METRIC_CHART_NONE, m->mark != NULL);
		assert_true(m->draw_if.peak >= 0 && !(m->draw_if.peak && !m->mark));
		assert_true(m->family || !m->member);
		for (int other = 0; m->family && other < id; other++) {
			const struct metric *o = &metrics[other];
			if (!o->family || strcmp(m->family, o->family) != 0)
				continue;
			assert_int_equal(m->unit, o->unit);
			assert_int_equal(m->kind == METRIC_KIND_DELTA,
			                 o->kind == METRIC_KIND_DELTA);
			assert_true(
			    m->scope != o->scope ||
			    strcmp(m->member ? m->member : "", o->member ? o->member : "") != 0);
		}
	}
}

/* Old readers of a CSV count the documented columns from the left. */
TEST(own_columns_come_last)
{
	for (int id = 1; id < METRIC_COUNT; id++)
		assert_false(metrics[id].documented && !metrics[id - 1].documented &&
		             metrics[id].scope == metrics[id - 1].scope);
}

TEST(find)
{
	int schema = 9;

	for (int id = 0; id < METRIC_COUNT; id++)
		for (int spelling = SCHEMA_1; spelling <= SCHEMA_2; spelling++) {
			const struct metric *m = &metrics[id];
			bool alike = strcmp(m->name[1], m->name[2]) == 0;
			assert_ptr_equal(metric_find(m->scope, m->name[spelling], &schema), m);
			assert_int_equal(schema, alike ? 0 : spelling);
		}
	assert_null(metric_find(METRIC_SCOPE_PROCESS, "processes", &schema));
	assert_null(metric_find(METRIC_SCOPE_SYSTEM, "memory", &schema));
	assert_null(metric_find(METRIC_SCOPE_SYSTEM, "", &schema));
	assert_null(metric_find(METRIC_SCOPE_SYSTEM, "TIMESTAMP", &schema));
	assert_null(metric_find(METRIC_SCOPE_SYSTEM, "timestamp ", &schema));
	assert_string_equal(metric_scope_name(METRIC_SCOPE_PROCESS), "process");
	assert_string_equal(metric_scope_name(METRIC_SCOPE_SYSTEM), "system");
}

TEST(spell)
{
	static const struct {
		enum metric_id id;
		double base, one, two;
	} cases[] = {
	    {METRIC_PROCESS_TIMESTAMP, 1760000000.1234567, 1760000000.123, 1760000000.123},
	    {METRIC_PROCESS_UTIME, 0.12345678, 0.123457, 0.123457},
	    {METRIC_PROCESS_CPU_USAGE, 1.23456, 1.2346, 1.2346},
	    {METRIC_PROCESS_MEMORY, 1048576, 1024, 1},
	    {METRIC_PROCESS_MEMORY, 1536, 2, 0.0015}, /* 1.5 → 2: half to even */
	    {METRIC_PROCESS_MEMORY, 512, 0, 0.0005},
	    {METRIC_PROCESS_MEMORY, 347898675, 339745, 331.7820},
	    {METRIC_PROCESS_READ_BYTES, 4096, 4096, 4096},
	    {METRIC_PROCESS_GPU_USAGE, 1.0 / 3, 0.3333, 0.3333},
	    {METRIC_PROCESS_GPU_VRAM, 1048576.0 * 2048.5, 2048.5, 2048.5},
	    {METRIC_SYSTEM_DISK_SPACE_USED, 5e9, 4.66, 5},
	    {METRIC_SYSTEM_DISK_SPACE_TOTAL, 1099511627776.0, 1024, 1099.51},
	    {METRIC_SYSTEM_PROCESSES, 321, 321, 321},
	    {METRIC_SYSTEM_CPU_USAGE, -0.00001, 0, 0}, /* no -0 */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct metric *m = &metrics[cases[i].id];
		double one = metric_spell(m, SCHEMA_1, cases[i].base);
		double two = metric_spell(m, SCHEMA_2, cases[i].base);
		assert_memory_equal(&one, &cases[i].one, sizeof one);
		assert_memory_equal(&two, &cases[i].two, sizeof two);
	}
	for (int id = 0; id < METRIC_COUNT; id++)
		assert_true(isnan(metric_spell(&metrics[id], SCHEMA_1, NAN)));
}

/* Digits after the point. */
TEST(digits)
{
	static const struct {
		enum metric_unit unit;
		int one, two;
	} cases[] = {
	    {METRIC_UNIT_TIME, 3, 3},   {METRIC_UNIT_SECONDS, 6, 6}, {METRIC_UNIT_CORES, 4, 4},
	    {METRIC_UNIT_MEMORY, 0, 4}, {METRIC_UNIT_SPACE, 2, 2},   {METRIC_UNIT_BYTES, 0, 0},
	    {METRIC_UNIT_COUNT, 0, 0},  {METRIC_UNIT_SHARE, 4, 4},   {METRIC_UNIT_LOAD, 2, 2},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int schema = SCHEMA_1; schema <= SCHEMA_2; schema++) {
			double scale = metric_scale(cases[i].unit, (enum schema)schema);
			struct metric m = {.unit = cases[i].unit};
			assert_true(metric_spell(&m, (enum schema)schema, 1.23456789 * scale) ==
			            stats_round(1.23456789,
			                        schema == SCHEMA_1 ? cases[i].one : cases[i].two));
		}
}

TEST(list)
{
	struct buf b = {0};
	size_t lines = 0;

	metric_list(&b);
	for (const char *s = buf_cstr(&b); *s; s++)
		lines += *s == '\n';
	assert_int_equal(lines, METRIC_COUNT + 1);
	for (int id = 0; id < METRIC_COUNT; id++)
		assert_non_null(strstr(b.s, metrics[id].help));
	buf_free(&b);
}
