/* job_name: which recordings are of the job that "rtrack-fleet job" names. */
#include <math.h>
#include <string.h>

#include "fleet/catalog/job_name.h"
#include "tests/unit/unit.h"

static const struct job_name_row none = {
    .id = "", .job_id = "", .job = "", .array_job = "", .labels = "", .array_index = NAN};

static struct job_name_row row_of(const char *job_id)
{
	struct job_name_row row = none;

	row.job_id = job_id;
	return row;
}

TEST(names)
{
	static const struct {
		const char *text, *job_id;
		bool is;
	} cases[] = {
	    {"12345", "slurm/hpc/12345/0", true},
	    {"12345", "slurm/hpc/12345/3", true},
	    {"12345", "slurm//12345/0", true},
	    {"1234", "slurm/hpc/12345/0", false},
	    {"2345", "slurm/hpc/12345/0", false},
	    {"hpc", "slurm/hpc/12345/0", false},
	    {"12345/3", "slurm/hpc/12345/3", true},
	    {"12345/0", "slurm/hpc/12345/3", false},
	    {"slurm/hpc/12345", "slurm/hpc/12345/3", true},
	    {"slurm/hpc/12345/3", "slurm/hpc/12345/3", true},
	    {"slurm/hpc/12345/2", "slurm/hpc/12345/3", false},
	    {"slurm/old/12345", "slurm/hpc/12345/3", false},
	    {"slurm//12345", "slurm/hpc/12345/3", false},
	    {"slurm//12345", "slurm//12345/3", true},
	    {"pbs/hpc/12345", "slurm/hpc/12345/3", false},
	    {"123", "pbs//123.server/0", true},
	    {"123.server", "pbs//123.server/0", true},
	    {"123.serve", "pbs//123.server/0", false},
	    {"123", "pbs//123[4].server/0", true},
	    {"123[4]", "pbs//123[4].server/0", true},
	    {"123[5]", "pbs//123[4].server/0", false},
	    {"77[2]", "lsf//77[2]/0", true},
	    {"77", "lsf//77[2]/0", true},
	    {"0a1b-2c", "aws-batch//0a1b-2c/1", true},
	    {"12345", "", false},
	    {"12345", "///", false},
	    {"12345", "12345", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct job_name_row row = row_of(cases[i].job_id);
		struct job_name name;
		struct err e = {0};
		assert_int_equal(job_name_parse(cases[i].text, &name, &e), 0);
		if (job_name_is(&name, &row) != cases[i].is)
			fail_msg("%s, %s", cases[i].text, cases[i].job_id);
	}
}

TEST(elements)
{
	static const struct {
		const char *text;
		double index;
		bool is;
	} cases[] = {{"12", 3, true},    {"12_3", 3, true},    {"12_3", 4, false},
	             {"12[3]", 3, true}, {"12_3/0", 3, true},  {"12_", 3, false},
	             {"1_3", 3, false},  {"12_3", NAN, false}, {"205", 4, true},
	             {"205_3", 3, false}};
	struct job_name name;
	struct err e = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct job_name_row row = row_of("slurm/hpc/205/0");
		row.array_job = "slurm/hpc/12";
		row.array_index = cases[i].index;
		assert_int_equal(job_name_parse(cases[i].text, &name, &e), 0);
		if (job_name_is(&name, &row) != cases[i].is)
			fail_msg("%s, %g", cases[i].text, cases[i].index);
	}
}

/* The key of a part, labels of a recording without keys, and the recording itself. */
TEST(other_places)
{
	struct job_name name;
	struct job_name_row row = none;
	struct err e = {0};

	assert_int_equal(job_name_parse("815", &name, &e), 0);
	row.job = "slurm/c1/815/0/2";
	assert_true(job_name_is(&name, &row));
	assert_float_equal(job_name_restart(&row), 2, 0);
	row.job = "mpi-0123456789abcdef";
	assert_false(job_name_is(&name, &row));
	row.labels = "a=815;slurm.job_id=815;slurm.restart_count=1";
	assert_true(job_name_is(&name, &row));
	assert_float_equal(job_name_restart(&row), 1, 0);
	row.labels = "slurm.job_id=8151;x.slurm.job_id=815";
	assert_false(job_name_is(&name, &row));
	row.id = "815";
	assert_true(job_name_is(&name, &row));
}

TEST(not_names)
{
	static const char *const bad[] = {
	    "",      "/",      "a/",        "/1",   "a/b",
	    "12/-1", "12/1e9", "a/b/c/d/e", "a/b/", "12/99999999999999999999"};
	char longest[2000];
	struct job_name name;
	struct err e = {0};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (!job_name_parse(bad[i], &name, &e))
			fail_msg("%s", bad[i]);
	memset(longest, '1', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	assert_int_equal(job_name_parse(longest, &name, &e), -1);
}

static void expect_text(const struct job_name_row *row, const char *text, const char *key)
{
	struct buf out = {0};

	job_name_text(row, &out);
	assert_string_equal(buf_cstr(&out), text);
	buf_clear(&out);
	job_name_key(row, &out);
	assert_string_equal(buf_cstr(&out), key);
	buf_free(&out);
}

TEST(texts)
{
	struct job_name_row row = row_of("slurm/hpc/205/1");

	expect_text(&none, "", "");
	expect_text(&row, "205/1", "slurm/hpc/205");
	row.array_job = "slurm/hpc/12";
	expect_text(&row, "205/1", "slurm/hpc/205");
	row.array_index = 3;
	expect_text(&row, "12_3/1", "slurm/hpc/205");
	row = row_of("pbs//123[4].server/0");
	row.array_job = "pbs//123[].server";
	row.array_index = 4;
	expect_text(&row, "123[4].server", "pbs//123[4].server");
	row = row_of("slurm/hpc/205/999999999999");
	expect_text(&row, "205", "slurm/hpc/205");
}
