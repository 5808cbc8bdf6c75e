/* scan_head: the row of a recording is the same whether it stands in the file or is made from its
 * head, and no file is too hostile. scan_worker: an answer is worth no more than a file. */
#include <fcntl.h>

#include "core/files/journal.h"
#include "fleet/scan/scan_worker.h"
#include "tests/unit/core/recording/recording.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

struct reading {
	struct recordings *t;
	struct scan_head *h;
	struct scan_head_text text;
	struct rtrack_row row;
};

static int reading_begin(void **state)
{
	struct reading *r = calloc(1, sizeof *r);

	*state = r;
	if (!r || recordings_begin((void **)&r->t))
		return -1;
	r->h = scan_head_new(NULL);
	return r->h ? 0 : -1;
}

static int reading_end(void **state)
{
	struct reading *r = *state;

	recordings_end((void **)&r->t);
	scan_head_free(r->h);
	free(r);
	return 0;
}

static const char *put_file(struct reading *r, const char *name, const char *p, size_t n)
{
	int fd = open(recordings_path(r->t, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, p, n), (ssize_t)n);
	close(fd);
	return r->t->path;
}

static const char *put_gzip(struct reading *r, const char *name, const char *p, size_t n)
{
	int fd = scratch_gzip(p, n);
	char *raw = scratch_slurp(fd, &n);

	put_file(r, name, raw, n);
	free(raw);
	close(fd);
	return r->t->path;
}

static struct rtrack_row *row_of(struct reading *r, const char *path)
{
	struct err e = {0};

