/* journal: what was appended is there, in the snapshot's rows, and a full disk loses no whole
 * record. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/files/journal.h"
#include "core/files/snapshot_read.h"
#include "core/recording/snapshot_source.h"
#include "tests/unit/core/recording/recording.h"
#include "tests/unit/unit.h"

struct place {
	char dir[40], path[64];
};

static int set_up(void **state)
{
	struct place *p = calloc(1, sizeof *p);

	snprintf(p->dir, sizeof p->dir, "/tmp/rtrack-test-XXXXXX");
	if (!p || !mkdtemp(p->dir))
		return -1;
	snprintf(p->path, sizeof p->path, "%s/o.partial", p->dir);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct place *p = *state;

	unlink(p->path);
	rmdir(p->dir);
	free(p);
	return 0;
}

static void row_of(size_t i, double row[METRIC_COUNT])
{
	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = cell((enum metric_id)id, i);
}

static struct journal *begun(const char *path)
{
	struct snapshot s = {.unfinished = false};
	struct journal *j;
	struct err e = {{0}};

	fill(&s, 0, false);
	j = journal_create(path, &s, &e);
	if (!j)
		fail_msg("%s", e.msg);
	snapshot_free(&s);
	return j;
}

static void append(struct journal *j, size_t i, unsigned flags)
{
	double row[METRIC_COUNT];
	struct err e = {{0}};

	row_of(i, row);
	if (journal_append(j, row, flags, &e))
		fail_msg("%s", e.msg);
}

/* The journal's file as a recording: time stamps tell which samples are there. */
static void holds(const char *path, const size_t *samples, size_t n)
{
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};

	if (snapshot_read_file(&s, path, &e))
		fail_msg("%s", e.msg);
	assert_true(s.unfinished && !s.exit.known);
	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct frame *f = &s.rows[metrics[id].scope];
		const double *col = frame_col(f, (enum metric_id)id);
		assert_int_equal(f->rows, n);
		for (size_t i = 0; i < n; i++)
			assert_true(col[i] == cell((enum metric_id)id, samples[i]));
	}
	assert_true(s.meta.stop_time ==
	            (n ? cell(METRIC_PROCESS_TIMESTAMP, samples[n - 1]) : s.meta.start_time));
	snapshot_free(&s);
}

static void source_holds(struct snapshot_source src, const size_t *samples, size_t n)
{
	double out[200];

	assert_int_equal(src.rows, n);
	for (int id = 0; id < METRIC_COUNT; id++)
		for (size_t from = 0; from < n; from += 7) {
			size_t k = n - from < 50 ? n - from : 50;
			assert_int_equal(src.fetch(src.ctx, (enum metric_id)id, from, k, out, NULL),
			                 0);
			for (size_t i = 0; i < k; i++)
				assert_true(out[i] == cell((enum metric_id)id, samples[from + i]));
		}
}

/* Early samples lie between the regular ones, which are replaced now and then. */
TEST_WITH(samples, set_up, tear_down)
{
	struct place *p = *state;
	struct journal *j = begun(p->path);
	size_t regular[150], early[8], n = 0, m = 0;
	double row[METRIC_COUNT];

	for (size_t i = 0; i < 158; i++) {
		bool is_early = i == 1 || i == 2 || i == 40 || i == 41 || i == 42 || i == 90 ||
		                i == 120 || i == 157;
		append(j, i, is_early ? JOURNAL_EARLY : 0);
		if (is_early)
			early[m++] = i;
		else
			regular[n++] = i;
	}
	assert_true(n == 150 && m == 8);
	assert_int_equal(journal_samples(j), 158);
	source_holds(journal_source(j, false), regular, n);
	source_holds(journal_source(j, true), early, m);
	holds(p->path, regular, n);
	row_of(999, row);
	assert_int_equal(journal_replace(j, row, NULL), 0);
	assert_int_equal(journal_samples(j), 158);
	regular[n - 1] = 999;
	source_holds(journal_source(j, false), regular, n);
	source_holds(journal_source(j, true), early, m);
	holds(p->path, regular, n);
	journal_close(j, true);
	assert_int_equal(access(p->path, F_OK), -1);
}

