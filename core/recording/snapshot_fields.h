/*
 * snapshot_fields: the keys of a snapshot's head, in one table for the writer and the reader.
 *
 * snapshot_fields.def has a row for each member of the head's objects. snapshot_fields_write writes
 * the members of one object from its struct, and snapshot_head.c reads them into the same struct.
 * The collector fills the core's structs too (limits, GPUs, processes, totals) and hands them
 * to snapshot_fields_write, so it spells no key.
 *
 * The keys below have no struct member: code of its own writes them, and they are KEY rows there. A
 * column's name and its count within "statistics" have no row.
 */
#ifndef CORE_RECORDING_SNAPSHOT_FIELDS_H
#define CORE_RECORDING_SNAPSHOT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/json/json_write.h"
#include "core/recording/snapshot.h"

/* Members of the file itself. */
#define SNAPSHOT_KEY_META    "metadata"
#define SNAPSHOT_KEY_SERVER  "server_info"
#define SNAPSHOT_KEY_CLOUD   "cloud_info"
#define SNAPSHOT_KEY_RTRACK  "rtrack"
#define SNAPSHOT_KEY_PROCESS "process_metrics"
#define SNAPSHOT_KEY_SYSTEM  "system_metrics"
#define SNAPSHOT_KEY_COLUMNS "columns" /* of a journal's header */

/* Single members. */
#define SNAPSHOT_KEY_VERSION         "version" /* of metadata: 1 in every dialect */
#define SNAPSHOT_KEY_FORMAT          "format"
#define SNAPSHOT_KEY_PHASES_LEFT_OUT "phases_left_out"
#define SNAPSHOT_KEY_N               "n"      /* of the statistics of one column */
#define SNAPSHOT_KEY_STATES          "states" /* of a process */

enum snapshot_block {
#define BLOCK(id, ...) SNAPSHOT_##id,
#include "core/recording/snapshot_fields.def"
	SNAPSHOT_BLOCKS
};

enum snapshot_field_kind {
	SNAPSHOT_FIELD_TEXT,            /* const char *; "" where absent. NULL is written as "" */
	SNAPSHOT_FIELD_TEXT_OR_NULL,    /* the same, but NULL is written as null */
	SNAPSHOT_FIELD_TEXT_OR_UNKNOWN, /* the same, but "unknown" where absent or empty */
	SNAPSHOT_FIELD_CUT_TEXT,        /* TEXT; cut at SNAPSHOT_TEXT_MAX when it is written */
	SNAPSHOT_FIELD_LIST,            /* struct snapshot_list: an array of strings */
	SNAPSHOT_FIELD_PAIRS,           /* struct snapshot_pairs: an object of strings */
	SNAPSHOT_FIELD_ARGV,            /* argv and argc of a struct snapshot_job; NULL: null */
	SNAPSHOT_FIELD_FLAG,            /* bool; only true is true */
	SNAPSHOT_FIELD_FLAG_ON,         /* bool; only false is false */
	SNAPSHOT_FIELD_NUMBER,          /* double; NAN where absent */
	SNAPSHOT_FIELD_AMOUNT,          /* NUMBER, but NAN below 0 */
	SNAPSHOT_FIELD_POSITIVE,        /* NUMBER, but NAN below or at 0: 0 means "not known" */
	SNAPSHOT_FIELD_ALWAYS_NULL,     /* not measured: written as null, never read */
};

struct snapshot_field {
	enum snapshot_field_kind kind;
	size_t offset; /* of the member in the block's struct */
	const char *key;
	const char *schema_2; /* its key in schema 2; NULL: alike */
	const char *old_key;  /* read as well; NULL: none */
	bool mib, zero;       /* see snapshot_fields.def */
};

/* The key of a block, and the key that earlier versions wrote; NULL: none. */
const char *snapshot_fields_key(enum snapshot_block block);
const char *snapshot_fields_old_key(enum snapshot_block block);

/* The rows of a block, in the order of writing; *n gets how many. */
const struct snapshot_field *snapshot_fields_of(enum snapshot_block block, size_t *n);

/* Strings that a user chose are cut when they are written, and end in "…" then: a reader takes
 * 4 MiB for the whole block, and a character may need six bytes. */
#define SNAPSHOT_TEXT_MAX 4096   /* bytes of a CUT_TEXT */
#define SNAPSHOT_ARGV_MAX 262144 /* bytes of all words of the command line */
#define SNAPSHOT_TAG_MAX  1024   /* bytes of a tag's name, of its value, of a string in a list */

/* The keys of "asked", by enum snapshot_asked_id. */
extern const char *const snapshot_asked_keys[SNAPSHOT_ASKED_N];

/* Text of a member that is left out of its object (a TEXT_OR_NULL alone). */
extern const char snapshot_field_left_out[];

/* Writes the members of a block from *record, the block's struct, into an object that is open. */
void snapshot_fields_write(struct json_write *j, enum snapshot_block block, enum schema schema,
                           const void *record);

/* The same as a whole object: under the block's key, or as an array's element. */
void snapshot_fields_object(struct json_write *j, enum snapshot_block block, enum schema schema,
                            const void *record);
void snapshot_fields_element(struct json_write *j, enum snapshot_block block, const void *record);

/* "asked" and "part": null where not known. */
void snapshot_fields_asked(struct json_write *j, const struct snapshot_asked *a);
void snapshot_fields_part(struct json_write *j, const struct snapshot_part *p);

/* "inputs" and, beyond the cap, "inputs_left_out". Nothing where nobody looked. */
void snapshot_fields_inputs(struct json_write *j, const struct snapshot_inputs *in);

/* "phases" and, where marks found no room, "phases_left_out"; p may be NULL. "gaps", where there
 * are any. */
void snapshot_fields_phases(struct json_write *j, const struct phases *p);
void snapshot_fields_gaps(struct json_write *j, const struct snapshot *s);

/* "states" of a process: seconds by state, the members above 0. Nothing if none is. */
void snapshot_fields_process_states(struct json_write *j, const double states_s[STATES_N]);

/* "states" of the run. waits writes the member "waits" from ctx; NULL: those of s. Nothing where
 * they are not known. */
void snapshot_fields_states(struct json_write *j, const struct snapshot_states *s,
                            void (*waits)(void *ctx, struct json_write *j), void *ctx);

/* "exit". */
void snapshot_fields_exit(struct json_write *j, const struct snapshot *s);

/* "end", where it is known. */
void snapshot_fields_end(struct json_write *j, const struct snapshot_end *end);

/* The rows of each scope in the file: how many there are, and when the first and the last was
 * taken. */
struct snapshot_samples {
	double n, first, last;
};

/* How the run ended, as the file has it: code NAN where a signal did or it is unknown, signal NULL
 * (read: "") where none did. */
struct snapshot_exit_text {
	double code;
	const char *signal, *cause;
};

#endif
