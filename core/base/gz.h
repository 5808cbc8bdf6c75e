/*
 * gz: the one door to zlib. Reads gzip or plain bytes alike; writes one gzip member (RFC 1952),
 * or plain bytes.
 */
#ifndef CORE_BASE_GZ_H
#define CORE_BASE_GZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"

struct gz_in;
struct gz_out;
struct gz_head;

/* Reads from fd, which stays the caller's. The first two bytes say whether it is gzip. max caps the
 * inflated bytes; raw bytes are capped at 1 MiB more. NULL with a sentence if there is no memory.
 * */
struct gz_in *gz_in_new(int fd, uint64_t max, struct err *e);

/* Where raw bytes come from, if not from a descriptor. read: stores up to n bytes that follow the
 * first `at`; returns how many, 0 at the end, or -1 with a sentence. Called in order, from 0 on. */
struct gz_source {
	long (*read)(void *ctx, uint64_t at, void *p, size_t n, struct err *e);
	void *ctx;
};

/* The same from a source, which is copied. */
struct gz_in *gz_in_from(const struct gz_source *from, uint64_t max, struct err *e);

/* Reads text in memory that was inflated before, at most 1 GiB; it stays the caller's. Each byte of
 * it is looked at once, to copy it: it may be shared with a process that is not trusted. */
struct gz_in *gz_in_text(const char *text, size_t n, uint64_t max, struct err *e);

/* Reads up to n bytes. 0 at the end; -1 if the data is damaged, truncated or over the cap, or on a
 * read error; the sentence says where. */
long gz_read(struct gz_in *g, char *p, size_t n, struct err *e);

/* A member may state its own size, in a subfield of its header (docs/snapshot.md): then a file is a
 * row of members, each a content of its own, and reading ends with the first of them. Members
 * without it that follow each other are one content.
 *
 * gz_member_size: of the member that begins with these n bytes; 0: it does not state it. Pure.
 * gz_member_begins: whether n bytes, at least one, can be the first of one that states its size.
 * gz_member_state: appends the whole member p of n bytes to out, with its size stated; -1: it is
 * not a member as gz_out writes them, or there is no memory. */
#define GZ_MEMBER_HEAD 24 /* bytes that gz_member_size needs */
uint64_t gz_member_size(const void *p, size_t n);
bool gz_member_begins(const void *p, size_t n);
int gz_member_state(struct buf *out, const char *p, size_t n);

/* Whether what is read is such a member; known after the first gz_read. */
bool gz_in_is_stated(const struct gz_in *g);

/* Bytes inflated so far, or bytes read where that is more. */
uint64_t gz_in_total(const struct gz_in *g);

void gz_in_free(struct gz_in *g);

/* Inflates the beginnings of many files with the memory of one. NULL with a sentence. */
struct gz_head *gz_head_new(struct err *e);

/* Stores the beginning of the content, of which raw has the first n bytes as they are in the file,
 * gzip or plain: at most max bytes, fewer where the rest of raw is needed. Returns how many; -1 if
 * the data is damaged. */
long gz_head_read(struct gz_head *g, const void *raw, size_t n, char *out, size_t max);

void gz_head_free(struct gz_head *g);

/* Inflates the beginning of zlib data (RFC 1950), as git keeps objects: up to max bytes. Returns
 * how many, or -1 if it is not such data or there is no memory. */
long gz_zlib_head(const void *raw, size_t n, char *out, size_t max);

/* Writes to fd, which stays the caller's; the second without compression. */
struct gz_out *gz_out_new(int fd, struct err *e);
struct gz_out *gz_out_plain(int fd, struct err *e);
int gz_write(struct gz_out *g, const char *p, size_t n, struct err *e);

/* Writes the rest of the data and the trailer. 0, or -1. */
int gz_finish(struct gz_out *g, struct err *e);
void gz_out_free(struct gz_out *g);

/* Appends n bytes as one gzip member, by zlib's level (1: fast … 9: small). -1 with a sentence
 * without memory, or if out is full. */
int gz_pack(struct buf *out, const char *p, size_t n, int level, struct err *e);

#endif
