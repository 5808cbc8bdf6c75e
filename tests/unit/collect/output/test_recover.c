/* recover: what a spool has is brought to the files of its jobs, whole or not at all. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/output/job_file.h"
#include "collect/output/recover.h"
#include "core/base/gz.h"
#include "core/files/journal.h"
#include "core/files/recordings.h"
#include "tests/unit/core/base/scratch.h"
#include "tests/unit/core/recording/recording.h"
#include "tests/unit/unit.h"

struct place {
	char top[32], file[128], to[128], spool[96], dir[64];
};

static int begin(void **state)
{
	struct place *p = calloc(1, sizeof *p);
	char job[112];

	if (!p)
		return -1;
	strcpy(p->top, "/tmp/rtrack-test-XXXXXX");
	*state = p;
	if (!mkdtemp(p->top))
		return -1;
	snprintf(p->dir, sizeof p->dir, "%s/dir", p->top);
	snprintf(p->spool, sizeof p->spool, "%s/spool", p->top);
	mkdir(p->dir, 0755);
	mkdir(p->spool, 0755);
	snprintf(p->to, sizeof p->to, "%s/%u", p->dir, (unsigned)getuid());
	mkdir(p->to, 0700);
	snprintf(job, sizeof job, "%s/%u", p->spool, (unsigned)getuid());
	mkdir(job, 0700);
	strcat(job, "/2026-11-29");
	mkdir(job, 0700);
	strcat(job, "/7-n1");
	mkdir(job, 0700);
	snprintf(p->file, sizeof p->file, "%s/0.json.gz", job);
	strcat(p->to, "/2026-11-29/7-n1.json.gz");
	return 0;
}

static int end(void **state)
{
	struct place *p = *state;
	char command[64];

	snprintf(command, sizeof command, "rm -rf %s", p->top);
	free(p);
	return system(command);
}

/* As the recorder leaves it. */
static void write_recording(const struct place *p, const char *text)
{
	int fd = open(p->file, O_WRONLY | O_CREAT | O_EXCL, 0600);
	struct gz_out *g = gz_out_new(fd, NULL);

	assert_non_null(g);
	assert_int_equal(gz_write(g, text, strlen(text), NULL), 0);
	assert_int_equal(gz_finish(g, NULL), 0);
	gz_out_free(g);
	close(fd);
}

/* Recordings, and sums of short steps. */
static int count(const char *path, struct recordings_short *sum)
{
	struct recordings v;
	struct err e;
	int got, n = 0;

	*sum = (struct recordings_short){0};
	assert_int_equal(recordings_open(&v, path), 0);
	while ((got = recordings_next(&v, &e)) > 0) {
		n += got == 1;
		if (got == RECORDINGS_SHORT)
			recordings_short_add(sum, &v.sum);
	}
	assert_int_equal(got, 0);
	recordings_close(&v);
	return n;
}

static void cut(const char *path, off_t by)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size - by), 0);
}

