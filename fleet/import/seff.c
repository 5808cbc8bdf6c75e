/* seff: the text of seff as jobs. */
#include "fleet/import/seff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/import/slurm_job.h"
#include "fleet/import/slurm_values.h"

#define JOB        "Job ID: "
#define TEXT_MAX_B 128 /* of a value; what is longer is cut */

struct reader {
	struct slurm_jobs *jobs;
	struct slurm_job_line l;
	char text[SLURM_JOB_TEXTS][TEXT_MAX_B];
	double cores; /* of a node */
	bool open;
};

/* "12.34 GB" of 1024³; "" and so on as in slurm_values.h. */
static int read_seff_size(const char *s, double *out)
{
	char text[TEXT_MAX_B];
	size_t n = strcspn(s, " ");

	*out = NAN;
	if (n + 2 >= sizeof text)
		return -1;
	memcpy(text, s, n);
	s += n + (s[n] == ' ');
	text[n] = strcmp(s, "B") == 0 ? '\0' : *s;
	text[n + 1] = '\0';
	if (*s && strcmp(s, "B") != 0 && strcmp(s + 1, "B") != 0)
		return -1;
	return slurm_values_bytes(text, 1, out);
}

/* The beginning of s, to the first bracket, without the blank before it. */
static int read_plain_size(const char *s, double *out)
{
	char text[TEXT_MAX_B];
	size_t n = strcspn(s, "(");

	*out = NAN;
	while (n && s[n - 1] == ' ')
		n--;
	if (n >= sizeof text)
		return -1;
	memcpy(text, s, n);
	text[n] = '\0';
	return read_seff_size(text, out);
}

/* "38.56% of 32.00 GB (2.00 GB/core)" → 32 GB */
static int read_whole(const char *s, double *out)
{
	const char *of = strstr(s, "% of ");

	*out = NAN;
	return of ? read_plain_size(of + strlen("% of "), out) : -1;
}

/* "FAILED (exit code 1)"; a job that its state says was ended has the code 0, too. */
static int read_state(struct reader *r, const char *s)
{
	const char *code = strstr(s, "(exit code ");
	char text[16];
	size_t n;

	snprintf(r->text[SLURM_JOB_STATE], TEXT_MAX_B, "%.*s", (int)strcspn(s, " "), s);
	if (!code)
		return 0;
	code += strlen("(exit code ");
	n = strcspn(code, ")");
	if (n >= sizeof text)
		return -1;
	memcpy(text, code, n);
	text[n] = '\0';
	return slurm_values_number(text, &r->l.number[SLURM_JOB_CODE]);
}

static int read_user(struct reader *r, const char *s)
{
	snprintf(r->text[SLURM_JOB_USER], TEXT_MAX_B, "%.*s", (int)strcspn(s, "/"), s);
	return 0;
}

/* Reads the value of a line; most lines have none. */
static int read_seff_value(struct reader *r, const char *key, size_t n, const char *s)
{
	double *number = r->l.number;

#define IS(text) (n == sizeof(text) - 1 && memcmp(key, text, n) == 0)
	if (IS("Array Job ID"))
		snprintf(r->text[SLURM_JOB_ID], TEXT_MAX_B, "%s", s);
	else if (IS("Cluster"))
		snprintf(r->text[SLURM_JOB_CLUSTER], TEXT_MAX_B, "%s", s);
	else if (IS("User/Group"))
		return read_user(r, s);
	else if (IS("State"))
		return read_state(r, s);
	else if (IS("Nodes"))
		return slurm_values_number(s, &number[SLURM_JOB_NODES]);
	else if (IS("Cores") || IS("Cores per node"))
		return slurm_values_number(s, &r->cores);
	else if (IS("CPU Utilized"))
		return slurm_values_clock(s, &number[SLURM_JOB_CPU]);
	else if (IS("Job Wall-clock time"))
		return slurm_values_clock(s, &number[SLURM_JOB_WALL]);
	else if (IS("Memory Utilized"))
		return read_plain_size(s, &number[SLURM_JOB_RSS_TOTAL]);
	else if (IS("Memory Efficiency"))
		return read_whole(s, &number[SLURM_JOB_ASKED_MEMORY]);
#undef IS
	return 0;
}

static int end_job(struct reader *r, struct err *e)
{
	double *number = r->l.number, nodes = number[SLURM_JOB_NODES];

	if (!r->open)
		return 0;
	r->open = false;
	for (int i = 0; i < SLURM_JOB_TEXTS; i++)
		r->l.text[i] = r->text[i];
	number[SLURM_JOB_ASKED_CPUS] = r->cores * (nodes >= 1 ? nodes : 1);
	return slurm_job_add(r->jobs, &r->l, e);
}

static void begin_job(struct reader *r, const struct import_line *line)
{
	slurm_job_line_clear(&r->l);
	for (int i = 0; i < SLURM_JOB_TEXTS; i++)
		*r->text[i] = '\0';
	r->l.line = line->number;
	r->cores = NAN;
	r->open = true;
	snprintf(r->text[SLURM_JOB_ID_RAW], TEXT_MAX_B, "%s", line->s + strlen(JOB));
}

static int read_lines(struct import *in, struct reader *r, struct err *e)
{
	struct import_line line = {.s = NULL};
	int failed = 0;

	while (!failed && import_reader_next_line(in, &line)) {
		const char *colon = strstr(line.s, ": ");
		if (strncmp(line.s, JOB, strlen(JOB)) == 0) {
			failed = end_job(r, e);
			begin_job(r, &line);
		} else if (r->open && colon &&
		           read_seff_value(r, line.s, (size_t)(colon - line.s), colon + 2)) {
			*strstr(line.s, ": ") = '\0';
			import_reader_unknown(in, line.number, line.s, colon + 2);
		}
	}
	import_reader_line_free(&line);
	return failed ? failed : end_job(r, e);
}

int seff_read(struct import *in, struct err *e)
{
	struct reader *r = calloc(1, sizeof *r);
	int failed = -1;

	if (!r)
		return err_set(e, "%s: no memory", in->name);
	r->jobs = slurm_job_new(in, "seff", e);
	if (r->jobs && read_lines(in, r, e) == 0)
		failed = slurm_job_end(r->jobs, e);
	slurm_job_free(r->jobs);
	free(r);
	return failed;
}

bool seff_recognise(const char *text, size_t n)
{
	static const char state[] = "\nState: ";
	size_t at = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	return n - at > strlen(JOB) && memcmp(text + at, JOB, strlen(JOB)) == 0 &&
	       memmem(text, n, state, strlen(state));
}
