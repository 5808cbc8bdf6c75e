/* process_join: what samples and events say of a process is in one row; older recordings of either. */
#include "core/processes/process_join.h"

#include <math.h>
#include <string.h>

#include "core/files/snapshot_read.h"
#include "core/processes/process_tree.h"
#include "tests/unit/unit.h"

/* A recording that began at 1000, of the root process 7. tree, processes: NULL: there is none. */
static void read_of(struct snapshot *s, const char *tree, const char *processes)
{
	struct buf b = {0};
	struct err e = {0};

	buf_str(&b,
	        "{\"metadata\":{\"pid\":7,\"interval\":1,\"start_time\":1000},\"rtrack\":{\"x\":0");
	if (processes)
		buf_printf(&b, ",\"processes\":%s", processes);
	if (tree)
		buf_printf(&b, ",\"tree\":%s", tree);
	buf_str(&b, "},\"process_metrics\":{\"timestamp\":[1001,1010]}}");
	if (snapshot_read_text(s, buf_cstr(&b), b.len, "run.json", &e))
		fail_msg("%s", e.msg);
	buf_free(&b);
}

/* make (7), cc (8) that a sample saw early, cc (8 again) that none saw, as (10). */
#define TREE(source, more)                                                                         \
	"{\"source\":\"" source "\",\"why\":\"\"," more                                            \
	"\"n\":4,\"kept\":4,\"names\":[\"make\",\"cc\",\"as\"],"                                   \
	"\"commands\":[],\"pid\":[7,8,8,10],\"parent\":[-1,0,0,0],\"start_s\":[0,1,4,5],"          \
	"\"end_s\":[10,2,4.5,9],\"cpu_s\":[2.36,0.58,0.4,null],"                                   \
	"\"memory_bytes\":[100,200,null,null],\"status\":[0,0,0,null],\"name\":[0,1,1,2],"         \
	"\"command\":[-1,-1,-1,-1],\"groups\":[]}"

static const char seen[] =
    "{\"seen\":3,\"seen_cpu_s\":1,\"unseen_cpu_s\":1,\"top\":["
    "{\"pid\":7,\"ppid\":1,\"name\":\"make\",\"start\":999.99,\"end\":null,\"cpu_s\":0.3,"
    "\"peak_rss_bytes\":90,\"peak_pss_bytes\":60,\"read_bytes\":5,\"write_bytes\":6,"
    "\"states\":{\"disk\":3}},"
    "{\"pid\":8,\"ppid\":7,\"name\":\"cc\",\"start\":1001.01,\"end\":1002,\"cpu_s\":0.07,"
    "\"peak_rss_bytes\":250},"
    "{\"pid\":10,\"ppid\":7,\"name\":\"as\",\"start\":1005,\"end\":1009,\"cpu_s\":0.1,"
    "\"peak_rss_bytes\":9,\"signal\":\"KILL\"}],\"others\":[]}";

TEST(both_are_one_row)
{
	struct snapshot s = {0};
	const struct process_tree_node *v;

	read_of(&s, TREE("events", ""), seen);
	assert_non_null(s.tree);
	assert_int_equal(s.tree->kept, 4);
	v = s.tree->of;
	/* What no sample saw belongs to it. */
	assert_true(v[0].cpu_s == 2.36 && v[0].cpu_exact > 0);
	assert_true(v[1].cpu_s == 0.58 && v[1].cpu_exact > 0);
	assert_true(v[2].cpu_s == 0.4 && v[2].cpu_exact > 0);
	/* Its end is not known, so a sample says what it used at least. */
	assert_true(v[3].cpu_s == 0.1 && v[3].cpu_exact <= 0);
	assert_int_equal(v[3].status, -9);
	assert_true(process_tree_memory(&v[0]) == 60);
	assert_true(process_tree_memory(&v[1]) == 250);
	assert_true(isnan(process_tree_memory(&v[2])));
	assert_true(v[0].sampled->read_b == 5);
	assert_true(v[0].sampled->states_s[STATES_DISK] == 3);
	/* The same pid later is another process. */
	assert_non_null(v[1].sampled);
	assert_null(v[2].sampled);
	snapshot_free(&s);
}

/* A recorder knows of each row what its end said. */
TEST(of_a_recorder)
{
	struct process_tree_node exact = {.cpu_s = 1, .cpu_exact = 1, .memory_b = NAN, .status = 3},
				 least = exact, none = exact;
	const struct snapshot_process same = {
	    .cpu_s = 1, .peak_rss_b = 9, .exit_code = NAN, .signal = "KILL"};
	const struct snapshot_process more = {
	    .cpu_s = 1.2, .peak_rss_b = NAN, .exit_code = 4, .signal = ""};

	process_join_row(&exact, &same);
	assert_true(exact.cpu_exact > 0 && exact.memory_b == 9 && exact.sampled == &same);
	assert_int_equal(exact.status, 3);
	least.cpu_exact = 0;
	process_join_row(&least, &same);
	assert_true(least.cpu_exact <= 0);
	none.cpu_s = none.cpu_exact = NAN;
	none.status = PROCESS_TREE_NO_STATUS;
	process_join_row(&none, &more);
	assert_true(none.cpu_s == 1.2 && none.cpu_exact <= 0 && isnan(none.memory_b));
	assert_int_equal(none.status, 4);
	/* The end lacks a part. */
	process_join_row(&exact, &more);
	assert_true(exact.cpu_s == 1.2 && exact.cpu_exact <= 0);
}

