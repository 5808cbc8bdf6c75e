/* store_pieces: the journal of a recording that has not ended, in an object store. */
#include "report/store/store_pieces.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/tmpfile.h"
#include "core/files/journal.h"
#include "core/files/snapshot_read.h"
#include "report/store/journal_header.h"

#define HEAD_MAX    ((size_t)64 << 10) /* of a piece that store_heads reads whole */
#define READ_MAX    ((size_t)64 << 10)
#define FETCH_TRIES 3

/* -- finding ----------------------------------------------------------------------------------- */

/* All folders of a key: the requests about them come after the listing has ended. */
struct finder {
	size_t key; /* bytes of the address of the key */
	struct store_pieces *v;
	size_t n, room; /* room: of the last folder's pieces */
};

void store_pieces_free(struct store_pieces *p)
{
	free(p->v);
	*p = (struct store_pieces){.n = 0};
}

static void free_folders(struct finder *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->v[i].v);
	free(f->v);
}

static int note_folder(struct finder *f, const char *address, size_t n, struct err *e)
{
	struct store_pieces *v = realloc(f->v, (f->n + 1) * sizeof *v);

	if (!v)
		return err_set(e, "no memory for the list of pieces");
	f->v = v;
	f->v[f->n] = (struct store_pieces){.n = 0};
	memcpy(f->v[f->n++].folder, address, n);
	f->room = 0;
	return 0;
}

static int note_piece(struct finder *f, uint64_t at, const struct store_object *o, struct err *e)
{
	struct store_pieces *p = &f->v[f->n - 1];

	if (p->n == STORE_PIECES_MAX)
		return err_set(e, "%s: more than %d pieces", p->folder, STORE_PIECES_MAX);
	if (p->n == f->room) {
		size_t room = f->room ? f->room * 2 : 64;
		struct store_piece *v = realloc(p->v, room * sizeof *v);
		if (!v)
			return err_set(e, "no memory for the list of pieces");
		p->v = v;
		f->room = room;
	}
	p->v[p->n++] = (struct store_piece){at, o->size};
	if (o->modified > p->modified)
		p->modified = o->modified;
	return 0;
}

/* Objects come in the order of their keys, so all of a folder's, by their offsets. Other objects
 * whose key begins in the same way are passed over. */
static int see_object(void *ctx, const struct store_object *o, struct err *e)
{
	struct finder *f = ctx;
	const struct store_pieces *last = f->n ? &f->v[f->n - 1] : NULL;
	size_t folder;
	uint64_t at;

	if (!store_pieces_parse(o->address, &folder, &at) || folder >= STORE_PIECES_ADDRESS ||
	    store_pieces_key(o->address, folder) != f->key)
		return 0;
	if (!last || strlen(last->folder) != folder ||
	    memcmp(last->folder, o->address, folder) != 0)
		if (note_folder(f, o->address, folder, e))
			return -1;
	return note_piece(f, at, o, e);
}

/* Finds all folders of a key, or the one that address names. */
static int find_folders(const struct store *s, const char *address, struct finder *f, struct err *e)
{
	char prefix[STORE_PIECES_ADDRESS];
	size_t n = strlen(address);
	bool whole = n && address[n - 1] == '/';

	*f = (struct finder){.key = whole ? store_pieces_key(address, n) : n};
	if (!f->key)
		return 0;
	if (snprintf(prefix, sizeof prefix, "%s%s", address, whole ? "" : STORE_PIECES) >=
	    (int)sizeof prefix)
		return err_set(e, "%s: the address is too long", address);
	return store_list(s, prefix, see_object, f, e);
}

int store_pieces_find(const struct store *s, const char *address, struct store_pieces *out,
                      struct err *e)
{
	struct store_pieces *best = NULL;
	struct finder f;
	size_t recorders = 0;
	int failed = find_folders(s, address, &f, e);

	*out = (struct store_pieces){.n = 0};
	for (size_t i = 0; i < f.n && !failed; i++)
		if (f.v[i].v[0].at == 0) {
			recorders++;
			if (!best || f.v[i].modified > best->modified)
				best = &f.v[i];
		}
	if (best) {
		*out = *best;
		out->recorders = recorders;
		best->v = NULL;
	}
	free_folders(&f);
	return failed;
}

