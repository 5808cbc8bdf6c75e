/* row_builder: makes rows from samples, and writes them to the journal and as CSV. */
#include "collect/row_builder.h"

#include <math.h>

#include "core/base/larger.h"

#define EARLY_SHORTEST 10000000 /* ns */

static void start_series(struct row_builder_series *s, const struct sample *first)
{
	sample_copy(&s->before, first);
	sample_copy(&s->last, first);
}

void row_builder_devices(struct row_builder *r, double *cells, size_t n)
{
	struct sample *all[ROW_BUILDER_SAMPLES] = {&r->first, &r->regular.before, &r->regular.last,
	                                           &r->early.before, &r->early.last};

	for (size_t i = 0; i < ROW_BUILDER_SAMPLES; i++) {
		all[i]->devices = cells + i * n;
		all[i]->n_devices = n;
	}
}

/* Takes the bounds of the time up to a sample, for the series' next row. */
static void take_series_bounds(struct row_builder_series *s, const struct sample *now,
                               double most_b)
{
	s->next_least_b = larger(s->next_least_b, now->tree.memory_least_b);
	s->next_most_b = larger(s->next_most_b, most_b);
}

/* Shared memory and files in tmpfs that no process has mapped: of the job's cgroup; without one, as
 * much as the machine has got more of since the first sample. */
static double unmapped_shmem(const struct row_builder *r, const struct sample *now)
{
	double machine =
	    now->values[METRIC_SYSTEM_MEMORY_SHMEM] - r->first.values[METRIC_SYSTEM_MEMORY_SHMEM];
	double all = isnan(now->cgroup.shmem_b) ? machine : now->cgroup.shmem_b;

	return r->shape.tree ? larger(all - now->tree.shmem_b, 0) : 0;
}

static void take_bounds(struct row_builder *r, const struct sample *now)
{
	double tmpfs_b = unmapped_shmem(r, now);
	double most_b = larger(now->tree.memory_most_b + tmpfs_b, now->tree.memory_least_b);

	take_series_bounds(&r->early, now, most_b);
	take_series_bounds(&r->regular, now, most_b);
	r->most_b = larger(r->most_b, most_b);
	r->held_b = larger(r->held_b, now->cgroup.anonymous_b + now->cgroup.shmem_b);
	if (isnan(now->cgroup.shmem_b))
		r->tmpfs_b = larger(r->tmpfs_b, tmpfs_b);
	r->file_b = larger(r->file_b, now->tree.file_most_b);
}

void row_builder_start(struct row_builder *r, const struct sample *first)
{
	sample_copy(&r->first, first);
	start_series(&r->regular, first);
	start_series(&r->early, first);
	r->peak_b = first->tree.all.memory_b;
	take_bounds(r, first);
}

static void check_journal(struct row_builder *r, int failed)
{
	if (!failed)
		return;
	r->journal_failed = true;
	r->journal = NULL;
}

static void check_csv(struct row_builder *r, int failed)
{
	if (!failed)
		return;
	r->csv_failed = true;
	r->csv = NULL;
}

static void put_csv(struct row_builder *r, const double *row)
{
	if (r->csv)
		check_csv(r, csv_stream_row(r->csv, row, &r->csv_error));
}

void row_builder_flush_csv(struct row_builder *r)
{
	if (r->csv)
		check_csv(r, csv_stream_flush(r->csv, &r->csv_error));
}

static double row_cpu_s(const double *row)
{
	double s = row[METRIC_PROCESS_UTIME] + row[METRIC_PROCESS_STIME];

	return s > 0 ? s : 0;
}

/* The length of the row that was appended last. */
static double seconds_of(const struct row_builder_series *s)
{
	return (double)(s->last.at - s->before.at) / 1e9;
}

static void put_memory_peak(const struct row_builder *r, double least_b, double *row)
{
	double b = larger(least_b, row[METRIC_PROCESS_MEMORY]);

	row[METRIC_PROCESS_MEMORY_PEAK] = r->shape.tree && b > 0 ? b : (double)NAN;
}

/* The bounds since the last row are now those of the row, or of the longer row. */
static void turn_bounds(struct row_builder_series *s, bool longer)
{
	if (!longer) {
		s->most_bs += s->most_b * seconds_of(s);
		s->least_b = s->most_b = 0;
	}
	s->least_b = larger(s->least_b, s->next_least_b);
	s->most_b = larger(s->most_b, s->next_most_b);
	s->next_least_b = s->next_most_b = 0;
}

