/* speed: ratios of scores, their ranges, and how well they predict what was measured. */
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/gz.h"
#include "report/prices/frontier.h"
#include "report/prices/keeper_result.h"
#include "report/prices/speed.h"
#include "tests/unit/unit.h"

static struct keeper_server server(const char *arch, double vcpus, double asked, double stress_ng)
{
	struct keeper_server s = keeper_result_no_server();

	snprintf(s.arch, sizeof s.arch, "%s", arch);
	s.vcpus = vcpus;
	s.score_asked = asked;
	s.score = stress_ng;
	return s;
}

TEST(ratios_and_ranges)
{
	static const struct {
		const char *workload;
		bool one;
		const char *arch;
		double vcpus, asked, stress_ng; /* there; here: x86_64, 4, 1000, 400 */
		double times, range;
		enum speed_by by;
	} cases[] = {
	    {NULL, true, "x86_64", 8, 1500, 400, 1.5, 1.4, SPEED_MEASURE},
	    /* Twice the CPUs: 1.5 times the score is as much as the benchmark makes of them. */
	    {NULL, false, "x86_64", 8, 1500, 400,
	     1500 / 8.0 * (1 + 8 / 18.0) / (250 * (1 + 4 / 18.0)), 1.4, SPEED_MEASURE},
	    {NULL, false, "x86_64", 32, 4000, 400, 125 * (1 + 32 / 18.0) / (250 * (1 + 4 / 18.0)),
	     1.7, SPEED_MEASURE},
	    {NULL, false, "arm64", 32, 4000, 400, 125 * (1 + 32 / 18.0) / (250 * (1 + 4 / 18.0)),
	     2.2, SPEED_MEASURE},
	    {"web", false, "x86_64", 32, 4000, 400, 0.5, 2.2, SPEED_MEASURE},
	    {NULL, true, "aarch64", 8, 500, 400, 0.5, 1.7, SPEED_MEASURE},
	    {"geekbench:clang", true, "amd64", 8, 500, 400, 0.5, 1.4, SPEED_MEASURE},
	    {NULL, true, "", 8, 500, 400, 0.5, 1.7, SPEED_MEASURE}, /* of an unknown architecture */
	    /* Without a score of the measure, stress-ng's; without any, equal speed. */
	    {NULL, true, "x86_64", 8, NAN, 1600, 2, 2.2, SPEED_STRESS_NG},
	    {NULL, true, "x86_64", 8, 0, 1600, 2, 2.2, SPEED_STRESS_NG},
	    {NULL, true, "x86_64", 8, NAN, NAN, 1, 2.2, SPEED_UNKNOWN},
	    {NULL, true, "x86_64", NAN, 1500, 400, 1.5, 1.4, SPEED_MEASURE},
	    {NULL, false, "x86_64", NAN, 1500, 400, 1, 2.2, SPEED_UNKNOWN},
	    {"web", false, "arm64", 8, 4000, 400, 2, 1.7, SPEED_MEASURE},
	    /* This profile says nothing across architectures. */
	    {"data_analysis", false, "arm64", 8, 4000, 1600, 2, 2.2, SPEED_STRESS_NG},
	    {"data_analysis", false, "x86_64", 8, 4000, 1600, 2, 1.4, SPEED_MEASURE},
	    {"stress_ng:best1", false, "x86_64", 8, 4000, 400, 4, 2.2, SPEED_MEASURE},
	};
	struct keeper_server here = server("x86_64", 4, 1000, 400);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct speed_measure m = speed_measure(cases[i].workload, cases[i].one);
		struct keeper_server there =
		    server(cases[i].arch, cases[i].vcpus, cases[i].asked, cases[i].stress_ng);
		struct speed s = speed_of(&m, &here, &there);
		if (fabs(s.times - cases[i].times) > 1e-9 || s.range != cases[i].range ||
		    s.by != cases[i].by)
			fail_msg("case %zu: %g, ÷ and × %g, by %d", i, s.times, s.range, s.by);
	}
}

