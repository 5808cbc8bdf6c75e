/*
 * s3_error: an answer of a store that reports an error, as one sentence.
 *
 * It names the address, what was tried, the status, the server's code, what that means, and the
 * request's id. What the server wrote is bounded, and secrets that it repeats are taken out.
 */
#ifndef REPORT_STORE_S3_ERROR_H
#define REPORT_STORE_S3_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

enum s3_doing { S3_LISTING, S3_READING, S3_WRITING, S3_DELETING, S3_SENDING /* https:// */ };

/* The XML of an error; texts are "" where it has none. */
struct s3_error {
	char code[80], message[256], region[64], request_id[128];
	double server_time; /* of RequestTimeTooSkewed; NAN: not said */
};

/* body: as it came, of any kind. */
void s3_error_parse(struct s3_error *x, const char *body, size_t n);

/* Whether the code is this one. */
bool s3_error_is(const struct s3_error *x, const char *code);

/* The keys that were used are no longer valid; others may be. */
bool s3_error_expired(const struct s3_error *x);

/* The facts of the sentence, besides the error. */
struct s3_refusal {
	const char *place; /* the address, as a sentence may show it */
	enum s3_doing doing;
	long status;
	const char *request_id;     /* a header's; "": none */
	const char *const *secrets; /* what must not be shown; NULL ends them; NULL: nothing */
	double server_now, now;     /* Unix seconds; NAN: unknown */
};

/* Sets the sentence. Always returns -1. */
int s3_error_say(const struct s3_refusal *r, const struct s3_error *x, struct err *e);

/* Copies a text of a server's: control characters and secrets become "…", and so
 * does each long word with digits in it. */
void s3_error_clean(const char *text, const char *const *secrets, char *out, size_t size);

#endif
