/* ask_report: recordings of a job → advice for its next input → options. */
#include "fleet/ask/ask_report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/larger.h"
#include "core/base/quantity.h"
#include "core/head/cpu_demand.h"
#include "fleet/ask/ask_input.h"
#include "fleet/ask/ask_options.h"
#include "fleet/catalog/catalog_runs.h"
#include "fleet/groups/fleet_time.h"
#include "report/advice/cpu_rule.h"
#include "report/advice/memory_advice.h"
#include "report/advice/recommend.h"
#include "report/units/others_text.h"
#include "report/units/units.h"

#define INPUT_MAX_B 1e18 /* of an input: an exabyte */
#define RECORDINGS  1000 /* the newest ones are read */
#define JOINED_MAX  256
#define NAMES_SHOWN 4

/* The sums over the recordings of a job. */
struct gathered {
	const char *name;
	struct one {
		struct memory_run run;
		char joined[JOINED_MAX], sizes[JOB_INPUTS_SIZES_MAX + 1];
	} v[MEMORY_RULE_LAST];
	size_t n, jobs;
	char names[NAMES_SHOWN][64]; /* of the jobs */
	struct memory_run run[MEMORY_RULE_LAST];
	char text[MEMORY_RULE_LAST + 1][JOB_INPUTS_SIZES_MAX + 1];
	struct memory_advice memory;

	double today_b; /* of the newest; NAN: nobody asked */
	double nodes, tasks;
	double cpu_sum, gpu_sum; /* means of runs */
	struct fleet_times times;
	double wall_s; /* of all runs */
	size_t cpu_n, gpu_n;
	struct advice_input in;
};

/* -- the input --------------------------------------------------------------------------------- */

/* A file, or a size with its unit. */
static int size_of(const char *word, double *out, struct err *e)
{
	struct stat st;

	if (stat(word, &st)) {
		int why = errno;
		if (quantity_size(word, strlen(word), QUANTITY_WITH_UNIT, out))
			return err_set(e, "--input: %s: %s", word, strerror(why));
		return *out <= INPUT_MAX_B ? 0 : err_set(e, "--input: %s: too large", word);
	}
	if (!S_ISREG(st.st_mode))
		return err_set(e, "--input: %s: not a regular file", word);
	*out = (double)st.st_size;
	return 0;
}

/* -- the runs ---------------------------------------------------------------------------------- */

static void note_job(struct gathered *g, const char *name)
{
	char cut[sizeof *g->names];
	size_t n = strnlen(name, sizeof cut - 1);

	memcpy(cut, name, n);
	cut[n] = '\0';
	for (size_t i = 0; i < g->jobs && i < NAMES_SHOWN; i++)
		if (strcmp(g->names[i], cut) == 0)
			return;
	if (g->jobs < NAMES_SHOWN)
		memcpy(g->names[g->jobs], cut, sizeof cut);
	g->jobs++;
}

/* How long it would take with other CPUs. */
static void add_times(struct gathered *g, const struct catalog_recording *of)
{
	struct fleet_times one = {.known_s = of->wall_s};
	double asked = isnan(of->asked_cpus) ? of->vcpus : of->asked_cpus;

	if (!(of->wall_s > 0))
		return;
	g->wall_s += of->wall_s;
	for (size_t i = 0; i < CATALOG_TIMES; i++)
		one.at[i] = of->time_at[i] * of->wall_s;
	one.asked_s = fleet_time_at(&one, larger(asked, 1));
	if (!isfinite(one.asked_s) || isnan(asked))
		return;
	g->times.known_s += one.known_s;
	g->times.asked_s += one.asked_s;
	for (size_t i = 0; i < CATALOG_TIMES; i++)
		g->times.at[i] += one.at[i];
}

static void add_cpus(struct gathered *g, const struct catalog_recording *of)
{
	double cores = of->cpu_s / of->wall_s;

	add_times(g, of);
	if (isnan(cores))
		cores = of->cores_mean;
	if (isfinite(cores)) {
		g->cpu_sum += cores;
		g->cpu_n++;
	}
	if (cpu_demand_starved_row(cores, of->cores_demand) > 0)
		g->in.cpu_needed = larger(g->in.cpu_needed, cpu_demand_cpus(of->cores_demand));
	if (isfinite(of->gpus_mean)) {
		g->gpu_sum += of->gpus_mean;
		g->gpu_n++;
	}
	g->in.gpu_max = larger(g->in.gpu_max, of->gpus_peak);
	g->in.vram_max_mib = larger(g->in.vram_max_mib, of->vram_peak_b / QUANTITY_MIB);
}

