/* Tests of collect/procfs/fd_limit.c, in children, whose limits are their own. */
#include <sys/wait.h>
#include <unistd.h>

#include "collect/procfs/fd_limit.h"
#include "tests/unit/unit.h"

static bool is(rlim_t soft, rlim_t hard)
{
	struct rlimit now;

	return getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == soft && now.rlim_max == hard;
}

/* 0 if all expectations hold. */
static int raised_and_restored(rlim_t soft, rlim_t hard)
{
	struct rlimit given = {.rlim_cur = soft, .rlim_max = hard};
	struct fd_limit d;

	if (setrlimit(RLIMIT_NOFILE, &given))
		return 1;
	fd_limit_raise(&d);
	if (!is(hard, hard) || fd_limit_most() != hard || d.raised != (soft < hard))
		return 2;
	fd_limit_restore(&d);
	return is(soft, hard) ? 0 : 3;
}

TEST(limits)
{
	static const rlim_t given[][2] = {{16, 200}, {200, 200}, {16, 16}};

	for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
		pid_t pid = fork();
		int status;

		if (pid == 0)
			_exit(raised_and_restored(given[i][0], given[i][1]));
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
}

TEST(nothing_raised)
{
	const struct fd_limit d = {.raised = false};
	size_t before = fd_limit_most();

	fd_limit_restore(&d);
	assert_int_equal(fd_limit_most(), before);
}
