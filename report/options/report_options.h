/*
 * report_options: the command line of rtrack-report, and what that of rtrack-fleet shares with it:
 * inputs, outputs and prices (options_page.def).
 *
 * Each program calls report_options_begin, parses its own table, and gives what was parsed to
 * report_options_take; after its own checks, report_options_check.
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
	REPORT_BISECT,
	REPORT_WATCH,
	REPORT_MODEL,
	REPORT_PUT,
	REPORT_GET,
	REPORT_KEEPER_SAVE,
	REPORT_MODES,
};

/* A pointer is NULL, a list and an input empty and a number 0 if its option was not given, unless
 * noted. Strings are borrowed from argv, the environment or static storage. */
struct report_options {
	const struct opt *table; /* the program's own */
	enum report_mode mode;   /* of rtrack-report alone */
	bool help, version, list_metrics;
	bool page_by_default;      /* no output was requested: the page has the default name */
	const char *file[FORMATS]; /* output file of each format */
	const char *csv, *trace;
	const char *patch;                       /* of rtrack-fleet: changes of workflow files */
	bool bytes, human_names;                 /* for the CSV */
	const char *job_prefix, *machine_prefix; /* of the names of its columns */
	bool no_model;                           /* the page does not carry its model */
	const char *schema;         /* for the CSV: "1" or "2"; NULL: the recording's */
	struct opts_list templates; /* TEMPLATE[=FILE] */
	const char *title;
	const char *integration; /* the tool that runs rtrack-report */
	bool brief;              /* print FORMAT_BRIEF */
	bool open;               /* open the HTML report in a browser */

	struct input model, current;
	char *current_journal; /* which .current is then; NULL: none */
	long history;
	const char *risk;          /* NULL: not given */
	const char *rules;         /* likewise */
	struct opts_list group_by; /* KEY[,KEY]…, see job_key.h */
	const char *parts;         /* "auto" or "off"; NULL: auto */
	bool watch;     /* jobs that run: on the terminal, or as outputs that are rewritten */
	double every_s; /* the page reloads itself so often; 0: it does not */
	bool compare, bisect;
	struct opts_list names; /* labels of the compared runs, in their order */
	const char *status;
	const char *note;         /* a sentence for the report's notes, without its full stop */
	struct opts_list fail_if; /* conditions, checked with gate_parse */

	struct input put;    /* transfer it, and make no report */
	const char *get;     /* a file: the same */
	double pieces_s;     /* with put; 0: upload the file as it is */
	double time_limit_s; /* of transfers from and to object stores; 0: the default */

	const char *ram_unit, *gpu_ram_unit, *time_unit;
	long expected_cores;
	struct opts_list gpus; /* UUIDs, and brands */

	bool offline;
	const char *keeper_url;   /* never NULL */
	const char *keeper_cache; /* NULL: the user's default folder; "": no cache */
	const char *keeper_file;  /* NULL: none; likewise the next one */
	const char *keeper_save;
	double keeper_timeout_s; /* 0: the default */
	const char *currency;
	bool spot;
	long runs_per_month;
	const char *slowdown_text;      /* as given; NULL: the default */
	double slowdown;                /* 0.1: a tenth */
	struct keeper_lists server;     /* filters of servers */
	const char *workload;           /* speed.h; NULL: the default */
	struct opts_list keeper_filter; /* keeper_where.h */
	bool keeper_records;
	long servers;

	double now; /* Unix seconds; NAN: the clock */

	struct input *input; /* arguments that are not options */
	size_t n_inputs;
	char **argument; /* argv from there on: it keeps what the names are borrowed from */
};

/* A row for each option, in report_options_table.c, and one for each mode. */
extern const struct opt report_options_table[];
extern const struct opts_mode report_modes[REPORT_MODES + 1];

/* Fills *o from argv, with defaults from the environment (RTRACK_KEEPER_URL, SOURCE_DATE_EPOCH).
 * Returns 0, or -1 with a sentence that says what is wrong with the command line. Free it either
 * way. */
int report_options_parse(struct report_options *o, int argc, char **argv, struct err *e);
void report_options_free(struct report_options *o);

/* The steps of both programs. begin: defaults, before the table is parsed. take: the arguments that
 * are not options become inputs. check: outputs, filters of servers, --slowdown, --currency,
 * --open. Each returns 0, or -1 with a sentence. */
int report_options_begin(struct report_options *o, const struct opt *table, struct err *e);
int report_options_take(struct report_options *o, char **argument, size_t n, struct err *e);
int report_options_check(struct report_options *o, struct err *e);

/* Parses each condition of --fail-if with the program's parser, so that a mistake is found before
 * any file is read. -1 with a sentence. */
struct gate;
typedef int report_options_gate(const char *text, struct gate *out, struct err *e);
int report_options_gates(const struct report_options *o, report_options_gate *parse, struct err *e);

/* --help WORD: -1 with a sentence if WORD is neither the name of one of the modes nor a file. */
int report_options_help_word(const struct report_options *o, const struct opts_mode *modes,
                             struct err *e);

/* Where no output was requested, page (the name of a file) is. */
void report_options_default_page(struct report_options *o, const char *page);

/* Whether several recordings may be read, which may be parts of one job. */
bool report_options_may_join(const struct report_options *o);

/* Whether jobs are shown on the terminal: --watch without an output. */
bool report_options_screen(const struct report_options *o);

/* The output that the option of this row writes, or NULL. */
const char *report_options_row_output(const struct report_options *o, const struct opt *row);

/* No input was given: if an output's FILE, or a template, is a recording, sets a sentence that says
 * so; else the sentence otherwise. Returns -1. */
int report_options_row_no_input(const struct report_options *o, const char *otherwise,
                                struct err *e);

/* The grants for object stores: the addresses on the command line that are read or written.
 * Fills v, which has room for all inputs and outputs, and returns their number. */
struct store_grant;
size_t report_options_stores(const struct report_options *o, struct store_grant *v);

/* Checks the addresses that are inputs, and those of an output: of the option with this name.
 * is_json: its own format is JSON. names: inputs need not be files (rtrack-fleet forget). -1 with
 * a sentence. */
int report_options_stores_inputs(const struct report_options *o, bool names, struct err *e);
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

/* How prices are asked for, and of which servers, without sizes. */
struct keeper_query report_options_prices(const struct report_options *o,
                                          const struct price_fetcher *fetcher);

/* Appends the text of --help, or of --help MODE. */
void report_options_help(const struct report_options *o, struct buf *out);

/* A recording that has not ended has only its journal: it is read instead, and say is given a
 * sentence. The names live as long as the process, as argv does. */
void report_options_journals(struct report_options *o, void (*say)(const struct err *line));

#endif
