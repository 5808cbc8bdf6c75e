/*
 * store_protocol: what store.c and its worker say to each other on their socket.
 *
 * A question is followed by its address and its other bytes, an answer by its bytes: an object's
 * key, what was read, or the sentence if rc is not 0. Both sides check each other: the worker
 * handles data from the network, and the process that asks reads strangers' recordings.
 */
#ifndef REPORT_STORE_STORE_PROTOCOL_H
#define REPORT_STORE_STORE_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#include "report/input/store_address.h"
#include "report/store/store_range.h"

#define STORE_PLACE_MAX ((size_t)8 << 10)  /* of an address; those with a signature are long */
#define STORE_PIECE_MAX ((size_t)64 << 10) /* of what is written, and of a beginning */
#define STORE_READ_MAX  ((size_t)4 << 20)  /* of one request; longer reads take several */
#define STORE_WAITING   64                 /* beginnings that were asked for, at most */
#define STORE_LIST_PAGE 1000

enum store_ask {
	STORE_ASK_LIST =
	    1, /* other bytes: the key to start after; answers: objects, then the last */
	STORE_ASK_READ,
	STORE_ASK_HEAD, /* the only one that may be asked while others are being answered */
	STORE_ASK_PUT,
	STORE_ASK_PUT_MORE, /* other bytes: of the object; no answer */
	STORE_ASK_PUT_END,
	STORE_ASK_PUT_DROP, /* no answer */
	STORE_ASK_DELETE,
	STORE_ASK_COUNT,
	STORE_ASK_STOP, /* ends what was asked before, unless it is HEAD; no answer of its own */
};

struct store_question {
	enum store_ask kind;
	unsigned id; /* HEAD: comes back with the answer */
	size_t place, more;
	uint64_t at;
	size_t n;
	char tag[STORE_TAG_MAX];
	unsigned char only_new; /* no bool here: the other side may send any byte */
};

struct store_answer {
	int rc;
	unsigned id;
	unsigned char last;    /* LIST: no object, the end of a page */
	unsigned char further; /* LIST, last: there is another page */
	unsigned char absent, hidden, exists;
	size_t n;
	uint64_t size, requests;
	double modified;
	char tag[STORE_TAG_MAX];
};

#endif
