/* sacct: texts of sacct -P, by hand, and what Slurm 22.05 printed (tests/fixtures/import). */
#include "fleet/import/sacct.h"

#include <stdlib.h>

#include "tests/unit/fleet/import/slurm_imported.h"
#include "tests/unit/unit.h"

#define HEADER                                                                                     \
	"JobID|JobIDRaw|Cluster|State|ExitCode|Start|End|TotalCPU|MaxRSS|NTasks|NNodes|ReqTRES|JobName\n"
#define JOB    "7|7|c|COMPLETED|0:0|1700000000|1700000100|00:00:00|||1|cpu=2,mem=4G|train\n"
#define STEP   "7.batch|7.batch|c|COMPLETED|0:0|1700000000|1700000100|01:30.500|100M|1|1||batch\n"
#define ROW    "slurm/c/7/0 exited/0/-/finished at 1700000000+100 cpu=90.5 peak=100 asked=2,4096,-,-\n"
#define NO_USE "slurm/c/7/0 exited/0/-/finished at 1700000000+100 cpu=- peak=- asked=2,4096,-,-\n"

static const struct {
	const char *name, *text, *rows;
} cases[] = {
    {"a job and its step", HEADER JOB STEP, ROW "2 lines, 1 jobs, 0 unknown, 0 left out\n"},
    {"no line", HEADER, "0 lines, 0 jobs, 0 unknown, 0 left out\n"},
    {"other line ends, a byte order mark, an empty line",
     "\xef\xbb\xbfJobID|State|Elapsed\r\n7|COMPLETED|1-00:00:01\r\n\r\n",
     "slurm//7/0 exited/0/-/finished at -+86401 cpu=- peak=- asked=-,-,-,-\n"
     "1 lines, 1 jobs, 0 unknown, 0 left out\n"},
    {"sacct -p, and other letters", "STATE|JOBID|elapsed|\nFAILED|7|01:00|\n",
     "slurm//7/0 -/-/-/exited at -+60 cpu=- peak=- asked=-,-,-,-\n"
     "1 lines, 1 jobs, 0 unknown, 0 left out\n"},
    {"a header that comes again", HEADER JOB STEP HEADER JOB STEP,
     ROW ROW "4 lines, 2 jobs, 0 unknown, 0 left out\n"},
    {"a name with a bar", HEADER "7|7|c|COMPLETED|0:0|1700000000|1700000100||||1||a|b\n",
     "slurm/c/7/0 exited/0/-/finished at 1700000000+100 cpu=- peak=- asked=-,-,-,-\n"
     "1 lines, 1 jobs, 0 unknown, 0 left out\n"},
    {"a name with a bar in the middle", "JobID|JobName|State|Elapsed\n7|a|b|COMPLETED|01:00\n",
     "1 lines, 0 jobs, 0 unknown, 1 left out\n"},
    {"a name of two lines", HEADER "7|7|c|COMPLETED|0:0|1700000000|1700000100||||1||a\nb\n",
     "slurm/c/7/0 exited/0/-/finished at 1700000000+100 cpu=- peak=- asked=-,-,-,-\n"
     "2 lines, 1 jobs, 0 unknown, 1 left out\n"},
    {"a step without a job", HEADER STEP, "1 lines, 0 jobs, 0 unknown, 1 left out\n"},
    {"sorted: steps before the lines of their jobs, and other jobs between",
     HEADER STEP "70.batch|70.batch|c|COMPLETED|0:0|1700000000|1700000100|00:10|5M|1|1||batch\n"
                 "70|70|c|COMPLETED|0:0|1700000000|1700000100||||1|cpu=1,mem=1G|x\n" JOB,
     "slurm/c/70/0 exited/0/-/finished at 1700000000+100 cpu=10 peak=5 asked=1,1024,-,-\n" ROW
     "4 lines, 2 jobs, 0 unknown, 0 left out\n"},
    {"sorted: two attempts, each with its step; and a step of another cluster",
     HEADER "7.batch|7.batch|c|FAILED|1:0|1600000000|1600000010|00:05|9M|1|1||batch\n" STEP
            "7.batch|7.batch|d|COMPLETED|0:0|1700000000|1700000100|00:50|80M|1|1||batch\n"
            "7|7|c|FAILED|1:0|1600000000|1600000010||||1|cpu=2,mem=4G|train\n" JOB,
     "slurm/c/7/0 exited/1/-/exited at 1600000000+10 cpu=5 peak=9 asked=2,4096,-,-\n"
     "slurm/c/7/1 exited/0/-/finished at 1700000000+100 cpu=90.5 peak=100 asked=2,4096,-,-\n"
     "5 lines, 2 jobs, 0 unknown, 1 left out\n"},
    {"a step long after its job", HEADER JOB "8|8|c|PENDING|0:0||||||||x\n" STEP,
     NO_USE "3 lines, 1 jobs, 0 unknown, 1 left out\n"},
    {"a step of another job",
     HEADER JOB "8.0|8.0|c|COMPLETED|0:0|||||||"
                "|x\n",
     NO_USE "2 lines, 1 jobs, 0 unknown, 1 left out\n"},
    {"values that are not understood",
     HEADER "7|7|c|DONE|x|yesterday|INVALID|1.2.3|-5K|many|1|cpu=-2,mem=4X|train\n",
     "1 lines, 0 jobs, 6 unknown, 0 left out\n"},
    {"values that are not understood, of a job that ran",
     HEADER "7|7|c|DONE|x|1700000000|INVALID|1.2.3|-5K|many|1|cpu=-2,mem=4X|train\n",
     "slurm/c/7/0 -/-/-/- at 1700000000+- cpu=- peak=- asked=-,-,-,-\n"
     "1 lines, 1 jobs, 6 unknown, 0 left out\n"},
    {"no ID", HEADER "x|x|c|COMPLETED|0:0||||||||x\n", "1 lines, 0 jobs, 0 unknown, 1 left out\n"},
    {"the last line is cut: the use may lack a step", HEADER JOB STEP "7.0|7.0|c|COMPL",
     NO_USE "3 lines, 1 jobs, 0 unknown, 1 left out\n"},
    {"what waits, and what was cancelled before",
     "JobID|JobIDRaw|State|Start|End|NodeList|Elapsed\n"
     "8_[4-9]|8|PENDING|Unknown|Unknown|None assigned|00:00:00\n"
     "9|9|CANCELLED by 5|Unknown|2026-01-01T00:00:00|None assigned|00:00:00\n"
     "10|10|CANCELLED|2026-01-01T00:00:00|2026-01-01T00:00:00|None assigned|00:00:00\n"
     "11|11|CANCELLED|None|2026-01-01T00:00:00||00:00:00\n",
     "4 lines, 0 jobs, 0 unknown, 0 left out\n"},
    {"an array without JobIDRaw, waiting for most of it",
     "JobID|State|Start|Elapsed\n8_1|COMPLETED|1700000000|00:00:05\n"
     "8_[2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30]|PENDING|"
     "Unknown|\n",
     "slurm//8_1/0 exited/0/-/finished at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "2 lines, 1 jobs, 0 unknown, 0 left out\n"},
    {"it runs: nothing is known of its use",
     HEADER "7|7|c|RUNNING|0:0|1700000000|Unknown|00:00:00|||1|cpu=2|x\n"
            "7.batch|7.batch|c|RUNNING|0:0|1700000000|Unknown|00:00:00|100M|1|1||batch\n",
     "slurm/c/7/0 unfinished/-/-/- at 1700000000+- cpu=- peak=- asked=2,-,-,-\n"
     "2 lines, 1 jobs, 0 unknown, 0 left out\n"},
    {"ends",
     "JobID|State|ExitCode|Start|ElapsedRaw\n"
     "1|FAILED|3:0|1700000000|5\n2|FAILED|0:11|1700000000|5\n3|FAILED|0:9|1700000000|5\n"
     "4|FAILED|0:0|1700000000|5\n5|FAILED|0:53|1700000000|5\n"
     "6|OUT_OF_MEMORY|0:125|1700000000|5\n7|TIMEOUT|0:0|1700000000|5\n"
     "8|CANCELLED by 1000|0:0|1700000000|5\n9|NODE_FAIL|1:0|1700000000|5\n"
     "10|PREEMPTED|0:15|1700000000|5\n11|DEADLINE|0:0|1700000000|5\n"
     "12|BOOT_FAIL|0:0|1700000000|5\n13|REQUEUED|0:0|1700000000|5\n"
     "14|RESIZING|0:0|1700000000|5\n15|COMPLETED||1700000000|5\n",
     "slurm//1/0 exited/3/-/exited at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//2/0 signaled/-/SEGV/crash at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//3/0 signaled/-/KILL/killed at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//4/0 -/-/-/exited at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//5/0 -/-/-/exited at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//6/0 oom/-/-/oom at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//7/0 -/-/-/time_limit at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//8/0 -/-/-/cancelled at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//9/0 -/-/-/node_failed at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//10/0 signaled/-/TERM/preempted at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//11/0 -/-/-/deadline at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//12/0 -/-/-/node_failed at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//13/0 -/-/-/requeued at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//15/0 exited/0/-/finished at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "15 lines, 14 jobs, 0 unknown, 1 left out\n"},
    {"attempts, in their order, with others between, and by Restarts",
     "JobID|State|Start|ElapsedRaw|Restarts\n1|REQUEUED|1700000000|5|\n2|COMPLETED|1700000000|5|\n"
     "1|NODE_FAIL|1700000100|5|\n1|COMPLETED|1700000200|5|\n3|COMPLETED|1700000300|5|4\n",
     "slurm//1/0 -/-/-/requeued at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//2/0 exited/0/-/finished at 1700000000+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//1/1 -/-/-/node_failed at 1700000100+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//1/2 exited/0/-/finished at 1700000200+5 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//3/4 exited/0/-/finished at 1700000300+5 cpu=- peak=- asked=-,-,-,-\n"
     "5 lines, 5 jobs, 0 unknown, 0 left out\n"},
    {"asks of old versions: for each CPU, for each node",
     "JobID|State|Start|ElapsedRaw|ReqCPUS|ReqMem|NNodes|Timelimit\n"
     "1|COMPLETED|1700000000|5|8|4000Mc|2|1-00:00:00\n2|COMPLETED|1700000000|5|8|4Gn|2|UNLIMITED\n"
     "3|COMPLETED|1700000000|5|8|0n|2|Partition_Limit\n",
     "slurm//1/0 exited/0/-/finished at 1700000000+5 cpu=- peak=- asked=8,32000,-,86400\n"
     "slurm//2/0 exited/0/-/finished at 1700000000+5 cpu=- peak=- asked=8,8192,-,-\n"
     "slurm//3/0 exited/0/-/finished at 1700000000+5 cpu=- peak=- asked=8,-,-,-\n"
     "3 lines, 3 jobs, 0 unknown, 0 left out\n"},
    {"what was asked for, and what was given where it used more or asked for all",
     "JobID|State|Start|ElapsedRaw|TimelimitRaw|ReqTRES|AllocTRES|TotalCPU\n"
     "1|COMPLETED|1700000000|100|60|cpu=1,gres/gpu:a=1,gres/gpu:b=2,mem=0|cpu=4,gres/gpu=3,mem=8G|"
     "00:01:00\n"
     "2|COMPLETED|1700000000|100|60|cpu=1,gres/gpu=2,gres/gpu:a=2,mem=1G|cpu=64,mem=8G|01:00:00\n",
     "slurm//1/0 exited/0/-/finished at 1700000000+100 cpu=60 peak=- asked=1,8192,3,3600\n"
     "slurm//2/0 exited/0/-/finished at 1700000000+100 cpu=3600 peak=- asked=64,1024,2,3600\n"
     "2 lines, 2 jobs, 0 unknown, 0 left out\n"},
    {"memory: of steps at the same time the sum, of all tasks, and never of slurmstepd alone",
     "JobID|State|Start|End|TotalCPU|MaxRSS|NTasks|NNodes|TRESUsageInTot\n"
     "1|COMPLETED|1700000000|1700000100||||2|\n"
     "1.batch|COMPLETED|1700000000|1700000100|00:01.000|10M|1|1|cpu=00:00:01,fs/disk=9,mem=10M\n"
     "1.0|COMPLETED|1700000000|1700000050|00:01.000|50M|4|2|cpu=00:00:01,fs/disk=9,mem=120M\n"
     "1.1|COMPLETED|1700000050|1700000100|00:01.000|70M|4|2|cpu=00:00:01,fs/disk=9,mem=120M\n"
     "2|COMPLETED|1700000000|1700000100||||1|\n"
     "2.0|COMPLETED|1700000000|1700000100|00:01.000|30M|3|2|\n"
     "3|COMPLETED|1700000000|1700000100||||1|\n"
     "3.batch|COMPLETED|1700000000|1700000100|00:01.000|1072K|1|1|"
     "cpu=00:00:00,fs/disk=0,mem=1072K\n"
     "4|COMPLETED|1700000000|1700000100||||1|\n"
     "4.batch|COMPLETED|1700000000|1700000100|00:01.000|0|1|1|cpu=00:00:00,fs/disk=9,mem=0\n",
     "slurm//1/0 exited/0/-/finished at 1700000000+100 cpu=3 peak=260 asked=-,-,-,-\n"
     "slurm//2/0 exited/0/-/finished at 1700000000+100 cpu=1 peak=60 asked=-,-,-,-\n"
     "slurm//3/0 exited/0/-/finished at 1700000000+100 cpu=1 peak=- asked=-,-,-,-\n"
     "slurm//4/0 exited/0/-/finished at 1700000000+100 cpu=1 peak=- asked=-,-,-,-\n"
     "10 lines, 4 jobs, 0 unknown, 0 left out\n"},
    {"what cannot be true is unknown: more CPUs than it had, more memory than any node, an end before "
     "the start",
     "JobID|State|Start|End|ElapsedRaw|TotalCPU|MaxRSS|AllocCPUS|NNodes\n"
     "1|COMPLETED|1700000000||100|00:02:02|10M|1|1\n"
     "2|COMPLETED|1700000000||100|00:02:00|10M|1|1\n"
     "3|COMPLETED|1700000000||1|00:02.300|10M|1|1\n"
     "4|COMPLETED|1700000000||100|00:01:00|999999G|1|1\n"
     "5|COMPLETED|1700000000|1699999999||||1|1\n",
     "slurm//1/0 exited/0/-/finished at 1700000000+100 cpu=- peak=10+ asked=1,-,-,-\n"
     "slurm//2/0 exited/0/-/finished at 1700000000+100 cpu=120 peak=10+ asked=1,-,-,-\n"
     "slurm//3/0 exited/0/-/finished at 1700000000+1 cpu=2.3 peak=10+ asked=1,-,-,-\n"
     "slurm//4/0 exited/0/-/finished at 1700000000+100 cpu=60 peak=- asked=1,-,-,-\n"
     "slurm//5/0 exited/0/-/finished at 1700000000+- cpu=- peak=- asked=1,-,-,-\n"
     "5 lines, 5 jobs, 0 unknown, 0 left out\n3 impossible\n"},
    {"what it was suspended is no run time, which Elapsed leaves out itself",
     "JobID|State|Start|End|Suspended|ElapsedRaw\n"
     "1|COMPLETED|1700000000|1700000100|00:00:30|\n"
     "2|COMPLETED|1700000000|1700000100|00:00:30|70\n",
     "slurm//1/0 exited/0/-/finished at 1700000000+70 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//2/0 exited/0/-/finished at 1700000000+70 cpu=- peak=- asked=-,-,-,-\n"
     "2 lines, 2 jobs, 0 unknown, 0 left out\n"},
    {"memory: of the fullest node, times the nodes; without tasks it is a bound",
     "JobID|State|Elapsed|MaxRSS|NTasks|NNodes|NodeList|Start|End|TRESUsageInTot\n"
     "1|COMPLETED|00:01:00|||20|n[01-20]|||\n"
     "1.batch|COMPLETED|00:01:00|32768M||1|n01|||\n"
     "2|COMPLETED|00:01:00|||4|n[1-4]|||\n"
     "2.0|COMPLETED|00:01:00|100M|10|4|n[1-4]|||\n"
     "3|COMPLETED|00:01:00|||4|n[1-4]|||\n"
     "3.0|COMPLETED|00:01:00|100M|10|4|n[1-4]|||mem=240M\n"
     "4|COMPLETED|00:01:00|||4|n[1-4]|||\n"
     "4.0|COMPLETED|00:01:00|100M||4|n[1-4]|||\n"
     "5|COMPLETED|00:01:00|||1|n1|||\n"
     "5.0|COMPLETED|00:01:00|100M||1|n1|||\n"
     "6|COMPLETED|00:01:00|||1|n1|||\n"
     "6.0|COMPLETED|00:01:00|100M||1|n1|||mem=300M\n"
     "7|COMPLETED|00:01:00|||2|n[1-2]|||\n"
     "7.0|COMPLETED|00:01:00|100M|1|1|n1|1700000000|1700000060|\n"
     "7.1|COMPLETED|00:01:00|90M|1|1|n2|1700000000|1700000060|\n"
     "7.2|COMPLETED|00:01:00|50M|2|2|n[1-2]|1700000000|1700000060|\n"
     "8|COMPLETED|00:01:00||||n[1-2]|||\n"
     "8.batch|COMPLETED|00:01:00|100M|1||n1|||\n",
     "slurm//1/0 exited/0/-/finished at -+60 cpu=- peak=655360 asked=-,-,-,-\n"
     "slurm//2/0 exited/0/-/finished at -+60 cpu=- peak=1200 asked=-,-,-,-\n"
     "slurm//3/0 exited/0/-/finished at -+60 cpu=- peak=960 asked=-,-,-,-\n"
     "slurm//4/0 exited/0/-/finished at -+60 cpu=- peak=400+ asked=-,-,-,-\n"
     "slurm//5/0 exited/0/-/finished at -+60 cpu=- peak=100+ asked=-,-,-,-\n"
     "slurm//6/0 exited/0/-/finished at -+60 cpu=- peak=300 asked=-,-,-,-\n"
     "slurm//7/0 exited/0/-/finished at -+60 cpu=- peak=300 asked=-,-,-,-\n"
     "slurm//8/0 exited/0/-/finished at -+60 cpu=- peak=200 asked=-,-,-,-\n"
     "18 lines, 8 jobs, 0 unknown, 0 left out\n"},
    {"CPU time: samples have that of processes that were killed; without them it is unknown",
     "JobID|State|ExitCode|Start|ElapsedRaw|TotalCPU|TRESUsageInTot|TRESUsageInMax\n"
     "1|TIMEOUT|0:0|1700000000|60|00:00.002||\n"
     "1.batch|CANCELLED|0:15|1700000000|60|00:00.002|cpu=00:00:00|cpu=00:00:39\n"
     "1.extern|COMPLETED|0:0|1700000000|60|00:00:00||\n"
     "2|TIMEOUT|0:0|1700000000|60|00:00.002||\n"
     "2.batch|CANCELLED|0:15|1700000000|60|00:00.002||\n"
     "3|NODE_FAIL|0:0|1700000000|60|00:00:00||\n"
     "3.batch|CANCELLED||1700000000|60|00:00:00||\n",
     "slurm//1/0 signaled/-/TERM/time_limit at 1700000000+60 cpu=39 peak=- asked=-,-,-,-\n"
     "slurm//2/0 signaled/-/TERM/time_limit at 1700000000+60 cpu=- peak=- asked=-,-,-,-\n"
     "slurm//3/0 -/-/-/node_failed at 1700000000+60 cpu=- peak=- asked=-,-,-,-\n"
     "7 lines, 3 jobs, 0 unknown, 0 left out\n"},
};

TEST(texts)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct import in = {.now = 1700001000};
		FILE *f = slurm_imported_open(cases[i].text, strlen(cases[i].text));
		struct buf out = {0};
		struct err e = {0};

		assert_non_null(f);
		if (slurm_imported_file(f, &in, &out, &e) ||
		    strcmp(buf_cstr(&out), cases[i].rows) != 0)
			fail_msg("%s: %s\n%s%s", cases[i].name, e.msg, buf_cstr(&out),
			         in.example.msg);
		assert_true(!(in.unknown + in.left_out + in.impossible) == !*in.example.msg);
		buf_free(&out);
	}
}

