/* recover: snapshots of the journals of killed recordings. */
#include "collect/output/recover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/command/phase_fifo.h"
#include "collect/output/job_file.h"
#include "core/base/alloc_failed.h"
#include "core/base/same_file.h"
#include "core/files/journal.h"
#include "core/files/recordings.h"
#include "core/files/snapshot_read.h"
#include "core/recording/gaps.h"
#include "core/recording/snapshot.h"
#include "core/recording/snapshot_source.h"

#define TEMPORARY_S 3600        /* a temporary file that is older was left by a crash */
#define FOLDER_S    (2 * 86400) /* an empty folder of a job that is older goes */
#define USER_S      300         /* for all that one user has; the rest waits for the next time */

/* a.json.gz.partial, a.json.gz.partial.2 → a.json.gz */
static int name_output(const char *journal, const char *output, struct snapshot_file *o,
                       struct err *e)
{
	const char *end = output ? NULL : strrchr(journal, 'p');
	size_t n = output ? strlen(output) : 0;

	while (end && end > journal && strncmp(end - 1, ".partial", 8) != 0)
		end--;
	if (!output && (!end || end == journal))
		return err_set(
		    e,
		    "%s: the name does not end in .partial; give the snapshot's name with --output",
		    journal);
	n = output ? n : (size_t)(end - 1 - journal);
	if (n == 0 || n >= sizeof o->path)
		return err_set(e, "%s: the snapshot's name is empty or too long", journal);
	memcpy(o->path, output ? output : journal, n);
	o->path[n] = '\0';
	return 0;
}

static int no_sample(const char *journal, struct err *e)
{
	err_set(e, "%s: no complete sample", journal);
	return RECOVER_NO_SAMPLE;
}

/* As recover(). */
static int read_unfinished(const char *journal, int fd, struct snapshot *s, struct err *e)
{
	struct stat st;

	/* The recorder was killed after it had made the file and before it wrote the head. */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)
		return no_sample(journal, e);
	if (snapshot_read(s, fd, journal, e))
		return -1;
	/* A recovered snapshot is unfinished as well, but has a cause. */
	if (!s->unfinished || *s->exit.cause)
		return err_set(e, "%s is a snapshot, not a journal", journal);
	if (s->rows[METRIC_SCOPE_PROCESS].rows + s->rows[METRIC_SCOPE_SYSTEM].rows == 0)
		return no_sample(journal, e);
	s->exit.cause = "unfinished";
	snapshot_note(s, "The recording was cut short, and was recovered from its journal.");
	/* The journal will be removed, so the snapshot must have all of it. */
	return alloc_failed() ? err_set(e, "%s: no memory to read it", journal) : 0;
}

/* An existing snapshot is replaced only if the user named it (named). The journal itself is never
 * the output, because it is removed afterwards. */
static int check_output(const char *journal, int fd, struct snapshot_file *o, bool named,
                        struct err *e)
{
	struct stat there;

	o->keep = !named;
	if (snapshot_file_check(o, e))
		return -1;
	if (lstat(o->path, &there))
		return 0;
	if (same_file_named(fd, o->path))
		return err_set(e, "%s is the journal itself; give another --output", o->path);
	if (o->keep)
		return err_set(e, "%s exists; name the snapshot of %s with --output", o->path,
		               journal);
	return 0;
}

int recover(const char *journal, const char *output, enum schema schema, struct snapshot_file *o,
            size_t *rows, struct err *lost, struct err *e)
{
	struct snapshot s = {0};
	struct snapshot_source source;
	int fd = open(journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK), failed = -1, locked;

	if (fd < 0)
		return err_set(e, "%s: %s", journal, strerror(errno));
	signal(SIGXFSZ, SIG_IGN); /* a failed write then returns an error */
	do
		locked = flock(fd, LOCK_EX | LOCK_NB);
	while (locked && errno == EINTR);
	if (locked && errno == EWOULDBLOCK) {
		err_set(e, "%s is still being written", journal);
		goto out;
	}
	if (name_output(journal, output, o, e) || check_output(journal, fd, o, output != NULL, e))
		goto out;
	failed = read_unfinished(journal, fd, &s, e);
	if (failed)
		goto out;
	s.schema = schema;
	source = snapshot_source_of(&s);
	*rows = source.rows - gaps_rows(&s);
	failed = snapshot_file_write(o, &s, &source, e);
	if (failed)
		goto out;
	if (s.damage.places)
		journal_tell_damage(&s, lost);
	else
		unlink(journal);
	phase_fifo_sweep(journal);
out:
	snapshot_free(&s);
	close(fd);
	return failed;
}

