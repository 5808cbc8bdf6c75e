/* stdout_output: what is written for standard output arrives whole, or stays where it was. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/output/stdout_output.h"
#include "tests/unit/unit.h"

#define BYTES ((size_t)1 << 20)

/* A recording in a folder of its own, which only its user may look into. */
static void make_recording(struct snapshot_file *file)
{
	static const struct snapshot_file_values values = {.host = "a/b", .pid = 7};
	static char block[4096];
	struct err e = {{0}};
	struct stat st;
	FILE *f;
	char *slash;

	assert_int_equal(stdout_output_name(file, &values, &e), 0);
	slash = strrchr(file->path, '/');
	*slash = '\0';
	assert_int_equal(stat(file->path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	*slash = '/';
	f = fopen(file->path, "w");
	assert_non_null(f);
	for (size_t i = 0; i < BYTES; i += sizeof block) {
		memset(block, 'a' + (int)(i >> 12) % 26, sizeof block);
		assert_int_equal(fwrite(block, 1, sizeof block, f), sizeof block);
	}
	assert_int_equal(fclose(f), 0);
}

/* Some programs give their children a pipe that does not block, and are slow to read. */
TEST(pipe_that_does_not_block)
{
	struct snapshot_file file = {.path = ""};
	struct err e = {{0}};
	int to[2], status;
	pid_t reader;

	make_recording(&file);
	assert_int_equal(pipe(to), 0);
	reader = fork();
	if (reader == 0) {
		static char part[4096];
		size_t all = 0;
		ssize_t n;
		close(to[1]);
		usleep(200000);
		while ((n = read(to[0], part, sizeof part)) > 0)
			all += (size_t)n;
		_exit(all != BYTES);
	}
	assert_true(reader > 0);
	assert_int_equal(fcntl(to[1], F_SETFL, O_NONBLOCK), 0);
	if (stdout_output_copy(file.path, to[1], &e))
		fail_msg("%s", e.msg);
	close(to[0]);
	close(to[1]);
	assert_int_equal(waitpid(reader, &status, 0), reader);
	assert_int_equal(status, 0);
	assert_int_equal(access(file.path, F_OK), -1);
	*strrchr(file.path, '/') = '\0';
	assert_int_equal(access(file.path, F_OK), -1);
}

TEST(reader_is_gone)
{
	struct snapshot_file file = {.path = ""};
	struct err e = {{0}};
	int to[2];

	make_recording(&file);
	assert_int_equal(pipe(to), 0);
	close(to[0]);
	assert_int_equal(stdout_output_copy(file.path, to[1], &e), -1);
	assert_non_null(strstr(e.msg, "the snapshot is kept in "));
	assert_non_null(strstr(e.msg, file.path));
	assert_int_equal(access(file.path, R_OK), 0);
	close(to[1]);
	unlink(file.path);
	stdout_output_clean(file.path);
}
