/* progress_line: the text, for widths, missing values and limits; and what a terminal gets. */
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "collect/output/progress_line.h"
#include "core/numbers/metric.h"
#include "tests/unit/unit.h"

#define GIB ((double)(1 << 30))
#define MIB ((double)(1 << 20))

static const struct progress_line_of job = {.job = true, .cpus = 4, .memory_b = 8 * GIB};
static const struct progress_line_of free_job = {.job = true, .cpus = NAN, .memory_b = NAN};
static const struct progress_line_of machine = {.cpus = 2.5, .memory_b = 23.5 * GIB};

struct cell {
	enum metric_id id;
	double v;
};

static size_t text_of(const struct progress_line_of *of, const struct cell *cells, double elapsed_s,
                      const char *phase, size_t width, char out[PROGRESS_LINE_MAX + 1])
{
	double row[METRIC_COUNT];
	size_t n;

	for (int i = 0; i < METRIC_COUNT; i++)
		row[i] = NAN;
	for (; cells->id; cells++)
		row[cells->id] = cells->v;
	n = progress_line_text(
	    of,
	    &(struct progress_line_now){
		.elapsed_s = elapsed_s, .row = row, .lasted_s = 2, .phase = phase},
	    width, out);
	out[n] = '\0';
	return n;
}

#define CORES(v)                                                                                   \
	{                                                                                          \
		METRIC_PROCESS_CPU_USAGE, v                                                        \
	}
#define MEMORY(v)                                                                                  \
	{                                                                                          \
		METRIC_PROCESS_MEMORY, v                                                           \
	}

static const struct cell all[] = {CORES(3.84),
                                  MEMORY(6.1 * GIB),
                                  {METRIC_PROCESS_READ_BYTES, 240 * MIB},
                                  {METRIC_PROCESS_WRITE_BYTES, 1e5},
                                  {METRIC_SYSTEM_NET_RECV_BYTES, 4 * MIB},
                                  {METRIC_SYSTEM_NET_SENT_BYTES, 2 * MIB},
                                  {METRIC_PROCESS_GPU_USAGE, 1.5},
                                  {METRIC_PROCESS_STATE_CPU, 0.7},
                                  {METRIC_PROCESS_STATE_DISK, 0.8},
                                  {METRIC_PROCESS_STATE_SLEEP, 0.5},
                                  {0, 0}};

TEST(texts)
{
	static const struct {
		const struct progress_line_of *of;
		struct cell cells[8];
		double elapsed_s;
		const char *phase, *text;
	} cases[] = {
	    {&job, {{0, 0}}, 0.4, NULL, "0 s"},
	    {&job, {{0, 0}}, 59.4, "", "59 s  phase: "},
	    {&job, {{0, 0}}, 723, NULL, "12 min 3 s"},
	    {&job, {{0, 0}}, 7500, NULL, "2 h 5 min"},
	    {&job, {{0, 0}}, 97200, NULL, "1 d 3 h"},
	    {&job, {CORES(0)}, 1, NULL, "1 s  0.0 of 4 cores"},
	    {&job, {CORES(12.34)}, 1, NULL, "1 s  12 of 4 cores"},
	    {&free_job, {CORES(1.25), MEMORY(9.96 * GIB)}, 1, NULL, "1 s  1.2 cores  10 GiB"},
	    {&job, {MEMORY(100 * MIB)}, 1, NULL, "1 s  100 MiB of 8 GiB"},
	    {&job, {MEMORY(0)}, 1, NULL, "1 s  0.0 KiB of 8 GiB"},
	    {&machine,
	     {{METRIC_SYSTEM_CPU_USAGE, 1}, {METRIC_SYSTEM_MEMORY_USED, 20 * GIB}},
	     1,
	     NULL,
	     "1 s  1.0 of 2.5 cores  20 of 23.5 GiB"},
	    {&machine, {CORES(1), {METRIC_PROCESS_STATE_DISK, 1}}, 1, NULL, "1 s"},
	    {&machine, {{METRIC_SYSTEM_DISK_WRITE_BYTES, 4e9}}, 1, NULL, "1 s  write 1.9 GiB/s"},
	    {&job, {{METRIC_PROCESS_READ_BYTES, 1.9e5}}, 1, NULL, "1 s"},
	    {&job, {{METRIC_SYSTEM_NET_SENT_BYTES, 2.1e5}}, 1, NULL, "1 s  net 103 KiB/s"},
	    {&job, {{METRIC_PROCESS_STATE_CPU, 2}}, 1, NULL, "1 s"},
	    {&job, {{METRIC_PROCESS_STATE_UNKNOWN, 2}}, 1, NULL, "1 s"},
	    {&job,
	     {{METRIC_PROCESS_STATE_LOCK, 1.5}},
	     1,
	     NULL,
	     "1 s  waits inside the program 100%"},
	    {&job,
	     {{METRIC_PROCESS_STATE_CPU, 0.9}, {METRIC_PROCESS_STATE_NET, 1.1}},
	     1,
	     NULL,
	     "1 s  waits for the network 55%"},
	    {&job, {{0, 0}}, 1, "b\x1b[2J \xc3\xa9", "1 s  phase: b?[2J ??"},
	};
	char out[PROGRESS_LINE_MAX + 1];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		text_of(cases[i].of, cases[i].cells, cases[i].elapsed_s, cases[i].phase, 200, out);
		assert_string_equal(out, cases[i].text);
	}
}

