/*
 * err: one sentence that says what went wrong, built where the facts are and printed once by
 * main.c.
 *
 * A struct err is valid when zero ({0}) and owns nothing, so it never needs to be freed. A sentence
 * is always one printable line: control characters, newlines, bidirectional controls and invalid
 * UTF-8 from an argument (a file name, a server's answer) are written as \xNN. A sentence that is
 * too long loses its middle. A password in an address, also in a mistyped one, is hidden
 * where it has no blanks; the name of a recording or an output stays.
 *
 *	if (fd < 0)
 *		return err_set(e, "%s: %s", path, strerror(errno));
 *	if (parse_header(fd, e))
 *		return err_wrap(e, "%s", path);
 */
#ifndef CORE_BASE_ERR_H
#define CORE_BASE_ERR_H

struct err {
	char msg[1024];
};

/* Sets the sentence. e may be NULL (the caller does not care). Always returns -1. */
int err_set(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts "PREFIX: " before the sentence, and says once what both say where they meet: "a.gz cannot be
 * written" before "cannot be written: No space left on device". Always returns -1. */
int err_wrap(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Replaces USER:PASSWORD, or a TOKEN behind a scheme, before '@' in each word by "***", and the
 * query of an address that has a scheme, or that names a secret. The text does not grow. */
void err_hide_passwords(char *text);

/* The same in a text that is one address, which may have blanks. */
void err_hide_address(char *address);

#endif
