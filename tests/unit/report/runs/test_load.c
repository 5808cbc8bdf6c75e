/* load: files and folders become runs; what can't be read is named; one run keeps its rows. */
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <zlib.h>

#include "core/files/journal.h"
#include "core/files/snapshot_read.h"
#include "core/numbers/time_at.h"
#include "report/runs/load_known.h"
#include "report/runs/load_store.h"
#include "tests/unit/report/recording.h"
#include "tests/unit/unit.h"

#define ROWS "\"process_metrics\": {\"timestamp\": [101, 102, 103], \"cpu_usage\": [1, 2, 3]}"

static void same(double got, double expected)
{
	if (isnan(expected))
		assert_true(isnan(got));
	else
		assert_true(fabs(got - expected) < 1e-9);
}

TEST_WITH(statuses, recordings_begin, recordings_end)
{
	static const struct {
		const char *rtrack; /* NULL: made by another tool */
		const char *said;   /* by the user */
		enum run_status status;
	} cases[] = {
	    {"{\"exit\": {\"code\": 0, \"signal\": null, \"cause\": \"exited\"}}", NULL,
	     RUN_FINISHED},
	    {"{\"exit\": {\"code\": 7, \"cause\": \"exited\"}}", NULL, RUN_FAILED},
	    {"{\"exit\": {\"code\": null, \"signal\": \"TERM\"}}", NULL, RUN_KILLED},
	    {"{\"exit\": {\"code\": null, \"signal\": \"40\"}}", NULL, RUN_KILLED},
	    {"{\"exit\": {\"code\": 143, \"signal\": \"TERM\"}}", NULL, RUN_KILLED},
	    {"{\"exit\": {\"code\": null, \"cause\": \"detached\"}}", NULL, RUN_FINISHED},
	    {"{\"exit\": {\"code\": null, \"cause\": \"stopped\"}}", NULL, RUN_FINISHED},
	    {"{\"exit\": {\"code\": null, \"cause\": \"exited\"}}", NULL, RUN_FINISHED},
	    {"{\"exit\": {\"code\": null, \"cause\": \"exited\"}}", "failed", RUN_FAILED},
	    {"{\"exit\": {\"code\": null, \"cause\": \"exited\"}}", "finished", RUN_FINISHED},
	    {"{\"exit\": {\"code\": 0}}", "failed", RUN_FINISHED},
	    {"{\"exit\": {}}", NULL, RUN_UNKNOWN},
	    {"{\"exit\": 5}", NULL, RUN_UNKNOWN},
	    {NULL, NULL, RUN_UNKNOWN},
	    {NULL, "failed", RUN_FAILED},
	    {NULL, "finished", RUN_FINISHED},
	    {"{\"exit\": {\"code\": 7}}", "finished", RUN_FAILED}, /* the recording knows better */
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char name[32], text[512];
		struct run *run;
		snprintf(name, sizeof name, "%zu.json", i);
		snprintf(text, sizeof text, "{\"rtrack\": %s, " ROWS "}",
		         cases[i].rtrack ? cases[i].rtrack : "null");
		run = recordings_load(t, name, text);
		assert_non_null(run);
		load_tell_status(run, cases[i].said);
		assert_int_equal(run->status, cases[i].status);
	}
	assert_string_equal(load_status_word(RUN_FINISHED), "finished");
	assert_string_equal(load_status_word(RUN_FAILED), "failed");
	assert_string_equal(load_status_word(RUN_KILLED), "killed");
	assert_string_equal(load_status_word(RUN_UNFINISHED), "unfinished");
	assert_string_equal(load_status_word(RUN_UNKNOWN), "unknown");
}

#define META(members)  "\"metadata\": {" members "}, "
#define TREE(times)    "\"process_metrics\": {\"timestamp\": [" times "]}"
#define MACHINE(times) "\"system_metrics\": {\"timestamp\": [" times "]}"

