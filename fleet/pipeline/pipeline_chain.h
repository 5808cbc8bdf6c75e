/*
 * pipeline_chain: the chain of attempts that ended last, and for what attempts waited. Pure.
 *
 * From the end of the run backwards: the attempt that ended last; before it the one whose end came
 * last before it was submitted or, where that is unknown, before it started; and so on. It is an
 * order in time: nobody wrote down which task needs which.
 */
#ifndef FLEET_PIPELINE_PIPELINE_CHAIN_H
#define FLEET_PIPELINE_PIPELINE_CHAIN_H

#include "fleet/pipeline/pipeline.h"

/* A task that was submitted so soon after another one ended waited for it. */
#define PIPELINE_AT_ONCE_S 10

struct pipeline_link {
	size_t at;       /* attempt */
	double before_s; /* from the end of the one before until it was submitted, or started */
	double slot_s;   /* from there to its start; NAN: nobody knows when it was submitted */
};

/* In the order of time. Valid when zero: no attempt has a start and an end. */
struct pipeline_chain {
	struct pipeline_link *link;
	size_t n;
	double run_s;    /* of its attempts */
	double before_s; /* between them; of the first: since the run began */
	double slot_s;
};

/* 0, or -1 without memory. run_s + before_s + slot_s is the time from the run's begin, its first
 * submit or else its first start, to its end. */
int pipeline_chain_make(const struct pipeline *p, struct pipeline_chain *out, struct err *e);
void pipeline_chain_free(struct pipeline_chain *c);

/* Over the attempts whose submission is known. */
struct pipeline_waits {
	size_t known, others,
	    slot;        /* attempts; that waited for others; for a slot, a second or more */
	double others_s; /* from the begin of the run to their submit, of those that followed one */
	double slot_s, slot_p50_s, slot_max_s; /* from submit to start; NAN: none is known */
};

int pipeline_chain_waits(const struct pipeline *p, struct pipeline_waits *out, struct err *e);

#endif
