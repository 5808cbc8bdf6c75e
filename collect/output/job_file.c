/* job_file: the one file of a job on a node. */
#include "collect/output/job_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/gz.h"
#include "core/base/same_file.h"
#include "core/files/journal.h"
#include "core/files/recordings.h"

#define RECORDING_MAX ((size_t)1 << 30) /* bytes of one, compressed */
#define TRIES_MAX     100
#define LOCK_MS       3000 /* that a lock is waited for while the file does not grow */
#define LOCK_PAUSE_MS 10
#define COPY_HEAD     4096 /* bytes of a journal by which a copy is known to be of it */

/* 0: it is ours alone; 1: another process has it; -1: the file system has no such locks. */
static int lock(int fd, int how)
{
	int r;

	do
		r = flock(fd, how);
	while (r && errno == EINTR);
	if (r == 0)
		return 0;
	return errno == EWOULDBLOCK ? 1 : -1;
}

static int read_raw(int fd, struct buf *out, struct err *e)
{
	char part[65536];
	ssize_t n;

	out->max = RECORDING_MAX;
	while ((n = read(fd, part, sizeof part)) != 0) {
		if (n < 0 && errno != EINTR)
			return err_set(e, "%s", strerror(errno));
		buf_add(out, part, n > 0 ? (size_t)n : 0);
	}
	return out->failed ? err_set(e, "no memory to read it") : 0;
}

/* The recording as a member that states its size. */
static int read_stated(int fd, struct buf *member, struct err *e)
{
	struct buf raw = {0};
	int failed = read_raw(fd, &raw, e);

	member->max = RECORDING_MAX;
	if (!failed && gz_member_state(member, buf_cstr(&raw), raw.len))
		failed = err_set(e, "is not a compressed recording");
	buf_free(&raw);
	return failed;
}

/* The folder of path is made, if the one above it is there. Both must be the user's, or the one
 * above root's: in another one's, or behind a link, the recording would be somebody else's. */
static int make_parent(const char *path, char folder[PATH_MAX], struct err *e)
{
	const char *slash = strrchr(path, '/');
	char above[PATH_MAX + 4];
	struct stat st;

	if (snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(slash - path) : 1,
	             slash ? path : ".") >= PATH_MAX)
		return err_set(e, "%s", strerror(ENAMETOOLONG));
	if (mkdir(folder, 0700) && errno != EEXIST)
		return err_set(e, "%s", strerror(errno));
	slash = strrchr(folder, '/');
	if (slash && slash != folder)
		snprintf(above, sizeof above, "%.*s", (int)(slash - folder), folder);
	else
		snprintf(above, sizeof above, "%s/..", folder);
	for (int i = 0; i < 2; i++)
		if (lstat(i ? above : folder, &st) || !S_ISDIR(st.st_mode) ||
		    (st.st_uid != geteuid() && !(i && st.st_uid == 0)))
			return err_set(e, "%s is not a folder of this user", i ? above : folder);
	return 0;
}

/* Waits for the lock as long as others append; not for a process that stands still with it, which
 * would hold the job, or the recordings of other users. As lock(). */
static int lock_for_writing(int fd)
{
	const struct timespec pause = {0, LOCK_PAUSE_MS * 1000000};
	struct stat st;
	off_t size = 0;
	int got;

	for (int ms = 0; (got = lock(fd, LOCK_EX | LOCK_NB)) == 1 && ms < LOCK_MS;
	     ms += LOCK_PAUSE_MS) {
		if (fstat(fd, &st) == 0 && st.st_size != size) {
			size = st.st_size;
			ms = 0;
		}
		nanosleep(&pause, NULL);
	}
	return got;
}

/* Opens and locks the file of the job. The one that was opened may have been removed, by whoever
 * keeps the folder small, before it was locked. */
static int open_job_file(const char *to, bool *locked, struct err *e)
{
	for (int i = 0; i < TRIES_MAX; i++) {
		int fd = open(to, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
		              0600),
		    got;
		if (fd < 0)
			return err_set(e, "%s", strerror(errno));
		got = lock_for_writing(fd);
		*locked = got == 0;
		if (got == 1) {
			close(fd);
			return err_set(e, "another process keeps it locked");
		}
		if (same_file_named(fd, to))
			return fd;
		close(fd);
	}
	return err_set(e, "it is removed again and again");
}

