/* overview: what is read in place of the rows is what a reader would compute from them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/files/snapshot_read.h"
#include "core/head/overview.h"
#include "core/numbers/usage.h"
#include "core/recording/elapsed.h"
#include "core/recording/gaps.h"
#include "tests/unit/core/recording/recording.h"
#include "tests/unit/unit.h"

#define START 1760000000.0

static void push(struct snapshot *s, enum metric_id id, double v)
{
	assert_int_equal(frame_push(&s->rows[metrics[id].scope], id, v, NULL), 0);
}

static void square(struct snapshot *s)
{
	assert_int_equal(frame_square(&s->rows[0], NULL), 0);
	assert_int_equal(frame_square(&s->rows[1], NULL), 0);
}

static void begin(struct snapshot *s)
{
	*s = (struct snapshot){0};
	snapshot_head_defaults(s);
	s->meta.interval = 1;
	s->meta.start_time = START - 1;
	s->meta.stop_time = NAN;
	s->meta.track_processes = s->meta.track_system = true;
	s->server.vcpus = 4;
}

/* Writes s, and reads it back without and with its rows. */
static void write_and_read(struct snapshot *s, enum schema schema, struct snapshot *head,
                           struct snapshot *whole)
{
	int fd = written(s, schema);
	char path[64];
	struct err e = {{0}};

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	*head = *whole = (struct snapshot){0};
	if (snapshot_read_path(head, path, SNAPSHOT_WANT_OVERVIEW, &e) ||
	    snapshot_read_file(whole, path, &e))
		fail_msg("%s", e.msg);
	assert_null(whole->overview);
	close(fd);
}

static void free_all(struct snapshot *s, struct snapshot *head, struct snapshot *whole)
{
	snapshot_free(s);
	snapshot_free(head);
	snapshot_free(whole);
}

/* -- by hand ----------------------------------------------------------------------------------- */

/* 2,401 samples, one a second but for 60 s in the middle of bucket 100, so that a bucket is 10.25 s
 * long: of value i, of an amount of 3 a second, and of one that was measured at first only. */
static void counted_samples(struct snapshot *s)
{
	begin(s);
	for (int i = 0; i <= 2400; i++) {
		double t = START + i + (i > 1029 ? 60 : 0);
		push(s, METRIC_PROCESS_TIMESTAMP, t);
		push(s, METRIC_SYSTEM_TIMESTAMP, t);
		push(s, METRIC_PROCESS_CPU_USAGE, i < 600 ? 1 : i < 1200 ? 3.7 : 0);
		push(s, METRIC_PROCESS_THREADS, i);
		push(s, METRIC_PROCESS_MAIN_THREADS, i < 100 ? i / 2. : 2000);
		push(s, METRIC_SYSTEM_NET_RECV_BYTES, i == 1030 ? 183 : 3);
		push(s, METRIC_SYSTEM_PSI_CPU_SOME, i < 5 ? 0.25 : (double)NAN);
	}
	square(s);
}

TEST(buckets_by_hand)
{
	struct snapshot s, head, whole;
	const struct overview *v;
	const struct overview_column *c;

	counted_samples(&s);
	write_and_read(&s, SCHEMA_1, &head, &whole);
	v = head.overview;
	assert_non_null(v);
	assert_true(head.head_only && v->n == 240 && v->from == START);
	assert_true(v->step == 10.25 && v->gap == 2.5);
	c = &v->column[METRIC_PROCESS_THREADS];
	/* Bucket 0 has the samples 0 to 10, bucket 239 the last ones: from 2449.75 s on. */
	assert_true(c->min[0] == 0 && c->max[0] == 10 && c->mean[0] == 5 && c->seconds[0] == 11);
	assert_true(c->min[239] == 2390 && c->max[239] == 2400 && c->mean[239] == 2395);
	/* 60 s without samples: buckets 101 to 105 are a gap, and the row behind counts 61 s. */
	assert_true(c->max[100] == 1029 && isnan(c->min[101]) && isnan(c->mean[105]));
	assert_true(c->min[106] == 1030 && c->seconds[101] == 0 && c->seconds[106] == 67);
	c = &v->column[METRIC_SYSTEM_NET_RECV_BYTES];
	assert_true(c->min[0] == 3 && c->mean[106] == 3 && c->max[106] == 3);
	assert_true(c->rate_mean == 3 && c->rate_max == 3);
	c = &v->column[METRIC_SYSTEM_PSI_CPU_SOME];
	assert_true(c->mean[0] == 0.25 && c->seconds[0] == 5 && isnan(c->mean[1]));
	assert_null(v->column[METRIC_SYSTEM_CGROUP_MEMORY].mean);
	assert_null(v->column[METRIC_PROCESS_MAIN_THREADS].mean);
	free_all(&s, &head, &whole);
}

