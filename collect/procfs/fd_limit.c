/* fd_limit: the limit on open files, of the collector and of the command. */
#include "collect/procfs/fd_limit.h"

#include <sys/syscall.h>
#include <unistd.h>

#define FILES_MOST 8192  /* more than this is never needed */
#define CLOSE_MOST 65536 /* where close_range(2) is missing, before Linux 5.9 */

void fd_limit_raise(struct fd_limit *d)
{
	struct rlimit more;

	*d = (struct fd_limit){.raised = false};
	if (getrlimit(RLIMIT_NOFILE, &d->before) || d->before.rlim_cur >= FILES_MOST ||
	    d->before.rlim_cur >= d->before.rlim_max)
		return;
	more = d->before;
	more.rlim_cur = more.rlim_max < FILES_MOST ? more.rlim_max : FILES_MOST;
	d->raised = setrlimit(RLIMIT_NOFILE, &more) == 0;
}

void fd_limit_restore(const struct fd_limit *d)
{
	if (d->raised)
		(void)setrlimit(RLIMIT_NOFILE, &d->before);
}

size_t fd_limit_most(void)
{
	struct rlimit now = {.rlim_cur = 1024};

	getrlimit(RLIMIT_NOFILE, &now);
	return now.rlim_cur < FILES_MOST ? (size_t)now.rlim_cur : FILES_MOST;
}

void fd_limit_close_from(int first)
{
	long end = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0)
		return;
#endif
	if (end < 0 || end > CLOSE_MOST)
		end = CLOSE_MOST;
	for (int fd = first; fd < end; fd++)
		close(fd);
}
