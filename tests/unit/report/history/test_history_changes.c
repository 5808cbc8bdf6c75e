/* history_changes: which runs are comparable, and the word for this run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/advice/gate_text.h"
#include "report/history/history_changes.h"
#include "tests/unit/unit.h"

#define N 40

static struct run v[N];
static struct stats stats[N][METRIC_COUNT];
static struct runs r;
static struct snapshot_pair commit[N];
static char hash[N][8];

/* Finished runs of 100 s ± 3 %, the oldest last in time order 0 … N − 1; index i began at i. */
static struct run *run_at(size_t i)
{
	static const double round[] = {100, 103, 98, 101, 97, 102, 99};

	memset(&v[i], 0, sizeof v[i]);
	v[i].file = (char *)"x.json";
	v[i].status = RUN_FINISHED;
	v[i].start = (double)i;
	v[i].duration = round[i % 7];
	v[i].snapshot.exit.known = true;
	v[i].snapshot.machine.cpu_model = "A";
	v[i].snapshot.contention = (struct snapshot_contention){true, 0, 0};
	snprintf(hash[i], sizeof hash[i], "c%02zu", i);
	commit[i] = (struct snapshot_pair){"git.commit", hash[i]};
	v[i].snapshot.job.labels = (struct snapshot_pairs){&commit[i], 1};
	v[i].stats = stats[i];
	for (int k = 0; k < METRIC_COUNT; k++)
		v[i].stats[k] = stats_none();
	v[i].stats[METRIC_PROCESS_MEMORY].n = 1;
	v[i].stats[METRIC_PROCESS_MEMORY].max = 1e9 * round[(i + 3) % 7] / 100;
	v[i].stats[METRIC_PROCESS_CPU_USAGE].n = 1;
	v[i].snapshot.meta.track_processes = true;
	return &v[i];
}

static void begin(void)
{
	for (size_t i = 0; i < N; i++)
		run_at(i);
	r = (struct runs){.v = v, .n = N};
}

static struct history_changes *changes(void)
{
	struct err e = {0};
	struct history_changes *h;

	assert_int_equal(history_choose(&r, 5, &e), 0);
	h = history_changes_new(&r, NAN);
	assert_non_null(h);
	return h;
}

TEST(as_usual)
{
	struct history_changes *h;

	begin();
	h = changes();
	assert_int_equal(h->of[TREND_DURATION].word, HISTORY_AS_USUAL);
	assert_int_equal(h->of[TREND_DURATION].n, 5);
	assert_int_equal(h->of[TREND_DURATION].series.n, N);
	assert_true(h->of[TREND_DURATION].usual.one_in == N / 2);
	assert_int_equal(h->of[TREND_CPU].word, HISTORY_CANNOT_TELL); /* not measured */
	free(h);
}

TEST(changed)
{
	struct history_changes *h;
	struct buf text = {0};
	enum trend_id id;

	begin();
	for (size_t i = 31; i < N; i++)
		v[i].stats[METRIC_PROCESS_MEMORY].max *= 1.2;
	h = changes();
	assert_int_equal(h->of[TREND_MEMORY].word, HISTORY_CHANGED);
	assert_int_equal(h->of[TREND_DURATION].word, HISTORY_AS_USUAL);
	history_change_text(&r, TREND_MEMORY, &h->of[TREND_MEMORY].series,
	                    h->of[TREND_MEMORY].change, &text);
	assert_string_equal(buf_cstr(&text), "Since c31 (9 runs): 20% more memory, between 18% and "
	                                     "22%; the machine did not change.");
	assert_ptr_equal(history_newest(&r, h, &id), h->of[TREND_MEMORY].change);
	assert_int_equal(id, TREND_MEMORY);
	buf_free(&text);
	free(h);
	/* A change of 25 runs is no news, but stays in the list. */
	begin();
	for (size_t i = 15; i < N; i++)
		v[i].stats[METRIC_PROCESS_MEMORY].max *= 1.2;
	h = changes();
	assert_int_equal(h->of[TREND_MEMORY].word, HISTORY_AS_USUAL);
	assert_int_equal(h->of[TREND_MEMORY].series.found.points, 1);
	free(h);
}

/* More CPU time since run 31, while other programs kept the runs waiting longer, or less, since then,
 * or for too small a difference. */
