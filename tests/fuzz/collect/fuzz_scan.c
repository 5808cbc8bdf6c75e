/* Fuzzes collect/procfs/scan.c: every step stays inside the text and moves on. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "collect/procfs/scan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scan s = scan_text((const char *)data, size), line, word;
	char out[8];
	uint64_t u;
	int64_t d;
	double f;
	int i;
	double count = scan_list((const char *)data, size);

	if (count < 1 || isinf(count))
		abort();
	while (scan_line(&s, &line)) {
		while (line.p < line.end) {
			const char *before = line.p;

			if (!scan_int(&line, &i) && !scan_u64(&line, &u) && !scan_i64(&line, &d) &&
			    !scan_decimal(&line, &f) && !scan_literal(&line, "cpu") &&
			    !scan_word(&line, &word))
				break;
			scan_copy(line, out, sizeof out);
			scan_skip(&line, 1);
			if (line.p <= before || line.p > line.end)
				abort();
		}
	}
	return 0;
}
