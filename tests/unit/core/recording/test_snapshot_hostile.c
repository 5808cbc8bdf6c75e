/* snapshot_read: whatever the file, one sentence that names it, no crash, bounded memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "core/base/buf.h"
#include "core/files/snapshot_read.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/unit.h"

#ifdef __SANITIZE_ADDRESS__
#define MANY 500000
#else
#define MANY 10000000
#endif

/* One printable line that begins with the name, and nothing left in s. */
static void is_a_sentence(const char *name, const struct snapshot *s, const struct err *e)
{
	assert_true(strncmp(e->msg, name, strlen(name)) == 0);
	assert_true(strncmp(e->msg + strlen(name), ": ", 2) == 0);
	assert_true(strlen(e->msg) > strlen(name) + 8);
	for (const char *c = e->msg; *c; c++)
		assert_true((unsigned char)*c >= 0x20);
	assert_null(s->arena);
	assert_null(frame_col(&s->rows[0], METRIC_PROCESS_TIMESTAMP));
	assert_int_equal(s->rows[0].rows + s->rows[1].rows, 0);
}

static void refused(int fd, const char *why)
{
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};

	if (snapshot_read(&s, fd, "bad.json", &e) != -1)
		fail_msg("taken, not: %s", why);
	is_a_sentence("bad.json", &s, &e);
	if (!strstr(e.msg, why))
		fail_msg("\"%s\" does not say \"%s\"", e.msg, why);
	close(fd);
}

/* A NUL would end a string for everything that reads it later. */
TEST(nul_bytes)
{
	static const struct {
		const char *text;
		size_t n;
		const char *why;
	} cases[] = {
#define NUL_AT(text, why) {text, sizeof text - 1, why}
	    NUL_AT("{\"rtrack\":{\"job\":{\"name\":\"a\0b\"}}}", "byte 27: a NUL byte in a string"),
	    NUL_AT("{\"rtrack\":{\"job\":{\"a\\\0b\":1}}}", "byte 21: a NUL byte in a string"),
	    NUL_AT("{\"metadata\0\":{}}", "byte 10: a NUL byte in a string"),
	    NUL_AT("{\"process_metrics\":{\"utime\0\":[1]}}", "byte 26: a NUL byte in a string"),
	    NUL_AT("{\"process_metrics\":{\"x\":\"\0\"}}", "byte 25: a NUL byte in a string"),
#undef NUL_AT
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int fd = memfd_create("nul", MFD_CLOEXEC);
		assert_int_equal(write(fd, cases[i].text, cases[i].n), cases[i].n);
		lseek(fd, 0, SEEK_SET);
		refused(fd, cases[i].why);
	}
}

TEST(wrong_texts)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
	    {"", "holds no samples: it is empty"},
	    {" \n", "byte 2: not a snapshot"},
	    {"{}", "none of its members is there"},
	    {"{\"a\":1}", "none of its members is there"},
	    {"{\"format\":\"rtrack-model\",\"version\":1}", "a model that --json wrote"},
	    {"{\"format\":\"rtrack-fleet\",\"version\":1}", "a model that --json wrote"},
	    {"{\"format\":\"other\"}", "none of its members is there"},
	    {"[]", "byte 0: not a snapshot"},
	    {"null", "byte 0: not a snapshot"},
	    {"rubbish", "byte 0: not a snapshot"},
	    {"rtrack-journal", "byte 0: not a snapshot"},
	    {"rtrack-journal 1\n", "the header of the journal is incomplete or invalid"},
	    {"rtrack-journal 1\n{}\n", "the header of the journal is incomplete or invalid"},
	    {"rtrack-journal 1\n{\"columns\":[]}",
	     "the header of the journal is incomplete or invalid"},
	    {"rtrack-journal 1\n{\"columns\":7}\n",
	     "the header of the journal is incomplete or invalid"},
	    {"<html>", "byte 0: not a snapshot"},
	    {"{", "byte 1: the JSON ends too early"},
	    {"{\"metadata\"", "byte 11: expected a colon"},
	    {"{\"metadata\":", "byte 12: the JSON ends too early"},
	    {"{\"metadata\":{\"pid\":}}", "byte 20: wrong JSON"},
	    {"{\"metadata\":{\"pid\":1 2}}", "wrong JSON"},
	    {"{\"metadata\":{\"pid\":tru e}}", "wrong JSON"},
	    {"{\"metadata\":{\"pid\":[1}}}", "a bracket that closes another kind"},
	    {"{\"metadata\":{},}", "a comma before a closing bracket"},
	    {"{\"metadata\":{}", "the JSON ends too early"},
	    {"{\"metadata\":{}} x", "byte 16: something follows"},
	    {"{\"metadata\":{},\"metadata\":{}}",
	     "byte 26: a member of the snapshot that appears twice"},
	    {"{\"process_metrics\":[],\"process_metrics\":{}}", "that appears twice"},
	    {"{\"process_metrics\":[1]}", "byte 20: expected an object"},
	    {"{\"process_metrics\":[null]}", "expected an object"},
	    {"{\"process_metrics\":{\"utime\":1}}", "expected an array"},
	    {"{\"process_metrics\":{\"utime\":[1,]}}", "a comma before a closing bracket"},
	    {"{\"process_metrics\":{\"utime\":[1 2]}}", "expected a comma"},
	    {"{\"process_metrics\":{\"utime\":[abc]}}", "expected a number"},
	    {"{\"process_metrics\":{\"utime\":[01]}}", "expected a number"},
	    {"{\"process_metrics\":{\"utime\":[1}}", "expected a comma or a closing bracket"},
	    {"{\"process_metrics\":[{\"utime\":1,\"x\"}]}", "expected a colon"},
	    {"{\"process_metrics\":[{\"a\\qb\":1}]}", "an invalid escape"},
	    {"{\"process_metrics\":[{\"utime\":\"unended}]}", "the JSON ends too early"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		refused(scratch_text(cases[i].text), cases[i].why);
		if (cases[i].text[0] != 'r')
			refused(scratch_gzip(cases[i].text, strlen(cases[i].text)), cases[i].why);
	}
}

