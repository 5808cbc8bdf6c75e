/* journal_header: the beginning of a journal: whose it is, and how long its records are. */
#include "report/store/journal_header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/tmpfile.h"

/* Seconds from the header to the start of the run: the command is started in between. */
#define BEGIN_MAX_S 10.0
#define ROUNDING_S  0.01 /* of times in a snapshot */

int journal_header_end(int fd, const struct journal_layout *h, uint64_t *to, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_set(e, "%s", strerror(errno));
	*to = h->size;
	if ((uint64_t)st.st_size > h->size)
		*to += ((uint64_t)st.st_size - h->size) / h->record * h->record;
	return 0;
}

int journal_header_settled(int fd, const struct journal_layout *h, uint64_t from, uint64_t *to,
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
