/* model_openmetrics: the run as metric families of OpenMetrics 1.0. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/end/end_cause.h"
#include "report/model/model_views.h"
#include "report/model/openmetrics_family.h"
#include "report/runs/job_key.h"
#include "report/runs/parts.h"
#include "report/stats/asked.h"
#include "report/stats/state_use.h"

#define MIB (1024.0 * 1024.0)

/* The families of columns, which name them in metric.def, with their type and unit, in their order.
 * A family that only one column names need not be here: it comes after all others, and its help is
 * the column's. Names and units, here and below, must stay: dashboards and merge requests compare
 * by them. */
static const struct column_family {
	const char *name, *help;
	const char *label; /* of its columns' members; NULL: "scope" */
} column_families[] = {
    {"rtrack_cpu_usage_cores", "CPUs kept busy.", NULL},
    {"rtrack_cpu_user_seconds", "User CPU time, as sampled.", NULL},
    {"rtrack_cpu_system_seconds", "System CPU time, as sampled.", NULL},
    {"rtrack_memory_bytes",
     "Memory in use: PSS of the job and of its main process, used memory of the machine.", NULL},
    {"rtrack_rss_bytes", "Resident set size; shared pages count once in each process.", NULL},
    {"rtrack_disk_read_bytes", "Read from storage.", NULL},
    {"rtrack_disk_written_bytes", "Written to storage.", NULL},
    {"rtrack_disk_space_used_bytes", "Used space of the mounted file systems.", NULL},
    {"rtrack_network_received_bytes", "Received by the machine.", NULL},
    {"rtrack_network_sent_bytes", "Sent by the machine.", NULL},
    {"rtrack_pressure_ratio",
     "Share of the time in which some task waited, or all tasks waited (full).", "waiting"},
    {"rtrack_throttled_seconds", "Time that a CPU quota held the job back.", NULL},
    {"rtrack_gpu_usage_gpus", "GPUs kept busy.", NULL},
    {"rtrack_gpu_memory_bytes", "GPU memory in use.", NULL},
};
#define COLUMN_FAMILIES (sizeof column_families / sizeof *column_families)

static const char *unit_of_column(const struct metric *m)
{
	static const char *const units[] = {
	    [METRIC_UNIT_SECONDS] = "seconds", [METRIC_UNIT_CORES] = "cores",
	    [METRIC_UNIT_MEMORY] = "bytes",    [METRIC_UNIT_VRAM] = "bytes",
	    [METRIC_UNIT_SPACE] = "bytes",     [METRIC_UNIT_BYTES] = "bytes",
	    [METRIC_UNIT_GPUS] = "gpus",       [METRIC_UNIT_SHARE] = "ratio",
	    [METRIC_UNIT_COUNT] = NULL,        [METRIC_UNIT_LOAD] = NULL,
	};

	return units[m->unit];
}

static void add_column_samples(struct openmetrics_family *b, const struct run *run,
                               const struct metric *m)
{
	static const char *const members[METRIC_SCOPES] = {"tree", "system"};
	const char *member = m->member ? m->member : members[m->scope];
	const struct stats *s = &run->stats[m->id];
	bool gpu = m->unit == METRIC_UNIT_GPUS || m->unit == METRIC_UNIT_VRAM;

	if (!s->n || (gpu && !(run->snapshot.server.gpu_count > 0)))
		return;
	b->type = m->kind == METRIC_KIND_DELTA ? "counter" : "gauge";
	b->unit = unit_of_column(m);
	if (m->kind == METRIC_KIND_DELTA) {
		openmetrics_member(b, member, NULL, NULL, usage_total(run, m->id));
		return;
	}
	/* Used disk space says something at its peak only. */
	if (m->unit != METRIC_UNIT_SPACE)
		openmetrics_member(b, member, "statistic", "mean", s->mean);
	openmetrics_member(b, member, "statistic", "max", s->max);
}

static void add_columns(struct openmetrics_family *f, const struct run *run,
                        const struct column_family *of)
{
	openmetrics_next(f, of->name, NULL, of->help);
	f->label = of->label ? of->label : "scope";
	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].family && strcmp(metrics[id].family, of->name) == 0)
			add_column_samples(f, run, &metrics[id]);
}

static bool is_listed(const char *name)
{
	for (size_t i = 0; i < COLUMN_FAMILIES; i++)
		if (strcmp(column_families[i].name, name) == 0)
			return true;
	return false;
}

/* Families that only a column's row names. */
static void add_unlisted(struct openmetrics_family *f, const struct run *run)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		char help[256];

		if (!metrics[id].family || is_listed(metrics[id].family))
			continue;
		snprintf(help, sizeof help, "%s.", metrics[id].help);
		add_columns(f, run, &(struct column_family){metrics[id].family, help, NULL});
	}
}

static void add_state_family(struct openmetrics_family *f, const struct run *run)
{
	struct state_use u = state_use_of(run);

	openmetrics_next(f, "rtrack_state_seconds", "seconds",
	                 "Where the time of the job went: seconds in each state.");
	f->type = "counter";
	f->label = "state";
	for (int k = 0; u.known && k < STATES_N; k++)
		openmetrics_member(f, states_word((enum states_id)k), NULL, NULL, u.of[k].s);
}

static void add_info(struct openmetrics_family *f, const struct run *run)
{
	cJSON *labels;

	openmetrics_next(f, "rtrack_run", NULL, "The run that these metrics are of.");
	f->type = "info";
	labels = openmetrics_sample(f, "_info", 1);
	openmetrics_label(labels, "status", load_status_word(run->status));
	if (run->snapshot.end.known)
		openmetrics_label(labels, "end_cause",
		                  end_cause_word(end_cause_find(run->snapshot.end.cause)));
	openmetrics_label(labels, "reporter", "rtrack-report " RTRACK_VERSION);
}

