/* job_name: any text as the name of a job, and any texts of a recording. */
#include <math.h>
#include <string.h>

#include "fleet/catalog/job_name.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + 6), *at[6];
	struct job_name name;
	struct buf out = {0};
	struct err e = {0};
	size_t n = 0;

	if (!text)
		return 0;
	/* Lines: the name, then what a recording says. */
	if (size)
		memcpy(text, data, size);
	for (char *p = text; n < 6; n++) {
		at[n] = p;
		p += strcspn(p, "\n");
		if (*p)
			*p++ = '\0';
	}
	if (job_name_parse(at[0], &name, &e) == 0) {
		const struct job_name_row row = {.id = at[1],
		                                 .job_id = at[2],
		                                 .job = at[3],
		                                 .array_job = at[4],
		                                 .labels = at[5],
		                                 .array_index = (double)size};
		must(*name.job && strlen(name.job) < JOB_NAME_MAX);
		job_name_is(&name, &row);
		must(job_name_restart(&row) >= 0);
		job_name_text(&row, &out);
		job_name_key(&row, &out);
	} else {
		must(*e.msg);
	}
	buf_free(&out);
	free(text);
	return 0;
}
