/* fleet_options_table: the verbs, and the options, one row each. */
#include <stddef.h>

#include "fleet/options/fleet_options.h"
#include "report/prices/keeper.h"

#define AT(field) offsetof(struct fleet_options, field)
#define IN(verb)  OPTS_MODE(FLEET_##verb)
#define GROUPED   (IN(GROUPS) | IN(MAIL))
#define LISTS     (GROUPED | IN(RUNS))
#define OWN_PAGES (IN(GROUPS) | IN(RUNS) | IN(PIPELINE) | IN(CI))
#define QUERIES   (OWN_PAGES | IN(MAIL) | IN(ASK))
#define SCANNERS  (OWN_PAGES | IN(MAIL) | IN(ADD))
#define ALL       (QUERIES | IN(ADD) | IN(FORGET) | IN(JOB))
/* Names that the rows of both programs use. The verb job passes them on. */
#define PAGES       (OWN_PAGES | IN(JOB))
#define SUMMARIES   (PAGES & ~IN(PIPELINE))
#define TABLES      SUMMARIES
#define GATED       (IN(GROUPS) | IN(JOB))
#define COMPUTED    GATED
#define BY_JOB      COMPUTED
#define ADVISES     (GROUPED | IN(PIPELINE) | IN(CI) | IN(ASK) | IN(JOB))
#define TITLED      PAGES
#define PRICED      (LISTS | IN(JOB))
#define STORES      (PAGES | IN(MAIL) | IN(ADD) | IN(ASK))
#define OFFLINE     (PAGES | IN(MAIL) | IN(ADD) | IN(FORGET))
#define TIMED       (PAGES | IN(MAIL) | IN(ADD))
#define KEEPER_WAIT "20s"
#define OUTPUT_HELP                                                                                \
	"write the page to FILE; \"-\" is standard output (default: VERB.html, such as "           \
	"groups.html; no page if another output is requested)"
#define CSV_HELP   "write a row for each group, run or CI job as CSV"
#define JUNIT_HELP "write each gate as a JUnit XML test case"
#define GROUP_HELP                                                                                 \
	"runs with the same KEYs are one group: name (default), command, directory, host, user, "  \
	"account, instance, tag:KEY, label:KEY, vendor, region, job, array, workflow_run, "        \
	"origin; may repeat"
#define GATE_HELP                                                                                  \
	"exit with status 3 if CONDITION holds, such as \"fleet.memory_efficiency < 30%\"; may "   \
	"repeat"

_Static_assert(offsetof(struct fleet_options, page) == 0,
               "rows of both programs have offsets there");

#define RATE(word, member, text)                                                                   \
	{                                                                                          \
		.name = (word), .kind = OPTS_NUMBER, .modes = LISTS, .at = AT(member),             \
		.arg = "MONEY", .min = 0, .max = 1e6, .help = (text)                               \
	}

const struct opts_mode fleet_verbs[] = {
    [FLEET_GROUPS] = {"groups", "groups", "SOURCE...|--catalog DATABASE", 0},
    [FLEET_RUNS] = {"runs", "runs", "SOURCE...|--catalog DATABASE", 0},
    [FLEET_PIPELINE] = {"pipeline", "pipeline", "[--run RUN] SOURCE...|--catalog DATABASE", 0},
    [FLEET_CI] = {"ci", "ci", "SOURCE...|--catalog DATABASE", 0},
    [FLEET_MAIL] = {"mail", "mail", "--mail-dir DIR SOURCE...|--catalog DATABASE", 0},
    [FLEET_ADD] = {"add", "add", "--catalog DATABASE SOURCE...", 0},
    [FLEET_FORGET] =
	{"forget", "forget",
         "--catalog DATABASE [--older-than AGE] SOURCE...|--files --older-than AGE DIR...", 0},
    [FLEET_ASK] = {"ask", "ask", "--input FILE[,FILE] SOURCE...|--catalog DATABASE", 0},
    [FLEET_JOB] = {"job", "job", "ID SOURCE...|--catalog DATABASE [-- OPTION-OF-rtrack-report...]",
                   0},
    [FLEET_VERBS] = {0},
};

