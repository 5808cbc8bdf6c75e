/*
 * end_cause: why a run ended: from what is known, one word and one sentence.
 *
 * Pure. Nothing is guessed: a sentence has what was counted or seen, and says "not known" where
 * that does not suffice. 137 alone proves nothing.
 */
#ifndef CORE_END_END_CAUSE_H
#define CORE_END_END_CAUSE_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "core/recording/snapshot.h"

/* Catalogs hold these numbers: a new cause comes last. */
enum end_cause {
	END_CAUSE_UNKNOWN,
	END_CAUSE_FINISHED,
	END_CAUSE_OOM,
	END_CAUSE_OOM_PROCESS,
	END_CAUSE_OOM_MAYBE,
	END_CAUSE_MEMORY_LIMIT,
	END_CAUSE_TIME_LIMIT,
	END_CAUSE_SENT,
	END_CAUSE_KILLED,
	END_CAUSE_CRASH,
	END_CAUSE_CPU_LIMIT,
	END_CAUSE_FILE_LIMIT,
	END_CAUSE_DISK_FULL,
	END_CAUSE_PROCESS,
	END_CAUSE_SIGNALED,
	END_CAUSE_EXITED,
	/* Only a scheduler's accounting says these. */
	END_CAUSE_CANCELLED,
	END_CAUSE_NODE_FAILED,
	END_CAUSE_PREEMPTED,
	END_CAUSE_DEADLINE,
	END_CAUSE_REQUEUED,
	END_CAUSE_COUNT
};

/* rtrack.end.cause, and what it means in a few words, for lists of runs. */
const char *end_cause_word(enum end_cause cause);
const char *end_cause_means(enum end_cause cause);

/* The cause with this word; END_CAUSE_UNKNOWN: there is none. */
enum end_cause end_cause_find(const char *word);

/* All that is needed. Nothing is known of {0}, but all numbers of the evidence must be NAN. */
struct end_cause_facts {
	bool known;       /* the status of the command */
	int code, signal; /* signal 0: it ended with code */
	bool timed_out;   /* by timeout(1), which is the command */
	const struct snapshot_evidence *evidence;
};

/* Evidence with nothing in it. */
struct snapshot_evidence end_cause_none(void);

/* Appends the sentence, with its full stop; nothing where the command ended well. */
enum end_cause end_cause_of(const struct end_cause_facts *f, struct buf *sentence);

#endif
