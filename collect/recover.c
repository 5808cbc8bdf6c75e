/* recover: makes a snapshot of the journal that a killed recording left. */
#include "recover.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "../core/mem.h"
#include "../core/snapshot.h"
#include "mark.h"

/* a.json.gz.partial, a.json.gz.partial.2 → a.json.gz */
static int name_output(const char *journal, const char *output, struct output *o, struct err *e)
{
	const char *end = output ? NULL : strrchr(journal, 'p');
	size_t n = output ? strlen(output) : 0;

	while (end && end > journal && strncmp(end - 1, ".partial", 8) != 0)
		end--;
	if (!output && (!end || end == journal))
		return err_set(e, "%s: its name does not end in .partial: give --output", journal);
	n = output ? n : (size_t)(end - 1 - journal);
	if (n == 0 || n >= sizeof o->path)
		return err_set(e, "%s: no name for the snapshot", journal);
	memcpy(o->path, output ? output : journal, n);
	o->path[n] = '\0';
	return 0;
}

static int read_it(const char *journal, int fd, struct snapshot *s, struct err *e)
{
	if (snapshot_read(s, fd, journal, e))
		return -1;
	/* A snapshot that was recovered already is unfinished too, and says why. */
	if (!s->unfinished || *s->exit.cause)
		return err_set(e, "%s: is a snapshot, not a journal", journal);
	if (s->rows[METRIC_SCOPE_PROCESS].rows + s->rows[METRIC_SCOPE_SYSTEM].rows == 0)
		return err_set(e, "%s: holds no whole sample", journal);
	s->exit.cause = "unfinished";
	snapshot_note(s, "The recording broke off, and was recovered from its journal.");
	/* The journal goes once the snapshot is there, which must have all of it. */
	return mem_ran_out() ? err_set(e, "%s: no memory to read it", journal) : 0;
}

int recover(const char *journal, const char *output, enum schema schema, struct output *o,
            size_t *rows, struct err *e)
{
	struct snapshot s = {0};
	struct snapshot_source source;
	int fd = open(journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK), failed = -1, locked;

	if (fd < 0)
		return err_set(e, "%s: %s", journal, strerror(errno));
	signal(SIGXFSZ, SIG_IGN); /* a write that fails is told by its errno */
	do
		locked = flock(fd, LOCK_EX | LOCK_NB);
	while (locked && errno == EINTR);
	if (locked && errno == EWOULDBLOCK)
		err_set(e, "%s: is still being written", journal);
	else if (name_output(journal, output, o, e) == 0 && output_check(o, e) == 0 &&
	         read_it(journal, fd, &s, e) == 0) {
		s.schema = schema;
		source = snapshot_frame_source(&s);
		*rows = source.rows;
		failed = output_write(o, &s, &source, e);
	}
	if (!failed) {
		unlink(journal);
		mark_sweep(journal);
	}
	snapshot_free(&s);
	close(fd);
	return failed;
}
