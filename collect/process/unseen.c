/* unseen: how much memory processes had that no reading saw, at most. */
#include "collect/process/unseen.h"

#include <math.h>

#include "collect/cgroup/cgroup_text.h"
#include "core/base/larger.h"

/* An upper bound of the peak beyond so many times the lower one, and so much, says nothing. */
#define MOST   4.0
#define MOST_B 67108864.0

/* Since the last call; all of faults where the kernel does not count them. */
static double count_huge_faults(struct unseen *u, double faults)
{
	static const char *const keys[] = {"thp_fault_alloc", "thp_file_alloc", "thp_file_mapped"};
	char text[16384];
	long n = root_file_lines(&u->vmstat, text, sizeof text);
	double sum = n > 0 ? 0 : (double)NAN, before = u->huge;

	for (size_t i = 0; n > 0 && i < sizeof keys / sizeof *keys; i++)
		sum += cgroup_text_key(text, (size_t)n, keys[i]);
	u->huge = sum;
	return sum >= before ? sum - before : faults;
}

void unseen_open(struct unseen *u, const struct root *r)
{
	(void)root_file_open(&u->vmstat, r, "proc/vmstat");
	(void)count_huge_faults(u, 0);
}

void unseen_read(struct unseen *u, const struct process_table *t, struct tree_gauges_state *g)
{
	double faults = 0;

	for (size_t i = 0; i < t->high && !t->alone; i++) {
		struct tracked_process *p = &t->processes[i];
		const struct cpu_account *a = &t->accounts[i];
		uint64_t reaped = p->stat.cminflt + p->stat.cmajflt;
		bool was_there =
		    t->reading == 1 && (!t->subreaper || process_table_is_launcher(t, (int)i));
		if (!p->used || a->reaped)
			continue;
		if (a->gone) {
			faults -= (double)(p->stat.minflt + p->stat.majflt + p->reaped_faults);
			continue;
		}
		if (!was_there)
			faults += (double)reaped - (double)p->reaped_faults;
		p->reaped_faults = reaped;
	}
	tree_gauges_reaped_faults(g, faults, faults > 0 ? count_huge_faults(u, faults) : 0);
}

void unseen_reaped(struct unseen *u, const struct tracked_process *p, const struct rusage *usage,
                   struct tree_gauges_state *g)
{
	uint64_t seen = p->stat.minflt + p->stat.majflt + p->reaped_faults;
	double faults = (double)(usage->ru_minflt + usage->ru_majflt) - (double)seen;

	if (tracked_process_reap_stamp(p) > 0 && faults > 0)
		tree_gauges_reaped_faults(g, faults, count_huge_faults(u, faults));
}

/* Each of them had at least some page faults, and was not larger than largest_b. */
static bool widen_by_unseen(const struct tree_gauges_state *g, double largest_b,
                            struct snapshot_memory *out)
{
	double was_b = out->peak_most_b;

	if (!(g->unseen > 0))
		return true;
	out->peak_most_b = larger(was_b, lesser(g->peak_unseen_b, was_b + g->unseen * largest_b));
	if (out->peak_most_b > MOST * out->peak_b + MOST_B)
		out->peak_most_b = INFINITY;
	return out->peak_most_b <= was_b;
}

bool unseen_peak(const struct tree_gauges_state *g, double reaped_b, bool subreaper,
                 struct snapshot_memory *out)
{
	bool unseen = reaped_b > larger(g->peak_rss_b, g->peak_reaped_mark_b), whole;
	/* All are among those that we reaped, or what these had reaped. */
	bool all_reaped = subreaper && reaped_b > 0;
	double largest_b = all_reaped ? larger(reaped_b, g->peak_rss_b) : (double)INFINITY;

	out->peak_b = larger(g->peak_least_b, reaped_b);
	/* Of a process that no reading saw so large, only the mark is known: it may have come on
	 * top of all others. */
	out->peak_most_b = larger(g->peak_most_b, g->peak_least_b) + (unseen ? reaped_b : 0);
	whole = widen_by_unseen(g, largest_b, out);
	if (!g->has_marks && !(reaped_b > 0))
		out->peak_most_b = NAN;
	if (!(out->peak_b > 0))
		out->peak_b = out->peak_most_b = NAN;
	return whole && !unseen;
}

void unseen_close(struct unseen *u)
{
	root_file_close(&u->vmstat);
}
