/* wait_slices: the state of a job in an interval, from those of its threads. */
#include "collect/waits/wait_slices.h"

#include <math.h>

#include "core/base/larger.h"

#define WHOLE    0.999 /* of a slice: all of it */
#define GAP      0.05  /* bounds that are further apart are said */
#define BY_LOOKS 0.01  /* of a slice: less by looks than this is exact */

void wait_slices_start(struct wait_slices *w, int64_t from)
{
	w->from = from;
	w->n = 0;
}

void wait_slices_cut(struct wait_slices *w, int64_t now)
{
	int64_t before = w->n ? w->v[w->n - 1].to : w->from;
	struct wait_slice *s;

	if (now <= before)
		return;
	if (w->n == WAIT_SLICES_MAX) {
		w->v[w->n - 1].to = now;
		return;
	}
	s = &w->v[w->n++];
	*s = (struct wait_slice){.to = now, .whole = STATES_N, .ghost = STATES_N};
	for (int k = 0; k < STATES_N; k++)
		s->none[k] = 1;
}

static int64_t slice_begin(const struct wait_slices *w, size_t i)
{
	return i ? w->v[i - 1].to : w->from;
}

static void add_to_slice(struct wait_slice *s, double width_s, const struct wait_share *share,
                         double part)
{
	double sum = 0, of = part / width_s;

	for (int k = 0; k < STATES_N; k++) {
		if (share->s[k] <= 0 && sum <= 0)
			continue;
		s->own[k] += share->s[k] * of;
		sum += share->s[k] * of;
		if (sum >= WHOLE && k < s->whole)
			s->whole = (unsigned char)k;
		s->none[k] *= sum < 1 ? 1 - sum : 0;
		s->most[k] += sum;
		s->least[k] = larger(s->least[k], sum);
	}
	if (share->sampled)
		s->sampled = larger(s->sampled,
		                    sum - (share->s[STATES_CPU] + share->s[STATES_CPU_WAIT]) * of);
}

void wait_slices_add(struct wait_slices *w, const struct wait_share *share)
{
	double length = (double)(share->to - share->from);

	for (size_t i = w->n; i-- > 0 && w->v[i].to > share->from;) {
		int64_t begin = slice_begin(w, i), from = share->from > begin ? share->from : begin;
		int64_t to = share->to < w->v[i].to ? share->to : w->v[i].to;
		if (to > from)
			add_to_slice(&w->v[i], (double)(w->v[i].to - begin) / 1e9, share,
			             (double)(to - from) / length);
	}
}

void wait_slices_ghost(struct wait_slices *w, int64_t from, int64_t to, enum states_id state)
{
	for (size_t i = w->n; i-- > 0 && w->v[i].to > from;)
		if (slice_begin(w, i) < to) {
			w->v[i].sampled = 1;
			if (state < w->v[i].ghost)
				w->v[i].ghost = (unsigned char)state;
		}
}

void wait_slices_park(struct wait_slices *w, int64_t from, int64_t to, double s)
{
	for (size_t i = w->n; i-- > 0 && w->v[i].to > from;) {
		int64_t begin = slice_begin(w, i), first = from > begin ? from : begin;
		int64_t last = to < w->v[i].to ? to : w->v[i].to;
		if (last > first)
			w->v[i].parked = larger(w->v[i].parked,
			                        s / (double)(to - from) * (double)(last - first) /
			                            (double)(w->v[i].to - begin) * 1e9);
	}
}

/* -- the end of an interval -------------------------------------------------------------------- */

/* Shares of a slice up to each state. */
struct shares {
	double value[STATES_N], least[STATES_N], most[STATES_N];
};

static void shares_of_threads(const struct wait_slice *s, struct shares *out)
{
	for (int k = 0; k < STATES_N; k++) {
		bool whole = k >= s->whole;
		out->value[k] = whole ? 1 : 1 - s->none[k];
		out->least[k] = whole || !(s->least[k] < 1) ? 1 : s->least[k];
		out->most[k] = whole || s->most[k] > 1 ? 1 : s->most[k];
	}
}

/* The CPU time of unseen processes: as much as fits where no thread explains the time, and the rest
 * beside what the others did. unexplained: the share that gets it first. */
static void add_unseen(struct shares *s, double unexplained, double beside, double at_least)
{
	double all = unexplained + beside;

	for (int k = 0; k < STATES_N; k++) {
		s->value[k] = 1 - (1 - s->value[k] - unexplained) * (1 - (beside < 1 ? beside : 1));
		s->most[k] = s->most[k] + all < 1 ? s->most[k] + all : 1;
		s->least[k] = larger(s->least[k], at_least);
		s->value[k] = larger(s->value[k], s->least[k]);
	}
}

/* Gives parked threads what nobody else explains: as much as they were parked. Whether the others'
 * shares overlap is not known, so it may be more or less. */
