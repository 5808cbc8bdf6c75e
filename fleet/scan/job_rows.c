/* job_rows: what the rows of one job make of each other. */
#include "fleet/scan/job_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/quantity.h"
#include "core/end/end_cause.h"
#include "core/recording/snapshot.h"
#include "fleet/catalog/catalog_row.h"
#include "fleet/import/slurm_steps.h"
#include "fleet/scan/job_row.h"

/* -- recordings that stop before the end of their job (job_row.cut) ---------------------------- */

#define AFTER_S (12 * QUANTITY_HOUR_S) /* no run ends so much after its job */

static double cut_number(const struct job_row *r, enum rtrack_row_id id)
{
	return r->row->of[id].number;
}

/* The only recording of a job that stops early, and began late, stands for all of it. Its start
 * stays, by which a recording that is recovered later is known. */
static void cover_job(struct job_row *v, size_t n)
{
	struct job_row *only = NULL;
	double *wall, latest;

	for (size_t i = 0; i < n; i++) {
		if (!job_row_recorded(&v[i].run))
			continue;
		if (only)
			return;
		only = &v[i];
	}
	if (!only || !only->cut)
		return;
	wall = &only->row->of[RTRACK_ROW_WALL].number;
	latest = only->job_start + only->job_wall_s + AFTER_S;
	*wall = fmax(*wall, fmin(only->job_wall_s, latest - cut_number(only, RTRACK_ROW_START)));
}

/* Recordings that stop early lack what accounting has beyond all recordings. */
static void add_missing_cpu(struct job_row *v, size_t n)
{
	double recorded = 0, said = NAN;
	size_t cut = 0;

	for (size_t i = 0; i < n; i++) {
		if (!job_row_recorded(&v[i].run))
			continue;
		recorded += fmax(cut_number(&v[i], RTRACK_ROW_CPU), 0);
		said = v[i].cut ? v[i].run.accounted_cpu_s : said;
		cut += v[i].cut;
	}
	if (!(said > recorded))
		return;
	for (size_t i = 0; i < n; i++) {
		double cpu =
		    fmax(cut_number(&v[i], RTRACK_ROW_CPU), 0) + (said - recorded) / (double)cut;
		double most =
		    cut_number(&v[i], RTRACK_ROW_WALL) * cut_number(&v[i], RTRACK_ROW_VCPUS);
		if (v[i].cut && !(cpu > most)) /* else it is of steps on other nodes */
			v[i].row->of[RTRACK_ROW_CPU].number = cpu;
	}
}

/* Once it is known which rows are inside of others: the peak of a row, with that of the rows
 * inside of it, is at least accounting's. */
static void job_cut_raise_peaks(struct job_row *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct job_row *outer = &v[i];
		double *peak = &outer->row->of[RTRACK_ROW_MEMORY_PEAK].number;
		double said = outer->run.accounted_memory_b;
		bool cut = outer->cut;
		for (size_t k = 0; k < n; k++)
			cut = cut || (v[k].cut && v[k].outer == outer);
		if (said > cut_number(outer, RTRACK_ROW_MACHINE_MEMORY))
			continue;
		if (!cut || outer->run.inside || !(said > fmax(*peak, 0) + outer->run.inner.peak_b))
			continue;
		outer->row->of[RTRACK_ROW_MEMORY_KNOWN].text = SNAPSHOT_MEMORY_BOUND;
		if (outer->cut)
			*peak = said - outer->run.inner.peak_b;
		else
			outer->run.inner.peak_b = said - fmax(*peak, 0);
	}
}

/* Completes the n rows of one job from its accounting: how long it ran, and the CPU time that no
 * recording has. */
static void job_cut_complete(struct job_row *v, size_t n)
{
	cover_job(v, n);
	add_missing_cpu(v, n);
}

/* Differences below these are due to the moments at which the kernel, the recorder and Slurm's
 * daemon count. */
