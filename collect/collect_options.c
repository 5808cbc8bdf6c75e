/* collect_options: the command line of rtrack-collect. */
#include "collect/collect_options.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#define RECORD  "What to record"
#define RESULT  "Where it goes"
#define JOB     "What is written about the job"
#define OTHER   "Instead of recording"
#define GENERAL "General"

#define AT(field) offsetof(struct collect_options, field)

const struct opt collect_options_table[] = {
    {.name = "pid",
     .letter = 'p',
     .kind = OPTS_INT,
     .at = AT(pid),
     .arg = "PID",
     .group = RECORD,
     .min = 1,
     .max = INT_MAX,
     .help = "Follow this running process and its descendants instead of running a command"},
    {.name = "interval",
     .letter = 'i',
     .kind = OPTS_NUMBER,
     .at = AT(interval_s),
     .arg = "SECONDS",
     .group = RECORD,
     .min = 0.01,
     .max = 3600,
     .help = "Time between two samples, 0.01 to 3600, fractions allowed (default: 1)"},
    {.name = "wait-all",
     .kind = OPTS_FLAG,
     .at = AT(wait_all),
     .group = RECORD,
     .help = "Record until all descendants of the command are gone, daemons too"},
    {.name = "root",
     .kind = OPTS_STRING,
     .at = AT(root),
     .arg = "DIR",
     .group = RECORD,
     .help = "Read proc and sys below DIR, a captured machine; not with a command"},
    {.name = "gpu",
     .kind = OPTS_STRING,
     .at = AT(gpus),
     .arg = "UUID[,UUID]",
     .group = RECORD,
     .help = "Count the use of these GPUs only (default: all)"},
    {.name = "cgroup",
     .kind = OPTS_CHOICE,
     .at = AT(cgroup),
     .arg = "auto|off",
     .group = RECORD,
     .choices = "auto off",
     .help = "Run the command in a cgroup of its own where one may be made, for exact totals "
             "(default: auto)"},
    {.name = "no-discover-cloud",
     .kind = OPTS_NO,
     .at = AT(discover_cloud),
     .group = RECORD,
     .help = "Ask no cloud metadata service where this machine runs"},

    {.name = "output",
     .letter = 'o',
     .kind = OPTS_STRING,
     .at = AT(output),
     .arg = "FILE",
     .group = RESULT,
     .help = "The snapshot; %h, %p and %t stand for host, process ID and UTC time, %% for % "
             "(default: " COLLECT_OPTIONS_OUTPUT ")"},
    {.name = "schema",
     .kind = OPTS_CHOICE,
     .at = AT(schema_name),
     .arg = "1|2",
     .group = RESULT,
     .choices = "1 2",
     .help = "Names and units of the columns: 1 as in resource-tracker up to 0.4 (memory in kB), "
             "2 as from 0.5 (memory in MiB) (default: 1)"},
    {.name = "csv",
     .kind = OPTS_CHOICE,
     .at = AT(csv),
     .arg = "process|system",
     .group = RESULT,
     .choices = "process system",
     .help = "Write these rows as CSV too, each when it is taken, to standard output; a reader "
             "that does not keep up misses rows"},
    {.name = "csv-file",
     .kind = OPTS_STRING,
     .at = AT(csv_file),
     .arg = "FILE",
     .group = RESULT,
     .help = "Where the CSV goes instead"},
    {.name = "all-columns",
     .kind = OPTS_FLAG,
     .at = AT(all_columns),
     .group = RESULT,
     .help = "All columns of --list-metrics in the CSV, not the common ones alone"},

    {.name = "name",
     .kind = OPTS_STRING,
     .at = AT(name),
     .arg = "NAME",
     .group = JOB,
     .help = "The job's name (default: the command's)"},
    {.name = "tag",
     .kind = OPTS_LIST,
     .at = AT(tags),
     .arg = "KEY=VALUE",
     .group = JOB,
     .help = "A tag of your own; may repeat"},
    {.name = "no-command",
     .kind = OPTS_NO,
     .at = AT(keep_command),
     .group = JOB,
     .help = "Leave the command line out of the snapshot; without this option it is written with "
             "what looks like a password, token or key masked"},

    {.name = "mark",
     .kind = OPTS_STRING,
     .at = AT(mark),
     .arg = "NAME",
     .group = OTHER,
     .help = "Begin phase NAME of the recording that this runs in; \"NAME end\" ends it; does "
             "nothing where there is no recording"},
    {.name = "recover",
     .kind = OPTS_STRING,
     .at = AT(recover),
     .arg = "JOURNAL",
     .group = OTHER,
     .help = "Make a snapshot of the journal (OUT.partial) that a killed recording left; an "
             "existing file is replaced only if --output names it"},

    {.name = "quiet",
     .letter = 'q',
     .kind = OPTS_FLAG,
     .at = AT(quiet),
     .group = GENERAL,
     .help = "Say nothing at the end; failures are still said"},
    {.name = "verbose",
     .letter = 'v',
     .kind = OPTS_FLAG,
     .at = AT(verbose),
     .group = GENERAL,
     .help = "Say more at the end"},
    {.name = "list-metrics",
     .kind = OPTS_FLAG,
     .at = AT(list_metrics),
     .group = GENERAL,
     .help = "Print every column with its names, units and meaning, and exit"},
    {.name = "help",
     .letter = 'h',
     .kind = OPTS_FLAG,
     .at = AT(help),
     .group = GENERAL,
     .help = "Print this help, and exit"},
    {.name = "version",
     .letter = 'V',
     .kind = OPTS_FLAG,
     .at = AT(version),
     .group = GENERAL,
     .help = "Print the version, and exit"},
    {.name = NULL},
};

