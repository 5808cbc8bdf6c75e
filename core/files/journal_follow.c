/* journal_follow: reads a journal as far as it is there, and later what has come since. */
#include "core/files/journal_follow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/files/journal_record.h"
#include "core/head/snapshot_head.h"

struct journal_follow {
	int fd;
	off_t at; /* of the next record */
	struct journal_layout is;
	struct snapshot head;
	struct phases phases;
	unsigned char window[RECORD_MANY > RECORD_MAX ? RECORD_MANY : RECORD_MAX];
};

struct journal_follow *journal_follow_open(int fd, struct err *e)
{
	struct journal_follow *f = alloc_failed_note(calloc(1, sizeof *f));

	if (!f) {
		err_set(e, "no memory for the journal");
		return NULL;
	}
	f->fd = fd;
	snapshot_head_defaults(&f->head);
	if (journal_layout_read(&f->is, &f->head, fd, e)) {
		journal_follow_close(f);
		return NULL;
	}
	f->head.unfinished = true;
	f->at = (off_t)f->is.size;
	return f;
}

static void hand_row(const struct journal_follow *f, const unsigned char *p, unsigned flags,
                     const struct journal_follow_takes *takes)
{
	double row[METRIC_COUNT];

	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = NAN;
	for (size_t i = 0; i < f->is.n_columns; i++) {
		double v;
		memcpy(&v, p + RECORD_HEAD + i * 8, 8);
		if (f->is.columns[i] < METRIC_COUNT && isfinite(v))
			row[f->is.columns[i]] = v;
	}
	if (takes->row)
		takes->row(takes->ctx, row, flags & JOURNAL_EARLY);
}

static void take_processes(const struct journal_follow *f, const unsigned char *p,
                           const struct journal_follow_takes *takes)
{
	struct process_entry v[JOURNAL_FOLLOW_NOW_MAX], one;
	size_t room = f->is.record - RECORD_HEAD - 4, bytes, at = 0, n = 0;
	bool now = true;
	double used;

	if (room < 8)
		return;
	memcpy(&used, p + RECORD_HEAD, 8);
	bytes = used >= 0 && used <= (double)(room - 8) ? (size_t)used : 0;
	while (process_entry_next(p + RECORD_HEAD + 8, bytes, &at, &one)) {
		now = now && one.kind == PROCESS_ENTRY_NOW;
		if (now && n < JOURNAL_FOLLOW_NOW_MAX)
			v[n++] = one;
		else if (!now && takes->process)
			takes->process(takes->ctx, &one);
	}
	if (now && takes->now)
		takes->now(takes->ctx, v, n);
}

static void take_record(struct journal_follow *f, const unsigned char *p,
                        const struct journal_follow_takes *takes)
{
	unsigned flags = journal_record_flags(p);

	if (flags & RECORD_MARK)
		journal_record_mark(&f->is, p, &f->phases);
	else if ((flags & RECORD_PROCESSES) == RECORD_PROCESSES)
		take_processes(f, p, takes);
	else if (!(flags & RECORD_DEVICE))
		hand_row(f, p, flags, takes);
}

int journal_follow_read(struct journal_follow *f, const struct journal_follow_takes *takes,
                        struct err *e)
{
	const size_t record = f->is.record, many = sizeof f->window / record * record;
	long got;

	do {
		got = journal_record_pread(f->fd, f->window, many, f->at, e);
		if (got < 0)
			return -1;
		for (size_t i = 0; i + record <= (size_t)got; i += record) {
			const unsigned char *p = f->window + i;
			if (journal_record_begins(p) && journal_record_whole(&f->is, p))
				take_record(f, p, takes);
			else if (i + 2 * record > (size_t)got && (size_t)got < many)
				return 0; /* the last one: it may be whole the next time */
			f->at += (off_t)record;
		}
	} while ((size_t)got == many);
	return 0;
}

const struct snapshot *journal_follow_head(const struct journal_follow *f)
{
	return &f->head;
}

const struct phases *journal_follow_phases(const struct journal_follow *f)
{
	return &f->phases;
}

void journal_follow_close(struct journal_follow *f)
{
	if (!f)
		return;
	snapshot_free(&f->head);
	free(f);
}
