/* end_file: how a command ended, for the engine that started it. */
#include "collect/end/end_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "core/base/larger.h"
#include "core/end/end_cause.h"
#include "core/json/json_write.h"

#define NEAR       0.5 /* of a limit: a process may end before its pages are seen */
#define AFTER_KILL 2   /* times the limit that killed it: how much more was needed, nobody knows */

int end_file_open(const char *path, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);

	return fd >= 0 ? fd : err_set(e, "--end-file: cannot write %s: %s", path, strerror(errno));
}

static bool is_by_memory(const struct snapshot *s)
{
	enum end_cause cause = s->end.known ? end_cause_find(s->end.cause) : END_CAUSE_UNKNOWN;
	bool failed = s->exit.known && (s->exit.signal || s->exit.code);

	return failed && (cause == END_CAUSE_OOM || cause == END_CAUSE_OOM_PROCESS ||
	                  cause == END_CAUSE_MEMORY_LIMIT);
}

/* The limit that ended it; NAN: none, or unknown. Where several were hit (a step's and its job's),
 * the evidence names none: then it is the lowest one, if the job was near to it at its end. */
static double ended_at(const struct snapshot *s)
{
	const struct snapshot_evidence *e = s->end.evidence;

	if (!e || !is_by_memory(s))
		return NAN;
	if (e->launcher_limit_b > 0)
		return e->launcher_limit_b;
	if (e->oom_limit_b > 0)
		return e->oom_limit_b;
	return !*e->oom_of && larger(e->memory_b, e->largest_b) >= NEAR * s->limits.memory_b
	           ? s->limits.memory_b
	           : (double)NAN;
}

static void put_members(const struct snapshot *s, int status, struct json_write *j)
{
	double limit_b = ended_at(s);

	json_write_object(j, NULL);
	json_write_num(j, "status", status);
	if (s->exit.signal)
		json_write_num(j, "signal", s->exit.signal);
	else
		json_write_null(j, "signal");
	json_write_str(j, "cause", s->end.known ? s->end.cause : NULL);
	json_write_str(j, "sentence", s->end.known ? s->end.sentence : NULL);
	json_write_bool(j, "by_memory", is_by_memory(s));
	json_write_num(j, "memory_limit_bytes", limit_b);
	json_write_num(j, "memory_peak_bytes", s->memory.known ? s->memory.peak_b : (double)NAN);
	json_write_num(j, "memory_ask_bytes", AFTER_KILL * limit_b);
	json_write_num(j, "wall_s", s->totals.wall_s);
	json_write_object_end(j);
}

/* 0, or an errno. */
static int write_end(int fd, struct json_write *j)
{
	bool whole = json_write_finish(j);

	buf_char(&j->b, '\n');
	if (!whole || j->b.failed)
		return ENOMEM;
	errno = ENOSPC; /* of a part that was written */
	return write(fd, j->b.s, j->b.len) == (ssize_t)j->b.len ? 0 : errno;
}

int end_file_tell(int fd, long oom_status, const struct snapshot *s, int *status, struct err *e)
{
	struct json_write j = {0};
	int why;

	if (oom_status && is_by_memory(s))
		*status = (int)oom_status;
	if (fd < 0)
		return 0;
	put_members(s, *status, &j);
	why = write_end(fd, &j);
	json_write_free(&j);
	/* NFS says only here that there was no room. */
	if (close(fd) && !why)
		why = errno;
	return why ? err_set(e, "--end-file: the end could not be written: %s", strerror(why)) : 0;
}
