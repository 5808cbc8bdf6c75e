/* runs_values: a run of the list, from its row in the catalog. */
#include "fleet/list/runs_values.h"

#include <math.h>
#include <string.h>

#include "core/end/end_cause.h"
#include "fleet/catalog/job_name.h"
#include "fleet/groups/fleet_group.h"
#include "fleet/list/report_link.h"

#define HOUR_S 3600.0
#define GIB    1073741824.0

static void fill_run_id(struct runs_values *r, const struct catalog_result *v)
{
	const struct job_name_row job = {
	    .id = v[RTRACK_ROW_ID].text,
	    .job_id = v[RTRACK_ROW_JOB_ID].text,
	    .job = v[RTRACK_ROW_JOB].text,
	    .array_job = v[RTRACK_ROW_ARRAY].text,
	    .labels = v[RTRACK_ROW_LABELS].text,
	    .array_index = v[RTRACK_ROW_INDEX].number,
	};

	job_name_text(&job, &r->made[0]);
	r->id = r->made[0].len ? buf_cstr(&r->made[0]) : job.id;
	r->job_id = job.job_id;
}

/* -- how it ended ------------------------------------------------------------------------------ */

/* Statuses of a recording that say no more than that it ended well. */
static bool is_good_status(const char *status)
{
	static const char *const good[] = {"", "exited", "finished", "stopped", "detached"};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		if (strcmp(status, good[i]) == 0)
			return true;
	return false;
}

static const char *end_words(const struct catalog_result *v, struct runs_values *r)
{
	double cause = v[CATALOG_COLUMN_END_CODE].number;
	const char *status = v[RTRACK_ROW_STATUS].text;

	if (r->class == CATALOG_UNFINISHED)
		return "unfinished";
	if (cause > END_CAUSE_FINISHED && cause < END_CAUSE_COUNT)
		return end_cause_means((enum end_cause)cause);
	if (v[CATALOG_COLUMN_OOM].number == 1)
		return end_cause_means(END_CAUSE_OOM);
	if (*r->signal)
		return end_cause_means(END_CAUSE_SIGNALED);
	if (!is_good_status(status))
		return status;
	if (r->code != 0 && isfinite(r->code))
		return end_cause_means(END_CAUSE_EXITED);
	return r->code == 0 || *status ? "finished" : "unknown";
}

/* "failed (code 2)", "its time was up (SIGTERM)". */
static void fill_end(struct runs_values *r, const struct catalog_result *v)
{
	struct buf *out = &r->made[1];
	bool unfinished = r->class == CATALOG_UNFINISHED;
	bool failed = r->class == CATALOG_FAILED || v[CATALOG_COLUMN_OOM].number == 1;

	buf_str(out, end_words(v, r));
	if (*r->signal && !unfinished)
		buf_printf(out, " (SIG%s)", r->signal);
	else if (r->code != 0 && isfinite(r->code) && !unfinished)
		buf_printf(out, " (code %.0f)", r->code);
	r->end = buf_cstr(out);
	r->level = failed ? "bad" : unfinished ? "warn" : "";
}

/* -- amounts ----------------------------------------------------------------------------------- */

static double first_known(double a, double b)
{
	return isnan(a) ? b : a;
}

static double ratio_of(double part, double of)
{
	return of > 0 ? part / of : (double)NAN;
}

/* An ask that is 0 is unknown. */
static double ask_of(double v)
{
	return v > 0 ? v : (double)NAN;
}

/* Also a job on several nodes of which accounting has one row. */
static bool is_several(const struct runs_values *r, const struct catalog_result *v)
{
	return r->recordings > 1 || v[CATALOG_COLUMN_RECORDINGS].number > 1;
}

/* Of several recordings, the CPUs of all: core-seconds over the time of the run. */
static void fill_cpus(struct runs_values *r, const struct catalog_result *v)
{
	double asked = ratio_of(v[CATALOG_COLUMN_ASKED_CORE_S].number, r->wall_s);
	double used = ratio_of(v[CATALOG_COLUMN_USED_CORE_S].number, r->wall_s);
	double cpu = ratio_of(v[RTRACK_ROW_CPU].number, r->wall_s);
	bool several = is_several(r, v);

	r->asked_cpus = several ? asked : ask_of(v[RTRACK_ROW_ASKED_CPUS].number);
	if (several)
		r->cpus = used;
	else
		r->cpus = first_known(used, first_known(cpu, v[RTRACK_ROW_CORES_MEAN].number));
	r->cpu_efficiency =
	    ratio_of(v[CATALOG_COLUMN_USED_CORE_S].number, v[CATALOG_COLUMN_ASKED_CORE_S].number);
}

