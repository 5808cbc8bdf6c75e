/* journal_running: whether a journal is still being written. */
#include "core/files/journal_running.h"

#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "core/files/journal.h"

#define MISSED 3 /* times that it did not grow when it was due */

bool journal_running_by_time(double grown, double every_s, double now)
{
	double patience =
	    every_s * MISSED > JOURNAL_RUNNING_LEAST_S ? every_s * MISSED : JOURNAL_RUNNING_LEAST_S;

	return now - grown < patience;
}

static bool is_of_this_host(const struct snapshot *s)
{
	struct utsname u;

	return s->job.host && *s->job.host && uname(&u) == 0 &&
	       strcmp(u.nodename, s->job.host) == 0;
}

bool journal_running(int fd, const char *name, const struct snapshot *s)
{
	struct stat st;
	int locked;

	if (journal_is_copy(name))
		return fstat(fd, &st) == 0 &&
		       journal_running_by_time((double)st.st_mtim.tv_sec, JOURNAL_COPY_EVERY_S,
		                               (double)time(NULL));
	do
		locked = flock(fd, LOCK_SH | LOCK_NB);
	while (locked && errno == EINTR);
	if (locked && errno == EWOULDBLOCK)
		return true;
	if (!locked)
		(void)flock(fd, LOCK_UN);
	if ((!locked && is_of_this_host(s)) || fstat(fd, &st))
		return false;
	return journal_running_by_time((double)st.st_mtim.tv_sec, s->meta.interval,
	                               (double)time(NULL));
}
