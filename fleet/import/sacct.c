/* sacct: the text of `sacct -P` as jobs. */
#include "fleet/import/sacct.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/base/larger.h"
#include "fleet/import/jobstats.h"
#include "fleet/import/slurm_job.h"
#include "fleet/import/slurm_values.h"

#define MIB            (1024 * 1024.0)
#define FIELDS_MAX     256
#define HEADER_MAX     4096
#define NAME_COLUMN    "JobName"
#define COMMENT_COLUMN "AdminComment"

/* How a field is read. */
enum how { TEXT, NUMBER, MINUTES, CLOCK, LIMIT, TIME, BYTES, REQ_MEM, EXIT, ASKED, GIVEN, USED };

/* Where several columns have a value, the first that knows it counts. */
static const struct {
	const char *name;
	enum how how;
	int into; /* enum slurm_job_text, enum slurm_job_number; or as how says */
} columns[] = {
    {"JobID", TEXT, SLURM_JOB_ID},
    {"JobIDRaw", TEXT, SLURM_JOB_ID_RAW},
    {NAME_COLUMN, TEXT, SLURM_JOB_NAME},
    {"User", TEXT, SLURM_JOB_USER},
    {"Account", TEXT, SLURM_JOB_ACCOUNT},
    {"Cluster", TEXT, SLURM_JOB_CLUSTER},
    {"Partition", TEXT, SLURM_JOB_PARTITION},
    {"QOS", TEXT, SLURM_JOB_QOS},
    {"State", TEXT, SLURM_JOB_STATE},
    {"NodeList", TEXT, SLURM_JOB_NODE_LIST},
    {"WorkDir", TEXT, SLURM_JOB_DIRECTORY},
    {COMMENT_COLUMN, TEXT, SLURM_JOB_COMMENT},
    {"Submit", TIME, SLURM_JOB_SUBMIT},
    {"Start", TIME, SLURM_JOB_START},
    {"End", TIME, SLURM_JOB_END},
    {"ElapsedRaw", NUMBER, SLURM_JOB_WALL},
    {"Elapsed", CLOCK, SLURM_JOB_WALL},
    {"Suspended", CLOCK, SLURM_JOB_SUSPENDED},
    {"TimelimitRaw", MINUTES, SLURM_JOB_LIMIT},
    {"Timelimit", LIMIT, SLURM_JOB_LIMIT},
    {"TotalCPU", CLOCK, SLURM_JOB_CPU},
    {"NTasks", NUMBER, SLURM_JOB_TASKS},
    {"NNodes", NUMBER, SLURM_JOB_NODES},
    {"AllocNodes", NUMBER, SLURM_JOB_NODES},
    {"MaxRSS", BYTES, SLURM_JOB_RSS_MAX},
    {"TRESUsageInTot", USED, 0},
    {"TRESUsageInMax", USED, 1},
    {"ReqTRES", ASKED, 0},
    {"AllocTRES", GIVEN, 0},
    {"ReqCPUS", NUMBER, SLURM_JOB_ASKED_CPUS},
    {"AllocCPUS", NUMBER, SLURM_JOB_GIVEN_CPUS},
    {"NCPUS", NUMBER, SLURM_JOB_GIVEN_CPUS},
    {"ReqMem", REQ_MEM, SLURM_JOB_ASKED_MEMORY}, /* after CPUs and nodes */
    {"ExitCode", EXIT, SLURM_JOB_CODE},
    {"Restarts", NUMBER, SLURM_JOB_RESTARTS},
};

#define COLUMNS (sizeof columns / sizeof *columns)

struct table {
	char header[HEADER_MAX]; /* it comes again in files that were put together */
	int at[COLUMNS];         /* of the fields; -1: the column is not there */
	size_t n;                /* fields */
	bool ended;              /* by "|", as -p has it */
	bool name_last;
	bool comment_before; /* the name */
};

/* Splits s in place at "|" into at most max fields, of which the last has the rest. */
static size_t split(char *s, char *field[], size_t max)
{
	size_t n = 0;

	do {
		field[n++] = s;
		s = n < max ? strchr(s, '|') : NULL;
		if (s)
			*s++ = '\0';
	} while (s);
	return n;
}

static bool cut_end(char *s)
{
	size_t n = strlen(s);

	if (!n || s[n - 1] != '|')
		return false;
	s[n - 1] = '\0';
	return true;
}