	if (scan_head_read(r->h, path, 0, &r->text, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(rtrack_row_read(r->text.text, r->text.n, &r->row), 0);
	return &r->row;
}

static void is_left_out(struct reading *r, const char *path, const char *why)
{
	struct err e = {0};

	assert_int_equal(scan_head_read(r->h, path, 0, &r->text, &e), -1);
	assert_memory_equal(e.msg, path, strlen(path));
	if (!strstr(e.msg, why))
		fail_msg("%s: not: %s", e.msg, why);
}

static void rows_are_equal(const struct rtrack_row *a, const struct rtrack_row *b)
{
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		double x = a->of[i].number, y = b->of[i].number;
		/* Statistics are rounded, in the units of the file. */
		if (isnan(x) != isnan(y) || fabs(x - y) > 1e-4 * fabs(y))
			fail_msg("%s: %.17g, not %.17g", rtrack_row_columns[i].key, x, y);
		if (strcmp(a->of[i].text, b->of[i].text) != 0)
			fail_msg("%s: %s, not %s", rtrack_row_columns[i].key, a->of[i].text,
			         b->of[i].text);
	}
}

/* Without its row, a snapshot gives the same row: from its statistics, and without these from its
 * rows. */
TEST_WITH(the_row_and_the_head_agree, reading_begin, reading_end)
{
	struct reading *r = *state;
	struct snapshot s = {.exit = {0}};
	struct rtrack_row *first = calloc(1, sizeof *first);
	char *text, *rest, *statistics;
	size_t n;
	int fd;

	fill(&s, 40, false);
	fd = written(&s, SCHEMA_1);
	text = scratch_slurp(fd, &n);
	row_of(r, put_file(r, "a.json.gz", text, n));
	free(text);
	assert_int_equal(scan_head_read(r->h, r->t->path, 0, &r->text, NULL), 0);
	assert_int_equal(rtrack_row_read(r->text.text, r->text.n, first), 0);
	assert_string_equal(first->of[RTRACK_ROW_NAME].text, "nightly & co");
	text = inflated(fd);
	rest = strstr(text, "},\"metadata\"");
	assert_non_null(rest);
	*++rest = '{';
	rows_are_equal(row_of(r, put_gzip(r, "b.json.gz", rest, strlen(rest))), first);
	statistics = strstr(rest, "\"statistics\"");
	assert_non_null(statistics);
	memcpy(statistics, "\"stAtistics\"", 12);
	rows_are_equal(row_of(r, recordings_file(r->t, "c.json", rest)), first);
	free(text);
	close(fd);
	snapshot_free(&s);
	free(first);
}

/* Pretty-printed by another tool, or with more than the first 4 KiB in front of the row. */
TEST_WITH(a_row_that_is_not_at_the_beginning, reading_begin, reading_end)
{
	struct reading *r = *state;

	is_left_out(r, recordings_file(r->t, "a.json", "{ \"rtrack_row\": {\"wall_s\": 1}}"),
	            "not a snapshot");
	is_left_out(r, recordings_file(r->t, "b.json", "{\"rtrack_row\":{\"wall_s\":1"),
	            "ends too early");
}

/* Recordings of other tools in every dialect: the row says what the report says of them. */
TEST_WITH(other_tools, reading_begin, reading_end)
{
	struct reading *r = *state;
	struct runs runs = {.now = 0};
	size_t compared = 0;

	assert_int_equal(load_input(&runs, input_of("tests/fixtures/runs"), &r->t->e), 0);
	for (size_t i = 0; i < runs.n; i++) {
		const struct run *run = &runs.v[i];
		const struct rtrack_row *row = row_of(r, run->file);
		bool job = run->snapshot.meta.track_processes;
		const struct stats *m =
		    &run->stats[job ? METRIC_PROCESS_MEMORY : METRIC_SYSTEM_MEMORY_USED];
		assert_true(row->of[RTRACK_ROW_SAMPLES].number == (double)run->samples);
		if (!isnan(run->duration)) {
			assert_true(fabs(row->of[RTRACK_ROW_WALL].number - run->duration) < 1e-6);
			compared++;
		}
		if (m->n)
			assert_true(fabs(row->of[RTRACK_ROW_MEMORY_PEAK].number - m->max) <= 0.5);
		assert_string_equal(row->of[RTRACK_ROW_STATUS].text, "");
	}
	assert_in_range(compared, 5, 100);
	load_free(&runs);
}

TEST_WITH(a_journal, reading_begin, reading_end)
{
	struct reading *r = *state;
	struct snapshot s = {.exit = {0}};
	double cells[METRIC_COUNT];
	struct journal *j;
	const struct rtrack_row *row;

	fill(&s, 4, false);
	s.exit.known = false;
	s.exit.cause = NULL;
	j = journal_create(recordings_path(r->t, "a.json.gz.partial"), &s, &r->t->e);
	assert_non_null(j);
	is_left_out(r, r->t->path, "holds no samples");
	for (size_t i = 0; i < 4; i++) {
		for (int id = 0; id < METRIC_COUNT; id++)
			cells[id] = cell((enum metric_id)id, i);
		assert_int_equal(journal_append(j, cells, 0, &r->t->e), 0);
	}
	row = row_of(r, r->t->path);
	assert_string_equal(row->of[RTRACK_ROW_NAME].text, "nightly & co");
	assert_string_equal(row->of[RTRACK_ROW_STATUS].text, "unfinished");
	assert_true(row->of[RTRACK_ROW_SAMPLES].number == 4);
	assert_true(row->of[RTRACK_ROW_START].number == 1760000000.125);
	journal_close(j, true);
	snapshot_free(&s);
}

/* A text of n bytes: begin, n times middle, end. */
static char *long_text(const char *begin, const char *middle, size_t times, const char *end,
                       size_t *n)
{
	struct buf b = {.max = SIZE_MAX};

	buf_str(&b, begin);
	for (size_t i = 0; i < times; i++)
		buf_str(&b, middle);
	buf_str(&b, end);
	*n = b.len;
	return buf_take(&b);
}

TEST_WITH(hostile_files, reading_begin, reading_end)
{
	struct reading *r = *state;
	char *text;
	size_t n;

	text = long_text("{\"rtrack_row\":{\"name\":\"", "0123456789", 1 << 20, "\"}}", &n);
	is_left_out(r, put_file(r, "big.json", text, n), "too long");
	is_left_out(r, put_gzip(r, "big.json.gz", text, n), "too long");
	free(text);
	text = long_text("{\"rtrack_row\":{\"x\":", "[", 100000, "", &n);
	is_left_out(r, put_file(r, "deep.json", text, n), "too deep");
	free(text);
	text = long_text("{\"rtrack_row\":{\"x\":", "[", 500, "", &n);
	is_left_out(r, put_file(r, "deep.json", text, n), "too deep");
	free(text);
	text = long_text("\x1f\x8b", "\xff", 5000, "", &n);
	is_left_out(r, put_file(r, "damaged.json.gz", text, n), "damaged gzip data");
	free(text);
	is_left_out(r, recordings_file(r->t, "empty.json", ""), "holds no samples");
	is_left_out(r, recordings_path(r->t, "missing"), "No such file");
	is_left_out(r, r->t->folder, "is a directory");
	assert_int_equal(mkfifo(recordings_path(r->t, "fifo"), 0600), 0);
	assert_int_equal(scan_head_parse(r->h, "", 0, &r->text), -1);
}

/* A sum of short steps in the place of a recording is neither a run nor a failure. */
TEST_WITH(a_sum, reading_begin, reading_end)
{
	static const char sum[] = "{\"rtrack_short\":{\"n\":1,\"cpu_s\":0.5,\"longest_s\":2}}";
	struct reading *r = *state;

	assert_int_equal(scan_head_read(r->h, put_gzip(r, "sum.json.gz", sum, sizeof sum - 1), 0,
	                                &r->text, NULL),
	                 SCAN_HEAD_NO_RUN);
}

/* 64 MiB of blanks a member: 640 KB in the file, over 512 MiB inflated. */
TEST_WITH(a_bomb, reading_begin, reading_end)
{
	struct reading *r = *state;
	size_t n, m;
	char *blanks = long_text("", "                ", 4 << 20, "", &n), *raw;
	int fd = scratch_gzip(blanks, n);
	struct buf file = {0};

	raw = scratch_slurp(fd, &m);
	for (int i = 0; i < 9; i++)
		buf_add(&file, raw, m);
	is_left_out(r, put_file(r, "bomb.json.gz", file.s, file.len), "too large");
	buf_free(&file);
	free(raw);
	free(blanks);
	close(fd);
}

TEST_WITH(answers, reading_begin, reading_end)
{
	struct reading *r = *state;
	struct scan_answer *a = calloc(1, sizeof *a);
	struct err e = {0};

	scan_worker_answer(r->h, recordings_file(r->t, "a.json", "{\"rtrack_row\":{\"wall_s\":3}}"),
	                   0, a);
	assert_int_equal(scan_worker_row(a, "x", &r->row, &e), 0);
	assert_true(r->row.of[RTRACK_ROW_WALL].number == 3);
	/* The sentence names the file once. */
	scan_worker_answer(r->h, recordings_path(r->t, "missing"), 0, a);
	assert_string_equal(a->why.msg, "No such file or directory");
	assert_int_equal(scan_worker_row(a, "/p/x", &r->row, &e), -1);
	assert_string_equal(e.msg, "/p/x: No such file or directory");
	/* Anything. */
	memset(a, 0xff, sizeof *a);
	assert_int_equal(scan_worker_row(a, "/p/x", &r->row, &e), -1);
	assert_memory_equal(e.msg, "/p/x: ", 6);
	a->failed = 0;
	assert_int_equal(scan_worker_row(a, "/p/x", &r->row, &e), -1);
	assert_string_equal(e.msg, "/p/x: cannot be read: the process that reads it gave no row");
	a->row.n = sizeof a->row.text;
	assert_int_equal(scan_worker_row(a, "/p/x", &r->row, &e), -1);
	free(a);
}
