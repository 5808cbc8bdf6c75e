/* collect_options: the command line of rtrack-collect. */
#include "collect/collect_options.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "collect/job/asked_sources.h"
#include "collect/output/snapshot_file.h"
#include "collect/output/stdout_output.h"
#include "core/processes/process_tree.h"

#define LETTER_HELP(letter, what, source) "%" letter " is the " what ", "
#define AT(field)                         offsetof(struct collect_options, field)

#define IN(mode) OPTS_MODE(COLLECT_OPTIONS_##mode)
#define JOBS     (IN(COMMAND) | IN(PROCESS))
#define RECORDS  (JOBS | IN(SYSTEM))

static const struct opts_mode modes[] = {
    [COLLECT_OPTIONS_COMMAND] = {.name = "command", .said = "a command"},
    [COLLECT_OPTIONS_PROCESS] = {.name = "pid", .said = "--pid"},
    [COLLECT_OPTIONS_SYSTEM] = {.name = "system", .said = "no command", .more = JOBS},
    [COLLECT_OPTIONS_MARK] = {.name = "mark", .said = "--mark"},
    [COLLECT_OPTIONS_RECOVER] = {.name = "recover", .said = "--recover"},
    [COLLECT_OPTIONS_INFO] = {.name = "info", .said = "--info"},
    [COLLECT_OPTIONS_ONCE] = {.name = "once", .said = "--once"},
    [COLLECT_OPTIONS_NOW] = {.name = "now", .said = "--now"},
    [COLLECT_OPTIONS_NOW + 1] = {0},
};

