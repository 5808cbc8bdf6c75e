/* snapshot_file: names the snapshot and its journal, and writes the snapshot. */
#include "collect/output/snapshot_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/machine/clocks.h"
#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/same_file.h"
#include "core/files/snapshot_read.h"
#include "core/files/snapshot_write.h"

#define TEXT_MAX  64
#define TRIES_MAX 200
#define NAMES_MAX 1000
#define COUNTED   100 /* journals: OUT.partial, .partial.2 … .partial.100 */
#define JOURNAL   ".partial"

/* -- renaming a file without replacing another one --------------------------------------------- */

/* Whether renameat2(2) failed because its flags are not supported, or a filter forbids it. */
static bool rename_new_lacks_flags(void)
{
	return errno == EINVAL || errno == ENOSYS || errno == EPERM;
}

/* 0, or -1 with errno: EEXIST if there is a file with the new name. Where neither renameat2(2) nor
 * link(2) can do it, it looks just before. */
static int rename_new(const char *from, const char *to)
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

/* -- names ------------------------------------------------------------------------------------- */

static void append_text(struct buf *b, const char *text)
{
	for (size_t i = 0; i < TEXT_MAX && text[i]; i++) {
		char c = text[i];
		bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		            (c >= '0' && c <= '9') || c == '.' || c == '-';
		buf_char(b, safe ? c : '_');
	}
}

enum { HOST = PART_VALUES, PID, TIME };

#define LETTER(letter, what, source) {letter[0], source},
static const struct {
	char letter;
	int source;
} letters[] = {SNAPSHOT_FILE_LETTERS(LETTER)};
#undef LETTER
#define LETTERS (sizeof letters / sizeof *letters)

/* A value of the job's environment; the node and the job have a name without it too. */
static int append_of_part(struct buf *b, const struct snapshot_file_values *v,
                          enum part_value value, struct err *e)
{
	const char *text = v->part->text[value];

	if (value == PART_NODE && !*text)
		text = v->host;
	if (value == PART_JOB_NAME && *v->name)
		text = v->name;
	if (!*text)
		return part_missing(v->part, value, e);
	append_text(b, text);
	return 0;
}

/* letter follows a % in pattern. */
static int append_letter(struct buf *b, const struct snapshot_file_values *v, char letter,
                         const char *pattern, struct err *e)
{
	size_t i = 0;
	struct tm tm;
	char utc[32];

	while (i < LETTERS && letters[i].letter != letter)
		i++;
#define LETTER(name, what, source) name ", "
	if (i == LETTERS && letter != '%')
		return err_set(e, "--output: \"%s\": %% needs one of %sor %% after it", pattern,
		               SNAPSHOT_FILE_LETTERS(LETTER));
#undef LETTER
	if (i == LETTERS)
		buf_char(b, '%');
	else if (letters[i].source == HOST)
		append_text(b, v->host);
	else if (letters[i].source == PID)
		buf_printf(b, "%ld", v->pid);
	else if (letters[i].source == TIME)
		buf_printf(b, "%.*s",
		           (int)strftime(utc, sizeof utc, "%Y%m%dT%H%M%SZ", gmtime_r(&v->now, &tm)),
		           utc);
	else if (append_of_part(b, v, (enum part_value)letters[i].source, e))
		return err_wrap(e, "--output: %%%c", letter);
	return 0;
}

int snapshot_file_name(struct snapshot_file *o, const char *pattern,
                       const struct snapshot_file_values *v, struct err *e)
{
	struct buf b = {.max = sizeof o->path};
	int r = 0;

	for (const char *p = pattern; !r && *p; p++)
		if (*p != '%')
			buf_char(&b, *p);
		else
			r = append_letter(&b, v, *++p, pattern, e);
	/* Leaves room for the suffix of the journal. */
	if (!r && (b.failed || b.len + 32 > sizeof o->path))
		r = err_set(e, alloc_failed() ? "--output: no memory for the name"
		                              : "--output: the name is too long");
	if (!r)
		memcpy(o->path, buf_cstr(&b), b.len + 1);
	buf_free(&b);
	return r;
}