static const struct {
	const char *text;
	double start, stop, duration, sampled, interval;
	size_t samples;
} times[] = {
    /* the metadata say everything; the statistic goes by the rows */
    {META("\"start_time\": 100, \"stop_time\": 104.5, \"interval\": 1, \"duration\": 9")
         TREE("101, 102, 103"),
     100, 104.5, 4.5, 3, 1, 3},
    /* no metadata: the first sample ends an interval */
    {TREE("101, 103, 105"), 99, 105, 6, 6, 2, 3},
    {TREE("105, 101, 103"), 99, 105, 6, 6, 2, 3},
    {TREE("null, 101, 105, null"), 97, 105, 8, 8, 4, 4},
    {TREE("null, null") ", " MACHINE("50, 51"), 49, 51, 2, 2, 1, 2},
    {MACHINE("50, 51, 52"), 49, 52, 3, 3, 1, 3},
    {"\"process_metrics\": [], " MACHINE("50, 51, 52"), 49, 52, 3, 3, 1, 3},
    {TREE("50, 51") ", \"system_metrics\": null", 49, 51, 2, 2, 1, 2},
    /* one row: nothing says how long it stands for */
    {TREE("101"), 101, 101, NAN, NAN, NAN, 1},
    {META("\"interval\": 0.5") TREE("101"), 100.5, 101, 0.5, 0.5, 0.5, 1},
    {META("\"start_time\": 100.25") TREE("101"), 100.25, 101, 0.75, NAN, NAN, 1},
    /* rows without times */
    {"\"process_metrics\": {\"cpu_usage\": [1, 2]}", NAN, NAN, NAN, NAN, NAN, 2},
    {TREE("null, null"), NAN, NAN, NAN, NAN, NAN, 2},
    {META("\"duration\": 7") TREE("null"), NAN, NAN, 7, NAN, NAN, 1},
    {META("\"start_time\": 10, \"stop_time\": 12") TREE("null"), 10, 12, 2, NAN, NAN, 1},
    /* nonsense is not known */
    {META("\"start_time\": 200, \"stop_time\": 100, \"interval\": 1") TREE("101, 102"), 200, 100, 2,
     2, 1, 2},
    {META("\"start_time\": -5, \"stop_time\": 1e300, \"interval\": -1") TREE("101, 103"), 99, 103,
     4, 4, 2, 2},
    {META("\"interval\": 0") TREE("1e308, -1e308, 101, 103"), 99, 103, 4, 4, 2, 4},
    {META("\"interval\": 1e300, \"duration\": -3") TREE("7, 7, 7"), 7, 7, NAN, NAN, NAN, 3},
};

TEST_WITH(time_and_again, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		char name[32], text[512];
		struct run *run;
		snprintf(name, sizeof name, "%zu.json", i);
		snprintf(text, sizeof text, "{%s}", times[i].text);
		run = recordings_load(t, name, text);
		assert_non_null(run);
		same(run->start, times[i].start);
		same(run->stop, times[i].stop);
		same(run->duration, times[i].duration);
		same(run->sampled_duration, times[i].sampled);
		same(run->interval, times[i].interval);
		assert_int_equal(run->samples, times[i].samples);
	}
}

TEST_WITH(statistics, recordings_begin, recordings_end)
{
	struct run *run = recordings_load(
	    *state, "a.json",
	    "{\"process_metrics\": {\"timestamp\": [1, 2, 3, 4], \"memory\": [10, null, 30, 20]}}");
	const struct stats *s = &run->stats[METRIC_PROCESS_MEMORY];

	assert_int_equal(s->n, 3);
	assert_int_equal(s->left, 1);
	same(s->min, 10 * 1024);
	same(s->max, 30 * 1024);
	same(s->mean, 20 * 1024);
	assert_int_equal(run->stats[METRIC_PROCESS_CPU_USAGE].n, 0);
	assert_true(isnan(run->stats[METRIC_PROCESS_CPU_USAGE].mean));
}

/* Mean cores are by the exact CPU time, of a whole job, and if the machine can have given it. */
TEST_WITH(exact_cores, recordings_begin, recordings_end)
{
	static const struct {
		const char *cpu_s, *children;
		double vcpus, mean;
	} cases[] = {{"12", "true", 4, 1.2},
	             {"12", "false", 4, 1},
	             {"10.5", "true", 1, 1.05},
	             {"99", "true", 4, 1},
	             {"null", "true", 4, 1}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[640], name[] = {(char)('a' + i), '\0'};
		struct run *run;
		snprintf(text, sizeof text,
		         "{\"metadata\": {\"start_time\": 100, \"stop_time\": 110, "
		         "\"children\": %s}, "
		         "\"server_info\": {\"vcpus\": %.0f}, "
		         "\"rtrack\": {\"format\": 2, "
		         "\"totals\": {\"exact_cpu_s\": %s}}, "
		         "\"process_metrics\": {\"timestamp\": [105, 110], "
		         "\"cpu_usage\": [0.5, 1.5]}}",
		         cases[i].children, cases[i].vcpus, cases[i].cpu_s);
		run = recordings_load(*state, name, text);
		same(run->stats[METRIC_PROCESS_CPU_USAGE].mean, cases[i].mean);
		same(run->stats[METRIC_PROCESS_CPU_USAGE].max, 1.5);
	}
}

/* The file has 0 where a documented column was not measured, and says so in its statistics. */
TEST_WITH(stand_ins, recordings_begin, recordings_end)
{
	struct run *run = recordings_load(
	    *state, "a.json",
	    "{\"rtrack\": {\"format\": 2, "
	    "\"samples\": {\"system\": {\"n\": 2, \"first\": 1, \"last\": 2}}, "
	    "\"statistics\": {\"system_net_recv_bytes\": {\"n\": 0, \"sum\": null}, "
	    "\"system_net_sent_bytes\": {\"n\": 2, \"sum\": 0}}}, "
	    "\"system_metrics\": {\"timestamp\": [1, 2], "
	    "\"net_recv_bytes\": [0, 0], \"net_sent_bytes\": [0, 0]}}");

	assert_int_equal(run->stats[METRIC_SYSTEM_NET_RECV_BYTES].n, 0);
	assert_true(isnan(run->stats[METRIC_SYSTEM_NET_RECV_BYTES].sum));
	assert_int_equal(run->stats[METRIC_SYSTEM_NET_SENT_BYTES].n, 2);
	same(run->stats[METRIC_SYSTEM_NET_SENT_BYTES].sum, 0);
}