const struct opt collect_options_table[] = {
    {.name = "pid",
     .letter = 'p',
     .kind = OPTS_INT,
     .modes = IN(PROCESS) | IN(ONCE),
     .at = AT(pid),
     .arg = "PID",
     .group = "What to record",
     .min = 1,
     .max = INT_MAX,
     .help = "Follow this running process and its descendants instead of running a command"},
    {.name = "interval",
     .letter = 'i',
     .kind = OPTS_DURATION,
     .modes = RECORDS,
     .at = AT(interval_s),
     .arg = "TIME",
     .min = 0.01,
     .max = 3600,
     .help = "Time between two samples, 10ms to 1h: a number of seconds, or of ms, s, m, h "
             "(default: 1)"},
    {.name = "wait-all",
     .modes = IN(COMMAND),
     .at = AT(wait_all),
     .help = "Record until all descendants of the command have ended, including daemons"},
    {.name = "per-node",
     .modes = JOBS,
     .at = AT(per_node),
     .help = "Under srun, mpirun or torchrun: the task with local rank 0 records all tasks of its "
             "node, the others only run their command; with --pid: record the children of PID, "
             "not PID itself"},
    {.name = "end-fd",
     .kind = OPTS_INT,
     .modes = IN(PROCESS),
     .at = AT(end_fd),
     .arg = "FD",
     .min = 0,
     .max = INT_MAX,
     .help =
         "With --pid: end when all writers of descriptor FD have closed it, or one has written a "
         "line; a number that they wrote is the job's status as of wait(2)"},
    {.name = "oom-status",
     .kind = OPTS_INT,
     .modes = IN(COMMAND),
     .at = AT(oom_status),
     .arg = "N",
     .min = 1,
     .max = 255,
     .help = "Exit with status N if memory ended the command, by evidence, whatever status it "
             "ended with itself (default: the command's status)"},
    {.name = "end-file",
     .kind = OPTS_STRING,
     .modes = IN(COMMAND),
     .at = AT(end_file),
     .arg = "FILE",
     .help = "When the command has ended, write to FILE as JSON how and why, its peak memory, the "
             "limit that ended it and what to ask for next"},
    {.name = "no-children",
     .kind = OPTS_NO,
     .modes = JOBS | IN(ONCE),
     .at = AT(children),
     .help = "Record only the command itself, or PID, without its descendants"},
    {.name = "no-process",
     .kind = OPTS_NO,
     .modes = JOBS,
     .at = AT(record_job),
     .help = "Record only the machine while the command runs, not what the command uses"},
    {.name = "no-system",
     .kind = OPTS_NO,
     .modes = JOBS,
     .at = AT(record_machine),
     .help = "Record only what the command uses, not the machine"},
    {.name = "detail",
     .modes = RECORDS,
     .at = AT(detail),
     .help = "Also record each CPU, network interface, file system and disk by itself"},
    {.name = "root",
     .kind = OPTS_STRING,
     .modes = IN(PROCESS) | IN(SYSTEM) | IN(INFO) | IN(ONCE),
     .at = AT(root),
     .arg = "DIR",
     .help = "Read proc and sys below DIR, a captured machine; cannot be used with a command"},
    {.name = "gpu",
     .kind = OPTS_STRING,
     .modes = RECORDS | IN(INFO) | IN(ONCE),
     .at = AT(gpus),
     .arg = "UUID[,UUID]",
     .help = "Record only these GPUs (default: all)"},
    {.name = "cgroup",
     .kind = OPTS_CHOICE,
     .modes = RECORDS,
     .at = AT(cgroup),
     .arg = "auto|off",
     .choices = "auto off",
     .help = "Run the command in its own cgroup, for exact totals, if one can be created "
             "(default: auto)"},
    {.name = "events",
     .kind = OPTS_CHOICE,
     .modes = IN(COMMAND),
     .at = AT(events),
     .arg = "perf|connector|samples",
     .choices = "perf connector samples",
     .help = "The first source of the command's processes that is tried: software events of "
             "the command alone, with exact CPU times; events of the whole machine; samples "
             "(default: perf)"},
    {.name = "no-discover-cloud",
     .kind = OPTS_NO,
     .modes = RECORDS | IN(INFO),
     .at = AT(discover_cloud),
     .help = "Do not ask cloud metadata services about this machine"},
    {.name = "no-discover-server",
     .kind = OPTS_NO,
     .modes = RECORDS | IN(INFO),
     .at = AT(discover_server),
     .help = "Do not write what the machine is: its operating system, CPUs, memory and GPUs"},

    {.name = "output",
     .letter = 'o',
     .kind = OPTS_STRING,
     .modes = RECORDS | IN(RECOVER),
     .at = AT(output),
     .arg = "FILE",
     .group = "Output",
     .help = "Write the snapshot to FILE, without compression if its name ends in .json; \"-\" is "
             "standard output; or upload it to s3://BUCKET/KEY, or to https:// with "
             "a signed query; in the name, " SNAPSHOT_FILE_LETTERS(
		 LETTER_HELP) "and %% is % (default: " SNAPSHOT_FILE_DEFAULT ")"},
    {.name = "append-to",
     .kind = OPTS_STRING,
     .modes = RECORDS | IN(RECOVER),
     .at = AT(append_to),
     .arg = "FILE",
     .help = "When the snapshot is written, append it to FILE, which may have those of other steps "
             "of the job, and remove it; if that fails, it stays. With --recover of a folder, the "
             "folder of such files"},
    {.name = "min",
     .kind = OPTS_DURATION,
     .modes = JOBS,
     .needs = "append-to",
     .at = AT(min_s),
     .arg = "TIME",
     .min = 0.001,
     .max = 1e9,
     .help = "If it took less than TIME and did not fail, append only its times, as a sum of short "
             "steps, and no samples"},
    {.name = "sync",
     .kind = OPTS_DURATION,
     .modes = JOBS,
     .needs = "append-to",
     .at = AT(sync_s),
     .arg = "TIME",
     .min = 1,
     .max = 86400,
     .help = "While it runs, copy what is new of the journal every TIME to a file beside that of "
             "--append-to: a machine that vanishes loses at most what came since (default: no "
             "copy)"},
    {.name = "upload-every",
     .kind = OPTS_DURATION,
     .modes = RECORDS,
     .at = AT(upload_every_s),
     .arg = "TIME",
     .min = 1,
     .max = 86400,
     .help = "With s3://: time between uploads while the job runs; a machine that vanishes "
             "loses at most what came since the last one (default: 60s)"},
    {.name = "upload-limit",
     .kind = OPTS_DURATION,
     .modes = RECORDS,
     .at = AT(upload_limit_s),
     .arg = "TIME",
     .min = 1,
     .max = 86400,
     .help = "With s3:// and https://: time that the upload may take when the job has ended; "
             "after that the snapshot stays on disk (default: 5m)"},
    {.name = "schema",
     .kind = OPTS_CHOICE,
     .modes = RECORDS | IN(RECOVER) | IN(ONCE),
     .at = AT(schema_name),
     .arg = "1|2",
     .choices = "1 2",
     .help = "Use the column names and units of resource-tracker up to 0.4 (1: memory in kB) or "
             "since 0.5 (2: memory in MiB) (default: 1)"},
    {.name = "csv",
     .kind = OPTS_CHOICE,
     .modes = RECORDS,
     .at = AT(csv),
     .arg = "process|system",
     .choices = "process system",
     .help = "Also write these rows as CSV to standard output, each as soon as it is taken; a "
             "reader that does not keep up misses rows"},
    {.name = "csv-file",
     .kind = OPTS_STRING,
     .modes = RECORDS,
     .needs = "csv",
     .at = AT(csv_file),
     .arg = "FILE",
     .help = "Write the CSV to FILE instead of standard output"},
    {.name = "all-columns",
     .modes = RECORDS,
     .needs = "csv",
     .at = AT(all_columns),
     .help = "Write all columns of --list-metrics to the CSV, not only the common ones"},

    {.name = "name",
     .kind = OPTS_STRING,
     .modes = RECORDS,
     .at = AT(name),
     .arg = "NAME",
     .group = "Job description",
     .help = "Name of the job (default: its script, module, target or program)"},
    {.name = "tag",
     .kind = OPTS_LIST,
     .modes = RECORDS,
     .at = AT(tags),
     .arg = "KEY=VALUE",
     .help = "Add a tag; may be repeated"},
    {.name = "asked",
     .kind = OPTS_STRING,
     .modes = JOBS | IN(INFO),
     .at = AT(asked),
     .arg = "LIST",
     .help = "What was asked for the job, such as cpus=8,memory=32GiB,gpus=1,time=4h; also nodes "
             "and tasks (default: RTRACK_ASKED, then what the scheduler says, limits and the "
             "machine)"},
    {.name = "input",
     .kind = OPTS_LIST,
     .modes = IN(COMMAND),
     .at = AT(input),
     .arg = "FILE",
     .help = "A file that the command reads, whose size is recorded; may be repeated (also: "
             "RTRACK_INPUT, a list with colons; files on the command line, standard input and "
             "staged links are found)"},
    {.name = "no-inputs",
     .kind = OPTS_NO,
     .modes = IN(COMMAND),
     .at = AT(find_inputs),
     .help = "Do not look for files that the command is given to read, nor record their names "
             "and sizes"},
    {.name = "no-command",
     .kind = OPTS_NO,
     .modes = RECORDS | IN(NOW),
     .at = AT(keep_command),
     .help = "Do not write command lines to the snapshot, nor print them; by default they are "
             "written with everything that looks like a password, token or key replaced by ***"},

    {.name = "mark",
     .kind = OPTS_STRING,
     .modes = IN(MARK),
     .at = AT(mark),
     .arg = "NAME",
     .group = "Instead of recording",
     .help = "Begin phase NAME of the enclosing recording; \"NAME end\" ends it; does nothing "
             "outside of a recording"},
    {.name = "recover",
     .kind = OPTS_STRING,
     .modes = IN(RECOVER),
     .at = AT(recover),
     .arg = "JOURNAL",
     .help = "Turn the journal (FILE.partial) of a killed recording, or the pieces that it "
             "uploaded to s3://BUCKET/KEY, into a snapshot in the same place; an existing file "
             "is replaced only if --output names it. If it is the spool of Slurm's plugin, bring "
             "all that it has to the folder of --append-to"},

    {.name = "info",
     .kind = OPTS_CHOICE,
     .modes = IN(INFO),
     .at = AT(info),
     .arg = "text|json",
     .choices = "text json",
     .without = "text",
     .help = "Print what is known of this machine, its cloud, the limits, what was asked for and "
             "the GPUs, and exit; as text or JSON (default: text)"},
    {.name = "once",
     .modes = IN(ONCE),
     .at = AT(once),
     .help = "Print as one line of JSON what the machine, and with --pid the process and its "
             "descendants, use now and have used so far, and exit"},
    {.name = "now",
     .modes = IN(NOW),
     .at = AT(now),
     .help = "Print what the heaviest jobs and process trees of this user use at this moment: "
             "memory, CPU time and age, and exit; takes about half a second"},
    {.name = "json",
     .modes = IN(NOW),
     .at = AT(json),
     .help = "With --now: print one line of JSON"},

    {.name = "quiet",
     .letter = 'q',
     .at = AT(quiet),
     .group = "General",
     .help = "Do not print the summary at the end; errors are still printed"},
    {.name = "verbose",
     .letter = 'v',
     .modes = RECORDS,
     .at = AT(verbose),
     .help = "Print a second line of summary"},
    {.name = "progress",
     .modes = RECORDS,
     .at = AT(progress),
     .help = "Show in one line what is used now, on the terminal of standard error; beside a "
             "command, which prints there too, in the title of its window"},
    {.name = "list-metrics",
     .at = AT(list_metrics),
     .help = "Print the names, units and meaning of all columns, and exit"},
    {.name = "help", .letter = 'h', .at = AT(help), .help = "Print this help, and exit"},
    {.name = "version", .letter = 'V', .at = AT(version), .help = "Print the version, and exit"},
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

static int check_asked(const struct collect_options *o, struct err *e)
{
	double values[SNAPSHOT_ASKED_N];

	if (!o->asked)
		return 0;
	if (o->root)
		return err_set(e, "--asked and --root cannot be combined");
	if (!o->children || !o->record_job)
		return err_set(e,
		               "--asked and --no-%s cannot be combined: what was asked for is "
		               "compared with what the whole job used",
		               o->record_job ? "children" : "process");
	return asked_sources_list(o->asked, false, values, e) ? err_wrap(e, "--asked") : 0;
}

static int check_combination(const struct collect_options *o, struct err *e)
{
	bool system = o->mode == COLLECT_OPTIONS_SYSTEM;
	bool process_rows = o->csv && *o->csv == 'p', system_rows = o->csv && !process_rows;
	bool prints = stdout_output_is(o->output);
	bool remote = o->recover && strncmp(o->recover, "s3://", 5) == 0;
	const struct {
		bool broken;
		const char *rule;
	} rules[] = {
	    {remote && o->output, "--recover of s3:// uploads the snapshot to the same key: "
	                          "--output cannot be used with it"},
	    {!o->record_job && !o->record_machine,
	     "--no-process and --no-system together leave nothing to record"},
	    {o->input.n && !o->find_inputs, "--input and --no-inputs cannot be combined"},
	    {o->input.n && !o->record_job, "--input and --no-process cannot be combined"},
	    {!o->children && o->wait_all, "--no-children and --wait-all cannot be combined"},
	    {!o->children && o->per_node, "--no-children and --per-node cannot be combined"},
	    {o->detail && !o->record_machine, "--detail and --no-system cannot be combined"},
	    {process_rows && system, "--csv process needs a command or --pid"},
	    {process_rows && !o->record_job, "--csv process and --no-process cannot be combined"},
	    {system_rows && !o->record_machine, "--csv system and --no-system cannot be combined"},
	    {o->append_to && !o->recover && (!o->output || prints || strstr(o->output, "://")),
	     "--append-to needs --output, a file that is kept until it is appended"},
	    {o->append_to && o->recover && o->output,
	     "--recover with --append-to brings a folder: --output cannot be used with it"},
	    {o->output && !*o->output, "--output: the file name is empty"},
	    {o->recover && !*o->recover, "--recover: the name of the journal is empty"},
	    {prints && o->command, "--output - and a command cannot be combined: its output would "
	                           "be mixed with the snapshot"},
	    {o->end_file && o->output && strcmp(o->end_file, o->output) == 0,
	     "--end-file and --output cannot name the same file"},
	    {o->end_file && o->append_to && strcmp(o->end_file, o->append_to) == 0,
	     "--end-file and --append-to cannot name the same file"},
	    {prints && o->csv && !o->csv_file,
	     "--output - and --csv cannot be combined without --csv-file"},
	};

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].broken)
			return err_set(e, "%s", rules[i].rule);
	if (remote && (o->recover[5] == '/' || !strchr(o->recover + 5, '/') ||
	               o->recover[strlen(o->recover) - 1] == '/'))
		return err_set(e, "%s: the key of the recording is needed", o->recover);
	if (check_asked(o, e))
		return -1;
	return check_tags(o, e);
}

