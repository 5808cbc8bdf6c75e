/* mail_model: what a message shows, as one JSON tree. */
#include "fleet/owners/mail_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "core/base/shell_word.h"
#include "fleet/catalog/catalog_row.h"
#include "fleet/groups/fleet_group.h"
#include "fleet/groups/fleet_model_words.h"
#include "report/advice/snippets.h"
#include "report/render/escape.h"
#include "report/units/model_json.h"

#define QUOTE_MAX ((size_t)1024)
#define FRACTION  0.05 /* a change of an ask below this is none */

/* -- commands ---------------------------------------------------------------------------------- */

bool mail_model_quote(struct buf *out, const char *word)
{
	struct buf shown = {0};
	size_t n = strnlen(word, QUOTE_MAX + 1);
	bool same;

	/* A word that the message cannot show as it is cannot be copied from it; nor can "##",
	 * which the layout of the text splits. */
	escape_add(&shown, ESCAPE_LINE, word, n);
	same = n <= QUOTE_MAX && !strchr(word, '\t') && !strstr(word, "##") &&
	       strcmp(buf_cstr(&shown), word) == 0;
	buf_free(&shown);
	if (!same)
		return false;
	shell_word_add(out, word);
	return true;
}

static void add_where(struct buf *command, const char *key, const char *value)
{
	struct buf condition = {0}, quoted = {0};

	buf_printf(&condition, "%s=", key);
	buf_str(&condition, value);
	if (mail_model_quote(&quoted, buf_cstr(&condition)))
		buf_printf(command, " --where %s", buf_cstr(&quoted));
	buf_free(&condition);
	buf_free(&quoted);
}

/* job: NULL: all of the owner. */
static void add_fleet_command(cJSON *parent, const char *key, const struct mail_input *in,
                              const char *owner, const char *job)
{
	struct buf text = {0};

	if (!in->arguments) {
		cJSON_AddNullToObject(parent, key);
		return;
	}
	buf_str(&text, "rtrack-fleet groups");
	add_where(&text, in->of, owner);
	if (job)
		add_where(&text, "name", job);
	buf_printf(&text, " -o jobs.html %s", in->arguments);
	cJSON_AddStringToObject(parent, key, buf_cstr(&text));
	buf_free(&text);
}

/* The source of a job of accounting or of a workflow engine is no file. */
static bool names_recording(const char *source)
{
	return source && *source && !strchr(source, '?') &&
	       strncmp(source, CATALOG_ACCOUNTED, strlen(CATALOG_ACCOUNTED)) != 0 &&
	       strncmp(source, CATALOG_IMPORTED, strlen(CATALOG_IMPORTED)) != 0;
}

/* The run that wastes most. */
static void add_run_command(cJSON *row, const struct fleet_group *g)
{
	const struct fleet_detail *d = g->detail;
	const char *source = d && d->runs.n_worst ? d->runs.worst[0].source : NULL;
	struct buf text = {0}, file = {0};

	buf_str(&text, "rtrack-report --text - ");
	if (names_recording(source))
		buf_add(&file, source, catalog_source_file(source));
	if (file.len && mail_model_quote(&text, buf_cstr(&file)))
		cJSON_AddStringToObject(row, "run_command", buf_cstr(&text));
	else
		cJSON_AddNullToObject(row, "run_command");
	buf_free(&file);
	buf_free(&text);
}

/* -- why --------------------------------------------------------------------------------------- */

static void tell_unused_memory(const struct mail_input *in, const struct fleet_group *g,
                               struct buf *out)
{
	(void)in;
	buf_printf(
	    out,
	    "Memory: %s of %s were not used. Most runs (95%%) peak at %s or less, and %s are "
	    "asked for.",
	    UNITS_TEXT(UNIT_GIB_HOURS, g->usage.memory.unused),
	    UNITS_TEXT(UNIT_GIB_HOURS, g->usage.memory.asked),
	    UNITS_TEXT(UNIT_BYTES, g->memory.p95), UNITS_TEXT(UNIT_BYTES, g->asked.memory_b));
}

static void tell_cpus(const struct mail_input *in, const struct fleet_group *g, struct buf *out)
{
	(void)in;
	buf_printf(out, "CPUs: %s of %s were not used; %s were.",
	           UNITS_TEXT(UNIT_CORE_HOURS, g->usage.cores.unused),
	           UNITS_TEXT(UNIT_CORE_HOURS, g->usage.cores.asked),
	           UNITS_SHARE(fleet_efficiency(&g->usage.cores)));
}

