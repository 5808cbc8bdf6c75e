/* generate: writes what a shell needs to complete a command's arguments, from its table of options.
 *   generate bash|zsh|fish rtrack-collect|rtrack-report|rtrack-fleet
 * What is the same for all commands is in SHELL.in, which packaging/completions.mk puts around it. A name that the programs do not know is an error here, not in a user's shell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/collect_options.h"
#include "core/base/buf.h"
#include "fleet/catalog/catalog_order.h"
#include "fleet/catalog/catalog_where.h"
#include "fleet/options/fleet_options.h"
#include "report/advice/gate.h"
#include "report/options/report_options.h"
#include "report/prices/keeper_filters.h"
#include "report/render/output_formats.h"
#include "report/runs/job_key.h"

#define RECORDINGS ".json.gz .json .partial .html .csv"

static struct opt fleet_table[2 * OPTS_MAX + 1];

static const struct command {
	const char *name;
	const char *function; /* begins the names of functions in a shell */
	const struct opt *table;
	const struct opts_mode *modes; /* words after --help; NULL: none */
	bool verbs;                    /* each mode is a verb: the first word */
	bool wraps;                    /* the arguments are a command with its own */
} commands[] = {
    {"rtrack-collect", "rtrack_collect", collect_options_table, NULL, false, true},
    {"rtrack-report", "rtrack_report", report_options_table, report_modes, false, false},
    {"rtrack-fleet", "rtrack_fleet", fleet_table, fleet_verbs, true, false},
};

_Noreturn static void stop(const char *what, const char *why)
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
	struct err e;
	struct measure m;
	char name[128];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (measure_find(names[i], strlen(names[i]), &m, &e))
			stop(names[i], e.msg);
		add_word(out, names[i]);
	}
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		snprintf(name, sizeof name, "%s_%s.max", metric_scope_name(metrics[i].scope),
		         metrics[i].name[SCHEMA_1]);
		if (!measure_find(name, strlen(name), &m, &e))
			add_word(out, name);
	}
}