static double share_of(const struct overview *v, enum metric_id id, double from)
{
	for (size_t i = 0; i < v->n_shares; i++)
		if (v->share[i].id == id && fabs(v->share[i].from - from) < 1e-9)
			return v->share[i].share;
	return NAN;
}

TEST(sums_by_hand)
{
	struct snapshot s, head, whole;
	const struct overview *v;
	double limits[] = {0, NAN, 2, 4, 9};

	for (size_t i = 0; i < 5; i++) {
		counted_samples(&s);
		s.limits.cpus = limits[i];
		write_and_read(&s, SCHEMA_1, &head, &whole);
		v = head.overview;
		/* 2461 s: 600 of 1 core, 660 of 3.7. */
		assert_float_equal(share_of(v, METRIC_PROCESS_CPU_USAGE, 0.85), 600. / 2461, 1e-12);
		assert_float_equal(share_of(v, METRIC_PROCESS_CPU_USAGE, 3.6), 660. / 2461, 1e-12);
		assert_true(share_of(v, METRIC_SYSTEM_CPU_USAGE, 0.85) != 0 || v->n_shares < 6);
		if (limits[i] == 2)
			assert_float_equal(share_of(v, METRIC_PROCESS_CPU_USAGE, 1.8), 660. / 2461,
			                   1e-12);
		else
			assert_true(isnan(share_of(v, METRIC_PROCESS_CPU_USAGE, 1.8)) &&
			            isnan(share_of(v, METRIC_PROCESS_CPU_USAGE, 8.1)));
		/* Rows 0 to 99 have i/2 threads rounded half to even; 100 to 2000 none besides. */
		assert_int_equal(v->n_differences, 1);
		assert_int_equal(v->difference[0].all, METRIC_PROCESS_THREADS);
		assert_true(v->difference[0].max == 400);
		assert_float_equal(v->difference[0].mean, (2475. + 400 * 401 / 2) / 2461, 1e-9);
		free_all(&s, &head, &whole);
	}
}

TEST(phases_by_hand)
{
	struct phases *p = calloc(1, sizeof *p);
	struct snapshot s, head, whole;
	const struct overview_phase *one;

	counted_samples(&s);
	s.phases = p;
	phases_add(p, "load </script>", START + 99.5, START + 599);
	phases_add(p, "run", START + 599, NAN);
	phases_add(p, "load </script>", START + 2400, NAN);
	write_and_read(&s, SCHEMA_1, &head, &whole);
	assert_int_equal(head.overview->n_phases, 2);
	assert_int_equal(head.phases->n, 3); /* unlike in a head without an overview */
	one = &head.overview->phase[0];
	assert_string_equal(one->name, "load </script>");
	assert_true(one->of[METRIC_PROCESS_CPU_USAGE].mean == 0.5 * 0 + 1 * 500.5 / 560.5 ||
	            one->of[METRIC_PROCESS_CPU_USAGE].max == 1);
	assert_true(head.overview->phase[1].of[METRIC_PROCESS_CPU_USAGE].max == 3.7);
	assert_true(head.overview->phase[1].of[METRIC_PROCESS_CPU_USAGE].min == 0);
	assert_true(head.overview->phase[1].of[METRIC_SYSTEM_DISK_READ_BYTES].mean == 0);
	assert_true(isnan(head.overview->phase[1].of[METRIC_PROCESS_RSS].mean));
	free_all(&s, &head, &whole);
	free(p);
}

/* -- against the rows of the same file ---------------------------------------------------------- */

static double noise(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (double)(*state >> 8) / (1 << 24);
}

struct shape {
	const char *what;
	size_t rows;
	enum schema schema;
	bool job, machine, holes, jumps, suspended, gpus, phases;
};

