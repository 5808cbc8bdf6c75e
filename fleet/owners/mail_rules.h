/*
 * mail_rules: when an owner of jobs is told about one, and the file with a site's thresholds.
 *
 * The file has a line for each threshold, "KEY = VALUE"; "#" begins a comment. A key that is not in
 * it keeps its default. docs/owners.md explains each.
 */
#ifndef FLEET_OWNERS_MAIL_RULES_H
#define FLEET_OWNERS_MAIL_RULES_H

#include "core/base/err.h"
#include "fleet/groups/fleet.h"

#define MAIL_RULES_MAX  ((size_t)65536) /* bytes of the file */
#define MAIL_RULES_FROM 256
#define MAIL_RULES_NOTE 512

/* Hours are those of all runs of a job that count, within the period. A share of 0 turns its rule
 * off. */
struct mail_rules {
	double runs;         /* a job with fewer runs that count is not looked at */
	double again_days;   /* so long the same is not said again */
	double memory_gib_h; /* unused */
	double memory_share; /* of what was asked for, below which its use (the p95 of peaks) is */
	double cpu_core_h, cpu_share;          /* asked for; used */
	double time_core_h, time_share;        /* asked for; p95 of wall time / time limit */
	double gpu_gpu_h, gpu_share;           /* asked for; used */
	double one_core_core_h, one_core_cpus; /* asked for; CPUs that one core's work asks for */
	double node_core_h, node_share;        /* asked for; of a node that stays free */
	double node_cpus, node_memory_b;       /* of a node; 0: unknown */
	char from[MAIL_RULES_FROM];            /* the address in From; "": none */
	char note[MAIL_RULES_NOTE];            /* the site's own last sentence; "": none */
};

/* Why an owner is told: bits, 1 << rule. */
enum mail_rule {
	MAIL_RULE_MEMORY,
	MAIL_RULE_CPU,
	MAIL_RULE_ONE_CORE, /* instead of MAIL_RULE_CPU */
	MAIL_RULE_TIME,
	MAIL_RULE_GPU,
	MAIL_RULE_NODE,
	MAIL_RULES
};

/* The name of a rule in the state file and in the model: "memory", "one_core". */
const char *mail_rules_name(enum mail_rule rule);

struct mail_rules mail_rules_default(void);

/* Changes *out by n bytes of the file's text. -1 with a sentence that begins with "line N: ". Pure.
 */
int mail_rules_parse(const char *text, size_t n, struct mail_rules *out, struct err *e);

/* The same of a file. */
int mail_rules_read(const char *path, struct mail_rules *out, struct err *e);

/* The rules that a job breaks. What is unknown breaks none; nor does a job whose proposed ask is
 * not less than what it asks for. Pure. */
unsigned mail_rules_broken(const struct mail_rules *r, const struct fleet_group *g);

/* How an ask fits into a node of the site. {0}: unknown. */
struct mail_rules_fit {
	double at_once; /* runs in one node */
	double free;    /* share of the node that stays free */
	/* Where one more run fits, with at most: */
	double cpus, memory_b;
};
struct mail_rules_fit mail_rules_fit(const struct mail_rules *r, const struct fleet_ask *ask);

#endif
