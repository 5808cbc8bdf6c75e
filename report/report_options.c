/* report_options: the command line of rtrack-report. */
#include "report/report_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/advice/gate.h"
#include "report/prices/keeper.h"
#include "report/prices/keeper_filters.h"
#include "report/render/output_formats.h"
#include "report/runs/job_key.h"
#include "report/runs/load.h"

#define AT(field) offsetof(struct report_options, field)

#define OUTPUT  "Output"
#define RUNS    "Runs"
#define UNITS   "Units of --text and of @gpu_tracker.json"
#define SERVERS "Servers and prices"
#define OTHER   "Other"

#define MEMORY_UNITS "bytes kilobytes megabytes gigabytes terabytes"

static const struct opt table[] = {
    {"output", 'o', OPTS_STRING, AT(output), "FILE", OUTPUT,
     "write the HTML report to FILE, \"-\" for standard output (default: report.html, or nothing "
     "where another output is asked for)",
     0, 0, NULL},
    {"json", 'j', OPTS_STRING, AT(json), "FILE", OUTPUT,
     "write the model behind the report as JSON", 0, 0, NULL},
    {"markdown", 0, OPTS_STRING, AT(markdown), "FILE", OUTPUT,
     "write a summary in Markdown, for a job summary or a comment on a merge request", 0, 0, NULL},
    {"text", 0, OPTS_STRING, AT(text), "FILE", OUTPUT,
     "write the report as text, \"-\" for the terminal", 0, 0, NULL},
    {"openmetrics", 0, OPTS_STRING, AT(openmetrics), "FILE", OUTPUT,
     "write the figures as OpenMetrics, also for GitLab's metrics report", 0, 0, NULL},
    {"junit", 0, OPTS_STRING, AT(junit), "FILE", OUTPUT,
     "write how the job ended and what its gates answer as JUnit XML, a test each", 0, 0, NULL},
    {"csv", 0, OPTS_STRING, AT(csv), "FILE", OUTPUT,
     "write the samples of tree and machine, joined by time, as CSV", 0, 0, NULL},
    {"bytes", 0, OPTS_FLAG, AT(bytes), NULL, OUTPUT,
     "in the CSV, all of memory, GPU memory and disk space in bytes", 0, 0, NULL},
    {"human-names", 0, OPTS_FLAG, AT(human_names), NULL, OUTPUT,
     "in the CSV, columns named for people, as resource-tracker names them (\"System free "
     "memory\")",
     0, 0, NULL},
    {"schema", 0, OPTS_CHOICE, AT(schema), "1|2", OUTPUT,
     "in the CSV, names and units of the columns: 1 as in resource-tracker up to 0.4 (memory in "
     "kB), 2 as from 0.5 (memory in MiB) (default: the recording's own)",
     0, 0, "1 2"},
    {"template", 't', OPTS_LIST, AT(templates), "TEMPLATE[=FILE]", OUTPUT,
     "render your own Mustache TEMPLATE, with the partials beside it, to FILE (default: standard "
     "output); TEMPLATE's extension "
     "(.html, .md, .xml, .json, .tsv, .prom, else none) chooses the escaping; or one of ours: "
     "@gpu_tracker.json, @snakemake.tsv, @trace.txt; may repeat",
     0, 0, NULL},
    {"title", 0, OPTS_STRING, AT(title), "TEXT", OUTPUT, "the report's heading", 0, 0, NULL},
    {"integration", 0, OPTS_STRING, AT(integration), "NAME", OUTPUT,
     "what made the report, such as a workflow engine, for its last line", 0, 0, NULL},
    {"open", 0, OPTS_FLAG, AT(open), NULL, OUTPUT,
     "show the HTML report, by xdg-open(1), once it is written", 0, 0, NULL},

    {"current", 'c', OPTS_STRING, AT(current), "FILE", RUNS,
     "the run to report on (default: the newest)", 0, 0, NULL},
    {"history", 'n', OPTS_INT, AT(history), "N", RUNS,
     "compare with the last N finished runs (default: 5)", 0, LOAD_RUNS_MAX, NULL},
    {"group-by", 0, OPTS_LIST, AT(group_by), "KEY[,KEY]", RUNS,
     "what makes runs of the same job, the others being listed alone: name (default), command, "
     "directory, host, user, instance, tag:KEY, label:KEY; may repeat",
     0, 0, NULL},
    {"compare", 0, OPTS_FLAG, AT(compare), NULL, RUNS,
     "put the given runs side by side, on time since their start; the verdict tells how they "
     "differ",
     0, 0, NULL},
    {"name", 0, OPTS_LIST, AT(names), "LABEL", RUNS,
     "with --compare, what to call a run, in the order in which they are given; may repeat", 0, 0,
     NULL},
    {"status", 0, OPTS_CHOICE, AT(status), "STATUS", RUNS,
     "say how the run ended, where the recording can't: finished or failed", 0, 0,
     "finished failed"},
    {"fail-if", 0, OPTS_LIST, AT(fail_if), "CONDITION", RUNS,
     "end with status 3 where it holds, as in \"process_memory.max > 8GiB\" or \"duration > "
     "history * 1.2\"; may repeat",
     0, 0, NULL},
    {"model", 'm', OPTS_STRING, AT(model), "FILE", RUNS,
     "render from a model that --json wrote, instead of from snapshots", 0, 0, NULL},

    {"ram-unit", 0, OPTS_CHOICE, AT(ram_unit), "UNIT", UNITS,
     "of memory: bytes, kilobytes, megabytes, gigabytes or terabytes, of 1000 (default: "
     "gigabytes; in --text as elsewhere in it)",
     0, 0, MEMORY_UNITS},
    {"gpu-ram-unit", 0, OPTS_CHOICE, AT(gpu_ram_unit), "UNIT", UNITS,
     "of GPU memory (default: likewise)", 0, 0, MEMORY_UNITS},
    {"time-unit", 0, OPTS_CHOICE, AT(time_unit), "UNIT", UNITS,
     "of time: seconds, minutes, hours or days (default: hours; in --text none)", 0, 0,
     "seconds minutes hours days"},
    {"expected-cores", 0, OPTS_INT, AT(expected_cores), "N", UNITS,
     "what the job's CPU usage is a percentage of (default: all cores of the machine)", 1, 1000000,
     NULL},
    {"gpu", 0, OPTS_LIST, AT(gpus), "UUID[,UUID]", UNITS,
     "count these GPUs alone (default: all of the machine); may repeat", 0, 0, NULL},

    {"offline", 0, OPTS_FLAG, AT(offline), NULL, SERVERS,
     "ask no network for prices: what the cache has serves, marked with its age", 0, 0, NULL},
    {"keeper-url", 0, OPTS_STRING, AT(keeper_url), "URL", SERVERS,
     "the Keeper API to ask (default: $RTRACK_KEEPER_URL, else " KEEPER_URL ")", 0, 0, NULL},
    {"servers", 0, OPTS_INT, AT(servers), "N", SERVERS, "list the N cheapest (default: 5)", 1,
     KEEPER_SERVERS_MAX, NULL},
    {"vendor", 0, OPTS_WORDS, AT(vendor), "ID[,ID]", SERVERS,
     "only servers of these vendors: aws, gcp, azure, hcloud, upcloud, alicloud, ovh, vultr; may "
     "repeat",
     0, 0, NULL},
    {"region", 0, OPTS_WORDS, AT(region), "REGION[,REGION]", SERVERS,
     "only these regions: id, name or alias, or VENDOR~REGION; may repeat", 0, 0, NULL},
    {"country", 0, OPTS_WORDS, AT(country), "CC[,CC]", SERVERS,
     "only data centers in these countries, such as DE or Germany; may repeat", 0, 0, NULL},
    {"compliance", 0, OPTS_WORDS, AT(compliance), "ID[,ID]", SERVERS,
     "only vendors that comply with one of these: hipaa, iso27001, soc2t2; may repeat", 0, 0, NULL},
    {"arch", 0, OPTS_WORDS, AT(arch), "ARCH[,ARCH]", SERVERS,
     "only these CPU architectures, such as x86_64 or arm64 (default: the recording's); may repeat",
     0, 0, NULL},
    {"cpu-allocation", 0, OPTS_WORDS, AT(cpu_allocation), "KIND[,KIND]", SERVERS,
     "only Shared, Burstable or Dedicated CPUs; may repeat", 0, 0, NULL},
    {"currency", 0, OPTS_STRING, AT(currency), "CODE", SERVERS,
     "prices in this currency, such as EUR (default: USD)", 0, 0, NULL},
    {"spot", 0, OPTS_FLAG, AT(spot), NULL, SERVERS,
     "compare spot prices, of servers that may be taken away at any time", 0, 0, NULL},
    {"runs-per-month", 0, OPTS_INT, AT(runs_per_month), "N", SERVERS,
     "tell what N such runs cost in a month", 1, 1000000, NULL},
    {"keeper-cache", 0, OPTS_STRING, AT(keeper_cache), "DIR", SERVERS,
     "keep prices in DIR (default: $XDG_CACHE_HOME/rtrack, else ~/.cache/rtrack); \"\" keeps none",
     0, 0, NULL},

    {"now", 0, OPTS_NUMBER, AT(now), "SECONDS", OTHER,
     "the report's own time, in Unix seconds, for the same bytes each time (default: "
     "$SOURCE_DATE_EPOCH, else the clock)",
     0, 253402300799.0, NULL},
    {"list-metrics", 0, OPTS_FLAG, AT(list_metrics), NULL, OTHER, "list every metric", 0, 0, NULL},
    {"help", 'h', OPTS_FLAG, AT(help), NULL, OTHER, "print this", 0, 0, NULL},
    {"version", 'V', OPTS_FLAG, AT(version), NULL, OTHER, "print the version", 0, 0, NULL},
    {0},
};

