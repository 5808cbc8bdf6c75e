/* totals: what the kernel said, exactly, of the processes that we reaped. */
#include "totals.h"

#include <math.h>

#include "../core/stats.h"

#define TICK_S 0.01

double totals_seconds(struct timeval v)
{
	return (double)v.tv_sec + (double)v.tv_usec / 1e6;
}

void totals_credit(const struct rusage *usage, const double total[LEDGER_COUNT],
                   double out[LEDGER_COUNT])
{
	out[LEDGER_UTIME] = totals_seconds(usage->ru_utime);
	out[LEDGER_STIME] = totals_seconds(usage->ru_stime);
	out[LEDGER_CPU] = out[LEDGER_UTIME] + out[LEDGER_STIME];
	out[LEDGER_READ] = total[LEDGER_READ];
	out[LEDGER_WRITE] = total[LEDGER_WRITE];
	out[LEDGER_MAJOR] = (double)usage->ru_majflt;
}

void totals_add(struct totals *t, const struct rusage *usage)
{
	double rss = (double)usage->ru_maxrss * 1024;

	t->utime_s += totals_seconds(usage->ru_utime);
	t->stime_s += totals_seconds(usage->ru_stime);
	t->minor_faults += (double)usage->ru_minflt;
	t->major_faults += (double)usage->ru_majflt;
	t->ctx_voluntary += (double)usage->ru_nvcsw;
	t->ctx_involuntary += (double)usage->ru_nivcsw;
	t->peak_rss_b = rss > t->peak_rss_b ? rss : t->peak_rss_b;
}

double totals_exact(const struct totals *t)
{
	return isnan(t->cgroup_cpu_s) ? t->utime_s + t->stime_s : t->cgroup_cpu_s;
}

double totals_difference(const struct totals *t)
{
	double exact = totals_exact(t), difference = t->sampled_cpu_s - exact;

	if (fabs(difference) <= TICK_S)
		return 0;
	return exact > 0 ? difference / exact : (double)INFINITY;
}

void totals_notes(const struct totals *t, struct snapshot *s)
{
	double exact = totals_exact(t);

	if (fabs(totals_difference(t)) <= 0.01)
		return;
	snapshot_note(
	    s,
	    "The samples add up to %.2f s of CPU time, the kernel's account of %s says "
	    "%.2f s%s.",
	    t->sampled_cpu_s,
	    isnan(t->cgroup_cpu_s) ? "the processes that were waited for" : "the command's cgroup",
	    exact, t->sampled_cpu_s > exact ? ": some were not waited for, or run on" : "");
}

void totals_write(const struct totals *t, struct json *j)
{
	json_num(j, "peak_rss_bytes", t->peak_rss_b);
	json_num(j, "read_bytes", t->read_b);
	json_num(j, "write_bytes", t->write_b);
	json_num(j, "minor_faults", t->minor_faults);
	json_num(j, "major_faults", t->major_faults);
	json_num(j, "ctx_voluntary", t->ctx_voluntary);
	json_num(j, "ctx_involuntary", t->ctx_involuntary);
	json_num(j, "cpu_wait_s", stats_round(t->cpu_wait_s, 6));
	json_num(j, "exact_cpu_s", stats_round(totals_exact(t), 6));
	json_num(j, "sampled_cpu_s", stats_round(t->sampled_cpu_s, 6));
	json_num(j, "sampled_cpu_difference", stats_round(totals_difference(t), 6));
}
