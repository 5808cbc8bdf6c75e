/* parts_join: which recordings are one run, what it says of each part, and what is missing. */
#include <math.h>

#include "report/runs/parts_join.h"
#include "report/stats/measure.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

static void same(double got, double expected)
{
	if (isnan(expected) ? !isnan(got) : !(fabs(got - expected) < 1e-6))
		fail_msg("got %g, expected %g", got, expected);
}

/* A recording of ten samples from `start` on. */
struct one {
	const char *job, *node;
	int task; /* -1: it covers the node */
	double nodes, tasks, start, cores, memory_kb;
	int code;
	const char *more; /* in the block rtrack */
};

static struct run *add(struct recordings *t, const char *file, const struct one *o)
{
	struct buf b = {0}, times = {0}, cores = {0}, memory = {0};
	struct run *run;

	for (int i = 1; i <= 10; i++) {
		const char *comma = i < 10 ? "," : "";
		buf_printf(&times, "%.15g%s", o->start + i, comma);
		buf_printf(&cores, "%g%s", o->cores, comma);
		buf_printf(&memory, "%g%s", i == 5 ? o->memory_kb : o->memory_kb / 2, comma);
	}
	buf_printf(&b,
	           "{\"metadata\": {\"start_time\": %.15g, \"stop_time\": %.15g, \"interval\": 1},"
	           "\"server_info\": {\"vcpus\": 4, \"memory_mb\": 1000},"
	           "\"rtrack\": {\"job\": {\"name\": \"j\", \"host\": \"h-%s\"}, \"part\": "
	           "{\"job\": \"%s\", \"node\": \"%s\", \"covers\": \"%s\", \"nodes\": %g, ",
	           o->start, o->start + 10, o->node, o->job, o->node, o->task < 0 ? "node" : "task",
	           o->nodes);
	if (o->task >= 0)
		buf_printf(&b, "\"task\": %d, ", o->task);
	buf_printf(&b,
	           "\"tasks\": %g}, \"exit\": {\"code\": %d}%s}, \"process_metrics\": ", o->tasks,
	           o->code, o->more ? o->more : "");
	buf_printf(&b,
	           "{\"timestamp\": [%s], \"utime\": [%s], \"stime\": [0,0,0,0,0,0,0,0,0,0], "
	           "\"cpu_usage\": [%s], \"memory\": [%s]}}",
	           buf_cstr(&times), buf_cstr(&cores), buf_cstr(&cores), buf_cstr(&memory));
	run = recordings_load(t, file, buf_cstr(&b));
	buf_free(&b);
	buf_free(&times);
	buf_free(&cores);
	buf_free(&memory);
	return run;
}

static void add_all(struct recordings *t, const struct one *parts, size_t n)
{
	char name[32];

	for (size_t i = 0; i < n; i++) {
		snprintf(name, sizeof name, "%zu.json", i);
		assert_non_null(add(t, name, &parts[i]));
	}
}

static struct run *join(struct recordings *t)
{
	if (parts_join(&t->runs, &t->e))
		fail_msg("%s", t->e.msg);
	return t->runs.v;
}

