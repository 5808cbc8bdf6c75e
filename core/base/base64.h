/*
 * base64: bytes as text (RFC 4648, with "+", "/" and "=").
 */
#ifndef CORE_BASE_BASE64_H
#define CORE_BASE_BASE64_H

#include <stddef.h>

#include "core/base/buf.h"

void base64_add(struct buf *out, const void *bytes, size_t n);

/* Appends the bytes that n characters stand for; white space among them is passed over. -1 if they
 * are not base64, or out is full. Pure. */
int base64_read(struct buf *out, const char *text, size_t n);

#endif
