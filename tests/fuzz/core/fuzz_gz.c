/* gz: bytes as a file, that is gzip or not; and as the content of members, that read back whole. */
#include <string.h>

#include "core/base/buf.h"
#include "core/base/gz.h"
#include "tests/fuzz/fuzz.h"

#define CONTENT_MAX ((uint64_t)1 << 20)

/* Reads in steps of n bytes. */
static int read_all(int fd, size_t n, struct buf *out, struct err *e)
{
	struct gz_in *g = gz_in_new(fd, CONTENT_MAX, e);
	char part[4096];
	long got;

	must(g != NULL);
	while ((got = gz_read(g, part, n, e)) > 0) {
		must((size_t)got <= n);
		buf_add(out, part, (size_t)got);
	}
	must(got == 0 || *e->msg);
	must(out->len <= CONTENT_MAX + n);
	gz_in_free(g);
	return got < 0 ? -1 : 0;
}

/* How it is read does not matter; but where in damaged data zlib stops. */
static void as_file(const uint8_t *data, size_t size)
{
	struct buf one = {0}, two = {0};
	struct err e = {{0}}, f = {{0}};
	int fd = fuzz_file(data, size), a = read_all(fd, 4096, &one, &e), b;

	lseek(fd, 0, SEEK_SET);
	b = read_all(fd, 7, &two, &f);
	must(a == b);
	must(a || (one.len == two.len && memcmp(buf_cstr(&one), buf_cstr(&two), one.len) == 0));
	buf_free(&one);
	buf_free(&two);
	close(fd);
}

static void put(int fd, const uint8_t *p, size_t n)
{
	struct gz_out *g = gz_out_new(fd, NULL);

	must(g && gz_write(g, (const char *)p, n, NULL) == 0 && gz_finish(g, NULL) == 0);
	gz_out_free(g);
}

/* Each byte 0xff ends a member; a file that was cut says so. */
static void as_members(const uint8_t *data, size_t size)
{
	struct buf want = {0}, got = {0}, less = {0};
	struct err e = {{0}}, f = {{0}};
	int fd = fuzz_file("", 0);
	off_t end;

	for (size_t at = 0, n; at < size; at += n + 1) {
		const uint8_t *stop = memchr(data + at, 0xff, size - at);
		n = stop ? (size_t)(stop - (data + at)) : size - at;
		put(fd, data + at, n);
		buf_add(&want, data + at, n);
	}
	end = lseek(fd, 0, SEEK_CUR);
	lseek(fd, 0, SEEK_SET);
	must(read_all(fd, 4096, &got, &e) == 0 && got.len == want.len);
	must(memcmp(buf_cstr(&got), buf_cstr(&want), got.len) == 0);
	if (end > 20) {
		must(ftruncate(fd, end - 1) == 0);
		lseek(fd, 0, SEEK_SET);
		must(read_all(fd, 4096, &less, &f) && strstr(f.msg, "too early"));
	}
	buf_free(&want);
	buf_free(&got);
	buf_free(&less);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	as_file(data, size);
	as_members(data, size);
	return 0;
}