static void add_parked(const struct wait_slice *slice, struct shares *s)
{
	double parked = lesser(slice->parked, 1), others = s->most[STATES_N - 1];
	double fill = lesser(parked, 1 - s->value[STATES_N - 1]);
	double least = lesser(parked, 1 - others), most = 1 - s->least[STATES_N - 1];

	for (int k = STATES_LOCK; k < STATES_N && fill > 0; k++) {
		s->value[k] += fill;
		s->least[k] = larger(s->least[k], lesser(s->most[STATES_LOCK - 1] + least, 1));
		s->most[k] = lesser(s->most[k] + lesser(parked, most), 1);
	}
}

/* The most of one state alone: not more than its threads were in it. unseen: of CPU time. */
static double most_of(const struct wait_slice *slice, int k, double unseen, double most)
{
	double own = slice->own[k] + (k == STATES_CPU ? unseen : 0);

	if (k == STATES_LOCK)
		own += slice->parked;
	return k == STATES_UNKNOWN || k == slice->ghost ? most : lesser(most, own);
}

static void sum_shares(const struct wait_slice *slice, const struct shares *s, double unseen,
                       double width_s, struct wait_sums *sums)
{
	double value = 0, least = 0, most = 0, gap = 0;
	double known_s = s->value[STATES_UNKNOWN - 1] * width_s;

	for (int k = 0; k < STATES_N; k++) {
		double at_least = larger(s->least[k] - most, 0);
		double at_most = most_of(slice, k, unseen, larger(s->most[k] - least, 0));
		sums->value[k] += (s->value[k] - value) * width_s;
		sums->least[k] += at_least * width_s;
		sums->most[k] += at_most * width_s;
		gap = larger(gap, at_most - at_least);
		value = s->value[k];
		least = s->least[k];
		most = s->most[k];
	}
	sums->busiest += lesser(s->least[STATES_THROTTLED], 1) * width_s;
	if (gap > GAP)
		sums->bound += known_s;
	else if (slice->sampled > BY_LOOKS)
		sums->sampled += known_s;
	else
		sums->exact += known_s;
}

static double unexplained_s(const struct wait_slices *w)
{
	double sum = 0;

	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].whole == STATES_N)
			sum += w->v[i].none[STATES_N - 1] *
			       (double)(w->v[i].to - slice_begin(w, i)) / 1e9;
	return sum;
}

static void close_slice(const struct wait_slices *w, size_t i, double fill, double beside,
                        double at_least, struct wait_sums *sums)
{
	const struct wait_slice *slice = &w->v[i];
	struct shares s;
	double rest;

	shares_of_threads(slice, &s);
	add_unseen(&s, (1 - s.value[STATES_N - 1]) * fill, beside, at_least);
	if (slice->ghost == STATES_N)
		add_parked(slice, &s);
	rest = 1 - s.value[STATES_N - 1];
	if (slice->ghost < STATES_N)
		sums->ghost[slice->ghost] += rest * (double)(slice->to - slice_begin(w, i)) / 1e9;
	for (int k = slice->ghost; k < STATES_N; k++) {
		s.value[k] += rest;
		s.most[k] = 1;
	}
	s.value[STATES_UNKNOWN] = s.least[STATES_UNKNOWN] = s.most[STATES_UNKNOWN] = 1;
	sum_shares(slice, &s, beside + fill, (double)(slice->to - slice_begin(w, i)) / 1e9, sums);
}

/* Makes the states of a set (bits) come to so many seconds in all, at the expense of those that
 * are not fixed (bits): CPU time last, and none that one thread alone used. */
static void set_to(struct wait_sums *one, unsigned set, unsigned fixed, double to)
{
	double *s = one->value, had = 0, rest = 0, scale;

	for (int k = 0; k < STATES_N; k++)
		if (set & 1u << k)
			had += s[k];
		else if (!(fixed & 1u << k) && k != STATES_CPU)
			rest += s[k];
	if (to > had + rest && !(fixed & 1u << STATES_CPU)) {
		double more =
		    lesser(to - had - rest, larger(s[STATES_CPU] - one->least[STATES_CPU], 0));
		s[STATES_CPU] -= more;
		rest += more;
	}
	to = to < had + rest ? to : had + rest;
	scale = rest > 0 ? (rest - (to - had)) / rest : 1;
	for (int k = 0; k < STATES_N; k++) {
		if (set & 1u << k)
			s[k] = had > 0 ? s[k] * to / had : 0;
		else if (!(fixed & 1u << k) && k != STATES_CPU)
			s[k] *= scale;
	}
	/* Nothing else to give it to. */
	if (rest <= 0 && to < had)
		s[STATES_UNKNOWN] += had - to;
	for (int k = 0; had <= 0 && to > 0 && k < STATES_N; k++)
		if (set & 1u << k) {
			s[k] = to;
			break;
		}
}

#define BIT(state) (1u << STATES_##state)

/* A quota stops all threads at about the same time, so they were stopped for as long as they can
 * have waited at the same time. That is known, not within bounds. */
