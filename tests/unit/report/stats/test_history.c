/* history: the newest run is this run; of the others the last finished ones count. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/stats/history.h"
#include "tests/unit/unit.h"

#define MAX    12
#define FUTURE 98 /* starts from here on are in the future */

/* What a run is (in "3@a" an element of the array @a, with its start as index), and what is said of it: order, files and reasons as one text. */
struct given {
	const char *file;
	double start;
	enum run_status status;
};

static void choose(const struct given *given, size_t n, const char *current, long use,
                   const char *expected)
{
	struct run v[MAX];
	struct runs r = {.v = v, .n = n, .current = current};
	struct buf said = {0};
	struct err e = {0};
	size_t used = 0;

	memset(v, 0, sizeof v);
	for (size_t i = 0; i < n; i++)
		v[i] = (struct run){.file = (char *)given[i].file,
		                    .start = given[i].start,
		                    .status = given[i].status,
		                    .future = given[i].start >= FUTURE,
		                    .snapshot.part = {.array_job = strchr(given[i].file, '@'),
		                                      .array_index = given[i].start}};
	assert_int_equal(history_choose(&r, use, &e), 0);
	for (size_t i = 0; i < n; i++) {
		used += i && v[i].used;
		buf_printf(&said, "%s%s%s%s", i ? ", " : "", v[i].file,
		           i == 0      ? " now"
		           : v[i].used ? ""
		                       : ": ",
		           i && !v[i].used ? v[i].why : "");
		if (v[i].used)
			assert_string_equal(v[i].why, "");
	}
	assert_string_equal(buf_cstr(&said), expected);
	assert_int_equal(history_used(&r), used);
	buf_free(&said);
}

/* The key of a job ends with how often it was started again. */
TEST(attempts)
{
	static const char *const keys[] = {"slurm/hpc/9/batch/0",
	                                   "slurm/hpc/8/batch/2",
	                                   "slurm/hpc/8/batch/1",
	                                   "slurm/hpc/8/batch/1",
	                                   "slurm/hpc/7/batch/0",
	                                   "torchrun-8",
	                                   "",
	                                   "slurm/hpc/9/batch/1"};
	static const char *const why[] = {
	    "", "", "its job was started again after it", "its job was started again after it", "",
	    "", "", "its job was started again after it"};
	struct run v[8] = {{0}};
	struct runs r = {.v = v, .n = 8};
	struct err e = {0};

	for (size_t i = 0; i < 8; i++)
		v[i] = (struct run){
		    .file = (char *)"a", .start = 90 - (double)i, .snapshot.part.job = keys[i]};
	assert_int_equal(history_choose(&r, 9, &e), 0);
	for (size_t i = 1; i < 8; i++)
		assert_string_equal(v[i].why, why[i]);
	v[6].snapshot.part.job = NULL;
	assert_false(history_one_job(&v[6], &v[5]));
	assert_false(history_one_job(&v[2], &v[3])); /* two commands of one attempt */
}

TEST(order)
{
	static const struct given runs[] = {
	    {"b", 20, RUN_FINISHED}, {"d", 40, RUN_FINISHED}, {"none", NAN, RUN_FINISHED},
	    {"a", 10, RUN_FINISHED}, {"c", 30, RUN_UNKNOWN},
	};

	choose(runs, 5, NULL, 9, "d now, c, b, a, none");
	choose(runs, 5, "b", 9, "b now, d: it began later, c: it began later, a, none");
	choose(runs, 5, "none", 9, "none now, d, c, b, a");
	choose(runs, 5, "d", 9, "d now, c, b, a, none");
	choose(runs, 1, NULL, 9, "b now");
	choose(
	    runs, 5, NULL, 2,
	    "d now, c, b, a: only the last 2 runs are used, none: only the last 2 runs are used");
	choose(runs, 3, NULL, 1, "d now, b, none: only the last run is used");
	choose(runs, 2, NULL, 0, "d now, b: --history is 0");
}

/* Those whose end was bad are listed, but neither count nor use up places. */
TEST(left_out)
{
	static const struct given runs[] = {
	    {"1", 1, RUN_FINISHED}, {"2", 2, RUN_FAILED},     {"3", 3, RUN_KILLED},
	    {"4", 4, RUN_FINISHED}, {"5", 5, RUN_UNFINISHED}, {"6", 6, RUN_UNKNOWN},
	    {"7", 7, RUN_FAILED},
	};

	choose(runs, 7, NULL, 5,
	       "7 now, 6, 5: its recording is not finished, 4, 3: it was killed, 2: it failed, 1");
	choose(runs, 7, NULL, 2,
	       "7 now, 6, 5: its recording is not finished, 4, 3: it was killed, 2: it failed, "
	       "1: only the last 2 runs are used");
}

