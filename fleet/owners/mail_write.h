/*
 * mail_write: a fleet → a message for each owner who has something new to change.
 */
#ifndef FLEET_OWNERS_MAIL_WRITE_H
#define FLEET_OWNERS_MAIL_WRITE_H

#include "fleet/owners/mail_model.h"

struct mail_write {
	struct mail_input in;
	const char *folder; /* of the messages */
	const char *state;  /* NULL: in the folder */
	const char *domain; /* NULL: none */
};

#define MAIL_WRITE_STATE "said.jsonl"

/* What became of the owners whose jobs break rules. */
struct mail_written {
	size_t written;
	size_t told;     /* before: nothing is new */
	size_t nameless; /* no message can be addressed to their names */
};

/* The fleet is grouped by owner, then name. Messages that were written before an error stay, and
 * are remembered. -1 with a sentence. */
int mail_write_all(const struct mail_write *w, struct mail_written *out, struct err *e);

#endif