/* Each amount of a run of several recordings is that of the largest. */
static void join(struct memory_run *run, const struct memory_run *with)
{
	run->need.need_b = larger(run->need.need_b, with->need.need_b);
	run->need.limit_b = larger(run->need.limit_b, with->need.limit_b);
	run->need.killed |= with->need.killed;
	run->wall_s = larger(run->wall_s, with->wall_s);
}

static struct memory_run run_of(const struct catalog_recording *of)
{
	/* A lower bound does not show what the run needed. */
	bool bound = of->origin_code >= CATALOG_BOUND * CATALOG_DIFFERS;
	bool killed = of->oom == 1;

	return (struct memory_run){
	    .need = {.need_b = bound ? (double)NAN : of->memory_peak_b,
	             .input_b = of->input_bytes,
	             .limit_b = killed ? larger(of->asked_memory_b, of->memory_peak_b)
	                               : of->asked_memory_b,
	             .killed = killed,
	             .start = isnan(of->start) ? 0 : of->start},
	    .wall_s = killed ? (double)NAN : of->wall_s,
	};
}

/* As asked_today says it of a recording. */
static bool is_ask(const char *source)
{
	return *source && strcmp(source, SNAPSHOT_ASKED_MACHINE) != 0;
}

static int gather(void *ctx, const struct catalog_recording *of, struct err *e)
{
	struct gathered *g = ctx;
	struct memory_run run = run_of(of);
	struct one *one;

	(void)e;
	note_job(g, of->name);
	if (of->class == CATALOG_FAILED || of->class == CATALOG_UNFINISHED ||
	    of->class == CATALOG_UNMEASURED || of->class == CATALOG_IMPOSSIBLE)
		return 0;
	for (size_t i = 0; *of->joined && i < g->n; i++)
		if (strncmp(g->v[i].joined, of->joined, JOINED_MAX - 1) == 0) {
			join(&g->v[i].run, &run);
			return 0;
		}
	if (g->n == MEMORY_RULE_LAST)
		return 0;
	add_cpus(g, of);
	one = &g->v[g->n];
	if (!g->n && is_ask(of->asked_memory_source))
		g->today_b = of->asked_memory_b;
	if (!g->n) {
		g->nodes = of->nodes;
		g->tasks = of->tasks;
	}
	strncat(one->joined, of->joined, JOINED_MAX - 1);
	if (strlen(of->input_sizes) < sizeof one->sizes)
		strncat(one->sizes, of->input_sizes, sizeof one->sizes - 1);
	one->run = run;
	g->n++;
	return 0;
}

