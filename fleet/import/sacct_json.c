/* sacct_json: the output of `sacct --json` as jobs. */
#include "fleet/import/sacct_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json/json_read.h"
#include "fleet/import/sacct_json_values.h"

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

/* What an object may be besides a folder of others: {"set": true, "infinite": false, "number": 5};
 * a resource {"type": "gres", "name": "gpu", "count": 1}. */
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
	char *text = strcmp(buf_cstr(&r->key), "type") == 0   ? o->type
	             : strcmp(buf_cstr(&r->key), "name") == 0 ? o->name
	                                                      : NULL;
	size_t size = text == o->type ? sizeof o->type : sizeof o->name;
	int c = json_read_peek(r->j);
	bool truth, set = strcmp(buf_cstr(&r->key), "set") == 0;
	double v;

	*own = true;
	if (text && strstr(r->path, "/tres/") && c == '"') {
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

/* The ID as sacct prints it: "12_3" of an element of an array; with a step. */
static void write_id(const struct reader *r, bool raw, const char *step, char *out, size_t size)
{
	const char *job = r->v.text[SLURM_JOB_ID_RAW], *dot = *step ? "." : "";

	if (!raw && r->v.array_job > 0 && r->v.array_task >= 0 &&
	    r->v.array_task <= SACCT_JSON_VALUES_MAX)
		snprintf(out, size, "%.0f_%.0f%s%s", r->v.array_job, r->v.array_task, dot, step);
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