TEST(cpu_time_beside_others)
{
	static const struct {
		double share, later; /* of waiting */
		bool known, waited;
	} cases[] = {{0.1, 0.6, true, true},
	             {0.6, 0.1, true, false},
	             {0.5, 0.52, true, false},
	             {0.1, 0.6, false, false}};

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct history_changes *h;
		const struct history_measure *m;
		struct buf text = {0};
		enum trend_id id;
		begin();
		for (size_t i = 0; i < N; i++) {
			double share = i < 31 ? cases[k].share : cases[k].later;
			struct stats *user = &v[i].stats[METRIC_PROCESS_UTIME];
			v[i].snapshot.contention =
			    (struct snapshot_contention){cases[k].known, share * v[i].duration, 0};
			user->n = v[i].stats[METRIC_PROCESS_STIME].n = 1;
			user->sum = v[i].duration * (i < 31 ? 1 : 1.2);
			v[i].stats[METRIC_PROCESS_STIME].sum = 0;
		}
		h = changes();
		m = &h->of[TREND_CPU_TIME];
		assert_int_equal(m->series.found.points, 1);
		assert_true(m->series.found.point[0].waited == cases[k].waited);
		assert_int_equal(m->word, cases[k].waited ? HISTORY_AS_USUAL : HISTORY_CHANGED);
		assert_true((history_newest(&r, h, &id) == NULL) == cases[k].waited);
		history_change_text(&r, TREND_CPU_TIME, &m->series, &m->series.found.point[0],
		                    &text);
		assert_true(!strstr(buf_cstr(&text), "kept the runs waiting longer since then") ==
		            !cases[k].waited);
		buf_free(&text);
		free(h);
	}
}

/* The commit of run i was made in second i of a minute. */
static void label_times(void)
{
	static struct snapshot_pair label[N][2];
	static char time[N][24];

	for (size_t i = 0; i < N; i++) {
		snprintf(time[i], sizeof time[i], "2026-11-29T12:00:%02zuZ", i);
		label[i][0] = commit[i];
		label[i][1] = (struct snapshot_pair){"git.commit_time", time[i]};
		v[i].snapshot.job.labels = (struct snapshot_pairs){label[i], 2};
	}
}

/* A step in memory from commit c25 on; commits c20 to c22 and c28 are run again after all others. */
TEST(runs_of_old_commits)
{
	static const size_t again[] = {28, 22, 20, 21}; /* the last is this run */
	struct history_changes *h;
	struct history_measure *m;
	const struct change_point *c;
	enum trend_id id;

	for (int known = 0; known < 2; known++) {
		begin();
		label_times();
		for (size_t i = 25; i < N; i++)
			v[i].stats[METRIC_PROCESS_MEMORY].max *= 1.3;
		for (size_t k = 0; k < 4; k++)
			v[again[k]].start = (double)(N + k);
		if (known == 0)
			v[3].snapshot.job.labels.n = 1; /* of one run it is unknown: by start */
		h = changes();
		m = &h->of[TREND_MEMORY];
		c = history_newest(&r, h, &id);
		assert_non_null(c);
		assert_int_equal(m->series.n, N);
		assert_int_equal(m->series.now, known ? 21 : N - 1);
		if (known) { /* its place is exact, and this run is before it */
			assert_int_equal(c->at, 25);
			assert_string_equal(history_commit(&r.v[m->series.run[c->at]]), "c25");
			assert_string_equal(history_commit(&r.v[m->series.run[c->at - 1]]), "c24");
			assert_int_equal(m->word, HISTORY_AS_USUAL);
			assert_null(m->change);
			assert_int_equal(m->usual.n, 24);
		} else {
			assert_int_equal(m->word, HISTORY_CHANGED);
			assert_int_equal(c->at, 22);
		}
		free(h);
	}
}

/* A CI system's time counts for its own commit. */
TEST(time_of_a_ci_commit)
{
	static struct snapshot_pair label[3];
	struct err e = {0};

	for (int same = 0; same < 2; same++) {
		begin();
		label_times();
		label[0] = commit[4];
		label[1] = (struct snapshot_pair){"ci.commit", same ? hash[4] : "other"};
		label[2] = (struct snapshot_pair){"ci.commit_time", "2026-11-29T13:00:04+01:00"};
		v[4].snapshot.job.labels = (struct snapshot_pairs){label, 3};
		v[4].start = N;
		assert_int_equal(history_choose(&r, 5, &e), 0);
		assert_true(history_precedes(&r.v[1], &r.v[0]) == !same);
		assert_true(r.v[0].order == (same ? 1795953604.0 : N));
	}
}

