/*
 * redact_pair: finds a name and its value in a text: NAME=VALUE, "name": "value", Name: value,
 * <name>value</name>, name 'value'.
 */
#ifndef COLLECT_REDACT_REDACT_PAIR_H
#define COLLECT_REDACT_REDACT_PAIR_H

#include "collect/redact/redact_name.h"
#include "collect/redact/redact_text.h"

/* Where the scan is, and what it has seen so far. */
struct redact_scan {
	struct redact_text *t;
	bool netrc;    /* has "machine" or "login": then "password X" is a secret */
	bool pem;      /* has a private key */
	bool dsn;      /* has "u=me," of Percona's tools: then "p=X" is a secret */
	bool pgpass;   /* may have lines of ~/.pgpass */
	size_t within; /* end of the current name: inside it only token forms are searched for */
	size_t named;  /* end of a secret's name that is itself a value; "value" may follow it */
};

/* Hides the value of the name at i, if it is that of a secret. Returns the position to continue at,
 * or i. */
size_t redact_pair(struct redact_scan *s, size_t i);

/* Hides the value at i of a name of this kind. list: a value in JSON, which "," and brackets end.
 * Returns the position to continue at: i if the value is not a secret. */
size_t redact_pair_value(struct redact_scan *s, enum redact_name kind, size_t i, bool list);

/* Returns the end of the name at i. */
size_t redact_pair_name_end(const struct redact_text *t, size_t i);

/* Returns the position after "Bearer ", "Basic " and other authentication schemes at i, or i. */
size_t redact_pair_scheme(const struct redact_text *t, size_t i);

#endif