#define CPU_S     1.0
#define CPU_SHARE 0.05
#define MEMORY_B  (16 * QUANTITY_MIB)
#define MEMORY    1.1
#define SAME_S    1.0 /* rows begin and end at the same time, within this */
#define MOST      0.5 /* of a row's time, that it is inside of another */
#define SWEEP_MAX 256 /* rows whose peaks are added up where they overlap */
#define LATE_S    10  /* so much after a job that Slurm ended its recording ends, at most */
#define ROUNDED_S 2   /* Slurm counts whole seconds, of its run and of those suspended */

static double job_number(const struct job_row *r, enum rtrack_row_id id)
{
	return r->row->of[id].number;
}

static const char *job_text(const struct job_row *r, enum rtrack_row_id id)
{
	return r->row->of[id].text;
}

/* -- accounting -------------------------------------------------------------------------------- */

/* From one row to another, what is known. */
static void take_text(struct job_row *to, const struct job_row *from, enum rtrack_row_id id)
{
	if (*job_text(from, id))
		to->row->of[id].text = job_text(from, id);
}

static bool failed(const struct job_row *r)
{
	return *job_text(r, RTRACK_ROW_SIGNAL) || job_number(r, RTRACK_ROW_CODE) > 0 ||
	       strcmp(job_text(r, RTRACK_ROW_STATUS), "oom") == 0;
}

static bool is_unfinished(const struct job_row *r)
{
	return strcmp(job_text(r, RTRACK_ROW_STATUS), "unfinished") == 0;
}

/* Accounting has neither code nor signal of a job that Slurm ended, but a cause. */
static bool has_end(const struct job_row *r)
{
	return !is_unfinished(r) &&
	       (*job_text(r, RTRACK_ROW_STATUS) || *job_text(r, RTRACK_ROW_END_CAUSE));
}

/* Why it ended is something that only a scheduler knows, or that memory ran out. */
static bool is_of_scheduler(const struct job_row *r)
{
	enum end_cause cause = end_cause_find(job_text(r, RTRACK_ROW_END_CAUSE));

	return cause == END_CAUSE_OOM ||
	       (cause != END_CAUSE_EXITED && catalog_row_was_ended(r->row));
}

static void take_end(struct job_row *to, const struct job_row *from)
{
	bool ended = failed(from) || catalog_row_was_ended(from->row);
	bool same = failed(to) == ended;

	if (!same && !is_unfinished(to))
		to->run.differs |= CATALOG_DIFFERS_END;
	/* Where both say the same, the recorder's cause says more than a state, unless the
	 * scheduler ended the job. */
	if (!same || !*job_text(to, RTRACK_ROW_END_CAUSE) || is_of_scheduler(from))
		to->row->of[RTRACK_ROW_END_CAUSE].text = job_text(from, RTRACK_ROW_END_CAUSE);
	to->row->of[RTRACK_ROW_OOM_KILLS].number =
	    fmax(job_number(to, RTRACK_ROW_OOM_KILLS), job_number(from, RTRACK_ROW_OOM_KILLS));
	/* So does its exit code: old versions of sacct write 137 as 9:0, and 255 as 127:0. */
	if (same && ended && strcmp(job_text(from, RTRACK_ROW_STATUS), "oom") != 0)
		return;
	to->row->of[RTRACK_ROW_STATUS].text = job_text(from, RTRACK_ROW_STATUS);
	to->row->of[RTRACK_ROW_SIGNAL].text = job_text(from, RTRACK_ROW_SIGNAL);
	to->row->of[RTRACK_ROW_CODE].number = job_number(from, RTRACK_ROW_CODE);
}

/* Whether the time of from is that of the same job or the same recording, not of a step. */
static bool is_time_of(const struct job_row *to, const struct job_row *from)
{
	return from->run.origin == IMPORT_OF_SACCT ||
	       strcmp(from->run.source.path, to->run.source.path) == 0;
}

/* How long the job ran: until its end, without the time that it was suspended. Only the processes
 * of a job that Slurm ended may have been there for longer. */
