/* journal_record: the header and the records of a journal, one by one. */
#include "core/files/journal_record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/head/snapshot_head.h"

long journal_record_pread(int fd, unsigned char *p, size_t n, off_t at, struct err *e)
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

int journal_layout_parse(struct journal_layout *l, struct snapshot *s, const char *text, size_t n)
{
	const size_t magic = strlen(JOURNAL_MAGIC);
	const char *end;
	long columns;

	if (n <= magic || memcmp(text, JOURNAL_MAGIC, magic) != 0)
		return -1;
	end = memchr(text + magic, '\n', n - magic);
	if (!end)
		return -1;
	l->size = (size_t)(end + 1 - text);
	columns =
	    snapshot_head_journal(s, text + magic, l->size - magic, l->columns, RECORD_COLUMNS_MAX);
	l->n_columns = columns < 0 ? 0 : (size_t)columns;
	l->record = RECORD_HEAD + l->n_columns * 8 + 4;
	return columns < 0 ? -1 : 0;
}

int journal_layout_read(struct journal_layout *l, struct snapshot *s, int fd, struct err *e)
{
	unsigned char *text = malloc(HEADER_MAX);
	long n = text ? journal_record_pread(fd, text, HEADER_MAX, 0, e) : -1;

	if (!text)
		err_set(e, "no memory for the header");
	else if (n >= 0 && journal_layout_parse(l, s, (const char *)text, (size_t)n))
		n = err_set(e, "the header of the journal is incomplete or invalid");
	free(text);
	return n < 0 ? -1 : 0;
}

bool journal_record_begins(const unsigned char *p)
{
	uint32_t magic;

	memcpy(&magic, p, 4);
	return magic == RECORD_MAGIC;
}

uint64_t journal_record_number(const unsigned char *p)
{
	uint64_t number;

	memcpy(&number, p + 8, 8);
	return number;
}

bool journal_record_whole(const struct journal_layout *l, const unsigned char *p)
{
	uint32_t crc;

	memcpy(&crc, p + l->record - 4, 4);
	return crc == (uint32_t)crc32(0, p, (unsigned)l->record - 4);
}

unsigned journal_record_flags(const unsigned char *p)
{
	uint32_t flags;

	memcpy(&flags, p + 4, 4);
	return flags;
}

double journal_record_cell(const struct journal_layout *l, const unsigned char *p,
                           enum metric_id id)
{
	double v;

	for (size_t i = 0; i < l->n_columns; i++)
		if (l->columns[i] == id) {
			memcpy(&v, p + RECORD_HEAD + i * 8, 8);
			return v;
		}
	return NAN;
}

void journal_record_mark(const struct journal_layout *l, const unsigned char *p,
                         struct phases *phases)
{
	size_t n = l->record - RECORD_HEAD - 4;
	char line[JOURNAL_MARK_MAX + 1] = "";
	double t;

	if (n < 8)
		return;
	memcpy(&t, p + RECORD_HEAD, 8);
	n = n - 8 < JOURNAL_MARK_MAX ? n - 8 : JOURNAL_MARK_MAX;
	memcpy(line, p + RECORD_HEAD + 8, n);
	if (isfinite(t))
		phases_mark(phases, t, line, strlen(line));
}
