/* made_recording: a made-up run as a snapshot. */
#include "tests/bench/fleet/made_recording.h"
#include "core/base/version.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/json/json_write.h"
#include "core/numbers/time_at.h"
#include "core/recording/snapshot_fields.h"

static int fetch_made(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                      struct err *e)
{
	(void)e;
	for (size_t i = 0; i < n; i++)
		out[i] = made_rows_cell(ctx, id, from + i);
	return 0;
}

/* -- what the collector writes itself ---------------------------------------------------------- */

static void write_made_totals(void *ctx, struct json_write *j)
{
	const struct made_recording *m = ctx;
	struct snapshot_totals t = m->snapshot.totals;

	snapshot_fields_write(j, SNAPSHOT_TOTALS_TREE, SCHEMA_1, &t);
	snapshot_fields_object(j, SNAPSHOT_TOTALS_CGROUP, SCHEMA_1, &t);
}

static void write_made_members(void *ctx, struct json_write *j)
{
	const struct made_recording *m = ctx;
	const struct made_run *run = m->rows.run;
	double cpus = run->group->asked_cpus, online = run->group->machine->vcpus;
	bool asked = !isnan(cpus);
	struct snapshot_limits limits = {.cpus = asked ? cpus : online,
	                                 .cpus_from = asked ? "cpuset" : "online CPUs",
	                                 .cpus_quota = NAN,
	                                 .cpus_cpuset = asked ? cpus : online,
	                                 .cpus_affinity = asked ? cpus : online,
	                                 .cpus_online = online,
	                                 .memory_b = run->asked_memory_b,
	                                 .memory_from = asked ? "memory.max" : NULL,
	                                 .memory_high_b = NAN,
	                                 .swap_b = NAN,
	                                 .address_space_b = NAN};

	snapshot_fields_object(j, SNAPSHOT_LIMITS, SCHEMA_1, &limits);
	json_write_array(j, snapshot_fields_key(SNAPSHOT_GPU));
	json_write_array_end(j);
}

/* -- the head ---------------------------------------------------------------------------------- */

static void set_pair(struct snapshot_pairs *p, const char *key, const char *value)
{
	p->v[p->n++] = (struct snapshot_pair){key, value};
}

static void set_job(struct made_recording *m, const struct made_run *run)
{
	static const char *const programs[MADE_KINDS] = {"mpirun", "python3", "make", "python3",
	                                                 "Rscript"};
	const struct made_group *g = run->group;
	struct snapshot_job *job = &m->snapshot.job;

	made_user_name(run->user, m->user);
	made_host_name(g->machine, run->host, m->host);
	snprintf(m->cwd, sizeof m->cwd, "/home/%s/%s", m->user, g->name);
	snprintf(m->config, sizeof m->config, "conf/%s.yaml", g->name);
	snprintf(m->id, sizeof m->id, "%" PRIu64, run->job);
	m->argv[0] = programs[g->kind];
	m->argv[1] = g->name;
	m->argv[2] = "--config";
	m->argv[3] = m->config;
	*job = (struct snapshot_job){.known = true,
	                             .name = g->name,
	                             .argv = m->argv,
	                             .argc = sizeof m->argv / sizeof *m->argv,
	                             .cwd = m->cwd,
	                             .host = m->host,
	                             .user = m->user,
	                             .arch = "x86_64",
	                             .tags = {.v = m->tags},
	                             .labels = {.v = m->labels}};
	set_pair(&job->tags, "team", g->team);
	if (g->kind == MADE_HPC || g->kind == MADE_ML) {
		set_pair(&job->labels, "scheduler", "slurm");
		set_pair(&job->labels, "slurm.job_id", m->id);
		set_pair(&job->labels, "slurm.partition", g->machine->gpus > 0 ? "gpu" : "batch");
		set_pair(&job->labels, "slurm.account", g->team);
	} else if (g->kind == MADE_CI) {
		snprintf(m->commit, sizeof m->commit, "%016" PRIx64,
		         run->job * UINT64_C(0x9e3779b97f4a7c15));
		set_pair(&job->labels, "ci.provider", "gitlab");
		set_pair(&job->labels, "ci.job_id", m->id);
		set_pair(&job->labels, "ci.commit", m->commit);
	}
}

static struct snapshot_ask made_ask(const struct made_group *g, double value, const char *variable)
{
	struct snapshot_ask ask = {.value = value, .source = g->source, .detail = variable};

	if (strcmp(g->source, SNAPSHOT_ASKED_ENVIRONMENT) == 0)
		ask.detail = "RTRACK_ASKED";
	else if (strcmp(g->source, SNAPSHOT_ASKED_MACHINE) == 0)
		ask.detail = "";
	return ask;
}

