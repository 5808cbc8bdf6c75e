/* scan_several: each recording of a file is a row, and a file that has changed has no others. */
#include <fcntl.h>
#include <time.h>

#include "fleet/catalog/catalog_list.h"
#include "fleet/catalog/catalog_row.h"
#include "fleet/scan/scan_sources.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

struct scanned {
	struct recordings *t;
	struct catalog *c;
	struct buf sentences;
	size_t done, of;
};

static void note_sentence(void *ctx, const struct err *why)
{
	struct scanned *s = ctx;

	buf_printf(&s->sentences, "%s\n", why->msg);
}

static void note_done(void *ctx, size_t done, size_t of)
{
	struct scanned *s = ctx;

	assert_true(done >= s->done && done <= of);
	s->done = done;
	s->of = of;
}

/* Appends a member that states its size. */
static void append_text(struct buf *file, const char *text)
{
	int fd = scratch_gzip(text, strlen(text));
	size_t n;
	char *p = scratch_slurp(fd, &n);

	assert_int_equal(gz_member_state(file, p, n), 0);
	free(p);
	close(fd);
}

/* A recording that lasted so long. */
static void append(struct buf *file, int wall_s)
{
	char text[96];

	snprintf(text, sizeof text, "{\"rtrack_row\":{\"id\":\"%d\",\"name\":\"n\",\"wall_s\":%d}}",
	         wall_s, wall_s);
	append_text(file, text);
}

/* `ago`: seconds since somebody has written to it. */
static void write_file(struct scanned *s, const struct buf *file, size_t n, int ago)
{
	struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {time(NULL) - ago, 0}};
	int fd = open(recordings_path(s->t, "job.json.gz"),
	              O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, file->s, n), (ssize_t)n);
	close(fd);
	assert_int_equal(utimensat(AT_FDCWD, s->t->path, times, 0), 0);
}

static struct scan_result scan(struct scanned *s, bool once)
{
	struct scan workers = {.n = 0};
	const struct input input = input_of(s->t->folder);
	const struct scan_input in = {.input = &input,
	                              .n = 1,
	                              .failure = note_sentence,
	                              .progress = note_done,
	                              .ctx = s,
	                              .once = once,
	                              .now = (double)time(NULL)};
	struct scan_result r;
	struct err e = {0};

