/*
 * line_writer: writes whole lines to a file, pipe, socket or terminal, and never waits for its
 * reader.
 *
 * Lines wait for a slow reader in a queue of LINE_WRITER_QUEUE bytes; a line that does not fit into
 * it is lost and counted. O_NONBLOCK is never set on standard output, because the command and other
 * processes share its open file description: a pipe or terminal is opened a second time instead, if
 * that is permitted. A FIFO without a reader is opened as soon as it has one. Files on disks are
 * written as usual.
 */
#ifndef COLLECT_OUTPUT_LINE_WRITER_H
#define COLLECT_OUTPUT_LINE_WRITER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define LINE_WRITER_MAX   PIPE_BUF /* bytes of a line: a write to a pipe is all or nothing */
#define LINE_WRITER_QUEUE 65536

/* How to write without waiting. */
enum line_writer_how {
	LINE_WRITER_FILE,   /* a file has no reader to wait for */
	LINE_WRITER_OWN,    /* O_NONBLOCK on an open file description of our own */
	LINE_WRITER_SOCKET, /* MSG_DONTWAIT on each write */
	LINE_WRITER_SHARED  /* RWF_NOWAIT on each write; poll(2) before it on kernels without it */
};

struct line_writer {
	int fd;           /* -1: not open, or a FIFO without a reader */
	const char *path; /* of a FIFO that had no reader at first; else NULL */
	bool alone;       /* no other writer: an incomplete line can be removed again */
	enum line_writer_how how;
	char *queue;
	size_t used, part; /* bytes in the queue; written bytes of its first line */
	size_t lost;       /* lines */
	bool refused;      /* poll(2) promised room, and there was none */
};

/* Opens the file, or standard output if path is NULL. A file keeps its content until
 * line_writer_begin. The path is borrowed. Returns 0, or -1 with errno. */
int line_writer_open(struct line_writer *l, const char *path);

/* Empties a regular file; call it before the first line. If standard output or standard error goes
 * to the same file, lines go through that descriptor: a position of its own would overwrite the
 * command's output. Returns 0, or -1 with errno. */
int line_writer_begin(struct line_writer *l);

/* Writes a line of n <= LINE_WRITER_MAX bytes with its newline, after the queued lines, or queues
 * it. Returns 0, or -1 with errno if writing fails for another reason than a slow reader. */
int line_writer_put(struct line_writer *l, const char *line, size_t n);

/* Writes queued lines, as far as there is room. Returns 0, or -1 with errno. */
int line_writer_flush(struct line_writer *l);

/* Returns the descriptor to poll(2) for POLLOUT before line_writer_flush; -1: no need to. */
int line_writer_fd(const struct line_writer *l);

/* Waits until the reader has read the queued lines, limit_ms at most; the rest is lost. Closes.
 * Returns 0, or -1 with errno: some written lines may be missing. */
int line_writer_close(struct line_writer *l, int limit_ms);

#endif
