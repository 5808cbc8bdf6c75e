/* end_space: which of the job's file systems have no room. */
#include "collect/end/end_space.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/redact/redact.h"

bool end_space_is_full(const struct statvfs *v, bool root, double *bytes, double *inodes)
{
	*bytes = (double)(root ? v->f_bfree : v->f_bavail) * (double)v->f_frsize;
	*inodes = v->f_files ? (double)(root ? v->f_ffree : v->f_favail) : (double)NAN;
	if (!v->f_blocks || (v->f_flag & ST_RDONLY))
		return false; /* it has no size, or nobody writes to it */
	return *bytes < END_SPACE_LEAST_B || *inodes == 0;
}

static void note_full(struct snapshot *s, const char *folder, const char *path, unsigned long *seen)
{
	struct snapshot_evidence *e = s->end.evidence;
	struct buf shown = {0};
	struct statvfs v;
	double bytes, inodes;

	if (e->n_full == SNAPSHOT_END_DISKS || statvfs(folder, &v) ||
	    !end_space_is_full(&v, geteuid() == 0, &bytes, &inodes))
		return;
	for (size_t i = 0; i < e->n_full; i++)
		if (seen[i] == v.f_fsid)
			return;
	seen[e->n_full] = v.f_fsid;
	redact_text(path, strlen(path), &shown);
	e->full[e->n_full++] = (struct snapshot_end_disk){
	    .path = snapshot_strdup(s, shown.failed ? "" : buf_cstr(&shown)),
	    .bytes = bytes,
	    .inodes = inodes};
	buf_free(&shown);
}

void end_space_fill(const char *output, struct snapshot *s)
{
	const char *cwd = s->job.cwd && *s->job.cwd ? s->job.cwd : "its working directory";
	const char *tmp = getenv("TMPDIR"), *slash = strrchr(output, '/');
	unsigned long seen[SNAPSHOT_END_DISKS];
	char folder[4096] = ".";

	if (!tmp || !*tmp)
		tmp = "/tmp";
	if (slash)
		snprintf(folder, sizeof folder, "%.*s", slash > output ? (int)(slash - output) : 1,
		         output);
	note_full(s, ".", cwd, seen);
	note_full(s, tmp, tmp, seen);
	note_full(s, folder, slash ? folder : cwd, seen);
	/* Writing to shared memory for which it has no room. */
	if (s->exit.signal == SIGBUS || s->exit.code == 128 + SIGBUS)
		note_full(s, "/dev/shm", "/dev/shm", seen);
}
