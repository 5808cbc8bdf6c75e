/* Fuzzes phase_fifo_read: a job writes to the FIFO in parts, and every complete line is delivered
 * once. */
#include <fcntl.h>
#include <string.h>

#include "collect/command/phase_fifo.h"
#include "core/base/buf.h"
#include "tests/fuzz/fuzz.h"

static void take(void *ctx, const char *line, size_t n)
{
	must(n <= sizeof((struct phase_fifo *)0)->line && !memchr(line, '\n', n));
	buf_add(ctx, line, n);
	buf_char(ctx, '\n');
}

/* The expected result: all complete lines that are not too long. */
static void expect(const uint8_t *data, size_t size, struct buf *out)
{
	for (size_t at = 0; at < size;) {
		const uint8_t *end = memchr(data + at, '\n', size - at);
		size_t n = end ? (size_t)(end - (data + at)) : size - at;
		if (end && n <= sizeof((struct phase_fifo *)0)->line)
			buf_add(out, data + at, n + 1);
		at += n + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct phase_fifo *m = calloc(1, sizeof *m);
	struct buf got = {0}, want = {0};
	size_t step = size ? data[0] * 16u + 1 : 1;
	int ends[2];

	must(m && pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0);
	m->fd = ends[0];
	for (size_t at = 0; at < size; at += step) {
		size_t n = size - at < step ? size - at : step;
		must(write(ends[1], data + at, n) == (ssize_t)n);
		phase_fifo_read(m, take, &got);
	}
	expect(data, size, &want);
	must(got.len == want.len && memcmp(buf_cstr(&got), buf_cstr(&want), got.len) == 0);
	close(ends[0]);
	close(ends[1]);
	buf_free(&got);
	buf_free(&want);
	free(m);
	return 0;
}
