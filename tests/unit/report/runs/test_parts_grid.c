/* parts_grid: sums on common rows keep every amount and every peak, and are never silently short. */
#include <math.h>

#include "report/runs/parts_grid.h"
#include "tests/unit/unit.h"

/* A recording that begins at `start` and has n samples; values by formulas, so that each differs. */
struct made {
	double start, interval, jitter; /* jitter: of time stamps, in intervals */
	size_t n;
	double scale; /* of all values */
	bool no_swap; /* without the optional column */
};

static double noise(size_t i)
{
	return (double)(i * 2654435761u % 1000) / 1000;
}

static double time_of(const struct made *m, size_t i)
{
	return m->start + m->interval * ((double)(i + 1) + m->jitter * (noise(i) - 0.5));
}

static void put(struct snapshot *s, enum metric_id id, double v)
{
	assert_int_equal(frame_push(&s->rows[metrics[id].scope], id, v, NULL), 0);
}

static struct snapshot make(const struct made *m)
{
	struct snapshot s = {0};

	s.job.known = true;
	s.meta.start_time = m->start;
	s.meta.interval = m->interval;
	for (size_t i = 0; i < m->n; i++) {
		double t = time_of(m, i), before = i ? time_of(m, i - 1) : m->start;
		double cpu_s = m->scale * (0.5 + noise(i)) * (t - before);
		put(&s, METRIC_PROCESS_TIMESTAMP, t);
		put(&s, METRIC_SYSTEM_TIMESTAMP, t);
		put(&s, METRIC_PROCESS_UTIME, cpu_s);
		put(&s, METRIC_PROCESS_STIME, 0);
		put(&s, METRIC_PROCESS_CPU_USAGE, cpu_s / (t - before));
		put(&s, METRIC_SYSTEM_UTIME, cpu_s);
		put(&s, METRIC_SYSTEM_STIME, 0);
		put(&s, METRIC_SYSTEM_CPU_USAGE, cpu_s / (t - before));
		put(&s, METRIC_PROCESS_MEMORY, m->scale * (1000 + 100 * noise(i + 7)));
		put(&s, METRIC_SYSTEM_NET_RECV_BYTES, m->scale * 10 * noise(i + 3));
		put(&s, METRIC_SYSTEM_MEMORY_USED, m->scale * 5000);
		put(&s, METRIC_SYSTEM_PSI_CPU_SOME, 0.25 * m->scale);
		if (!m->no_swap)
			put(&s, METRIC_PROCESS_SWAP, m->scale);
	}
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		assert_int_equal(frame_square(&s.rows[scope], NULL), 0);
	return s;
}

static double total(const struct snapshot *s, enum metric_id id)
{
	const struct frame *f = &s->rows[metrics[id].scope];
	const double *v = frame_col(f, id);
	double sum = 0;

	assert_non_null(v);
	for (size_t i = 0; i < f->rows; i++)
		sum += isnan(v[i]) ? 0 : v[i];
	return sum;
}

static double peak(const struct snapshot *s, enum metric_id id)
{
	const struct frame *f = &s->rows[metrics[id].scope];
	const double *v = frame_col(f, id);
	double most = NAN;

	assert_non_null(v);
	for (size_t i = 0; i < f->rows; i++)
		most = fmax(most, v[i]);
	return most;
}

/* Core-seconds of a level column. */
static double integral(const struct snapshot *s, enum metric_id id)
{
	const struct frame *f = &s->rows[METRIC_SCOPE_PROCESS];
	const double *v = frame_col(f, id), *t = frame_col(f, METRIC_PROCESS_TIMESTAMP);
	double sum = 0;

	for (size_t i = 0; i < f->rows; i++)
		sum += v[i] * (t[i] - (i ? t[i - 1] : s->meta.start_time));
	return sum;
}

static void near(double got, double expected)
{
	if (!(fabs(got - expected) <= 1e-9 * fmax(1, fabs(expected))))
		fail_msg("got %.17g, expected %.17g", got, expected);
}

/* Joins n recordings, each on a node of its own unless `one_node`. */
static struct snapshot join(struct snapshot *s, size_t n, double to, double interval, bool one_node)
{
	double states_s[STATES_N] = {0};
	struct parts_grid g;
	struct snapshot out = {0};

