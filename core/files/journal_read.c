/* journal_read: reads a journal into a snapshot, and skips damage. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/files/journal.h"
#include "core/files/journal_record.h"
#include "core/files/journal_tree.h"
#include "core/head/detail_sums.h"
#include "core/numbers/phases.h"
#include "core/numbers/stats.h"
#include "core/recording/gaps.h"

/* Bytes of damage that are searched before the rest is given up. A checksum computed in vain counts
 * its bytes again, so a file full of false magics cannot keep the reader busy. */
#define WORK_MAX ((uint64_t)256 << 20)

struct input {
	struct journal_layout is;
	uint64_t seq; /* the sequence number expected next */
	int fd;
	off_t base;  /* offset of the window */
	size_t n;    /* bytes in the window; fewer than fit: the file ends there */
	bool early;  /* read the early samples, not the regular ones */
	double last; /* time of the last row; NAN: none yet */
	uint64_t work;
	off_t damage;         /* offset where the current damage begins; -1: none */
	bool torn;            /* damage was skipped since the last row */
	struct buf processes; /* journal_tree.h */
	unsigned char window[RECORD_MANY];
};

static int unpack_mark(struct snapshot *s, const struct input *in, const unsigned char *p,
                       struct err *e)
{
	if (!s->phases)
		s->phases = snapshot_alloc(s, sizeof *s->phases);
	if (!s->phases)
		return err_set(e, "no memory for the phases");
	journal_record_mark(&in->is, p, s->phases);
	return 0;
}

/* Notes whose a cell is. The first note counts. */
static void unpack_device(struct snapshot *s, const unsigned char *p, size_t n)
{
	char text[DETAIL_SERIES_MAX] = "";
	struct detail_devices *d = s->devices;
	struct detail_device one;
	const char *name;
	double cell;

	if (!d || n < 8)
		return;
	memcpy(&cell, p, 8);
	n = n - 8 < sizeof text - 1 ? n - 8 : sizeof text - 1;
	memcpy(text, p + 8, n);
	name = detail_device_parse(text, &one.kind);
	if (!name || !(cell >= 0 && cell < (double)d->cells) || d->n == DETAIL_DEVICES_MAX)
		return;
	one.cell = (size_t)cell;
	for (size_t i = 0; i < d->n; i++)
		if (one.cell < d->v[i].cell + detail_kinds[d->v[i].kind].cells &&
		    d->v[i].cell < one.cell + detail_kinds[one.kind].cells)
			return;
	if (one.cell + detail_kinds[one.kind].cells > d->cells)
		return;
	one.name = snapshot_strdup(s, name);
	d->v[d->n++] = one;
}

/* A cell of a device; METRIC_COUNT, an unknown column, is passed over. */
static int push_detail(struct snapshot *s, enum metric_id id, double v, struct err *e)
{
	size_t cell = (size_t)id - DETAIL_CELL(0);

	if (id == METRIC_COUNT || cell / METRIC_COUNT >= s->n_detail_rows)
		return 0;
	return frame_push(&s->detail_rows[cell / METRIC_COUNT],
	                  (enum metric_id)(cell % METRIC_COUNT), v, e);
}

/* The time that a row represents: its CPU time divided by its CPU usage. */
static double row_lasted(const struct input *in, const unsigned char *p)
{
	static const enum metric_id of[][3] = {
	    {METRIC_SYSTEM_UTIME, METRIC_SYSTEM_STIME, METRIC_SYSTEM_CPU_USAGE},
	    {METRIC_PROCESS_UTIME, METRIC_PROCESS_STIME, METRIC_PROCESS_CPU_USAGE},
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		double s = (journal_record_cell(&in->is, p, of[i][0]) +
		            journal_record_cell(&in->is, p, of[i][1])) /
		           journal_record_cell(&in->is, p, of[i][2]);
		if (isfinite(s) && s > 0)
			return s;
	}
	return NAN;
}

/* Notes a gap before a row after damage, so that the row does not represent the time of the lost
 * rows too. */
static void note_gap(struct snapshot *s, struct input *in, const unsigned char *p, double t)
{
	double from = isnan(in->last) ? s->meta.start_time : in->last;
	double lasted = row_lasted(in, p);

	if (isnan(lasted))
		lasted = s->meta.interval;
	/* A lost mark is not a gap: the times then differ only by rounding. */
	if (in->torn && t - lasted > from + lasted / 10)
		gaps_add(s, from, t - lasted);
	in->torn = false;
	in->last = t;
}

/* Puts a record's cells into the frames. */
static int unpack_record(struct snapshot *s, struct input *in, const unsigned char *p,
                         struct err *e)
{
	unsigned flags = journal_record_flags(p);
	double t = journal_record_cell(&in->is, p, METRIC_SYSTEM_TIMESTAMP);

