/*
 * opts: command-line options as one table, from which parsing, --help and the man page come.
 *
 * A row says which member of the program's struct gets the value. Parsing is getopt_long's: -i 2,
 * -i2, --interval 2, --interval=2, bundled flags (-qv), and "--" ends the options. With
 * OPTS_STOP_AT_ARG the first non-option ends them too, so that a wrapped command keeps its own. An
 * unknown option or a bad value gives a sentence that names the option and the nearest known one.
 */
#ifndef CORE_BASE_OPTS_H
#define CORE_BASE_OPTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

enum opts_kind {
	OPTS_FLAG,     /* bool, set true: the kind of a row that names none */
	OPTS_NO,       /* bool, set false */
	OPTS_STRING,   /* const char *, borrowed from argv */
	OPTS_NUMBER,   /* double within min..max */
	OPTS_INT,      /* long within min..max */
	OPTS_DURATION, /* double, seconds within min..max: quantity.h */
	OPTS_CHOICE,   /* const char *, one of .choices (space separated); see .without */
	OPTS_LIST,     /* struct opts_list: may repeat */
	OPTS_WORDS,    /* struct opts_list: may repeat, and a value may be a list: A,B */
};

#define OPTS_LIST_MAX 64

struct opts_list {
	const char *v[OPTS_LIST_MAX]; /* borrowed from argv */
	size_t n;
};

struct opt {
	const char *name; /* without the dashes; NULL ends the table */
	char letter;      /* 0: none */
	enum opts_kind kind;
	size_t at;           /* offsetof() in the program's struct */
	const char *arg;     /* the value's name in help: "FILE"; NULL for flags */
	const char *group;   /* a heading of --help above this row; NULL: as the row before */
	const char *help;    /* one sentence, no full stop; NULL: --help does not list it */
	double min, max;     /* OPTS_NUMBER, OPTS_INT, OPTS_DURATION */
	const char *choices; /* OPTS_CHOICE */
	/* OPTS_CHOICE, OPTS_STRING: the value where none is given; one that is given needs "="
	 * then, as in --info=json. NULL: a value must be given. */
	const char *without;
	unsigned modes;    /* in which it may be given, OPTS_MODE(m) | …; 0: in each */
	const char *needs; /* the option without which it would do nothing; NULL: none */
};

/* The modes of a command, by the option that chooses each. The table ends with a row without a
 * name. */
struct opts_mode {
	const char *name;  /* for --help NAME; the option with this name asks for the mode */
	const char *said;  /* in sentences: "--compare", "a command"; NULL: nothing asks for it */
	const char *usage; /* what follows the program's name and its options; NULL: --help has no
	                    * page of it */
	unsigned more;     /* modes that one more argument asks for */
};

#define OPTS_MODE(m) (1u << (m))

#define OPTS_MAX 96 /* rows of a table */

struct opts_parsed {
	int rest;             /* index in argv of the first argument that is not an option */
	bool given[OPTS_MAX]; /* by row */
};

#define OPTS_STOP_AT_ARG 1

/* Fills *into. Values of OPTS_WORDS are split in place, in argv. argv is permuted so that arguments
 * that are not options stand last, unless OPTS_STOP_AT_ARG. Returns 0, or -1 with a usage
 * sentence. */
int opts_parse(const struct opt *table, void *into, int argc, char **argv, int flags,
               struct opts_parsed *parsed, struct err *e);

/* The last mode whose option was given, or otherwise. Returns -1 with a sentence if an option was
 * given that may not stand in it, or without the one that it needs. */
int opts_mode(const struct opt *table, const struct opts_mode *modes, int otherwise,
              const struct opts_parsed *parsed, struct err *e);

/* The same of a mode that the caller knows, such as a verb. Returns 0 or -1. */
int opts_check(const struct opt *table, const struct opts_mode *modes, int mode,
               const struct opts_parsed *parsed, struct err *e);

/* The mode with this name; -1: none. */
int opts_mode_named(const struct opts_mode *modes, const char *name);

/* The OPTIONS part of --help: grouped, aligned, wrapped at 80 columns. modes: only options that may
 * stand in one of these; 0: all. */
void opts_help(const struct opt *table, unsigned modes, struct buf *out);

#endif
