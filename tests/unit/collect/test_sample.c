/* sample: the row that two samples make. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/sample.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

#define S 1000000000ll

static const struct sample_shape shape = {.pid = 7, .cpus = 2, .tree = true};

static struct sample at(double s, double u, double sys)
{
	return (struct sample){
	    .at = (int64_t)(s * 1e9),
	    .time = 1000 + s,
	    .tree = {.sum = {u, sys, 0, 0}, .alive = 1},
	    .values = {[METRIC_SYSTEM_UTIME] = 100 + u, [METRIC_SYSTEM_STIME] = sys}};
}

/* The kernel reports a thread once it has run: what it waited until then is of this interval. */
TEST(waits_for_a_cpu)
{
	static const struct {
		double before, now, row;
	} rows[] = {{1.5, 2, 0.5}, {NAN, 0.25, 0.25}, {NAN, NAN, NAN}, {2, 2, 0}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sample a = at(0, 1, 0), b = at(0.5, 1.4, 0.1);
		struct sample_carry carry = {0};
		double row[METRIC_COUNT];
		a.tree.cpu_wait_s = rows[i].before;
		b.tree.cpu_wait_s = rows[i].now;
		sample_row(&a, &b, &shape, &carry, row);
		assert_true(row[METRIC_PROCESS_CPU_WAIT] == rows[i].row ||
		            (isnan(row[METRIC_PROCESS_CPU_WAIT]) && isnan(rows[i].row)));
	}
}

TEST(differences_over_the_measured_time)
{
	struct sample a = at(0, 1, 0), b = at(0.5, 1.4, 0.1);
	struct sample_carry carry = {0};
	double row[METRIC_COUNT];

	b.tree.sum[CPU_ACCOUNTING_READ] = 4096;
	b.tree.all.memory_b = 1 << 20;
	b.tree.children = 3;
	b.values[METRIC_SYSTEM_DISK_WRITE_BYTES] = 512;
	sample_row(&a, &b, &shape, &carry, row);
	assert_near(row[METRIC_PROCESS_TIMESTAMP], 1000.5, 1e-9);
	assert_near(row[METRIC_SYSTEM_TIMESTAMP], 1000.5, 1e-9);
	assert_near(row[METRIC_PROCESS_PID], 7, 0);
	assert_near(row[METRIC_PROCESS_CHILDREN], 3, 0);
	assert_near(row[METRIC_PROCESS_UTIME], 0.4, 1e-9);
	assert_near(row[METRIC_PROCESS_STIME], 0.1, 1e-9);
	assert_near(row[METRIC_PROCESS_CPU_USAGE], 1, 1e-9);
	assert_near(row[METRIC_PROCESS_MEMORY], 1 << 20, 0);
	assert_near(row[METRIC_PROCESS_READ_BYTES], 4096, 0);
	assert_near(row[METRIC_SYSTEM_CPU_USAGE], 1, 1e-9);
	assert_near(row[METRIC_SYSTEM_DISK_WRITE_BYTES], 512, 0);
}

TEST(cancelled_bytes_are_not_written)
{
	static const struct {
		double write_b, cancelled_b, row;
	} rows[] = {{4096, 0, 4096}, {4096, 4096, 0}, {8192, 4096, 4096}, {0, 4096, 0}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sample a = at(0, 1, 0), b = at(0.5, 1.4, 0.1);
		struct sample_carry carry = {0};
		double row[METRIC_COUNT];

		b.tree.sum[CPU_ACCOUNTING_WRITE] = rows[i].write_b;
		b.tree.sum[CPU_ACCOUNTING_CANCELLED] = rows[i].cancelled_b;
		sample_row(&a, &b, &shape, &carry, row);
		assert_near(row[METRIC_PROCESS_WRITE_BYTES], rows[i].row, 0);
	}
}