static void take_wall(struct job_row *to, const struct job_row *from)
{
	double *wall = &to->row->of[RTRACK_ROW_WALL].number, of = job_number(from, RTRACK_ROW_WALL);
	double longer = is_of_scheduler(from) ? LATE_S : ROUNDED_S;
	double late = job_number(to, RTRACK_ROW_START) - job_number(from, RTRACK_ROW_START);

	to->job_start = job_number(from, RTRACK_ROW_START);
	to->job_wall_s = of;
	if (to->cut) {
		*wall = fmax(*wall, of - (late > 0 && late < of ? late : 0));
	} else if (is_time_of(to, from) && of > 0 && *wall > of + longer) {
		to->suspended_s = *wall - of;
		*wall = of;
	}
}

/* Means and shares of a recording that stops early are not those of the whole job. */
static void forget_means(struct rtrack_row *row)
{
	static const enum rtrack_row_id means[] = {RTRACK_ROW_SAMPLES,      RTRACK_ROW_CORES_MEAN,
	                                           RTRACK_ROW_CORES_DEMAND, RTRACK_ROW_MEMORY_MEAN,
	                                           RTRACK_ROW_GPUS_MEAN,    RTRACK_ROW_VRAM_MEAN};

	for (size_t i = 0; i < sizeof means / sizeof *means; i++)
		row->of[means[i]].number = NAN;
	for (int i = 0; i < CATALOG_TIMES; i++)
		row->of[RTRACK_ROW_TIME_AT_1 + i].number = NAN;
}

/* The number of nodes that the amounts of a row are of. */
static double nodes_of_row(const struct job_row *r)
{
	bool whole = strcmp(job_text(r, RTRACK_ROW_COVERS), CATALOG_COVERS_JOB) == 0;

	return whole ? fmax(job_number(r, RTRACK_ROW_NODES), 1) : 1;
}

static const struct {
	enum rtrack_row_id value, source; /* source RTRACK_ROW_ID: it has none */
} asks[] = {
    {RTRACK_ROW_ASKED_CPUS, RTRACK_ROW_ASKED_CPUS_SOURCE},
    {RTRACK_ROW_ASKED_MEMORY, RTRACK_ROW_ASKED_MEMORY_SOURCE},
    {RTRACK_ROW_ASKED_GPUS, RTRACK_ROW_ID},
};

/* Whether a recording is of one task, and has its share of what its node was asked for. */
static bool is_share(const struct job_row *r)
{
	return strcmp(job_text(r, RTRACK_ROW_COVERS), "task") == 0;
}

/* A recording's ask is that of its node. most: the largest of each ask of all recordings: of nodes,
 * one has at least the mean, and of steps (srun --mem) none may. */
static void take_ask(struct job_row *to, const struct job_row *from, const double most[])
{
	double nodes = nodes_of_row(from);

	for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
		double v = job_number(from, asks[i].value) / nodes;
		bool known = job_number(to, asks[i].value) > 0;
		/* The nodes of a job need not be equal: what the recorder saw of its own counts. */
		if (!(v > 0) || (known && (is_share(to) || (nodes > 1 && !(most[i] < v)))))
			continue;
		to->row->of[asks[i].value].number = v;
		if (asks[i].source == RTRACK_ROW_ID)
			continue;
		to->row->of[asks[i].source].text = import_origins[IMPORT_OF_SACCT];
		take_text(to, from, asks[i].source);
	}
	if (job_number(from, RTRACK_ROW_ASKED_TIME) > 0)
		to->row->of[RTRACK_ROW_ASKED_TIME].number = job_number(from, RTRACK_ROW_ASKED_TIME);
}