	assert_int_equal(parts_grid_init(&g, s[0].meta.start_time, to, interval, NULL), 0);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || !one_node)
			parts_grid_node(&g);
		assert_int_equal(parts_grid_add(&g, &s[i], NULL), 0);
	}
	parts_grid_node_end(&g, states_s);
	assert_int_equal(parts_grid_finish(&g, &out, NULL), 0);
	out.meta.start_time = g.from;
	parts_grid_free(&g);
	return out;
}

static void free_all(struct snapshot *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		snapshot_free(&s[i]);
}

TEST(sums_are_kept)
{
	static const struct {
		struct made a, b;
		double to, interval;
	} cases[] = {
	    {{0, 1, 0, 100, 1, false}, {0, 1, 0, 100, 3, false}, 100, 1},
	    {{0, 1, 0, 100, 1, false}, {0.37, 1, 0, 100, 3, false}, 100.37, 1},
	    {{0, 1, 0.3, 100, 1, false}, {12.5, 1, 0.4, 50, 3, false}, 101, 1},
	    {{0, 1, 0, 100, 1, false}, {3, 10, 0.1, 10, 3, false}, 105, 1},
	    {{0, 0.2, 0.3, 150, 1, false}, {0.1, 1, 0.3, 30, 3, false}, 31, 0.2},
	    {{0, 1, 0, 3, 1, false}, {0, 1, 0, 2, 3, false}, 3, 1},
	    {{1.7e9, 1, 0.2, 60, 1, false}, {1.7e9 + 0.71, 1, 0.2, 60, 3, false}, 1.7e9 + 62, 1},
	    {{0, 1, 0, 20, 1, false}, {50, 1, 0, 20, 3, false}, 70, 1}, /* nothing in between */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot s[] = {make(&cases[i].a), make(&cases[i].b)};
		struct snapshot out = join(s, 2, cases[i].to, cases[i].interval, false);
		near(total(&out, METRIC_PROCESS_UTIME),
		     total(&s[0], METRIC_PROCESS_UTIME) + total(&s[1], METRIC_PROCESS_UTIME));
		near(total(&out, METRIC_SYSTEM_NET_RECV_BYTES),
		     total(&s[0], METRIC_SYSTEM_NET_RECV_BYTES) +
		         total(&s[1], METRIC_SYSTEM_NET_RECV_BYTES));
		if (cases[i].a.start < 1e9)
			near(integral(&out, METRIC_PROCESS_CPU_USAGE),
			     total(&s[0], METRIC_PROCESS_UTIME) +
			         total(&s[1], METRIC_PROCESS_UTIME));
		snapshot_free(&out);
		free_all(s, 2);
	}
}

/* A peak is at least the largest of the parts', and at most the sum of their peaks. With the same
 * times, each sample is used once: the peak is that of the sum. */
/* Each row has its part of each interval, also around a sample that comes late. */
TEST(each_row)
{
	static const double phases[] = {0, 0.004, 0.37, 0.5, 0.996};

	for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
		const struct made a = {0, 1, 0, 42, 1, false}, b = {phases[i], 1, 0, 40, 3, false};
		struct snapshot s[] = {make(&a), make(&b)}, out;
		double *t = s[1].rows[METRIC_SCOPE_PROCESS].column[METRIC_PROCESS_TIMESTAMP].cell;
		const double *utime =
		    frame_col(&s[1].rows[METRIC_SCOPE_PROCESS], METRIC_PROCESS_UTIME);
		for (size_t k = 20; k < 23; k++)
			t[k] += 0.3;
		out = join(s, 2, 42, 1, false);
		for (size_t row = 0; row < 42; row++) {
			double v = frame_col(&s[0].rows[0], METRIC_PROCESS_UTIME)[row];
			for (size_t k = 0; k < 40; k++) {
				double before = k ? t[k - 1] : phases[i];
				double to = fmin(t[k], (double)row + 1),
				       from = fmax(before, (double)row);
				v += to > from ? utime[k] * (to - from) / (t[k] - before) : 0;
			}
			assert_true(fabs(frame_col(&out.rows[0], METRIC_PROCESS_UTIME)[row] - v) <
			            0.05);
		}
		snapshot_free(&out);
		free_all(s, 2);
	}
}