TEST(widths)
{
	static const struct {
		size_t width;
		const char *text;
	} cases[] = {
	    {500,
	     "12 min 3 s  3.8 of 4 cores  6.1 of 8 GiB  1.5 GPUs  read 120 MiB/s  net 3.0 MiB/s  "
	     "waits for the disk 40%  phase: alignment"},
	    {79, "12 min 3 s  3.8 of 4 cores  6.1 of 8 GiB  1.5 GPUs  read 120 MiB/s  phase: alig"},
	    {78, "12 min 3 s  3.8 of 4 cores  6.1 of 8 GiB  1.5 GPUs  read 120 MiB/s"},
	    {40, "12 min 3 s  3.8 of 4 cores  6.1 of 8 GiB"},
	    {39, "12 min 3 s  3.8 of 4 cores  1.5 GPUs"},
	    {25, "12 min 3 s  6.1 of 8 GiB"},
	    {10, "12 min 3 s"},
	    {9, "1.5 GPUs"},
	    {7, ""},
	    {0, ""},
	};
	char out[PROGRESS_LINE_MAX + 1], long_name[1000];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		text_of(&job, all, 723, "alignment", cases[i].width, out);
		assert_string_equal(out, cases[i].text);
	}
	memset(long_name, 'x', sizeof long_name - 1);
	long_name[sizeof long_name - 1] = '\0';
	for (size_t width = 0; width < 1200; width++)
		assert_true(text_of(&job, all, 1e9, long_name, width, out) <= width);
}

/* -- a terminal, whose foreground we are ------------------------------------------------------- */

struct ends {
	int master, slave;
};

