/* slurm_steps: sums of CPU time, peaks of the fullest node, lists of nodes. */
#include "fleet/import/slurm_steps.h"

#include <math.h>
#include <stdio.h>

#include "tests/unit/unit.h"

static struct slurm_steps s;
static bool bound;

static void add_on(const char *list, double nodes, double start, double end, double peak)
{
	slurm_steps_add(&s, &(struct slurm_step){.start = start,
	                                         .end = end,
	                                         .cpu_s = 1,
	                                         .node_b = peak,
	                                         .nodes = nodes,
	                                         .list = list});
}

static void add(double start, double end, double peak)
{
	add_on("", 1, start, end, peak);
}

TEST(peaks)
{
	slurm_steps_clear(&s, 1);
	assert_true(isnan(slurm_steps_peak(&s, &bound)));
	add(0, 100, 10);
	add(0, 50, 20);
	add(50, 100, 30);
	add(60, 70, NAN);
	add(NAN, NAN, 35);
	assert_true(slurm_steps_peak(&s, &bound) == 40 && s.cpu_s == 5 && !bound);
	slurm_steps_add(&s, &(struct slurm_step){.start = 0,
	                                         .end = 1,
	                                         .cpu_s = NAN,
	                                         .node_b = 1,
	                                         .nodes = 1,
	                                         .bound = true,
	                                         .list = ""});
	assert_true(isnan(s.cpu_s));
	assert_true(slurm_steps_peak(&s, &bound) == 40 && bound);
}

/* More steps than it keeps: those that have ended are forgotten, those at the same time are summed up. */
TEST(many_steps)
{
	slurm_steps_clear(&s, 1);
	for (int i = 0; i < 5000; i++)
		add(i, i + 2, i == 100 ? 7 : 1);
	assert_true(slurm_steps_peak(&s, &bound) == 8 && s.cpu_s == 5000);
	slurm_steps_clear(&s, 1);
	for (int i = 0; i < 5000; i++)
		add(0, 10, 1);
	assert_true(slurm_steps_peak(&s, &bound) == 5000);
	slurm_steps_clear(&s, 5000);
	for (int i = 0; i < 5000; i++)
		add_on("n[0001-0003]", 3, i, i + 2, i == 100 ? 7 : 1);
	assert_true(slurm_steps_peak(&s, &bound) == 8 && !bound);
	/* Many at the same time, on 20 nodes: those beyond what is kept are added to the last. */
	slurm_steps_clear(&s, 20);
	for (int i = 0; i < 20000; i++) {
		char list[8];
		snprintf(list, sizeof list, "n%d", i % 20);
		add_on(list, 1, 0, 10, 1);
	}
	assert_true(slurm_steps_peak(&s, &bound) >= 20000 / 20 && bound);
}

/* Four nodes. Steps add up where they share a node. */
TEST(the_fullest_node)
{
	static const struct {
		const char *a, *b, *c; /* where a of 10, b of 20, and c of 40 ran */
		double a_nodes, b_nodes, c_nodes, peak;
		bool bound;
	} cases[] = {
	    {"n01", "n02", "n03", 1, 1, 1, 40, false},
	    {"n01", "n01", "n03", 1, 1, 1, 40, false},
	    {"n01", "n02", "n[01-02]", 1, 1, 2, 60, false},
	    {"n[01-04]", "n02", "n03", 4, 1, 1, 50, false},
	    {"n[01-04,9].site", "n04.site", "n9.site", 5, 1, 1, 50, false},
	    {"n[8-12]", "n08", "n12", 5, 1, 1, 50, false},
	    {"a1,b[2-3]", "b3", "c3", 3, 1, 1, 40, false},
	    {"node", "node", "other", 1, 1, 1, 40, false},
	    /* Where is unknown: the largest alone is certain, or what is on all nodes with it. */
	    {"", "", "", 1, 1, 1, 40, true},
	    {"", "", "", 4, 1, 1, 50, true},
	    {"", "", "", 4, 4, 1, 70, false},
	    {"n[1-2]r[1-2]", "n1r1", "n1r2", 4, 1, 1, 50, true},
	    {"", "", "", 3, 3, 3, 52.5, true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		slurm_steps_clear(&s, 4);
		add_on(cases[i].a, cases[i].a_nodes, 0, 100, 10);
		add_on(cases[i].b, cases[i].b_nodes, 0, 100, 20);
		add_on(cases[i].c, cases[i].c_nodes, 0, 100, 40);
		if (slurm_steps_peak(&s, &bound) != cases[i].peak || bound != cases[i].bound)
			fail_msg("case %zu: %g, %d", i, slurm_steps_peak(&s, &bound), bound);
	}
}

TEST(a_node_of_a_list)
{
	static const struct {
		const char *list, *node;
		bool has;
	} cases[] = {
	    {"n1", "n1", true},
	    {"n[1-20]", "n7", true},
	    {"n[1-20]", "n07", false},
	    {"n[01-20,30]", "n30", true},
	    {"a,n[1-4].site", "n4.site", true},
	    {"a,n[1-4].site", "n4", false},
	    {"n[1-4]", "m1", false},
	    {"n[1-", "n1", false}, /* a list that was cut */
	    {"", "", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_true(slurm_steps_has(cases[i].list, cases[i].node) == cases[i].has);
}

TEST(counts)
{
	static const struct {
		const char *list;
		double n;
	} cases[] = {{"n1", 1},         {"n[01-04,9].site", 5},
	             {"a,b,c[1-3]", 5}, {"n[8-12]", 5},
	             {"", 0},           {"n[", 0},
	             {"n[1-2", 0},      {"n[a]", 0},
	             {"n[2-1]", 0},     {"n[]", 0},
	             {"n[1-]", 0},      {",", 0},
	             {"n[1]r[2]", 0},   {"n123456789012345678901", 0}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_true(slurm_steps_count(cases[i].list) == cases[i].n);
}
