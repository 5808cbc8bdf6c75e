/* run_sample: takes one sample of everything that a recording reads. */
#include "collect/run_sample.h"

#include "collect/process/process_table.h"
#include "collect/redact/redact.h"

static bool in_tree(void *ctx, int pid)
{
	return tree_has(ctx, pid);
}

static int pid_of_tree(void *ctx, size_t i)
{
	return process_table_pid(tree_table(ctx), i);
}

struct gpu_tree run_sample_tree(struct tree *t, int pid)
{
	return (struct gpu_tree){in_tree, pid_of_tree, t, pid};
}

/* Notes the devices that are new, before a row has their values. */
static void note_devices(struct run *r, const struct devices *all)
{
	struct detail_devices *noted = r->snapshot.devices;
	struct err e;

	while (noted && noted->n < all->n) {
		const struct devices_entry *d = &all->v[noted->n];
		struct detail_device *one = &noted->v[noted->n++];
		struct buf name = {0};
		redact_text(d->name, sizeof d->name, &name);
		*one = (struct detail_device){
		    .kind = d->kind,
		    .cell = d->cell,
		    .name = snapshot_strdup(&r->snapshot, name.failed ? "" : buf_cstr(&name))};
		buf_free(&name);
		/* The next sample reports a full disk. */
		(void)journal_device(r->journal, one, &e);
	}
}

/* The root process, and in turn one of the others: they may have moved to another cgroup. */
static void follow_cgroup(struct run *r)
{
	const struct process_table *table = tree_table(r->tree);
	int pid = process_table_pid(table, r->followed++);

	if (pid == 0)
		r->followed = 0;
	cgroup_watch_follow(&r->watch, &r->root, pid > 0 ? pid : r->pid, &r->limits);
}

void run_sample(struct run *r)
{
	struct gpu_tree tree = run_sample_tree(r->tree, r->pid);

	r->sample.at = clocks_now(CLOCK_MONOTONIC);
	cgroup_outside_look(&r->outside);
	process_log_read(r->log, r->sample.at);
	oom_look(&r->oom, r->sample.at);
	if (r->machine)
		machine_set_job(r->machine, r->pid);
	sample_take(&r->sample, r->tree, r->machine, &r->watch);
	if (r->tree && r->o->mode == COLLECT_OPTIONS_COMMAND)
		follow_cgroup(r);
	if (r->tree)
		end_sample(&r->end, r->tree, &r->sample.tree);
	if (r->devices)
		note_devices(r, machine_devices(r->machine));
	process_log_sample(r->log, r->tree, r->sample.at);
	r->sample.time = schedule_unix(&r->schedule, r->sample.at);
	gpu_read(r->gpu, r->tree ? &tree : NULL, &r->sample.gpu);
}