TEST(truncated)
{
	int fd = open("tests/fixtures/runs/schema1-rows.json.gz", O_RDONLY);
	size_t n;
	char *p;

	assert_true(fd >= 0);
	p = scratch_slurp(fd, &n);
	close(fd);
	refused(scratch_bytes(p, 0), "it is empty");
	refused(scratch_bytes(p, 1), "not a snapshot");
	for (size_t k = 2; k < n; k++)
		refused(scratch_bytes(p, k), "the gzip data end too early");
	assert_true(n > 100);
	p[n > 100 ? n - 6 : 0] ^= 1;
	refused(scratch_bytes(p, n), "incorrect data check");
	free(p);

	fd = open("tests/fixtures/runs/schema1-rows.json", O_RDONLY);
	p = scratch_slurp(fd, &n);
	close(fd);
	for (size_t k = 0; k + 1 < n; k += 7)
		refused(scratch_bytes(p, k), k ? ": " : "it is empty");
	free(p);
}

TEST(nesting)
{
	static const char *const heads[] = {
	    "{\"metadata\":", "{\"unknown\":", "{\"process_metrics\":{\"utime\":[",
	    "{\"process_metrics\":[{\"x\":"};

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		struct buf b = {0};
		buf_str(&b, heads[i]);
		for (int k = 0; k < 100000; k++)
			buf_str(&b, i % 2 ? "{\"a\":" : "[");
		refused(scratch_bytes(b.s, b.len), "nested too deeply");
		buf_free(&b);
	}
}