/* False: it is not a header. */
static bool read_sacct_header(struct table *t, const char *line)
{
	char copy[HEADER_MAX], *field[FIELDS_MAX];
	bool id = false;

	if (strlen(line) >= sizeof copy || !strchr(line, '|'))
		return false;
	memcpy(copy, line, strlen(line) + 1);
	memcpy(t->header, copy, sizeof copy);
	t->ended = cut_end(copy);
	t->n = split(copy, field, FIELDS_MAX);
	t->name_last = strcasecmp(field[t->n - 1], NAME_COLUMN) == 0;
	t->comment_before =
	    t->name_last && t->n > 1 && strcasecmp(field[t->n - 2], COMMENT_COLUMN) == 0;
	for (size_t i = 0; i < COLUMNS; i++) {
		t->at[i] = -1;
		for (size_t k = 0; k < t->n && t->at[i] < 0; k++)
			if (strcasecmp(field[k], columns[i].name) == 0)
				t->at[i] = (int)k;
	}
	for (size_t i = 0; i < COLUMNS; i++)
		id = id || (t->at[i] >= 0 && columns[i].how == TEXT &&
		            columns[i].into <= SLURM_JOB_ID_RAW);
	return id;
}

bool sacct_recognise(const char *text, size_t n)
{
	const char *end = memchr(text, '\n', n);
	char line[HEADER_MAX];
	struct table t;
	size_t length = end ? (size_t)(end - text) : n;

	if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		length -= 3;
	}
	if (length >= sizeof line || memchr(text, '\0', length))
		return false;
	memcpy(line, text, length);
	line[length] = '\0';
	line[strcspn(line, "\r")] = '\0';
	return read_sacct_header(&t, line);
}

/* -- fields ------------------------------------------------------------------------------------ */

static void keep(double *into, double v)
{
	if (isnan(*into))
		*into = v;
}

#define VALUE_MAX 64 /* bytes of a resource's value */

/* The value as a text; a longer one than any is "?". */
static const char *sacct_value_of(const struct slurm_values_resource *r, char out[VALUE_MAX])
{
	bool fits = r->n_value < VALUE_MAX;

	memcpy(out, fits ? r->value : "?", fits ? r->n_value : 1);
	out[fits ? r->n_value : 1] = '\0';
	return out;
}

/* cpu=2,mem=4G,node=1,gres/gpu=1 into the numbers from first on: CPUs, memory, GPUs. */
static int read_sacct_asked(const char *list, double first[3], double *nodes)
{
	struct slurm_values_gpus gpus = {NAN, NAN};
	struct slurm_values_resource r;
	char text[VALUE_MAX];
	double v = NAN;
	int failed = 0;

	while (slurm_values_resource(&list, &r)) {
		if (slurm_values_is(&r, "cpu")) {
			failed |= slurm_values_number(sacct_value_of(&r, text), &v);
			keep(&first[0], v);
		} else if (slurm_values_is(&r, "mem")) {
			failed |= slurm_values_bytes(sacct_value_of(&r, text), MIB, &v);
			keep(&first[1], v);
		} else if (slurm_values_is(&r, "node")) {
			failed |= slurm_values_number(sacct_value_of(&r, text), &v);
			keep(nodes, v);
		} else {
			failed |= slurm_values_gpus(&r, &gpus);
		}
	}
	keep(&first[2], isnan(gpus.all) ? gpus.typed : gpus.all);
	return failed ? -1 : 0;
}

/* cpu=00:00:07,fs/disk=1694334,mem=168644K. max: of the largest task, not of all. Of a task that
 * was killed only the former has CPU time. */
static int read_used(const char *list, bool max, double number[SLURM_JOB_NUMBERS])
{
	double *memory = &number[max ? SLURM_JOB_RSS_MAX : SLURM_JOB_RSS_TOTAL];
	double *cpu = &number[SLURM_JOB_CPU_POLLED], v = NAN;
	struct slurm_values_resource r;
	char text[VALUE_MAX];
	int failed = 0;

	while (slurm_values_resource(&list, &r)) {
		if (slurm_values_is(&r, "cpu")) {
			failed |= slurm_values_clock(sacct_value_of(&r, text), &v);
			*cpu = larger(*cpu, v);
		} else if (slurm_values_is(&r, "mem")) {
			failed |= slurm_values_bytes(sacct_value_of(&r, text), 1, &v);
			keep(memory, v);
		} else if (!max && slurm_values_is(&r, "fs/disk")) {
			failed |= slurm_values_number(sacct_value_of(&r, text), &v);
			keep(&number[SLURM_JOB_DISK], v);
		}
	}
	return failed ? -1 : 0;
}

