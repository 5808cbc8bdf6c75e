/* open_browser: opens a file with xdg-open(1). */
#include "report/output/open_browser.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/buf.h"

/* 0: it ended well; -1: it did not; else the errno of why it could not be started. */
static int run_quietly(char *const argv[])
{
	posix_spawn_file_actions_t quiet;
	int status, why = posix_spawn_file_actions_init(&quiet);
	pid_t pid;

	if (why)
		return why;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && !why; fd++)
		why = posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
	if (!why)
		why = posix_spawnp(&pid, argv[0], &quiet, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&quiet);
	if (why)
		return why;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static int run_xdg_open(const char *path, struct err *e)
{
	struct buf file = {0};
	int failed;

	/* "./" before a name that begins with "-": xdg-open would read it as an option. */
	buf_printf(&file, "%s%s", *path == '-' ? "./" : "", path);
	failed = file.failed ? ENOMEM : run_quietly((char *[]){"xdg-open", file.s, NULL});
	buf_free(&file);
	if (failed < 0)
		return err_set(e, "%s was written, but xdg-open could not open it", path);
	if (failed)
		return err_set(e, "%s was written, but not opened: xdg-open: %s", path,
		               strerror(failed));
	return 0;
}

static void serve_browser(int fd, const void *path)
{
	struct err why = {0};

	if (!worker_receive(fd, NULL, 0, NULL, 0, NULL, NULL))
		return;
	run_xdg_open(path, &why);
	worker_send(fd, NULL, 0, NULL, 0, &why);
}

int open_browser_start(struct worker *viewer, const char *path, struct err *e)
{
	return worker_start(viewer, serve_browser, path, e);
}

int open_browser_show(const struct worker *viewer, struct err *e)
{
	if (!worker_send(viewer->fd, NULL, 0, NULL, 0, NULL) ||
	    !worker_receive(viewer->fd, NULL, 0, NULL, 0, NULL, e))
		return err_set(e, "the report was written, but not opened");
	return *e->msg ? -1 : 0;
}
