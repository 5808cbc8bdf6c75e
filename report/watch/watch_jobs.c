/* watch_jobs: the recordings below SOURCEs that are being written now. */
#include "report/watch/watch_jobs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/files/journal_record.h"
#include "core/files/journal_running.h"
#include "core/head/snapshot_head.h"
#include "report/store/store_find.h"
#include "report/store/store_pieces.h"

#define FIRST_RECORDS 64 /* of a journal, among which a sample is looked for */

static const char suffix[] = ".partial";

size_t watch_jobs_output(const char *journal)
{
	const char *name = input_file_name(journal), *end = strstr(name, suffix);

	return input_kind_of(journal) == INPUT_JOURNAL && end ? (size_t)(end - journal)
	                                                      : strlen(journal);
}

void watch_jobs_folder(struct input source, struct buf *out)
{
	size_t n = (size_t)(input_file_name(source.name) - source.name);

	if (source.place == INPUT_FOLDER)
		buf_str(out, source.name);
	else if (n)
		buf_add(out, source.name, n);
	else
		buf_str(out, ".");
}

static int keep_job(struct watch_jobs *j, enum input_place place, const char *name, double start,
                    struct err *e)
{
	struct watch_job *v;
	char *copy;

	if (j->n >= WATCH_JOBS_MAX)
		return 0;
	v = alloc_failed_note(reallocarray(j->v, j->n + 1, sizeof *v));
	if (v)
		j->v = v;
	copy = v ? alloc_failed_note(strdup(name)) : NULL;
	if (!copy)
		return err_set(e, "no memory");
	v[j->n++] = (struct watch_job){{place, INPUT_JOURNAL, copy, 0}, start};
	return 0;
}

/* Marks and processes may come before the first sample. */
static bool has_sample(int fd, const struct journal_layout *l)
{
	static const unsigned aside = RECORD_MARK | RECORD_DEVICE | RECORD_PROCESSES;
	unsigned char *p = alloc_failed_note(malloc(l->record));
	off_t at = (off_t)l->size;
	bool has = false;
	struct err e;

	for (int i = 0; p && i < FIRST_RECORDS && !has; i++, at += (off_t)l->record) {
		if (journal_record_pread(fd, p, l->record, at, &e) < (long)l->record)
			break;
		has = !(journal_record_flags(p) & aside);
	}
	free(p);
	return has;
}

/* A journal that cannot be read, or has no sample yet, is not there yet. */
static int look_at_journal(struct watch_jobs *j, const char *path, struct err *e)
{
	struct journal_layout *l = alloc_failed_note(calloc(1, sizeof *l));
	struct snapshot head = {.running = false};
	struct err why;
	int fd = l ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	int failed = l ? 0 : err_set(e, "no memory");

	snapshot_head_defaults(&head);
	if (fd >= 0 && journal_layout_read(l, &head, fd, &why) == 0 && has_sample(fd, l) &&
	    journal_running(fd, path, &head))
		failed = keep_job(j, INPUT_FILE, path, head.meta.start_time, e);
	if (fd >= 0)
		close(fd);
	snapshot_free(&head);
	free(l);
	return failed;
}

/* In a folder all journals count; for a name, those of this output. */
static int look_in_folder(struct watch_jobs *j, struct input source, struct err *e)
{
	const char *only = source.place == INPUT_FOLDER ? "" : input_file_name(source.name);
	struct buf path = {0};
	size_t n_only = watch_jobs_output(only), n;
	struct dirent *entry;
	int failed = 0;
	DIR *d;

	watch_jobs_folder(source, &path);
	d = path.failed ? NULL : opendir(buf_cstr(&path));
	if (path.len && path.s[path.len - 1] != '/')
		buf_char(&path, '/');
	n = path.len;
	while (d && !failed && (entry = readdir(d))) {
		const char *name = entry->d_name;
		if (input_kind_of(name) != INPUT_JOURNAL || *name == '.' ||
		    (*only && (watch_jobs_output(name) != n_only || strncmp(name, only, n_only))))
			continue;
		path.len = n;
		buf_str(&path, name);
		failed = look_at_journal(j, buf_cstr(&path), e);
	}
	if (d)
		closedir(d);
	buf_free(&path);
	return failed;
}

static int add_pieces(void *jobs, const struct store_found *f, struct err *e)
{
	if (!f->pieces ||
	    !journal_running_by_time(f->modified, STORE_PIECES_EVERY_S, (double)time(NULL)))
		return 0;
	return keep_job(jobs, INPUT_S3, f->address, f->modified, e);
}

static int look_in_store(struct watch_jobs *j, const struct store *s, const char *place,
                         struct err *e)
{
	struct store_find *f = alloc_failed_note(calloc(1, sizeof *f));
	int failed;

	if (!f)
		return err_set(e, "no memory");
	f->is_recording = input_is_recording;
	f->each = add_pieces;
	f->ctx = j;
	failed = store_find(s, place, f, e);
	free(f);
	return failed;
}

static int by_newest_start(const void *a, const void *b)
{
	const struct watch_job *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? 1 : -1;
	return strcmp(x->in.name, y->in.name);
}

int watch_jobs_find(struct watch_jobs *out, const struct store *s, const struct input *source,
                    size_t n, struct err *e)
{
	int failed = 0;

	*out = (struct watch_jobs){0};
	for (size_t i = 0; i < n && !failed; i++)
		failed = source[i].place == INPUT_S3 ? look_in_store(out, s, source[i].name, e)
		                                     : look_in_folder(out, source[i], e);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_newest_start);
	return failed;
}

void watch_jobs_free(struct watch_jobs *j)
{
	for (size_t i = 0; i < j->n; i++)
		free((char *)(uintptr_t)j->v[i].in.name);
	free(j->v);
	*j = (struct watch_jobs){0};
}