static void set_asked(struct made_recording *m, const struct made_run *run)
{
	const struct made_group *g = run->group;
	struct snapshot_ask *of = m->snapshot.asked.of;

	m->snapshot.asked.known = true;
	of[SNAPSHOT_ASKED_CPUS] = made_ask(g, g->asked_cpus, "SLURM_CPUS_ON_NODE");
	of[SNAPSHOT_ASKED_MEMORY] = made_ask(g, run->asked_memory_b, "SLURM_MEM_PER_NODE");
	of[SNAPSHOT_ASKED_GPUS] = made_ask(g, g->asked_gpus, "SLURM_GPUS_ON_NODE");
	of[SNAPSHOT_ASKED_TIME] = made_ask(g, g->asked_time_s, "SLURM_JOB_END_TIME");
	of[SNAPSHOT_ASKED_NODES] =
	    made_ask(g, isnan(g->asked_time_s) ? (double)NAN : g->nodes, "SLURM_JOB_NUM_NODES");
	of[SNAPSHOT_ASKED_TASKS] = made_ask(g, NAN, "");
}

/* Where runs are builds, memory follows the input: 100 MiB and 6 times its size, more or less. */
static void set_inputs(struct made_recording *m, const struct made_run *run)
{
	double share = 0.95 + 0.1 * (double)(run->number % 11) / 10;

	if (run->group->kind == MADE_CI)
		m->snapshot.inputs = (struct snapshot_inputs){
		    .known = true, .bytes = fmax(0, floor((run->peak_b - 104857600) / 6 * share))};
}

static void set_part(struct made_recording *m, const struct made_run *run)
{
	const struct made_group *g = run->group;
	struct snapshot_part *part = &m->snapshot.part;

	*part = (struct snapshot_part){.known = g->nodes > 1 || !isnan(run->array)};
	if (!part->known)
		return;
	snprintf(m->job, sizeof m->job, "slurm/hpc/%s/batch/0", m->id);
	part->job = m->job;
	part->node = m->host;
	part->covers = "node";
	part->nodes = g->nodes;
	part->task = NAN;
	part->tasks = g->nodes;
	part->array_job = "";
	part->array_index = run->index;
	if (isnan(run->array))
		return;
	snprintf(m->array, sizeof m->array, "slurm/hpc/%.0f", run->array);
	part->array_job = m->array;
	snprintf(m->index, sizeof m->index, "%.0f", run->index);
	set_pair(&m->snapshot.job.labels, "slurm.array_task_id", m->index);
}

static void set_end(struct made_recording *m, const struct made_run *run)
{
	static const char *const causes[] = {[MADE_FINE] = "exited",
	                                     [MADE_FAILED] = "exited",
	                                     [MADE_OOM] = "oom",
	                                     [MADE_TIMEOUT] = "signaled",
	                                     [MADE_UNFINISHED] = "unfinished"};
	struct snapshot *s = &m->snapshot;

	s->exit.known = run->end != MADE_UNFINISHED;
	s->exit.signal = s->exit.known ? run->signal : 0;
	s->exit.code = s->exit.signal ? -1 : run->code;
	s->exit.cause = run->end == MADE_FAILED && run->signal ? "signaled" : causes[run->end];
}

/* As the kernel would report them: the sums of the samples. A recovered recording has none. */
static void set_totals(struct made_recording *m, const struct made_run *run)
{
	struct snapshot_totals t = {.known = run->end != MADE_UNFINISHED, .wall_s = run->wall_s};

	for (size_t i = 0; i < run->samples; i++) {
		t.utime_s += made_rows_cell(&m->rows, METRIC_PROCESS_UTIME, i);
		t.stime_s += made_rows_cell(&m->rows, METRIC_PROCESS_STIME, i);
		t.read_b += made_rows_cell(&m->rows, METRIC_PROCESS_READ_BYTES, i);
		t.write_b += made_rows_cell(&m->rows, METRIC_PROCESS_WRITE_BYTES, i);
	}
	t.utime_s = stats_round(t.utime_s, 6);
	t.stime_s = stats_round(t.stime_s, 6);
	t.exact_cpu_s = t.sampled_cpu_s = stats_round(t.utime_s + t.stime_s, 6);
	t.max_rss_b = t.peak_rss_b = run->peak_b - fmod(run->peak_b, 4096);
	t.minor_faults = t.ctx_voluntary = t.ctx_involuntary = t.cpu_wait_s = NAN;
	t.cgroup_cpu_s = t.exact_cpu_s;
	t.cgroup_memory_peak_b = t.cgroup_working_set_b = t.peak_rss_b;
	t.cgroup_utime_s = t.utime_s;
	t.cgroup_stime_s = t.stime_s;
	t.cgroup_read_b = t.read_b;
	t.cgroup_write_b = t.write_b;
	t.cgroup_cpu_some_s = NAN;
	t.oom_kills = run->end == MADE_OOM ? 1 : 0;
	m->snapshot.totals = t;
}