static void tell_one_core(const struct mail_input *in, const struct fleet_group *g, struct buf *out)
{
	(void)in;
	buf_printf(
	    out,
	    "CPUs: most runs (95%%) use one core at most and ask for %s; %s of %s were not used.",
	    UNITS_CPUS(g->asked.cpus), UNITS_TEXT(UNIT_CORE_HOURS, g->usage.cores.unused),
	    UNITS_TEXT(UNIT_CORE_HOURS, g->usage.cores.asked));
}

static void tell_time_limit(const struct mail_input *in, const struct fleet_group *g,
                            struct buf *out)
{
	(void)in;
	buf_printf(
	    out,
	    "Time limit: most runs (95%%) end within %s of the %s that are asked for (%s). A "
	    "shorter limit lets them start earlier.",
	    UNITS_SECONDS(g->wall.p95), UNITS_SECONDS(g->asked.time_s),
	    UNITS_SHARE(g->wall.p95 / g->asked.time_s));
}

static void tell_gpus(const struct mail_input *in, const struct fleet_group *g, struct buf *out)
{
	double used = fleet_efficiency(&g->usage.gpus);

	(void)in;
	buf_printf(out, "GPUs: of %s, %s were used.",
	           UNITS_TEXT(UNIT_GPU_HOURS, g->usage.gpus.asked),
	           used > 0 ? UNITS_SHARE(used) : "none");
}

static void tell_nodes(const struct mail_input *in, const struct fleet_group *g, struct buf *out)
{
	struct mail_rules_fit fit = mail_rules_fit(in->rules, &g->most);
	const char *and = "";

	buf_printf(out, "Nodes: ");
	if (g->most.cpus > 0)
		buf_printf(out, "%s", UNITS_CPUS(g->most.cpus));
	if (g->most.memory_b > 0)
		buf_printf(out, "%s%s", g->most.cpus > 0 ? " and " : "",
		           UNITS_TEXT(UNIT_BYTES, g->most.memory_b));
	buf_printf(out, " fit %s time%s into a node, and %s of it stays free. With at most ",
	           UNITS_COUNT(fit.at_once), fit.at_once == 1 ? "" : "s", UNITS_SHARE(fit.free));
	if (fit.cpus >= 1) {
		buf_printf(out, "%s", UNITS_CPUS(fit.cpus));
		and = " and ";
	}
	if (fit.memory_b >= 1)
		buf_printf(out, "%s%s", and, UNITS_TEXT(UNIT_BYTES, fit.memory_b));
	buf_printf(out, ", %s fit.", UNITS_COUNT(fit.at_once + 1));
}

static void (*const tell[MAIL_RULES])(const struct mail_input *in, const struct fleet_group *g,
                                      struct buf *out) = {[MAIL_RULE_MEMORY] = tell_unused_memory,
                                                          [MAIL_RULE_CPU] = tell_cpus,
                                                          [MAIL_RULE_ONE_CORE] = tell_one_core,
                                                          [MAIL_RULE_TIME] = tell_time_limit,
                                                          [MAIL_RULE_GPU] = tell_gpus,
                                                          [MAIL_RULE_NODE] = tell_nodes};

static void add_broken_rules(cJSON *row, const struct mail_input *in, const struct mail_job *job)
{
	cJSON *all = cJSON_AddArrayToObject(row, "reasons");

	for (unsigned rule = 0; rule < MAIL_RULES; rule++) {
		struct buf text = {0};
		cJSON *one;
		if (!(job->broken & 1u << rule))
			continue;
		one = model_json_row(all);
		cJSON_AddStringToObject(one, "id", mail_rules_name((enum mail_rule)rule));
		tell[rule](in, job->group, &text);
		model_json_take(one, "text", &text);
	}
}

/* -- what to ask for --------------------------------------------------------------------------- */

/* A group that is not among those that can be opened has only numbers. */
static struct advice advice_of(const struct fleet_group *g)
{
	const struct fleet_ask *p = &g->proposed;

	if (g->detail)
		return g->detail->advice;
	return (struct advice){
	    .cpu = p->cpus > 0 ? (long)p->cpus : 0,
	    .memory_mib = p->memory_b > 0 ? (long)(p->memory_b / QUANTITY_MIB) : 0,
	    .gpu = p->gpus > 0 ? (long)p->gpus : 0,
	    .time_min = p->time_s > 0 ? (long)(p->time_s / 60) : 0,
	};
}

static void add_text_lines(cJSON *lines, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		struct buf line = {0};
		cJSON *one = model_json_row(lines);
		buf_add(&line, text, n);
		model_json_take_cut(one, "text", &line, MODEL_JSON_TEXT_MAX);
		text += n + (text[n] == '\n');
	}
}

