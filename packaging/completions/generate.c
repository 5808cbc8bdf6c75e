/* generate: writes what a shell needs to complete a command's arguments, from its table of options.
 *   generate bash|zsh|fish rtrack-collect|rtrack-report
 * What is the same for both commands is in completion.SHELL, which packaging/completions.mk puts
 * around it. A name that the programs do not know is an error here, not in a user's shell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/collect_options.h"
#include "core/base/buf.h"
#include "fleet/catalog/catalog_order.h"
#include "fleet/catalog/catalog_where.h"
#include "report/advice/gate.h"
#include "report/options/report_options.h"
#include "report/prices/keeper_filters.h"
#include "report/render/output_formats.h"
#include "report/runs/job_key.h"

#define RECORDINGS ".json.gz .json .partial .html .csv"

static void stop(const char *what, const char *why)
{
	fprintf(stderr, "generate: %s: %s\n", what, why);
	exit(1);
}

static void add_word(struct buf *out, const char *word)
{
	buf_str(out, out->len ? " " : "");
	buf_str(out, word);
}

/* -- the words of options whose values are not a choice of opts.h ------------------------------- */
static void gate_words(struct buf *out)
{
	static const char *const names[] = {
	    "duration",        "cpu_seconds",    "cost",
	    "cpu_efficiency",  "gpu_efficiency", "memory_efficiency",
	    "time_efficiency", "time_at_4cpus"};
	static const char *const of_fleet[] = {"fleet.runs",           "fleet.failed",
	                                       "fleet.oom_kills",      "fleet.cpu_efficiency",
	                                       "fleet.gpu_efficiency", "fleet.memory_efficiency",
	                                       "fleet.money",          "fleet.recoverable"};
	struct err e;
	struct measure m;
	enum measure_fleet_name f;
	char name[128];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (measure_find(names[i], strlen(names[i]), &m, &e))
			stop(names[i], e.msg);
		add_word(out, names[i]);
	}
	for (size_t i = 0; i < sizeof of_fleet / sizeof *of_fleet; i++) {
		if (measure_find_fleet(of_fleet[i], strlen(of_fleet[i]), &f, &e))
			stop(of_fleet[i], e.msg);
		add_word(out, of_fleet[i]);
	}
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		snprintf(name, sizeof name, "%s_%s.max", metric_scope_name(metrics[i].scope),
		         metrics[i].name[SCHEMA_1]);
		if (!measure_find(name, strlen(name), &m, &e))
			add_word(out, name);
	}
}

static void group_words(struct buf *out)
{
	static const char *const names[] = {"name", "command",  "directory", "host",
	                                    "user", "instance", "tag:",      "label:"};
	struct err e;
	struct opts_list list = {.n = 1};
	char key[32];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(key, sizeof key, "%s%s", names[i], strchr(names[i], ':') ? "x" : "");
		list.v[0] = key;
		if (job_key_check(&list, &e))
			stop(names[i], e.msg);
		add_word(out, names[i]);
	}
}

static void where_words(struct buf *out)
{
	static const char *const names[] = {"name=", "user=", "host=", "wall_s", "tag:", "label:"};
	struct err e;
	struct catalog_condition c;
	char text[32];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(text, sizeof text, "%s%s", names[i],
		         strchr(names[i], ':') ? "x=1" : (strchr(names[i], '=') ? "1" : "=1"));
		if (catalog_where_condition(text, &c, &e))
			stop(names[i], e.msg);
		add_word(out, names[i]);
	}
}

static void sort_words(struct buf *out)
{
	static const char *const names[] = {
	    "-start",         "-wall",          "-memory_peak",      "-cores_unused", "-cost",
	    "-memory_unused", "cpu_efficiency", "memory_efficiency", "name",          "user"};
	static const double rates[] = {1, 0, 0};
	struct catalog_order order;
	struct err e;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (catalog_order_parse(names[i], rates, &order, &e))
			stop(names[i], e.msg);
		add_word(out, names[i]);
	}
}

