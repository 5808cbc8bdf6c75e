/* journal_tree: the processes that a journal has, as a tree. */
#include "core/files/journal_tree.h"

#include <string.h>

#include "core/processes/process_tree_entries.h"

size_t journal_tree_bytes(const unsigned char *cells, size_t n)
{
	double used;

	memcpy(&used, cells, 8);
	return used >= 0 && used < (double)(n - 8) ? (size_t)used : n - 8;
}

void journal_tree_add(struct buf *entries, const unsigned char *cells, size_t n)
{
	struct process_entry one;

	n = journal_tree_bytes(cells, n);
	for (size_t at = 0, from = 0; process_entry_next(cells + 8, n, &at, &one); from = at)
		if (one.kind != PROCESS_ENTRY_NOW)
			buf_add(entries, cells + 8 + from, at - from);
}

static int next_in_buf(void *ctx, size_t at[2], struct process_entry *out, struct err *e)
{
	const struct buf *entries = ctx;

	(void)e;
	return process_entry_next((const unsigned char *)entries->s, entries->len, at, out);
}

int journal_tree_make(struct snapshot *s, const struct buf *entries, struct err *e)
{
	struct buf all = *entries;
	struct process_tree_index *x;
	struct process_tree_rows rows;

	s->tree = NULL;
	if (!all.len)
		return 0;
	x = process_tree_entries_open(&(struct process_tree_entries){next_in_buf, &all}, e);
	if (!x)
		return -1;
	rows = process_tree_entries_rows(x);
	s->tree = process_tree_copy(s, &rows);
	process_tree_entries_close(x);
	return s->tree ? 0 : err_set(e, "no memory for the processes");
}