TEST_WITH(sums_and_peaks, recordings_begin, recordings_end)
{
	static const struct one parts[] = {
	    {"a", "n10", -1, 2, 4, 1000, 2, 4000, 0, NULL},
	    {"a", "n2", -1, 2, 4, 1003, 1, 8000, 0, NULL},
	};
	struct recordings *t = *state;
	struct parts_imbalance b;
	struct run *run;

	assert_non_null(add(t, "1.json", &parts[0]));
	assert_non_null(add(t, "2.json", &parts[1]));
	run = join(t);
	assert_int_equal(t->runs.n, 1);
	assert_int_equal(parts_nodes(run), 2);
	assert_int_equal(parts_missing(run->parts), 0);
	assert_string_equal(run->parts->node[0].name, "n2");
	assert_string_equal(run->snapshot.job.host, "h-n2, h-n10");
	same(run->start, 1000);
	same(run->stop, 1013);
	same(run->stats[METRIC_PROCESS_UTIME].sum, 30);
	same(run->stats[METRIC_PROCESS_CPU_USAGE].mean, 30.0 / 13);
	same(run->stats[METRIC_PROCESS_MEMORY].max, 1024 * 10000.0); /* 8000 + 4000 / 2 */
	same(run->snapshot.server.vcpus, 8);
	same(run->parts->node[1].used.memory_b, 1024 * 4000.0);
	same(run->parts->spread, 3);
	b = parts_imbalance(run->parts, PARTS_MEASURE_CPU);
	same(b.ratio, 20.0 / 15);
	assert_int_equal(b.at, 1);
	same(measure_value(&(struct measure){.kind = MEASURE_COST}, run, 3600), 2 * 13);
	/* The rows come again, and with them the same sums. */
	load_drop_rows(run);
	assert_int_equal(parts_load_whole(run, &t->e), 0);
	assert_int_equal(run->snapshot.rows[METRIC_SCOPE_PROCESS].rows, 13);
	assert_int_equal(load_measure(run, &t->e), 0);
	same(run->stats[METRIC_PROCESS_UTIME].sum, 30);
}

TEST_WITH(groups, recordings_begin, recordings_end)
{
	static const struct one parts[] = {
	    {"a", "n1", -1, 1, NAN, 1000, 1, 10, 0, NULL}, /* alone, and all of its job */
	    {"b", "n1", -1, 3, NAN, 2000, 1, 10, 0, NULL}, /* one of three */
	    {"c", "n1", 0, 1, 2, 3000, 1, 10, 0, NULL},    /* one of two tasks */
	    {"d", "n1", 0, 1, 2, 4000, 1, 10, 0, NULL},
	    {"d", "n1", 1, 1, 2, 4000, 1, 10, 0, NULL},
	    {"", "n1", -1, 2, NAN, 5000, 1, 10, 0, NULL}, /* no key */
	};
	static const struct {
		bool joined;
		size_t parts, missing;
		const char *text;
	} expected[] = {{false, 0, 0, ""},
	                {true, 1, 2, "1 of 3 nodes"},
	                {true, 1, 1, "1 of 2 tasks (not rank 1)"},
	                {true, 2, 0, "1 node"},
	                {false, 0, 0, ""}};
	struct recordings *t = *state;
	char name[16];

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		struct one o = parts[i];
		o.tasks = isnan(o.tasks) ? 0 : o.tasks;
		snprintf(name, sizeof name, "%zu.json", i);
		assert_non_null(add(t, name, &o));
	}
	join(t);
	assert_int_equal(t->runs.n, 5);
	for (size_t i = 0; i < 5; i++) {
		const struct run *run = &t->runs.v[i];
		struct buf text = {0};
		assert_true((run->parts != NULL) == expected[i].joined);
		assert_int_equal(parts_missing(run->parts), expected[i].missing);
		if (!run->parts)
			continue;
		assert_int_equal(run->parts->n, expected[i].parts);
		parts_recorded_text(run->parts, &text);
		assert_string_equal(buf_cstr(&text), expected[i].text);
		/* A part that is missing may have failed. */
		assert_int_equal(run->status, expected[i].missing ? RUN_UNKNOWN : RUN_FINISHED);
		buf_free(&text);
	}
}

TEST_WITH(worst_part, recordings_begin, recordings_end)
{
	static const struct one parts[] = {
	    {"a", "n1", 0, 1, 4, 1000, 1, 10, 0, NULL},
	    {"a", "n1", 1, 1, 4, 1002, 1, 10, 3, NULL},
	    {"a", "n1", 2, 1, 4, 1001, 1, 10, 4, NULL}, /* the first that failed */
	    {"a", "n1", 3, 1, 4, 1003, 1, 10, 0, NULL},
	};
	struct recordings *t = *state;
	struct run *run;

	add_all(t, parts, 4);
	run = join(t);
	assert_int_equal(run->status, RUN_FAILED);
	assert_int_equal(run->snapshot.exit.code, 4);
	same(run->parts->worst->task, 2);
	assert_int_equal(run->parts->failed, 2);
	assert_int_equal(run->parts->n_nodes, 1);
	same(run->snapshot.server.vcpus, 4); /* one machine */
	same(run->parts->node[0].used.memory_b, run->stats[METRIC_PROCESS_MEMORY].max);
}

