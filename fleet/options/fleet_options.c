/* fleet_options: the command line of rtrack-fleet. */
#include "fleet/options/fleet_options.h"

#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "fleet/catalog/catalog.h"
#include "fleet/catalog/catalog_order.h"
#include "fleet/catalog/clickhouse_address.h"
#include "fleet/catalog/job_name.h"
#include "fleet/options/fleet_source.h"
#include "fleet/options/when.h"
#include "report/advice/gate.h"
#include "report/input/store_address.h"

bool fleet_options_rates(const struct fleet_options *o)
{
	return o->rate_cpu > 0 || o->rate_memory > 0 || o->rate_gpu > 0;
}

const char *fleet_options_page_file(const struct fleet_options *o)
{
	const char *page = o->page.file[FORMAT_HTML];

	return page && store_kind_of(page) == STORE_NONE ? page : NULL;
}

/* The page that a verb writes if no output was requested. */
static const char *const pages[FLEET_VERBS] = {
    [FLEET_GROUPS] = "groups.html",
    [FLEET_RUNS] = "runs.html",
    [FLEET_PIPELINE] = "pipeline.html",
    [FLEET_CI] = "ci.html",
};

static const char *said(const struct fleet_options *o)
{
	return fleet_verbs[o->verb].said;
}

/* -- sources and the catalog ------------------------------------------------------------------- */

/* An address may hold a password, so it is not shown. */
static int check_place(const char *place, struct err *e)
{
	struct clickhouse_address address;

	if (!*place)
		return err_set(e, "--catalog: the name is empty");
	if (strcmp(place, "-") == 0)
		return err_set(e,
		               "--catalog: a database cannot be standard input or output (./- is a "
		               "file of that name)");
	if (store_kind_of(place) == STORE_S3)
		return err_set(e, "--catalog: a database cannot be in an object store, as the "
		                  "recordings that it is made of can: use a file");
	if (!clickhouse_is_address(place) && strstr(place, "://"))
		return err_set(e, "--catalog: an address begins with https:// or http://");
	if (clickhouse_is_address(place) && clickhouse_address_parse(place, &address, e))
		return err_wrap(e, "--catalog");
	return 0;
}

/* Files are removed without a catalog: its rows stay. */
static int check_removing(const struct fleet_options *o, bool sources, struct err *e)
{
	if (o->catalog)
		return err_set(e, "forget: --files removes recordings, and --catalog rows: do one "
		                  "after the other");
	if (!sources)
		return err_set(e, "forget --files needs the folder of the recordings");
	for (size_t i = 0; i < o->page.n_inputs; i++)
		if (o->page.input[i].place != INPUT_FOLDER)
			return err_set(e, "forget --files: %s: is not a folder",
			               o->page.input[i].name);
	return 0;
}

static int check_writing(const struct fleet_options *o, bool sources, struct err *e)
{
	const char *what = o->verb == FLEET_FORGET ? "forget" : "add";

	if (o->files)
		return check_removing(o, sources, e);

	if (report_options_standard_input(&o->page))
		return err_set(e,
		               "%s: standard input has no name by which a catalog could know it; "
		               "write it to a file first (./- is a file of that name)",
		               what);
	if (!o->catalog)
		return err_set(e, "%s needs --catalog DATABASE", what);
	/* On a server, adding nothing creates the tables. */
	if (sources || (o->add && clickhouse_is_address(o->catalog)))
		return 0;
	return err_set(e, "%s needs SOURCEs: recordings, or folders", what);
}

static int check_reading(const struct fleet_options *o, bool sources, struct err *e)
{
	char needs[128];

	if (!o->catalog && !sources) {
		snprintf(needs, sizeof needs, "%s needs SOURCEs, or --catalog DATABASE", said(o));
		return report_options_row_no_input(&o->page, needs, e);
	}
	if (!o->catalog || !sources)
		return 0;
	return err_set(
	    e,
	    "%s shows what the catalog has: add %s to it first (rtrack-fleet add), or leave "
	    "%s out",
	    said(o), o->page.n_inputs ? "SOURCEs" : "what sacct has",
	    o->page.n_inputs ? "them" : "--sacct-since");
}

