/* jobstats: any bytes as a comment, and as the text that one holds. */
#include <math.h>
#include <string.h>

#include "core/base/base64.h"
#include "fleet/import/jobstats.h"
#include "tests/fuzz/fuzz.h"

static void read_comment(const char *comment)
{
	struct jobstats s;

	if (jobstats_read(comment, &s))
		must(isnan(s.nodes) && isnan(s.cpu_s) && isnan(s.node_b) && isnan(s.gpus));
	must(isnan(s.nodes) || s.nodes >= 1);
	must(isnan(s.cpu_s) || s.cpu_s >= 0);
	must(isnan(s.node_b) || s.node_b >= 0);
	must(isnan(s.gpus) || s.gpus >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf comment = {0};

	buf_str(&comment, JOBSTATS_MARK);
	buf_add(&comment, data, size);
	read_comment(buf_cstr(&comment));
	buf_clear(&comment);
	buf_str(&comment, JOBSTATS_MARK);
	base64_add(&comment, data, size);
	read_comment(buf_cstr(&comment));
	buf_free(&comment);
	return 0;
}
