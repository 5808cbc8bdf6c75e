/*
 * report_options: the command line of rtrack-report.
 */
#ifndef REPORT_OPTIONS_REPORT_OPTIONS_H
#define REPORT_OPTIONS_REPORT_OPTIONS_H

#include <stdbool.h>

#include "core/base/err.h"
#include "core/base/opts.h"
#include "report/input/input.h"
#include "report/prices/keeper_query.h"
#include "report/render/output_formats.h"

enum report_mode {
	REPORT_RECORDINGS,
	REPORT_COMPARE,
	REPORT_WATCH,
	REPORT_MODEL,
	REPORT_ADD,
	REPORT_MAIL,     /* also with --add, but without --fleet */
	REPORT_FLEET,    /* also with --add and --mail */
	REPORT_RUNS,     /* also with --add */
	REPORT_PIPELINE, /* likewise */
	REPORT_CI,       /* likewise */
	REPORT_FORGET,
	REPORT_ASK,
	REPORT_JOB,
	REPORT_PUT,
	REPORT_GET,
	REPORT_MODES,
};

/* A pointer is NULL, a list and an input empty and a number 0 if its option was not given, unless
 * noted. Strings are borrowed from argv, the environment or static storage. */
struct report_options {
	enum report_mode mode;
	bool help, version, list_metrics, list_runners;
	const char *file[FORMATS]; /* output file of each format */
	const char *csv, *trace;
	bool bytes, human_names;                 /* for the CSV */
	const char *job_prefix, *machine_prefix; /* of the names of its columns */
	bool no_model;                           /* the page does not carry its model */
	const char *schema;         /* for the CSV: "1" or "2"; NULL: the recording's */
	struct opts_list templates; /* TEMPLATE[=FILE] */
	const char *title;
	const char *integration; /* the tool that runs rtrack-report */
	bool open;               /* open the HTML report in a browser */

	struct input model, current;
	char *current_journal; /* which .current is then; NULL: none */
	long history;
	const char *risk;          /* NULL: not given */
	const char *rules;         /* likewise */
	struct opts_list group_by; /* KEY[,KEY]…, see job_key.h */
	const char *parts;         /* "auto" or "off"; NULL: auto */
	bool fleet;                /* a page about many runs */
	const char *pipeline;      /* the run of a workflow; "": the newest */
	bool runs;                 /* a list of single runs */
	const char *sort;          /* of that list; NULL: the newest first */
	const char *job;           /* the ID of a job, on which to report */
	const char *catalog;       /* a file, or the address of a server; NULL: in memory */
	bool add, forget;
	bool ci;              /* a page about CI jobs and their runners */
	const char *ci_root;  /* the repository with the workflow files; NULL: the current folder */
	const char *ci_patch; /* a file */
	const char *runner_prices;           /* a file; NULL: the table that is built in */
	struct opts_list ask_for;            /* files, or sizes with a unit */
	const char *ask_tool;                /* a word of ask_options.h; NULL: for people */
	struct opts_list where;              /* KEY=VALUE …, see catalog_where.h */
	double since, until;                 /* Unix seconds; 0: no bound */
	const char *since_text, *until_text; /* as given */
	double sacct_since;                  /* Unix seconds; 0: sacct is not run */
	const char *sacct_since_text;
	bool steps; /* of accounting: each step is a run */
	long top;   /* groups of the table and the text, runs; 0: the default */
	double rate_cpu, rate_memory,
	    rate_gpu;      /* money per core-hour, GiB-hour, GPU-hour; 0: none */
	const char *mail;  /* a folder for messages to owners */
	const char *owner; /* "user" or "account"; NULL: user */
	const char *mail_domain, *mail_rules, *mail_state; /* files, but for the first */
	bool mine;        /* only runs of the user who runs this: in .where, too */
	char *mine_where; /* "user=ann" */
	bool watch;       /* jobs that run: on the terminal, or as outputs that are rewritten */
	double every_s;   /* the page reloads itself so often; 0: it does not */
	bool compare;
	struct opts_list names; /* labels of the compared runs, in their order */
	const char *status;
	struct opts_list fail_if; /* conditions, checked with gate_parse */

	struct input put;    /* transfer it, and make no report */
	const char *get;     /* a file: the same */
	double pieces_s;     /* with put; 0: upload the file as it is */
	double time_limit_s; /* of transfers from and to object stores; 0: the default */

	const char *ram_unit, *gpu_ram_unit, *time_unit;
	long expected_cores;
	struct opts_list gpus; /* UUID[,UUID]… */

