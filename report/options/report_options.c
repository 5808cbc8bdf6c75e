/* report_options: the command line of rtrack-report. */
#include "report/options/report_options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "report/advice/cpu_rule.h"
#include "report/advice/gate.h"
#include "report/input/store_address.h"
#include "report/options/moved_options.h"
#include "report/prices/keeper.h"
#include "report/prices/keeper_filters.h"
#include "report/prices/keeper_where.h"
#include "report/prices/speed.h"
#include "report/runs/job_key.h"
#include "report/watch/watch_jobs.h"

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

/* "10%", "10". */
static int check_slowdown(struct report_options *o, struct err *e)
{
	size_t n = o->slowdown_text ? quantity_number(o->slowdown_text, &o->slowdown) : 0;
	const char *rest = o->slowdown_text ? o->slowdown_text + n : "";

	if (!o->slowdown_text)
		o->slowdown = 100 * CPU_RULE_SLOWDOWN;
	else if (!n || (*rest && strcmp(rest, "%") != 0) || !(o->slowdown <= 1000))
		return err_set(e, "--slowdown: \"%.64s\" is not a percentage from 0 to 1000",
		               o->slowdown_text);
	o->slowdown /= 100;
	return 0;
}

static int check_inputs(struct report_options *o, struct err *e)
{
	if (o->model.name && o->n_inputs)
		return err_set(e, "--model and snapshots cannot be used together");
	if (report_options_stores_inputs(o, false, e))
		return -1;
	if (!o->model.name && !o->n_inputs && !o->current.name)
		return report_options_row_no_input(o, "no snapshot given (see --help)", e);
	if (o->no_model && !o->file[FORMAT_HTML])
		return err_set(e, "--no-model needs --output: it is about the HTML report");
	return job_key_check(&o->group_by, e);
}

/* Checks the vendor only; the region is checked once the service has listed its regions. */
static int check_regions(const struct opts_list *regions, const struct opts_list *vendors,
                         struct err *e)
{
	for (size_t i = 0; i < regions->n; i++) {
		const char *word = regions->v[i], *tilde = strchr(word, '~');
		const char *id;
		char vendor[64];
		size_t known = 0;
		if (!tilde)
			continue;
		snprintf(vendor, sizeof vendor, "%.*s", (int)(tilde - word), word);
		id = keeper_filters_value(KEEPER_FILTER_VENDOR, vendor, e);
		if (!id)
			return err_wrap(e, "--region %.64s", word);
		while (known < vendors->n && strcmp(vendors->v[known], id) != 0)
			known++;
		if (vendors->n && known == vendors->n)
			return err_set(e,
			               "--region %.64s contradicts --vendor %s: it is a region of "
			               "%s",
			               word, vendors->v[0], id);
	}
	return 0;
}

/* Replaces each value (any case, known aliases) by the service's own spelling. */
static int check_filters(struct report_options *o, struct err *e)
{
	if (o->currency && *o->currency &&
	    !(o->currency = keeper_filters_value(KEEPER_FILTER_CURRENCY, o->currency, e)))
		return err_wrap(e, "--currency");
	if (keeper_filters_values(&o->server, e) ||
	    check_regions(&o->server.region, &o->server.vendor, e))
		return -1;
	if (keeper_where_check(&o->keeper_filter, e))
		return err_wrap(e, "--keeper-filter");
	if (o->workload && speed_check(o->workload, e))
		return err_wrap(e, "--workload");
	return 0;
}

int report_options_gates(const struct report_options *o, report_options_gate *parse, struct err *e)
{
	const char *currency = o->currency && *o->currency ? o->currency : "USD";

	for (size_t i = 0; i < o->fail_if.n; i++) {
		struct gate g;
		if (parse(o->fail_if.v[i], &g, e))
			return err_wrap(e, "--fail-if");
		if (*g.currency && strcasecmp(g.currency, currency) != 0)
			return err_set(
			    e, "--fail-if: \"%s\": prices are in %s; did you mean --currency %s?",
			    o->fail_if.v[i], currency, g.currency);
	}
	return 0;
}

/* Two outputs may not go to the same file, but several templates may go to standard output. */
struct outputs {
	const char *v[REPORT_OPTIONS_OUTPUTS_MAX];
	size_t n;
	bool printed; /* a template goes to standard output */
};

