/*
 * asked_schedulers: what a job asked its scheduler for, from the scheduler's environment variables
 * (schedulers.def). The first scheduler of the table that runs the job decides, and of its rows for
 * an amount the first that has a value. Pure: the one file that a variable may name is read
 * beforehand. The readers of texts take n bytes of hostile text, and return NAN for what they
 * cannot read.
 */
#ifndef COLLECT_JOB_ASKED_SCHEDULERS_H
#define COLLECT_JOB_ASKED_SCHEDULERS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/job/asked_sources.h"
#include "collect/job/schedulers.h"

struct asked_input {
	const struct job_env *env;
	const char *host; /* of this machine */
	double memory_b;  /* of this machine; NAN if unknown */
	const char *file; /* the content of what the variable .asked_file names */
	size_t file_n;    /* 0: none */
	bool covers_task; /* the recording is of one task, and not of all on this node */
};

/* How many tasks of the job's step were started on this node, by Slurm, Open MPI, MPICH or
 * torchrun. 1 if the process is of no such step: a batch script is not. */
double asked_schedulers_tasks(const struct job_env *env);

/* Sets the amounts that the scheduler's variables have. If the recording covers one of several
 * tasks on the node, they are its share. *out must be empty: asked_sources_clear(). */
void asked_schedulers_read(const struct asked_input *in, struct snapshot_asked *out);

/* A number, and nothing else. */
double asked_schedulers_number(const char *text, size_t n);

/* The item of a list like "2(x2),3", counted from 0: Slurm's tasks per node. */
double asked_schedulers_item(const char *text, size_t n, size_t index);

/* Hosts with slots. In "a 4 b 2" (LSB_MCPU_HOSTS) every word is of a pair; with lines, only the
 * first two words of each line (PE_HOSTFILE) are. Returns the sum of this host's slots; host may
 * have a domain, and so may the names in the text. *hosts: the number of pairs, or NAN. */
double asked_schedulers_hosts(const char *text, size_t n, bool lines, const char *host,
                              double *hosts);

/* The value of an attribute in an HTCondor ad, where it is a number: "RequestCpus = 4". Names of
 * attributes have no case. NAN for an expression, which only HTCondor can evaluate. */
double asked_schedulers_ad(const char *text, size_t n, const char *attribute);

/* The line of `scontrol show job -o`. NAN: no limit, or nothing asked for. */
struct asked_job {
	double time_s;                     /* TimeLimit */
	double memory_b, memory_per_cpu_b; /* MinMemoryNode, MinMemoryCPU: on each node, or for
	                                      each CPU of it. At most one of the two. */
	double ran_s;                      /* RunTime: since the job began */
};
struct asked_job asked_schedulers_scontrol(const char *text, size_t n);

#endif
