/* journal_read: a journal → a snapshot. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "journal.h"
#include "journal_record.h"
#include "phases.h"
#include "snapshot_head.h"
#include "stats.h"

#define CHUNK 32 /* records read at once */

struct input {
	enum metric_id columns[METRIC_COUNT];
	size_t n_columns;
	uint64_t seq;
	int fd;
	off_t records; /* where they begin */
};

/* The file is read once for regular and once for early samples; marks count the first time. */
static int unpack_mark(struct snapshot *s, const unsigned char *p, size_t n, struct err *e)
{
	char line[JOURNAL_MARK_MAX + 1] = "";
	double t;

	if (n < 8)
		return 0;
	memcpy(&t, p, 8);
	n = n - 8 < JOURNAL_MARK_MAX ? n - 8 : JOURNAL_MARK_MAX;
	memcpy(line, p + 8, n);
	if (!s->phases)
		s->phases = snapshot_alloc(s, sizeof *s->phases);
	if (!s->phases)
		return err_set(e, "no memory for the phases");
	if (isfinite(t))
		phases_mark(s->phases, t, line, strlen(line));
	return 0;
}

/* Puts a record's cells into the frames. 1: it is not whole. */
static int unpack(struct snapshot *s, struct input *in, const unsigned char *p, size_t size,
                  bool early, struct err *e)
{
	uint32_t magic, flags, crc;
	uint64_t seq;

	memcpy(&magic, p, 4);
	memcpy(&flags, p + 4, 4);
	memcpy(&seq, p + 8, 8);
	memcpy(&crc, p + size - 4, 4);
	if (magic != RECORD_MAGIC || seq != in->seq ||
	    crc != (uint32_t)crc32(0, p, (unsigned)size - 4))
		return 1;
	in->seq++;
	if (flags & RECORD_MARK)
		return unpack_mark(s, p + RECORD_HEAD, size - RECORD_HEAD - 4, e);
	if (early != ((flags & JOURNAL_EARLY) != 0))
		return 0;
	for (size_t i = 0; i < in->n_columns; i++) {
		enum metric_id id = in->columns[i];
		double v;
		memcpy(&v, p + RECORD_HEAD + i * 8, 8);
		v = isfinite(v) ? v : NAN;
		if (id < METRIC_COUNT && frame_push(&s->rows[metrics[id].scope], id, v, e))
			return -1;
	}
	return 0;
}

/* n bytes, or fewer at the end. -1: what is there cannot be read. */
static long read_part(int fd, unsigned char *p, size_t n, off_t at, struct err *e)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = pread(fd, p + done, n - done, at + (off_t)done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set(e, "%s", strerror(errno));
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (long)done;
}

/* Up to the first that is not whole. */
static int read_records(struct snapshot *s, struct input *in, bool early, struct err *e)
{
	unsigned char part[CHUNK * RECORD_MAX];
	long size = (long)(RECORD_HEAD + in->n_columns * 8 + 4), n = 0, at = 0;
	off_t next = in->records;
	int r = 0;

	in->seq = 0;
	while (r == 0) {
		if (at + size > n) {
			n = read_part(in->fd, part, (size_t)(CHUNK * size), next, e);
			next += n;
			at = 0;
		}
		if (n < size)
			r = n < 0 ? -1 : 1;
		else
			r = unpack(s, in, part + at, (size_t)size, early, e);
		at += size;
	}
	for (int scope = 0; r >= 0 && scope < METRIC_SCOPES; scope++)
		if (frame_square(&s->rows[scope], e))
			r = -1;
	return r < 0 ? -1 : 0;
}

/* Two lines: the magic, and one of JSON. */
static int read_header(struct snapshot *s, struct input *in, struct err *e)
{
	const size_t magic = strlen(JOURNAL_MAGIC);
	unsigned char *text = malloc(HEADER_MAX);
	long columns = -1, n = text ? read_part(in->fd, text, HEADER_MAX, 0, e) : 0;
	const unsigned char *end = NULL;

	if (n > (long)magic && memcmp(text, JOURNAL_MAGIC, magic) == 0)
		end = memchr(text + magic, '\n', (size_t)n - magic);
	if (end) {
		in->records = end + 1 - text;
		columns =
		    snapshot_head_journal(s, (const char *)text + magic,
		                          (size_t)in->records - magic, in->columns, METRIC_COUNT);
	}
	in->n_columns = columns < 0 ? 0 : (size_t)columns;
	if (columns >= 0)
		n = 0;
	else if (!text)
		n = err_set(e, "no memory for the header");
	else if (n >= 0)
		n = err_set(e, "a journal without a whole header");
	free(text);
	return n < 0 ? -1 : 0;
}

/* The run is as long as its samples tell. */
static void end_at_last_sample(struct snapshot *s)
{
	double last = s->meta.start_time;

	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		enum metric_id id = scope ? METRIC_SYSTEM_TIMESTAMP : METRIC_PROCESS_TIMESTAMP;
		const struct frame *f = &s->rows[scope];
		const double *t = frame_col(f, id);
		if (t && f->rows && !isnan(t[f->rows - 1]) && !(t[f->rows - 1] <= last))
			last = t[f->rows - 1];
	}
	if (s->phases)
		phases_close(s->phases, last);
	s->meta.stop_time = last;
	s->meta.duration = stats_round(last - s->meta.start_time, 2);
}

static bool is_short(const struct snapshot *s)
{
	return s->meta.duration < 2 * s->meta.interval;
}

/* The regular rows, or the early ones; both reads begin at the first record. */
static int read_rows(struct snapshot *s, struct input *in, bool early, struct err *e)
{
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		frame_free(&s->rows[scope]);
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

static int read_journal(struct snapshot *s, int fd, struct err *e)
{
	struct input in = {.fd = fd};

	if (read_header(s, &in, e))
		return -1;
	if (read_rows(s, &in, false, e))
		return -1;
	if (is_short(s) && read_rows(s, &in, true, e))
		return -1;
	/* Killed before the first early sample: better one row than none. */
	if (is_empty(s) && read_rows(s, &in, false, e))
		return -1;
	s->unfinished = true;
	s->exit.known = false;
	return 0;
}

int journal_read(struct snapshot *s, int fd, const char *name, struct err *e)
{
	return read_journal(s, fd, e) ? err_wrap(e, "%s", name) : 0;
}
