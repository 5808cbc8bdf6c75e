/* catalog_row: the computed columns at and beside each threshold; the text of a machine. */
#include "core/end/end_cause.h"
#include "core/numbers/log_bucket.h"
#include "fleet/catalog/catalog_pack.h"
#include "tests/unit/fleet/catalog/catalog_made.h"
#include "tests/unit/unit.h"

static struct catalog_value v[CATALOG_COLUMNS];
static struct catalog_row_text text;

static void compute(const struct rtrack_row *row)
{
	struct catalog_run run = {
	    .source = {.path = "/a.json.gz", .size = 5, .mtime_ns = 6, .tag = ""}, .row = row};

	catalog_row_values(&run, &text, v);
}

static double number(int column)
{
	return v[column].kind == CATALOG_NULL      ? NAN
	       : v[column].kind == CATALOG_INTEGER ? (double)v[column].integer
	                                           : v[column].number;
}

/* The class of the made run with one number changed. */
static int class_with(enum rtrack_row_id id, double to)
{
	struct rtrack_row row;

	made_row(&row);
	row.of[id].number = to;
	compute(&row);
	return (int)v[CATALOG_COLUMN_CLASS].integer;
}

static int class_with_text(enum rtrack_row_id id, const char *to)
{
	struct rtrack_row row;

	made_row(&row);
	row.of[id].text = to;
	compute(&row);
	return (int)v[CATALOG_COLUMN_CLASS].integer;
}

TEST(classes)
{
	struct rtrack_row row;

	assert_int_equal(class_with(RTRACK_ROW_SAMPLES, 10), CATALOG_COUNTED);
	assert_int_equal(class_with(RTRACK_ROW_SAMPLES, 9), CATALOG_SHORT);
	assert_int_equal(class_with(RTRACK_ROW_SAMPLES, NAN), CATALOG_COUNTED);
	assert_int_equal(class_with(RTRACK_ROW_CODE, 1), CATALOG_FAILED);
	assert_int_equal(class_with(RTRACK_ROW_CODE, NAN), CATALOG_COUNTED);
	assert_int_equal(class_with_text(RTRACK_ROW_SIGNAL, "TERM"), CATALOG_FAILED);
	assert_int_equal(class_with_text(RTRACK_ROW_STATUS, "unfinished"), CATALOG_UNFINISHED);
	assert_int_equal(class_with(RTRACK_ROW_WALL, NAN), CATALOG_UNMEASURED);
	assert_int_equal(class_with(RTRACK_ROW_WALL, 0), CATALOG_UNMEASURED);
	assert_int_equal(class_with(RTRACK_ROW_WALL, -1), CATALOG_UNMEASURED);
	assert_int_equal(class_with(RTRACK_ROW_MEMORY_PEAK, NAN), CATALOG_UNMEASURED);
	assert_int_equal(class_with(RTRACK_ROW_ASKED_CPUS, NAN), CATALOG_COUNTED);
	assert_int_equal(class_with(RTRACK_ROW_ASKED_MEMORY, NAN), CATALOG_COUNTED);
	made_row(&row);
	row.of[RTRACK_ROW_ASKED_CPUS].number = row.of[RTRACK_ROW_ASKED_MEMORY].number = NAN;
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_NO_ASK);
	/* The first reason: failed before without an ask, that before too short. */
	row.of[RTRACK_ROW_SAMPLES].number = 3;
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_NO_ASK);
	row.of[RTRACK_ROW_WALL].number = NAN;
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_UNMEASURED);
	row.of[RTRACK_ROW_CODE].number = 1;
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_FAILED);
	row.of[RTRACK_ROW_STATUS].text = "unfinished";
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_UNFINISHED);
}

