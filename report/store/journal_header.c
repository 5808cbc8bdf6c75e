/* journal_header: the beginning of a journal: whose it is, and how long its records are. */
#include "report/store/journal_header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/tmpfile.h"
#include "core/files/journal.h"
#include "core/recording/snapshot_head.h"

/* Seconds from the header to the start of the run: the command is started in between. */
#define BEGIN_MAX_S 10.0
#define ROUNDING_S  0.01 /* of times in a snapshot */

int journal_header_parse(const char *text, size_t n, struct journal_header *h, struct snapshot *s)
{
	enum metric_id columns[RECORD_COLUMNS_MAX];
	const size_t magic = strlen(JOURNAL_MAGIC);
	const char *end;
	long count;

	if (n <= magic || memcmp(text, JOURNAL_MAGIC, magic) != 0)
		return -1;
	end = memchr(text + magic, '\n', n - magic);
	if (!end)
		return -1;
	h->size = (size_t)(end + 1 - text);
	count =
	    snapshot_head_journal(s, text + magic, h->size - magic, columns, RECORD_COLUMNS_MAX);
	if (count < 0)
		return -1;
	h->record = RECORD_HEAD + (size_t)count * 8 + 4;
	return 0;
}

int journal_header_read(int fd, struct journal_header *h, struct snapshot *s, struct err *e)
{
	char *text = malloc(HEADER_MAX);
	size_t n = HEADER_MAX;
	int failed = -1;
	struct stat st;

	if (!text) {
		err_set(e, "no memory for the header");
	} else if (fstat(fd, &st)) {
		err_set(e, "%s", strerror(errno));
	} else {
		if ((uint64_t)st.st_size < n)
			n = (size_t)st.st_size;
		if (tmpfile_read(fd, text, n, 0))
			err_set(e, "%s", strerror(errno));
		else if (journal_header_parse(text, n, h, s))
			err_set(e, "the header of the journal is incomplete or invalid");
		else
			failed = 0;
	}
	free(text);
	return failed;
}

int journal_header_end(int fd, const struct journal_header *h, uint64_t *to, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_set(e, "%s", strerror(errno));
	*to = h->size;
	if ((uint64_t)st.st_size > h->size)
		*to += ((uint64_t)st.st_size - h->size) / h->record * h->record;
	return 0;
}

int journal_header_settled(int fd, const struct journal_header *h, uint64_t from, uint64_t *to,
                           struct err *e)
{
	uint64_t end, at = from < h->size ? h->size : from, last = UINT64_MAX;

	if (journal_header_end(fd, h, &end, e))
		return -1;
	for (uint64_t i = at; i < end; i += h->record) {
		uint32_t head[2];
		if (tmpfile_read(fd, head, sizeof head, (off_t)i))
			return err_set(e, "cannot be read: %s", strerror(errno));
		if (head[0] == RECORD_MAGIC && !(head[1] & (JOURNAL_EARLY | RECORD_ASIDE)))
			last = i;
	}
	/* Without a regular record nothing is rewritten, but the last one may just be written. */
	if (last == UINT64_MAX)
		last = end > at ? end - h->record : at;
	*to = last;
	return 0;
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

bool journal_header_same(const struct snapshot *journal, const struct snapshot *s)
{
	double began = s->meta.start_time - journal->meta.start_time;

	return journal->job.known && s->job.known && journal->meta.pid == s->meta.pid &&
	       same_text(journal->job.host, s->job.host) && began > -ROUNDING_S &&
	       began < BEGIN_MAX_S;
}
