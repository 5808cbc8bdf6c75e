/* run_sample: takes one sample of everything that a recording reads. */
#include "collect/run_sample.h"

static bool in_tree(void *ctx, int pid)
{
	return tree_has(ctx, pid);
}

static int pid_of_tree(void *ctx, size_t i)
{
	return tree_pid(ctx, i);
}

void run_sample(struct run *r)
{
	struct gpu_tree tree = {in_tree, pid_of_tree, r->tree, r->pid};

	r->sample.at = clocks_now(CLOCK_MONOTONIC);
	sample_take(&r->sample, r->tree, r->machine, &r->watch);
	r->sample.time = schedule_unix(&r->schedule, r->sample.at);
	gpu_read(r->gpu, r->tree ? &tree : NULL, &r->sample.gpu);
}