/* The kinds that store one number. */
static int read_sacct_number(const char *s, enum how how, const double number[SLURM_JOB_NUMBERS],
                             double *v)
{
	int failed;

	switch (how) {
	case MINUTES:
		failed = slurm_values_limit(s, v) && slurm_values_number(s, v);
		*v *= 60;
		return failed ? -1 : 0;
	case CLOCK:
		return slurm_values_clock(s, v);
	case LIMIT:
		return slurm_values_limit(s, v);
	case TIME:
		return slurm_values_time(s, v);
	case BYTES:
		return slurm_values_bytes(s, 1, v);
	case REQ_MEM:
		return slurm_values_asked_bytes(s, number[SLURM_JOB_ASKED_CPUS],
		                                number[SLURM_JOB_NODES], v);
	default:
		return slurm_values_number(s, v);
	}
}

static int read_sacct_field(const char *s, size_t column, struct slurm_job_line *l)
{
	int into = columns[column].into, failed;
	double *n = l->number, v = NAN;

	switch (columns[column].how) {
	case TEXT:
		l->text[into] = s;
		return 0;
	case EXIT:
		return slurm_values_exit(s, &n[SLURM_JOB_CODE], &n[SLURM_JOB_SIGNAL]);
	case ASKED:
		return read_sacct_asked(s, &n[SLURM_JOB_ASKED_CPUS], &n[SLURM_JOB_NODES]);
	case GIVEN:
		return read_sacct_asked(s, &n[SLURM_JOB_GIVEN_CPUS], &n[SLURM_JOB_NODES]);
	case USED:
		return read_used(s, into == 1, n);
	default:
		failed = read_sacct_number(s, columns[column].how, n, &v);
		keep(&n[into], v);
		return failed;
	}
}

/* A comment of any text may hold "|", as a name may, but jobstats' does not: what is more than the
 * header's fields is the comment's, if there is another one. */
static void split_comment(const char *comment, char **name)
{
	char *bar = strrchr(*name, '|');

	if (bar && *comment && !jobstats_is(comment))
		*name = bar + 1;
}

/* -- lines ------------------------------------------------------------------------------------- */

static int read_sacct_line(struct import *in, struct slurm_jobs *jobs, const struct table *t,
                           struct import_line *line, struct err *e)
{
	char *field[FIELDS_MAX];
	struct slurm_job_line l;
	size_t n;

	if (strcmp(line->s, t->header) == 0 || !*line->s)
		return 0;
	if (line->cut || (t->ended && !cut_end(line->s)) ||
	    (n = split(line->s, field, t->name_last ? t->n : FIELDS_MAX)) != t->n) {
		in->lines++;
		import_reader_left_out(in, line->number,
		                       line->cut ? "the line is too long"
		                                 : "not as many fields as the header has");
		return 0;
	}
	if (t->comment_before)
		split_comment(field[n - 2], &field[n - 1]);
	slurm_job_line_clear(&l);
	l.line = line->number;
	for (size_t i = 0; i < COLUMNS; i++)
		if (t->at[i] >= 0 && *field[t->at[i]] && read_sacct_field(field[t->at[i]], i, &l))
			import_reader_unknown(in, line->number, columns[i].name, field[t->at[i]]);
	return slurm_job_add(jobs, &l, e);
}

/* The last line of a file that is cut may lack the end of its last field, and the job more
 * lines. */
static void end_cut(struct import *in, struct slurm_jobs *jobs, const struct import_line *line)
{
	in->lines++;
	import_reader_left_out(in, line->number, "the last line, which is cut");
	slurm_job_cut(jobs);
}

int sacct_read(struct import *in, struct err *e)
{
	struct slurm_jobs *jobs = slurm_job_new(in, "sacct", e);
	struct import_line line = {.s = NULL};
	struct table t = {.n = 0};
	int failed = jobs ? 0 : -1;

	if (jobs && (!import_reader_next_line(in, &line) || !read_sacct_header(&t, line.s)))
		failed = err_set(e, "%s: sacct's header is not there", in->name);
	while (!failed && import_reader_next_line(in, &line)) {
		if (line.whole)
			failed = read_sacct_line(in, jobs, &t, &line, e);
		else
			end_cut(in, jobs, &line);
	}
	if (!failed)
		failed = slurm_job_end(jobs, e);
	import_reader_line_free(&line);
	slurm_job_free(jobs);
	return failed;
}