	if (flags & RECORD_MARK)
		return unpack_mark(s, in, p, e);
	if ((flags & RECORD_PROCESSES) == RECORD_PROCESSES) {
		if (in->is.record >= RECORD_HEAD + 12)
			journal_tree_add(&in->processes, p + RECORD_HEAD,
			                 in->is.record - RECORD_HEAD - 4);
		return 0;
	}
	if (flags & RECORD_DEVICE) {
		unpack_device(s, p + RECORD_HEAD, in->is.record - RECORD_HEAD - 4);
		return 0;
	}
	if (in->early != ((flags & JOURNAL_EARLY) != 0))
		return 0;
	note_gap(s, in, p,
	         isnan(t) ? journal_record_cell(&in->is, p, METRIC_PROCESS_TIMESTAMP) : t);
	for (size_t i = 0; i < in->is.n_columns; i++) {
		enum metric_id id = in->is.columns[i];
		double v;
		memcpy(&v, p + RECORD_HEAD + i * 8, 8);
		v = isfinite(v) ? v : NAN;
		if (id < METRIC_COUNT ? frame_push(&s->rows[metrics[id].scope], id, v, e)
		                      : push_detail(s, id, v, e))
			return -1;
	}
	return 0;
}

/* The n bytes at this offset, in the window. NULL if the file ends before, or on a read error,
 * which sets *failed. */
static const unsigned char *window_at(struct input *in, off_t at, size_t n, bool *failed,
                                      struct err *e)
{
	long got;

	if (at < in->base || at + (off_t)n > in->base + (off_t)in->n) {
		got = journal_record_pread(in->fd, in->window,
		                           RECORD_MANY / in->is.record * in->is.record, at, e);
		*failed = *failed || got < 0;
		in->base = at;
		in->n = got < 0 ? 0 : (size_t)got;
	}
	return n <= in->n ? in->window + (at - in->base) : NULL;
}

/* The first offset from at on where a record may begin; -1 if there is none, or beyond WORK_MAX. */
static off_t next_magic(struct input *in, off_t at, bool *failed, struct err *e)
{
	const uint32_t magic = RECORD_MAGIC;
	const unsigned char *p, *found = NULL;

	while (in->work < WORK_MAX && (p = window_at(in, at, sizeof magic, failed, e))) {
		size_t n = in->n - (size_t)(at - in->base), passed;
		found = memmem(p, n, &magic, sizeof magic);
		passed = found ? (size_t)(found - p) : n - sizeof magic + 1;
		in->work += passed;
		at += (off_t)passed;
		if (found)
			return at;
	}
	return -1;
}

/* Whether p is a whole record with the expected number, or after damage with a later one. */
static bool is_whole_record(struct input *in, const unsigned char *p)
{
	uint64_t seq = journal_record_number(p);

	if (!journal_record_begins(p) || (in->damage < 0 ? seq != in->seq : seq < in->seq))
		return false;
	if (journal_record_whole(&in->is, p))
		return true;
	in->work += in->is.record;
	return false;
}

static void begin_damage(struct snapshot *s, struct input *in, off_t at)
{
	in->damage = at;
	if (s->damage.places++ == 0)
		s->damage.at = (uint64_t)at;
}

static void end_damage(struct snapshot *s, struct input *in, off_t at, uint64_t seq)
{
	s->damage.bytes += (uint64_t)(at - in->damage);
	s->damage.records += seq - in->seq;
	in->damage = -1;
	in->torn = true;
}

/* Reads all whole records, and skips and counts the bytes between them. Less than a record at the
 * end is not counted as damage: it is the write that a crash cut short. */
static int read_all_records(struct snapshot *s, struct input *in, struct err *e)
{
	const unsigned char *p;
	off_t at = (off_t)in->is.size, end;
	bool failed = false;

	while (at >= 0 && (p = window_at(in, at, in->is.record, &failed, e))) {
		uint64_t seq = journal_record_number(p);
		if (!is_whole_record(in, p)) {
			if (in->damage < 0)
				begin_damage(s, in, at);
			at = s->damage.places < GAPS_MAX ? next_magic(in, at + 1, &failed, e) : -1;
			continue;
		}
		if (in->damage >= 0)
			end_damage(s, in, at, seq);
		in->seq = seq + 1;
		if (unpack_record(s, in, p, e))
			return -1;
		at += (off_t)in->is.record;
	}
	if (failed)
		return -1;
	end = in->damage < 0 ? -1 : lseek(in->fd, 0, SEEK_END);
	if (end > in->damage)
		end_damage(s, in, end, in->seq);
	return 0;
}

