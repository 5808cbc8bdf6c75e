/*
 * redact_scan: finds secrets in a text of any kind, by their context (NAME=VALUE, "name": "value",
 * headers, user:password@host, webhook URLs, private keys, SQL, .netrc) and by their own form.
 */
#ifndef COLLECT_REDACT_REDACT_SCAN_H
#define COLLECT_REDACT_REDACT_SCAN_H

#include "collect/redact/redact_text.h"

/* Hides every secret in the text. Takes linear time. */
void redact_scan(struct redact_text *t);

#endif
