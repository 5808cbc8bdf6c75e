/* once: --once. */
#include "collect/once.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "collect/gpu/gpu.h"
#include "collect/machine/clocks.h"
#include "collect/machine/machine.h"
#include "collect/process/tree.h"
#include "collect/run_sample.h"
#include "collect/sample.h"
#include "core/base/alloc_failed.h"
#include "core/json/json_write.h"

#define GPU_WAIT_S 3
#define NS_PER_S   INT64_C(1000000000)

struct once {
	const struct collect_options *o;
	struct root root;
	struct tree *tree;
	struct machine *machine;
	struct gpu *gpu;
	struct sample now;
};

static int open_all(struct once *w, struct err *e)
{
	const struct collect_options *o = w->o;

	if (root_open(&w->root, o->root, e))
		return -1;
	if (o->pid && !(w->tree = tree_open(&w->root, false, e)))
		return -1;
	if (w->tree && tree_set_root(w->tree, (int)o->pid, e))
		return -1;
	if (w->tree && !o->children)
		tree_set_alone(w->tree);
	w->machine = machine_open(&w->root, o->schema, e);
	if (!w->machine)
		return -1;
	machine_since_boot(w->machine);
	machine_keep_devices(w->machine);
	if (!(w->gpu = gpu_open_list(&w->root, o->gpus, 1, e)))
		return -1;
	if (w->tree)
		tree_exclude(w->tree, gpu_pid(w->gpu));
	return 0;
}

/* Its first reading comes from another process. */
static void await_gpus(struct once *w)
{
	const struct timespec pause = {0, 10000000};
	const struct gpu_tree tree = run_sample_tree(w->tree, (int)w->o->pid);
	int64_t deadline = w->now.at + GPU_WAIT_S * NS_PER_S;

	if (gpu_any(w->gpu)) {
		gpu_wait(w->gpu, deadline);
		gpu_start(w->gpu, clocks_now(CLOCK_MONOTONIC));
	}
	do {
		gpu_read(w->gpu, w->tree ? &tree : NULL, &w->now.gpu);
	} while (isnan(w->now.gpu.system_vram_b) && clocks_now(CLOCK_MONOTONIC) < deadline &&
	         nanosleep(&pause, NULL) == 0);
}

/* Each device of a kind, in bytes. */
static void write_devices(const struct once *w, struct json_write *j, enum detail_kind kind,
                          const char *key, const char *first, const char *second)
{
	const struct devices *d = machine_devices(w->machine);

	json_write_object(j, key);
	for (size_t i = 0; i < d->n; i++) {
		const struct devices_entry *e = &d->v[i];
		if (e->kind != kind || e->seen != d->reading)
			continue;
		json_write_object(j, e->name);
		json_write_num(j, first, d->value[e->cell]);
		json_write_num(j, second, d->value[e->cell + 1]);
		json_write_object_end(j);
	}
	json_write_object_end(j);
}

/* The documented columns; null is not measured. Amounts are since the beginning of the process and
 * of the machine, so that there is no mean of them over a time. */
static void write_scope(const struct once *w, struct json_write *j, enum metric_scope scope,
                        const double *row)
{
	json_write_object(j, metric_scope_name(scope));
	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].scope == scope && metrics[id].documented &&
		    id != METRIC_PROCESS_CPU_USAGE && id != METRIC_SYSTEM_CPU_USAGE)
			json_write_num(j, metrics[id].name[w->o->schema],
			               metric_spell(&metrics[id], w->o->schema, row[id]));
	if (scope == METRIC_SCOPE_SYSTEM) {
		write_devices(w, j, DETAIL_DISK, "disk_stats", "read_bytes", "write_bytes");
		write_devices(w, j, DETAIL_FILE_SYSTEM, "disk_spaces", "used", "free");
	}
	json_write_object_end(j);
}

static int write_accounts(const struct once *w, struct buf *out, struct err *e)
{
	const struct sample nothing = {.at = w->now.at};
	const struct sample_shape shape = {(int)w->o->pid, NAN, w->tree, NULL};
	struct sample_carry carry = {0};
	struct json_write j = {0};
	double row[METRIC_COUNT];
	bool ok;

	sample_row(&nothing, &w->now, &shape, &carry, row);
	if (w->tree && !w->o->children)
		row[METRIC_PROCESS_CHILDREN] = NAN;
	json_write_object(&j, NULL);
	if (w->tree)
		write_scope(w, &j, METRIC_SCOPE_PROCESS, row);
	else
		json_write_null(&j, metric_scope_name(METRIC_SCOPE_PROCESS));
	write_scope(w, &j, METRIC_SCOPE_SYSTEM, row);
	json_write_object_end(&j);
	ok = json_write_finish(&j);
	if (ok)
		buf_printf(out, "%s\n", buf_cstr(&j.b));
	json_write_free(&j);
	return ok && !out->failed && !alloc_failed() ? 0 : err_set(e, "no memory");
}

int once_print(const struct collect_options *o, struct buf *out, struct err *e)
{
	struct once w = {.o = o};
	int failed = open_all(&w, e);

	if (!failed) {
		w.now.at = clocks_now(CLOCK_MONOTONIC);
		w.now.time = (double)clocks_now(CLOCK_REALTIME) / 1e9;
		sample_take(&w.now, w.tree, w.machine, NULL);
		await_gpus(&w);
		failed = write_accounts(&w, out, e);
	}
	gpu_close(w.gpu);
	machine_close(w.machine);
	tree_close(w.tree);
	root_close(&w.root);
	return failed;
}