/* Memory as 400 MB and 0.6 bytes for each byte of the input. */
static void follow_input(size_t i, double input)
{
	v[i].snapshot.inputs = (struct snapshot_inputs){.known = true, .bytes = input};
	v[i].stats[METRIC_PROCESS_MEMORY].max *= 0.4 + 0.6 * input / 1e9;
}

TEST(larger_input_is_no_change)
{
	struct history_changes *h;
	struct history_measure *m;

	for (int known = 0; known < 2; known++) {
		begin();
		for (size_t i = 0; i < N; i++) {
			follow_input(i, i < 31 ? 1e9 : 3e9);
			v[i].snapshot.inputs.known = known || i != 3;
		}
		h = changes();
		m = &h->of[TREND_MEMORY];
		assert_int_equal(m->word, known ? HISTORY_AS_USUAL : HISTORY_CHANGED);
		assert_true(m->series.same_input == (known == 1));
		/* Duration does not follow it. */
		assert_int_equal(h->of[TREND_DURATION].word, HISTORY_AS_USUAL);
		assert_false(h->of[TREND_DURATION].series.same_input);
		free(h);
	}
}

TEST(change_beside_inputs)
{
	struct history_changes *h;
	struct history_measure *m;
	struct buf text = {0};

	begin();
	for (size_t i = 0; i < N; i++) {
		follow_input(i, i % 3 ? 1e9 : 3e9);
		v[i].stats[METRIC_PROCESS_MEMORY].max *= i < 31 ? 1 : 1.2;
	}
	h = changes();
	m = &h->of[TREND_MEMORY];
	assert_int_equal(m->word, HISTORY_CHANGED);
	/* The last run has the larger input. */
	assert_true(fabs(m->change->after - 2.2e9 * 1.2) < 0.03 * m->change->after);
	history_change_text(&r, TREND_MEMORY, &m->series, m->change, &text);
	assert_string_equal(buf_cstr(&text),
	                    "Since c31 (9 runs): 20% more memory for the same input, between 18% "
	                    "and 22%; the machine did not change.");
	buf_free(&text);
	free(h);
	/* With an input of twice the size, three times the memory is unusual, and twice is not. */
	for (int times = 2; times < 4; times++) {
		begin();
		for (size_t i = 0; i < N; i++)
			follow_input(i, i % 2 ? 1e9 : 2e9);
		v[N - 1].snapshot.inputs.bytes = 2e9;
		v[N - 1].stats[METRIC_PROCESS_MEMORY].max = times == 2 ? 1.6e9 : 3e9;
		h = changes();
		assert_int_equal(h->of[TREND_MEMORY].word,
		                 times == 2 ? HISTORY_AS_USUAL : HISTORY_UNUSUAL);
		free(h);
	}
}

/* A line over inputs that hardly differ would have to be too steep. */
TEST(inputs_that_hardly_differ)
{
	struct history_changes *h;

	begin();
	for (size_t i = 0; i < N; i++) {
		v[i].snapshot.inputs =
		    (struct snapshot_inputs){.known = true, .bytes = 1e9 + (double)i};
		v[i].stats[METRIC_PROCESS_MEMORY].max *= i < 31 ? 1 : 1.2;
	}
	h = changes();
	assert_int_equal(h->of[TREND_MEMORY].word, HISTORY_CHANGED);
	assert_false(h->of[TREND_MEMORY].series.same_input);
	free(h);
}

