/* sacct_json: the output of `sacct --json` as jobs. */
#include "fleet/import/sacct_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/larger.h"
#include "core/base/quantity.h"
#include "core/json/json_read.h"
#include "fleet/import/jobstats.h"
#include "fleet/import/slurm_job.h"

/* -- which values are kept, by their paths ----------------------------------------------------- */

/* "/time/start" is of a job, "/steps/time/start" of its step. */

#define SACCT_JSON_VALUES_STEPS "/steps" /* their path */
#define SACCT_JSON_VALUES_TEXT  512      /* bytes of a text that is kept; the rest is cut */
#define SACCT_JSON_VALUES_MAX   1e15     /* numbers; Slurm has the largest ones for "not set" */

struct sacct_json_step {
	char id[32], state[32];
	char nodes[SACCT_JSON_VALUES_TEXT]; /* their list */
	double number[SLURM_JOB_NUMBERS];
};

/* A job, and the step of it that is read. "" and NAN are unknown. */
struct sacct_json_values {
	char text[SLURM_JOB_TEXTS][SACCT_JSON_VALUES_TEXT];
	double number[SLURM_JOB_NUMBERS];
	struct buf comment;
	double array_job, array_task, het_job, het_component;
	struct sacct_json_step step;
};

/* Where a value goes. Numbers are multiplied by factor. */
struct place {
	const char *path;
	bool text;
	int into; /* enum slurm_job_text or enum slurm_job_number */
	double factor;
};

/* The places of values. The first one that is there counts. */
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
    {"/comment/administrator", true, SLURM_JOB_COMMENT, 0},
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
    {"/tres/requested", "mem", "", SLURM_JOB_ASKED_MEMORY, QUANTITY_MIB},
    {"/tres/requested", "gres", "gpu", SLURM_JOB_ASKED_GPUS, 1},
    {"/tres/allocated", "cpu", "", SLURM_JOB_GIVEN_CPUS, 1},
    {"/tres/allocated", "mem", "", SLURM_JOB_GIVEN_MEMORY, QUANTITY_MIB},
    {"/tres/allocated", "gres", "gpu", SLURM_JOB_GIVEN_GPUS, 1},
    {"/tres/allocated", "node", "", SLURM_JOB_NODES, 1},
    {"/steps/tres/allocated", "cpu", "", SLURM_JOB_GIVEN_CPUS, 1},
    {"/steps/tres/allocated", "mem", "", SLURM_JOB_GIVEN_MEMORY, QUANTITY_MIB},
    {"/steps/tres/allocated", "gres", "gpu", SLURM_JOB_GIVEN_GPUS, 1},
    {"/steps/tres/requested/total", "mem", "", SLURM_JOB_RSS_TOTAL, 1},
    {"/steps/tres/requested/max", "mem", "", SLURM_JOB_RSS_MAX, 1},
    {"/steps/tres/requested/total", "cpu", "", SLURM_JOB_CPU_POLLED, 1e-3},
    {"/steps/tres/requested/max", "cpu", "", SLURM_JOB_CPU_POLLED, 1e-3},
    {"/steps/tres/requested/total", "fs", "disk", SLURM_JOB_DISK, 1},
};

/* Stores a text, cut, where there is none yet. */
static void sacct_json_values_keep(char *into, size_t size, const char *text)
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

/* A value at a path, of which the first counts. */
static void sacct_json_values_text(struct sacct_json_values *r, const char *path, const char *text)
{
	const struct place *p = sacct_place_of(path);
	const char *dot;

	if (!p || !p->text)
		return;
	if (!is_step(path) && p->into == SLURM_JOB_COMMENT) {
		buf_clear(&r->comment);
		if (jobstats_is(text)) /* one that is cut is not understood */
			buf_add(&r->comment, text, strnlen(text, JOBSTATS_TEXT_MAX));
	} else if (!is_step(path)) {
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

static void sacct_json_values_number(struct sacct_json_values *r, const char *path, double v)
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
	} else if (strcmp(path, "/het/job_id") == 0) {
		r->het_job = v;
	} else if (strcmp(path, "/het/job_offset") == 0) {
		r->het_component = v;
	} else if (strncmp(path, total, sizeof total - 1) == 0 && v >= 0 &&
	           v <= SACCT_JSON_VALUES_MAX) {
		bool whole = strcmp(path + sizeof total - 1, "seconds") == 0;
		double *cpu = &r->step.number[SLURM_JOB_CPU];
		*cpu = (isnan(*cpu) ? 0 : *cpu) + (whole ? v : v / 1e6);
	}
}