TEST(recognised)
{
	static const struct {
		const char *text;
		bool is;
	} texts[] = {
	    {"JobID|State\n", true},
	    {"State|JobIDRaw", true},
	    {"State|User\n1|2\n", false},
	    {"JobID,State\n", false},
	    {"JobID State\n----- -----\n", false},
	    {"", false},
	    {"task_id\thash\n", false},
	    {"x\nJobID|State\n", false},
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_true(sacct_recognise(texts[i].text, strlen(texts[i].text)) == texts[i].is);
}

/* -- what Slurm printed ------------------------------------------------------------------------ */

static struct {
	struct import_job job;
	struct rtrack_row row;
	size_t n;
} found;

static int keep_one(void *ctx, const struct import_job *job, struct err *e)
{
	(void)e;
	if (strcmp(job->key, ctx) != 0)
		return 0;
	found.job = *job;
	found.n++;
	rtrack_row_clear(&found.row);
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		found.row.of[i].number = job->row->of[i].number;
		found.row.of[i].text = rtrack_row_store(&found.row, job->row->of[i].text);
	}
	return 0;
}

static const struct rtrack_row *row_of(const char *file, const char *key)
{
	char path[256];
	struct import in = {.each = keep_one, .ctx = (void *)key};
	struct buf out = {0};
	struct err e = {0};
	FILE *f;

	snprintf(path, sizeof path, "tests/fixtures/import/slurm/%s", file);
	f = fopen(path, "r");
	assert_non_null(f);
	found.n = 0;
	assert_int_equal(slurm_imported_file(f, &in, &out, &e), 0);
	assert_int_equal(in.unknown + in.left_out, 0);
	assert_int_equal(found.n, 1);
	buf_free(&out);
	return &found.row;
}

