/* jsonin: any bytes as JSON. Read as a tree, or passed over: what the first takes the second takes,
 * and the copy reads the same. */
#include <math.h>
#include <string.h>

#include "core/json/json_read.h"
#include "tests/fuzz/fuzz.h"

static uint64_t mixed(uint64_t sum, const void *p, size_t n)
{
	const unsigned char *c = p;

	for (size_t i = 0; i < n; i++)
		sum = (sum ^ c[i]) * 1099511628211u;
	return sum;
}

/* Reads a value of any kind; *sum depends on all that it holds. */
static int walk(struct json_read *j, uint64_t *sum)
{
	struct buf s = {.max = 4096};
	int c = json_read_peek(j), more = 0, r = 0;
	bool first = true;
	double v;

	if (c == '"' || c == '{' || c == '[')
		*sum = mixed(*sum, &c, 1);
	if (c == '"') {
		r = json_read_string(j, &s);
		*sum = mixed(*sum, buf_cstr(&s), s.len);
	} else if (c != '{' && c != '[') {
		r = json_read_cell(j, &v);
		must(r || !isinf(v));
		*sum = r || isnan(v) ? *sum + 1 : mixed(*sum, &v, sizeof v);
	} else {
		r = json_read_open(j, (char)c);
		while (!r && (more = json_read_more(j, (char)c, &first)) > 0) {
			if (c == '{')
				r = json_read_key(j, &s);
			*sum = mixed(*sum, buf_cstr(&s), s.len);
			r = r || walk(j, sum) ? -1 : 0;
		}
	}
	buf_free(&s);
	return r || more < 0 ? -1 : 0;
}

/* How to read: as a tree (sum), or by passing over (copy). */
static int read_text(const void *p, size_t n, uint64_t *sum, struct buf *copy)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC), r;
	struct gz_in *g = gz_in_new(fd, 1 << 20, NULL);
	struct json_read *j = malloc(sizeof *j);
	struct err e = {{0}};

	must(fd >= 0 && g && j && write(fd, p, n) == (ssize_t)n && lseek(fd, 0, SEEK_SET) == 0);
	json_read_init(j, g, "fuzz", &e);
	r = (sum ? walk(j, sum) : json_read_skip(j, copy)) || json_read_end(j) ? -1 : 0;
	must(j->failed == (r != 0) && (*e.msg != 0) == (r != 0));
	must(r == 0 || strncmp(e.msg, "fuzz: ", 6) == 0);
	free(j);
	gz_in_free(g);
	close(fd);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t one = 0, two = 0;
	struct buf copy = {.max = 1 << 22};

	if (read_text(data, size, &one, NULL) == 0) {
		must(read_text(data, size, NULL, &copy) == 0);
		must(read_text(copy.s, copy.len, &two, NULL) == 0);
		must(one == two);
	} else {
		read_text(data, size, NULL, NULL);
	}
	buf_free(&copy);
	return 0;
}