static int add_output(struct outputs *all, const char *path, struct err *e)
{
	char shown[STORE_SHOWN_MAX];

	while (strncmp(path, "./", 2) == 0)
		path += 2;
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->v[i], path) == 0)
			return err_set(e, "two outputs go to %s",
			               strcmp(path, "-") == 0 ? "standard output"
			                                      : store_address_shown(path, shown));
	all->v[all->n++] = path;
	return 0;
}

static int check_template(const char *spec, struct outputs *all, struct err *e)
{
	struct buf name = {0}, names = {0};
	const char *file = NULL;
	int failed = 0;

	if (output_format_template(spec, &name, &file))
		failed = err_set(e, "--template: \"%.*s\" is not TEMPLATE=FILE",
		                 (int)strcspn(spec, "?"), spec);
	else if (*buf_cstr(&name) == '@' && !output_format_named(buf_cstr(&name) + 1)) {
		output_format_names(&names);
		failed = err_set(e, "--template: there is no %s; built in are %s", buf_cstr(&name),
		                 buf_cstr(&names));
	} else if (!all->printed || strcmp(file, "-") != 0) {
		failed = add_output(all, file, e) ||
		                 report_options_stores_output("--template", file, true, e)
		             ? -1
		             : 0;
		all->printed = all->printed || strcmp(file, "-") == 0;
	}
	buf_free(&name);
	buf_free(&names);
	return failed;
}

static int check_outputs(const struct report_options *o, struct err *e)
{
	struct outputs all = {0};

	for (const struct opt *row = o->table; row->name; row++) {
		const char *file = report_options_row_output(o, row);
		struct buf option = {0};
		int failed;
		if (!file)
			continue;
		buf_printf(&option, "--%s", row->name);
		failed = add_output(&all, file, e) ||
		         report_options_stores_output(buf_cstr(&option), file,
		                                      file == o->file[FORMAT_JSON], e);
		buf_free(&option);
		if (failed)
			return -1;
	}
	for (size_t i = 0; i < o->templates.n; i++)
		if (check_template(o->templates.v[i], &all, e))
			return -1;
	return 0;
}

void report_options_default_page(struct report_options *o, const char *page)
{
	const char *none[REPORT_OPTIONS_OUTPUTS_MAX];

	if (report_options_outputs(o, none))
		return;
	o->file[FORMAT_HTML] = page;
	o->page_by_default = true;
}

bool report_options_screen(const struct report_options *o)
{
	const char *none[REPORT_OPTIONS_OUTPUTS_MAX];

	return o->watch && report_options_outputs(o, none) == 0;
}

/* A job may begin later, but its folder must be there. */
static int check_watch(const struct report_options *o, struct err *e)
{
	const char *outputs[REPORT_OPTIONS_OUTPUTS_MAX];
	size_t n = report_options_outputs(o, outputs);
	struct stat st;

	for (size_t i = 0; i < n; i++)
		if (strcmp(outputs[i], "-") == 0)
			return err_set(e, "--watch writes outputs again and again: they must be "
			                  "files, not standard output");
	if (o->open)
		return err_set(e, "--watch and --open cannot be used together");
	for (size_t i = 0; i < o->n_inputs; i++) {
		struct buf folder = {0};
		int failed = 0;
		if (o->input[i].place == INPUT_STANDARD)
			return err_set(e, "--watch cannot follow standard input");
		if (o->input[i].place == INPUT_S3)
			continue;
		watch_jobs_folder(o->input[i], &folder);
		if (stat(buf_cstr(&folder), &st))
			failed = err_set(e, "%s: %s", buf_cstr(&folder), strerror(errno));
		else if (!S_ISDIR(st.st_mode))
			failed = err_set(e, "%s is not a folder", buf_cstr(&folder));
		buf_free(&folder);
		if (failed)
			return -1;
	}
	return 0;
}

static int check_open(const struct report_options *o, struct err *e)
{
	if (o->open && !o->file[FORMAT_HTML])
		return err_set(e, "--open needs --output FILE: it shows the HTML report");
	if (o->open && strcmp(o->file[FORMAT_HTML], "-") == 0)
		return err_set(e, "--open cannot show an HTML report on standard output");
	if (o->open && store_kind_of(o->file[FORMAT_HTML]) != STORE_NONE)
		return err_set(e, "--open cannot show an HTML report in an object store");
	return 0;
}