/* Lines of sbatch's script, and where memory is a line over the input, a command with it. */
static void add_lines_to_paste(cJSON *row, const struct fleet_group *g)
{
	struct snippet *snippet = alloc_failed_note(calloc(SNIPPETS_MAX, sizeof *snippet));
	cJSON *lines = cJSON_AddArrayToObject(row, "lines");
	cJSON *input = cJSON_AddArrayToObject(row, "by_input");
	struct advice a = advice_of(g);
	size_t n;

	a.process = "";
	n = snippet ? snippets_make(&a, snippet, SNIPPETS_MAX) : 0;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(snippet[i].id, "slurm") == 0)
			add_text_lines(lines, snippet[i].text);
		else if (strcmp(snippet[i].id, "sbatch") == 0)
			add_text_lines(input, snippet[i].text);
	}
	cJSON_AddBoolToObject(row, "no_gpu", g->asked.gpus > 0 && g->proposed.gpus == 0);
	cJSON_AddBoolToObject(row, "has_lines", cJSON_GetArraySize(lines) > 0);
	cJSON_AddBoolToObject(row, "has_by_input", cJSON_GetArraySize(input) > 0);
	free(snippet);
}

/* "1 CPU instead of 8, …": an ask that stays as it is, is not in it. */
static void add_change_of_ask(struct buf *out, double asked, double proposed, const char *is,
                              const char *was)
{
	if (asked > 0 && fabs(proposed - asked) < FRACTION * asked)
		return;
	buf_printf(out, "%s%s", out->len ? ", " : "", is);
	if (asked > 0)
		buf_printf(out, " instead of %s", was);
}

static void add_asks(cJSON *row, const struct fleet_group *g)
{
	const struct fleet_ask *p = &g->proposed, *a = &g->asked;
	struct buf text = {0};

	if (p->cpus > 0)
		add_change_of_ask(&text, a->cpus, p->cpus, UNITS_CPUS(p->cpus),
		                  UNITS_COUNT(a->cpus));
	if (p->memory_b > 0)
		add_change_of_ask(&text, a->memory_b, p->memory_b,
		                  UNITS_TEXT(UNIT_BYTES, p->memory_b),
		                  UNITS_TEXT(UNIT_BYTES, a->memory_b));
	if (a->gpus > 0 && p->gpus >= 0)
		add_change_of_ask(&text, a->gpus, p->gpus,
		                  p->gpus > 0 ? UNITS_TEXT(UNIT_GPUS, p->gpus) : "no GPU",
		                  UNITS_COUNT(a->gpus));
	if (p->time_s > 0)
		add_change_of_ask(&text, a->time_s, p->time_s, UNITS_SECONDS(p->time_s),
		                  UNITS_SECONDS(a->time_s));
	model_json_take(row, "changes", &text);
}

/* "0 of 12 runs would have failed …; runs take 4% longer." */
static void add_mail_trial(cJSON *row, const struct fleet_group *g)
{
	struct buf text = {0}, longer = {0};

	fleet_model_say_trial(g, &text);
	fleet_model_words_longer(g, &longer);
	if (longer.len)
		buf_printf(&text, "%sruns take %s", text.len ? "; " : "", buf_cstr(&longer));
	buf_free(&longer);
	model_json_take(row, "trial", &text);
}

/* "$45.20 of $60.00", or machine-hours; nothing where neither is known. */
static void tell_saving(const struct mail_input *in, const struct fleet_usage *u, struct buf *out)
{
	struct fleet_model_cost cost = fleet_model_cost(in->fleet, u);

	if (cost.recoverable > 0 && cost.asked > 0)
		buf_printf(out, "%s of %s (%s)",
		           UNITS_MONEY(cost.unit, cost.recoverable, in->currency),
		           UNITS_MONEY(cost.unit, cost.asked, in->currency),
		           UNITS_SHARE(cost.recoverable / cost.asked));
}

static void add_mail_saving(cJSON *row, const struct mail_input *in, const struct fleet_usage *u)
{
	struct buf text = {0};

	tell_saving(in, u, &text);
	model_json_take(row, "saves", &text);
}

static void add_mail_job(cJSON *rows, const struct mail_input *in, const char *owner,
                         const struct mail_job *job)
{
	const struct fleet_group *g = job->group;
	const char *name = g->key[1] && *g->key[1] ? g->key[1] : "unknown";
	cJSON *row = model_json_row(rows);
	struct buf text = {0};

	model_json_cut(row, "name", name, FLEET_MODEL_NAME);
	buf_printf(&text, "%s run%s", UNITS_COUNT(g->counted), g->counted == 1 ? "" : "s");
	if (g->oom > 0)
		buf_printf(&text, ", %s killed for memory", UNITS_COUNT(g->oom));
	model_json_take(row, "runs", &text);
	add_broken_rules(row, in, job);
	add_asks(row, g);
	add_mail_trial(row, g);
	add_mail_saving(row, in, &g->usage);
	add_lines_to_paste(row, g);
	add_fleet_command(row, "command", in, owner, g->key[1] ? g->key[1] : "");
	add_run_command(row, g);
	cJSON_AddBoolToObject(
	    row, "has_check",
	    cJSON_IsString(cJSON_GetObjectItemCaseSensitive(row, "command")) ||
		cJSON_IsString(cJSON_GetObjectItemCaseSensitive(row, "run_command")));
}