TEST(an_element_of_an_array)
{
	for (int json = 0; json < 2; json++) {
		const struct rtrack_row *r =
		    row_of(json ? "sacct.json" : "sacct.txt", "slurm/t/8/0");

		assert_string_equal(r->of[RTRACK_ROW_NAME].text, "arr");
		assert_string_equal(r->of[RTRACK_ROW_USER].text, "ann");
		assert_string_equal(r->of[RTRACK_ROW_ACCOUNT].text, "lab");
		assert_string_equal(r->of[RTRACK_ROW_HOST].text, "n2");
		assert_string_equal(r->of[RTRACK_ROW_DIRECTORY].text, "/home/ann/runs");
		assert_string_equal(r->of[RTRACK_ROW_JOB_ID].text, "slurm/t/8/0");
		assert_string_equal(r->of[RTRACK_ROW_ARRAY].text, "slurm/t/8");
		assert_string_equal(r->of[RTRACK_ROW_WORKFLOW_RUN].text, "slurm/t/8");
		assert_true(r->of[RTRACK_ROW_INDEX].number == 3);
		assert_string_equal(r->of[RTRACK_ROW_ASKED_CPUS_SOURCE].text, "sacct");
		assert_string_equal(r->of[RTRACK_ROW_MEMORY_KNOWN].text, "sampled");
		assert_string_equal(r->of[RTRACK_ROW_COVERS].text, "");
		assert_string_equal(r->of[RTRACK_ROW_LABELS].text,
		                    "scheduler=slurm;slurm.job_id=8;slurm.array_job_id=8;"
		                    "slurm.array_task_id=3;slurm.cluster=t;slurm.partition=p;"
		                    "slurm.account=lab;slurm.qos=normal");
		assert_true(found.job.global && found.job.submit == 1795502268);
		assert_true(isnan(r->of[RTRACK_ROW_SAMPLES].number));
		assert_true(isnan(r->of[RTRACK_ROW_READ].number));
	}
}