static double noisy_cell(const struct metric *m, double r, size_t row)
{
	if (m->unit == METRIC_UNIT_MEMORY || m->unit == METRIC_UNIT_VRAM ||
	    m->unit == METRIC_UNIT_SPACE)
		return r * 3e12;
	if (m->unit == METRIC_UNIT_BYTES)
		return row % 50 ? 0 : r * 1e9;
	return r * (m->unit == METRIC_UNIT_COUNT ? 100 : 5);
}

static void noisy_row(struct snapshot *s, const struct shape *k, size_t row, double t, bool asleep,
                      unsigned *seed)
{
	for (int i = 0; i < METRIC_COUNT; i++) {
		const struct metric *m = &metrics[i];
		double v = noisy_cell(m, noise(seed), row);
		bool hole = k->holes && noise(seed) < 0.1;
		if (!(m->scope == METRIC_SCOPE_PROCESS ? k->job : k->machine))
			continue;
		if (m->chart == METRIC_CHART_SPACE && row < 300)
			hole = k->holes; /* not measured at first */
		if (metric_is_of_one_gpu(m) && (!k->gpus || row / 100 % 3 == 1))
			hole = true;
		if (m->unit == METRIC_UNIT_TIME)
			v = t;
		else if (m->unit == METRIC_UNIT_SECONDS && asleep)
			v = 0.01;
		else if (hole)
			v = NAN;
		push(s, m->id, v);
	}
}

static void make_noisy(struct snapshot *s, const struct shape *k)
{
	unsigned seed = (unsigned)k->rows;
	double t = START;

	begin(s);
	s->job.known = true;
	s->meta.track_processes = k->job;
	s->meta.track_system = k->machine;
	s->meta.stop_time = START + 1e5;
	s->limits.cpus = 1.5;
	for (size_t row = 0; row < k->rows; row++) {
		bool far = k->suspended && row % 700 == 699;
		t += k->jumps && row == k->rows / 2 ? -500 : far ? 5000 : 1 + noise(&seed) / 100;
		noisy_row(s, k, row, t, far, &seed);
	}
	square(s);
	if (!k->phases)
		return;
	s->phases = snapshot_alloc(s, sizeof *s->phases);
	for (int i = 0; i < 200; i++) {
		char name[16];
		snprintf(name, sizeof name, "p%d", i % 60);
		phases_add(s->phases, name, START + 11.5 * i, i % 3 ? START + 11.5 * i + 7 : NAN);
	}
}

static void same_number(double is, double should, double within, const char *what)
{
	if (isnan(is) && isnan(should))
		return;
	if (!(fabs(is - should) <= within * fabs(should)))
		fail_msg("%s: %.17g, not %.17g", what, is, should);
}

static const double *times_of(const struct snapshot *s, enum metric_scope scope)
{
	return frame_col(&s->rows[scope], scope == METRIC_SCOPE_PROCESS ? METRIC_PROCESS_TIMESTAMP
	                                                                : METRIC_SYSTEM_TIMESTAMP);
}

static struct buckets buckets_of_rows(const struct snapshot *s)
{
	double from = INFINITY, to = -INFINITY;
	int longer = s->rows[1].rows > s->rows[0].rows;
	size_t n = s->rows[longer].rows;

	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		for (size_t i = 0; i < s->rows[scope].rows; i++) {
			double t = times_of(s, (enum metric_scope)scope)[i];
			from = t < from ? t : from;
			to = t > to ? t : to;
		}
	return buckets_between(
	    from, to, n,
	    buckets_spacing(times_of(s, (enum metric_scope)longer), n, s->meta.interval));
}

static void same_column(const struct snapshot *s, const struct overview *v, const struct buckets *b,
                        const struct metric *m)
{
	const struct overview_column *c = &v->column[m->id];
	const double *col = frame_col(&s->rows[m->scope], m->id), *t = times_of(s, m->scope);
	const struct elapsed_rows rows = elapsed_rows(s, m->scope);
	struct bucket cells[BUCKETS_MAX] = {0};
	struct buckets_walk walk = {.before = NAN};
	double exact = m->kind == METRIC_KIND_DELTA ? 1e-8 : 0, sum = 0, seconds = 0, max = NAN;

	assert_true(!col == !c->min);
	for (size_t i = 0; col && i < rows.n; i++) {
		size_t first, at;
		double e = elapsed_at(&rows, i);
		if (!buckets_place(b, &walk, t[i], &first, &at))
			continue;
		buckets_add(cells, first, at, m->kind == METRIC_KIND_DELTA ? col[i] / e : col[i],
		            e);
		sum += isnan(col[i]) ? 0 : col[i];
		seconds += isnan(col[i]) ? 0 : e;
		max = col[i] / e <= max || isnan(col[i]) ? max : col[i] / e;
	}
	for (size_t i = 0; col && i < b->n; i++) {
		bool some = cells[i].n > 0;
		same_number(c->min[i], some ? cells[i].min : (double)NAN, exact, m->label);
		same_number(c->max[i], some ? cells[i].max : (double)NAN, exact, m->label);
		same_number(c->mean[i], buckets_mean(&cells[i]), 1e-8, m->label);
		same_number(c->seconds[i], cells[i].seconds, 1e-8, m->label);
	}
	if (col && m->kind == METRIC_KIND_DELTA) {
		same_number(c->rate_mean, sum / seconds, 1e-12, m->label);
		same_number(c->rate_max, max, 1e-12, m->label);
	}
}

