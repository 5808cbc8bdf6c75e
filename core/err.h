/*
 * err: one sentence that says what went wrong, built where the facts are and printed once by
 * main.c.
 *
 * A struct err is valid when zero ({0}) and owns nothing, so it never needs to be freed. Control
 * characters, newlines, what turns the direction of writing, and invalid UTF-8, that come in by an
 * argument (file names, answers of a server), are written as \xNN: a sentence is always one
 * printable line. Of what is too long the middle is left out.
 */
#ifndef CORE_ERR_H
#define CORE_ERR_H

struct err {
	char msg[1024];
};

/* Sets the sentence. e may be NULL (the caller does not care). Always returns -1. */
int err_set(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts "PREFIX: " before the sentence that is already there. Always returns -1. */
int err_wrap(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