TEST(measures)
{
	static const struct {
		const char *workload, *id, *config, *words;
		bool one;
	} cases[] = {
	    {NULL, "geekbench:score", "{\"cores\": \"single\"}", "Geekbench, one core", true},
	    {"", "geekbench:score", "{\"cores\": \"multi\"}", "Geekbench, all CPUs", false},
	    {"geekbench:clang", "geekbench:clang", "{\"cores\": \"multi\"}",
	     "geekbench:clang, all CPUs", false},
	    {"CICD", "workload_profile:cicd", "", "workload_profile:cicd, all CPUs", true},
	    {"stress_ng:best1", "stress_ng:best1", "", "stress_ng:best1, one core", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct speed_measure m = speed_measure(cases[i].workload, cases[i].one);
		struct buf words = {.max = 256};
		speed_words(&m, SPEED_MEASURE, &words);
		assert_string_equal(m.id, cases[i].id);
		assert_string_equal(speed_config(&m), cases[i].config);
		assert_string_equal(buf_cstr(&words), cases[i].words);
		buf_free(&words);
	}
}

TEST(scores_of_a_measure)
{
	struct speed_measure one = speed_measure(NULL, true), web = speed_measure("web", true);

	assert_true(speed_is_of(&one, "geekbench:score", "single"));
	assert_true(speed_is_of(&one, "geekbench:score", "Single-Core Performance"));
	assert_false(speed_is_of(&one, "geekbench:score", "multi"));
	assert_false(speed_is_of(&one, "geekbench:score", ""));
	assert_false(speed_is_of(&one, "geekbench:clang", "single"));
	assert_true(speed_is_of(&web, "workload_profile:web", ""));
	assert_false(speed_is_of(&(struct speed_measure){.one = true}, "", ""));
}

TEST(workloads)
{
	static const struct {
		const char *word, *says; /* NULL: accepted */
	} cases[] = {
	    {"web", NULL},
	    {"Data-Analysis", NULL},
	    {"geekbench:clang", NULL},
	    {"passmark:cpu_mark", NULL},
	    {"wbe", "unknown value \"wbe\"; did you mean web? (known: web, compute, cache, "
	            "data_analysis, llm, cicd)"},
	    {"", "unknown value \"\" (known: web, compute, cache, data_analysis, llm, cicd)"},
	    {"a:", "\"a:\" is not the ID of a benchmark, such as geekbench:clang"},
	    {"a:b&limit=1",
	     "\"a:b&limit=1\" is not the ID of a benchmark, such as geekbench:clang"},
	    {"membench:latency",
	     "membench:latency: a lower latency is better, so it is no measure of speed"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {0};
		assert_int_equal(speed_check(cases[i].word, &e), cases[i].says ? -1 : 0);
		if (cases[i].says)
			assert_string_equal(e.msg, cases[i].says);
	}
}

/* -- what was measured on cloud servers (RTRACK_SHARED/fixtures/servers) ----------------------- */

#define TEXT_MAX ((size_t)64 << 20)
#define PAIRS    20000 /* of servers, for each benchmark that is predicted */

static size_t next_random(size_t n)
{
	static uint64_t state = 40;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(state >> 33) % n;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double number(const cJSON *s, const char *key)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(s, key);

	return cJSON_IsNumber(v) && v->valuedouble > 0 ? v->valuedouble : (double)NAN;
}

/* What is predicted, and from what. The scores of all of these benchmarks contain none of it. */
struct question {
	const char *what, *from; /* .from: key of the score; "": none; with %s: "1" or "n" */
	bool one, same_size;
	const char *to; /* architecture; from x86_64 */
};

static const char *const one_thread[] = {"pm:CPU_SINGLETHREAD", "cz1:brotli", "cz1:bzip2",
                                         "cz1:gzip", NULL};
static const char *const all_cpus[] = {"pm:CPU_INTEGER_MATH",
                                       "pm:CPU_SORTING",
                                       "pm:CPU_FLOATINGPOINT_MATH",
                                       "pm:CPU_PHYSICS",
                                       "czn:gzip",
                                       "czn:bzip2",
                                       NULL};

static struct keeper_server server_of(const cJSON *s, const struct question *q)
{
	const char *arch = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s, "arch"));

	return server(arch ? arch : "", number(s, "n"), number(s, q->from), NAN);
}

/* Between two servers, |ln(predicted / measured)|; NAN if they are not two of the question. */
static double error_of(const struct speed_measure *m, const struct question *q, const cJSON *a,
                       const cJSON *b, const char *benchmark)
{
	struct keeper_server here = server_of(a, q), there = server_of(b, q);
	double was = number(b, benchmark) / number(a, benchmark);
	struct speed s = speed_of(m, &here, &there);

	if (a == b || strcmp(here.arch, "x86_64") != 0 || strcmp(there.arch, q->to) != 0 ||
	    (q->same_size && here.vcpus != there.vcpus) || (s.by == SPEED_UNKNOWN && *q->from))
		return NAN;
	return fabs(log(s.times / (q->one ? was : was * here.vcpus / there.vcpus)));
}