/* What cannot be true is left out with all its amounts, at each threshold. */
TEST(impossible)
{
	static const double now = 20000 * 86400.0 + 43300; /* when the made run ended */
	static const struct {
		enum rtrack_row_id id;
		double to, now;
		bool impossible;
	} cases[] = {
	    {RTRACK_ROW_WALL, 100, now, false},
	    {RTRACK_ROW_WALL, 100 + 86400, now, false}, /* clocks differ */
	    {RTRACK_ROW_WALL, 101 + 86400, now, true},
	    {RTRACK_ROW_WALL, 1e15, now, true},
	    {RTRACK_ROW_WALL, 1e15, 0, false},
	    {RTRACK_ROW_WALL, 1e300, now, true},
	    {RTRACK_ROW_START, now + 86400, now, true},
	    {RTRACK_ROW_START, 1e12, now, true},
	    {RTRACK_ROW_START, 1e300, now, true},
	    {RTRACK_ROW_START, 0, now, false},
	    {RTRACK_ROW_CPU, 881, now, false}, /* 100 s × 8 CPUs × 1.1 + 1 s */
	    {RTRACK_ROW_CPU, 882, now, true},
	    {RTRACK_ROW_MEMORY_PEAK, 48 * GIB, now, false},
	    {RTRACK_ROW_MEMORY_PEAK, 48.1 * GIB, now, true},
	    {RTRACK_ROW_ASKED_CPUS, 99999, now, false},
	    {RTRACK_ROW_ASKED_CPUS, 1e5, now, true},
	    {RTRACK_ROW_ASKED_MEMORY, 1125899906842623, now, false},
	    {RTRACK_ROW_ASKED_MEMORY, 1125899906842624, now, true},
	};
	struct rtrack_row row;
	struct catalog_run run = {.source = {.path = "/a.json.gz", .tag = ""}, .row = &row};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		made_row(&row);
		row.of[cases[i].id].number = cases[i].to;
		run.now = cases[i].now;
		catalog_row_values(&run, &text, v);
		assert_int_equal(v[CATALOG_COLUMN_CLASS].integer == CATALOG_IMPOSSIBLE,
		                 cases[i].impossible);
		assert_int_equal(catalog_row_impossible(&row, cases[i].now) != NULL,
		                 cases[i].impossible);
		if (!cases[i].impossible)
			continue;
		for (int c = CATALOG_COLUMN_ASKED_CORE_S; c <= CATALOG_COLUMN_UNUSED_GPU_S; c++)
			assert_true(isnan(number(c)));
		assert_true(isnan(number(RTRACK_ROW_WALL)) && isnan(number(CATALOG_COLUMN_NODE_S)));
		assert_true(isnan(number(CATALOG_COLUMN_MEMORY_NEED)));
		assert_true(isnan(number(CATALOG_COLUMN_STOP)));
	}
	/* Whatever else is the matter with it. */
	made_row(&row);
	row.of[RTRACK_ROW_STATUS].text = "unfinished";
	row.of[RTRACK_ROW_CPU].number = 1e6;
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_IMPOSSIBLE);
	/* Of an unknown machine nothing is too much. */
	made_row(&row);
	row.of[RTRACK_ROW_VCPUS].number = row.of[RTRACK_ROW_MACHINE_MEMORY].number = NAN;
	row.of[RTRACK_ROW_CPU].number = row.of[RTRACK_ROW_MEMORY_PEAK].number = 1e12;
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_COUNTED);
}

TEST(killed_for_memory)
{
	struct rtrack_row row;

	made_row(&row);
	compute(&row);
	assert_true(number(CATALOG_COLUMN_MEMORY_NEED) == 2 * GIB);
	assert_int_equal(v[CATALOG_COLUMN_OOM].integer, 0);
	row.of[RTRACK_ROW_STATUS].text = "oom";
	row.of[RTRACK_ROW_SIGNAL].text = "KILL";
	row.of[RTRACK_ROW_CODE].number = NAN;
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_COUNTED);
	assert_int_equal(v[CATALOG_COLUMN_OOM].integer, 1);
	assert_true(number(CATALOG_COLUMN_MEMORY_NEED) == 8 * GIB);
	row.of[RTRACK_ROW_MEMORY_PEAK].number = 9 * GIB;
	compute(&row);
	assert_true(number(CATALOG_COLUMN_MEMORY_NEED) == 9 * GIB);
	row.of[RTRACK_ROW_MEMORY_PEAK].number = NAN;
	compute(&row);
	assert_true(number(CATALOG_COLUMN_MEMORY_NEED) == 8 * GIB);
	row.of[RTRACK_ROW_STATUS].text = "exited";
	row.of[RTRACK_ROW_OOM_KILLS].number = 1;
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_OOM].integer, 1);
	row.of[RTRACK_ROW_OOM_KILLS].number = 0;
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_OOM].integer, 0);
	assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_FAILED);
}