static void account(struct job_row *to, const struct job_row *from, const double most[])
{
	/* With an end that is accounting's already, nothing can be compared again. */
	if (to->run.origin != IMPORT_RECORDED_AND_SACCT)
		to->run.differs &= ~CATALOG_DIFFERS_END;
	to->run.origin = IMPORT_RECORDED_AND_SACCT;
	if (isfinite(from->run.submit) && from->run.submit > 0)
		to->run.submit = from->run.submit;
	if (has_end(from)) {
		to->cut = to->cut || is_unfinished(to);
		take_end(to, from);
		take_wall(to, from);
		if (to->cut)
			forget_means(to->row);
	}
	take_ask(to, from, most);
	take_text(to, from, RTRACK_ROW_NAME);
	take_text(to, from, RTRACK_ROW_ACCOUNT);
	take_text(to, from, RTRACK_ROW_USER);
	if (!*job_text(to, RTRACK_ROW_WORKFLOW_RUN))
		take_text(to, from, RTRACK_ROW_WORKFLOW_RUN);
	to->run.accounted_cpu_s = job_number(from, RTRACK_ROW_CPU);
	to->run.accounted_memory_b = job_number(from, RTRACK_ROW_MEMORY_PEAK) / nodes_of_row(from);
}

void job_rows_inherit(struct job_row *now, const struct job_row *before)
{
	const double any[] = {INFINITY, INFINITY, INFINITY};

	if (before->run.origin != IMPORT_RECORDED_AND_SACCT || !job_row_recorded(&now->run) ||
	    strcmp(job_text(now, RTRACK_ROW_USER), job_text(before, RTRACK_ROW_USER)) != 0)
		return;
	account(now, before, any);
	now->run.accounted_cpu_s = before->run.accounted_cpu_s;
	now->run.accounted_memory_b = before->run.accounted_memory_b;
}

/* Compares the use of all recordings with accounting, in the row that stands for the job. */
static void compare(struct job_row *v, size_t n)
{
	double cpu = 0, peak = 0, said, memory;
	struct job_row *first = NULL;

	for (size_t i = 0; i < n; i++) {
		if (v[i].run.origin != IMPORT_RECORDED_AND_SACCT)
			continue;
		cpu += job_number(&v[i], RTRACK_ROW_CPU);
		peak =
		    fmax(peak, job_number(&v[i], RTRACK_ROW_MEMORY_PEAK) + v[i].run.inner.peak_b);
		v[i].run.differs &= CATALOG_DIFFERS_END;
		if (!first || (first->run.inside && !v[i].run.inside))
			first = &v[i];
	}
	if (!first)
		return;
	said = first->run.accounted_cpu_s;
	memory = first->run.accounted_memory_b;
	if (said > 0 && fabs(cpu - said) > CPU_S + CPU_SHARE * fmax(cpu, said))
		first->run.differs |= CATALOG_DIFFERS_CPU;
	/* Accounting looks now and then, so it may well see less. */
	if (memory > MEMORY * peak + MEMORY_B)
		first->run.differs |= CATALOG_DIFFERS_MEMORY;
}

/* -- steps ------------------------------------------------------------------------------------- */

/* How long it was there, suspended or not. */
static double there_s(const struct job_row *r)
{
	return job_number(r, RTRACK_ROW_WALL) + r->suspended_s;
}

static double stop_of(const struct job_row *r)
{
	return job_number(r, RTRACK_ROW_START) + there_s(r);
}

/* Tasks of the same step share its ask. */
static bool same_step(const struct job_row *a, const struct job_row *b)
{
	return *job_text(a, RTRACK_ROW_JOB) &&
	       strcmp(job_text(a, RTRACK_ROW_JOB), job_text(b, RTRACK_ROW_JOB)) == 0;
}

/* "n1" and "n1.example.org" are one. */
static bool is_same_name(const char *a, const char *b)
{
	size_t short_a = strcspn(a, "."), short_b = strcspn(b, ".");

	if (!*a || !*b)
		return false;
	if (a[short_a] && b[short_b])
		return strcmp(a, b) == 0;
	return short_a == short_b && memcmp(a, b, short_a) == 0;
}

/* By the names that Slurm has for nodes; where one is unknown, by that or the host's. */
static bool is_same_node(const struct job_row *a, const struct job_row *b)
{
	const char *node = job_text(a, RTRACK_ROW_NODE), *host = job_text(a, RTRACK_ROW_HOST);
	const char *of_node = job_text(b, RTRACK_ROW_NODE), *of_host = job_text(b, RTRACK_ROW_HOST);

	if (*node && *of_node)
		return is_same_name(node, of_node);
	if (!*node && !*host && !*of_node && !*of_host)
		return true;
	return is_same_name(host, of_host) || is_same_name(node, of_host) ||
	       is_same_name(host, of_node);
}