int collect_options_parse(struct collect_options *o, int argc, char **argv, struct err *e)
{
	struct opts_parsed parsed;
	int mode;

	*o = (struct collect_options){
	    .schema_name = "1",
	    .interval_s = 1,
	    .end_fd = -1,
	    .keep_command = true,
	    .find_inputs = true,
	    .cgroup = "auto",
	    .events = PROCESS_TREE_PERF,
	    .discover_cloud = true,
	    .discover_server = true,
	    .children = true,
	    .record_job = true,
	    .record_machine = true,
	};
	if (opts_parse(collect_options_table, o, argc, argv, OPTS_STOP_AT_ARG, &parsed, e))
		return -1;
	if (o->help || o->version || o->list_metrics)
		return 0;
	o->own_cgroup = *o->cgroup == 'a';
	o->schema = *o->schema_name == '2' ? SCHEMA_2 : SCHEMA_1;
	o->command = parsed.rest < argc ? argv + parsed.rest : NULL;
	/* argc > 1 keeps clang-analyzer-core.NullDereference quiet */
	if (!o->command && argc > 1 && strcmp(argv[argc - 1], "--") == 0)
		return err_set(e, "no command after --");
	mode = opts_mode(collect_options_table, modes,
	                 o->command ? COLLECT_OPTIONS_COMMAND : COLLECT_OPTIONS_SYSTEM, &parsed, e);
	if (mode < 0)
		return -1;
	o->mode = (enum collect_options_mode)mode;
	if (o->command && o->mode != COLLECT_OPTIONS_COMMAND)
		return err_set(e, "%s and a command cannot be used together", modes[mode].said);
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
	        "       rtrack-collect --info[=text|json]\n"
	        "       rtrack-collect --once [--pid PID]\n"
	        "       rtrack-collect --now [--json]\n"
	        "\n"
	        "Records the CPU, memory, disk, network and GPU usage of a command or a running\n"
	        "process, with all descendants, and of the whole machine. rtrack-report turns the\n"
	        "recording into a page.\n"
	        "\n");
	opts_help(collect_options_table, 0, out);
	buf_str(out,
	        "\n"
	        "Examples:\n"
	        "  rtrack-collect make -j8\n"
	        "  rtrack-collect -o run.json.gz -i 0.5 --tag stage=train -- python train.py\n"
	        "  rtrack-collect -p 1234            until the process ends, or Ctrl-C\n"
	        "  rtrack-collect -o host.json.gz    only the machine, until Ctrl-C\n"
	        "  srun rtrack-collect --per-node -- ./solver\n"
	        "  rtrack-collect -o s3://bucket/runs/%h-%t.json.gz -- ./job.sh\n"
	        "  rtrack-collect --csv system --csv-file rows.csv -- ./job.sh\n"
	        "\n"
	        "Exit status:\n"
	        "  That of the command; 128 + N if signal N killed it; 125 if it was not started\n"
	        "  (a wrong option, an output that cannot be written); 126 if it cannot be\n"
	        "  executed; 127 if it was not found. No other failure of rtrack-collect affects\n"
	        "  the command or its status: with too little memory or too few files to record,\n"
	        "  the command runs without a recording. Without a command: 0; 1 if there is no\n"
	        "  such process or the snapshot could not be written or uploaded; 125 if the\n"
	        "  recording was not started.\n"
	        "\n"
	        "Signals:\n"
	        "  All signals sent to rtrack-collect, except KILL and STOP, are passed on to the\n"
	        "  command. When the command is stopped, rtrack-collect stops too; CONT continues\n"
	        "  both. Without a command, INT, TERM, HUP and QUIT end the recording.\n");
}