TEST(peaks_are_kept)
{
	const struct made a = {0, 1, 0, 90, 1, false}, b = {0, 1, 0, 90, 3, false},
			  late = {20.5, 1, 0.2, 60, 3, false}, seldom = {0, 10, 0, 9, 3, false};
	const struct made *others[] = {&b, &late, &seldom};
	double most = 0;

	for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
		struct snapshot s[] = {make(&a), make(others[k])};
		struct snapshot out = join(s, 2, 90, 1, false);
		double got = peak(&out, METRIC_PROCESS_MEMORY);
		double one = peak(&s[0], METRIC_PROCESS_MEMORY),
		       two = peak(&s[1], METRIC_PROCESS_MEMORY);
		assert_true(got >= fmax(one, two) && got <= one + two);
		assert_true(got >= two + 1000); /* while both ran */
		for (size_t i = 0; k == 0 && i < 90; i++) {
			double sum = frame_col(&s[0].rows[0], METRIC_PROCESS_MEMORY)[i] +
			             frame_col(&s[1].rows[0], METRIC_PROCESS_MEMORY)[i];
			near(frame_col(&out.rows[0], METRIC_PROCESS_MEMORY)[i], sum);
			most = fmax(most, sum);
		}
		if (k == 0)
			near(got, most);
		snapshot_free(&out);
		free_all(s, 2);
	}
}

/* A part adds nothing while it does not run. */
TEST(times_without_a_part)
{
	const struct made a = {0, 1, 0, 10, 1, false}, b = {20, 1, 0, 10, 1, false};
	struct snapshot s[] = {make(&a), make(&b)}, out = join(s, 2, 30, 1, false);
	const double *memory = frame_col(&out.rows[0], METRIC_PROCESS_MEMORY),
		     *machine = frame_col(&out.rows[1], METRIC_SYSTEM_MEMORY_USED);

	assert_int_equal(out.rows[0].rows, 30);
	assert_true(memory[9] >= 1000 && memory[20] >= 1000);
	for (size_t i = 10; i < 20; i++) {
		assert_true(memory[i] == 0);
		assert_true(isnan(machine[i]) != 0); /* nobody looked */
	}
	snapshot_free(&out);
	free_all(s, 2);
}

/* The last row may be shorter: its time stamp is the end of the last part, which still runs. */
TEST(last_row)
{
	const struct made a = {0, 1, 0, 10, 1, false}, b = {0.4, 1, 0, 10, 1, false};
	struct snapshot s[] = {make(&a), make(&b)}, out = join(s, 2, 10.4, 1, false);

	assert_int_equal(out.rows[0].rows, 11);
	near(frame_col(&out.rows[0], METRIC_PROCESS_TIMESTAMP)[10], 10.4);
	near(frame_col(&out.rows[0], METRIC_PROCESS_MEMORY)[10],
	     frame_col(&s[1].rows[0], METRIC_PROCESS_MEMORY)[9]);
	near(frame_col(&out.rows[1], METRIC_SYSTEM_MEMORY_USED)[10],
	     frame_col(&s[1].rows[1], METRIC_SYSTEM_MEMORY_USED)[9]);
	snapshot_free(&out);
	free_all(s, 2);
}

TEST(one_machine_counts_once)
{
	const struct made a = {0, 1, 0, 10, 1, false}, b = {0.4, 1, 0, 10, 1, false},
			  c = {8, 1, 0, 12, 1, false};
	struct snapshot s[] = {make(&a), make(&b), make(&c)}, out = join(s, 3, 20, 1, true);
	const double *machine = frame_col(&out.rows[1], METRIC_SYSTEM_MEMORY_USED),
		     *waits = frame_col(&out.rows[1], METRIC_SYSTEM_PSI_CPU_SOME),
		     *memory = frame_col(&out.rows[0], METRIC_PROCESS_MEMORY);

	assert_int_equal(out.rows[1].rows, 20);
	for (size_t i = 0; i < 20; i++) {
		near(machine[i], 5000);
		near(waits[i], 0.25);
	}
	assert_true(memory[5] >= 2000); /* the job's processes are others in each part */
	near(peak(&out, METRIC_SYSTEM_MEMORY_USED), 5000);
	snapshot_free(&out);
	free_all(s, 3);
}