/* Whether at least half of the time of r is within that of `of`, which lasts longer. */
static bool is_inside(const struct job_row *r, const struct job_row *of)
{
	double wall = there_s(r), longer = there_s(of);
	double both = fmin(stop_of(r), stop_of(of)) -
	              fmax(job_number(r, RTRACK_ROW_START), job_number(of, RTRACK_ROW_START));

	if (same_step(r, of) || !is_same_node(r, of))
		return false;
	if (!(wall < longer ||
	      (wall == longer && strcmp(r->run.source.path, of->run.source.path) > 0)))
		return false;
	return both + SAME_S >= MOST * wall && both + SAME_S > 0;
}

/* The longest row that r is inside of, or NULL. */
static struct job_row *outer_of(const struct job_row *r, struct job_row *v, size_t n)
{
	struct job_row *outer = NULL;

	for (size_t i = 0; i < n; i++)
		if (&v[i] != r && job_row_recorded(&v[i].run) && is_inside(r, &v[i]) &&
		    (!outer || is_inside(outer, &v[i])))
			outer = &v[i];
	return outer;
}

static void add_amount(double *to, double amount)
{
	if (amount > 0)
		*to += amount;
}

/* The peaks of rows that are there when row i starts. */
static double peaks_at(const struct job_row *const *in, size_t n, size_t i)
{
	double start = job_number(in[i], RTRACK_ROW_START), sum = 0;

	for (size_t k = 0; k < n; k++)
		if (job_number(in[k], RTRACK_ROW_START) <= start && stop_of(in[k]) > start)
			add_amount(&sum, job_number(in[k], RTRACK_ROW_MEMORY_PEAK));
	return sum;
}

static void add_inside(struct job_row *outer, struct job_row *const *outer_by, struct job_row *v,
                       size_t n)
{
	struct catalog_inside *to = &outer->run.inner;
	const struct job_row *in[SWEEP_MAX];
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		double wall = job_number(&v[i], RTRACK_ROW_WALL);
		if (outer_by[i] != outer)
			continue;
		add_amount(&to->core_s, job_number(&v[i], RTRACK_ROW_CPU));
		add_amount(&to->byte_s, job_number(&v[i], RTRACK_ROW_MEMORY_MEAN) * wall);
		add_amount(&to->gpu_s, job_number(&v[i], RTRACK_ROW_GPUS_MEAN) * wall);
		to->peak_b = fmax(to->peak_b, job_number(&v[i], RTRACK_ROW_MEMORY_PEAK));
		if (k < SWEEP_MAX)
			in[k++] = &v[i];
	}
	for (size_t i = 0; i < k; i++)
		to->peak_b = fmax(to->peak_b, peaks_at(in, k, i));
}

/* The value of a label "….job_name", as a scheduler gives it. n: its length. */
static const char *label_of_name(const char *labels, size_t *n)
{
	static const char key[] = ".job_name=";
	const char *at = strstr(labels, key);
	const char *tag = at;

	while (tag && tag > labels && tag[-1] != ';')
		tag--;
	if (!tag || strcspn(tag, "=") + 1 != (size_t)(at - tag) + sizeof key - 1)
		return NULL;
	at += sizeof key - 1;
	*n = strcspn(at, ";");
	return *n ? at : NULL;
}

/* The job's own name, for the rows of steps that have the names of their commands: that of
 * accounting, which all have taken; else of the scheduler's label, else of the longest row. */
