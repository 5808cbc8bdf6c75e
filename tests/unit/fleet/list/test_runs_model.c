/* runs_model: runs as the page, the texts and programs see them; what is unknown; how much fits. */
#include <stdlib.h>

#include "core/base/base64.h"
#include "core/base/gz.h"
#include "core/end/end_cause.h"
#include "fleet/list/runs_model.h"
#include "report/units/model_json.h"
#include "tests/unit/fleet/catalog/catalog_made.h"
#include "tests/unit/report/model_expect.h"
#include "tests/unit/unit.h"

static struct err e;

/* A row of which nothing is known but its source. */
static void no_row(struct catalog_result v[CATALOG_COLUMNS])
{
	static const char *const source[] = {"/runs/a.json.gz", "/runs/b.json.gz"};

	for (int i = 0; i < CATALOG_COLUMNS; i++)
		v[i] = (struct catalog_result){.text = "", .number = NAN};
	v[CATALOG_COLUMN_SOURCE].text = source[0];
	v[CATALOG_COLUMN_SOURCE].list = source;
	v[CATALOG_COLUMN_SOURCE].n = 1;
}

static void row_of(struct catalog_result v[CATALOG_COLUMNS])
{
	no_row(v);
	v[RTRACK_ROW_NAME].text = "train";
	v[RTRACK_ROW_JOB_ID].text = "slurm/hpc/77/1";
	v[CATALOG_COLUMN_ORIGIN].text = "recorded+sacct";
	v[RTRACK_ROW_STATUS].text = "killed";
	v[RTRACK_ROW_SIGNAL].text = "TERM";
	v[CATALOG_COLUMN_END_CODE].number = END_CAUSE_TIME_LIMIT;
	v[CATALOG_COLUMN_CLASS].number = CATALOG_FAILED;
	v[RTRACK_ROW_START].number = 1793500000;
	v[RTRACK_ROW_WALL].number = 3600;
	v[RTRACK_ROW_ASKED_CPUS].number = 8;
	v[CATALOG_COLUMN_ASKED_CORE_S].number = 8 * 3600;
	v[CATALOG_COLUMN_USED_CORE_S].number = 3600;
	v[CATALOG_COLUMN_UNUSED_CORE_S].number = 7 * 3600;
	v[RTRACK_ROW_ASKED_MEMORY].number = 8 * GIB;
	v[RTRACK_ROW_MEMORY_PEAK].number = 2 * GIB;
	v[CATALOG_COLUMN_ASKED_BYTE_S].number = 8 * GIB * 3600;
	v[CATALOG_COLUMN_PAID_S].number = 1800;
	v[CATALOG_COLUMN_MACHINE].text = "aws\tm5.large\tus-east-1\t16\t68719476736\t0";
}

static cJSON *list(const struct runs_model_input *in, size_t n,
                   void (*make)(struct catalog_result v[CATALOG_COLUMNS]))
{
	double count[CATALOG_CLASSES] = {[CATALOG_FAILED] = (double)n, [CATALOG_IMPOSSIBLE] = 2};
	const struct runs_model_sums sums = {.count = count, .money_basis = ""};
	struct catalog_result v[CATALOG_COLUMNS];
	struct runs_model *m = runs_model_begin(in);

	make(v);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(runs_model_add(m, v, &e), 0);
	return runs_model_end(m, &sums);
}

TEST(one_run)
{
	static const struct expected cases[] = {
	    {"format", "\"rtrack-runs\""},
	    {"has_cost", "true"},
	    {"runs.text", "\"One run, the newest first\""},
	    {"runs.left_out", "\"2 runs whose numbers cannot be true are left out.\""},
	    {"runs.rows.0.id", "\"77/1\""},
	    {"runs.rows.0.user", "\"unknown\""},
	    {"runs.rows.0.account", "null"},
	    {"runs.rows.0.start_text", "\"2026-11-01 02:26\""},
	    {"runs.rows.0.end", "{\"text\":\"its time was up (SIGTERM)\",\"level\":\"bad\"}"},
	    {"runs.rows.0.cpus_text", "\"8 → 1.00\""},
	    {"runs.rows.0.cpu_efficiency.text", "\"12%\""},
	    {"runs.rows.0.memory_text", "\"8.00 GiB → 2.00 GiB\""},
	    {"runs.rows.0.unused", "[\"7.00 core-hours\"]"},
	    {"runs.rows.0.cost.text", "\"$0.40\""},
	    {"runs.rows.0.elsewhere", "true"},
	    {"nextflow.0.exit", "\"143\""},
	    {"nextflow.0.status", "\"FAILED\""},
	};
	const struct runs_model_input in = {.of = {.rates = {.cpu = 0.05}}, .nextflow = true};
	cJSON *model = list(&in, 1, row_of);

	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

static double price(void *ctx, const struct catalog_machine *m)
{
	(void)ctx;
	assert_string_equal(m->instance, "m5.large");
	return 0.2;
}

TEST(price_of_a_machine)
{
	const struct runs_model_input in = {.of = {.price = price}, .page.currency = "EUR"};
	cJSON *model = list(&in, 1, row_of);

	expect(model, "runs.rows.0.cost.text", "\"0.10 EUR\"");
	cJSON_Delete(model);
}

/* Nothing is 0 that is not known. */
TEST(unknown)
{
	static const struct expected cases[] = {
	    {"has_cost", "false"},
	    {"runs.rows.0.name", "\"unknown\""},
	    {"runs.rows.0.start", "null"},
	    {"runs.rows.0.start_text", "\"unknown\""},
	    {"runs.rows.0.wall.value", "null"},
	    {"runs.rows.0.end", "{\"text\":\"unknown\",\"level\":\"\"}"},
	    {"runs.rows.0.cpus_text", "\"– → unknown\""},
	    {"runs.rows.0.memory_text", "\"– → unknown\""},
	    {"runs.rows.0.cpu_efficiency.text", "\"\""},
	    {"runs.rows.0.unused", "[\"unknown\"]"},
	    {"runs.rows.0.cost.text", "\"unknown\""},
	    {"runs.rows.0.cost.unit", "\"USD\""},
	    {"nextflow.0.duration", "\"-\""},
	    {"nextflow.0.cpu", "\"-\""},
	};
	const struct runs_model_input in = {.of = {.rates = {.cpu = 1}}, .nextflow = true};
	cJSON *model = list(&in, 1, no_row);

	EXPECT_ALL(model, cases);
	cJSON_Delete(model);
}

static const char *status;

static void status_row(struct catalog_result v[CATALOG_COLUMNS])
{
	no_row(v);
	v[RTRACK_ROW_STATUS].text = status;
}

/* Nobody knows how a process that was followed ended, and a recorder that was told to stop says
 * nothing of what it followed. */
TEST(ends_without_a_code)
{
	static const struct {
		const char *status, *end;
	} cases[] = {
	    {"exited", "unknown"},
	    {"detached", "recording stopped"},
	    {"stopped", "recording stopped"},
	    {"finished", "finished"},
	    {"other", "other"},
	};
	const struct runs_model_input in = {.nextflow = false};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cJSON *model;
		char text[64];

		status = cases[i].status;
		model = list(&in, 1, status_row);
		snprintf(text, sizeof text, "\"%s\"", cases[i].end);
		expect(model, "runs.rows.0.end.text", text);
		cJSON_Delete(model);
	}
}

