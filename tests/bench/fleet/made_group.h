/*
 * made_group: what the runs of one job have in common: its name, its machine, what it asks for,
 * what it needs. Pure: the same for the same seed and number.
 */
#ifndef BENCH_MADE_GROUP_H
#define BENCH_MADE_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MADE_GIB   1073741824.0
#define MADE_USERS 40

struct made_machine {
	const char *vendor, *instance, *region; /* "": no cloud's */
	const char *os;
	double vcpus, memory_b, gpus, vram_b; /* of one GPU */
	const char *gpu;
	unsigned kinds; /* of jobs that run there, a bit for each enum made_kind */
	size_t hosts;   /* how many there are */
};

enum made_kind { MADE_HPC, MADE_PIPELINE, MADE_CI, MADE_ML, MADE_ADHOC, MADE_KINDS };

struct made_group {
	uint64_t number;
	enum made_kind kind;
	char name[64];
	const struct made_machine *machine;
	size_t user, more_users; /* most runs are of user; the others of the next ones */
	const char *team;
	const char *source; /* who asks: snapshot_ask.source; "": nobody */
	double asked_cpus, asked_memory_b, asked_gpus, asked_time_s; /* NAN: not asked for */
	double need_b, need_spread, growth;                          /* growth: over the period */
	double cores, wall_s, wall_spread, gpu_share;
	double read_b, fails; /* bytes read per second; share of runs that fail */
	double nodes;
	bool arrays;
	int shape; /* of its memory over time */
};

void made_group(struct made_group *g, uint64_t seed, uint64_t number);

/* The name of a user, and of a machine's host number i. */
void made_user_name(size_t user, char out[32]);
void made_host_name(const struct made_machine *m, size_t i, char out[64]);

/* The next larger amount of memory that people ask for. */
double made_round_memory(double bytes);

#endif
