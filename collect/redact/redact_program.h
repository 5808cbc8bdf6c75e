/*
 * redact_program: which programs take a secret by an option of one letter, or as a bare word.
 */
#ifndef COLLECT_REDACT_REDACT_PROGRAM_H
#define COLLECT_REDACT_REDACT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

struct redact_program {
	const char *names; /* of the programs, a blank between two */
	const char *verbs; /* one of these words or options must have come; NULL: none */
	const char *glued; /* letters whose secret is glued to them: -pX */
	const char *next;  /* letters whose secret is the next word: -p X */
	const char *user;  /* letters that "user:password" follows, glued or not */
	const char *flags; /* letters without a value, which may stand before those: -su me:X */
	const char *longs; /* long options that "user:password" follows */
	const char *hides; /* long options whose names tell no secret */
	char separator;    /* in "user:password"; NUL: ':' */
	size_t bare;       /* from this word behind the program or the verb on, all are; 0: none */
	bool script;       /* the word behind -c is a script */
	bool pairs;        /* the value of every NAME=VALUE */
	bool words;        /* words, not options, name what comes: nmcli … password X */
};

extern const struct redact_program redact_programs[];
extern const size_t redact_programs_n;

/* Whether the word of n bytes stands in a list of words with a blank between two. */
bool redact_listed(const char *list, const char *word, size_t n);

/* A program's name from how it was called, of n bytes: without the path and ".exe". */
const char *redact_base(const char *path, size_t *n);

#endif