static void fill_gpus(struct runs_values *r, const struct catalog_result *v)
{
	bool several = is_several(r, v);

	r->asked_gpus = several ? ratio_of(v[CATALOG_COLUMN_ASKED_GPU_S].number, r->wall_s)
	                        : v[RTRACK_ROW_ASKED_GPUS].number;
	r->gpus = several ? ratio_of(v[CATALOG_COLUMN_USED_GPU_S].number, r->wall_s)
	                  : v[RTRACK_ROW_GPUS_MEAN].number;
	r->gpu_efficiency =
	    ratio_of(v[CATALOG_COLUMN_USED_GPU_S].number, v[CATALOG_COLUMN_ASKED_GPU_S].number);
}

static double run_cost(const struct catalog_result *v, const struct runs_values_input *in)
{
	double core_s = v[CATALOG_COLUMN_ASKED_CORE_S].number;
	double byte_s = v[CATALOG_COLUMN_ASKED_BYTE_S].number;
	double gpu_s = v[CATALOG_COLUMN_ASKED_GPU_S].number;
	struct catalog_machine machine;

	if (fleet_group_rates(&in->rates)) {
		if (isnan(core_s) && isnan(byte_s) && isnan(gpu_s))
			return NAN;
		return fleet_group_money_at_rates(&in->rates, first_known(core_s, 0),
		                                  first_known(byte_s, 0), first_known(gpu_s, 0));
	}
	if (!in->price || isnan(v[CATALOG_COLUMN_PAID_S].number) ||
	    catalog_machine_parse(v[CATALOG_COLUMN_MACHINE].text, &machine))
		return NAN;
	return in->price(in->price_ctx, &machine) * v[CATALOG_COLUMN_PAID_S].number / HOUR_S;
}

/* The report of one of its recordings. */
static void fill_report(struct runs_values *r, const struct catalog_result *source,
                        const char *page)
{
	for (size_t i = 0; i < source->n && !r->made[2].len; i++)
		report_link(source->list[i], page, &r->made[2]);
	r->report = buf_cstr(&r->made[2]);
}

void runs_values_fill(struct runs_values *r, const struct catalog_result v[CATALOG_COLUMNS],
                      const struct runs_values_input *in)
{
	*r = (struct runs_values){
	    .name = v[RTRACK_ROW_NAME].text,
	    .user = v[RTRACK_ROW_USER].text,
	    .account = v[RTRACK_ROW_ACCOUNT].text,
	    .signal = v[RTRACK_ROW_SIGNAL].text,
	    .mostly = v[RTRACK_ROW_MOSTLY].text,
	    .origin = v[CATALOG_COLUMN_ORIGIN].text,
	    .workflow_run = v[RTRACK_ROW_WORKFLOW_RUN].text,
	    .source = v[CATALOG_COLUMN_SOURCE].text,
	    .start = v[RTRACK_ROW_START].number,
	    .submit = v[CATALOG_COLUMN_SUBMIT].number,
	    .wall_s = v[RTRACK_ROW_WALL].number,
	    .asked_time_s = ask_of(v[RTRACK_ROW_ASKED_TIME].number),
	    .code = v[RTRACK_ROW_CODE].number,
	    .class = v[CATALOG_COLUMN_CLASS].number,
	    .recordings = fmax((double)v[CATALOG_COLUMN_SOURCE].n, 1),
	    .asked_memory_b = ask_of(v[RTRACK_ROW_ASKED_MEMORY].number),
	    .memory_b = v[RTRACK_ROW_MEMORY_PEAK].number,
	    .unused_core_h = v[CATALOG_COLUMN_UNUSED_CORE_S].number / HOUR_S,
	    .unused_gib_h = v[CATALOG_COLUMN_UNUSED_BYTE_S].number / HOUR_S / GIB,
	    .unused_gpu_h = v[CATALOG_COLUMN_UNUSED_GPU_S].number / HOUR_S,
	};
	r->host = r->recordings > 1 ? "" : v[RTRACK_ROW_HOST].text;
	r->memory_bound = v[CATALOG_COLUMN_ORIGIN_CODE].number >= CATALOG_BOUND * CATALOG_DIFFERS;
	r->memory_efficiency = ratio_of(r->memory_b, r->asked_memory_b);
	r->cost = run_cost(v, in);
	fill_run_id(r, v);
	fill_end(r, v);
	fill_cpus(r, v);
	fill_gpus(r, v);
	fill_report(r, &v[CATALOG_COLUMN_SOURCE], in->page);
}

void runs_values_free(struct runs_values *r)
{
	for (size_t i = 0; i < sizeof r->made / sizeof *r->made; i++)
		buf_free(&r->made[i]);
}
