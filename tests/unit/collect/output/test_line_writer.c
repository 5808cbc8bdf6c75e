/* Whole lines to a reader that stalls, and nobody waits for it. */
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "collect/output/line_writer.h"
#include "tests/unit/unit.h"

#define ROWS 5000 /* more than a pipe and the queue hold */

/* "row 000123 …", 100 bytes. */
static size_t row_text(int i, char line[128])
{
	return (size_t)snprintf(line, 128, "row %06d %088d\n", i, i);
}

/* With our standard output being fd. */
static void open_as_output(struct line_writer *l, int fd)
{
	int before = dup(STDOUT_FILENO);

	fflush(stdout);
	assert_true(dup2(fd, STDOUT_FILENO) >= 0);
	assert_int_equal(line_writer_open(l, NULL), 0);
	assert_true(dup2(before, STDOUT_FILENO) >= 0);
	close(before);
}

static void put_rows(struct line_writer *l, int from, int to)
{
	char line[128];

	for (int i = from; i < to; i++)
		assert_int_equal(line_writer_put(l, line, row_text(i, line)), 0);
}

/* Reads what is there. The bytes are added to text. */
static void take(int fd, char *text, size_t *n, size_t max)
{
	struct pollfd in = {.fd = fd, .events = POLLIN};
	ssize_t got = 1;

	while (got > 0 && poll(&in, 1, 0) > 0) {
		got = read(fd, text + *n, max - *n);
		*n += got > 0 ? (size_t)got : 0;
	}
}

/* The whole lines among n bytes; each must be a row, in order. Carriage returns are a terminal's.
 */
static int count_rows(const char *text, size_t n, int *last)
{
	int rows = 0, at;
	char expect[128];

	*last = -1;
	for (const char *p = text; p < text + n; p = strchr(p, '\n') + 1) {
		size_t size;
		assert_int_equal(sscanf(p, "row %d", &at), 1);
		assert_true(at > *last);
		*last = at;
		size = row_text(at, expect) - 1;
		assert_memory_equal(p, expect, size);
		assert_true(p[size] == '\n' || (p[size] == '\r' && p[size + 1] == '\n'));
		rows++;
	}
	return rows;
}

/* The next row is number from. */
static void check_stall(struct line_writer *l, int from, int reader)
{
	static char text[ROWS * 101];
	size_t n = 0;
	int last, rows;

	put_rows(l, from, ROWS);
	assert_true(l->lost > 0);
	assert_true(line_writer_fd(l) >= 0);
	take(reader, text, &n, sizeof text);
	while (l->used > 0) {
		assert_int_equal(line_writer_flush(l), 0);
		take(reader, text, &n, sizeof text);
	}
	put_rows(l, ROWS, ROWS + 1);
	assert_int_equal(line_writer_close(l, 0), 0);
	take(reader, text, &n, sizeof text);
	rows = count_rows(text, n, &last);
	assert_int_equal(last, ROWS);
	assert_int_equal((size_t)rows + l->lost, ROWS + 1);
}

TEST(a_stalled_pipe_loses_rows_and_is_told)
{
	struct line_writer l;
	int p[2];

	assert_int_equal(pipe(p), 0);
	open_as_output(&l, p[1]);
	/* The pipe is others', too. */
	assert_false(fcntl(p[1], F_GETFL) & O_NONBLOCK);
	check_stall(&l, 0, p[0]);
	assert_false(fcntl(p[1], F_GETFL) & O_NONBLOCK);
	close(p[0]);
	close(p[1]);
}

/* With the open file description that others have, as where it may not be opened again. */
static void open_shared(struct line_writer *l, int fd)
{
	open_as_output(l, fd);
	assert_int_equal(l->how, LINE_WRITER_OWN);
	close(l->fd);
	l->fd = dup(fd);
	l->how = LINE_WRITER_SHARED;
}

TEST(a_shared_pipe_too)
{
	struct line_writer l;
	int p[2];

	assert_int_equal(pipe(p), 0);
	open_shared(&l, p[1]);
	check_stall(&l, 0, p[0]);
	assert_false(fcntl(p[1], F_GETFL) & O_NONBLOCK);
	close(p[0]);
	close(p[1]);
}

TEST(a_stalled_socket_too)
{
	struct line_writer l;
	int s[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	open_as_output(&l, s[1]);
	check_stall(&l, 0, s[0]);
	assert_false(fcntl(s[1], F_GETFL) & O_NONBLOCK);
	close(s[0]);
	close(s[1]);
}

static void check_terminal(void (*open_it)(struct line_writer *, int))
{
	struct line_writer l;
	int master, slave;

	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	assert_int_equal(tcflow(slave, TCOOFF), 0);
	open_it(&l, slave);
	put_rows(&l, 0, 3);
	assert_true(l.used > 0);
	assert_int_equal(tcflow(slave, TCOON), 0);
	check_stall(&l, 3, master);
	assert_false(fcntl(slave, F_GETFL) & O_NONBLOCK);
	close(master);
	close(slave);
}

TEST(a_stalled_terminal_too)
{
	check_terminal(open_as_output);
}

TEST(a_shared_terminal_too)
{
	check_terminal(open_shared);
}

TEST(a_fifo_waits_for_its_reader)
{
	char path[] = "/tmp/rtrack-lines-XXXXXX", name[64], text[512] = "";
	struct line_writer l;
	size_t n = 0;
	int reader, last;

	assert_non_null(mkdtemp(path));
	snprintf(name, sizeof name, "%s/fifo", path);
	assert_int_equal(mkfifo(name, 0600), 0);
	assert_int_equal(line_writer_open(&l, name), 0);
	put_rows(&l, 0, 2);
	assert_int_equal(line_writer_fd(&l), -1);
	reader = open(name, O_RDONLY | O_NONBLOCK);
	put_rows(&l, 2, 3);
	take(reader, text, &n, sizeof text);
	assert_int_equal(count_rows(text, n, &last), 3);
	assert_int_equal(line_writer_close(&l, 0), 0);
	assert_int_equal(l.lost, 0);
	/* And where none comes, all are lost. */
	close(reader);
	assert_int_equal(line_writer_open(&l, name), 0);
	put_rows(&l, 0, 2);
	assert_int_equal(line_writer_close(&l, 20), 0);
	assert_int_equal(l.lost, 2);
	unlink(name);
	rmdir(path);
}

TEST(a_reader_that_went_is_an_error)
{
	struct line_writer l;
	char line[128];
	int p[2];

	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(p), 0);
	open_as_output(&l, p[1]);
	put_rows(&l, 0, 2);
	close(p[0]);
	assert_int_equal(line_writer_put(&l, line, row_text(2, line)), -1);
	(void)line_writer_close(&l, 1000);
	close(p[1]);
}