TEST_WITH(broken, recordings_begin, recordings_end)
{
	static const struct {
		const char *text, *sentence; /* what follows the file's name */
	} cases[] = {
	    {"", "holds no samples: it is empty"},
	    {"{}", "not a snapshot"},
	    {"[]", "byte 0: not a snapshot"},
	    {"{\"process_metrics\": {\"timestamp\": [1, 2", "byte "},
	    {"{\"process_metrics\": {\"timestamp\": []}}", "holds no samples"},
	    {"{\"process_metrics\": [], \"system_metrics\": null}", "holds no samples"},
	    {"{\"metadata\": {\"interval\": 1}}", "holds no samples"},
	    {"\x1f\x8b\x08", ""},
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char name[32];
		const struct load_failure *f;
		size_t n;
		snprintf(name, sizeof name, "%zu.json", i);
		assert_null(recordings_load(t, name, cases[i].text));
		assert_int_equal(t->runs.n_failed, i + 1);
		f = &t->runs.failed[i];
		n = strlen(f->file);
		assert_memory_equal(f->err.msg, f->file, n);
		assert_memory_equal(f->err.msg + n, ": ", 2);
		assert_non_null(strstr(f->err.msg + n, cases[i].sentence));
		assert_null(strchr(f->err.msg, '\n'));
	}
}

TEST_WITH(cut_gzip, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	char all[4096];
	gzFile f = gzopen(recordings_path(t, "whole"), "wb");
	size_t n;
	FILE *in;

	assert_non_null(f);
	assert_true(gzputs(f, "{" ROWS "}") > 0);
	assert_int_equal(gzclose(f), Z_OK);
	in = fopen(t->path, "rb");
	assert_non_null(in);
	n = fread(all, 1, sizeof all, in);
	fclose(in);
	/* wherever it is cut; the last byte belongs to the check sum */
	for (size_t cut = 0; cut < n; cut++) {
		FILE *out = fopen(recordings_path(t, "cut.json.gz"), "wb");
		assert_non_null(out);
		assert_int_equal(fwrite(all, 1, cut, out), cut);
		fclose(out);
		assert_int_equal(load_input(&t->runs, input_of(t->path), &t->e), 0);
		assert_int_equal(t->runs.n, 0);
		assert_int_equal(t->runs.n_failed, cut + 1);
		assert_non_null(strstr(t->runs.failed[cut].err.msg, "cut.json.gz: "));
	}
	assert_int_equal(load_input(&t->runs, input_of(recordings_path(t, "whole")), &t->e), 0);
	assert_int_equal(t->runs.n, 1);
}

TEST_WITH(odd_files, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	assert_int_equal(load_input(&t->runs, input_of("/dev/zero"), &t->e), 0);
	assert_int_equal(load_input(&t->runs, input_of(recordings_path(t, "missing.json")), &t->e),
	                 0);
	assert_int_equal(load_input(&t->runs, input_of(t->folder), &t->e), 0);
	assert_int_equal(mkdir(recordings_path(t, "folder.json"), 0700), 0);
	assert_int_equal(mkfifo(recordings_path(t, "pipe.json"), 0600), 0);
	assert_int_equal(symlink("nowhere", recordings_path(t, "link.json")), 0);
	assert_int_equal(load_input(&t->runs, input_of(t->folder), &t->e), 0);
	assert_int_equal(t->runs.n, 0);
	assert_int_equal(t->runs.n_failed, 4);
	assert_string_equal(t->runs.failed[0].err.msg, "/dev/zero: is not a regular file");
	assert_non_null(
	    strstr(t->runs.failed[1].err.msg, "missing.json: No such file or directory"));
	assert_non_null(strstr(t->runs.failed[2].err.msg, ": a folder without snapshots"));
	/* of a folder, only what is a file is opened; a link that leads nowhere should be one */
	assert_non_null(strstr(t->runs.failed[3].err.msg, "link.json: No such file"));
}

TEST_WITH(unreadable, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	const char *file = recordings_file(t, "secret.json", "{" ROWS "}");
	bool root = geteuid() == 0;
	int failed;

	assert_int_equal(chmod(file, 0), 0);
	assert_int_equal(chmod(t->folder, 0755), 0);
	if (root && seteuid(65534)) /* root reads everything */
		skip();
	failed = load_input(&t->runs, input_of(file), &t->e);
	assert_int_equal(root ? seteuid(0) : 0, 0);
	assert_int_equal(failed, 0);
	/* One's own is a failure; what belongs to others is counted. */
	assert_int_equal(t->runs.n_failed, root ? 0 : 1);
	assert_int_equal(t->runs.others.files, root ? 1 : 0);
	if (!root)
		assert_non_null(
		    strstr(t->runs.failed[0].err.msg, "secret.json: Permission denied"));
}

