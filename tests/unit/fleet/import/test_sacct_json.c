/* sacct_json: the shapes of Slurm 22.05 and 24.05, against the same jobs as text; and broken JSON. */
#include "fleet/import/sacct_json.h"

#include <stdlib.h>

#include "tests/unit/fleet/import/slurm_imported.h"
#include "tests/unit/unit.h"

#define BEGIN                                                                                      \
	"{\"jobs\": [{\"association\": {}, \"job_id\": 7, \"time\": {\"start\": 1700000000, \"elapsed\": 5}, "
#define ROW   "slurm//7/0 exited/0/-/finished at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
#define LATER "slurm//8/0 -/-/-/cancelled at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"

static void check(const char *name, FILE *f, int failed, const char *rows, const char *said)
{
	struct import in = {.now = 0};
	struct buf out = {0};
	struct err e = {0};

	assert_non_null(f);
	if (slurm_imported_file(f, &in, &out, &e) != failed || strcmp(buf_cstr(&out), rows) != 0 ||
	    !strstr(failed ? e.msg : in.example.msg, said))
		fail_msg("%s: %s\n%s%s", name, e.msg, buf_cstr(&out), in.example.msg);
	buf_free(&out);
}

TEST(later_versions)
{
	check("24", fopen("tests/fixtures/import/slurm/sacct-24.json", "r"), 0,
	      "slurm/hpc/41/2 exited/2/-/exited at 1700000000+100 cpu=90.5 peak=100 "
	      "asked=8,16384,2,3600\n"
	      "slurm/hpc/54/0 signaled/-/KILL/killed at 1700000200+30 cpu=- peak=- asked=-,-,-,-\n"
	      "4 lines, 2 jobs, 0 unknown, 0 left out\n",
	      "");
}

static const struct {
	const char *name, *text;
	int failed;
	const char *rows, *said;
} cases[] = {
    {"no jobs", "{\"errors\": [], \"jobs\": [], \"meta\": {\"command\": [\"sacct\"]}}", 0,
     "0 lines, 0 jobs, 0 unknown, 0 left out\n", ""},
    {"a state as text", BEGIN "\"state\": {\"current\": \"COMPLETED\"}}]}", 0,
     ROW "1 lines, 1 jobs, 0 unknown, 0 left out\n", ""},
    {"numbers that are none",
     BEGIN "\"state\": {\"current\": \"COMPLETED\"}, \"tres\": {\"requested\": [{\"type\": "
           "\"cpu\", \"count\": -5}, {\"type\": \"mem\", \"count\": 18446744073709551614}, 3, "
           "{\"type\": 5}]}}]}",
     0, ROW "1 lines, 1 jobs, 0 unknown, 0 left out\n", ""},
    {"cut in the second job",
     BEGIN "\"state\": {\"current\": \"COMPLETED\"}}, {\"job_id\": 8, \"state", 0,
     ROW "1 lines, 1 jobs, 0 unknown, 1 left out\n", "ends too early"},
    {"cut in the first", BEGIN "\"sta", -1, "0 lines, 0 jobs, 0 unknown, 0 left out\n",
     "ends too early"},
    {"a job that is no object", "{\"jobs\": [7, {\"association\": null}]}", 0,
     "2 lines, 0 jobs, 0 unknown, 2 left out\n", "ID"},
    {"an empty key", BEGIN "\"\": {\"\": [[]]}, \"state\": {\"current\": [\"COMPLETED\"]}}]}", 0,
     ROW "1 lines, 1 jobs, 0 unknown, 0 left out\n", ""},
    {"too deep", BEGIN "\"a\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", -1,
     "0 lines, 0 jobs, 0 unknown, 0 left out\n", "byte"},
    {"a component of a heterogeneous job",
     BEGIN
     "\"het\": {\"job_id\": 7, \"job_offset\": 1}, \"job_id\": 8, \"time\": {\"start\": 1700000000, "
     "\"elapsed\": 5}, \"state\": {\"current\": \"COMPLETED\"}}]}",
     0,
     "slurm//7/0@+1 exited/0/-/finished at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "1 lines, 1 jobs, 0 unknown, 0 left out\n",
     ""},
    {"a comment of jobstats",
     BEGIN
     "\"comment\": {\"administrator\": \"JS1:H4sIAAAAAAACA12KWwqAIBAA77LfErpqmZeJqC2CzEj9iPDuPSCCfgaGmQPGNQWwQzsHYrD4ni47YBE3"
     "u6cpBtHHdm4cOb/tYKWSuq6kkaV5U5wcgRWaF5pBCtR/M6JA1KrCnH835/kEGcngmoAAAAA=\", \"job\": null}, "
     "\"state\": {\"current\": \"COMPLETED\"}}]}",
     0,
     "slurm//7/0 exited/0/-/finished at 1700000000+5 cpu=150.5 peak=3072 asked=-,-,-,-\n"
     "1 lines, 1 jobs, 0 unknown, 0 left out\n",
     ""},
    {"two jobs",
     BEGIN "\"state\": {\"current\": \"COMPLETED\"}}, {\"job_id\": 8, \"time\": {\"start\": "
           "1700000000, \"elapsed\": 5}, \"state\": {\"current\": \"CANCELLED\"}}]}",
     0, ROW LATER "2 lines, 2 jobs, 0 unknown, 0 left out\n", ""},
};

TEST(texts)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check(cases[i].name, slurm_imported_open(cases[i].text, strlen(cases[i].text)),
		      cases[i].failed, cases[i].rows, cases[i].said);
}

/* What 22.05 writes of one job in both ways. Its JSON has the microseconds of CPU time that its text rounds, and of each
 * failure the status 0. */
TEST(like_the_text)
{
	static const char *const keys[] = {"slurm/t/5/0 ", "slurm/t/10/0 ", "slurm/t/11/0 ",
	                                   "slurm/t/24/0 ", "slurm/t/24/1 "};
	struct buf out[2] = {{0}, {0}};
	struct err e = {0};

	for (int i = 0; i < 2; i++) {
		struct import in = {.now = 0};
		FILE *f = fopen(i ? "tests/fixtures/import/slurm/sacct.json"
		                  : "tests/fixtures/import/slurm/sacct.txt",
		                "r");
		assert_non_null(f);
		assert_int_equal(slurm_imported_file(f, &in, &out[i], &e), 0);
		assert_int_equal(in.unknown + in.left_out, 0);
	}
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const char *text = strstr(buf_cstr(&out[0]), keys[i]),
			   *json = strstr(buf_cstr(&out[1]), keys[i]);
		assert_non_null(text);
		assert_non_null(json);
		assert_memory_equal(text, json, (size_t)(strstr(text, " cpu=") - text));
		text = strstr(text, " peak=");
		json = strstr(json, " peak=");
		assert_memory_equal(text, json, strcspn(text, "\n"));
	}
	buf_free(&out[0]);
	buf_free(&out[1]);
}

TEST(recognised)
{
	static const struct {
		const char *text;
		bool is;
	} texts[] = {
	    {" {\"meta\": {\"plugin\": {\"type\": \"openapi\\/dbv0.0.38\"}}, \"jobs\": [", true},
	    {"{\"jobs\":[{\"account\":\"x\",\"association\":", true},
	    {"{\"jobs\":[{\"account\":\"x\",\"accrue_time\":", false}, /* squeue's */
	    {"[{\"jobs\":\"association\"", false},
	    {"{}", false},
	    {"", false},
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_true(sacct_json_recognise(texts[i].text, strlen(texts[i].text)) ==
		            texts[i].is);
}