static void same_shares(const struct snapshot *s, const struct overview *v)
{
	for (size_t k = 0; k < v->n_shares; k++) {
		const struct overview_share *x = &v->share[k];
		const struct elapsed_rows rows = elapsed_rows(s, metrics[x->id].scope);
		const double *col = frame_col(&s->rows[metrics[x->id].scope], x->id);
		double all = 0, between = 0;
		for (size_t i = 0; i < rows.n; i++) {
			double e = isnan(col[i]) ? 0 : elapsed_at(&rows, i);
			all += e;
			between += col[i] >= x->from && col[i] <= x->to ? e : 0;
		}
		same_number(x->share, between / all, 1e-12, "share");
	}
}

static void same_differences(const struct snapshot *s, const struct overview *v)
{
	for (size_t k = 0; k < v->n_differences; k++) {
		const struct overview_difference *x = &v->difference[k];
		const struct elapsed_rows rows = elapsed_rows(s, METRIC_SCOPE_PROCESS);
		const struct frame *f = &s->rows[METRIC_SCOPE_PROCESS];
		double max = NAN, sum = 0, seconds = 0;
		for (size_t i = 0; i < rows.n; i++) {
			double d = frame_col(f, x->all)[i] - frame_col(f, x->part)[i];
			if (isnan(d))
				continue;
			d = d > 0 ? d : 0;
			max = d <= max ? max : d;
			sum += d * elapsed_at(&rows, i);
			seconds += elapsed_at(&rows, i);
		}
		same_number(x->max, max, 1e-12, "difference");
		same_number(x->mean, sum / seconds, 1e-12, "difference");
	}
}

static void same_phases(const struct snapshot *s, const struct overview *v, enum metric_id id)
{
	const struct metric *m = &metrics[id];
	const struct elapsed_rows rows = elapsed_rows(s, m->scope);
	const double *col = frame_col(&s->rows[m->scope], id);
	struct phase_parts *p = calloc(1, sizeof *p);
	struct phase_sums sums[PHASE_SUMS_NAMES_MAX] = {0};
	double last = NAN;
	size_t first = 0;

	phase_sums_parts(p, s->phases, s->meta.stop_time);
	assert_int_equal(v->n_phases, p->names);
	for (size_t i = 0; col && i < rows.n; i++) {
		struct phase_sample one;
		if (!phase_sums_time(&last, rows.t[i], elapsed_at(&rows, i), &one))
			continue;
		one.value = phase_sums_value(m, col[i], &one);
		if (!isnan(one.value))
			phase_sums_add(p, sums, &one, &first);
	}
	for (size_t i = 0; i < p->names; i++) {
		struct phase_stats should = phase_sums_stats(&sums[i]);
		same_number(v->phase[i].of[id].min, should.min, 1e-12, "phase");
		same_number(v->phase[i].of[id].max, should.max, 1e-12, "phase");
		same_number(v->phase[i].of[id].mean, should.mean, 1e-12, "phase");
		same_number(v->phase[i].of[id].sd, should.sd, 1e-9, "phase");
	}
	free(p);
}