static int check_sources(const struct fleet_options *o, struct err *e)
{
	bool sources = o->page.n_inputs || o->sacct_since_text;

	if (o->catalog && check_place(o->catalog, e))
		return -1;
	return o->add || o->verb == FLEET_FORGET ? check_writing(o, sources, e)
	                                         : check_reading(o, sources, e);
}

/* Options that would undo what the verb job itself says to rtrack-report. */
static int check_passed_option(const struct opts_parsed *parsed, struct err *e)
{
	static const char *const own[] = {"history", "note", "current", "model",
	                                  "watch",   "put",  "get",     "pieces"};

	for (const struct opt *row = report_options_table; row->name; row++)
		for (size_t i = 0; i < sizeof own / sizeof *own; i++)
			if (parsed->given[row - report_options_table] &&
			    strcmp(row->name, own[i]) == 0)
				return err_set(e,
				               "job: --%s cannot follow \"--\": the report is of "
				               "the recordings that job finds, and of no others",
				               row->name);
	return 0;
}

/* Parses the arguments after "--" as rtrack-report does, in copies: a list is split in place. */
static int check_passed_on(const struct fleet_options *o, struct err *e)
{
	size_t n = o->n_passed_on;
	char **argv = alloc_failed_note(calloc(n + 2, sizeof *argv));
	struct report_options *into = alloc_failed_note(calloc(1, sizeof *into));
	struct opts_parsed parsed;
	bool copied = argv && into;
	int failed;

	if (argv)
		argv[0] = (char *)"rtrack-report";
	for (size_t i = 0; copied && i < n; i++)
		copied = (argv[i + 1] = alloc_failed_note(strdup(o->passed_on[i])));
	failed = !copied ? err_set(e, "no memory")
	                 : opts_parse(report_options_table, into, (int)n + 1, argv, 0, &parsed, e);
	if (failed && copied)
		err_wrap(e, "job: after \"--\"");
	if (!failed)
		failed = check_passed_option(&parsed, e);
	if (!failed && parsed.rest <= (int)n)
		failed = err_set(e,
		                 "job: only options can follow \"--\", and \"%s\" is none: "
		                 "recordings are the SOURCEs before it",
		                 argv[parsed.rest]);
	for (int i = 1; !failed && i < parsed.rest && i <= (int)n; i++)
		if (strcmp(argv[i], "--") == 0)
			failed = err_set(e, "job: \"--\" can only be given once");
	for (size_t i = 0; argv && i < n; i++)
		free(argv[i + 1]);
	free(argv);
	free(into);
	return failed;
}

static int check_job(const struct fleet_options *o, struct err *e)
{
	struct job_name name;

	if (!o->job)
		return err_set(e, "%s needs the ID of a job, such as 12345", said(o));
	if (job_name_parse(o->job, &name, e))
		return err_wrap(e, "job");
	if (o->catalog && check_place(o->catalog, e))
		return -1;
	if (!o->catalog && !o->page.n_inputs)
		return report_options_row_no_input(&o->page,
		                                   "job needs SOURCEs, or --catalog DATABASE", e);
	if (o->catalog && o->page.n_inputs)
		return err_set(e, "job looks in SOURCEs or in --catalog, not in both");
	if (report_options_standard_input(&o->page))
		return err_set(e, "job looks for files, and standard input has no name (./- is a "
		                  "file of that name)");
	return o->n_passed_on ? check_passed_on(o, e) : 0;
}

/* -- which runs -------------------------------------------------------------------------------- */

/* The name that rtrack-collect gives to the user of a run: from /etc/passwd, because getpwuid(3)
 * may ask the network; else $LOGNAME, else the number. */
