/* pipeline_model_config: the model's "config": the proposed asks of all processes as lines to
 * paste into the configuration of the workflow. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "fleet/pipeline/pipeline_model_parts.h"
#include "fleet/pipeline/pipeline_model_words.h"
#include "report/advice/snippets.h"
#include "report/units/model_json.h"

#define MB_OF_MIB 1.048576

/* A rule of Snakemake has a name of Python; whatever else a row calls itself is no rule. */
static bool is_rule(const char *name)
{
	if (!isalpha((unsigned char)*name) && *name != '_')
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

/* Snakemake's mem_mb is 10⁶ bytes; its runtime is in minutes. */
static void take_snakemake(struct pipeline_config *c, const struct advice *a)
{
	if (!is_rule(a->process))
		return;
	if (a->cpu)
		buf_printf(&c->threads, "  - %s=%ld\n", a->process, a->cpu);
	if (a->memory_mib)
		buf_printf(&c->resources, "  - %s:mem_mb=%.0f\n", a->process,
		           ceil((double)a->memory_mib * MB_OF_MIB));
	if (a->gpu)
		buf_printf(&c->resources, "  - %s:gpu=%ld\n", a->process, a->gpu);
	if (a->time_min)
		buf_printf(&c->resources, "  - %s:runtime=%ld\n", a->process, a->time_min);
}

static void take_slurm(struct pipeline_config *c, const struct advice *a)
{
	struct snippet all[SNIPPETS_MAX];
	size_t n = snippets_make(a, all, SNIPPETS_MAX);

	for (size_t i = 0; i < n; i++) {
		if (strcmp(all[i].id, "slurm") != 0)
			continue;
		buf_printf(&c->slurm, "%s# ", c->slurm.len ? "\n" : "");
		model_json_cut_text(&c->slurm, a->process, PIPELINE_MODEL_NAME);
		buf_printf(&c->slurm, "\n%s\n", all[i].text);
	}
}

void pipeline_model_config_take(struct pipeline_config *c, const char *process,
                                const struct fleet_proposal *proposal)
{
	struct advice a;

	fleet_ask_advice(proposal, &a);
	a.process = process;
	if (!*process || (!a.cpu && !a.memory_mib && !a.time_min))
		return;
	c->n++;
	snippets_nextflow_process(&a, &c->nextflow);
	take_snakemake(c, &a);
	take_slurm(c, &a);
}

static void add_config(cJSON *all, const char *id, const char *label, const char *where,
                       struct buf *text)
{
	cJSON *one;

	if (!text->len) {
		buf_free(text);
		return;
	}
	one = model_json_row(all);
	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "label", label);
	cJSON_AddStringToObject(one, "where", where);
	/* Its lines are rtrack's own, names are one line each: line breaks stay. */
	while (text->len && text->s[text->len - 1] == '\n')
		text->s[--text->len] = '\0';
	model_json_take(one, "text", text);
}

/* The lists are what the profiles of Snakemake 7 and 8 both read. */
static void join_snakemake(struct pipeline_config *c, struct buf *out)
{
	if (c->threads.len)
		buf_printf(out, "set-threads:\n%s", buf_cstr(&c->threads));
	if (c->resources.len)
		buf_printf(out, "set-resources:\n%s", buf_cstr(&c->resources));
	buf_free(&c->threads);
	buf_free(&c->resources);
}

void pipeline_model_config_add(cJSON *model, const struct pipeline_parts *x,
                               struct pipeline_config *c)
{
	cJSON *config = cJSON_AddObjectToObject(model, "config"), *all;
	const char *workflow = x->p->workflow ? x->p->workflow : "";
	bool nextflow = strcmp(workflow, "nextflow") == 0,
	     snakemake = strcmp(workflow, "snakemake") == 0,
	     slurm = !nextflow && !snakemake && strcmp(workflow, "slurm") == 0;
	bool any = !nextflow && !snakemake && !slurm;
	struct buf process = {0}, profile = {0};

	all = cJSON_AddArrayToObject(config, "snippets");
	if (c->nextflow.len)
		buf_printf(&process, "process {\n%s}\n", buf_cstr(&c->nextflow));
	join_snakemake(c, &profile);
	if (!nextflow && !any)
		buf_clear(&process);
	if (!snakemake && !any)
		buf_clear(&profile);
	if (!slurm && !any)
		buf_clear(&c->slurm);
	add_config(all, "nextflow", "Nextflow", "nextflow.config", &process);
	add_config(all, "snakemake", "Snakemake", "the profile's config.yaml", &profile);
	add_config(all, "slurm", "Slurm", "the scripts of the jobs", &c->slurm);
	buf_free(&c->nextflow);
	cJSON_AddBoolToObject(config, "known", cJSON_GetArraySize(all) > 0);
	model_json_printf(config, "text",
	                  "What %s process%s should ask for, by the rule of the fleet’s page, "
	                  "from the attempts of this run that count. Attempts of fewer than 10 "
	                  "samples do not. Test first what is from few attempts.",
	                  UNITS_COUNT((double)c->n), c->n == 1 ? "" : "es");
}