TEST(as_from_rows)
{
	static const struct shape shapes[] = {
	    {"plain", 2001, SCHEMA_1, true, true, false, false, false, false, false},
	    {"holes", 2400, SCHEMA_1, true, true, true, false, false, false, true},
	    {"schema 2", 2600, SCHEMA_2, true, true, true, false, false, true, true},
	    {"clock back", 3000, SCHEMA_1, true, true, false, true, false, false, true},
	    {"suspended", 3100, SCHEMA_1, true, true, true, false, true, true, true},
	    {"job", 2300, SCHEMA_1, true, false, true, true, true, false, true},
	    {"machine", 2300, SCHEMA_1, false, true, true, false, true, true, true},
	};

	for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
		struct snapshot s, head, whole;
		struct buckets b;
		make_noisy(&s, &shapes[k]);
		write_and_read(&s, shapes[k].schema, &head, &whole);
		if (!head.overview)
			fail_msg("%s: no overview", shapes[k].what);
		b = buckets_of_rows(&whole);
		assert_true(b.n == head.overview->n && b.from == head.overview->from);
		assert_true(b.step == head.overview->step && b.gap == head.overview->gap);
		for (int id = 0; id < METRIC_COUNT; id++)
			if (metrics[id].chart != METRIC_CHART_NONE)
				same_column(&whole, head.overview, &b, &metrics[id]);
		same_shares(&whole, head.overview);
		same_differences(&whole, head.overview);
		assert_int_equal(head.overview->n_shares,
		                 3 * (size_t)(shapes[k].job + shapes[k].machine));
		for (int i = 0; shapes[k].phases && i < USAGES; i++)
			for (int scope = 0; scope < METRIC_SCOPES; scope++)
				same_phases(&whole, head.overview, usage_columns[i].of[scope]);
		free_all(&s, &head, &whole);
	}
}

/* -- when there is one ------------------------------------------------------------------------- */

TEST(none_of_a_short_run)
{
	static const struct shape shape = {.what = "short",
	                                   .rows = OVERVIEW_LEAST,
	                                   .schema = SCHEMA_1,
	                                   .job = true,
	                                   .machine = true};
	struct snapshot s, head, whole;

	make_noisy(&s, &shape);
	write_and_read(&s, SCHEMA_1, &head, &whole);
	assert_null(head.overview);
	assert_false(head.head_only); /* it was read as a whole */
	assert_int_equal(head.rows[METRIC_SCOPE_SYSTEM].rows, OVERVIEW_LEAST);
	free_all(&s, &head, &whole);
}

TEST(none_with_gaps)
{
	struct snapshot s, head, whole;

	counted_samples(&s);
	gaps_add(&s, START + 1029, START + 1088);
	assert_int_equal(gaps_fill(&s, NULL), 0);
	write_and_read(&s, SCHEMA_1, &head, &whole);
	assert_null(head.overview);
	assert_false(head.head_only);
	free_all(&s, &head, &whole);
}

/* A head alone ends where the overview begins: what follows may be anything. */
TEST(head_without_overview)
{
	static const char mark[] = ",\"overview\":";
	struct snapshot s, head = {0};
	struct err e = {{0}};
	int fd;
	char path[64], *text, *at;

	counted_samples(&s);
	fd = written(&s, SCHEMA_1);
	text = inflated(fd);
	at = strstr(text, mark);
	assert_non_null(at);
	strcpy(at + sizeof mark - 1, "}}!");
	close(fd);
	fd = memfd_create("cut", MFD_CLOEXEC);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (snapshot_read_path(&head, path, SNAPSHOT_WANT_HEAD, &e))
		fail_msg("%s", e.msg);
	assert_true(head.head_only && head.summary && !head.overview);
	assert_true(head.summary[METRIC_PROCESS_THREADS].max == 2400);
	snapshot_free(&head);
	assert_int_equal(snapshot_read_path(&head, path, SNAPSHOT_WANT_OVERVIEW, &e), -1);
	close(fd);
	free(text);
	snapshot_free(&s);
}

/* -- hostile ----------------------------------------------------------------------------------- */

#define PART_HEAD         "\"schema\":1,\"from\":5,\"step\":2,\"gap\":3,\"buckets\":2,\"seconds\":1,"
#define PART_COLUMN(rest) "\"columns\":{\"process_cpu_usage\":{" rest "}},"
#define PART_REST         "\"shares\":[],\"differences\":[],\"phases\":[]"
#define GOOD              "\"min\":[1,null],\"mean\":[2,null],\"max\":[3,null]"

