/* recover: turns the journal of a killed recording into a snapshot. */
#include "collect/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/command/phase_fifo.h"
#include "collect/output/remote_output.h"
#include "collect/output/report_program.h"
#include "core/base/alloc_failed.h"
#include "core/files/journal.h"
#include "core/files/snapshot_read.h"
#include "core/recording/gaps.h"
#include "core/recording/snapshot_source.h"

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

static int read_unfinished(const char *journal, int fd, struct snapshot *s, struct err *e)
{
	struct stat st;

	/* The recorder was killed after it had made the file and before it wrote the head. */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)
		return err_set(e, "%s: no complete sample", journal);
	if (snapshot_read(s, fd, journal, e))
		return -1;
	/* A recovered snapshot is unfinished as well, but has a cause. */
	if (!s->unfinished || *s->exit.cause)
		return err_set(e, "%s is a snapshot, not a journal", journal);
	if (s->rows[METRIC_SCOPE_PROCESS].rows + s->rows[METRIC_SCOPE_SYSTEM].rows == 0)
		return err_set(e, "%s: no complete sample", journal);
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
	struct stat st, there;

	o->keep = !named;
	if (snapshot_file_check(o, e))
		return -1;
	if (lstat(o->path, &there))
		return 0;
	if (fstat(fd, &st) == 0 && st.st_dev == there.st_dev && st.st_ino == there.st_ino)
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
	if (locked && errno == EWOULDBLOCK)
		err_set(e, "%s is still being written", journal);
	else if (name_output(journal, output, o, e) == 0 &&
	         check_output(journal, fd, o, output != NULL, e) == 0 &&
	         read_unfinished(journal, fd, &s, e) == 0) {
		s.schema = schema;
		source = snapshot_source_of(&s);
		*rows = source.rows - gaps_rows(&s);
		failed = snapshot_file_write(o, &s, &source, e);
	}
	if (!failed && s.damage.places)
		journal_tell_damage(&s, lost);
	else if (!failed)
		unlink(journal);
	if (!failed)
		phase_fifo_sweep(journal);
	snapshot_free(&s);
	close(fd);
	return failed;
}

/* -- of an object store ------------------------------------------------------------------------ */

struct remote_recovery {
	struct remote_output to;
	struct snapshot_file file;
	char program[PATH_MAX];
	char journal[PATH_MAX];
};

bool recover_remote_is_asked(const struct collect_options *o)
{
	return remote_output_kind_of(o->recover) == REMOTE_OUTPUT_S3 ||
	       (o->output && remote_output_kind_of(o->output) == REMOTE_OUTPUT_S3);
}

static int run_report(const struct remote_recovery *w, const char *option, const char *file,
                      struct err *e)
{
	const char *const argv[] = {w->program, option, file, w->to.address, NULL};
	struct report_program p;
	struct err said = {0};
	int status;

	if (report_program_start(&p, argv, REPORT_PROGRAM_ENDS, NULL, e))
		return -1;
	status = report_program_wait(&p, &said);
	report_program_close(&p, false);
	if (status == 0)
		return 0;
	return err_set(e, "%s", *said.msg ? said.msg : "rtrack-report failed");
}

/* Where the key has an object, that is downloaded. */
static int check_unfinished(const struct remote_recovery *w, struct err *e)
{
	const size_t magic = strlen(JOURNAL_MAGIC);
	char begin[sizeof JOURNAL_MAGIC];
	int fd = open(w->journal, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, begin, magic);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return err_set(e, "%s: %s", w->journal, strerror(errno));
	if ((size_t)n == magic && memcmp(begin, JOURNAL_MAGIC, magic) == 0)
		return 0;
	unlink(w->journal);
	return err_set(e, "%s exists, so there is nothing to recover", w->to.address);
}

/* Chooses local names that no file has, and downloads the pieces. */
static int fetch_pieces(struct remote_recovery *w, const struct collect_options *o, struct err *e)
{
	struct snapshot_file journal = {.path = ""};

	if (remote_output_open(&w->to, o->recover, e) ||
	    remote_output_name(&w->to, o->recover, NULL, &w->file, e))
		return -1;
	if (snprintf(w->journal, sizeof w->journal, "%s.partial", w->to.local) >=
	    (int)sizeof w->journal)
		return err_set(e, "%s: the name is too long", w->to.local);
	if (snapshot_file_free_name(&journal, w->journal, e))
		return -1;
	memcpy(w->journal, journal.path, sizeof w->journal);
	return run_report(w, "--get", w->journal, e) || check_unfinished(w, e) ? -1 : 0;
}

static int name_upload(struct remote_recovery *w, const struct collect_options *o, struct err *e)
{
	if (strlen(o->recover) >= sizeof w->journal)
		return err_set(e, "%s: the name is too long", o->recover);
	memcpy(w->journal, o->recover, strlen(o->recover) + 1);
	return remote_output_open(&w->to, o->output, e) ||
	               remote_output_name(&w->to, o->output, NULL, &w->file, e)
	           ? -1
	           : 0;
}

static int upload_recovered(struct remote_recovery *w, struct err *e)
{
	struct buf command = {0};
	int failed = run_report(w, "--put", w->file.path, e);

	remote_output_command(&w->to, w->file.path, &command);
	if (failed)
		err_wrap(e, "the recording was recovered, but not uploaded; this uploads it: %s",
		         buf_cstr(&command));
	else
		unlink(w->file.path);
	buf_free(&command);
	return failed;
}

int recover_remote(const struct collect_options *o, struct buf *where, size_t *rows,
                   struct err *lost, struct err *e)
{
	struct remote_recovery *w = calloc(1, sizeof *w);
	bool download = remote_output_kind_of(o->recover) == REMOTE_OUTPUT_S3;
	int failed = w ? report_program_find(w->program, e) : err_set(e, "no memory");
	char path[PATH_MAX];

	if (!failed)
		failed = download ? fetch_pieces(w, o, e) : name_upload(w, o, e);
	if (!failed) {
		/* Named, because its name was chosen, and no file has it. */
		memcpy(path, w->file.path, sizeof path);
		failed = recover(w->journal, path, o->schema, &w->file, rows, lost, e);
		if (failed && download)
			err_wrap(e, "what was downloaded is in %s", w->journal);
	}
	if (!failed)
		failed = upload_recovered(w, e);
	if (!failed)
		remote_output_show(&w->to, where);
	if (!failed && *lost->msg)
		err_wrap(lost, "%s is kept", w->journal);
	free(w);
	return failed;
}
