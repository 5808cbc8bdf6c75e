/*
 * slurm_imported: a text, read by fleet/import, as lines: one for each job, and a last one with the counts.
 *
 * KEY STATUS/CODE/SIGNAL/CAUSE at START+WALL cpu=S peak=MiB asked=CPUS,MiB,GPUS,S; what is unknown is "-"; a peak that is a bound has a "+".
 */
#ifndef TESTS_SLURM_IMPORTED_H
#define TESTS_SLURM_IMPORTED_H

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "fleet/import/import.h"

#define SLURM_MIB (1024 * 1024.0)

static inline void slurm_imported_number(struct buf *b, const char *before, double v)
{
	buf_str(b, before);
	if (isnan(v))
		buf_str(b, "-");
	else
		buf_printf(b, "%.10g", v);
}

static inline void slurm_imported_text(struct buf *b, const char *before, const char *text)
{
	buf_printf(b, "%s%s", before, *text ? text : "-");
}

static inline int slurm_imported_each(void *ctx, const struct import_job *job, struct err *e)
{
	const struct rtrack_row *r = job->row;
	struct buf *b = ctx;

	(void)e;
	buf_str(b, job->key);
	slurm_imported_text(b, " ", r->of[RTRACK_ROW_STATUS].text);
	slurm_imported_number(b, "/", r->of[RTRACK_ROW_CODE].number);
	slurm_imported_text(b, "/", r->of[RTRACK_ROW_SIGNAL].text);
	slurm_imported_text(b, "/", r->of[RTRACK_ROW_END_CAUSE].text);
	slurm_imported_number(b, " at ", r->of[RTRACK_ROW_START].number);
	slurm_imported_number(b, "+", r->of[RTRACK_ROW_WALL].number);
	slurm_imported_number(b, " cpu=", r->of[RTRACK_ROW_CPU].number);
	slurm_imported_number(b, " peak=", r->of[RTRACK_ROW_MEMORY_PEAK].number / SLURM_MIB);
	if (strcmp(r->of[RTRACK_ROW_MEMORY_KNOWN].text, "bound") == 0)
		buf_str(b, "+");
	slurm_imported_number(b, " asked=", r->of[RTRACK_ROW_ASKED_CPUS].number);
	slurm_imported_number(b, ",", r->of[RTRACK_ROW_ASKED_MEMORY].number / SLURM_MIB);
	slurm_imported_number(b, ",", r->of[RTRACK_ROW_ASKED_GPUS].number);
	slurm_imported_number(b, ",", r->of[RTRACK_ROW_ASKED_TIME].number);
	buf_str(b, "\n");
	return 0;
}

/* Reads f, which it closes. *in: what to ask for; then, what was counted. 0, or -1 with a sentence. */
static inline int slurm_imported_file(FILE *f, struct import *in, struct buf *out, struct err *e)
{
	static char head[4096];
	size_t n = fread(head, 1, sizeof head, f);
	int failed;

	rewind(f);
	in->name = "jobs";
	in->f = f;
	if (!in->each) {
		in->each = slurm_imported_each;
		in->ctx = out;
	}
	failed = import_read(in, import_kind_of(head, n), e);
	buf_printf(out, "%zu lines, %zu jobs, %zu unknown, %zu left out\n", in->lines, in->jobs,
	           in->unknown, in->left_out);
	if (in->impossible)
		buf_printf(out, "%zu impossible\n", in->impossible);
	fclose(f);
	return failed;
}

static inline FILE *slurm_imported_open(const char *text, size_t n)
{
	int fd = memfd_create("import", MFD_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r+");

	if (f && (write(fd, text, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET))) {
		fclose(f);
		return NULL;
	}
	return f;
}

#endif
