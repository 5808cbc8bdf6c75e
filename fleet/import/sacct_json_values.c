/* sacct_json_values: which values of `sacct --json` are kept. */
#include "fleet/import/sacct_json_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/larger.h"

#define MIB (1024 * 1024.0)

/* Where a value goes. Numbers are multiplied by factor. */
struct place {
	const char *path;
	bool text;
	int into; /* enum slurm_job_text or enum slurm_job_number */
	double factor;
};

/* Of several that are there the first counts. */
static const struct place job_places[] = {
    {"/cluster", true, SLURM_JOB_CLUSTER, 0},
    {"/association/cluster", true, SLURM_JOB_CLUSTER, 0},
    {"/user", true, SLURM_JOB_USER, 0},
    {"/association/user", true, SLURM_JOB_USER, 0},
    {"/account", true, SLURM_JOB_ACCOUNT, 0},
    {"/partition", true, SLURM_JOB_PARTITION, 0},
    {"/qos", true, SLURM_JOB_QOS, 0},
    {"/name", true, SLURM_JOB_NAME, 0},
    {"/nodes", true, SLURM_JOB_NODE_LIST, 0},
    {"/working_directory", true, SLURM_JOB_DIRECTORY, 0},
    {"/state/current", true, SLURM_JOB_STATE, 0},
    {"/job_id", true, SLURM_JOB_ID_RAW, 0},
    {"/time/submission", false, SLURM_JOB_SUBMIT, 1},
    {"/time/start", false, SLURM_JOB_START, 1},
    {"/time/end", false, SLURM_JOB_END, 1},
    {"/time/elapsed", false, SLURM_JOB_WALL, 1},
    {"/time/suspended", false, SLURM_JOB_SUSPENDED, 1},
    {"/time/limit", false, SLURM_JOB_LIMIT, 60},
    {"/exit_code/return_code", false, SLURM_JOB_CODE, 1},
    {"/exit_code/signal/signal_id", false, SLURM_JOB_SIGNAL, 1},
    {"/exit_code/signal/id", false, SLURM_JOB_SIGNAL, 1},
    {"/restart_cnt", false, SLURM_JOB_RESTARTS, 1},
    {"/allocation_nodes", false, SLURM_JOB_NODES, 1},
    {"/required/CPUs", false, SLURM_JOB_ASKED_CPUS, 1},
};

static const struct place step_places[] = {
    {"/steps/step/id", true, SLURM_JOB_ID_RAW, 0},
    {"/steps/step/id/step_id", true, SLURM_JOB_ID_RAW, 0},
    {"/steps/state", true, SLURM_JOB_STATE, 0},
    {"/steps/time/start", false, SLURM_JOB_START, 1},
    {"/steps/time/end", false, SLURM_JOB_END, 1},
    {"/steps/time/elapsed", false, SLURM_JOB_WALL, 1},
    {"/steps/tasks/count", false, SLURM_JOB_TASKS, 1},
    {"/steps/nodes/range", true, SLURM_JOB_NODE_LIST, 0},
    {"/steps/nodes/count", false, SLURM_JOB_NODES, 1},
    {"/steps/exit_code/return_code", false, SLURM_JOB_CODE, 1},
    {"/steps/exit_code/signal/signal_id", false, SLURM_JOB_SIGNAL, 1},
    {"/steps/exit_code/signal/id", false, SLURM_JOB_SIGNAL, 1},
};

/* Resources: of the job in its own units, of what steps used in bytes and ms. */
static const struct {
	const char *path, *type, *name;
	int into;
	double factor;
} resources[] = {
    {"/tres/requested", "cpu", "", SLURM_JOB_ASKED_CPUS, 1},
    {"/tres/requested", "mem", "", SLURM_JOB_ASKED_MEMORY, MIB},
    {"/tres/requested", "gres", "gpu", SLURM_JOB_ASKED_GPUS, 1},
    {"/tres/allocated", "cpu", "", SLURM_JOB_GIVEN_CPUS, 1},
    {"/tres/allocated", "mem", "", SLURM_JOB_GIVEN_MEMORY, MIB},
    {"/tres/allocated", "gres", "gpu", SLURM_JOB_GIVEN_GPUS, 1},
    {"/tres/allocated", "node", "", SLURM_JOB_NODES, 1},
    {"/steps/tres/allocated", "cpu", "", SLURM_JOB_GIVEN_CPUS, 1},
    {"/steps/tres/allocated", "mem", "", SLURM_JOB_GIVEN_MEMORY, MIB},
    {"/steps/tres/allocated", "gres", "gpu", SLURM_JOB_GIVEN_GPUS, 1},
    {"/steps/tres/requested/total", "mem", "", SLURM_JOB_RSS_TOTAL, 1},
    {"/steps/tres/requested/max", "mem", "", SLURM_JOB_RSS_MAX, 1},
    {"/steps/tres/requested/total", "cpu", "", SLURM_JOB_CPU_POLLED, 1e-3},
    {"/steps/tres/requested/max", "cpu", "", SLURM_JOB_CPU_POLLED, 1e-3},
    {"/steps/tres/requested/total", "fs", "disk", SLURM_JOB_DISK, 1},
};

