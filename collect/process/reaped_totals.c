/* reaped_totals: the exact totals of the processes that we reaped. */
#include "collect/process/reaped_totals.h"

#include <math.h>

#include "core/base/larger.h"
#include "core/base/quantity.h"
#include "core/numbers/stats.h"
#include "core/recording/snapshot_fields.h"

#define TICK_S 0.01 /* a smaller difference is rounding */
#define SHARE  0.01 /* of the CPU time: a smaller one is not worth a note */

static double timeval_s(struct timeval v)
{
	return (double)v.tv_sec + (double)v.tv_usec / 1e6;
}

void reaped_totals_account(const struct rusage *usage, const double total[CPU_ACCOUNTING_COUNT],
                           double out[CPU_ACCOUNTING_COUNT])
{
	out[CPU_ACCOUNTING_UTIME] = timeval_s(usage->ru_utime);
	out[CPU_ACCOUNTING_STIME] = timeval_s(usage->ru_stime);
	out[CPU_ACCOUNTING_CPU] = out[CPU_ACCOUNTING_UTIME] + out[CPU_ACCOUNTING_STIME];
	out[CPU_ACCOUNTING_READ] = total[CPU_ACCOUNTING_READ];
	out[CPU_ACCOUNTING_WRITE] = total[CPU_ACCOUNTING_WRITE];
	out[CPU_ACCOUNTING_RCHAR] = total[CPU_ACCOUNTING_RCHAR];
	out[CPU_ACCOUNTING_WCHAR] = total[CPU_ACCOUNTING_WCHAR];
	out[CPU_ACCOUNTING_CANCELLED] = total[CPU_ACCOUNTING_CANCELLED];
	out[CPU_ACCOUNTING_MAJOR] = (double)usage->ru_majflt;
}

void reaped_totals_add(struct snapshot_totals *t, const struct rusage *usage)
{
	double rss = (double)usage->ru_maxrss * QUANTITY_KIB;

	t->utime_s += timeval_s(usage->ru_utime);
	t->stime_s += timeval_s(usage->ru_stime);
	t->minor_faults += (double)usage->ru_minflt;
	t->major_faults += (double)usage->ru_majflt;
	t->ctx_voluntary += (double)usage->ru_nvcsw;
	t->ctx_involuntary += (double)usage->ru_nivcsw;
	t->peak_rss_b = rss > t->peak_rss_b ? rss : t->peak_rss_b;
}

static bool is_noted(double difference_s, double of_s)
{
	return fabs(difference_s) > TICK_S && fabs(difference_s) > SHARE * of_s;
}

/* wait4(2) has nothing of processes that were not waited for. */
static bool lacks_some(const struct snapshot_totals *t)
{
	double reaped = t->utime_s + t->stime_s;

	return isnan(t->cgroup_cpu_s) && t->sampled_cpu_s > reaped &&
	       is_noted(t->sampled_cpu_s - reaped, reaped);
}

double reaped_totals_exact(const struct snapshot_totals *t)
{
	if (lacks_some(t))
		return larger(t->sampled_cpu_s, t->counted_cpu_s);
	return isnan(t->cgroup_cpu_s) ? t->utime_s + t->stime_s : t->cgroup_cpu_s;
}

double reaped_totals_difference(const struct snapshot_totals *t)
{
	double exact = reaped_totals_exact(t), difference = t->sampled_cpu_s - exact;

	return fabs(difference) <= TICK_S || !(exact > 0) ? 0 : difference / exact;
}

void reaped_totals_notes(const struct snapshot_totals *t, struct snapshot *s)
{
	double exact = reaped_totals_exact(t);

	if (lacks_some(t))
		snapshot_note(
		    s,
		    "Some processes were not waited for, or still run: those that were have "
		    "%.2f s of CPU time. The total is %.2f s, which %s.",
		    t->utime_s + t->stime_s, exact,
		    t->counted_cpu_s >= t->sampled_cpu_s ? "the kernel's events counted"
							 : "samples saw");
	else if (is_noted(t->sampled_cpu_s - exact, exact))
		snapshot_note(
		    s,
		    "The samples add up to %.2f s of CPU time, but the kernel's account of %s has "
		    "%.2f s.",
		    t->sampled_cpu_s,
		    isnan(t->cgroup_cpu_s) ? "the processes that were waited for"
					   : "the command's cgroup",
		    exact);
}

void reaped_totals_write(const struct snapshot_totals *t, struct json_write *j)
{
	struct snapshot_totals out = *t;

	out.cpu_wait_s = stats_round(t->cpu_wait_s, 6);
	out.exact_cpu_s = stats_round(reaped_totals_exact(t), 6);
	out.sampled_cpu_s = stats_round(t->sampled_cpu_s, 6);
	out.sampled_cpu_difference = stats_round(reaped_totals_difference(t), 6);
	snapshot_fields_write(j, SNAPSHOT_TOTALS_TREE, SCHEMA_1, &out);
}