static void template_words(struct buf *out)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (output_formats[i].by_name) {
			add_word(out, "@");
			buf_str(out, output_formats[i].template);
		}
}

/* Of --help MODE. */
static void mode_words(struct buf *out)
{
	for (const struct opts_mode *m = report_modes; m->name; m++)
		add_word(out, m->name);
}

static void vendor_words(struct buf *out)
{
	for (const struct keeper_vendor *v = keeper_filters_vendors; v->id; v++)
		add_word(out, v->id);
}

static void country_words(struct buf *out)
{
	for (const struct keeper_filter_word *w = keeper_countries; w->value; w++)
		add_word(out, w->value);
}

static void filter_words(struct buf *out, enum keeper_filter filter, const char *const *words)
{
	struct err e;

	for (; *words; words++) {
		if (!keeper_filters_value(filter, *words, &e))
			stop(*words, e.msg);
		add_word(out, *words);
	}
}

static void compliance_words(struct buf *out)
{
	filter_words(out, KEEPER_FILTER_COMPLIANCE,
	             (const char *const[]){"hipaa", "iso27001", "soc2t2", NULL});
}

static void arch_words(struct buf *out)
{
	filter_words(out, KEEPER_FILTER_ARCH, (const char *const[]){"x86_64", "arm64", NULL});
}

static void allocation_words(struct buf *out)
{
	filter_words(out, KEEPER_FILTER_CPU_ALLOCATION,
	             (const char *const[]){"Shared", "Burstable", "Dedicated", NULL});
}

/* -- what a value can be ------------------------------------------------------------------------ */
enum kind { NOTHING, FILES, FOLDERS, PROCESSES };

/* The first row that fits counts. */
static const struct value {
	const char *option, *arg; /* NULL: any */
	enum kind kind;
	const char *endings; /* of files; NULL: any */
	void (*words)(struct buf *out);
	bool open; /* a word is only the beginning of a value */
} values[] = {
    {.option = "fail-if", .words = gate_words, .open = true},
    {.option = "group-by", .words = group_words, .open = true},
    {.option = "where", .words = where_words, .open = true},
    {.option = "sort", .words = sort_words, .open = true},
    {.option = "template", .kind = FILES, .words = template_words, .open = true},
    {.option = "vendor", .words = vendor_words},
    {.option = "country", .words = country_words},
    {.option = "compliance", .words = compliance_words},
    {.option = "arch", .words = arch_words},
    {.option = "cpu-allocation", .words = allocation_words},
    {.option = "ask-for", .kind = FILES},
    {.option = "current", .kind = FILES, .endings = RECORDINGS},
    {.option = "model", .kind = FILES, .endings = ".json .html"},
    {.option = "help", .words = mode_words},
    {.arg = "JOURNAL", .kind = FILES, .endings = ".partial"},
    {.arg = "FILE", .kind = FILES},
    {.arg = "DATABASE", .kind = FILES},
    {.arg = "DIR", .kind = FOLDERS},
    {.arg = "PID", .kind = PROCESSES},
    {.kind = NOTHING},
};

static bool takes_value(const struct opt *o)
{
	return o->kind != OPTS_FLAG && o->kind != OPTS_NO;
}

/* Whether an argument after it is one of a few words. */
static bool is_report_help(const struct opt *table, const struct opt *o)
{
	return table == report_options_table && strcmp(o->name, "help") == 0;
}

static bool may_repeat(const struct opt *o)
{
	return o->kind == OPTS_LIST || o->kind == OPTS_WORDS;
}

/* words is freed by the caller. */
static struct value value_of(const struct opt *o, struct buf *words)
{
	const struct value *v = values;