static void set_machine(struct made_recording *m, const struct made_machine *machine)
{
	struct snapshot *s = &m->snapshot;

	s->server.known = true;
	s->server.os = machine->os;
	s->server.vcpus = machine->vcpus;
	s->server.memory_b = machine->memory_b;
	s->server.gpu_count = machine->gpus;
	s->server.gpu_memory_b = machine->gpus * machine->vram_b;
	s->server.gpu_name = machine->gpu;
	s->server.gpu_names.v = m->gpu_names;
	for (size_t i = 0; (double)i < machine->gpus; i++)
		s->server.gpu_names.v[s->server.gpu_names.n++] = machine->gpu;
	s->server.allocation = *machine->vendor ? "dedicated" : "shared";
	s->cloud.known = *machine->vendor;
	s->cloud.vendor = s->cloud.known ? machine->vendor : "unknown";
	s->cloud.instance_type = s->cloud.known ? machine->instance : "unknown";
	s->cloud.region = s->cloud.known ? machine->region : "unknown";
	s->cloud.discovery_time = s->cloud.known ? 0.12 : 0;
}

void made_recording(struct made_recording *m, const struct made_run *from)
{
	struct snapshot *s = &m->snapshot;
	const struct made_run *run = &m->run;

	m->run = *from;
	m->group = *from->group;
	m->run.group = &m->group;

	*s = (struct snapshot){.meta = {.version = rtrack_version,
	                                .pid = run->pid,
	                                .interval = run->interval,
	                                .start_time = run->start,
	                                .stop_time = stats_round(run->start + run->wall_s, 2),
	                                .children = true,
	                                .track_processes = true,
	                                .track_system = true,
	                                .discover_server = true,
	                                .discover_cloud = true}};
	made_rows(&m->rows, run);
	m->source =
	    (struct snapshot_source){.rows = run->samples, .fetch = fetch_made, .ctx = &m->rows};
	set_machine(m, run->group->machine);
	set_job(m, run);
	set_asked(m, run);
	set_part(m, run);
	set_inputs(m, run);
	set_end(m, run);
	set_totals(m, run);
	if (run->end == MADE_UNFINISHED)
		snapshot_note(s,
		              "The recording was cut short, and was recovered from its journal.");
	s->more = (struct snapshot_more){.totals = s->totals.known ? write_made_totals : NULL,
	                                 .members = s->totals.known ? write_made_members : NULL,
	                                 .ctx = m};
}

/* -- the row ----------------------------------------------------------------------------------- */

/* Those that a row needs. */
static struct stats stats_of_cells(const struct made_rows *rows, enum metric_id id)
{
	struct stats v = {.n = rows->run->samples, .max = -INFINITY};
	double seconds = 0;

	for (size_t i = 0; i < v.n; i++) {
		double cell = made_rows_cell(rows, id, i);
		v.sum += cell;
		v.mean += cell * rows->seconds[i];
		v.max = fmax(v.max, cell);
		seconds += rows->seconds[i];
	}
	v.mean /= seconds;
	return v;
}

void made_recording_row(const struct made_recording *m, struct rtrack_row *row)
{
	static const enum metric_id needed[] = {
	    METRIC_PROCESS_UTIME,        METRIC_PROCESS_STIME,      METRIC_PROCESS_CPU_USAGE,
	    METRIC_PROCESS_MEMORY,       METRIC_PROCESS_READ_BYTES, METRIC_PROCESS_WRITE_BYTES,
	    METRIC_PROCESS_GPU_USAGE,    METRIC_PROCESS_GPU_VRAM,   METRIC_SYSTEM_NET_RECV_BYTES,
	    METRIC_SYSTEM_NET_SENT_BYTES};
	struct stats stats[METRIC_COUNT];

	for (int id = 0; id < METRIC_COUNT; id++)
		stats[id] = stats_none();
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		stats[needed[i]] = stats_of_cells(&m->rows, needed[i]);
	rtrack_row_fill(row, &m->snapshot, stats, m->rows.run->samples);
	/* As if it had so many threads that never wait. */
	for (int i = 0; i < TIME_AT_POWERS; i++)
		row->of[RTRACK_ROW_TIME_AT_1 + i].number =
		    fmax(1, row->of[RTRACK_ROW_CORES_MEAN].number / (1 << i));
}
