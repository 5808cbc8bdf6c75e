/* model_openmetrics: the run as metric families of OpenMetrics 1.0. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/model/model_views.h"
#include "report/model/openmetrics_family.h"
#include "report/runs/job_key.h"
#include "report/runs/parts.h"
#include "report/stats/asked.h"
#include "report/units/model_json.h"

#define MIB (1024.0 * 1024.0)

/* A value that no column holds. */
typedef double (*run_value)(const struct model_input *in);

struct family {
	const char *name, *help;
	const char *label; /* of its columns' members; NULL: "scope" */
	/* Only of a family without columns: */
	run_value value;
	const char *unit;
	bool gpu; /* only where the machine has GPUs */
};

static double run_duration(const struct model_input *in)
{
	return in->runs->v[0].duration;
}

static double run_succeeded(const struct model_input *in)
{
	enum run_status s = in->runs->v[0].status;

	return s == RUN_UNKNOWN || s == RUN_UNFINISHED ? (double)NAN : s == RUN_FINISHED;
}

static double run_exit_code(const struct model_input *in)
{
	const struct snapshot *s = &in->runs->v[0].snapshot;

	return !s->exit.known ? (double)NAN : s->exit.signal ? 128 + s->exit.signal : s->exit.code;
}

static double run_nodes(const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];

	return run->parts ? (double)run->parts->n_nodes : (double)NAN;
}

static double run_parts_missing(const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];

	return run->parts ? (double)parts_missing(run->parts) : (double)NAN;
}

static double advised(const char *formula, double v)
{
	return advice_known(formula) ? v : NAN;
}

static double advised_cpus(const struct model_input *in)
{
	return advised(in->advice->cpu_formula, (double)in->advice->cpu);
}

static double advised_memory(const struct model_input *in)
{
	return advised(in->advice->memory_formula, (double)in->advice->memory_mib * MIB);
}

static double advised_gpus(const struct model_input *in)
{
	return advised(in->advice->gpu_formula, (double)in->advice->gpu);
}

static double advised_vram(const struct model_input *in)
{
	return advised(in->advice->vram_formula, (double)in->advice->vram_mib * MIB);
}

/*
 * The families in their order. A family without a value has the columns that name it in metric.def,
 * which also say its type and unit. A family that only one column names need not be here: it goes
 * behind these, and its help is the column's. Names and units must stay: dashboards and merge
 * requests compare by them.
 */
static const struct family families[] = {
    {.name = "rtrack_run_duration_seconds",
     .help = "From the start of the job to its end.",
     .value = run_duration,
     .unit = "seconds"},
    {.name = "rtrack_run_succeeded",
     .help = "1 if the job finished with status 0, else 0.",
     .value = run_succeeded},
    {.name = "rtrack_run_exit_code",
     .help = "Exit status of the job; 128 + the signal that ended it.",
     .value = run_exit_code},
    {.name = "rtrack_cpu_usage_cores", .help = "CPUs kept busy."},
    {.name = "rtrack_cpu_user_seconds", .help = "User CPU time, as sampled."},
    {.name = "rtrack_cpu_system_seconds", .help = "System CPU time, as sampled."},
    {.name = "rtrack_memory_bytes",
     .help = "Memory in use: PSS of the job and of its main process, used memory of the machine."},
    {.name = "rtrack_rss_bytes",
     .help = "Resident set size; shared pages count once in each process."},
    {.name = "rtrack_disk_read_bytes", .help = "Read from storage."},
    {.name = "rtrack_disk_written_bytes", .help = "Written to storage."},
    {.name = "rtrack_disk_space_used_bytes", .help = "Used space of the mounted file systems."},
    {.name = "rtrack_network_received_bytes", .help = "Received by the machine."},
    {.name = "rtrack_network_sent_bytes", .help = "Sent by the machine."},
    {.name = "rtrack_pressure_ratio",
     .help = "Share of the time in which some task waited, or all tasks waited (full).",
     .label = "waiting"},
    {.name = "rtrack_throttled_seconds", .help = "Time that a CPU quota held the job back."},
    {.name = "rtrack_gpu_usage_gpus", .help = "GPUs kept busy."},
    {.name = "rtrack_gpu_memory_bytes", .help = "GPU memory in use."},
    {.name = "rtrack_nodes_recorded",
     .help = "Nodes of the job whose recordings were joined.",
     .value = run_nodes},
    {.name = "rtrack_parts_missing",
     .help = "Nodes, or tasks, of the job that were not recorded.",
     .value = run_parts_missing},
    {.name = "rtrack_recommended_cpus",
     .help = "CPUs to ask for next time.",
     .value = advised_cpus,
     .unit = "cpus"},
    {.name = "rtrack_recommended_memory_bytes",
     .help = "Memory to ask for next time.",
     .value = advised_memory,
     .unit = "bytes"},
    {.name = "rtrack_recommended_gpus",
     .help = "GPUs to ask for next time.",
     .value = advised_gpus,
     .unit = "gpus",
     .gpu = true},
    {.name = "rtrack_recommended_gpu_memory_bytes",
     .help = "GPU memory to ask for next time.",
     .value = advised_vram,
     .unit = "bytes",
     .gpu = true},
};

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
		openmetrics_member(b, member, NULL, NULL, views_total(run, m->id));
		return;
	}
	/* Used disk space says something at its peak only. */
	if (m->unit != METRIC_UNIT_SPACE)
		openmetrics_member(b, member, "statistic", "mean", s->mean);
	openmetrics_member(b, member, "statistic", "max", s->max);
}