/* The endings of the sentence. */
TEST(change_in_words)
{
	static const struct {
		const char *model[2]; /* of every second run */
		double least;
		bool machine, same_commit;
		const char *text;
	} cases[] = {
	    {{"A", "A"}, 0.18, false, false, "between 18% and 22%; the machine did not change."},
	    {{"A", "A"},
	     -0.01,
	     false,
	     true,
	     "but it may be no change at all; the machine did not change; the commit did not change."},
	    {{"A", "B"},
	     0.18,
	     false,
	     true,
	     "between 18% and 22%; on each kind of machine; the commit did not change."},
	    {{"A", "A"},
	     0.18,
	     true,
	     true,
	     "between 18% and 22%; the machine changed here, so this says nothing about the job; "
	     "the commit did not change."},
	};

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct history_changes *h;
		struct change_point *c;
		struct buf text = {0};
		begin();
		for (size_t i = 0; i < N; i++)
			v[i].snapshot.machine.cpu_model = cases[k].model[i % 2];
		for (size_t i = 31; i < N; i++)
			v[i].stats[METRIC_PROCESS_MEMORY].max *= 1.2;
		if (cases[k].same_commit)
			commit[30].value = commit[31].value;
		h = changes();
		assert_int_equal(h->of[TREND_MEMORY].series.found.points, 1);
		c = &h->of[TREND_MEMORY].series.found.point[0];
		*c = (struct change_point){.at = c->at,
		                           .step = 0.2,
		                           .least = cases[k].least,
		                           .most = 0.22,
		                           .machine = cases[k].machine};
		history_change_text(&r, TREND_MEMORY, &h->of[TREND_MEMORY].series, c, &text);
		assert_non_null(strstr(buf_cstr(&text), "20% more memory, "));
		assert_string_equal(strstr(buf_cstr(&text), "memory, ") + strlen("memory, "),
		                    cases[k].text);
		buf_free(&text);
		free(h);
	}
}

/* A newer change without two commits does not hide one that has them. */
TEST(newest_with_commits)
{
	struct history_changes *h;
	enum trend_id id;

	begin();
	for (size_t i = 15; i < N; i++)
		v[i].stats[METRIC_PROCESS_MEMORY].max *= 1.2;
	for (size_t i = 30; i < N; i++)
		v[i].duration *= 1.3;
	commit[29].value = commit[30].value;
	h = changes();
	assert_ptr_equal(history_newest(&r, h, &id), &h->of[TREND_MEMORY].series.found.point[0]);
	assert_int_equal(id, TREND_MEMORY);
	free(h);
	for (size_t i = 0; i < N; i++)
		commit[i].value = NULL;
	h = changes();
	assert_ptr_equal(history_newest(&r, h, &id), h->of[TREND_DURATION].change);
	free(h);
}

TEST(contended)
{
	struct history_changes *h;

	begin();
	for (size_t i = 30; i < N; i += 2) {
		v[i].duration *= 3;
		v[i].snapshot.contention.waited_s = 200;
	}
	h = changes();
	assert_int_equal(h->of[TREND_DURATION].word, HISTORY_AS_USUAL);
	assert_int_equal(h->of[TREND_DURATION].series.n, N - 5);
	assert_int_equal(h->of[TREND_DURATION].n, 5); /* older ones take their place */
	assert_true(h->of[TREND_DURATION].median < 104);
	assert_int_equal(h->of[TREND_MEMORY].series.n, N);
	free(h);
	/* This run itself. */
	begin();
	v[N - 1].duration *= 3;
	v[N - 1].snapshot.contention.waited_s = 200;
	h = changes();
	assert_int_equal(h->of[TREND_DURATION].word, HISTORY_CANNOT_TELL);
	assert_string_equal(h->of[TREND_DURATION].why, "other programs kept this run waiting");
	assert_int_equal(h->of[TREND_DURATION].n, 0);
	assert_true(isnan(h->of[TREND_DURATION].median));
	assert_int_equal(h->of[TREND_MEMORY].n, 5);
	assert_int_equal(h->of[TREND_MEMORY].word, HISTORY_AS_USUAL);
	free(h);
}

TEST(unusual)
{
	struct history_changes *h;

	begin();
	v[N - 1].duration = 130;
	h = changes();
	assert_int_equal(h->of[TREND_DURATION].word, HISTORY_UNUSUAL);
	assert_true(h->of[TREND_DURATION].usual.high == 103);
	free(h);
}

TEST(few_and_chosen)
{
	struct history_changes *h;

	begin();
	r.n = 7;
	h = changes();
	assert_int_equal(h->of[TREND_DURATION].word, HISTORY_CANNOT_TELL);
	assert_int_equal(h->of[TREND_DURATION].missing, 3);
	free(h);
	/* What began later does not count. */
	begin();
	v[12].file = (char *)"chosen.json";
	r.current = "chosen.json";
	h = changes();
	assert_int_equal(h->of[TREND_DURATION].series.n, 13);
	free(h);
}

/* Whether two rows have the same stratum exactly where both runs are of one machine. */
static void expect_strata(const struct history_series *s)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->n; k++)
			assert_int_equal(s->row[i].stratum == s->row[k].stratum,
			                 history_same_stratum(&v[s->run[i]], &v[s->run[k]]));
}

