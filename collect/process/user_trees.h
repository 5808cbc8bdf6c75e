/*
 * user_trees: the processes of a user as trees, one for each job. Pure.
 *
 * A process is the root of a tree, by this rule, which needs no names of programs:
 *
 *  - its parent is not the user's (cron, slurmstepd, login), or is gone;
 *  - its cgroup is not its parent's (a service, a container, a step);
 *  - it leads a session that has a terminal (a shell in tmux, in ssh, in a window);
 *  - its process group is not its parent's, and jobs are started from its parent: that is init, or
 *    leads a session with a terminal (a shell with job control), or its session's leader is
 *    another user's (sshd's process of a login).
 *
 * Every other process is in its parent's tree. So a script has its commands in its tree, while a
 * shell at its prompt is a small tree of its own.
 */
#ifndef COLLECT_PROCESS_USER_TREES_H
#define COLLECT_PROCESS_USER_TREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct user_process {
	int pid, ppid, group, session;
	bool terminal, zombie;
	unsigned uid;
	uint64_t start, cgroup; /* ticks since boot; a hash, 0: unknown */
	double own_s, reaped_s; /* CPU time so far: its own, and of children that it waited for */
	double rss_b, pss_b;    /* pss_b NAN: unknown */
	char name[64];
};

/* Two looks at all processes, each ordered by pid. Of those before, only .pid, .ppid, .start,
 * .own_s and .reaped_s are needed. */
struct user_looks {
	unsigned uid;
	const struct user_process *before, *now;
	size_t n_before, n_now;
	double seconds; /* between the two */
	uint64_t ticks; /* since boot, at the second */
	double ticks_per_s;
};

struct user_tree {
	size_t root, largest;   /* places in .now; the process with the most memory */
	size_t n;               /* processes, without zombies; 0 of both memories */
	double rss_b;           /* sum, so pages that several share count more than once */
	double pss_b;           /* NAN: that of at least one process is unknown */
	double own_s, reaped_s; /* CPU time between the looks: of its processes, and of those that
	                         * ended meanwhile and were waited for */
	double cores, age_s;    /* both by the time between the looks; since the root began */
};

/* The order of user_looks. */
void user_trees_order(struct user_process *p, size_t n);

/* All trees of the user that have a living process, the largest first: by PSS, or by RSS where that
 * is unknown. out has room for n_now. Returns their number. places: n_now numbers of the caller. */
size_t user_trees_find(const struct user_looks *looks, struct user_tree *out, size_t *places);

/* Moves the trees to the front that are among the first most, or among the most with the most CPU
 * time of those that used 0.01 cores or more; their order stays. Returns their number. */
size_t user_trees_choose(struct user_tree *trees, size_t n, size_t most);

/* The sum of trees, with the .root of none. */
struct user_tree user_trees_sum(const struct user_tree *trees, size_t n);

#endif
