/* fleet_model: every number and sentence of a small fleet; the sizes of a large one; hostile names in
 * every output. */
#include "core/base/gz.h"
#include "fleet/groups/fleet_model.h"
#include "report/render/mustache.h"
#include "report/render/render.h"
#include "tests/unit/fleet/fleet_made.h"
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

#define GIB FLEET_MADE_GIB

/* Two groups of known numbers; the first can be opened. */
struct small {
	struct fleet f;
	struct fleet_group group[2];
	struct fleet_detail detail;
	struct fleet_bar memory[2], wall[1];
	struct catalog_spot spot[2];
	struct catalog_day day[3];
	double days[FLEET_TREND_POINTS];
};

static void make_groups(struct small *s)
{
	s->group[0] = (struct fleet_group){
	    .key = {"train", "ann"},
	    .runs = 12,
	    .failed = 1,
	    .oom = 2,
	    .counted = 10,
	    .usage = {.cores = {800, 200, 600},
	              .memory = {6400, 1000, 5400},
	              .gpus = {0, 0, 0},
	              .money = 100,
	              .recoverable = 75,
	              .machine_h = 50,
	              .machine_recoverable_h = 30},
	    .wall = {36000, 40000, 41000, 42000},
	    .memory = {8 * GIB, 9 * GIB, 10 * GIB, 64 * GIB},
	    .cores = {1.5, 1.9, 2, 2},
	    .asked = {8, 64 * GIB, NAN, 86400},
	    .most = {8, 64 * GIB, NAN, 86400},
	    .proposed = {2, 12 * GIB, NAN, 49200},
	    .would_fail = 2,
	    .unknown = 1,
	    .fail_at_most = 0.55,
	    .longer = 1.04,
	    .growth = 1.25,
	    .backtest = {.learnt = 5,
	                 .runs = 40,
	                 .ask_b = 10 * GIB,
	                 .failed = 1,
	                 .wasted_gib_h = 42,
	                 .asked_wasted_gib_h = 236},
	    .confidence = FLEET_FAIR,
	    .trend = 0.123,
	    .days = s->days,
	    .mostly = {[STATES_GROUP_CPU] = 2, [STATES_GROUP_DISK] = 7, [CATALOG_MIXED] = 2},
	    .ends = {[END_CAUSE_FINISHED] = 7,
	             [END_CAUSE_OOM] = 2,
	             [END_CAUSE_TIME_LIMIT] = 3,
	             [END_CAUSE_EXITED] = 1},
	    .newest = "/runs/a.json.gz",
	    .detail = &s->detail,
	};
	s->group[1] = (struct fleet_group){
	    .key = {"", "bob"},
	    .runs = 3,
	    .counted = 3,
	    .usage = {.cores = {30, 27, 3},
	              .memory = {300, 30, 270},
	              .gpus = {30, 15, 15},
	              .money = 20,
	              .recoverable = 5,
	              .machine_h = 10,
	              .machine_recoverable_h = 0},
	    .wall = {60, 60, 60, 60},
	    .memory = {GIB, GIB, GIB, GIB},
	    .cores = {0.9, 0.9, 0.9, 0.9},
	    .asked = {1.5, 10 * GIB, 1, NAN},
	    .most = {2, 10 * GIB, 1, NAN},
	    .proposed = {1, 2 * GIB, 0, 120},
	    .would_fail = 0,
	    .fail_at_most = 0.6316,
	    .longer = NAN,
	    .backtest = {.wasted_gib_h = NAN, .asked_wasted_gib_h = NAN},
	    .confidence = FLEET_WEAK,
	    .trend = 0.01,
	};
}

static void make_small(struct small *s)
{
	*s = (struct small){.memory = {{8 * GIB, 8.08 * GIB, 8}, {64 * GIB, 64.6 * GIB, 2}},
	                    .wall = {{36000, 36360, 10}},
	                    .spot = {{8 * GIB, 36000, 8, 0}, {64 * GIB, 600, 2, 2}},
	                    .day = {{.day = 20758,
	                             .run_s = 43200,
	                             .asked_core_s = 8 * 86400,
	                             .used_core_s = 2 * 86400,
	                             .asked_byte_s = 64 * GIB * 86400,
	                             .used_byte_s = 8 * GIB * 86400,
	                             .started = 10,
	                             .failed = 1,
	                             .oom = 2},
	                            {.day = 20760, .run_s = 86400, .started = 5}}};
	make_groups(s);
	for (size_t i = 0; i < FLEET_TREND_POINTS; i++)
		s->days[i] = i == 5 ? NAN : GIB * (double)(i + 1);
	s->detail = (struct fleet_detail){
	    .memory = s->memory,
	    .n_memory = 2,
	    .wall = s->wall,
	    .n_wall = 1,
	    .runs = {.spot = s->spot, .n_spots = 2, .n_worst = 1, .n_newest = 2}};
	s->detail.runs.newest[0] = (struct catalog_worst){.source = "/runs/b.json.gz",
	                                                  .start = 1793500000,
	                                                  .wall_s = 60,
	                                                  .memory_need_b = GIB,
	                                                  .class = CATALOG_FAILED,
	                                                  .end_code = NAN};
	s->detail.runs.newest[1] = (struct catalog_worst){
	    .source = "/runs/a.json.gz", .start = NAN, .wall_s = NAN, .end_code = NAN};
	s->detail.runs.worst[0] = (struct catalog_worst){.source = "/runs/a.json.gz",
	                                                 .host = "",
	                                                 .user = "ann",
	                                                 .start = 1793500000,
	                                                 .wall_s = 36000,
	                                                 .used_core_s = 1.5 * 36000,
	                                                 .asked_cpus = 8,
	                                                 .memory_need_b = 8 * GIB,
	                                                 .asked_memory_b = NAN,
	                                                 .oom = 1};
	fleet_made_advice(&s->detail.advice, &s->group[0]);
	s->f = (struct fleet){
	    .keys = 2,
	    .runs = 1020,
	    .counted = 13,
	    .failed = 1,
	    .oom = 2,
	    .all_groups = 5,
	    .first = 1793500000,
	    .last = 1793760000,
	    .usage = {.cores = {1000, 300, 700},
	              .memory = {8000, 4000, 4000},
	              .gpus = {30, 15, 15},
	              .money = 200,
	              .recoverable = 90,
	              .unpriced = 1,
	              .machine_h = 100,
	              .machine_recoverable_h = 40},
	    .group = s->group,
	    .n = 2,
	    .rest = {.cores.unused = 97,
	             .memory.unused = 30,
	             .money = 80,
	             .recoverable = 10,
	             .machine_h = 40,
	             .machine_recoverable_h = 10},
	    .rest_groups = 3,
	    .rest_runs = 1005,
	    .left_out = {[CATALOG_NO_ASK] = {1000, NAN, NAN}, [CATALOG_FAILED] = {7, 2.5, 100}},
	    .day = s->day,
	    .n_days = 2};
}