TEST(what_the_cpus_cannot_have_done_comes_later)
{
	/* 3 s of CPU in 1 s on 2 CPUs, then nothing, then nothing. */
	const struct sample v[] = {at(0, 0, 0), at(1, 2.4, 0.6), at(2, 2.4, 0.6), at(3, 2.4, 0.6)};
	const double expect[] = {2, 1, 0};
	struct sample_carry carry = {0};
	double row[METRIC_COUNT], u = 0, s = 0;

	for (int i = 0; i < 3; i++) {
		sample_row(&v[i], &v[i + 1], &shape, &carry, row);
		assert_near(row[METRIC_PROCESS_CPU_USAGE], expect[i], 1e-9);
		assert_true(row[METRIC_SYSTEM_CPU_USAGE] <= 2 + 1e-9);
		u += row[METRIC_PROCESS_UTIME];
		s += row[METRIC_PROCESS_STIME];
	}
	assert_near(u, 2.4, 1e-9);
	assert_near(s, 0.6, 1e-9);
}

TEST(an_unknown_number_of_cpus_caps_nothing)
{
	const struct sample_shape any = {.cpus = NAN, .tree = true};
	struct sample a = at(0, 0, 0), b = at(1, 50, 0);
	struct sample_carry carry = {0};
	double row[METRIC_COUNT];

	sample_row(&a, &b, &any, &carry, row);
	assert_near(row[METRIC_PROCESS_CPU_USAGE], 50, 1e-9);
}

TEST(no_time_is_no_usage)
{
	struct sample a = at(1, 1, 0), b = at(1, 2, 0);
	struct sample_carry carry = {0};
	double row[METRIC_COUNT];

	sample_row(&a, &b, &shape, &carry, row);
	assert_near(row[METRIC_PROCESS_CPU_USAGE], 0, 0);
}

TEST(nothing_falls_and_nothing_is_made_up)
{
	struct sample a = at(0, 5, 5), b = at(1, 4, 4);
	struct sample_carry carry = {0};
	double row[METRIC_COUNT];

	a.values[METRIC_SYSTEM_NET_RECV_BYTES] = NAN;
	sample_row(&a, &b, &shape, &carry, row);
	assert_near(row[METRIC_PROCESS_CPU_USAGE], 0, 0);
	assert_true(isnan(row[METRIC_SYSTEM_NET_RECV_BYTES]));
}

TEST(without_a_tree_its_columns_are_empty)
{
	const struct sample_shape alone = {.cpus = 2};
	struct sample a = at(0, 0, 0), b = at(1, 1, 0);
	struct sample_carry carry = {0};
	double row[METRIC_COUNT];

	sample_row(&a, &b, &alone, &carry, row);
	assert_true(isnan(row[METRIC_PROCESS_CPU_USAGE]));
	assert_near(row[METRIC_SYSTEM_CPU_USAGE], 1, 1e-9);
	assert_near(row[METRIC_SYSTEM_GPU_USAGE], 0, 0);
}

TEST(our_own_columns)
{
	struct sample a = at(0, 1, 0), b = at(2, 2, 0);
	struct sample_carry carry = {0};
	double row[METRIC_COUNT];

	b.tree.all = (struct tree_gauges){10, 20, 12, 8, 3, 5};
	b.tree.main = (struct tree_gauges){1, 2, NAN, NAN, NAN, 4};
	b.tree.main_cpu_s = 0.5;
	b.tree.sum[CPU_ACCOUNTING_MAJOR] = 9;
	b.tree.ctx_voluntary = 11;
	b.values[METRIC_SYSTEM_CPU_IOWAIT] = 100; /* more than the CPUs have */
	b.values[METRIC_SYSTEM_CPU_STEAL] = 0.5;
	b.values[METRIC_SYSTEM_PSI_IO_SOME] = 1;
	b.values[METRIC_SYSTEM_PSI_CPU_SOME] = 3; /* more than the time */
	b.values[METRIC_SYSTEM_PSI_MEMORY_FULL] = NAN;
	a.values[METRIC_SYSTEM_THROTTLED] = 4;
	b.values[METRIC_SYSTEM_THROTTLED] = 4.25;
	b.values[METRIC_SYSTEM_CGROUP_MEMORY] = 77;
	sample_row(&a, &b, &shape, &carry, row);
	assert_near(row[METRIC_PROCESS_THREADS], 5, 0);
	assert_near(row[METRIC_PROCESS_MAIN_THREADS], 4, 0);
	assert_near(row[METRIC_PROCESS_MAIN_CPU_USAGE], 0.25, 1e-9);
	assert_near(row[METRIC_PROCESS_RSS_SHARED], 8, 0);
	assert_near(row[METRIC_PROCESS_SWAP], 3, 0);
	assert_true(isnan(row[METRIC_PROCESS_MAIN_RSS_PRIVATE]));
	assert_near(row[METRIC_PROCESS_MAJOR_FAULTS], 9, 0);
	assert_near(row[METRIC_PROCESS_CTX_VOLUNTARY], 11, 0);
	assert_near(row[METRIC_SYSTEM_CPU_IOWAIT], 2, 1e-9);
	assert_near(row[METRIC_SYSTEM_CPU_STEAL], 0.25, 1e-9);
	assert_near(row[METRIC_SYSTEM_PSI_IO_SOME], 0.5, 1e-9);
	assert_near(row[METRIC_SYSTEM_PSI_CPU_SOME], 1, 1e-9);
	assert_true(isnan(row[METRIC_SYSTEM_PSI_MEMORY_FULL]));
	assert_near(row[METRIC_SYSTEM_THROTTLED], 0.25, 1e-9);
	assert_near(row[METRIC_SYSTEM_CGROUP_MEMORY], 77, 0);
}

