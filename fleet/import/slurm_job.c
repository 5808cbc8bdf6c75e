/* slurm_job: the lines of Slurm's accounting → jobs. */
#include "fleet/import/slurm_job.h"

#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fnv1a.h"
#include "core/base/larger.h"
#include "core/base/utf8.h"
#include "core/end/end_cause.h"
#include "core/recording/snapshot.h"
#include "fleet/import/jobstats.h"
#include "fleet/import/slurm_attempts.h"
#include "fleet/import/slurm_steps.h"

/* -- how a job ended, from Slurm's word for it ------------------------------------------------- */

enum slurm_state_kind {
	SLURM_STATE_UNKNOWN,
	SLURM_STATE_WAITS, /* it has not run */
	SLURM_STATE_RUNS,
	SLURM_STATE_PART, /* the time before a job was resized */
	SLURM_STATE_ENDED
};

/* As of a recording: docs/snapshot.md, exit and end. */
struct slurm_state {
	enum slurm_state_kind kind;
	const char *status, *cause, *signal; /* "": unknown */
	double code;                         /* NAN: unknown */
};

#define SIGNALS 31 /* of those above, Slurm uses some for itself: 53, 125 */

/* A word of two columns of sacct, State and squeue's %T. Without a cause the exit code decides. */
static const struct {
	const char *word;
	enum slurm_state_kind kind;
	enum end_cause cause;
} states[] = {
    {"COMPLETED", SLURM_STATE_ENDED, END_CAUSE_FINISHED},
    {"FAILED", SLURM_STATE_ENDED, END_CAUSE_EXITED},
    {"OUT_OF_MEMORY", SLURM_STATE_ENDED, END_CAUSE_OOM},
    {"TIMEOUT", SLURM_STATE_ENDED, END_CAUSE_TIME_LIMIT},
    {"CANCELLED", SLURM_STATE_ENDED, END_CAUSE_CANCELLED},
    {"NODE_FAIL", SLURM_STATE_ENDED, END_CAUSE_NODE_FAILED},
    {"BOOT_FAIL", SLURM_STATE_ENDED, END_CAUSE_NODE_FAILED},
    {"PREEMPTED", SLURM_STATE_ENDED, END_CAUSE_PREEMPTED},
    {"DEADLINE", SLURM_STATE_ENDED, END_CAUSE_DEADLINE},
    {"REQUEUED", SLURM_STATE_ENDED, END_CAUSE_REQUEUED},
    {"LAUNCH_FAILED", SLURM_STATE_ENDED, END_CAUSE_EXITED},
    {"SPECIAL_EXIT", SLURM_STATE_ENDED, END_CAUSE_EXITED},
    {"RUNNING", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"COMPLETING", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"SUSPENDED", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"STOPPED", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"SIGNALING", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"STAGE_OUT", SLURM_STATE_RUNS, END_CAUSE_UNKNOWN},
    {"RESIZING", SLURM_STATE_PART, END_CAUSE_UNKNOWN},
    {"PENDING", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
    {"CONFIGURING", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
    {"REQUEUE_FED", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
    {"REQUEUE_HOLD", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
    {"RESV_DEL_HOLD", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
    {"REVOKED", SLURM_STATE_WAITS, END_CAUSE_UNKNOWN},
};

static enum end_cause cause_of_signal(int signal)
{
	static const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};

	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		if (signal == crashes[i])
			return END_CAUSE_CRASH;
	return signal == SIGKILL ? END_CAUSE_KILLED : END_CAUSE_SIGNALED;
}

/* Slurm says 0:0 of a job that it ended itself, and of all failures as JSON in 22.05. */
static void set_state_end(struct slurm_state *s, enum end_cause cause, double code, double signal)
{
	bool signaled = signal >= 1 && signal <= SIGNALS;

	s->status = "exited";
	if (cause == END_CAUSE_OOM) {
		s->status = "oom";
		signaled = false;
	} else if (cause == END_CAUSE_FINISHED) {
		s->code = 0;
		signaled = false;
	} else if (cause == END_CAUSE_EXITED && code >= 1) {
		s->code = code;
	}
	if (signaled) {
		s->status = "signaled";
		s->signal = snapshot_signal_name((int)signal);
		s->code = NAN;
		if (cause == END_CAUSE_EXITED)
			cause = cause_of_signal((int)signal);
	} else if (isnan(s->code) && cause != END_CAUSE_OOM) {
		s->status = "";
	}
	s->cause = end_cause_word(cause);
}

/* word: "FAILED", "CANCELLED by 1000". code and signal: those of ExitCode, or NAN. */
static struct slurm_state slurm_state_of(const char *word, double code, double signal)
{
	struct slurm_state s = {.status = "", .cause = "", .signal = "", .code = NAN};
	size_t n = strcspn(word, " ");

	for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
		if (strlen(states[i].word) != n || memcmp(states[i].word, word, n) != 0)
			continue;
		s.kind = states[i].kind;
		if (s.kind == SLURM_STATE_RUNS)
			s.status = "unfinished";
		else if (s.kind == SLURM_STATE_ENDED)
			set_state_end(&s, states[i].cause, code, signal);
		break;
	}
	return s;
}

/* Whether a job of this state has run, however short: a cancelled one may never have begun. */
static bool slurm_state_ran(const char *word)
{
	static const char *const words[] = {"COMPLETED", "FAILED", "OUT_OF_MEMORY", "TIMEOUT"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(word, words[i]) == 0)
			return true;
	return false;
}

/* -- the job ----------------------------------------------------------------------------------- */

#define ID_MAX      64 /* bytes of a job's ID and of a cluster's name; of its longest row as well */
#define KEY_MAX     192
#define LABELS_MAX  257
#define NO_NODES    "None assigned"
#define BATCH       "batch"
#define INTERACTIVE "interactive"
#define EXTERN      "extern"  /* the step of processes outside of the others: pam_slurm_adopt */
#define EMPTY_RSS_B (4 << 20) /* slurmstepd, before it has become the program */
#define CPUS_ODD    1.1       /* clocks differ */

/* Bytes of texts, as in core/head/rtrack_row.def. */
#define TEXT_MAX_B      256
#define NAME_MAX_B      128
#define USER_MAX_B      64
#define DIRECTORY_MAX_B 192

#define HELD_BYTES ((size_t)64 << 20) /* of steps that wait for the line of their job */
#define HELD_LISTS 4096

/* A step whose job's line has not come yet: sort(1) puts "12.batch|" before "12|". */
struct held_step {
	struct held_step *next;
	size_t n, bytes; /* of the job's ID; of all */
	struct slurm_job_line line;
	char texts[]; /* those of the line */
};

struct slurm_jobs {
	struct import *in;
	const char *source;
	struct slurm_attempts attempts;
	struct slurm_steps steps;
	bool open, silent; /* a job's lines are read; it is not given to in->each */
	bool cut;
	size_t n_steps;
	char id[ID_MAX], cluster[ID_MAX], key[KEY_MAX];
	double number[SLURM_JOB_NUMBERS]; /* of the allocation */
	double step_signal;               /* of the batch script, or the first step */
	struct jobstats stats;
	char state[ID_MAX];
	size_t line; /* of the allocation */
	struct rtrack_row row;
	struct rtrack_row step_row;         /* with in->steps */
	struct held_step *held[HELD_LISTS]; /* by a hash of the job's ID, the last line first */
	size_t held_bytes;
};

void slurm_job_line_clear(struct slurm_job_line *line)
{
	for (int i = 0; i < SLURM_JOB_TEXTS; i++)
		line->text[i] = "";
	for (int i = 0; i < SLURM_JOB_NUMBERS; i++)
		line->number[i] = NAN;
	line->line = 0;
}

struct slurm_jobs *slurm_job_new(struct import *in, const char *source, struct err *e)
{
	struct slurm_jobs *j = calloc(1, sizeof *j);

	if (!j) {
		err_set(e, "%s: no memory", in->name);
		return NULL;
	}
	j->in = in;
	j->source = source;
	return j;
}

void slurm_job_free(struct slurm_jobs *j)
{
	struct held_step *next;

	if (!j)
		return;
	slurm_attempts_free(&j->attempts);
	for (size_t i = 0; i < HELD_LISTS; i++)
		for (struct held_step *h = j->held[i]; h; h = next) {
			next = h->next;
			free(h);
		}
	free(j);
}

void slurm_job_cut(struct slurm_jobs *j)
{
	j->cut = true;
}

/* -- texts ------------------------------------------------------------------------------------- */

static void put_job_text(struct rtrack_row *row, enum rtrack_row_id id, const char *text,
                         size_t max)
{
	char cut[TEXT_MAX_B + 1];
	struct buf valid = {.max = 4096};
	size_t n;

	buf_utf8(&valid, text, strnlen(text, max + 1));
	n = utf8_cut(buf_cstr(&valid), valid.len, max);
	memcpy(cut, buf_cstr(&valid), n);
	cut[n] = '\0';
	row->of[id].text = rtrack_row_store(row, cut);
	buf_free(&valid);
}

/* "key=value", if it finds room and is known. */
static void add_label(char labels[LABELS_MAX], const char *key, const char *value)
{
	size_t n = strlen(labels);

	if (*value && n + strlen(key) + strlen(value) + 2 < LABELS_MAX)
		snprintf(labels + n, LABELS_MAX - n, "%s%s=%s", n ? ";" : "", key, value);
}

/* The digits of "12_3" and "12+1" before and after the sign; false: it has no such sign. */
static bool split_id(const char *id, char sign, char before[ID_MAX], const char **after)
{
	size_t n = strspn(id, "0123456789");

	if (!n || n >= ID_MAX || id[n] != sign || !isdigit((unsigned char)id[n + 1]))
		return false;
	memcpy(before, id, n);
	before[n] = '\0';
	*after = id + n + 1;
	return (*after)[strspn(*after, "0123456789")] == '\0' && strlen(*after) < 10;
}

static double whole_number(const char *digits)
{
	double v = 0;

	for (; *digits; digits++)
		v = v * 10 + (*digits - '0');
	return v;
}

/* The components of a heterogeneous job, "12+0" and "12+1", have numbers of their own, and the
 * first one's is the job's: their processes have it in SLURM_JOB_ID. */
static void set_key(struct slurm_jobs *j, const struct slurm_job_line *l)
{
	char first[ID_MAX];
	const char *number = j->id, *component = "0";
	bool several = split_id(l->text[SLURM_JOB_ID], '+', first, &component);

	if (several)
		number = first;
	snprintf(j->key, sizeof j->key, "slurm/%s/%s/%.0f", j->cluster, number,
	         j->number[SLURM_JOB_RESTARTS]);
	j->row.of[RTRACK_ROW_JOB_ID].text = rtrack_row_store(&j->row, j->key);
	if (several)
		j->row.of[RTRACK_ROW_JOB].text = j->row.of[RTRACK_ROW_JOB_ID].text;
	if (whole_number(component) > 0)
		snprintf(j->key + strlen(j->key), sizeof j->key - strlen(j->key), "@+%s",
		         component);
}

static void put_labels(struct slurm_jobs *j, const struct slurm_job_line *l)
{
	char labels[LABELS_MAX] = "", array[ID_MAX] = "", restart[16] = "", job[KEY_MAX];
	const char *index = "";

	if (!isnan(j->number[SLURM_JOB_RESTARTS]) && j->number[SLURM_JOB_RESTARTS] > 0)
		snprintf(restart, sizeof restart, "%.0f", j->number[SLURM_JOB_RESTARTS]);
	if (split_id(l->text[SLURM_JOB_ID], '_', array, &index)) {
		snprintf(job, sizeof job, "slurm/%s/%s", j->cluster, array);
		j->row.of[RTRACK_ROW_ARRAY].text = rtrack_row_store(&j->row, job);
		j->row.of[RTRACK_ROW_INDEX].number = whole_number(index);
		j->row.of[RTRACK_ROW_WORKFLOW_RUN].text = j->row.of[RTRACK_ROW_ARRAY].text;
	}
	add_label(labels, "scheduler", "slurm");
	add_label(labels, "slurm.job_id", j->id);
	add_label(labels, "slurm.array_job_id", array);
	add_label(labels, "slurm.array_task_id", *array ? index : "");
	add_label(labels, "slurm.cluster", l->text[SLURM_JOB_CLUSTER]);
	add_label(labels, "slurm.partition", l->text[SLURM_JOB_PARTITION]);
	add_label(labels, "slurm.account", l->text[SLURM_JOB_ACCOUNT]);
	add_label(labels, "slurm.qos", l->text[SLURM_JOB_QOS]);
	add_label(labels, "slurm.restart_count", restart);
	put_job_text(&j->row, RTRACK_ROW_LABELS, labels, TEXT_MAX_B);
}

/* -- what was used ----------------------------------------------------------------------------- */

/* The kernel's account lacks processes that were killed before they were waited for, as all are at
 * a time limit; what is sampled ends with the last sample. killed: only the samples say anything.
 * No program runs in 0 s: that is of a node that failed, or of sacct -X, which does not look. */
static double cpu_of(const double v[SLURM_JOB_NUMBERS], bool killed)
{
	if (isnan(v[SLURM_JOB_CPU_POLLED]) && (killed || !(v[SLURM_JOB_CPU] > 0)))
		return NAN;
	return larger(v[SLURM_JOB_CPU], v[SLURM_JOB_CPU_POLLED]);
}

static bool was_killed(const double v[SLURM_JOB_NUMBERS])
{
	return v[SLURM_JOB_SIGNAL] == SIGKILL || v[SLURM_JOB_SIGNAL] == SIGTERM;
}

/* The peak of a node of v[SLURM_JOB_NODES], 1 if that is unknown; NAN: unknown. *bound: it was at
 * least that much, because how many tasks a node had is unknown. */
static double node_peak_of(const double v[SLURM_JOB_NUMBERS], bool *bound)
{
	double largest = v[SLURM_JOB_RSS_MAX], total = v[SLURM_JOB_RSS_TOTAL];
	double nodes = v[SLURM_JOB_NODES] >= 1 ? v[SLURM_JOB_NODES] : 1, node;
	bool known = v[SLURM_JOB_TASKS] >= 1;

	*bound = false;
	/* The one sample was taken before the program began: it had not even read itself. */
	if (v[SLURM_JOB_DISK] <= 0 && !(v[SLURM_JOB_CPU_POLLED] > 0) &&
	    !(larger(largest, total) > EMPTY_RSS_B))
		return NAN;
	if (total > 0 && nodes <= 1)
		return larger(total, largest);
	/* Tasks are spread over the nodes evenly, and any of them may be the largest. */
	node = largest * (known ? ceil(v[SLURM_JOB_TASKS] / nodes) : 1);
	*bound = !known || isnan(largest);
	if (total > 0)
		node = isnan(largest) ? total / nodes : larger(lesser(node, total), total / nodes);
	return node;
}

#define ALLOCATION "allocation" /* the source of an ask that is what was given */

/* The ask; if the job used more, what it was given: whole nodes, all memory (--mem=0). */
static double slurm_asked_of(const struct import *in, double asked, double given, double used)
{
	if (in->allocated && given > 0)
		return given;
	return isnan(asked) || (used > asked && given > asked) ? given : asked;
}

/* peak_b: on all nodes together, each having room for what the fullest needs. */
static void put_use(struct import *in, size_t line, struct rtrack_row *row, double cpu_s,
                    double peak_b, bool bound, const double v[SLURM_JOB_NUMBERS])
{
	double given = larger(v[SLURM_JOB_ASKED_CPUS], v[SLURM_JOB_GIVEN_CPUS]);
	double nodes = v[SLURM_JOB_NODES] >= 1 ? v[SLURM_JOB_NODES] : 1;
	double wall = v[SLURM_JOB_WALL], cores;
	const char *known = bound ? SNAPSHOT_MEMORY_BOUND : SNAPSHOT_MEMORY_SAMPLED;

	cpu_s = import_reader_cpu(in, line, cpu_s, wall, given);
	peak_b = import_reader_peak(in, line, peak_b / nodes, NAN) * nodes;
	cores = wall > 0 ? cpu_s / wall : NAN;

	row->of[RTRACK_ROW_CPU].number = cpu_s;
	if (wall > 0)
		row->of[RTRACK_ROW_CORES_MEAN].number = cores;
	row->of[RTRACK_ROW_MEMORY_PEAK].number = peak_b;
	row->of[RTRACK_ROW_MEMORY_KNOWN].text = isnan(peak_b) ? "" : known;
	row->of[RTRACK_ROW_ASKED_CPUS].number =
	    slurm_asked_of(in, v[SLURM_JOB_ASKED_CPUS], v[SLURM_JOB_GIVEN_CPUS], cores / CPUS_ODD);
	row->of[RTRACK_ROW_ASKED_MEMORY].number =
	    slurm_asked_of(in, v[SLURM_JOB_ASKED_MEMORY], v[SLURM_JOB_GIVEN_MEMORY], peak_b);
	row->of[RTRACK_ROW_ASKED_GPUS].number =
	    slurm_asked_of(in, v[SLURM_JOB_ASKED_GPUS], v[SLURM_JOB_GIVEN_GPUS], NAN);
}

static const char *source_of(const struct slurm_jobs *j, double asked, double given)
{
	if (j->in->allocated && given > 0)
		return ALLOCATION;
	return isnan(asked) ? "" : j->source;
}

static void put_job_line(const struct slurm_jobs *j, struct rtrack_row *row,
                         const struct slurm_state *state, const double v[SLURM_JOB_NUMBERS])
{
	row->of[RTRACK_ROW_SCOPE].text = "process";
	row->of[RTRACK_ROW_START].number = v[SLURM_JOB_START];
	row->of[RTRACK_ROW_WALL].number = v[SLURM_JOB_WALL];
	row->of[RTRACK_ROW_STATUS].text = state->status;
	row->of[RTRACK_ROW_CODE].number = state->code;
	row->of[RTRACK_ROW_SIGNAL].text = state->signal;
	row->of[RTRACK_ROW_END_CAUSE].text = state->cause;
	row->of[RTRACK_ROW_ASKED_TIME].number = v[SLURM_JOB_LIMIT];
	row->of[RTRACK_ROW_ASKED_CPUS_SOURCE].text =
	    source_of(j, row->of[RTRACK_ROW_ASKED_CPUS].number, v[SLURM_JOB_GIVEN_CPUS]);
	row->of[RTRACK_ROW_ASKED_MEMORY_SOURCE].text =
	    source_of(j, row->of[RTRACK_ROW_ASKED_MEMORY].number, v[SLURM_JOB_GIVEN_MEMORY]);
	if (v[SLURM_JOB_NODES] >= 1)
		row->of[RTRACK_ROW_NODES].number = v[SLURM_JOB_NODES];
	row->of[RTRACK_ROW_COVERS].text = v[SLURM_JOB_NODES] > 1 ? "job" : "";
}

/* Without their number, the nodes are those of the list. */
static void set_nodes(double v[SLURM_JOB_NUMBERS], const char *list)
{
	double n = slurm_steps_count(list);

	if (isnan(v[SLURM_JOB_NODES]) && n > 0)
		v[SLURM_JOB_NODES] = n;
}

/* A script is one task on the first node, and a job's other processes are one on each. */
static void set_tasks(double v[SLURM_JOB_NUMBERS], const char *step)
{
	if (strcmp(step, BATCH) == 0 || strcmp(step, INTERACTIVE) == 0)
		v[SLURM_JOB_NODES] = v[SLURM_JOB_TASKS] = 1;
	else if (strcmp(step, EXTERN) == 0)
		v[SLURM_JOB_TASKS] = v[SLURM_JOB_NODES];
}

static void set_wall(struct import *in, size_t line, double v[SLURM_JOB_NUMBERS])
{
	double suspended = v[SLURM_JOB_SUSPENDED] > 0 ? v[SLURM_JOB_SUSPENDED] : 0;
	double between;

	if (!isnan(v[SLURM_JOB_WALL]) || isnan(v[SLURM_JOB_END] - v[SLURM_JOB_START]))
		return;
	between = import_reader_between(in, line, v[SLURM_JOB_START], v[SLURM_JOB_END]) - suspended;
	if (between >= 0)
		v[SLURM_JOB_WALL] = between;
}

/* -- jobs and steps ---------------------------------------------------------------------------- */

static int slurm_give(struct slurm_jobs *j, const struct rtrack_row *row, const char *key,
                      struct err *e)
{
	const struct import_job job = {
	    .row = row, .key = key, .global = true, .submit = j->number[SLURM_JOB_SUBMIT]};

	return import_reader_give(j->in, &job, e);
}

/* The CPU time of a job without steps. */
static double alone_cpu(const struct slurm_jobs *j)
{
	bool killed = strcmp(j->state, "COMPLETED") != 0 && strcmp(j->state, "FAILED") != 0;

	return cpu_of(j->number, killed);
}

/* jobstats and Slurm both look now and then: the larger of their numbers is nearer to the truth. Of
 * the job's nodes the former has what all processes used, so it is no bound. */
static void add_jobstats(const struct slurm_jobs *j, double nodes, double *cpu_s, double *node_b,
                         bool *bound)
{
	const struct jobstats *s = &j->stats;
	bool all = s->nodes >= nodes;
	double given = larger(j->number[SLURM_JOB_ASKED_CPUS], j->number[SLURM_JOB_GIVEN_CPUS]);
	/* An impossible CPU time does not replace what Slurm says. */
	double its_cpu =
	    import_reader_cpu(j->in, j->line, s->cpu_s, j->number[SLURM_JOB_WALL], given);
	double its_node = import_reader_peak(j->in, j->line, s->node_b, NAN);

	if (all || !isnan(*cpu_s))
		*cpu_s = larger(*cpu_s, its_cpu);
	if (isnan(its_node))
		return;
	*bound = !all && (*bound || isnan(*node_b));
	*node_b = larger(*node_b, its_node);
}

/* Gives the job whose lines were read. */
static int finish(struct slurm_jobs *j, struct err *e)
{
	bool given = j->open && !j->silent && !j->in->steps, known, bound;
	double signal = j->number[SLURM_JOB_SIGNAL], cpu, peak;
	double nodes = j->number[SLURM_JOB_NODES] >= 1 ? j->number[SLURM_JOB_NODES] : 1;
	struct slurm_state state;

	j->open = false;
	if (!given)
		return 0;
	/* Slurm says 0:0 of a job that it ended itself; its batch script has the signal. */
	if (!(signal > 0) && strcmp(j->state, "FAILED") != 0)
		signal = j->step_signal;
	state = slurm_state_of(j->state, j->number[SLURM_JOB_CODE], signal);
	cpu = j->n_steps ? j->steps.cpu_s : alone_cpu(j);
	peak = j->n_steps ? slurm_steps_peak(&j->steps, &bound) : node_peak_of(j->number, &bound);
	add_jobstats(j, nodes, &cpu, &peak, &bound);
	peak *= nodes;
	known = state.kind != SLURM_STATE_RUNS && !j->cut;
	put_use(j->in, j->line, &j->row, known ? cpu : NAN, known ? peak : NAN, bound, j->number);
	if (known && j->stats.nodes >= nodes)
		j->row.of[RTRACK_ROW_GPUS_MEAN].number = j->stats.gpus / nodes;
	put_job_line(j, &j->row, &state, j->number);
	return slurm_give(j, &j->row, j->key, e);
}

/* Bytes before the step of an ID: "12_3.batch". */
static size_t job_length(const char *id)
{
	return strcspn(id, ".");
}

static const char *slurm_id_of(const struct slurm_job_line *l)
{
	return *l->text[SLURM_JOB_ID_RAW] ? l->text[SLURM_JOB_ID_RAW] : l->text[SLURM_JOB_ID];
}

static bool has_run(const struct slurm_job_line *l, enum slurm_state_kind kind)
{
	if (kind == SLURM_STATE_WAITS || strchr(l->text[SLURM_JOB_ID], '[') ||
	    strcmp(l->text[SLURM_JOB_NODE_LIST], NO_NODES) == 0)
		return false;
	if (kind == SLURM_STATE_RUNS || !isnan(l->number[SLURM_JOB_START]) ||
	    l->number[SLURM_JOB_WALL] > 0)
		return true;
	/* In less than a second; others, such as CANCELLED, may never have begun. */
	return !isnan(l->number[SLURM_JOB_WALL]) && slurm_state_ran(l->text[SLURM_JOB_STATE]);
}

static void put_texts(struct slurm_jobs *j, const struct slurm_job_line *l)
{
	struct rtrack_row *row = &j->row;

	put_job_text(row, RTRACK_ROW_NAME, l->text[SLURM_JOB_NAME], NAME_MAX_B);
	put_job_text(row, RTRACK_ROW_USER, l->text[SLURM_JOB_USER], USER_MAX_B);
	put_job_text(row, RTRACK_ROW_ACCOUNT, l->text[SLURM_JOB_ACCOUNT], USER_MAX_B);
	put_job_text(row, RTRACK_ROW_NODE, l->text[SLURM_JOB_NODE_LIST], USER_MAX_B);
	put_job_text(row, RTRACK_ROW_DIRECTORY, l->text[SLURM_JOB_DIRECTORY], DIRECTORY_MAX_B);
	if (l->number[SLURM_JOB_NODES] <= 1)
		row->of[RTRACK_ROW_HOST].text = row->of[RTRACK_ROW_NODE].text;
	put_labels(j, l);
}

/* The line of an allocation. */
static void begin(struct slurm_jobs *j, const struct slurm_job_line *l)
{
	struct slurm_state state = slurm_state_of(l->text[SLURM_JOB_STATE], NAN, NAN);
	unsigned before;

	snprintf(j->id, sizeof j->id, "%s", slurm_id_of(l));
	snprintf(j->cluster, sizeof j->cluster, "%s", l->text[SLURM_JOB_CLUSTER]);
	snprintf(j->state, sizeof j->state, "%.*s", (int)strcspn(l->text[SLURM_JOB_STATE], " "),
	         l->text[SLURM_JOB_STATE]);
	memcpy(j->number, l->number, sizeof j->number);
	set_wall(j->in, l->line, j->number);
	j->line = l->line;
	set_nodes(j->number, l->text[SLURM_JOB_NODE_LIST]);
	slurm_steps_clear(&j->steps,
	                  j->number[SLURM_JOB_NODES] >= 1 ? j->number[SLURM_JOB_NODES] : 1);
	j->n_steps = 0;
	j->step_signal = NAN;
	j->open = true;
	j->cut = false;
	j->silent = !has_run(l, state.kind);
	if (j->silent)
		return;
	if (state.kind == SLURM_STATE_UNKNOWN && *l->text[SLURM_JOB_STATE])
		import_reader_unknown(j->in, l->line, "State", l->text[SLURM_JOB_STATE]);
	if (jobstats_read(l->text[SLURM_JOB_COMMENT], &j->stats))
		import_reader_unknown(j->in, l->line, "AdminComment", l->text[SLURM_JOB_COMMENT]);
	if (state.kind == SLURM_STATE_PART) {
		import_reader_left_out(j->in, l->line, "a part of a job that was resized");
		j->silent = true;
		return;
	}
	before = slurm_attempts_next(
	    &j->attempts, j->cluster, j->id, l->number[SLURM_JOB_START],
	    slurm_attempts_hash(l->text, SLURM_JOB_TEXTS, l->number, SLURM_JOB_NUMBERS));
	if (isnan(j->number[SLURM_JOB_RESTARTS]))
		j->number[SLURM_JOB_RESTARTS] = before;
	rtrack_row_clear(&j->row);
	set_key(j, l);
	put_texts(j, l);
}

/* With in->steps. */
static int give_step(struct slurm_jobs *j, const struct slurm_job_line *l, const char *step,
                     const double v[SLURM_JOB_NUMBERS], struct err *e)
{
	char key[KEY_MAX + ID_MAX + 1], name[NAME_MAX_B + ID_MAX + 2];
	struct slurm_state state = slurm_state_of(
	    l->text[SLURM_JOB_STATE], l->number[SLURM_JOB_CODE], l->number[SLURM_JOB_SIGNAL]);
	double nodes = v[SLURM_JOB_NODES] >= 1 ? v[SLURM_JOB_NODES] : 1, peak;
	bool known = state.kind != SLURM_STATE_RUNS, bound;

	if (j->silent || strcmp(step, EXTERN) == 0)
		return 0;
	peak = nodes * node_peak_of(v, &bound);
	rtrack_row_clear(&j->step_row);
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++)
		j->step_row.of[i].text = j->row.of[i].text;
	j->step_row.of[RTRACK_ROW_INDEX].number = j->row.of[RTRACK_ROW_INDEX].number;
	snprintf(name, sizeof name, "%s.%s", j->row.of[RTRACK_ROW_NAME].text, step);
	put_job_text(&j->step_row, RTRACK_ROW_NAME, name, NAME_MAX_B);
	put_use(j->in, l->line, &j->step_row, known ? cpu_of(v, was_killed(v)) : NAN,
	        known ? peak : NAN, bound, v);
	put_job_line(j, &j->step_row, &state, v);
	snprintf(key, sizeof key, "%s/%s", j->key, step);
	return slurm_give(j, &j->step_row, key, e);
}

/* -- steps before the line of their job -------------------------------------------------------- */

static const char apart[] = "a step apart from the line of its job";

static struct held_step **held_list(struct slurm_jobs *j, const char *id, size_t n)
{
	char job[ID_MAX];
	uint64_t hash;

	snprintf(job, sizeof job, "%.*s", (int)n, id);
	hash = fnv1a_add(FNV1A_BEGIN, job);
	return &j->held[hash % HELD_LISTS];
}

/* n: bytes of the job's ID. */
static int hold(struct slurm_jobs *j, const struct slurm_job_line *l, size_t n, struct err *e)
{
	struct held_step **list = held_list(j, slurm_id_of(l), n), *h;
	size_t bytes = sizeof *h, at = 0;

	for (int i = 0; i < SLURM_JOB_TEXTS; i++)
		bytes += strlen(l->text[i]) + 1;
	if (j->held_bytes + bytes > HELD_BYTES) {
		import_reader_left_out(j->in, l->line, apart);
		return 0;
	}
	h = malloc(bytes);
	if (!h)
		return err_set(e, "%s: no memory", j->in->name);
	*h = (struct held_step){.next = *list, .n = n, .bytes = bytes, .line = *l};
	for (int i = 0; i < SLURM_JOB_TEXTS; i++) {
		size_t length = strlen(l->text[i]) + 1;
		memcpy(h->texts + at, l->text[i], length);
		h->line.text[i] = h->texts + at;
		at += length;
	}
	j->held_bytes += bytes;
	*list = h;
	return 0;
}

/* Whether it is of the job whose line was read: also of this attempt, if both times are known. */
static bool held_is_of_job(const struct slurm_jobs *j, const struct held_step *h)
{
	const char *cluster = h->line.text[SLURM_JOB_CLUSTER];
	double at = h->line.number[SLURM_JOB_START];

	if (strlen(j->id) != h->n || memcmp(j->id, slurm_id_of(&h->line), h->n) != 0)
		return false;
	if (*cluster && *j->cluster && strcmp(cluster, j->cluster) != 0)
		return false;
	return !(at < j->number[SLURM_JOB_START]) && !(at > j->number[SLURM_JOB_END]);
}

static int add_job_step(struct slurm_jobs *j, const struct slurm_job_line *l, size_t n,
                        struct err *e);

static int add_held(struct slurm_jobs *j, struct err *e)
{
	struct held_step **at = held_list(j, j->id, strlen(j->id)), *h, *first = NULL;
	int failed = 0;

	while ((h = *at)) {
		if (!held_is_of_job(j, h)) {
			at = &h->next;
			continue;
		}
		*at = h->next;
		h->next = first; /* so they are in the order of the file */
		first = h;
	}
	for (; first; first = h) {
		h = first->next;
		j->held_bytes -= first->bytes;
		failed = failed ? failed : add_job_step(j, &first->line, first->n, e);
		free(first);
	}
	return failed;
}

static void leave_out_held(struct slurm_jobs *j)
{
	for (size_t i = 0; j->held_bytes && i < HELD_LISTS; i++)
		for (struct held_step *h = j->held[i]; h; h = h->next)
			import_reader_left_out(j->in, h->line.line, apart);
}

static int add_job_step(struct slurm_jobs *j, const struct slurm_job_line *l, size_t n,
                        struct err *e)
{
	const char *id = slurm_id_of(l), *step = id + n + 1;
	double v[SLURM_JOB_NUMBERS];
	struct slurm_step used;

	if (strlen(step) >= ID_MAX) {
		import_reader_left_out(j->in, l->line, "not the ID of a step");
		return 0;
	}
	if (!j->open || strlen(j->id) != n || memcmp(j->id, id, n) != 0)
		return hold(j, l, n, e);
	memcpy(v, l->number, sizeof v);
	set_wall(j->in, l->line, v);
	set_nodes(v, l->text[SLURM_JOB_NODE_LIST]);
	if (isnan(v[SLURM_JOB_NODES])) {
		v[SLURM_JOB_NODES] = j->number[SLURM_JOB_NODES];
		if (j->number[SLURM_JOB_NODES] > 1) /* how they were spread is unknown */
			v[SLURM_JOB_TASKS] = NAN;
	}
	set_tasks(v, step);
	used = (struct slurm_step){.start = v[SLURM_JOB_START],
	                           .end = v[SLURM_JOB_END],
	                           .cpu_s = cpu_of(v, was_killed(v)),
	                           .nodes = v[SLURM_JOB_NODES] >= 1 ? v[SLURM_JOB_NODES] : 1,
	                           .list = l->text[SLURM_JOB_NODE_LIST]};
	used.node_b = node_peak_of(v, &used.bound);
	if (isnan(used.cpu_s) && strcmp(step, EXTERN) == 0)
		used.cpu_s = 0; /* nothing was outside of the other steps */
	slurm_steps_add(&j->steps, &used);
	if (!j->n_steps++ || strcmp(step, BATCH) == 0)
		j->step_signal = v[SLURM_JOB_SIGNAL];
	return j->in->steps ? give_step(j, l, step, v, e) : 0;
}

static bool is_job_id(const char *id)
{
	static const char signs[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_+-.";

	return isdigit((unsigned char)*id) && strspn(id, signs) == strlen(id);
}

int slurm_job_add(struct slurm_jobs *j, const struct slurm_job_line *l, struct err *e)
{
	const char *id = slurm_id_of(l);
	size_t n = job_length(id);

	j->in->lines++;
	if (strchr(id, '[')) /* elements of an array that wait: a list of any length */
		return finish(j, e);
	if (!is_job_id(id) || n >= ID_MAX || strlen(l->text[SLURM_JOB_CLUSTER]) >= ID_MAX) {
		import_reader_left_out(j->in, l->line, "not the ID of a job");
		return 0;
	}
	if (id[n])
		return add_job_step(j, l, n, e);
	if (finish(j, e))
		return -1;
	begin(j, l);
	return add_held(j, e);
}

int slurm_job_end(struct slurm_jobs *j, struct err *e)
{
	leave_out_held(j);
	return finish(j, e);
}
