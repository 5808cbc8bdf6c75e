/* rename_new: renames a file without replacing another one. */
#include "collect/output/rename_new.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool rename_new_lacks_flags(void)
{
	return errno == EINVAL || errno == ENOSYS || errno == EPERM;
}

int rename_new(const char *from, const char *to)
{
	struct stat st;

	if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (!rename_new_lacks_flags())
		return -1;
	if (link(from, to) == 0) {
		unlink(from);
		return 0;
	}
	if (lstat(to, &st) == 0) {
		errno = EEXIST;
		return -1;
	}
	return rename(from, to);
}
