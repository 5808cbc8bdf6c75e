/* job_default_name: what a person would call a command that nobody named. */
#include "core/head/job_default_name.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/fnv1a.h"
#include "core/base/utf8.h"

#define WORDS_MAX  64  /* of a command line that are looked at */
#define NAME_MAX_B 128 /* as much as a row has */

/* A program that runs something which its command line names. Options are listed by the kind of
 * their value. One letter each: .value, the next word or the rest of this one; .rest, always the
 * rest of this word; .text, program text; .runs, the file or module to run. Longer ones, between
 * blanks: .values, .texts and .names likewise. */
struct interpreter {
	const char *name; /* a version may follow: python3.11 */
	const char *value, *rest, *text, *runs;
	const char *values, *texts, *names;
	bool apart; /* the value of a text option is never the rest of its word: bash -ce TEXT */
	bool single_dash; /* long options begin with one dash: java -jar */
	bool targets;     /* what follows is no file: "make all" */
	bool only_named;  /* only an option names what runs */
};

static const struct interpreter interpreters[] = {
    {"python", .value = "WX", .text = "c", .runs = "m", .values = " --check-hash-based-pycs "},
    {"pypy", .value = "WX", .text = "c", .runs = "m"},
    {"Rscript", .text = "e"},
    {"R", .text = "e", .runs = "f", .names = " --file ", .only_named = true},
    {"perl", .value = "I", .rest = "iFMmCDdVx", .text = "eE"},
    {"ruby", .value = "IrECx", .rest = "iFKTW", .text = "e"},
    {"node", .value = "rC", .text = "ep",
     .values = " --require --import --loader --conditions --env-file ", .texts = " --eval --print ",
     .apart = true},
    {"julia", .value = "pHtLJC", .text = "eE", .texts = " --eval --print "},
    {"php", .value = "dcz", .text = "r", .runs = "f"},
    {"lua", .value = "l", .text = "e"},
    {"tclsh", .value = NULL},
    {"octave", .value = "p", .texts = " --eval "},
    {"sh", .value = "oO", .text = "c", .apart = true},
    {"bash", .value = "oO", .text = "c", .values = " --rcfile --init-file ", .apart = true},
    {"dash", .value = "o", .text = "c", .apart = true},
    {"zsh", .value = "o", .text = "c", .apart = true},
    {"ksh", .value = "o", .text = "c", .apart = true},
    {"java", .values = " -cp -classpath --class-path -p --module-path ",
     .names = " -jar -m --module ", .single_dash = true},
    {"snakemake", .runs = "s", .names = " --snakefile ", .only_named = true},
    {"make", .value = "CfIoWEl", .rest = "O", .targets = true},
    {"gmake", .value = "CfIoWEl", .rest = "O", .targets = true},
};

/* Programs that start another program: what they start names the job, if it can be told. */
static const char launchers[] =
    " env nice ionice nohup time timeout stdbuf setsid taskset numactl chrt xvfb-run sudo runuser "
    "srun mpirun mpiexec torchrun accelerate horovodrun apptainer singularity docker podman conda "
    "mamba micromamba uv poetry pipenv pixi ";
static const char scripts[] = " py R r sh bash pl rb jl js mjs lua ipynb ";

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Whether the word (n bytes) stands in a list of words between blanks. */
static bool is_in_words(const char *list, const char *word, size_t n)
{
	const char *at = list;

	while (list && n && (at = strchr(at, ' ')) && *++at)
		if (strncmp(at, word, n) == 0 && at[n] == ' ')
			return true;
	return false;
}

static bool takes_letter(const char *letters, char c)
{
	return letters && c && strchr(letters, c);
}

/* NULL if the program is none. */
static const struct interpreter *known_interpreter(const char *program)
{
	const char *name = file_name(program);

	for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++) {
		size_t n = strlen(interpreters[i].name);
		if (strncmp(name, interpreters[i].name, n) == 0 &&
		    !name[n + strspn(name + n, "0123456789.")])
			return &interpreters[i];
	}
	return NULL;
}

/* How a command line names what it runs: not at all, with nothing but its program, with a file,
 * module or target, or with a text (only all of the text is the same program). */
enum told { UNTOLD, OF_PROGRAM, TOLD, OF_TEXT };

/* The words of a command after its interpreter. */
struct words {
	const char *const *v;
	size_t n, at;
};

static const char *take_word(struct words *w)
{
	return w->at < w->n ? w->v[w->at++] : NULL;
}

/* The meaning of an option. NAMES and TEXT set *value to the name or text; NULL if the next word
 * that is no option has it. */
enum said { NOTHING, NAMES, TEXT, LAST };

static enum said read_long(const struct interpreter *of, const char *word, struct words *w,
                           const char **value)
{
	size_t n = strcspn(word, "=");
	enum said said = NOTHING;

	if (is_in_words(of->names, word, n))
		said = NAMES;
	else if (is_in_words(of->texts, word, n))
		said = TEXT;
	else if (!is_in_words(of->values, word, n))
		return NOTHING;
	*value = word[n] ? word + n + 1 : take_word(w);
	return said;
}