static void name_steps(struct job_row *v, size_t n)
{
	struct job_row *longest = NULL;
	const char *label = NULL, *name;
	char text[129];
	size_t length;

	for (size_t i = 0; i < n; i++) {
		if (v[i].run.origin == IMPORT_RECORDED_AND_SACCT)
			return;
		if (v[i].run.origin != IMPORT_RECORDED || v[i].run.inside)
			continue;
		if (!longest ||
		    job_number(&v[i], RTRACK_ROW_WALL) > job_number(longest, RTRACK_ROW_WALL))
			longest = &v[i];
		if (!label && (label = label_of_name(job_text(&v[i], RTRACK_ROW_LABELS), &length)))
			snprintf(text, sizeof text, "%.*s",
			         (int)(length < sizeof text ? length : sizeof text - 1), label);
	}
	if (!longest)
		return;
	if (label && *(name = rtrack_row_store(longest->row, text)))
		longest->row->of[RTRACK_ROW_NAME].text = name;
	for (size_t i = 0; i < n; i++)
		take_text(&v[i], longest, RTRACK_ROW_NAME);
}

static void raise_ask(struct job_row *v, size_t n, enum rtrack_row_id id, enum rtrack_row_id source)
{
	for (size_t i = 0; i < n; i++)
		for (size_t of = 0; of < n; of++)
			if (v[i].run.origin == IMPORT_RECORDED &&
			    v[of].run.origin == IMPORT_RECORDED &&
			    job_number(&v[i], id) < job_number(&v[of], id) &&
			    strcmp(job_text(&v[i], source), job_text(&v[of], source)) == 0 &&
			    !is_share(&v[i]) && is_same_node(&v[i], &v[of]))
				v[i].row->of[id].number = job_number(&v[of], id);
}

/* The ask of a node is at least the largest of those that its recordings have from the scheduler: a
 * step's (srun --mem) may be a part of it. Mostly all are equal. What
 * accounting says is the job's already. */
static void raise_asks(struct job_row *v, size_t n)
{
	for (size_t k = 0; k < sizeof asks / sizeof *asks; k++) {
		enum rtrack_row_id id = asks[k].value, source = asks[k].source;
		double least = INFINITY, most = -INFINITY;
		for (size_t i = 0; i < n; i++) {
			least = fmin(least, job_number(&v[i], id));
			most = fmax(most, job_number(&v[i], id));
		}
		if (least < most)
			raise_ask(v, n, id,
			          source == RTRACK_ROW_ID ? RTRACK_ROW_ASKED_CPUS_SOURCE : source);
	}
}

static bool is_long(const struct job_row *r)
{
	return !(job_number(r, RTRACK_ROW_SAMPLES) < CATALOG_SAMPLES);
}

static void join_steps(struct job_row *v, size_t n)
{
	struct job_row *outer[JOB_ROWS_MAX];
	size_t recorded = 0, other = 0;
	bool longer = false;
	const struct job_row *first = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!job_row_recorded(&v[i].run))
			continue;
		first = first ? first : &v[i];
		recorded++;
		longer = longer || is_long(&v[i]);
		other += &v[i] != first && !same_step(&v[i], first);
	}
	if (recorded < 2 || !other)
		return;
	raise_asks(v, n);
	for (size_t i = 0; i < n; i++)
		outer[i] = job_row_recorded(&v[i].run) ? outer_of(&v[i], v, n) : NULL;
	for (size_t i = 0; i < n; i++) {
		/* A row may be inside of another that is inside of a third. */
		for (size_t depth = 0; outer[i] && outer[outer[i] - v] && depth < n; depth++)
			outer[i] = outer[outer[i] - v];
	}
	for (size_t i = 0; i < n; i++) {
		if (!job_row_recorded(&v[i].run))
			continue;
		v[i].run.joined = job_text(&v[i], RTRACK_ROW_JOB_ID);
		v[i].run.inside = outer[i];
		v[i].outer = outer[i];
		v[i].run.beside_longer = longer;
		add_inside(&v[i], outer, v, n);
	}
	name_steps(v, n);
}

/* -- heterogeneous jobs ------------------------------------------------------------------------ */

/* Accounting's row of a component has the key of the whole job. */
static bool is_component(const struct job_row *r)
{
	return r->run.origin == IMPORT_OF_SACCT && *job_text(r, RTRACK_ROW_JOB);
}