/* Writes the i-th name to try: run.json.gz, run.2.json.gz … -1: it is too long. */
static int number_name(struct snapshot_file *o, int i)
{
	const char *slash = strrchr(o->like, '/'), *name = slash ? slash + 1 : o->like;
	const char *end = *name ? strrchr(name + 1, '.') : NULL;
	char count[16] = "";
	size_t n;

	for (const char *p = name; (p = strstr(p, ".json")); p++)
		end = p;
	n = end ? (size_t)(end - o->like) : strlen(o->like);
	if (i > 1)
		snprintf(count, sizeof count, ".%d", i);
	return snprintf(o->path, sizeof o->path, "%.*s%s%s", (int)n, o->like, count, o->like + n) <
	               (int)sizeof o->path - 32
	           ? 0
	           : -1;
}

static int choose_free_name(struct snapshot_file *o, struct err *e)
{
	struct stat st;

	for (int i = 1; i <= NAMES_MAX; i++) {
		if (number_name(o, i))
			return err_set(e, "%s: the name is too long", o->like);
		if (lstat(o->path, &st))
			return 0;
	}
	return err_set(e, "%s: %s", o->path, strerror(EEXIST));
}

int snapshot_file_free_name(struct snapshot_file *o, const char *like, struct err *e)
{
	o->like = like;
	o->keep = true;
	return choose_free_name(o, e);
}

/* The directory of path; "." if it names none. */
static void directory_of(const char *path, char out[PATH_MAX])
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		snprintf(out, PATH_MAX, ".");
	else if (slash == path)
		snprintf(out, PATH_MAX, "/");
	else
		snprintf(out, PATH_MAX, "%.*s", (int)(slash - path), path);
}

static const char *file_kind(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a directory";
	if (S_ISFIFO(mode))
		return "a FIFO";
	return S_ISSOCK(mode) ? "a socket" : "a device";
}

/* Only a regular file, or a link to one or to nothing, may be replaced. A link to anything else was
 * probably made on purpose. */
static int check_replaceable(const char *path, const struct stat *dir, struct err *e)
{
	struct stat st, to;

	if (lstat(path, &st))
		return errno == ENAMETOOLONG
		           ? err_set(e, "%s cannot be written: %s", path, strerror(errno))
		           : 0;
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return err_set(e, "%s is %s, not a regular file", path, file_kind(st.st_mode));
	if (S_ISLNK(st.st_mode) && stat(path, &to) == 0 && !S_ISREG(to.st_mode))
		return err_set(e, "%s links to %s, not to a regular file", path,
		               file_kind(to.st_mode));
	/* In a sticky directory the rename would fail, but only after the whole recording. */
	if ((dir->st_mode & S_ISVTX) && geteuid() && st.st_uid != geteuid() &&
	    dir->st_uid != geteuid())
		return err_set(e, "%s cannot be written: it belongs to another user", path);
	return 0;
}

int snapshot_file_check(const struct snapshot_file *o, struct err *e)
{
	char dir[PATH_MAX];
	struct stat st, dev;
	size_t n = strlen(o->path);

	directory_of(o->path, dir);
	if (!n || o->path[n - 1] == '/')
		return err_set(e, "%s is a directory, not a regular file", o->path);
	if (stat(dir, &st))
		return err_set(e, "%s cannot be written: %s: %s", o->path, dir, strerror(errno));
	/* Before links are followed: /dev/stdout may link to a regular file. */
	if (stat("/dev", &dev) == 0 && same_file(&st, &dev))
		return err_set(e, "%s cannot be written: it is in /dev", o->path);
	/* EPERM: a seccomp filter forbids the call. Creating the journal fails if the directory is
	 * not writable. */
	if (!S_ISDIR(st.st_mode) ||
	    (faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS) && errno != EPERM))
		return err_set(e, "%s cannot be written: %s: %s", o->path, dir,
		               strerror(S_ISDIR(st.st_mode) ? errno : ENOTDIR));
	return check_replaceable(o->path, &st, e);
}

/* Sets the name of the i-th journal to try: first counted, then random numbers, so that any number
 * of recordings may begin at the same time. Returns -1 if it is too long. */