/* Whether a crash can have left what the file has from at on: it is shorter than its recording, or
 * the kernel wrote its length before its bytes. A recording that somebody added in another way, and
 * what could not be read for a moment, are not cut off. */
static bool is_cut_short(int fd, off_t at, off_t end)
{
	unsigned char head[GZ_MEMBER_HEAD] = {0};
	ssize_t got = pread(fd, head, sizeof head, at);
	uint64_t n = gz_member_size(head, got > 0 ? (size_t)got : 0);

	if (got <= 0)
		return false;
	for (size_t i = 0; i < sizeof head; i++)
		if (head[i])
			return n ? n > (uint64_t)(end - at) : gz_member_begins(head, (size_t)got);
	return true;
}

/* Whether the recording, or the sum, is this one: it was appended, and its file stayed, as whoever
 * did it was killed then. A sum says whose it is, so those of two steps differ. */
static bool is_appended(const struct recordings *v, const struct buf *member)
{
	char part[65536];
	size_t at = 0, n;

	for (; v->n == member->len && at < member->len; at += n) {
		n = member->len - at < sizeof part ? member->len - at : sizeof part;
		if (pread(v->fd, part, n, (off_t)(v->at + at)) != (ssize_t)n ||
		    memcmp(part, member->s + at, n) != 0)
			return false;
	}
	return v->n == member->len;
}

#define THERE 1
/* Where the whole recordings of the file end; the rest, of a write that a crash cut short, goes.
 * THERE: the file has this one. */
static int find_end(int fd, bool locked, const struct buf *member, off_t *end, struct err *e)
{
	struct recordings v = {.fd = fd};
	struct stat st;
	int got;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return err_set(e, "it is not a regular file");
	*end = st.st_size;
	if (*end == 0)
		return 0;
	while ((got = recordings_next(&v, NULL)) > 0 && v.several)
		if (is_appended(&v, member))
			return THERE;
	if (got >= 0 && v.several)
		return 0;
	if (!is_cut_short(fd, (off_t)v.at, *end))
		return err_set(
		    e,
		    "from byte %llu on, it is not a file of several recordings that each "
		    "state their size",
		    (unsigned long long)v.at);
	if (locked) {
		*end = (off_t)v.at;
		return ftruncate(fd, *end) ? err_set(e, "%s", strerror(errno)) : 0;
	}
	return err_set(e, "its last recording is not whole");
}

/* One write, after which file goes. What it could not take is cut off again, as is all of it if
 * file stays: it would be appended again and again. Errors of a network file system come with
 * fsync(2) at the latest. */
static int write_at_end(int fd, bool locked, const struct buf *member, const char *file,
                        struct err *e)
{
	off_t end = 0;
	ssize_t n;
	int found = find_end(fd, locked, member, &end, e);

	if (found == THERE)
		return unlink(file) && errno != ENOENT
		           ? err_set(e, "%s cannot be removed: %s", file, strerror(errno))
		           : 0;
	if (found)
		return -1;
	do
		n = write(fd, member->s, member->len);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)member->len || (fsync(fd) && errno != EINVAL && errno != ENOSYS))
		err_set(e, "%s", strerror(n >= 0 && n < (ssize_t)member->len ? ENOSPC : errno));
	else if (unlink(file) && errno != ENOENT)
		err_set(e, "%s cannot be removed: %s", file, strerror(errno));
	else
		return 0;
	if (n > 0 && locked && ftruncate(fd, end))
		err_wrap(e, "half of it was written");
	return -1;
}

