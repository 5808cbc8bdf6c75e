/* gz: gzip and plain bytes alike; what is damaged, endless or too large ends in a sentence. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/base/buf.h"
#include "core/base/gz.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/unit.h"

/* Reads all of fd in pieces of step bytes. 0, or -1. Closes fd. */
static int read_all(int fd, uint64_t max, size_t step, struct buf *out, struct err *e)
{
	struct gz_in *g = gz_in_new(fd, max, e);
	char *p = malloc(step);
	long n;

	assert_non_null(g);
	assert_non_null(p);
	while ((n = gz_read(g, p, step, e)) > 0)
		buf_add(out, p, (size_t)n);
	if (n == 0)
		assert_int_equal(gz_read(g, p, step, e), 0);
	assert_int_equal(gz_read(g, p, 0, e), 0);
	gz_in_free(g);
	free(p);
	close(fd);
	return n < 0 ? -1 : 0;
}

static char *noise(size_t n)
{
	char *p = malloc(n);
	uint32_t s = 1;

	assert_non_null(p);
	for (size_t i = 0; i < n; i++) {
		s = s * 1664525 + 1013904223;
		p[i] = (char)(s >> 24 & 0x3f);
	}
	return p;
}

TEST(both_kinds)
{
	static const size_t sizes[] = {0, 1, 2, 65535, 65536, 65537, 300000};
	static const size_t steps[] = {1000000, 65536, 777};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
			char *p = noise(sizes[i] ? sizes[i] : 1);
			struct buf plain = {0}, packed = {0};
			int fd = scratch_gzip(p, sizes[i]);
			assert_int_equal(
			    read_all(scratch_bytes(p, sizes[i]), 1 << 30, steps[k], &plain, NULL),
			    0);
			assert_int_equal(read_all(fd, 1 << 30, steps[k], &packed, NULL), 0);
			assert_int_equal(plain.len, sizes[i]);
			assert_int_equal(packed.len, sizes[i]);
			if (sizes[i]) {
				assert_memory_equal(plain.s, p, sizes[i]);
				assert_memory_equal(packed.s, p, sizes[i]);
			}
			buf_free(&plain);
			buf_free(&packed);
			free(p);
		}
}

TEST(fixed_bytes)
{
	/* A gzip file of "hello" made by another program. */
	static const unsigned char hello[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	                                      0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x86,
	                                      0xa6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00};
	struct buf out = {0};

	assert_int_equal(read_all(scratch_bytes(hello, sizeof hello), 100, 100, &out, NULL), 0);
	assert_string_equal(buf_cstr(&out), "hello");
	buf_free(&out);
}

TEST(one_member_without_a_time)
{
	size_t n, m;
	int a = scratch_gzip("x", 1), b = scratch_gzip("x", 1);
	char *p = scratch_slurp(a, &n), *q = scratch_slurp(b, &m);

	assert_int_equal(n, m);
	assert_memory_equal(p, q, n);
	assert_memory_equal(p, "\x1f\x8b\x08\0\0\0\0\0", 8);
	free(p);
	free(q);
	close(a);
	close(b);
}

TEST(truncated)
{
	char *p = noise(2000), *whole;
	size_t n;
	int fd = scratch_gzip(p, 2000);

	whole = scratch_slurp(fd, &n);
	close(fd);
	for (size_t k = 2; k < n; k++) {
		struct buf out = {0};
		struct err e = {{0}};
		assert_int_equal(read_all(scratch_bytes(whole, k), 1 << 20, 100, &out, &e), -1);
		assert_non_null(strstr(e.msg, "the gzip data end too early"));
		buf_free(&out);
	}
	free(whole);
	free(p);
}

TEST(damaged)
{
	static const char text[] = "some text that is not worth compressing";
	char *whole;
	size_t n, seen = 0;
	int fd = scratch_gzip(text, sizeof text);

	whole = scratch_slurp(fd, &n);
	close(fd);
	for (size_t i = 10; i < n;
	     i++) /* behind the header, whose flags and time may be anything */
		for (int bit = 0; bit < 8; bit++) {
			struct buf out = {0};
			struct err e = {{0}};
			whole[i] = (char)(whole[i] ^ 1 << bit);
			/* Bits after the last code of a block mean nothing. */
			if (read_all(scratch_bytes(whole, n), 1 << 20, 100, &out, &e))
				assert_true(strstr(e.msg, "damaged") || strstr(e.msg, "too early"));
			else
				assert_memory_equal(buf_cstr(&out), text, sizeof text);
			seen += *e.msg != 0;
			whole[i] = (char)(whole[i] ^ 1 << bit);
			buf_free(&out);
		}
	assert_true(seen > 300);
	whole[n - 8] ^= 1;
	{
		struct buf out = {0};
		struct err e = {{0}};
		assert_int_equal(read_all(scratch_bytes(whole, n), 1 << 20, 100, &out, &e), -1);
		assert_string_equal(
		    e.msg, "damaged gzip data after 40 bytes of content: incorrect data check");
		buf_free(&out);
	}
	free(whole);
}