static int from_environment(struct report_options *o, struct err *e)
{
	const char *url = getenv("RTRACK_KEEPER_URL"), *epoch = getenv("SOURCE_DATE_EPOCH");
	char *end;

	o->keeper_url = url && *url ? url : KEEPER_URL;
	if (!epoch || !*epoch)
		return 0;
	o->now = strtod(epoch, &end);
	if (*end || !(o->now >= 0 && o->now <= 253402300799.0))
		return err_set(e, "$SOURCE_DATE_EPOCH: \"%s\" is not a time", epoch);
	return 0;
}

/* What the model does not have: samples, and figures in other units than it was written with. */
static const char *asks_for_recordings(const struct report_options *o)
{
	return o->n_files || o->current ? "snapshots"
	       : o->csv                 ? "--csv"
	       : o->fail_if.n           ? "--fail-if"
	       : o->ram_unit            ? "--ram-unit"
	       : o->gpu_ram_unit        ? "--gpu-ram-unit"
	       : o->time_unit           ? "--time-unit"
	       : o->expected_cores      ? "--expected-cores"
	       : o->gpus.n              ? "--gpu"
	       : o->group_by.n          ? "--group-by"
	       : o->compare             ? "--compare"
	                                : NULL;
}

static int check_sources(const struct report_options *o, struct err *e)
{
	const char *other = asks_for_recordings(o);

	if (o->model && other)
		return err_set(e, "--model and %s can't be had together", other);
	if (!o->model && !o->n_files && !o->current)
		return err_set(e, "no snapshot given (--help tells how)");
	if (!o->csv && (o->bytes || o->human_names || o->schema))
		return err_set(e, "%s needs --csv",
		               o->bytes         ? "--bytes"
		               : o->human_names ? "--human-names"
		                                : "--schema");
	if (o->names.n && !o->compare)
		return err_set(e, "--name needs --compare");
	return job_key_check(&o->group_by, e);
}