/* The bucket is of the cores that the run needed: it used 1.5. */
TEST(needed_cores)
{
	static const struct {
		double demand, needed;
	} cases[] = {{NAN, 1.5}, {1.5, 1.5}, {1.87, 1.5}, /* it waited for 19.8 % */
	             {1.88, 2},  {2, 2},     {2.004, 2},  {2.01, 3},
	             {1.2, 1.5}, {17.3, 18}, {-3, 1.5}};
	struct rtrack_row row;

	made_row(&row);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		row.of[RTRACK_ROW_CORES_DEMAND].number = cases[i].demand;
		compute(&row);
		assert_int_equal(v[CATALOG_COLUMN_CORES_BUCKET].integer,
		                 log_bucket(cases[i].needed));
		assert_true(number(CATALOG_COLUMN_USED_CORE_S) == 150);
	}
	/* A wait that hardly matters: under a twentieth of a core. */
	row.of[RTRACK_ROW_CPU].number = 1;
	row.of[RTRACK_ROW_CORES_DEMAND].number = 0.05;
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_CORES_BUCKET].integer, log_bucket(0.01));
}

/* The made run: 100 s; CPUs 4 of 8 (1.5 used), memory 8 of 32 GiB. */
TEST(amounts)
{
	struct rtrack_row row;

	made_row(&row);
	compute(&row);
	assert_true(number(CATALOG_COLUMN_STOP) == 20000 * 86400.0 + 43300);
	assert_int_equal(v[CATALOG_COLUMN_DAY].integer, 20000);
	assert_true(number(CATALOG_COLUMN_ASKED_CORE_S) == 400);
	assert_true(number(CATALOG_COLUMN_USED_CORE_S) == 150); /* cpu_s, not the mean of 1.6 */
	assert_true(number(CATALOG_COLUMN_UNUSED_CORE_S) == 250);
	assert_true(number(CATALOG_COLUMN_ASKED_BYTE_S) == 800 * GIB);
	assert_true(number(CATALOG_COLUMN_UNUSED_BYTE_S) == 700 * GIB);
	assert_true(isnan(number(CATALOG_COLUMN_ASKED_GPU_S)));
	assert_true(number(CATALOG_COLUMN_PAID_S) == 50);
	assert_true(number(CATALOG_COLUMN_UNUSED_S) == 50 - 18.75);
	assert_int_equal(v[CATALOG_COLUMN_CORES_BUCKET].integer, log_bucket(1.5));
	assert_int_equal(v[CATALOG_COLUMN_WALL_BUCKET].integer, log_bucket(100));
	assert_int_equal(v[CATALOG_COLUMN_MEMORY_BUCKET].integer, log_bucket(2 * GIB));
	assert_int_equal(v[CATALOG_COLUMN_GPUS_BUCKET].kind, CATALOG_NULL);
	row.of[RTRACK_ROW_CPU].number = NAN;
	compute(&row);
	assert_true(number(CATALOG_COLUMN_USED_CORE_S) == 1.6 * 100);
	row.of[RTRACK_ROW_CORES_MEAN].number = 5; /* more than was asked for */
	compute(&row);
	assert_true(number(CATALOG_COLUMN_UNUSED_CORE_S) == 0);
	row.of[RTRACK_ROW_CORES_MEAN].number = NAN;
	compute(&row);
	assert_true(isnan(number(CATALOG_COLUMN_ASKED_CORE_S)));
	row.of[RTRACK_ROW_CORES_MEAN].number = 1.6;
	row.of[RTRACK_ROW_WALL].number = NAN;
	compute(&row);
	for (int c = CATALOG_COLUMN_ASKED_CORE_S; c <= CATALOG_COLUMN_UNUSED_GPU_S; c++)
		assert_true(isnan(number(c)));
	row.of[RTRACK_ROW_WALL].number = 100;
	row.of[RTRACK_ROW_CODE].number = 1; /* a run that does not count is in no histogram */
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_MEMORY_BUCKET].kind, CATALOG_NULL);
}