/* -- a spool ----------------------------------------------------------------------------------- */

struct spool {
	const char *dir; /* of the files of jobs */
	enum schema schema;
	void (*say)(const char *sentence);
	struct recover_counts *n; /* shared with the children */
};

static bool is_file_with_end(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n > m && strcmp(name + n - m, end) == 0;
}

static bool is_older(const struct stat *st, time_t than_s)
{
	return time(NULL) - st->st_mtime > than_s;
}

/* SPOOL/UID/DATE/JOB/FILE belongs into DIR/UID/DATE/JOB.json.gz. below: UID/DATE/JOB. */
static void bring(struct spool *s, const char *file, const char *below)
{
	char to[PATH_MAX];
	struct err e = {0};
	int r;

	if (snprintf(to, sizeof to, "%s/%s.json.gz", s->dir, below) >= (int)sizeof to)
		r = err_set(&e, "%s: %s", file, strerror(ENAMETOOLONG));
	else
		r = job_file_append(file, to, &e);
	if (r == 0)
		job_file_remove_copy(file, to);
	s->n->brought += r == 0;
	s->n->left += r < 0;
	if (r < 0)
		s->say(e.msg);
}

/* The process and the start of the recording in a file, or of its sum: a short step's. */
static bool read_whose(const char *output, double *pid, double *start_time)
{
	struct recordings v;
	struct snapshot s = {0};
	struct err ignored;
	bool is_short, known;

	if (recordings_open(&v, output))
		return false;
	v.several = true; /* it will be one of several */
	is_short = recordings_next(&v, &ignored) == RECORDINGS_SHORT;
	recordings_close(&v);
	known = is_short || snapshot_read_path(&s, output, SNAPSHOT_WANT_HEAD, &ignored) == 0;
	*pid = is_short ? v.sum.pid : s.meta.pid;
	*start_time = is_short ? v.sum.start_time : s.meta.start_time;
	snapshot_free(&s);
	return known;
}

/* Whether output is the recording of this journal: its recorder was killed, or the node failed,
 * before the journal was removed for good. */
static bool has_recording(const char *journal, const char *output)
{
	double pid, start_time;
	struct snapshot b = {0};
	struct err ignored;
	bool same = read_whose(output, &pid, &start_time) &&
	            snapshot_read_path(&b, journal, SNAPSHOT_WANT_HEAD, &ignored) == 0 &&
	            pid == b.meta.pid && start_time == b.meta.start_time;

	snapshot_free(&b);
	return same;
}

/* A journal that another process writes is left. A damaged one gets another name, and stays; what
 * could be read of it is brought. */