static void own_name(struct buf *out)
{
	const struct passwd *user;
	FILE *f = fopen("/etc/passwd", "re");
	const char *login = getenv("LOGNAME");

	while (f && !out->len && (user = fgetpwent(f)))
		if (user->pw_uid == geteuid())
			buf_str(out, user->pw_name);
	if (f)
		fclose(f);
	if (!out->len && login)
		buf_str(out, login);
	if (!out->len)
		buf_printf(out, "%u", (unsigned)geteuid());
}

static int add_mine(struct fleet_options *o, struct err *e)
{
	struct buf condition = {0}, name = {0};

	if (!o->mine)
		return 0;
	if (o->where.n == OPTS_LIST_MAX)
		return err_set(e, "--mine: more than %d conditions", OPTS_LIST_MAX - 1);
	own_name(&name);
	buf_printf(&condition, "user=%s", buf_cstr(&name));
	buf_free(&name);
	o->mine_where = alloc_failed_note(buf_take(&condition));
	if (!o->mine_where)
		return err_set(e, "no memory");
	o->where.v[o->where.n++] = o->mine_where;
	return 0;
}

static int check_when(const char *option, const char *text, double now, double *out, struct err *e)
{
	if (text && when_parse(text, now, out, e))
		return err_wrap(e, "%s", option);
	return 0;
}

static int check_period(struct fleet_options *o, struct err *e)
{
	double now = isnan(o->page.now) ? (double)time(NULL) : o->page.now;

	if (check_when("--since", o->since_text, now, &o->since, e) ||
	    check_when("--until", o->until_text, now, &o->until, e) ||
	    check_when("--sacct-since", o->sacct_since_text, now, &o->sacct_since, e))
		return -1;
	if (check_when("--older-than", o->older_than_text, now, &o->older_than, e))
		return -1;
	if (o->files && o->older_than > now - FLEET_OPTIONS_FILES_MIN_S)
		return err_set(e, "--older-than: recordings may be written to for %d days",
		               FLEET_OPTIONS_FILES_MIN_S / 86400);
	if (o->since > 0 && o->until > 0 && o->since >= o->until)
		return err_set(e, "--since %s is not before --until %s", o->since_text,
		               o->until_text);
	return 0;
}

/* --group-by name,user → its two keys. */
static int split_keys(struct opts_list *keys, struct err *e)
{
	struct opts_list all = {.n = 0};

	for (size_t i = 0; i < keys->n; i++)
		for (char *rest = (char *)keys->v[i], *key; (key = strsep(&rest, ","));) {
			if (all.n == CATALOG_KEYS)
				return err_set(e, "--group-by: more than %d keys", CATALOG_KEYS);
			all.v[all.n++] = key;
		}
	*keys = all;
	return 0;
}

static int check_user_limits(struct fleet_options *o, struct err *e)
{
	const char *size = o->user_bytes_text ? o->user_bytes_text : "16GiB";

	if (quantity_size(size, strlen(size), QUANTITY_BARE, &o->user_bytes) || o->user_bytes < 1)
		return err_set(e, "--user-bytes: \"%.64s\" is not " QUANTITY_SIZE, size);
	return 0;
}

static int check_query(struct fleet_options *o, struct err *e)
{
	const struct catalog_query by = {.group_by = &o->page.group_by},
				   where = {.where = &o->where};

	if (split_keys(&o->page.group_by, e))
		return -1;
	if (catalog_query_check(&by, e))
		return err_wrap(e, "--group-by");
	return catalog_query_check(&where, e) ? err_wrap(e, "--where") : 0;
}

/* -- what is shown ----------------------------------------------------------------------------- */

static int check_prices(const struct fleet_options *o, struct err *e)
{
	const char *rate = "--rate-gpu";

	if (!o->page.spot || !fleet_options_rates(o))
		return 0;
	if (o->rate_cpu > 0 || o->rate_memory > 0)
		rate = o->rate_cpu > 0 ? "--rate-cpu" : "--rate-memory";
	return err_set(
	    e, "--spot and %s cannot be used together: with a rate, no prices are asked for", rate);
}

static bool is_nextflow(const char *template)
{
	size_t n = strcspn(template, "=");

	return n == strlen("@trace.txt") && strncmp(template, "@trace.txt", n) == 0;
}

