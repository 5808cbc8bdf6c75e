/* scan_sources: whatever becomes of the workers and the files, the catalog gets the same rows in the
 * same order, and each file that is not in it has its sentence. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "core/base/gz.h"
#include "fleet/scan/scan_sources.h"
#include "report/sandbox/seccomp.h"
#include "tests/unit/fleet/catalog/catalog_double.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

struct told {
	struct scan *s;
	size_t kill_at
	    [SCAN_WORKERS_MAX]; /* kills worker i once so many recordings are done; 0: never */
	pid_t pid[SCAN_WORKERS_MAX];
	size_t failures, steps, done, of;
	struct buf sentences;
	/* A file that gets this text between its listing and reading; NULL: it vanishes. */
	const char *change, *text;
};

static void keep_files(const void *ctx)
{
	(void)ctx;
	seccomp_enter(SECCOMP_FILES);
}

static void note_failure(void *ctx, const struct err *why)
{
	struct told *t = ctx;

	t->failures++;
	buf_printf(&t->sentences, "%s\n", why->msg);
}

static void note_progress(void *ctx, size_t done, size_t of)
{
	struct told *t = ctx;

	assert_true(done >= t->done && done <= of);
	t->done = done;
	t->of = of;
	if (t->change && !t->steps && !t->text)
		assert_int_equal(unlink(t->change), 0);
	else if (t->change && !t->steps) {
		int fd = open(t->change, O_WRONLY | O_TRUNC | O_CLOEXEC);
		assert_int_equal(write(fd, t->text, strlen(t->text)), (ssize_t)strlen(t->text));
		close(fd);
	}
	t->steps++;
	for (size_t i = 0; t->s && i < SCAN_WORKERS_MAX; i++)
		if (t->kill_at[i] && done >= t->kill_at[i] && t->pid[i]) {
			kill(t->pid[i], SIGKILL);
			t->pid[i] = 0;
		}
}

/* Scans one path with n workers. */
static struct scan_result scanned(struct catalog *c, char *path, size_t workers, struct told *t)
{
	struct scan s = {.n = 0};
	struct scan_result r;
	const struct input input = input_of(path);
	struct scan_input in = {
	    .input = &input, .n = 1, .failure = note_failure, .progress = note_progress, .ctx = t};
	struct err e = {0};

	while (s.n < workers && scan_worker_start(s.worker, s.n, keep_files, NULL) == 0)
		s.n++;
	assert_int_equal(s.n, workers);
	t->s = &s;
	for (size_t i = 0; i < s.n; i++)
		t->pid[i] = s.worker[i].process.pid;
	if (scan_run(&s, &in, c, &r, &e))
		fail_msg("%s", e.msg);
	scan_stop(&s);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_equal(r.failed, t->failures);
	assert_int_equal(t->done, t->of);
	return r;
}

