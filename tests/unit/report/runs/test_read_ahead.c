/* read_ahead: whatever becomes of the worker, the parts, sums and sentences are the same. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "core/base/gz.h"
#include "core/files/journal.h"
#include "report/runs/parts_join.h"
#include "report/runs/read_ahead.h"
#include "report/sandbox/seccomp.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

static void keep_files(const void *ctx)
{
	(void)ctx;
	seccomp_enter(SECCOMP_FILES);
}

static const char *write_gzip(struct recordings *t, const char *name, const char *p, size_t n)
{
	int fd = open(recordings_path(t, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct gz_out *g = gz_out_new(fd, NULL);

	assert_true(fd >= 0);
	assert_non_null(g);
	assert_int_equal(gz_write(g, p, n, NULL) || gz_finish(g, NULL), 0);
	gz_out_free(g);
	close(fd);
	return t->path;
}

/* What the worker makes of a file. */
static const char *ahead_of(struct read_ahead *a, const char *path, size_t *n)
{
	read_ahead_ask(a, input_of(path));
	return read_ahead_take(a, n);
}

static void is_text(const char *got, size_t n, const char *expected)
{
	assert_non_null(got);
	assert_int_equal(n, strlen(expected));
	assert_memory_equal(got, expected, n);
}

static void ahead_is(struct read_ahead *a, const char *path, const char *expected)
{
	size_t n = 0;
	const char *got = ahead_of(a, path, &n);

	is_text(got, n, expected);
}

#define GZIP_IS_SHORTER "{\"a\": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}"

TEST_WITH(contents, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct read_ahead a;
	const char *first, *second;
	size_t n, m;

	read_ahead_start(&a, keep_files, NULL);
	assert_true(a.worker.pid > 0);
	assert_null(read_ahead_take(&a, &n)); /* nothing was asked */
	first =
	    ahead_of(&a, write_gzip(t, "1.json.gz", GZIP_IS_SHORTER, strlen(GZIP_IS_SHORTER)), &n);
	is_text(first, n, GZIP_IS_SHORTER);
	read_ahead_ask(&a, input_of(recordings_file(t, "2.json", "{\"plain\": 2}")));
	is_text(first, n, GZIP_IS_SHORTER); /* still */
	second = read_ahead_take(&a, &m);
	is_text(second, m, "{\"plain\": 2}");
	assert_null(read_ahead_take(&a, &n)); /* taken */
	/* Of two questions only the last one is answered. */
	read_ahead_ask(&a, input_of(t->path));
	first = ahead_of(&a, recordings_path(t, "1.json.gz"), &n);
	is_text(first, n, GZIP_IS_SHORTER);
	read_ahead_stop(&a);
	assert_int_equal(waitpid(-1, NULL, 0), -1);
	assert_int_equal(errno, ECHILD);
}

/* Files that this process must read, to find the sentence or the way. */
TEST_WITH(left_to_the_caller, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct read_ahead a;
	char *large = calloc(1, READ_AHEAD_MAX + 1), *path;
	size_t n;

	assert_non_null(large);
	memset(large, ' ', READ_AHEAD_MAX);
	*large = '{';
	read_ahead_start(&a, keep_files, NULL);
	assert_null(ahead_of(&a, write_gzip(t, "large", large, READ_AHEAD_MAX), &n));
	assert_non_null(ahead_of(&a, write_gzip(t, "fits", large, READ_AHEAD_MAX - 1), &n));
	assert_int_equal(n, READ_AHEAD_MAX - 1);
	assert_int_equal(truncate(t->path, 100), 0);
	assert_null(ahead_of(&a, t->path, &n));
	assert_null(ahead_of(&a, recordings_path(t, "missing"), &n));
	assert_null(ahead_of(&a, t->folder, &n));
	assert_null(ahead_of(&a, recordings_file(t, "empty", ""), &n));
	assert_null(ahead_of(&a, recordings_file(t, "journal", JOURNAL_MAGIC), &n));
	assert_null(ahead_of(&a, recordings_file(t, "list", "[]"), &n));
	assert_int_equal(mkfifo(recordings_path(t, "fifo"), 0600), 0);
	assert_null(ahead_of(&a, t->path, &n));
	memset(large, 'x', READ_AHEAD_MAX); /* longer than any path */
	assert_null(ahead_of(&a, large, &n));
	/* And it goes on. */
	path = strdup(recordings_file(t, "good", "{}"));
	ahead_is(&a, path, "{}");
	free(path);
	free(large);
	read_ahead_stop(&a);
}

TEST_WITH(ended_worker, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	const char *path = recordings_file(t, "1.json", "{}");
	struct read_ahead a;
	size_t n;

	read_ahead_start(&a, keep_files, NULL);
	ahead_is(&a, path, "{}");
	kill(a.worker.pid, SIGSTOP);
	read_ahead_ask(&a, input_of(path));
	kill(a.worker.pid, SIGKILL); /* with the question unread */
	assert_null(read_ahead_take(&a, &n));
	assert_int_equal(a.worker.pid, 0);
	assert_null(ahead_of(&a, path, &n));
	read_ahead_stop(&a);
	assert_int_equal(waitpid(-1, NULL, 0), -1);
	/* None at all. */
	assert_null(ahead_of(&a, path, &n));
	assert_null(ahead_of(NULL, path, &n));
}

