/* cpu_accounting: sums over processes that come and go. */
#include "collect/process/cpu_accounting.h"

#include <string.h>

static bool vanished(const struct cpu_accounting_item *i)
{
	return i->gone && !i->reaped;
}

/* Who was handed the account of a process that vanished: the nearest ancestor that did not. A
 * parent that reaped it and vanished too has handed it on. */
static int heir(const struct cpu_accounting_item *v, size_t n, int parent)
{
	for (size_t steps = 0; steps < n && parent >= 0; steps++) {
		if (!v[parent].used)
			return -1;
		if (!vanished(&v[parent]))
			return parent;
		parent = v[parent].parent;
	}
	return -1;
}

/* What came in that may be another's account handed over. */
static void fill_pool(struct cpu_accounting_item *i, int k)
{
	if (i->reaped)
		i->pool[k] = i->credit[k] - i->last_own[k] - i->last_waited[k];
	else if (i->gone)
		i->pool[k] = 0;
	else
		i->pool[k] = i->waited[k] - i->last_waited[k];
	if (!vanished(i))
		i->pool[k] -= i->owed[k];
}

/* What is missing by more than rounding was handed to nobody, and is forgotten. */
static double debt(const struct cpu_accounting_item *i, int k)
{
	double pool = i->pool[k];

	if (pool >= 0)
		return 0;
	if (i->owes)
		return -pool;
	if (k != CPU_ACCOUNTING_CPU)
		return 0;
	return -pool < CPU_ACCOUNTING_ROUNDING_S ? -pool : CPU_ACCOUNTING_ROUNDING_S;
}

static void add(struct cpu_accounting_item *i, double sum[CPU_ACCOUNTING_COUNT])
{
	for (int k = 0; k < CPU_ACCOUNTING_COUNT; k++) {
		double own = i->gone || i->reaped ? 0 : i->own[k] - i->last_own[k];
		sum[k] += own > 0 ? own : 0;
		sum[k] += i->pool[k] > 0 ? i->pool[k] : 0;
		i->owed[k] = debt(i, k);
	}
}

static bool has_debt(const struct cpu_accounting_item *i)
{
	for (int k = 0; k < CPU_ACCOUNTING_COUNT; k++)
		if (i->owed[k] > 0)
			return true;
	return false;
}

static void roll(struct cpu_accounting_item *i)
{
	if (i->gone || i->reaped) {
		*i = (struct cpu_accounting_item){0};
		return;
	}
	i->owes = i->unsure || (i->owes && has_debt(i));
	i->unsure = false;
	memcpy(i->last_own, i->own, sizeof i->own);
	memcpy(i->last_waited, i->waited, sizeof i->waited);
}

void cpu_accounting_close(struct cpu_accounting_item *v, size_t n, double sum[CPU_ACCOUNTING_COUNT])
{
	for (size_t i = 0; i < n; i++)
		for (int k = 0; v[i].used && k < CPU_ACCOUNTING_COUNT; k++)
			fill_pool(&v[i], k);
	for (size_t i = 0; i < n; i++) {
		int to = v[i].used && vanished(&v[i]) ? heir(v, n, v[i].parent) : -1;
		for (int k = 0; to >= 0 && k < CPU_ACCOUNTING_COUNT; k++)
			v[to].pool[k] -= v[i].last_own[k] + v[i].last_waited[k] + v[i].owed[k];
	}
	for (size_t i = 0; i < n; i++)
		if (v[i].used)
			add(&v[i], sum);
	for (size_t i = 0; i < n; i++)
		if (v[i].used)
			roll(&v[i]);
}

void cpu_accounting_split(const double sum[CPU_ACCOUNTING_COUNT], double *utime_s, double *stime_s,
                          double out[CPU_ACCOUNTING_COUNT])
{
	double cpu = sum[CPU_ACCOUNTING_CPU];

	/* The system's ticks as they are, if that lets the user's grow; else what is left. */
	if (sum[CPU_ACCOUNTING_STIME] > *stime_s)
		*stime_s = sum[CPU_ACCOUNTING_STIME];
	if (cpu - *stime_s > *utime_s)
		*utime_s = cpu - *stime_s;
	*stime_s = cpu > *utime_s ? cpu - *utime_s : 0;
	memcpy(out, sum, sizeof *out * CPU_ACCOUNTING_COUNT);
	out[CPU_ACCOUNTING_UTIME] = *utime_s;
	out[CPU_ACCOUNTING_STIME] = *stime_s;
}