TEST(two_nodes)
{
	const struct rtrack_row *r = row_of("sacct.txt", "slurm/t/18/0");

	assert_string_equal(r->of[RTRACK_ROW_COVERS].text, "job");
	assert_true(r->of[RTRACK_ROW_NODES].number == 2);
	assert_string_equal(r->of[RTRACK_ROW_HOST].text, "");
	assert_true(r->of[RTRACK_ROW_ASKED_CPUS].number == 2);
	assert_true(r->of[RTRACK_ROW_ASKED_MEMORY].number == 400 * SLURM_MIB);
}

/* Its components have numbers of their own, and are rows of the first one's job. */
TEST(a_heterogeneous_job)
{
	static const char text[] =
	    "JobID|JobIDRaw|Cluster|State|Start|End|MaxRSS|NTasks|NNodes|NodeList|ReqTRES|JobName\n"
	    "7+0|7|c|COMPLETED|1700000000|1700000100|||1|n1|cpu=1,mem=1G|h\n"
	    "7+0.0|7.0|c|COMPLETED|1700000000|1700000100|100M|1|1|n1||x\n"
	    "7+1|8|c|COMPLETED|1700000000|1700000100|||1|n2|cpu=2,mem=4G|h\n"
	    "7+1.0|8.0|c|COMPLETED|1700000000|1700000100|900M|1|1|n2||x\n";
	static const char *const keys[] = {"slurm/c/7/0", "slurm/c/7/0@+1"};

	for (size_t i = 0; i < 2; i++) {
		struct import in = {.each = keep_one, .ctx = (void *)keys[i]};
		struct buf out = {0};
		struct err e = {0};
		FILE *f = slurm_imported_open(text, strlen(text));
		found.n = 0;
		assert_int_equal(slurm_imported_file(f, &in, &out, &e), 0);
		assert_int_equal(found.n, 1);
		assert_string_equal(found.row.of[RTRACK_ROW_JOB_ID].text, "slurm/c/7/0");
		assert_string_equal(found.row.of[RTRACK_ROW_JOB].text, "slurm/c/7/0");
		assert_string_equal(found.row.of[RTRACK_ROW_NODE].text, i ? "n2" : "n1");
		assert_true(found.row.of[RTRACK_ROW_MEMORY_PEAK].number ==
		            (i ? 900 : 100) * SLURM_MIB);
		buf_free(&out);
	}
}

