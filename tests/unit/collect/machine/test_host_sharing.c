/* allocation: whether the job had the machine to itself. */
#include <math.h>

#include "collect/machine/host_sharing.h"
#include "tests/unit/unit.h"

#define MIB 1048576.0

TEST(words)
{
	static const struct {
		double tree_cores, system_cores, tree_mib, system_mib;
		const char *expect;
	} cases[] = {
	    {2, 2.05, 1000, 1060, "dedicated"},
	    {2, 2.26, 1000, 1060, "shared"}, /* over 0.25 cores */
	    {4, 4.2, 1000, 1060, "dedicated"},
	    {0.3, 0.41, 1000, 1000, "shared"},     /* over a quarter, and over the floor */
	    {0.05, 0.14, 1000, 1000, "dedicated"}, /* a quarter, but under the floor */
	    {1, 1, 100, 160, "dedicated"},         /* half as much, but under the floor */
	    {1, 1, 100, 170, "shared"},
	    {1, 1, 4000, 4500, "dedicated"},
	    {1, 1, 4000, 4600, "shared"},
	    {2, 1.5, 1000, 900, "dedicated"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct host_sharing a = {0};
		host_sharing_add(&a, HOST_SHARING_CPU, cases[i].tree_cores, cases[i].system_cores,
		                 1);
		host_sharing_add(&a, HOST_SHARING_MEMORY, cases[i].tree_mib * MIB,
		                 cases[i].system_mib * MIB, 1);
		host_sharing_add(&a, HOST_SHARING_CPU, NAN, 100, 1);
		host_sharing_add(&a, HOST_SHARING_VRAM, 1, NAN, 1);
		assert_string_equal(host_sharing_word(&a), cases[i].expect);
	}
}

TEST(gpus)
{
	static const struct {
		double tree, system, tree_mib, system_mib;
		const char *expect;
	} cases[] = {
	    {0, 0, 0, 0, "dedicated"},       {1, 1.15, 0, 0, "dedicated"},
	    {1, 1.21, 0, 0, "shared"}, /* over 0.2 GPUs */
	    {0.2, 0.31, 0, 0, "shared"},     {0.1, 0.19, 0, 0, "dedicated"},
	    {0, 0, 4000, 4500, "dedicated"}, {0, 0, 4000, 4600, "shared"},
	    {0, 0, 100, 160, "dedicated"},   {0, 0, 100, 170, "shared"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct host_sharing a = {0};
		host_sharing_add(&a, HOST_SHARING_GPU, cases[i].tree, cases[i].system, 1);
		host_sharing_add(&a, HOST_SHARING_VRAM, cases[i].tree_mib * MIB,
		                 cases[i].system_mib * MIB, 1);
		assert_string_equal(host_sharing_word(&a), cases[i].expect);
	}
}

/* A busy moment of others, and a long time without them. */
TEST(rows_count_for_their_time)
{
	struct host_sharing a = {0};

	host_sharing_add(&a, HOST_SHARING_CPU, 1, 4, 0.05);
	host_sharing_add(&a, HOST_SHARING_CPU, 1, 1.1, 10);
	assert_string_equal(host_sharing_word(&a), "dedicated");
	host_sharing_add(&a, HOST_SHARING_CPU, 1, 4, 10);
	assert_string_equal(host_sharing_word(&a), "shared");
}

TEST(without_rows)
{
	struct host_sharing a = {0};

	assert_string_equal(host_sharing_word(&a), "unknown");
}