static void fleet_gate_words(struct buf *out)
{
	static const char *const names[] = {"fleet.runs",           "fleet.failed",
	                                    "fleet.oom_kills",      "fleet.cpu_efficiency",
	                                    "fleet.gpu_efficiency", "fleet.memory_efficiency",
	                                    "fleet.money",          "fleet.recoverable"};
	struct err e;
	enum measure_fleet_name f;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (measure_find_fleet(names[i], strlen(names[i]), &f, &e))
			stop(names[i], e.msg);
		add_word(out, names[i]);
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
	for (size_t i = 0; catalog_order_listed(i); i++) {
		add_word(out, catalog_order_listed(i));
		buf_printf(out, " -%s", catalog_order_listed(i));
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

static void mode_words(const struct command *c, struct buf *out)
{
	for (const struct opts_mode *m = c->modes; m && m->name; m++)
		add_word(out, m->name);
}

static void vendor_words(struct buf *out)
{
	for (const struct keeper_vendor *v = keeper_filters_vendors; v->id; v++)
		add_word(out, v->id);
}

static void country_words(struct buf *out)
{
	for (const struct keeper_filter_word *w = keeper_filters_countries; w->value; w++)
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
	const char *command, *option, *arg; /* NULL: any */
	enum kind kind;
	const char *endings; /* of files; NULL: any */
	void (*words)(struct buf *out);
	bool open; /* a word is only the beginning of a value */
} values[] = {
    {.command = "rtrack-fleet", .option = "fail-if", .words = fleet_gate_words, .open = true},
    {.option = "fail-if", .words = gate_words, .open = true},
    {.option = "group-by", .words = group_words, .open = true},
    {.option = "where", .words = where_words, .open = true},
    {.option = "sort", .words = sort_words, .open = true},
    {.option = "template", .kind = FILES, .words = template_words, .open = true},
    {.option = "vendor", .words = vendor_words},
    {.option = "country", .words = country_words},
    {.option = "compliance", .words = compliance_words},
    {.option = "architecture", .words = arch_words},
    {.option = "cpu-allocation", .words = allocation_words},
    {.option = "input", .kind = FILES},
    {.option = "current", .kind = FILES, .endings = RECORDINGS},
    {.option = "model", .kind = FILES, .endings = ".json .html"},
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

/* Whether an argument after it is one of the modes. */
static bool is_help_of_mode(const struct command *c, const struct opt *o)
{
	return c->modes && strcmp(o->name, "help") == 0;
}

/* Whether it may be given after the first verbs, or where there are none. */
static bool is_of_mode(const struct opt *o, int mode)
{
	return !o->modes || (o->modes & OPTS_MODE(mode));
}

static bool may_repeat(const struct opt *o)
{
	return o->kind == OPTS_LIST || o->kind == OPTS_WORDS;
}

/* words is freed by the caller. */
static struct value value_of(const struct command *c, const struct opt *o, struct buf *words)
{
	const struct value *v = values;

	if (is_help_of_mode(c, o)) {
		mode_words(c, words);
		return (struct value){.kind = NOTHING};
	}
	if (o->choices) {
		buf_str(words, o->choices);
		return (struct value){.kind = NOTHING};
	}
	while ((v->command && strcmp(v->command, c->name) != 0) ||
	       (v->option && strcmp(v->option, o->name) != 0) ||
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

static void bash_list(const char *name, const struct opt *o, int mode, enum which which)
{
	printf("%s='", name);
	for (; o->name; o++) {
		bool valued = takes_value(o) && !o->without;
		if ((mode >= 0 && !is_of_mode(o, mode)) || (which == ALL && !o->help) ||
		    (which != ALL && valued != (which == VALUED)))
			continue;
		if (o->letter)
			printf(" -%c", o->letter);
		printf(" --%s", o->name);
	}
	printf(" ' ");
}

/* mode: -1 for options of all modes. */
static void bash_lists(const struct command *c, int mode)
{
	bash_list("all", c->table, mode, ALL);
	bash_list("valued", c->table, mode, VALUED);
	bash_list("flags", c->table, mode, FLAGS);
}

/* Without a verb, the line is of the first. */
static void bash_verbs(const struct command *c)
{
	struct buf words = {0};

	mode_words(c, &words);
	printf("    verbs='%s'\n    case $verb in\n", buf_cstr(&words));
	for (int verb = FLEET_VERBS - 1; verb >= 0; verb--) {
		printf("    %s) ", verb ? c->modes[verb].name : "*");
		bash_lists(c, verb);
		puts(";;");
	}
	puts("    esac");
	buf_free(&words);
}

static void bash_value(const struct command *c, const struct opt *o)
{
	static const char *const kinds[] = {"", "file", "folder", "process"};
	struct buf words = {0};
	struct value v = value_of(c, o, &words);

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

static void bash(const struct command *c)
{
	if (c->verbs) {
		bash_verbs(c);
	} else {
		printf("    ");
		bash_lists(c, -1);
		printf("wraps=%s\n", c->wraps ? "1" : "");
	}
	puts("    case $1 in");
	for (const struct opt *o = c->table; o->name; o++)
		if (takes_value(o) || is_help_of_mode(c, o))
			bash_value(c, o);
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

static void zsh_value(const struct command *c, const struct opt *o)
{
	struct buf words = {0};
	struct value v = value_of(c, o, &words);

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

/* Without a verb, the line is of the first. */
static void zsh_verbs(const struct command *c)
{
	puts("local verb ret=1 verbs=(");
	for (int verb = 0; c->modes[verb].name; verb++) {
		printf("    '%s:", c->modes[verb].name);
		quoted(fleet_verbs_help[verb], "\\", "'\\''");
		puts("'");
	}
	printf(")\n"
	       "if (( CURRENT == 2 )); then\n"
	       "    _describe -t verbs verb verbs && ret=0\n"
	       "elif (( ${verbs[(I)$words[2]:*]} )); then\n"
	       "    verb=$words[2]\n"
	       "    shift words\n"
	       "    (( CURRENT-- ))\n"
	       "fi\n"
	       ": ${verb:=%s}\n",
	       c->modes[0].name);
}

/* Begins the line of an option that only some verbs take. */
static void zsh_only(const struct command *c, const struct opt *o)
{
	char sep = '(';

	if (!c->verbs || !o->modes)
		return;
	printf("[[ $verb != ");
	for (int verb = 0; c->modes[verb].name; verb++)
		if (is_of_mode(o, verb)) {
			printf("%c%s", sep, c->modes[verb].name);
			sep = '|';
		}
	printf(") ]] || ");
}

static void zsh(const struct command *c)
{
	if (c->verbs)
		zsh_verbs(c);
	puts("local args=()");
	for (const struct opt *o = c->table; o->name; o++) {
		const char *is = !takes_value(o) ? "" : o->without ? "=-" : "=";
		if (!o->help)
			continue;
		zsh_only(c, o);
		printf("args+=('");
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
		if (takes_value(o) || is_help_of_mode(c, o))
			zsh_value(c, o);
		puts("')");
	}
	if (c->wraps) {
		puts("args+=('(-)1: :_command_names -e' '*:: :_normal')");
	} else {
		printf("args+=('*: :");
		zsh_files(RECORDINGS);
		puts("')");
	}
	puts(c->verbs ? "_arguments -s -S $args && ret=0\nreturn ret" : "_arguments -s -S $args");
}

/* -- fish ---------------------------------------------------------------------------------------- */
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

static void fish_value(const struct command *c, const struct opt *o)
{
	static const char *const actions[] = {"-f", "-F", "-f -a '(__fish_complete_directories)'",
	                                      "-f -a '(__fish_complete_pids)'"};
	struct buf words = {0};
	struct value v = value_of(c, o, &words);

	if (!o->without)
		printf(" -r");
	if (v.endings)
		printf(" -f -k -a '(__%s_files %s)'", c->function, v.endings);
	else
		printf(" %s", actions[v.kind]);
	if (words.len) {
		printf(" -a '");
		quoted(words.s, "\\", "\\'");
		putchar('\'');
	}
	buf_free(&words);
}

/* Without a verb, the line is of the first. */
static void fish_verbs(const struct command *c)
{
	struct buf words = {0};

	mode_words(c, &words);
	printf("# Whether the verb is one of $argv.\n"
	       "function __%s_verb\n"
	       "    set -l verb (commandline -opc)[2]\n"
	       "    contains -- \"$verb\" %s\n"
	       "    or set verb %s\n"
	       "    contains -- $verb $argv\n"
	       "end\n"
	       "function __%s_first\n"
	       "    test (count (commandline -opc)) -eq 1\n"
	       "end\n",
	       c->function, buf_cstr(&words), c->modes[0].name, c->function);
	for (int verb = 0; c->modes[verb].name; verb++) {
		printf("complete -c %s -n __%s_first -f -a %s -d '", c->name, c->function,
		       c->modes[verb].name);
		quoted(fleet_verbs_help[verb], "\\", "\\'");
		puts("'");
	}
	buf_free(&words);
}

/* When an option may stand. */
static void fish_when(const struct command *c, const struct opt *o)
{
	if (c->wraps)
		printf(" -n __%s_none", c->function);
	if (!c->verbs || !o->modes)
		return;
	printf(" -n '__%s_verb", c->function);
	for (int verb = 0; c->modes[verb].name; verb++)
		if (is_of_mode(o, verb))
			printf(" %s", c->modes[verb].name);
	putchar('\'');
}

static void fish_arguments(const struct command *c)
{
	struct buf modes = {0};

	mode_words(c, &modes);
	printf("complete -c %s -f -k -a '(__%s_files %s)'\n"
	       "complete -c %s -n '__fish_seen_argument -s h -l help' -f -a '%s'\n",
	       c->name, c->function, RECORDINGS, c->name, buf_cstr(&modes));
	buf_free(&modes);
}

static void fish(const struct command *c)
{
	if (c->wraps)
		fish_command(c->table);
	else
		fish_arguments(c);
	if (c->verbs)
		fish_verbs(c);
	for (const struct opt *o = c->table; o->name; o++) {
		if (!o->help)
			continue;
		printf("complete -c %s", c->name);
		fish_when(c, o);
		printf(" -l %s", o->name);
		if (o->letter)
			printf(" -s %c", o->letter);
		if (takes_value(o))
			fish_value(c, o);
		printf(" -d '");
		quoted(o->help, "\\", "\\'");
		puts("'");
	}
}

/* An option that the verb job explains otherwise is two rows. */
static void make_fleet_table(void)
{
	struct opt job[OPTS_MAX + 1], *row = fleet_table;

	fleet_options_of_verb(FLEET_JOB, job);
	for (size_t i = 0; job[i].name; i++) {
		*row++ = fleet_options_table[i];
		if (job[i].help == row[-1].help || !is_of_mode(&job[i], FLEET_JOB))
			continue;
		row[-1].modes = (job[i].modes ? job[i].modes : OPTS_MODE(FLEET_VERBS) - 1) &
		                ~OPTS_MODE(FLEET_JOB);
		*row = job[i];
		row++->modes = OPTS_MODE(FLEET_JOB);
	}
}

int main(int argc, char **argv)
{
	make_fleet_table();
	static void (*const shells[])(const struct command *) = {bash, zsh, fish};
	static const char *const names[] = {"bash", "zsh", "fish"};

	for (size_t i = 0; argc == 3 && i < sizeof names / sizeof *names; i++)
		for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
			if (strcmp(argv[1], names[i]) == 0 &&
			    strcmp(argv[2], commands[k].name) == 0) {
				shells[i](&commands[k]);
				return fflush(stdout) || ferror(stdout);
			}
	stop("usage", "generate bash|zsh|fish rtrack-collect|rtrack-report|rtrack-fleet");
}