/* The regions themselves are not checked here, but once the service has listed them. */
static int check_regions(const struct opts_list *regions, struct err *e)
{
	for (size_t i = 0; i < regions->n; i++) {
		const char *word = regions->v[i], *tilde = strchr(word, '~');
		char vendor[64];
		if (!tilde)
			continue;
		snprintf(vendor, sizeof vendor, "%.*s", (int)(tilde - word), word);
		if (!keeper_filters_value(KEEPER_FILTER_VENDOR, vendor, e))
			return err_wrap(e, "--region %.64s", word);
	}
	return 0;
}

/* Any case and other names become the service's own spelling. */
static int check_filters(struct report_options *o, struct err *e)
{
	if (o->currency && *o->currency &&
	    !(o->currency = keeper_filters_value(KEEPER_FILTER_CURRENCY, o->currency, e)))
		return err_wrap(e, "--currency");
	if (keeper_filters_values(KEEPER_FILTER_VENDOR, &o->vendor, e) ||
	    check_regions(&o->region, e) ||
	    keeper_filters_values(KEEPER_FILTER_COUNTRY, &o->country, e) ||
	    keeper_filters_values(KEEPER_FILTER_COMPLIANCE, &o->compliance, e) ||
	    keeper_filters_values(KEEPER_FILTER_ARCH, &o->arch, e) ||
	    keeper_filters_values(KEEPER_FILTER_CPU_ALLOCATION, &o->cpu_allocation, e))
		return -1;
	return 0;
}

