/* asked_schedulers: what a job asked its scheduler for. */
#include "collect/job/asked_schedulers.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "collect/procfs/scan.h"

#define CPUS       SNAPSHOT_ASKED_CPUS
#define GPUS       SNAPSHOT_ASKED_GPUS
#define SLURM_YEAR 31536000.0 /* Slurm's end of a job without a time limit, after its start */

/* -- texts ------------------------------------------------------------------------------------- */

/* A list longer than this says nothing about a real machine. */
#define COUNT_MAX 1000000

double asked_schedulers_number(const char *text, size_t n)
{
	struct scan s = scan_text(text, n);
	double v;

	return scan_decimal(&s, &v) && s.p == s.end ? v : NAN;
}

double asked_schedulers_item(const char *text, size_t n, size_t index)
{
	struct scan s = scan_text(text, n);
	int value, times;

	do {
		times = 1;
		if (!scan_int(&s, &value) ||
		    (scan_literal(&s, "(x") && (!scan_int(&s, &times) || !scan_literal(&s, ")"))))
			return NAN;
		if (index < (size_t)times)
			return value;
		index -= (size_t)times;
	} while (scan_literal(&s, ","));
	return NAN;
}

/* Whether two host names are the same up to the domain that one of them may lack. */
static bool is_same_host(struct scan name, const char *host)
{
	size_t n = (size_t)(name.end - name.p), m = strlen(host);
	size_t short_n = n ? strcspn(host, ".") : 0;
	const char *dot = n ? memchr(name.p, '.', n) : NULL;

	if (n == m)
		return n && strncasecmp(name.p, host, n) == 0;
	if (n == short_n && !dot)
		return strncasecmp(name.p, host, n) == 0;
	return dot && short_n == m && (size_t)(dot - name.p) == m &&
	       strncasecmp(name.p, host, m) == 0;
}

double asked_schedulers_hosts(const char *text, size_t n, bool lines, const char *host,
                              double *hosts)
{
	struct scan s = scan_text(text, n), name, word = {NULL, NULL};
	double sum = NAN, slots = 0, pairs = 0;

	for (; pairs < COUNT_MAX && !isnan(slots) && scan_word(&s, &name); pairs++) {
		slots = scan_word(&s, &word)
		            ? asked_schedulers_number(word.p, (size_t)(word.end - word.p))
		            : NAN;
		if (is_same_host(name, host))
			sum = isnan(sum) ? slots : sum + slots;
		if (lines)
			(void)scan_line(&s, &word);
	}
	*hosts = isnan(slots) ? NAN : pairs;
	return isnan(slots) ? NAN : sum;
}

double asked_schedulers_ad(const char *text, size_t n, const char *attribute)
{
	struct scan s = scan_text(text, n), line, name;
	size_t length = strlen(attribute);

	while (scan_line(&s, &line)) {
		if (!scan_word(&line, &name) || (size_t)(name.end - name.p) != length ||
		    strncasecmp(name.p, attribute, length) != 0)
			continue;
		scan_blanks(&line);
		if (!scan_literal(&line, "="))
			continue;
		scan_blanks(&line);
		while (line.end > line.p && (line.end[-1] == ' ' || line.end[-1] == '\r'))
			line.end--;
		return asked_schedulers_number(line.p, (size_t)(line.end - line.p));
	}
	return NAN;
}

/* The value of a word NAME=AMOUNT. Neither UNLIMITED nor Partition_Limit is an amount, and 0 of
 * memory is none that was asked for. */
static void take_amount(struct scan word, const char *name, enum snapshot_asked_id id, double *out)
{
	double v;

	if (scan_literal(&word, name) && isnan(*out) &&
	    asked_sources_amount(id, word.p, (size_t)(word.end - word.p), &v) && v > 0)
		*out = v;
}

struct asked_job asked_schedulers_scontrol(const char *text, size_t n)
{
	struct asked_job job = {NAN, NAN, NAN, NAN};
	struct scan s = scan_text(text, n), word;

	while (scan_word(&s, &word)) {
		take_amount(word, "TimeLimit=", SNAPSHOT_ASKED_TIME, &job.time_s);
		take_amount(word, "RunTime=", SNAPSHOT_ASKED_TIME, &job.ran_s);
		take_amount(word, "MinMemoryNode=", SNAPSHOT_ASKED_MEMORY, &job.memory_b);
		take_amount(word, "MinMemoryCPU=", SNAPSHOT_ASKED_MEMORY, &job.memory_per_cpu_b);
	}
	return job;
}

/* -- tasks ------------------------------------------------------------------------------------- */

static double env_number(const struct job_env *env, const char *name)
{
	const char *value = name ? job_env_get(env, name) : NULL;

	return value ? asked_schedulers_number(value, strlen(value)) : NAN;
}