/* sbatch --exclusive -n1 --mem=50, as Slurm 22.05 has it; and --mem=0. */
TEST(asks_and_allocations)
{
	static const char text[] =
	    "JobID|State|Start|Elapsed|ReqTRES|AllocTRES|JobName\n"
	    "1|COMPLETED|1700000000|00:01:40|billing=1,cpu=1,mem=50M,node=1|billing=2,cpu=2,mem=50M,node=1|a\n"
	    "2|COMPLETED|1700000000|00:01:40|cpu=1,mem=0,node=1|cpu=64,mem=256G,node=1|a\n"
	    "3|COMPLETED|1700000000|00:01:40|cpu=1,mem=1G,node=1||a\n";
	static const char *const asks[][3] = {{"1,50", "1,262144", "1,1024"},
	                                      {"2,50", "64,262144", "1,1024"}};

	for (int allocated = 0; allocated < 2; allocated++) {
		struct import in = {.allocated = allocated};
		struct buf out = {0};
		struct err e = {0};
		const char *at;
		assert_int_equal(
		    slurm_imported_file(slurm_imported_open(text, strlen(text)), &in, &out, &e), 0);
		at = buf_cstr(&out);
		for (int i = 0; i < 3; i++) {
			at = strstr(at, "asked=") + strlen("asked=");
			assert_memory_equal(at, asks[allocated][i], strlen(asks[allocated][i]));
		}
		buf_free(&out);
		for (int i = 1; i <= 3; i += 2) {
			struct import one = {.allocated = allocated,
			                     .each = keep_one,
			                     .ctx = i == 1 ? (void *)"slurm//1/0"
			                                   : (void *)"slurm//3/0"};
			assert_int_equal(
			    slurm_imported_file(slurm_imported_open(text, strlen(text)), &one, &out,
			                        &e),
			    0);
			assert_string_equal(found.row.of[RTRACK_ROW_ASKED_CPUS_SOURCE].text,
			                    allocated && i == 1 ? "allocation" : "sacct");
			buf_free(&out);
		}
	}
}