TEST_WITH(folder, recordings_begin, recordings_end)
{
	static const char *const names[] = {
	    /* these five */
	    "a.json",
	    "b.json.gz",
	    "c.json.gz.partial",
	    "c.json.gz.partial.2",
	    "d.partial",
	    /* none of these */
	    ".hidden.json",
	    "d.txt",
	    "e.json.bak",
	    ".json",
	    ".json.gz",
	    "f.jsonl",
	    "g.partials",
	};
	struct recordings *t = *state;
	char slash[128];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		recordings_file(t, names[i], "{" ROWS "}");
	mkdir(recordings_path(t, "below"), 0700);
	recordings_file(t, "below/g.json", "{" ROWS "}");
	snprintf(slash, sizeof slash, "%s/", t->folder);
	assert_int_equal(load_input(&t->runs, input_of(slash), &t->e), 0);
	assert_int_equal(t->runs.n, 5);
	assert_int_equal(t->runs.n_failed, 0);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(t->runs.v[i].file, recordings_path(t, names[i]));
}

/* The journal of a recorder that was killed is a run that is not finished. */
TEST_WITH(unfinished, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	const struct timespec old[2] = {{1000, 0}, {1000, 0}};
	struct snapshot s = {.meta = {.interval = 1, .start_time = 100, .track_processes = true}};
	double row[METRIC_COUNT];
	struct journal *j;

	for (int id = 0; id < METRIC_COUNT; id++)
		row[id] = 0;
	j = journal_create(recordings_path(t, "a.json.gz.partial"), &s, &t->e);
	assert_non_null(j);
	for (int i = 1; i <= 3; i++) {
		row[METRIC_PROCESS_TIMESTAMP] = 100 + i;
		row[METRIC_PROCESS_CPU_USAGE] = i;
		assert_int_equal(journal_append(j, row, 0, &t->e), 0);
	}
	journal_close(j, false);
	snapshot_free(&s);
	/* Nobody says on which host it is written: it has grown lately. */
	assert_int_equal(load_input(&t->runs, input_of(t->folder), &t->e), 0);
	assert_int_equal(t->runs.n, 1);
	assert_int_equal(t->runs.v[0].status, RUN_RUNNING);
	load_free(&t->runs);
	assert_int_equal(utimensat(AT_FDCWD, recordings_path(t, "a.json.gz.partial"), old, 0), 0);
	assert_int_equal(load_input(&t->runs, input_of(t->folder), &t->e), 0);
	assert_int_equal(t->runs.n, 1);
	assert_int_equal(t->runs.v[0].status, RUN_UNFINISHED);
	assert_int_equal(t->runs.v[0].samples, 3);
	same(t->runs.v[0].start, 100);
	same(t->runs.v[0].stop, 103);
	same(t->runs.v[0].duration, 3);
	same(t->runs.v[0].stats[METRIC_PROCESS_CPU_USAGE].mean, 2);
}

/* By whatever name it is given, a recording counts once. */
TEST_WITH(once, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	char first[512];

	strcpy(first, recordings_file(t, "a.json", "{" ROWS "}"));
	assert_int_equal(symlink("a.json", recordings_path(t, "link.json")), 0);
	assert_int_equal(link(first, recordings_path(t, "hard.json")), 0);
	recordings_file(t, "copy.json", "{" ROWS "}");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(load_input(&t->runs, input_of(first), &t->e), 0);
		assert_int_equal(load_input(&t->runs, input_of(t->folder), &t->e), 0);
	}
	assert_int_equal(t->runs.n, 2);
	assert_string_equal(t->runs.v[0].file, first);
	assert_string_equal(t->runs.v[1].file, recordings_path(t, "copy.json"));
}

/* More than a table of them begins with. */
TEST_WITH(many_once, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	char name[32];

	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof name, "%d.json", i);
		recordings_file(t, name, "{" ROWS "}");
	}
	for (int i = 0; i < 2; i++) {
		assert_int_equal(load_input(&t->runs, input_of(t->folder), &t->e), 0);
		assert_int_equal(t->runs.n, 200);
	}
	assert_int_equal(t->runs.n_failed, 0);
}

#define AT(start) "{\"metadata\": {\"start_time\": " #start "}, " ROWS "}"

/* Of all runs one keeps its rows: the newest, or the one that was asked for. */
TEST_WITH(rows, recordings_begin, recordings_end)
{
	static const struct {
		const char *order[3];
		const char *current, *keeps;
	} cases[] = {
	    {{"old", "new", "none"}, NULL, "new"},    {{"new", "old", "none"}, NULL, "new"},
	    {{"none", "old", "new"}, NULL, "new"},    {{"none", "new", "old"}, NULL, "new"},
	    {{"old", "new", "none"}, "old", "old"},   {{"new", "none", "old"}, "old", "old"},
	    {{"new", "old", "none"}, "none", "none"},
	};
	struct recordings *t = *state;
	char current[512];

	recordings_file(t, "old", AT(10));
	recordings_file(t, "new", AT(20));
	recordings_file(t, "none", "{\"process_metrics\": [{\"cpu_usage\": 1}]}");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (cases[i].current) {
			strcpy(current, recordings_path(t, cases[i].current));
			t->runs.current = current;
		}
		for (size_t k = 0; k < 3; k++)
			assert_int_equal(load_input(&t->runs,
			                            input_of(recordings_path(t, cases[i].order[k])),
			                            &t->e),
			                 0);
		assert_int_equal(t->runs.n, 3);
		for (size_t k = 0; k < 3; k++) {
			const struct run *run = &t->runs.v[k];
			bool keeps = strcmp(cases[i].order[k], cases[i].keeps) == 0;
			assert_int_equal(run->snapshot.rows[METRIC_SCOPE_PROCESS].rows > 0, keeps);
			assert_int_equal(run->stats[METRIC_PROCESS_CPU_USAGE].n,
			                 strcmp(cases[i].order[k], "none") == 0 ? 1 : 3);
		}
		load_free(&t->runs);
	}
}

