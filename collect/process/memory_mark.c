/* memory_mark: how much memory one process held between two readings, at least and at most. */
#include "collect/process/memory_mark.h"

#include <unistd.h>

#include "core/base/larger.h"

/* 4 KiB; on Arm, 16 or 64 KiB too. */
static double page_b(void)
{
	return (double)sysconf(_SC_PAGESIZE);
}

/* As many pages as a page has room for their addresses. */
double memory_mark_fault_b(void)
{
	return page_b() * (page_b() / 8);
}

bool memory_mark_same_program(const struct memory_mark *before, const struct memory_mark *now)
{
	return before->known && now->known && before->stack == now->stack &&
	       now->mark_b >= before->mark_b && now->faults >= before->faults;
}

bool memory_mark_rose(const struct memory_mark *before, const struct memory_mark *now)
{
	return now->known &&
	       (now->mark_b > before->mark_b || !memory_mark_same_program(before, now));
}

double memory_mark_kept(const struct memory_mark *before, const struct memory_mark *now)
{
	double brought;

	if (!memory_mark_same_program(before, now))
		return 0;
	/* Huge pages bring more, which is why the reading before counts as well. */
	brought = (double)(now->faults - before->faults) * page_b();
	return lesser(before->own_b, larger(now->own_b - brought, 0));
}

/* How much shared memory became its own, at most: RSS does not show that. */
static double copied_b(const struct memory_mark *before, const struct memory_mark *now)
{
	double faults = larger((double)now->kin_faults - (double)before->kin_faults, 0);

	return lesser(larger(before->shared_b - now->shared_b, 0), faults * page_b());
}

double memory_mark_written(const struct memory_mark *before, const struct memory_mark *now)
{
	double faults = larger((double)now->faults - (double)before->faults, 0);

	return lesser(larger(before->mark_b, now->mark_b), faults * page_b());
}

double memory_mark_most(const struct memory_mark *before, const struct memory_mark *now)
{
	const struct memory_mark *larger_one = before->pss_b > now->pss_b ? before : now;
	double rss = now->mark_b, copied = now->unsure_b;

	if (!now->known)
		return before->pss_b;
	if (memory_mark_same_program(before, now)) {
		rss =
		    lesser(rss, larger(before->rss_b, now->rss_b) +
		                    (double)(now->faults - before->faults) * memory_mark_fault_b());
		copied += copied_b(before, now);
	} else if (now->inherited) {
		rss = lesser(rss, now->rss_b + (double)now->faults * memory_mark_fault_b());
	}
	return larger_one->pss_b + larger(rss - larger_one->rss_b, 0) + copied;
}