/* n recordings of nothing but a row; every 16th is gzipped, and the 7th has none. */
static void make_recordings(struct recordings *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char name[32], text[96];
		snprintf(name, sizeof name, "%05zu.json%s", i, i % 16 ? "" : ".gz");
		snprintf(text, sizeof text, "{\"rtrack_row\":{\"id\":\"%zu\",\"wall_s\":%zu}}", i,
		         i);
		if (i == 7)
			recordings_file(t, name, "{\"other\":1}");
		else if (i % 16) {
			recordings_file(t, name, text);
		} else {
			int fd =
			    open(recordings_path(t, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
			struct gz_out *g = gz_out_new(fd, NULL);
			assert_int_equal(gz_write(g, text, strlen(text), NULL), 0);
			assert_int_equal(gz_finish(g, NULL), 0);
			gz_out_free(g);
			close(fd);
		}
	}
}

TEST_WITH(the_same_with_any_workers, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct catalog *first = calloc(1, sizeof *first);
	struct told told = {.s = NULL};

	make_recordings(t, 1300);
	for (size_t workers = 0; workers <= 3; workers++) {
		struct catalog *c = calloc(1, sizeof *c);
		struct told again = {.s = NULL};
		struct scan_result r = scanned(c, t->folder, workers, &again);
		assert_int_equal(r.listed, 1300);
		assert_int_equal(r.added, 1299);
		assert_int_equal(r.failed, 1);
		assert_int_equal(c->puts, 3);
		assert_int_equal(c->largest, SCAN_BATCH);
		assert_non_null(strstr(buf_cstr(&again.sentences), "/00007.json: "));
		if (!workers) {
			*first = *c;
			told = again;
			free(c);
			continue;
		}
		assert_int_equal(c->n, first->n);
		for (size_t i = 0; i < c->n; i++) {
			assert_string_equal(c->run[i].path, first->run[i].path);
			assert_true(c->run[i].wall == first->run[i].wall);
		}
		assert_string_equal(buf_cstr(&again.sentences), buf_cstr(&told.sentences));
		buf_free(&again.sentences);
		double_free(c);
	}
	assert_true(first->run[1298].wall == 1299);
	buf_free(&told.sentences);
	double_free(first);
}

TEST_WITH(only_what_changed_is_read_again, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct catalog *c = calloc(1, sizeof *c);
	struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {1700000000, 5}};
	struct told told = {.s = NULL};
	struct scan_result r;

	make_recordings(t, 40);
	assert_int_equal(scanned(c, t->folder, 2, &told).added, 39);
	told = (struct told){.sentences = told.sentences};
	r = scanned(c, t->folder, 2, &told);
	assert_int_equal(r.listed, 40);
	assert_int_equal(r.added, 0);
	/* Of another size; of the same size, at another time; and one that is new. */
	recordings_file(t, "00003.json", "{\"rtrack_row\":{\"wall_s\":12345}}");
	recordings_file(t, "00004.json", "{\"rtrack_row\":{\"id\":\"4\",\"wall_s\":9}}");
	assert_int_equal(utimensat(AT_FDCWD, t->path, times, 0), 0);
	recordings_file(t, "new.json", "{\"rtrack_row\":{\"wall_s\":77}}");
	told = (struct told){.sentences = told.sentences};
	r = scanned(c, t->folder, 2, &told);
	assert_int_equal(r.added, 3);
	assert_int_equal(c->n, 40);
	assert_true(c->run[double_find(c, t->path)].wall == 77);
	assert_true(c->run[double_find(c, recordings_path(t, "00003.json"))].wall == 12345);
	assert_true(c->run[double_find(c, recordings_path(t, "00004.json"))].wall == 9);
	assert_int_equal(c->run[double_find(c, t->path)].mtime_ns, 1700000000000000005);
	buf_free(&told.sentences);
	double_free(c);
}

/* What is read of a file that changes meanwhile is put with the time and size from before, so the
 * next scan reads it again. */
TEST_WITH(a_file_that_changes, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct catalog *c = calloc(1, sizeof *c);
	struct told told = {.text = "{\"rtrack_row\":{\"wall_s\":500}}"};
	size_t at;

	make_recordings(t, 6);
	told.change = recordings_path(t, "00002.json");
	assert_int_equal(scanned(c, t->folder, 2, &told).added, 6);
	at = double_find(c, t->path);
	assert_true(c->run[at].wall == 500);
	told = (struct told){.sentences = told.sentences};
	assert_int_equal(scanned(c, t->folder, 2, &told).added, 1);
	assert_true(c->run[at].wall == 500);
	told = (struct told){.sentences = told.sentences};
	assert_int_equal(scanned(c, t->folder, 2, &told).added, 0);
	/* Cut short. */
	told = (struct told){.change = t->path, .text = "{\"rtrack_row\":{"};
	recordings_file(t, "00002.json", "{\"rtrack_row\":{\"wall_s\":1}}");
	assert_int_equal(scanned(c, t->folder, 2, &told).added, 0);
	assert_int_equal(told.failures, 1);
	assert_true(c->run[at].wall == 500);
	buf_free(&told.sentences);
	double_free(c);
}

/* A journal that has become a snapshot meanwhile is not a failure; a snapshot that is gone is one. */
TEST_WITH(a_file_that_vanishes, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct catalog *c = calloc(1, sizeof *c);
	struct told told = {.steps = 0};

	make_recordings(t, 6);
	recordings_file(t, "00007.json.partial.2", "{\"rtrack_row\":{\"wall_s\":1}}");
	told.change = t->path;
	assert_int_equal(scanned(c, t->folder, 2, &told).added, 6);
	assert_int_equal(told.failures, 0);
	recordings_file(t, "00007.json", "{\"rtrack_row\":{\"wall_s\":1}}");
	told = (struct told){.change = t->path, .sentences = told.sentences};
	assert_int_equal(scanned(c, t->folder, 2, &told).added, 0);
	assert_int_equal(told.failures, 1);
	buf_free(&told.sentences);
	double_free(c);
}

