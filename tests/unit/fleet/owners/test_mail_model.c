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