int report_options_begin(struct report_options *o, const struct opt *table, struct err *e)
{
	*o = (struct report_options){.table = table, .history = 5, .servers = 5, .now = NAN};
	return from_environment(o, e);
}

int report_options_take(struct report_options *o, char **argument, size_t n, struct err *e)
{
	o->input = alloc_failed_note(calloc(n + 1, sizeof *o->input));
	if (!o->input)
		return err_set(e, "no memory");
	for (size_t i = 0; i < n; i++)
		o->input[i] = input_of(argument[i]);
	o->n_inputs = n;
	o->argument = argument;
	return 0;
}

int report_options_check(struct report_options *o, struct err *e)
{
	return check_slowdown(o, e) || check_filters(o, e) || check_outputs(o, e) ||
	               check_open(o, e)
	           ? -1
	           : 0;
}

/* "rtrack-report a.json.gz --help" asks for the help of all modes. */
int report_options_help_word(const struct report_options *o, const struct opts_mode *modes,
                             struct err *e)
{
	const char *word = o->n_inputs ? o->input->name : "";
	struct buf names = {0};

	if (!o->help || !*word || opts_mode_named(modes, word) >= 0 || strpbrk(word, "/.:") ||
	    access(word, F_OK) == 0)
		return 0;
	for (const struct opts_mode *m = modes; m->name; m++)
		buf_printf(&names, "%s%s", m == modes ? "" : ", ", m->name);
	err_set(e, "--help: \"%s\" is none of %s", word, buf_cstr(&names));
	buf_free(&names);
	return -1;
}

int report_options_parse(struct report_options *o, int argc, char **argv, struct err *e)
{
	struct opts_parsed parsed;
	int mode;

	if (report_options_begin(o, report_options_table, e) ||
	    moved_options_refuse(argc, argv, e) ||
	    opts_parse(report_options_table, o, argc, argv, 0, &parsed, e) ||
	    report_options_take(o, argv + parsed.rest, (size_t)(argc - parsed.rest), e))
		return -1;
	o->model = input_of(o->model.name);
	o->current = input_of(o->current.name);
	o->put = input_of(o->put.name);
	if (o->help || o->version || o->list_metrics)
		return report_options_help_word(o, report_modes, e);
	mode = opts_mode(report_options_table, report_modes, REPORT_RECORDINGS, &parsed, e);
	if (mode < 0)
		return -1;
	o->mode = (enum report_mode)mode;
	if (o->mode == REPORT_PUT || o->mode == REPORT_GET)
		return report_options_transfer_check(o, e);
	if (o->mode == REPORT_BISECT)
		return check_inputs(o, e);
	if (o->mode == REPORT_KEEPER_SAVE && o->n_inputs)
		return err_set(e, "--keeper-save takes no recordings");
	if (o->mode == REPORT_KEEPER_SAVE)
		return check_filters(o, e);
	if (o->brief)
		o->file[FORMAT_BRIEF] = "-";
	if (!o->watch)
		report_options_default_page(o, "report.html");
	else if (check_watch(o, e))
		return -1;
	if (check_inputs(o, e) || report_options_gates(o, gate_parse, e))
		return -1;
	return report_options_check(o, e);
}

bool report_options_may_join(const struct report_options *o)
{
	if (o->model.name || (o->parts && strcmp(o->parts, "off") == 0) || !o->n_inputs)
		return false;
	return o->n_inputs > 1 || o->current.name || o->input->place == INPUT_S3 ||
	       o->input->place == INPUT_FOLDER;
}

struct keeper_query report_options_prices(const struct report_options *o,
                                          const struct price_fetcher *fetcher)
{
	return (struct keeper_query){
	    .base_url = o->keeper_url,
	    .offline = o->offline,
	    .fetcher = fetcher,
	    .of = o->server,
	    .where = o->keeper_filter,
	    .workload = o->workload,
	    .cache_dir = o->keeper_cache,
	    .timeout_s = o->keeper_timeout_s,
	    .spot = o->spot,
	    .currency = o->currency,
	    .servers = (int)o->servers,
	};
}