TEST(shares_are_means)
{
	const struct made a = {0, 1, 0, 10, 1, false}, b = {0, 1, 0, 10, 3, false};
	struct snapshot s[] = {make(&a), make(&b)}, out = join(s, 2, 10, 1, false);

	for (size_t i = 0; i < 10; i++)
		near(frame_col(&out.rows[1], METRIC_SYSTEM_PSI_CPU_SOME)[i], 0.5);
	snapshot_free(&out);
	free_all(s, 2);
}

/* A part that runs and did not measure makes the sum unknown, there or in the whole column. */
TEST(what_was_not_measured)
{
	const struct made a = {0, 1, 0, 10, 1, false}, b = {0, 1, 0, 10, 3, true};
	struct snapshot s[] = {make(&a), make(&b)}, out;
	const double *memory;

	s[1].rows[0].column[METRIC_PROCESS_MEMORY].cell[4] = NAN;
	s[1].rows[0].column[METRIC_PROCESS_UTIME].cell[5] = NAN;
	out = join(s, 2, 10, 1, false);
	memory = frame_col(&out.rows[0], METRIC_PROCESS_MEMORY);
	for (size_t i = 0; i < 10; i++)
		assert_true((isnan(memory[i]) != 0) == (i == 4));
	assert_true(isnan(frame_col(&out.rows[0], METRIC_PROCESS_UTIME)[5]) != 0);
	assert_false(frame_has(&out.rows[0], METRIC_PROCESS_SWAP));
	snapshot_free(&out);
	free_all(s, 2);
}

/* The machine slept for 60 s: its row holds the core-seconds of the time awake. */
TEST(suspension)
{
	const struct made a = {0, 1, 0, 10, 1, false};
	struct snapshot s[] = {make(&a)}, out;
	double *t[] = {s[0].rows[0].column[METRIC_PROCESS_TIMESTAMP].cell,
	               s[0].rows[1].column[METRIC_SYSTEM_TIMESTAMP].cell};

	for (size_t i = 5; i < 10; i++)
		t[0][i] = t[1][i] = t[0][i] + 60;
	out = join(s, 1, 70, 1, false);
	near(total(&out, METRIC_PROCESS_UTIME), total(&s[0], METRIC_PROCESS_UTIME));
	near(integral(&out, METRIC_PROCESS_CPU_USAGE), total(&s[0], METRIC_PROCESS_UTIME));
	assert_int_equal(out.rows[0].rows, 70);
	snapshot_free(&out);
	free_all(s, 1);
}

/* A recording of rows of 1 s, each of which has these seconds of two states. */
static struct snapshot make_states(double start, size_t n, enum states_id a, double a_s,
                                   enum states_id b, double b_s)
{
	struct snapshot s = {0};

	s.job.known = true;
	s.meta.start_time = start;
	s.meta.interval = 1;
	for (size_t i = 0; i < n; i++) {
		put(&s, METRIC_PROCESS_TIMESTAMP, start + (double)(i + 1));
		put(&s, states_metric(a), a_s);
		put(&s, states_metric(b), b_s);
	}
	assert_int_equal(frame_square(&s.rows[METRIC_SCOPE_PROCESS], NULL), 0);
	return s;
}

static double cell(const struct snapshot *s, enum states_id state, size_t row)
{
	return frame_col(&s->rows[METRIC_SCOPE_PROCESS], states_metric(state))[row];
}

/* Where the time went is a mean: of the tasks of a node, and of the nodes that run. A node whose
 * tasks run one after the other has each in its time. */