static int name_journal(struct snapshot_file *o, int i)
{
	char suffix[16] = "";
	unsigned number = (unsigned)i + 1;

	if (i >= COUNTED && getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
		number = (unsigned)clocks_now(CLOCK_MONOTONIC) ^ ((unsigned)getpid() << 16);
	if (i)
		snprintf(suffix, sizeof suffix, ".%u", number);
	return snprintf(o->journal, sizeof o->journal, "%s" JOURNAL "%s", o->path, suffix) <
	               (int)sizeof o->journal
	           ? 0
	           : -1;
}

struct journal *snapshot_file_journal(struct snapshot_file *o, struct snapshot *s, struct err *e)
{
	struct journal *j = NULL;
	struct stat st;

	o->watched = true;
	if (lstat(o->path, &o->before))
		o->before = (struct stat){0};
	for (int i = 0; !j && i < TRIES_MAX; i++) {
		if (name_journal(o, i)) {
			errno = ENAMETOOLONG;
			err_set(e, "%s: %s", o->path, strerror(errno));
			return NULL;
		}
		errno = EEXIST;
		if (lstat(o->journal, &st) == 0)
			continue;
		j = journal_create(o->journal, s, e);
		if (!j && errno != EEXIST)
			return NULL;
	}
	if (!j)
		err_set(e, "%s: %s", o->journal, strerror(errno));
	return j;
}

/* -- the CSV is another file ------------------------------------------------------------------- */

/* Whether base is the name of the snapshot or of one of its journals. */
static bool is_taken(const char *out, const char *base)
{
	size_t n = strlen(out), suffix = strlen(JOURNAL);

	if (strncmp(base, out, n) != 0)
		return false;
	base += n;
	if (!*base)
		return true;
	if (strncmp(base, JOURNAL, suffix) != 0)
		return false;
	base += suffix;
	return !*base || (*base == '.' && base[1] && !base[1 + strspn(base + 1, "0123456789")]);
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Compares the names after all links are followed. */
static bool is_taken_by_name(const struct snapshot_file *o, const char *csv)
{
	char dir[PATH_MAX], other[PATH_MAX], whole[PATH_MAX];
	struct stat a, b;

	if (!realpath(csv, whole))
		return false;
	directory_of(o->path, dir);
	directory_of(whole, other);
	return stat(dir, &a) == 0 && stat(other, &b) == 0 && same_file(&a, &b) &&
	       is_taken(base_of(o->path), base_of(whole));
}

int snapshot_file_apart(const struct snapshot_file *o, const char *csv, int fd, struct err *e)
{
	struct stat st, other;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	if (stat(o->path, &other) == 0 && same_file(&st, &other))
		return err_set(e, "%s is the snapshot's file; the CSV needs another",
		               csv ? csv : "standard output");
	if (csv && is_taken_by_name(o, csv))
		return err_set(e,
		               "%s: the recording itself uses this name (%s, %s" JOURNAL
		               "); the CSV needs another",
		               csv, o->path, o->path);
	return 0;
}

/* -- writing ----------------------------------------------------------------------------------- */

/* Creates a new file in the folder of the output. Returns its descriptor, or -1. */
static int create_temporary(const char *dir, char path[PATH_MAX], struct err *e)
{
	for (int i = 0; i < TRIES_MAX; i++) {
		int fd;
		if (snprintf(path, PATH_MAX, "%s/.rtrack-%ld-%d.tmp", dir, (long)getpid(), i) >=
		    PATH_MAX)
			return err_set(e, "%s: the name is too long", dir);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd >= 0 ? fd : err_set(e, "%s: %s", path, strerror(errno));
	}
	return err_set(e, "%s: %s", path, strerror(EEXIST));
}

/* fsync(2) may be forbidden, or not supported by the file system. */
static int sync_file(int fd)
{
	int r;

	do
		r = fsync(fd);
	while (r && errno == EINTR);
	if (r && errno != EPERM && errno != ENOSYS && errno != EINVAL)
		return -1;
	return 0;
}

/* Without this, a crash of the machine may lose the new name. Failure is ignored, because not every
 * file system can sync a directory. */
static void sync_directory(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)fsync(fd);
	close(fd);
}

/* Whether it is the file that had the name when the recording began. */
static bool is_as_before(const struct snapshot_file *o, const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && o->before.st_ino && same_file(&st, &o->before) &&
	       st.st_size == o->before.st_size && st.st_mtim.tv_sec == o->before.st_mtim.tv_sec &&
	       st.st_mtim.tv_nsec == o->before.st_mtim.tv_nsec;
}

/* Gives the file at path the first free name that is like o->path, and sets out to it. -1 with
 * errno, and out as it was. */
static int name_like(const struct snapshot_file *o, const char *path, char out[PATH_MAX])
{
	struct snapshot_file free_name = {.like = o->path};
	int r = -1;

	for (int i = 0; r && i < TRIES_MAX; i++) {
		if (choose_free_name(&free_name, NULL)) {
			errno = EEXIST;
			break;
		}
		r = rename_new(path, free_name.path);
		if (r && errno != EEXIST)
			break;
	}
	if (r == 0)
		memcpy(out, free_name.path, sizeof free_name.path);
	return r;
}

/* Another recorder took the name. */
static int name_beside(struct snapshot_file *o, const char *path)
{
	char beside[PATH_MAX];
	int r = name_like(o, path, beside);

	o->moved = r == 0;
	if (o->moved)
		memcpy(o->path, beside, sizeof o->path);
	return r;
}

static bool is_recording(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && snapshot_read_may_be(path);
}

/* The earlier file has a temporary name now. A recording that cannot be renamed keeps that. */
static int settle_earlier(struct snapshot_file *o, const char *path)
{
	if (!is_recording(path))
		return unlink(path);
	if (name_like(o, path, o->kept) == 0)
		return 0;
	o->kept_as_is = errno;
	return snprintf(o->kept, sizeof o->kept, "%s", path) < 0;
}

/* Replaces only the file that had the name when the recording began. The exchange is atomic, so a
 * file that another recorder renames to it at the same moment is found, and not lost. */
static int replace_earlier(struct snapshot_file *o, const char *path)
{
	struct stat st;

	if (lstat(o->path, &st)) {
		if (rename_new(path, o->path) == 0)
			return 0;
		return errno == EEXIST ? name_beside(o, path) : -1;
	}
	if (!is_as_before(o, o->path))
		return name_beside(o, path);
	if (syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, o->path, RENAME_EXCHANGE)) {
		if (!rename_new_lacks_flags())
			return -1;
		if (is_recording(o->path) && name_like(o, o->path, o->kept))
			return -1;
		return rename(path, o->path);
	}
	if (is_as_before(o, path))
		return settle_earlier(o, path);
	if (syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, o->path, RENAME_EXCHANGE))
		return -1;
	return name_beside(o, path);
}

