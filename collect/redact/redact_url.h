/*
 * redact_url: hides passwords in URLs, and URLs that are secrets themselves.
 */
#ifndef COLLECT_REDACT_REDACT_URL_H
#define COLLECT_REDACT_REDACT_URL_H

#include "collect/redact/redact_text.h"

/* Hides the password in "//user:password@host", and a user that is a token; i is at "//". Returns
 * the position to continue at, which is after i. */
size_t redact_url(struct redact_text *t, size_t i);

/* The same in "user:password@host" without "//"; i is at the beginning of a word. Returns i if
 * there is none. */
size_t redact_url_bare(struct redact_text *t, size_t i);

/* Hides the secret part of a webhook URL, which lets anybody who knows it post. Returns i if there
 * is none. */
size_t redact_url_webhook(struct redact_text *t, size_t i);

#endif
