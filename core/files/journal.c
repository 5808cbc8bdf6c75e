/* journal: the crash-safe record of a run that is not finished. */
#include "core/files/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/alloc_failed.h"
#include "core/base/same_file.h"
#include "core/base/tmpfile.h"
#include "core/files/journal_tree.h"
#include "core/files/snapshot_write.h"
#include "core/json/json_write.h"
#include "core/numbers/phases.h"
#include "core/processes/process_entry.h"
#include "core/recording/snapshot_fields.h"

/* -- a long journal's rows as columns, in an unnamed file -------------------------------------- */

/* Statistics and the snapshot's text are made column by column, and the cells of one column lie all
 * over a journal. Read from there, the snapshot of a week (604,800 rows) took 58 s of CPU; with the
 * rows turned into columns once it takes 4.6 s, and 0.7 MiB more memory. The number of rows is
 * known, so a cell's place is computed: frame.c, whose columns grow, has a buffer of 128 KiB for
 * each, more than the collector may use. */

/* .fd -1: not made. */
struct journal_turned {
	int fd;
	size_t rows, n_columns;
	const enum metric_id *columns; /* borrowed */
};

#define CELLS_MAX (512 * METRIC_COUNT) /* turned at a time */

/* Which of the columns it is. False where it is none: fills out with NAN. */
static bool journal_turned_column(const enum metric_id *columns, size_t n_columns,
                                  enum metric_id id, size_t *column, double *out, size_t n)
{
	for (*column = 0; *column < n_columns; ++*column)
		if (columns[*column] == id)
			return true;
	for (size_t i = 0; i < n; i++)
		out[i] = NAN;
	return false;
}

static off_t cell_offset(const struct journal_turned *t, size_t column, size_t row)
{
	return (off_t)((column * t->rows + row) * sizeof(double));
}

/* As many rows at a time as the source keeps, so all columns come from one read. */
static int turn_block(const struct journal_turned *t, const struct snapshot_source *from,
                      double *cells, size_t row, size_t n)
{
	for (size_t done = 0, many; done < n; done += many) {
		many = n - done < from->at_hand ? n - done : from->at_hand;
		for (size_t i = 0; i < t->n_columns; i++)
			if (from->fetch(from->ctx, t->columns[i], row + done, many,
			                &cells[i * n + done], NULL))
				return -1;
	}
	for (size_t i = 0; i < t->n_columns; i++)
		if (tmpfile_write(t->fd, cells + i * n, n * sizeof *cells, cell_offset(t, i, row)))
			return -1;
	return 0;
}

/* The block is given back at once: the snapshot's own buffers then take its place. */
static int turn_rows(const struct journal_turned *t, const struct snapshot_source *from)
{
	size_t block = t->n_columns ? CELLS_MAX / t->n_columns : 0;
	double *cells = block ? malloc(CELLS_MAX * sizeof *cells) : NULL;
	int failed = cells ? 0 : -1;

	for (size_t row = 0; !failed && row < from->rows; row += block)
		failed = turn_block(t, from, cells, row,
		                    from->rows - row < block ? from->rows - row : block);
	free(cells);
	return failed;
}

static int fetch_turned(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                        struct err *e)
{
	const struct journal_turned *t = ctx;
	size_t column;

	if (journal_turned_column(t->columns, t->n_columns, id, &column, out, n) &&
	    tmpfile_read(t->fd, out, n * sizeof *out, cell_offset(t, column, from)))
		return err_set(e, "the journal's columns cannot be read again");
	return 0;
}

