/* journal_follow: what has come since is read once, and nothing that is not whole. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/files/journal.h"
#include "core/files/journal_follow.h"
#include "core/files/journal_running.h"
#include "tests/unit/core/recording/recording.h"
#include "tests/unit/unit.h"

struct followed {
	char dir[40], path[64];
	struct journal *j;
	struct journal_follow *f;
	int fd;
	size_t rows, early, lists, processes, begun;
	double last;
};

static void take_row(void *ctx, const double *row, bool early)
{
	struct followed *w = ctx;

	w->rows += !early;
	w->early += early;
	w->last = row[METRIC_SYSTEM_TIMESTAMP];
}

static void take_now(void *ctx, const struct process_entry *v, size_t n)
{
	struct followed *w = ctx;

	(void)v;
	w->lists++;
	w->processes = n;
}

static void take_process(void *ctx, const struct process_entry *one)
{
	struct followed *w = ctx;

	w->begun += one->kind == PROCESS_ENTRY_RUNNING;
}

static int set_up(void **state)
{
	struct followed *w = calloc(1, sizeof *w);
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};

	snprintf(w->dir, sizeof w->dir, "/tmp/rtrack-test-XXXXXX");
	if (!mkdtemp(w->dir))
		return -1;
	snprintf(w->path, sizeof w->path, "%s/o.partial", w->dir);
	fill(&s, 0, false);
	w->j = journal_create(w->path, &s, &e);
	snapshot_free(&s);
	w->fd = open(w->path, O_RDWR | O_CLOEXEC);
	w->f = w->j && w->fd >= 0 ? journal_follow_open(w->fd, &e) : NULL;
	*state = w;
	return w->f ? 0 : -1;
}

static int tear_down(void **state)
{
	struct followed *w = *state;

	journal_follow_close(w->f);
	journal_close(w->j, true);
	close(w->fd);
	rmdir(w->dir);
	free(w);
	return 0;
}

static void append(struct followed *w, size_t i, unsigned flags)
{
	double row[METRIC_COUNT];
	struct err e = {{0}};

	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = cell((enum metric_id)id, i);
	if (journal_append(w->j, row, flags, &e))
		fail_msg("%s", e.msg);
}

static void read_on(struct followed *w)
{
	const struct journal_follow_takes takes = {take_row, take_now, take_process, w};
	struct err e = {{0}};

	if (journal_follow_read(w->f, &takes, &e))
		fail_msg("%s", e.msg);
}

static off_t size_of(const struct followed *w)
{
	struct stat st;

	assert_int_equal(fstat(w->fd, &st), 0);
	return st.st_size;
}

TEST_WITH(what_has_come_since, set_up, tear_down)
{
	struct followed *w = *state;

	read_on(w);
	assert_int_equal(w->rows, 0);
	append(w, 0, JOURNAL_EARLY);
	append(w, 1, 0);
	read_on(w);
	assert_int_equal(w->rows, 1);
	assert_int_equal(w->early, 1);
	for (size_t i = 2; i < 200; i++)
		append(w, i, 0);
	read_on(w);
	read_on(w);
	assert_int_equal(w->rows, 199);
	assert_true(w->last == cell(METRIC_SYSTEM_TIMESTAMP, 199));
	assert_string_equal(journal_follow_head(w->f)->job.name, "nightly & co");
}

TEST_WITH(marks_are_phases, set_up, tear_down)
{
	struct followed *w = *state;
	struct err e;

	assert_int_equal(journal_mark(w->j, 10, "load", 4, &e), 0);
	assert_int_equal(journal_mark(w->j, 20, "fit", 3, &e), 0);
	read_on(w);
	assert_int_equal(journal_follow_phases(w->f)->n, 2);
	assert_string_equal(journal_follow_phases(w->f)->v[1].name, "fit");
	assert_true(isnan(journal_follow_phases(w->f)->v[1].end));
	assert_int_equal(w->rows, 0);
}

TEST_WITH(processes_now_and_those_of_the_tree, set_up, tear_down)
{
	struct followed *w = *state;
	struct process_entry one = {.kind = PROCESS_ENTRY_NOW, .pid = 7, .n = 500, .name = "cc1"};
	unsigned char bytes[2 * PROCESS_ENTRY_MAX];
	struct err e;
	size_t n = process_entry_pack(&one, bytes, sizeof bytes);

	n += process_entry_pack(&one, bytes + n, sizeof bytes - n);
	assert_int_equal(journal_now(w->j, bytes, n, &e), 0);
	read_on(w);
	assert_int_equal(w->lists, 1);
	assert_int_equal(w->processes, 2);
	assert_int_equal(journal_now(w->j, bytes, 0, &e), 0);
	one.kind = PROCESS_ENTRY_RUNNING;
	n = process_entry_pack(&one, bytes, sizeof bytes);
	assert_int_equal(journal_processes(w->j, bytes, n, &e), 0);
	read_on(w);
	assert_int_equal(w->lists, 2);
	assert_int_equal(w->processes, 0);
	assert_int_equal(w->begun, 1);
}

TEST_WITH(half_a_record_is_read_when_it_is_whole, set_up, tear_down)
{
	struct followed *w = *state;
	unsigned char record[RECORD_MAX];
	off_t begin, end;
	ssize_t n;

	append(w, 1, 0);
	begin = size_of(w);
	append(w, 2, 0);
	end = size_of(w);
	n = pread(w->fd, record, sizeof record, begin);
	assert_int_equal(n, end - begin);
	for (off_t cut = begin + 1; cut < end; cut += 37) {
		assert_int_equal(ftruncate(w->fd, cut), 0);
		read_on(w);
		assert_int_equal(w->rows, 1);
	}
	/* As long, and not whole: its checksum is missing. */
	assert_int_equal(pwrite(w->fd, record, (size_t)n - 4, begin), n - 4);
	assert_int_equal(ftruncate(w->fd, end), 0);
	read_on(w);
	assert_int_equal(w->rows, 1);
	assert_int_equal(pwrite(w->fd, record, (size_t)n, begin), n);
	read_on(w);
	assert_int_equal(w->rows, 2);
}

