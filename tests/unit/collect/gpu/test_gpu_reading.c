/* Tests of collect/gpu/gpu_reading.c. */
#include <math.h>

#include "collect/gpu/gpu_reading.h"
#include "tests/unit/unit.h"

#define MIB (1024.0 * 1024)

/* The tree is the pids from 100 to 199. */
static bool has(void *ctx, int pid)
{
	(void)ctx;
	return pid >= 100 && pid < 200;
}

static const struct gpu_tree tree = {.has = has, .main_pid = 100};

/* One device and up to three processes, and what the tree has of it. */
static const struct row {
	const char *name;
	double used_mib, utilisation;
	bool by_process, foreign;
	struct {
		int pid;
		double mib, utilisation;
	} p[3];
	double tree_usage, tree_mib, main_mib;
} rows[] = {
    {"idle", 10, 0, true, false, {{0, 0, 0}}, 0, 0, 0},
    {"its own", 900, .5, true, false, {{100, 600, .3}, {101, 300, .1}}, .4, 900, 600},
    {"shared", 900, .9, true, false, {{100, 600, .3}, {7, 300, .6}}, .3, 600, 600},
    {"another's", 900, .9, true, false, {{7, 300, .6}}, 0, 0, 0},
    {"more than all", 900, 1, true, false, {{100, 1, .8}, {101, 1, .8}}, 1, 2, 1},
    {"alone, not told", 640, .5, false, false, {{100, 600, 0}}, .5, 600, 600},
    {"not told, idle", 640, 0, false, false, {{100, 600, 0}, {7, 1, 0}}, 0, 600, 600},
    {"shared, not told", 900, .5, false, false, {{100, 600, 0}, {7, 300, 0}}, NAN, 600, 600},
    {"shared with a small one", 640, .5, false, false, {{100, 600, 0}, {7, 30, 0}}, NAN, 600, 600},
    {"a hidden other", 900, .5, false, false, {{100, 600, 0}}, NAN, 600, 600},
    {"not on it, not told", 900, .5, false, false, {{7, 900, 0}}, 0, 0, 0},
    {"a slice", 640, NAN, false, false, {{100, 600, 0}}, NAN, 600, 600},
    {"other numbers", 900, .5, false, true, {{100, 600, 0}}, NAN, NAN, NAN},
    {"memory not told", 900, .5, true, false, {{100, NAN, .2}}, .2, NAN, NAN},
};

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) < 1e-9;
}

static void fill(struct gpu_reading *t, const struct row *r)
{
	struct gpu_device *d = gpu_reading_device(t);
	int place = (int)t->devices - 1;

	d->used_b = r->used_mib * MIB;
	d->utilisation = r->utilisation;
	d->by_process = r->by_process;
	d->foreign = r->foreign;
	for (int i = 0; i < 3 && r->p[i].pid; i++) {
		struct gpu_process *p = gpu_reading_process(t, place, r->p[i].pid);
		p->used_b = r->p[i].mib * MIB;
		p->utilisation = r->p[i].utilisation;
	}
}

TEST(one_device)
{
	static const bool chosen[GPU_MAX] = {true};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		static struct gpu_reading t;
		const struct row *r = &rows[i];
		struct gpu_sample s;
		t = (struct gpu_reading){.at = 0};
		fill(&t, r);
		gpu_reading_sum(&t, chosen, &tree, &s);
		if (!same(s.tree_usage, r->tree_usage) || !same(s.tree_vram_b, r->tree_mib * MIB) ||
		    !same(s.main_vram_b, r->main_mib * MIB) ||
		    !same(s.system_usage, r->utilisation) ||
		    !same(s.system_vram_b, r->used_mib * MIB) ||
		    !same(s.tree_utilized, isnan(r->tree_usage) ? NAN : r->tree_usage > 0))
			fail_msg("%s: tree %g of %g, %g and %g MiB of %g", r->name, s.tree_usage,
			         s.system_usage, s.tree_vram_b / MIB, s.main_vram_b / MIB,
			         s.system_vram_b / MIB);
	}
}

TEST(many)
{
	static struct gpu_reading t;
	bool chosen[GPU_MAX] = {true, true, false, true};
	struct gpu_sample s;

	fill(&t, &rows[1]);  /* .5, the tree's .4 */
	fill(&t, &rows[2]);  /* .9, the tree's .3 */
	fill(&t, &rows[4]);  /* not chosen */
	fill(&t, &rows[11]); /* a slice: not measured */
	gpu_reading_sum(&t, chosen, &tree, &s);
	assert_true(same(s.system_usage, 1.4));
	assert_true(same(s.system_utilized, 2));
	assert_true(same(s.system_vram_b, (900 + 900 + 640) * MIB));
	assert_true(same(s.tree_usage, .7));
	assert_true(same(s.tree_utilized, 2));
	assert_true(same(s.tree_vram_b, (900 + 600 + 600) * MIB));
	gpu_reading_sum(&t, chosen, NULL, &s);
	assert_true(s.tree_usage == 0 && s.tree_vram_b == 0 && s.tree_utilized == 0);
	assert_true(same(s.system_usage, 1.4));
	chosen[0] = chosen[1] = chosen[3] = false;
	gpu_reading_sum(&t, chosen, &tree, &s);
	assert_true(s.system_usage == 0 && s.tree_vram_b == 0);
}

/* Numbered among those that count; beyond the last number they are in the sums alone. */
TEST(each)
{
	static struct gpu_reading t;
	bool chosen[GPU_MAX] = {true, false, true};
	struct gpu_sample s;

	fill(&t, &rows[1]);  /* .5 */
	fill(&t, &rows[0]);  /* not chosen */
	fill(&t, &rows[11]); /* not measured, but its memory */
	gpu_reading_sum(&t, chosen, NULL, &s);
	assert_true(same(s.each_usage[0], .5) && same(s.each_vram_b[0], 900 * MIB));
	assert_true(same(s.each_usage[1], NAN) && same(s.each_vram_b[1], 640 * MIB));
	for (size_t i = 2; i < METRIC_GPUS; i++)
		assert_true(isnan(s.each_usage[i]) && isnan(s.each_vram_b[i]));
	for (size_t i = 3; i < METRIC_GPUS + 3; i++) {
		fill(&t, &rows[3]); /* .9 */
		chosen[i] = true;
	}
	gpu_reading_sum(&t, chosen, NULL, &s);
	assert_true(same(s.each_usage[0], .5) && same(s.each_usage[2], .9));
	assert_true(same(s.each_vram_b[METRIC_GPUS - 1], 900 * MIB));
	assert_true(same(s.system_usage, .5 + METRIC_GPUS * .9));
	gpu_reading_fill(&s, 0);
	assert_true(s.system_usage == 0 && isnan(s.each_usage[0]) && isnan(s.each_vram_b[0]));
}

TEST(caps)
{
	static struct gpu_reading t;

	for (int i = 0; i < GPU_MAX; i++)
		assert_non_null(gpu_reading_device(&t));
	for (int i = 0; i < GPU_PROCESSES_MAX; i++)
		assert_non_null(gpu_reading_process(&t, i % 4, i + 1));
	assert_false(t.cut);
	assert_ptr_equal(gpu_reading_process(&t, 3, 8), &t.process[7]);
	assert_null(gpu_reading_process(&t, 0, 8));
	assert_true(t.cut);
	t.cut = false;
	assert_null(gpu_reading_device(&t));
	assert_true(t.cut);
}