#define OWN                                                                                        \
	"\"rtrack\": {\"format\": 2, "                                                             \
	"\"samples\": {\"process\": {\"n\": 3, \"first\": 101, \"last\": 103}}, "                  \
	"\"statistics\": {\"process_memory\": {\"n\": 3, \"max\": 2048, \"mean\": 1024.5, "        \
	"\"min\": \"x\", \"sum\": 1e999, \"sd\": null}, \"process_pid\": 5, \"no_such\": {}}, "    \
	"\"phases\": [{\"name\": \"a\", \"start\": 101, \"end\": 102}]}"
#define OTHERS "\"metadata\": {}, \"server_info\": {}, \"cloud_info\": {}, "
#define HEAD   OTHERS OWN

/* A head with statistics is enough for the history: what stands after it is not read, until the
 * rows are asked for. */
TEST_WITH(head, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct run *run = recordings_load(t, "a.json", "{" HEAD ", \"process_metrics\": broken");

	assert_non_null(run);
	assert_true(run->snapshot.head_only);
	assert_int_equal(run->samples, 3);
	same(run->sampled_duration, 3);
	same(run->stats[METRIC_PROCESS_MEMORY].max, 2048 * 1024);
	same(run->stats[METRIC_PROCESS_MEMORY].mean, 1024.5 * 1024);
	same(run->stats[METRIC_PROCESS_MEMORY].min, NAN);
	same(run->stats[METRIC_PROCESS_MEMORY].sum, NAN);
	same(run->stats[METRIC_PROCESS_MEMORY].p95, NAN);
	assert_int_equal(run->stats[METRIC_PROCESS_CPU_USAGE].n, 0);
	assert_null(run->snapshot.phases);
	assert_int_equal(load_again(run, SNAPSHOT_WANT_ROWS, &t->e), -1);
	assert_non_null(strstr(t->e.msg, "a.json: byte "));
	assert_int_equal(run->samples, 3);

	run = recordings_load(t, "b.json", "{" HEAD ", " ROWS "}");
	assert_non_null(run);
	assert_int_equal(load_stats(run, METRIC_PROCESS_CPU_USAGE)->n, 0);
	assert_int_equal(load_again(run, SNAPSHOT_WANT_ROWS, &t->e), 0);
	assert_false(run->snapshot.head_only);
	assert_int_equal(run->stats[METRIC_PROCESS_CPU_USAGE].n, 3);
	assert_int_equal(run->snapshot.rows[METRIC_SCOPE_PROCESS].rows, 3);
	assert_int_equal(run->snapshot.phases->n, 1);
}

/* A head after the rows, or without all that is needed, makes no difference: they are read. */
TEST_WITH(no_head, recordings_begin, recordings_end)
{
	static const char *const texts[] = {
	    "{" ROWS ", " HEAD "}",
	    "{\"rtrack\": {\"statistics\": {\"process_memory\": {\"n\": 9}}}, " ROWS "}",
	    "{\"rtrack\": {\"samples\": {\"process\": {\"n\": 9}}}, " ROWS "}",
	    "{\"rtrack\": {\"samples\": [], \"statistics\": []}, " ROWS "}",
	    "{" OWN ", " ROWS ", \"metadata\": {}, \"server_info\": {\"vcpus\": 7}}",
	};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char name[32];
		struct run *run;
		snprintf(name, sizeof name, "%zu.json", i);
		run = recordings_load(t, name, texts[i]);
		assert_non_null(run);
		assert_false(run->snapshot.head_only);
		assert_int_equal(run->samples, 3);
		assert_int_equal(run->stats[METRIC_PROCESS_CPU_USAGE].n, 3);
		assert_true((i > 0 && i < 4) || run->snapshot.phases->n == 1);
		assert_true(i != 4 || run->snapshot.server.vcpus == 7);
	}
	/* A head that says nothing of samples is a recording without any. */
	assert_null(recordings_load(
	    t, "none.json",
	    "{" OTHERS "\"rtrack\": {\"format\": 2, \"samples\": {}, \"statistics\": {}}, " ROWS
	    "}"));
}