/* A worker that is killed costs one file at most; when all are, this process reads the rest. */
TEST_WITH(killed_workers, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	make_recordings(t, 1300);
	for (size_t killed = 1; killed <= 3; killed++) {
		struct catalog *c = calloc(1, sizeof *c);
		struct told told = {.s = NULL};
		struct scan_result r;
		for (size_t i = 0; i < killed; i++)
			told.kill_at[i] = 30 + 300 * i;
		r = scanned(c, t->folder, 3, &told);
		assert_int_equal(r.listed, 1300);
		assert_int_equal(r.added + r.failed, 1300);
		assert_int_equal(c->n, r.added);
		assert_in_range(r.failed, 1, 1 + killed);
		if (r.failed > 1)
			assert_non_null(strstr(buf_cstr(&told.sentences),
			                       ": the process that read it has ended\n"));
		/* What was lost is read the next time. */
		told = (struct told){.sentences = told.sentences};
		scanned(c, t->folder, 1, &told);
		assert_int_equal(c->n, 1299);
		buf_free(&told.sentences);
		double_free(c);
	}
}

/* A file that is never read, as on a server that does not answer, costs its worker and no other
 * file; once all workers wait, the rest is for the next time, and nothing waits for ever. */
TEST_WITH(workers_that_wait, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	const struct input input = input_of(t->folder);

	make_recordings(t, 600);
	for (size_t spare = 0; spare <= 2; spare++) {
		struct catalog *c = calloc(1, sizeof *c);
		struct told told = {.s = NULL};
		struct scan s = {.n = 0};
		struct scan_result r;
		struct scan_input in = {.input = &input,
		                        .n = 1,
		                        .limits = {.seconds = 0.2},
		                        .failure = note_failure,
		                        .progress = note_progress,
		                        .ctx = &told};
		pid_t stopped[2];
		struct err e = {0};

		for (; s.n < 2; s.n++) {
			assert_int_equal(scan_worker_start(s.worker, s.n, keep_files, NULL), 0);
			stopped[s.n] = s.worker[s.n].process.pid;
			assert_int_equal(kill(stopped[s.n], SIGSTOP), 0);
		}
		for (; s.spare < spare; s.spare++)
			assert_int_equal(
			    scan_worker_start(s.worker, s.n + s.spare, keep_files, NULL), 0);
		assert_int_equal(scan_run(&s, &in, c, &r, &e), 0);
		scan_stop(&s);
		for (size_t i = 0; i < 2; i++) {
			assert_int_equal(kill(stopped[i], SIGKILL), 0);
			assert_int_equal(waitpid(stopped[i], NULL, 0), stopped[i]);
		}
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
		assert_int_equal(told.done, told.of);
		assert_int_equal(r.added + r.failed, 600);
		assert_int_equal(r.failed, told.failures);
		assert_non_null(
		    strstr(buf_cstr(&told.sentences), ": left out: reading it took more than "));
		if (spare)
			assert_in_range(r.failed, 2, 3); /* one of them has no row */
		else
			assert_int_equal(r.added, 0);
		/* What was lost is read the next time. */
		told.done = 0;
		assert_int_equal(scan_run(&s, &in, c, &r, &e), 0);
		assert_int_equal(c->n, 599);
		buf_free(&told.sentences);
		double_free(c);
	}
}

/* A worker that has been taken over: it answers at once, with anything. */
static void answer_wildly(const void *ctx)
{
	struct scan_slot *slot = ((const struct scan *)ctx)->worker[0].slot;
	struct stat st;
	int fd = 3;

	while (fd < 1024 && (fstat(fd, &st) || !S_ISSOCK(st.st_mode)))
		fd++;
	srand(7);
	while (worker_receive(fd, NULL, 0, NULL, 0, NULL, NULL)) {
		for (size_t i = 0; i < SCAN_WORKER_SLOTS * sizeof *slot; i++)
			((char *)slot)[i] = (char)rand();
		for (int k = 0; k < SCAN_WORKER_SLOTS; k++)
			slot[k].done = rand() % 2 ? 64 : 3;
		if (!worker_send(fd, NULL, 0, NULL, 0, NULL))
			break;
	}
	_exit(0);
}