	if (o->choices) {
		buf_str(words, o->choices);
		return (struct value){.kind = NOTHING};
	}
	while ((v->option && strcmp(v->option, o->name) != 0) ||
	       (v->arg && (!o->arg || strcmp(v->arg, o->arg) != 0)))
		v++;
	if (v->words)
		v->words(words);
	return *v;
}

/* Text between single quotes, with a backslash before each byte of special. */
static void quoted(const char *text, const char *special, const char *quote)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs(quote, stdout);
		else
			printf("%s%c", strchr(special, *text) ? "\\" : "", *text);
	}
}

/* -- bash ---------------------------------------------------------------------------------------- */
enum which { ALL, VALUED, FLAGS };

static void bash_list(const char *name, const struct opt *table, enum which which)
{
	printf("    %s=' ", name);
	for (const struct opt *o = table; o->name; o++) {
		bool valued = takes_value(o) && !o->without;
		if (which != ALL && valued != (which == VALUED))
			continue;
		if (o->letter)
			printf("-%c ", o->letter);
		printf("--%s ", o->name);
	}
	puts("'");
}

static void bash_value(const struct opt *o)
{
	static const char *const kinds[] = {"", "file", "folder", "process"};
	struct buf words = {0};
	struct value v = value_of(o, &words);

	if (words.len || v.kind != NOTHING) {
		printf("    ");
		if (o->letter)
			printf("-%c | ", o->letter);
		printf("--%s) kind='%s' words='", o->name, kinds[v.kind]);
		quoted(words.len ? words.s : "", "", "'\\''");
		printf("' endings='%s' open=%s ;;\n", v.endings ? v.endings : "",
		       v.open ? "1" : "");
	}
	buf_free(&words);
}

static void bash(const struct opt *table)
{
	bash_list("all", table, ALL);
	bash_list("valued", table, VALUED);
	bash_list("flags", table, FLAGS);
	printf("    wraps=%s\n", table == collect_options_table ? "1" : "");
	puts("    case $1 in");
	for (const struct opt *o = table; o->name; o++)
		if (takes_value(o) || is_report_help(table, o))
			bash_value(o);
	printf("    '') kind='file' words='' endings='%s' open= ;;\n    esac\n", RECORDINGS);
}

/* -- zsh ----------------------------------------------------------------------------------------- */
static void zsh_files(const char *endings)
{
	printf("_files -g \"*");
	for (; *endings; endings++)
		printf("%c%s", *endings, *endings == ' ' ? "*" : "");
	putchar('"');
}

static void zsh_value(const struct opt *o)
{
	struct buf words = {0};
	struct value v = value_of(o, &words);

	printf("%s", o->without || !o->arg ? "::" : ":");
	quoted(o->arg ? o->arg : "MODE", ":\\", "");
	putchar(':');
	if (words.len) {
		printf(v.kind == FILES ? "{compadd -S \"\" - "
		       : v.open        ? "compadd -S \"\" - "
		                       : "(");
		quoted(words.s, ":\\", "");
		printf(v.kind == FILES ? "; _files}" : v.open ? "" : ")");
	} else if (v.endings) {
		zsh_files(v.endings);
	} else {
		static const char *const actions[] = {"", "_files", "_files -/", "_pids"};
		fputs(actions[v.kind], stdout);
	}
	buf_free(&words);
}

static void zsh(const struct opt *table)
{
	for (const struct opt *o = table; o->name; o++) {
		const char *is = !takes_value(o) ? "" : o->without ? "=-" : "=";
		printf("    '");
		if (may_repeat(o))
			putchar('*');
		else if (o->letter)
			printf("(-%c --%s)", o->letter, o->name);
		if (o->letter)
			printf("'{-%c%s,--%s%s}'", o->letter, takes_value(o) ? "+" : "", o->name,
			       is);
		else
			printf("--%s%s", o->name, is);
		putchar('[');
		quoted(o->help, "[]\\:", "'\\''");
		putchar(']');
		if (takes_value(o) || is_report_help(table, o))
			zsh_value(o);
		puts("' \\");
	}
	if (table == collect_options_table)
		puts("    '(-)1: :_command_names -e' '*:: :_normal'");
	else {
		printf("    '*: :");
		zsh_files(RECORDINGS);
		puts("'");
	}
}