TEST(members)
{
	int a = scratch_gzip("one,", 4), b = scratch_gzip("", 0), c = scratch_gzip("two", 3);
	struct buf file = {0}, out = {0};
	int order[] = {b, a, b, b, c, b};

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		size_t n;
		char *p = scratch_slurp(order[i], &n);
		buf_add(&file, p, n);
		free(p);
	}
	assert_int_equal(read_all(scratch_bytes(file.s, file.len), 100, 100, &out, NULL), 0);
	assert_string_equal(buf_cstr(&out), "one,two");
	buf_clear(&out);
	assert_int_equal(read_all(scratch_drip(file.s, file.len, 1), 100, 1, &out, NULL), 0);
	assert_string_equal(buf_cstr(&out), "one,two");
	/* Padding after the last member, as tapes have it, is passed over. */
	buf_clear(&out);
	buf_add(&file, "\0\0\0\0", 4);
	assert_int_equal(read_all(scratch_bytes(file.s, file.len), 100, 100, &out, NULL), 0);
	assert_string_equal(buf_cstr(&out), "one,two");
	buf_free(&file);
	buf_free(&out);
	close(a);
	close(b);
	close(c);
}

TEST(caps)
{
	size_t n = 50 << 20, packed;
	char *p = calloc(1, n);
	struct buf out = {0};
	struct err e = {{0}};
	int fd;

	assert_non_null(p);
	fd = scratch_gzip(p, n);
	free(p);
	free(scratch_slurp(fd, &packed));
	assert_true(packed < 100000);
	assert_int_equal(read_all(dup(fd), 1 << 20, 65536, &out, &e), -1);
	assert_string_equal(e.msg, "more than 1 MiB of content");
	assert_true(out.len <= 1 << 20);
	buf_free(&out);
	close(fd);

	/* Exactly as much as is allowed is allowed. */
	assert_int_equal(read_all(scratch_text("12345"), 5, 3, &out, &e), 0);
	assert_int_equal(read_all(scratch_text("123456"), 5, 3, &out, &e), -1);
	buf_free(&out);
}

/* A child that writes p over and over until nobody reads. */
static int endless(const char *p, size_t n, pid_t *child)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	*child = fork();
	assert_true(*child >= 0);
	if (*child == 0) {
		close(ends[0]);
		signal(SIGPIPE, SIG_DFL);
		while (write(ends[1], p, n) > 0)
			continue;
		_exit(0);
	}
	close(ends[1]);
	return ends[0];
}

TEST(endless_input)
{
	/* plain zeros; empty members; one member of empty blocks */
	static const char zeros[4096];
	static const char block[] = "\0\0\0\xff\xff";
	char header[] = "\x1f\x8b\x08\0\0\0\0\0\0\3";
	char *member;
	size_t n;
	int fd = scratch_gzip("", 0);

	member = scratch_slurp(fd, &n);
	close(fd);
	for (int kind = 0; kind < 3; kind++) {
		struct buf out = {0}, first = {0};
		struct err e = {{0}};
		pid_t child;
		if (kind == 0)
			buf_add(&first, zeros, sizeof zeros);
		for (int i = 0; kind == 1 && i < 200; i++)
			buf_add(&first, member, n);
		/* The blocks are written so often that the header comes back as damaged data only
		 * after the cap. */
		if (kind == 2)
			buf_add(&first, header, 10);
		for (int i = 0; kind == 2 && i < 1000000; i++)
			buf_add(&first, block, 5);
		fd = endless(first.s, first.len, &child);
		assert_int_equal(read_all(fd, 2 << 20, 65536, &out, &e), -1);
		assert_non_null(strstr(e.msg, "more than 2 MiB of"));
		waitpid(child, NULL, 0);
		buf_free(&out);
		buf_free(&first);
	}
	free(member);
}