/* A resource of the list at a path: "gres", "gpu", 2. */
static void sacct_json_values_resource(struct sacct_json_values *r, const char *path,
                                       const char *type, const char *name, double v)
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

/* Whether a text at this path is kept. */
static bool sacct_json_values_wanted(const char *path)
{
	return sacct_place_of(path) != NULL;
}

static void sacct_json_values_clear_step(struct sacct_json_step *s)
{
	*s->id = *s->state = *s->nodes = '\0';
	for (int i = 0; i < SLURM_JOB_NUMBERS; i++)
		s->number[i] = NAN;
}

static void sacct_json_values_clear(struct sacct_json_values *v)
{
	for (int i = 0; i < SLURM_JOB_TEXTS; i++)
		*v->text[i] = '\0';
	for (int i = 0; i < SLURM_JOB_NUMBERS; i++)
		v->number[i] = NAN;
	buf_clear(&v->comment);
	v->array_job = v->array_task = v->het_job = v->het_component = NAN;
	sacct_json_values_clear_step(&v->step);
}

/* -- reading ----------------------------------------------------------------------------------- */

#define BYTES_MAX  ((uint64_t)1 << 40)
#define STRING_MAX ((size_t)1 << 20)
#define PATH_MAX_B 256

struct reader {
	struct import *in;
	struct json_read *j;
	struct slurm_jobs *jobs;
	struct buf key, string;
	char path[PATH_MAX_B];
	struct sacct_json_values v; /* the job that is read */
	/* The keys come in the order of the alphabet: steps before what belongs to their job. */
	struct sacct_json_step *steps;
	size_t n_steps, cap_steps, more_steps;
};

/* -- the tree ---------------------------------------------------------------------------------- */

/* An object that is a value, and not a folder of others: {"set": true, "infinite": false, "number":
 * 5}; a resource {"type": "gres", "name": "gpu", "count": 1}. */
struct object {
	double number, count;
	bool unset;
	char type[16], name[32];
};

static int read_json_value(struct reader *r);

static int read_number_or_word(struct reader *r, double *v, bool *truth)
{
	*truth = json_read_peek(r->j) == 't';
	return json_read_cell(r->j, v);
}

/* A member of an object; true if it was one of those of struct object. */
static int read_json_member(struct reader *r, struct object *o, bool *own)
{
	bool type = strcmp(buf_cstr(&r->key), "type") == 0;
	bool name = strcmp(buf_cstr(&r->key), "name") == 0;
	char *text = type ? o->type : o->name;
	size_t size = type ? sizeof o->type : sizeof o->name;
	int c = json_read_peek(r->j);
	bool truth, set = strcmp(buf_cstr(&r->key), "set") == 0;
	double v;

	*own = true;
	if ((type || name) && strstr(r->path, "/tres/") && c == '"') {
		if (json_read_string(r->j, &r->string))
			return -1;
		sacct_json_values_keep(text, size, buf_cstr(&r->string));
		return 0;
	}
	if (c == '{' || c == '[' || c == '"') {
		*own = false;
		return 0;
	}
	if (set || strcmp(buf_cstr(&r->key), "infinite") == 0) {
		if (read_number_or_word(r, &v, &truth))
			return -1;
		o->unset = o->unset || truth != set;
		return 0;
	}
	if (strcmp(buf_cstr(&r->key), "number") == 0)
		return json_read_cell(r->j, &o->number);
	if (strcmp(buf_cstr(&r->key), "count") == 0 && strstr(r->path, "/tres/"))
		return json_read_cell(r->j, &o->count);
	*own = false;
	return 0;
}