static int check_tags(const struct collect_options *o, struct err *e)
{
	for (size_t i = 0; i < o->tags.n; i++) {
		const char *is = strchr(o->tags.v[i], '=');
		if (!is || is == o->tags.v[i])
			return err_set(e, "--tag: \"%s\" is not KEY=VALUE", o->tags.v[i]);
	}
	return 0;
}

static int check_combination(const struct collect_options *o, struct err *e)
{
	if ((o->mark || o->recover) && (o->command || o->pid))
		return err_set(e, "--%s does not go together with a recording",
		               o->mark ? "mark" : "recover");
	if (o->mark && o->recover)
		return err_set(e, "--mark and --recover do not go together");
	if (o->command && o->pid)
		return err_set(e, "--pid and a command do not go together");
	if (o->command && o->root)
		return err_set(e, "--root and a command do not go together: the command would run "
		                  "here, not on the captured machine");
	if (o->wait_all && !o->command)
		return err_set(e, "--wait-all needs a command");
	if (o->csv_file && !o->csv)
		return err_set(e, "--csv-file needs --csv process or --csv system");
	if (o->all_columns && !o->csv)
		return err_set(e, "--all-columns needs --csv process or --csv system");
	if (o->csv && strcmp(o->csv, "process") == 0 && o->mode == COLLECT_OPTIONS_SYSTEM)
		return err_set(e, "--csv process needs a command or --pid");
	if (o->output && !*o->output)
		return err_set(e, "--output: the name is empty");
	return check_tags(o, e);
}

int collect_options_parse(struct collect_options *o, int argc, char **argv, struct err *e)
{
	int rest;

	*o = (struct collect_options){
	    .schema_name = "1",
	    .interval_s = 1,
	    .keep_command = true,
	    .cgroup = "auto",
	    .discover_cloud = true,
	};
	if (opts_parse(collect_options_table, o, argc, argv, OPTS_STOP_AT_ARG, &rest, e))
		return -1;
	if (o->help || o->version || o->list_metrics)
		return 0;
	o->own_cgroup = *o->cgroup == 'a';
	o->schema = *o->schema_name == '2' ? SCHEMA_2 : SCHEMA_1;
	o->command = rest < argc ? argv + rest : NULL;
	o->mode = o->command ? COLLECT_OPTIONS_COMMAND
	          : o->pid   ? COLLECT_OPTIONS_PROCESS
	                     : COLLECT_OPTIONS_SYSTEM;
	/* clang-analyzer-core.NullDereference: with argc above 1 there is an argv */
	if (!o->command && argc > 1 && strcmp(argv[argc - 1], "--") == 0)
		return err_set(e, "no command after --");
	return check_combination(o, e);
}

void collect_options_help(struct buf *out)
{
	buf_str(out,
	        "Usage: rtrack-collect [OPTION]... [--] COMMAND [ARG]...\n"
	        "       rtrack-collect [OPTION]... --pid PID\n"
	        "       rtrack-collect [OPTION]...\n"
	        "       rtrack-collect --mark NAME\n"
	        "       rtrack-collect --recover JOURNAL [--output FILE]\n"
	        "\n"
	        "Records what a command and its descendants, a running process, or (with neither)\n"
	        "the machine alone use: CPU, memory, disk, network, GPUs. rtrack-report makes a\n"
	        "page of the recording.\n"
	        "\n");
	opts_help(collect_options_table, out);
	buf_str(out,
	        "\n"
	        "Examples:\n"
	        "  rtrack-collect make -j8\n"
	        "  rtrack-collect -o run.json.gz -i 0.5 --tag stage=train -- python train.py\n"
	        "  rtrack-collect -p 1234            until it ends, or Ctrl-C\n"
	        "  rtrack-collect -o host.json.gz    the machine alone, until Ctrl-C\n"
	        "  rtrack-collect --csv system --csv-file rows.csv -- ./job.sh\n"
	        "\n"
	        "Exit status:\n"
	        "  that of the command; 128 + N where signal N ended it; 125 where it was not\n"
	        "  started (a wrong option, an output that cannot be written); 126 where the\n"
	        "  command could not be run, 127 where it was not found. No other failure of\n"
	        "  rtrack-collect changes the command or its status: without the memory or the\n"
	        "  files to record, the command runs without a recording. With --pid\n"
	        "  or alone: 0, or 1 where there is no such process or the snapshot could not be\n"
	        "  written.\n"
	        "\n"
	        "Signals:\n"
	        "  Every signal sent to rtrack-collect but KILL and STOP reaches the command.\n"
	        "  When the command is stopped, rtrack-collect stops too; CONT continues both.\n"
	        "  With --pid or alone, INT, TERM, HUP and QUIT end the recording.\n");
}