/* How many tasks a scheduler's own launcher started on this node. */
static double step_tasks(const struct scheduler *s, const struct job_env *env)
{
	double node = env_number(env, s->node_index);
	const char *list = NULL;

	for (size_t i = 0; !list && i < 2 && s->tasks_of_nodes[i]; i++)
		list = job_env_get(env, s->tasks_of_nodes[i]);
	if (!list || !job_env_has(env, s->local_rank_with) || !(node >= 0 && node < 1e7))
		return NAN;
	return asked_schedulers_item(list, strlen(list), (size_t)node);
}

double asked_schedulers_tasks(const struct job_env *env)
{
	double most = 1;

	/* The most: Open MPI's daemons are a step of Slurm with one task on each node. */
	for (size_t i = 0; i < schedulers_n; i++) {
		const struct scheduler *s = &schedulers[i];
		double n = s->node_index ? step_tasks(s, env) : NAN;
		for (size_t k = 0; isnan(n) && k < SCHEDULERS_NAMES; k++)
			n = job_env_has(env, s->local_rank)
			        ? env_number(env, s->of[PART_LOCAL_TASKS][k])
			        : NAN;
		if (asked_sources_plausible(SNAPSHOT_ASKED_TASKS, n) && n > most)
			most = n;
	}
	return most;
}

/* -- rows -------------------------------------------------------------------------------------- */

/* The recording's part of the node. */
struct node_share {
	double tasks;     /* that share the node; 1: the recording covers all */
	double task_cpus; /* what Slurm gave each task; NAN: an equal part */
};

static struct node_share find_share(const struct asked_input *in, const struct scheduler *s)
{
	struct node_share share = {1, NAN};
	double cpus;

	if (in->covers_task)
		share.tasks = asked_schedulers_tasks(in->env);
	if (share.tasks > 1 && s->task_cpus && step_tasks(s, in->env) == share.tasks) {
		cpus = env_number(in->env, s->task_cpus);
		share.task_cpus = asked_sources_plausible(CPUS, cpus) ? cpus : 1;
	}
	return share;
}

/* Whether no second host is listed. */
static bool is_single_host(const char *list)
{
	double hosts = 1;

	if (list)
		(void)asked_schedulers_hosts(list, strlen(list), false, "", &hosts);
	return hosts <= 1;
}

/* The value of a row, in the unit of its variable. share: whether it is already that of a task. */
static double row_value(const struct schedulers_amount *row, const struct asked_input *in,
                        const struct snapshot_asked *so_far, bool *share)
{
	const char *text = job_env_get(in->env, row->name);
	size_t n = text ? strlen(text) : 0;
	double v = text ? asked_schedulers_number(text, n) : NAN, hosts;

	switch (row->how) {
	case AMOUNT_NUMBER:
		return v;
	case AMOUNT_NUMBER_OR_ALL:
		return v == 0 ? in->memory_b / row->unit : v;
	case AMOUNT_PER_CPU:
	case AMOUNT_PER_GPU:
		*share = true;
		return v * so_far->of[row->how == AMOUNT_PER_CPU ? CPUS : GPUS].value;
	case AMOUNT_SINCE:
		v -= env_number(in->env, row->other);
		return v == SLURM_YEAR ? NAN : v;
	case AMOUNT_LIST:
		return text ? scan_list(text, n) : NAN;
	case AMOUNT_ON_ONE_HOST:
		return is_single_host(job_env_get(in->env, row->other)) ? v : NAN;
	case AMOUNT_ON_ONE_NODE:
		return env_number(in->env, row->other) > 1 ? NAN : v;
	case AMOUNT_OF_HOST:
		return text ? asked_schedulers_hosts(text, n, false, in->host, &hosts) : NAN;
	case AMOUNT_HOSTS:
		hosts = NAN;
		if (text)
			(void)asked_schedulers_hosts(text, n, false, in->host, &hosts);
		return hosts;
	case AMOUNT_OF_HOST_FILE:
		return asked_schedulers_hosts(in->file, in->file_n, true, in->host, &hosts);
	case AMOUNT_OF_AD:
		return asked_schedulers_ad(in->file, in->file_n, row->name);
	}
	return NAN;
}

void asked_schedulers_read(const struct asked_input *in, struct snapshot_asked *out)
{
	const struct scheduler *s = schedulers_find(SCHEDULERS_SCHEDULER, in->env);
	struct node_share share;

	if (!s)
		return;
	share = find_share(in, s);
	if (!isnan(share.task_cpus))
		asked_sources_put(out, CPUS, share.task_cpus, SNAPSHOT_ASKED_SCHEDULER,
		                  s->task_cpus, true);
	for (size_t i = 0; i < SCHEDULERS_AMOUNTS && s->asked[i].name; i++) {
		const struct schedulers_amount *row = &s->asked[i];
		bool is_share = false;
		double v = row_value(row, in, out, &is_share) * (row->unit > 0 ? row->unit : 1);
		asked_sources_put(out, row->id,
		                  asked_sources_shared(row->id) && !is_share ? v / share.tasks : v,
		                  SNAPSHOT_ASKED_SCHEDULER, row->name,
		                  asked_sources_shared(row->id) && share.tasks > 1);
	}
}
