/* Tests of collect/cgroup/cgroup_text.c. */
#include <math.h>
#include <string.h>

#include "collect/cgroup/cgroup_text.h"
#include "tests/unit/unit.h"

static int same(double a, double b)
{
	return isnan(a) ? isnan(b) : a == b;
}

TEST(numbers)
{
	static const struct {
		const char *text;
		double is;
	} cases[] = {{"123\n", 123},
	             {"0\n", 0},
	             {"max\n", INFINITY},
	             {"-1\n", INFINITY},
	             {"9223372036854771712\n", INFINITY},
	             {"99999999999999999999999\n", INFINITY},
	             {"4611686018427387903", INFINITY},
	             {"4611686018427380000", 4611686018427380000.0},
	             {"", NAN},
	             {"-5\n", NAN},
	             {"x\n", NAN}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_true(
		    same(cgroup_text_number(cases[i].text, strlen(cases[i].text)), cases[i].is));
}

TEST(keys)
{
	static const char text[] = "oom 5\noom_kill 7\nusage_usec\nx 1\nhierarchical_memory_limit "
				   "9223372036854771712\n";

	assert_true(cgroup_text_key(text, sizeof text - 1, "oom") == 5);
	assert_true(cgroup_text_key(text, sizeof text - 1, "oom_kill") == 7);
	assert_true(cgroup_text_key(text, sizeof text - 1, "hierarchical_memory_limit") > 9e18);
	assert_true(isnan(cgroup_text_key(text, sizeof text - 1, "usage_usec")));
	assert_true(isnan(cgroup_text_key(text, sizeof text - 1, "kill")));
	assert_true(isnan(cgroup_text_key("", 0, "x")));
}

TEST(sums)
{
	static const char vmstat[] = "nr_free_pages 7\nallocstall_dma 1\nallocstall_normal 20\n"
				     "allocstall_movable 300\nallocstall_odd x\noom_kill 4\n";

	assert_true(cgroup_text_sum(vmstat, sizeof vmstat - 1, "allocstall_") == 321);
	assert_true(isnan(cgroup_text_sum(vmstat, sizeof vmstat - 1, "pswpin")));
	assert_true(isnan(cgroup_text_sum("", 0, "allocstall_")));
}

TEST(pids)
{
	int pids[3];

	assert_int_equal(cgroup_text_pids("7\n0\n4194304\n", 12, pids, 3), 3);
	assert_true(pids[0] == 7 && pids[1] == 0 && pids[2] == 4194304);
	assert_int_equal(cgroup_text_pids("", 0, pids, 3), 0);
	assert_int_equal(cgroup_text_pids("1\n2\n3\n4\n", 8, pids, 3), -1);
	assert_int_equal(cgroup_text_pids("1\n-2\n", 5, pids, 3), -1);
	assert_int_equal(cgroup_text_pids("1\nx\n", 4, pids, 3), -1);
}

TEST(cpu_max)
{
	static const struct {
		const char *text;
		double is;
	} cases[] = {{"max 100000\n", INFINITY},
	             {"150000 100000\n", 1.5},
	             {"50000", 0.5},
	             {"100 0\n", NAN},
	             {"", NAN},
	             {"a b\n", NAN}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_true(
		    same(cgroup_text_cpu_max(cases[i].text, strlen(cases[i].text)), cases[i].is));
}

static bool not_dm(const void *ctx, int major, int minor)
{
	(void)ctx;
	(void)minor;
	return major != 253;
}

TEST(io)
{
	static const char text[] = "8:0 rbytes=10 wbytes=20 rios=1 wios=2 dbytes=9 dios=9\n"
				   "253:0 rbytes=10 wbytes=20\n8:16\n8:32 wbytes=5 rbytes=x\n";
	double r, w;

	assert_true(cgroup_text_io(text, sizeof text - 1, NULL, NULL, &r, &w));
	assert_true(r == 20 && w == 45);
	assert_true(cgroup_text_io(text, sizeof text - 1, not_dm, NULL, &r, &w));
	assert_true(r == 10 && w == 25);
	assert_false(cgroup_text_io("x\n8:0 rbytes=1", 14, NULL, NULL, &r, &w));
	assert_true(r == 1 && w == 0);
	/* Linux 5.14 names devices without numbers on the line of the next that has some. */
	static const char joined[] =
	    "253:0 253:1 8:0 rbytes=3 wbytes=4\n8:0 253:0 rbytes=9\n8:16 \n";
	assert_true(cgroup_text_io(joined, sizeof joined - 1, not_dm, NULL, &r, &w));
	assert_true(r == 3 && w == 4);
	assert_true(cgroup_text_io("", 0, NULL, NULL, &r, &w));
	assert_true(r == 0 && w == 0);
}