TEST(paid_seconds)
{
	struct rtrack_row row;

	made_row(&row);
	row.of[RTRACK_ROW_ASKED_MEMORY].number = 24 * GIB; /* 3/4 of the machine */
	compute(&row);
	assert_true(number(CATALOG_COLUMN_PAID_S) == 75);
	row.of[RTRACK_ROW_ASKED_GPUS].number = 1;
	row.of[RTRACK_ROW_MACHINE_GPUS].number = 1.25;
	compute(&row);
	assert_true(number(CATALOG_COLUMN_PAID_S) == 80);
	row.of[RTRACK_ROW_ASKED_CPUS].number = 9;
	compute(&row);
	assert_true(number(CATALOG_COLUMN_PAID_S) == 100);
	row.of[RTRACK_ROW_VCPUS].number = row.of[RTRACK_ROW_MACHINE_MEMORY].number =
	    row.of[RTRACK_ROW_MACHINE_GPUS].number = NAN;
	compute(&row);
	assert_true(isnan(number(CATALOG_COLUMN_PAID_S)));
	/* Of 9 CPUs 1.5, of 24 GiB 2: the ask stands for the machine. */
	assert_true(fabs(number(CATALOG_COLUMN_UNUSED_S) - 100 * (1 - 1.5 / 9)) < 1e-9);
	row.of[RTRACK_ROW_VCPUS].number = 0;
	compute(&row);
	assert_true(isnan(number(CATALOG_COLUMN_PAID_S)));
}

TEST(recordings_of_one_run)
{
	struct rtrack_row row;

	made_row(&row);
	row.of[RTRACK_ROW_JOB].text = "slurm/7";
	row.of[RTRACK_ROW_NODES].number = row.of[RTRACK_ROW_TASKS].number = 1;
	compute(&row);
	assert_string_equal(v[CATALOG_COLUMN_JOINED].text, "");
	row.of[RTRACK_ROW_TASKS].number = 2;
	compute(&row);
	assert_string_equal(v[CATALOG_COLUMN_JOINED].text, "slurm/7 ann");
	row.of[RTRACK_ROW_TASKS].number = 1;
	row.of[RTRACK_ROW_NODES].number = 2;
	compute(&row);
	assert_string_equal(v[CATALOG_COLUMN_JOINED].text, "slurm/7 ann");
}

/* A peak of accounting that is a lower bound: it has no bucket, and is no use over time. */
TEST(bounds)
{
	static const struct {
		enum import_origin origin;
		const char *known, *status;
		bool bound, bucket;
	} cases[] = {
	    {IMPORT_OF_SACCT, "bound", "exited", true, false},
	    {IMPORT_OF_SACCT, "bound", "oom", true, true}, /* at least what was asked for */
	    {IMPORT_OF_SACCT, "sampled", "exited", false, true},
	    {IMPORT_RECORDED, "bound", "exited", false, true}, /* of the kernel */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rtrack_row row;
		struct catalog_run run = {
		    .source = {.path = "/a", .tag = ""}, .row = &row, .origin = cases[i].origin};
		made_row(&row);
		row.of[RTRACK_ROW_MEMORY_KNOWN].text = cases[i].known;
		row.of[RTRACK_ROW_STATUS].text = cases[i].status;
		row.of[RTRACK_ROW_MEMORY_MEAN].number = NAN;
		catalog_row_values(&run, &text, v);
		assert_int_equal(v[CATALOG_COLUMN_ORIGIN_CODE].integer,
		                 (int)cases[i].origin +
		                     (cases[i].bound ? CATALOG_BOUND * CATALOG_DIFFERS : 0));
		assert_int_equal(v[CATALOG_COLUMN_MEMORY_BUCKET].kind != CATALOG_NULL,
		                 cases[i].bucket);
		if (cases[i].bound)
			assert_true(isnan(number(CATALOG_COLUMN_USED_BYTE_S)));
	}
}

/* A clock that was not set: all else that was measured counts. */
static void assert_no_start(struct rtrack_row *row, double start)
{
	row->of[RTRACK_ROW_START].number = start;
	compute(row);
	assert_int_equal(v[RTRACK_ROW_START].kind, CATALOG_NULL);
	assert_int_equal(v[CATALOG_COLUMN_DAY].kind, CATALOG_NULL);
	assert_int_equal(v[CATALOG_COLUMN_STOP].kind, CATALOG_NULL);
	assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_COUNTED);
}