/* Makes the next row of a series, up to now. */
static void next_row(const struct row_builder *r, struct row_builder_series *s,
                     const struct sample *now, double *row)
{
	turn_bounds(s, false);
	sample_copy(&s->before, &s->last);
	s->carry_before = s->carry;
	sample_row(&s->before, now, &r->shape, &s->carry, row);
	put_memory_peak(r, s->least_b, row);
	s->cpu_before = s->cpu_s;
	s->cpu_s += row_cpu_s(row);
	sample_copy(&s->last, now);
	s->rows++;
}

/* Makes the last row of a series again, up to end. */
static void redo_row(const struct row_builder *r, struct row_builder_series *s,
                     const struct sample *end, double *row)
{
	s->carry = s->carry_before;
	sample_row(&s->before, end, &r->shape, &s->carry, row);
	put_memory_peak(r, s->least_b, row);
	s->cpu_s = s->cpu_before + row_cpu_s(row);
}

/* Makes the last row of a series longer, up to now. It keeps its states, which were read while the
 * job still ran. */
static void extend_row(const struct row_builder *r, struct row_builder_series *s,
                       const struct sample *now, double *row)
{
	struct sample end = *now;

	turn_bounds(s, true);
	end.tree.all = s->last.tree.all;
	end.tree.main = s->last.tree.main;
	end.tree.children = s->last.tree.children;
	redo_row(r, s, &end, row);
	sample_copy(&s->last, now);
}

static double take_part(double *left, double most)
{
	double v = *left < most ? *left : most;

	v = v > 0 ? v : 0;
	*left -= v;
	return v;
}

/* Moves CPU time from the next row, up to end, to the last row of a series: its share of the time
 * that only the exact account has, or the part that exceeds the CPUs, whichever is more. Returns
 * false if there is nothing to move. */
static bool share_back(const struct row_builder *r, struct row_builder_series *s,
                       const struct sample *end, double *row)
{
	double before = (double)(s->last.at - s->before.at) / 1e9;
	double after = (double)(end->at - s->last.at) / 1e9;
	double u = end->tree.sum[CPU_ACCOUNTING_UTIME] - s->last.tree.sum[CPU_ACCOUNTING_UTIME];
	double system =
	    end->tree.sum[CPU_ACCOUNTING_STIME] - s->last.tree.sum[CPU_ACCOUNTING_STIME];
	double carried = s->carry.tree_u + s->carry.tree_s;
	double used = s->cpu_s - s->cpu_before, room, part, beyond;

	if (!r->shape.tree || s->rows == 0 || before <= 0 || !(r->shape.cpus > 0))
		return false;
	room = r->shape.cpus * before - used - carried;
	part = end->tree.late_s * before / (before + after);
	beyond = u + system + carried - r->shape.cpus * after;
	part = beyond > part ? beyond : part;
	part = room < part ? room : part;
	if (!(part > 0))
		return false;
	s->last.tree.sum[CPU_ACCOUNTING_UTIME] += take_part(&part, u);
	s->last.tree.sum[CPU_ACCOUNTING_STIME] += take_part(&part, system);
	redo_row(r, s, &s->last, row);
	return true;
}

/* An early row waits for the next one, because the end of the run may still make it longer. */
static void release_early(struct row_builder *r)
{
	if (r->held && r->journal)
		check_journal(r,
		              journal_append(r->journal, r->row, JOURNAL_EARLY, &r->journal_error));
	r->held = false;
}

static void add_early_row(struct row_builder *r, const struct sample *s)
{
	release_early(r);
	next_row(r, &r->early, s, r->row);
	r->held = true;
}

static void note_means(struct row_builder *r, const double *row, double seconds)
{
	static const struct {
		enum host_sharing_of what;
		enum metric_id tree, system;
	} pairs[] = {
	    {HOST_SHARING_CPU, METRIC_PROCESS_CPU_USAGE, METRIC_SYSTEM_CPU_USAGE},
	    {HOST_SHARING_MEMORY, METRIC_PROCESS_MEMORY, METRIC_SYSTEM_MEMORY_USED},
	    {HOST_SHARING_GPU, METRIC_PROCESS_GPU_USAGE, METRIC_SYSTEM_GPU_USAGE},
	    {HOST_SHARING_VRAM, METRIC_PROCESS_GPU_VRAM, METRIC_SYSTEM_GPU_VRAM},
	};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		host_sharing_add(&r->allocation, pairs[i].what, row[pairs[i].tree],
		                 row[pairs[i].system], seconds);
}

static void append_regular(struct row_builder *r, const struct sample *s, double *row)
{
	next_row(r, &r->regular, s, row);
	if (r->journal)
		check_journal(r, journal_append(r->journal, row, 0, &r->journal_error));
}