/* The batch script runs on the first component. The keys of the others have "@+1" and so on. */
static bool is_first_component(const struct job_row *r)
{
	return !strstr(r->run.source.path, "@+");
}

/* Whether a component's nodes have this one, by its name or its host's, full or short. */
static bool ran_on(const struct job_row *r, const struct job_row *component)
{
	const char *names[] = {job_text(r, RTRACK_ROW_NODE), job_text(r, RTRACK_ROW_HOST)};
	const char *list = job_text(component, RTRACK_ROW_NODE);
	char name[65];

	for (size_t i = 0; i < 2; i++) {
		snprintf(name, sizeof name, "%.*s", (int)strcspn(names[i], "."), names[i]);
		if (*name && (slurm_steps_has(list, names[i]) || slurm_steps_has(list, name)))
			return true;
	}
	return false;
}

/* The row of accounting for a recording: of a heterogeneous job, its component's. NULL: none. */
static struct job_row *accounted_of(const struct job_row *r, struct job_row *v, size_t n)
{
	struct job_row *found = NULL;

	for (size_t i = 0; i < n; i++) {
		if (v[i].run.origin != IMPORT_OF_SACCT)
			continue;
		if (is_component(&v[i]) && ran_on(r, &v[i]))
			return &v[i];
		if ((!is_component(&v[i]) || is_first_component(&v[i])) && (!found || v[i].given))
			found = &v[i];
	}
	return found;
}

/* Components that no recording is of are rows of the same run. What accounting says of the CPU time
 * is that of all the others together. */
static void join_components(struct job_row *v, size_t n)
{
	double cpu = NAN;
	bool several = false, left = false;

	for (size_t i = 0; i < n; i++) {
		double of = job_number(&v[i], RTRACK_ROW_CPU);
		if (!is_component(&v[i]))
			continue;
		left = left || !v[i].taken;
		several = several || (v[i].taken && !isnan(cpu));
		if (v[i].taken)
			cpu = isnan(cpu) ? of : cpu + of;
	}
	for (size_t i = 0; i < n; i++) {
		if (several && job_row_recorded(&v[i].run))
			v[i].run.accounted_cpu_s = cpu;
		if ((several || left) && !v[i].taken)
			v[i].run.joined = job_text(&v[i], RTRACK_ROW_JOB_ID);
	}
}

/* -- a job ------------------------------------------------------------------------------------- */

/* A recording that comes to others learns from them what accounting said. */
static void inherit_all(struct job_row *v, size_t n)
{
	const struct job_row *before = NULL;

	for (size_t i = 0; i < n && !before; i++)
		if (v[i].run.origin == IMPORT_RECORDED_AND_SACCT)
			before = &v[i];
	for (size_t i = 0; before && i < n; i++)
		if (v[i].run.origin == IMPORT_RECORDED)
			job_rows_inherit(&v[i], before);
}

void job_rows_join(struct job_row *v, size_t n)
{
	double most[sizeof asks / sizeof *asks] = {0};
	bool recorded = false, accounted = false;

	if (n > JOB_ROWS_MAX)
		return;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizeof asks / sizeof *asks; k++)
			if (job_row_recorded(&v[i].run))
				most[k] = fmax(most[k], job_number(&v[i], asks[k].value));
	for (size_t i = 0; i < n; i++) {
		recorded = recorded || job_row_recorded(&v[i].run);
		accounted = accounted || v[i].run.origin == IMPORT_OF_SACCT;
		v[i].taken = v[i].run.origin == IMPORT_OF_SACCT && !is_component(&v[i]);
	}
	if (!recorded)
		return;
	for (size_t i = 0; i < n; i++) {
		struct job_row *of = job_row_recorded(&v[i].run) ? accounted_of(&v[i], v, n) : NULL;
		if (!of)
			continue;
		account(&v[i], of, most);
		of->taken = true;
	}
	if (!accounted)
		inherit_all(v, n);
	job_cut_complete(v, n);
	join_steps(v, n);
	join_components(v, n);
	job_cut_raise_peaks(v, n);
	compare(v, n);
}