TEST(a_byte_at_a_time)
{
	struct buf out = {0};
	size_t n;
	int fd = scratch_gzip("drop by drop", 12);
	char *p = scratch_slurp(fd, &n);

	close(fd);
	assert_int_equal(read_all(scratch_drip(p, n, 1), 100, 100, &out, NULL), 0);
	assert_string_equal(buf_cstr(&out), "drop by drop");
	buf_clear(&out);
	assert_int_equal(read_all(scratch_drip("plain", 5, 1), 100, 100, &out, NULL), 0);
	assert_string_equal(buf_cstr(&out), "plain");
	buf_free(&out);
	free(p);
}

/* More than the buffer, in pieces that do not divide it. */
TEST(without_compression)
{
	struct buf out = {0};
	char *p = noise(300000);
	FILE *f = tmpfile();
	struct gz_out *g = gz_out_plain(fileno(f), NULL);

	for (size_t at = 0; at < 300000; at += 7000)
		assert_int_equal(gz_write(g, p + at, at + 7000 < 300000 ? 7000 : 300000 - at, NULL),
		                 0);
	assert_int_equal(gz_finish(g, NULL), 0);
	gz_out_free(g);
	assert_int_equal(lseek(fileno(f), 0, SEEK_END), 300000);
	assert_int_equal(lseek(fileno(f), 0, SEEK_SET), 0);
	assert_int_equal(read_all(dup(fileno(f)), 300000, 5000, &out, NULL), 0);
	assert_int_equal(out.len, 300000);
	assert_memory_equal(out.s, p, 300000);
	fclose(f);
	buf_free(&out);
	free(p);
}

TEST(bad_descriptors)
{
	struct buf out = {0};
	struct err e = {{0}};
	int fd = open("/", O_RDONLY | O_DIRECTORY);
	struct gz_out *g;
	char *p = noise(300000);

	assert_int_equal(read_all(fd, 100, 100, &out, &e), -1);
	assert_string_equal(e.msg, "cannot be read: Is a directory");
	buf_free(&out);

	fd = open("/dev/full", O_WRONLY);
	g = gz_out_new(fd, &e);
	assert_non_null(g);
	assert_true(gz_write(g, p, 300000, &e) || gz_finish(g, &e));
	assert_string_equal(e.msg, "No space left on device");
	gz_out_free(g);
	close(fd);
	free(p);
	gz_in_free(NULL);
	gz_out_free(NULL);
}

TEST(text_in_memory)
{
	struct err e = {0};
	char *p = noise(200000), *got = malloc(200000);
	size_t at = 0;
	struct gz_in *g = gz_in_text(p, 200000, 200000, &e);
	long n;

	assert_non_null(got);
	while ((n = gz_read(g, got + at, 70000 < 200000 - at ? 70000 : 200000 - at, &e)) > 0)
		at += (size_t)n;
	assert_int_equal(at, 200000);
	assert_memory_equal(got, p, at);
	assert_int_equal(gz_in_total(g), at);
	assert_int_equal(gz_read(g, got, 10, &e), 0);
	gz_in_free(g);
	/* The cap holds; bytes that look like gzip are text. */
	g = gz_in_text(p, 200000, 199999, &e);
	assert_int_equal(gz_read(g, got, 200000, &e), -1);
	gz_in_free(g);
	g = gz_in_text("\x1f\x8b", 2, 10, &e);
	assert_int_equal(gz_read(g, got, 10, &e), 2);
	gz_in_free(g);
	assert_null(gz_in_text(p, ((size_t)1 << 30) + 1, UINT64_MAX, &e));
	free(got);
	free(p);
}