static void add_end(struct openmetrics_family *f, const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	double code = s->exit.signal ? 128 + s->exit.signal : s->exit.code;
	bool ended =
	    run->status == RUN_FINISHED || run->status == RUN_FAILED || run->status == RUN_KILLED;

	openmetrics_value(f, "rtrack_run_duration_seconds", "seconds",
	                  "From the start of the job to its end.", run->duration);
	openmetrics_value(f, "rtrack_run_succeeded", NULL,
	                  "1 if the job finished with status 0, else 0.",
	                  ended ? run->status == RUN_FINISHED : (double)NAN);
	openmetrics_value(f, "rtrack_run_exit_code", NULL,
	                  "Exit status of the job; 128 + the signal that ended it.",
	                  s->exit.known ? code : (double)NAN);
}

static void add_part_families(struct openmetrics_family *f, const struct run *run)
{
	if (!run->parts)
		return;
	openmetrics_value(f, "rtrack_nodes_recorded", NULL,
	                  "Nodes of the job whose recordings were joined.",
	                  (double)run->parts->n_nodes);
	openmetrics_value(f, "rtrack_parts_missing", NULL,
	                  "Nodes, or tasks, of the job that were not recorded.",
	                  (double)parts_missing(run->parts));
}

static double advised(const char *formula, double v)
{
	return advice_known(formula) ? v : (double)NAN;
}

static void add_advice_families(struct openmetrics_family *f, const struct model_input *in)
{
	const struct advice *a = in->advice;

	openmetrics_value(f, "rtrack_recommended_cpus", "cpus", "CPUs to ask for next time.",
	                  advised(a->cpu_formula, (double)a->cpu));
	openmetrics_value(f, "rtrack_recommended_memory_bytes", "bytes",
	                  "Memory to ask for next time.",
	                  advised(a->memory_formula, (double)a->memory_mib * MIB));
	if (!(in->runs->v[0].snapshot.server.gpu_count > 0))
		return;
	openmetrics_value(f, "rtrack_recommended_gpus", "gpus", "GPUs to ask for next time.",
	                  advised(a->gpu_formula, (double)a->gpu));
	openmetrics_value(f, "rtrack_recommended_gpu_memory_bytes", "bytes",
	                  "GPU memory to ask for next time.",
	                  advised(a->vram_formula, (double)a->vram_mib * MIB));
}

/* What was asked for, by whom, and what was used of it. */
static void add_asked_families(struct openmetrics_family *f, const struct run *run)
{
	static const struct {
		const char *resource, *asked, *asked_unit, *unused, *unused_unit;
	} all[ASKED_RESOURCES] = {
	    [ASKED_CPUS] = {"cpu", "rtrack_asked_cpus", "cpus", "rtrack_unused_cpu_seconds",
	                    "seconds"},
	    [ASKED_MEMORY] = {"memory", "rtrack_asked_memory_bytes", "bytes",
	                      "rtrack_unused_memory_byte_seconds", "byte_seconds"},
	    [ASKED_GPUS] = {"gpu", "rtrack_asked_gpus", "gpus", "rtrack_unused_gpu_seconds",
	                    "seconds"},
	    [ASKED_TIME] = {"time", "rtrack_asked_time_seconds", "seconds", NULL, NULL},
	};

	for (int of = 0; of < ASKED_RESOURCES; of++) {
		struct asked a = asked_of(run, (enum asked_resource)of);
		openmetrics_next(f, all[of].asked, all[of].asked_unit,
		                 "Asked for, or what the limit or the machine left.");
		f->label = "source";
		openmetrics_member(f, a.source, NULL, NULL, a.amount);
		if (all[of].unused)
			openmetrics_value(f, all[of].unused, all[of].unused_unit,
			                  "Asked for and not used, times the duration.", a.unused);
	}
	openmetrics_next(f, "rtrack_efficiency_ratio", "ratio",
	                 "What was used, as a share of what was asked for.");
	f->label = "resource";
	for (int of = 0; of < ASKED_RESOURCES; of++)
		openmetrics_member(f, all[of].resource, NULL, NULL,
		                   asked_of(run, (enum asked_resource)of).efficiency);
}

static void add_cost_family(struct openmetrics_family *f, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	double s = in->runs->v[0].duration * (double)parts_all_nodes(&in->runs->v[0]);
	double cheapest = k->known ? cost_run(k->server[0].price_hour, s) : NAN,
	       present = k->present_known ? cost_run(k->present.price_hour, s) : NAN;
	cJSON *labels;

	openmetrics_next(f, "rtrack_run_cost", NULL,
	                 "Cost of the run at a server's price per hour.");
	f->label = "server";
	openmetrics_member(f, "present", "currency", k->currency, present);
	labels = openmetrics_member(f, "cheapest", "currency", k->currency, cheapest);
	if (labels && k->spot)
		openmetrics_label(labels, "price", "spot");
}

void model_openmetrics_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	struct openmetrics_family f = {.all = cJSON_AddArrayToObject(model, "openmetrics"),
	                               .key = "job",
	                               .of = job_key_name(run)};

	add_info(&f, run);
	add_end(&f, run);
	for (size_t i = 0; i < COLUMN_FAMILIES; i++)
		add_columns(&f, run, &column_families[i]);
	add_part_families(&f, run);
	add_advice_families(&f, in);
	add_unlisted(&f, run);
	add_state_family(&f, run);
	add_asked_families(&f, run);
	add_cost_family(&f, in);
	openmetrics_gates(&f, in->gates);
}
