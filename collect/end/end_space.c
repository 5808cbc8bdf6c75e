/* end_space: which of the job's file systems have no room. */
#include "collect/end/end_space.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/redact/redact.h"
#include "core/base/larger.h"

bool end_space_is_full(const struct statvfs *v, bool root, double *bytes, double *inodes)
{
	const fsfilcnt_t inodes_left = root ? v->f_ffree : v->f_favail;

	*bytes = (double)(root ? v->f_bfree : v->f_bavail) * (double)v->f_frsize;
	*inodes = v->f_files ? (double)inodes_left : (double)NAN;
	if (!v->f_blocks || (v->f_flag & ST_RDONLY))
		return false; /* it has no size, or nobody writes to it */
	return *inodes == 0 || *bytes <= 0 ||
	       (*bytes < END_SPACE_LEAST_B &&
	        *bytes < END_SPACE_LEAST_SHARE * (double)v->f_blocks * (double)v->f_frsize);
}

/* Without what is reserved for root, as df(1) says it. */
static double available_b(const struct statvfs *v)
{
	return (double)v->f_bavail * (double)v->f_frsize;
}

/* Folders whose file systems are looked at. */
struct places {
	const char *folder[SNAPSHOT_END_DISKS]; /* the last is that of shared memory */
	char output[4096];
};

static void find_places(struct places *p, const char *output)
{
	const char *tmp = getenv("TMPDIR"), *slash = strrchr(output, '/');

	(void)snprintf(p->output, sizeof p->output, ".");
	if (slash)
		(void)snprintf(p->output, sizeof p->output, "%.*s",
		               slash > output ? (int)(slash - output) : 1, output);
	p->folder[0] = ".";
	p->folder[1] = tmp && *tmp ? tmp : "/tmp";
	p->folder[2] = p->output;
	p->folder[3] = "/dev/shm";
}

void end_space_begin(struct end_space *e, const char *output)
{
	double bytes, inodes;
	struct places p;
	struct statvfs v;

	find_places(&p, output);
	for (size_t i = 0; i < SNAPSHOT_END_DISKS; i++)
		e->full[i] = statvfs(p.folder[i], &v) == 0 &&
		             end_space_is_full(&v, geteuid() == 0, &bytes, &inodes);
}

static void note_full(struct snapshot *s, struct snapshot_end_disk disk, const char *path)
{
	struct snapshot_evidence *e = s->end.evidence;
	struct buf shown = {0};

	redact_text(path, strlen(path), &shown);
	disk.path = snapshot_strdup(s, shown.failed ? "" : buf_cstr(&shown));
	e->full[e->n_full++] = disk;
	buf_free(&shown);
}

void end_space_fill(const struct end_space *begin, const char *output, struct snapshot *s)
{
	const char *cwd = s->job.cwd && *s->job.cwd ? s->job.cwd : "its working directory";
	/* Writing to shared memory for which it has no room. */
	bool shared = s->exit.signal == SIGBUS || s->exit.code == 128 + SIGBUS;
	unsigned long seen[SNAPSHOT_END_DISKS];
	struct snapshot_evidence *e = s->end.evidence;
	struct places p;
	size_t n = SNAPSHOT_END_DISKS - !shared, known = 0;

	find_places(&p, output);
	for (size_t i = 0; i < n; i++) {
		struct snapshot_end_disk disk = {.at_start = begin->full[i]};
		struct statvfs v;
		bool full, again = false;
		if (statvfs(p.folder[i], &v))
			continue;
		full = end_space_is_full(&v, geteuid() == 0, &disk.bytes, &disk.inodes);
		if (v.f_blocks && !(v.f_flag & ST_RDONLY))
			e->disk_left_b = lesser(e->disk_left_b, available_b(&v));
		for (size_t k = 0; k < known; k++)
			again |= seen[k] == v.f_fsid;
		if (!full || again)
			continue;
		seen[known++] = v.f_fsid;
		note_full(s, disk, strcmp(p.folder[i], ".") == 0 ? cwd : p.folder[i]);
	}
}