/* -- fish ---------------------------------------------------------------------------------------- */
static const char *fish_name(const struct opt *table)
{
	return table == collect_options_table ? "rtrack_collect" : "rtrack_report";
}

/* The command that is recorded begins where the options end. */
static void fish_command(const struct opt *table)
{
	puts(
	    "# The command that is recorded and its arguments before the cursor; nothing while the "
	    "options are not complete.\n"
	    "function __rtrack_collect_rest\n"
	    "    set -l words (commandline -opc)[2..]");
	printf("    argparse --stop-nonopt");
	for (const struct opt *o = table; o->name; o++) {
		printf(" '");
		if (o->letter)
			printf("%c/", o->letter);
		printf("%s%s'", o->name, !takes_value(o) ? "" : o->without ? "=?" : "=+");
	}
	puts(" -- $words 2>/dev/null\n"
	     "    and string escape -- $argv\n"
	     "end\n"
	     "function __rtrack_collect_none\n"
	     "    not __rtrack_collect_rest | string length -q\n"
	     "end\n"
	     "complete -c rtrack-collect -f -a '(complete \"--do-complete=\"(string join \" \" -- "
	     "(__rtrack_collect_rest) (commandline -ct)))'");
}

static void fish_value(const struct opt *table, const struct opt *o)
{
	static const char *const actions[] = {"-f", "-F", "-f -a '(__fish_complete_directories)'",
	                                      "-f -a '(__fish_complete_pids)'"};
	struct buf words = {0};
	struct value v = value_of(o, &words);

	if (!o->without)
		printf(" -r");
	if (v.endings)
		printf(" -f -k -a '(__%s_files %s)'", fish_name(table), v.endings);
	else
		printf(" %s", actions[v.kind]);
	if (words.len) {
		printf(" -a '");
		quoted(words.s, "\\", "\\'");
		putchar('\'');
	}
	buf_free(&words);
}

static void fish(const struct opt *table)
{
	bool wraps = table == collect_options_table;

	if (wraps)
		fish_command(table);
	else {
		struct buf modes = {0};
		mode_words(&modes);
		printf("complete -c rtrack-report -f -k -a '(__rtrack_report_files %s)'\n"
		       "complete -c rtrack-report -n '__fish_seen_argument -s h -l help' -f -a "
		       "'%s'\n",
		       RECORDINGS, buf_cstr(&modes));
		buf_free(&modes);
	}
	for (const struct opt *o = table; o->name; o++) {
		printf("complete -c %s -l %s",
		       wraps ? "rtrack-collect -n __rtrack_collect_none" : "rtrack-report",
		       o->name);
		if (o->letter)
			printf(" -s %c", o->letter);
		if (takes_value(o))
			fish_value(table, o);
		printf(" -d '");
		quoted(o->help, "\\", "\\'");
		puts("'");
	}
}

int main(int argc, char **argv)
{
	const char *shell = argc == 3 ? argv[1] : "", *command = argc == 3 ? argv[2] : "";
	const struct opt *table = strcmp(command, "rtrack-collect") == 0  ? collect_options_table
	                          : strcmp(command, "rtrack-report") == 0 ? report_options_table
	                                                                  : NULL;

	if (!table)
		stop("usage", "generate bash|zsh|fish rtrack-collect|rtrack-report");
	if (strcmp(shell, "bash") == 0)
		bash(table);
	else if (strcmp(shell, "zsh") == 0)
		zsh(table);
	else if (strcmp(shell, "fish") == 0)
		fish(table);
	else
		stop(shell, "no shell that is known");
	return fflush(stdout) || ferror(stdout);
}