void report_options_free(struct report_options *o)
{
	free(o->input);
	free(o->current_journal);
}

/* --help MODE */
static void help_of_mode(const struct opts_mode *mode, struct buf *out)
{
	buf_printf(out, "Usage: rtrack-report [OPTION]... %s\n\n", mode->usage);
	opts_help(report_options_table, OPTS_MODE(mode - report_modes), out);
	buf_str(out, "\nrtrack-report --help lists the options of all modes.\n");
}

void report_options_help(const struct report_options *o, struct buf *out)
{
	int mode = o->n_inputs ? opts_mode_named(report_modes, o->input->name) : -1;

	if (mode >= 0) {
		help_of_mode(&report_modes[mode], out);
		return;
	}
	for (const struct opts_mode *m = report_modes; m->name; m++)
		buf_printf(out, "%s rtrack-report [OPTION]... %s\n",
		           m == report_modes ? "Usage:" : "      ", m->usage);
	buf_str(out,
	        "\nTurns recordings of rtrack-collect into one self-contained HTML page: what the "
	        "job\nused, what to request next time, and which cloud server would be the "
	        "cheapest.\n\n"
	        "The newest recording is \"this run\", and the others are its history. A folder "
	        "stands\nfor the snapshots in it, \"-\" for standard input. CSV files of "
	        "resource-tracker and\nof --csv are recordings too.\n\n"
	        "SNAPSHOTs, SOURCEs and outputs may be in an object store: s3://BUCKET/KEY is an "
	        "object,\ns3://BUCKET/PREFIX/ all recordings below it. An output may also be "
	        "https:// with a\nsigned query.\n\n"
	        "Pages about many runs are the work of rtrack-fleet.\n\n"
	        "--help MODE lists the options of one mode; MODE is\n");
	for (const struct opts_mode *m = report_modes; m->name; m++)
		buf_printf(out, "%s%s", m == report_modes ? "" : ", ", m->name);
	buf_str(out, ".\n\n");
	opts_help(report_options_table, 0, out);
	buf_str(
	    out,
	    "\nExamples:\n"
	    "  rtrack-report job.json.gz                  write report.html\n"
	    "  rtrack-report -o job.html runs/            the newest run of runs/, with history\n"
	    "  rtrack-report --compare -o ab.html a.json.gz b.json.gz   compare two runs\n"
	    "  rtrack-report --watch runs/                jobs while they run, in the terminal\n"
	    "  rtrack-report --watch -o page.html runs/   a page that reloads itself\n"
	    "  rtrack-report --offline -j - job.json.gz   print the model, use no network\n"
	    "  rtrack-report --text - job.json.gz         show it in the terminal\n"
	    "  rtrack-report -o a.html --markdown a.md --openmetrics a.prom job.json.gz\n"
	    "  rtrack-report --fail-if 'process_memory.max > limit * 90%' --junit a.xml a.json\n"
	    "  rtrack-report -o s3://bucket/job.html s3://bucket/job.json.gz\n"
	    "  rtrack-report --put job.json.gz s3://bucket/job.json.gz\n"
	    "\nExit status:\n"
	    "  0  everything was written\n"
	    "  1  not everything was written, or --bisect found no change\n"
	    "  2  wrong usage\n"
	    "  3  everything was written, and a --fail-if condition holds\n"
	    "  4  everything was written, but some recordings were left out\n");
}

static char *read_journal_instead(struct input *in, void (*say)(const struct err *line))
{
	char *journal = input_unfinished(*in);
	struct err line = {0};

	if (!journal)
		return NULL;
	err_set(&line, "%s: the recording has not ended; this is what %s has so far", in->name,
	        journal);
	say(&line);
	*in = (struct input){INPUT_FILE, INPUT_JOURNAL, journal, 0};
	return journal;
}

void report_options_journals(struct report_options *o, void (*say)(const struct err *line))
{
	char *journal;

	if (o->mode != REPORT_RECORDINGS && o->mode != REPORT_COMPARE)
		return;
	for (size_t i = 0; i < o->n_inputs; i++)
		if ((journal = read_journal_instead(&o->input[i], say)))
			o->argument[i] = journal;
	o->current_journal = read_journal_instead(&o->current, say);
}
