/* scan_head: one recording → the text of its row. */
#include "report/catalog/scan_head.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/gz.h"
#include "core/standard_input.h"
#include "report/runs/load.h"

struct scan_head {
	struct gz_head *gz;
	struct rtrack_row row;
	char raw[SCAN_HEAD];
};

struct scan_head *scan_head_new(struct err *e)
{
	struct scan_head *h = malloc(sizeof *h);

	if (!h) {
		err_set(e, "no memory to read recordings");
		return NULL;
	}
	h->gz = gz_head_new(e);
	if (h->gz)
		return h;
	free(h);
	return NULL;
}

void scan_head_free(struct scan_head *h)
{
	if (!h)
		return;
	gz_head_free(h->gz);
	free(h);
}

int scan_head_parse(struct scan_head *h, const char *raw, size_t n, struct scan_head_text *out)
{
	long got = gz_head_read(h->gz, raw, n, out->text, RTRACK_ROW_TEXT);

	out->n = got > 0 ? (size_t)got : 0;
	out->whole = false;
	return rtrack_row_read(out->text, out->n, &h->row);
}

/* The beginning of a file. A FIFO that replaced the file since it was listed gives nothing. */
static size_t read_beginning(const char *path, char raw[SCAN_HEAD])
{
	int fd = standard_input_open(path);
	ssize_t n = -1;

	if (fd < 0)
		return 0;
	do
		n = read(fd, raw, SCAN_HEAD);
	while (n < 0 && errno == EINTR);
	close(fd);
	return n > 0 ? (size_t)n : 0;
}

/* What the report shows of a run is what its row says. */
static void fill_from_run(struct rtrack_row *row, struct run *run)
{
	struct snapshot *s = &run->snapshot;

	if (isnan(s->meta.start_time))
		s->meta.start_time = run->start;
	if (s->unfinished && !(s->exit.cause && *s->exit.cause))
		s->exit.cause = "unfinished"; /* as --recover has it */
	rtrack_row_fill(row, s, run->stats, run->samples);
	row->of[RTRACK_ROW_START].number = run->start;
	row->of[RTRACK_ROW_WALL].number = run->duration;
}

static int write_row_text(const struct rtrack_row *row, struct scan_head_text *out)
{
	struct json_write j = {.sink = NULL};
	bool whole;

	json_write_object(&j, NULL);
	rtrack_row_write(row, &j);
	json_write_object_end(&j);
	whole = json_write_finish(&j) && j.b.len <= sizeof out->text;
	out->n = whole ? j.b.len : 0;
	memcpy(out->text, buf_cstr(&j.b), out->n);
	json_write_free(&j);
	return whole ? 0 : -1;
}

/* A recording without a row: older ones, those of other tools, and journals. */
static int read_without_row(struct scan_head *h, const struct store *store, const char *path,
                            struct scan_head_text *out, bool *absent, struct err *e)
{
	struct snapshot_budget budget = {SCAN_HEAD_BYTES, SCAN_HEAD_CELLS};
	struct run *run = calloc(1, sizeof *run);
	const char *name = standard_input_name(path);
	int failed;

	out->whole = true;
	if (!run)
		return err_set(e, "%s: no memory to read it", name);
	run->snapshot.budget = &budget;
	run->store = store;
	failed = load_snapshot(run, path, SNAPSHOT_WANT_HEAD, e);
	*absent = run->absent;
	if (failed && (!budget.bytes || !budget.cells))
		err_set(e, "%s: too large to be read beside many others", name);
	else if (!failed && load_measure(run, e))
		failed = err_wrap(e, "%s", name);
	else if (!failed && !run->samples)
		failed = err_set(e, "%s: holds no samples", name);
	if (!failed) {
		fill_from_run(&h->row, run);
		if (write_row_text(&h->row, out))
			failed = err_set(e, "%s: no memory to read it", name);
	}
	snapshot_free(&run->snapshot);
	free(run);
	return failed;
}

int scan_head_read(struct scan_head *h, const char *path, struct scan_head_text *out, struct err *e)
{
	size_t n = read_beginning(path, h->raw);
	bool absent;

	if (scan_head_parse(h, h->raw, n, out) == 0)
		return 0;
	return read_without_row(h, NULL, path, out, &absent, e);
}

int scan_head_read_stored(struct scan_head *h, const struct store *s, const char *address,
                          struct scan_head_text *out, bool *absent, struct err *e)
{
	*absent = false;
	return read_without_row(h, s, address, out, absent, e);
}