TEST_WITH(a_taken_over_worker, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct catalog *c = calloc(1, sizeof *c);
	const struct input input = input_of(t->folder);
	struct told told = {.s = NULL};
	struct scan s = {.n = 0};
	struct scan_result r;
	struct scan_input in = {.input = &input,
	                        .n = 1,
	                        .failure = note_failure,
	                        .progress = note_progress,
	                        .ctx = &told};
	struct err e = {0};

	make_recordings(t, 600);
	assert_int_equal(scan_worker_start(s.worker, 0, answer_wildly, &s), 0);
	assert_int_equal(scan_worker_start(s.worker, 1, keep_files, NULL), 0);
	s.n = 2;
	assert_int_equal(scan_run(&s, &in, c, &r, &e), 0);
	scan_stop(&s);
	assert_int_equal(r.added + r.failed, 600);
	assert_in_range(r.failed, 2, 599);
	for (size_t i = 0; i < c->n; i++)
		assert_true(c->run[i].wall == strtod(strrchr(c->run[i].path, '/') + 1, NULL));
	buf_free(&told.sentences);
	double_free(c);
}

TEST_WITH(the_catalog_fails, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct catalog *c = calloc(1, sizeof *c);
	const struct input input = input_of(t->folder);
	struct told told = {.s = NULL};
	struct scan s;
	struct scan_result r;
	struct scan_input in = {.input = &input, .n = 1, .failure = note_failure, .ctx = &told};
	struct err e = {0};

	make_recordings(t, 1300);
	scan_start(&s, keep_files, NULL);
	assert_in_range(s.n, 1, SCAN_WORKERS_MAX);
	c->fails = true;
	assert_int_equal(scan_run(&s, &in, c, &r, &e), -1);
	assert_string_equal(e.msg, "the disk is full");
	assert_int_equal(s.n, 0);
	c->fails = false;
	assert_int_equal(scan_run(&s, &in, c, &r, &e), 0);
	assert_int_equal(c->n, 1299);
	buf_free(&told.sentences);
	double_free(c);
}

static void serve_nothing(int fd, const void *ctx)
{
	(void)ctx;
	worker_receive(fd, NULL, 0, NULL, 0, NULL, NULL);
}

/* A process that is started later has copies of the sockets. */
TEST_WITH(stopped_before_a_later_process, recordings_begin, recordings_end)
{
	struct worker later;
	struct scan s;

	scan_start(&s, keep_files, NULL);
	assert_int_equal(worker_start(&later, serve_nothing, NULL, NULL), 0);
	alarm(60);
	scan_stop(&s);
	alarm(0);
	worker_stop(&later);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

TEST_WITH(a_path_too_often_and_none, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct catalog *c = calloc(1, sizeof *c);
	char *path[4] = {t->folder, strdup(recordings_file(t, "a.json", "{\"rtrack_row\":{}}")),
	                 NULL, t->folder};
	struct input input[4];
	struct told told = {.s = NULL};
	struct scan s = {.n = 0};
	struct scan_result r;
	struct scan_input in = {.input = input, .n = 4, .failure = note_failure, .ctx = &told};

	path[2] = strdup(recordings_path(t, "missing.json"));
	for (size_t i = 0; i < 4; i++)
		input[i] = input_of(path[i]);
	assert_int_equal(scan_run(&s, &in, c, &r, &t->e), 0);
	assert_int_equal(r.listed, 1);
	assert_int_equal(r.added, 1);
	assert_int_equal(r.failed, 1);
	assert_non_null(
	    strstr(buf_cstr(&told.sentences), "missing.json: No such file or directory\n"));
	in.n = 0;
	assert_int_equal(scan_run(&s, &in, c, &r, &t->e), 0);
	assert_int_equal(r.listed, 0);
	free(path[1]);
	free(path[2]);
	buf_free(&told.sentences);
	double_free(c);
}
