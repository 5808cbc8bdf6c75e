/* slurm_steps: what the steps of a job used together. */
#include "fleet/import/slurm_steps.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fnv1a.h"
#include "core/base/larger.h"

#define DIGITS_MAX 15

/* -- lists of nodes ---------------------------------------------------------------------------- */

struct ranges {
	struct slurm_steps_range *v;
	size_t n, max;
};

static uint64_t hash_bytes(uint64_t hash, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)s[i]) * 0x100000001b3u;
	return (hash ^ 0xff) * 0x100000001b3u;
}

/* Reads n digits. */
static uint64_t digits_of(const char *s, size_t n)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v = v * 10 + (uint64_t)(s[i] - '0');
	return v;
}

/* The nodes first to last of a name, whose numbers have at least `length` digits: n8 to n12 are
 * those with one digit and those with two, so that n08 is not among them. */
static bool add_node_range(struct ranges *r, uint64_t name, uint64_t first, uint64_t last,
                           size_t length)
{
	uint64_t end = 1;

	for (size_t i = 0; i < length; i++)
		end *= 10;
	while (first <= last) {
		uint64_t stop = last < end ? last : end - 1;
		if (first < end) {
			if (r->n == r->max)
				return false;
			r->v[r->n++] = (struct slurm_steps_range){name ^ length, first, stop};
			first = stop + 1;
		}
		end *= 10;
		length++;
	}
	return true;
}

/* "01-04" or "9". */
static bool add_node_bracket(struct ranges *r, uint64_t name, const char *s, size_t n)
{
	size_t first = strspn(s, "0123456789"), last = 0;

	if (!first || first > n || first > DIGITS_MAX)
		return false;
	if (first == n)
		return add_node_range(r, name, digits_of(s, n), digits_of(s, n), n);
	last = strspn(s + first + 1, "0123456789");
	return s[first] == '-' && last && last <= DIGITS_MAX && first + 1 + last == n &&
	       add_node_range(r, name, digits_of(s, first), digits_of(s + first + 1, last), first);
}

/* A name without brackets: its number are the last digits before a point. */
static bool add_node(struct ranges *r, const char *s, size_t n)
{
	const char *point = memchr(s, '.', n);
	size_t end = point ? (size_t)(point - s) : n, first;

	while (end && !isdigit((unsigned char)s[end - 1]))
		end--;
	for (first = end; first && isdigit((unsigned char)s[first - 1]);)
		first--;
	if (end - first > DIGITS_MAX)
		return false;
	if (!end)
		first = end = n;
	return add_node_range(r, hash_bytes(hash_bytes(FNV1A_BEGIN, s, first), s + end, n - end),
	                      digits_of(s + first, end - first), digits_of(s + first, end - first),
	                      end - first);
}

/* "n[01-04,9].site" from its bracket on; how long it is, or 0. */
static size_t add_brackets(struct ranges *r, const char *s, size_t open)
{
	size_t close = open + strcspn(s + open, "]"), end;
	uint64_t name;

	if (!s[close])
		return 0;
	end = close + strcspn(s + close, ",[");
	if (s[end] == '[')
		return 0;
	name = hash_bytes(hash_bytes(FNV1A_BEGIN, s, open), s + close + 1, end - close - 1);
	for (size_t at = open + 1; at < close;) {
		size_t n = strcspn(s + at, ",]");
		if (!add_node_bracket(r, name, s + at, n))
			return 0;
		at += n + 1;
	}
	return end;
}

static bool read_nodes(struct ranges *r, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, ",[");
		if (s[n] == '[')
			n = add_brackets(r, s, n);
		else if (n && !add_node(r, s, n))
			return false;
		if (!n)
			return false;
		s += n + (s[n] == ',');
	}
	return r->n > 0;
}

double slurm_steps_count(const char *list)
{
	struct slurm_steps_range v[64];
	struct ranges r = {v, 0, sizeof v / sizeof *v};
	double n = 0;

	if (!read_nodes(&r, list))
		return 0;
	for (size_t i = 0; i < r.n; i++)
		n += (double)(v[i].last - v[i].first + 1);
	return n;
}

bool slurm_steps_has(const char *list, const char *node)
{
	struct slurm_steps_range v[64], one;
	struct ranges r = {v, 0, sizeof v / sizeof *v}, of = {&one, 0, 1};

	if (!add_node(&of, node, strlen(node)) || !read_nodes(&r, list))
		return false;
	for (size_t i = 0; i < r.n; i++)
		if (v[i].key == one.key && v[i].first <= one.first && one.first <= v[i].last)
			return true;
	return false;
}

/* -- the fullest node -------------------------------------------------------------------------- */

void slurm_steps_clear(struct slurm_steps *s, double job_nodes)
{
	s->cpu_s = 0;
	s->job_nodes = job_nodes;
	s->most_b = NAN;
	s->bound = false;
	s->n = s->n_ranges = 0;
}

static bool is_on(const struct slurm_steps *s, size_t step, const struct slurm_steps_range *node)
{
	const struct slurm_steps_range *r = s->range + s->v[step].range;

	for (size_t i = 0; i < s->v[step].n_ranges; i++)
		if (r[i].key == node->key && r[i].first <= node->first && node->first <= r[i].last)
			return true;
	return false;
}

