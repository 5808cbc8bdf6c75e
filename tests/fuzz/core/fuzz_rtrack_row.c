/* rtrack_row_read: any text; what was read and written is short, and reads and writes alike. */
#include <string.h>

#include "core/head/rtrack_row.h"
#include "tests/fuzz/fuzz.h"

static void write_row(const struct rtrack_row *row, struct buf *out)
{
	struct json_write j = {.sink = NULL};

	json_write_object(&j, NULL);
	rtrack_row_write(row, &j);
	json_write_object_end(&j);
	must(json_write_finish(&j));
	buf_str(out, buf_cstr(&j.b));
	json_write_free(&j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rtrack_row row;
	struct buf first = {0}, second = {0};

	if (rtrack_row_read((const char *)data, size, &row))
		return 0;
	write_row(&row, &first);
	must(first.len <= RTRACK_ROW_MAX + strlen("{\"" RTRACK_ROW_KEY "\":}"));
	must(rtrack_row_read(first.s, first.len, &row) == 0);
	write_row(&row, &second);
	must(strcmp(buf_cstr(&first), buf_cstr(&second)) == 0);
	buf_free(&first);
	buf_free(&second);
	return 0;
}
