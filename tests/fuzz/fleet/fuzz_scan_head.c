/* Fuzzes fleet/scan/scan_head.c: any file, by its beginning alone and as a whole. */
#include <string.h>

#include "fleet/scan/scan_head.h"
#include "report/input/page_text.h"
#include "tests/fuzz/fuzz.h"

static struct scan_head_text first, second;

static void check_row(const struct scan_head_text *t)
{
	struct rtrack_row row;

	must(t->n <= sizeof t->text && rtrack_row_read(t->text, t->n, &row) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scan_head *h = scan_head_new(NULL);
	int fd = fuzz_file(data, size);
	struct err e = {0};
	char path[32];
	bool found, page = page_text_is_html((struct page_text){(const char *)data, size});

	must(h);
	found = scan_head_parse(h, (const char *)data, size < SCAN_HEAD ? size : SCAN_HEAD,
	                        &first) == 0;
	if (found)
		check_row(&first);
	if (scan_head_read(h, fuzz_path(fd, path), 0, &second, &e) == 0) {
		check_row(&second);
		must(!found ||
		     (first.n == second.n && memcmp(first.text, second.text, first.n) == 0));
	} else {
		must(!found && (strncmp(e.msg, path, strlen(path)) == 0 || (page && !*e.msg)));
	}
	scan_head_free(h);
	close(fd);
	return 0;
}
