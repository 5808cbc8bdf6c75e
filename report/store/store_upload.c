/* store_upload: uploads a recording while it runs. */
#include "report/store/store_upload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/tmpfile.h"
#include "report/store/journal_header.h"
#include "report/store/store_pieces.h"

#define BYTES_AT_ONCE ((size_t)16 << 10)

/* So many pieces become one, so that a week leaves hundreds of objects and not ten thousand. */
#define TOGETHER_MAX   64
#define TOGETHER_BYTES ((uint64_t)32 << 20)

struct uploader {
	struct store *s;
	const struct store_upload *u;
	int journal; /* -1: there is none */
	struct err no_journal;
	struct journal_layout header;
	char folder[STORE_PIECES_ADDRESS]; /* of our pieces; "": none is there yet */
	bool unclaimed;                    /* our first piece may be there, but nobody said so */
	uint64_t sent;                     /* bytes of the journal that are there */
	uint64_t small[TOGETHER_MAX];      /* offsets of the last pieces that may become one */
	size_t n_small;
	bool warned;
	char line[PATH_MAX]; /* from standard input */
	size_t n_line;
};

void store_upload_ignore_signals(void)
{
	const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP};

	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		signal(ignored[i], SIG_IGN);
}

/* -- pieces ------------------------------------------------------------------------------------ */

/* Puts the bytes of an open file from one offset to another. */
static int upload_bytes(struct uploader *w, const struct store_put *as, int fd, uint64_t from,
                        uint64_t to, bool *exists, struct err *e)
{
	char bytes[BYTES_AT_ONCE];
	int failed = 0;

	if (store_put_begin(w->s, as, e))
		return -1;
	while (!failed && from < to) {
		size_t n = to - from < sizeof bytes ? (size_t)(to - from) : sizeof bytes;
		if (tmpfile_read(fd, bytes, n, (off_t)from))
			failed = err_set(e, "cannot be read: %s", strerror(errno));
		else
			failed = store_put_write(w->s, bytes, n, e);
		from += n;
	}
	if (!failed)
		return store_put_end(w->s, exists, e);
	store_put_drop(w->s);
	return -1;
}

static int upload_piece(struct uploader *w, const char *folder, uint64_t from, uint64_t to,
                        bool *exists, struct err *e)
{
	char address[STORE_PIECES_ADDRESS];
	const struct store_put as = {.address = address, .only_new = exists != NULL};

	if (store_pieces_name(folder, from, address))
		return err_set(e, "%s: the address is too long", folder);
	return upload_bytes(w, &as, w->journal, from, to, exists, e);
}

/* Whether the first piece of a folder is of our journal: it was put, but the answer was lost, or
 * by an uploader before us. *size: of that piece. */
static int is_our_folder(struct uploader *w, const char *folder, bool *ours, uint64_t *size,
                         struct err *e)
{
	char address[STORE_PIECES_ADDRESS], our[BYTES_AT_ONCE], theirs[BYTES_AT_ONCE];
	struct store_range r = {.n = 0};
	size_t n = 0;

	*ours = false;
	if (store_pieces_name(folder, 0, address))
		return err_set(e, "%s: the address is too long", folder);
	for (size_t most; n < w->header.size; n += r.n) {
		most = w->header.size - n < sizeof our ? w->header.size - n : sizeof our;
		if (tmpfile_read(w->journal, our, most, (off_t)n))
			return err_set(e, "cannot be read: %s", strerror(errno));
		if (store_read(w->s, address, n, "", theirs, most, &r, e))
			return -1;
		if (r.absent || !r.n || memcmp(our, theirs, r.n) != 0)
			break;
	}
	*ours = n == w->header.size;
	*size = r.size;
	return 0;
}

/* Pieces of a recording whose first piece is gone: nobody reads them, but after ours they would be
 * read as ours. One that was on its way when its recording ended may come so late. */
static void delete_strays(struct uploader *w)
{
	struct store_pieces there = {.n = 0};
	size_t own = 0;

	if (store_pieces_find(w->s, w->folder, &there, NULL) == 0 && there.n > 1) {
		while (own < there.n && there.v[own].at == 0)
			own++;
		memmove(there.v, there.v + own, (there.n - own) * sizeof *there.v);
		there.n -= own;
		(void)store_pieces_delete(w->s, &there, NULL);
	}
	store_pieces_free(&there);
}

/* Puts the first piece into the first folder that no other recorder has. */
static int claim_folder(struct uploader *w, uint64_t to, struct err *e)
{
	char folder[STORE_PIECES_ADDRESS];
	uint64_t size = to;

	for (unsigned i = 1; i <= STORE_PIECES_FOLDERS; i++) {
		bool exists = false, ours = true;
		if (store_pieces_folder(w->u->address, i, folder))
			return err_set(e, "%s: the address is too long", w->u->address);
		w->unclaimed = true;
		if (upload_piece(w, folder, 0, to, &exists, e) ||
		    (exists && is_our_folder(w, folder, &ours, &size, e)))
			return -1;
		if (!ours)
			continue;
		memcpy(w->folder, folder, sizeof folder);
		if (!exists)
			delete_strays(w);
		w->sent = exists ? size : to;
		w->small[0] = 0;
		w->n_small = 1;
		return 0;
	}
	return err_set(e, "%s: the pieces of %d recordings with this key are there already",
	               w->u->address, STORE_PIECES_FOLDERS);
}

/* Puts the last pieces once more, as one, and deletes the others. If that fails half-way, pieces
 * overlap, which is allowed. */
