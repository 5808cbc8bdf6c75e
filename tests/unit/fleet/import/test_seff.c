/* seff: its text, by hand. */
#include "fleet/import/seff.h"

#include "tests/unit/fleet/import/slurm_imported.h"
#include "tests/unit/unit.h"

static void check(FILE *f, const char *rows)
{
	struct import in = {.now = 0};
	struct buf out = {0};
	struct err e = {0};

	assert_non_null(f);
	assert_int_equal(slurm_imported_file(f, &in, &out, &e), 0);
	assert_string_equal(buf_cstr(&out), rows);
	buf_free(&out);
}

TEST(several_jobs)
{
	check(fopen("tests/fixtures/import/slurm/seff.txt", "r"),
	      "slurm/hpc/1234/0 exited/0/-/finished at -+3375 cpu=93784 peak=12636.16+ "
	      "asked=32,32768,-,-\n"
	      "slurm/hpc/1235/0 -/-/-/time_limit at -+20 cpu=- peak=512 asked=1,1024,-,-\n"
	      "3 lines, 2 jobs, 0 unknown, 0 left out\n");
}

TEST(odd_values)
{
	static const char text[] = "Job ID: 9\nState: FAILED (exit code 300000000000000000000000)\n"
				   "Nodes: some\nCPU Utilized: 00:10\nMemory Utilized: 5.00 QB\n"
				   "Job Wall-clock time: 00:01:40\nMemory Efficiency: 1.00%\n: x\n";

	check(slurm_imported_open(text, strlen(text)),
	      "slurm//9/0 -/-/-/exited at -+100 cpu=10 peak=- asked=-,-,-,-\n"
	      "1 lines, 1 jobs, 4 unknown, 0 left out\n");
}

TEST(recognised)
{
	assert_true(seff_recognise("Job ID: 1\nCluster: x\nState: ", 29));
	assert_false(seff_recognise("Job ID: 1\nCluster: x\n", 21));
	assert_false(seff_recognise("", 0));
}
