/* Fuzzes collect/job/discover_job.c and part.c: any environment, with every row of their tables. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/job/discover_job.h"
#include "collect/job/part.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_part(const struct job_env *env)
{
	struct part p;
	struct snapshot_part part;

	part_read(&p, env);
	part = part_describe(&p, "host", false);
	if (strlen(part.job) >= PART_KEY_MAX || strlen(part.node) >= PART_TEXT_MAX ||
	    strpbrk(part.job, "\n\r\t") || strpbrk(part.node, "\n\r\t") || part.nodes < 1 ||
	    part.tasks < 1 || part.task < 0 || part.array_index < 0 ||
	    (part.known && !*part.job && !*part.array_job))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct job_env env = {.text = (const char *)data, .n = size};
	char out[DISCOVER_JOB_MAX];

	if (!data)
		return 0;
	for (size_t i = 0; i < schedulers_n; i++) {
		const struct scheduler *p = &schedulers[i];
		(void)schedulers_runs(p, &env);
		for (size_t k = 0; k < SCHEDULERS_LABELS && p->labels[k].label; k++)
			if (discover_job_expand(p->labels[k].from, &env, k == 0, out) &&
			    strpbrk(out, "\n\r\t"))
				abort();
	}
	check_part(&env);
	if (discover_job_task((const char *)data, size, out) && strlen(out) >= DISCOVER_JOB_MAX)
		abort();
	return 0;
}