TEST(states_are_means)
{
	/* n1: two tasks at once; n2: one that ends early; n3: two, one after the other */
	struct snapshot s[] = {make_states(0, 10, STATES_DISK, 1, STATES_CPU, 0),
	                       make_states(0, 10, STATES_CPU, 0.5, STATES_SLEEP, 0.5),
	                       make_states(0, 5, STATES_NET, 0.75, STATES_UNKNOWN, 0.25),
	                       make_states(0, 4, STATES_CPU, 1, STATES_DISK, 0),
	                       make_states(5, 5, STATES_DISK, 0.25, STATES_CPU, 0.75)};
	static const size_t node[] = {0, 0, 1, 2, 2, 3};
	double of_node[3][STATES_N] = {{0}}, sum = 0;
	struct snapshot out = {0};
	struct parts_grid g;

	assert_int_equal(parts_grid_init(&g, 0, 10, 1, NULL), 0);
	for (size_t i = 0; i < 5; i++) {
		if (i == 0 || node[i] != node[i - 1])
			parts_grid_node(&g);
		assert_int_equal(parts_grid_add(&g, &s[i], NULL), 0);
		if (node[i] != node[i + 1])
			parts_grid_node_end(&g, of_node[node[i]]);
	}
	assert_int_equal(parts_grid_finish(&g, &out, NULL), 0);
	near(of_node[0][STATES_DISK], 5);
	near(of_node[0][STATES_CPU], 2.5);
	near(of_node[0][STATES_SLEEP], 2.5);
	near(of_node[1][STATES_NET], 3.75);
	near(of_node[1][STATES_UNKNOWN], 1.25);
	near(of_node[2][STATES_CPU], 4 + 3.75);
	near(of_node[2][STATES_DISK], 1.25);
	/* all three; n3 waits for its second task; n1 and n3 */
	near(cell(&out, STATES_CPU, 0), (0.25 + 1) / 3);
	near(cell(&out, STATES_DISK, 0), 0.5 / 3);
	near(cell(&out, STATES_NET, 0), 0.75 / 3);
	near(cell(&out, STATES_UNKNOWN, 0), 0.25 / 3);
	near(cell(&out, STATES_CPU, 4), 0.25 / 2);
	near(cell(&out, STATES_NET, 4), 0.75 / 2);
	near(cell(&out, STATES_CPU, 9), (0.25 + 0.75) / 2);
	near(cell(&out, STATES_DISK, 9), (0.5 + 0.25) / 2);
	for (int k = 0; k < STATES_N; k++)
		if (frame_has(&out.rows[METRIC_SCOPE_PROCESS], states_metric((enum states_id)k)))
			sum += total(&out, states_metric((enum states_id)k));
	near(sum, 10);
	parts_grid_free(&g);
	snapshot_free(&out);
	free_all(s, 5);
}

/* Absurd times and values: the amounts are kept where they are finite, and the work is bounded. */
TEST(hostile_rows)
{
	static const double wild[] = {0, 1e9, -5, NAN, 2e11, 3, 3, 1e308, 4, 0};
	const struct made a = {0, 1, 0, 10, 1, false};
	struct snapshot s[] = {make(&a), make(&a)}, out;

	for (size_t i = 0; i < 10; i++)
		s[1].rows[0].column[METRIC_PROCESS_TIMESTAMP].cell[i] = wild[i];
	out = join(s, 2, 253402300799.0, 1, false);
	assert_int_equal(out.rows[0].rows, PARTS_GRID_ROWS_MAX);
	near(total(&out, METRIC_PROCESS_UTIME), 2 * total(&s[0], METRIC_PROCESS_UTIME));
	snapshot_free(&out);
	for (size_t i = 0; i < 10; i++)
		s[1].rows[0].column[METRIC_PROCESS_MEMORY].cell[i] = 1e308 * 1.7;
	for (size_t i = 0; i < 10; i++)
		s[0].rows[0].column[METRIC_PROCESS_MEMORY].cell[i] = 1e308;
	out = join(s, 2, 10, 1, false);
	for (size_t i = 0; i < out.rows[0].rows; i++)
		assert_true(!isinf(frame_col(&out.rows[0], METRIC_PROCESS_MEMORY)[i]));
	snapshot_free(&out);
	free_all(s, 2);
}

TEST(useless_times)
{
	struct parts_grid g;
	struct err e = {0};

	assert_int_equal(parts_grid_init(&g, 10, 5, 1, &e), -1);
	assert_int_equal(parts_grid_init(&g, NAN, 5, 1, &e), -1);
	assert_int_equal(parts_grid_init(&g, 0, INFINITY, 1, &e), -1);
	assert_int_equal(parts_grid_init(&g, 7, 7, NAN, &e), 0);
	assert_int_equal(g.rows, 1);
	parts_grid_free(&g);
}