static void add_regular_row(struct row_builder *r, const struct sample *s)
{
	double row[DETAIL_ROW_CELLS];

	append_regular(r, s, row);
	put_csv(r, row);
	note_means(r, row, seconds_of(&r->regular));
}

static void note_peak(struct row_builder *r, const struct sample *s)
{
	double b = r->shape.tree ? s->tree.all.memory_b : s->values[METRIC_SYSTEM_MEMORY_USED];

	r->peak_b = b > r->peak_b ? b : r->peak_b;
}

void row_builder_sample(struct row_builder *r, const struct sample *s, bool is_regular, bool grown)
{
	note_peak(r, s);
	take_bounds(r, s);
	if (!grown)
		add_early_row(r, s);
	else
		release_early(r);
	if (is_regular)
		add_regular_row(r, s);
}

static bool is_last_short(const struct row_builder_series *s, const struct sample *now,
                          int64_t shortest)
{
	return s->rows > 0 && now->at - s->last.at < shortest;
}

static void end_early(struct row_builder *r, const struct sample *last)
{
	int64_t shortest = r->interval / 10 < EARLY_SHORTEST ? r->interval / 10 : EARLY_SHORTEST;

	if (r->held && is_last_short(&r->early, last, shortest)) {
		extend_row(r, &r->early, last, r->row);
	} else {
		if (r->held)
			(void)share_back(r, &r->early, last, r->row);
		add_early_row(r, last);
	}
	release_early(r);
}

/* The last row, and the one before it once more. */
static void append_last(struct row_builder *r, const struct sample *last)
{
	double row[DETAIL_ROW_CELLS];

	if (share_back(r, &r->regular, last, row) && r->journal)
		check_journal(r, journal_replace(r->journal, row, &r->journal_error));
	append_regular(r, last, row);
}

/* The last row of the CSV. The rows before it are written, so it has all CPU time that came late,
 * and the columns add up; its cores are those of its own share. */
static void put_tail(struct row_builder *r, const struct sample *last)
{
	struct row_builder_series s = r->regular;
	const double *had = r->regular.last.tree.sum, *shared = s.last.tree.sum;
	double row[DETAIL_ROW_CELLS];

	(void)share_back(r, &s, last, row);
	sample_row(&s.last, last, &r->shape, &s.carry, row);
	row[METRIC_PROCESS_UTIME] +=
	    s.carry.tree_u + shared[CPU_ACCOUNTING_UTIME] - had[CPU_ACCOUNTING_UTIME];
	row[METRIC_PROCESS_STIME] +=
	    s.carry.tree_s + shared[CPU_ACCOUNTING_STIME] - had[CPU_ACCOUNTING_STIME];
	put_memory_peak(r, r->regular.next_least_b, row);
	put_csv(r, row);
	note_means(r, row, (double)(last->at - r->regular.last.at) / 1e9);
}

static void end_regular(struct row_builder *r, const struct sample *last)
{
	double row[DETAIL_ROW_CELLS];

	put_tail(r, last);
	if (!is_last_short(&r->regular, last, r->interval / 2)) {
		append_last(r, last);
		return;
	}
	extend_row(r, &r->regular, last, row);
	if (r->journal)
		check_journal(r, journal_replace(r->journal, row, &r->journal_error));
}

/* Processes that have ended have no memory. Their last states say more than 0. */
static void keep_states(struct row_builder *r, struct sample *last, double memory_b)
{
	const struct row_builder_series *s =
	    r->early.last.at > r->regular.last.at ? &r->early : &r->regular;

	if (last->tree.alive == 0) {
		last->tree.all = s->last.tree.all;
		last->tree.main = s->last.tree.main;
	}
	if (r->shape.tree && r->peak_b <= 0 && last->tree.all.memory_b <= 0)
		last->tree.all.memory_b = memory_b;
}

/* The upper bound of the rows of a series, over time; NAN without rows. */
static double mean_most(const struct row_builder *r, const struct row_builder_series *s)
{
	double seconds = (double)(s->last.at - r->first.at) / 1e9;

	return seconds > 0 ? (s->most_bs + s->most_b * seconds_of(s)) / seconds : NAN;
}

void row_builder_end(struct row_builder *r, struct sample *last, bool grown, double memory_b)
{
	struct sample_carry none = {0};

	keep_states(r, last, memory_b);
	note_peak(r, last);
	take_bounds(r, last);
	sample_row(&r->first, last, &r->shape, &none, r->whole);
	put_memory_peak(r, r->peak_b, r->whole);
	if (!grown)
		end_early(r, last);
	else
		release_early(r);
	end_regular(r, last);
	r->cpu_s = grown ? r->regular.cpu_s : r->early.cpu_s;
	r->mean_most_b = mean_most(r, grown ? &r->regular : &r->early);
}
