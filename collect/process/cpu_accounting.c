/* cpu_accounting: sums over processes that come and go, exact and never falling. */
#include "collect/process/cpu_accounting.h"

#include <string.h>

/* Someone else reaped it: its account was handed to an heir, or to nobody. */
static bool has_vanished(const struct cpu_account *a)
{
	return a->gone && !a->reaped;
}

/* The process that inherited the account of a vanished one: its nearest ancestor that did not
 * vanish. A parent that reaped it and then vanished has handed it on. n bounds the walk, should the
 * parents form a circle. */
static int find_heir(const struct cpu_account *v, size_t n, int parent)
{
	for (size_t steps = 0; steps < n && parent >= 0; steps++) {
		if (!v[parent].used)
			return -1;
		if (!has_vanished(&v[parent]))
			return parent;
		parent = v[parent].parent;
	}
	return -1;
}

/* Fills in how much was handed to it since the last reading. The debt of a vanished process is not
 * paid here: it goes to the heir with the rest of what was counted. */
static void fill_handed(struct cpu_account *a, int k)
{
	if (a->reaped)
		a->handed[k] = a->final[k] - a->last_own[k] - a->last_inherited[k];
	else if (a->gone)
		a->handed[k] = 0;
	else
		a->handed[k] = a->inherited[k] - a->last_inherited[k];
	if (!has_vanished(a))
		a->handed[k] -= a->debt[k];
}

/* How much of a shortfall counts as a debt; the rest was handed to nobody, and is forgotten. */
static double remaining_debt(const struct cpu_account *a, int k)
{
	double handed = a->handed[k];

	if (handed >= 0)
		return 0;
	if (a->in_debt)
		return -handed;
	if (k != CPU_ACCOUNTING_CPU)
		return 0;
	return -handed < CPU_ACCOUNTING_ROUNDING_S ? -handed : CPU_ACCOUNTING_ROUNDING_S;
}

static void add_account_usage(struct cpu_account *a, double sum[CPU_ACCOUNTING_COUNT])
{
	for (int k = 0; k < CPU_ACCOUNTING_COUNT; k++) {
		double own = a->gone || a->reaped ? 0 : a->own[k] - a->last_own[k];
		sum[k] += own > 0 ? own : 0;
		sum[k] += a->handed[k] > 0 ? a->handed[k] : 0;
		a->debt[k] = remaining_debt(a, k);
	}
}

static bool has_debt(const struct cpu_account *a)
{
	for (int k = 0; k < CPU_ACCOUNTING_COUNT; k++)
		if (a->debt[k] > 0)
			return true;
	return false;
}

/* Makes this reading the one before. */
static void roll_account(struct cpu_account *a)
{
	if (a->gone || a->reaped) {
		*a = (struct cpu_account){0};
		return;
	}
	a->in_debt = a->maybe_double || (a->in_debt && has_debt(a));
	a->maybe_double = false;
	memcpy(a->last_own, a->own, sizeof a->own);
	memcpy(a->last_inherited, a->inherited, sizeof a->inherited);
}

void cpu_accounting_close(struct cpu_account *v, size_t n, double sum[CPU_ACCOUNTING_COUNT])
{
	for (size_t i = 0; i < n; i++)
		for (int k = 0; v[i].used && k < CPU_ACCOUNTING_COUNT; k++)
			fill_handed(&v[i], k);
	for (size_t i = 0; i < n; i++) {
		int to = v[i].used && has_vanished(&v[i]) ? find_heir(v, n, v[i].parent) : -1;
		for (int k = 0; to >= 0 && k < CPU_ACCOUNTING_COUNT; k++)
			v[to].handed[k] -= v[i].last_own[k] + v[i].last_inherited[k] + v[i].debt[k];
	}
	for (size_t i = 0; i < n; i++)
		if (v[i].used)
			add_account_usage(&v[i], sum);
	for (size_t i = 0; i < n; i++)
		if (v[i].used)
			roll_account(&v[i]);
}

double cpu_accounting_written(double write_b, double cancelled_b)
{
	return write_b < cancelled_b ? 0 : write_b - cancelled_b;
}

void cpu_accounting_split(const double sum[CPU_ACCOUNTING_COUNT], double *utime_s, double *stime_s,
                          double out[CPU_ACCOUNTING_COUNT])
{
	double cpu = sum[CPU_ACCOUNTING_CPU];

	/* The sum is exact, the split is by ticks. System time takes its ticks, user time the rest;
	 * where user time would fall, it stays and system time takes the rest. */
	if (sum[CPU_ACCOUNTING_STIME] > *stime_s)
		*stime_s = sum[CPU_ACCOUNTING_STIME];
	if (cpu - *stime_s > *utime_s)
		*utime_s = cpu - *stime_s;
	*stime_s = cpu > *utime_s ? cpu - *utime_s : 0;
	memcpy(out, sum, sizeof *out * CPU_ACCOUNTING_COUNT);
	out[CPU_ACCOUNTING_UTIME] = *utime_s;
	out[CPU_ACCOUNTING_STIME] = *stime_s;
}
