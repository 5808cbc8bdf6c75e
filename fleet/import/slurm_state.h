/*
 * slurm_state: how a job ended, from Slurm's word for it. Pure.
 */
#ifndef FLEET_IMPORT_SLURM_STATE_H
#define FLEET_IMPORT_SLURM_STATE_H

#include <stdbool.h>
#include <stddef.h>

enum slurm_state_kind {
	SLURM_STATE_UNKNOWN,
	SLURM_STATE_WAITS, /* it has not run */
	SLURM_STATE_RUNS,
	SLURM_STATE_PART, /* the time before a job was resized */
	SLURM_STATE_ENDED
};

/* As of a recording: docs/snapshot.md, exit and end. */
struct slurm_state {
	enum slurm_state_kind kind;
	const char *status, *cause, *signal; /* "": unknown */
	double code;                         /* NAN: unknown */
};

/* word: "FAILED", "CANCELLED by 1000". code and signal: those of ExitCode, or NAN. */
struct slurm_state slurm_state_of(const char *word, double code, double signal);

/* Whether a job of this state has run, however short: a cancelled one may never have begun. */
bool slurm_state_ran(const char *word);

#endif
