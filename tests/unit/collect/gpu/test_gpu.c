/* Tests of collect/gpu/gpu.c: the process that reads, and the values that come of it. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/gpu/gpu.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

#define MIB    (1024.0 * 1024)
#define SECOND INT64_C(1000000000)

static struct root root;
static volatile sig_atomic_t children; /* SIGCHLD that came */

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

#define PATIENCE 6000 /* rests of 10 ms */

static void rest(int ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

static const char *library(void)
{
	static char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);

	assert_true(n > 0);
	path[n] = '\0';
	for (int i = 0; i < 4; i++)
		*strrchr(path, '/') = '\0';
	snprintf(path + strlen(path), 64, "/fake/libnvidia-ml-fake.so");
	return path;
}

/* The tree is the pids from 100 to 199. */
static bool has(void *ctx, int pid)
{
	(void)ctx;
	return pid >= 100 && pid < 200;
}

static int pid_of(void *ctx, size_t i)
{
	(void)ctx;
	return i < 3 ? 100 + (int)i : 0;
}

static const struct gpu_tree tree = {.has = has, .pid = pid_of, .main_pid = 100};

static struct gpu *open_gpus(const char *settings, const char *const *uuids, size_t n,
                             struct err *e)
{
	struct gpu_options o = {.nvml = library(), .uuids = uuids, .n_uuids = n, .interval_s = 0.1};

	setenv("FAKE_NVML", settings, 1);
	return gpu_open(&root, &o, e);
}

static struct gpu *open_started(const char *settings)
{
	struct gpu *g = open_gpus(settings, NULL, 0, NULL);

	assert_non_null(g);
	gpu_start(g, now_ns());
	return g;
}

/* Reads until there is a value. */
static void read_soon(struct gpu *g, struct gpu_sample *s)
{
	for (int i = 0; i < PATIENCE; i++) {
		gpu_read(g, &tree, s);
		if (!isnan(s->system_vram_b))
			return;
		rest(10);
	}
	fail_msg("no reading within a minute");
}

static bool is_noted(const struct gpu *g, const char *part)
{
	struct snapshot s = {.unfinished = false};
	bool found = false;

	gpu_notes(g, &s);
	for (size_t i = 0; i < s.notes.n; i++)
		found |= strstr(s.notes.v[i], part) != NULL;
	snapshot_free(&s);
	return found;
}

#define LATE "did not answer in time"

/* With that in it; "": there is no note but that a busy machine was late. */
static void has_note(const struct gpu *g, const char *part)
{
	struct snapshot s = {.unfinished = false};
	bool found = *part && is_noted(g, part);
	size_t others = 0;

	gpu_notes(g, &s);
	for (size_t i = 0; i < s.notes.n; i++)
		others += strstr(s.notes.v[i], LATE) == NULL;
	if (found != (*part != '\0') || (!*part && others))
		fail_msg("note \"%s\": %zu notes, the first \"%s\"", part, s.notes.n,
		         s.notes.n ? s.notes.v[0] : "");
	snapshot_free(&s);
}

TEST(values)
{
	struct gpu *g = open_started("gpus 2; util 0 50; util 1 40; used 0 900; used 1 700;"
	                             "proc 0 100 600 30; proc 0 101 200 10; proc 1 7 650 40");
	struct gpu_sample s;

	read_soon(g, &s);
	assert_true(fabs(s.system_usage - 0.9) < 1e-9);
	assert_true(s.system_utilized == 2);
	assert_true(s.system_vram_b == 1600 * MIB);
	assert_true(fabs(s.tree_usage - 0.4) < 1e-9);
	assert_true(s.tree_utilized == 1);
	assert_true(s.tree_vram_b == 800 * MIB);
	assert_true(s.main_vram_b == 600 * MIB);
	gpu_close(g);
}

