/* recordings: a file of several recordings is visited one by one; what was cut off is said. */
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "core/files/recordings.h"
#include "core/files/snapshot_read.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/unit.h"

/* Appends text as a member that states its size, and returns where the file ends then. */
static size_t add_stated(struct buf *file, const char *text)
{
	int fd = scratch_gzip(text, strlen(text));
	size_t n;
	char *p = scratch_slurp(fd, &n);

	assert_int_equal(gz_member_state(file, p, n), 0);
	free(p);
	close(fd);
	return file->len;
}

TEST(visit)
{
	struct buf file = {0};
	size_t ends[3];
	struct recordings v = {.fd = -1};
	struct err e = {{0}};

	ends[0] = add_stated(&file, "{\"rtrack\": null}");
	ends[1] = add_stated(&file, "{}");
	ends[2] = add_stated(&file, "{\"metadata\": null}");
	assert_int_equal(gz_member_size(file.s, file.len), ends[0]);
	v.fd = scratch_bytes(file.s, file.len);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(recordings_next(&v, &e), 1);
		assert_int_equal(v.at, i ? ends[i - 1] : 0);
		assert_int_equal(v.at + v.n, ends[i]);
	}
	assert_int_equal(recordings_next(&v, &e), 0);
	close(v.fd);
	buf_free(&file);
}

/* Wherever a file is cut, the whole recordings before it are there, and the rest is said. */
TEST(cut)
{
	struct buf file = {0};
	size_t first = add_stated(&file, "{\"rtrack\": null}"), both = add_stated(&file, "{}");

	for (size_t n = GZ_MEMBER_HEAD; n <= both; n++) {
		struct recordings v = {.fd = scratch_bytes(file.s, n)};
		struct err e = {{0}};
		int whole = n >= both ? 2 : n >= first, got = 0, last;
		while ((last = recordings_next(&v, &e)) > 0)
			got++;
		assert_int_equal(got, whole);
		assert_int_equal(last, n == first || n == both ? 0 : -1);
		assert_int_equal(v.at, whole == 2 ? both : whole ? first : 0);
		close(v.fd);
	}
	buf_free(&file);
}

/* A journal may grow between two looks at it. */
TEST(grows)
{
	struct recordings v = {.fd = scratch_bytes("one", 3)};
	struct err e = {{0}};

	assert_int_equal(recordings_next(&v, &e), 1);
	assert_int_equal(pwrite(v.fd, "more", 4, 3), 4);
	assert_int_equal(recordings_next(&v, &e), 0);
	close(v.fd);
}

/* Other files are one recording, whatever they hold: also members without their size. */
TEST(others)
{
	static const char *const texts[] = {"", "{}", "timestamp,pid\n1,2\n"};
	struct err e = {{0}};

	for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
		const char *text = texts[i / 2];
		struct recordings v = {.fd = i % 2 ? scratch_gzip(text, strlen(text))
		                                   : scratch_text(text)};
		assert_int_equal(recordings_next(&v, &e), 1);
		assert_int_equal(v.at, 0);
		assert_int_equal(recordings_next(&v, &e), 0);
		close(v.fd);
	}
}

/* Only regular files are opened: of a FIFO without a writer, open(2) would not return, or its one
 * reader would be lost. */
TEST(regular_files)
{
	char path[] = "/tmp/rtrack-test-XXXXXX", fifo[64];
	struct recordings v;

	assert_non_null(mkdtemp(path));
	snprintf(fifo, sizeof fifo, "%s/fifo", path);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(recordings_open(&v, fifo), -1);
	assert_int_equal(recordings_open(&v, path), -1);
	assert_int_equal(unlink(fifo) | rmdir(path), 0);
	assert_int_equal(recordings_open(&v, fifo), -1);
	recordings_close(&v);
	assert_int_equal(v.fd, -1);
}

/* A sum of short steps: what is there, and what is not. */
TEST(short_steps)
{
	static const struct {
		const char *text;
		int is;
		double n, cpu_s;
	} cases[] = {
	    {"{\"rtrack_short\":{\"n\":2,\"cpu_s\":0}}", RECORDINGS_SHORT, 2, 0},
	    {"{\"rtrack_short\":{\"n\":2}}", RECORDINGS_SHORT, 2, NAN},
	    {"{\"rtrack_short\":{\"n\":2,\"cpu_s\":-1}}", RECORDINGS_SHORT, 2, NAN},
	    {"{\"rtrack_short\":{\"n\":2,\"cpu_s\":null,\"new\":7}}", RECORDINGS_SHORT, 2, NAN},
	    {"{\"rtrack_short\":{\"n\":0}}", 1, 0, 0},
	    {"{\"rtrack_short\":{}}", 1, 0, 0},
	    {"{\"rtrack_short\":[2]}", 1, 0, 0},
	    {"{\"rtrack_short\":{\"n\":2", 1, 0, 0},
	    {"{\"rtrack_shorts\":{\"n\":2}}", 1, 0, 0},
	    {"[\"rtrack_short\"]", 1, 0, 0},
	    {"{}", 1, 0, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf file = {0};
		struct recordings v = {.fd = -1};
		struct err e = {{0}};

		add_stated(&file, cases[i].text);
		v.fd = scratch_bytes(file.s, file.len);
		assert_int_equal(recordings_next(&v, &e), cases[i].is);
		if (cases[i].is == RECORDINGS_SHORT)
			assert_true(v.sum.n == cases[i].n &&
			            (isnan(cases[i].cpu_s) ? isnan(v.sum.cpu_s)
			                                   : v.sum.cpu_s == cases[i].cpu_s));
		close(v.fd);
		buf_free(&file);
	}
}

/* A reader of one content has the first alone, not all of them as one. */
TEST(first_alone)
{
	struct buf file = {0};
	struct gz_in *g;
	char text[100];
	int fd;

	add_stated(&file, "one");
	add_stated(&file, "two");
	fd = scratch_bytes(file.s, file.len);
	g = gz_in_new(fd, 100, NULL);
	assert_int_equal(gz_read(g, text, sizeof text, NULL), 3);
	assert_true(gz_in_is_stated(g));
	assert_int_equal(gz_read(g, text, sizeof text, NULL), 0);
	gz_in_free(g);
	close(fd);
	buf_free(&file);
}

/* Only what gz_out writes can be stated. */
TEST(no_member)
{
	struct buf out = {0};

	assert_int_equal(gz_member_state(&out, "{}", 2), -1);
	assert_int_equal(gz_member_state(&out, "\x1f\x8b\x08\x08........name", 18), -1);
	assert_int_equal(out.len, 0);
	buf_free(&out);
}