static size_t files_in(const char *folder)
{
	DIR *d = opendir(folder);
	size_t n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* So long that its rows are turned into columns, in an unnamed file beside it; where that can't be
 * had, they are read from the journal. */
TEST_WITH(long_journals, set_up, tear_down)
{
	struct place *p = *state;
	struct journal *j = begun(p->path);
	static size_t regular[9000], early[1] = {5};
	size_t n = 0;

	for (size_t i = 0; i < 9000; i++) {
		append(j, i, i == early[0] ? JOURNAL_EARLY : 0);
		if (i != early[0])
			regular[n++] = i;
	}
	source_holds(journal_source(j, false), regular, n);
	assert_int_equal(files_in(p->dir), 3); /* . and .. and the journal */
	source_holds(journal_source(j, true), early, 1);
	append(j, 77777, 0);
	regular[n++] = 77777;
	source_holds(journal_source(j, false), regular, n);
	unlink(p->path);
	rmdir(p->dir);
	source_holds(journal_source(j, false), regular, n);
	journal_close(j, true);
}

TEST_WITH(short_runs, set_up, tear_down)
{
	static const size_t none[] = {0}, three[] = {1, 2, 3}, first[] = {0}, fourth[] = {0, 4};
	struct place *p = *state;
	struct snapshot s = {.unfinished = false};
	struct journal *j;

	fill(&s, 0, false);
	s.meta.interval = 3600;
	j = journal_create(p->path, &s, NULL);
	assert_non_null(j);
	holds(p->path, none, 0);
	append(j, 0, 0);
	holds(p->path, first, 1); /* killed before the first early sample */
	append(j, 1, JOURNAL_EARLY);
	append(j, 2, JOURNAL_EARLY);
	append(j, 3, JOURNAL_EARLY);
	holds(p->path, three, 3);
	journal_close(j, true);

	/* At half a second, four seconds are not a short run. */
	j = begun(p->path);
	append(j, 0, 0);
	append(j, 1, JOURNAL_EARLY);
	append(j, 4, 0);
	holds(p->path, fourth, 2);
	journal_close(j, false);
	assert_int_equal(access(p->path, F_OK), 0);
	snapshot_free(&s);
}

TEST_WITH(replace_without_a_sample_appends, set_up, tear_down)
{
	static const size_t only[] = {7};
	struct place *p = *state;
	struct journal *j = begun(p->path);
	double row[METRIC_COUNT];

	row_of(7, row);
	assert_int_equal(journal_replace(j, row, NULL), 0);
	source_holds(journal_source(j, false), only, 1);
	journal_close(j, false);
	holds(p->path, only, 1);
}

TEST_WITH(early_ones_have_a_cap, set_up, tear_down)
{
	struct place *p = *state;
	struct journal *j = begun(p->path);
	double row[METRIC_COUNT];
	struct err e = {{0}};

	for (size_t i = 0; i < JOURNAL_EARLY_MAX; i++)
		append(j, i, JOURNAL_EARLY);
	row_of(0, row);
	assert_int_equal(journal_append(j, row, JOURNAL_EARLY, &e), -1);
	assert_non_null(strstr(e.msg, "o.partial: too many early samples"));
	append(j, 100, 0); /* regular ones go on */
	journal_close(j, true);
}

TEST_WITH(one_scope, set_up, tear_down)
{
	struct place *p = *state;
	struct snapshot s = {.unfinished = false}, back = {.unfinished = false};
	struct journal *j;
	double out;

	fill(&s, 0, false);
	s.meta.track_processes = false;
	j = journal_create(p->path, &s, NULL);
	assert_non_null(j);
	append(j, 0, 0);
	append(j, 9, 0);
	assert_int_equal(snapshot_read_file(&back, p->path, NULL), 0);
	assert_int_equal(back.rows[METRIC_SCOPE_PROCESS].rows, 0);
	assert_int_equal(back.rows[METRIC_SCOPE_SYSTEM].rows, 2);
	assert_string_equal(back.job.host, s.job.host);
	assert_true(back.meta.duration == 9);
	assert_int_equal(journal_source(j, false).fetch(j, METRIC_PROCESS_UTIME, 1, 1, &out, NULL),
	                 0);
	assert_true(isnan(out));
	journal_close(j, true);
	snapshot_free(&s);
	snapshot_free(&back);
}

/* Whoever cuts the file short during the run makes its end fail in one sentence, not lie. */
TEST_WITH(cut_from_outside, set_up, tear_down)
{
	struct place *p = *state;
	struct journal *j = begun(p->path);
	double out[64];

	for (size_t i = 0; i < 40; i++)
		append(j, i, i < 8 ? JOURNAL_EARLY : 0);
	assert_int_equal(truncate(p->path, 100), 0);
	for (int early = 0; early < 2; early++) {
		struct snapshot_source rows = journal_source(j, early);
		struct err e = {{0}};
		assert_int_equal(rows.fetch(rows.ctx, METRIC_PROCESS_UTIME, 0, rows.rows, out, &e),
		                 -1);
		assert_non_null(strstr(e.msg, "cannot be read again"));
	}
	journal_close(j, false);
}

/* Samples that another process overwrites or cuts off are left out, and no others. */
TEST_WITH(changed_from_outside, set_up, tear_down)
{
	struct place *p = *state;
	struct journal *j = begun(p->path);
	size_t left[200], n = 0;
	struct stat st;
	off_t record, start;
	struct journal_damage d;
	int fd;

	assert_int_equal(stat(p->path, &st), 0);
	start = st.st_size;
	append(j, 0, 0);
	assert_int_equal(stat(p->path, &st), 0);
	record = st.st_size - start;
	assert_int_equal(journal_verify(j).rows, 0);
	for (size_t i = 1; i < 10; i++)
		append(j, i, i < 3 ? JOURNAL_EARLY : 0);
	assert_int_equal(truncate(p->path, 0), 0);
	for (size_t i = 10; i < 150; i++)
		append(j, i, i == 20 ? JOURNAL_EARLY : 0);
	fd = open(p->path, O_WRONLY | O_CLOEXEC);
	for (off_t i = 30; i < 90; i += 2)
		assert_int_equal(pwrite(fd, "x", 1, start + i * record + 40), 1);
	assert_int_equal(ftruncate(fd, start + 148 * record), 0);
	close(fd);
	for (size_t i = 10; i < 148; i++)
		if (i != 20 && (i < 30 || i >= 90 || i % 2))
			left[n++] = i;
	assert_int_equal(journal_verify(j).rows, 147 - n);
	source_holds(journal_source(j, false), left, n);
	left[0] = 20;
	source_holds(journal_source(j, true), left, 1);
	/* More places than are kept apart: from the last one on, nothing is there. */
	fd = open(p->path, O_WRONLY | O_CLOEXEC);
	for (off_t i = 0; i < 150; i += 2)
		assert_int_equal(pwrite(fd, "x", 1, start + i * record + 40), 1);
	close(fd);
	d = journal_verify(j);
	assert_true(d.rows >= 147 - n && d.rows <= 147 && d.early == 1);
	journal_close(j, false);
}

TEST_WITH(creation, set_up, tear_down)
{
	struct place *p = *state;
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};
	struct stat st;
	char target[80];
	mode_t mask = umask(0);

	fill(&s, 0, false);
	journal_close(journal_create(p->path, &s, &e), false);
	umask(mask);
	assert_int_equal(stat(p->path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	/* Another run's journal is there. */
	assert_null(journal_create(p->path, &s, &e));
	assert_int_equal(errno, EEXIST);
	assert_non_null(strstr(e.msg, "o.partial: File exists"));
	unlink(p->path);
	/* A link, to nothing and to a file, is not followed. */
	snprintf(target, sizeof target, "%s/target", p->dir);
	for (int there = 0; there < 2; there++) {
		assert_int_equal(symlink(target, p->path), 0);
		assert_null(journal_create(p->path, &s, &e));
		assert_int_equal(errno, EEXIST);
		assert_int_equal(lstat(p->path, &st), 0);
		assert_true(S_ISLNK(st.st_mode));
		assert_int_equal(access(target, F_OK), there ? 0 : -1);
		unlink(p->path);
		if (!there)
			close(creat(target, 0600));
	}
	assert_int_equal(stat(target, &st), 0);
	assert_int_equal(st.st_size, 0);
	unlink(target);
	assert_null(journal_create("/no/such/dir/o.partial", &s, &e));
	assert_int_equal(errno, ENOENT);
	assert_string_equal(e.msg, "/no/such/dir/o.partial: No such file or directory");
	journal_close(NULL, true);
	snapshot_free(&s);
}

static void limit_files(rlim_t bytes)
{
	struct rlimit l;

	getrlimit(RLIMIT_FSIZE, &l);
	l.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &l);
}

/* A machine without GPUs pays nothing for the columns of single ones. */
TEST_WITH(without_gpus, set_up, tear_down)
{
	struct place *p = *state;
	struct snapshot s = {.unfinished = false, .no_gpus = true};
	struct journal *j;
	struct stat before, after;
	double row[METRIC_COUNT], got;

	fill(&s, 0, false);
	j = journal_create(p->path, &s, NULL);
	assert_non_null(j);
	snapshot_free(&s);
	assert_int_equal(stat(p->path, &before), 0);
	row_of(0, row);
	assert_int_equal(journal_append(j, row, 0, NULL), 0);
	assert_int_equal(stat(p->path, &after), 0);
	assert_int_equal(after.st_size - before.st_size, 20 + 8 * (METRIC_COUNT - 2 * METRIC_GPUS));
	for (int id = 0; id < METRIC_COUNT; id++) {
		struct snapshot_source src = journal_source(j, false);
		assert_int_equal(src.fetch(src.ctx, (enum metric_id)id, 0, 1, &got, NULL), 0);
		assert_int_equal(isnan(got), metric_is_of_one_gpu(&metrics[id]));
	}
	assert_int_equal(snapshot_read_file(&s, p->path, NULL), 0);
	assert_false(frame_has(&s.rows[METRIC_SCOPE_SYSTEM], METRIC_SYSTEM_GPU0_USAGE));
	assert_true(frame_has(&s.rows[METRIC_SCOPE_SYSTEM], METRIC_SYSTEM_GPU_USAGE));
	snapshot_free(&s);
	journal_close(j, true);
}

/* A full disk: writes beyond a size fail, at first in the middle of a record. */
TEST_WITH(disk_full, set_up, tear_down)
{
	struct place *p = *state;
	struct journal *j = begun(p->path);
	size_t all[100], n = 0;
	double row[METRIC_COUNT];
	struct err e = {{0}};
	struct stat st;
	off_t header;
	int failed = 0;

	assert_int_equal(stat(p->path, &st), 0);
	header = st.st_size;
	signal(SIGXFSZ, SIG_IGN);
	limit_files((rlim_t)header + 5000);
	while (n < 100 && !failed) {
		row_of(n, row);
		failed = journal_append(j, row, 0, &e);
		if (!failed) {
			all[n] = n;
			n++;
		}
	}
	assert_true(failed && n >= 2 && n < 100);
	assert_int_equal(journal_append(j, row, 0, NULL), -1);
	assert_int_equal(journal_replace(j, row, NULL), -1);
	limit_files(RLIM_INFINITY);
	signal(SIGXFSZ, SIG_DFL);
	assert_non_null(strstr(e.msg, "o.partial: File too large"));
	/* Cut back to the last whole record; nothing more is taken, and all is readable. */
	assert_int_equal(stat(p->path, &st), 0);
	assert_int_equal((st.st_size - header) % (off_t)n, 0);
	assert_int_equal(journal_append(j, row, 0, &e), -1);
	assert_non_null(strstr(e.msg, "o.partial: File too large"));
	source_holds(journal_source(j, false), all, n);
	holds(p->path, all, n);
	journal_close(j, true);
}

TEST_WITH(no_room_for_the_header, set_up, tear_down)
{
	struct place *p = *state;
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};

	fill(&s, 0, false);
	signal(SIGXFSZ, SIG_IGN);
	limit_files(100);
	assert_null(journal_create(p->path, &s, &e));
	limit_files(RLIM_INFINITY);
	signal(SIGXFSZ, SIG_DFL);
	assert_non_null(strstr(e.msg, "o.partial: File too large"));
	assert_int_equal(access(p->path, F_OK), -1); /* nothing is left behind */
	snapshot_free(&s);
}