TEST(broken_ones)
{
	static const struct {
		const char *text;
		bool good;
	} cases[] = {
	    {PART_HEAD PART_COLUMN(GOOD) PART_REST, true},
	    {PART_HEAD PART_COLUMN(GOOD ",\"new\":{}") PART_REST ",\"new\":[[]]", true},
	    {PART_HEAD "\"columns\":{\"process_what\":7,\"process_pid\":[]}," PART_REST, true},
	    {PART_HEAD PART_COLUMN("\"min\":1,\"mean\":1,\"max\":1") PART_REST, true},
	    {PART_HEAD PART_COLUMN("\"min\":[1],\"mean\":[1],\"max\":[1]") PART_REST, false},
	    {PART_HEAD PART_COLUMN("\"min\":[1,2,3],\"mean\":1,\"max\":1") PART_REST, false},
	    {PART_HEAD PART_COLUMN("\"min\":[1,\"2\"],\"mean\":2,\"max\":3") PART_REST, false},
	    {PART_HEAD PART_COLUMN("\"min\":[1,null],\"mean\":2,\"max\":3") PART_REST, false},
	    {PART_HEAD PART_COLUMN("\"min\":5,\"mean\":4,\"max\":3") PART_REST, false},
	    {PART_HEAD PART_COLUMN("\"min\":1,\"mean\":9,\"max\":3") PART_REST, false},
	    {PART_HEAD PART_COLUMN(GOOD ",\"seconds\":0") PART_REST, false},
	    {PART_HEAD PART_COLUMN(GOOD ",\"seconds\":[1,-1]") PART_REST, false},
	    {PART_HEAD PART_COLUMN("\"min\":1e400,\"mean\":1,\"max\":1") PART_REST, false},
	    {PART_HEAD "\"columns\":{\"process_cpu_usage\":7}," PART_REST, false},
	    {PART_HEAD PART_REST, false},
	    {PART_HEAD PART_COLUMN(GOOD) "\"shares\":[],\"differences\":[]", false},
	    {PART_HEAD PART_COLUMN(
		 GOOD) "\"shares\":[{\"column\":\"process_cpu_usage\",\"from\":0,"
	               "\"to\":null,\"share\":2}],\"differences\":[],\"phases\":[]",
	     false},
	    {PART_HEAD PART_COLUMN(GOOD) "\"shares\":[7],\"differences\":[],\"phases\":[]", false},
	    {PART_HEAD PART_COLUMN(
		 GOOD) "\"shares\":[],\"differences\":[{\"all\":\"process_rss\",\"part\":"
	               "\"process_main_rss\",\"max\":-1,\"mean\":0}],\"phases\":[]",
	     false},
	    {PART_HEAD PART_COLUMN(GOOD) "\"shares\":[],\"differences\":[],\"phases\":[7,null,{}]",
	     true},
	    {"\"schema\":3,\"from\":5,\"step\":2,\"gap\":3,\"buckets\":2,\"seconds\":1,"
	     "\"columns\":{}," PART_REST,
	     false},
	    {"\"schema\":1,\"from\":5,\"step\":0,\"gap\":3,\"buckets\":2,\"seconds\":1,"
	     "\"columns\":{}," PART_REST,
	     false},
	    {"\"schema\":1,\"from\":-5,\"step\":1,\"gap\":3,\"buckets\":2,\"seconds\":1,"
	     "\"columns\":{}," PART_REST,
	     false},
	    {"\"schema\":1,\"from\":5,\"step\":1,\"gap\":3,\"buckets\":1001,\"seconds\":1,"
	     "\"columns\":{}," PART_REST,
	     false},
	    {"\"schema\":1,\"from\":5,\"step\":1,\"gap\":3,\"buckets\":1.5,\"seconds\":1,"
	     "\"columns\":{}," PART_REST,
	     false},
	    {"\"schema\":1,\"from\":5,\"step\":1,\"gap\":3,\"buckets\":1e300,\"seconds\":1,"
	     "\"columns\":{}," PART_REST,
	     false},
	    {"", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct snapshot s = {0};
		char text[1024];
		int n = snprintf(text, sizeof text, "{\"overview\":{%s}}", cases[i].text);
		assert_true(n > 0 && n < (int)sizeof text);
		snapshot_head_defaults(&s);
		assert_int_equal(snapshot_head(&s, "rtrack", text, (size_t)n), 0);
		if (!s.overview == cases[i].good)
			fail_msg("case %zu: %s", i, text);
		snapshot_free(&s);
	}
}
