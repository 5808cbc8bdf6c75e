/* journal_read: a header of any text, and after it records of any bytes with right checksums. */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "core/base/buf.h"
#include "core/files/journal.h"
#include "core/files/journal_follow.h"
#include "core/head/detail_sums.h"
#include "core/head/snapshot_head.h"
#include "tests/fuzz/fuzz.h"

static void count_row(void *ctx, const double *row, bool early)
{
	size_t *n = ctx;

	*n += !early;
	for (int id = 0; id < METRIC_COUNT; id++)
		must(isnan(row[id]) || isfinite(row[id]));
}

static void take_now(void *ctx, const struct process_entry *v, size_t n)
{
	(void)ctx;
	must(n <= JOURNAL_FOLLOW_NOW_MAX);
	for (size_t i = 0; i < n; i++)
		must(v[i].kind == PROCESS_ENTRY_NOW);
}

/* Whoever follows it reads the same in two steps as in one. */
static void follow_bytes(const uint8_t *p, size_t n)
{
	size_t rows[2] = {0};
	struct err e;

	for (size_t step = 0; step < 2; step++) {
		int fd = fuzz_file(p, n);
		struct journal_follow *f = journal_follow_open(fd, &e);
		const struct journal_follow_takes takes = {
		    .row = count_row, .now = take_now, .ctx = &rows[step]};
		for (size_t i = 0; f && i <= step; i++)
			must(journal_follow_read(f, &takes, &e) == 0);
		must(!f || journal_follow_phases(f)->n <= PHASES_MAX);
		journal_follow_close(f);
		close(fd);
	}
	must(rows[0] == rows[1]);
}

static size_t read_bytes(const void *p, size_t n)
{
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	size_t rows = 0;

	must(fd >= 0 && write(fd, p, n) == (ssize_t)n && lseek(fd, 0, SEEK_SET) == 0);
	snapshot_head_defaults(&s);
	if (journal_read(&s, fd, "fuzz", &e)) {
		must(strncmp(e.msg, "fuzz: ", 6) == 0);
	} else {
		must(s.unfinished && !s.exit.known);
		for (int id = 0; id < METRIC_COUNT; id++) {
			const struct frame *f = &s.rows[metrics[id].scope];
			must(!frame_col(f, id) || frame_len(f, id) == f->rows);
			rows = f->rows > rows ? f->rows : rows;
		}
		for (size_t i = 0; s.devices && i < s.devices->n; i++)
			must(s.devices->v[i].cell < s.devices->cells);
		for (size_t i = 0; s.detail && i < s.detail->n; i++)
			must(s.detail->v[i].n <= (double)rows && s.detail->v[i].points);
	}
	snapshot_free(&s);
	close(fd);
	follow_bytes(p, n);
	return rows;
}

/* The columns that the header names decide how long a record is. */
static size_t record_cells(const char *line, size_t n)
{
	struct snapshot s = {.unfinished = false};
	enum metric_id columns[METRIC_COUNT + DETAIL_CELLS_MAX];
	long cells = snapshot_head_journal(&s, line, n, columns, METRIC_COUNT + DETAIL_CELLS_MAX);

	snapshot_free(&s);
	return cells < 0 ? 0 : (size_t)cells;
}

static void add_record(struct buf *b, uint64_t seq, uint32_t flags, const uint8_t *cells, size_t n)
{
	const uint32_t magic = 0x52545231;
	size_t from = b->len;
	uint32_t crc;

	buf_add(b, &magic, 4);
	buf_add(b, &flags, 4);
	buf_add(b, &seq, 8);
	buf_add(b, cells, n);
	crc = (uint32_t)crc32(0, (unsigned char *)b->s + from, (unsigned)(b->len - from));
	buf_add(b, &crc, 4);
}

/* What was written up to any moment can be recovered: once there is a row, there is one from then
 * on. Fewer there may be: the early ones go when the run is long enough. */
static void check_prefixes(const struct buf *b)
{
	size_t step = b->len / 16 + 1;
	bool any = false;

	for (size_t n = 0; n < b->len + step; n += step) {
		size_t rows = read_bytes(b->s, n < b->len ? n : b->len);
		must(rows || !any);
		any = rows;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	size_t line = end ? (size_t)(end - data) + 1 : size, cells, at = line;
	struct buf b = {0};
	uint64_t records = 0;

	read_bytes(data, size);
	buf_str(&b, JOURNAL_MAGIC);
	buf_add(&b, data, line);
	cells = record_cells(b.s + strlen(JOURNAL_MAGIC), line) * 8;
	/* A byte of flags, and the cells. */
	while (end && cells && at + 1 + cells <= size) {
		add_record(&b, records++, data[at], data + at + 1, cells);
		at += 1 + cells;
	}
	must(read_bytes(b.s, b.len) <= records * METRIC_COUNT);
	check_prefixes(&b);
	/* And what is left, as a tail that was not written to its end. */
	buf_add(&b, data + at, size - at);
	read_bytes(b.s, b.len);
	buf_free(&b);
	return 0;
}
