/*
 * process_entry: one process, or the sum of several, as a journal holds it: a part of a record.
 *
 * Entries stand one behind the other in the bytes of a record (core/files/journal.h); a kind of 0
 * ends them. Numbers have the machine's byte order, as in all of a journal. Text is redacted
 * before.
 */
#ifndef CORE_PROCESSES_PROCESS_ENTRY_H
#define CORE_PROCESSES_PROCESS_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROCESS_ENTRY_NAME_MAX    47  /* bytes */
#define PROCESS_ENTRY_COMMAND_MAX 300 /* bytes */
#define PROCESS_ENTRY_MAX         (64 + PROCESS_ENTRY_NAME_MAX + PROCESS_ENTRY_COMMAND_MAX)
#define PROCESS_ENTRY_FIXED       60        /* bytes of an entry without name and command */
#define PROCESS_ENTRY_UNKNOWN     INT32_MIN /* a status that is not known */

enum process_entry_kind {
	PROCESS_ENTRY_RUNNING = 1, /* it runs; an entry with the same id may follow when it ends */
	PROCESS_ENTRY_ENDED,       /* or the recording ended before it: .end_s is NAN */
	PROCESS_ENTRY_GROUP,       /* processes of one name and parent; adds to earlier ones */
	PROCESS_ENTRY_SOURCE,      /* .name: "events" or "samples" from now on; .command: why */
	PROCESS_ENTRY_NOW,         /* what it uses while it runs; never part of the tree */
};

/*
 * A record of NOW entries lists the processes of the job that matter at one moment, and replaces
 * the list before it: first those with the most CPU time since then, then those with the most
 * memory. It has no other entries; none at all: no process is known to run. Such an entry has
 *
 *   .id, .parent      numbers in the tree; 0: it has none
 *   .end_s            that moment
 *   .cpu_s            the CPU time that it has used so far
 *   .memory_b         its RSS at that moment
 *   .n                thousandths of a core that it used since the list before, or since its start
 *   .command          empty: RUNNING has it
 */

struct process_entry {
	enum process_entry_kind kind;
	uint32_t id, parent;   /* numbers that count up from 1; 0: no parent. A group has no id */
	uint32_t n;            /* processes of a group; 1 */
	int32_t pid;           /* 0 of a group */
	int32_t status;        /* exit code, -signal, or PROCESS_ENTRY_UNKNOWN */
	double start_s, end_s; /* since the start of the recording; NAN: unknown */
	double cpu_s; /* without its children; NAN: unknown. A group has the sum of those known */
	double memory_b;  /* largest RSS that was seen; NAN: none was */
	double cpu_exact; /* as in process_tree.h; NAN in journals of older recorders */
	char name[PROCESS_ENTRY_NAME_MAX + 1];
	char command[PROCESS_ENTRY_COMMAND_MAX + 1];
};

/* Packs an entry. Returns its length, or 0 if it does not fit into n bytes. */
size_t process_entry_pack(const struct process_entry *e, unsigned char *out, size_t n);

/* Reads the entry at *at of n bytes and moves *at behind it. False at the end, or where the bytes
 * are not an entry. Pure; text is made valid UTF-8 by who uses it. */
bool process_entry_next(const unsigned char *bytes, size_t n, size_t *at,
                        struct process_entry *out);

/* Whether these are the entries of a record of the processes now. Pure. */
bool process_entry_is_now(const unsigned char *bytes, size_t n);

#endif
