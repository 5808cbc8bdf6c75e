/* pipeline_model: what the page says, of runs that are made. */
#include <stdlib.h>

#include "core/base/buf.h"
#include "core/json/json_write.h"
#include "fleet/pipeline/pipeline_model.h"
#include "report/units/model_json.h"
#include "tests/unit/fleet/pipeline_made.h"

static cJSON *model_of_pipeline(const struct pipeline *p)
{
	struct err e = {0};
	const char *other[] = {"snakemake/2", "slurm/3"};
	cJSON *model =
	    pipeline_model_make(p,
	                        &(struct pipeline_model_input){.run = "snakemake/1",
	                                                       .page.source = "3 recordings",
	                                                       .other = other,
	                                                       .n_others = 2,
	                                                       .all_others = 7,
	                                                       .page.now = MADE_EPOCH},
	                        &e);

	assert_string_equal(e.msg, "");
	assert_non_null(model);
	return model;
}

/* "chain/rows/0/name" */
static const cJSON *at_path(const cJSON *model, const char *path)
{
	while (model && *path) {
		char key[64];
		size_t n = strcspn(path, "/");
		snprintf(key, sizeof key, "%.*s", (int)n, path);
		model = cJSON_IsArray(model) ? cJSON_GetArrayItem(model, atoi(key))
		                             : cJSON_GetObjectItemCaseSensitive(model, key);
		path += n + (path[n] == '/');
	}
	return model;
}

static void assert_says(const cJSON *model, const char *path, const char *expected)
{
	const char *text = cJSON_GetStringValue(at_path(model, path));

	assert_non_null(text);
	assert_string_equal(text, expected);
}

static const char *const rules[] = {
    "workflow=snakemake;snakemake.rule=sort;snakemake.job_id=1",
    "workflow=snakemake;snakemake.rule=sort;snakemake.job_id=2",
    "workflow=snakemake;snakemake.rule=merge;snakemake.job_id=3",
};

TEST(test_words)
{
	struct pipeline p;
	cJSON *model;

	MADE_PIPELINE(
	    &p, {.labels = rules[0], .start = 0, .wall_s = 60, .cpu_s = 60, .asked_cpus = 2},
	    {.labels = rules[1], .start = 1, .wall_s = 89, .cpu_s = 89, .asked_cpus = 2},
	    {.labels = rules[2], .start = 100, .wall_s = 20, .code = 1, .class = CATALOG_FAILED});
	model = model_of_pipeline(&p);
	assert_says(model, "format", "rtrack-pipeline");
	assert_says(model, "title", "snakemake/1");
	assert_says(model, "run/workflow", "Snakemake");
	assert_says(model, "others_more", "and 5 more");
	assert_says(model, "tiles/0/text", "3");
	assert_says(model, "tiles/0/note", "1 failed, 0 retried");
	assert_says(model, "tiles/2/text", "2 min");
	assert_says(model, "verdict/0/level", "bad");
	assert_says(model, "verdict/0/text", "3 tasks of 2 processes: 1 failed in the end.");
	assert_says(model, "chain/rows/0/name", "sort");
	assert_says(model, "chain/rows/1/before/text", "10.0 s");
	assert_says(
	    model, "chain/text",
	    "sort 74% of the time, merge 17%; no task of it ran or was submitted for 11.0 s.");
	assert_says(model, "load/charts/0/title", "Tasks at once");
	assert_says(model, "timeline/rows/2/memory/text", "unknown");
	assert_says(model, "processes/rows/0/asked", "2 CPUs");
	assert_says(model, "processes/rows/0/proposed", "1 CPU, 2 min");
	assert_says(model, "processes/rows/0/confidence", "weak: from 2 attempts");
	assert_says(model, "processes/rows/1/proposed", "unknown");
	assert_int_equal(cJSON_GetArraySize(at_path(model, "timeline/picture/bars")), 3);
	assert_true(cJSON_IsTrue(at_path(model, "timeline/picture/bars/2/failed")));
	assert_false(cJSON_IsTrue(at_path(model, "timeline/picture/bars/0/chain")));
	assert_true(cJSON_IsTrue(at_path(model, "timeline/picture/bars/1/chain")));
	cJSON_Delete(model);
	pipeline_free(&p);
}

static void make_runs(struct pipeline *p, const char *labels, const char *name, int n)
{
	struct err e = {0};

	*p = (struct pipeline){0};
	for (int i = 0; i < n; i++)
		made_add(p, &(struct pipeline_made){.name = name,
		                                    .labels = labels,
		                                    .start = i * 10,
		                                    .wall_s = 60,
		                                    .cpu_s = 120,
		                                    .asked_cpus = 4,
		                                    .memory_gib = 1,
		                                    .asked_gib = 8});
	assert_int_equal(pipeline_make(p, &e), 0);
}