/* The header is written again, longer and shorter, and where there is no room for it. */
TEST_WITH(header_written_again, set_up, tear_down)
{
	struct place *p = *state;
	struct snapshot s = {.unfinished = false}, read;
	struct err e = {{0}};
	const size_t all[] = {0};
	struct journal *j;
	struct stat st;
	off_t first;

	fill(&s, 0, false);
	s.server.memory_b = NAN;
	j = journal_create(p->path, &s, NULL);
	assert_non_null(j);
	assert_int_equal(stat(p->path, &st), 0);
	first = st.st_size;
	s.server.memory_b = 25276502016;
	for (int i = 0; i < 3; i++) {
		int fd = open(p->path, O_RDONLY | O_CLOEXEC);
		read = (struct snapshot){.unfinished = false};
		assert_int_equal(journal_read(&read, fd, "o.partial", &e), 0);
		assert_int_equal(isnan(read.server.memory_b), i != 1);
		assert_false(read.damage.records);
		snapshot_free(&read);
		close(fd);
		s.server.memory_b = i ? s.server.memory_b : 25276502016;
		s.server.memory_b = i == 1 ? NAN : s.server.memory_b;
		assert_int_equal(journal_describe(j, &s, &e), 0);
	}
	assert_int_equal(stat(p->path, &st), 0);
	assert_true(st.st_size > first); /* as long as the longest: no file is made shorter */
	append(j, 0, 0);
	assert_int_equal(journal_describe(j, &s, &e), -1);
	holds(p->path, all, 1);
	journal_close(j, true);
	j = journal_create(p->path, &s, NULL);
	assert_non_null(j);
	assert_int_equal(stat(p->path, &st), 0);
	first = st.st_size;
	s.server.memory_b = 25276502016;
	signal(SIGXFSZ, SIG_IGN);
	limit_files((rlim_t)first);
	assert_int_equal(journal_describe(j, &s, &e), -1);
	limit_files(RLIM_INFINITY);
	signal(SIGXFSZ, SIG_DFL);
	assert_non_null(strstr(e.msg, "o.partial: File too large"));
	assert_int_equal(stat(p->path, &st), 0);
	assert_int_equal(st.st_size, first);
	assert_int_equal(journal_check(j, &e), -1);
	journal_close(j, true);
	snapshot_free(&s);
}
