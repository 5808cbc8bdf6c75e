/* load_store: recordings in an object store → snapshots. */
#include "report/runs/load_store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/tmpfile.h"
#include "core/files/journal_running.h"
#include "report/store/store_find.h"
#include "report/store/store_pieces.h"

/* -- one recording ----------------------------------------------------------------------------- */

/* Reads a journal from a temporary file, to which it was written. */
static int read_temporary(struct snapshot *s, int fd, const char *name, struct err *e)
{
	return lseek(fd, 0, SEEK_SET) < 0 ? err_set(e, "%s: %s", name, strerror(errno))
	                                  : snapshot_read(s, fd, name, e);
}

static int no_temporary(const char *name, struct err *e)
{
	return err_set(e, "%s: no temporary file: %s", name, strerror(errno));
}

static int read_object(struct store_source *o, struct snapshot *s, enum snapshot_want want,
                       struct err *e)
{
	struct gz_source from = store_source_gz(o);
	int failed = snapshot_read_from(s, &from, o->address, want, e), fd;

	if (failed != SNAPSHOT_IS_JOURNAL)
		return failed;
	fd = tmpfile_temporary();
	if (fd < 0)
		return no_temporary(o->address, e);
	failed = store_source_copy(o, fd, e) ? -1 : read_temporary(s, fd, o->address, e);
	tmpfile_close(fd);
	return failed;
}

int load_store_pieces(const struct store *s, const char *address, struct store_pieces *p,
                      struct err *e)
{
	bool is_folder = input_kind_of(address) == INPUT_JOURNAL;
	struct buf folder = {0};
	int failed;

	buf_printf(&folder, "%s%s", address, is_folder ? "/" : "");
	failed = folder.failed ? err_set(e, "%s: no memory", address)
	                       : store_pieces_find(s, buf_cstr(&folder), p, e);
	buf_free(&folder);
	return failed;
}

static int read_pieces(struct load_stored *from, struct snapshot *s, struct err *e)
{
	struct store_pieces pieces = {.n = 0};
	int failed = load_store_pieces(from->store, from->address, &pieces, e), fd;

	if (failed)
		return -1;
	from->absent = !pieces.n;
	if (from->absent)
		return -1;
	snprintf(from->folder, sizeof from->folder, "%.*s", (int)strlen(pieces.folder) - 1,
	         pieces.folder);
	for (size_t i = 0; i < pieces.n; i++)
		from->size += pieces.v[i].size;
	fd = tmpfile_temporary();
	failed = fd < 0 ? no_temporary(from->address, e)
	                : store_pieces_fetch(from->store, &pieces, fd, e);
	if (!failed)
		failed = read_temporary(s, fd, from->address, e);
	if (!failed && s->unfinished)
		s->running = journal_running_by_time(pieces.modified, STORE_PIECES_EVERY_S,
		                                     (double)time(NULL));
	if (fd >= 0)
		tmpfile_close(fd);
	store_pieces_free(&pieces);
	return failed;
}

static int read_stored(struct load_stored *from, struct snapshot *s, enum snapshot_want want,
                       struct err *e)
{
	struct store_source o;
	bool absent = false;
	int failed = store_source_open(&o, from->store, from->address, &absent, e);

	if (!failed && !absent) {
		from->size = o.size;
		memcpy(from->tag, o.tag, sizeof from->tag);
		failed = read_object(&o, s, want, e);
	}
	store_source_close(&o);
	return absent ? read_pieces(from, s, e) : failed;
}

int load_store_read(struct load_stored *from, struct snapshot *s, enum snapshot_want want,
                    struct err *e)
{
	int failed;

	from->absent = false;
	from->folder[0] = '\0';
	failed = read_stored(from, s, want, e);
	if (from->absent)
		err_set(e, "%s: there is no such object", from->address);
	s->budget = NULL;
	return failed;
}

/* -- all that a SOURCE stands for -------------------------------------------------------------- */

/* The addresses that a listing found, each with its NUL: they are read when it has ended, as a
 * store does one thing at a time. */
struct found_addresses {
	struct buf text;
	size_t n;
};

static int keep_address(void *ctx, const struct store_found *f, struct err *e)
{
	struct found_addresses *all = ctx;

	if (all->n++ >= LOAD_STORE_MAX)
		return err_set(e, LOAD_TOO_MANY, LOAD_STORE_MAX);
	buf_add(&all->text, f->address, strlen(f->address) + 1);
	return all->text.failed ? err_set(e, "no memory") : 0;
}

struct source_walk {
	const struct store *store;
	load_store_each *each;
	void *ctx;
	struct err *why;
};

static struct input object_at(const char *address)
{
	return (struct input){INPUT_S3, input_kind_of(address), address, 0};
}

static int walk_listed(void *walk, const char *source, size_t *n, struct err *e)
{
	const struct source_walk *w = walk;
	struct found_addresses all = {.n = 0};
	struct store_find *f = calloc(1, sizeof *f);
	int failed = 0;

	if (!f)
		return err_set(e, "no memory");
	f->is_recording = input_is_recording;
	f->each = keep_address;
	f->ctx = &all;
	if (store_find(w->store, source, f, w->why))
		*n = 1;
	for (size_t at = 0; at < all.text.len && !*w->why->msg && !failed; ++*n) {
		failed = w->each(w->ctx, object_at(all.text.s + at), NULL, e);
		at += strlen(all.text.s + at) + 1;
	}
	buf_free(&all.text);
	free(f);
	return failed;
}

static int walk_one(void *walk, const char *address, size_t *n, struct err *e)
{
	const struct source_walk *w = walk;
	bool absent = false;
	int failed = w->each(w->ctx, object_at(address), &absent, e);

	*n = !absent;
	return failed;
}

int load_store_source(const struct store *s, const char *source, load_store_each *each, void *ctx,
                      struct err *why, struct err *e)
{
	struct source_walk w = {s, each, ctx, why};
	const struct store_find_taker taker = {walk_one, walk_listed, &w};
	const char *none = "there is no such object, and no recording below it";
	struct store_address a;
	size_t n;

	if (store_address_parse(&a, source, why))
		return 0;
	if (store_find_source(&taker, source, &n, e))
		return -1;
	if (store_find_is_many(&a))
		none = store_address_is_glob(&a) ? "no object matches"
		                                 : "there is no recording below it";
	if (!n)
		err_set(why, "%s: %s", source, none);
	return 0;
}