static void bring_journal(struct spool *s, const char *journal, const char *below)
{
	struct snapshot_file output = {.path = ""};
	struct err e = {0}, lost = {0};
	size_t rows;
	int failed, fd = open(journal, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool runs = fd < 0 || (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK);
	struct stat st;

	if (fd >= 0)
		close(fd);
	if (runs)
		return;
	if (name_output(journal, NULL, &output, &e) == 0 && has_recording(journal, output.path)) {
		unlink(journal);
		return;
	}
	failed = recover(journal, NULL, s->schema, &output, &rows, &lost, &e);
	if (failed == RECOVER_NO_SAMPLE && stat(journal, &st) == 0 && is_older(&st, TEMPORARY_S)) {
		unlink(journal);
		return;
	}
	if (failed) {
		s->n->left++;
		s->say(e.msg);
		return;
	}
	if (*lost.msg) {
		char kept[PATH_MAX];
		if (snprintf(kept, sizeof kept, "%s.damaged", journal) < (int)sizeof kept)
			(void)rename(journal, kept);
		err_wrap(&lost, "%s.damaged is kept", journal);
		s->say(lost.msg);
	}
	bring(s, output.path, below);
}

static void bring_file(struct spool *s, const char *file, const char *below)
{
	const char *name = strrchr(file, '/') + 1;
	struct stat st;

	if (lstat(file, &st) || !S_ISREG(st.st_mode))
		return;
	if (is_file_with_end(name, ".tmp") && is_older(&st, TEMPORARY_S))
		unlink(file);
	else if (is_file_with_end(name, ".json.gz"))
		bring(s, file, below);
	else if (is_file_with_end(name, ".partial") ||
	         (strstr(name, ".partial.") && !is_file_with_end(name, ".damaged")))
		bring_journal(s, file, below);
}

/* Visits what is in SPOOL/UID, down to the files of each job. depth: 0 of UID. A journal comes
 * before the recording that was made of it. */
static void bring_folder(struct spool *s, const char *path, const char *below, int depth)
{
	struct dirent **names;
	struct stat st;
	int n = scandir(path, &names, NULL, alphasort);

	for (int i = n - 1; i >= 0; i--) {
		char one[PATH_MAX], there[PATH_MAX];
		const char *name = names[i]->d_name;
		bool fits = snprintf(one, sizeof one, "%s/%s", path, name) < (int)sizeof one &&
		            snprintf(there, sizeof there, "%s/%s", below, name) < (int)sizeof there;
		if (fits && strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
			if (depth == 2)
				bring_file(s, one, below);
			else if (lstat(one, &st) == 0 && S_ISDIR(st.st_mode))
				bring_folder(s, one, there, depth + 1);
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	if (depth > 0 && lstat(path, &st) == 0 && is_older(&st, FOLDER_S))
		rmdir(path);
}

/* The child is the user's: if it is stopped, or its folders do not answer, only this user waits.
 * Without the right to kill it (CAP_KILL), it is left. */
static void wait_for_user(struct spool *s, const char *path, pid_t pid, int end)
{
	struct pollfd wait = {.fd = end, .events = POLLIN};
	struct err e = {0};
	char done;

	while (pid > 0 && poll(&wait, 1, USER_S * 1000) < 0 && errno == EINTR)
		;
	if (wait.revents && read(end, &done, 1) == 1)
		return;
	err_set(&e, "%s: not all of it was brought: its process failed, or took %d s", path,
	        USER_S);
	s->say(e.msg);
	s->n->unfinished++;
	if (pid > 0)
		kill(pid, SIGKILL);
}

/* Gives up the rights of root: links in the folder lead nowhere else than for the user. */
static int become_user(const struct stat *st)
{
	if (geteuid() != 0)
		return 0;
	return setgroups(0, NULL) || setresgid(st->st_gid, st->st_gid, st->st_gid) ||
	       setresuid(st->st_uid, st->st_uid, st->st_uid);
}

/* In a process of its own, which has the rights of the user and ends in time. */
static void bring_user(struct spool *s, const char *path, const char *uid, const struct stat *st)
{
	struct err e = {0};
	int ends[2];
	pid_t pid;

	if ((geteuid() == 0 && job_file_make_folder(s->dir, st->st_uid, st->st_gid)) ||
	    pipe2(ends, O_CLOEXEC)) {
		err_set(&e, "%s stays: %s/%s cannot be used", path, s->dir, uid);
		s->say(e.msg);
		s->n->unfinished++;
		return;
	}
	pid = fork();
	if (pid == 0) {
		if (become_user(st))
			_exit(1);
		umask(077);
		alarm(USER_S);
		bring_folder(s, path, uid, 0);
		(void)!write(ends[1], "", 1); /* all was looked at */
		_exit(0);
	}
	close(ends[1]);
	wait_for_user(s, path, pid, ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, WNOHANG);
	close(ends[0]);
}

int recover_spool(const char *spool, const char *dir, enum schema schema,
                  void (*say)(const char *sentence), struct recover_counts *n, struct err *e)
{
	struct spool s = {.dir = dir, .schema = schema, .say = say};
	struct dirent **names;
	int found = scandir(spool, &names, NULL, alphasort);

	if (found < 0)
		return err_set(e, "%s: %s", spool, strerror(errno));
	s.n = mmap(NULL, sizeof *s.n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s.n == MAP_FAILED) {
		while (found > 0)
			free(names[--found]);
		free(names);
		return err_set(e, "%s: %s", spool, strerror(errno));
	}
	signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; i < found; i++) {
		char path[PATH_MAX], own[16];
		const char *uid = names[i]->d_name;
		struct stat st;
		if (snprintf(path, sizeof path, "%s/%s", spool, uid) < (int)sizeof path &&
		    lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
		    snprintf(own, sizeof own, "%u", (unsigned)st.st_uid) > 0 &&
		    strcmp(own, uid) == 0 && (geteuid() == 0 || st.st_uid == geteuid()))
			bring_user(&s, path, uid, &st);
		free(names[i]);
	}
	free(names);
	*n = *s.n;
	munmap(s.n, sizeof *s.n);
	return 0;
}