TEST_WITH(a_damaged_record_is_passed_over, set_up, tear_down)
{
	struct followed *w = *state;
	off_t begin;

	append(w, 1, 0);
	begin = size_of(w);
	append(w, 2, 0);
	append(w, 3, 0);
	assert_int_equal(pwrite(w->fd, "damage", 6, begin + 40), 6);
	read_on(w);
	assert_int_equal(w->rows, 2);
	assert_true(w->last == cell(METRIC_SYSTEM_TIMESTAMP, 3));
}

TEST(no_journal)
{
	struct err e = {{0}};
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	assert_null(journal_follow_open(fd, &e));
	assert_non_null(strstr(e.msg, "header"));
	close(fd);
}

TEST_WITH(runs_while_its_recorder_has_the_lock, set_up, tear_down)
{
	struct followed *w = *state;
	struct snapshot s = {.meta.interval = 1};
	char host[64] = "";

	assert_true(journal_running(w->fd, w->path, &s));
	assert_true(journal_running(w->fd, w->path, &s)); /* trying it changes nothing */
	journal_close(w->j, false);
	w->j = NULL;
	/* Of another host it may be written over NFS: it grew just now. */
	s.job.host = "elsewhere.invalid";
	assert_true(journal_running(w->fd, w->path, &s));
	assert_int_equal(gethostname(host, sizeof host - 1), 0);
	s.job.host = host;
	assert_false(journal_running(w->fd, w->path, &s));
	/* A copy has no lock on any host. */
	assert_true(journal_running(w->fd, "7-n1.0" JOURNAL_COPY, &s));
	assert_int_equal(futimens(w->fd, (const struct timespec[2]){{1000, 0}, {1000, 0}}), 0);
	assert_false(journal_running(w->fd, "7-n1.0" JOURNAL_COPY, &s));
	unlink(w->path);
}

TEST(by_time)
{
	assert_true(journal_running_by_time(1000, 1, 1029));
	assert_false(journal_running_by_time(1000, 1, 1031));
	assert_true(journal_running_by_time(1000, 60, 1179));
	assert_false(journal_running_by_time(1000, 60, 1181));
	assert_true(journal_running_by_time(1000, NAN, 1029));
	assert_false(journal_running_by_time(1000, NAN, 1031));
	assert_true(journal_running_by_time(1000, 1, 900)); /* clocks differ */
}