static char evil[400];

static void evil_row(struct catalog_result v[CATALOG_COLUMNS])
{
	row_of(v);
	memset(evil, '<', sizeof evil - 1);
	for (int i = 0; i < CATALOG_COLUMNS; i++)
		if (catalog_columns[i].kind == CATALOG_TEXT && i != CATALOG_COLUMN_SOURCE)
			v[i].text = evil;
}

/* Rows that are long once they are escaped do not all fit, and the page says so. */
TEST(room)
{
	const struct runs_model_input in = {.page.top = 1200};
	cJSON *model = list(&in, 1200, evil_row);
	const cJSON *runs = cJSON_GetObjectItemCaseSensitive(model, "runs"), *row;
	double shown = cJSON_GetObjectItemCaseSensitive(runs, "shown")->valuedouble, n = 0;
	bool before = true;

	assert_true(shown > 50 && shown < 500);
	cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(runs, "rows")) {
		bool is = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(row, "shown"));
		assert_true(before || !is);
		before = is;
		n += is;
	}
	assert_true(n == shown);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(runs, "rows")), 1000);
	assert_int_equal(cJSON_GetArraySize(model_at(model, "runs.table.rows")), 1200);
	expect(model, "runs.listed", "1200");
	expect(model, "runs.top_text", "\"1,000 of 1,200 runs, the newest first\"");
	cJSON_Delete(model);
}

static void gpu_row(struct catalog_result v[CATALOG_COLUMNS])
{
	row_of(v);
	v[RTRACK_ROW_ASKED_GPUS].number = 2;
}

/* The page's script has the columns that the page has, in the currency of the page. */
TEST(packed)
{
	static const struct {
		double rate;
		void (*row)(struct catalog_result v[CATALOG_COLUMNS]);
		bool money, gpus;
	} cases[] = {
	    {0.05, gpu_row, true, true}, {0, row_of, false, false}, {0, gpu_row, false, true}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct runs_model_input in = {.of = {.rates = {.cpu = cases[i].rate}},
		                                    .page.currency = "EUR"};
		cJSON *model = list(&in, 1, cases[i].row);
		const char *text = model_at(model, "runs.packed")->valuestring;
		struct buf zipped = {0};
		struct gz_head *g = gz_head_new(&e);
		char json[4096] = "";
		assert_int_equal(base64_read(&zipped, text, strlen(text)), 0);
		assert_true(gz_head_read(g, zipped.s, zipped.len, json, sizeof json - 1) > 0);
		gz_head_free(g);
		buf_free(&zipped);
		assert_non_null(strstr(json, "[\"wall\",\"Wall time\",\"s\",\"Wall time\"]"));
		assert_int_equal(strstr(json, "[\"cost\",\"Cost\",\"EUR\",") != NULL,
		                 cases[i].money);
		assert_int_equal(strstr(json, "[\"gpus_asked\",") != NULL, cases[i].gpus);
		assert_int_equal(strstr(json, "[\"gpu_efficiency\",") != NULL, cases[i].gpus);
		assert_null(strstr(json, "\"code\""));
		cJSON_Delete(model);
	}
}

TEST(documented)
{
	const struct runs_model_input in = {.page.top = 1};
	cJSON *model = list(&in, 1, row_of), *column;
	char *docs = slurp("docs/runs.md"), name[64];

	cJSON_ArrayForEach (column, model_at(model, "runs.table.columns")) {
		snprintf(name, sizeof name, "`%s`", model_at(column, "id")->valuestring);
		if (!strstr(docs, name))
			fail_msg("docs/runs.md has no %s", name);
	}
	free(docs);
	cJSON_Delete(model);
}
