/*
 * mail_model: what a message shows, as one JSON tree for templates/mail.txt and mail.html.
 */
#ifndef FLEET_OWNERS_MAIL_MODEL_H
#define FLEET_OWNERS_MAIL_MODEL_H

#include <cjson/cJSON.h>

#include "fleet/owners/mail_rules.h"

#define MAIL_MODEL_JOBS ((size_t)20) /* that are shown; the others are counted */

/* A job that breaks rules. Borrowed. */
struct mail_job {
	const struct fleet_group *group; /* grouped by owner, then name */
	unsigned broken;                 /* bits: mail_rules.h */
};

/* The input that all messages have in common. Borrowed. */
struct mail_input {
	const char *of; /* "user" or "account" */
	const struct mail_rules *rules;
	const struct fleet *fleet;
	const char *currency, *money_basis; /* NULL: USD; none */
	const char *source;                 /* where the runs are from, for people */
	const char *arguments; /* the same, as arguments of a command; NULL: not for owners */
	double now;
};

/* The tree, which the caller owns. Its "subject" is a line of UTF-8. NULL only without memory. */
cJSON *mail_model(const struct mail_input *in, const char *owner, const struct mail_job *job,
                  size_t n);

/* Appends a word of a shell's command line; false, and nothing, if the word has characters that
 * could not be copied from a message. */
bool mail_model_quote(struct buf *out, const char *word);

#endif
