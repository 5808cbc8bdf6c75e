/*
 * collect_options: the command line of rtrack-collect.
 */
#ifndef COLLECT_COLLECT_OPTIONS_H
#define COLLECT_COLLECT_OPTIONS_H

#include <stdbool.h>

#include "core/base/err.h"
#include "core/base/opts.h"
#include "core/numbers/metric.h"

enum collect_options_mode {
	COLLECT_OPTIONS_COMMAND, /* runs a command and records it */
	COLLECT_OPTIONS_PROCESS, /* follows a running process */
	COLLECT_OPTIONS_SYSTEM,  /* records only the machine */
	COLLECT_OPTIONS_MARK,
	COLLECT_OPTIONS_RECOVER,
	COLLECT_OPTIONS_INFO,
	COLLECT_OPTIONS_ONCE,
	COLLECT_OPTIONS_NOW,
};

/* All strings are borrowed from argv. */
struct collect_options {
	enum collect_options_mode mode;
	char **command; /* NULL-terminated; COLLECT_OPTIONS_COMMAND only */
	enum schema schema;

	const char *output;    /* NULL: the default */
	const char *append_to; /* NULL: the snapshot stays where it is */
	double min_s;          /* 0: each run is recorded */
	double sync_s;         /* 0: the journal is not copied */
	const char *name, *schema_name, *csv, *csv_file, *root;
	const char *mark, *recover; /* set: do this instead of recording */
	const char *gpus;           /* UUID[,UUID]; NULL: all */
	const char *asked;          /* asked_sources.h; NULL: not given */
	bool own_cgroup, discover_cloud, discover_server;
	bool children;                   /* descendants belong to the job */
	bool record_job, record_machine; /* which blocks the snapshot has; at least one */
	bool detail;                     /* each CPU, interface, file system and disk */
	const char *info;                /* "text" or "json": describe the machine, and exit */
	const char *end_file;            /* NULL: none */
	long oom_status;                 /* 0: the command's own */
	bool once;                       /* print the accounts of now, and exit */
	bool now, json;                  /* print the heaviest jobs of now, and exit */
	bool per_node;      /* all tasks that a launcher started on this node, as one job */
	const char *cgroup; /* "auto" or "off"; see own_cgroup */
	const char *events; /* the first source of processes that is tried: PROCESS_TREE_PERF … */
	double interval_s;
	double upload_every_s, upload_limit_s; /* 0: not given, see run_upload.h */
	long pid;
	long end_fd;            /* -1: none */
	struct opts_list tags;  /* each has a '=' after at least one byte */
	struct opts_list input; /* files that the command reads */
	bool find_inputs;
	bool keep_command, all_columns, wait_all, quiet, verbose, progress;
	bool list_metrics, help, version;
};

extern const struct opt collect_options_table[];

/* Returns 0, or -1 with a usage sentence. If help, version or list_metrics is set, the combination
 * of options is not checked. */
int collect_options_parse(struct collect_options *o, int argc, char **argv, struct err *e);

/* Appends the text of --help. */
void collect_options_help(struct buf *out);

#endif