TEST(test_config)
{
	static const struct {
		const char *labels, *name, *id, *text;
	} cases[] = {
	    {"workflow=nextflow;nextflow.task=ALIGN (s1)", "x", "nextflow",
	     "process {\n    withName: 'ALIGN' {\n        cpus = 2\n        memory = '2048 MB'\n"
	     "        time = '2 min'\n    }\n}"},
	    {"workflow=snakemake;snakemake.rule=sort", "x", "snakemake",
	     "set-threads:\n  - sort=2\nset-resources:\n  - sort:mem_mb=2148\n  - sort:runtime=2"},
	    {"scheduler=slurm", "fit", "slurm",
	     "# fit\n#SBATCH --cpus-per-task=2\n#SBATCH --mem=2048M\n#SBATCH --time=2"},
	    /* A name that is none of Python is no rule; and none ends its line. */
	    {"workflow=snakemake;snakemake.rule=a: b", "x", NULL, NULL},
	    {"scheduler=slurm", "a\n#SBATCH --wrap=rm", "slurm",
	     "# a #SBATCH --wrap=rm\n#SBATCH --cpus-per-task=2\n#SBATCH --mem=2048M\n#SBATCH "
	     "--time=2"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pipeline p;
		cJSON *model;
		make_runs(&p, cases[i].labels, cases[i].name, 20);
		model = model_of_pipeline(&p);
		assert_int_equal(cJSON_GetArraySize(at_path(model, "config/snippets")),
		                 cases[i].id ? 1 : 0);
		if (cases[i].id) {
			assert_says(model, "config/snippets/0/id", cases[i].id);
			assert_says(model, "config/snippets/0/text", cases[i].text);
		}
		cJSON_Delete(model);
		pipeline_free(&p);
	}
}

/* Of an unknown workflow, all three. */
TEST(test_config_of_any)
{
	struct pipeline p;
	cJSON *model;

	make_runs(&p, "", "fit", 20);
	model = model_of_pipeline(&p);
	assert_int_equal(cJSON_GetArraySize(at_path(model, "config/snippets")), 3);
	cJSON_Delete(model);
	pipeline_free(&p);
}

/* Nothing at all, and tasks of which only the names are known. */
TEST(test_nothing)
{
	struct pipeline p;
	cJSON *model;

	make_runs(&p, "", "", 0);
	model = model_of_pipeline(&p);
	assert_false(cJSON_IsTrue(at_path(model, "chain/known")));
	assert_says(model, "tiles/2/text", "unknown");
	cJSON_Delete(model);
	pipeline_free(&p);
	MADE_PIPELINE(&p, {.no_start = true, .wall_s = NAN});
	model = model_of_pipeline(&p);
	assert_false(cJSON_IsTrue(at_path(model, "timeline/known")));
	assert_says(model, "timeline/rows/0/name", "unknown");
	assert_says(model, "timeline/rows/0/wall/text", "unknown");
	cJSON_Delete(model);
	pipeline_free(&p);
}

/* More attempts than bars, more processes than lanes of their own, than rows, than colours: the
 * model stays small. */
TEST(test_many)
{
	static const struct {
		int attempts, processes;
		bool grouped;
	} cases[] = {{2000, 3, false}, {2001, 3, true}, {1000, 1000, false}, {5000, 900, true}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pipeline p = {0};
		struct json_write j = {.exponents = true};
		struct err e = {0};
		cJSON *model;
		for (int k = 0; k < cases[i].attempts; k++) {
			char name[64];
			snprintf(name, sizeof name, "a process with quite a name %d",
			         k % cases[i].processes);
			made_add(&p,
			         &(struct pipeline_made){
				     .name = name, .start = k, .wall_s = 100, .code = k % 50 == 0});
		}
		assert_int_equal(pipeline_make(&p, &e), 0);
		model = model_of_pipeline(&p);
		assert_int_equal(at_path(model, "timeline/picture/areas") != NULL,
		                 cases[i].grouped);
		assert_int_equal(at_path(model, "timeline/picture/bars") == NULL, cases[i].grouped);
		assert_true(cJSON_GetArraySize(at_path(model, "processes/rows")) <= 200);
		model_json_write(&j, NULL, model);
		assert_true(json_write_finish(&j));
		assert_true(j.b.len < 1000000);
		json_write_free(&j);
		cJSON_Delete(model);
		pipeline_free(&p);
	}
}