TEST(nonsense_is_unknown)
{
	static const enum rtrack_row_id ids[] = {RTRACK_ROW_CPU, RTRACK_ROW_MEMORY_PEAK,
	                                         RTRACK_ROW_READ, RTRACK_ROW_START};
	static const double bad[] = {-1, 1e19, INFINITY, -INFINITY, NAN};
	struct rtrack_row row;

	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
			made_row(&row);
			row.of[ids[i]].number = bad[k];
			compute(&row);
			assert_int_equal(v[ids[i]].kind, CATALOG_NULL);
			for (int c = 0; c < CATALOG_COLUMNS; c++)
				assert_true(v[c].kind != CATALOG_NUMBER || isfinite(v[c].number));
		}
	made_row(&row);
	assert_no_start(&row, 253402300800);
	assert_no_start(&row, 0);
	assert_no_start(&row, 946684799);
	row.of[RTRACK_ROW_START].number = 946684800;
	compute(&row);
	assert_int_equal(v[CATALOG_COLUMN_DAY].integer, 10957);
}

TEST(machines)
{
	struct catalog_machine m;
	struct rtrack_row row;
	char longest[200];

	made_row(&row);
	compute(&row);
	assert_string_equal(text.machine, "aws\tm5.2xlarge\tus-east-1\t8\t34359738368\t0");
	assert_int_equal(catalog_machine_parse(text.machine, &m), 0);
	assert_string_equal(m.instance, "m5.2xlarge");
	assert_true(m.vcpus == 8 && m.memory_b == 32 * GIB && m.gpus == 0);
	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	longest[30] = '\xc3'; /* the vendor's last character would be cut in two */
	longest[31] = '\xa9';
	row.of[RTRACK_ROW_VENDOR].text = longest;
	row.of[RTRACK_ROW_INSTANCE].text = longest;
	row.of[RTRACK_ROW_REGION].text = "a\tb\n\x1b";
	row.of[RTRACK_ROW_MACHINE_MEMORY].number = 123456789012345678.0;
	row.of[RTRACK_ROW_VCPUS].number = 1.23456789e-7;
	row.of[RTRACK_ROW_MACHINE_GPUS].number = NAN;
	compute(&row);
	assert_int_equal(catalog_machine_parse(text.machine, &m), 0);
	assert_int_equal(strlen(m.vendor), 30);
	assert_int_equal(strlen(m.instance), 63);
	assert_string_equal(m.region, "a?b??");
	assert_true(isnan(m.gpus));
	for (size_t i = 0; i < 5; i++) {
		static const char *const bad[5] = {"", "a\tb\tc\t1\t2\t-3", "a\tb\tc\t1\t2",
		                                   "a\tb\tc\tx\t2\t3", "a\tb\tc\t1\t2\t3\t4"};
		assert_int_equal(catalog_machine_parse(bad[i], &m), -1);
	}
	assert_int_equal(catalog_machine_parse("\t\t\t\t\t", &m), 0);
	assert_true(isnan(m.vcpus));
}