static int read_json_object(struct reader *r)
{
	struct object o = {.number = NAN, .count = NAN};
	size_t before = strlen(r->path), n;
	bool first = true, own;
	int more;

	if (json_read_open(r->j, '{'))
		return -1;
	while ((more = json_read_more(r->j, '{', &first)) > 0) {
		if (json_read_key(r->j, &r->key) || read_json_member(r, &o, &own))
			return -1;
		if (own)
			continue;
		n = r->key.len;
		if (before + n + 2 > sizeof r->path) {
			if (json_read_skip(r->j, NULL))
				return -1;
			continue;
		}
		r->path[before] = '/';
		memcpy(r->path + before + 1, buf_cstr(&r->key), n + 1);
		if (read_json_value(r))
			return -1;
		r->path[before] = '\0';
	}
	if (!isnan(o.number) && !o.unset)
		sacct_json_values_number(&r->v, r->path, o.number);
	if (*o.type)
		sacct_json_values_resource(&r->v, r->path, o.type, o.name, o.count);
	return more;
}

static int read_array(struct reader *r);

/* Any value, at r->path. */
static int read_json_value(struct reader *r)
{
	int c = json_read_peek(r->j);
	double v;

	if (c == '{')
		return read_json_object(r);
	if (c == '[')
		return read_array(r);
	if (c == '"') {
		if (!sacct_json_values_wanted(r->path))
			return json_read_skip(r->j, NULL);
		if (json_read_string(r->j, &r->string))
			return -1;
		sacct_json_values_text(&r->v, r->path, buf_cstr(&r->string));
		return 0;
	}
	if (json_read_cell(r->j, &v))
		return -1;
	if (!isnan(v))
		sacct_json_values_number(&r->v, r->path, v);
	return 0;
}

static int keep_step(struct reader *r)
{
	struct sacct_json_step *more;

	if (r->n_steps == SACCT_JSON_STEPS) {
		r->more_steps++;
		return 0;
	}
	if (r->n_steps == r->cap_steps) {
		more = realloc(r->steps, (2 * r->cap_steps + 8) * sizeof *more);
		if (!more)
			return json_read_fail(r->j, "no memory");
		r->steps = more;
		r->cap_steps = 2 * r->cap_steps + 8;
	}
	r->steps[r->n_steps++] = r->v.step;
	return 0;
}

static int read_array(struct reader *r)
{
	bool first = true, steps = strcmp(r->path, SACCT_JSON_VALUES_STEPS) == 0;
	int more;

	if (json_read_open(r->j, '['))
		return -1;
	while ((more = json_read_more(r->j, '[', &first)) > 0) {
		if (steps)
			sacct_json_values_clear_step(&r->v.step);
		if (read_json_value(r) || (steps && keep_step(r)))
			return -1;
	}
	return more;
}

/* -- jobs -------------------------------------------------------------------------------------- */

/* The ID as sacct prints it: "12_3" of an element of an array, "12+1" of a component of a
 * heterogeneous job; with a step. */
static void write_id(const struct reader *r, bool raw, const char *step, char *out, size_t size)
{
	const char *job = r->v.text[SLURM_JOB_ID_RAW], *dot = *step ? "." : "";

	if (!raw && r->v.array_job > 0 && r->v.array_task >= 0 &&
	    r->v.array_task <= SACCT_JSON_VALUES_MAX)
		snprintf(out, size, "%.0f_%.0f%s%s", r->v.array_job, r->v.array_task, dot, step);
	else if (!raw && r->v.het_job > 0 && r->v.het_component >= 0 &&
	         r->v.het_component <= SACCT_JSON_VALUES_MAX)
		snprintf(out, size, "%.0f+%.0f%s%s", r->v.het_job, r->v.het_component, dot, step);
	else
		snprintf(out, size, "%.40s%s%s", job, dot, step);
}

static int add_steps(struct reader *r, struct err *e)
{
	char id[128], raw[128];
	struct slurm_job_line l;

	for (size_t i = 0; i < r->n_steps; i++) {
		slurm_job_line_clear(&l);
		write_id(r, false, r->steps[i].id, id, sizeof id);
		write_id(r, true, r->steps[i].id, raw, sizeof raw);
		l.text[SLURM_JOB_ID] = id;
		l.text[SLURM_JOB_ID_RAW] = raw;
		l.text[SLURM_JOB_STATE] = r->steps[i].state;
		l.text[SLURM_JOB_NODE_LIST] = r->steps[i].nodes;
		memcpy(l.number, r->steps[i].number, sizeof l.number);
		if (slurm_job_add(r->jobs, &l, e))
			return -1;
	}
	if (r->more_steps) {
		r->in->lines += r->more_steps;
		import_reader_left_out(r->in, 0, "a job with too many steps; its use is unknown");
		slurm_job_cut(r->jobs);
	}
	return 0;
}