/* Where the end said no more than the last sample, it may be that sample's word. */
TEST(what_a_sample_saw_is_a_bound)
{
	static const char same[] = "{\"top\":[{\"pid\":8,\"start\":1001,\"cpu_s\":0.58}]}";
	struct snapshot s = {0};

	read_of(&s, TREE("events", ""), same);
	assert_true(s.tree->of[1].cpu_exact <= 0);
	assert_true(s.tree->of[0].cpu_exact <= 0); /* a sample saw it: its memory is known */
	assert_true(s.tree->of[2].cpu_exact > 0);
	assert_true(isnan(s.tree->of[3].cpu_exact));
	snapshot_free(&s);
	read_of(&s, TREE("events", "\"kernel\":\"perf\","), same);
	assert_true(s.tree->of[1].cpu_exact > 0 && s.tree->of[0].cpu_exact > 0);
	snapshot_free(&s);
}

/* In a namespace of processes, what the command's children used is not its own. */
TEST(children_count_once)
{
	struct snapshot s = {0};

	read_of(&s, TREE("samples", ""), seen);
	assert_true(s.tree->of[0].cpu_s == 0.3);
	assert_true(s.tree->of[1].cpu_s == 0.58);
	assert_true(s.tree->of[0].cpu_exact <= 0 && s.tree->of[1].cpu_exact <= 0);
	snapshot_free(&s);
}

TEST(of_samples_alone)
{
	static const char groups[] =
	    "{\"seen\":9,\"top\":[{\"pid\":7,\"name\":\"make\",\"start\":1000,\"cpu_s\":1,"
	    "\"exit_code\":2},{\"pid\":8,\"ppid\":7,\"name\":\"cc\",\"start\":1003,\"end\":1005},"
	    "{\"ppid\":8}],\"others\":[{\"name\":\"sh\",\"count\":4,\"cpu_s\":0.5,"
	    "\"peak_rss_bytes\":7}]}";
	struct snapshot s = {0};

	read_of(&s, NULL, groups);
	assert_non_null(s.tree);
	assert_true(s.tree->largest);
	assert_string_equal(s.tree->source, PROCESS_TREE_SAMPLES);
	assert_true(s.tree->n == 9);
	assert_int_equal(s.tree->kept, 3);
	assert_int_equal(s.tree->of[0].status, 2);
	assert_int_equal(s.tree->of[1].parent, 0);
	assert_true(s.tree->of[1].start_s == 3 && s.tree->of[1].end_s == 5);
	assert_true(isnan(s.tree->of[1].cpu_s) && isnan(s.tree->of[1].cpu_exact));
	assert_int_equal(s.tree->of[2].parent, -1);
	assert_true(isnan(s.tree->of[2].start_s));
	assert_true(s.tree->groups[0].n == 4 && s.tree->groups[0].memory_b == 7);
	snapshot_free(&s);
	read_of(&s, NULL, NULL);
	assert_null(s.tree);
	snapshot_free(&s);
}

/* A page of an older version has of many processes the number, and the largest. */
TEST(of_an_older_page)
{
	static const char none[] =
	    "{\"source\":\"events\",\"why\":\"\",\"n\":978,\"kept\":0,\"names\":[],\"commands\":[],"
	    "\"pid\":[],\"parent\":[],\"start_s\":[],\"end_s\":[],\"cpu_s\":[],\"memory_bytes\":[],"
	    "\"status\":[],\"name\":[],\"command\":[],\"groups\":[]}";
	struct snapshot s = {0};

	read_of(&s, none, seen);
	assert_true(s.tree->n == 978 && s.tree->kept == 3 && s.tree->largest);
	snapshot_free(&s);
}

/* What a page says is not changed: it has one table. */
TEST(of_one_table)
{
	struct snapshot s = {0};

	read_of(&s,
	        TREE("events", "\"cpu_exact\":[0,1,1,null],\"sampled\":[{\"row\":1,"
	                       "\"peak_pss_bytes\":44,\"read_bytes\":1,\"states\":{\"cpu\":1},"
	                       "\"waits\":[{\"state\":\"disk\",\"name\":\"/x\",\"seconds\":2}]},"
	                       "{\"row\":99},{}],"),
	        NULL);
	assert_true(s.tree->of[0].cpu_exact <= 0 && s.tree->of[1].cpu_exact > 0);
	assert_null(s.tree->of[0].sampled);
	assert_true(process_tree_memory(&s.tree->of[1]) == 44);
	assert_int_equal(s.tree->of[1].sampled->n_waits, 1);
	assert_true(isnan(s.tree->of[1].sampled->write_b));
	snapshot_free(&s);
}
