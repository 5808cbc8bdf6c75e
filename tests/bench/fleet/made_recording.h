/*
 * made_recording: a made-up run as rtrack-collect would have recorded it.
 */
#ifndef BENCH_MADE_RECORDING_H
#define BENCH_MADE_RECORDING_H

#include "core/head/rtrack_row.h"
#include "core/recording/snapshot_source.h"
#include "tests/bench/fleet/made_rows.h"
#include "tests/bench/fleet/made_run.h"

/* Points into itself, so it must not be copied. */
struct made_recording {
	struct made_group group;
	struct made_run run;
	struct snapshot snapshot;
	struct snapshot_source source; /* of the samples */
	struct made_rows rows;
	char user[32], host[64], cwd[128], config[96], job[64], array[64];
	char id[24], index[24], commit[48];
	const char *argv[4];
	struct snapshot_pair tags[1], labels[5];
	const char *gpu_names[SNAPSHOT_LIST_MAX];
};

void made_recording(struct made_recording *m, const struct made_run *run);

/* The row that snapshot_write writes of it, but for the last digits, without making the file. *row
 * points into *m. */
void made_recording_row(const struct made_recording *m, struct rtrack_row *row);

#endif
