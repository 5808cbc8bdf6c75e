/*
 * gz: the one door to zlib. Reads gzip or plain bytes alike; writes one gzip member (RFC 1952).
 */
#ifndef CORE_GZ_H
#define CORE_GZ_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct gz_in;
struct gz_out;

/* Reads from fd, which the caller opened and closes. A first look tells gzip from plain. max caps
 * the inflated bytes, and with 1 MiB more the raw ones. NULL with a sentence where there is no
 * memory. */
struct gz_in *gz_in_new(int fd, uint64_t max, struct err *e);

/* Up to n bytes; 0 at the end; -1: damaged, truncated, over the cap, or a read error, with the
 * place in the sentence. */
long gz_read(struct gz_in *g, char *p, size_t n, struct err *e);

/* How many bytes were inflated, or were read of a file that inflates to less. */
uint64_t gz_in_total(const struct gz_in *g);

void gz_in_free(struct gz_in *g);

/* Writes to fd, which the caller opened and closes. */
struct gz_out *gz_out_new(int fd, struct err *e);
int gz_write(struct gz_out *g, const char *p, size_t n, struct err *e);

/* Writes what is left and the trailer. 0, or -1. */
int gz_finish(struct gz_out *g, struct err *e);
void gz_out_free(struct gz_out *g);

#endif