/* Before format 2 the statistics of the head were over rows: these are made again. */
TEST_WITH(an_old_head, recordings_begin, recordings_end)
{
	static const char *const formats[] = {"1", "null", "1.5"};
	struct recordings *t = *state;

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		char name[32], text[2048];
		struct run *run;
		snprintf(name, sizeof name, "old-%zu.json", i);
		snprintf(text, sizeof text,
		         "{" OTHERS "\"rtrack\": {\"format\": %s, \"samples\": {\"process\": "
		         "{\"n\": 9, \"first\": 1, \"last\": 9}}, \"statistics\": "
		         "{\"process_cpu_usage\": {\"n\": 9, \"mean\": 9}}}, \"process_metrics\": "
		         "{\"timestamp\": [101, 111], \"cpu_usage\": [0.5, 0]}}",
		         formats[i]);
		run = recordings_load(t, name, text);
		assert_non_null(run);
		assert_false(run->snapshot.head_only);
		assert_int_equal(run->samples, 2);
		assert_true(run->stats[METRIC_PROCESS_CPU_USAGE].mean < 1);
	}
}

TEST(newer)
{
	static const struct {
		const char *a, *b;
		double s, t;
		bool newer;
	} cases[] = {
	    {"a", "b", 2, 1, true},     {"a", "b", 1, 2, false},   {"a", "b", 1, 1, true},
	    {"b", "a", 1, 1, false},    {"a", "b", NAN, 1, false}, {"b", "a", 1, NAN, true},
	    {"a", "b", NAN, NAN, true}, {"a", "a", 1, 1, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run a = {.file = (char *)cases[i].a, .start = cases[i].s};
		struct run b = {.file = (char *)cases[i].b, .start = cases[i].t};
		assert_int_equal(load_newer(&a, &b), cases[i].newer);
	}
}

/* Rows that were let go are read again, and what the run is among others stays. */
TEST_WITH(rows_again, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct run *run;

	assert_non_null(recordings_load(t, "a.json", "{" ROWS "}"));
	assert_non_null(recordings_load(t, "b.json", "{" ROWS "}"));
	assert_int_equal(t->runs.v[1].given, 1);
	run = &t->runs.v[t->runs.keeper == 0];
	assert_int_equal(run->snapshot.rows[METRIC_SCOPE_PROCESS].rows, 0);
	run->used = true;
	run->why = "for a reason";
	for (int i = 0; i < 2; i++) {
		size_t given = run->given;
		assert_int_equal(load_again(run, SNAPSHOT_WANT_ROWS, &t->e), 0);
		assert_int_equal(run->snapshot.rows[METRIC_SCOPE_PROCESS].rows, 3);
		assert_true(run->used);
		assert_string_equal(run->why, "for a reason");
		assert_int_equal(run->given, given);
		load_drop_rows(run);
		assert_int_equal(run->snapshot.rows[METRIC_SCOPE_PROCESS].rows, 0);
		assert_int_equal(run->stats[METRIC_PROCESS_CPU_USAGE].n, 3);
	}
}

/* All files together may ask for so much; one that only needs its head needs no cells. */
TEST_WITH(budget, recordings_begin, recordings_end)
{
	static const char own[] =
	    "{\"metadata\": {\"start_time\": 100}, \"server_info\": null, \"cloud_info\": null, "
	    "\"rtrack\": {\"format\": 2, \"statistics\": {}, \"samples\": {\"process\": {\"n\": 3, "
	    "\"first\": 101, \"last\": 103}}}, " ROWS "}";
	struct recordings *t = *state;
	uint64_t before;

	assert_non_null(recordings_load(t, "a.json", "{" ROWS "}"));
	assert_true(t->runs.budget.cells == SNAPSHOT_BUDGET_CELLS - 6);
	before = t->runs.budget.bytes;
	assert_true(before < SNAPSHOT_BUDGET_BYTES);
	t->runs.budget.cells = 255; /* checked where a column needs more memory */
	recordings_file(t, "b.json", "{" ROWS "}");
	assert_int_equal(load_input(&t->runs, input_of(t->path), &t->e), 0);
	assert_int_equal(t->runs.n, 2);
	t->runs.budget.cells = 2;
	recordings_file(t, "c.json", "{" ROWS "}");
	assert_int_equal(load_input(&t->runs, input_of(t->path), &t->e), 0);
	assert_int_equal(t->runs.n, 2);
	assert_int_equal(t->runs.n_failed, 1);
	assert_non_null(
	    strstr(t->runs.failed[0].err.msg,
	           "c.json: with this recording, there are more than 268435456 numbers"));
	assert_int_equal(t->runs.budget.cells, 0);
	recordings_file(t, "d.json", own);
	assert_int_equal(load_input(&t->runs, input_of(t->path), &t->e), 0);
	assert_int_equal(t->runs.n, 3);
	t->runs.budget.bytes = 20;
	recordings_file(t, "e.json", own);
	assert_int_equal(load_input(&t->runs, input_of(t->path), &t->e), 0);
	assert_int_equal(t->runs.n, 3);
	assert_non_null(strstr(t->runs.failed[1].err.msg,
	                       "e.json: with this recording, there are more than 4096 MiB"));
	assert_int_equal(t->runs.budget.bytes, 0);
	/* the run that the report is about is read all the same */
	assert_int_equal(load_again(&t->runs.v[2], SNAPSHOT_WANT_ROWS, &t->e), 0);
	assert_int_equal(t->runs.v[2].snapshot.rows[METRIC_SCOPE_PROCESS].rows, 3);
}

/* Of what the Python module makes of stats() only the statistics are known, and no time. */
TEST_WITH(statistics_alone, recordings_begin, recordings_end)
{
	const struct run *run = recordings_load(
	    *state, "stats.json",
	    "{\"metadata\": {\"duration\": 7.5}, \"server_info\": {}, \"cloud_info\": {}, \"rtrack\": "
	    "{\"format\": 2, \"samples\": {\"process\": {\"n\": 1, \"first\": null, \"last\": null}}, \"statistics\": "
	    "{\"process_memory\": {\"n\": 1, \"mean\": 1024, \"max\": 2048}}}, "
	    "\"process_metrics\": {}}");

	assert_non_null(run);
	assert_int_equal(run->samples, 1);
	assert_true(isnan(run->start));
	same(run->duration, 7.5);
	same(run->stats[METRIC_PROCESS_MEMORY].max, 2097152);
	same(run->stats[METRIC_PROCESS_MEMORY].min, NAN);
	assert_int_equal(run->stats[METRIC_PROCESS_CPU_USAGE].n, 0);
	assert_int_equal(run->status, RUN_UNKNOWN);
}

#define TIME_AT                                                                                            \
	"\"time_at\": {\"samples\": 3, \"wall_s\": 3, \"unknown_s\": 0, \"cpu_s\": 4.5, \"judged_s\": 3, " \
	"\"contended_s\": 1.5, \"stolen_s\": 0.25, \"idle_s\": [0.5, 0, 0.75], "                           \
	"\"widths\": [[0, 0, 1.5, 1.25], [1, 7, 3, 2], [2, 40, 4.5, 3]]}"

static void add_run(struct recordings *t, const char *name, int start)
{
	char text[2048];

	snprintf(
	    text, sizeof text,
	    "{\"metadata\": {\"start_time\": %d}, \"server_info\": {}, \"cloud_info\": {}, \"rtrack\": {\"format\": 2, " TIME_AT
	    ", \"samples\": {\"process\": {\"n\": 3, \"first\": %d, \"last\": %d}}, \"statistics\": "
	    "{\"process_memory\": {\"n\": 3, \"mean\": 1.5, \"max\": 2, \"p95\": 2}, "
	    "\"process_cpu_usage\": {\"n\": 3, \"mean\": 1.5}, "
	    "\"process_state_disk\": {\"n\": 3, \"sum\": 0.75}, "
	    "\"process_threads\": {\"n\": 3, \"max\": 4}}}, \"process_metrics\": {}}",
	    start, start + 1, start + 3);
	recordings_file(t, name, text);
}

/* Of runs that are not reported on, only what histories are made of is kept, until they are read
 * again. */
TEST_WITH(history_keeps_few, recordings_begin, recordings_end)
{
	struct recordings *t = *state;
	struct stats own[METRIC_COUNT];
	struct time_at packed, all;
	struct run *old;

	add_run(t, "a.json", 100);
	add_run(t, "b.json", 200);
	assert_int_equal(load_input(&t->runs, input_of(t->folder), &t->e), 0);
	assert_int_equal(t->runs.n, 2);
	assert_null(t->runs.v[1].few);
	assert_int_equal(load_stats(&t->runs.v[1], METRIC_PROCESS_THREADS)->max, 4);
	all = *load_time_at(&t->runs.v[1], &packed);

	old = &t->runs.v[0];
	assert_null(old->stats);
	assert_null(old->snapshot.time_at);
	assert_int_equal(load_stats(old, METRIC_PROCESS_MEMORY)->n, 3);
	same(load_stats(old, METRIC_PROCESS_MEMORY)->max, 2048);
	same(load_stats(old, METRIC_PROCESS_MEMORY)->p95, 2048);
	same(load_stats(old, METRIC_PROCESS_CPU_USAGE)->mean, 1.5);
	assert_int_equal(load_stats(old, METRIC_PROCESS_THREADS)->n, 0);
	same(load_stats(old, METRIC_PROCESS_THREADS)->max, NAN);
	assert_ptr_equal(load_all_stats(old, own), own);
	same(own[METRIC_PROCESS_STATE_DISK].sum, 0.75);
	assert_int_equal(own[METRIC_PROCESS_STATE_NET].n, 0);
	same(own[METRIC_PROCESS_CPU_USAGE].mean, 1.5);
	assert_ptr_equal(load_time_at(old, &packed), &packed);
	assert_memory_equal(&packed, &all, sizeof all);

	assert_int_equal(load_again(old, SNAPSHOT_WANT_HEAD, &t->e), 0);
	assert_ptr_equal(load_all_stats(old, own), old->stats);
	assert_int_equal(load_stats(old, METRIC_PROCESS_THREADS)->max, 4);
	assert_memory_equal(old->snapshot.time_at, &all, sizeof all);
}

TEST_WITH(history_keeps_all, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	t->runs.all_stats = true;
	add_run(t, "a.json", 100);
	add_run(t, "b.json", 200);
	assert_int_equal(load_input(&t->runs, input_of(t->folder), &t->e), 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(load_stats(&t->runs.v[i], METRIC_PROCESS_THREADS)->max, 4);
}

/* An empty run has statistics, which are unknown. */
TEST(no_stats)
{
	const struct run none = {0};

	assert_int_equal(load_stats(&none, METRIC_PROCESS_MEMORY)->n, 0);
	same(load_stats(&none, METRIC_PROCESS_MEMORY)->max, NAN);
}

/* A page of 10,000 runs keeps them all. */
TEST(takes_little_memory)
{
	assert_true(sizeof(struct run) < 3000);
}

TEST_WITH(too_many, recordings_begin, recordings_end)
{
	struct recordings *t = *state;

	recordings_file(t, "a.json", "{" ROWS "}");
	t->runs.n_failed = LOAD_RUNS_MAX;
	assert_int_equal(load_input(&t->runs, input_of(t->folder), &t->e), -1);
	t->runs.n_failed = 0;
	assert_string_equal(t->e.msg, "more than 10000 recordings; rtrack-fleet reads them all, "
	                              "and rtrack-fleet job reports on one job of them");
	assert_int_equal(t->runs.n, 0);
}

/* Two recordings in one file are two runs, each read again from its own place; given twice, they
 * count once. A third that was cut off is said. */
TEST_WITH(several_in_a_file, recordings_begin, recordings_end)
{
	static const char *const text[] = {"{" ROWS "}",
	                                   "{\"process_metrics\": {\"timestamp\": [201, 202], "
	                                   "\"cpu_usage\": [4, 5]}}"};
	struct recordings *t = *state;
	struct buf file = {0}, one = {0};
	FILE *f;

	for (size_t i = 0; i < 3; i++) {
		buf_clear(&one);
		assert_int_equal(gz_pack(&one, text[i % 2], strlen(text[i % 2]), 6, &t->e), 0);
		assert_int_equal(gz_member_state(&file, buf_cstr(&one), one.len), 0);
	}
	f = fopen(recordings_path(t, "job.json.gz"), "w");
	assert_non_null(f);
	assert_int_equal(fwrite(buf_cstr(&file), 1, file.len - 1, f), file.len - 1);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(load_input(&t->runs, input_of(t->path), &t->e), 0);
	assert_int_equal(load_input(&t->runs, input_of(t->folder), &t->e), 0);
	assert_int_equal(t->runs.n, 2);
	assert_int_equal(t->runs.n_failed, 2);
	assert_non_null(
	    strstr(t->runs.failed[0].err.msg, "job.json.gz: its last recording is not whole"));
	for (size_t i = 0; i < 2; i++) {
		load_drop_rows(&t->runs.v[i]);
		assert_int_equal(load_again(&t->runs.v[i], SNAPSHOT_WANT_ROWS, &t->e), 0);
		assert_int_equal(t->runs.v[i].samples, i ? 2 : 3);
		same(t->runs.v[i].stats[METRIC_PROCESS_CPU_USAGE].max, i ? 5 : 3);
	}
	buf_free(&file);
	buf_free(&one);
}

/* Objects count once by their address, whatever their hash, and never as a file. */
TEST(addresses)
{
	static const char *const place[] = {"s3://b/a.json", "s3://b/b.json", "s3://b/a.json"};
	struct load_file_id id, file = {.device = 0};
	struct load_known known = {.n = 0};

	for (size_t i = 0; i < 3; i++) {
		id = load_known_id(input_of(place[i]));
		assert_int_equal(load_known_has(&known, &id), i == 2);
		assert_int_equal(load_known_add(&known, &id), 0);
	}
	file.inode = id.inode;
	assert_false(load_known_has(&known, &file));
	id.address = "s3://b/of-the-same-hash.json";
	assert_false(load_known_has(&known, &id));
	for (int i = 0; i < 200; i++) { /* it grows */
		file.inode = (ino_t)i + 1;
		assert_int_equal(load_known_add(&known, &file), 0);
	}
	id = load_known_id(input_of(place[0]));
	assert_true(load_known_has(&known, &id));
	load_known_free(&known);
}

/* Without the process that speaks to stores, an address is left out with a sentence. */
TEST_WITH(no_store, recordings_begin, recordings_end)
{
	static const char *const place[] = {"s3://b/a.json", "s3://b/runs/", "s3://b/*.json",
	                                    "s3://b:c/a"};
	static const struct store none;
	struct recordings *t = *state;

	t->runs.store = &none;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(load_input(&t->runs, input_of(place[i]), &t->e), 0);
		assert_int_equal(t->runs.n, 0);
		assert_int_equal(t->runs.n_failed, i + 1);
		assert_non_null(strstr(t->runs.failed[i].err.msg, "s3://"));
	}
	assert_string_equal(t->runs.failed[0].err.msg,
	                    "s3://b/a.json: the process that speaks to the store is not running");
}