/* -- fetching ---------------------------------------------------------------------------------- */

struct fetcher {
	const struct store_pieces *p;
	int fd;
	size_t next;                        /* piece */
	char address[STORE_PIECES_ADDRESS]; /* of the piece that was asked for last */
	bool changed; /* pieces were deleted or replaced since they were listed */
	struct err failed;
};

/* Whether a piece lies apart from all others, and is small: the order of these does not matter. */
static bool is_apart(const struct store_pieces *p, size_t i)
{
	return p->v[i].size <= HEAD_MAX &&
	       (i == 0 || p->v[i - 1].at + p->v[i - 1].size <= p->v[i].at) &&
	       (i + 1 == p->n || p->v[i].at + p->v[i].size <= p->v[i + 1].at);
}

static bool next_apart(void *ctx, const char **address, void **item)
{
	struct fetcher *f = ctx;

	while (f->next < f->p->n && !is_apart(f->p, f->next))
		f->next++;
	if (f->next == f->p->n || f->changed || *f->failed.msg ||
	    store_pieces_name(f->p->folder, f->p->v[f->next].at, f->address))
		return false;
	*address = f->address;
	*item = &f->p->v[f->next++];
	return true;
}

static void write_piece(struct fetcher *f, const void *p, size_t n, uint64_t at)
{
	if (n && tmpfile_write(f->fd, p, n, (off_t)at) && !*f->failed.msg)
		err_set(&f->failed, "the pieces cannot be put together: %s", strerror(errno));
}

static void take_apart(void *ctx, void *item, const char *p, const struct store_range *r,
                       const struct err *why)
{
	const struct store_piece *piece = item;
	struct fetcher *f = ctx;

	if (*why->msg) {
		if (!*f->failed.msg)
			f->failed = *why;
		return;
	}
	if (r->absent || r->size != piece->size || r->n != piece->size)
		f->changed = true;
	else
		write_piece(f, p, r->n, piece->at);
}

static int fetch_one(const struct store *s, struct fetcher *f, const struct store_piece *piece,
                     char *bytes, struct err *e)
{
	struct store_range r = {.n = 0};

	if (store_pieces_name(f->p->folder, piece->at, f->address))
		return err_set(e, "%s: the address is too long", f->p->folder);
	for (uint64_t done = 0; done < piece->size; done += r.n) {
		char tag[STORE_TAG_MAX];
		memcpy(tag, r.tag, sizeof tag);
		if (store_read(s, f->address, done, tag, bytes, READ_MAX, &r, e))
			return -1;
		if (r.absent || r.size != piece->size || r.n == 0) {
			f->changed = true;
			return 0;
		}
		write_piece(f, bytes, r.n, piece->at + done);
		if (*f->failed.msg)
			return err_set(e, "%s", f->failed.msg);
	}
	return 0;
}

/* Pieces that overlap are written in the order of their offsets: the later one counts. */
static int fetch_others(const struct store *s, struct fetcher *f, struct err *e)
{
	char *bytes = malloc(READ_MAX);
	int failed = bytes ? 0 : err_set(e, "no memory for the pieces");

	for (size_t i = 0; i < f->p->n && !failed && !f->changed; i++)
		if (!is_apart(f->p, i))
			failed = fetch_one(s, f, &f->p->v[i], bytes, e);
	free(bytes);
	return failed;
}

static int fetch_once(const struct store *s, const struct store_pieces *p, int fd, bool *changed,
                      struct err *e)
{
	struct fetcher f = {.p = p, .fd = fd};
	const struct store_heads heads = {
	    .next = next_apart, .each = take_apart, .ctx = &f, .n = HEAD_MAX};
	int failed = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].at > STORE_PIECES_BYTES || p->v[i].size > STORE_PIECES_BYTES)
			return err_set(e, "%s: the pieces are too large", p->folder);
	if (ftruncate(fd, 0))
		return err_set(e, "the pieces cannot be put together: %s", strerror(errno));
	if (store_heads(s, &heads, e))
		return -1;
	if (*f.failed.msg)
		return err_set(e, "%s", f.failed.msg);
	if (!f.changed)
		failed = fetch_others(s, &f, e);
	*changed = f.changed;
	return failed;
}

