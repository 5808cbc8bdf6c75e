/*
 * line_writer: writes whole lines to a file, pipe, socket or terminal, and never waits for its
 * reader.
 *
 * What a reader does not take waits in a queue of LINE_WRITER_QUEUE bytes; a line that finds no
 * room
 * there is lost and counted. Standard output is shared with the command and others, so O_NONBLOCK
 * is never set on it: a pipe or terminal is opened once more instead, where that is permitted. A
 * FIFO without a reader is opened when it has one. Files on disks are written as usual.
 */
#ifndef COLLECT_LINE_WRITER_H
#define COLLECT_LINE_WRITER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define LINE_WRITER_MAX   PIPE_BUF /* bytes of a line: a pipe takes it whole or not at all */
#define LINE_WRITER_QUEUE 65536

/* How a write that would wait is kept from waiting. */
enum line_writer_how {
	LINE_WRITER_FILE,   /* it does not wait for a reader */
	LINE_WRITER_OWN,    /* O_NONBLOCK, on an open file description that nobody shares */
	LINE_WRITER_SOCKET, /* MSG_DONTWAIT, for each write */
	LINE_WRITER_SHARED  /* RWF_NOWAIT for each write; where the kernel cannot, poll(2) first */
};

struct line_writer {
	int fd;           /* -1: not open, or a FIFO without a reader */
	const char *path; /* of a FIFO that had no reader at first; else NULL */
	bool alone;       /* nobody else writes to it: part of a line is taken back */
	enum line_writer_how how;
	char *queue;
	size_t used, part; /* bytes in it; bytes of its first line that are written already */
	size_t lost;       /* lines */
	bool refused;      /* poll(2) said that there is room, and there was none */
};

/* Opens the file, or with path NULL standard output. A file keeps its content until
 * line_writer_begin.
 * The name is borrowed. 0, or -1 with errno. */
int line_writer_open(struct line_writer *l, const char *path);

/* To be called before the first line: empties a regular file. If it is also the file of standard
 * output or standard error, it is written through that descriptor instead: with a position of its
 * own, it would overwrite what the command writes. 0, or -1 with errno. */
int line_writer_begin(struct line_writer *l);

/* Writes the line of n <= LINE_WRITER_MAX bytes with its newline, after those that wait, or puts
 * it in
 * the queue. 0, or -1 with errno where writing fails for another reason than a reader that waits.
 */
int line_writer_put(struct line_writer *l, const char *line, size_t n);

/* Writes what waits, as far as there is room. 0, or -1 with errno. */
int line_writer_flush(struct line_writer *l);

/* What to poll(2) for POLLOUT before line_writer_flush; -1: nothing waits. */
int line_writer_fd(const struct line_writer *l);

/* Waits for the reader to take what waits, limit_ms at most; the rest is lost. Closes. 0, or -1
 * with errno: what was written may not all be there. */
int line_writer_close(struct line_writer *l, int limit_ms);

#endif