/* The median, and what nine of ten do not exceed, as factors. */
static void errors_of(cJSON *const *all, size_t n, const struct question *q, double out[2])
{
	const char *const *benchmarks = q->one ? one_thread : all_cpus;
	struct speed_measure m = speed_measure(NULL, q->one);
	double *error = calloc(8 * PAIRS, sizeof *error);
	size_t found = 0;

	if (strncmp(q->from, "ng:", 3) == 0)
		m = (struct speed_measure){.id = "stress_ng:best1", .one = q->one};
	for (size_t i = 0; benchmarks[i]; i++)
		for (size_t k = 0; k < PAIRS; k++) {
			const cJSON *a = all[next_random(n)], *b = all[next_random(n)];
			double v = error_of(&m, q, a, b, benchmarks[i]);
			if (isfinite(v))
				error[found++] = v;
		}
	assert_true(found > 50);
	qsort(error, found, sizeof *error, by_value);
	out[0] = exp(error[found / 2]);
	out[1] = exp(error[found * 9 / 10]);
	free(error);
}

static cJSON *read_scores(const char *shared)
{
	char path[4096];
	struct buf text = {.max = TEXT_MAX};
	struct gz_in *in;
	cJSON *root;
	char piece[65536];
	long got;
	int fd;

	snprintf(path, sizeof path, "%s/fixtures/servers/scores.json.gz", shared);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	in = gz_in_new(fd, TEXT_MAX, NULL);
	while ((got = gz_read(in, piece, sizeof piece, NULL)) > 0)
		buf_add(&text, piece, (size_t)got);
	gz_in_free(in);
	close(fd);
	root = cJSON_Parse(buf_cstr(&text));
	buf_free(&text);
	assert_non_null(root);
	return root;
}

/* Prints the table of docs/advice.md. */
TEST(predicts_what_was_measured)
{
	static const struct {
		struct question q;
		double median, most; /* at most */
	} cases[] = {
	    {{"one thread", "gb1:Score", true, false, "x86_64"}, 1.16, 1.45},
	    {{"one thread", "gb1:Score", true, false, "arm64"}, 1.25, 1.7},
	    {{"one thread", "ng:best1", true, false, "x86_64"}, 1.40, 2.2},
	    {{"one thread", "", true, false, "x86_64"}, 2, 4},
	    {{"all CPUs, as many", "gbn:Score", false, true, "x86_64"}, 1.18, 1.7},
	    {{"all CPUs, as many", "gbn:Score", false, true, "arm64"}, 1.4, 1.9},
	    {{"all CPUs, any number", "gbn:Score", false, false, "x86_64"}, 1.3, 2.2},
	    {{"all CPUs, any number", "gbn:Score", false, false, "arm64"}, 1.5, 2.2},
	    {{"all CPUs, any number", "ng:bestn", false, false, "x86_64"}, 1.5, 2.5},
	    {{"all CPUs, any number", "", false, false, "x86_64"}, 2, 4},
	};
	const char *shared = getenv("RTRACK_SHARED");
	cJSON *root = shared ? read_scores(shared) : NULL, *one;
	size_t n = 0;
	cJSON **all;

	if (!root)
		skip();
	all = calloc((size_t)cJSON_GetArraySize(root) + 1, sizeof *all);
	cJSON_ArrayForEach (one, root) {
		all[n++] = one;
	}
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct question *q = &cases[i].q;
		double e[2];
		errors_of(all, n, q, e);
		print_message("%s, x86_64 to %s, by %s: x %.2f, nine of ten x %.2f\n", q->what,
		              q->to, *q->from ? q->from : "nothing", e[0], e[1]);
		if (!(e[0] <= cases[i].median) || !(e[1] <= cases[i].most))
			fail_msg("more than x %.2f, %.2f", cases[i].median, cases[i].most);
	}
	free(all);
	cJSON_Delete(root);
}

/* -- jobs that people published (RTRACK_SHARED/fixtures/servers/README.md) --------------------- */

