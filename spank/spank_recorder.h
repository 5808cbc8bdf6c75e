/*
 * spank_recorder: the process that records a step: how it comes to be, and what it gives up.
 *
 * It is forked twice by slurmstepd, as root; leaves the cgroups of the step; makes the user's
 * folder; and becomes rtrack-collect as that user.
 */
#ifndef SPANK_SPANK_RECORDER_H
#define SPANK_SPANK_RECORDER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/cgroup/cgroup.h"

#define SPANK_RECORDER_SOCKET 3 /* its descriptor of our socket */

/* The caller sets what is above .tasks. */
struct recorder {
	const char *program, *dir, *folder;
	char *argv[20];
	char file[4096], pid[16], name[1024], user[16];
	char *env[64]; /* the last is .restarts, then NULL */
	char node[64], cpus[64], memory[64], node_id[32], path[4096], conf[4096], restarts[40];
	uint32_t job, step;
	uid_t uid;
	gid_t gid;
	gid_t *groups;
	int n_groups;
	int tasks[16]; /* v1: files by which a process moves into the root of a hierarchy */
	size_t n_tasks;
	int group; /* v2: the cgroup to be born in; -1: none */
};

/* A socket of the recorder and us, before the tasks are forked, so that they have our end too. 0,
 * or -1. */
int spank_recorder_socket(int *ours, int *other);

/* Starts it. where: the cgroups of slurmstepd. It waits until the first task says how often its job
 * was started again: a line of a number on our end. */
void spank_recorder_start(struct recorder *r, const struct cgroup *where, int ours, int other);

#endif
