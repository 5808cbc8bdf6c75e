/* mail_model: commands that can be copied, and what a message says of a made-up fleet. tests/cli/report_mail.sh shows whole
 * messages. */
#include <string.h>

#include "fleet/owners/mail_model.h"
#include "tests/unit/fleet/fleet_made.h"
#include "tests/unit/unit.h"

TEST(words_of_a_command_line)
{
	static const struct {
		const char *word, *quoted;
	} cases[] = {
	    {"name=fit", "name=fit"},
	    {"name=", "name="},
	    {"", "''"},
	    {"name=a b", "'name=a b'"},
	    {"it's", "'it'\\''s'"},
	    {"$(rm -rf /)`x`\"\\;", "'$(rm -rf /)`x`\"\\;'"},
	    {"größe", "'größe'"},
	    {"a\nb", NULL},
	    {"a\tb", NULL},
	    {"a\xff", NULL},
	    {"a\x1b[31m", NULL},
	    {"a\xe2\x80\xae"
	     "b",
	     NULL},
	    {"a##b", NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = {0};
		bool can = mail_model_quote(&out, cases[i].word);
		assert_int_equal(can, cases[i].quoted != NULL);
		assert_string_equal(buf_cstr(&out), can ? cases[i].quoted : "");
		buf_free(&out);
	}
}

static const char *text_of(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	return text ? text : "";
}

/* The catalog is not for owners, and the run that wastes most is no recording: nothing is to be typed. */
TEST(commands_that_no_owner_can_follow)
{
	static const struct {
		const char *arguments, *source;
		bool has_command, has_run;
	} cases[] = {
	    {"--catalog /runs.db", "/a.json.gz", true, true},
	    {NULL, "/a.json.gz", false, true},
	    {NULL, "sacct://slurm/c/1/0", false, false},
	    {NULL, "import://nextflow/a", false, false},
	};
	const struct mail_rules rules = mail_rules_default();
	struct fleet f = {.keys = 2, .usage = {.money = NAN}};
	uint64_t seed = 1;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fleet_group g = {0};
		cJSON *model, *job;
		fleet_made_group(&g, &seed, 0);
		g.detail = g.detail ? g.detail : calloc(1, sizeof *g.detail);
		assert_non_null(g.detail);
		free(g.detail->runs.worst[0].source);
		g.detail->runs.n_worst = 1;
		g.detail->runs.worst[0].source = strdup(cases[i].source);
		model = mail_model(&(struct mail_input){.of = "user",
		                                        .rules = &rules,
		                                        .fleet = &f,
		                                        .source = "runs",
		                                        .arguments = cases[i].arguments,
		                                        .now = 1795000000},
		                   "ann", &(struct mail_job){&g, 1u << MAIL_RULE_MEMORY}, 1);
		job = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(model, "jobs"), 0);
		assert_int_equal(*text_of(model, "command") != '\0', cases[i].has_command);
		assert_int_equal(*text_of(job, "command") != '\0', cases[i].has_command);
		assert_int_equal(*text_of(job, "run_command") != '\0', cases[i].has_run);
		assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(job, "has_check")),
		                 cases[i].has_command || cases[i].has_run);
		cJSON_Delete(model);
		fleet_group_free(&g);
	}
}

TEST(a_job_whose_name_is_hostile)
{
	const struct mail_rules rules = mail_rules_default();
	struct fleet f = {.keys = 2, .usage = {.money = NAN}};
	struct fleet_group g = {0};
	uint64_t seed = 1;
	cJSON *model, *job;

	fleet_made_group(&g, &seed, 0);
	free(g.key[0]);
	g.key[0] = strdup("ann");
	g.key[1] = strdup("fit\r\nBcc: victim@example.org\r\n\r\n<script>");
	model = mail_model(&(struct mail_input){.of = "user",
	                                        .rules = &rules,
	                                        .fleet = &f,
	                                        .source = "runs",
	                                        .arguments = "/data/runs",
	                                        .now = 1795000000},
	                   "ann", &(struct mail_job){&g, 1u << MAIL_RULE_MEMORY}, 1);
	assert_non_null(model);
	assert_null(strpbrk(text_of(model, "subject"), "\r\n"));
	job = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(model, "jobs"), 0);
	assert_null(strpbrk(text_of(job, "name"), "\r\n"));
	/* It cannot be named in a command. */
	assert_string_equal(text_of(job, "command"),
	                    "rtrack-fleet groups --where user=ann -o jobs.html /data/runs");
	assert_string_equal(text_of(model, "command"), text_of(job, "command"));
	cJSON_Delete(model);
	fleet_group_free(&g);
}
