/* journal_header: how much of a journal will not change any more, and whose it is. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/files/journal.h"
#include "report/store/journal_header.h"
#include "tests/unit/unit.h"

struct made {
	struct journal *journal;
	struct journal_layout h;
	struct snapshot head;
	int fd;
};

static int begin(void **state)
{
	static struct made m;
	char path[] = "/tmp/rtrack-header-XXXXXX";
	struct snapshot s = {.schema = SCHEMA_1};
	struct err e = {""};
	int fd = mkstemp(path);

	close(fd);
	unlink(path);
	s.meta.track_system = s.meta.track_processes = true;
	s.meta.pid = 7;
	s.meta.start_time = 1000;
	s.job.known = true;
	s.job.host = "n1";
	m = (struct made){.journal = journal_create(path, &s, &e)};
	m.fd = open(path, O_RDONLY);
	unlink(path);
	*state = &m;
	return m.journal && m.fd >= 0 && journal_layout_read(&m.h, &m.head, m.fd, &e) == 0 ? 0 : -1;
}

static int end(void **state)
{
	struct made *m = *state;

	journal_close(m->journal, false);
	snapshot_free(&m->head);
	close(m->fd);
	return 0;
}

static void append(struct made *m, unsigned flags)
{
	double row[METRIC_COUNT] = {1};
	struct err e = {""};

	assert_int_equal(journal_append(m->journal, row, flags, &e), 0);
}

static void mark(struct made *m)
{
	assert_int_equal(journal_mark(m->journal, 1, "train", 5, NULL), 0);
}

/* In records after the header. */
static size_t settled(const struct made *m, size_t from)
{
	uint64_t to;
	struct err e = {""};

	assert_int_equal(
	    journal_header_settled(m->fd, &m->h, m->h.size + from * m->h.record, &to, &e), 0);
	assert_true(to >= m->h.size && (to - m->h.size) % m->h.record == 0);
	return (size_t)(to - m->h.size) / m->h.record;
}

static size_t whole(const struct made *m)
{
	uint64_t to;

	assert_int_equal(journal_header_end(m->fd, &m->h, &to, NULL), 0);
	return (size_t)(to - m->h.size) / m->h.record;
}

TEST_WITH(the_last_regular_record_may_change, begin, end)
{
	struct made *m = *state;

	assert_int_equal(settled(m, 0), 0);
	append(m, 0);
	assert_int_equal(settled(m, 0), 0);
	append(m, 0);
	append(m, 0);
	assert_int_equal(settled(m, 0), 2);
	assert_int_equal(settled(m, 2), 2);
	mark(m);
	append(m, JOURNAL_EARLY);
	assert_int_equal(settled(m, 2), 2);
	append(m, 0);
	assert_int_equal(settled(m, 2), 5);
	assert_int_equal(whole(m), 6);
}

/* The collector rewrites it when the run ends: what was uploaded before is the same then. */
TEST_WITH(what_was_settled_stays_the_same, begin, end)
{
	struct made *m = *state;
	char before[4096], after[4096];
	double row[METRIC_COUNT] = {2};
	size_t n;

	append(m, 0);
	append(m, 0);
	mark(m);
	n = m->h.size + settled(m, 0) * m->h.record;
	assert_true(n < sizeof before);
	assert_int_equal(pread(m->fd, before, n, 0), n);
	assert_int_equal(journal_replace(m->journal, row, NULL), 0);
	assert_int_equal(journal_append(m->journal, row, 0, NULL), 0);
	assert_int_equal(pread(m->fd, after, n, 0), n);
	assert_memory_equal(before, after, n);
	assert_int_equal(whole(m), 4);
}

TEST_WITH(early_records_are_settled_but_the_last, begin, end)
{
	struct made *m = *state;

	append(m, JOURNAL_EARLY);
	append(m, JOURNAL_EARLY);
	append(m, JOURNAL_EARLY);
	assert_int_equal(settled(m, 0), 2);
	append(m, JOURNAL_EARLY);
	assert_int_equal(settled(m, 2), 3);
	append(m, 0);
	assert_int_equal(settled(m, 3), 4);
}

TEST(no_header)
{
	static const char *const texts[] = {
	    "",
	    "rtrack-journal 1\n",
	    "rtrack-journal 1\n{\"columns\":[\"process_cpu_usage\"]}",
	    "rtrack-journal 1\nnothing\n",
	    "rtrack-journal 2\n{\"columns\":[\"process_cpu_usage\"]}\n",
	    "{\"columns\":[]}\n",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct journal_layout h;
		struct snapshot s = {.schema = SCHEMA_1};
		if (journal_layout_parse(&h, &s, texts[i], strlen(texts[i])) == 0)
			fail_msg("%s", texts[i]);
		snapshot_free(&s);
	}
}

TEST_WITH(whose_it_is, begin, end)
{
	static const struct {
		const char *host;
		double pid, start;
		bool same;
	} cases[] = {
	    {"n1", 7, 1000, true},    {"n1", 7, 1000.3, true}, {"n1", 7, 1011, false},
	    {"n1", 7, 999.5, false},  {"n2", 7, 1000, false},  {"n1", 8, 1000, false},
	    {"n1", 7, 999.999, true}, {NULL, 7, 1000, false},
	};
	const struct made *m = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot s = {.schema = SCHEMA_1};
		s.job.known = true;
		s.job.host = cases[i].host;
		s.meta.pid = cases[i].pid;
		s.meta.start_time = cases[i].start;
		if (journal_header_same(&m->head, &s) != cases[i].same)
			fail_msg("case %zu", i);
	}
}
