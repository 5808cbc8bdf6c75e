/* read_ahead: a worker process that inflates the next file while this process parses the last. */
#include "report/runs/read_ahead.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/gz.h"

/* A question has the turn as its field, and then the path. The field of the answer is a size_t: the
 * bytes of content, 0 for a file that the worker does not give. */

struct serving {
	char *content;
	read_ahead_drop *drop;
	const void *ctx;
};

/* -- in the worker ----------------------------------------------------------------------------- */

static size_t inflate_whole(int fd, char *content)
{
	struct gz_in *g = gz_in_new(fd, READ_AHEAD_MAX, NULL);
	size_t n = 0;
	long got = -1;

	while (g && n < READ_AHEAD_MAX &&
	       (got = gz_read(g, content + n, READ_AHEAD_MAX - n, NULL)) > 0)
		n += (size_t)got;
	/* Where the raw bytes are more than the content, they count in the budget. */
	if (got != 0 || gz_in_total(g) != n)
		n = 0;
	gz_in_free(g);
	return n;
}

/* Asks before it opens: a FIFO has one reader only. */
static size_t give_file(const char *path, char *content)
{
	struct stat st;
	size_t n;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return 0;
	n = inflate_whole(fd, content);
	close(fd);
	return n;
}

static void serve_contents(int fd, const void *ctx)
{
	const struct serving *s = ctx;
	char path[PATH_MAX];
	size_t turn, n;

	s->drop(s->ctx);
	do {
		if (!worker_receive(fd, &turn, sizeof turn, path, sizeof path - 1, &n, NULL) ||
		    turn > 1)
			return;
		path[n] = '\0';
		n = give_file(path, s->content + turn * READ_AHEAD_MAX);
	} while (worker_send(fd, &n, sizeof n, NULL, 0, NULL));
}

/* -- in this process --------------------------------------------------------------------------- */

void read_ahead_start(struct read_ahead *a, read_ahead_drop *drop, const void *ctx)
{
	struct serving s = {.drop = drop, .ctx = ctx};

	*a = (struct read_ahead){0};
	s.content = mmap(NULL, 2 * READ_AHEAD_MAX, PROT_READ | PROT_WRITE,
	                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s.content == MAP_FAILED)
		return;
	a->content = s.content;
	if (worker_start(&a->worker, serve_contents, &s, NULL))
		read_ahead_stop(a);
}

/* The worker handles files of others, so its answer is checked. One that is not a snapshot in JSON
 * is for the caller, because it may be a journal, which must be a file. */
const char *read_ahead_take(struct read_ahead *a, size_t *n)
{
	const char *content;

	if (!a || !a->asked)
		return NULL;
	a->asked = false;
	if (!worker_receive(a->worker.fd, n, sizeof *n, NULL, 0, NULL, NULL)) {
		read_ahead_stop(a); /* it has ended */
		return NULL;
	}
	content = a->content + a->turn * READ_AHEAD_MAX;
	return *n > 0 && *n <= READ_AHEAD_MAX && *content == '{' ? content : NULL;
}

void read_ahead_ask(struct read_ahead *a, struct input in)
{
	size_t n;

	read_ahead_take(a, &n); /* what nobody took */
	n = strlen(in.name);
	if (!a || !a->worker.pid || n >= PATH_MAX || in.place != INPUT_FILE || in.at)
		return;
	a->turn = !a->turn;
	/* If the worker has ended, reading its answer fails. */
	a->asked = worker_send(a->worker.fd, &a->turn, sizeof a->turn, in.name, n, NULL);
}

void read_ahead_stop(struct read_ahead *a)
{
	worker_stop(&a->worker);
	if (a->content)
		munmap(a->content, 2 * READ_AHEAD_MAX);
	*a = (struct read_ahead){0};
}
