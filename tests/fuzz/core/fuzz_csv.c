/* csv: any bytes as CSV, and as a recording in CSV. How much of it was read before does not matter,
 * and a recording keeps the promises of any. */
#include <math.h>
#include <string.h>

#include "core/files/csv_read.h"
#include "core/files/snapshot_csv.h"
#include "core/files/snapshot_read.h"
#include "tests/fuzz/fuzz.h"

/* All cells, with the ends of cells and records. */
static int read_cells(const uint8_t *data, size_t size, size_t begun, struct buf *out)
{
	int fd = fuzz_file(data + begun, size - begun), more = 0;
	struct gz_in *g = gz_in_new(fd, 1 << 20, NULL);
	struct csv_read *c = calloc(1, sizeof *c);
	struct err e = {{0}};
	double v;

	must(g && c);
	csv_read_init(c, g, (const char *)data, begun, "fuzz", &e);
	while ((more = csv_read_record(c)) > 0) {
		while ((more = csv_read_cell(c)) > 0) {
			must(c->n <= CSV_READ_CELL_MAX && c->cells <= CSV_READ_CELLS_MAX);
			must(!csv_read_number(c, &v) || !isinf(v));
			buf_add(out, c->cell, c->n);
			buf_char(out, '\x1f');
		}
		if (more < 0)
			break;
		must(c->cells > 0);
		buf_char(out, '\x1e');
	}
	must((more < 0) == c->failed && c->failed == (*e.msg != 0));
	must(!c->failed || strncmp(e.msg, "fuzz: ", 6) == 0);
	csv_read_free(c);
	free(c);
	gz_in_free(g);
	close(fd);
	return more;
}

static void as_cells(const uint8_t *data, size_t size)
{
	struct buf one = {0}, two = {0};
	/* The rest is read of a file, which could be gzip; a mark stands at the very beginning. */
	size_t begun = size < 3 ? 0 : size - (data[size - 1] % (size - 2));

	if (begun + 2 <= size && data[begun] == 0x1f && data[begun + 1] == 0x8b)
		begun = size;
	begun = begun > 65536 ? 65536 : begun;
	if (size >= 3 && size <= 65536 && begun >= 3) {
		must(read_cells(data, size, begun, &one) == read_cells(data, size, size, &two));
		must(one.len == two.len && memcmp(buf_cstr(&one), buf_cstr(&two), one.len) == 0);
	}
	buf_free(&one);
	buf_free(&two);
}

static void as_recording(const uint8_t *data, size_t size)
{
	struct snapshot s = {.notes = {.n = 0}};
	struct err e = {{0}};
	int fd = fuzz_file(data, size);

	if (snapshot_csv_recognise((const char *)data, size) &&
	    snapshot_read(&s, fd, "fuzz", &e) == 0) {
		must(s.from_csv && !s.head_only && !s.exit.known && !s.job.known);
		must(!(s.meta.interval <= 0) && !isinf(s.server.memory_b));
		for (int id = 0; id < METRIC_COUNT; id++) {
			const struct frame *f = &s.rows[metrics[id].scope];
			must(!frame_col(f, id) || frame_len(f, id) == f->rows);
			for (size_t i = 0; frame_col(f, id) && i < f->rows; i++)
				must(!isinf(frame_col(f, id)[i]));
		}
	}
	must(s.from_csv || !s.arena);
	snapshot_free(&s);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	as_cells(data, size);
	as_recording(data, size);
	return 0;
}