/* What jobstats saw: of ONE n1 3 GiB and 150.5 s; of TWO the same with 1.5 GPUs, and n2 1 GiB and 10 s. */
#define ONE                                                                                        \
	"JS1:H4sIAAAAAAACA12KWwqAIBAA77LfErpqmZeJqC2CzEj9iPDuPSCCfgaGmQPGNQWwQzsHYrD4ni47YBE3"     \
	"u6cpBtHHdm4cOb/tYKWSuq6kkaV5U5wcgRWaF5pBCtR/M6JA1KrCnH835/kEGcngmoAAAAA="
#define TWO                                                                                        \
	"JS1:H4sIAAAAAAACA42OwQrDIAyG3yVnGTHqdL5MKasUoepY9bAV331aGKU77RJC/i9fssH8KCtYYhDT5Fq3"     \
	"QeS93ve5ZB0YSvaLf4/Zp9gzBKvwggwayRErg5zyuAzBhfR8gRVSqJsWRlzNN8o+uAa3NcWgrG46YCJOpKSm5ol0uv2vdn/mZOWohZbckKz1F8b6ASVqpBL3AAAA"

TEST(comments_of_jobstats)
{
	static const char text[] =
	    "JobID|State|Start|Elapsed|MaxRSS|TotalCPU|AllocCPUS|NTasks|NNodes|AdminComment|JobName\n"
	    /* The larger of both; Slurm's is no bound any more. */
	    "1|COMPLETED|1700000000|00:01:40||02:00.000|4||1|" ONE "|a\n"
	    "1.batch|COMPLETED|1700000000|00:01:40|1G|02:00.000|4||1||batch\n"
	    "2|COMPLETED|1700000000|00:01:40||02:40.000|4||1|" ONE "|a\n"
	    "2.batch|COMPLETED|1700000000|00:01:40|4G|02:40.000|4|1|1||batch\n"
	    /* Without steps (sacct -X); of two nodes. */
	    "3|COMPLETED|1700000000|00:01:40||00:00.000|8||2|" TWO "|a\n"
	    /* Of two nodes it saw one: at least so much. */
	    "4|COMPLETED|1700000000|00:01:40||00:00.000|8||2|" ONE "|a\n"
	    "5|COMPLETED|1700000000|00:01:40||01:00.000|8||1|JS1:Short|a|b\n"
	    "6|COMPLETED|1700000000|00:01:40||01:00.000|8||1|JS1:Zm9v|a\n"
	    /* More CPU time than there was. */
	    "7|COMPLETED|1700000000|00:00:10||00:01.000|1||1|" ONE "|a\n";
	struct import in = {.now = 0};
	struct buf out = {0};
	struct err e = {0};

	assert_int_equal(
	    slurm_imported_file(slurm_imported_open(text, strlen(text)), &in, &out, &e), 0);
	assert_string_equal(
	    buf_cstr(&out),
	    "slurm//1/0 exited/0/-/finished at 1700000000+100 cpu=150.5 peak=3072 asked=4,-,-,-\n"
	    "slurm//2/0 exited/0/-/finished at 1700000000+100 cpu=160 peak=4096 asked=4,-,-,-\n"
	    "slurm//3/0 exited/0/-/finished at 1700000000+100 cpu=160.5 peak=6144 asked=8,-,-,-\n"
	    "slurm//4/0 exited/0/-/finished at 1700000000+100 cpu=- peak=6144+ asked=8,-,-,-\n"
	    "slurm//5/0 exited/0/-/finished at 1700000000+100 cpu=60 peak=- asked=8,-,-,-\n"
	    "slurm//6/0 exited/0/-/finished at 1700000000+100 cpu=60 peak=- asked=8,-,-,-\n"
	    "slurm//7/0 exited/0/-/finished at 1700000000+10 cpu=1 peak=3072 asked=1,-,-,-\n"
	    "9 lines, 7 jobs, 1 unknown, 0 left out\n1 impossible\n");
	buf_free(&out);
}

