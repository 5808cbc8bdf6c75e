/* journal_header: the beginning of a journal: whose it is, and how long its records are. */
#include "report/store/journal_header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/recording/journal.h"
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

/* Up to n bytes; fewer at the end of the file. -1 on a read error. */
static ssize_t read_journal_part(int fd, void *p, size_t n, uint64_t at)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = pread(fd, (char *)p + done, n - done, (off_t)(at + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

int journal_header_read(int fd, struct journal_header *h, struct snapshot *s, struct err *e)
{
	char *text = malloc(HEADER_MAX);
	ssize_t n = text ? read_journal_part(fd, text, HEADER_MAX, 0) : 0;
	int failed = 0;

	if (!text)
		failed = err_set(e, "no memory for the header");
	else if (n < 0)
		failed = err_set(e, "%s", strerror(errno));
	else if (journal_header_parse(text, (size_t)n, h, s))
		failed = err_set(e, "the header of the journal is incomplete or invalid");
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
		if (read_journal_part(fd, head, sizeof head, i) != (ssize_t)sizeof head)
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