static const struct opts_list by_name_and_user = {.v = {"name", "user"}, .n = 2};
static const struct opts_list where = {.v = {"user!=root", "wall_s > 60"}, .n = 2};

static cJSON *small_model(struct small *s, const struct fleet_model_input *with)
{
	struct fleet_model_input in = *with;
	cJSON *model;

	in.group_by = &by_name_and_user;
	in.page.now = 1795300000;
	model = fleet_model(&s->f, &in);
	assert_non_null(model);
	return model;
}

/* -- what the model says ----------------------------------------------------------------------- */

TEST(head)
{
	static const struct err why[] = {{.msg = "/runs/x.json: not a recording"}};
	static const struct expected cases[] = {
	    {"format", "\"rtrack-fleet\""},
	    {"title", "\"Fleet\""},
	    {"period.text", "\"1 to 4 November 2026, 4 days\""},
	    {"source", "\"the catalog runs.db\""},
	    {"filters",
	     "[\"user!=root\",\"wall_s \\u003e 60\",\"since 30d\",\"until 2026-11-05\"]"},
	    {"filters_text", "\"user!=root, wall_s \\u003e 60, since 30d, until 2026-11-05\""},
	    {"group_by", "[\"name\",\"user\"]"},
	    {"group_head", "\"Job, user\""},
	    {"has_money", "true"},
	    {"inputs", "[{\"error\":\"/runs/x.json: not a recording\"}]"},
	    {"inputs_more", "\"9 more like these.\""},
	    {"has_inputs_left_out", "true"},
	    {"gates", "{\"known\":false}"},
	};
	struct small s;
	cJSON *model;

	make_small(&s);
	model = small_model(&s, &(struct fleet_model_input){.page.source = "the catalog runs.db",
	                                                    .page.where = &where,
	                                                    .page.since = "30d",
	                                                    .page.until = "2026-11-05",
	                                                    .page.failed = why,
	                                                    .page.n_failed = 1,
	                                                    .page.all_failed = 10});
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

TEST(verdict)
{
	static const struct expected cases[] = {
	    {"verdict.0",
	     "{\"id\":\"used\",\"level\":\"warn\",\"text\":\"13 runs in 5 groups asked "
	     "for 1,000 core-hours (30% used), 8,000 GiB-hours of memory (50% used), "
	     "30.0 GPU-hours (50% used).\"}"},
	    {"verdict.1.text",
	     "\"What they asked for cost 200.00 EUR, without 1 run on machines whose "
	     "price is unknown. Prices of Keeper.\""},
	    {"verdict.2", "{\"id\":\"recoverable\",\"level\":\"warn\",\"text\":\"90.00 EUR of it "
	                  "(45%) is recoverable: so much less the same runs would cost with the "
	                  "proposed asks.\"}"},
	    {"verdict.3.text",
	     "\"1,007 of 1,020 runs (99%) are left out, with the reasons below.\""},
	    {"tiles.0.note", "\"1 failed, 2 killed for memory\""},
	    {"tiles.2", "{\"id\":\"cores\",\"label\":\"Core-hours asked\",\"text\":\"1,000\","
	                "\"note\":\"30% used; 13 runs counted\"}"},
	    {"tiles.5.note", "\"without 1 run of unknown price; 13 runs counted\""},
	    {"tiles.6.note", "\"45% of the cost; 13 runs counted\""},
	    {"changes.0",
	     "{\"rank\":1,\"name\":\"train · ann\",\"anchor\":\"group-1\",\"text\":\"train "
	     "· ann: ask 12.0 GiB instead of 64.0 GiB, and 2 CPUs instead of 8\","
	     "\"saves\":{\"value\":75,\"text\":\"75.00 EUR\",\"unit\":\"EUR\"},"
	     "\"share\":\"83% of what is recoverable\",\"basis\":\"2 of 10 runs would have "
	     "failed; the next fails with at most 55%; counted as failed: 1 killed for memory with "
	     "less, because nobody knows how much it needs\"}"},
	    {"changes.1.basis", "\"0 of 3 runs would have failed: a first guess\""},
	    {"changes_text", "\"These 2 changes save 80.00 EUR in 4 days (40% of the cost); all "
	                     "proposed asks together save 90.00 EUR (45%).\""},
	    {"changes.1.text", "\"unknown · bob: ask 0 GPUs instead of 1, 2.00 GiB instead of 10.0 "
	                       "GiB, and 1 CPU instead of 1.50 on average\""},
	    {"changes.2", "null"},
	    {"has_changes", "true"},
	    {"left_out.text",
	     "\"1,007 of 1,020 runs (99%) are left out of all sums, histograms and "
	     "proposed asks.\""},
	    {"left_out.rows.0.id", "\"no_ask\""},
	    {"left_out.rows.0.cores.text", "\"unknown\""},
	    {"left_out.rows.1.id", "\"failed\""},
	    {"left_out.rows.1.runs.value", "7"},
	    {"left_out.rows.1.memory.text", "\"100 GiB-hours\""},
	    {"left_out.rows.2", "null"},
	};
	struct small s;
	cJSON *model;

	make_small(&s);
	model = small_model(&s, &(struct fleet_model_input){.page.currency = "EUR",
	                                                    .money_basis = "Prices of Keeper."});
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

/* Nothing is said to be worth changing that costs nothing less. */
TEST(nothing_was_asked_for)
{
	static const struct expected all[] = {
	    {"tiles.2.label", "\"Core-hours of machines\""},
	    {"verdict.0.text",
	     "\"13 runs in 5 groups had machines of 1,000 core-hours (30% used), 8,000 "
	     "GiB-hours of memory (50% used), 30.0 GPU-hours (50% used).\""},
	    {"verdict.1.text", "\"Nothing was asked for: below, “asked” is the whole machine.\""},
	    {"verdict.2.text",
	     "\"Their machines cost $200.00, without 1 run on machines whose price is unknown.\""},
	};
	static const struct expected some[] = {
	    {"tiles.2.label", "\"Core-hours asked\""},
	    {"verdict.1.text", "\"2 of these runs asked for nothing: the whole machine counts as "
	                       "what they asked for.\""},
	};
	struct small s;
	cJSON *model;

	make_small(&s);
	model = small_model(&s, &(struct fleet_model_input){.unasked = 13});
	EXPECT_ALL(model, all);
	cJSON_Delete(model);
	model = small_model(&s, &(struct fleet_model_input){.unasked = 2});
	EXPECT_ALL(model, some);
	cJSON_Delete(model);
}

TEST(without_money)
{
	static const struct expected cases[] = {
	    {"has_money", "false"},
	    {"groups.has_money", "false"},
	    {"groups.rows.0.money.text", "\"unknown\""},
	    {"groups.others",
	     "{\"label\":\"The other 3 groups\",\"groups\":{\"value\":3,\"text\":"
	     "\"3\",\"unit\":\"count\"},\"runs\":{\"value\":1005,\"text\":\"1,005\","
	     "\"unit\":\"count\"},\"cores_unused\":{\"value\":97,\"text\":\"97.0 "
	     "core-hours\",\"unit\":\"core-hours\"},\"memory_unused\":{\"value\":30,"
	     "\"text\":\"30.0 GiB-hours\",\"unit\":\"GiB-hours\"},\"money\":{\"value\""
	     ":null,\"text\":\"unknown\",\"unit\":\"USD\"},\"recoverable\":{\"value\":"
	     "null,\"text\":\"unknown\",\"unit\":\"USD\"},\"machine_hours\":{\"value\":40,\"text\":"
	     "\"40.0\",\"unit\":\"machine-hours\"},\"machine_recoverable\":{\"value\":10,\"text\":"
	     "\"10.0\",\"unit\":\"machine-hours\"}}"},
	    {"has_machine_hours", "true"},
	    {"groups.has_machine_hours", "true"},
	    {"groups.text", "\"The 2 groups with most machine-hours to recover, of 5\""},
	    {"tiles.5", "{\"id\":\"machine_hours\",\"label\":\"Machine-hours asked\",\"text\":"
	                "\"100\",\"note\":\"13 runs counted\"}"},
	    {"tiles.6", "{\"id\":\"machine_recoverable\",\"label\":\"Recoverable\",\"text\":"
	                "\"40.0\",\"note\":\"machine-hours, 40% of all; 13 runs counted\"}"},
	    {"verdict.1.text",
	     "\"What this cost is unknown, so it is counted in machine-hours: hours × the largest "
	     "share of a machine that was asked for. They asked for 100 machine-hours.\""},
	    {"verdict.2.text",
	     "\"40.0 machine-hours of them (40%) are recoverable: so much less the same runs would "
	     "cost with the proposed asks.\""},
	    {"changes_text", "\"This change saves 30.0 machine-hours in 4 days (30% of all); all "
	                     "proposed asks together save 40.0 machine-hours (40%).\""},
	    {"changes.0.share", "\"75% of what is recoverable\""},
	    {"changes.0.saves",
	     "{\"value\":30,\"text\":\"30.0 machine-hours\",\"unit\":\"machine-hours\"}"},
	    {"changes.1", "null"},
	};
	struct small s;
	cJSON *model;

	make_small(&s);
	s.f.usage.money = s.f.usage.recoverable = NAN;
	s.f.rest.money = s.f.rest.recoverable = NAN;
	for (size_t i = 0; i < 2; i++)
		s.group[i].usage.money = s.group[i].usage.recoverable = NAN;
	s.group[1].proposed = (struct fleet_ask){2, 11 * GIB, 1, 120};
	model = small_model(&s, &(struct fleet_model_input){0});
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

/* Where machines are unknown too, nothing is said to be recoverable. */
TEST(without_machines)
{
	static const struct expected cases[] = {
	    {"has_machine_hours", "false"},
	    {"groups.text", "\"The 2 groups that come first by name, of 5\""},
	    {"tiles.5", "null"},
	    {"verdict.1.text",
	     "\"What this cost and how large the machines were are unknown, and so is what is "
	     "recoverable.\""},
	    {"verdict.2.id", "\"left_out\""},
	    {"has_changes", "false"},
	    {"changes_text", "\"\""},
	};
	struct small s;
	cJSON *model;

	make_small(&s);
	s.f.usage.money = s.f.usage.recoverable = NAN;
	s.f.usage.machine_h = s.f.usage.machine_recoverable_h = NAN;
	for (size_t i = 0; i < 2; i++) {
		struct fleet_usage *u = &s.group[i].usage;
		u->money = u->recoverable = u->machine_h = u->machine_recoverable_h = NAN;
	}
	model = small_model(&s, &(struct fleet_model_input){0});
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

TEST(rows)
{
	static const struct expected cases[] = {
	    {"groups.total", "5"},
	    {"groups.shown", "2"},
	    {"groups.text", "\"The 2 groups with most to recover, of 5\""},
	    {"groups.has_gpus", "true"},
	    {"groups.others.label", "\"The other 3 groups\""},
	    {"groups.others.recoverable.value", "10"},
	    {"groups.rest.runs.value", "1005"},
	    {"groups.rows.0.name", "\"train · ann\""},
	    {"groups.rows.0.top", "true"},
	    {"groups.rows.0.oom.value", "2"},
	    {"groups.rows.0.wall_p95.value", "40000"},
	    {"groups.rows.0.mostly", "\"disk\""},
	    {"groups.rows.0.mostly_text", "\"disk (7 of 11)\""},
	    {"groups.rows.0.ends", "\"3 × its time was up, 2 × killed because memory ran out\""},
	    {"groups.rows.1.mostly", "null"},
	    {"groups.rows.1.ends", "null"},
	    {"groups.rows.0.cpus_used.value", "2"},
	    {"groups.rows.0.cpu_share", "\"25\""},
	    {"groups.rows.0.memory_share", "\"14\""},
	    {"groups.rows.0.gpu_share", "null"},
	    {"groups.rows.0.memory_p50.text", "\"8.00 GiB\""},
	    {"groups.rows.0.memory_max.text", "\"64.0 GiB\""},
	    {"groups.rows.0.gpus_asked", "{\"value\":null,\"text\":\"unknown\",\"unit\":\"GPUs\"}"},
	    {"groups.rows.0.cpus_text", "\"8 → 2.00\""},
	    {"groups.rows.0.memory_text", "\"64.0 GiB → 9.00 GiB\""},
	    {"groups.rows.0.gpus_text", "\"–\""},
	    {"groups.rows.0.proposed.text", "\"2 CPUs, 12.0 GiB, 13 h 40 min\""},
	    {"groups.rows.0.proposed.gpus.value", "null"},
	    {"groups.rows.0.would_fail.value", "2"},
	    {"groups.rows.0.tried.value", "10"},
	    {"groups.rows.0.would_fail_text", "\"2 of 10\""},
	    {"groups.rows.0.fail_at_most.text", "\"55%\""},
	    {"groups.rows.0.confidence", "{\"word\":\"fair\",\"level\":\"info\"}"},
	    {"groups.rows.0.backtest.text",
	     "\"1 of 40 failed, 42.0 GiB-hours wasted instead of 236 GiB-hours\""},
	    {"groups.rows.0.backtest.learnt.value", "5"},
	    {"groups.rows.0.backtest.lost", "false"},
	    {"groups.rows.0.growth.value", "1.25"},
	    {"groups.rows.1.backtest", "null"},
	    {"groups.rows.0.longer_text", "\"4% longer\""},
	    {"groups.rows.1.longer_text", "null"},
	    {"groups.rows.0.trend.text", "\"+12%\""},
	    {"groups.rows.0.trend.level", "\"warn\""},
	    {"groups.rows.0.trend.path", "\"M3 18l20-5 7-2 13-2 20-5 14-3\""},
	    {"groups.rows.0.report", "null"},
	    {"groups.rows.1.name", "\"unknown · bob\""},
	    {"groups.rows.1.gpu_share", "\"50\""},
	    {"groups.rows.1.proposed.gpus.value", "0"},
	    {"groups.rows.1.confidence.word", "\"weak\""},
	    {"groups.rows.1.trend", "{\"text\":\"steady\",\"level\":\"\",\"path\":null}"},
	    {"groups.rows.1.detail", "null"},
	    {"groups.rows.0.opens", "true"},
	    {"groups.rows.1.opens", "false"},
	};
	struct small s;
	cJSON *model;

	make_small(&s);
	model = small_model(&s, &(struct fleet_model_input){.money_basis = "x"});
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

/* The growth that an ask counts has a limit: above it, how much more the later runs need is not
 * said. */
TEST(growth)
{
	static const struct {
		double growth;
		const char *said;
	} cases[] = {
	    {1.25, "The later runs need 25% more than the earlier ones, so this is for the same "
	           "growth once more."},
	    {2, "The later runs need at least twice as much as the earlier ones, so this is for "
	        "twice as much again."},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct small s;
		cJSON *model;

		make_small(&s);
		s.group[0].growth = cases[i].growth;
		model = small_model(&s, &(struct fleet_model_input){.money_basis = "x"});
		assert_non_null(
		    strstr(cJSON_GetStringValue(model_at(model, "groups.rows.0.detail.text")),
		           cases[i].said));
		cJSON_Delete(model);
	}
}

TEST(detail)
{
	static const struct expected cases[] = {
	    {"formulas.0.text", "\"max(1, round(1.90 mean cores, the p95 of runs)) = 2 CPUs\""},
	    {"formulas.3",
	     "{\"label\":\"Would fail\",\"text\":\"2 of 10 runs would have failed; the "
	     "next fails with at most 55%; counted as failed: 1 killed for memory with less, because "
	     "nobody knows how much it needs\"}"},
	    {"formulas.4.text", "\"disk (7 of 11)\""},
	    {"formulas.6.text", "\"fair\""},
	    {"histograms.0.summary",
	     "\"Peak memory of 10 runs: median 8.00 GiB, p95 9.00 GiB. Asked: "
	     "64.0 GiB. Proposed: 12.0 GiB.\""},
	    {"histograms.0.rows.0.count", "8"},
	    {"histograms.0.rows.1.count", "2"},
	    {"histograms.1.id", "\"wall\""},
	    {"histograms.1.svg.lines.0.text", "\"Asked 1 d\""},
	    {"histograms.1.rows.0.count", "10"},
	    {"scatter.summary", "\"Peak memory over wall time of 10 runs, 2 of them killed for "
	                        "memory.\""},
	    {"scatter.points", "[[36000,8590000000,8,0],[600,68720000000,2,2]]"},
	    {"scatter.svg.log_x", "true"},
	    {"scatter.svg.log_y", "false"},
	    {"scatter.svg.dots.0.oom", "false"},
	    {"scatter.svg.dots.1.oom", "true"},
	    {"scatter.svg.lines.1.text", "\"Proposed 12.0 GiB\""},
	    {"worst.0.host", "\"unknown\""},
	    {"worst.0.memory_asked.text", "\"unknown\""},
	    {"worst.0.oom", "true"},
	    {"worst.0.start.iso", "\"2026-11-01T02:26:40Z\""},
	    {"snippets.0.id", "\"slurm\""},
	    {"newest.0.source", "\"b.json.gz\""},
	    {"newest.0.start", "\"2026-11-01 02:26\""},
	    {"newest.0.end", "\"failed\""},
	    {"newest.0.level", "\"bad\""},
	    {"newest.1.start", "\"unknown\""},
	    {"newest.1.end", "\"finished\""},
	    {"runs_command", "\"rtrack-fleet runs --where name=train --where user=ann --where "
	                     "'wall_s \\u003e 5' --since 30d -o runs.html --catalog runs.db\""},
	};
	const struct opts_list long_ones = {.v = {"wall_s > 5"}, .n = 1};
	const struct opts_list keys = {.v = {"name", "user"}, .n = 2};
	struct small s;
	cJSON *model;

	make_small(&s);
	model = small_model(&s, &(struct fleet_model_input){.page.where = &long_ones,
	                                                    .group_by = &keys,
	                                                    .page.since = "30d",
	                                                    .words = "--catalog runs.db"});
	EXPECT_ALL(model_at(model, "groups.rows.0.detail"), cases);
	cJSON_Delete(model);
}

TEST(days)
{
	static const struct expected cases[] = {
	    {"text", "\"3 days, from 1 November 2026 to 3 November 2026, UTC; each point is a "
	             "day.\""},
	    {"charts.0.data", "{\"from\":1793491200,\"step\":86400,\"series\":[[10,0,5]]}"},
	    {"charts.1.data.series", "[[8,0,0],[2,0,0]]"},
	    {"charts.1.summary", "\"Cores, mean of each day; the most: asked 8.00 cores, used 2.00 "
	                         "cores.\""},
	    {"charts.1.svg.ticks_x.1.text", "\"2 Nov\""},
	    {"charts.2.table.0", "{\"time\":\"1 November 2026\",\"values\":[{\"text\":\"64.0 "
	                         "GiB\"},{\"text\":\"8.00 GiB\"}]}"},
	    {"charts.3.id", "\"failures\""},
	    {"charts.3.data.series", "[[1,0,0],[2,0,0]]"},
	    {"charts.4", "null"},
	};
	static struct catalog_day many[1000];
	struct small s;
	cJSON *model;

	make_small(&s);
	model = small_model(&s, &(struct fleet_model_input){0});
	EXPECT_ALL(model_at(model, "days"), cases);
	cJSON_Delete(model);
	/* Points of seven days, the last of six: means stay what each day has, counts are sums. */
	for (size_t i = 0; i < 1000; i++)
		many[i] = (struct catalog_day){
		    .day = 20758 + (int64_t)i, .started = 2, .asked_core_s = 86400};
	s.f.day = many;
	s.f.n_days = 1000;
	model = small_model(&s, &(struct fleet_model_input){0});
	expect(model, "days.charts.0.data.step", "604800");
	expect(model, "days.charts.0.data.series.0.0", "14");
	expect(model, "days.charts.0.data.series.0.142", "12");
	expect(model, "days.charts.0.data.series.0.143", "null");
	expect(model, "days.charts.0.table.9.values.0.text", "\"110\"");
	expect(model, "days.charts.1.data.series.0.0", "1");
	expect(model, "days.charts.1.table.9.values.0.text", "\"1.00 core\"");
	cJSON_Delete(model);
}

TEST(nothing)
{
	static const struct expected cases[] = {
	    {"period", "{\"known\":false,\"text\":\"no runs\"}"},
	    {"verdict", "[{\"id\":\"used\",\"level\":\"warn\",\"text\":\"There are no runs.\"}]"},
	    {"tiles", "[{\"id\":\"runs\",\"label\":\"Runs\",\"text\":\"none\",\"note\":\"\"}]"},
	    {"changes", "[]"},
	    {"changes_text", "\"\""},
	    {"groups.known", "false"},
	    {"groups.others", "null"},
	    {"groups.table.rows", "[]"},
	    {"days", "{\"known\":false}"},
	    {"left_out.known", "false"},
	};
	const struct fleet none = {.keys = 1, .first = NAN, .last = NAN};
	cJSON *model;

	model = fleet_model(&none, &(struct fleet_model_input){0});
	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

/* Without numbers, the top says what to do. */
TEST(short_runs)
{
	struct fleet f = {.keys = 1, .first = NAN, .last = NAN, .runs = 3};
	cJSON *model;

	f.left_out[CATALOG_SHORT].runs = 3;
	model = fleet_model(&f, &(struct fleet_model_input){0});
	expect(model, "verdict.1.text",
	       "\"3 of 3 runs (100%) are left out, with the reasons below. Most have fewer than 10 "
	       "samples: rtrack-collect -i 0.2 takes five a second.\"");
	cJSON_Delete(model);
}

/* -- the table --------------------------------------------------------------------------------- */

static cJSON *unpacked(const cJSON *model)
{
	const char *text = cJSON_GetStringValue(model_at(model, "groups.packed"));
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct buf zipped = {0}, json = {0};
	FILE *f = tmpfile();
	struct gz_in *g;
	struct err e = {0};
	char part[4096];
	cJSON *tree;
	long n;

	assert_true(strlen(text) % 4 == 0);
	for (size_t i = 0; text[i]; i += 4) {
		unsigned v = 0;
		for (size_t k = 0; k < 4; k++)
			v = v << 6 |
			    (text[i + k] == '=' ? 0
			                        : (unsigned)(strchr(digits, text[i + k]) - digits));
		buf_char(&zipped, (char)(v >> 16));
		if (text[i + 2] != '=')
			buf_char(&zipped, (char)(v >> 8));
		if (text[i + 3] != '=')
			buf_char(&zipped, (char)v);
	}
	fwrite(zipped.s, 1, zipped.len, f);
	rewind(f);
	g = gz_in_new(fileno(f), 64 << 20, &e);
	while ((n = gz_read(g, part, sizeof part, &e)) > 0)
		buf_add(&json, part, (size_t)n);
	assert_int_equal(n, 0);
	gz_in_free(g);
	fclose(f);
	tree = cJSON_Parse(buf_cstr(&json));
	assert_non_null(tree);
	buf_free(&zipped);
	buf_free(&json);
	return tree;
}

TEST(table)
{
	static const struct expected rounded[] = {
	    {"columns.0.0", "\"name\""},
	    {"values.0", "[\"train · ann\",\"unknown · bob\"]"},
	    {"values.1", "[12,3]"},
	    {"values.6", "[40000,60]"},
	    {"values.7", "[\"disk\",null]"},
	    {"values.9", "[8,1.5]"},
	    {"values.11", "[68720000000,10740000000]"},
	    {"values.15", "[null,1]"},
	    {"values.22", "[2,1]"},
	    {"values.24", "[null,0]"},
	    {"values.28", "[1,0]"},
	    {"values.26", "[1.04,null]"},
	    {"values.29", "[0.55,0.63]"},
	    {"values.30", "[\"fair\",\"weak\"]"},
	    {"values.31", "[1.25,null]"},
	    {"values.32", "[40,null]"},
	    {"values.35", "[236,null]"},
	    {"values.36", "[0.12,0.01]"},
	    {"values.37", "[null,null]"},
	};
	struct small s;
	cJSON *model, *packed;

	make_small(&s);
	s.group[1].trend = -0.000123456;
	model = small_model(&s, &(struct fleet_model_input){0});
	packed = unpacked(model);
	expect(packed, "values.36.1", "-0.00012");
	cJSON_Delete(packed);
	cJSON_Delete(model);
	s.group[1].trend = 0.01;
	model = small_model(&s, &(struct fleet_model_input){.page.currency = "EUR"});
	packed = unpacked(model);
	EXPECT_ALL(packed, rounded);
	expect(model, "groups.packed_groups", "2");
	expect(
	    model, "groups.table.rows.0",
	    "[\"train · ann\",12,1,2,10,36000,40000,\"disk\",\"3 × its time was up, 2 × "
	    "killed because memory ran out\",8,2,68719476736,8589934592,9663676416,"
	    "68719476736,null,null,600,5400,0,100,75,50,30,2,12884901888,null,49200,1.04,2,1,0.55,\"fair\",1.25,40,1,42,236,0.123,"
	    "null]");
	expect(model, "groups.table.columns.20",
	       "{\"id\":\"money\",\"label\":\"Cost\",\"unit\":\"EUR\",\"kind\":\"number\"}");
	/* The page shows no machine-hours where prices are known. */
	assert_int_equal(cJSON_GetArraySize(model_at(packed, "columns")),
	                 cJSON_GetArraySize(model_at(model, "groups.table.columns")) - 2);
	assert_int_equal(cJSON_GetArraySize(model_at(packed, "values")), 38);
	cJSON_Delete(packed);
	cJSON_Delete(model);
}

static void name_all(struct fleet *f, const char *text, bool random)
{
	uint64_t seed = 3;

	for (size_t i = 0; i < f->n; i++) {
		struct buf name = {0};
		buf_printf(&name, "%s%zu", text, i);
		for (size_t k = 0; random && k < 200; k++)
			buf_char(&name, (char)(33 + (int)(94 * fleet_made_random(&seed))));
		free(f->group[i].key[0]);
		f->group[i].key[0] = buf_take(&name);
	}
}

static char *output_of(const cJSON *model, int format)
{
	char path[] = "/tmp/fleet-model-XXXXXX";
	int fd = mkstemp(path);
	struct err e = {0};
	char *text;

	assert_true(fd >= 0);
	close(fd);
	if (format < 0)
		assert_int_equal(render_table_csv(model, path, &e), 0);
	else
		assert_int_equal(render_format(model, &output_formats[format], path,
		                               &(struct render_page){0}, &e),
		                 0);
	text = slurp(path);
	unlink(path);
	return text;
}

/* The page has a megabyte in all, whatever the names; the first groups open. */
static void expect_small_page(const cJSON *model)
{
	char *page = output_of(model, FORMAT_HTML);
	const cJSON *row;
	int open = 0;

	assert_true(strlen(page) <= 1 << 20);
	free(page);
	cJSON_ArrayForEach (row, model_at(model, "groups.rows"))
		open += cJSON_IsTrue(model_at(row, "opens"));
	assert_in_range(open, FLEET_MODEL_PICTURES, FLEET_DETAILS_MAX);
}

TEST(packed_size)
{
	static const char *const names[] = {"train-", "\"</script>\x01", "日本語"};
	struct fleet f;

	for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i += EVERY(5)) {
		bool random = i % 2;
		cJSON *model, *packed;
		double kept;
		fleet_made(&f, 10500);
		name_all(&f, names[i / 2], random);
		model = fleet_model(&f, &(struct fleet_model_input){0});
		assert_non_null(model);
		assert_true(strlen(cJSON_GetStringValue(model_at(model, "groups.packed"))) <=
		            432 * 1024);
		expect_small_page(model);
		kept = model_at(model, "groups.packed_groups")->valuedouble;
		if (!(kept > (random ? 4600 : 9500)))
			fail_msg("%g of %s names", kept, random ? "random" : "plain");
		packed = unpacked(model);
		for (int c = 0; c < 30; c++)
			assert_int_equal(
			    cJSON_GetArraySize(cJSON_GetArrayItem(model_at(packed, "values"), c)),
			    (int)kept);
		assert_true(model_at(model, "groups.rest.groups.value")->valuedouble ==
		            10500 - kept);
		assert_true(model_at(model, "groups.others.groups.value")->valuedouble == 10300);
		assert_int_equal(cJSON_GetArraySize(model_at(model, "groups.table.rows")), 10000);
		cJSON_Delete(packed);
		cJSON_Delete(model);
		fleet_made_free(&f);
	}
}

/* -- outputs ----------------------------------------------------------------------------------- */

TEST(csv)
{
	struct small s;
	cJSON *model, *read_back;
	char *text, *again;

	make_small(&s);
	s.group[0].key[0] = "=cmd|' /C calc'!A0";
	s.group[1].key[0] = "a\"b\n,\tc";
	model = small_model(&s, &(struct fleet_model_input){0});
	text = output_of(model, -1);
	assert_memory_equal(text, "\"name\",\"runs\",\"failed\",", 23);
	assert_non_null(strstr(text, "\n\"'=cmd|' /C calc'!A0 · ann\",12,1,2,10,36000,"));
	assert_non_null(
	    strstr(text, "\n\"a\"\"b , c · bob\",3,0,0,3,60,60,,,1.5,1.35,10737418240,"));
	assert_non_null(strstr(text, ",49200,1.04,2,1,0.55,\"fair\",1.25,40,1,42,236,0.123,\n"));
	/* A model that was written and read again has nodes where this one has text. */
	again = model_text(model, "");
	read_back = cJSON_Parse(again);
	free(again);
	again = output_of(read_back, -1);
	assert_string_equal(again, text);
	free(again);
	free(text);
	cJSON_Delete(read_back);
	cJSON_Delete(model);
}

/* What must not be in an output, whatever the names. */
static const struct {
	int format;
	const char *never[5];
} harm[] = {
    {FORMAT_JSON, {"</script", "<img", "\x1b", "\xe2\x80\xae", NULL}},
    {FORMAT_MARKDOWN, {"<script", "<img", "\x1b", "\n::error", "@ann"}},
    {FORMAT_TEXT, {"\x1b", "\n::error", "\x07", "\xe2\x80\xae", "\n##["}},
    {FORMAT_OPENMETRICS, {"\x1b", "\xe2\x80\xae", "\nrtrack_evil", "a=\"", NULL}},
    {FORMAT_JUNIT, {"<script", "<img", "\x1b", "]]>", NULL}},
    {-1, {"\x1b", "\n\"=", "\n=", ",\"=", "\xe2\x80\xae"}},
};

TEST(hostile)
{
	static const char evil[] =
	    "=cmd()</script><img src=x onerror=alert(1)>'\"; DROP TABLE runs;--\n::error::x\r\n##[x]\n"
	    "rtrack_evil{a=\"\"} 1\n\x1b[31m\x07\xe2\x80\xae@ann | `x` ]]> \xff";
	struct fleet f;
	char *big = malloc((10 << 20) + 1);
	cJSON *model;

	memset(big, 'x', 10 << 20);
	big[10 << 20] = '\0';
	fleet_made(&f, 30);
	name_all(&f, evil, false);
	free(f.group[3].key[0]);
	f.group[3].key[0] = big;
	for (size_t i = 0; i < f.n; i++)
		for (size_t k = 0; k < f.group[i].detail->runs.n_worst; k++) {
			free(f.group[i].detail->runs.worst[k].user);
			f.group[i].detail->runs.worst[k].user = strdup(evil);
		}
	model = fleet_model(
	    &f, &(struct fleet_model_input){.page.title = evil,
	                                    .page.source = evil,
	                                    .page.where = &(struct opts_list){{evil}, 1},
	                                    .page.since = evil,
	                                    .money_basis = evil,
	                                    .attribution = evil,
	                                    .page.currency = "EUR",
	                                    .group_by = &(struct opts_list){{evil}, 1}});
	assert_non_null(model);
	for (size_t i = 0; i < sizeof harm / sizeof *harm; i++) {
		char *text = output_of(model, harm[i].format);
		size_t n = strlen(text);
		if (harm[i].format == FORMAT_MARKDOWN)
			assert_true(n <= 65536);
		assert_true(n < (1 << 20));
		for (size_t k = 0; k < 5 && harm[i].never[k]; k++)
			if (strstr(text, harm[i].never[k]))
				fail_msg("format %d has %s", harm[i].format, harm[i].never[k]);
		free(text);
	}
	cJSON_Delete(model);
	fleet_made_free(&f);
}

/* No two samples have the same name and labels, even if names differ only in what is replaced. */
TEST(openmetrics)
{
	struct small s;
	cJSON *model;
	char *text;

	make_small(&s);
	s.f.keys = 1;
	s.group[0].key[0] = "a\x01";
	s.group[1].key[0] = "a\x02";
	model = small_model(&s, &(struct fleet_model_input){.page.currency = "EUR"});
	text = output_of(model, FORMAT_OPENMETRICS);
	assert_non_null(strstr(text, "rtrack_fleet_runs{} 1020\n"));
	assert_non_null(strstr(text, "rtrack_fleet_unused_cpu_seconds{} 2520000\n"));
	assert_non_null(strstr(text, "rtrack_fleet_recoverable_cost{currency=\"EUR\"} 90\n"));
	assert_non_null(strstr(text, "rtrack_fleet_efficiency_ratio{resource=\"cpu\"} 0.3\n"));
	assert_non_null(
	    strstr(text, "rtrack_fleet_group_recommended_memory_bytes{group=\"a\xef\xbf\xbd\"} "
	                 "12884901888\n"));
	assert_non_null(
	    strstr(text, "rtrack_fleet_group_recommended_memory_bytes{group=\"a\xef\xbf\xbd\","
	                 "same_name=\"2\"} 2147483648\n"));
	assert_null(strstr(text, "rtrack_fleet_group_recommended_gpus{group=\"a\xef\xbf\xbd\"}"));
	free(text);
	cJSON_Delete(model);
}

/* A row is text in the tree, which a template must not see. */
TEST(a_row_in_a_template)
{
	static const char text[] = "{{#groups.table.rows}}{{.}};{{/groups.table.rows}}";
	struct small s;
	struct buf out = {0};
	struct err e = {0};
	cJSON *model;

	make_small(&s);
	s.f.n = 1;
	s.group[0].key[0] = "<b>";
	model = small_model(&s, &(struct fleet_model_input){0});
	assert_int_equal(
	    mustache_render(text, sizeof text - 1, "t", model, ESCAPE_NONE, NULL, &out, &e), 0);
	assert_memory_equal(buf_cstr(&out), "[\"\\u003cb\\u003e · ann\",12,1,2,10,", 32);
	assert_string_equal(buf_cstr(&out) + out.len - 7, ",null];");
	buf_free(&out);
	cJSON_Delete(model);
}

TEST(outputs_that_are_none)
{
	struct small s;
	struct err e = {0};
	cJSON *model;

	make_small(&s);
	model = small_model(&s, &(struct fleet_model_input){0});
	assert_int_equal(render_format(model, &output_formats[FORMAT_TRACE], "/dev/null", NULL, &e),
	                 -1);
	assert_string_equal(e.msg, "there is no trace.txt of a fleet");
	cJSON_Delete(model);
}

/* -- the document ------------------------------------------------------------------------------ */

TEST(documented)
{
	char *fleet = slurp("docs/fleet_model.md"), *run = slurp("docs/model.md");
	struct buf both = {0};
	struct small s;
	cJSON *model;

	make_small(&s);
	model = small_model(&s, &(struct fleet_model_input){0});
	buf_printf(&both, "%s%s", fleet, run);
	all_told(model, buf_cstr(&both));
	buf_free(&both);
	free(fleet);
	free(run);
	cJSON_Delete(model);
}
