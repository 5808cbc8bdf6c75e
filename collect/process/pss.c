/* pss: when the PSS of a process is read again, and what it is estimated to be in between. */
#include "collect/process/pss.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/larger.h"

#define FIRST_S_PER_B 4e-12     /* expected cost of a first reading: 4 ms per GiB */
#define LAG_B         4194304.0 /* how far stat may lag behind smaps_rollup at one moment */
#define LEAST_S       1e-5 /* expected cost of any reading: opening the file alone takes this */
#define KIN_B         1048576.0 /* what others may change before it is read again */

struct pss_activity pss_activity(const struct proc_pid_stat *stat)
{
	return (struct pss_activity){.faults = stat->minflt + stat->majflt,
	                             .rss_pages = stat->rss_pages};
}

bool pss_same(const struct pss_activity *a, const struct pss_activity *b)
{
	return a->faults == b->faults && a->rss_pages == b->rss_pages;
}

double pss_shared_anonymous_b(const struct pss *p)
{
	double own = larger((double)p->last.private_b - (double)p->last.pss_mapped_b, 0);

	return larger((double)p->last.anonymous_b - own, 0);
}

bool pss_kin_is_active(const struct pss *p, const struct pss_kin *now)
{
	int64_t faults = llabs((int64_t)(now->faults - p->kin.faults));
	int64_t grown = llabs(now->rss_pages - p->kin.rss_pages);

	return p->known && pss_shared_anonymous_b(p) >= KIN_B &&
	       (double)(faults > grown ? faults : grown) * (double)sysconf(_SC_PAGESIZE) >= KIN_B;
}

bool pss_is_due(const struct pss *p, const struct pss_activity *now, const struct pss_kin *kin)
{
	return !p->known || p->kin.events != kin->events || !pss_same(&p->then, now) ||
	       pss_kin_is_active(p, kin);
}

void pss_budget_deal(struct pss_budget *b, int64_t now, size_t n)
{
	if (b->at == 0)
		b->available_s = PSS_START_S;
	else if (now > b->at)
		b->available_s += (double)(now - b->at) / 1e9 * PSS_SHARE;
	if (b->available_s > PSS_SAVED_S)
		b->available_s = PSS_SAVED_S;
	b->at = now;
	b->part_s = n && b->available_s > 0 ? b->available_s / (double)n : 0;
	b->due += n;
}

/* What reading it will probably cost. */
static double expected_cost_s(const struct pss *p, int64_t rss_b)
{
	double s = p->known ? p->cost_s : (double)rss_b * FIRST_S_PER_B;

	return s > LEAST_S ? s : LEAST_S;
}

bool pss_may_read(struct pss_budget *b, struct pss *p, int64_t rss_b)
{
	double part = b->part_s < b->available_s ? b->part_s : b->available_s;

	if (part > 0) {
		b->available_s -= part;
		p->saved_s += part;
	}
	return b->unlimited || p->saved_s >= expected_cost_s(p, rss_b);
}

bool pss_may_read_late(struct pss_budget *b, struct pss *p, int64_t rss_b)
{
	double missing = expected_cost_s(p, rss_b) - p->saved_s;

	if (b->available_s <= 0)
		return false;
	if (missing > b->available_s)
		missing = b->available_s;
	b->available_s -= missing;
	p->saved_s += missing;
	return p->saved_s >= expected_cost_s(p, rss_b);
}

void pss_was_read(struct pss_budget *b, struct pss *p, const struct proc_pid_smaps *smaps,
                  const struct pss_activity *now, const struct pss_kin *kin, int64_t rss_b,
                  double cost_s)
{
	/* What was saved too much goes back to all, what it cost too much is taken from all. */
	b->available_s += p->saved_s - cost_s;
	b->taken++;
	*p = (struct pss){.known = true,
	                  .last = *smaps,
	                  .then = *now,
	                  .rss_then_b = rss_b,
	                  .kin = *kin,
	                  .cost_s = cost_s};
}

static double clamp_to(double v, double most)
{
	if (v < 0)
		return 0;
	return v < most ? v : most;
}

void pss_memory(const struct pss *p, int64_t rss_b, struct pss_memory *out)
{
	double rss = rss_b > 0 ? (double)rss_b : 0;
	double before = (double)p->rss_then_b, left = 1, grown;

	/* The stat was read before smaps_rollup: what the process grew in between is no later
	 * growth. */
	if (rss != before && (double)p->last.rss_b > before + LAG_B)
		before = (double)p->last.rss_b;
	grown = rss - before;
	if (!p->known) {
		*out = (struct pss_memory){rss, rss, NAN, NAN, NAN};
		return;
	}
	/* smaps_rollup counts pages exactly; stat lags behind by a batch of pages per thread (the
	 * kernel's per-CPU RSS counters). So stat gives only the growth since the reading. */
	out->rss_b = clamp_to((double)p->last.rss_b + grown, INFINITY);
	/* New pages are usually private, so PSS grows as RSS does. Of pages that went it is unknown
	 * how many were shared, so PSS shrinks in proportion. */
	if (grown < 0)
		left = before > 0 ? rss / before : 0;
	out->pss_b = clamp_to((double)p->last.pss_b * left + larger(grown, 0), out->rss_b);
	out->private_b = clamp_to((double)p->last.private_b * left + larger(grown, 0), out->rss_b);
	out->shared_b = out->rss_b - out->private_b;
	out->swap_b = (double)p->last.swap_pss_b;
}