/* Each is read once here, so that a wrong one is known before any file is. */
static int check_gates(const struct report_options *o, struct err *e)
{
	const char *currency = o->currency && *o->currency ? o->currency : "USD";

	for (size_t i = 0; i < o->fail_if.n; i++) {
		struct gate g;
		if (gate_parse(o->fail_if.v[i], &g, e))
			return err_wrap(e, "--fail-if");
		if (*g.currency && strcasecmp(g.currency, currency) != 0)
			return err_set(
			    e, "--fail-if: \"%s\": prices are in %s; did you mean --currency %s?",
			    o->fail_if.v[i], currency, g.currency);
	}
	return 0;
}

/* All files that are written, which are to be different ones; templates may follow each other on
 * standard output. */
struct outputs {
	const char *v[REPORT_OPTIONS_OUTPUTS_MAX];
	size_t n;
	bool printed; /* a template goes to standard output */
};

static int add_output(struct outputs *all, const char *path, struct err *e)
{
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->v[i], path) == 0)
			return err_set(e, "two outputs go to %s",
			               strcmp(path, "-") == 0 ? "standard output" : path);
	all->v[all->n++] = path;
	return 0;
}

static int check_template(const char *spec, struct outputs *all, struct err *e)
{
	struct buf name = {0}, names = {0};
	const char *file = NULL;
	int failed = 0;

	if (output_format_template(spec, &name, &file))
		failed = err_set(e, "--template: \"%s\" is not TEMPLATE=FILE", spec);
	else if (*buf_cstr(&name) == '@' && !output_format_named(buf_cstr(&name) + 1)) {
		output_format_names(&names);
		failed = err_set(e, "--template: there is no %s, but %s", buf_cstr(&name),
		                 buf_cstr(&names));
	} else if (!all->printed || strcmp(file, "-") != 0) {
		failed = add_output(all, file, e);
		all->printed = all->printed || strcmp(file, "-") == 0;
	}
	buf_free(&name);
	buf_free(&names);
	return failed;
}