void sacct_json_values_keep(char *into, size_t size, const char *text)
{
	size_t n = strnlen(text, size - 1);

	if (*into)
		return;
	memcpy(into, text, n);
	into[n] = '\0';
}

static bool is_step(const char *path)
{
	return strncmp(path, SACCT_JSON_VALUES_STEPS "/", sizeof SACCT_JSON_VALUES_STEPS) == 0;
}

/* 0 is unknown of times and of sizes; Slurm has the largest numbers for "not set". */
static double known(int into, double v)
{
	bool positive = into <= SLURM_JOB_END || into == SLURM_JOB_ASKED_MEMORY ||
	                into == SLURM_JOB_GIVEN_MEMORY || into == SLURM_JOB_RSS_TOTAL ||
	                into == SLURM_JOB_RSS_MAX || into == SLURM_JOB_LIMIT;

	return v >= 0 && v <= SACCT_JSON_VALUES_MAX && (v > 0 || !positive) ? v : NAN;
}

static void keep_number(double *into, double v)
{
	if (isnan(*into))
		*into = v;
}

static const struct place *sacct_place_of(const char *path)
{
	bool step = is_step(path);
	const struct place *v = step ? step_places : job_places;
	size_t n = step ? sizeof step_places / sizeof *step_places
	                : sizeof job_places / sizeof *job_places;

	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i].path, path) == 0)
			return &v[i];
	return NULL;
}

void sacct_json_values_text(struct sacct_json_values *r, const char *path, const char *text)
{
	const struct place *p = sacct_place_of(path);
	const char *dot;

	if (!p || !p->text)
		return;
	if (!is_step(path)) {
		sacct_json_values_keep(r->text[p->into], SACCT_JSON_VALUES_TEXT, text);
	} else if (p->into == SLURM_JOB_STATE) {
		sacct_json_values_keep(r->step.state, sizeof r->step.state, text);
	} else if (p->into == SLURM_JOB_NODE_LIST) {
		/* A list that is cut would name other nodes. */
		if (strlen(text) < sizeof r->step.nodes)
			sacct_json_values_keep(r->step.nodes, sizeof r->step.nodes, text);
	} else {
		dot = strrchr(text, '.'); /* "12.batch" since 23.02 */
		sacct_json_values_keep(r->step.id, sizeof r->step.id, dot ? dot + 1 : text);
	}
}

void sacct_json_values_number(struct sacct_json_values *r, const char *path, double v)
{
	static const char total[] = "/steps/time/total/";
	const struct place *p = sacct_place_of(path);
	double *numbers = is_step(path) ? r->step.number : r->number;
	char text[32];

	if (p && p->text && v >= 0 && v <= SACCT_JSON_VALUES_MAX) {
		snprintf(text, sizeof text, "%.0f", v);
		sacct_json_values_text(r, path, text);
	} else if (p && !p->text) {
		keep_number(&numbers[p->into], known(p->into, v) * p->factor);
	} else if (strcmp(path, "/array/job_id") == 0) {
		r->array_job = v;
	} else if (strcmp(path, "/array/task_id") == 0) {
		r->array_task = v;
	} else if (strncmp(path, total, sizeof total - 1) == 0 && v >= 0 &&
	           v <= SACCT_JSON_VALUES_MAX) {
		bool whole = strcmp(path + sizeof total - 1, "seconds") == 0;
		double *cpu = &r->step.number[SLURM_JOB_CPU];
		*cpu = (isnan(*cpu) ? 0 : *cpu) + (whole ? v : v / 1e6);
	}
}

void sacct_json_values_resource(struct sacct_json_values *r, const char *path, const char *type,
                                const char *name, double v)
{
	double *numbers = is_step(path) ? r->step.number : r->number, *into;
	bool typed = strncmp(name, "gpu:", 4) == 0; /* counted in "gpu" as well, if that is there */

	for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
		if (strcmp(resources[i].path, path) != 0 || strcmp(resources[i].type, type) != 0 ||
		    strcmp(resources[i].name, typed ? "gpu" : name) != 0)
			continue;
		into = &numbers[resources[i].into];
		v = known(resources[i].into, v) * resources[i].factor;
		if (resources[i].into == SLURM_JOB_CPU_POLLED || typed)
			*into = larger(*into, v);
		else
			*into = v; /* of CPUs it is better than what is "required" */
	}
}

bool sacct_json_values_wanted(const char *path)
{
	return sacct_place_of(path) != NULL;
}

void sacct_json_values_clear_step(struct sacct_json_step *s)
{
	*s->id = *s->state = *s->nodes = '\0';
	for (int i = 0; i < SLURM_JOB_NUMBERS; i++)
		s->number[i] = NAN;
}

void sacct_json_values_clear(struct sacct_json_values *v)
{
	for (int i = 0; i < SLURM_JOB_TEXTS; i++)
		*v->text[i] = '\0';
	for (int i = 0; i < SLURM_JOB_NUMBERS; i++)
		v->number[i] = NAN;
	v->array_job = v->array_task = NAN;
	sacct_json_values_clear_step(&v->step);
}
