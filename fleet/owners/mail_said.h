/*
 * mail_said: what owners were told, and when, so that nobody is told the same twice.
 *
 * The state file has a line of JSON for each message: the owner, and of each job a hash of its
 * name, the rules that it broke, what was proposed and how much was unused. Of an owner's lines,
 * the last that names a job counts. A line is added in one write after its message is in its place,
 * so a process that is killed in between writes that one message again. A last line without its end
 * is that of such a process, and is removed. Any other line that cannot be read is an error:
 * without the file, everybody would be told everything again.
 */
#ifndef FLEET_OWNERS_MAIL_SAID_H
#define FLEET_OWNERS_MAIL_SAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"

#define MAIL_SAID_BYTES_MAX ((size_t)64 << 20) /* of the file */
#define MAIL_SAID_LINE_MAX  ((size_t)65536)
#define MAIL_SAID_JOBS_MAX  200 /* of one message */

enum mail_said_number {
	MAIL_SAID_CPUS, /* proposed */
	MAIL_SAID_MEMORY,
	MAIL_SAID_GPUS,
	MAIL_SAID_TIME,
	MAIL_SAID_CORE_H, /* unused */
	MAIL_SAID_GIB_H,
	MAIL_SAID_GPU_H,
	MAIL_SAID_NUMBERS
};

/* A job, as it was told. Numbers may be NAN: unknown. */
struct mail_said_job {
	uint64_t owner, job; /* hashes: mail_said_owner; of the job's name */
	double at;           /* Unix seconds */
	size_t line;         /* in the file */
	unsigned rules;      /* bits */
	double v[MAIL_SAID_NUMBERS];
};

/* {0} is valid: nothing was said. */
struct mail_said {
	struct mail_said_job *v; /* sorted by owner, job and line */
	size_t n, cap;
	int fd; /* of the file, which is locked; 0: none */
	const char *path;
};

/* of: "user" or "account". */
uint64_t mail_said_owner(const char *of, const char *owner);

/* Whether this says something that was not said within the last again_s seconds: a job that is new,
 * a rule that it did not break, an ask that differs by more than a quarter, or more than twice as
 * much unused. */
bool mail_said_is_news(const struct mail_said *s, const struct mail_said_job *job, double again_s);

/* Reads the whole lines of a state file; name is for sentences. Returns how many bytes they are, or
 * -1. Pure. */
long mail_said_parse(struct mail_said *s, const char *text, size_t n, const char *name,
                     struct err *e);

/* Appends the line of one message: n jobs of one owner with the same time. */
void mail_said_line(struct buf *out, const char *of, const char *owner,
                    const struct mail_said_job *job, size_t n);

/* Opens the file, which it makes where there is none, locks it and reads it. Of a large one, the
 * lines from before `forget` (Unix seconds) are removed. A symbolic link, a file that another
 * process has locked, and one that cannot be read are errors. Close it either way. */
int mail_said_open(struct mail_said *s, const char *path, double forget, struct err *e);

/* Remembers a message. */
int mail_said_add(struct mail_said *s, const char *of, const char *owner,
                  const struct mail_said_job *job, size_t n, struct err *e);

void mail_said_close(struct mail_said *s);

#endif
