/* pss: when the PSS of a process is read again, and what to say of its memory in between. */
#include "collect/process/pss.h"

#include <math.h>

#define FIRST_S_PER_B 4e-12 /* what a first reading may cost: 4 ms a GiB */
#define LEAST_S       1e-5

struct pss_activity pss_activity(const struct proc_pid_stat *stat)
{
	return (struct pss_activity){.faults = stat->minflt + stat->majflt,
	                             .rss_pages = stat->rss_pages};
}

bool pss_same(const struct pss_activity *a, const struct pss_activity *b)
{
	return a->faults == b->faults && a->rss_pages == b->rss_pages;
}

bool pss_is_due(const struct pss *p, const struct pss_activity *now, unsigned kin)
{
	return !p->known || p->kin != kin || !pss_same(&p->then, now);
}

void pss_deal(struct pss_budget *b, int64_t now, size_t n)
{
	if (b->at == 0)
		b->pot_s = PSS_START_S;
	else if (now > b->at)
		b->pot_s += (double)(now - b->at) / 1e9 * PSS_SHARE;
	if (b->pot_s > PSS_SAVED_S)
		b->pot_s = PSS_SAVED_S;
	b->at = now;
	b->part_s = n && b->pot_s > 0 ? b->pot_s / (double)n : 0;
	b->due += n;
}

/* What it will cost, as far as one can know. */
static double expect(const struct pss *p, int64_t rss_b)
{
	double s = p->known ? p->cost_s : (double)rss_b * FIRST_S_PER_B;

	return s > LEAST_S ? s : LEAST_S;
}

bool pss_may(struct pss_budget *b, struct pss *p, int64_t rss_b)
{
	double part = b->part_s < b->pot_s ? b->part_s : b->pot_s;

	if (part > 0) {
		b->pot_s -= part;
		p->saved_s += part;
	}
	return b->free || p->saved_s >= expect(p, rss_b);
}

bool pss_may_late(struct pss_budget *b, struct pss *p, int64_t rss_b)
{
	double missing = expect(p, rss_b) - p->saved_s;

	if (b->pot_s <= 0)
		return false;
	if (missing > b->pot_s)
		missing = b->pot_s;
	b->pot_s -= missing;
	p->saved_s += missing;
	return p->saved_s >= expect(p, rss_b);
}

void pss_took(struct pss_budget *b, struct pss *p, const struct proc_pid_smaps *smaps,
              const struct pss_activity *now, int64_t rss_b, unsigned kin, double cost_s)
{
	b->pot_s += p->saved_s - cost_s;
	b->taken++;
	*p = (struct pss){.known = true,
	                  .last = *smaps,
	                  .then = *now,
	                  .rss_then_b = rss_b,
	                  .kin = kin,
	                  .cost_s = cost_s};
}

static double at_most(double v, double most)
{
	return v < 0 ? 0 : v < most ? v : most;
}

void pss_memory(const struct pss *p, int64_t rss_b, struct pss_memory *out)
{
	double rss = rss_b > 0 ? (double)rss_b : 0;
	double before = (double)p->rss_then_b, grown = rss - before;

	if (!p->known) {
		*out = (struct pss_memory){rss, rss, NAN, NAN, NAN};
		return;
	}
	/* smaps_rollup counts pages exactly, stat in batches: their difference stays. */
	out->rss_b = at_most((double)p->last.rss_b + grown, INFINITY);
	/* What is new is its own as a rule; of what went nobody knows whose it was. */
	out->pss_b = grown >= 0 ? (double)p->last.pss_b + grown
	                        : (double)p->last.pss_b * (before > 0 ? rss / before : 0);
	out->pss_b = at_most(out->pss_b, out->rss_b);
	out->private_b = grown >= 0 ? (double)p->last.private_b + grown
	                            : (double)p->last.private_b * (before > 0 ? rss / before : 0);
	out->private_b = at_most(out->private_b, out->rss_b);
	out->shared_b = out->rss_b - out->private_b;
	out->swap_b = (double)p->last.swap_pss_b;
}