bool fleet_options_nextflow(const struct fleet_options *o)
{
	for (size_t i = 0; i < o->page.templates.n; i++)
		if (is_nextflow(o->page.templates.v[i]))
			return true;
	return false;
}

/* Templates that are built in are made of one run, but a trace may have many. */
static int check_templates(const struct fleet_options *o, struct err *e)
{
	bool lists = o->verb == FLEET_RUNS;

	for (size_t i = 0; i < o->page.templates.n; i++) {
		const char *spec = o->page.templates.v[i];
		if (*spec == '@' && !(lists && is_nextflow(spec)))
			return err_set(e, "%s and --template @NAME cannot be used together%s",
			               said(o), lists ? ", but for @trace.txt" : "");
	}
	return 0;
}

static int check_list(const struct fleet_options *o, struct err *e)
{
	const double rate[] = {o->rate_cpu, o->rate_memory, o->rate_gpu};
	struct catalog_order order;

	if (o->verb == FLEET_GROUPS && o->top > (long)FLEET_OPTIONS_GROUPS)
		return err_set(e, "--top: %ld is not between 1 and %zu", o->top,
		               FLEET_OPTIONS_GROUPS);
	/* Such as a variable of a script that is not set: the newest run would be another one. */
	if (o->run && !*o->run)
		return err_set(e, "--run: the name is empty");
	return o->sort ? catalog_order_parse(o->sort, rate, &order, e) : 0;
}

/* -- messages to owners ------------------------------------------------------------------------ */

static int check_mail_path(const char *option, const char *path, struct err *e)
{
	if (path && (!*path || strcmp(path, "-") == 0 || store_kind_of(path) != STORE_NONE))
		return err_set(e, "%s: \"%s\" is not a path", option, path);
	return 0;
}