static int refuse_several(const struct gathered *g, struct err *e)
{
	struct buf names = {0};

	for (size_t i = 0; i < g->jobs && i < NAMES_SHOWN; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", g->names[i]);
	err_set(e, "these are recordings of several jobs (%s%s): say which with --where name=…",
	        buf_cstr(&names), g->jobs > NAMES_SHOWN ? " and others" : "");
	buf_free(&names);
	return -1;
}

/* -- the advice -------------------------------------------------------------------------------- */

/* By the time with other CPUs, where it is known of nearly all runs; but a job that was short of
 * CPU keeps what it would have used, and the CPUs that it would miss. */
static void advise_by_times(const struct gathered *g, double slowdown, struct advice *out)
{
	double fewest;

	if (g->in.cpu_needed > 0)
		slowdown = fmin(slowdown, CPU_RULE_FELT);
	fewest = fleet_time_fewest(&g->times, slowdown);
	if (g->times.known_s < 0.9 * g->wall_s || !(fewest > 0) ||
	    (g->in.cpu_needed > 0 && fewest <= g->in.cpu_needed))
		return;
	out->cpu = (long)fewest;
	snprintf(out->cpu_formula, sizeof out->cpu_formula,
	         "the fewest with which runs take at most %g × as long: %.2f × = %ld CPU%s",
	         1 + slowdown, fleet_time_longer(&g->times, fewest), out->cpu,
	         out->cpu == 1 ? "" : "s");
	advice_take_longer(out, fleet_time_at(&g->times, fewest) / g->times.known_s);
}

static void advise(struct gathered *g, const struct fleet_options *o, const double *bytes,
                   struct advice *out)
{
	char how[sizeof out->memory_formula];
	struct memory_run next;
	const struct memory_request q = {
	    .today_b = g->today_b, .lambda = recommend_lambda(o->page.risk), .with = &next};
	struct advice_input *in = &g->in;

	for (size_t i = 0; i < g->n; i++) {
		g->run[i] = g->v[i].run;
		g->run[i].sizes = g->v[i].sizes;
		if (g->run[i].wall_s > 0) {
			in->finished++;
			in->longest_s = larger(in->longest_s, g->run[i].wall_s);
		}
		in->memory_max_mib =
		    larger(in->memory_max_mib, g->run[i].need.need_b / QUANTITY_MIB);
	}
	if (!ask_input_match(g->run, g->n, bytes, o->ask_for.n, g->text, &next))
		next.need.input_b = NAN;
	memory_advice_make(g->run, g->n, &q, &g->memory);
	memory_advice_formula(&g->memory, how, sizeof how);
	in->cpu_mean = g->cpu_n ? g->cpu_sum / (double)g->cpu_n : (double)NAN;
	in->gpu_mean = g->gpu_n ? g->gpu_sum / (double)g->gpu_n : (double)NAN;
	in->memory_ask_mib = g->memory.ask_b / QUANTITY_MIB;
	in->memory_how = how;
	in->time_most_s = g->memory.by == MEMORY_BY_INPUT ? g->memory.wall_most_s : (double)NAN;
	advice_make(in, out);
	advise_by_times(g, o->page.slowdown, out);
	out->nodes = g->nodes > 1 ? (long)g->nodes : 0;
	out->tasks = g->tasks > g->nodes ? (long)ceil(g->tasks / larger(g->nodes, 1)) : 0;
}

static void put_asked_line(struct buf *out, const char *name, long v, const char *unit,
                           const char *formula)
{
	if (v > 0 && advice_known(formula))
		buf_printf(out, "%-7s %6ld%s   %s\n", name, v, unit, formula);
}

static void put_sentences(const struct gathered *g, const struct advice *a, struct buf *out)
{
	bool by_input = g->memory.by == MEMORY_BY_INPUT;

	put_asked_line(out, "memory", a->memory_mib, " MiB", a->memory_formula);
	put_asked_line(out, "cpus", a->cpu, "    ", a->cpu_formula);
	put_asked_line(out, "gpus", a->gpu, "    ", a->gpu_formula);
	put_asked_line(out, "time", a->time_min, " min", a->time_formula);
	buf_printf(out, "From %zu run%s%s.", g->n, g->n == 1 ? "" : "s",
	           by_input ? ", by the size of the input"
	                    : "; the size of the input says nothing yet");
	if (by_input && g->memory.guess)
		buf_str(out,
		        g->memory.fit.bends
		            ? " A guess: runs with the largest inputs all needed more than the "
		              "line says, and this one is larger."
		            : " A guess: it is more than twice the largest input so far.");
	buf_char(out, '\n');
}

static int refuse_none(const struct input_others *others, struct err *e)
{
	struct buf text = {0};

	others_text(others, &text);
	err_set(e, "there is no recording of such a run: nothing is known of what to ask for%s%s",
	        text.len ? "; " : "", buf_cstr(&text));
	buf_free(&text);
	return -1;
}

static int print_ask(const struct fleet_options *o, const struct input_others *others,
                     struct gathered *g, struct buf *out, struct err *e)
{
	double bytes[OPTS_LIST_MAX] = {0};
	struct advice advice;
	size_t before = out->len;

	for (size_t i = 0; i < o->ask_for.n; i++)
		if (size_of(o->ask_for.v[i], &bytes[i], e))
			return -1;
	if (g->jobs > 1)
		return refuse_several(g, e);
	if (!g->jobs)
		return refuse_none(others, e);
	advise(g, o, bytes, &advice);
	if (!g->n || (isnan(g->memory.ask_b) && !g->cpu_n))
		return err_set(e, "no run of the job has ended well or for memory: nothing is "
		                  "known of what to ask for");
	if (o->ask_tool)
		ask_options_write(&advice, o->ask_tool, out);
	else
		put_sentences(g, &advice, out);
	return out->len > before ? 0 : err_set(e, "nothing is known of what to ask for");
}

int ask_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e)
{
	struct gathered *g = calloc(1, sizeof *g);
	int failed;

	if (!g)
		return err_set(e, "%s", strerror(ENOMEM));
	g->today_b = g->nodes = g->tasks = NAN;
	g->in = (struct advice_input){.memory_max_mib = NAN, .gpu_max = NAN, .vram_max_mib = NAN};
	failed = catalog_runs(s->catalog, s->query, RECORDINGS, gather, g, e) ||
	         print_ask(s->o, &s->failed->others, g, &out->done, e);
	free(g);
	return failed ? -1 : 0;
}