/* A launcher ends all parts after one has failed; its own clock may be late. */
TEST(told_to_end)
{
	const struct part failed = {
	    .status = RUN_FAILED, .stop = 10.2, .end_known = true, .end_cause = "exited"};
	const struct part told = {
	    .status = RUN_KILLED, .stop = 10, .end_known = true, .end_cause = "sent"};
	const struct part also = {
	    .status = RUN_KILLED, .stop = 9, .end_known = true, .end_cause = "sent"};
	const struct part old = {.status = RUN_KILLED, .stop = 9.5};
	const struct part lost = {.status = RUN_UNFINISHED};

	assert_ptr_equal(parts_worse(&failed, &told), &failed);
	assert_ptr_equal(parts_worse(&told, &failed), &failed);
	assert_ptr_equal(parts_worse(&told, &also), &also);
	assert_ptr_equal(parts_worse(&failed, &old), &old);
	assert_ptr_equal(parts_worse(&lost, &told), &told);
}

/* The same node twice, a task inside of a node's recording, and another command later. */
TEST_WITH(covered_parts, recordings_begin, recordings_end)
{
	static const struct one parts[] = {
	    {"a", "n1", -1, 1, 2, 1000, 1, 10, 0, NULL},
	    {"a", "n1", -1, 1, 2, 1001, 1, 10, 0, NULL},
	    {"a", "n1", 1, 1, 2, 1000, 1, 10, 0, NULL},
	    {"a", "n1", -1, 1, 2, 2000, 1, 10, 0, NULL},
	};
	struct recordings *t = *state;
	struct run *run;

	add_all(t, parts, 4);
	run = join(t);
	assert_int_equal(run->parts->n, 1);
	same(run->stats[METRIC_PROCESS_UTIME].sum, 10);
	assert_int_equal(run->snapshot.notes.n, 1);
	assert_int_equal(t->runs.n, 2);
	assert_null(t->runs.v[1].parts);
}

/* A script on each of two nodes records one command after another. */
TEST_WITH(commands_in_turn, recordings_begin, recordings_end)
{
	static const struct one parts[] = {
	    {"a", "n1", -1, 2, 2, 1000, 1, 10, 0, NULL},
	    {"a", "n2", -1, 2, 2, 1001, 1, 10, 0, NULL},
	    {"a", "n1", -1, 2, 2, 1010, 2, 10, 0, NULL},
	    {"a", "n2", -1, 2, 2, 1011, 2, 10, 0, NULL},
	};
	struct recordings *t = *state;

	add_all(t, parts, 4);
	join(t);
	assert_int_equal(t->runs.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(parts_nodes(&t->runs.v[i]), 2);
		assert_int_equal(parts_missing(t->runs.v[i].parts), 0);
		same(t->runs.v[i].stats[METRIC_PROCESS_UTIME].sum, i ? 40 : 20);
	}
}