static void add_family(struct openmetrics_family *b, const struct model_input *in,
                       const struct family *f)
{
	const struct run *run = &in->runs->v[0];

	if (f->gpu && !(run->snapshot.server.gpu_count > 0))
		return;
	*b = (struct openmetrics_family){.all = b->all,
	                                 .key = "job",
	                                 .of = b->of,
	                                 .name = f->name,
	                                 .type = "gauge",
	                                 .unit = f->unit,
	                                 .help = f->help};
	if (f->value) {
		openmetrics_member(b, NULL, NULL, NULL, f->value(in));
		return;
	}
	b->label = f->label ? f->label : "scope";
	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].family && strcmp(metrics[id].family, f->name) == 0)
			add_column_samples(b, run, &metrics[id]);
}

static bool is_listed(const char *name)
{
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (strcmp(families[i].name, name) == 0)
			return true;
	return false;
}

/* Families that only a column's row names. */
static void add_unlisted(struct openmetrics_family *b, const struct model_input *in)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		struct family f = {.name = metrics[id].family};
		char help[256];

		if (!f.name || is_listed(f.name))
			continue;
		snprintf(help, sizeof help, "%s.", metrics[id].help);
		f.help = help;
		add_family(b, in, &f);
	}
}

static void add_info_family(struct openmetrics_family *b, const struct run *run)
{
	cJSON *labels;

	b->name = "rtrack_run";
	b->type = "info";
	b->help = "The run that these metrics are of.";
	labels = openmetrics_sample(b, "_info", 1);
	openmetrics_label(labels, "status", load_status_word(run->status));
	openmetrics_label(labels, "reporter", "rtrack-report " RTRACK_VERSION);
}

/* What was asked for, by whom, and what was used of it. */
static void add_asked_families(const struct openmetrics_family *to, const struct run *run)
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
	struct openmetrics_family shares = {.all = to->all,
	                                    .key = "job",
	                                    .of = to->of,
	                                    .name = "rtrack_efficiency_ratio",
	                                    .type = "gauge",
	                                    .unit = "ratio",
	                                    .help =
	                                        "What was used, as a share of what was asked for.",
	                                    .label = "resource"};

	for (int of = 0; of < ASKED_RESOURCES; of++) {
		struct asked a = asked_of(run, (enum asked_resource)of);
		struct openmetrics_family b = {
		    .all = to->all,
		    .key = "job",
		    .of = to->of,
		    .name = all[of].asked,
		    .type = "gauge",
		    .unit = all[of].asked_unit,
		    .help = "Asked for, or what the limit or the machine left.",
		    .label = "source"};
		openmetrics_member(&b, a.source, NULL, NULL, a.amount);
		b = (struct openmetrics_family){.all = to->all,
		                                .key = "job",
		                                .of = to->of,
		                                .name = all[of].unused,
		                                .type = "gauge",
		                                .unit = all[of].unused_unit,
		                                .help =
		                                    "Asked for and not used, times the duration."};
		if (b.name)
			openmetrics_member(&b, NULL, NULL, NULL, a.unused);
	}
	for (int of = 0; of < ASKED_RESOURCES; of++)
		openmetrics_member(&shares, all[of].resource, NULL, NULL,
		                   asked_of(run, (enum asked_resource)of).efficiency);
}

static void add_cost_family(const struct openmetrics_family *to, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	double s = in->runs->v[0].duration * (double)parts_all_nodes(&in->runs->v[0]);
	double cheapest = k->known ? cost_run(k->server[0].price_hour, s) : NAN,
	       present = k->present_known ? cost_run(k->present.price_hour, s) : NAN;
	struct openmetrics_family b = {.all = to->all,
	                               .key = "job",
	                               .of = to->of,
	                               .name = "rtrack_run_cost",
	                               .type = "gauge",
	                               .help = "Cost of the run at a server's price per hour.",
	                               .label = "server"};
	cJSON *labels;

	openmetrics_member(&b, "present", "currency", k->currency, present);
	labels = openmetrics_member(&b, "cheapest", "currency", k->currency, cheapest);
	if (labels && k->spot)
		openmetrics_label(labels, "price", "spot");
}

void openmetrics_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	struct openmetrics_family b = {.all = cJSON_AddArrayToObject(model, "openmetrics"),
	                               .key = "job",
	                               .of = job_key_name(run)};

	add_info_family(&b, run);
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		add_family(&b, in, &families[i]);
	add_unlisted(&b, in);
	add_asked_families(&b, run);
	add_cost_family(&b, in);
	openmetrics_gates(&b, in->gates);
}