/* What the collector's own loop, its command and its user see of the sampler: nothing. */
TEST(nobody_notices)
{
	struct gpu *g = open_started("gpus 1");
	siginfo_t info = {.si_pid = 0};
	struct gpu_sample s;
	char path[64];
	DIR *d;
	int fds = 0;

	read_soon(g, &s);
	assert_true(gpu_pid(g) > 0);
	assert_int_equal(waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_not_equal(getsid(gpu_pid(g)), getsid(0));
	/* The three standard ones, the root, its end of the socket; the fake has none. */
	snprintf(path, sizeof path, "/proc/%d/fd", gpu_pid(g));
	d = opendir(path);
	assert_non_null(d);
	while (readdir(d))
		fds++;
	closedir(d);
	assert_int_equal(fds - 2, 5);
	gpu_close(g);
	assert_int_equal(children, 0);
}

TEST(ends_with_us)
{
	struct gpu *g = open_started("gpus 1");
	struct gpu_sample s;
	int pid = gpu_pid(g);

	read_soon(g, &s);
	gpu_close(g);
	/* Who adopted it may be slow to reap it. */
	for (int i = 0; i < PATIENCE && kill(pid, 0) == 0; i++)
		rest(10);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	gpu_close(NULL);
}

/* The whole collector is killed: its sampler goes too, though it hangs. */
TEST(ends_with_a_killed_collector)
{
	int ends[2], pid = 0;
	pid_t collector;

	assert_int_equal(pipe(ends), 0);
	collector = fork();
	assert_true(collector >= 0);
	if (collector == 0) {
		struct gpu *g = open_gpus("slow nvmlDeviceGetPowerUsage 60000", NULL, 0, NULL);
		if (g)
			gpu_start(g, now_ns());
		pid = g ? gpu_pid(g) : -1;
		rest(100);
		if (write(ends[1], &pid, sizeof pid) == sizeof pid)
			raise(SIGKILL);
		_exit(1);
	}
	assert_int_equal(read(ends[0], &pid, sizeof pid), sizeof pid);
	assert_true(pid > 0);
	waitpid(collector, NULL, 0);
	for (int i = 0; i < PATIENCE && kill(pid, 0) == 0; i++) {
		char path[64], line[256] = "";
		FILE *f;
		/* Who adopts it may be slow to reap it. */
		snprintf(path, sizeof path, "/proc/%d/stat", pid);
		f = fopen(path, "re");
		if (f && fgets(line, sizeof line, f) && strstr(line, ") Z "))
			i = PATIENCE;
		if (f)
			fclose(f);
		rest(10);
		assert_int_not_equal(i, PATIENCE - 1);
	}
	close(ends[0]);
	close(ends[1]);
	children = 0;
}

TEST(a_slow_driver_disturbs_nobody)
{
	int64_t begin = now_ns();
	struct gpu *g = open_started("util 0 50; used 0 64; slow nvmlInit_v2 700");
	struct gpu_sample s;

	gpu_read(g, &tree, &s);
	assert_true(now_ns() - begin < SECOND / 4);
	assert_true(isnan(s.system_usage) && isnan(s.tree_vram_b));
	read_soon(g, &s);
	assert_true(s.system_usage == 0.5);
	has_note(g, "until their driver had answered");
	gpu_close(g);
}

/* It answers twice, and then never again. */
TEST(a_hung_driver)
{
	char settings[] = "/tmp/test_gpu.XXXXXX", variable[64];
	int fd = mkstemp(settings);
	struct gpu *g;
	struct gpu_sample s;
	int64_t begin;

	assert_true(fd >= 0);
	snprintf(variable, sizeof variable, "@%s", settings);
	assert_int_equal(dprintf(fd, "util 0 50\nused 0 64\n"), 20);
	g = open_started(variable);
	read_soon(g, &s);
	assert_true(dprintf(fd, "slow nvmlDeviceGetPowerUsage 60000\n") > 0);
	rest(2600);
	begin = now_ns();
	gpu_read(g, &tree, &s);
	assert_true(now_ns() - begin < SECOND / 10);
	assert_true(isnan(s.system_usage) && isnan(s.system_vram_b) && isnan(s.tree_usage));
	has_note(g, LATE);
	begin = now_ns();
	gpu_close(g);
	assert_true(now_ns() - begin < SECOND / 10);
	close(fd);
	unlink(settings);
}

TEST(a_crash)
{
	struct gpu *g = open_started("crash nvmlDeviceGetPowerUsage");
	struct gpu_sample s;

	rest(100);
	gpu_read(g, &tree, &s);
	assert_true(isnan(s.system_usage) && isnan(s.tree_usage));
	gpu_start(g, now_ns());
	gpu_close(g);
	assert_int_equal(children, 0);
}

TEST(does_not_serve)
{
	static const struct {
		const char *settings, *note; /* "": values are 0 and nothing is said */
	} rows[] = {
	    {"gpus 0", ""},
	    {"error nvmlInit_v2 9", ""},
	    {"error nvmlInit_v2 18", "not measured: nvmlInit: Driver/library version mismatch"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gpu *g = open_started(rows[i].settings);
		struct gpu_sample s;
		for (int k = 0; k < 300; k++) {
			rest(10);
			gpu_read(g, &tree, &s);
			if (*rows[i].note ? is_noted(g, rows[i].note) : s.system_usage == 0)
				break;
		}
		assert_true(*rows[i].note ? isnan(s.system_usage) : s.system_usage == 0);
		assert_true(*rows[i].note ? isnan(s.tree_vram_b) : s.tree_vram_b == 0);
		has_note(g, rows[i].note);
		gpu_close(g);
	}
}

TEST(chosen)
{
	static const char *const one[] = {"GPU-1"}, *const two[] = {"GPU-2", "GPU-0"},
				 *const wrong[] = {"GPU-0", "GPU-9"};
	static const char settings[] =
	    "gpus 3; util 0 50; util 1 40; util 2 30; used 0 1; used 1 2;"
	    "used 2 4; name 1 Other; proc 1 100 2 40";
	struct err e = {.msg = ""};
	struct snapshot snapshot = {.unfinished = false};
	struct json_write j = {.depth = 0};
	struct gpu_sample s;
	struct gpu *g;

	g = open_gpus(settings, one, 1, &e);
	assert_non_null(g);
	gpu_start(g, now_ns());
	read_soon(g, &s);
	assert_true(s.system_usage == 0.4 && s.system_vram_b == 2 * MIB && s.tree_usage == 0.4);
	gpu_close(g);
	g = open_gpus(settings, two, 2, &e);
	assert_non_null(g);
	/* The machine has what it has, whichever of them count. */
	gpu_describe(g, &snapshot);
	assert_true(snapshot.server.gpu_count == 3);
	assert_true(snapshot.server.gpu_memory_b == 3 * 16384 * MIB);
	assert_int_equal(snapshot.server.gpu_names.n, 3);
	assert_string_equal(snapshot.server.gpu_name, "Fake GPU");
	json_write_object(&j, NULL);
	gpu_write(g, &j);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	assert_null(strstr(buf_cstr(&j.b), "GPU-1"));
	assert_non_null(strstr(buf_cstr(&j.b), "GPU-2"));
	json_write_free(&j);
	gpu_close(g);
	assert_null(open_gpus(settings, wrong, 2, &e));
	assert_string_equal(e.msg, "no GPU GPU-9; there are GPU-0 (Fake GPU), GPU-1 (Other), "
	                           "GPU-2 (Fake GPU)");
	assert_null(open_gpus("gpus 0", one, 1, &e));
	assert_string_equal(e.msg, "no GPU GPU-1: this machine has none");
	assert_null(open_gpus("error nvmlInit_v2 18", one, 1, &e));
	assert_non_null(strstr(e.msg, "version mismatch"));
	snapshot_free(&snapshot);
}

/* In the order of gpu_write; of nine the last has no columns, and that is said. */
TEST(each)
{
	static const char *const two[] = {"GPU-2", "GPU-0"};
	struct gpu_sample s;
	struct gpu *g =
	    open_gpus("gpus 3; util 0 50; util 1 40; util 2 30; used 2 4", two, 2, NULL);

	assert_non_null(g);
	gpu_start(g, now_ns());
	read_soon(g, &s);
	assert_true(s.each_usage[0] == 0.5 && s.each_usage[1] == 0.3 && isnan(s.each_usage[2]));
	assert_true(s.each_vram_b[0] == 0 && s.each_vram_b[1] == 4 * MIB);
	assert_true(gpu_any(g));
	assert_false(is_noted(g, "columns of their own"));
	gpu_close(g);
	g = open_started("gpus 9; util 7 70; util 8 80; used 7 7; used 8 8");
	read_soon(g, &s);
	assert_true(s.each_usage[7] == 0.7 && s.each_vram_b[7] == 7 * MIB && s.each_usage[0] == 0);
	assert_true(s.system_usage == 1.5 && s.system_vram_b == 15 * MIB);
	has_note(g, "There are 9 GPUs; only the first 8 have columns of their own");
	gpu_close(g);
}

TEST(described)
{
	struct gpu *g =
	    open_started("gpus 3; name 0 Other; util 1 50; used 1 10; power 1 7000; temp 1 61");
	struct snapshot snapshot = {.unfinished = false};
	struct json_write j = {.depth = 0};
	struct gpu_sample s;

	read_soon(g, &s);
	gpu_describe(g, &snapshot);
	assert_true(snapshot.server.gpu_count == 3);
	assert_string_equal(snapshot.server.gpu_name, "Fake GPU");
	assert_int_equal(snapshot.server.gpu_names.n, 3);
	assert_string_equal(snapshot.server.gpu_names.v[0], "Other");
	assert_true(snapshot.server.gpu_memory_b == 3 * 16384 * MIB);
	json_write_object(&j, NULL);
	gpu_write(g, &j);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	assert_non_null(strstr(buf_cstr(&j.b),
	                       "{\"uuid\":\"GPU-1\",\"name\":\"Fake GPU\","
	                       "\"memory_bytes\":17179869184,\"memory_max_bytes\":10485760,"
	                       "\"utilisation_mean\":0.5,\"utilisation_max\":0.5,"
	                       "\"power_mean_w\":7,\"power_max_w\":7,\"temperature_max_c\":61}"));
	json_write_free(&j);
	snapshot_free(&snapshot);
	gpu_close(g);
}

/* A captured machine is read through the same process. */
TEST(captured)
{
	static const struct {
		const char *machine, *name;
		double count, memory_b, usage;
	} rows[] = {
	    {"gpu-amd", "AMD GPU 1002:744C", 2, 94455726080.0, 0.75},
	    {"idle-vm", "", 0, 0, 0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gpu_options o = {.interval_s = 0.1};
		struct snapshot snapshot = {.unfinished = false};
		struct gpu_sample s;
		struct root r = captured_root(rows[i].machine);
		struct gpu *g;

		g = gpu_open(&r, &o, NULL);
		assert_non_null(g);
		gpu_start(g, now_ns());
		assert_true((gpu_pid(g) > 0) == (rows[i].count > 0));
		read_soon(g, &s);
		gpu_describe(g, &snapshot);
		assert_true(fabs(s.system_usage - rows[i].usage) < 1e-9);
		assert_true(snapshot.server.gpu_count == rows[i].count);
		assert_true(snapshot.server.gpu_memory_b == rows[i].memory_b);
		assert_string_equal(snapshot.server.gpu_name, rows[i].name);
		snapshot_free(&snapshot);
		gpu_close(g);
		root_close(&r);
	}
}

static bool has_any(void *ctx, int pid)
{
	(void)ctx;
	return pid == 5000 || pid == 5001;
}

static int some_pid(void *ctx, size_t i)
{
	static const int pids[] = {5000, -1, 5001, 0};

	(void)ctx;
	return pids[i];
}

/* The sampler gets to know whose descriptors to look at. */
TEST(captured_tree)
{
	const struct gpu_tree two = {.has = has_any, .pid = some_pid, .main_pid = 5001};
	struct gpu_options o = {.interval_s = 0.1};
	struct gpu_sample s = {.tree_vram_b = 0};
	struct root r = captured_root("gpu-amd");
	struct gpu *g;

	g = gpu_open(&r, &o, NULL);
	assert_non_null(g);
	gpu_start(g, now_ns());
	for (int i = 0; i < PATIENCE && !(s.tree_vram_b > 0); i++) {
		gpu_read(g, &two, &s);
		rest(10);
	}
	assert_true(s.tree_vram_b == 1536 * MIB);
	assert_true(s.main_vram_b == 512 * MIB);
	assert_true(s.tree_usage == 0);
	has_note(g, "");
	gpu_close(g);
	root_close(&r);
}

static void on_child(int signal)
{
	(void)signal;
	children++;
}

static int setup(void **state)
{
	struct sigaction a = {.sa_handler = on_child};

	(void)state;
	sigaction(SIGCHLD, &a, NULL);
	return root_open(&root, NULL, NULL);
}

static int teardown(void **state)
{
	(void)state;
	root_close(&root);
	return 0;
}

ALL_TESTS_WITH(setup, teardown)