TEST(not_files)
{
	static const struct {
		const char *path, *why;
	} cases[] = {
	    {"/", "is a directory, not a snapshot"},
	    {"/dev/zero", "is not a regular file"},
	    {"/dev/null", "is not a regular file"},
	    {"/no/such/file", "No such file or directory"},
	    {"", "No such file or directory"},
	    {"/proc/self/mem", "cannot be read: Input/output error"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot s = {.unfinished = false};
		struct err e = {{0}};
		assert_int_equal(snapshot_read_file(&s, cases[i].path, &e), -1);
		is_a_sentence(cases[i].path, &s, &e);
		if (!strstr(e.msg, cases[i].why))
			fail_msg("%s", e.msg);
	}
}

/* Nobody will ever write there, and reading does not wait. */
TEST(fifo)
{
	char dir[] = "/tmp/rtrack-test-XXXXXX", path[40];
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/fifo", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(snapshot_read_file(&s, path, &e), -1);
	is_a_sentence(path, &s, &e);
	unlink(path);
	rmdir(dir);
}

TEST(endless_zeros)
{
	refused(open("/dev/zero", O_RDONLY), "byte 0: not a snapshot");
}

TEST(a_journal_in_a_pipe)
{
	static const char text[] = "rtrack-journal 1\n{\"columns\":[]}\n";

	refused(scratch_drip(text, sizeof text - 1, sizeof text - 1), "must be a file, not a pipe");
}

TEST(bombs)
{
	static const struct {
		const char *head, *unit, *why;
	} cases[] = {
	    {"{\"metadata\":{\"x\":\"", "aaaaaaaaaaaaaaaa", "a string that is too long"},
	    {"{\"x\":\"", "aaaaaaaaaaaaaaaa", "a string that is too long"},
	    {"{\"", "aaaaaaaaaaaaaaaa", "a string that is too long"},
	    {"{\"process_metrics\":{\"utime\":[\"", "\\u0061\\u0061", "a string that is too long"},
	    {"{\"process_metrics\":[{\"", "\\n", "a string that is too long"},
	    {"{\"rtrack\":{\"notes\":[0", ",0,0,0,0,0,0,0,0", "a value that is too long"},
	    {"{\"process_metrics\":{\"utime\":[0", "0000000000000000", "a number that is too long"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		buf_str(&b, cases[i].head);
		while (b.len < 16 << 20)
			buf_str(&b, cases[i].unit);
		refused(scratch_gzip(b.s, b.len), cases[i].why);
		buf_free(&b);
	}
}

/* CPU time, which other processes of a busy machine do not lengthen. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long peak_kb(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

/* head; many times key, a number and value; tail. */
static int many(int n, const char *head, const char *key, const char *value, const char *tail)
{
	int fd = memfd_create("many", MFD_CLOEXEC);
	struct gz_out *g = gz_out_new(fd, NULL);
	char text[64];

	assert_non_null(g);
	gz_write(g, head, strlen(head), NULL);
	for (int i = 0; i < n; i++) {
		int len = snprintf(text, sizeof text, "\"%s%03d\":%s,", key, i % 1000, value);
		gz_write(g, text, (size_t)len, NULL);
	}
	gz_write(g, tail, strlen(tail), NULL);
	assert_int_equal(gz_finish(g, NULL), 0);
	gz_out_free(g);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/* Ten million columns, a million cells of a row and members: a little time, and no memory. */
TEST(millions)
{
	static const struct {
		const char *head, *key, *value, *tail;
	} cases[] = {
	    {"{\"process_metrics\":{", "column_", "[]", "\"utime\":[1]}}"},
	    {"{\"process_metrics\":[{", "t", "0", "\"utime\":1}]}"},
	    {"{", "k", "{}", "\"process_metrics\":{\"utime\":[1]}}"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int fd = many(i ? MANY / 10 : MANY, cases[i].head, cases[i].key, cases[i].value,
		              cases[i].tail);
		struct snapshot s = {.unfinished = false};
		struct err e = {{0}};
		long before = peak_kb();
		double began = now();
		if (snapshot_read(&s, fd, "many.json", &e))
			fail_msg("%s", e.msg);
		assert_true(now() - began < 30);
		assert_true(peak_kb() - before < 50000);
		assert_true(frame_col(&s.rows[0], METRIC_PROCESS_UTIME)[0] == 1);
		snapshot_free(&s);
		close(fd);
	}
}

#ifndef __SANITIZE_ADDRESS__
/* A few kilobytes that ask for a column of 4 million rows, and for as many cells of each other. */
TEST(row_caps)
{
	struct buf b = {0};
	size_t n = 18 << 20;
	int fd = memfd_create("rows", MFD_CLOEXEC);
	struct gz_out *g = gz_out_new(fd, NULL);
	char *cells = malloc(2 * n);

	for (size_t i = 0; i < n; i++)
		memcpy(cells + 2 * i, "0,", 2);
	buf_str(&b, "{\"process_metrics\":{\"utime\":[");
	gz_write(g, b.s, b.len, NULL);
	gz_write(g, cells, 2 * n, NULL);
	gz_write(g, "0]}}", 4, NULL);
	gz_finish(g, NULL);
	gz_out_free(g);
	lseek(fd, 0, SEEK_SET);
	refused(fd, "utime: more than 4194304 rows");

	fd = memfd_create("cells", MFD_CLOEXEC);
	g = gz_out_new(fd, NULL);
	buf_clear(&b);
	buf_str(&b, "{\"system_metrics\":{");
	for (int id = METRIC_SYSTEM_PROCESSES; id < METRIC_COUNT; id++)
		buf_printf(&b, "\"%s\":[0],", metrics[id].name[1]);
	buf_str(&b, "\"timestamp\":[");
	gz_write(g, b.s, b.len, NULL);
	gz_write(g, cells, (size_t)6 << 20, NULL);
	gz_write(g, "0]}}", 4, NULL);
	gz_finish(g, NULL);
	gz_out_free(g);
	lseek(fd, 0, SEEK_SET);
	refused(fd, "more than 134217728 cells");
	free(cells);
	buf_free(&b);
}
#endif