TEST_WITH(asked_for, recordings_begin, recordings_end)
{
#define ASKED(cpus, share)                                                                         \
	", \"asked\": {\"cpus\": {\"value\": " cpus ", \"source\": \"scheduler\", \"detail\": "    \
	"\"X\", \"share\": " share "}, \"time_s\": {\"value\": 60, \"source\": \"scheduler\", "    \
	"\"detail\": \"Y\"}}"
	static const struct one parts[] = {
	    {"a", "n1", 0, 2, 3, 1000, 1, 10, 0, ASKED("2", "true")},
	    {"a", "n1", 1, 2, 3, 1000, 1, 10, 0, ASKED("2", "true")},
	    {"a", "n2", 2, 2, 3, 1000, 1, 10, 0, ASKED("3", "true")},
	    {"b", "n1", 0, 1, 2, 1000, 1, 10, 0, ASKED("8", "false")},
	    {"b", "n1", 1, 1, 2, 1000, 1, 10, 0, ASKED("8", "false")},
	};
	struct recordings *t = *state;

	add_all(t, parts, 5);
	join(t);
	assert_int_equal(t->runs.n, 2);
	same(t->runs.v[0].snapshot.asked.of[SNAPSHOT_ASKED_CPUS].value, 7);
	same(t->runs.v[0].snapshot.asked.of[SNAPSHOT_ASKED_TIME].value, 60);
	same(t->runs.v[1].snapshot.asked.of[SNAPSHOT_ASKED_CPUS].value, 8); /* of the node */
}

/* A part may not know the job's time, or may have got what nobody asked for. */
TEST_WITH(asked_by_some, recordings_begin, recordings_end)
{
	static const struct one parts[] = {
	    {"a", "n1", -1, 2, 2, 1000, 1, 10, 0,
	     ", \"asked\": {\"cpus\": {\"value\": 2, \"source\": \"scheduler\"}, \"time_s\": null}"},
	    {"a", "n2", -1, 2, 2, 1000, 1, 10, 0,
	     ", \"asked\": {\"cpus\": {\"value\": 4, \"source\": \"machine\"}, \"time_s\": {\"value\": "
	     "600, \"source\": \"scheduler\", \"detail\": \"Y\"}}"},
	};
	struct recordings *t = *state;
	const struct snapshot_ask *of;

	add_all(t, parts, 2);
	of = join(t)->snapshot.asked.of;
	same(of[SNAPSHOT_ASKED_CPUS].value, 6);
	assert_string_equal(of[SNAPSHOT_ASKED_CPUS].source, SNAPSHOT_ASKED_MACHINE);
	same(of[SNAPSHOT_ASKED_TIME].value, 600);
	assert_string_equal(of[SNAPSHOT_ASKED_TIME].source, SNAPSHOT_ASKED_SCHEDULER);
	assert_string_equal(of[SNAPSHOT_ASKED_TIME].detail, "Y");
}

/* Absurd numbers in heads: no crash, and bounded work. */
TEST_WITH(hostile_heads, recordings_begin, recordings_end)
{
	static const struct one parts[] = {
	    {"a", "n1", 0, 1e300, 1e300, 0, 1e308, 1e308, 0, NULL},
	    {"a", "n2", 1000000, 1e300, 1e300, 2e11, 1e308, 1e308, 0, NULL},
	    {"a", "", 1, 0.5, -3, 1000, -1, -5, 0, NULL},
	};
	struct recordings *t = *state;
	struct run *run;

	add_all(t, parts, 3);
	run = join(t);
	assert_int_equal(run->parts->n, 3);
	assert_true(run->snapshot.rows[0].rows <= PARTS_GRID_ROWS_MAX);
	for (int m = 0; m < PARTS_MEASURES; m++)
		parts_imbalance(run->parts, (enum parts_measure)m);
	parts_missing(run->parts);
}

/* A part whose rows are damaged is named, and the others are joined without it. */
TEST_WITH(damaged_part, recordings_begin, recordings_end)
{
	static const struct one parts[] = {
	    {"a", "n1", -1, 2, 2, 1000, 1, 10, 0, NULL},
	    {"a", "n2", -1, 2, 2, 1000, 1, 10, 0, NULL},
	};
	struct recordings *t = *state;
	struct run *run;

	assert_non_null(add(t, "1.json", &parts[0]));
	assert_non_null(add(t, "2.json", &parts[1]));
	recordings_file(t, "2.json", "{\"process_metrics\": {\"timestamp\": [1");
	run = join(t);
	assert_int_equal(run->parts->n, 1);
	assert_int_equal(parts_missing(run->parts), 1);
	assert_int_equal(t->runs.n_failed, 1);
	same(run->stats[METRIC_PROCESS_UTIME].sum, 10);
}
