/*
 * fleet_options: the command line of rtrack-fleet: a verb, its options, and SOURCEs.
 *
 * Inputs, outputs and prices are those of rtrack-report (report_options.h), in .page.
 */
#ifndef FLEET_OPTIONS_FLEET_OPTIONS_H
#define FLEET_OPTIONS_FLEET_OPTIONS_H

#include "report/options/report_options.h"

#define FLEET_OPTIONS_GROUPS   ((size_t)200)    /* that are shown: --top at most, and without it */
#define FLEET_OPTIONS_RUNS_MAX ((size_t)100000) /* that are listed: --top at most */

#define FLEET_OPTIONS_FILES_MIN_S (3 * 86400) /* --older-than at least, with --files */

/* The words of --for, separated by blanks (ask_options.h). */
#define FLEET_OPTIONS_ASK_TOOLS "slurm snakemake nextflow kubernetes shell"

enum fleet_verb {
	FLEET_GROUPS, /* the default */
	FLEET_RUNS,
	FLEET_PIPELINE,
	FLEET_CI,
	FLEET_MAIL,
	FLEET_ADD,
	FLEET_FORGET,
	FLEET_ASK,
	FLEET_JOB,
	FLEET_VERBS,
};

/* A pointer is NULL, a list empty and a number 0 if its option was not given, unless noted. Strings
 * are borrowed from argv or static storage. */
struct fleet_options {
	struct report_options page; /* first, as its rows have offsets in this struct, too */
	enum fleet_verb verb;
	bool named; /* the command line names the verb */
	bool list_runners;
	const char *catalog;    /* a file, or the address of a server; NULL: in memory */
	bool add;               /* before the verb's own work; always with FLEET_ADD */
	struct opts_list where; /* KEY=VALUE …, see catalog_where.h */
	bool mine;              /* only runs of the user who runs this: in .where, too */
	char *mine_where;       /* "user=ann" */
	double since, until;    /* Unix seconds; 0: no bound */
	const char *since_text, *until_text; /* as given */
	double sacct_since;                  /* Unix seconds; 0: sacct is not run */
	const char *sacct_since_text;
	double older_than; /* Unix seconds: forget what is from before; 0: everything */
	const char *older_than_text;
	bool files; /* forget files instead of rows */
	/* Limits of one add for the folder of each user. */
	long user_files;
	double user_bytes, user_time;
	const char *user_bytes_text;
	bool steps;       /* of accounting: each step is a run */
	bool allocated;   /* of accounting: what was given counts as the ask */
	long top;         /* groups of the table and the text, runs; 0: the default */
	const char *sort; /* of the list of runs; NULL: the newest first */
	double rate_cpu, rate_memory,
	    rate_gpu; /* money per core-hour, GiB-hour, GPU-hour; 0: none */

	const char *run;  /* of a workflow; NULL: the newest */
	const char *job;  /* the ID of a job: the first argument of the verb job */
	char **passed_on; /* what follows "--" there: n_passed_on options of rtrack-report */
	size_t n_passed_on;

	const char *mail;  /* a folder for messages to owners, whose last part may not exist */
	const char *owner; /* "user" or "account"; NULL: user */
	const char *mail_domain, *mail_rules, *mail_state; /* files, but for the first; the last is
	                                                    * never NULL with .mail */
	char *said;                                        /* the default of .mail_state */

	const char *ci_root;       /* the repository with the workflow files; NULL: this folder */
	const char *runner_prices; /* a file; NULL: the table that is built in */

	struct opts_list ask_for; /* files, or sizes with a unit */
	const char *ask_tool;     /* a word of ask_options.h; NULL: for people */
};

/* A row for each option, in fleet_options_table.c, and one for each verb. */
extern const struct opt fleet_options_table[];
extern const struct opts_mode fleet_verbs[FLEET_VERBS + 1];
extern const char *const fleet_verbs_help[FLEET_VERBS]; /* what each tells, in a few words */

/* Fills *o from argv. Returns 0, or -1 with a sentence that says what is wrong with the command
 * line. Free it either way. */
int fleet_options_parse(struct fleet_options *o, int argc, char **argv, struct err *e);
void fleet_options_free(struct fleet_options *o);

/* The table as a verb's help has it: options that another verb explains otherwise are its own. */
void fleet_options_of_verb(enum fleet_verb verb, struct opt table[OPTS_MAX + 1]);

/* Appends the text of --help, or of VERB --help. */
void fleet_options_help(const struct fleet_options *o, struct buf *out);

/* Whether money is at the site's own rates. */
bool fleet_options_rates(const struct fleet_options *o);

/* The HTML page, if it is a file: links lead from it to files beside it. Else NULL. */
const char *fleet_options_page_file(const struct fleet_options *o);

/* Whether Nextflow's trace is an output. */
bool fleet_options_nextflow(const struct fleet_options *o);

#endif
