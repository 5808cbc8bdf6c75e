/*
 * redact_command: finds secrets among the words of one command, by the program and the options
 * before them.
 */
#ifndef COLLECT_REDACT_REDACT_COMMAND_H
#define COLLECT_REDACT_REDACT_COMMAND_H

#include "collect/redact/redact_program.h"
#include "collect/redact/redact_word.h"

#define REDACT_PROGRAM_MAX 32 /* bytes of a program name */
#define REDACT_ROWS_MAX    8  /* rows of redact_programs for one program */

/* What the next word is. */
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

/* The state after a number of words; {0} before the first word of a command. */
struct redact_command {
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

/* Takes the next word, and hides it in the text, or a part of it, if that is a secret. */
void redact_command_word(struct redact_command *c, const struct redact_word *w);

/* Whether a word of n bytes implies that the command reads a secret from its standard input. */
bool redact_command_reads(const char *word, size_t n);

#endif
