/* mail_rules: the file with thresholds, and which jobs break them, at their borders. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/owners/mail_rules.h"
#include "tests/unit/unit.h"

#define GIB 1073741824.0

TEST(an_empty_file_keeps_the_defaults)
{
	struct mail_rules r = mail_rules_default(), d = mail_rules_default();
	struct err e = {0};
	const char *text = "\n# all as it is\r\n  \t\n#";

	assert_int_equal(mail_rules_parse("", 0, &r, &e), 0);
	assert_int_equal(mail_rules_parse(text, strlen(text), &r, &e), 0);
	assert_memory_equal(&r, &d, sizeof r);
	assert_true(d.runs == 5 && d.again_days == 30 && d.memory_gib_h == 1000);
	assert_true(d.memory_share == 0.5 && d.time_share == 0.25 && d.gpu_share == 0.01);
	assert_true(d.node_cpus == 0 && d.node_memory_b == 0);
}

TEST(each_kind_of_value)
{
	struct mail_rules r = mail_rules_default();
	struct err e = {0};
	const char *text = "runs=3\r\n memory_used_below =  12.5% \nnode_memory = 256GiB\n"
			   "node_cpus = 64\nfrom = HPC team <hpc@example.org>\n"
			   "note = Ask us; größer = besser\nagain_days = 0";

	assert_int_equal(mail_rules_parse(text, strlen(text), &r, &e), 0);
	assert_true(r.runs == 3 && r.memory_share == 0.125 && r.again_days == 0);
	assert_true(r.node_memory_b == 256 * GIB && r.node_cpus == 64);
	assert_string_equal(r.from, "HPC team <hpc@example.org>");
	assert_string_equal(r.note, "Ask us; größer = besser");
}

TEST(what_is_wrong)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
	    {"run = 3", "line 1: there is no \"run\"; did you mean runs?"},
	    {"\n\nxyzzy_plugh_ = 3",
	     "line 3: there is no \"xyzzy_plugh_\" (docs/owners.md lists the keys)"},
	    {"runs", "line 1: \"runs\" is not KEY = VALUE"},
	    {"runs =", "line 1: runs: \"\" is not a number"},
	    {"runs = -1", "line 1: runs: \"-1\" is not a number"},
	    {"runs = 5x", "line 1: runs: \"5x\" is not a number"},
	    {"runs = 1e99", "line 1: runs: \"1e99\" is not a number"},
	    {"cpu_used_below = 50",
	     "line 1: cpu_used_below: \"50\" is not a percentage such as 50%"},
	    {"cpu_used_below = 101%",
	     "line 1: cpu_used_below: \"101%\" is not a percentage such as 50%"},
	    {"node_memory = 256",
	     "line 1: node_memory: \"256\" is not a size such as 512MiB, 32G or "
	     "500MB"},
	    {"from = a\tb", "line 1: from: a character that may not stand there"},
	    {"from = \xc3\xa9@x", "line 1: from: a character that may not stand there"},
	    {"= 5", "line 1: there is no \"\" (docs/owners.md lists the keys)"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mail_rules r = mail_rules_default();
		struct err e = {0};
		assert_int_equal(mail_rules_parse(cases[i].text, strlen(cases[i].text), &r, &e),
		                 -1);
		assert_string_equal(e.msg, cases[i].sentence);
	}
}

TEST(long_texts_are_refused)
{
	char text[2 * MAIL_RULES_NOTE];
	struct mail_rules r = mail_rules_default();
	struct err e = {0};

	memset(text, 'x', sizeof text);
	memcpy(text, "note = ", 7);
	assert_int_equal(mail_rules_parse(text, 7 + MAIL_RULES_NOTE - 1, &r, &e), 0);
	assert_int_equal(strlen(r.note), MAIL_RULES_NOTE - 1);
	assert_int_equal(mail_rules_parse(text, 7 + MAIL_RULES_NOTE, &r, &e), -1);
	memset(text, '1', sizeof text);
	memcpy(text, "runs = ", 7);
	assert_int_equal(mail_rules_parse(text, sizeof text, &r, &e), -1);
}

TEST(files_that_cannot_be_read)
{
	struct mail_rules r = mail_rules_default();
	struct err e = {0};

	assert_int_equal(mail_rules_read("/proc/self/none", &r, &e), -1);
	assert_string_equal(e.msg, "/proc/self/none: No such file or directory");
	assert_int_equal(mail_rules_read("/", &r, &e), -1);
	assert_string_equal(e.msg, "/: Is a directory");
	assert_int_equal(mail_rules_read("/dev/zero", &r, &e), -1);
	assert_string_equal(e.msg, "/dev/zero: larger than 64 KiB");
}

/* A job that breaks nothing: all that is asked for is used. */
static struct fleet_group good(void)
{
	return (struct fleet_group){
	    .counted = 40,
	    .usage = {.cores = {10000, 9000, 1000},
	              .memory = {20000, 18000, 2000},
	              .gpus = {NAN, NAN, NAN}},
	    .wall = {3000, 3400, 3500, 3600},
	    .memory = {50 * GIB, 55 * GIB, 56 * GIB, 57 * GIB},
	    .cores = {7, 8, 8, 8},
	    .asked = {8, 64 * GIB, NAN, 3600},
	    .most = {8, 64 * GIB, NAN, 3600},
	    .proposed = {8, 64 * GIB, NAN, 3600},
	};
}

