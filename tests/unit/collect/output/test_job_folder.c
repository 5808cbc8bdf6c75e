/* job_folder: the folder of a user is made once, and nothing else is taken for it. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/output/job_file.h"
#include "tests/unit/unit.h"

TEST(folder)
{
	char top[] = "/tmp/rtrack-test-XXXXXX", path[64];
	struct stat st;

	assert_non_null(mkdtemp(top));
	snprintf(path, sizeof path, "%s/%u", top, (unsigned)getuid());
	for (int i = 0; i < 2; i++) {
		assert_int_equal(job_file_make_folder(top, getuid(), getgid()), 0);
		assert_int_equal(stat(path, &st), 0);
		assert_true(S_ISDIR(st.st_mode) && (st.st_mode & 07777) == 0700);
	}
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(symlink("/tmp", path), 0);
	assert_int_equal(job_file_make_folder(top, getuid(), getgid()), -1);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/%u", top, (unsigned)getuid() + 1);
	assert_int_equal(mkdir(path, 0700), 0);
	/* Root's own is given to the user; that of another one is not. */
	assert_int_equal(job_file_make_folder(top, getuid() + 1, getgid()), geteuid() ? -1 : 0);
	assert_int_equal(job_file_make_folder("/nowhere", getuid(), getgid()), -1);
	rmdir(path);
	snprintf(path, sizeof path, "%s/%u", top, (unsigned)getuid());
	rmdir(path);
	rmdir(top);
}
