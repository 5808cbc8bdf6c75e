/* scan_head: one recording → the text of its row. */
#include "fleet/scan/scan_head.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/gz.h"
#include "core/base/standard_input.h"
#include "core/files/recordings.h"
#include "core/files/snapshot_read.h"
#include "report/input/page_text.h"
#include "report/runs/load.h"
#include "report/runs/run_row.h"

struct scan_head {
	struct gz_head *gz;
	uint64_t bytes; /* scan_head_bytes */
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
	return rtrack_row_read(out->text, out->n, &h->row);
}

/* Whether what scan_head_parse found there is a sum of short steps (core/files/recordings.h). */
static bool is_short_sum(const struct scan_head_text *found)
{
	static const char begin[] = "{\"" RECORDINGS_SHORT_KEY "\":";

	return found->n >= sizeof begin - 1 && memcmp(found->text, begin, sizeof begin - 1) == 0;
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

int scan_head_read_on(struct scan_head *h, const struct store *store, const char *path, uint64_t at,
                      struct scan_head_text *out, bool *absent, struct err *e)
{
	struct snapshot_budget budget = {SCAN_HEAD_BYTES, SCAN_HEAD_CELLS};
	struct input in = {store ? INPUT_S3 : INPUT_FILE, input_kind_of(path), path, at};
	struct run *run = calloc(1, sizeof *run);
	const char *name = standard_input_name(path);
	int failed, rc = -1;

	if (!run)
		return err_set(e, "%s: no memory to read it", name);
	if (!store && is_short_sum(out)) {
		free(run);
		return SCAN_HEAD_NO_RUN;
	}
	run->snapshot.budget = &budget;
	run->store = store;
	failed = load_snapshot(run, in, SNAPSHOT_WANT_HEAD, e);
	*absent = run->absent;
	if (failed && (!budget.bytes || !budget.cells))
		err_set(e, "%s: too large to be read beside many others", name);
	if (failed)
		goto out;
	if (load_measure(run, e)) {
		err_wrap(e, "%s", name);
		goto out;
	}
	if (!run->samples) {
		err_set(e, "%s: holds no samples", name);
		goto out;
	}
	run_row_fill(&h->row, run);
	rc = write_row_text(&h->row, out) ? err_set(e, "%s: no memory to read it", name) : 0;
out:
	h->bytes += SCAN_HEAD_BYTES - budget.bytes;
	snapshot_free(&run->snapshot);
	free(run);
	return rc;
}

/* A page has its row in its head. */
static int read_page(struct scan_head *h, const char *path, struct page_text page,
                     struct scan_head_text *out, struct err *e)
{
	struct page_text row = page_text_is_ours(page) ? page_text_by_id(page, PAGE_TEXT_ROW)
	                                               : (struct page_text){NULL, 0};
	int n;

	if (!row.s)
		return SCAN_HEAD_NO_RUN;
	if (!row.n)
		return err_set(e,
		               "%s: a page about a run of several recordings (only the recordings "
		               "can be counted)",
		               path);
	n = snprintf(out->text, sizeof out->text, "{\"" RTRACK_ROW_KEY "\":%.*s",
	             row.n < sizeof out->text ? (int)row.n : 0, row.s);
	out->n = n > 0 && (size_t)n < sizeof out->text ? (size_t)n : 0;
	return rtrack_row_read(out->text, out->n, &h->row)
	           ? err_set(e, "%s: the row in this page is damaged", path)
	           : 0;
}

uint64_t scan_head_bytes(const struct scan_head *h)
{
	return h->bytes;
}

/* The same of what begins further in a file. */
static size_t read_at(const char *path, uint64_t at, char *head, size_t max)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : pread(fd, head, max, (off_t)at);

	if (fd >= 0)
		close(fd);
	return n > 0 ? (size_t)n : 0;
}

int scan_head_read(struct scan_head *h, const char *path, uint64_t at, struct scan_head_text *out,
                   struct err *e)
{
	/* A FIFO that replaced the file since it was listed gives nothing. */
	size_t n = at ? read_at(path, at, h->raw, sizeof h->raw)
	              : input_beginning(path, h->raw, sizeof h->raw);
	const struct page_text page = {h->raw, n};
	bool absent;

	h->bytes = n;
	if (page_text_is_html(page))
		return read_page(h, path, page, out, e);
	if (scan_head_parse(h, h->raw, n, out) == 0)
		return 0;
	return scan_head_read_on(h, NULL, path, at, out, &absent, e);
}
