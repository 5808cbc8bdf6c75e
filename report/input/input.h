/*
 * input: what a name on the command line stands for: where it is, and what it is by its name.
 *
 *	struct input in = input_of(argv[i]);
 *	if (in.place == INPUT_S3)
 *		…
 *
 * The command line classifies each name once; what a folder or a store lists has its place from
 * there. Only a file whose name does not say what it is has to be looked into (input_look).
 */
#ifndef REPORT_INPUT_INPUT_H
#define REPORT_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum input_place {
	INPUT_NONE,     /* nothing was given; the name is NULL */
	INPUT_STANDARD, /* "-": standard input */
	INPUT_FILE,     /* also a FIFO, a device, and what does not exist */
	INPUT_FOLDER,
	INPUT_S3,    /* s3://BUCKET/KEY: an object, a prefix or a glob */
	INPUT_HTTPS, /* https://…: can only be written */
};

enum input_kind {
	INPUT_UNKNOWN,     /* its name does not say it, as that of a CSV file */
	INPUT_SNAPSHOT,    /* *.json, *.json.gz */
	INPUT_JOURNAL,     /* *.partial, *.partial.2, …: a recording that has not ended */
	INPUT_PAGE,        /* *.html, *.htm */
	INPUT_PACKED_PAGE, /* *.html.gz, *.htm.gz */
};

/* {0} is valid: none. */
struct input {
	enum input_place place;
	enum input_kind kind;
	const char *name; /* as it was given; borrowed */
	uint64_t at;      /* of a file of several recordings: where this one begins */
};

/* name NULL: none. */
struct input input_of(const char *name);

/* By the part of a path or an address after its last slash. */
enum input_kind input_kind_of(const char *name);

/* Whether a file in a folder, or an object below a prefix, is a recording, by its name. */
bool input_is_recording(const char *name);

/* Whether a file in a folder is an input, by its name: a recording, or what may be a page. */
struct dirent;
int input_is_listed(const struct dirent *d);
bool input_is_listed_name(const char *name);

/* Whether a file in a folder may be one that can be imported, by its name: its content decides. */
bool input_may_be_imported(const char *name);

/* The part of a path after its last slash; of "-", "standard input". */
const char *input_file_name(const char *path);

/* Reads the first n bytes of a file or of standard input. Returns how many there are; 0 if it
 * cannot be read. */
size_t input_beginning(const char *path, char *head, size_t n);

/* Counts of what may not be read because it belongs to others. {0}: nothing. */
struct input_others {
	size_t files, folders;
};

/* Counts a file or folder that this user may not read, if it, or the folder above it that hides it,
 * belongs to somebody else: then it is nobody's mistake. Whether it was counted. */
bool input_count_others(struct input_others *others, const char *path);

/* The kind of a regular file, or of standard input, by its beginning. */
enum input_html {
	INPUT_NOT_HTML,
	INPUT_HTML,     /* but not of rtrack-report */
	INPUT_OUR_HTML, /* of rtrack-report, but not about a run */
	INPUT_OUR_PAGE,
};
enum input_html input_html_of(struct input in);

/* The kind where the name does not decide: a page is one only if its content is HTML, whatever its
 * name. Opens the file. */
enum input_kind input_look(struct input in);

/* PATH.partial, the journal of a recording that has not ended, if there is nothing at path itself.
 * Else NULL. To be freed. */
char *input_unfinished(struct input in);

#endif
