/* Fuzzes scan_worker_row: whatever a worker answers, there is a row that can be written, or a
 * sentence that names the file. */
#include <math.h>
#include <string.h>

#include "fleet/scan/scan_worker.h"
#include "tests/fuzz/fuzz.h"

static struct scan_answer answer;
static struct rtrack_row row;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_write j = {.sink = NULL};
	struct err e = {0};

	/* The first byte says whether the text, or the whole answer, is what follows. */
	memset(&answer, 0xff, sizeof answer);
	if (size > 0 && *data == 't') {
		answer.failed = 0;
		answer.row.n = size - 1;
		memcpy(answer.row.text, data + 1,
		       size - 1 < sizeof answer.row.text ? size - 1 : sizeof answer.row.text);
	} else {
		memcpy(&answer, data, size < sizeof answer ? size : sizeof answer);
	}
	if (scan_worker_row(&answer, "/a/b.json", &row, &e)) {
		must(strncmp(e.msg, "/a/b.json: ", 11) == 0);
		return 0;
	}
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		must(!isinf(row.of[i].number));
		must(memchr(row.of[i].text, '\0', RTRACK_ROW_MAX));
	}
	json_write_object(&j, NULL);
	rtrack_row_write(&row, &j);
	json_write_object_end(&j);
	must(json_write_finish(&j));
	json_write_free(&j);
	return 0;
}
