/* pipeline_model_processes: the model's "processes": what the tasks of each took, as box plots and
 * as numbers, what they asked for, and what they should. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/groups/fleet_model_words.h"
#include "fleet/pipeline/pipeline_model_processes.h"
#include "report/advice/snippets.h"
#include "report/chart/chart_axis.h"
#include "report/chart/chart_lanes.h"
#include "report/chart/chart_lines.h"
#include "report/units/model_json.h"

/* -- "config": the proposed asks of all processes as lines to paste ---------------------------- */

/* One block for all processes that have a proposal. */
struct pipeline_config {
	struct buf nextflow, threads, resources, slurm;
	size_t n;
};

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

static void pipeline_model_config_take(struct pipeline_config *c, const char *process,
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

static void pipeline_model_config_add(cJSON *model, const struct pipeline_parts *x,
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

/* -- "processes" ------------------------------------------------------------------------------- */

#define PICTURED ((size_t)40) /* processes of a picture */
#define ROW_H    36           /* pixels of one, */
#define NAME_Y   12           /* of its name, */
#define BOX_Y    19           /* and of its box, */
#define BOX_H    10           /* which is so high */
#define FOOT_H   22

static const struct process_measure {
	const char *id, *title;
	enum unit unit;
	double scale; /* of the number in the model */
} measures[PIPELINE_MEASURES] = {
    [PIPELINE_WALL] = {"wall", "Wall time", UNIT_SECONDS, 1},
    [PIPELINE_TIME_SHARE] = {"time_share", "Wall time, of the time asked for", UNIT_PERCENT, 100},
    [PIPELINE_CORES] = {"cores", "CPUs in use, mean", UNIT_CORES, 1},
    [PIPELINE_CPU_SHARE] = {"cpu_share", "CPU time, of the CPUs asked for", UNIT_PERCENT, 100},
    [PIPELINE_MEMORY] = {"memory", "Peak memory", UNIT_BYTES, 1},
    [PIPELINE_MEMORY_SHARE] = {"memory_share", "Peak memory, of the memory asked for", UNIT_PERCENT,
                               100},
    [PIPELINE_READ] = {"read", "Read", UNIT_BYTES, 1},
    [PIPELINE_WRITTEN] = {"written", "Written", UNIT_BYTES, 1},
};

/* A process that is shown. */
struct used_process {
	const struct pipeline_process *of;
	size_t colour;
	struct pipeline_use use;
};

static const char *name_of_process(const struct used_process *u)
{
	return fleet_page_or_unknown(u->of->name);
}

/* -- "processes": numbers ---------------------------------------------------------------------- */

static void add_spread_numbers(cJSON *all, const struct process_measure *m,
                               const struct pipeline_spread *s)
{
	const struct {
		const char *key;
		double v;
	} values[] = {{"p5", s->p5},   {"p25", s->p25}, {"p50", s->p50}, {"p75", s->p75},
	              {"p95", s->p95}, {"max", s->max}, {"min", s->min}};
	cJSON *one = model_json_row(all);

	cJSON_AddStringToObject(one, "id", m->id);
	cJSON_AddStringToObject(one, "label", m->title);
	fleet_page_quantity(one, "n", UNIT_COUNT, (double)s->n, NULL);
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		fleet_page_quantity(one, values[i].key, m->unit, values[i].v * m->scale, NULL);
}

/* "1 to 2 CPUs", "4.00 GiB" */
static void say_range(struct buf *text, enum unit unit, double least, double most)
{
	if (isnan(most))
		return;
	buf_str(text, text->len ? ", " : "");
	if (unit == UNIT_CORES && least < most)
		buf_printf(text, "%s to %s", UNITS_COUNT(least), UNITS_CPUS(most));
	else if (unit == UNIT_CORES)
		buf_str(text, UNITS_CPUS(most));
	else if (least < most)
		buf_printf(text, "%s to %s", UNITS_TEXT(unit, least), UNITS_TEXT(unit, most));
	else
		buf_str(text, UNITS_TEXT(unit, most));
}

static void add_process_asked(cJSON *row, const struct pipeline_use *u)
{
	struct buf text = {0};

	say_range(&text, UNIT_CORES, u->cpus.least, u->cpus.most);
	say_range(&text, UNIT_BYTES, u->memory_b.least, u->memory_b.most);
	say_range(&text, UNIT_SECONDS, u->time_s.least, u->time_s.most);
	if (!text.len)
		buf_str(&text, "unknown");
	model_json_take(row, "asked", &text);
}

static void add_process_used(cJSON *row, const struct pipeline_use *u)
{
	const struct pipeline_spread *cores = &u->of[PIPELINE_CORES],
				     *memory = &u->of[PIPELINE_MEMORY],
				     *wall = &u->of[PIPELINE_WALL];
	struct buf text = {0};

	if (cores->n)
		buf_str(&text, UNITS_BUSY(cores->p95));
	if (memory->n)
		buf_printf(&text, "%s%s", text.len ? ", " : "",
		           UNITS_TEXT(UNIT_BYTES, memory->p95));
	if (wall->n)
		buf_printf(&text, "%s%s", text.len ? ", " : "", UNITS_SECONDS(wall->p95));
	if (!text.len)
		buf_str(&text, "unknown");
	model_json_take(row, "used", &text);
}

static void add_process_formula(cJSON *all, const char *label, long v, const char *text)
{
	cJSON *one;

	if (v <= 0 || !advice_known(text))
		return;
	one = model_json_row(all);
	cJSON_AddStringToObject(one, "label", label);
	cJSON_AddStringToObject(one, "text", text);
}

static void add_process_proposed(cJSON *row, const struct pipeline_use *u)
{
	cJSON *formulas = cJSON_AddArrayToObject(row, "formulas");
	struct advice advice;
	struct buf text = {0};

	fleet_model_ask_text(&u->proposal.ask, &text);
	if (!text.len)
		buf_str(&text, "unknown");
	model_json_take(row, "proposed", &text);
	model_json_number(row, "counted", (double)u->counted);
	if (u->counted && u->counted < FLEET_RUNS_FEW)
		buf_printf(&text, "weak: from %zu attempt%s", u->counted,
		           u->counted == 1 ? "" : "s");
	model_json_take(row, "confidence", &text);
	fleet_ask_advice(&u->proposal, &advice);
	add_process_formula(formulas, "CPUs", advice.cpu, advice.cpu_formula);
	add_process_formula(formulas, "Memory", advice.memory_mib, advice.memory_formula);
	add_process_formula(formulas, "GPUs", advice.gpu, advice.gpu_formula);
	add_process_formula(formulas, "Time", advice.time_min, advice.time_formula);
	cJSON_AddBoolToObject(row, "has_formulas", cJSON_GetArraySize(formulas) > 0);
}

static void add_used_process(cJSON *rows, const struct used_process *u)
{
	cJSON *row = model_json_row(rows), *all;
	struct buf note = {0};

	model_json_cut(row, "name", name_of_process(u), PIPELINE_MODEL_NAME);
	cJSON_AddStringToObject(row, "colour", chart_lanes_colours[u->colour]);
	fleet_page_quantity(row, "tasks", UNIT_COUNT, (double)u->of->tasks, NULL);
	fleet_page_quantity(row, "attempts", UNIT_COUNT, (double)u->of->attempts, NULL);
	fleet_page_quantity(row, "failed", UNIT_COUNT, (double)u->of->failed, NULL);
	if (u->of->attempts > u->of->tasks)
		buf_printf(&note, "%s attempts", UNITS_COUNT((double)u->of->attempts));
	if (u->of->failed)
		buf_printf(&note, "%s%s failed", note.len ? ", " : "",
		           UNITS_COUNT((double)u->of->failed));
	model_json_take(row, "note", &note);
	add_process_asked(row, &u->use);
	add_process_used(row, &u->use);
	add_process_proposed(row, &u->use);
	all = cJSON_AddArrayToObject(row, "measures");
	for (size_t m = 0; m < PIPELINE_MEASURES; m++)
		if (u->use.of[m].n)
			add_spread_numbers(all, &measures[m], &u->use.of[m]);
}

/* -- "processes": pictures --------------------------------------------------------------------- */

static double place(double v, double top)
{
	return round(fmin(fmax(v / top, 0), 1) * 10000) / 100;
}

static void add_box(cJSON *boxes, const struct used_process *u, enum pipeline_measure id,
                    double top, double y)
{
	const struct process_measure *m = &measures[id];
	const struct pipeline_spread *s = &u->use.of[id];
	cJSON *box = model_json_row(boxes);
	struct buf text = {0}, title = {0};

	model_json_cut_text(&text, name_of_process(u), PIPELINE_MODEL_NAME);
	buf_printf(&text, ": %s", UNITS_TEXT(m->unit, s->p50 * m->scale));
	model_json_take_cut(box, "text", &text, MODEL_JSON_NAME_MAX);
	buf_printf(&title, "p5 %s, p25 %s, p50 %s, p75 %s, p95 %s, of %s",
	           UNITS_TEXT(m->unit, s->p5 * m->scale), UNITS_TEXT(m->unit, s->p25 * m->scale),
	           UNITS_TEXT(m->unit, s->p50 * m->scale), UNITS_TEXT(m->unit, s->p75 * m->scale),
	           UNITS_TEXT(m->unit, s->p95 * m->scale), UNITS_COUNT((double)s->n));
	model_json_take(box, "title", &title);
	cJSON_AddStringToObject(box, "colour", chart_lanes_colours[u->colour]);
	model_json_number(box, "name_y", y + NAME_Y);
	model_json_number(box, "y", y + BOX_Y);
	model_json_number(box, "middle", y + BOX_Y + BOX_H / 2.0);
	model_json_number(box, "below", y + BOX_Y + BOX_H);
	model_json_number(box, "low", place(s->p5, top));
	model_json_number(box, "q1", place(s->p25, top));
	model_json_number(box, "p50", place(s->p50, top));
	model_json_number(box, "width", fmax(place(s->p75, top) - place(s->p25, top), 0.2));
	model_json_number(box, "high", place(s->p95, top));
}

static void add_box_ticks(cJSON *picture, enum unit unit, double top)
{
	struct chart_tick tick[CHART_TICKS_MAX];
	size_t n = chart_axis_ticks(unit, top, tick);
	cJSON *ticks = cJSON_AddArrayToObject(picture, "ticks");

	for (size_t i = 0; i < n; i++) {
		cJSON *one = model_json_row(ticks);
		model_json_number(one, "share", place(tick[i].at, top));
		cJSON_AddStringToObject(one, "text", tick[i].text);
	}
}

/* Draws the processes whose measure is known; nothing if it is known of none. */
static void add_box_picture(cJSON *pictures, const struct used_process *u, size_t n,
                            enum pipeline_measure id)
{
	const struct process_measure *m = &measures[id];
	double most = 0, top, y = 0;
	size_t known = 0;
	cJSON *picture, *boxes;

	for (size_t k = 0; k < n; k++) {
		known += u[k].use.of[id].n > 0;
		if (u[k].use.of[id].n)
			most = fmax(most, u[k].use.of[id].p95);
	}
	if (!known)
		return;
	top = m->unit == UNIT_SECONDS ? fmax(most * 1.05, 1)
	                              : chart_axis_top(m->unit, most * m->scale) / m->scale;
	picture = model_json_row(pictures);
	cJSON_AddStringToObject(picture, "id", m->id);
	cJSON_AddStringToObject(picture, "title", m->title);
	boxes = cJSON_AddArrayToObject(picture, "boxes");
	for (size_t k = 0; k < n; k++)
		if (u[k].use.of[id].n) {
			add_box(boxes, &u[k], id, top, y);
			y += ROW_H;
		}
	model_json_number(picture, "height", y);
	model_json_number(picture, "box", BOX_H);
	model_json_number(picture, "foot", y + 14);
	model_json_number(picture, "room", y + FOOT_H);
	add_box_ticks(picture, m->unit, top * m->scale);
	for (cJSON *tick = cJSON_GetObjectItemCaseSensitive(picture, "ticks")->child; tick;
	     tick = tick->next)
		cJSON_AddBoolToObject(
		    tick, "line", cJSON_GetObjectItemCaseSensitive(tick, "share")->valuedouble > 0);
}

/* -- "processes" and "config" ------------------------------------------------------------------ */

int pipeline_model_processes_add(cJSON *model, const struct pipeline_parts *x, struct err *e)
{
	const struct pipeline *p = x->p;
	size_t n = p->n_processes < PIPELINE_MODEL_ROWS ? p->n_processes : PIPELINE_MODEL_ROWS;
	struct used_process *u = calloc(n + 1, sizeof *u);
	cJSON *processes = cJSON_AddObjectToObject(model, "processes"), *rows, *pictures;
	struct pipeline_config config = {.n = 0};
	int failed = u ? 0 : err_set(e, "no memory for the report");

	cJSON_AddBoolToObject(processes, "known", n > 0);
	rows = cJSON_AddArrayToObject(processes, "rows");
	pictures = cJSON_AddArrayToObject(processes, "pictures");
	for (size_t k = 0; !failed && k < n; k++) {
		size_t at = x->by_wall[k];
		u[k].of = &p->process[at];
		u[k].colour = x->colour[at];
		failed = pipeline_spread_use(p, at, &x->in->policy, &u[k].use, e);
		if (failed)
			break;
		add_used_process(rows, &u[k]);
		pipeline_model_config_take(&config, u[k].of->name, &u[k].use.proposal);
	}
	for (size_t m = 0; !failed && m < PIPELINE_MEASURES; m++)
		add_box_picture(pictures, u, n < PICTURED ? n : PICTURED, (enum pipeline_measure)m);
	if (n < p->n_processes)
		model_json_printf(processes, "shown", "The %zu of %s processes with most time", n,
		                  UNITS_COUNT((double)p->n_processes));
	else
		model_json_printf(processes, "shown", "All processes, those with most time first");
	pipeline_model_config_add(model, x, &config);
	free(u);
	return failed;
}
