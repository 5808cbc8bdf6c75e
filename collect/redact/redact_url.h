/*
 * redact_url: passwords in addresses, and addresses that are secrets.
 */
#ifndef COLLECT_REDACT_REDACT_URL_H
#define COLLECT_REDACT_REDACT_URL_H

#include "collect/redact/redact_text.h"

/* Hides the password in "//user:password@host", and a user that is a token; i is at "//". Returns
 * where to go on, which is behind i. */
size_t redact_url(struct redact_text *t, size_t i);

/* The same in "user:password@host" without a scheme; i is at the beginning of a word. Returns i
 * where it is none. */
size_t redact_url_bare(struct redact_text *t, size_t i);

/* Hides the rest of an address that lets whoever knows it post. Returns i where it is none. */
size_t redact_url_webhook(struct redact_text *t, size_t i);

#endif