TEST_WITH(appends, begin, end)
{
	struct place *p = *state;
	struct recordings_short sum;
	struct err e = {{0}};
	struct stat st;

	/* The second of each was brought already, by a process that was killed before it had
	 * removed it. */
	for (int i = 0; i < 6; i++) {
		char text[64];
		snprintf(text, sizeof text, "{\"process_metrics\": {\"timestamp\": [%d]}}", i / 2);
		write_recording(p, text);
		assert_int_equal(job_file_append(p->file, p->to, &e), 0);
		assert_int_equal(access(p->file, F_OK), -1);
		assert_int_equal(count(p->to, &sum), i / 2 + 1);
	}
	assert_int_equal(stat(p->to, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	/* A write that a crash cut short gives its place to the next. */
	cut(p->to, 5);
	write_recording(p, "{}");
	assert_int_equal(job_file_append(p->file, p->to, &e), 0);
	assert_int_equal(count(p->to, &sum), 3);
	assert_int_equal(sum.n, 0);
}

TEST_WITH(short_steps, begin, end)
{
	struct place *p = *state;
	struct recordings_short sum;
	struct err e = {{0}};

	/* The last two are of one step: it was brought, and its file stayed. The two before them
	 * are equal but for the process. */
	for (int i = 1; i <= 4; i++) {
		int step = i < 4 ? i : 3;
		char text[256];
		snprintf(text, sizeof text,
		         "{\"rtrack_short\":{\"n\":1,\"cpu_s\":0.25,\"longest_s\":%d,"
		         "\"memory_peak_bytes\":%d,\"below_s\":30,\"pid\":%d,"
		         "\"start_time\":1780000000.5}}",
		         step / 2, 3000 - step / 2, step);
		write_recording(p, text);
		assert_int_equal(job_file_append(p->file, p->to, &e), 0);
	}
	write_recording(p, "{\"rtrack_short\":{\"n\":0}}"); /* not a sum */
	assert_int_equal(job_file_append(p->file, p->to, &e), 0);
	assert_int_equal(count(p->to, &sum), 1);
	write_recording(p, "{\"rtrack_short\":{\"n\":1e308,\"cpu_s\":1e308}}"); /* nor can it be */
	assert_int_equal(job_file_append(p->file, p->to, &e), 0);
	assert_int_equal(count(p->to, &sum), 2);
	assert_true(sum.n == 3 && sum.cpu_s == 0.75 && sum.longest_s == 1 &&
	            sum.memory_peak_b == 3000 && sum.below_s == 30);
}

/* The recording stays, and the file is as it was. */
TEST_WITH(fails, begin, end)
{
	struct place *p = *state;
	struct recordings_short sum;
	struct err e = {{0}};
	struct rlimit old, limit;
	struct stat st;
	char link[80], path[96];
	int fd;

	write_recording(p, "{}");
	assert_int_equal(job_file_append(p->file, "/nowhere/1/a.json.gz", &e), -1);
	assert_non_null(strstr(e.msg, "/nowhere/1/a.json.gz: No such file"));
	assert_int_equal(job_file_append(p->file, p->to, &e), 0);
	/* Behind a link it would be somebody else's. */
	write_recording(p, "{}");
	snprintf(link, sizeof link, "%s/link", p->dir);
	snprintf(path, sizeof path, "%s/a.json.gz", link);
	assert_int_equal(symlink("/tmp", link), 0);
	assert_int_equal(job_file_append(p->file, path, &e), -1);
	assert_non_null(strstr(e.msg, "is not a folder of this user"));
	assert_int_equal(unlink(p->file), 0);
	/* No room for all of it. */
	write_recording(p, "{\"process_metrics\": {\"timestamp\": [1, 2, 3]}}");
	assert_int_equal(stat(p->to, &st), 0);
	getrlimit(RLIMIT_FSIZE, &old);
	limit = (struct rlimit){(rlim_t)st.st_size + 40, old.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_int_equal(job_file_append(p->file, p->to, &e), -1);
	assert_int_equal(count(p->to, &sum), 1);
	snprintf(path, sizeof path, "%s/%u/new.json.gz", p->dir, (unsigned)getuid());
	limit.rlim_cur = 40;
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_int_equal(job_file_append(p->file, path, &e), -1);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(access(path, F_OK), -1);
	/* Another process appends it. */
	fd = open(p->file, O_RDONLY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(job_file_append(p->file, p->to, &e), JOB_FILE_BUSY);
	close(fd);
	/* A file of another kind is not touched. */
	assert_int_equal(unlink(p->to), 0);
	fd = open(p->to, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, "a text of more than so many bytes", 33), 33);
	close(fd);
	assert_int_equal(job_file_append(p->file, p->to, &e), -1);
	assert_non_null(strstr(e.msg, "from byte 0 on, it is not a file of several recordings"));
	assert_int_equal(access(p->file, F_OK), 0);
	/* However short it is. */
	assert_int_equal(truncate(p->to, 5), 0);
	assert_int_equal(job_file_append(p->file, p->to, &e), -1);
	assert_int_equal(stat(p->to, &st), 0);
	assert_int_equal(st.st_size, 5);
}

/* What somebody put behind the recordings in another way stays; zeros are of a crash. */
TEST_WITH(keeps_others, begin, end)
{
	struct place *p = *state;
	struct recordings_short sum;
	struct err e = {{0}};
	char command[512];
	struct stat st, now;

	write_recording(p, "{}");
	assert_int_equal(job_file_append(p->file, p->to, &e), 0);
	write_recording(p, "{\"process_metrics\": {\"timestamp\": [1, 2, 3]}}");
	snprintf(command, sizeof command, "cat %s >> %s", p->file, p->to);
	assert_int_equal(system(command), 0);
	assert_int_equal(stat(p->to, &st), 0);
	assert_int_equal(job_file_append(p->file, p->to, &e), -1);
	assert_non_null(strstr(e.msg, "on, it is not a file of several recordings"));
	assert_int_equal(stat(p->to, &now), 0);
	assert_int_equal(now.st_size, st.st_size);
	assert_int_equal(unlink(p->file), 0);
	assert_int_equal(unlink(p->to), 0);
	write_recording(p, "{}");
	assert_int_equal(job_file_append(p->file, p->to, &e), 0);
	assert_int_equal(stat(p->to, &st), 0);
	assert_int_equal(truncate(p->to, st.st_size + 4096), 0);
	write_recording(p, "{\"a\": 1}");
	assert_int_equal(job_file_append(p->file, p->to, &e), 0);
	assert_int_equal(count(p->to, &sum), 2);
}

/* A recording that cannot be removed would be appended again and again. */
TEST_WITH(cannot_be_removed, begin, end)
{
	struct place *p = *state;
	struct err e = {{0}};
	char command[512];
	int status;
	pid_t pid;

	write_recording(p, "{}");
	snprintf(command, sizeof command, "chmod 500 %.*s && if [ $(id -u) = 0 ]; then %s %s; fi",
	         (int)(strrchr(p->file, '/') - p->file), p->file, "chown -R 65534", p->top);
	assert_int_equal(system(command), 0);
	pid = fork();
	if (pid == 0) {
		if (getuid() == 0 && setresuid(65534, 65534, 65534))
			_exit(2);
		_exit(job_file_append(p->file, p->to, &e) == -1 &&
		              strstr(e.msg, "cannot be removed")
		          ? 0
		          : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(access(p->file, F_OK), 0);
	assert_int_equal(access(p->to, F_OK), -1);
	snprintf(command, sizeof command, "chmod -R u+rwx %s", p->top);
	assert_int_equal(system(command), 0);
}

/* As user 65534: 0, 1 for another one's folder, 2 otherwise. */
static int append_as_user(const char *file, const char *to)
{
	struct err e = {{0}};
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (setresuid(65534, 65534, 65534))
			_exit(3);
		if (job_file_append(file, to, &e) == 0)
			_exit(0);
		_exit(strstr(e.msg, "is not a folder of this user") ? 1 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* In another one's folder the recording would be somebody else's. */
TEST_WITH(folders_of_others, begin, end)
{
	static const struct {
		unsigned above, folder;
		int status;
	} cases[] = {{0, 65534, 0}, {65534, 65534, 0}, {1, 65534, 1}, {0, 0, 1}, {65534, 0, 1}};
	struct place *p = *state;
	char above[96], folder[112], file[112], to[128];

	if (getuid() != 0)
		return;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_recording(p, "{}");
		snprintf(above, sizeof above, "%s/above%zu", p->dir, i);
		snprintf(folder, sizeof folder, "%s/of", above);
		snprintf(to, sizeof to, "%s/7.json.gz", folder);
		assert_int_equal(chmod(p->top, 0755) | mkdir(above, 0777) | mkdir(folder, 0777), 0);
		/* A folder in which the user may remove the recording. */
		snprintf(file, sizeof file, "%s/mine%zu", p->dir, i);
		assert_int_equal(mkdir(file, 0700) | chown(file, 65534, 65534), 0);
		strcat(file, "/0.json.gz");
		assert_int_equal(rename(p->file, file) | chown(file, 65534, 65534), 0);
		assert_int_equal(chmod(above, 0777) | chmod(folder, 0777), 0);
		assert_int_equal(chown(above, cases[i].above, 0), 0);
		assert_int_equal(chown(folder, cases[i].folder, 0), 0);
		assert_int_equal(append_as_user(file, to), cases[i].status);
		assert_int_equal(access(to, F_OK), cases[i].status ? -1 : 0);
	}
}

/* Names without a folder are of the working directory. */
TEST_WITH(relative_names, begin, end)
{
	struct place *p = *state;
	char old[PATH_MAX];
	struct err e = {{0}};

	assert_non_null(getcwd(old, sizeof old));
	assert_int_equal(chdir(p->top), 0);
	write_recording(p, "{}");
	assert_int_equal(job_file_append(p->file, "new/7.json.gz", &e), 0);
	assert_int_equal(access("new/7.json.gz", F_OK), 0);
	assert_int_equal(chdir("new"), 0);
	write_recording(p, "{\"a\": 1}");
	assert_int_equal(job_file_append(p->file, "7.json.gz", &e), 0);
	assert_int_equal(chdir(old), 0);
}

/* A process that stands still with the file does not hold the job. */
TEST_WITH(is_locked, begin, end)
{
	struct place *p = *state;
	struct recordings_short sum;
	struct err e = {{0}};
	int fd;

	write_recording(p, "{}");
	assert_int_equal(job_file_append(p->file, p->to, &e), 0);
	write_recording(p, "{\"a\": 1}");
	fd = open(p->to, O_RDONLY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	alarm(60);
	assert_int_equal(job_file_append(p->file, p->to, &e), -1);
	alarm(0);
	assert_non_null(strstr(e.msg, "another process keeps it locked"));
	close(fd);
	assert_int_equal(job_file_append(p->file, p->to, &e), 0);
	assert_int_equal(count(p->to, &sum), 2);
}

/* A recording that is compared with what is there in several parts. */
TEST_WITH(large_one, begin, end)
{
	struct place *p = *state;
	struct recordings_short sum;
	struct err e = {{0}};
	unsigned x = 1;
	char text[300000];
	int fd;

	for (size_t i = 0; i < sizeof text - 1; i++)
		text[i] = (char)('!' + (x = x * 1103515245 + 12345) / 65536 % 90);
	text[sizeof text - 1] = '\0';
	for (int i = 0; i < 3; i++) {
		write_recording(p, text);
		assert_int_equal(job_file_append(p->file, p->to, &e), 0);
		assert_int_equal(count(p->to, &sum), i < 2 ? 1 : 2);
		fd = open(p->to, O_WRONLY);
		if (i == 1) /* then it is another one */
			assert_int_equal(pwrite(fd, "", 1, 200000), 1);
		close(fd);
	}
}

/* One that appends again and again is waited for. */
TEST_WITH(others_append, begin, end)
{
	struct place *p = *state;
	struct recordings_short sum;
	struct err e = {{0}};
	char part[4096];
	int fd, got;
	ssize_t n;
	pid_t pid;

	write_recording(p, "{}");
	assert_int_equal(job_file_append(p->file, p->to, &e), 0);
	write_recording(p, "{\"a\": 1}");
	fd = open(p->to, O_RDWR | O_APPEND);
	n = read(fd, part, sizeof part);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	pid = fork();
	if (pid == 0) { /* has the lock until it ends */
		for (int i = 0; i < 4; i++) {
			sleep(1);
			if (write(fd, part, (size_t)n) != n)
				_exit(1);
		}
		_exit(0);
	}
	close(fd);
	got = job_file_append(p->file, p->to, &e);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(got, 0);
	assert_int_equal(count(p->to, &sum), 6);
}

/* Shared with the processes that bring what a user has. */
static struct said {
	char text[512];
	int n, die_at;
} * said;

static int begin_spool(void **state)
{
	said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return said == MAP_FAILED ? -1 : begin(state);
}

static int end_spool(void **state)
{
	munmap(said, sizeof *said);
	return end(state);
}

static void say(const char *sentence)
{
	if (++said->n == said->die_at)
		raise(SIGALRM);
	snprintf(said->text, sizeof said->text, "%s", sentence);
}

TEST_WITH(spool, begin_spool, end_spool)
{
	struct place *p = *state;
	struct recordings_short sum;
	struct recover_counts n;
	struct err e = {{0}};
	char away[96];

	write_recording(p, "{}");
	snprintf(away, sizeof away, "%s.away", p->dir);
	assert_int_equal(rename(p->dir, away), 0);
	assert_int_equal(recover_spool(p->spool, p->dir, SCHEMA_1, say, &n, &e), 0);
	assert_true(n.brought == 0 && n.left + n.unfinished == 1 && strstr(said->text, p->dir));
	assert_int_equal(access(p->file, F_OK), 0);
	assert_int_equal(rename(away, p->dir), 0);
	assert_int_equal(recover_spool(p->spool, p->dir, SCHEMA_1, say, &n, &e), 0);
	assert_true(n.brought == 1 && n.left == 0);
	assert_int_equal(count(p->to, &sum), 1);
	assert_int_equal(access(p->file, F_OK), -1);
	assert_int_equal(recover_spool("/nowhere", p->dir, SCHEMA_1, say, &n, &e), -1);
}

/* Leaves a journal of so many samples, as a killed recorder does. */
static void write_journal(size_t samples, const char *path)
{
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};
	struct journal *j;

	fill(&s, 0, false);
	s.exit.cause = "";
	j = journal_create(path, &s, &e);
	assert_non_null(j);
	for (size_t i = 0; i < samples; i++) {
		double row[METRIC_COUNT];
		for (int id = 0; id < METRIC_COUNT; id++)
			row[id] = cell((enum metric_id)id, i);
		assert_int_equal(journal_append(j, row, 0, &e), 0);
	}
	journal_close(j, false);
	snapshot_free(&s);
}

static bool is_there(const char *path, const char *end)
{
	char name[PATH_MAX];

	snprintf(name, sizeof name, "%s%s", path, end);
	return access(name, F_OK) == 0;
}

TEST_WITH(journals_of_a_spool, begin_spool, end_spool)
{
	const struct {
		size_t samples;
		bool old, damaged, runs;
		size_t brought, left;
		bool stays, kept;
		const char *said;
	} cases[] = {
	    {3, false, false, false, 1, 0, false, false, ""},
	    {3, false, true, false, 1, 0, false, true, ".damaged is kept: The journal is damaged"},
	    {3, false, false, true, 0, 0, true, false, ""},
	    {0, false, false, false, 0, 1, true, false, ": no complete sample"},
	    {0, true, false, false, 0, 0, false, false, ""},
	};
	const struct timespec old[2] = {{1, 0}, {1, 0}};
	struct place *p = *state;
	struct recordings_short sum;
	char path[PATH_MAX];
	int whole = 0;

	snprintf(path, sizeof path, "%s.partial", p->file);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct recover_counts n;
		struct err e = {{0}};
		struct stat st;
		int fd;

		write_journal(cases[i].samples, path);
		fd = open(path, O_RDWR);
		assert_int_equal(fstat(fd, &st), 0);
		if (cases[i].damaged)
			assert_int_equal(pwrite(fd, "x", 1, st.st_size - st.st_size / 3), 1);
		if (cases[i].runs)
			assert_int_equal(flock(fd, LOCK_EX), 0);
		if (cases[i].old)
			assert_int_equal(futimens(fd, old), 0);
		*said = (struct said){.n = 0};
		assert_int_equal(recover_spool(p->spool, p->dir, SCHEMA_1, say, &n, &e), 0);
		assert_int_equal(n.brought, cases[i].brought);
		assert_int_equal(n.left, cases[i].left);
		assert_int_equal(n.unfinished, 0);
		assert_true(*cases[i].said ? strstr(said->text, cases[i].said) != NULL
		                           : !*said->text);
		assert_int_equal(is_there(path, ""), cases[i].stays);
		assert_int_equal(is_there(path, ".damaged"), cases[i].kept);
		whole += (int)cases[i].brought;
		assert_int_equal(count(p->to, &sum), whole);
		close(fd);
		(void)unlink(path);
		strcat(path, ".damaged");
		(void)unlink(path);
		path[strlen(path) - 8] = '\0';
	}
}

/* The recording of so many samples that the journal of write_journal becomes, as its recorder
 * writes it; or its sum. */
static void write_whole(const char *path, size_t samples, double pid, bool sum)
{
	struct snapshot s = {.unfinished = false};
	struct snapshot_file o = {.path = "", .min_s = sum ? 1e9 : 0};
	struct snapshot_source rows;
	struct err e = {{0}};

	fill(&s, samples, false);
	s.meta.pid = pid;
	s.exit.signal = s.exit.code = 0;
	s.exit.cause = "exited";
	s.totals.wall_s = 1;
	rows = snapshot_source_of(&s);
	snprintf(o.path, sizeof o.path, "%s", path);
	assert_int_equal(snapshot_file_write(&o, &s, &rows, &e), 0);
	snapshot_free(&s);
}

/* The node failed before the journal's end was on its disk: the step counts once. */
TEST_WITH(journal_of_a_written_recording, begin_spool, end_spool)
{
	struct place *p = *state;
	struct recordings_short sum;
	struct recover_counts n;
	struct err e = {{0}};
	char journal[PATH_MAX];

	snprintf(journal, sizeof journal, "%s.partial", p->file);
	write_journal(3, journal);
	write_whole(p->file, 4, 77, false);
	assert_int_equal(recover_spool(p->spool, p->dir, SCHEMA_1, say, &n, &e), 0);
	assert_true(n.brought == 1 && n.left == 0 && !is_there(journal, ""));
	assert_int_equal(count(p->to, &sum), 1);
	/* Another one of this name stays, until the name is free. */
	write_journal(3, journal);
	write_whole(p->file, 4, 78, false);
	assert_int_equal(recover_spool(p->spool, p->dir, SCHEMA_1, say, &n, &e), 0);
	assert_true(n.brought == 1 && n.left == 1 && is_there(journal, ""));
	assert_int_equal(recover_spool(p->spool, p->dir, SCHEMA_1, say, &n, &e), 0);
	assert_true(n.brought == 1 && n.left == 0 && !is_there(journal, ""));
	assert_int_equal(count(p->to, &sum), 3);
	/* The same of a short step, whose sum was brought as well. */
	for (int i = 0; i < 2; i++) {
		write_journal(3, journal);
		write_whole(p->file, 4, 77, true);
		assert_int_equal(recover_spool(p->spool, p->dir, SCHEMA_1, say, &n, &e), 0);
		assert_true(n.brought == 1 && n.left == 0 && !is_there(journal, ""));
		assert_int_equal(count(p->to, &sum), 3);
		assert_true(sum.n == 1);
	}
}

static off_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

static bool begins_with(const char *path, const char *text)
{
	char got[8192] = "";
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, got, sizeof got - 1);

	close(fd);
	return n == (ssize_t)strlen(text) && memcmp(got, text, (size_t)n) == 0;
}

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* A copy of a journal grows with it, and goes with it. */
TEST_WITH(copies, begin_spool, end_spool)
{
	struct place *p = *state;
	struct recover_counts n;
	struct err e = {{0}};
	char journal[PATH_MAX], copy[PATH_MAX], other[PATH_MAX];

	snprintf(journal, sizeof journal, "%s.partial", p->file);
	snprintf(copy, sizeof copy, "%.*s.0.copy.json.gz.partial", (int)strlen(p->to) - 8, p->to);
	snprintf(other, sizeof other, "%.*s.1.copy.json.gz.partial", (int)strlen(p->to) - 8, p->to);
	job_file_copy(journal, 3, p->file, p->to); /* there is none yet */
	assert_int_equal(size_of(copy), -1);
	write_text(journal, "head, one, two");
	job_file_copy(journal, 9, p->file, p->to);
	assert_true(begins_with(copy, "head, one"));
	job_file_copy(journal, 100, p->file, p->to); /* more than there is */
	job_file_copy(journal, 0, p->file, p->to);
	assert_true(begins_with(copy, "head, one"));
	job_file_copy(journal, 14, p->file, p->to);
	job_file_copy(journal, 14, p->file, p->to);
	assert_true(begins_with(copy, "head, one, two"));
	/* A shorter one, or of another recorder, begins anew. */
	job_file_copy(journal, 9, p->file, p->to);
	assert_true(begins_with(copy, "head, one"));
	write_text(journal, "HEAD, 1, 2, 3");
	job_file_copy(journal, 13, p->file, p->to);
	assert_true(begins_with(copy, "HEAD, 1, 2, 3"));
	/* A link to what belongs to others is not followed. */
	assert_int_equal(unlink(copy), 0);
	write_text(other, "of others");
	assert_int_equal(symlink(other, copy), 0);
	job_file_copy(journal, 13, p->file, p->to);
	assert_true(begins_with(other, "of others"));
	assert_int_equal(unlink(copy), 0);
	/* What is brought has no copy, that of another step stays. */
	assert_int_equal(unlink(journal), 0);
	write_journal(3, journal);
	job_file_copy(journal, (uint64_t)size_of(journal), p->file, p->to);
	assert_int_equal(size_of(copy), size_of(journal));
	assert_int_equal(recover_spool(p->spool, p->dir, SCHEMA_1, say, &n, &e), 0);
	assert_int_equal(n.brought, 1);
	assert_int_equal(size_of(copy), -1);
	assert_true(begins_with(other, "of others"));
}

/* A full folder takes what it can, but never half of the beginning. */
TEST_WITH(copies_where_it_is_full, begin_spool, end_spool)
{
	struct place *p = *state;
	char journal[PATH_MAX], copy[PATH_MAX];
	struct rlimit old, limit;

	snprintf(journal, sizeof journal, "%s.partial", p->file);
	snprintf(copy, sizeof copy, "%.*s.0.copy.json.gz.partial", (int)strlen(p->to) - 8, p->to);
	write_text(journal, "HEAD, 1, 2, 3");
	job_file_copy(journal, 13, p->file, p->to);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = (struct rlimit){5, old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	job_file_copy(journal, 13, p->file, p->to);
	assert_true(begins_with(copy, "HEAD, 1, 2, 3"));
	assert_int_equal(unlink(copy), 0);
	job_file_copy(journal, 4, p->file, p->to);
	job_file_copy(journal, 13, p->file, p->to);
	assert_true(begins_with(copy, "HEAD,"));
	assert_int_equal(unlink(copy), 0);
	job_file_copy(journal, 13, p->file, p->to);
	assert_int_equal(size_of(copy), -1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	job_file_copy(journal, 13, p->file, p->to);
	assert_true(begins_with(copy, "HEAD, 1, 2, 3"));
}

static int bring_as_user(const struct place *p, struct recover_counts *n)
{
	struct err e = {{0}};

	if (getuid() == 0 && setresuid(65534, 65534, 65534))
		return -1;
	return recover_spool(p->spool, p->dir, SCHEMA_1, say, n, &e);
}

/* SIGALRM comes in the middle, also where it is the user who brings them. */
TEST_WITH(too_slow, begin_spool, end_spool)
{
	struct place *p = *state;
	struct recover_counts n;
	char path[PATH_MAX], of_user[96];
	int status;
	pid_t pid;

	write_recording(p, "{}");
	snprintf(path, sizeof path, "%.*s/-.json.gz.partial", /* comes after it */
	         (int)(strrchr(p->file, '/') - p->file), p->file);
	write_journal(0, path);
	said->die_at = 1;
	if (getuid() == 0) {
		snprintf(path, sizeof path,
		         "cd %s && mv spool/0 spool/65534 && mv dir/0 dir/65534 && "
		         "chown -R 65534 .",
		         p->top);
		assert_int_equal(system(path), 0);
	}
	snprintf(of_user, sizeof of_user, "spool/%u: not all of it was brought",
	         getuid() ? (unsigned)getuid() : 65534);
	pid = fork();
	if (pid == 0)
		_exit(bring_as_user(p, &n) == 0 && n.brought == 1 && n.left == 1 &&
		              n.unfinished == 1 && said->n == 2 && strstr(said->text, of_user)
		          ? 0
		          : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}