static void journal_turned_close(struct journal_turned *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

/* Turns the rows of a source: another one of the same rows, valid until t is closed; or, without a
 * file beside that path or memory, the source itself. */
static struct snapshot_source journal_turned_make(struct journal_turned *t,
                                                  const struct snapshot_source *from,
                                                  const char *beside, const enum metric_id *columns,
                                                  size_t n_columns)
{
	*t = (struct journal_turned){tmpfile_beside(beside), from->rows, n_columns, columns};
	if (t->fd < 0 || turn_rows(t, from)) {
		journal_turned_close(t);
		return *from;
	}
	return (struct snapshot_source){.rows = from->rows, .fetch = fetch_turned, .ctx = t};
}

/* -- which record holds which row -------------------------------------------------------------- */

/* Other records lie between the rows. Those of the processes now are too many to note each:
 * they follow the rows 0, every, 2 * every, and so on, as long as none was missed, and are only
 * counted. */

#define JOURNAL_ROWS_ASIDE 24576
#define JOURNAL_ROWS_LOST  64 /* places; all from the last of them on are taken for one */

/* The caller sets every (not 0); the rest is {0} at first. */
struct journal_rows {
	uint64_t records; /* of all kinds */
	uint64_t now;     /* of the processes now */
	uint64_t every;
	struct journal_rows_aside {
		uint64_t record;     /* its number */
		uint64_t before;     /* so many rows are before it */
	} aside[JOURNAL_ROWS_ASIDE]; /* all other records but rows, in order */
	size_t n_aside;
	/* Rows that are not there any more, in order. */
	struct journal_rows_range {
		uint64_t from, n;
	} lost[JOURNAL_ROWS_LOST];
	size_t n_lost;
};

/* Regular rows. */
static uint64_t journal_rows_n(const struct journal_rows *r)
{
	return r->records - r->n_aside - r->now;
}

/* Counts a record that was appended and is to be noted. Returns its number. */
static uint64_t journal_rows_aside(struct journal_rows *r)
{
	struct journal_rows_aside *a = &r->aside[r->n_aside];

	*a = (struct journal_rows_aside){.record = r->records, .before = journal_rows_n(r)};
	r->n_aside++;
	return r->records++;
}

/* Whether a record of the processes now may be appended, and counted in .records and .now. */
static bool journal_rows_now_due(const struct journal_rows *r)
{
	return journal_rows_n(r) == r->now * r->every + 1;
}

/* Records of the processes now before a row. */
static uint64_t now_before(const struct journal_rows *r, uint64_t row)
{
	uint64_t n = (row + r->every - 1) / r->every;

	return n < r->now ? n : r->now;
}

/* Other records before a row. */
static size_t aside_before(const struct journal_rows *r, uint64_t row)
{
	size_t low = 0, high = r->n_aside;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (r->aside[middle].before <= row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The number of the record of a row, which exists or comes next. */
static uint64_t journal_rows_record(const struct journal_rows *r, uint64_t row)
{
	return row + aside_before(r, row) + now_before(r, row);
}

/* How many rows, at most so many, are in records that follow each other, from a row on, which is
 * one of them. */
static size_t journal_rows_adjacent(const struct journal_rows *r, uint64_t row, size_t most)
{
	uint64_t now = now_before(r, row), end = row + most;
	size_t next = aside_before(r, row);

	if (next < r->n_aside && r->aside[next].before < end)
		end = r->aside[next].before;
	if (now < r->now && now * r->every + 1 < end)
		end = now * r->every + 1;
	return (size_t)(end - row);
}

/* Notes that a row is lost. Called in the order of rows. */
static void journal_rows_lose(struct journal_rows *r, uint64_t row)
{
	struct journal_rows_range *last = r->n_lost ? &r->lost[r->n_lost - 1] : NULL;

	if (last && (row == last->from + last->n || r->n_lost == JOURNAL_ROWS_LOST))
		last->n = row + 1 - last->from;
	else
		r->lost[r->n_lost++] = (struct journal_rows_range){row, 1};
}

static uint64_t journal_rows_lost(const struct journal_rows *r)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->n_lost; i++)
		n += r->lost[i].n;
	return n;
}

/* Which row is the i-th of those that are not lost. *most is lowered to how many of them follow
 * each other from there on. */
static uint64_t journal_rows_kept(const struct journal_rows *r, uint64_t i, size_t *most)
{
	for (size_t k = 0; k < r->n_lost; k++) {
		const struct journal_rows_range *lost = &r->lost[k];
		if (i < lost->from) {
			*most = *most < lost->from - i ? *most : (size_t)(lost->from - i);
			break;
		}
		i += lost->n;
	}
	return i;
}

/* -- the journal ------------------------------------------------------------------------------- */

#define LONG      8192 /* rows; from here on, turning rows into columns pays off */
#define NOT_WHOLE UINT64_MAX
#define ALL_EARLY UINT64_MAX
#define NOW_AFTER 2 /* early samples, in the first moments */

_Static_assert(JOURNAL_EARLY_MAX + PHASES_MAX + DETAIL_DEVICES_MAX + JOURNAL_PROCESSES_MAX + 1 <=
                   JOURNAL_ROWS_ASIDE,
               "all records but rows and those of the processes now");

struct journal {
	int fd;
	int dead; /* errno of the first failed write; 0: none failed */
	char *path;
	enum metric_id columns[RECORD_COLUMNS_MAX];
	size_t n_columns, record;          /* record: its size in bytes */
	size_t n_details;                  /* of the columns: the last ones */
	off_t start;                       /* of the first record */
	struct journal_rows rows;          /* the records */
	uint64_t early[JOURNAL_EARLY_MAX]; /* numbers of the early records */
	size_t n_early;
	size_t n_marks, n_devices, n_processes;
	bool early_now; /* the record of the processes now of the first moments is there */
	uint64_t last;  /* number of the last regular record; UINT64_MAX: none */
	unsigned char chunk[RECORD_MANY];
	size_t fit; /* records in the chunk, at most */
	uint64_t
	    at_hand; /* the first row in the chunk, which has regular rows alone; or ALL_EARLY */
	size_t n_at_hand;
	struct journal_turned turned;
};

static bool has_column(const struct snapshot *s, const struct metric *m)
{
	if (s->no_gpus && metric_is_of_one_gpu(m))
		return false;
	return snapshot_tracks(s, m->scope);
}

static void put_header(struct journal *j, struct snapshot *s, struct json_write *w)
{
	buf_str(&w->b, JOURNAL_MAGIC);
	j->n_columns = j->n_details = 0;
	json_write_object(w, NULL);
	snapshot_write_head(s, w, SCHEMA_1, NULL);
	json_write_object_end(w);
	json_write_array(w, SNAPSHOT_KEY_COLUMNS);
	for (int id = 0; id < METRIC_COUNT; id++) {
		char name[METRIC_NAME_MAX];
		if (!has_column(s, &metrics[id]))
			continue;
		j->columns[j->n_columns++] = (enum metric_id)id;
		json_write_str(w, NULL, metric_column_name((enum metric_id)id, name));
	}
	for (; s->devices && j->n_details < s->devices->cells; j->n_details++) {
		char name[32];
		j->columns[j->n_columns++] = DETAIL_CELL(j->n_details);
		json_write_str(w, NULL, detail_cell_name(j->n_details, name));
	}
	json_write_array_end(w);
	json_write_object_end(w);
	buf_char(&w->b, '\n');
	j->record = RECORD_HEAD + j->n_columns * 8 + 4;
	j->fit =
	    RECORD_MANY / j->record < SNAPSHOT_AT_HAND ? RECORD_MANY / j->record : SNAPSHOT_AT_HAND;
	/* Rounded up, but for what 5 / 0.1, say, may be above 50. */
	j->rows.every = s->meta.interval >= 0.001 && s->meta.interval < JOURNAL_NOW_S
	                    ? (uint64_t)(JOURNAL_NOW_S / s->meta.interval + 1 - 1e-9)
	                    : 1;
}

struct journal *journal_create(const char *path, struct snapshot *s, struct err *e)
{
	struct journal *j = calloc(1, sizeof *j);
	struct json_write w = {0};
	int failed = 1, saved;

	if (!j || !(j->path = strdup(path))) {
		free(j);
		err_set(e, "no memory for the journal");
		return NULL;
	}
	j->turned.fd = -1;
	j->last = UINT64_MAX;
	put_header(j, s, &w);
	j->start = (off_t)w.b.len;
	j->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (j->fd >= 0) {
		/* --recover and --watch try the same lock. Before the header: a journal without one
		 * is left alone. Some file systems have no locks. */
		(void)flock(j->fd, LOCK_EX | LOCK_NB);
		/* For a header too large, or no memory for it: no call has set errno. */
		errno = alloc_failed() ? ENOMEM : EFBIG;
		failed = !json_write_finish(&w) || tmpfile_write(j->fd, w.b.s, w.b.len, 0);
	}
	saved = errno;
	json_write_free(&w);
	if (!failed)
		return j;
	err_set(e, "%s: %s", path, strerror(saved));
	journal_close(j, j->fd >= 0);
	errno = saved;
	return NULL;
}

/* Blanks before its line feed, as long as the old one: some files may not be made shorter. */
static void lengthen_header(const struct journal *j, struct buf *header)
{
	if (header->len >= (size_t)j->start)
		return;
	header->len--;
	while (header->len + 1 < (size_t)j->start && !header->failed)
		buf_char(header, ' ');
	buf_char(header, '\n');
}

/* First what is longer than the old header, which needs room on the disk: until the rest is
 * written, it passes for a damaged record. */
static int overwrite_header(struct journal *j, const char *text, size_t n)
{
	size_t same = (size_t)j->start;

	if (tmpfile_write(j->fd, text + same, n - same, j->start))
		return -1;
	return tmpfile_write(j->fd, text, same, 0);
}

int journal_describe(struct journal *j, struct snapshot *s, struct err *e)
{
	struct json_write w = {0};
	int failed;

	if (j->rows.records)
		return err_set(e, "%s: has records already", j->path);
	put_header(j, s, &w);
	lengthen_header(j, &w.b);
	errno = alloc_failed() ? ENOMEM : EFBIG;
	failed = !json_write_finish(&w) || overwrite_header(j, w.b.s, w.b.len);
	if (!failed) {
		j->start = (off_t)w.b.len;
	} else {
		j->dead = errno ? errno : EIO;
		journal_check(j, e);
		(void)!ftruncate(j->fd, j->start);
	}
	json_write_free(&w);
	return failed ? -1 : 0;
}

/* Sets the head and the checksum of a record whose cells are there. */
static void seal_record(const struct journal *j, uint64_t seq, unsigned flags, unsigned char *out)
{
	const size_t end = RECORD_HEAD + j->n_columns * 8;
	uint32_t magic = RECORD_MAGIC, crc;

	memcpy(out, &magic, 4);
	memcpy(out + 4, &flags, 4);
	memcpy(out + 8, &seq, 8);
	crc = (uint32_t)crc32(0, out, (unsigned)end);
	memcpy(out + end, &crc, 4);
}

int journal_check(const struct journal *j, struct err *e)
{
	return j->dead ? err_set(e, "%s: %s", j->path, strerror(j->dead)) : 0;
}

static int write_record(struct journal *j, uint64_t seq, const unsigned char *bytes, struct err *e)
{
	if (journal_check(j, e))
		return -1;
	if (tmpfile_write(j->fd, bytes, j->record, j->start + (off_t)(seq * j->record)) == 0)
		return 0;
	j->dead = errno ? errno : EIO;
	journal_check(j, e);
	/* If this fails too, a torn record stays at the end, which the reader skips. */
	if (ftruncate(j->fd, j->start + (off_t)(j->rows.records * j->record)))
		return -1;
	return -1;
}

static int put_record(struct journal *j, uint64_t seq, unsigned flags, const double *row,
                      struct err *e)
{
	unsigned char bytes[RECORD_MAX];

	for (size_t i = 0; i < j->n_columns; i++)
		memcpy(bytes + RECORD_HEAD + i * 8, &row[j->columns[i]], 8);
	seal_record(j, seq, flags, bytes);
	return write_record(j, seq, bytes, e);
}

int journal_append(struct journal *j, const double *row, unsigned flags, struct err *e)
{
	bool early = flags & JOURNAL_EARLY;

	if (early && j->n_early == JOURNAL_EARLY_MAX)
		return err_set(e, "%s: too many early samples", j->path);
	if (put_record(j, j->rows.records, flags, row, e))
		return -1;
	if (early)
		j->early[j->n_early++] = journal_rows_aside(&j->rows);
	else
		j->last = j->rows.records++;
	return 0;
}

/* A text is stored as a record like any other: its cells hold a number and the bytes. It is made in
 * the chunk, since the stack of a row with the cells of all devices is large. */
static int put_text_record(struct journal *j, unsigned flag, double number, const char *text,
                           size_t n, struct err *e)
{
	unsigned char *cells = j->chunk + RECORD_HEAD;

	if (j->n_columns * 8 < 8 + n)
		return err_set(e, "%s: has no room for a %s", j->path,
		               flag == RECORD_DEVICE ? "device" : "mark");
	j->n_at_hand = 0;
	memcpy(cells, &number, 8);
	memcpy(cells + 8, text, n);
	memset(cells + 8 + n, 0, j->n_columns * 8 - 8 - n);
	seal_record(j, j->rows.records, flag, j->chunk);
	return write_record(j, j->rows.records, j->chunk, e);
}

int journal_mark(struct journal *j, double t, const char *line, size_t n, struct err *e)
{
	if (j->n_marks == PHASES_MAX)
		return 0;
	if (put_text_record(j, RECORD_MARK, t, line, n < JOURNAL_MARK_MAX ? n : JOURNAL_MARK_MAX,
	                    e))
		return -1;
	(void)journal_rows_aside(&j->rows);
	j->n_marks++;
	return 0;
}

int journal_device(struct journal *j, const struct detail_device *d, struct err *e)
{
	char text[DETAIL_SERIES_MAX];

	if (j->n_devices == DETAIL_DEVICES_MAX)
		return err_set(e, "%s: too many devices", j->path);
	detail_device_text(d->kind, d->name, text);
	if (put_text_record(j, RECORD_DEVICE, (double)d->cell, text, strlen(text), e))
		return -1;
	(void)journal_rows_aside(&j->rows);
	j->n_devices++;
	return 0;
}

size_t journal_processes_room(const struct journal *j)
{
	return j->n_columns > 1 ? (j->n_columns - 1) * 8 : 0;
}

bool journal_processes_full(const struct journal *j)
{
	return j->n_processes == JOURNAL_PROCESSES_MAX;
}

int journal_processes(struct journal *j, const unsigned char *bytes, size_t n, struct err *e)
{
	if (journal_processes_full(j))
		return err_set(e, "%s: too many processes", j->path);
	if (put_text_record(j, RECORD_PROCESSES, (double)n, (const char *)bytes, n, e))
		return -1;
	(void)journal_rows_aside(&j->rows);
	j->n_processes++;
	return 0;
}

bool journal_now_due(const struct journal *j)
{
	if (j->dead)
		return false;
	if (journal_rows_n(&j->rows) == 0)
		return !j->early_now && j->n_early >= NOW_AFTER;
	return journal_rows_now_due(&j->rows);
}

int journal_now(struct journal *j, const unsigned char *bytes, size_t n, struct err *e)
{
	if (put_text_record(j, RECORD_PROCESSES, (double)n, (const char *)bytes, n, e))
		return -1;
	j->early_now = true;
	if (journal_rows_n(&j->rows) == 0) {
		(void)journal_rows_aside(&j->rows);
	} else {
		j->rows.records++;
		j->rows.now++;
	}
	return 0;
}

int journal_replace(struct journal *j, const double *row, struct err *e)
{
	if (j->last == UINT64_MAX)
		return journal_append(j, row, 0, e);
	return put_record(j, j->last, 0, row, e);
}

static int cannot_be_read(const struct journal *j, struct err *e)
{
	return err_set(e, "%s: cannot be read again", j->path);
}

/* Reads all early records into the chunk, unless they are there. False: they have no room. */
static bool load_early(struct journal *j)
{
	if (j->at_hand == ALL_EARLY && j->n_at_hand == j->n_early)
		return true;
	j->n_at_hand = 0;
	for (size_t i = 0; i < j->n_early; i++)
		if (j->n_early > j->fit ||
		    tmpfile_read(j->fd, j->chunk + i * j->record, j->record,
		                 j->start + (off_t)(j->early[i] * j->record)))
			return false;
	j->at_hand = ALL_EARLY;
	j->n_at_hand = j->n_early;
	return true;
}

static int fetch_early(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                       struct err *e)
{
	struct journal *j = ctx;
	size_t cell;
	bool loaded;

	if (!journal_turned_column(j->columns, j->n_columns, id, &cell, out, n))
		return 0;
	loaded = load_early(j);
	for (size_t i = 0; i < n; i++) {
		uint64_t at = j->early[from + i] * j->record + RECORD_HEAD + cell * 8;
		if (loaded)
			memcpy(&out[i], j->chunk + (from + i) * j->record + RECORD_HEAD + cell * 8,
			       8);
		else if (tmpfile_read(j->fd, &out[i], 8, j->start + (off_t)at))
			return cannot_be_read(j, e);
	}
	return 0;
}

/* Reads records into the chunk from done rows on, and keeps those of rows, up to many. Returns how
 * many are there then; 0 if they cannot be read. */
static size_t load_part(struct journal *j, uint64_t row, size_t done, size_t many)
{
	unsigned char *to = j->chunk + done * j->record;
	uint64_t first = journal_rows_record(&j->rows, row + done), at = 0;
	size_t n = many - done, rows;

	if (n > j->rows.records - first)
		n = (size_t)(j->rows.records - first);
	if (tmpfile_read(j->fd, to, n * j->record, j->start + (off_t)(first * j->record)))
		return 0;
	for (; done < many && at < n; at = journal_rows_record(&j->rows, row + done) - first) {
		rows = journal_rows_adjacent(&j->rows, row + done, many - done);
		rows = rows < n - at ? rows : (size_t)(n - at);
		memmove(j->chunk + done * j->record, to + at * j->record, rows * j->record);
		done += rows;
	}
	return done;
}

/* Reads rows into the chunk, unless they are there. */
static int load_chunk(struct journal *j, uint64_t row, size_t many)
{
	if (j->n_at_hand == many && j->at_hand == row)
		return 0;
	j->n_at_hand = 0;
	for (size_t done = 0; done < many;)
		if (!(done = load_part(j, row, done, many)))
			return -1;
	j->at_hand = row;
	j->n_at_hand = many;
	return 0;
}

static int fetch_regular(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                         struct err *e)
{
	struct journal *j = ctx;
	size_t cell, done = 0;

	if (!journal_turned_column(j->columns, j->n_columns, id, &cell, out, n))
		return 0;
	while (done < n) {
		size_t many = n - done < j->fit ? n - done : j->fit;
		uint64_t row = journal_rows_kept(&j->rows, from + done, &many);
		if (load_chunk(j, row, many))
			return cannot_be_read(j, e);
		for (size_t i = 0; i < many; i++)
			memcpy(&out[done++], j->chunk + i * j->record + RECORD_HEAD + cell * 8, 8);
	}
	return 0;
}

/* -- records that another process has changed -------------------------------------------------- */

static bool record_is_whole(const struct journal *j, uint64_t seq, const unsigned char *bytes)
{
	const size_t end = RECORD_HEAD + j->n_columns * 8;
	uint32_t magic, crc;
	uint64_t number;

	memcpy(&magic, bytes, 4);
	memcpy(&number, bytes + 8, 8);
	memcpy(&crc, bytes + end, 4);
	return magic == RECORD_MAGIC && number == seq && crc == crc32(0, bytes, (unsigned)end);
}

/* The records from first on that fit into the chunk; fewer at the end of what is there. */
static size_t read_many(struct journal *j, uint64_t first)
{
	size_t n = j->rows.records - first < j->fit ? (size_t)(j->rows.records - first) : j->fit;

	while (n &&
	       tmpfile_read(j->fd, j->chunk, n * j->record, j->start + (off_t)(first * j->record)))
		n /= 2;
	return n;
}

static void verify_rows(struct journal *j)
{
	uint64_t row = 0, next = journal_rows_record(&j->rows, 0), first = 0;
	size_t n = 0;

	for (uint64_t seq = 0; seq < j->rows.records; seq++) {
		if (seq >= first + n) {
			first = seq;
			n = read_many(j, first);
		}
		if (seq != next)
			continue;
		if (seq >= first + n ||
		    !record_is_whole(j, seq, j->chunk + (size_t)(seq - first) * j->record))
			journal_rows_lose(&j->rows, row);
		next = journal_rows_record(&j->rows, ++row);
	}
}

static int read_record(struct journal *j, uint64_t seq)
{
	return tmpfile_read(j->fd, j->chunk, j->record, j->start + (off_t)(seq * j->record));
}

static bool find_whole(struct journal *j, uint64_t seq)
{
	return read_record(j, seq) == 0 && record_is_whole(j, seq, j->chunk);
}

static size_t verify_early(struct journal *j)
{
	size_t kept = 0, n = j->n_early;

	for (size_t i = 0; i < n; i++)
		if (find_whole(j, j->early[i]))
			j->early[kept++] = j->early[i];
	j->n_early = kept;
	return n - kept;
}

/* Early samples, marks, devices and processes. Returns how many are lost. */
static size_t verify_aside(struct journal *j)
{
	size_t lost = 0;

	for (size_t i = 0; i < j->rows.n_aside; i++)
		if (!find_whole(j, j->rows.aside[i].record)) {
			j->rows.aside[i].record = NOT_WHOLE;
			lost++;
		}
	return lost;
}

struct journal_damage journal_verify(struct journal *j)
{
	struct journal_damage d;
	size_t aside;

	j->n_at_hand = j->rows.n_lost = 0;
	verify_rows(j);
	aside = verify_aside(j);
	d.rows = journal_rows_lost(&j->rows);
	d.early = verify_early(j);
	d.others = aside - d.early;
	return d;
}

int journal_processes_next(struct journal *j, size_t *at, const unsigned char **bytes, size_t *n,
                           struct err *e)
{
	uint32_t flags;

	j->n_at_hand = 0;
	for (; *at < j->rows.n_aside; ++*at) {
		if (j->rows.aside[*at].record == NOT_WHOLE)
			continue;
		if (read_record(j, j->rows.aside[*at].record))
			return cannot_be_read(j, e);
		memcpy(&flags, j->chunk + 4, 4);
		if ((flags & RECORD_PROCESSES) != RECORD_PROCESSES)
			continue;
		*bytes = j->chunk + RECORD_HEAD + 8;
		*n = journal_tree_bytes(j->chunk + RECORD_HEAD, j->n_columns * 8);
		if (process_entry_is_now(*bytes, *n))
			continue;
		++*at;
		return 1;
	}
	return 0;
}

static size_t regular_samples(const struct journal *j)
{
	return (size_t)journal_rows_n(&j->rows) - journal_rows_lost(&j->rows);
}

size_t journal_samples(const struct journal *j)
{
	return regular_samples(j) + j->n_early;
}

bool journal_is_copy(const char *name)
{
	size_t n = strlen(name), m = sizeof JOURNAL_COPY - 1;

	return n > m && strcmp(name + n - m, JOURNAL_COPY) == 0;
}

uint64_t journal_size(const struct journal *j)
{
	return (uint64_t)j->start + j->rows.records * j->record;
}

struct snapshot_source journal_source(struct journal *j, bool early)
{
	struct snapshot_source rows = {
	    .rows = early ? j->n_early : regular_samples(j),
	    .fetch = early ? fetch_early : fetch_regular,
	    .ctx = j,
	    .at_hand = j->fit,
	};

	j->n_at_hand = 0;
	journal_turned_close(&j->turned);
	/* With details a row is long, and its columns are many. */
	if (rows.rows < (j->n_details ? j->fit : LONG))
		return rows;
	return journal_turned_make(&j->turned, &rows, j->path, j->columns, j->n_columns);
}

bool journal_is_named(const struct journal *j)
{
	return same_file_named(j->fd, j->path);
}

void journal_close(struct journal *j, bool remove)
{
	if (!j)
		return;
	journal_turned_close(&j->turned);
	if (remove && journal_is_named(j))
		unlink(j->path);
	if (j->fd >= 0)
		close(j->fd);
	free(j->path);
	free(j);
}
