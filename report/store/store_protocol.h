/*
 * store_protocol: what store.c and its worker say to each other (report/sandbox/worker.h), and the
 * limits of stores.
 *
 * The bytes of a question are its address, or what is written; those of an answer an object's key,
 * or what was read. Both sides check each other: the worker handles data from the network, and the
 * process that asks reads strangers' recordings.
 */
#ifndef REPORT_STORE_STORE_PROTOCOL_H
#define REPORT_STORE_STORE_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/input/store_address.h"

#define STORE_TAG_MAX   72                 /* of an ETag without its quotes, and a NUL */
#define STORE_AT_ONCE   32                 /* requests at the same time */
#define STORE_WAITING   64                 /* beginnings that were asked for, at most */
#define STORE_PART_AT   ((size_t)64 << 20) /* larger objects go up in parts */
#define STORE_PART      ((size_t)8 << 20)
#define STORE_PLACE_MAX ((size_t)8 << 10)  /* of an address; those with a signature are long */
#define STORE_PIECE_MAX ((size_t)64 << 10) /* of what is written, and of a beginning */
#define STORE_READ_MAX  ((size_t)4 << 20)  /* of one request; longer reads take several */
#define STORE_LIST_PAGE 1000

enum store_ask {
	STORE_ASK_LIST =
	    1, /* address, NUL, the key to start after; answers: objects, then the last */
	STORE_ASK_READ,
	STORE_ASK_HEAD, /* the only one that may be asked while others are being answered */
	STORE_ASK_PUT,
	STORE_ASK_PUT_MORE, /* bytes: of the object; no answer */
	STORE_ASK_PUT_END,
	STORE_ASK_PUT_DROP, /* no answer */
	STORE_ASK_DELETE,
	STORE_ASK_COUNT,
	STORE_ASK_STOP, /* ends what was asked before, unless it is HEAD; no answer of its own */
};

struct store_question {
	enum store_ask kind;
	unsigned id; /* HEAD: comes back with the answer */
	uint64_t at;
	size_t n;
	char tag[STORE_TAG_MAX];
	unsigned char only_new; /* no bool here: the other side may send any byte */
};

struct store_answer {
	unsigned id;
	unsigned char last;    /* LIST: no object, the end of a page */
	unsigned char further; /* LIST, last: there is another page */
	unsigned char absent, hidden, exists;
	uint64_t size, requests;
	double modified;
	char tag[STORE_TAG_MAX];
};

/* A part of an object that was read. */
struct store_range {
	size_t n;      /* bytes that were read */
	uint64_t size; /* of the whole object; UINT64_MAX: the server does not say it after the
	                * end, where n is 0 */
	char tag[STORE_TAG_MAX];
	bool absent; /* there is no such object (and then 0 is returned) */
	bool hidden; /* with a sentence: there may be none (403; the keys may not know it) */
};

#endif