	s->done = s->of = 0;
	buf_clear(&s->sentences);
	if (scan_run(&workers, &in, s->c, &r, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(s->done, s->of);
	return r;
}

static int add_row_text(void *ctx, const struct catalog_result v[CATALOG_COLUMNS], struct err *e)
{
	const char *name = strstr(v[CATALOG_COLUMN_SOURCE].text, "/job.json.gz");

	(void)e;
	assert_non_null(name);
	buf_printf(ctx, "%s %.0f; ", name + 1, v[RTRACK_ROW_WALL].number);
	return 0;
}

static void rows_are(struct scanned *s, const char *expected)
{
	const struct catalog_query all = {.group_by = NULL};
	struct buf text = {0};
	struct err e = {0};

	assert_int_equal(catalog_list(s->c, &all, 9999, add_row_text, &text, &e), 0);
	assert_string_equal(buf_cstr(&text), expected);
	buf_free(&text);
}

static void begin(struct scanned *s, struct recordings *t)
{
	*s = (struct scanned){.t = t, .c = catalog_open(NULL, CATALOG_WRITE, NULL, &t->e)};
	assert_non_null(s->c);
}

static void end(struct scanned *s)
{
	catalog_close(s->c);
	buf_free(&s->sentences);
}

TEST_WITH(rows, recordings_begin, recordings_end)
{
	struct scanned s;
	struct buf file = {0}, other = {0};
	struct scan_result r;

	begin(&s, *state);
	for (int i = 11; i <= 13; i++)
		append(&file, i);
	write_file(&s, &file, file.len, 500);
	r = scan(&s, false);
	assert_int_equal(r.added, 3);
	assert_int_equal(r.listed, 3);
	rows_are(&s, "job.json.gz 11; job.json.gz/2 12; job.json.gz/3 13; ");
	assert_int_equal(scan(&s, false).added, 0);
	/* It has grown. */
	append(&file, 14);
	write_file(&s, &file, file.len, 400);
	assert_int_equal(scan(&s, false).added, 4);
	rows_are(&s, "job.json.gz 11; job.json.gz/2 12; job.json.gz/3 13; job.json.gz/4 14; ");
	/* Another one took its place. */
	append(&other, 21);
	append(&other, 22);
	write_file(&s, &other, other.len, 300);
	assert_int_equal(scan(&s, false).added, 2);
	rows_are(&s, "job.json.gz 21; job.json.gz/2 22; ");
	end(&s);
	buf_free(&file);
	buf_free(&other);
}

static int count_row(void *ctx, const struct catalog_result v[CATALOG_COLUMNS], struct err *e)
{
	(void)v;
	(void)e;
	++*(size_t *)ctx;
	return 0;
}

/* It has fewer than before, and their numbers have two digits. */
TEST_WITH(fewer, recordings_begin, recordings_end)
{
	const struct catalog_query all = {.group_by = NULL};
	struct scanned s;
	struct buf file = {0};
	struct err e = {0};
	size_t ten = 0, rows = 0;

	begin(&s, *state);
	for (int i = 1; i <= 14; i++) {
		append(&file, i);
		ten = i == 10 ? file.len : ten;
	}
	write_file(&s, &file, file.len, 500);
	assert_int_equal(scan(&s, false).added, 14);
	write_file(&s, &file, ten, 400);
	assert_int_equal(scan(&s, false).added, 10);
	assert_int_equal(catalog_list(s.c, &all, 9999, count_row, &rows, &e), 0);
	assert_int_equal(rows, 10);
	end(&s);
	buf_free(&file);
}

/* Sums of short steps beside recordings are no rows, and do not count. */
TEST_WITH(short_steps, recordings_begin, recordings_end)
{
	static const char sum[] = "{\"rtrack_short\":{\"n\":1,\"cpu_s\":0.5,\"longest_s\":2}}";
	struct scanned s;
	struct buf file = {0};
	struct scan_result r;

	begin(&s, *state);
	append_text(&file, sum);
	append(&file, 11);
	append_text(&file, sum);
	append(&file, 12);
	append_text(&file, sum);
	write_file(&s, &file, file.len, 500);
	r = scan(&s, false);
	assert_int_equal(r.added, 2);
	assert_int_equal(r.listed, 2);
	assert_int_equal(r.failed, 0);
	rows_are(&s, "job.json.gz 11; job.json.gz/2 12; ");
	assert_int_equal(scan(&s, false).added, 0);
	end(&s);
	buf_free(&file);
}

/* More than a batch has, in files beside each other; and in memory. */
TEST_WITH(many, recordings_begin, recordings_end)
{
	struct scanned s;
	struct buf file = {0};

	begin(&s, *state);
	recordings_file(s.t, "a.json", "{\"rtrack_row\":{\"wall_s\":5}}");
	for (int i = 0; i < 1300; i++)
		append(&file, 1000 + i);
	write_file(&s, &file, file.len, 500);
	recordings_file(s.t, "z.json", "{\"rtrack_row\":{\"wall_s\":6}}");
	assert_int_equal(scan(&s, true).added, 1302);
	assert_int_equal(scan(&s, false).added, 0);
	end(&s);
	buf_free(&file);
}

/* The last one is not whole: nothing is said of one that is written just now, and else each time. */
TEST_WITH(cut_off, recordings_begin, recordings_end)
{
	struct scanned s;
	struct buf file = {0};
	struct scan_result r;

	begin(&s, *state);
	for (int i = 11; i <= 13; i++)
		append(&file, i);
	write_file(&s, &file, file.len - 5, 0);
	r = scan(&s, false);
	assert_int_equal(r.added, 2);
	assert_int_equal(r.failed, 0);
	rows_are(&s, "job.json.gz 11; job.json.gz/2 12; ");
	write_file(&s, &file, file.len - 5, 500);
	for (int i = 0; i < 2; i++) {
		r = scan(&s, false);
		assert_int_equal(r.added, i ? 0 : 2);
		assert_int_equal(r.failed, 1);
		assert_non_null(strstr(buf_cstr(&s.sentences),
		                       "/job.json.gz: its last recording is not whole"));
	}
	write_file(&s, &file, file.len, 400);
	r = scan(&s, false);
	assert_int_equal(r.added, 3);
	assert_int_equal(r.failed, 0);
	end(&s);
	buf_free(&file);
}

/* One in the middle cannot be read: it is named each time, and added once it can be. */
TEST_WITH(one_left_out, recordings_begin, recordings_end)
{
	struct scanned s;
	struct buf file = {0};
	struct scan_result r;

	begin(&s, *state);
	append(&file, 11);
	append_text(&file, "{\"rtrack_row\":{\"wall_s\":1");
	append(&file, 13);
	write_file(&s, &file, file.len, 500);
	for (int i = 0; i < 2; i++) {
		r = scan(&s, false);
		assert_int_equal(r.added,
		                 i ? 1 : 2); /* the first is what shows that one is missing */
		assert_int_equal(r.failed, 1);
		assert_non_null(strstr(buf_cstr(&s.sentences), "/job.json.gz: "));
		rows_are(&s, "job.json.gz 11; job.json.gz/3 13; ");
	}
	end(&s);
	buf_free(&file);
}

TEST(files_of_sources)
{
	static const struct {
		const char *source;
		size_t n;
	} cases[] = {
	    {"/s/job.json.gz", 14},
	    {"/s/job.json.gz/2", 14},
	    {"/s/job.json.gz/1234", 14},
	    {"/s/job.json.gz/x", 16},
	    {"/s/2", 4},
	    {"/s/1/2", 6},
	    {"sacct://hpc/7", 13},
	    {"/s/a.txt/7", 10},
	    {"", 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(catalog_source_file(cases[i].source), cases[i].n);
}