static bool may_get_mail(const char *name)
{
	static const char allowed[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	size_t n = strlen(name);

	return n && n < 254 && strspn(name, allowed) == n && name[0] != '.' && name[0] != '-' &&
	       name[n - 1] != '.' && !strstr(name, "..");
}

/* The folder is made at the start, but not those above it: a mistyped path makes no tree. */
static int check_mail_folder(const char *path, struct err *e)
{
	size_t n = strlen(path);
	char above[FLEET_SOURCE_MAX];
	struct stat st;

	if (stat(path, &st) == 0)
		return S_ISDIR(st.st_mode) ? 0
		                           : err_set(e, "--mail-dir: %s: is not a folder", path);
	if (errno != ENOENT || n >= sizeof above)
		return err_set(e, "--mail-dir: %s: %s", path, strerror(errno));
	while (n && path[n - 1] == '/')
		n--;
	while (n && path[n - 1] != '/')
		n--;
	snprintf(above, sizeof above, "%.*s", n ? (int)n : 1, n ? path : ".");
	if (stat(above, &st))
		return err_set(e,
		               "--mail-dir: %s: there is no folder above it (make it: mkdir -p %s)",
		               path, path);
	return 0;
}

/* The file of sent messages is no catalog; before the first message, neither need exist. */
static int check_mail_state(struct fleet_options *o, struct err *e)
{
	char state[FLEET_SOURCE_MAX], catalog[FLEET_SOURCE_MAX];
	struct buf said = {0};

	if (!o->mail_state) {
		buf_printf(&said, "%s%ssaid.jsonl", o->mail,
		           o->mail[strlen(o->mail) - 1] == '/' ? "" : "/");
		o->mail_state = o->said = alloc_failed_note(buf_take(&said));
	}
	if (!o->mail_state)
		return err_set(e, "no memory");
	if (!o->catalog || clickhouse_is_address(o->catalog))
		return 0;
	if (fleet_source_path(o->mail_state, state, e) || fleet_source_path(o->catalog, catalog, e))
		return -1;
	return strcmp(state, catalog) == 0
	           ? err_set(e,
	                     "%s: --catalog and --mail-state cannot be the same file (give the "
	                     "catalog another name)",
	                     o->catalog)
	           : 0;
}

static int check_mail(struct fleet_options *o, struct err *e)
{
	if (!o->mail && o->verb == FLEET_MAIL)
		return err_set(e, "mail needs --mail-dir DIR");
	if (!o->mail)
		return 0;
	if (check_mail_path("--mail-dir", o->mail, e) ||
	    check_mail_path("--mail-state", o->mail_state, e) ||
	    check_mail_path("--mail-rules", o->mail_rules, e))
		return -1;
	if (check_mail_folder(o->mail, e) || check_mail_state(o, e))
		return -1;
	if (o->mail_domain && !may_get_mail(o->mail_domain))
		return err_set(e, "--mail-domain: \"%.64s\" is not the name of a domain",
		               o->mail_domain);
	return 0;
}

/* -- the command line -------------------------------------------------------------------------- */

static int check_verb(struct fleet_options *o, struct err *e)
{
	if (report_options_stores_inputs(&o->page, o->verb == FLEET_FORGET, e))
		return -1;
	if (o->verb == FLEET_JOB)
		return check_job(o, e);
	if (o->verb == FLEET_ASK && !o->ask_for.n)
		return err_set(e, "ask needs --input FILE or SIZE: the job's next input");
	if (add_mine(o, e) || check_mail(o, e) || check_list(o, e) || check_templates(o, e) ||
	    check_sources(o, e) || check_prices(o, e) || check_period(o, e) ||
	    check_user_limits(o, e))
		return -1;
	return check_query(o, e);
}

/* A word that is neither a verb nor anything on disk was meant as a verb. */
static int check_word(const char *word, struct err *e)
{
	struct buf verbs = {0};

	if (*word == '-' || strpbrk(word, "/.:") || access(word, F_OK) == 0)
		return 0;
	for (int v = 0; v < FLEET_VERBS; v++)
		buf_printf(&verbs, "%s%s", v ? ", " : "", fleet_verbs[v].name);
	err_set(e, "\"%.64s\" is neither a verb (%s) nor a file", word, buf_cstr(&verbs));
	buf_free(&verbs);
	return -1;
}

/* The verb job gives rtrack-report what follows "--". Returns how many words are before it. */
static int cut_passed_on(struct fleet_options *o, int argc, char **argv)
{
	int n = 0;

	while (n < argc && strcmp(argv[n], "--") != 0)
		n++;
	if (n == argc || o->verb != FLEET_JOB)
		return argc;
	o->passed_on = argv + n + 1;
	o->n_passed_on = (size_t)(argc - n - 1);
	return n;
}

int fleet_options_parse(struct fleet_options *o, int argc, char **argv, struct err *e)
{
	int verb = argc > 1 ? opts_mode_named(fleet_verbs, argv[1]) : -1, skip = verb >= 0;
	struct opts_parsed parsed;
	char **argument;

	*o = (struct fleet_options){.verb = skip ? (enum fleet_verb)verb : FLEET_GROUPS,
	                            .named = skip,
	                            .user_files = 1000000,
	                            .user_time = 600};
	argc = cut_passed_on(o, argc, argv);
	if ((argc > 1 && !skip && check_word(argv[1], e)) ||
	    report_options_begin(&o->page, fleet_options_table, e) ||
	    opts_parse(fleet_options_table, o, argc - skip, argv + skip, 0, &parsed, e))
		return -1;
	argument = argv + skip + parsed.rest;
	if (o->verb == FLEET_JOB && argument < argv + argc)
		o->job = *argument++;
	if (report_options_take(&o->page, argument, (size_t)(argv + argc - argument), e))
		return -1;
	if (o->page.help || o->page.version || o->page.list_metrics || o->list_runners)
		return o->named ? 0 : report_options_help_word(&o->page, fleet_verbs, e);
	if (opts_check(fleet_options_table, fleet_verbs, (int)o->verb, &parsed, e))
		return -1;
	o->add = o->add || o->verb == FLEET_ADD;
	if (pages[o->verb])
		report_options_default_page(&o->page, pages[o->verb]);
	if (check_verb(o, e))
		return -1;
	if (o->verb == FLEET_JOB) /* rtrack-report checks the others */
		return 0;
	return report_options_gates(&o->page, gate_parse_fleet, e) ||
	               report_options_check(&o->page, e)
	           ? -1
	           : 0;
}

void fleet_options_free(struct fleet_options *o)
{
	report_options_free(&o->page);
	free(o->mine_where);
	free(o->said);
}

/* The verb job hands the options of both programs on: rtrack-report says what they do. */
static void help_as_of_report(struct opt *row)
{
	const struct opt *of = report_options_table;

	while (of->name && strcmp(of->name, row->name) != 0)
		of++;
	if (of->name && row->at < sizeof(struct report_options))
		row->help = of->help;
}

void fleet_options_of_verb(enum fleet_verb verb, struct opt table[OPTS_MAX + 1])
{
	size_t i = 0;

	for (; i < OPTS_MAX && fleet_options_table[i].name; i++) {
		table[i] = fleet_options_table[i];
		if (verb == FLEET_JOB)
			help_as_of_report(&table[i]);
	}
	table[i] = (struct opt){.name = NULL};
}

static void help_of_verb(enum fleet_verb verb, struct buf *out)
{
	struct opt table[OPTS_MAX + 1];

	fleet_options_of_verb(verb, table);
	buf_printf(out, "Usage: rtrack-fleet %s [OPTION]... %s\n\n", fleet_verbs[verb].said,
	           fleet_verbs[verb].usage);
	opts_help(table, OPTS_MODE(verb), out);
}

void fleet_options_help(const struct fleet_options *o, struct buf *out)
{
	int named = o->page.n_inputs ? opts_mode_named(fleet_verbs, o->page.input->name) : -1;

	if (o->named || named >= 0) {
		help_of_verb(named >= 0 ? (enum fleet_verb)named : o->verb, out);
		return;
	}
	buf_str(out, "Usage: rtrack-fleet [VERB] [OPTION]... SOURCE...|--catalog DATABASE\n\n"
	             "Shows which of many jobs waste most, and what to change. A SOURCE is "
	             "a\nrecording of rtrack-collect, a folder with all that is below it, "
	             "s3://BUCKET/PREFIX/,\nor what other programs wrote about jobs (sacct, seff, "
	             "Nextflow, Snakemake, time -v).\n\nVerbs:\n");
	for (int v = 0; v < FLEET_VERBS; v++)
		buf_printf(out, "  %-10s %s\n", fleet_verbs[v].name, fleet_verbs_help[v]);
	buf_str(
	    out,
	    "\nrtrack-fleet VERB --help lists the options of a verb.\n\n"
	    "Examples:\n"
	    "  rtrack-fleet -o groups.html runs/          all runs below runs/: what to change\n"
	    "  rtrack-fleet groups --mine runs/           only my own runs\n"
	    "  rtrack-fleet add --catalog runs.db runs/   keep them in a database\n"
	    "  rtrack-fleet --catalog runs.db --since 30d -o groups.html\n"
	    "  rtrack-fleet runs --catalog runs.db --sort -memory_peak --text -\n"
	    "  rtrack-fleet pipeline -o p.html runs/      the newest run of a workflow\n"
	    "  rtrack-fleet ci -o ci.html --ci-patch ci.patch runs/     runners for CI jobs\n"
	    "  rtrack-fleet mail --mail-dir mails/ --catalog runs.db --since 30d\n"
	    "  rtrack-fleet ask --input reads.fq --for slurm runs/      options of sbatch\n"
	    "  rtrack-fleet job 12345 -o job.html runs/   a report on this job\n"
	    "\nExit status:\n"
	    "  0  everything was written\n"
	    "  1  not everything was written\n"
	    "  2  wrong usage\n"
	    "  3  everything was written, and a --fail-if condition holds\n"
	    "  4  everything was written, but some recordings were left out (ask: 0)\n");
}
