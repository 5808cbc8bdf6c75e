/* part: which part of a job this is. */
#include "collect/job/part.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/redact/redact.h"
#include "core/base/fnv1a.h"

#define NUMBER_MAX 2147483647.0 /* a larger number of nodes, tasks or elements is nonsense */

/* -- values ------------------------------------------------------------------------------------ */

/* The first of these variables that is set, and its name. NULL: none. */
static const char *first_set(const char *const *names, size_t n, const struct job_env *env,
                             const char **name)
{
	for (size_t i = 0; i < n && names[i]; i++) {
		const char *value = job_env_get(env, names[i]);
		if (value && *value) {
			*name = names[i];
			return value;
		}
	}
	return NULL;
}

/* Copies a value up to its first control character, redacted. An id that had to be redacted or cut
 * becomes a hash: two ids must not become equal. */
static void copy_value(const char *name, const char *value, bool id, char out[PART_TEXT_MAX])
{
	struct buf b = {0};
	char text[4 * PART_TEXT_MAX];
	size_t n = 0;

	while (n < sizeof text - 1 && (unsigned char)value[n] >= ' ' && value[n] != 0x7f)
		n++;
	memcpy(text, value, n);
	text[n] = '\0';
	redact_value(name, text, &b);
	n = strlen(buf_cstr(&b));
	if (id && (b.failed || strcmp(buf_cstr(&b), value) != 0 || n >= PART_TEXT_MAX)) {
		snprintf(out, PART_TEXT_MAX, "%016" PRIx64, fnv1a_add(FNV1A_BEGIN, value));
	} else {
		n = n < PART_TEXT_MAX ? n : PART_TEXT_MAX - 1;
		while (n && n == PART_TEXT_MAX - 1 &&
		       ((unsigned char)buf_cstr(&b)[n] & 0xc0) == 0x80)
			n--;
		memcpy(out, b.failed ? "" : buf_cstr(&b), b.failed ? 0 : n);
		out[b.failed ? 0 : n] = '\0';
	}
	buf_free(&b);
}

/* A whole number within bounds; NAN otherwise. */
static double number_of_text(const char *text)
{
	char *end;
	double v = *text >= '0' && *text <= '9' ? strtod(text, &end) : NAN;

	return isnan(v) || text[strspn(text, "0123456789")] || v > NUMBER_MAX ? NAN : v;
}

static double at_least(double v, double min)
{
	return v >= min ? v : NAN;
}

/* "host slots host slots" → 2 */
static double count_hosts(const char *text)
{
	size_t words = 0;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		words++;
		text += strcspn(text, " ");
	}
	return words >= 2 ? (double)(words / 2) : NAN;
}

static bool is_id(enum part_value v)
{
	return v == PART_JOB || v == PART_CLUSTER || v == PART_STEP || v == PART_ARRAY ||
	       v == PART_RESTART;
}

static void read_values(struct part *p, const struct scheduler *source, const struct job_env *env)
{
	for (int v = 0; v < PART_VALUES; v++) {
		const char *name, *value = first_set(source->of[v], SCHEDULERS_NAMES, env, &name);
		if (value)
			copy_value(name, value, is_id((enum part_value)v), p->text[v]);
	}
}

/* The scheduler, if its variables say which part of a job this is. */
static const struct scheduler *find_scheduler(const struct job_env *env)
{
	const struct scheduler *s = schedulers_find(SCHEDULERS_SCHEDULER, env);

	if (!s || !s->of[PART_JOB][0] || (s->pods && !job_env_has(env, s->of[PART_INDEX][0])))
		return NULL;
	return s;
}

/* -- keys -------------------------------------------------------------------------------------- */

/* Appends a field; "/" separates fields, so it becomes "_" in one. */
static void add_to_key(char key[PART_KEY_MAX], const char *field)
{
	size_t n = strlen(key);

	if (n && n + 1 < PART_KEY_MAX)
		key[n++] = '/';
	for (; *field && n + 1 < PART_KEY_MAX; field++)
		key[n++] = *field == '/' ? '_' : *field;
	key[n] = '\0';
}

/* The array's id from the id of an element: "12[3].server" → "12[].server", "UUID:3" → "UUID", and
 * for a pod "NAME-3-x7k2p" or "NAME-3" → "NAME". LSF and SGE have one id for all. */