/* A "|" in a comment, or in a name behind it. */
TEST(names_behind_comments)
{
	static const char text[] = "JobID|State|Start|AdminComment|JobName\n"
				   "1|COMPLETED|1700000000||a|b\n"
				   "2|COMPLETED|1700000000|see|ticket 7|c\n"
				   "3|COMPLETED|1700000000|JS1:None|d|e\n"
				   "4|COMPLETED|1700000000|note|f\n";
	static const char *const names[] = {"a|b", "c", "d|e", "f"};
	char key[16];

	for (int i = 0; i < 4; i++) {
		struct import in = {.each = keep_one, .ctx = key};
		struct buf out = {0};
		struct err e = {0};
		snprintf(key, sizeof key, "slurm//%d/0", i + 1);
		found.n = 0;
		assert_int_equal(
		    slurm_imported_file(slurm_imported_open(text, strlen(text)), &in, &out, &e), 0);
		assert_int_equal(found.n, 1);
		assert_string_equal(found.row.of[RTRACK_ROW_NAME].text, names[i]);
		buf_free(&out);
	}
}

TEST(steps_of_their_own)
{
	static const char text[] = HEADER JOB STEP "7.extern|7.extern|c|COMPLETED|0:0|||||||"
						   "|extern\n";
	struct import in = {.steps = true};
	struct buf out = {0};
	struct err e = {0};

	assert_int_equal(
	    slurm_imported_file(slurm_imported_open(text, strlen(text)), &in, &out, &e), 0);
	assert_string_equal(buf_cstr(&out),
	                    "slurm/c/7/0/batch exited/0/-/finished at 1700000000+100 cpu=90.5 "
	                    "peak=100 asked=-,-,-,-\n3 lines, 1 jobs, 0 unknown, 0 left out\n");
	buf_free(&out);
}