static enum said read_letters(const struct interpreter *of, const char *word, struct words *w,
                              const char **value)
{
	enum said said = NOTHING;

	for (const char *c = word + 1; *c; c++) {
		if (takes_letter(of->rest, *c))
			break;
		if (takes_letter(of->text, *c) && of->apart) {
			said = TEXT;
			*value = NULL;
		} else if (takes_letter(of->text, *c) || takes_letter(of->runs, *c)) {
			*value = c[1] ? c + 1 : take_word(w);
			return takes_letter(of->text, *c) ? TEXT : NAMES;
		} else if (takes_letter(of->value, *c)) {
			if (!c[1] || of->apart)
				take_word(w);
			if (!of->apart)
				break;
		}
	}
	return said;
}

static enum said read_option(const struct interpreter *of, const char *word, struct words *w,
                             const char **value)
{
	if (strcmp(word, "--") == 0)
		return LAST;
	if (of->single_dash || strncmp(word, "--", 2) == 0)
		return read_long(of, word, w, value);
	return read_letters(of, word, w, value);
}

/* "make -j 8 all", "make CC=clang all": no targets. */
static bool is_no_target(const struct interpreter *of, const char *word)
{
	return of->targets && (strchr(word, '=') || !word[strspn(word, "0123456789")]);
}

/* The file, module, target or text that the interpreter runs. NULL: its command line has none. */
static const char *what_runs(const struct interpreter *of, struct words *w, enum said *how)
{
	const char *word, *value = NULL;
	bool text = false;

	while ((word = take_word(w))) {
		enum said said = NOTHING;
		if ((*word == '-' || (of->apart && *word == '+')) && word[1])
			said = read_option(of, word, w, &value);
		else if (!of->only_named && !is_no_target(of, word))
			break;
		if (said == NAMES || (said == TEXT && value)) {
			*how = said;
			return value;
		}
		text = text || said == TEXT;
		if (said == LAST) {
			word = take_word(w);
			break;
		}
	}
	*how = text ? TEXT : NAMES;
	return !word || strcmp(word, "-") == 0 || (of->only_named && !text) ? NULL : word;
}

/* Whether program text is only the path of a program: sh -c /home/ann/nightly.sh */
static bool is_program_path(const char *text)
{
	return strchr(text, '/') && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
	                                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")];
}

/* A name is one line of at most NAME_MAX_B bytes. before: a word in front of it; NULL: none. */
static void add_job_name(struct buf *out, const char *before, const char *name)
{
	if (before)
		buf_printf(out, "%s ", before);
	for (size_t n = utf8_cut(name, strlen(name), NAME_MAX_B); n; n--, name++)
		buf_char(out, (unsigned char)*name < ' ' ? '_' : *name);
}

/* Whether a scheduler or a CI made this file for one run: its name says nothing. */
static bool is_made(const char *path)
{
	static const char uuid[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	const char *name = file_name(path);
	size_t n = 0;

	while (uuid[n] && (uuid[n] == 'x' ? isxdigit((unsigned char)name[n]) : name[n] == '-'))
		n++;
	return !uuid[n] || strcmp(name, "slurm_script") == 0 || strstr(path, "/durable-");
}

static enum told name_interpreter(const struct interpreter *of, const char *program,
                                  struct words *w, struct buf *out)
{
	enum said how;
	const char *runs = what_runs(of, w, &how);

	if (!runs || !*runs || (how == NAMES && is_made(runs))) {
		buf_str(out, file_name(program));
		return UNTOLD;
	}
	if (how == TEXT && !is_program_path(runs))
		buf_printf(out, "%s-%08" PRIx32, file_name(program),
		           (uint32_t)fnv1a_add(FNV1A_BEGIN, runs));
	else
		add_job_name(out, of->targets ? file_name(program) : NULL, file_name(runs));
	return how == TEXT && !is_program_path(runs) ? OF_TEXT : TOLD;
}

static bool is_script(const char *word)
{
	const char *end = strrchr(file_name(word), '.');

	return *word != '-' && end && is_in_words(scripts, end + 1, strlen(end + 1));
}

static enum told name_command(const char *const *argv, size_t argc, struct buf *out)
{
	const char *program = argc ? file_name(argv[0]) : "";
	bool launcher = is_in_words(launchers, program, strlen(program));

	for (size_t i = 0; i < argc && (i == 0 || launcher); i++) {
		const struct interpreter *of = known_interpreter(argv[i]);
		if (of)
			return name_interpreter(of, argv[i], &(struct words){argv, argc, i + 1},
			                        out);
		if (i && is_script(argv[i])) {
			add_job_name(out, NULL, file_name(argv[i]));
			return TOLD;
		}
	}
	add_job_name(out, NULL, program);
	return OF_PROGRAM;
}

bool job_default_name(const char *const *argv, size_t argc, struct buf *out)
{
	return name_command(argv, argc, out) != UNTOLD;
}

bool job_default_name_was(const char *name, const char *program)
{
	return name && *name && program && strcmp(name, file_name(program)) == 0;
}

void job_default_name_of_line(const char *name, const char *line, struct buf *out)
{
	char *text = alloc_failed_note(strdup(line)), *rest = text, *word;
	const char *words[WORDS_MAX];
	struct buf made = {0};
	size_t n = 0;

	while (n < WORDS_MAX && (word = strsep(&rest, " ")))
		words[n++] = word;
	if (n && job_default_name_was(name, words[0]) && name_command(words, n, &made) == TOLD)
		name = buf_cstr(&made);
	buf_str(out, name);
	buf_free(&made);
	free(text);
}
