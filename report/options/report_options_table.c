/* report_options_table: the options, one row each: for --help, and OPTIONS of the man page. */
#include <stddef.h>

#include "report/options/report_options.h"
#include "report/prices/keeper.h"
#include "report/runs/load.h"

#define AT(field)  offsetof(struct report_options, field)
#define IN(mode)   OPTS_MODE(REPORT_##mode)
#define RECORDINGS (IN(RECORDINGS) | IN(COMPARE) | IN(WATCH))
#define PAGES      (RECORDINGS | IN(MODEL))
/* Names that the rows of both programs use. */
#define SUMMARIES   PAGES
#define TABLES      PAGES
#define GATED       PAGES
#define COMPUTED    RECORDINGS
#define ADVISES     RECORDINGS
#define BY_JOB      (RECORDINGS | IN(BISECT))
#define TITLED      RECORDINGS
#define PRICED      (RECORDINGS | IN(KEEPER_SAVE))
#define STORES      (PAGES | IN(BISECT) | IN(PUT) | IN(GET))
#define OFFLINE     PAGES
#define TIMED       RECORDINGS
#define KEEPER_WAIT "6s"
#define OUTPUT_HELP                                                                                \
	"write the HTML report to FILE; \"-\" is standard output (default: report.html; no HTML "  \
	"report if another output is requested)"
#define CSV_HELP   "write the samples of job and machine, joined by time, as CSV"
#define JUNIT_HELP "write the job's end and each gate as a JUnit XML test case"
#define GROUP_HELP                                                                                 \
	"runs with the same KEYs are runs of the same job; other runs are only listed: name "      \
	"(default), command, directory, host, user, instance, tag:KEY, label:KEY; may repeat"
#define GATE_HELP                                                                                  \
	"exit with status 3 if CONDITION holds, such as \"process_memory.max > 8GiB\", "           \
	"\"duration > history * 1.2\" or \"cpu_efficiency < 20%\"; may repeat"

#define MEMORY_UNITS "bytes kilobytes megabytes gigabytes terabytes"

const struct opts_mode report_modes[] = {
    [REPORT_RECORDINGS] = {.name = "recordings", .usage = "SNAPSHOT...", .more = ~0U},
    [REPORT_COMPARE] = {"compare", "--compare", "--compare SNAPSHOT...", 0},
    [REPORT_BISECT] = {"bisect", "--bisect", "--bisect SNAPSHOT...", 0},
    [REPORT_WATCH] = {"watch", "--watch", "--watch SOURCE...", 0},
    [REPORT_MODEL] = {"model", "--model", "--model FILE", 0},
    [REPORT_PUT] = {"put", "--put", "--put FILE s3://BUCKET/KEY", 0},
    [REPORT_GET] = {"get", "--get", "--get FILE s3://BUCKET/KEY", 0},
    [REPORT_KEEPER_SAVE] = {"keeper-save", "--keeper-save", "--keeper-save FILE", 0},
    [REPORT_MODES] = {0},
};