/* Names of any length and bytes stay within the row, as valid UTF-8. */
TEST(long_texts)
{
	struct buf text = {0}, out = {0};
	struct import in = {.each = keep_one, .ctx = (void *)"slurm//1/0"};
	struct err e = {0};

	buf_str(&text, "JobID|State|Start|User|Account|NodeList|WorkDir|Partition|JobName\n");
	buf_str(&text, "1|COMPLETED|1700000000");
	for (int i = 0; i < 6; i++) {
		buf_str(&text, "|");
		for (int k = 0; k < 300; k++)
			buf_str(&text, i % 2 ? "\xc3\xa4" : "\xff");
	}
	buf_str(&text, "\n");
	found.n = 0;
	assert_int_equal(slurm_imported_file(slurm_imported_open(text.s, text.len), &in, &out, &e),
	                 0);
	assert_int_equal(found.n, 1);
	assert_true(strlen(found.row.of[RTRACK_ROW_USER].text) <= 64);
	assert_true(strlen(found.row.of[RTRACK_ROW_NAME].text) == 128);
	assert_string_equal(found.row.of[RTRACK_ROW_JOB_ID].text, "slurm//1/0");
	buf_free(&text);
	buf_free(&out);
}

static int refuse(void *ctx, const struct import_job *job, struct err *e)
{
	(void)ctx;
	(void)job;
	return err_set(e, "no room");
}

TEST(a_refusal_ends_it)
{
	struct import in = {.each = refuse};
	struct buf out = {0};
	struct err e = {0};

	assert_int_equal(
	    slurm_imported_file(slurm_imported_open(HEADER JOB JOB, strlen(HEADER JOB JOB)), &in,
	                        &out, &e),
	    -1);
	assert_string_equal(e.msg, "no room");
	buf_free(&out);
}
