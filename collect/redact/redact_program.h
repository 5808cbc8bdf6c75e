/*
 * redact_program: the programs that take a secret without a name that says so, such as in an option
 * of one letter or a plain argument.
 */
#ifndef COLLECT_REDACT_REDACT_PROGRAM_H
#define COLLECT_REDACT_REDACT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

struct redact_program {
	const char *names; /* programs, separated by blanks, like all lists here */
	const char *verbs; /* the row applies after one of these words or options; NULL: always */
	const char *glued; /* letters with an attached secret: -pX */
	const char *next;  /* letters whose secret is the next word: -p X */
	const char *user;  /* letters with "user:password", attached or as the next word */
	const char *flags; /* letters without a value, which may precede the others: -su me:X */
	const char *longs; /* long options with "user:password" */
	const char *refs;  /* long options with the name of a secret, which is shown */
	const char *hides; /* long options with a secret that their names do not show */
	char separator;    /* in "user:password"; NUL: ':' */
	size_t bare;       /* plain arguments are secrets from this one on, counted from the program
	                    * or the verb; 0: none */
	bool interprets;   /* the first plain argument is a program of its own */
	bool script;       /* the word after -c is a shell script */
	bool pairs;        /* the value of every NAME=VALUE is a secret */
	bool words;        /* plain words name the next word: nmcli … password X */
};

/* One program may have several rows. */

extern const struct redact_program redact_programs[];
extern const size_t redact_programs_n;

#endif