static int append_member(const struct buf *member, const char *file, const char *to, struct err *e)
{
	char folder[PATH_MAX];
	bool locked = false;
	struct stat st;
	int fd, failed;

	if (make_parent(to, folder, e))
		return err_wrap(e, "%s", to);
	fd = open_job_file(to, &locked, e);
	if (fd < 0)
		return err_wrap(e, "%s", to);
	failed = write_at_end(fd, locked, member, file, e);
	/* An empty file would be named as damaged by each reader. */
	if (failed && locked && fstat(fd, &st) == 0 && st.st_size == 0)
		unlink(to);
	if (close(fd) && errno != EINTR && !failed)
		failed = err_set(e, "%s", strerror(errno));
	/* So a reader sees by the folder that one of its files has grown. */
	(void)utimensat(AT_FDCWD, folder, NULL, 0);
	return failed ? err_wrap(e, "%s", to) : 0;
}

int job_file_append(const char *file, const char *to, struct err *e)
{
	struct buf member = {0};
	int fd = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), r;

	if (fd < 0)
		return errno == ENOENT ? JOB_FILE_BUSY
		                       : err_set(e, "%s: %s", file, strerror(errno));
	r = lock(fd, LOCK_EX | LOCK_NB) == 1 || !same_file_named(fd, file) ? JOB_FILE_BUSY : 0;
	if (!r && same_file_named(fd, to))
		r = err_set(e, "%s is the recording itself", to);
	if (!r && read_stated(fd, &member, e))
		r = err_wrap(e, "%s", file);
	if (!r)
		r = append_member(&member, file, to, e);
	buf_free(&member);
	close(fd);
	return r;
}

/* -- copies of journals ------------------------------------------------------------------------ */

/* How much of a name stands before ".json.gz". */
static int stem_length(const char *name)
{
	static const char end[] = ".json.gz";
	size_t n = strlen(name), m = sizeof end - 1;

	return (int)(n > m && strcmp(name + n - m, end) == 0 ? n - m : n);
}

static int name_copy(const char *file, const char *to, char copy[PATH_MAX])
{
	const char *slash = strrchr(file, '/'), *step = slash ? slash + 1 : file;

	return snprintf(copy, PATH_MAX, "%.*s.%.*s" JOURNAL_COPY, stem_length(to), to,
	                stem_length(step), step) < PATH_MAX
	           ? 0
	           : -1;
}

/* Where the copy goes on. One of another journal, which had the name before, begins anew. */
static off_t end_of_copy(int fd, const char *journal, size_t n)
{
	char head[COPY_HEAD];
	struct stat st;
	size_t known;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return -1;
	known = (size_t)st.st_size < sizeof head ? (size_t)st.st_size : sizeof head;
	if ((size_t)st.st_size <= n && pread(fd, head, known, 0) == (ssize_t)known &&
	    memcmp(head, journal, known) == 0)
		return st.st_size;
	return ftruncate(fd, 0);
}

/* The journal is mapped, so that one write takes all that is new. */
static void copy_new(int from, size_t n, const char *copy)
{
	const char *journal = mmap(NULL, n, PROT_READ, MAP_SHARED, from, 0);
	int fd = open(copy, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	off_t end = journal == MAP_FAILED || fd < 0 ? -1 : end_of_copy(fd, journal, n);

	/* A full folder takes the rest the next time. Without its header it could not be read. */
	if (end >= 0 && (size_t)end < n &&
	    pwrite(fd, journal + end, n - (size_t)end, end) != (ssize_t)(n - (size_t)end) && !end)
		unlink(copy);
	if (fd >= 0)
		close(fd);
	if (journal != MAP_FAILED)
		munmap((void *)(uintptr_t)journal, n);
}

void job_file_copy(const char *journal, uint64_t n, const char *file, const char *to)
{
	char copy[PATH_MAX], folder[PATH_MAX];
	int from = open(journal, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct err ignored;
	struct stat st;

	if (from >= 0 && n > 0 && fstat(from, &st) == 0 && (uint64_t)st.st_size >= n &&
	    name_copy(file, to, copy) == 0 && make_parent(to, folder, &ignored) == 0) {
		copy_new(from, (size_t)n, copy);
		if (!same_file_named(from, journal))
			unlink(copy);
	}
	if (from >= 0)
		close(from);
}

void job_file_remove_copy(const char *file, const char *to)
{
	char copy[PATH_MAX];

	if (name_copy(file, to, copy) == 0)
		unlink(copy);
}