const char *const fleet_verbs_help[] = {
    [FLEET_GROUPS] = "which jobs waste most, and what to change (the default)",
    [FLEET_RUNS] = "a list of runs, the newest first",
    [FLEET_PIPELINE] = "one run of a workflow: its tasks, and what each should ask for",
    [FLEET_CI] = "CI jobs, and which runner each should have",
    [FLEET_MAIL] = "messages to the owners of jobs that ask for too much",
    [FLEET_ADD] = "add recordings that are new or changed to a catalog",
    [FLEET_FORGET] = "remove recordings from a catalog, or old files",
    [FLEET_ASK] = "what to ask for when the job's next input is FILE",
    [FLEET_JOB] = "find the recordings of a job, and let rtrack-report report on it",
};

const struct opt fleet_options_table[] = {
    {.name = "where",
     .group = "Which runs",
     .kind = OPTS_LIST,
     .modes = QUERIES,
     .at = AT(where),
     .arg = "CONDITION",
     .help = "only runs for which CONDITION holds, such as user=ann, \"wall_s > 3600\" or "
             "tag:team!=web; may repeat, and all must hold"},
    {.name = "since",
     .kind = OPTS_STRING,
     .modes = QUERIES,
     .at = AT(since_text),
     .arg = "WHEN",
     .help = "only runs that started at WHEN or later: 2026-11-01, 2026-11-01T12:00:00Z, or an "
             "age such as 30d or 12h"},
    {.name = "until",
     .kind = OPTS_STRING,
     .modes = QUERIES,
     .at = AT(until_text),
     .arg = "WHEN",
     .help = "only runs that started before WHEN"},
    {.name = "mine",
     .modes = QUERIES,
     .at = AT(mine),
     .help = "only runs of the user who runs this: --where user=NAME"},
    {.name = "catalog",
     .kind = OPTS_STRING,
     .modes = ALL,
     .at = AT(catalog),
     .arg = "DATABASE",
     .help = "keep runs in DATABASE: a file (SQLite), or https://HOST:PORT/NAME of a ClickHouse "
             "server"},
    {.name = "add",
     .modes = OWN_PAGES | IN(MAIL),
     .at = AT(add),
     .help = "first add the recordings of SOURCEs that are new or changed to the catalog"},
    {.name = "sacct-since",
     .kind = OPTS_STRING,
     .modes = SCANNERS,
     .at = AT(sacct_since_text),
     .arg = "WHEN",
     .help = "run Slurm's sacct, and take the jobs of its accounting since WHEN as well; a file "
             "that \"sacct -P\" wrote can be a SOURCE"},
    {.name = "user-files",
     .kind = OPTS_INT,
     .modes = SCANNERS,
     .at = AT(user_files),
     .arg = "N",
     .min = 1,
     .max = 1e9,
     .help = "look at N files in the folder of a user, DIR/UID/, but for closed days (default: "
             "1000000); what is over a user's limits is named, and waits for the next add"},
    {.name = "user-bytes",
     .kind = OPTS_STRING,
     .modes = SCANNERS,
     .at = AT(user_bytes_text),
     .arg = "SIZE",
     .help = "read SIZE of content from the folder of a user (default: 16GiB)"},
    {.name = "user-time",
     .kind = OPTS_DURATION,
     .modes = SCANNERS,
     .at = AT(user_time),
     .arg = "DURATION",
     .min = 1,
     .max = 1e9,
     .help =
         "read for DURATION from the folder of a user, and from any one recording (default: 10m)"},
    {.name = "older-than",
     .kind = OPTS_STRING,
     .modes = IN(FORGET),
     .at = AT(older_than_text),
     .arg = "AGE",
     .help = "forget only runs that started longer ago than AGE, such as 400d, or before a date"},
    {.name = "files",
     .modes = IN(FORGET),
     .needs = "older-than",
     .at = AT(files),
     .help = "remove recordings older than AGE from the folders of users, DIR/UID/, instead of "
             "rows: those in folders of days, YYYY-MM-DD, by the day, and others by their last "
             "change. SOURCEs are DIRs; folders of users stay, and rows keep what they have"},
    {.name = "steps",
     .kind = OPTS_FLAG,
     .modes = SCANNERS,
     .at = AT(steps),
     .help = "of Slurm's accounting, take each step as a run of its own, instead of the whole job"},
    {.name = "allocated",
     .kind = OPTS_FLAG,
     .modes = SCANNERS,
     .at = AT(allocated),
     .help = "of Slurm's accounting, take what a job was given as its ask (all CPUs of its nodes "
             "with sbatch --exclusive), instead of what it requested"},

#include "report/options/options_output.def"

    {.name = "top",
     .kind = OPTS_INT,
     .group = "What is shown",
     .modes = IN(GROUPS) | IN(RUNS),
     .at = AT(top),
     .arg = "N",
     .min = 1,
     .max = FLEET_OPTIONS_RUNS_MAX,
     .help = "show N groups in the text, and in the page without script (default: 20 and 200; at "
             "most 200); of runs, list N (default: 1000, in the texts 50)"},
    {.name = "sort",
     .kind = OPTS_STRING,
     .modes = IN(RUNS),
     .at = AT(sort),
     .arg = "COLUMN",
     .help = "list runs by COLUMN, such as wall, memory_peak, cores_unused, cpu_efficiency or "
             "cost (with rates), in ascending order; -COLUMN is the largest first (default: "
             "-start)"},
    {.name = "run",
     .kind = OPTS_STRING,
     .modes = IN(PIPELINE),
     .at = AT(run),
     .arg = "RUN",
     .help = "this run of the workflow (default: the newest)"},
    RATE("rate-cpu", rate_cpu,
         "a core-hour costs MONEY, in --currency; with a rate, no prices are asked for"),
    RATE("rate-memory", rate_memory, "a GiB-hour of memory costs MONEY"),
    RATE("rate-gpu", rate_gpu, "a GPU-hour costs MONEY"),

    {.name = "mail-dir",
     .kind = OPTS_STRING,
     .group = "Messages",
     .modes = GROUPED,
     .at = AT(mail),
     .arg = "DIR",
     .help = "write a message (text and HTML, for sendmail -t) into DIR, which is made if it is "
             "missing, for each user whose jobs ask for much more than they use, unless it was "
             "said before; nothing is sent"},
    {.name = "owner",
     .kind = OPTS_CHOICE,
     .modes = GROUPED,
     .needs = "mail-dir",
     .at = AT(owner),
     .arg = "user|account",
     .choices = "user account",
     .help = "whom to write to (default: user)"},
    {.name = "mail-domain",
     .kind = OPTS_STRING,
     .modes = GROUPED,
     .needs = "mail-dir",
     .at = AT(mail_domain),
     .arg = "DOMAIN",
     .help = "write to USER@DOMAIN (default: to USER)"},
    {.name = "mail-rules",
     .kind = OPTS_STRING,
     .modes = GROUPED,
     .needs = "mail-dir",
     .at = AT(mail_rules),
     .arg = "FILE",
     .help = "take the thresholds from FILE, which has lines KEY = VALUE (docs/owners.md)"},
    {.name = "mail-state",
     .kind = OPTS_STRING,
     .modes = GROUPED,
     .needs = "mail-dir",
     .at = AT(mail_state),
     .arg = "FILE",
     .help = "remember in FILE what was said when (default: DIR/said.jsonl)"},

    {.name = "ci-root",
     .group = "CI jobs",
     .kind = OPTS_STRING,
     .modes = IN(CI),
     .at = AT(ci_root),
     .arg = "DIR",
     .help = "find the lines to change in the workflow files of this repository (default, with "
             "--ci-patch: the current folder)"},
    {.name = "ci-patch",
     .kind = OPTS_STRING,
     .modes = IN(CI),
     .at = AT(page.patch),
     .arg = "FILE",
     .help = "write the changes of runs-on: or tags: as a patch for git apply"},
    {.name = "runner-prices",
     .kind = OPTS_STRING,
     .modes = IN(CI),
     .at = AT(runner_prices),
     .arg = "FILE",
     .help =
         "runners and their prices, instead of the table of GitHub and GitLab that is built in, "
         "as --list-runners prints it"},

    {.name = "input",
     .kind = OPTS_WORDS,
     .group = "What to ask for",
     .modes = IN(ASK),
     .at = AT(ask_for),
     .arg = "FILE[,FILE]",
     .help = "the job's next input is FILE, or has a size such as 12GiB; may repeat"},
    {.name = "for",
     .kind = OPTS_CHOICE,
     .modes = IN(ASK),
     .at = AT(ask_tool),
     .arg = "slurm|snakemake|nextflow|kubernetes|shell",
     .choices = FLEET_OPTIONS_ASK_TOOLS,
     .help = "print options of this tool in one line, for $(...)"},

#include "report/options/options_page.def"

#include "report/options/options_general.def"
    {.name = "list-runners",
     .at = AT(list_runners),
     .help = "list the runners of CI systems that are known, and their prices"},
    {0},
};
