/* pss: when the PSS of a process is read again, and what it is estimated to be in between. */
#include "collect/process/pss.h"

#include <math.h>
#include <unistd.h>

#include "core/base/larger.h"
#include "core/base/quantity.h"

#define FIRST_S_PER_B 4e-12 /* expected cost of a first reading: 4 ms per GiB */
#define LEAST_S       1e-5  /* expected cost of any reading: opening the file alone takes this */
#define KIN_B         QUANTITY_MIB /* what others may change before it is read again */
#define MAPPED_B      16777216.0   /* the same of files and shared memory, of all processes */

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
	double faults = fabs((double)(int64_t)(now->faults - p->kin.faults));
	double grown = fabs((double)now->rss_pages - (double)p->kin.rss_pages);

	return p->known && pss_shared_anonymous_b(p) >= KIN_B &&
	       larger(faults, grown) * (double)sysconf(_SC_PAGESIZE) >= KIN_B;
}

bool pss_maps_changed(const struct pss *p, const struct pss_kin *now)
{
	return p->known && (double)p->last.pss_mapped_b >= MAPPED_B &&
	       fabs(now->mapped_b - p->kin.mapped_b) >= MAPPED_B;
}

double pss_mapped_unsure_b(const struct pss *p, const struct pss_kin *now)
{
	return lesser((double)p->last.pss_mapped_b, fabs(now->mapped_b - p->kin.mapped_b));
}

bool pss_is_due(const struct pss *p, const struct pss_activity *now, const struct pss_kin *kin)
{
	return !p->known || p->kin.events != kin->events || !pss_same(&p->then, now) ||
	       pss_kin_is_active(p, kin) || pss_maps_changed(p, kin);
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

/* The probable cost of reading it. */
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
                  const struct pss_activity *now, const struct pss_kin *kin,
                  const struct pss_rss *rss, double cost_s)
{
	/* If it cost less than was saved for it, the rest goes back to all; if more, all pay. */
	b->available_s += p->saved_s - cost_s;
	b->taken++;
	*p = (struct pss){.known = true,
	                  .last = *smaps,
	                  .then = *now,
	                  .rss_then = *rss,
	                  .kin = *kin,
	                  .cost_s = cost_s};
}

static double clamp_to(double v, double most)
{
	if (v < 0)
		return 0;
	return v < most ? v : most;
}

/* Growth of RSS since a reading of smaps_rollup, which said read_b. It came after the status: what
 * the process grew in between is no later growth. Nor is what status lags behind, by a batch of
 * pages for each thread (the kernel's per-CPU counters); smaps_rollup counts pages exactly. */
static double rss_growth(double then_b, double read_b, double now_b)
{
	if (now_b != then_b && read_b > then_b + PSS_LAG_B)
		then_b = read_b;
	return now_b - then_b;
}

/* The part of PSS that is left after its RSS of then_b has grown, if grown_b is below 0: it is
 * unknown how many of the pages that went were shared, so PSS shrinks in proportion. Adds to
 * *unsure_b what more may have gone. */
static double left_of(double pss_b, double then_b, double grown_b, double *unsure_b)
{
	double left;

	if (!(grown_b < 0))
		return pss_b;
	left = then_b > 0 ? pss_b * larger(then_b + grown_b, 0) / then_b : 0;
	*unsure_b += left - larger(pss_b + grown_b, 0);
	return left;
}

void pss_memory(const struct pss *p, const struct pss_rss *rss, struct pss_memory *out)
{
	const struct proc_pid_smaps *last = &p->last;
	double now = rss->all_b > 0 ? (double)rss->all_b : 0, then = (double)p->rss_then.all_b;
	double mapped_then = p->rss_then.mapped_b, all, mapped, anonymous, pss_mapped = 0;
	double pss_anonymous = (double)last->pss_b;

	if (!p->known) {
		mapped = clamp_to(rss->mapped_b > 0 ? rss->mapped_b : 0, now);
		*out = (struct pss_memory){.pss_b = now - mapped,
		                           .rss_b = now,
		                           .private_b = NAN,
		                           .shared_b = NAN,
		                           .swap_b = NAN,
		                           .mapped_b = mapped,
		                           .grown_b = mapped,
		                           .file_most_b = larger(mapped - rss->shmem_b, 0)};
		return;
	}
	*out = (struct pss_memory){.swap_b = (double)last->swap_pss_b};
	all = rss_growth(then, (double)last->rss_b, now);
	mapped =
	    rss_growth(mapped_then, (double)last->rss_b - (double)last->anonymous_b, rss->mapped_b);
	if (isnan(mapped)) {
		mapped = mapped_then = 0;
	} else {
		pss_mapped = (double)last->pss_mapped_b;
		pss_anonymous -= pss_mapped;
		out->mapped_b = larger(rss->mapped_b, 0);
		out->grown_b = larger(mapped, 0);
		out->file_most_b = (double)last->pss_mapped_b - (double)last->pss_shmem_b +
		                   larger(rss->mapped_b - rss->shmem_b -
		                              (p->rss_then.mapped_b - p->rss_then.shmem_b),
		                          0);
	}
	anonymous = all - mapped;
	out->rss_b = clamp_to((double)last->rss_b + all, INFINITY);
	/* New anonymous pages are private. */
	pss_anonymous = left_of(pss_anonymous, then - mapped_then, anonymous, &out->unsure_b) +
	                larger(anonymous, 0);
	out->pss_mapped_b =
	    clamp_to(left_of(pss_mapped, mapped_then, mapped, &out->unsure_b), out->rss_b);
	out->pss_b = clamp_to(pss_anonymous + out->pss_mapped_b, out->rss_b);
	out->private_b = clamp_to((double)last->private_b * (all < 0 && then > 0 ? now / then : 1) +
	                              larger(anonymous, 0),
	                          out->rss_b);
	out->shared_b = out->rss_b - out->private_b;
}
