/* model_openmetrics: the run as metric families of OpenMetrics 1.0. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/model/model_views.h"
#include "report/runs/job_key.h"
#include "report/units/model_json.h"

#define MIB (1024.0 * 1024.0)

enum { MEAN = 1, PEAK = 2, SUM = 4 };

/* A metric of the run, and the value of its family's label. */
struct source {
	const char *value;
	enum metric_id id;
};

/* One value that is not of a column. */
typedef double (*single)(const struct model_input *in);

struct family {
	const char *name, *type, *unit, *help;
	unsigned stats;    /* of which statistics there are samples */
	const char *label; /* NULL: none */
	struct source source[5];
	single value; /* instead of sources */
	bool gpu;     /* only where the machine has GPUs */
};

static double duration(const struct model_input *in)
{
	return in->runs->v[0].duration;
}

static double succeeded(const struct model_input *in)
{
	enum run_status s = in->runs->v[0].status;

	return s == RUN_UNKNOWN || s == RUN_UNFINISHED ? (double)NAN : s == RUN_FINISHED;
}

static double exit_code(const struct model_input *in)
{
	const struct snapshot *s = &in->runs->v[0].snapshot;

	return !s->exit.known ? (double)NAN : s->exit.signal ? 128 + s->exit.signal : s->exit.code;
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

/* Names and units stay as they are: dashboards and merge requests compare by them. */
static const struct family families[] = {
    {.name = "rtrack_run_duration_seconds",
     .type = "gauge",
     .unit = "seconds",
     .help = "From the start of the job to its end.",
     .value = duration},
    {.name = "rtrack_run_succeeded",
     .type = "gauge",
     .help = "1 where the job finished with status 0, else 0.",
     .value = succeeded},
    {.name = "rtrack_run_exit_code",
     .type = "gauge",
     .help = "Exit status of the job, 128 and the signal where one ended it.",
     .value = exit_code},
    {.name = "rtrack_cpu_usage_cores",
     .type = "gauge",
     .unit = "cores",
     .help = "CPUs kept busy.",
     .stats = MEAN | PEAK,
     .label = "scope",
     .source = {{"tree", METRIC_PROCESS_CPU_USAGE},
                {"main", METRIC_PROCESS_MAIN_CPU_USAGE},
                {"system", METRIC_SYSTEM_CPU_USAGE}}},
    {.name = "rtrack_cpu_user_seconds",
     .type = "counter",
     .unit = "seconds",
     .help = "User CPU time, as sampled.",
     .stats = SUM,
     .label = "scope",
     .source = {{"tree", METRIC_PROCESS_UTIME}, {"system", METRIC_SYSTEM_UTIME}}},
    {.name = "rtrack_cpu_system_seconds",
     .type = "counter",
     .unit = "seconds",
     .help = "System CPU time, as sampled.",
     .stats = SUM,
     .label = "scope",
     .source = {{"tree", METRIC_PROCESS_STIME}, {"system", METRIC_SYSTEM_STIME}}},
    {.name = "rtrack_memory_bytes",
     .type = "gauge",
     .unit = "bytes",
     .help = "Memory in use: PSS of the tree and of the main process, used memory of the machine.",
     .stats = MEAN | PEAK,
     .label = "scope",
     .source = {{"tree", METRIC_PROCESS_MEMORY},
                {"main", METRIC_PROCESS_MAIN_MEMORY},
                {"system", METRIC_SYSTEM_MEMORY_USED}}},
    {.name = "rtrack_rss_bytes",
     .type = "gauge",
     .unit = "bytes",
     .help = "Resident set size: what processes share counts in each.",
     .stats = MEAN | PEAK,
     .label = "scope",
     .source = {{"tree", METRIC_PROCESS_RSS}, {"main", METRIC_PROCESS_MAIN_RSS}}},
    {.name = "rtrack_disk_read_bytes",
     .type = "counter",
     .unit = "bytes",
     .help = "Read from storage.",
     .stats = SUM,
     .label = "scope",
     .source = {{"tree", METRIC_PROCESS_READ_BYTES}, {"system", METRIC_SYSTEM_DISK_READ_BYTES}}},
    {.name = "rtrack_disk_written_bytes",
     .type = "counter",
     .unit = "bytes",
     .help = "Written to storage.",
     .stats = SUM,
     .label = "scope",
     .source = {{"tree", METRIC_PROCESS_WRITE_BYTES}, {"system", METRIC_SYSTEM_DISK_WRITE_BYTES}}},
    {.name = "rtrack_disk_space_used_bytes",
     .type = "gauge",
     .unit = "bytes",
     .help = "Used space of the mounted file systems.",
     .stats = PEAK,
     .label = "scope",
     .source = {{"system", METRIC_SYSTEM_DISK_SPACE_USED}}},
    {.name = "rtrack_network_received_bytes",
     .type = "counter",
     .unit = "bytes",
     .help = "Received by the machine.",
     .stats = SUM,
     .label = "scope",
     .source = {{"system", METRIC_SYSTEM_NET_RECV_BYTES}}},
    {.name = "rtrack_network_sent_bytes",
     .type = "counter",
     .unit = "bytes",
     .help = "Sent by the machine.",
     .stats = SUM,
     .label = "scope",
     .source = {{"system", METRIC_SYSTEM_NET_SENT_BYTES}}},
    {.name = "rtrack_pressure_ratio",
     .type = "gauge",
     .unit = "ratio",
     .help = "Share of the time in which some task, or all, waited for it.",
     .stats = MEAN | PEAK,
     .label = "waiting",
     .source = {{"cpu_some", METRIC_SYSTEM_PSI_CPU_SOME},
                {"memory_some", METRIC_SYSTEM_PSI_MEMORY_SOME},
                {"memory_full", METRIC_SYSTEM_PSI_MEMORY_FULL},
                {"io_some", METRIC_SYSTEM_PSI_IO_SOME},
                {"io_full", METRIC_SYSTEM_PSI_IO_FULL}}},
    {.name = "rtrack_throttled_seconds",
     .type = "counter",
     .unit = "seconds",
     .help = "Time that a CPU quota held the job back.",
     .stats = SUM,
     .source = {{"", METRIC_SYSTEM_THROTTLED}}},
    {.name = "rtrack_gpu_usage_gpus",
     .type = "gauge",
     .unit = "gpus",
     .help = "GPUs kept busy.",
     .stats = MEAN | PEAK,
     .label = "scope",
     .gpu = true,
     .source = {{"tree", METRIC_PROCESS_GPU_USAGE}, {"system", METRIC_SYSTEM_GPU_USAGE}}},
    {.name = "rtrack_gpu_memory_bytes",
     .type = "gauge",
     .unit = "bytes",
     .help = "GPU memory in use.",
     .stats = MEAN | PEAK,
     .label = "scope",
     .gpu = true,
     .source = {{"tree", METRIC_PROCESS_GPU_VRAM}, {"system", METRIC_SYSTEM_GPU_VRAM}}},
    {.name = "rtrack_recommended_cpus",
     .type = "gauge",
     .unit = "cpus",
     .help = "CPUs to ask for next time.",
     .value = advised_cpus},
    {.name = "rtrack_recommended_memory_bytes",
     .type = "gauge",
     .unit = "bytes",
     .help = "Memory to ask for next time.",
     .value = advised_memory},
    {.name = "rtrack_recommended_gpus",
     .type = "gauge",
     .unit = "gpus",
     .help = "GPUs to ask for next time.",
     .gpu = true,
     .value = advised_gpus},
    {.name = "rtrack_recommended_gpu_memory_bytes",
     .type = "gauge",
     .unit = "bytes",
     .help = "GPU memory to ask for next time.",
     .gpu = true,
     .value = advised_vram},
};

/* A family that is being built: it goes into the model with its first sample. */
struct building {
	cJSON *all; /* the array of families */
	const char *job;
	const struct family *f;
	cJSON *samples; /* NULL: none yet */
};

static void begin(struct building *b, const char *name, const char *type, const char *unit,
                  const char *help)
{
	cJSON *family = cJSON_CreateObject();

	cJSON_AddItemToArray(b->all, family);
	cJSON_AddStringToObject(family, "name", name);
	cJSON_AddStringToObject(family, "type", type);
	model_json_cut_or_null(family, "unit", unit, MODEL_JSON_NAME_MAX);
	cJSON_AddStringToObject(family, "help", help);
	b->samples = cJSON_AddArrayToObject(family, "samples");
}

/* NULL or "" as the value of a label: there is no such label. */
static void add_label(cJSON *labels, const char *key, const char *value)
{
	cJSON *label;

	if (!key || !value || !*value)
		return;
	label = cJSON_CreateObject();
	cJSON_AddStringToObject(label, "comma", cJSON_GetArraySize(labels) ? "," : "");
	cJSON_AddStringToObject(label, "key", key);
	model_json_cut(label, "value", value, MODEL_JSON_NAME_MAX);
	cJSON_AddItemToArray(labels, label);
}

static cJSON *add_sample(struct building *b, const char *suffix, double v)
{
	cJSON *sample = cJSON_CreateObject(), *labels;

	cJSON_AddItemToArray(b->samples, sample);
	cJSON_AddStringToObject(sample, "suffix", suffix);
	labels = cJSON_AddArrayToObject(sample, "labels");
	add_label(labels, "job", b->job);
	model_json_number(sample, "value", v);
	return labels;
}

/* value is of the family's own label; key and word are one label more, where word is not NULL. */
/* Its labels; NULL where there is no sample. */
static cJSON *add_value(struct building *b, const char *value, const char *key, const char *word,
                        double v)
{
	const struct family *f = b->f;
	bool counter = strcmp(f->type, "counter") == 0;
	cJSON *labels;

	if (!isfinite(v) || (counter && v < 0))
		return NULL;
	if (!b->samples)
		begin(b, f->name, f->type, f->unit, f->help);
	labels = add_sample(b, counter ? "_total" : "", v);
	add_label(labels, f->label, value);
	add_label(labels, key, word);
	return labels;
}

static void add_family(struct building *b, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	const struct family *f = b->f;

	if (f->gpu && !(run->snapshot.server.gpu_count > 0))
		return;
	if (f->value) {
		add_value(b, NULL, NULL, NULL, f->value(in));
		return;
	}
	for (size_t i = 0; i < sizeof f->source / sizeof *f->source && f->source[i].value; i++) {
		const struct source *from = &f->source[i];
		const struct stats *s = &run->stats[from->id];
		if (!s->n)
			continue;
		if (f->stats & MEAN)
			add_value(b, from->value, "statistic", "mean", s->mean);
		if (f->stats & PEAK)
			add_value(b, from->value, "statistic", "max", s->max);
		if (f->stats & SUM)
			add_value(b, from->value, NULL, NULL, views_total(run, from->id));
	}
}

static void add_info(struct building *b, const struct run *run)
{
	cJSON *labels;

	begin(b, "rtrack_run", "info", NULL, "The run that these metrics are of.");
	labels = add_sample(b, "_info", 1);
	add_label(labels, "status", load_status_word(run->status));
	add_label(labels, "reporter", "rtrack-report " RTRACK_VERSION);
}

static void add_costs(struct building *b, const struct model_input *in)
{
	const struct keeper_result *k = in->keeper;
	double s = in->runs->v[0].duration;
	double cheapest = k->known ? cost_run(k->server[0].price_hour, s) : NAN,
	       present = k->present_known ? cost_run(k->present.price_hour, s) : NAN;
	static const struct family cost = {
	    .name = "rtrack_run_cost",
	    .type = "gauge",
	    .help = "What the run costs at the price per hour of a server.",
	    .label = "server"};

	cJSON *labels;

	b->f = &cost;
	b->samples = NULL;
	add_value(b, "present", "currency", k->currency, present);
	labels = add_value(b, "cheapest", "currency", k->currency, cheapest);
	if (labels && k->spot)
		add_label(labels, "price", "spot");
}

/* What was not judged has no sample: it is neither. */
static void add_gates(struct building *b, const struct gate_results *gates)
{
	static const struct family gate = {.name = "rtrack_gate",
	                                   .type = "gauge",
	                                   .help =
	                                       "1 where the condition holds, and so fails the run.",
	                                   .label = "expression"};

	b->f = &gate;
	b->samples = NULL;
	for (size_t i = 0; gates && i < gates->n; i++) {
		enum gate_answer answer = gates->v[i].result.answer;
		if (answer != GATE_NOT_JUDGED)
			add_value(b, gates->v[i].gate.text, NULL, NULL, answer == GATE_HOLDS);
	}
}

void openmetrics_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	struct building b = {.all = cJSON_AddArrayToObject(model, "openmetrics"),
	                     .job = job_key_name(run)};

	add_info(&b, run);
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		b.f = &families[i];
		b.samples = NULL;
		add_family(&b, in);
	}
	add_costs(&b, in);
	add_gates(&b, in->gates);
}