TEST(machines)
{
	static const size_t unknown[] = {7, 20, N - 1};
	struct history_changes *h;

	begin();
	for (size_t i = 0; i < N; i += 2) {
		v[i].snapshot.machine.cpu_model = "B";
		v[i].duration *= 2;
	}
	h = changes();
	assert_int_equal(h->of[TREND_DURATION].word, HISTORY_AS_USUAL);
	assert_int_equal(h->of[TREND_DURATION].series.n, N);
	assert_true(h->of[TREND_DURATION].median < 104);
	assert_string_equal(v[1].why, "it had another machine");
	expect_strata(&h->of[TREND_DURATION].series);
	assert_true(h->of[TREND_DURATION].usual.high < 104);
	free(h);
	/* A run of an unknown machine does not make one of two machines. */
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		begin();
		for (size_t k = 0; k < N; k++) {
			v[k].snapshot.machine.cpu_model = k < N / 2 ? "A" : "B";
			v[k].duration *= k < N / 2 ? 1 : 2;
		}
		v[unknown[i]].snapshot.machine.cpu_model = NULL;
		h = changes();
		expect_strata(&h->of[TREND_DURATION].series);
		assert_int_equal(h->of[TREND_DURATION].series.found.points, 0);
		free(h);
	}
	/* Where none is known, all are one. */
	begin();
	for (size_t i = 0; i < N; i++)
		v[i].snapshot.machine.cpu_model = i % 2 ? "unknown" : NULL;
	h = changes();
	expect_strata(&h->of[TREND_DURATION].series);
	assert_int_equal(h->of[TREND_DURATION].series.row[0].stratum,
	                 h->of[TREND_DURATION].series.row[1].stratum);
	free(h);
}

/* The elements of an array are one run. */
TEST(arrays)
{
	struct history_changes *h;

	begin();
	for (size_t i = 0; i < N; i++) {
		v[i].snapshot.part.array_job = i < 20 ? "1" : "2";
		v[i].snapshot.part.array_index = (double)i;
	}
	h = changes();
	assert_int_equal(h->of[TREND_DURATION].series.n, 2);
	assert_true(h->of[TREND_DURATION].series.row[1].value == 100.5 ||
	            h->of[TREND_DURATION].series.row[1].value == 100);
	free(h);
	/* Without an index they are not elements, here as in the history. */
	for (size_t i = 0; i < N; i++)
		v[i].snapshot.part.array_index = -1;
	h = changes();
	assert_false(history_in_array(&r, 1));
	assert_int_equal(h->of[TREND_DURATION].series.n, N);
	free(h);
}

/* So are the attempts of one job: the last one counts. */
TEST(attempts)
{
	struct history_changes *h;
	const struct history_series *s;

	begin();
	v[3].snapshot.part.job = "slurm/hpc/7/batch/0";
	v[5].snapshot.part.job = "slurm/hpc/7/batch/1";
	v[9].snapshot.part.job = "slurm/hpc/7/batch/2";
	h = changes();
	s = &h->of[TREND_DURATION].series;
	assert_int_equal(s->n, N - 2);
	for (size_t k = 0; k < s->n; k++)
		assert_true(v[s->run[k]].start != 3 && v[s->run[k]].start != 5);
	free(h);
}

static const struct history_changes *page; /* which gates are judged by; NULL: none */

static struct gate_result judge(const char *text, const char *sentence)
{
	struct gate g;
	struct gate_result out;
	struct err e = {0};
	struct buf b = {0};

	if (gate_parse(text, &g, &e))
		fail_msg("%s", e.msg);
	gate_judge(&g, &r, NAN, page, &out);
	gate_sentence(&g, &out, "USD", &b);
	assert_string_equal(buf_cstr(&b), sentence);
	buf_free(&b);
	return out;
}

