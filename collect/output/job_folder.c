/* job_folder: the folder of a user, for Slurm's plugin too. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/output/job_file.h"

int job_file_make_folder(const char *dir, uid_t uid, gid_t gid)
{
	int top = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC), folder = -1, failed = -1;
	struct stat st;
	char name[16];

	snprintf(name, sizeof name, "%u", (unsigned)uid);
	if (top >= 0) {
		(void)mkdirat(top, name, 0700);
		folder = openat(top, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	if (folder >= 0 && fstat(folder, &st) == 0) {
		if (st.st_uid == 0 && uid != 0)
			failed = fchownat(folder, "", uid, gid, AT_EMPTY_PATH);
		else
			failed = st.st_uid == uid ? 0 : -1;
	}
	if (folder >= 0)
		close(folder);
	if (top >= 0)
		close(top);
	return failed;
}
