/* unseen_bound: the most memory that a job can have had beside processes that no reading saw. */
#include "collect/process/unseen_bound.h"

#include <math.h>
#include <stddef.h>

#include "collect/process/memory_mark.h"
#include "core/base/larger.h"

/* A process that forks and ends at once has 17 page faults. */
#define PROCESS_FAULTS 16
#define LEAST_FAULTS   4 /* one that ends after vfork(2) may have fewer than that */
/* A process copies at most so many pages a second: each is a page fault. */
#define COPIED_B_S 4294967296.0

static double at_once(const struct unseen_interval *i)
{
	double by_faults = larger(ceil(i->faults / PROCESS_FAULTS), 0);

	return i->told.known ? i->told.at_once : by_faults;
}

/* Pages that one of the unseen processes still held. */
static double doubled_b(const struct unseen_interval *i, double unseen)
{
	if (i->went_shares || (unseen > 0 && !i->told.known))
		return i->copied_b;
	return unseen > 0 ? lesser(i->copied_b, i->told.held_s * COPIED_B_S) : 0;
}

void unseen_bounds_add(struct unseen_bounds *b, const struct unseen_interval *i)
{
	double unseen = at_once(i), n = unseen + i->went;
	double by_size_b = i->most_b + i->grown_b - i->own_b;
	double by_faults_b = i->most_b + i->grown_b + larger(i->faults, 0) * UNSEEN_BOUND_FAULT_B +
	                     i->huge_faults * memory_mark_fault_b() + doubled_b(i, unseen);
	size_t at = UNSEEN_BOUND_PROCESSES;

	if (!(n + i->grown_b > 0) && !i->went_shares)
		return;
	if (i->told.orphan || (unseen > 0 && i->faults < 0))
		by_faults_b = INFINITY;
	if (i->told.ended > 0 && i->faults + i->other_faults < i->told.ended * LEAST_FAULTS)
		by_faults_b = by_size_b = INFINITY;
	if (n < UNSEEN_BOUND_PROCESSES)
		at = (size_t)n;
	else
		by_size_b = INFINITY;
	b->by_size_b[at] = larger(b->by_size_b[at], by_size_b);
	b->by_faults_b[at] = larger(b->by_faults_b[at], by_faults_b);
}

double unseen_bounds_most(const struct unseen_bounds *b, double largest_b)
{
	double most = 0;

	for (size_t i = 0; i <= UNSEEN_BOUND_PROCESSES; i++)
		if (b->by_faults_b[i] > 0)
			most = larger(most, lesser(b->by_faults_b[i],
			                           b->by_size_b[i] + (double)i * largest_b));
	return most;
}
