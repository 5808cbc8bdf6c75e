/* journal_rows: which record of a journal that is being written holds which regular row. */
#include "core/files/journal_rows.h"

uint64_t journal_rows_n(const struct journal_rows *r)
{
	return r->records - r->n_aside - r->now;
}

uint64_t journal_rows_aside(struct journal_rows *r)
{
	struct journal_rows_aside *a = &r->aside[r->n_aside];

	*a = (struct journal_rows_aside){.record = r->records, .before = journal_rows_n(r)};
	r->n_aside++;
	return r->records++;
}

bool journal_rows_now_due(const struct journal_rows *r)
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

uint64_t journal_rows_record(const struct journal_rows *r, uint64_t row)
{
	return row + aside_before(r, row) + now_before(r, row);
}

size_t journal_rows_adjacent(const struct journal_rows *r, uint64_t row, size_t most)
{
	uint64_t now = now_before(r, row), end = row + most;
	size_t next = aside_before(r, row);

	if (next < r->n_aside && r->aside[next].before < end)
		end = r->aside[next].before;
	if (now < r->now && now * r->every + 1 < end)
		end = now * r->every + 1;
	return (size_t)(end - row);
}

void journal_rows_lose(struct journal_rows *r, uint64_t row)
{
	struct journal_rows_range *last = r->n_lost ? &r->lost[r->n_lost - 1] : NULL;

	if (last && (row == last->from + last->n || r->n_lost == JOURNAL_ROWS_LOST))
		last->n = row + 1 - last->from;
	else
		r->lost[r->n_lost++] = (struct journal_rows_range){row, 1};
}

uint64_t journal_rows_lost(const struct journal_rows *r)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->n_lost; i++)
		n += r->lost[i].n;
	return n;
}

uint64_t journal_rows_kept(const struct journal_rows *r, uint64_t i, size_t *most)
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