const struct opt report_options_table[] = {
#include "report/options/options_output.def"
    {.name = "trace",
     .kind = OPTS_STRING,
     .modes = RECORDINGS,
     .at = AT(trace),
     .arg = "FILE",
     .help = "write the processes and phases on a time line, with counters of CPU, memory and "
             "disk, in the Trace Event format, which Perfetto and speedscope open"},
    {.name = "no-model",
     .modes = RECORDINGS | IN(MODEL),
     .at = AT(no_model),
     .help = "leave the recording out of the HTML report, which is smaller then but cannot be an "
             "input of a later report"},

    {.name = "current",
     .group = "Recordings",
     .letter = 'c',
     .kind = OPTS_STRING,
     .modes = IN(RECORDINGS) | IN(COMPARE) | IN(BISECT),
     .at = AT(current.name),
     .arg = "FILE",
     .help = "report on this run (default: the newest)"},
    {.name = "watch",
     .modes = IN(WATCH),
     .at = AT(watch),
     .help = "show the jobs that are being recorded, in the terminal, until q is pressed: SOURCE "
             "is the recording that will be, a folder, or s3://; with --output and other outputs, "
             "write them again every few seconds until the job ends: the page reloads itself"},
    {.name = "history",
     .letter = 'n',
     .kind = OPTS_INT,
     .modes = IN(RECORDINGS) | IN(COMPARE) | IN(WATCH),
     .at = AT(history),
     .arg = "N",
     .min = 0,
     .max = LOAD_RUNS_MAX,
     .help = "compare with the last N finished runs (default: 5)"},
    {.name = "rules",
     .kind = OPTS_CHOICE,
     .modes = RECORDINGS,
     .at = AT(rules),
     .arg = "rtrack|resource-tracker",
     .choices = "rtrack resource-tracker",
     .help = "advise, and look for servers, by the rules of rtrack (default) or by the formulas of "
             "resource-tracker alone"},
    {.name = "parts",
     .kind = OPTS_CHOICE,
     .modes = RECORDINGS | IN(BISECT),
     .at = AT(parts),
     .arg = "auto|off",
     .choices = "auto off",
     .help = "auto joins the recordings of a job's nodes or tasks into one run (default); off "
             "treats each recording as a run"},
    {.name = "compare",
     .modes = IN(RECORDINGS) | IN(COMPARE),
     .at = AT(compare),
     .help = "compare the given runs side by side, by time since their start; the verdict "
             "says how they differ from the newest, or from that of -c"},
    {.name = "brief",
     .modes = IN(RECORDINGS) | IN(MODEL),
     .at = AT(brief),
     .help = "print the report in at most 1,500 characters, one line for each fact, for programs"},
    {.name = "bisect",
     .modes = IN(BISECT),
     .at = AT(bisect),
     .help = "print the first commit after the newest change of a measure and the last one before "
             "it, as git bisect start takes them, and on standard error what changed; status 1 "
             "without such a change"},
    {.name = "name",
     .kind = OPTS_LIST,
     .modes = IN(COMPARE),
     .at = AT(names),
     .arg = "LABEL",
     .help = "with --compare, label a run, in the order of the runs on the command line; "
             "may repeat"},
    {.name = "status",
     .kind = OPTS_CHOICE,
     .modes = RECORDINGS,
     .at = AT(status),
     .arg = "STATUS",
     .choices = "finished failed",
     .help = "set how the run ended, if the recording does not say: finished or failed"},
    {.name = "note",
     .kind = OPTS_STRING,
     .modes = RECORDINGS,
     .at = AT(note),
     .arg = "SENTENCE",
     .help = "add SENTENCE, without its full stop, to the notes of the report"},

    {.name = "bytes",
     .group = "Recordings: --csv",
     .modes = RECORDINGS,
     .needs = "csv",
     .at = AT(bytes),
     .help = "in the CSV, write memory, GPU memory and disk space in bytes"},
    {.name = "human-names",
     .modes = RECORDINGS,
     .needs = "csv",
     .at = AT(human_names),
     .help = "in the CSV, use the column names that resource-tracker shows to people "
             "(\"System free memory\")"},
    {.name = "schema",
     .kind = OPTS_CHOICE,
     .modes = RECORDINGS,
     .needs = "csv",
     .at = AT(schema),
     .arg = "1|2",
     .choices = "1 2",
     .help = "in the CSV, column names and units of this schema: 1 as resource-tracker up "
             "to 0.4 (memory in kB), 2 as resource-tracker from 0.5 (memory in MiB) "
             "(default: the recording's schema)"},
    {.name = "process-prefix",
     .kind = OPTS_STRING,
     .modes = RECORDINGS,
     .needs = "csv",
     .at = AT(job_prefix),
     .arg = "TEXT",
     .help = "in the CSV, TEXT stands before the names of the job's columns (default: process_, "
             "with --human-names \"Process \")"},
    {.name = "system-prefix",
     .kind = OPTS_STRING,
     .modes = RECORDINGS,
     .needs = "csv",
     .at = AT(machine_prefix),
     .arg = "TEXT",
     .help = "in the CSV, TEXT stands before the names of the machine's columns (default: "
             "system_, with --human-names \"System \")"},

    /* Units of gpu_tracker's outputs: docs/templates.md */
    {.name = "ram-unit",
     .kind = OPTS_CHOICE,
     .modes = RECORDINGS,
     .at = AT(ram_unit),
     .arg = "UNIT",
     .choices = MEMORY_UNITS},
    {.name = "gpu-ram-unit",
     .kind = OPTS_CHOICE,
     .modes = RECORDINGS,
     .at = AT(gpu_ram_unit),
     .arg = "UNIT",
     .choices = MEMORY_UNITS},
    {.name = "time-unit",
     .kind = OPTS_CHOICE,
     .modes = RECORDINGS,
     .at = AT(time_unit),
     .arg = "UNIT",
     .choices = "seconds minutes hours days"},
    {.name = "expected-cores",
     .group = "Recordings: what 100 % of the CPUs and GPUs are",
     .kind = OPTS_INT,
     .modes = RECORDINGS,
     .at = AT(expected_cores),
     .arg = "N",
     .min = 1,
     .max = 1000000,
     .help = "cores that are 100 % of the job's CPU usage (default: all cores of the "
             "machine)"},
    {.name = "gpu",
     .kind = OPTS_WORDS,
     .modes = RECORDINGS,
     .at = AT(gpus),
     .arg = "GPU[,GPU]",
     .help = "count only these GPUs: UUIDs, or all of nvidia, amd or intel (default: all GPUs of "
             "the machine); may repeat"},

    {.name = "servers",
     .group = "Recordings: servers",
     .kind = OPTS_INT,
     .modes = RECORDINGS,
     .at = AT(servers),
     .arg = "N",
     .min = 1,
     .max = KEEPER_SERVERS_MAX,
     .help = "list the N cheapest servers (default: 5)"},
#define FILTER(id, member, option, value, text, ...)                                               \
	{.name = (option),                                                                         \
	 .kind = OPTS_WORDS,                                                                       \
	 .modes = PRICED,                                                                          \
	 .at = AT(server.member),                                                                  \
	 .arg = (value),                                                                           \
	 .help = (text)},
#include "report/prices/keeper_filters.def"
#undef FILTER
    {.name = "workload",
     .kind = OPTS_STRING,
     .modes = PRICED,
     .at = AT(workload),
     .arg = "WORD",
     .help = "predict times from the scores of this workload: web, compute, cache, data_analysis, "
             "llm, cicd, or the ID of a benchmark of the Keeper API, such as geekbench:clang "
             "(default: Geekbench)"},
    {.name = "keeper-file",
     .kind = OPTS_STRING,
     .modes = RECORDINGS,
     .at = AT(keeper_file),
     .arg = "FILE",
     .help = "take prices from a file of --keeper-save; no request is sent"},
    {.name = "keeper-filter",
     .kind = OPTS_LIST,
     .modes = RECORDINGS,
     .at = AT(keeper_filter),
     .arg = "NAME=VALUE",
     .help = "only servers with this value of a parameter of the Keeper API, such as "
             "cpu_manufacturer=AMD or storage_size=100; vcpus_min, memory_min, gpu_min and "
             "gpu_memory_total replace what the job needs; may repeat"},
    {.name = "keeper-records",
     .modes = RECORDINGS,
     .at = AT(keeper_records),
     .needs = "json",
     .help = "with --json: add the Keeper API's whole record to each server of the model"},
    {.name = "runs-per-month",
     .kind = OPTS_INT,
     .modes = RECORDINGS,
     .at = AT(runs_per_month),
     .arg = "N",
     .min = 1,
     .max = 1000000,
     .help = "also show the cost of N such runs in a month"},

#include "report/options/options_page.def"

    {.name = "model",
     .group = "A saved model",
     .letter = 'm',
     .kind = OPTS_STRING,
     .modes = IN(MODEL),
     .at = AT(model.name),
     .arg = "FILE",
     .help = "render a model that --json wrote, instead of snapshots"},

    {.name = "keeper-save",
     .group = "Prices for machines without a network",
     .kind = OPTS_STRING,
     .modes = IN(KEEPER_SAVE),
     .at = AT(keeper_save),
     .arg = "FILE",
     .help = "ask once for all servers that reports may need with these regions, countries, "
             "frameworks, currency and workload, and write them to FILE, for --keeper-file"},

    {.name = "put",
     .group = "Object stores",
     .kind = OPTS_STRING,
     .modes = IN(PUT),
     .at = AT(put.name),
     .arg = "FILE",
     .help = "upload FILE to ADDRESS (s3://BUCKET/KEY, or https:// with a signed query), and "
             "delete the pieces of the same recording there; makes no report"},
    {.name = "get",
     .kind = OPTS_STRING,
     .modes = IN(GET),
     .at = AT(get),
     .arg = "FILE",
     .help = "download the object at ADDRESS, or else the pieces of a recording that has not "
             "ended, to FILE; makes no report"},
    {.name = "pieces",
     .kind = OPTS_DURATION,
     .modes = IN(PUT),
     .at = AT(pieces_s),
     .arg = "TIME",
     .min = 1,
     .max = 86400,
     .help = "with --put, for rtrack-collect: FILE is a journal that is being written; upload what "
             "is new of it every TIME, until standard input ends"},

#include "report/options/options_general.def"
    {0},
};
