/*
 * redact_command: the words of one command, in their order: what is a secret by the options and the
 * program that stand before it.
 */
#ifndef COLLECT_REDACT_REDACT_COMMAND_H
#define COLLECT_REDACT_REDACT_COMMAND_H

#include "collect/redact/redact_name.h"
#include "collect/redact/redact_program.h"
#include "collect/redact/redact_text.h"

#define REDACT_WORD_MAX    256 /* bytes of a word that are looked at */
#define REDACT_PROGRAM_MAX 32  /* bytes of its name */
#define REDACT_ROWS_MAX    8   /* of the table for one program */

/* A word of the text from begin to end, as the program gets it: without the shell's quotes. */
struct redact_word {
	char s[REDACT_WORD_MAX + 1];
	size_t at[REDACT_WORD_MAX + 1]; /* where in the text each byte stands; [n]: the end */
	size_t n;
	size_t begin, end;
	size_t quoted; /* behind its first quote; 0: it has none */
	size_t within; /* behind its first "$(" or "${" */
	bool shell;    /* of a script: quotes stand in the text */
};

/* {0} at the beginning of a command. */
struct redact_command {
	const struct redact_program *rows[REDACT_ROWS_MAX]; /* of the program */
	size_t n_rows;
	bool sudo;                     /* it is one that reads a password with -S */
	char verb[REDACT_PROGRAM_MAX]; /* the last verb that came */
	size_t verb_n;
	size_t bare;                       /* bare words since the program or the verb */
	enum redact_name name;             /* what the word before names */
	bool lone_name;                    /* it is no option: "=" may follow as a word */
	bool user, secret, header, script; /* what the next word is */
	char separator;
	bool sets;     /* "set" has come: a bare name may follow, and its value */
	bool all;      /* every word is a secret: echo X | chpasswd */
	bool has_user; /* "-u X" has come: "-p X" of an unknown program is a password */
	bool reads_in; /* it reads a secret from its standard input */
};

/* Takes the next word, and hides in the text what is a secret. */
void redact_command_word(struct redact_command *c, struct redact_text *t,
                         const struct redact_word *w);

/* Whether a word says that the command reads a secret from its standard input. */
bool redact_command_reads(const char *word, size_t n);

#endif
