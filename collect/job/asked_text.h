/*
 * asked_text: the lists and files by which schedulers say what a job got. Pure: each takes n bytes
 * of hostile text, and returns NAN, or false, for what it cannot read.
 */
#ifndef COLLECT_JOB_ASKED_TEXT_H
#define COLLECT_JOB_ASKED_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A number, and nothing else. */
double asked_text_number(const char *text, size_t n);

/* The item of a list like "2(x2),3", counted from 0: Slurm's tasks per node. */
double asked_text_item(const char *text, size_t n, size_t index);

/* How many numbers a list like "0,1" or "0-3,6" names: SLURM_JOB_GPUS. */
double asked_text_count(const char *text, size_t n);

/* Hosts with slots. In "a 4 b 2" (LSB_MCPU_HOSTS) every word is of a pair; with lines, only the
 * first two words of each line (PE_HOSTFILE) are. Returns the sum of this host's slots; host may
 * have a domain, and so may the names in the text. *hosts: the number of pairs, or NAN. */
double asked_text_hosts(const char *text, size_t n, bool lines, const char *host, double *hosts);

/* The value of an attribute in an HTCondor ad, where it is a number: "RequestCpus = 4". Names of
 * attributes have no case. NAN for an expression, which only HTCondor can evaluate. */
double asked_text_ad(const char *text, size_t n, const char *attribute);

/* What the line of `scontrol show job -o` has. NAN: no limit, or nothing asked for. */
struct asked_text_job {
	double time_s;                     /* TimeLimit */
	double memory_b, memory_per_cpu_b; /* MinMemoryNode, MinMemoryCPU: on each node, or for
	                                      each CPU of it. At most one of the two. */
};
struct asked_text_job asked_text_scontrol(const char *text, size_t n);

#endif
