/*
 * report_options: the command line of rtrack-report.
 */
#ifndef REPORT_REPORT_OPTIONS_H
#define REPORT_REPORT_OPTIONS_H

#include <stdbool.h>

#include "core/err.h"
#include "core/opts.h"

struct report_options {
	bool help, version, list_metrics;
	const char *output, *json, *model, *current; /* NULL: not given */
	const char *markdown, *text, *openmetrics, *junit, *csv;
	bool bytes, human_names;    /* of the CSV */
	const char *schema;         /* of the CSV: "1" or "2"; NULL: the recording's */
	struct opts_list templates; /* TEMPLATE[=FILE] */
	const char *ram_unit, *gpu_ram_unit, *time_unit;
	long expected_cores;   /* 0: not told */
	struct opts_list gpus; /* UUID[,UUID]… */
	long history;
	struct opts_list group_by; /* KEY[,KEY]… of job_key.h */
	bool compare;
	struct opts_list names; /* of the runs that are compared, in their order */
	const char *title, *status;
	const char *integration;  /* what made the report; NULL: nothing told */
	bool open;                /* show the HTML report */
	struct opts_list fail_if; /* conditions, each of which gate_parse takes */
	bool offline;
	const char *keeper_url, *currency;
	const char *keeper_cache; /* NULL: the user's own; "": none */
	bool spot;
	long runs_per_month; /* 0: not told */
	struct opts_list vendor, region, country, compliance, arch, cpu_allocation;
	long servers;
	double now; /* Unix seconds; NAN: the clock */

	char **files; /* what is not an option; borrowed from argv */
	int n_files;
};

/* Fills *o, with defaults from the environment (RTRACK_KEEPER_URL, SOURCE_DATE_EPOCH). 0, or -1
 * with a usage sentence. */
int report_options_parse(struct report_options *o, int argc, char **argv, struct err *e);

struct output_format;

/* The file that a face goes to, or NULL where it was not asked for by an option of its own. */
const char *report_options_output(const struct report_options *o, const struct output_format *face);

/* All files that are written, "-" among them; v has room for REPORT_OPTIONS_OUTPUTS_MAX. Returns
 * how many.
 */
#define REPORT_OPTIONS_OUTPUTS_MAX (OPTS_LIST_MAX + 16)
size_t report_options_outputs(const struct report_options *o,
                              const char *v[REPORT_OPTIONS_OUTPUTS_MAX]);

/* --help. */
void report_options_help(struct buf *out);

#endif