/* A process of its own is needed: it leads a session. Its status: which check failed. */
static int in_session(int (*checks)(struct ends *))
{
	struct winsize size = {.ws_row = 24, .ws_col = 40};
	struct ends t;
	int pid, status;

	assert_int_equal(openpty(&t.master, &t.slave, NULL, NULL, &size), 0);
	pid = fork();
	if (pid == 0) {
		sigset_t set;
		sigemptyset(&set);
		sigaddset(&set, SIGTTOU);
		sigprocmask(SIG_BLOCK, &set, NULL);
		setenv("TERM", "vt100", 1);
		alarm(60);
		_exit(setsid() < 0 || ioctl(t.slave, TIOCSCTTY, 0) ? 100 : checks(&t));
	}
	close(t.master);
	close(t.slave);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void show(struct progress_line *p)
{
	double row[METRIC_COUNT];

	for (int i = 0; i < METRIC_COUNT; i++)
		row[i] = NAN;
	row[METRIC_PROCESS_CPU_USAGE] = 1;
	progress_line_show(
	    p, &free_job,
	    &(struct progress_line_now){.elapsed_s = 1, .row = row, .lasted_s = 1, .phase = NULL});
}

/* Whether this, and nothing else, has come within some time. */
static bool got(int master, const char *text)
{
	struct pollfd ready = {.fd = master, .events = POLLIN};
	char bytes[4096] = "";
	size_t n = 0;

	while (n < sizeof bytes - 1 && poll(&ready, 1, n < strlen(text) ? 10000 : 100) == 1) {
		ssize_t more = read(master, bytes + n, sizeof bytes - 1 - n);
		if (more <= 0)
			break;
		n += (size_t)more;
	}
	bytes[n] = '\0';
	return strcmp(bytes, text) == 0;
}

/* Not a byte on the screen itself, so that nothing of the command's is replaced. */
static int draws_title(struct ends *t)
{
	struct progress_line p;

	progress_line_open(&p, t->slave, true);
	show(&p);
	if (!got(t->master, "\x1b[22;2t\x1b]2;1 s  1.0 cores\x07"))
		return 1;
	ioctl(t->slave, TIOCSWINSZ, &(struct winsize){.ws_row = 24, .ws_col = 10});
	show(&p);
	if (!got(t->master, "\x1b]2;1 s  1.0 cores\x07"))
		return 2;
	progress_line_clear(&p);
	if (!got(t->master, "\x1b]2;\x07\x1b[23;2t"))
		return 3;
	show(&p);
	progress_line_close(&p);
	return got(t->master, "\x1b[22;2t\x1b]2;1 s  1.0 cores\x07\x1b]2;\x07\x1b[23;2t") ? 0 : 4;
}

static int draws(struct ends *t)
{
	struct progress_line p;

	progress_line_open(&p, t->slave, false);
	if (p.fd < 0 || (fcntl(t->slave, F_GETFL) & O_NONBLOCK) ||
	    !(fcntl(p.fd, F_GETFD) & FD_CLOEXEC))
		return 1;
	progress_line_clear(&p);
	if (!got(t->master, ""))
		return 2;
	show(&p);
	if (!got(t->master, "\r1 s  1.0 cores\x1b[K\r"))
		return 3;
	ioctl(t->slave, TIOCSWINSZ, &(struct winsize){.ws_row = 24, .ws_col = 10});
	show(&p);
	if (!got(t->master, "\r1 s\x1b[K\r"))
		return 4;
	progress_line_close(&p);
	if (!got(t->master, "\r\x1b[K\r") || p.fd >= 0)
		return 5;
	show(&p);
	progress_line_close(&p);
	return got(t->master, "") ? 0 : 6;
}

/* Ctrl-S; without it a blocked write(2) would end us by the alarm. */
static int is_dropped(struct ends *t)
{
	struct progress_line p;

	progress_line_open(&p, t->slave, false);
	tcflow(t->slave, TCOOFF);
	for (int i = 0; i < 10000; i++)
		show(&p);
	if (!got(t->master, ""))
		return 1;
	tcflow(t->slave, TCOON);
	show(&p);
	if (!got(t->master, "\r1 s  1.0 cores\x1b[K\r"))
		return 2;
	progress_line_close(&p);
	return got(t->master, "\r\x1b[K\r") ? 0 : 3;
}

/* A reader that stalls: each line that was begun is there to its end. */
static int is_whole(struct ends *t)
{
	static const char line[] = "\r1 s  1.0 cores\x1b[K\r";
	static char bytes[1 << 20];
	struct progress_line p;
	size_t n = 0, at = 0;
	ssize_t more;

	progress_line_open(&p, t->slave, false);
	for (int i = 0; i < 20000; i++)
		show(&p);
	fcntl(t->master, F_SETFL, O_NONBLOCK);
	for (int i = 0; i < 100; i++, usleep(1000)) {
		while ((more = read(t->master, bytes + n, sizeof bytes - n)) > 0)
			n += (size_t)more;
		show(&p);
	}
	while (n - at >= strlen(line) && memcmp(bytes + at, line, strlen(line)) == 0)
		at += strlen(line);
	return at > 1000 && n - at < strlen(line) ? 0 : 1;
}

static int keeps_off(struct ends *t)
{
	struct progress_line p;
	int pid = fork(), status = 0;

	progress_line_open(&p, t->slave, false);
	if (pid == 0) {
		/* Another group, with the terminal stopping those that write in the background. */
		struct termios set;
		setpgid(0, 0);
		tcgetattr(t->slave, &set);
		set.c_lflag |= TOSTOP;
		tcsetattr(t->slave, TCSANOW, &set);
		show(&p);
		progress_line_close(&p);
		_exit(p.shown);
	}
	waitpid(pid, &status, WUNTRACED);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return 1;
	return got(t->master, "") ? 0 : 2;
}

static int has_none(struct ends *t)
{
	struct progress_line p;
	int pipes[2];

	if (pipe(pipes))
		return 1;
	progress_line_open(&p, pipes[1], false);
	if (p.fd >= 0)
		return 2;
	setenv("TERM", "dumb", 1);
	progress_line_open(&p, t->slave, false);
	show(&p);
	progress_line_close(&p);
	if (p.fd >= 0)
		return 3;
	unsetenv("TERM");
	progress_line_open(&p, t->slave, false);
	return p.fd >= 0 ? 4 : 0;
}

TEST(a_terminal_gets_it)
{
	assert_int_equal(in_session(draws), 0);
}

TEST(or_its_title)
{
	assert_int_equal(in_session(draws_title), 0);
}

TEST(a_stopped_terminal_drops_it)
{
	assert_int_equal(in_session(is_dropped), 0);
}

TEST(a_line_that_was_begun_is_ended)
{
	assert_int_equal(in_session(is_whole), 0);
}

TEST(not_in_the_background)
{
	assert_int_equal(in_session(keeps_off), 0);
}

TEST(nothing_without_a_terminal)
{
	assert_int_equal(in_session(has_none), 0);
}