/* Gives the finished file its name. */
static int name_written(struct snapshot_file *o, const char *path)
{
	int r;

	if (o->keep)
		r = rename_new(path, o->path);
	else if (o->watched)
		r = replace_earlier(o, path);
	else
		r = rename(path, o->path);
	for (int i = 0; r && errno == EEXIST && o->like && i < TRIES_MAX; i++) {
		if (choose_free_name(o, NULL)) {
			errno = EEXIST;
			break;
		}
		r = rename_new(path, o->path);
	}
	return r;
}

/* A failure has something to explain, however short it was. */
static bool is_only_a_sum(const struct snapshot_file *o, const struct snapshot *s)
{
	if (!(o->min_s > 0) || !(s->totals.wall_s < o->min_s) || strcmp(s->exit.cause, "oom") == 0)
		return false;
	return !s->exit.known || (!s->exit.signal && s->exit.code == 0);
}

int snapshot_file_write(struct snapshot_file *o, struct snapshot *s,
                        const struct snapshot_source *rows, struct err *e)
{
	size_t n = strlen(o->path);
	char dir[PATH_MAX], path[PATH_MAX];
	int fd, r;

	directory_of(o->path, dir);
	fd = create_temporary(dir, path, e);
	if (fd < 0)
		return err_wrap(e, "%s cannot be written", o->path);
	s->plain = n >= 5 && strcmp(o->path + n - 5, ".json") == 0;
	s->short_below_s = is_only_a_sum(o, s) ? o->min_s : 0;
	r = snapshot_write(s, rows, s->schema, fd, e);
	if (!r && sync_file(fd) && errno != EINVAL && errno != EROFS)
		r = err_set(e, "%s", strerror(errno));
	/* EINTR: it is closed nevertheless, and was synced before. */
	if (close(fd) && errno != EINTR && !r)
		r = err_set(e, "%s", strerror(errno));
	/* Check again: the name may belong to another file than when the recording began. */
	if (!r && snapshot_file_check(o, e)) {
		unlink(path);
		return -1;
	}
	if (!r && name_written(o, path))
		r = err_set(e, "%s", strerror(errno));
	if (r) {
		unlink(path);
		return err_wrap(e, "%s cannot be written", o->path);
	}
	sync_directory(dir);
	return 0;
}