static int add_job(struct reader *r, struct err *e)
{
	struct slurm_job_line l;
	char id[128];

	slurm_job_line_clear(&l);
	for (int i = 0; i < SLURM_JOB_TEXTS; i++)
		l.text[i] = r->v.text[i];
	l.text[SLURM_JOB_COMMENT] = buf_cstr(&r->v.comment);
	memcpy(l.number, r->v.number, sizeof l.number);
	write_id(r, false, "", id, sizeof id);
	l.text[SLURM_JOB_ID] = id;
	return slurm_job_add(r->jobs, &l, e) || add_steps(r, e) ? -1 : 0;
}

/* 1: in->each ended the import. */
static int read_job(struct reader *r, struct err *e)
{
	sacct_json_values_clear(&r->v);
	r->n_steps = r->more_steps = 0;
	*r->path = '\0';
	if (read_json_value(r))
		return -1;
	return add_job(r, e) ? 1 : 0;
}

static int read_jobs(struct reader *r, struct err *e)
{
	bool first = true;
	int more, failed = json_read_open(r->j, '[');

	while (!failed && (more = json_read_more(r->j, '[', &first)) != 0)
		failed = more < 0 ? -1 : read_job(r, e);
	return failed;
}

static int read_top(struct reader *r, struct err *e)
{
	bool first = true;
	int more = 0, failed = json_read_open(r->j, '{');

	while (!failed && (more = json_read_more(r->j, '{', &first)) > 0) {
		failed = json_read_key(r->j, &r->key);
		if (!failed && strcmp(buf_cstr(&r->key), "jobs") == 0)
			failed = read_jobs(r, e);
		else if (!failed)
			failed = json_read_skip(r->j, NULL);
	}
	return failed ? failed : more;
}

static long read_file(void *ctx, uint64_t at, void *p, size_t n, struct err *e)
{
	(void)at;
	(void)e;
	return (long)fread(p, 1, n, ctx); /* import_read looks for an error of the file */
}

int sacct_json_read(struct import *in, struct err *e)
{
	const struct gz_source from = {.read = read_file, .ctx = in->f};
	struct gz_in *g = gz_in_from(&from, BYTES_MAX, e);
	struct reader *r = calloc(1, sizeof *r);
	struct json_read *j = malloc(sizeof *j);
	struct err broken = {0};
	int failed = -1;

	if (g && r && j && (r->jobs = slurm_job_new(in, "sacct", e))) {
		r->in = in;
		r->j = j;
		r->key.max = r->string.max = STRING_MAX;
		json_read_init(j, g, in->name, &broken);
		failed = read_top(r, e);
		if (failed < 0 && in->jobs + in->lines > 0) {
			if (!in->left_out++ && !*in->example.msg)
				in->example = broken;
			slurm_job_cut(r->jobs);
			failed = 0;
		} else if (failed < 0) {
			err_set(e, "%s", broken.msg);
		}
		if (!failed)
			failed = slurm_job_end(r->jobs, e);
		slurm_job_free(r->jobs);
		buf_free(&r->key);
		buf_free(&r->string);
		buf_free(&r->v.comment);
		free(r->steps);
	} else if (g) {
		err_set(e, "%s: no memory", in->name);
	}
	free(r);
	free(j);
	gz_in_free(g);
	return failed ? -1 : 0;
}

bool sacct_json_recognise(const char *text, size_t n)
{
	static const char *const signs[] = {"openapi\\/db", "openapi/db", "\"allocation_nodes\"",
	                                    "\"association\"", "\"sacct\""};
	size_t at = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	while (at < n && strchr(" \t\r\n", text[at]) && text[at])
		at++;
	if (at == n || text[at] != '{' || !memmem(text, n, "\"jobs\"", 6))
		return false;
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (memmem(text, n, signs[i], strlen(signs[i])))
			return true;
	return false;
}