#define BIT(rule) (1u << MAIL_RULE_##rule)

TEST(a_job_that_uses_what_it_asks_for)
{
	const struct mail_rules r = mail_rules_default();
	struct fleet_group g = good(), none = {.counted = 100};

	assert_int_equal(mail_rules_broken(&r, &g), 0);
	assert_int_equal(mail_rules_broken(&r, &none), 0);
	none.usage.cores = none.usage.memory = none.usage.gpus =
	    (struct fleet_hours){NAN, NAN, NAN};
	none.asked = none.most = none.proposed = (struct fleet_ask){NAN, NAN, NAN, NAN};
	none.memory = none.wall = none.cores = (struct fleet_spread){NAN, NAN, NAN, NAN};
	assert_int_equal(mail_rules_broken(&r, &none), 0);
}

TEST(each_rule_at_its_border)
{
	struct mail_rules r = mail_rules_default();
	struct fleet_group g = good();

	g.memory.p95 = 31 * GIB;
	g.proposed.memory_b = 40 * GIB;
	assert_int_equal(mail_rules_broken(&r, &g), BIT(MEMORY));
	g.memory.p95 = 32 * GIB;
	assert_int_equal(mail_rules_broken(&r, &g), 0);
	g.memory.p95 = 31 * GIB;
	g.usage.memory.unused = 999;
	assert_int_equal(mail_rules_broken(&r, &g), 0);
	g.usage.memory.unused = 1000;
	g.proposed.memory_b = 64 * GIB; /* there is nothing to change */
	assert_int_equal(mail_rules_broken(&r, &g), 0);

	g = good();
	g.usage.cores = (struct fleet_hours){100, 49, 51};
	g.proposed.cpus = 4;
	assert_int_equal(mail_rules_broken(&r, &g), BIT(CPU));
	g.counted = 4;
	assert_int_equal(mail_rules_broken(&r, &g), 0);
	g.counted = 5;
	g.usage.cores.used = 50;
	assert_int_equal(mail_rules_broken(&r, &g), 0);
	g.usage.cores = (struct fleet_hours){99, 1, 98};
	assert_int_equal(mail_rules_broken(&r, &g), 0);

	g = good();
	g.cores.p95 = 1.02;
	g.usage.cores = (struct fleet_hours){8000, 1000, 7000};
	g.proposed.cpus = 1;
	assert_int_equal(mail_rules_broken(&r, &g), BIT(ONE_CORE));
	r.one_core_cpus = 0;
	assert_int_equal(mail_rules_broken(&r, &g), BIT(CPU));
	r.cpu_share = 0;
	assert_int_equal(mail_rules_broken(&r, &g), 0);

	g = good();
	g.asked.time_s = 4 * 3400 + 1;
	assert_int_equal(mail_rules_broken(&r, &g), BIT(TIME));
	g.asked.time_s = 4 * 3400;
	assert_int_equal(mail_rules_broken(&r, &g), 0);

	g = good();
	g.asked.gpus = 1;
	g.proposed.gpus = 0;
	g.usage.gpus = (struct fleet_hours){10, 0, 10};
	assert_int_equal(mail_rules_broken(&r, &g), BIT(GPU));
	g.usage.gpus.used = 0.1;
	assert_int_equal(mail_rules_broken(&r, &g), 0);
	g.usage.gpus = (struct fleet_hours){10, NAN, NAN};
	assert_int_equal(mail_rules_broken(&r, &g), 0);
}

TEST(asks_that_do_not_fit_nodes)
{
	static const struct {
		double cpus, memory_gib, at_once, free, more_cpus, more_gib;
	} cases[] = {
	    {64, 256, 1, 0, 32, 128},    {32, 128, 2, 0, 21, 85.3}, {33, 10, 1, 0.484, 32, 128},
	    {4, 200, 1, 0.218, 32, 128}, {16, 64, 4, 0, 12, 51.2},  {22, 1, 2, 0.3125, 21, 85.3},
	    {65, 1, 0, 0, 0, 0},         {1, 257, 0, 0, 0, 0},      {NAN, NAN, 0, 0, 0, 0},
	};
	struct mail_rules r = mail_rules_default();
	struct fleet_group g = good();

	assert_true(mail_rules_fit(&r, &g.most).at_once == 0);
	r.node_cpus = 64;
	r.node_memory_b = 256 * GIB;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fleet_ask ask = {cases[i].cpus, cases[i].memory_gib * GIB, NAN, NAN};
		struct mail_rules_fit fit = mail_rules_fit(&r, &ask);
		assert_true(fit.at_once == cases[i].at_once);
		assert_true(fabs(fit.free - cases[i].free) < 0.001);
		assert_true(fit.cpus == cases[i].more_cpus);
		assert_true(fabs(fit.memory_b / GIB - cases[i].more_gib) < 0.05);
	}
	assert_int_equal(mail_rules_broken(&r, &g), 0);
	g.asked.cpus = g.most.cpus = 33;
	g.proposed.cpus = 33;
	assert_int_equal(mail_rules_broken(&r, &g), BIT(NODE));
	g.asked.cpus = 20; /* they ask for different amounts: nothing is known of each */
	assert_int_equal(mail_rules_broken(&r, &g), 0);
}

TEST(rules_have_names)
{
	assert_string_equal(mail_rules_name(MAIL_RULE_MEMORY), "memory");
	assert_string_equal(mail_rules_name(MAIL_RULE_NODE), "node");
}