static void apply_quota(double throttled_s, struct wait_sums *one)
{
	double *s = one->value, *least = one->least, *most = one->most;
	double waited = s[STATES_CPU_WAIT] + s[STATES_THROTTLED];
	double held = lesser(throttled_s, larger(waited, most[STATES_CPU_WAIT]));

	if (held > waited)
		set_to(one, BIT(CPU_WAIT) | BIT(THROTTLED), 0, held);
	waited = s[STATES_CPU_WAIT] + s[STATES_THROTTLED];
	held = lesser(held, waited);
	s[STATES_THROTTLED] = least[STATES_THROTTLED] = most[STATES_THROTTLED] = held;
	s[STATES_CPU_WAIT] = waited - held;
	least[STATES_CPU_WAIT] = larger(least[STATES_CPU_WAIT] - held, 0);
	most[STATES_CPU_WAIT] = larger(most[STATES_CPU_WAIT] - held, s[STATES_CPU_WAIT]);
}

/* Takes as much of a state as there is above a least. */
static double take_from(struct wait_sums *one, int state, double least, double s)
{
	double left = larger(one->value[state] - larger(least, 0), 0);
	double taken = lesser(s, left);

	one->value[state] -= taken;
	one->most[state] = larger(one->most[state] - taken, one->value[state]);
	return taken;
}

/* The job waited for a CPU for longer than its threads show: in threads that no reading met, and in
 * those that were seen to wait for storage before, for longer than the kernel knows. */
static void find_cpu_wait(const struct wait_accounts *a, struct wait_sums *one)
{
	double *s = one->value, more = a->cpu_full_s - s[STATES_CPU_WAIT], found = 0;

	if (!(more > 0))
		return;
	found += take_from(one, STATES_UNKNOWN, 0, more);
	for (int k = STATES_MEMORY; k < STATES_UNKNOWN; k++)
		found += take_from(one, k, s[k] - one->ghost[k], more - found);
	if (a->io_full_s >= 0)
		found +=
		    take_from(one, STATES_DISK, a->io_full_s - s[STATES_NET_DISK], more - found);
	s[STATES_CPU_WAIT] += found;
	one->least[STATES_CPU_WAIT] =
	    lesser(one->least[STATES_CPU_WAIT] + found, s[STATES_CPU_WAIT]);
}

/* The kernel has pressure for each CPU and means it over those that were used: of a task that moves
 * between two it has half. So it decides only within what the threads' own accounts leave open, and
 * is the least where these have nothing. Of
 * storage it counts tasks that are marked as waiting for it: less than was seen is no
 * contradiction. It is read a moment before the threads are: what was seen beyond it in the
 * interval before may be in it now. */
static void apply_accounts(const struct wait_accounts *a, struct wait_sums *one, double *ahead_s)
{
	unsigned fixed = BIT(CPU_WAIT) | BIT(THROTTLED);
	double *s = one->value, disk, io;

	if (a->cpu_full_s >= 0)
		set_to(one, fixed, 0,
		       larger(lesser(a->cpu_full_s, one->most[STATES_CPU_WAIT]),
		              one->least[STATES_CPU_WAIT]));
	find_cpu_wait(a, one);
	if (a->throttled_s >= 0)
		apply_quota(a->throttled_s, one);
	if (a->memory_full_s > s[STATES_MEMORY])
		set_to(one, BIT(MEMORY), fixed, a->memory_full_s);
	fixed |= BIT(MEMORY);
	disk = s[STATES_DISK] + s[STATES_NET_DISK];
	io = a->io_full_s - s[STATES_MEMORY];
	if (io - *ahead_s > disk)
		set_to(one, BIT(DISK) | BIT(NET_DISK), fixed, io - *ahead_s);
	*ahead_s = disk > io ? disk - io : 0;
}

/* Values by the kernel's accounts may be outside of the bounds: these are widened. */
static void add_interval(const struct wait_sums *one, struct wait_sums *sums)
{
	for (int k = 0; k < STATES_N; k++) {
		sums->value[k] += one->value[k];
		sums->least[k] += lesser(one->least[k], one->value[k]);
		sums->most[k] += larger(one->most[k], one->value[k]);
	}
	sums->busiest += one->busiest;
	sums->exact += one->exact;
	sums->sampled += one->sampled;
	sums->bound += one->bound;
}

void wait_slices_close(struct wait_slices *w, const struct wait_accounts *a, struct wait_sums *sums)
{
	double length = w->n ? (double)(w->v[w->n - 1].to - w->from) / 1e9 : 0;
	double open = unexplained_s(w), unseen = a->unseen_cpu_s > 0 ? a->unseen_cpu_s : 0;
	double filled = unseen < open ? unseen : open, beside, at_least = 0;
	struct wait_sums one = {.exact = 0};

	if (!(length > 0))
		return;
	beside = (unseen - filled) / length;
	if (unseen > 0 && a->cpu_s > 0 && a->cpus > 0)
		at_least = lesser(a->cpu_s / a->cpus / length, 1);
	for (size_t i = 0; i < w->n; i++)
		close_slice(w, i, open > 0 ? filled / open : 0, beside, at_least, &one);
	apply_accounts(a, &one, &sums->ahead_s);
	add_interval(&one, sums);
}
