/* watch_file: the bytes of a journal that grows. */
#include "report/watch/watch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/tmpfile.h"
#include "core/files/journal_running.h"
#include "report/runs/load_store.h"
#include "report/store/store_pieces.h"

#define AT_ONCE ((size_t)4 << 20) /* bytes of one request */

/* Copies what a piece has behind f->have. */
static int fetch_piece(struct watch_file *f, const char *folder, const struct store_piece *piece,
                       char *bytes, struct err *e)
{
	char address[STORE_PIECES_ADDRESS];

	if (store_pieces_name(folder, piece->at, address))
		return err_set(e, "%s: the address is too long", folder);
	while (f->have < piece->at + piece->size) {
		uint64_t from = f->have > piece->at ? f->have - piece->at : 0;
		struct store_range got;
		if (store_read(f->store, address, from, "", bytes, AT_ONCE, &got, e))
			return -1;
		if (!got.n)
			return 0; /* it was replaced by a longer one: the next listing has that */
		if (pwrite(f->fd, bytes, got.n, (off_t)(piece->at + from)) != (ssize_t)got.n)
			return err_set(e, "the pieces cannot be put together: %s", strerror(errno));
		f->have = piece->at + from + got.n;
	}
	return 0;
}

int watch_file_grow(struct watch_file *f, struct err *e)
{
	struct store_pieces pieces = {.n = 0};
	char *bytes;
	int failed;

	if (!f->store)
		return 0;
	if (load_store_pieces(f->store, f->in.name, &pieces, e))
		return -1;
	f->gone = !pieces.n;
	f->modified = pieces.n ? pieces.modified : f->modified;
	bytes = alloc_failed_note(malloc(AT_ONCE));
	failed = bytes ? 0 : err_set(e, "no memory for the pieces");
	for (size_t i = 0; i < pieces.n && !failed; i++)
		if (pieces.v[i].size <= STORE_PIECES_BYTES &&
		    pieces.v[i].at <= STORE_PIECES_BYTES &&
		    pieces.v[i].at + pieces.v[i].size > f->have)
			failed = fetch_piece(f, pieces.folder, &pieces.v[i], bytes, e);
	free(bytes);
	store_pieces_free(&pieces);
	return failed;
}

int watch_file_open(struct watch_file *f, const struct store *s, struct input in, struct err *e)
{
	*f = (struct watch_file){.in = in, .store = in.place == INPUT_S3 ? s : NULL};
	f->fd = f->store ? tmpfile_temporary() : open(in.name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (f->fd < 0)
		return err_set(e, "%s: %s", in.name, strerror(errno));
	return watch_file_grow(f, e);
}

bool watch_file_runs(const struct watch_file *f, const struct snapshot *head)
{
	if (!f->store)
		return journal_running(f->fd, head);
	return !f->gone &&
	       journal_running_by_time(f->modified, STORE_PIECES_EVERY_S, (double)time(NULL));
}

void watch_file_close(struct watch_file *f)
{
	if (f->fd >= 0 && f->store)
		tmpfile_close(f->fd);
	else if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}