/* Beginnings, one after the other with the same memory: as much as there is, and no more. */
TEST(beginnings)
{
	struct gz_head *g = gz_head_new(NULL);
	char out[3000], *p = noise(200000), *raw;
	size_t n;
	int fd = scratch_gzip(p, 200000);

	assert_non_null(g);
	raw = scratch_slurp(fd, &n);
	for (int again = 0; again < 2; again++) {
		long got;
		assert_int_equal(gz_head_read(g, raw, 65000, out, sizeof out), sizeof out);
		assert_memory_equal(out, p, sizeof out);
		got = gz_head_read(g, raw, 1000, out, sizeof out); /* cut */
		assert_in_range(got, 1, sizeof out);
		assert_memory_equal(out, p, (size_t)got);
		assert_int_equal(gz_head_read(g, raw, 12, out, sizeof out), 0);
		assert_int_equal(gz_head_read(g, "{}", 2, out, sizeof out), 2); /* plain */
		assert_memory_equal(out, "{}", 2);
		assert_int_equal(gz_head_read(g, p, 200000, out, 7), 7);
		assert_memory_equal(out, p, 7);
		assert_int_equal(gz_head_read(g, "", 0, out, sizeof out), 0);
		assert_int_equal(gz_head_read(g, "\x1f\x8b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		                              12, out, sizeof out),
		                 -1);
	}
	close(fd);
	free(raw);
	fd = scratch_gzip("short", 5);
	raw = scratch_slurp(fd, &n);
	assert_int_equal(gz_head_read(g, raw, n, out, sizeof out), 5); /* its end is there, too */
	assert_memory_equal(out, "short", 5);
	close(fd);
	free(raw);
	free(p);
	gz_head_free(g);
	gz_head_free(NULL);
}

TEST(packed_in_memory)
{
	struct err e = {0};
	struct buf out = {0};
	char *p = malloc(1 << 20), got[4096];
	size_t at = 0;
	FILE *f = tmpfile();
	struct gz_in *g;
	long n;

	for (size_t i = 0; i < 1 << 20; i++)
		p[i] = (char)(i * i >> 7);
	buf_str(&out, "before");
	assert_int_equal(gz_pack(&out, p, 1 << 20, 6, &e), 0);
	assert_int_equal(fwrite(out.s + 6, 1, out.len - 6, f), out.len - 6);
	rewind(f);
	g = gz_in_new(fileno(f), 1 << 20, &e);
	for (; (n = gz_read(g, got, sizeof got, &e)) > 0; at += (size_t)n)
		assert_memory_equal(got, p + at, (size_t)n);
	assert_int_equal(n, 0);
	assert_int_equal(at, 1 << 20);
	gz_in_free(g);
	fclose(f);
	buf_free(&out);
	out.max = 10;
	assert_int_equal(gz_pack(&out, p, 1 << 20, 6, &e), -1);
	assert_string_equal(e.msg, "no room for 1048576 packed bytes");
	buf_free(&out);
	free(p);
}

struct bytes_of {
	const char *p;
	size_t n, step; /* at most so many at once */
	uint64_t fail_at;
};

static long give_bytes(void *ctx, uint64_t at, void *p, size_t n, struct err *e)
{
	const struct bytes_of *b = ctx;

	if (at >= b->fail_at)
		return err_set(e, "lost");
	n = n < b->step ? n : b->step;
	n = n < b->n - at ? n : b->n - (size_t)at;
	memcpy(p, b->p + at, n);
	return (long)n;
}

static long read_source(const struct bytes_of *b, struct buf *out, struct err *e)
{
	const struct gz_source from = {give_bytes, (void *)b};
	struct gz_in *g = gz_in_from(&from, 1 << 20, e);
	char p[1000];
	long n;

	assert_non_null(g);
	while ((n = gz_read(g, p, sizeof p, e)) > 0)
		buf_add(out, p, (size_t)n);
	gz_in_free(g);
	return n;
}

/* A source is asked in order, from 0 on, and its failure is the sentence. */
TEST(sources)
{
	static const size_t steps[] = {1, 7, 100000};
	char *text = noise(70000);
	struct buf packed = {0}, out = {0};
	struct err e = {0};

	assert_int_equal(gz_pack(&packed, text, 70000, 6, &e), 0);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct bytes_of b = {packed.s, packed.len, steps[i], UINT64_MAX};
		assert_int_equal(read_source(&b, &out, &e), 0);
		assert_int_equal(out.len, 70000);
		assert_memory_equal(out.s, text, 70000);
		buf_free(&out);
		b.fail_at = 30000;
		assert_int_equal(read_source(&b, &out, &e), -1);
		assert_string_equal(e.msg, "lost");
		buf_free(&out);
		b = (struct bytes_of){text, 70000, steps[i], UINT64_MAX};
		assert_int_equal(read_source(&b, &out, &e), 0);
		assert_int_equal(out.len, 70000);
		buf_free(&out);
	}
	buf_free(&packed);
	free(text);
}