static void join_pieces(struct uploader *w)
{
	char address[STORE_PIECES_ADDRESS];
	uint64_t from = w->small[0];
	bool done = w->sent - from <= TOGETHER_BYTES &&
	            upload_piece(w, w->folder, from, w->sent, NULL, NULL) == 0;

	for (size_t i = w->n_small; done && i-- > 1;)
		done = store_pieces_name(w->folder, w->small[i], address) == 0 &&
		       store_delete(w->s, address, NULL) == 0;
	w->n_small = 0;
}

/* Uploads what is new. ended: nobody writes the journal any more. */
static int upload_new(struct uploader *w, bool ended, struct err *e)
{
	uint64_t to;
	int failed = ended ? journal_header_end(w->journal, &w->header, &to, e)
	                   : journal_header_settled(w->journal, &w->header, w->sent, &to, e);

	if (failed)
		return err_wrap(e, "%s", w->u->journal);
	if (!*w->folder)
		return claim_folder(w, to, e);
	if (to <= w->sent)
		return 0;
	if (upload_piece(w, w->folder, w->sent, to, NULL, e))
		return -1;
	w->small[w->n_small++] = w->sent;
	w->sent = to;
	if (w->n_small == TOGETHER_MAX && !ended)
		join_pieces(w);
	return 0;
}

/* -- the end ----------------------------------------------------------------------------------- */

static int put_snapshot(struct uploader *w, const char *path, struct err *e)
{
	const struct store_put as = {.address = w->u->address};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), failed;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		err_set(e, "%s: %s", path, strerror(errno));
		failed = -1;
	} else {
		failed = upload_bytes(w, &as, fd, 0, (uint64_t)st.st_size, NULL, e);
	}
	if (fd >= 0)
		close(fd);
	return failed;
}

/* The snapshot is there, so pieces that stay do no harm: nobody reads them. */
static void delete_own_pieces(struct uploader *w)
{
	struct store_pieces pieces = {.n = 0};
	struct err why = {0};
	size_t n;
	int failed = 0;

	if (*w->folder)
		failed = store_pieces_find(w->s, w->folder, &pieces, &why) ||
		         store_pieces_delete(w->s, &pieces, &why);
	else if (w->unclaimed)
		failed = store_pieces_delete_same(w->s, w->u->address, w->line, &n, &why);
	if (failed)
		w->u->warn(&why);
	store_pieces_free(&pieces);
}

/* -- the loop ---------------------------------------------------------------------------------- */

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

enum input { INPUT_NOTHING, INPUT_LINE, INPUT_END };

/* Waits for a line of standard input until a time has come. */
static enum input await_input(struct uploader *w, int64_t until)
{
	struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = w->s->worker.fd}};
	int64_t left = until - now_ms();
	ssize_t n;

	if (left < 0)
		left = 0;
	else if (left > INT_MAX)
		left = INT_MAX;
	if (poll(fds, 2, (int)left) <= 0 || !fds[0].revents)
		return INPUT_NOTHING;
	n = read(STDIN_FILENO, w->line + w->n_line, sizeof w->line - w->n_line);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return INPUT_NOTHING;
	if (n <= 0)
		return INPUT_END;
	w->n_line += (size_t)n;
	if (w->line[w->n_line - 1] == '\n') {
		w->line[w->n_line - 1] = '\0';
		return INPUT_LINE;
	}
	return w->n_line == sizeof w->line ? INPUT_END : INPUT_NOTHING;
}

static bool has_input(void)
{
	struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&fd, 1, 0) > 0;
}

/* The end of the recording does not wait for a piece: what comes then has all of it. */
static void try_upload(struct uploader *w)
{
	struct err why = {0};
	int failed;

	w->s->stdin_stops = true;
	failed = upload_new(w, false, &why);
	w->s->stdin_stops = false;
	if (failed && has_input())
		return;
	if (!failed) {
		w->warned = false;
		return;
	}
	err_wrap(&why, "the upload failed, and is tried again every %g s", w->u->every_s);
	if (!w->warned)
		w->u->warn(&why);
	w->warned = true;
}

static int upload_until_end(struct uploader *w, struct err *e)
{
	enum input in = INPUT_NOTHING;

	while (in == INPUT_NOTHING) {
		int64_t next = now_ms() + (int64_t)(w->u->every_s * 1000);
		if (w->journal >= 0)
			try_upload(w);
		do
			in = await_input(w, next);
		while (in == INPUT_NOTHING && now_ms() < next && !store_is_lost(w->s));
		if (store_is_lost(w->s)) /* the recorder starts another one of us */
			return err_set(e, "the process that speaks to the store has ended");
	}
	if (in == INPUT_END)
		return w->journal < 0 ? err_set(e, "%s", w->no_journal.msg)
		                      : upload_new(w, true, e);
	if (put_snapshot(w, w->line, e))
		return -1;
	delete_own_pieces(w);
	return 0;
}

/* A short run may have ended by now: its journal is gone, and the snapshot will be put. */
static void open_journal(struct uploader *w)
{
	struct snapshot head = {.schema = SCHEMA_1};

	w->journal = open(w->u->journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (w->journal < 0) {
		err_set(&w->no_journal, "%s: %s", w->u->journal, strerror(errno));
		return;
	}
	if (journal_layout_read(&w->header, &head, w->journal, &w->no_journal)) {
		err_wrap(&w->no_journal, "%s", w->u->journal);
		close(w->journal);
		w->journal = -1;
	}
	snapshot_free(&head);
}

int store_upload_run(struct store *s, const struct store_upload *u, struct err *e)
{
	struct uploader *w = calloc(1, sizeof *w);
	int failed;

	if (!w)
		return err_set(e, "no memory to upload");
	w->s = s;
	w->u = u;
	open_journal(w);
	failed = upload_until_end(w, e);
	if (w->journal >= 0)
		close(w->journal);
	free(w);
	return failed;
}
