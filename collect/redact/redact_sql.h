/*
 * redact_sql: finds secrets in SQL without a name directly before them.
 */
#ifndef COLLECT_REDACT_REDACT_SQL_H
#define COLLECT_REDACT_REDACT_SQL_H

#include "collect/redact/redact_text.h"

/* If one of these statements or calls begins at i, which is at the beginning of a word, hides its
 * secrets and returns the position to continue at; else returns i.
 *
 *   SET PASSWORD FOR me = 'X'                         PRAGMA rekey = 'X'
 *   INSERT INTO t (name, password) VALUES ('me', 'X')
 *   pgp_sym_decrypt(c, 'X'), aes_encrypt(c, 'X'), crypt('X', s), hmac(c, 'X', 'sha256')
 *   mysql('host', 'db', 'table', 'me', 'X') and other tables elsewhere of ClickHouse
 */
size_t redact_sql(struct redact_text *t, size_t i);

#endif