	bool offline;
	const char *keeper_url;   /* never NULL */
	const char *keeper_cache; /* NULL: the user's default folder; "": no cache */
	double keeper_timeout_s;  /* 0: the default */
	const char *currency;
	bool spot;
	long runs_per_month;
	const char *slowdown_text; /* as given; NULL: the default */
	double slowdown;           /* 0.1: a tenth */
	struct opts_list vendor, region, country, compliance, arch, cpu_allocation;
	struct opts_list keeper_filter; /* keeper_where.h */
	bool keeper_records;
	long servers;

	double now; /* Unix seconds; NAN: the clock */

	struct input *input; /* arguments that are not options */
	size_t n_inputs;
	char **argument; /* argv from there on: it keeps what the names are borrowed from */
};

/* Modes that write a page about many runs: --add may come with them. */
#define REPORT_OPTIONS_PAGES                                                                       \
	(OPTS_MODE(REPORT_FLEET) | OPTS_MODE(REPORT_RUNS) | OPTS_MODE(REPORT_PIPELINE) |           \
	 OPTS_MODE(REPORT_CI))

/* A row for each option, in report_options_table.c, and one for each mode. */
extern const struct opt report_options_table[];
extern const struct opts_mode report_modes[REPORT_MODES + 1];

/* Fills *o from argv, with defaults from the environment (RTRACK_KEEPER_URL, SOURCE_DATE_EPOCH).
 * Returns 0, or -1 with a sentence that says what is wrong with the command line. Free it either
 * way. */
int report_options_parse(struct report_options *o, int argc, char **argv, struct err *e);
void report_options_free(struct report_options *o);

/* Whether several recordings may be read, which may be parts of one job. */
bool report_options_may_join(const struct report_options *o);

/* Whether jobs are shown on the terminal: --watch without an output. */
bool report_options_screen(const struct report_options *o);

/* Whether the command line is about many runs. */
bool report_options_many(const struct report_options *o);

/* The page that is written if no output was requested; NULL: none. */
const char *report_options_page(const struct report_options *o);

/* The HTML page, if it is a file: links lead from it to files beside it. Else NULL. */
const char *report_options_page_file(const struct report_options *o);

/* Checks a command line about many runs, splits its --group-by at commas, in place, and sets since
 * and until. -1 with a sentence. */
int report_options_fleet_check(struct report_options *o, struct err *e);

/* The same of a command line with --job. */
int report_options_fleet_job(struct report_options *o, struct err *e);

/* The output that the option of this row writes, or NULL. */
const char *report_options_row_output(const struct report_options *o, const struct opt *row);

/* No input was given: if an output's FILE is a recording, sets a sentence that says what to type;
 * else the sentence otherwise. Returns -1. */
int report_options_row_no_input(const struct report_options *o, const char *otherwise,
                                struct err *e);

/* Whether Nextflow's trace is an output. */
bool report_options_fleet_nextflow(const struct report_options *o);

/* Checks the options of messages to owners, and turns --mine into a condition of --where. -1 with a
 * sentence. */
int report_options_mail_check(struct report_options *o, struct err *e);

/* What may be asked of object stores: the addresses on the command line that are read or written.
 * Fills v, which has room for all inputs and outputs, and returns their number. */
struct store_grant;
size_t report_options_stores(const struct report_options *o, struct store_grant *v);

/* Checks the addresses that are inputs, and those of an output: of the option with this name.
 * is_json: its own format is JSON. -1 with a sentence. */
int report_options_stores_inputs(const struct report_options *o, struct err *e);
int report_options_stores_output(const char *option, const char *place, bool is_json,
                                 struct err *e);

/* Checks a command line with --put or --get. */
int report_options_transfer_check(const struct report_options *o, struct err *e);

/* How many inputs are standard input ("-"). */
size_t report_options_standard_input(const struct report_options *o);

/* Fills v with every output file, "-" included, and returns their number. */
#define REPORT_OPTIONS_OUTPUTS_MAX (OPTS_LIST_MAX + 16)
size_t report_options_outputs(const struct report_options *o,
                              const char *v[REPORT_OPTIONS_OUTPUTS_MAX]);

/* Whether money is at the site's own rates. */
bool report_options_rates(const struct report_options *o);

/* How prices are asked for, and of which servers, without sizes. */
struct keeper_query report_options_prices(const struct report_options *o,
                                          const struct price_fetcher *fetcher);

/* Appends the text of --help, or of --help MODE. */
void report_options_help(const struct report_options *o, struct buf *out);

/* Of a recording that has not ended only the journal is there: it is read instead, and say is given
 * a sentence. The names live as long as the process, as argv does. */
void report_options_journals(struct report_options *o, void (*say)(const struct err *line));

#endif
