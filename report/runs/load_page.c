/* load_page: a page of rtrack-report as an input. */
#include "report/runs/load_page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/gz.h"
#include "core/base/standard_input.h"
#include "core/head/rtrack_row.h"
#include "report/input/store_address.h"

#define PAGE_MAX   ((size_t)64 << 20)
#define PRICES_MAX ((size_t)1 << 20)
#define FIRST_PART ((size_t)128 << 10) /* has the recording of most pages, which is at their head */

/* -- the file ---------------------------------------------------------------------------------- */

/* Reads on until out has max bytes of a regular file. */
static int read_text(int fd, const char *name, struct buf *out, size_t max, struct err *e)
{
	char part[16384];
	struct stat st;
	ssize_t n = -1;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		while (out->len < max && (n = read(fd, part, sizeof part)) > 0)
			buf_add(out, part, (size_t)n);
	else
		errno = EINVAL;
	if (n < 0)
		return err_set(e, "%s: %s", name, strerror(errno));
	return out->failed ? err_set(e, "%s: no memory", name) : 0;
}

/* -1 with a sentence for a page that is not read where it is. */
static int refuse_place(struct input in, struct err *e)
{
	char shown[STORE_SHOWN_MAX];

	if (in.place == INPUT_S3)
		return err_set(e, "%s: a page in a store cannot be read; copy it to a file first",
		               store_address_shown(in.name, shown));
	if (in.kind == INPUT_PACKED_PAGE)
		return err_set(e, "%s: a gzipped page cannot be read; unpack it with gunzip first",
		               in.name);
	return 0;
}

/* -- what it carries --------------------------------------------------------------------------- */

static long read_decoded(void *ctx, uint64_t at, void *p, size_t n, struct err *e)
{
	const struct buf *b = ctx;
	size_t left = at < b->len ? b->len - (size_t)at : 0;

	(void)e;
	n = n < left ? n : left;
	memcpy(p, b->s + at, n);
	return (long)n;
}

static int read_carried_recording(struct snapshot *s, struct page_text base64, const char *name,
                                  enum snapshot_want want, struct err *e)
{
	struct buf bytes = {0};
	const struct gz_source source = {.read = read_decoded, .ctx = &bytes};
	bool is_base64 = base64_read(&bytes, base64.s, base64.n) == 0 && bytes.len;
	int failed;

	if (bytes.failed)
		failed = err_set(e, "%s: no memory to read it", name);
	else if (!is_base64)
		failed =
		    err_set(e, "%s: the recording in this page is damaged: it is not base64", name);
	else
		failed = snapshot_read_from(
		    s, &source, name, want == SNAPSHOT_WANT_ROWS ? SNAPSHOT_WANT_OVERVIEW : want,
		    e);
	if (failed == SNAPSHOT_IS_JOURNAL)
		failed = err_set(e, "%s: the recording in this page is damaged", name);
	buf_free(&bytes);
	return failed;
}

/* The text of gzip in base64. NULL: it is none, or too long. */
static const char *prices_text(struct snapshot *s, struct page_text base64)
{
	struct buf bytes = {0}, text = {0};
	const struct gz_source source = {.read = read_decoded, .ctx = &bytes};
	struct gz_in *g = NULL;
	const char *out = NULL;
	char part[4096];
	long n = -1;

	if (base64.s && base64_read(&bytes, base64.s, base64.n) == 0 && bytes.len)
		g = alloc_failed_note(gz_in_from(&source, PRICES_MAX, NULL));
	while (g && (n = gz_read(g, part, sizeof part, NULL)) > 0 && !text.failed)
		buf_add(&text, part, (size_t)n);
	if (bytes.failed || text.failed)
		alloc_failed_note(NULL);
	else if (n == 0)
		out = snapshot_strdup(s, buf_cstr(&text));
	gz_in_free(g);
	buf_free(&text);
	buf_free(&bytes);
	return out;
}