static void array_of_element(const struct part *p, char out[PART_TEXT_MAX])
{
	char suffix[32], *open, *close, *end = NULL;

	snprintf(out, PART_TEXT_MAX, "%s", p->text[PART_JOB]);
	open = strchr(out, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close)
		memmove(open + 1, close, strlen(close) + 1);
	else if ((end = strchr(out, ':')))
		*end = '\0';
	if (!p->scheduler->pods)
		return;
	snprintf(suffix, sizeof suffix, "-%.0f", p->index);
	for (char *at = out; (at = strstr(at, suffix)); at++) {
		const char *rest = at + strlen(suffix);
		if (!*rest || (*rest == '-' && rest[1] && !strchr(rest + 1, '-')))
			end = at;
	}
	if (end)
		*end = '\0';
}

/* Hashes what identifies a launch; false if nothing does. *unique: even without a scheduler's
 * job. */
static bool hash_launch(const struct scheduler *l, const struct job_env *env, const char *restart,
                        uint64_t *hash, bool *unique)
{
	const char *name, *proof = first_set(l->unique, 2, env, &name);
	bool any = false;

	*hash = FNV1A_BEGIN;
	for (size_t i = 0; i < SCHEDULERS_NAMES && l->id[i]; i++) {
		const char *value = first_set(&l->id[i], 1, env, &name);
		any = any || value;
		*hash = fnv1a_add(*hash, value ? value : "");
	}
	*hash = fnv1a_add(*hash, restart);
	*unique = proof && strcmp(proof, "none") != 0 && proof[strspn(proof, "0123456789")];
	return any;
}

/* Whether this is "ARRAY-3-x7k2p". A host name "ARRAY-3" is that of the next attempt too. */
static bool is_pod_name(const char *job, const char *array)
{
	size_t n = strlen(array);

	return strlen(job) > n + 2 && strchr(job + n + 1, '-');
}

static void make_keys(struct part *p, const struct job_env *env, const char *launch_restart)
{
	const struct scheduler *s = *p->text[PART_JOB] ? p->scheduler : NULL;
	char array[PART_TEXT_MAX] = "", job[PART_TEXT_MAX + 16], launch[64] = "";
	const char *step = launch;
	uint64_t hash;
	bool unique = false;

	if (p->launcher && hash_launch(p->launcher, env, launch_restart, &hash, &unique))
		snprintf(launch, sizeof launch, "%s-%016" PRIx64, p->launcher->name, hash);
	if (s && isfinite(p->index)) {
		snprintf(array, sizeof array, "%s", p->text[PART_ARRAY]);
		if (!*array)
			array_of_element(p, array);
		add_to_key(p->array_key, s->name);
		add_to_key(p->array_key, p->text[PART_CLUSTER]);
		add_to_key(p->array_key, array);
	}
	if (s) {
		/* The job's id in keys: without the node of "UUID#1", and with the index where all
		 * elements of the array have the same id. */
		snprintf(job, PART_TEXT_MAX, "%s", p->text[PART_JOB]);
		job[strcspn(job, "#")] = '\0';
		if (isfinite(p->index) && strcmp(job, array) == 0)
			snprintf(job + strlen(job), 16, "[%.0f]", p->index);
		if (s->pods && *launch && p->nodes > 1) {
			/* The pods are the nodes of one job. */
			p->array_key[0] = '\0';
			snprintf(job, sizeof job, "%s", array);
		} else if (s->pods && !is_pod_name(job, array)) {
			return;
		}
		add_to_key(p->key, s->name);
		add_to_key(p->key, p->text[PART_CLUSTER]);
		add_to_key(p->key, job);
		if (!*launch)
			step = *p->text[PART_STEP] ? p->text[PART_STEP] : "batch";
		add_to_key(p->key, step);
		add_to_key(p->key, *p->text[PART_RESTART] ? p->text[PART_RESTART] : "0");
	} else if (unique) {
		add_to_key(p->key, launch);
	}
}

/* -- the part ---------------------------------------------------------------------------------- */

struct part part_none(void)
{
	return (struct part){
	    .nodes = NAN, .tasks = NAN, .local_tasks = NAN, .rank = NAN, .index = NAN};
}

/* The launcher's values replace the scheduler's: its tasks are others. */
static void read_launcher(struct part *p, const struct job_env *env, char restart[PART_TEXT_MAX])
{
	static const enum part_value replaced[] = {PART_RANK, PART_TASKS, PART_LOCAL_TASKS};
	struct part l = part_none();

	read_values(&l, p->launcher, env);
	snprintf(restart, PART_TEXT_MAX, "%s", l.text[PART_RESTART]);
	for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
		memcpy(p->text[replaced[i]], l.text[replaced[i]], PART_TEXT_MAX);
	if (*l.text[PART_NODES])
		memcpy(p->text[PART_NODES], l.text[PART_NODES], PART_TEXT_MAX);
	if (p->launcher->inherits)
		memcpy(p->text[PART_NODE], l.text[PART_NODE], PART_TEXT_MAX);
}