TEST(each_gpu_has_its_columns)
{
	struct sample a = at(0, 1, 0), b = at(1, 2, 0);
	struct sample_carry carry = {0};
	double row[METRIC_COUNT];

	gpu_reading_fill(&b.gpu, 0);
	b.gpu.each_usage[0] = 0.25;
	b.gpu.each_vram_b[0] = 1 << 20;
	b.gpu.each_usage[METRIC_GPUS - 1] = 1;
	b.gpu.each_vram_b[METRIC_GPUS - 1] = 1 << 30;
	sample_row(&a, &b, &shape, &carry, row);
	assert_near(row[METRIC_SYSTEM_GPU0_USAGE], 0.25, 0);
	assert_near(row[METRIC_SYSTEM_GPU0_VRAM], 1 << 20, 0);
	assert_near(row[METRIC_SYSTEM_GPU7_USAGE], 1, 0);
	assert_near(row[METRIC_SYSTEM_GPU7_VRAM], 1 << 30, 0);
	for (int id = METRIC_SYSTEM_GPU1_USAGE; id <= METRIC_SYSTEM_GPU6_VRAM; id++)
		assert_true(isnan(row[id]));
}

/* What a device has in a row needs both ends of it, but for a state. */
TEST(devices)
{
	enum { CPU, LATE_CPU, DISK, GONE, SPACE, NEW_SPACE, USED, ROOM = USED + 3 };
	static const double before[] = {1, 5, 100, 7, 10, NAN},
			    now[] = {1.25, 5.5000001, 164, NAN, 9, 3};
	static const double expected[] = {0.5, 1, 64, NAN, 9, 3};
	struct devices *d = calloc(1, sizeof *d);
	double cells[2][ROOM] = {{0}}, copied[ROOM], row[DETAIL_ROW_CELLS];
	struct sample a = at(0, 1, 0), b = at(0.5, 1.4, 0.1), copy = {.devices = copied};
	struct sample_shape with = shape;
	struct sample_carry carry = {0};

	memcpy(cells[0], before, sizeof before);
	memcpy(cells[1], now, sizeof now);
	d->used = USED;
	d->room = a.n_devices = b.n_devices = ROOM;
	d->kind[CPU] = d->kind[LATE_CPU] = METRIC_KIND_RATE;
	d->kind[DISK] = d->kind[GONE] = METRIC_KIND_DELTA;
	d->kind[SPACE] = d->kind[NEW_SPACE] = METRIC_KIND_GAUGE;
	a.devices = cells[0];
	b.devices = cells[1];
	with.devices = d;
	sample_copy(&copy, &a);
	assert_true(copy.devices == copied && copy.at == a.at);
	sample_row(&copy, &b, &with, &carry, row);
	for (size_t i = 0; i < USED; i++)
		assert_true(row[DETAIL_CELL(i)] == expected[i] ||
		            (isnan(row[DETAIL_CELL(i)]) && isnan(expected[i])));
	assert_true(isnan(row[DETAIL_CELL(USED)]) && isnan(row[DETAIL_CELL(ROOM - 1)]));
	free(d);
}