static int read_row_alone(struct snapshot *s, struct page_text text, const char *name,
                          enum snapshot_want want, struct load_page *page, struct err *e)
{
	struct rtrack_row *row = NULL;
	struct buf member = {0};
	int failed = 0;

	if (want != SNAPSHOT_WANT_HEAD)
		return err_set(e,
		               "%s: this page has no more of its run than a history needs (an "
		               "older version made it, or it had no room for the recording); give "
		               "the recording",
		               name);
	row = alloc_failed_note(malloc(sizeof *row));
	buf_str(&member, "{\"" RTRACK_ROW_KEY "\":");
	buf_add(&member, text.s, text.n);
	if (!row || member.failed)
		failed = err_set(e, "%s: no memory", name);
	else if (rtrack_row_read(buf_cstr(&member), member.len, row))
		failed = err_set(e, "%s: the row in this page is damaged", name);
	else
		rtrack_row_head(row, s);
	if (!failed)
		page->id = snapshot_strdup(s, row->of[RTRACK_ROW_ID].text);
	buf_free(&member);
	free(row);
	return failed;
}

static int read_carried(struct snapshot *s, struct page_text text, const char *name,
                        enum snapshot_want want, struct load_page *page, struct err *e)
{
	struct page_text recording = page_text_by_id(text, PAGE_TEXT_RECORDING);
	struct page_text row = page_text_by_id(text, PAGE_TEXT_ROW);

	if (!page_text_is_ours(text))
		return err_set(e, "%s: an HTML page, but not one that rtrack-report made", name);
	page->joined = row.s && !row.n;
	if (page->joined && (!recording.s || want != SNAPSHOT_WANT_HEAD))
		return err_set(e,
		               "%s: a page about a run of several recordings counts in a history "
		               "only; give the recordings",
		               name);
	if (recording.s)
		return read_carried_recording(s, recording, name, want, e);
	if (row.s)
		return read_row_alone(s, row, name, want, page, e);
	return err_set(e,
	               "%s: this page carries no run (it is about many runs, or was made with "
	               "--no-model or by an older version)",
	               name);
}

int load_page_parse(struct snapshot *s, struct page_text text, const char *name,
                    enum snapshot_want want, const struct load_page **page, struct err *e)
{
	struct snapshot_budget *budget = s->budget;
	struct load_page own = {.id = NULL}, *kept = NULL;
	int failed = read_carried(s, text, name, want, &own, e);

	if (!failed) {
		own.prices = prices_text(s, page_text_by_id(text, PAGE_TEXT_PRICES));
		kept = snapshot_alloc(s, sizeof *kept);
	}
	if (kept)
		*kept = own;
	if (!failed && (!kept || alloc_failed()))
		failed = err_set(e, "%s: no memory to read it", name);
	if (failed)
		snapshot_free(s);
	s->budget = budget;
	*page = failed ? NULL : kept;
	return failed ? -1 : 0;
}

int load_page_read(struct snapshot *s, struct input in, enum snapshot_want want,
                   const struct load_page **page, struct err *e)
{
	const char *name = standard_input_name(in.name);
	struct buf text = {.max = PAGE_MAX + 65536};
	int fd = -1, failed = -1;

	if (refuse_place(in, e))
		return -1;
	fd = standard_input_open(in.name);
	if (fd < 0)
		return err_set(e, "%s: %s", name, strerror(errno));
	if (read_text(fd, name, &text, FIRST_PART, e) == 0) {
		struct page_text head = {buf_cstr(&text), text.len};
		failed = page_text_by_id(head, PAGE_TEXT_RECORDING).s
		             ? 0
		             : read_text(fd, name, &text, PAGE_MAX + 1, e);
	}
	close(fd);
	if (!failed && text.len > PAGE_MAX)
		failed = err_set(e, "%s: a page of more than 64 MiB", name);
	if (!failed)
		failed = load_page_parse(s, (struct page_text){buf_cstr(&text), text.len}, name,
		                         want, page, e);
	buf_free(&text);
	return failed;
}
