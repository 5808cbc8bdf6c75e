/* Tests of collect/end/end_file.c: what an engine is told. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/end/end_file.h"
#include "core/base/quantity.h"
#include "core/end/end_cause.h"
#include "tests/unit/unit.h"

#define MIB(n) ((n)*QUANTITY_MIB)

static int close_says; /* an errno; 0: as usual */

/* Instead of that of libc. */
int close(int fd)
{
	int failed = (int)syscall(SYS_close, fd);

	if (failed || !close_says)
		return failed;
	errno = close_says;
	return -1;
}

/* A run of which the kernel killed the command for its memory, and that may use 100 MiB. */
static struct snapshot killed(struct snapshot_evidence *e)
{
	struct snapshot s = {.exit = {.known = true, .signal = SIGKILL},
	                     .end = {.known = true, .sentence = "", .evidence = e},
	                     .memory = {.known = true, .peak_b = MIB(90)},
	                     .limits = {.known = true, .memory_b = MIB(100)}};

	*e = end_cause_none();
	e->memory_b = e->largest_b = MIB(90);
	s.end.cause = end_cause_word(END_CAUSE_OOM);
	return s;
}

static void tell(const struct snapshot *s, char *text, size_t room)
{
	int fd = memfd_create("end", MFD_CLOEXEC), mine = dup(fd), status = 137;
	struct err e;
	ssize_t n;

	assert_true(mine >= 0);
	assert_int_equal(end_file_tell(fd, 77, s, &status, &e), 0);
	assert_int_equal(status, 77);
	n = pread(mine, text, room - 1, 0);
	assert_true(n > 0);
	text[n] = '\0';
	close(mine);
}

/* The limit that the file names, in MiB; NAN: null. */
static double limit_mib(const struct snapshot *s)
{
	static const char name[] = "\"memory_limit_bytes\":";
	char text[1024], *at;

	tell(s, text, sizeof text);
	at = strstr(text, name);
	assert_non_null(at);
	at += sizeof name - 1;
	return strncmp(at, "null", 4) == 0 ? (double)NAN : strtod(at, NULL) / QUANTITY_MIB;
}

TEST(limits)
{
	struct snapshot_evidence e;
	struct snapshot s = killed(&e);

	/* Several were hit: the lowest one. */
	assert_true(limit_mib(&s) == 100);
	/* Of them, none at the end, when the job had little. */
	e.memory_b = e.largest_b = MIB(10);
	assert_true(isnan(limit_mib(&s)));
	e.oom_limit_b = MIB(50);
	assert_true(limit_mib(&s) == 50);
	e.launcher_limit_b = MIB(20);
	assert_true(limit_mib(&s) == 20);
}

/* No limit of the job: asking for more would not help. */
TEST(the_machine_ran_out)
{
	struct snapshot_evidence e;
	struct snapshot s = killed(&e);

	e.oom_of = SNAPSHOT_OOM_MACHINE;
	assert_true(isnan(limit_mib(&s)));
}

TEST(what_close_says)
{
	struct snapshot_evidence e;
	struct snapshot s = killed(&e);
	int status = 137;
	struct err why;

	close_says = EDQUOT;
	assert_int_equal(end_file_tell(memfd_create("end", MFD_CLOEXEC), 0, &s, &status, &why), -1);
	close_says = 0;
	assert_non_null(strstr(why.msg, strerror(EDQUOT)));
	assert_int_equal(status, 137);
}
