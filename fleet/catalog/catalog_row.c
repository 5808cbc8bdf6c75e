/* catalog_row: what a catalog computes of a run when it is added. */
#include "fleet/catalog/catalog_row.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/quantity.h"
#include "core/end/end_cause.h"
#include "core/head/cpu_demand.h"
#include "core/numbers/log_bucket.h"
#include "core/numbers/stats.h"
#include "core/recording/snapshot.h"
#include "report/input/input.h"
#include "report/runs/run_impossible.h"

/* -- a type of machine ------------------------------------------------------------------------- */

#define MACHINE_FIELDS 6

static char *put_name(char *at, const char *name)
{
	for (; *name; name++)
		*at++ = (unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name;
	*at++ = '\t';
	return at;
}

static char *put_amount(char *at, double v, int digits, char end)
{
	if (isfinite(v))
		at += snprintf(at, 24, "%.*g", digits, v);
	*at++ = end;
	return at;
}

void catalog_machine_text(const struct catalog_machine *m, char out[CATALOG_MACHINE_MAX])
{
	char *at = out;

	at = put_name(at, m->vendor);
	at = put_name(at, m->instance);
	at = put_name(at, m->region);
	at = put_amount(at, m->vcpus, 6, '\t');
	at = put_amount(at, m->memory_b, 15, '\t');
	put_amount(at, m->gpus, 6, '\0');
}

static int read_name(const char *from, size_t n, char *into, size_t size)
{
	if (n >= size)
		return -1;
	memcpy(into, from, n);
	into[n] = '\0';
	return 0;
}

static int read_amount(const char *from, size_t n, double *v)
{
	char text[32], *end;

	*v = NAN;
	if (n == 0)
		return 0;
	if (read_name(from, n, text, sizeof text) || !isdigit((unsigned char)*text))
		return -1;
	*v = strtod(text, &end);
	return *end || !isfinite(*v) ? -1 : 0;
}

int catalog_machine_parse(const char *text, struct catalog_machine *out)
{
	const char *field[MACHINE_FIELDS];
	size_t n[MACHINE_FIELDS];

	for (int i = 0; i < MACHINE_FIELDS; i++) {
		field[i] = text;
		n[i] = strcspn(text, "\t");
		text += n[i];
		if ((*text == '\t') != (i < MACHINE_FIELDS - 1))
			return -1;
		text++;
	}
	if (read_name(field[0], n[0], out->vendor, sizeof out->vendor) ||
	    read_name(field[1], n[1], out->instance, sizeof out->instance) ||
	    read_name(field[2], n[2], out->region, sizeof out->region))
		return -1;
	if (read_amount(field[3], n[3], &out->vcpus) || read_amount(field[4], n[4], &out->memory_b))
		return -1;
	return read_amount(field[5], n[5], &out->gpus);
}

/* -- limits ------------------------------------------------------------------------------------ */

#define AMOUNT_MAX  1e18         /* a larger number is nonsense, and could make sums infinite */
#define START_MIN   946684800    /* 2000: before, the clock was not set */
#define START_MAX   253402300800 /* the year 10000 */
#define TIME_DIGITS 3
#define NODES_MAX   1e6 /* more are nonsense */

const struct catalog_column catalog_columns[CATALOG_COLUMNS] = {
#define KIND_TEXT               CATALOG_TEXT
#define KIND_ID                 CATALOG_TEXT
#define KIND_NUMBER             CATALOG_NUMBER
#define KIND_BYTES              CATALOG_NUMBER
#define KIND_TIME_AT            CATALOG_NUMBER
#define KIND_INTEGER            CATALOG_INTEGER
#define IS_START(id)            ((id) == RTRACK_ROW_START)
#define JOIN_OF(id)             (IS_START(id) ? CATALOG_JOIN_SMALLEST : CATALOG_JOIN_LARGEST)
#define ROW(id, kind, key, ...) [RTRACK_ROW_##id] = {key, KIND_##kind, JOIN_OF(RTRACK_ROW_##id)},
#define COLUMN(id, kind, name, join, ...)                                                          \
	[CATALOG_COLUMN_##id] = {name, KIND_##kind, CATALOG_JOIN_##join},
#include "core/head/rtrack_row.def"
#include "fleet/catalog/catalog_columns.def"
#undef COLUMN
};

/* -- a row: what is computed ------------------------------------------------------------------- */

/* The input of the computed columns. */
struct numbers {
	double wall, cores, memory, gpus; /* means over time */
	double peak, gpus_peak;
	double asked_cpus, asked_memory, asked_gpus;
	double vcpus, machine_memory, machine_gpus;
	double need;         /* of memory */
	double needed_cores; /* the mean; if it was short of CPU, what it would have used */
	bool oom;
};

static double amount_of(const struct rtrack_row *row, enum rtrack_row_id id)
{
	double v = row->of[id].number;

	if (id == RTRACK_ROW_START)
		return v >= START_MIN && v < START_MAX ? v : NAN;
	if (id == RTRACK_ROW_CODE)
		return fabs(v) <= AMOUNT_MAX ? v : NAN;
	return v >= 0 && v <= AMOUNT_MAX ? v : NAN;
}

/* An ask of 0 is none, and no machine has 0 CPUs. */
static double more_than_0(const struct rtrack_row *row, enum rtrack_row_id id)
{
	double v = amount_of(row, id);

	return v > 0 ? v : NAN;
}

static bool is_oom(const struct rtrack_row *row)
{
	return strcmp(row->of[RTRACK_ROW_STATUS].text, "oom") == 0 ||
	       row->of[RTRACK_ROW_OOM_KILLS].number >= 1;
}

static double needed_cores_of(const struct rtrack_row *row, double cores)
{
	double demand = amount_of(row, RTRACK_ROW_CORES_DEMAND);

	if (cpu_demand_starved_row(cores, demand) > 0)
		return fmax(cores, cpu_demand_cpus(demand));
	return cores;
}

double catalog_row_nodes(const struct rtrack_row *row)
{
	double nodes = row->of[RTRACK_ROW_NODES].number;

	return strcmp(row->of[RTRACK_ROW_COVERS].text, CATALOG_COVERS_JOB) == 0 && nodes > 1 &&
	               nodes <= NODES_MAX
	           ? nodes
	           : 1;
}

static struct numbers numbers_of(const struct rtrack_row *row)
{
	struct numbers n = {
	    .wall = amount_of(row, RTRACK_ROW_WALL),
	    .memory = amount_of(row, RTRACK_ROW_MEMORY_MEAN),
	    .gpus = amount_of(row, RTRACK_ROW_GPUS_MEAN),
	    .peak = amount_of(row, RTRACK_ROW_MEMORY_PEAK),
	    .gpus_peak = amount_of(row, RTRACK_ROW_GPUS_PEAK),
	    .asked_cpus = more_than_0(row, RTRACK_ROW_ASKED_CPUS),
	    .asked_memory = more_than_0(row, RTRACK_ROW_ASKED_MEMORY),
	    .asked_gpus = more_than_0(row, RTRACK_ROW_ASKED_GPUS),
	    .vcpus = more_than_0(row, RTRACK_ROW_VCPUS),
	    .machine_memory = more_than_0(row, RTRACK_ROW_MACHINE_MEMORY),
	    .machine_gpus = more_than_0(row, RTRACK_ROW_MACHINE_GPUS),
	    .oom = is_oom(row),
	};
	double nodes = catalog_row_nodes(row);

	n.asked_cpus /= nodes;
	n.asked_memory /= nodes;
	n.asked_gpus /= nodes;
	n.memory /= nodes;
	n.peak /= nodes;
	/* Exact, where the mean is of samples. */
	n.cores = amount_of(row, RTRACK_ROW_CPU) / n.wall / catalog_row_nodes(row);
	if (!(n.cores <= AMOUNT_MAX))
		n.cores = amount_of(row, RTRACK_ROW_CORES_MEAN);
	n.needed_cores = needed_cores_of(row, n.cores);
	n.need = n.oom ? fmax(n.peak, n.asked_memory) : n.peak;
	return n;
}

const char *catalog_row_impossible(const struct rtrack_row *row, double now)
{
	struct numbers n = numbers_of(row);
	const struct run_claims claims = {
	    .start = row->of[RTRACK_ROW_START].number,
	    .wall_s = row->of[RTRACK_ROW_WALL].number,
	    .cpu_s = row->of[RTRACK_ROW_CPU].number,
	    .memory_b = row->of[RTRACK_ROW_MEMORY_PEAK].number,
	    .vcpus = n.vcpus,
	    .machine_memory_b = n.machine_memory,
	    .asked_cpus = row->of[RTRACK_ROW_ASKED_CPUS].number,
	    .asked_memory_b = row->of[RTRACK_ROW_ASKED_MEMORY].number,
	};

	return run_impossible(&claims, now);
}

bool catalog_row_was_ended(const struct rtrack_row *row)
{
	switch (end_cause_find(row->of[RTRACK_ROW_END_CAUSE].text)) {
	case END_CAUSE_TIME_LIMIT:
	case END_CAUSE_EXITED:
	case END_CAUSE_CANCELLED:
	case END_CAUSE_NODE_FAILED:
	case END_CAUSE_PREEMPTED:
	case END_CAUSE_DEADLINE:
	case END_CAUSE_REQUEUED:
		return true;
	default:
		return false;
	}
}

static bool has_failed(const struct rtrack_row *row)
{
	double code = row->of[RTRACK_ROW_CODE].number;

	return *row->of[RTRACK_ROW_SIGNAL].text || (isfinite(code) && code != 0) ||
	       (isnan(code) && catalog_row_was_ended(row));
}

/* The first reason that holds. */
static enum catalog_class class_of(const struct catalog_run *run, const struct numbers *n)
{
	const struct rtrack_row *row = run->row;
	bool few = row->of[RTRACK_ROW_SAMPLES].number < CATALOG_SAMPLES;

	if (catalog_row_impossible(row, run->now))
		return CATALOG_IMPOSSIBLE;
	if (strcmp(row->of[RTRACK_ROW_STATUS].text, "unfinished") == 0)
		return CATALOG_UNFINISHED;
	if (!n->oom && has_failed(row))
		return CATALOG_FAILED;
	/* A short step has no say in what its job is. */
	if (few && run->beside_longer)
		return CATALOG_COUNTED;
	if (!(n->wall > 0) || isnan(n->need))
		return CATALOG_UNMEASURED;
	if (isnan(n->asked_cpus) && isnan(n->asked_memory))
		return CATALOG_NO_ASK;
	if (few)
		return CATALOG_SHORT;
	return CATALOG_COUNTED;
}

/* The largest of the shares that are known, at most 1; NAN: none is. */
static double share_of(double cpus, double vcpus, double memory, double machine_memory, double gpus,
                       double machine_gpus)
{
	double share = fmax(fmax(cpus / vcpus, memory / machine_memory), gpus / machine_gpus);

	return share > 1 ? 1 : share;
}

static double unused_s(const struct numbers *n, double paid_s)
{
	double used =
	    share_of(n->cores, n->vcpus, n->need, n->machine_memory, n->gpus_peak, n->machine_gpus);

	if (isnan(paid_s)) {
		paid_s = n->wall;
		used = share_of(n->cores, n->asked_cpus, n->need, n->asked_memory, n->gpus_peak,
		                n->asked_gpus);
	}
	return fmax(paid_s - n->wall * used, 0); /* 0 also where a number is unknown */
}

/* -- a row: values ----------------------------------------------------------------------------- */

static void set_text(struct catalog_value *v, const char *text)
{
	*v = (struct catalog_value){.kind = CATALOG_TEXT, .text = text ? text : ""};
}

static void set_number(struct catalog_value *v, double number)
{
	*v = (struct catalog_value){.kind = isfinite(number) ? CATALOG_NUMBER : CATALOG_NULL,
	                            .number = number};
}

static void set_integer(struct catalog_value *v, int64_t integer)
{
	*v = (struct catalog_value){.kind = CATALOG_INTEGER, .integer = integer};
}

/* n: the word is unknown. */
static void set_code(struct catalog_value *v, int code, int n)
{
	*v = (struct catalog_value){.kind = CATALOG_NULL};
	if (code < n)
		set_integer(v, code);
}

static void set_bucket(struct catalog_value *v, double number, enum catalog_class class)
{
	*v = (struct catalog_value){.kind = CATALOG_NULL};
	if (class == CATALOG_COUNTED && isfinite(number))
		set_integer(v, log_bucket(number));
}

/* asked, used and unused: three columns. */
static void set_seconds(struct catalog_value v[3], double asked, double used, double wall)
{
	bool known = isfinite(asked) && isfinite(used) && isfinite(wall);

	set_number(&v[0], known ? asked * wall : NAN);
	set_number(&v[1], known ? used * wall : NAN);
	set_number(&v[2], known ? fmax(asked * wall - used * wall, 0) : NAN);
}

/* The job, if it makes several rows. Accounting says itself which does. */
static const char *joined_of(const struct catalog_run *run)
{
	const struct rtrack_row *row = run->row;
	bool several = row->of[RTRACK_ROW_NODES].number > 1 || row->of[RTRACK_ROW_TASKS].number > 1;

	if (run->origin == IMPORT_OF_SACCT)
		return row->of[RTRACK_ROW_JOB].text;
	if (strcmp(row->of[RTRACK_ROW_COVERS].text, CATALOG_COVERS_JOB) == 0)
		return "";
	return several ? row->of[RTRACK_ROW_JOB].text : "";
}

/* The rows of a run have one key, and one user: a job's number is what a recording says. */
static const char *joined_by_user(const char *job, const struct rtrack_row *row,
                                  char out[CATALOG_JOINED_MAX])
{
	const char *user = row->of[RTRACK_ROW_USER].text;
	int n = *job && *user ? snprintf(out, CATALOG_JOINED_MAX, "%s %s", job, user) : 0;

	return n > 0 && n < CATALOG_JOINED_MAX ? out : job;
}

/* An impossible run has no known amount, so that it is in no sum. */
static const struct numbers no_numbers = {NAN, NAN, NAN, NAN, NAN, NAN, NAN,  NAN,
                                          NAN, NAN, NAN, NAN, NAN, NAN, false};

/* Three digits, so that every engine has the same. */
static double time_digits(double v)
{
	return v > 0 && v <= AMOUNT_MAX ? stats_digits(v, TIME_DIGITS) : NAN;
}

/* Between two powers of 2 on the line over 1 / CPUs, which is never below the time. */
static double time_asked(const struct rtrack_row *row, double cpus)
{
	double at[CATALOG_TIMES + 1], share;
	int i = 0;

	for (int k = 0; k <= CATALOG_TIMES; k++)
		at[k] = time_digits(
		    row->of[RTRACK_ROW_TIME_AT_1 + (k < CATALOG_TIMES ? k : k - 1)].number);
	if (!(at[0] > 0) || !(cpus > 0))
		return at[0] > 0 ? 1 : NAN;
	while (i + 1 < CATALOG_TIMES && cpus >= (double)(2 << i))
		i++;
	share = (1.0 / (1 << i) - 1 / fmax(cpus, 1)) * (2 << i);
	return time_digits(at[i] + (at[i + 1] - at[i]) * share);
}

/* Whether accounting says no more than that a node had at least so much memory. */
static bool is_bound(const struct catalog_run *run)
{
	return (run->origin == IMPORT_OF_SACCT || run->origin == IMPORT_OF_SEFF) &&
	       strcmp(run->row->of[RTRACK_ROW_MEMORY_KNOWN].text, SNAPSHOT_MEMORY_BOUND) == 0;
}

/* Without a mean, as accounting has none, the peak is what was used at most. */
static struct numbers numbers_of_run(const struct catalog_run *run)
{
	struct numbers n = numbers_of(run->row);
	const struct catalog_inside *in = &run->inner;

	if (run->origin != IMPORT_RECORDED && isnan(n.memory) && !is_bound(run))
		n.memory = n.peak;
	if (in->core_s > 0)
		n.cores += in->core_s / n.wall;
	if (in->byte_s > 0)
		n.memory += in->byte_s / n.wall;
	if (in->gpu_s > 0)
		n.gpus += in->gpu_s / n.wall;
	if (in->peak_b > 0)
		n.need += in->peak_b;
	n.needed_cores = needed_cores_of(run->row, n.cores);
	return n;
}

/* The sums of a row that is inside of another are that one's; those of a row that is of several
 * nodes are those of all. */
static void set_weights(const struct catalog_run *run, struct catalog_value *v)
{
	static const int sums[] = {
	    CATALOG_COLUMN_ASKED_CORE_S, CATALOG_COLUMN_USED_CORE_S, CATALOG_COLUMN_UNUSED_CORE_S,
	    CATALOG_COLUMN_ASKED_BYTE_S, CATALOG_COLUMN_USED_BYTE_S, CATALOG_COLUMN_UNUSED_BYTE_S,
	    CATALOG_COLUMN_ASKED_GPU_S,  CATALOG_COLUMN_USED_GPU_S,  CATALOG_COLUMN_UNUSED_GPU_S,
	    CATALOG_COLUMN_PAID_S,       CATALOG_COLUMN_UNUSED_S,    CATALOG_COLUMN_NODE_S,
	};
	double nodes = catalog_row_nodes(run->row);

	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		if (run->inside)
			v[sums[i]].kind = CATALOG_NULL;
		else
			v[sums[i]].number *= nodes;
	if (run->inside)
		set_number(&v[CATALOG_COLUMN_NODE_S], 0);
	else if (nodes > 1)
		set_integer(&v[CATALOG_COLUMN_RECORDINGS], (int64_t)nodes);
}

static int64_t origin_code_of(const struct catalog_run *run)
{
	int more = run->differs | (is_bound(run) ? CATALOG_BOUND : 0);

	return (int64_t)run->origin + (int64_t)CATALOG_DIFFERS * more;
}

static void set_computed(const struct catalog_run *run, char joined[CATALOG_JOINED_MAX],
                         struct catalog_value *v)
{
	const struct rtrack_row *row = run->row;
	struct numbers n = numbers_of_run(run);
	enum catalog_class class = class_of(run, &n);
	double start = amount_of(row, RTRACK_ROW_START), paid_s;
	const char *cause = row->of[RTRACK_ROW_END_CAUSE].text;

	if (class == CATALOG_IMPOSSIBLE)
		n = no_numbers;
	paid_s = n.wall * share_of(n.asked_cpus, n.vcpus, n.asked_memory, n.machine_memory,
	                           n.asked_gpus, n.machine_gpus);
	set_integer(&v[CATALOG_COLUMN_CLASS], class);
	set_integer(&v[CATALOG_COLUMN_OOM], n.oom);
	set_text(&v[CATALOG_COLUMN_JOINED],
	         joined_by_user(run->joined ? run->joined : joined_of(run), row, joined));
	set_number(&v[CATALOG_COLUMN_STOP], start + n.wall);
	v[CATALOG_COLUMN_DAY] = (struct catalog_value){.kind = CATALOG_NULL};
	if (isfinite(start))
		set_integer(&v[CATALOG_COLUMN_DAY], (int64_t)(start / QUANTITY_DAY_S));
	set_number(&v[CATALOG_COLUMN_MEMORY_NEED], n.need);
	set_bucket(&v[CATALOG_COLUMN_MEMORY_BUCKET], is_bound(run) && !n.oom ? NAN : n.need, class);
	set_bucket(&v[CATALOG_COLUMN_WALL_BUCKET], n.wall, class);
	set_bucket(&v[CATALOG_COLUMN_CORES_BUCKET], n.needed_cores, class);
	set_bucket(&v[CATALOG_COLUMN_GPUS_BUCKET], n.gpus_peak, class);
	set_bucket(&v[CATALOG_COLUMN_INPUT_BUCKET], amount_of(row, RTRACK_ROW_INPUT), class);
	set_seconds(&v[CATALOG_COLUMN_ASKED_CORE_S], n.asked_cpus, n.cores, n.wall);
	set_seconds(&v[CATALOG_COLUMN_ASKED_BYTE_S], n.asked_memory, n.memory, n.wall);
	set_seconds(&v[CATALOG_COLUMN_ASKED_GPU_S], n.asked_gpus, n.gpus, n.wall);
	set_number(&v[CATALOG_COLUMN_PAID_S], paid_s);
	set_number(&v[CATALOG_COLUMN_UNUSED_S], unused_s(&n, paid_s));
	set_number(&v[CATALOG_COLUMN_NODE_S], n.wall);
	set_integer(&v[CATALOG_COLUMN_RECORDINGS], 1);
	set_number(&v[CATALOG_COLUMN_TIME_ASKED],
	           class == CATALOG_IMPOSSIBLE ? NAN : time_asked(row, n.asked_cpus));
	set_code(&v[CATALOG_COLUMN_MOSTLY_CODE],
	         (int)states_group_find(row->of[RTRACK_ROW_MOSTLY].text), STATES_GROUPS);
	set_code(&v[CATALOG_COLUMN_END_CODE], *cause ? (int)end_cause_find(cause) : END_CAUSE_COUNT,
	         END_CAUSE_COUNT);
}

/* A character that would be cut is left out. */
static void copy_machine_name(char *into, size_t size, const char *name)
{
	size_t n = strnlen(name, size - 1);

	while (n && ((unsigned char)name[n] & 0xc0) == 0x80)
		n--;
	memcpy(into, name, n);
	into[n] = '\0';
}

void catalog_row_values(const struct catalog_run *run, struct catalog_row_text *text,
                        struct catalog_value v[CATALOG_COLUMNS])
{
	static const enum rtrack_row_id of_job[] = {CATALOG_ROW_OF_JOB};
	const struct rtrack_row *row = run->row;
	struct catalog_machine m = {.vcpus = more_than_0(row, RTRACK_ROW_VCPUS),
	                            .memory_b = more_than_0(row, RTRACK_ROW_MACHINE_MEMORY),
	                            .gpus = amount_of(row, RTRACK_ROW_MACHINE_GPUS)};

	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		if (catalog_columns[i].kind == CATALOG_TEXT)
			set_text(&v[i], row->of[i].text);
		else
			set_number(&v[i], amount_of(row, (enum rtrack_row_id)i));
	}
	for (size_t i = 0; i < sizeof of_job / sizeof *of_job; i++)
		set_number(&v[of_job[i]], amount_of(row, of_job[i]) / catalog_row_nodes(row));
	for (int i = 0; i < CATALOG_TIMES; i++)
		set_number(&v[RTRACK_ROW_TIME_AT_1 + i],
		           time_digits(row->of[RTRACK_ROW_TIME_AT_1 + i].number));
	set_text(&v[CATALOG_COLUMN_SOURCE], run->source.path);
	set_integer(&v[CATALOG_COLUMN_SOURCE_SIZE], run->source.size);
	set_integer(&v[CATALOG_COLUMN_SOURCE_MTIME], run->source.mtime_ns);
	set_text(&v[CATALOG_COLUMN_SOURCE_TAG], run->source.tag);
	set_text(&v[CATALOG_COLUMN_ORIGIN], import_origins[run->origin]);
	set_integer(&v[CATALOG_COLUMN_ORIGIN_CODE], origin_code_of(run));
	set_number(&v[CATALOG_COLUMN_ACCOUNTED_CPU],
	           run->accounted_cpu_s > 0 ? run->accounted_cpu_s : NAN);
	set_number(&v[CATALOG_COLUMN_ACCOUNTED_MEMORY],
	           run->accounted_memory_b > 0 ? run->accounted_memory_b : NAN);
	set_number(&v[CATALOG_COLUMN_SUBMIT],
	           run->submit >= START_MIN && run->submit < START_MAX ? run->submit : NAN);
	set_computed(run, text->joined, v);
	set_weights(run, v);
	if (v[CATALOG_COLUMN_CLASS].integer == CATALOG_IMPOSSIBLE) /* node_s derives from it */
		v[RTRACK_ROW_WALL] = (struct catalog_value){.kind = CATALOG_NULL};
	copy_machine_name(m.vendor, sizeof m.vendor, row->of[RTRACK_ROW_VENDOR].text);
	copy_machine_name(m.instance, sizeof m.instance, row->of[RTRACK_ROW_INSTANCE].text);
	copy_machine_name(m.region, sizeof m.region, row->of[RTRACK_ROW_REGION].text);
	catalog_machine_text(&m, text->machine);
	set_text(&v[CATALOG_COLUMN_MACHINE], text->machine);
}

size_t catalog_source_file(const char *source)
{
	size_t n = strlen(source), file = n;
	char name[PATH_MAX];

	while (file && source[file - 1] >= '0' && source[file - 1] <= '9')
		file--;
	if (file == n || !file || source[file - 1] != '/' || file > sizeof name)
		return n;
	memcpy(name, source, --file);
	name[file] = '\0';
	return input_kind_of(name) == INPUT_SNAPSHOT ? file : n;
}
