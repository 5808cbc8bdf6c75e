/*
 * mail_message: a message as a file that sendmail(8) -t takes (RFC 5322, MIME). Pure.
 *
 * Every line ends in LF and has at most 76 bytes, From and To at most 330, whatever the texts hold.
 * Texts are quoted-printable UTF-8; a subject that is not plain ASCII is encoded (RFC 2047).
 */
#ifndef FLEET_OWNERS_MAIL_MESSAGE_H
#define FLEET_OWNERS_MAIL_MESSAGE_H

#include <stdbool.h>

#include "core/base/buf.h"

struct mail_message {
	const char *from;    /* an address as it is to stand there; "": sendmail adds one */
	const char *to;      /* a name that mail_message_is_name accepts */
	const char *domain;  /* NULL: none */
	const char *subject; /* one line of UTF-8 */
	double date;         /* Unix seconds */
	const struct buf *text, *html;
};

/* Whether a name may stand in To: letters, digits and ".+_-", no more than 64. Others would have to
 * be quoted, or are two addresses, and programs differ in what they make of them. */
bool mail_message_is_name(const char *name);

/* Appends the name of the file for an owner, "ann.eml": what may not stand in one is "_", followed
 * by a hash of the owner. */
void mail_message_file(struct buf *out, const char *owner);

/* Whether a file that begins with these bytes is a message of mail_message_write. head needs
 * MAIL_MESSAGE_HEAD bytes, if the file has so many. */
#define MAIL_MESSAGE_HEAD ((size_t)4096)
bool mail_message_is_ours(const char *head, size_t n);

void mail_message_write(struct buf *out, const struct mail_message *m);

#endif
