/*
 * base64: bytes as text (RFC 4648, with "+", "/" and "=").
 */
#ifndef CORE_BASE64_H
#define CORE_BASE64_H

#include <stddef.h>

#include "core/buf.h"

void base64_add(struct buf *out, const void *bytes, size_t n);

#endif