/* While pieces are read, their recorder may replace some by one, or end the recording. */
int store_pieces_fetch(const struct store *s, const struct store_pieces *p, int fd, struct err *e)
{
	struct store_pieces again = {.n = 0};
	bool changed = false;
	int rc = -1;

	if (fetch_once(s, p, fd, &changed, e))
		return -1;
	for (int i = 1; i < FETCH_TRIES && changed; i++) {
		store_pieces_free(&again);
		changed = false;
		if (store_pieces_find(s, p->folder, &again, e))
			goto out;
		if (again.n == 0) {
			err_set(e, "%s: the recording has ended meanwhile; try again", p->folder);
			goto out;
		}
		if (fetch_once(s, &again, fd, &changed, e))
			goto out;
	}
	if (changed)
		err_set(e, "%s: the pieces change too fast; try again", p->folder);
	else
		rc = 0;
out:
	store_pieces_free(&again);
	return rc;
}

/* -- deleting ---------------------------------------------------------------------------------- */

int store_pieces_delete(const struct store *s, const struct store_pieces *p, struct err *e)
{
	char address[STORE_PIECES_ADDRESS];

	for (size_t i = p->n; i-- > 0;)
		if (store_pieces_name(p->folder, p->v[i].at, address) == 0 &&
		    store_delete(s, address, e))
			return -1;
	return 0;
}

/* Reads the header of the journal from its first piece. */
static int read_first_piece(const struct store *s, const struct store_pieces *p,
                            struct journal_layout *h, struct snapshot *of)
{
	const size_t magic = strlen(JOURNAL_MAGIC);
	char address[STORE_PIECES_ADDRESS], *text = malloc(HEADER_MAX);
	struct store_range r = {.n = 0};
	size_t n = 0;
	int rc = -1;

	if (!text || store_pieces_name(p->folder, 0, address))
		goto out;
	while (n < HEADER_MAX && (n <= magic || !memchr(text + magic, '\n', n - magic))) {
		size_t most = HEADER_MAX - n < READ_MAX ? HEADER_MAX - n : READ_MAX;
		if (store_read(s, address, n, "", text + n, most, &r, NULL))
			goto out;
		if (r.absent || !r.n)
			break;
		n += r.n;
	}
	rc = journal_layout_parse(h, of, text, n);
out:
	free(text);
	return rc;
}

/* A folder whose owner is not known belongs to another recording. */
static bool is_of_recording(const struct store *s, const struct store_pieces *p,
                            const struct snapshot *of)
{
	struct journal_layout h;
	struct snapshot journal = {.schema = SCHEMA_1};
	bool ours = p->v[0].at == 0 && read_first_piece(s, p, &h, &journal) == 0 &&
	            journal_header_same(&journal, of);

	snapshot_free(&journal);
	return ours;
}

static int read_recording(const char *file, struct snapshot *of)
{
	struct journal_layout h;
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int failed = fd < 0 || journal_layout_read(&h, of, fd, NULL);

	if (fd >= 0)
		close(fd);
	if (!failed)
		return 0;
	snapshot_free(of);
	return snapshot_read_path(of, file, SNAPSHOT_WANT_HEAD, NULL);
}

int store_pieces_delete_same(const struct store *s, const char *address, const char *file,
                             size_t *n, struct err *e)
{
	struct snapshot of = {.schema = SCHEMA_1};
	struct finder f = {.n = 0};
	int failed = 0;

	*n = 0;
	if (read_recording(file, &of) == 0)
		failed = find_folders(s, address, &f, e);
	for (size_t i = 0; i < f.n && !failed; i++)
		if (is_of_recording(s, &f.v[i], &of)) {
			failed = store_pieces_delete(s, &f.v[i], e);
			*n += f.v[i].n;
		}
	free_folders(&f);
	snapshot_free(&of);
	return failed;
}