static void lie(int fd, const void *ctx)
{
	char path[PATH_MAX];
	size_t turn, n;

	while (worker_receive(fd, &turn, sizeof turn, path, sizeof path, &n, NULL))
		worker_send(fd, ctx, sizeof(size_t), NULL, 0, NULL);
}

TEST(answers_that_cannot_be)
{
	static const size_t lies[] = {READ_AHEAD_MAX + 1, SIZE_MAX, 0};

	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		struct read_ahead a = {0};
		size_t n;
		assert_int_equal(worker_start(&a.worker, lie, &lies[i], NULL), 0);
		a.content = mmap(NULL, 2 * READ_AHEAD_MAX, PROT_READ | PROT_WRITE,
		                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		assert_ptr_not_equal(a.content, MAP_FAILED);
		a.content[0] = a.content[READ_AHEAD_MAX] = '{';
		assert_null(ahead_of(&a, "/x", &n));
		read_ahead_stop(&a);
	}
}

/* -- joining with it --------------------------------------------------------------------------- */

#define PARTS 4

static void write_part(struct recordings *t, int i, const char *end)
{
	struct buf b = {0};
	char name[16];

	buf_printf(&b,
	           "{\"metadata\": {\"start_time\": 1000, \"stop_time\": 1002, \"interval\": 1}, "
	           "\"server_info\": {\"vcpus\": 4}, \"rtrack\": {\"job\": {\"name\": \"j\"}, "
	           "\"part\": {\"job\": \"a\", \"node\": \"n%d\", \"covers\": \"node\", \"nodes\": "
	           "%d}}, \"process_metrics\": {\"timestamp\": [1001, 1002], \"utime\": [%d, 2], "
	           "\"stime\": [0.5, 0.25], \"cpu_usage\": [%d, 2]%s",
	           i, PARTS, i, i, end);
	snprintf(name, sizeof name, "%d.json.gz", i);
	write_gzip(t, name, b.s, b.len);
	buf_free(&b);
}

enum what_happens { NO_WORKER, WORKER, WORKER_KILLED };

/* Joins PARTS recordings, of which one is damaged after its head was read. What comes out, as
 * text: the sentences are without the folder. */
static void join_text(enum what_happens what, const char *damage, struct buf *out)
{
	void *state = NULL;
	struct recordings *t;
	struct read_ahead a = {0};
	struct run *run;

	assert_int_equal(recordings_begin(&state), 0);
	t = state;
	if (what != NO_WORKER)
		read_ahead_start(&a, keep_files, NULL);
	t->runs.ahead = &a;
	for (int i = 0; i < PARTS; i++)
		write_part(t, i, "}}");
	if (what != NO_WORKER) {
		size_t n;
		assert_non_null(ahead_of(&a, recordings_path(t, "1.json.gz"), &n));
	}
	assert_int_equal(load_input(&t->runs, input_of(t->folder), &t->e), 0);
	assert_int_equal(t->runs.n, PARTS);
	if (!damage)
		assert_int_equal(truncate(recordings_path(t, "2.json.gz"), 150), 0);
	else if (*damage)
		write_part(t, 2, damage);
	else
		unlink(recordings_path(t, "2.json.gz"));
	if (what == WORKER_KILLED)
		kill(a.worker.pid, SIGKILL);
	if (parts_join(&t->runs, &t->e))
		fail_msg("%s", t->e.msg);
	assert_int_equal(t->runs.n, 1);
	run = t->runs.v;
	buf_printf(out, "%zu parts, %zu rows", run->parts->n,
	           run->snapshot.rows[METRIC_SCOPE_PROCESS].rows);
	for (size_t i = 0; i < run->snapshot.rows[METRIC_SCOPE_PROCESS].rows; i++)
		buf_printf(
		    out, ", %.17g",
		    frame_col(&run->snapshot.rows[METRIC_SCOPE_PROCESS], METRIC_PROCESS_UTIME)[i]);
	for (size_t i = 0; i < t->runs.n_failed; i++)
		buf_printf(out, "; %s", t->runs.failed[i].err.msg + strlen(t->folder));
	read_ahead_stop(&a);
	recordings_end(&state);
}

TEST(joins_the_same)
{
	static const char good[] = "}}";
	/* NULL: cut short; "": removed; else the end of the JSON. */
	static const struct {
		const char *damage, *failed;
	} cases[] = {
	    {good, ""},
	    {"", "/2.json.gz: No such file"},
	    {NULL, "/2.json.gz: the gzip data end too early"},
	    {"}", "the JSON ends too early"},
	    {", \"memory\": [1, x]}}", "expected a number"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf alone = {0};
		join_text(NO_WORKER, cases[i].damage, &alone);
		assert_true(cases[i].damage == good ? !strchr(buf_cstr(&alone), ';')
		                                    : !!strchr(buf_cstr(&alone), ';'));
		if (!strstr(buf_cstr(&alone), cases[i].failed))
			fail_msg("%s", buf_cstr(&alone));
		for (enum what_happens what = WORKER; what <= WORKER_KILLED; what++) {
			struct buf text = {0};
			join_text(what, cases[i].damage, &text);
			assert_string_equal(buf_cstr(&text), buf_cstr(&alone));
			buf_free(&text);
		}
		buf_free(&alone);
	}
}