/* Packed and unpacked, a run has the same numbers. */
TEST(packing)
{
	static const int columns[] = {
	    CATALOG_COLUMN_CLASS,        CATALOG_COLUMN_OOM,          CATALOG_COLUMN_STOP,
	    CATALOG_COLUMN_DAY,          CATALOG_COLUMN_MEMORY_NEED,  CATALOG_COLUMN_MEMORY_BUCKET,
	    CATALOG_COLUMN_WALL_BUCKET,  CATALOG_COLUMN_CORES_BUCKET, CATALOG_COLUMN_GPUS_BUCKET,
	    CATALOG_COLUMN_ASKED_CORE_S, CATALOG_COLUMN_USED_CORE_S,  CATALOG_COLUMN_UNUSED_CORE_S,
	    CATALOG_COLUMN_ASKED_BYTE_S, CATALOG_COLUMN_USED_BYTE_S,  CATALOG_COLUMN_UNUSED_BYTE_S,
	    CATALOG_COLUMN_ASKED_GPU_S,  CATALOG_COLUMN_USED_GPU_S,   CATALOG_COLUMN_UNUSED_GPU_S,
	    CATALOG_COLUMN_PAID_S,       CATALOG_COLUMN_UNUSED_S,     RTRACK_ROW_WALL,
	    RTRACK_ROW_ASKED_CPUS,       RTRACK_ROW_ASKED_MEMORY,     RTRACK_ROW_ASKED_GPUS,
	    RTRACK_ROW_ASKED_TIME,       CATALOG_COLUMN_MOSTLY_CODE,  CATALOG_COLUMN_END_CODE};
	unsigned char p[CATALOG_PACK_MAX];
	double column[CATALOG_COLUMNS];
	struct rtrack_row row;
	size_t n;

	for (int gpus = 0; gpus < 2; gpus++) {
		made_row(&row);
		row.of[RTRACK_ROW_CPU].number = 1.0 / 3;
		row.of[RTRACK_ROW_MOSTLY].text = gpus ? "idle" : "";
		row.of[RTRACK_ROW_END_CAUSE].text = gpus ? "crash" : "no such";
		if (gpus)
			row.of[RTRACK_ROW_ASKED_GPUS].number = row.of[RTRACK_ROW_GPUS_MEAN].number =
			    row.of[RTRACK_ROW_GPUS_PEAK].number = 2;
		compute(&row);
		n = catalog_pack(v, p);
		catalog_unpack(row.of[RTRACK_ROW_START].number, p, n, column);
		for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
			double is = column[columns[i]], was = number(columns[i]);
			assert_true(is == was || (isnan(is) && isnan(was)));
		}
	}
	assert_true(column[CATALOG_COLUMN_MOSTLY_CODE] == STATES_GROUP_IDLE);
	assert_true(column[CATALOG_COLUMN_END_CODE] == END_CAUSE_CRASH);
	/* As version 2 wrote it: without the two codes. */
	p[3] &= 0x7f;
	catalog_unpack(0, p, n - 4, column);
	assert_true(isnan(column[CATALOG_COLUMN_MOSTLY_CODE]) &&
	            isnan(column[CATALOG_COLUMN_END_CODE]));
	assert_true(column[RTRACK_ROW_WALL] == 100 && column[CATALOG_COLUMN_CLASS] == 0);
	p[3] |= 0x80;
	for (size_t cut = 0; cut < n; cut++) {
		catalog_unpack(0, p, cut, column);
		assert_true(isnan(column[CATALOG_COLUMN_CLASS]) && isnan(column[RTRACK_ROW_WALL]));
	}
}

/* Half of the time on 16 threads: what a run that asked for so many CPUs would take on free ones. */
TEST(time_with_the_asked_cpus)
{
	static const struct {
		double cpus, expected;
	} cases[] = {{16, 1},  {256, 1},   {1000, 1}, {1, 8.5}, {0.5, 8.5},
	             {8, 1.5}, {12, 1.17}, {NAN, 1},  {3, 3.17}};
	struct rtrack_row row;
	double column[CATALOG_COLUMNS];
	unsigned char packed[CATALOG_PACK_MAX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		made_row(&row);
		for (int k = 0; k < CATALOG_TIMES; k++)
			row.of[RTRACK_ROW_TIME_AT_1 + k].number =
			    0.5 + 0.5 * fmax(1, 16.0 / (1 << k));
		row.of[RTRACK_ROW_ASKED_CPUS].number = cases[i].cpus;
		compute(&row);
		assert_true(number(CATALOG_COLUMN_TIME_ASKED) == cases[i].expected);
		catalog_unpack(1e9, packed, catalog_pack(v, packed), column);
		for (int k = 0; k < CATALOG_TIMES; k++)
			assert_true(column[RTRACK_ROW_TIME_AT_1 + k] ==
			            number(RTRACK_ROW_TIME_AT_1 + k));
		assert_true(column[CATALOG_COLUMN_TIME_ASKED] == cases[i].expected);
	}
	for (double t = 0.01; t < 900; t *= 1.37) {
		row.of[RTRACK_ROW_TIME_AT_1].number = t;
		compute(&row);
		catalog_unpack(1e9, packed, catalog_pack(v, packed), column);
		assert_true(column[RTRACK_ROW_TIME_AT_1] == number(RTRACK_ROW_TIME_AT_1));
	}
	row.of[RTRACK_ROW_TIME_AT_1].number = NAN;
	compute(&row);
	assert_true(isnan(number(CATALOG_COLUMN_TIME_ASKED)));
	catalog_unpack(1e9, packed, catalog_pack(v, packed), column);
	assert_true(isnan(column[CATALOG_COLUMN_TIME_ASKED]) &&
	            isnan(column[RTRACK_ROW_TIME_AT_1]));
}
