/*
 * redact: replaces everything that looks like a password, a token or a key in a command line, a tag
 * or a name by "***".
 *
 * A secret is recognised by its context (redact_scan), by the program and the option before it, by
 * its name (redact_name) and by its own form (redact_token). This is a heuristic: it rather hides
 * too much, but it misses a secret whose name does not show it and whose form is not known.
 */
#ifndef COLLECT_REDACT_REDACT_H
#define COLLECT_REDACT_REDACT_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/redact/redact_name.h"
#include "core/base/buf.h"

#define REDACT_PROGRAM_MAX 32 /* bytes of a program name */
#define REDACT_ROWS_MAX    8  /* rows for one program */

struct redact_program;

/* The meaning of the next word. */
enum redact_next {
	REDACT_NEXT_ANY,
	REDACT_NEXT_VALUE,     /* of a name */
	REDACT_NEXT_USER,      /* user:password */
	REDACT_NEXT_SECRET,    /* unless it is a port */
	REDACT_NEXT_LIKELY,    /* a secret unless it is a number or a path */
	REDACT_NEXT_HEADER,    /* the value of a header */
	REDACT_NEXT_REFERENCE, /* the name of a secret, which is shown */
	REDACT_NEXT_SCRIPT     /* of a shell */
};

/* The state of a command line that is redacted word by word. {0} before the first word. */
struct redact {
	const struct redact_program *rows[REDACT_ROWS_MAX]; /* rows for the program */
	size_t n_rows;
	char verb[REDACT_PROGRAM_MAX]; /* the last verb */
	size_t verb_n;
	size_t bare; /* plain arguments since the program or the verb */
	enum redact_next next;
	enum redact_name name;  /* of the word before, if the next word is its value */
	bool single;            /* that name was an option as -keypass, of one dash */
	bool lone_name;         /* that name is not an option: "=" may follow as a word */
	char separator;         /* in "user:password" */
	bool sudo;              /* the program reads a password with -S */
	bool cloud;             /* the program's verbs are names of programs: az mysql server */
	bool reads;             /* "read", which may read a variable with the name of a secret */
	bool login;             /* after "login" */
	bool sets;              /* after "set": a plain name and its value may follow */
	enum redact_name keeps; /* after "secrets": what is set is of this kind */
	unsigned set;           /* 1: after "secrets set"; 2: and after a name */
	bool after_option;      /* the word before may be an option with this word as its value */
	bool all;               /* every word is a secret: echo X | chpasswd */
	bool has_user;          /* after "-u X": "-p X" of an unknown program is a password */
	bool reads_in;          /* the command reads a secret from its standard input */
};

/* Appends the next word of the command line, redacted. */
void redact_word(struct redact *r, const char *word, struct buf *out);

/* Appends the redacted value of a tag, a label or a variable. If the name is that of a secret, the
 * whole value is hidden, else only the secrets in it. */
void redact_value(const char *name, const char *value, struct buf *out);

/* Appends the redacted form of a name, a path or another text of at most n bytes, up to a NUL. */
void redact_text(const char *text, size_t n, struct buf *out);

/* Appends the redacted line of a phase mark. A trailing " end" is kept. */
void redact_mark(const char *line, size_t n, struct buf *out);

#endif