static int read_records(struct snapshot *s, struct input *in, bool early, struct err *e)
{
	in->seq = in->work = 0;
	in->early = early;
	in->last = NAN;
	in->damage = -1;
	in->torn = false;
	s->damage = (struct snapshot_damage){.places = 0};
	gaps_clear(s);
	if (read_all_records(s, in, e))
		return -1;
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		if (frame_square(&s->rows[scope], e))
			return -1;
	for (size_t i = 0; i < s->n_detail_rows; i++)
		if (frame_square(&s->detail_rows[i], e))
			return -1;
	return 0;
}

/* Makes room for the cells of devices, where the records have any. */
static int make_detail_rows(struct snapshot *s, const struct journal_layout *in, struct err *e)
{
	size_t cells = 0;

	for (size_t i = 0; i < in->n_columns; i++)
		if (in->columns[i] > METRIC_COUNT && in->columns[i] - METRIC_COUNT > (long)cells)
			cells = (size_t)in->columns[i] - METRIC_COUNT;
	if (!cells)
		return 0;
	s->devices = snapshot_alloc(s, sizeof *s->devices);
	s->n_detail_rows = (cells + METRIC_COUNT - 1) / METRIC_COUNT;
	s->detail_rows = alloc_failed_note(calloc(s->n_detail_rows, sizeof *s->detail_rows));
	if (!s->devices || !s->detail_rows) {
		s->n_detail_rows = 0;
		return err_set(e, "no memory for the devices");
	}
	s->devices->cells = cells;
	return 0;
}

/* Nothing recorded the end of the run, so the last sample is its end. */
static void end_at_last_sample(struct snapshot *s)
{
	double last = s->meta.start_time;

	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		const struct frame *f = &s->rows[scope];
		const double *t = frame_col(f, metric_time_of((enum metric_scope)scope));
		if (t && f->rows && !isnan(t[f->rows - 1]) && !(t[f->rows - 1] <= last))
			last = t[f->rows - 1];
	}
	if (s->phases)
		phases_close(s->phases, last);
	s->meta.stop_time = last;
	s->meta.duration = stats_round(last - s->meta.start_time, 2);
}

static bool is_shorter_than_2_intervals(const struct snapshot *s)
{
	return s->meta.duration < 2 * s->meta.interval;
}

/* Reads the regular rows, or the early ones, from the first record on. */
static int read_sample_rows(struct snapshot *s, struct input *in, bool early, struct err *e)
{
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		frame_free(&s->rows[scope]);
	for (size_t i = 0; i < s->n_detail_rows; i++)
		frame_free(&s->detail_rows[i]);
	if (s->devices)
		s->devices->n = 0;
	buf_clear(&in->processes);
	if (s->phases)
		memset(s->phases, 0, sizeof *s->phases);
	if (read_records(s, in, early, e))
		return -1;
	end_at_last_sample(s);
	return 0;
}

static bool is_empty(const struct snapshot *s)
{
	return s->rows[METRIC_SCOPE_PROCESS].rows + s->rows[METRIC_SCOPE_SYSTEM].rows == 0;
}

static int read_either_rows(struct snapshot *s, struct input *in, struct err *e)
{
	if (journal_layout_read(&in->is, s, in->fd, e) || make_detail_rows(s, &in->is, e))
		return -1;
	if (read_sample_rows(s, in, false, e))
		return -1;
	if (is_shorter_than_2_intervals(s) && read_sample_rows(s, in, true, e))
		return -1;
	/* A short run without early samples: its regular row is better than none. */
	if (is_empty(s) && read_sample_rows(s, in, false, e))
		return -1;
	return journal_tree_make(s, &in->processes, e);
}

static int read_journal(struct snapshot *s, int fd, struct err *e)
{
	struct input in = {.fd = fd, .base = 0, .processes.max = JOURNAL_TREE_MAX};
	struct err damage = {0};
	int failed = read_either_rows(s, &in, e);

	buf_free(&in.processes);
	if (failed)
		return -1;
	s->unfinished = true;
	s->exit.known = false;
	if (s->damage.places) {
		journal_tell_damage(s, &damage);
		snapshot_note(s, "%s.", damage.msg);
	}
	if (gaps_fill(s, e) || detail_sums_of_journal(s, e))
		return -1;
	return 0;
}

void journal_tell_damage(const struct snapshot *s, struct err *out)
{
	const struct snapshot_damage *d = &s->damage;
	char places[48] = "", records[48] = "";

	if (d->places > 1)
		snprintf(places, sizeof places, " in %zu places, the first", d->places);
	if (d->records)
		snprintf(records, sizeof records, "%" PRIu64 " record%s, ", d->records,
		         d->records == 1 ? "" : "s");
	err_set(out,
	        "The journal is damaged%s at byte %" PRIu64 ": %s%" PRIu64
	        " bytes could not be read, and their samples and marks are missing",
	        places, d->at, records, d->bytes);
}

int journal_read(struct snapshot *s, int fd, const char *name, struct err *e)
{
	return read_journal(s, fd, e) ? err_wrap(e, "%s", name) : 0;
}
