/* parts_head: the heads of several recordings as one. */
#include "report/runs/parts_head.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/head/job_inputs.h"
#include "core/head/snapshot_head.h"

#define HOSTS_SAID 3

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

/* -- numbers: a sum is NAN where one is -------------------------------------------------------- */

/* Offsets of the numbers of a struct that are summed. */
static void add_numbers(void *to, const void *from, const size_t *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*(double *)((char *)to + at[i]) += *(const double *)((const char *)from + at[i]);
}

#define OF_TOTALS(field) offsetof(struct snapshot_totals, field)
static const size_t summed_totals[] = {
    OF_TOTALS(utime_s),       OF_TOTALS(stime_s),         OF_TOTALS(read_b),
    OF_TOTALS(write_b),       OF_TOTALS(minor_faults),    OF_TOTALS(major_faults),
    OF_TOTALS(ctx_voluntary), OF_TOTALS(ctx_involuntary), OF_TOTALS(cpu_wait_s),
    OF_TOTALS(exact_cpu_s),   OF_TOTALS(sampled_cpu_s),   OF_TOTALS(oom_kills),
    OF_TOTALS(rchar_b),       OF_TOTALS(wchar_b),
};

/* Sums where each part has a cgroup of its own, as on different nodes. */
static const size_t summed_cgroup[] = {
    OF_TOTALS(cgroup_cpu_s),         OF_TOTALS(cgroup_utime_s),       OF_TOTALS(cgroup_stime_s),
    OF_TOTALS(cgroup_memory_peak_b), OF_TOTALS(cgroup_working_set_b), OF_TOTALS(cgroup_read_b),
    OF_TOTALS(cgroup_write_b),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void add_totals(struct parts_head *h, const struct snapshot_totals *from)
{
	struct snapshot_totals *to = &h->out->totals;

	to->sampled_cpu_difference = to->cgroup_cpu_some_s = NAN; /* no sums */
	if (h->parts == 0) {
		*to = *from;
		return;
	}
	to->known = to->known && from->known;
	add_numbers(to, from, summed_totals, COUNT(summed_totals));
	add_numbers(to, from, summed_cgroup, COUNT(summed_cgroup));
	to->max_rss_b = fmax(to->max_rss_b, from->max_rss_b);
	to->peak_rss_b = fmax(to->peak_rss_b, from->peak_rss_b);
	to->peak_virtual_b = fmax(to->peak_virtual_b, from->peak_virtual_b);
}

/* Each part's peak was at another time: together they had at least the largest, and at most the
 * sum. The sum of the rows (load.c) lifts the lower bound. */
static void add_memory(struct parts_head *h, const struct snapshot *s)
{
	struct snapshot_memory *to = &h->out->memory;
	const struct snapshot_memory *from = &s->memory;

	if (h->parts == 0) {
		*to = *from;
		to->how = SNAPSHOT_MEMORY_BOUND;
	} else {
		to->known = to->known && from->known;
		to->peak_b = fmax(to->peak_b, from->peak_b);
		to->peak_most_b += from->peak_most_b;
	}
	if (isnan(to->peak_most_b))
		to->how = SNAPSHOT_MEMORY_SAMPLED;
	to->mean_most_b = NAN;
}

/* A wait of the same name adds up. Beyond the room that there is, small ones of later parts are
 * missing: a list of the largest is never complete. */
static void sum_wait(struct parts_head *h, const struct snapshot_wait *w)
{
	struct snapshot_states *to = &h->out->states;
	enum states_id state = states_find(or_empty(w->state));
	size_t i = 0;

	if (state == STATES_N || !h->waits)
		return;
	while (i < to->n_waits && (strcmp(h->waits[i].state, states_word(state)) != 0 ||
	                           strcmp(h->waits[i].name, or_empty(w->name)) != 0))
		i++;
	if (i == SNAPSHOT_WAITS_MAX)
		return;
	if (i == to->n_waits)
		h->waits[to->n_waits++] =
		    (struct snapshot_wait){states_word(state), snapshot_strdup(h->out, w->name), 0};
	h->waits[i].s += w->s > 0 ? w->s : 0;
}

/* Seconds of all parts together; unknown if they are of one. */
static void sum_states(struct parts_head *h, const struct snapshot *s)
{
	struct snapshot_states *to = &h->out->states, from;

	if (h->parts == 0) {
		*to = (struct snapshot_states){.known = true};
		h->waits = snapshot_alloc(h->out, SNAPSHOT_WAITS_MAX * sizeof *h->waits);
		to->waits = h->waits;
	}
	if (!snapshot_states_of(s, &from) || !h->waits) {
		to->known = false;
		return;
	}
	for (int k = 0; k < STATES_N; k++) {
		to->of[k].value += from.of[k].value > 0 ? from.of[k].value : 0;
		to->of[k].least += from.of[k].least;
		to->of[k].most += from.of[k].most;
	}
	to->exact_s += from.exact_s;
	to->sampled_s += from.sampled_s;
	to->bound_s += from.bound_s;
	for (size_t i = 0; i < from.n_waits; i++)
		sum_wait(h, &from.waits[i]);
}

/* A text that all parts have, else `other`. */
static void agree(const char **to, const char *from, const char *other)
{
	if (strcmp(or_empty(*to), or_empty(from)) != 0)
		*to = other;
}

static void add_server(struct parts_head *h, const struct snapshot *s, bool first_of_node)
{
	struct snapshot_server *to = &h->out->server;
	const struct snapshot_server *from = &s->server;

	if (h->parts == 0) {
		*to = *from;
		to->os = snapshot_strdup(h->out, from->os);
		to->gpu_name = snapshot_strdup(h->out, from->gpu_name);
		to->allocation = snapshot_strdup(h->out, from->allocation);
		to->gpu_names.n = 0;
		return;
	}
	if (!first_of_node)
		return;
	to->known = to->known && from->known;
	to->vcpus += from->vcpus;
	to->memory_b += from->memory_b;
	if (from->gpu_count > 0 && !(to->gpu_count > 0))
		to->gpu_name = snapshot_strdup(h->out, from->gpu_name);
	else if (from->gpu_count > 0)
		agree(&to->gpu_name, from->gpu_name, "GPU, of several types");
	to->gpu_count += from->gpu_count;
	to->gpu_memory_b += from->gpu_memory_b;
	agree(&to->os, from->os, "several");
	agree(&to->allocation, from->allocation, "unknown");
}

static void add_cloud(struct parts_head *h, const struct snapshot *s)
{
	struct snapshot_cloud *to = &h->out->cloud;
	bool same;

	if (h->parts == 0) {
		*to = s->cloud;
		to->vendor = snapshot_strdup(h->out, s->cloud.vendor);
		to->instance_type = snapshot_strdup(h->out, s->cloud.instance_type);
		to->region = snapshot_strdup(h->out, s->cloud.region);
		return;
	}
	same = strcmp(or_empty(to->instance_type), or_empty(s->cloud.instance_type)) == 0;
	if (to->known && s->cloud.known && !same)
		snapshot_note(h->out, "The nodes are not all of one instance type, so the cost on "
		                      "them is not known.");
	to->known = to->known && s->cloud.known;
	agree(&to->vendor, s->cloud.vendor, "unknown");
	agree(&to->instance_type, s->cloud.instance_type, "unknown");
	agree(&to->region, s->cloud.region, "unknown");
}

/* What is not the same on all nodes is said of none. */
static void add_machine(struct parts_head *h, const struct snapshot *s)
{
	struct snapshot_machine *to = &h->out->machine;
	const struct snapshot_machine *from = &s->machine;
	struct {
		const char **to, *from;
	} texts[] = {{&to->cpu_model, from->cpu_model},
	             {&to->host_id, from->host_id},
	             {&to->ip, from->ip},
	             {&to->zone, from->zone},
	             {&to->account, from->account}};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (h->parts == 0)
			*texts[i].to = snapshot_strdup(h->out, texts[i].from);
		else
			agree(texts[i].to, or_empty(texts[i].from), "");
}

/* -- what was asked for, and limits: of each node once ----------------------------------------- */

/* The weakest source counts: a sum was asked for only if all its parts were. */
static int source_rank(const char *source)
{
	static const char *const ranks[] = {SNAPSHOT_ASKED_OPTION, SNAPSHOT_ASKED_ENVIRONMENT,
	                                    SNAPSHOT_ASKED_SCHEDULER, SNAPSHOT_ASKED_LIMIT,
	                                    SNAPSHOT_ASKED_MACHINE};
	int rank = 0;

	while (rank < (int)COUNT(ranks) && strcmp(or_empty(source), ranks[rank]) != 0)
		rank++;
	return rank;
}

static struct snapshot_ask copy_ask(struct snapshot *out, const struct snapshot_ask *from,
                                    double value)
{
	return (struct snapshot_ask){value, snapshot_strdup(out, from->source),
	                             snapshot_strdup(out, from->detail), false};
}

/* nodes and tasks are of the whole job. A share is one task's; other amounts are their node's. */
static void add_asked(struct parts_head *h, const struct snapshot *s, bool first_of_node)
{
	struct snapshot_asked *to = &h->out->asked;

	to->known = h->parts ? to->known && s->asked.known : s->asked.known;
	for (int i = 0; i < SNAPSHOT_ASKED_N; i++) {
		const struct snapshot_ask *from = &s->asked.of[i];
		bool amount = i <= SNAPSHOT_ASKED_GPUS;
		double value = s->asked.known ? from->value : (double)NAN;
		/* A part whose scheduler did not answer in time does not know the job's time. */
		if (h->parts == 0 || (!amount && isnan(to->of[i].value) && !isnan(value))) {
			to->of[i] = copy_ask(h->out, from, value);
			continue;
		}
		if (isnan(value) && !amount)
			continue;
		if (source_rank(from->source) > source_rank(to->of[i].source))
			to->of[i].source = snapshot_strdup(h->out, from->source);
		agree(&to->of[i].detail, from->detail, "");
		if (!amount)
			to->of[i].value = fmax(to->of[i].value, value);
		else if (first_of_node || from->share || isnan(value))
			to->of[i].value += value;
	}
}

static void add_limits(struct parts_head *h, const struct snapshot *s)
{
	struct snapshot_limits *to = &h->out->limits;
	const struct snapshot_limits *from = &s->limits;

	if (h->parts == 0) {
		*to = *from;
		to->cpus_from = snapshot_strdup(h->out, from->cpus_from);
		to->memory_from = snapshot_strdup(h->out, from->memory_from);
		return;
	}
	to->known = to->known && from->known;
	to->hidden = to->hidden || from->hidden;
	to->cpus += from->cpus;
	to->memory_b += from->memory_b;
	to->memory_high_b += from->memory_high_b;
	to->swap_b += from->swap_b;
	agree(&to->cpus_from, from->cpus_from, "");
	agree(&to->memory_from, from->memory_from, "");
	if (to->address_space_b != from->address_space_b)
		to->address_space_b = NAN;
}

/* -- GPUs: each once, though several tasks see it ---------------------------------------------- */

static bool has_gpu(const struct snapshot *s, const struct snapshot_gpu *gpu)
{
	for (size_t i = 0; i < s->n_gpus; i++)
		if (*gpu->uuid && strcmp(s->gpus[i].uuid, gpu->uuid) == 0)
			return true;
	return false;
}

static void add_gpus(struct parts_head *h, const struct snapshot *s, const struct part *part)
{
	struct snapshot *out = h->out;

	if (!out->gpus)
		out->gpus = snapshot_alloc(out, SNAPSHOT_GPUS_MAX * sizeof *out->gpus);
	for (size_t i = 0; out->gpus && i < s->n_gpus; i++) {
		char name[256];
		if (has_gpu(out, &s->gpus[i]))
			continue;
		h->gpus_left_out = h->gpus_left_out || out->n_gpus == SNAPSHOT_GPUS_MAX;
		if (h->gpus_left_out)
			return;
		snprintf(name, sizeof name, "%.100s: %.128s", part->node,
		         *s->gpus[i].name ? s->gpus[i].name : "GPU");
		out->gpus[out->n_gpus] = s->gpus[i];
		out->gpus[out->n_gpus].name = snapshot_strdup(out, name);
		out->gpus[out->n_gpus++].uuid = snapshot_strdup(out, s->gpus[i].uuid);
	}
}

/* -- the job, the recorder, notes -------------------------------------------------------------- */

static void copy_pairs(struct snapshot *to, struct snapshot_pairs *out,
                       const struct snapshot_pairs *from)
{
	out->n = 0;
	for (size_t i = 0; i < from->n; i++)
		snapshot_pairs_add(to, out, snapshot_strdup(to, from->v[i].key),
		                   snapshot_strdup(to, from->v[i].value));
}

static void copy_job(struct snapshot *out, const struct snapshot *s)
{
	const char **argv = snapshot_alloc(out, (s->job.argc + 1) * sizeof *argv);

	out->meta = s->meta;
	out->meta.version = snapshot_strdup(out, s->meta.version);
	out->meta.implementation = snapshot_strdup(out, s->meta.implementation);
	out->meta.pid = NAN;
	out->meta.children = true;
	out->schema = s->schema;
	out->job.known = s->job.known;
	out->job.name = snapshot_strdup(out, s->job.name);
	out->job.cwd = snapshot_strdup(out, s->job.cwd);
	out->job.user = snapshot_strdup(out, s->job.user);
	out->job.arch = snapshot_strdup(out, s->job.arch);
	copy_pairs(out, &out->job.tags, &s->job.tags);
	copy_pairs(out, &out->job.labels, &s->job.labels);
	for (size_t i = 0; argv && i < s->job.argc; i++)
		argv[i] = snapshot_strdup(out, s->job.argv[i]);
	out->job.argv = argv;
	out->job.argc = argv ? s->job.argc : 0;
	out->part = s->part;
	out->part.job = snapshot_strdup(out, s->part.job);
	out->part.node = out->part.covers = "";
	out->part.task = NAN;
	out->tasks = (struct snapshot_tasks){.failed_rank = NAN};
	out->part.array_job = snapshot_strdup(out, s->part.array_job);
}

static void count_notes(struct parts_head *h, const struct snapshot *s, const struct part *part)
{
	for (size_t i = 0; i < s->notes.n; i++) {
		size_t k = 0;
		while (k < h->n_notes && strcmp(h->note[k].text, s->notes.v[i]) != 0)
			k++;
		if (k == PARTS_HEAD_NOTES)
			continue;
		if (k == h->n_notes)
			h->note[h->n_notes++] = (struct parts_head_note){
			    snapshot_strdup(h->out, s->notes.v[i]), part->node, 0};
		h->note[k].n++;
	}
}

/* A part without it is one task, or a node of which only one task is known. */
static void add_tasks(struct snapshot_tasks *sum, const struct snapshot_tasks *t)
{
	if (!t->known)
		return;
	sum->known = true;
	sum->n += t->n;
	sum->succeeded += t->succeeded;
	sum->failed += t->failed;
	sum->unknown += t->unknown;
}

void parts_head_add(struct parts_head *h, const struct snapshot *s, const struct part *part)
{
	bool first_of_node = h->parts == 0 || part->at + 1 > h->nodes;

	if (h->parts == 0) {
		snapshot_head_defaults(h->out);
		copy_job(h->out, s);
	}
	h->nodes = part->at + 1;
	h->several_on_a_node = h->several_on_a_node || !first_of_node;
	h->out->meta.track_processes = h->out->meta.track_processes || s->meta.track_processes;
	h->out->meta.children = h->out->meta.children && s->meta.children;
	h->out->meta.track_system = h->out->meta.track_system || s->meta.track_system;
	h->out->meta.discover_cloud = h->out->meta.discover_cloud || s->meta.discover_cloud;
	add_totals(h, &s->totals);
	add_memory(h, s);
	sum_states(h, s);
	add_server(h, s, first_of_node);
	add_cloud(h, s);
	add_machine(h, s);
	add_asked(h, s, first_of_node);
	/* Tasks are mostly given the same: the largest counts, as in a catalog. */
	if (s->inputs.known && !(h->parts && h->out->inputs.bytes >= s->inputs.bytes))
		job_inputs_copy(h->out, &s->inputs);
	add_limits(h, s);
	add_gpus(h, s, part);
	add_tasks(&h->out->tasks, &s->tasks);
	count_notes(h, s, part);
	h->out->damage.places += s->damage.places;
	h->out->damage.bytes += s->damage.bytes;
	h->out->damage.records += s->damage.records;
	h->parts++;
}

/* -- the end ----------------------------------------------------------------------------------- */

/* "n1, n2, n3 and 5 more". */
static void set_hosts(struct snapshot *out, const struct parts *p)
{
	struct buf text = {0};

	for (size_t i = 0; i < p->n_nodes && i < HOSTS_SAID; i++)
		buf_printf(&text, "%s%s", i ? ", " : "",
		           *p->node[i].host ? p->node[i].host : p->node[i].name);
	if (p->n_nodes > HOSTS_SAID)
		buf_printf(&text, " and %zu more", p->n_nodes - HOSTS_SAID);
	out->job.host = snapshot_strdup(out, buf_cstr(&text));
	buf_free(&text);
}

static void set_exit(struct snapshot *out, const struct parts *p)
{
	const struct part *worst = p->worst;

	out->running = worst->status == RUN_RUNNING;
	out->unfinished = out->running || worst->status == RUN_UNFINISHED;
	out->exit.known = worst->ended;
	out->exit.code = worst->code;
	out->exit.signal = worst->signal;
	out->exit.cause = worst->oom ? "oom" : "exited";
	out->end = (struct snapshot_end){
	    .known = worst->end_known, .cause = worst->end_cause, .sentence = worst->end_sentence};
	/* All that was recorded went well, but a part or a task that was not may have failed. */
	if (worst->status == RUN_UNKNOWN || (parts_missing(p) && worst->status == RUN_FINISHED)) {
		out->exit.known = false;
		out->exit.cause = "";
		out->end.known = false;
	}
}

static void add_note_of_parts(struct parts_head *h, const struct parts_head_note *note)
{
	if (note->n == h->parts)
		snapshot_note(h->out, "%s", note->text);
	else if (note->n == 1)
		snapshot_note(h->out, "%s: %s", note->node, note->text);
	else
		snapshot_note(h->out, "On %zu of %zu recordings: %s", note->n, h->parts,
		              note->text);
}

/* What is known of each part alone, and not of their sum. */
static void forget_shared(struct parts_head *h)
{
	struct snapshot *out = h->out;

	for (size_t i = 0; i < COUNT(summed_cgroup) && h->several_on_a_node; i++)
		*(double *)((char *)&out->totals + summed_cgroup[i]) = NAN;
	if (h->several_on_a_node)
		out->limits.known = false;
	out->totals.cgroup_cpu_some_s = h->parts > 1 ? (double)NAN : out->totals.cgroup_cpu_some_s;
	if (h->gpus_left_out)
		out->n_gpus = 0;
}

void parts_head_end(struct parts_head *h, const struct parts *p, double step)
{
	struct snapshot *out = h->out;

	out->meta.start_time = INFINITY;
	out->meta.stop_time = -INFINITY;
	for (size_t i = 0; i < p->n; i++) {
		out->meta.start_time = fmin(out->meta.start_time, p->v[i].start);
		out->meta.stop_time = fmax(out->meta.stop_time, p->v[i].stop);
	}
	out->meta.duration = out->totals.wall_s = out->meta.stop_time - out->meta.start_time;
	out->meta.interval = step;
	set_hosts(out, p);
	set_exit(out, p);
	forget_shared(h);
	for (size_t i = 0; i < h->n_notes; i++)
		add_note_of_parts(h, &h->note[i]);
}
