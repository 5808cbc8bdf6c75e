/* recover: turns the journal of a killed recording into a snapshot. */
#include "collect/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/command/phase_fifo.h"
#include "core/base/alloc_failed.h"
#include "core/recording/gaps.h"
#include "core/recording/journal.h"
#include "core/recording/snapshot_read.h"
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
