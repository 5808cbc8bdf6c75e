/* options: the command line of rtrack-report. */
#include "options.h"

#include <math.h>
#include <stdlib.h>

#include "keeper.h"
#include "load.h"

#define AT(field) offsetof(struct options, field)

#define OUTPUT  "Output"
#define RUNS    "Runs"
#define SERVERS "Servers and prices"
#define OTHER   "Other"

static const struct opt table[] = {
    {"output", 'o', OPTS_STRING, AT(output), "FILE", OUTPUT,
     "write the HTML report to FILE, \"-\" for standard output (default: report.html, or nothing "
     "where another output is asked for)",
     0, 0, NULL},
    {"json", 'j', OPTS_STRING, AT(json), "FILE", OUTPUT,
     "write the model behind the report as JSON", 0, 0, NULL},
    {"template", 't', OPTS_LIST, AT(templates), "TEMPLATE[=FILE]", OUTPUT,
     "render your own Mustache TEMPLATE to FILE (default: standard output); TEMPLATE's extension "
     "(.html, .md, .xml, .json, else none) chooses the escaping; may repeat",
     0, 0, NULL},
    {"title", 0, OPTS_STRING, AT(title), "TEXT", OUTPUT, "the report's heading", 0, 0, NULL},

    {"current", 'c', OPTS_STRING, AT(current), "FILE", RUNS,
     "the run to report on (default: the newest)", 0, 0, NULL},
    {"history", 'n', OPTS_INT, AT(history), "N", RUNS,
     "compare with the last N finished runs (default: 5)", 0, LOAD_RUNS_MAX, NULL},
    {"status", 0, OPTS_CHOICE, AT(status), "STATUS", RUNS,
     "say how the run ended, where the recording can't: finished or failed", 0, 0,
     "finished failed"},
    {"model", 'm', OPTS_STRING, AT(model), "FILE", RUNS,
     "render from a model that --json wrote, instead of from snapshots", 0, 0, NULL},

    {"offline", 0, OPTS_FLAG, AT(offline), NULL, SERVERS, "ask for no prices", 0, 0, NULL},
    {"keeper-url", 0, OPTS_STRING, AT(keeper_url), "URL", SERVERS,
     "the Keeper API to ask (default: $RTRACK_KEEPER_URL, else " KEEPER_URL ")", 0, 0, NULL},
    {"servers", 0, OPTS_INT, AT(servers), "N", SERVERS, "list the N cheapest (default: 5)", 1,
     KEEPER_SERVERS_MAX, NULL},
    {"vendor", 0, OPTS_LIST, AT(vendor), "ID", SERVERS,
     "only servers of this vendor, such as aws or hcloud; may repeat", 0, 0, NULL},
    {"region", 0, OPTS_LIST, AT(region), "REGION", SERVERS,
     "only this region: its id, name or alias, or VENDOR~REGION; may repeat", 0, 0, NULL},
    {"country", 0, OPTS_LIST, AT(country), "CC", SERVERS,
     "only data centres of this country, such as DE; may repeat", 0, 0, NULL},
    {"compliance", 0, OPTS_LIST, AT(compliance), "ID", SERVERS,
     "only vendors that follow hipaa, iso27001 or soc2t2; may repeat", 0, 0, NULL},
    {"arch", 0, OPTS_LIST, AT(arch), "ARCH", SERVERS,
     "only this CPU architecture (default: the recording's); may repeat", 0, 0, NULL},
    {"cpu-allocation", 0, OPTS_LIST, AT(cpu_allocation), "KIND", SERVERS,
     "only Shared, Burstable or Dedicated CPUs; may repeat", 0, 0, NULL},
    {"currency", 0, OPTS_STRING, AT(currency), "CODE", SERVERS,
     "prices in this currency (default: USD)", 0, 0, NULL},

    {"now", 0, OPTS_NUMBER, AT(now), "SECONDS", OTHER,
     "the report's own time, in Unix seconds, for the same bytes each time (default: "
     "$SOURCE_DATE_EPOCH, else the clock)",
     0, 253402300799.0, NULL},
    {"list-metrics", 0, OPTS_FLAG, AT(list_metrics), NULL, OTHER, "list every metric", 0, 0, NULL},
    {"help", 'h', OPTS_FLAG, AT(help), NULL, OTHER, "print this", 0, 0, NULL},
    {"version", 'V', OPTS_FLAG, AT(version), NULL, OTHER, "print the version", 0, 0, NULL},
    {0},
};

static int from_environment(struct options *o, struct err *e)
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

int options_parse(struct options *o, int argc, char **argv, struct err *e)
{
	int rest;

	*o = (struct options){.history = 5, .servers = 5, .now = NAN};
	if (from_environment(o, e) || opts_parse(table, o, argc, argv, 0, &rest, e))
		return -1;
	o->files = argv + rest;
	o->n_files = argc - rest;
	if (o->help || o->version || o->list_metrics)
		return 0;
	if (o->model && (o->n_files || o->current))
		return err_set(e, "--model and snapshots can't be had together");
	if (!o->model && !o->n_files && !o->current)
		return err_set(e, "no snapshot given (--help tells how)");
	return 0;
}

void options_help(struct buf *out)
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
	buf_str(out,
	        "\nExamples:\n"
	        "  rtrack-report job.json.gz                  write report.html\n"
	        "  rtrack-report -o job.html runs/            the newest of runs/, with history\n"
	        "  rtrack-report --offline -j - job.json.gz   print the model, ask no network\n"
	        "\nExit status:\n"
	        "  0  written\n"
	        "  1  not written\n"
	        "  2  wrong usage\n"
	        "  4  written, but some recordings were left out\n");
}