void part_read(struct part *p, const struct job_env *env)
{
	char restart[PART_TEXT_MAX] = "";

	*p = part_none();
	p->scheduler = find_scheduler(env);
	p->launcher = schedulers_find(SCHEDULERS_LAUNCHER, env);
	if (p->scheduler)
		read_values(p, p->scheduler, env);
	if (p->launcher && p->launcher->guess && *p->text[PART_RANK])
		p->launcher = NULL;
	p->launched = p->launcher || *p->text[PART_STEP];
	if (p->launcher)
		read_launcher(p, env, restart);
	p->nodes = at_least(number_of_text(p->text[PART_NODES]), 1);
	if (isnan(p->nodes))
		p->nodes = count_hosts(p->text[PART_HOSTS]);
	p->rank = number_of_text(p->text[PART_RANK]);
	p->tasks = at_least(number_of_text(p->text[PART_TASKS]), 1);
	p->local_tasks = at_least(number_of_text(p->text[PART_LOCAL_TASKS]), 1);
	p->index = number_of_text(p->text[PART_INDEX]);
	if (p->scheduler)
		p->index = at_least(p->index, p->scheduler->first_index);
	if (p->scheduler && p->scheduler->script && !p->launched)
		p->nodes = 1;
	/* A launcher need not use all nodes of the scheduler's job. */
	if (p->launcher && p->local_tasks == p->tasks)
		p->nodes = 1;
	else if (p->launcher && p->nodes > p->tasks)
		p->nodes = NAN;
	make_keys(p, env, restart);
	for (int v = 0; v < PART_VALUES; v++)
		p->odd[v] = *p->text[v] != '\0';
	if (isnan(p->index))
		p->text[PART_INDEX][0] = '\0';
	if (isnan(p->rank))
		p->text[PART_RANK][0] = '\0';
}

static bool is_one_of_several(const struct part *p)
{
	double nodes = p->local_tasks == 1 ? INFINITY : 1;

	if (p->nodes > 0)
		nodes = p->nodes;
	return p->launched && (p->local_tasks > 1 || p->tasks > nodes);
}

struct snapshot_part part_describe(const struct part *p, const char *host, bool per_node)
{
	bool several = p->nodes > 1 || (p->launched && p->tasks > 1), array = *p->array_key;
	bool task = !per_node && is_one_of_several(p);

	return (struct snapshot_part){.known = array || (several && *p->key),
	                              .job = several || array ? p->key : "",
	                              .node = *p->text[PART_NODE] ? p->text[PART_NODE] : host,
	                              .covers = task ? "task" : "node",
	                              .nodes = p->nodes,
	                              .task = task ? p->rank : NAN,
	                              .tasks = p->tasks,
	                              .array_job = p->array_key,
	                              .array_index = array ? p->index : NAN};
}

/* -- what is missing --------------------------------------------------------------------------- */

static bool is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += n)
		if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ','))
			return true;
	return false;
}

static void list_variable(const char *name, struct buf *b)
{
	if (!is_listed(buf_cstr(b), name))
		buf_printf(b, "%s%s", b->len ? ", " : "", name);
}

static void list_names(const struct scheduler *s, enum part_value value, struct buf *b)
{
	for (size_t k = 0; k < SCHEDULERS_NAMES && s->of[value][k]; k++)
		list_variable(s->of[value][k], b);
}

/* All that have this value, of a kind. */
static void list_variables(enum schedulers_kind kind, enum part_value value, struct buf *b)
{
	for (size_t i = 0; i < schedulers_n; i++) {
		const struct scheduler *s = &schedulers[i];
		if (s->kind != kind || !s->of[value][0])
			continue;
		/* A pod's name is set where no job is: only its index shows one. */
		if (kind == SCHEDULERS_SCHEDULER && value == PART_JOB)
			list_variable(s->pods ? s->of[PART_INDEX][0] : s->proof[0], b);
		else
			list_names(s, value, b);
	}
}

int part_missing(const struct part *p, enum part_value value, struct err *e)
{
	const struct scheduler *s = p->scheduler;
	struct buf b = {0};

	if (s && s->of[value][0]) {
		list_names(s, value, &b);
		err_set(e, "%s %s", buf_cstr(&b), p->odd[value] ? "gives none" : "is not set");
	} else {
		list_variables(SCHEDULERS_SCHEDULER, value, &b);
		list_variables(SCHEDULERS_LAUNCHER, value, &b);
		err_set(e, "none of %s is set", buf_cstr(&b));
	}
	buf_free(&b);
	return -1;
}