static int check_outputs(const struct report_options *o, struct err *e)
{
	struct outputs all = {0};

	for (size_t i = 0; i < FORMATS; i++) {
		const char *path = report_options_output(o, &output_formats[i]);
		if (path && add_output(&all, path, e))
			return -1;
	}
	if (o->csv && add_output(&all, o->csv, e))
		return -1;
	for (size_t i = 0; i < o->templates.n; i++)
		if (check_template(o->templates.v[i], &all, e))
			return -1;
	return 0;
}

const char *report_options_output(const struct report_options *o, const struct output_format *face)
{
	const char *path = NULL;

	if (face->option)
		memcpy(&path, (const char *)o + face->at, sizeof path);
	return path;
}

_Static_assert(FORMATS + 1 + OPTS_LIST_MAX <= REPORT_OPTIONS_OUTPUTS_MAX,
               "each face, the CSV, each template");

size_t report_options_outputs(const struct report_options *o,
                              const char *v[REPORT_OPTIONS_OUTPUTS_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < FORMATS; i++)
		if ((v[n] = report_options_output(o, &output_formats[i])))
			n++;
	if (o->csv)
		v[n++] = o->csv;
	for (size_t i = 0; i < o->templates.n; i++) {
		struct buf name = {0};
		if (output_format_template(o->templates.v[i], &name, &v[n]) == 0)
			n++;
		buf_free(&name);
	}
	return n;
}

/* report.html, where nothing at all was asked for. */
static void fall_back(struct report_options *o)
{
	bool asked = o->csv || o->templates.n;

	for (size_t i = 0; i < FORMATS; i++)
		asked = asked || report_options_output(o, &output_formats[i]);
	if (!asked)
		o->output = "report.html";
}

static int check_open(const struct report_options *o, struct err *e)
{
	if (o->open && !o->output)
		return err_set(e, "--open shows the HTML report: give it a file by --output");
	if (o->open && strcmp(o->output, "-") == 0)
		return err_set(e, "--open can't show what goes to standard output");
	return 0;
}

int report_options_parse(struct report_options *o, int argc, char **argv, struct err *e)
{
	int rest;

	*o = (struct report_options){.history = 5, .servers = 5, .now = NAN};
	if (from_environment(o, e) || opts_parse(table, o, argc, argv, 0, &rest, e))
		return -1;
	o->files = argv + rest;
	o->n_files = argc - rest;
	if (o->help || o->version || o->list_metrics)
		return 0;
	fall_back(o);
	if (check_sources(o, e) || check_filters(o, e) || check_gates(o, e) ||
	    check_outputs(o, e) || check_open(o, e))
		return -1;
	return 0;
}

void report_options_help(struct buf *out)
{
	buf_str(out,
	        "Usage: rtrack-report [OPTION]... SNAPSHOT...\n"
	        "       rtrack-report [OPTION]... --model FILE\n\n"
	        "Turns recordings of rtrack-collect into one self-contained HTML page: what the "
	        "job\nused, what to ask for next time, and which cloud server would be "
	        "cheapest.\n\n"
	        "Of several recordings the newest is this run, the others are its history; a "
	        "folder\nstands for the snapshots in it.\n\n");
	opts_help(table, out);
	buf_str(
	    out,
	    "\nExamples:\n"
	    "  rtrack-report job.json.gz                  write report.html\n"
	    "  rtrack-report -o job.html runs/            the newest of runs/, with history\n"
	    "  rtrack-report --compare -o ab.html a.json.gz b.json.gz   two runs, side by side\n"
	    "  rtrack-report --offline -j - job.json.gz   print the model, ask no network\n"
	    "  rtrack-report --text - job.json.gz         read it in the terminal\n"
	    "  rtrack-report -o a.html --markdown a.md --openmetrics a.prom job.json.gz\n"
	    "  rtrack-report --fail-if 'process_memory.max > limit * 90%' --junit a.xml a.json\n"
	    "\nExit status:\n"
	    "  0  written\n"
	    "  1  not written\n"
	    "  2  wrong usage\n"
	    "  3  written, and a condition of --fail-if holds\n"
	    "  4  written, but some recordings were left out\n");
}