/* -- all of it --------------------------------------------------------------------------------- */

static void add_unused_hours(struct buf *out, enum unit u, double v, const char *of)
{
	if (v > 0)
		buf_printf(out, "%s%s%s", out->len ? ", " : "", UNITS_TEXT(u, v), of);
}

static void add_owner_sums(cJSON *model, const struct mail_input *in, const struct mail_job *job,
                           size_t n)
{
	struct fleet_usage sum = fleet_group_no_usage();
	double first = NAN, last = NAN;
	char from[64], to[64];
	struct buf text = {0};

	for (size_t i = 0; i < n; i++) {
		fleet_group_add_usage(&sum, &job[i].group->usage);
		first = fmin(first, job[i].group->first);
		last = fmax(last, job[i].group->last);
	}
	add_unused_hours(&text, UNIT_CORE_HOURS, sum.cores.unused, "");
	add_unused_hours(&text, UNIT_GIB_HOURS, sum.memory.unused, " of memory");
	add_unused_hours(&text, UNIT_GPU_HOURS, sum.gpus.unused, "");
	model_json_take(model, "unused", &text);
	add_mail_saving(model, in, &sum);
	if (isfinite(first) && isfinite(last)) {
		fleet_model_date(first, FLEET_DATE_WHOLE, from);
		fleet_model_date(last, FLEET_DATE_WHOLE, to);
		buf_printf(&text, strcmp(from, to) == 0 ? "%s" : "%s to %s", from, to);
	}
	model_json_take(model, "period", &text);
}

/* "train and 2 more jobs could ask for less" */
static void add_mail_subject(cJSON *model, const struct mail_job *job, size_t n)
{
	const char *name = job->group->key[1];
	struct buf text = {0};

	model_json_cut_text(&text, name && *name ? name : "a job", FLEET_MODEL_NAME);
	if (n > 1)
		buf_printf(&text, " and %s more job%s", UNITS_COUNT((double)(n - 1)),
		           n == 2 ? "" : "s");
	buf_str(&text, " could ask for less");
	model_json_take_cut(model, "subject", &text, MODEL_JSON_NAME_MAX);
}

cJSON *mail_model(const struct mail_input *in, const char *owner, const struct mail_job *job,
                  size_t n)
{
	cJSON *model = cJSON_CreateObject(), *rows;
	size_t shown = n < MAIL_MODEL_JOBS ? n : MAIL_MODEL_JOBS;
	struct buf text = {0};

	if (!model)
		return NULL;
	add_mail_subject(model, job, n);
	model_json_cut(model, "owner", owner, FLEET_MODEL_NAME);
	cJSON_AddStringToObject(model, "of", in->of);
	cJSON_AddBoolToObject(model, "is_account", strcmp(in->of, "account") == 0);
	add_owner_sums(model, in, job, n);
	model_json_cut(model, "source", in->source, MODEL_JSON_TEXT_MAX);
	model_json_cut_or_null(model, "money_basis", in->money_basis, MODEL_JSON_TEXT_MAX);
	rows = cJSON_AddArrayToObject(model, "jobs");
	for (size_t i = 0; i < shown; i++)
		add_mail_job(rows, in, owner, &job[i]);
	if (n > shown)
		buf_printf(&text, "%s more job%s could ask for less, too%s",
		           UNITS_COUNT((double)(n - shown)), n - shown == 1 ? "" : "s",
		           in->arguments ? "; the page shows " : ".");
	if (n > shown && in->arguments)
		buf_printf(&text, "%s.", n - shown == 1 ? "it" : "them");
	model_json_take(model, "more", &text);
	add_fleet_command(model, "command", in, owner, NULL);
	model_json_printf(model, "again",
	                  "Nothing of this is sent again within %g day%s, unless it "
	                  "changes.",
	                  in->rules->again_days, in->rules->again_days == 1 ? "" : "s");
	model_json_cut_or_null(model, "note", in->rules->note, MAIL_RULES_NOTE);
	if (alloc_failed()) {
		cJSON_Delete(model);
		return NULL;
	}
	return model;
}