/* The largest sum of the peaks of n steps that are there at the same time. */
static double largest_sum(const struct slurm_steps *s, const size_t *at, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		double sum = s->v[at[i]].peak_b, start = s->v[at[i]].start;
		for (size_t k = 0; k < n; k++)
			if (k != i && s->v[at[k]].start <= start && start < s->v[at[k]].end)
				sum += s->v[at[k]].peak_b;
		most = larger(most, sum);
	}
	return most;
}

/* Whether this range begins with a node that an earlier one begins with, too. */
static bool was_seen(const struct slurm_steps *s, size_t range)
{
	for (size_t i = 0; i < range; i++)
		if (s->range[i].key == s->range[range].key &&
		    s->range[i].first == s->range[range].first)
			return true;
	return false;
}

/* The nodes of all steps are known: a range begins on the fullest node. */
static double fullest_listed(const struct slurm_steps *s)
{
	size_t at[SLURM_STEPS_MAX], n;
	double most = s->most_b;

	for (size_t k = 0; k < s->n_ranges; k++) {
		if (was_seen(s, k))
			continue;
		n = 0;
		for (size_t i = 0; i < s->n; i++)
			if (is_on(s, i, &s->range[k]))
				at[n++] = i;
		most = larger(most, largest_sum(s, at, n));
	}
	return most;
}

/* Bytes on the fullest node while these n steps run. Steps on all nodes share each of them; of the
 * others, wherever they ran, only the largest one, or their mean, is certain. */
static double fullest_node(const struct slurm_steps *s, const size_t *at, size_t n, bool *bound)
{
	double all = 0, some = 0, spread = 0;
	size_t partial = 0;

	for (size_t i = 0; i < n; i++) {
		double nodes = s->v[at[i]].nodes, peak_b = s->v[at[i]].peak_b;
		bool everywhere = !(nodes < s->job_nodes);
		partial += !everywhere;
		all += everywhere ? peak_b : 0;
		some = larger(some, everywhere ? 0 : peak_b);
		spread += everywhere ? 0 : peak_b * nodes / s->job_nodes;
	}
	*bound = *bound || partial > 1;
	return all + larger(some, spread);
}

static bool are_listed(const struct slurm_steps *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (!s->v[i].n_ranges)
			return false;
	return s->job_nodes > 1;
}

double slurm_steps_peak(const struct slurm_steps *s, bool *bound)
{
	size_t at[SLURM_STEPS_MAX], n;
	double most = s->most_b;

	*bound = s->bound;
	if (are_listed(s))
		return fullest_listed(s);
	for (size_t i = 0; i < s->n; i++) {
		n = 0;
		at[n++] = i;
		for (size_t k = 0; k < s->n; k++)
			if (k != i && s->v[k].start <= s->v[i].start && s->v[i].start < s->v[k].end)
				at[n++] = k;
		most = larger(most, fullest_node(s, at, n, bound));
	}
	return most;
}

/* Forgets the steps that ended before this time. */
static void settle(struct slurm_steps *s, double time)
{
	size_t n = 0, ranges = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->v[i].end > time;
	if (n == s->n)
		return;
	n = 0;
	s->most_b = slurm_steps_peak(s, &s->bound);
	for (size_t i = 0; i < s->n; i++) {
		size_t k = s->v[i].n_ranges;
		if (!(s->v[i].end > time))
			continue;
		memmove(s->range + ranges, s->range + s->v[i].range, k * sizeof *s->range);
		s->v[n] = s->v[i];
		s->v[n++].range = ranges;
		ranges += k;
	}
	s->n = n;
	s->n_ranges = ranges;
}

/* Joins a step to the last one, when no more are kept. Where such steps ran is not known: spread
 * over all nodes they use at least so much of each. */
static void add_to_last(struct slurm_steps *s, const struct slurm_step *step)
{
	size_t last = s->n - 1;

	s->v[last].start = lesser(s->v[last].start, step->start);
	s->v[last].end = larger(s->v[last].end, step->end);
	s->v[last].peak_b = (s->v[last].peak_b * lesser(s->v[last].nodes, s->job_nodes) +
	                     step->node_b * lesser(step->nodes, s->job_nodes)) /
	                    s->job_nodes;
	s->v[last].nodes = s->job_nodes;
	s->v[last].n_ranges = 0;
	s->bound = s->bound || s->job_nodes > 1;
}

void slurm_steps_add(struct slurm_steps *s, const struct slurm_step *step)
{
	struct ranges r;

	s->cpu_s += step->cpu_s;
	if (isnan(step->node_b))
		return;
	s->bound = s->bound || step->bound;
	if (s->n == SLURM_STEPS_MAX)
		settle(s, step->start);
	if (s->n == SLURM_STEPS_MAX) {
		add_to_last(s, step);
		return;
	}
	s->v[s->n].start = step->start;
	s->v[s->n].end = step->end;
	s->v[s->n].peak_b = step->node_b;
	s->v[s->n].nodes = step->nodes;
	s->v[s->n].range = s->n_ranges;
	r = (struct ranges){s->range + s->n_ranges, 0, SLURM_STEPS_RANGES - s->n_ranges};
	s->v[s->n].n_ranges = read_nodes(&r, step->list) ? r.n : 0;
	s->n_ranges += s->v[s->n++].n_ranges;
}
