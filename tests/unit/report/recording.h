/*
 * recording: runs for tests, from the text of a recording, in a folder of their own.
 */
#ifndef TESTS_UNIT_REPORT_RECORDING_H
#define TESTS_UNIT_REPORT_RECORDING_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "report/runs/load.h"
#include "tests/unit/unit.h"

struct recordings {
	char folder[64];
	char path[512]; /* of the file that was named last */
	struct runs runs;
	struct err e;
};

/* Setup and teardown of a case (TEST_WITH): *state is a struct recordings. */
static inline int recordings_begin(void **state)
{
	struct recordings *t = calloc(1, sizeof *t);

	if (!t)
		return -1;
	strcpy(t->folder, "/tmp/rtrack-test-XXXXXX");
	/* What is in it before a failure means nothing. */
	snprintf(t->e.msg, sizeof t->e.msg, "no error");
	*state = t;
	return mkdtemp(t->folder) ? 0 : -1;
}

static inline void recordings_remove(const char *path)
{
	DIR *d = opendir(path);

	for (struct dirent *f; d && (f = readdir(d));) {
		if (strcmp(f->d_name, ".") == 0 || strcmp(f->d_name, "..") == 0)
			continue;
		struct buf name = {0};
		buf_printf(&name, "%s/%s", path, f->d_name);
		if (unlink(buf_cstr(&name)))
			recordings_remove(buf_cstr(&name));
		buf_free(&name);
	}
	if (d)
		closedir(d);
	rmdir(path);
}

static inline int recordings_end(void **state)
{
	struct recordings *t = *state;

	load_free(&t->runs);
	recordings_remove(t->folder);
	free(t);
	return 0;
}

/* The path of a file in the folder; kept until the next call. */
static inline const char *recordings_path(struct recordings *t, const char *name)
{
	snprintf(t->path, sizeof t->path, "%s/%s", t->folder, name);
	return t->path;
}

/* Writes a file, and returns its path. */
static inline const char *recordings_file(struct recordings *t, const char *name, const char *text)
{
	FILE *f = fopen(recordings_path(t, name), "w");

	if (!f || fputs(text, f) == EOF || fclose(f))
		abort();
	return t->path;
}

/* Writes a file and loads it: the run that it became, or NULL where it was left out. */
static inline struct run *recordings_load(struct recordings *t, const char *name, const char *text)
{
	size_t before = t->runs.n;

	if (load_input(&t->runs, input_of(recordings_file(t, name, text)), &t->e))
		abort();
	return t->runs.n > before ? &t->runs.v[t->runs.n - 1] : NULL;
}

#endif