TEST(gates)
{
	struct gate g;
	struct err e = {0};

	begin();
	for (size_t i = 31; i < N; i++)
		v[i].stats[METRIC_PROCESS_MEMORY].max *= 1.2;
	free(changes());
	judge("changed(process_memory.max)",
	      "The change of peak memory (PSS) is +20% (40 comparable runs)");
	assert_int_equal(judge("changed(process_memory.max) > 30%",
	                       "The change of peak memory (PSS) 20% is at most 30% (40 "
	                       "comparable runs)")
	                     .answer,
	                 GATE_HOLDS_NOT);
	assert_int_equal(
	    judge("changed(duration)", "The change of duration is none (40 comparable runs)")
		.answer,
	    GATE_HOLDS_NOT);
	assert_int_equal(
	    judge("contended", "It was not contended: other programs did not keep it waiting")
		.answer,
	    GATE_HOLDS_NOT);
	v[0].snapshot.contention.waited_s = 50;
	assert_int_equal(
	    judge("contended", "It was contended: other programs kept it waiting").answer,
	    GATE_HOLDS);
	judge("duration > history * 1.2",
	      "duration > history * 1.2: not judged, because other programs kept this run waiting");
	judge("changed(duration)",
	      "changed(duration): not judged, because other programs kept this run waiting");
	v[0].snapshot.contention.known = false;
	v[0].status = RUN_FAILED;
	judge("changed(duration)",
	      "changed(duration): not judged, because this run did not succeed");
	v[0].status = RUN_FINISHED;
	judge("contended",
	      "contended: not judged, because its recording does not say whether other "
	      "programs kept it waiting");
	r.n = 6;
	judge("changed(duration) > 10%", "changed(duration) > 10%: not judged, because there are "
	                                 "fewer than 10 comparable runs");
	assert_int_equal(gate_parse("changed(durations)", &g, &e), -1);
	assert_int_equal(gate_parse("changed(duration", &g, &e), -1);
	assert_int_equal(gate_parse("changed()", &g, &e), -1);
	assert_int_equal(gate_parse("changed(duration) + 1", &g, &e), -1);
	assert_int_equal(gate_parse("duration", &g, &e), -1);
}

static double duration_of(const void *ctx, size_t i)
{
	const struct runs *of = ctx;

	return of->v[i].duration;
}

/* Median, lowest, highest and mean are of the same runs. */
TEST(one_range)
{
	struct history_range past;

	begin();
	v[N - 2].duration = 500;
	v[N - 2].snapshot.contention.waited_s = 400;
	free(changes());
	past = history_range(&r, true, duration_of, &r);
	assert_int_equal(past.runs, 5); /* 98, 103, 100, 99, 102 */
	assert_int_equal(past.n, 5);
	assert_true(past.low == 98 && past.median == 100 && past.high == 103);
	assert_true(fabs(past.mean - 100.4) < 1e-9);
	judge(
	    "duration > history.max",
	    "Duration 1 min 37 s is at most the earlier runs' most 1 min 43 s (5 comparable runs)");
	past = history_range(&r, false, duration_of, &r);
	assert_true(past.runs == 5 && past.high == 500);
}

/* Why a gate on the history is not judged. */
TEST(no_history)
{
	begin();
	for (size_t i = 0; i + 1 < N; i++)
		v[i].stats[METRIC_PROCESS_MEMORY] = stats_none();
	free(changes());
	judge(
	    "process_memory.max > history",
	    "process_memory.max > history: not judged, because the earlier runs did not measure it");
	begin();
	for (size_t i = 0; i + 1 < N; i++)
		v[i].snapshot.contention.waited_s = 50;
	free(changes());
	judge("duration > history", "duration > history: not judged, because other programs kept "
	                            "all earlier runs waiting");
}

/* The page searches several measures together, which takes a clearer change: a gate says the same,
 * and searches alone what is not on the page. */
TEST(gate_as_the_page)
{
	static const char alone[] = "The change of peak memory (PSS) is +20% (40 comparable runs)";
	struct history_changes *h;

	begin();
	for (size_t i = 31; i < N; i++)
		v[i].stats[METRIC_PROCESS_MEMORY].max *= 1.2;
	h = changes();
	h->of[TREND_MEMORY].word = HISTORY_AS_USUAL;
	h->of[TREND_MEMORY].change = NULL;
	judge("changed(process_memory.max)", alone);
	page = h;
	judge("changed(process_memory.max)",
	      "The change of peak memory (PSS) is none (40 comparable runs)");
	judge("changed(cpu_s)", "changed(cpu_s): not judged, because it was not measured");
	v[0].stats[METRIC_PROCESS_CPU_USAGE].n = 0; /* the page's is the machine's */
	judge("changed(process_memory.max)", alone);
	page = NULL;
	free(h);
}