/* Only half of the servers are there: .scored is the server itself, or one of its family, whose
 * score of all CPUs counts as that of .cpus. */
struct published {
	const char *name, *scored;
	double cpus, took_s;
};

static struct keeper_server published_server(const cJSON *root, const struct published *p,
                                             const char *benchmark, bool one, double k)
{
	const cJSON *s = cJSON_GetObjectItemCaseSensitive(root, p->scored);
	const char *arch = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s, "arch"));
	char key[64];
	double n = number(s, "n"), score;

	snprintf(key, sizeof key, "gb%s:%s", one ? "1" : "n", benchmark);
	score = number(s, key);
	if (!one)
		score *= p->cpus / n * (1 + n / k) / (1 + p->cpus / k);
	assert_true(score > 0);
	return server(arch, p->cpus, score, NAN);
}

TEST(predicts_published_jobs)
{
	static const struct {
		const char *what, *workload, *benchmark;
		double k; /* saturation of all CPUs */
		bool one;
		struct published here, there[2];
		double most; /* of the error, as a factor: little above what it is */
	} cases[] = {
	    {"bun, one thread",
	     NULL,
	     "Score",
	     18,
	     true,
	     {"c7i.2xlarge", "aws/c7i.2xlarge", 8, 633},
	     {{"r7a.large", "aws/r7a.2xlarge", 2, 610}, {"r8g.large", "aws/r8g.large", 2, 584}},
	     1.2},
	    {"bun, one thread, --workload geekbench:clang",
	     "geekbench:clang",
	     "Clang",
	     64,
	     true,
	     {"c7i.2xlarge", "aws/c7i.2xlarge", 8, 633},
	     {{"r7a.large", "aws/r7a.2xlarge", 2, 610}, {"r8g.large", "aws/r8g.large", 2, 584}},
	     1.1},
	    {"omicron, all CPUs",
	     NULL,
	     "Score",
	     18,
	     false,
	     {"m6a.2xlarge", "aws/m6a.4xlarge", 8, 80 * 60},
	     {{"c8a.2xlarge", "aws/c8a.8xlarge", 8, 44 * 60}},
	     1.25},
	    {"omicron, all CPUs, --workload geekbench:clang",
	     "geekbench:clang",
	     "Clang",
	     64,
	     false,
	     {"m6a.2xlarge", "aws/m6a.4xlarge", 8, 80 * 60},
	     {{"c8a.2xlarge", "aws/c8a.8xlarge", 8, 44 * 60}},
	     1.3},
	    {"x264, all CPUs",
	     NULL,
	     "Score",
	     18,
	     false,
	     {"c6a.8xlarge", "aws/c6a.24xlarge", 32, 170},
	     {{"c7g.8xlarge", "aws/c7g.8xlarge", 32, 247}},
	     2},
	};
	const char *shared = getenv("RTRACK_SHARED");
	cJSON *root = shared ? read_scores(shared) : NULL;
	size_t n = 0, in_range = 0;

	if (!root)
		skip();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool one = cases[i].one;
		struct keeper_server here =
		    published_server(root, &cases[i].here, cases[i].benchmark, one, cases[i].k);
		struct frontier_job job = {.duration_s = cases[i].here.took_s,
		                           .nodes = 1,
		                           .here = &here,
		                           .measure = speed_measure(cases[i].workload, one)};
		for (size_t t = 0; t < 2 && cases[i].there[t].name; t++) {
			const struct published *p = &cases[i].there[t];
			struct keeper_server there =
			    published_server(root, p, cases[i].benchmark, one, cases[i].k);
			struct frontier_point v;
			frontier_point(&job, &there, &v);
			print_message("%s, %s %g s: %s %.0f s (%.0f to %.0f), published %g\n",
			              cases[i].what, cases[i].here.name, cases[i].here.took_s,
			              p->name, v.time.s, v.time.least, v.time.most, p->took_s);
			if (fabs(log(v.time.s / p->took_s)) > log(cases[i].most))
				fail_msg("off by more than x %g", cases[i].most);
			/* All but x264, perhaps as its loops are written by hand for each
			 * architecture, which no score of other programs measures. */
			in_range += v.time.least <= p->took_s && v.time.most >= p->took_s;
			n++;
		}
	}
	assert_int_equal(n, 7);
	assert_int_equal(in_range, 6);
	cJSON_Delete(root);
}