/* All elements of this run's array count, and use up places; those of another array do not. */
TEST(arrays)
{
	static const struct given runs[] = {
	    {"1@b", 1, RUN_FINISHED}, {"2@b", 2, RUN_FINISHED}, {"3@a", 3, RUN_FINISHED},
	    {"4@a", 4, RUN_FAILED},   {"5@a", 5, RUN_FINISHED}, {"6", 6, RUN_FINISHED},
	    {"7@a", 7, RUN_FINISHED},
	};

	choose(runs, 7, NULL, 2,
	       "7@a now, 6, 5@a, 4@a: it failed, 3@a, 2@b: only its array and the last 2 runs are "
	       "used, 1@b: only its array and the last 2 runs are used");
	choose(runs, 7, NULL, 4,
	       "7@a now, 6, 5@a, 4@a: it failed, 3@a, 2@b, 1@b: only its array and the last 4 runs "
	       "are used");
	choose(runs, 7, NULL, 0,
	       "7@a now, 6: only its array is used, 5@a, 4@a: it failed, 3@a, 2@b: only its array "
	       "is used, 1@b: only its array is used");
	choose(runs, 7, "6", 1,
	       "6 now, 7@a: it began later, 5@a, 4@a: it failed, 3@a: only the last run is used, "
	       "2@b: only the last run is used, 1@b: only the last run is used");
}

/* What the job needs is shown by all that finished before, and by what was killed for memory; not by
 * runs that began later than the one that is reported on. */
TEST(shows_need)
{
	static const struct {
		double start;
		enum run_status status;
		const char *cause;
		bool shows;
	} all[] = {
	    {4, RUN_FINISHED, "exited", true}, {6, RUN_FINISHED, "exited", false},
	    {5, RUN_KILLED, "oom", false},     {3, RUN_FINISHED, "exited", true},
	    {2, RUN_KILLED, "oom", true},      {1.5, RUN_FAILED, "exited", false},
	    {1, RUN_FINISHED, "exited", true},
	};
	struct run v[7] = {{0}};
	struct runs r = {.v = v, .n = 7, .current = "0"};
	struct err e = {0};
	size_t seen = 0;

	for (size_t i = 0; i < 7; i++) {
		v[i] = (struct run){.file = (char *)(i ? "other" : "0"),
		                    .start = all[i].start,
		                    .status = all[i].status};
		v[i].snapshot.exit.known = true;
		v[i].snapshot.exit.cause = all[i].cause;
	}
	assert_int_equal(history_choose(&r, 1, &e), 0);
	for (size_t i = 0; i < 7; i++)
		for (size_t k = 0; k < 7; k++)
			if (v[i].start == all[k].start) {
				assert_int_equal(v[i].shows_need, all[k].shows);
				seen++;
			}
	assert_int_equal(seen, 7);
	assert_false(history_is_trend(&r, 1)); /* it began later */
}

TEST(used_in_words)
{
	static const struct {
		const char *array[4];
		const char *text;
	} cases[] = {
	    {{NULL, NULL, NULL, NULL}, "3 earlier runs"},
	    {{"a", NULL, NULL, "a"}, "1 other element of its array and 2 earlier runs"},
	    {{"a", "a", "a", "a"}, "3 other elements of its array"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run v[4];
		struct runs r = {.v = v, .n = 4};
		char text[HISTORY_TEXT];
		memset(v, 0, sizeof v);
		for (size_t k = 0; k < 4; k++) {
			v[k].used = k > 0;
			v[k].snapshot.part.array_job = cases[i].array[k];
		}
		history_used_text(&r, text);
		assert_string_equal(text, cases[i].text);
	}
}

TEST(used_text_of_the_last)
{
	struct run v[4];
	struct runs r = {.v = v, .n = 4, .not_last = "only the last run is used"};
	char text[HISTORY_TEXT];

	memset(v, 0, sizeof v);
	v[1].used = true;
	v[2].why = v[3].why = r.not_last;
	history_used_text(&r, text);
	assert_string_equal(text, "the last of 3 comparable runs");
	v[2].used = true;
	v[2].why = "";
	history_used_text(&r, text);
	assert_string_equal(text, "the last 2 of 3 comparable runs");
	v[3].why = "it failed";
	history_used_text(&r, text);
	assert_string_equal(text, "2 earlier runs");
}

TEST(ties)
{
	static const struct given runs[] = {
	    {"b", 5, RUN_FINISHED},
	    {"c", 5, RUN_FINISHED},
	    {"a", 5, RUN_FINISHED},
	};
	static const struct given other_way[] = {
	    {"c", 5, RUN_FINISHED},
	    {"a", 5, RUN_FINISHED},
	    {"b", 5, RUN_FINISHED},
	};

	choose(runs, 3, NULL, 5, "a now, b, c");
	choose(other_way, 3, NULL, 5, "a now, b, c");
}

/* A run in the future is this run only where it is chosen or all are, and never counts. */
TEST(future)
{
	static const struct given some[] = {
	    {"a", 10, RUN_FINISHED},
	    {"z", 99, RUN_FINISHED},
	    {"b", 20, RUN_FINISHED},
	};
	static const struct given all[] = {
	    {"y", 98, RUN_FINISHED},
	    {"z", 99, RUN_FINISHED},
	};

	choose(some, 3, NULL, 9, "b now, a, z: its start is in the future");
	choose(some, 3, "z", 9, "z now, b, a");
	choose(all, 2, NULL, 9, "z now, y");
	choose(all, 2, "y", 9, "y now, z: its start is in the future");
}

TEST(nothing_to_choose)
{
	struct run v[1] = {{.file = (char *)"a", .start = 1}};
	struct runs none = {0}, other = {.v = v, .n = 1, .current = "b\n"};
	struct err e = {0};

	assert_int_equal(history_choose(&none, 5, &e), -1);
	assert_string_equal(e.msg, "no recording to report on");
	assert_int_equal(history_choose(&other, 5, &e), -1);
	assert_string_equal(e.msg, "b\\x0a: the run to report on could not be read");
}
