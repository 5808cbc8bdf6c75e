/* job_default_name: what a person would call a command that nobody named. */
#include "core/head/job_default_name.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/fnv1a.h"
#include "core/base/utf8.h"

#define WORDS_MAX   64  /* of a command line that are looked at */
#define NAME_MAX_B  128 /* as much as a row has */
#define FOLDERS_MAX 16  /* of a path */

/* A program that runs something which its command line names: an interpreter, or a launcher, which
 * starts a command. Options are listed by the kind of their value. One letter each: .value, the
 * next word or the rest of this one; .rest, always the rest of this word; .text, program text;
 * .runs, the file or module to run. Longer ones, between blanks like all lists here: .values,
 * .texts, .names and .places (as .where) likewise; .pairs, two words. */
struct runner {
	const char *names_of; /* the program; a version may follow: python3.11 */
	const char *value, *rest, *text, *runs;
	const char
	    *where; /* of .value: the folder or file that the targets are of: make -C a -f b */
	const char *values, *texts, *names, *pairs, *places;
	const char *flags; /* long options without a value; any other may have one; NULL: none */
	const char *verbs; /* only after one of these words */
	size_t skips;      /* words before what runs: timeout 60 */
	bool apart; /* the value of a text option is never the rest of its word: bash -ce TEXT */
	bool single_dash; /* long options begin with one dash: java -jar */
	bool targets;     /* what follows is no file: "make all" */
	bool only_named;  /* only an option names what runs, or what follows "--" of a launcher */
	bool identifiers; /* a text of one word names a file: matlab -batch fit */
	bool launches;    /* what follows is a command */
	bool splits;      /* a text is words of the command, before those that follow */
	bool image;       /* the first word is an image, which knows what to run after "run" */
};

static const struct runner runners[] = {
    {" python pypy ipython ", .value = "WX", .text = "c", .runs = "m",
     .values = " --check-hash-based-pycs --profile "},
    {" Rscript ", .text = "e"},
    {" R ", .text = "e", .runs = "f", .names = " --file ", .only_named = true},
    {" perl ", .value = "I", .rest = "iFMmCDdVx", .text = "eE"},
    {" ruby ", .value = "IrECx", .rest = "iFKTW", .text = "e"},
    {" node ", .value = "rC", .text = "ep",
     .values = " --require --import --loader --conditions --env-file ", .texts = " --eval --print ",
     .apart = true},
    {" julia ", .value = "pHtLJC", .text = "eE", .texts = " --eval --print "},
    {" php ", .value = "dcz", .text = "r", .runs = "f"},
    {" lua ", .value = "l", .text = "e"},
    {" tclsh ts-node tsx mono wine ", .value = NULL},
    {" deno bun ", .verbs = " run ", .values = " --config --import-map "},
    {" go ", .verbs = " run ", .single_dash = true},
    {" octave ", .value = "p", .texts = " --eval "},
    {" matlab ", .values = " -sd -logfile ", .texts = " -batch -r ", .single_dash = true,
     .only_named = true, .identifiers = true},
    {" sh dash zsh ksh ", .value = "oO", .text = "c", .apart = true},
    {" bash ", .value = "oO", .text = "c", .values = " --rcfile --init-file ", .apart = true},
    {" java ",
     .values = " -cp -classpath --class-path -p --module-path --add-opens --add-exports "
               "--add-modules --add-reads --limit-modules ",
     .names = " -jar -m --module ", .single_dash = true},
    {" make gmake ", .value = "CfIoWEl", .rest = "O", .where = "Cf", .targets = true,
     .places = " --directory --file --makefile "},
    {" ninja just rake ", .value = "Cfjkld", .where = "Cf", .targets = true,
     .places = " --justfile --working-directory --rakefile "},
    /* workflows and tasks of many processes */
    {" snakemake ", .runs = "s", .names = " --snakefile ", .only_named = true},
    {" nextflow ", .verbs = " run ", .single_dash = true,
     .values =
         " -log -c -C -config -r -revision -profile -params-file -w -work-dir -name -hub -user "
         "-entry -qs -queue-size -ps "},
    {" cwltool cwl-runner toil-cwl-runner toil-wdl-runner ",
     .values = " --outdir --tmpdir-prefix --tmp-outdir-prefix --basedir --cachedir --jobStore "
               "--workDir --batchSystem --maxCores --maxMemory --logFile --logLevel "
               "--coordinationDir "},
    {" miniwdl cromwell ", .value = "dioplt", .verbs = " run ",
     .values = " --dir --input --inputs --cfg --options "},
    {" spark-submit ", .flags = " --verbose --supervise --version ",
     .values = " --files --jars --py-files --properties-file --archives --keytab --master "
               "--packages --repositories --driver-class-path "},
    {" torchrun deepspeed ", .runs = "m", .names = " --module ",
     .flags = " --standalone --no-python --run-path --no_local_rank --force_multi "},
    {" accelerate ", .runs = "m", .names = " --module ", .verbs = " launch ",
     .values = " --config_file ",
     .flags = " --multi_gpu --cpu --tpu --mps --use_deepspeed --use_fsdp --quiet --debug "},
    /* launchers */
    {" env ", .value = "uC", .text = "S", .values = " --unset --chdir ",
     .texts = " --split-string ", .launches = true, .splits = true},
    {" nice ", .value = "n", .values = " --adjustment ", .launches = true},
    {" ionice ", .value = "cnpPu", .values = " --class --classdata ", .launches = true},
    {" nohup setsid unshare prlimit tini dumb-init catchsegv ", .launches = true},
    {" setpriv ", .value = "",
     .values = " --ambient-caps --inh-caps --bounding-set --ruid --euid --rgid --egid --reuid "
               "--regid --groups --securebits --pdeathsig --ptracer --selinux-label "
               "--apparmor-profile --landlock-access --landlock-rule --seccomp-filter ",
     .launches = true},
    {" time ", .value = "fo", .values = " --format --output ", .launches = true},
    {" timeout ", .value = "ks", .values = " --kill-after --signal ", .skips = 1, .launches = true},
    {" stdbuf ", .value = "ioe", .values = " --input --output --error ", .launches = true},
    {" taskset chroot ", .skips = 1, .launches = true},
    {" chrt ", .value = "TPD", .skips = 1, .launches = true},
    {" flock ", .value = "wE", .text = "c", .values = " --timeout --wait ", .skips = 1,
     .launches = true},
    {" numactl ", .value = "NmCip",
     .values = " --interleave --membind --cpunodebind --physcpubind --preferred ",
     .launches = true},
    {" xvfb-run ", .value = "nefpsw", .values = " --server-args --server-num --error-file ",
     .launches = true},
    {" sudo doas ", .value = "ugUDRTCrhpt", .values = " --user --group --chdir --prompt --host ",
     .launches = true},
    {" su runuser ", .value = "ugGsw", .text = "c", .texts = " --command ", .only_named = true,
     .launches = true},
    {" systemd-run ", .value = "pEuMH", .values = " --property --setenv --unit --slice ",
     .launches = true},
    {" xargs ", .value = "nPILdaEs", .rest = "ie",
     .values = " --max-args --max-procs --arg-file --delimiter ", .launches = true},
    {" parallel ", .value = "jSNnLaICd", .values = " --results --joblog --tmpdir --workdir --wd ",
     .flags = " --bar --eta --progress --keep-order --line-buffer --lb --ungroup --tag --dry-run "
              "--resume --resume-failed --will-cite --citation --verbose --xargs --null --pipe "
              "--linebuffer --no-notice --plus --shuf --group ",
     .launches = true},
    {" srun ", .value = "ABcCdDeGiJLmMnNopqrStTwWx", .rest = "IK",
     .values = " --chdir --output --error --input --export --container-image --container-mounts "
               "--container-workdir --prolog --epilog --task-prolog --task-epilog ",
     .flags = " --exclusive --label --unbuffered --overlap --exact --quiet --verbose --pty "
              "--no-kill --hold --immediate --kill-on-bad-exit --multi-prog --no-allocate "
              "--oversubscribe --overcommit --preserve-env --disable-status --spread-job "
              "--contiguous --use-min-nodes --bcast --mincpus --resv-ports --propagate --x11 ",
     .launches = true},
    {" mpirun mpiexec mpiexec.hydra mpirun.openmpi mpiexec.openmpi mpirun.mpich mpiexec.mpich "
     "orterun prterun prun horovodrun aprun jsrun ibrun ",
     .values = " --hostfile -hostfile --machinefile -machinefile -f --wdir -wdir --prefix --path "
               "-path --output-filename --rankfile -configfile ",
     .pairs = " --mca -mca --gmca -gmca --omca --prtemca --pmixmca -genv -env ",
     .flags = " -v -q -V -b -s --verbose --quiet --oversubscribe -oversubscribe "
              "--allow-run-as-root --report-bindings -report-bindings --tag-output -tag-output "
              "--display-map -display-map --display-allocation --bynode -bynode --bycore --nolocal "
              "-nolocal --use-hwthread-cpus --bind-to-core -bind-to-core --bind-to-none "
              "--timestamp-output "
              "-timestamp-output -genvall -envall -genvnone -prepend-rank -l -print-rank-map ",
     .single_dash = true, .launches = true},
    {" conda mamba micromamba ", .value = "np", .values = " --name --prefix --cwd ",
     .verbs = " run ", .launches = true},
    {" uv ", .value = "pwifCP", .runs = "m", .names = " --module ", .verbs = " run ",
     .values = " --with --with-editable --with-requirements --python --project --extra --group "
               "--only-group --env-file --directory --package --index --index-url "
               "--default-index --config-file --cache-dir ",
     .launches = true},
    {" poetry pipenv pdm rye hatch pixi bundle ", .value = "CPe", .verbs = " run exec ",
     .values = " --directory --project --environment --manifest-path --gemfile ", .launches = true},
    {" apptainer singularity ", .value = "BHWS", .verbs = " exec run ",
     .values = " --bind --home --workdir --env --env-file --pwd --cwd --overlay --scratch --app "
               "--network --mount --security --add-caps --drop-caps --cpus --memory ",
     .launches = true, .image = true},
    {" docker podman nerdctl ", .value = "vewumphlac", .verbs = " exec run ",
     .values = " --volume --mount --workdir --device --entrypoint --cidfile --env-file --tmpfs "
               "--cgroup-parent --volumes-from ",
     .flags = " --rm --init --interactive --tty --detach --privileged --read-only --publish-all "
              "--no-healthcheck --quiet --oom-kill-disable ",
     .launches = true, .image = true},
};

/* Modules of Python that run a script. */
static const char script_modules[] =
    " torch.distributed.run torch.distributed.launch accelerate.commands.launch cProfile profile "
    "memory_profiler kernprof scalene viztracer coverage trace pdb ipdb debugpy mpi4py ";
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
static const struct runner *known_runner(const char *program)
{
	const char *name = file_name(program);
	size_t n = strlen(name);

	while (n && strchr("0123456789.", name[n - 1]))
		n--;
	for (size_t i = 0; i < sizeof runners / sizeof *runners; i++)
		if (is_in_words(runners[i].names_of, name, n))
			return &runners[i];
	return NULL;
}

static bool is_script(const char *word)
{
	const char *end = strrchr(file_name(word), '.');

	return *word != '-' && end && is_in_words(scripts, end + 1, strlen(end + 1));
}

/* How a command line names what it runs: not at all, with nothing but its program, with a file,
 * module or target, or with a text (only all of the text is the same program). */
enum told { UNTOLD, OF_PROGRAM, TOLD, OF_TEXT };

#define PLACES_MAX 4

/* The words of a command; at: of the next one to read. */
struct words {
	const char *const *v;
	size_t n, at;
	const char *verb; /* of the runner */
	struct {
		char letter; /* "C": make -C PATH */
		const char *path;
	} place[PLACES_MAX];
	size_t places;
	bool earlier; /* the name that an earlier version gave: without folders */
};

static const char *take_word(struct words *w)
{
	return w->at < w->n ? w->v[w->at++] : NULL;
}

static void note_place(struct words *w, char letter, const char *path)
{
	if (path && w->places < PLACES_MAX && !w->earlier) {
		w->place[w->places].letter = letter;
		w->place[w->places++].path = path;
	}
}

/* The meaning of an option. NAMES and TEXT set *value to the name or text; NULL if the next word
 * that is no option has it. COMMAND: of what runs, it is a command. */
enum said { NOTHING, NAMES, TEXT, LAST, COMMAND };

/* The value of a long option that may be one without. */
static void take_value(struct words *w)
{
	const char *next = w->at < w->n ? w->v[w->at] : "-";

	w->at += *next != '-' && !strchr(next, '/') && !known_runner(next) && !is_script(next);
}

static enum said read_long(const struct runner *of, const char *word, struct words *w,
                           const char **value)
{
	size_t n = strcspn(word, "=");
	enum said said = NOTHING;

	if (is_in_words(of->names, word, n))
		said = NAMES;
	else if (is_in_words(of->texts, word, n))
		said = TEXT;
	else if (is_in_words(of->pairs, word, n))
		take_word(w);
	else if (is_in_words(of->places, word, n)) {
		note_place(w, strstr(word, "file") ? 'f' : 'C',
		           word[n] ? word + n + 1 : take_word(w));
		return NOTHING;
	} else if (!is_in_words(of->values, word, n)) {
		if (of->flags && !word[n] && !is_in_words(of->flags, word, n))
			take_value(w);
		return NOTHING;
	}
	*value = word[n] ? word + n + 1 : take_word(w);
	return said;
}

static enum said read_letters(const struct runner *of, const char *word, struct words *w,
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
			const char *rest = c[1] && !of->apart ? c + 1 : take_word(w);
			if (takes_letter(of->where, *c))
				note_place(w, *c, rest);
			if (!of->apart)
				break;
		}
	}
	return said;
}

static enum said read_option(const struct runner *of, const char *word, struct words *w,
                             const char **value)
{
	if (strcmp(word, "--") == 0)
		return LAST;
	if (of->single_dash || strncmp(word, "--", 2) == 0)
		return read_long(of, word, w, value);
	return read_letters(of, word, w, value);
}

/* Whether a word is not what runs: "make -j 8 CC=clang", "env A=1", "sudo -", "snakemake all". */
static bool is_not_run(const struct runner *of, const char *word, bool last)
{
	size_t name =
	    strspn(word, "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
	bool assigns = name && word[name] == '=';

	if (of->only_named)
		return !(last && of->launches) && !(of->text && !of->launches && is_script(word));
	return (of->targets && (assigns || !word[strspn(word, "0123456789")])) ||
	       (of->launches && assigns);
}

/* The file, module, target, text or command that is run: how says which. NULL: the command line has
 * none. A command is the word before w->at. */
static const char *what_runs(const struct runner *of, struct words *w, enum said *how)
{
	const char *word, *value = NULL;
	size_t skips = of->skips;
	bool text = false, last = false;

	*how = NOTHING;
	while ((word = take_word(w))) {
		enum said said = NOTHING;
		if (!last && (*word == '-' || (of->apart && *word == '+')) && word[1])
			said = read_option(of, word, w, &value);
		else if (of->verbs && !w->verb && !is_in_words(of->verbs, word, strlen(word)))
			return NULL;
		else if (of->verbs && !w->verb)
			w->verb = word;
		else if (skips)
			skips--;
		else if ((text && value == NULL) || !is_not_run(of, word, last))
			break;
		if (said == NAMES || (said == TEXT && value)) {
			*how = said;
			return value;
		}
		text = text || said == TEXT;
		last = last || said == LAST;
	}
	*how = text ? TEXT : of->launches ? COMMAND : NAMES;
	return word && strcmp(word, "-") != 0 ? word : NULL;
}

/* Whether program text only names a program: sh -c /home/ann/nightly.sh, matlab -batch fit */
static bool is_file_name(const struct runner *of, const char *text)
{
	return (of->identifiers || strchr(text, '/')) &&
	       !text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
	                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")];
}

/* Appends a name, which is one line of at most NAME_MAX_B bytes. */
static void add_job_name(struct buf *out, const char *name)
{
	for (size_t n = utf8_cut(name, strlen(name), NAME_MAX_B); n; n--, name++)
		buf_char(out, (unsigned char)*name < ' ' ? '_' : *name);
}

/* -- names of scripts -------------------------------------------------------------------------- */

/* A script's name has its folder in front, so that a/run.py and b/run.py are two jobs. Folders and
 * files that are made anew for each run would make every run a job of its own. */

/* A hash or a UUID. A file's name may follow with an ending. */
static bool is_hash(const char *s, size_t n)
{
	size_t end = 0, digits = 0;

	for (; end < n && (isxdigit((unsigned char)s[end]) || s[end] == '-'); end++)
		digits += s[end] != '-';
	return digits >= 16 && (end == n || s[end] == '.');
}

/* The number of a job: 12345.server, job00042, slurm-12345, jenkins123.sh. */
static bool is_number_of_job(const char *s, size_t n)
{
	static const char *const before[] = {"",    "job", "slurm",         "pbs",
	                                     "run", "dir", "custom_script", "jenkins"};

	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		size_t from = strlen(before[i]), end, least = from == strlen("jenkins") ? 1 : 5;
		if (from >= n || strncmp(s, before[i], from) != 0)
			continue;
		from += from && strchr("._-", s[from]);
		for (end = from; end < n && isdigit((unsigned char)s[end]);)
			end++;
		if (end >= from + least && (end == n || s[end] == '.'))
			return true;
	}
	return false;
}

/* A name of mktemp(1), tmp.AbC123xYz0, or of Python's tempfile, tmpab12cd34. */
static bool is_tempfile(const char *s, size_t n)
{
	size_t from = n > 3 && s[3] == '.' ? 4 : 3, end = from;
	bool digit = false;

	if (n < 4 || strncmp(s, "tmp", 3) != 0)
		return false;
	for (; end < n && (isalnum((unsigned char)s[end]) || s[end] == '_'); end++)
		digit = digit || isdigit((unsigned char)s[end]);
	return digit && end - from == (from == 3 ? 8 : 10) && (end == n || s[end] == '.');
}

static bool is_made_folder(const char *s, size_t n)
{
	return is_hash(s, n) || is_number_of_job(s, n) || is_tempfile(s, n) ||
	       is_in_words(" . tmp temp _temp .tmp .temp ", s, n) ||
	       strncmp(s, "pytest-", 7) == 0 || strncmp(s, "tmp.", 4) == 0 ||
	       (n > 4 && strncmp(s + n - 4, "@tmp", 4) == 0);
}

/* Whether a scheduler, a CI or a workflow made this file for one run: its name says nothing. */
static bool is_made(const char *path)
{
	const char *name = file_name(path);
	size_t n = strlen(name);

	return is_hash(name, n) || is_number_of_job(name, n) || is_tempfile(name, n) ||
	       is_in_words(" slurm_script .command.run .command.sh .command.stub condor_exec.exe ",
	                   name, n) ||
	       strstr(path, "/durable-");
}

/* The script that Snakemake copied to .snakemake/scripts/tmpab12cd34.run.py, or the path. */
static const char *original(const char *path)
{
	const char *dot = strstr(path, ".snakemake/scripts/") ? strchr(file_name(path), '.') : NULL;

	return dot && is_script(dot + 1) ? dot + 1 : path;
}

/* Appends the file name of a path and its folders as they were typed, without those that are made
 * anew for each run. An absolute path keeps the last one only, and the one before that if many
 * projects have it. A program in a folder of programs has none. */
static void add_with_folders(struct buf *out, const char *path, bool earlier)
{
	static const char common[] =
	    " .. bin lib src source code app script scripts job jobs tools "
	    "test tests workflow workflows pipeline pipelines python R ";
	struct {
		const char *s;
		size_t n;
	} folders[FOLDERS_MAX];
	const char *name = file_name(path = earlier ? path : original(path));
	const char *scheme = strstr(path, "://"), *at = scheme ? scheme + 3 : path;
	size_t n = 0, first = 0, bytes = strlen(name), length;

	for (; at < name && !earlier; at += length + 1) {
		length = strcspn(at, "/");
		if (is_hash(at, length) && n && folders[n - 1].n == 2) /* ab/1f3c… of Nextflow */
			n--;
		if (!length || is_made_folder(at, length))
			continue;
		if (n == FOLDERS_MAX)
			memmove(folders, folders + 1, --n * sizeof *folders);
		folders[n].s = at;
		folders[n++].n = length;
	}
	if (n && (scheme || *path == '/')) {
		first = n - 1;
		if (!strchr(name, '.') &&
		    is_in_words(" bin sbin libexec ", folders[first].s, folders[first].n))
			first = n;
		else if (first && is_in_words(common, folders[first].s, folders[first].n))
			first--;
	}
	for (size_t i = first; i < n; i++)
		bytes += folders[i].n + 1;
	for (; first < n && bytes > NAME_MAX_B; first++)
		bytes -= folders[first].n + 1;
	for (; first < n; first++)
		buf_printf(out, "%.*s/", (int)folders[first].n, folders[first].s);
	buf_str(out, name);
}

static void add_script(struct buf *out, const char *path, bool earlier)
{
	struct buf name = {0};

	add_with_folders(&name, path, earlier);
	add_job_name(out, buf_cstr(&name));
	buf_free(&name);
}

/* All targets, and where they are from: "make -C src clean all". */
static void add_targets(const struct runner *of, const char *program, const char *target,
                        struct words *w, struct buf *out)
{
	struct buf targets = {0}, all = {0};
	enum said how;

	for (; target; target = what_runs(of, w, &how)) {
		buf_char(&targets, ' ');
		add_with_folders(&targets, target, w->earlier);
	}
	buf_str(&all, file_name(program));
	for (size_t i = 0; i < w->places; i++) {
		buf_printf(&all, " -%c ", w->place[i].letter);
		add_with_folders(&all, w->place[i].path, false);
	}
	buf_str(&all, buf_cstr(&targets));
	add_job_name(out, buf_cstr(&all));
	buf_free(&targets);
	buf_free(&all);
}

/* The script that a module runs, such as cProfile; the module if it is another. */
static const char *script_of_module(const char *module, const struct words *w)
{
	if (is_in_words(script_modules, module, strlen(module)))
		for (size_t i = w->at; i < w->n; i++)
			if (is_script(w->v[i]))
				return w->v[i];
	return module;
}

static enum told name_runner(const struct runner *of, const char *program, const char *runs,
                             enum said how, struct words *w, struct buf *out)
{
	bool made = how == NAMES && runs && !w->earlier && original(runs) == runs && is_made(runs);

	if (!w->places && (!runs || !*runs || strcmp(runs, ".") == 0 || made)) {
		buf_str(out, file_name(program));
		return UNTOLD;
	}
	if (how == TEXT && !is_file_name(of, runs)) {
		buf_printf(out, "%s-%08" PRIx32, file_name(program),
		           (uint32_t)fnv1a_add(FNV1A_BEGIN, runs));
		return OF_TEXT;
	}
	if (of->targets)
		add_targets(of, program, runs, w, out);
	else
		add_script(out, script_of_module(runs, w), w->earlier);
	return TOLD;
}

/* Whether w->at is the command in an image, which is the word before. What follows "run" may be the
 * arguments of what the image runs. */
static bool is_command_in_image(const struct words *w)
{
	const char *word = w->at < w->n ? w->v[w->at] : NULL;

	return word && (strcmp(w->verb, "exec") == 0 || known_runner(word) || is_script(word));
}

/* Words in place of those of w: those of a text, then what is left. NULL without memory; else what
 * to free, at the end, which holds the text, too. */
static void *split_words(struct words *w, const char *text)
{
	size_t n = strlen(text) + 1, left = w->n - w->at, most = n / 2 + 1 + left;
	const char **v = alloc_failed_note(malloc(most * sizeof *v + n));
	char *rest = v ? memcpy(v + most, text, n) : NULL, *word;
	size_t k = 0;

	if (!v)
		return NULL;
	while ((word = strsep(&rest, " \t")))
		if (*word)
			v[k++] = word;
	memcpy(v + k, w->v + w->at, left * sizeof *v);
	*w = (struct words){.v = v, .n = k + left, .earlier = w->earlier};
	return v;
}

/* *split: what split_words allocated for it, only once. */
static enum told name_words(const char *const *argv, size_t argc, bool earlier, struct buf *out,
                            void **split)
{
	const char *program = argc ? argv[0] : "", *runs;
	struct words w = {.v = argv, .n = argc, .at = 1, .earlier = earlier};
	const struct runner *of;
	enum told told = OF_PROGRAM;
	enum said how;

	while ((of = known_runner(program))) {
		w.verb = NULL;
		runs = what_runs(of, &w, &how);
		if (of->launches && !runs)
			break;
		if (of->splits && how == TEXT && !*split && (*split = split_words(&w, runs)))
			continue;
		if (how != COMMAND || strpbrk(runs, " \t"))
			return name_runner(of, program, runs, how == COMMAND ? TEXT : how, &w, out);
		program = of->image && is_command_in_image(&w) ? take_word(&w) : runs;
		told = TOLD;
		if (program == runs && of->image)
			break;
	}
	if (is_script(program)) {
		add_script(out, program, earlier);
		return TOLD;
	}
	add_job_name(out, file_name(program));
	return told;
}

static enum told name_command(const char *const *argv, size_t argc, bool earlier, struct buf *out)
{
	void *split = NULL;
	enum told told = name_words(argv, argc, earlier, out, &split);

	free(split);
	return told;
}

bool job_default_name(const char *const *argv, size_t argc, struct buf *out)
{
	return name_command(argv, argc, false, out) != UNTOLD;
}

bool job_default_name_was(const char *name, const char *program)
{
	return name && *name && program && strcmp(name, file_name(program)) == 0;
}

/* Whether a name is one that an earlier version gave: of the program, or without folders. */
static bool is_earlier(const char *name, const char *const *argv, size_t argc)
{
	struct buf earlier = {0};
	bool same = job_default_name_was(name, argv[0]);

	if (!same && name && *name && !strchr(name, '/')) {
		name_command(argv, argc, true, &earlier);
		same = strcmp(name, buf_cstr(&earlier)) == 0;
	}
	buf_free(&earlier);
	return same;
}

void job_default_name_anew(const char *name, const char *const *argv, size_t argc, struct buf *out)
{
	if (argc && is_earlier(name, argv, argc))
		name_command(argv, argc, false, out);
	else
		buf_str(out, name ? name : "");
}

/* Whether an earlier version may have named the line so. Most rows have a name that shows at once
 * that it did not. */
static bool may_be_of_line(const char *name, const char *line)
{
	size_t n = strlen(name);

	if (strncmp(line, name, n) == 0 || strncmp(name, "make", 4) == 0 || strchr(name, ' '))
		return n;
	for (const char *slash = strchr(line, '/'); slash; slash = strchr(slash + 1, '/'))
		if (strncmp(slash + 1, name, n) == 0)
			return n;
	return false;
}

void job_default_name_of_line(const char *name, const char *line, struct buf *out)
{
	char *text = may_be_of_line(name, line) ? alloc_failed_note(strdup(line)) : NULL;
	char *rest = text, *word;
	const char *words[WORDS_MAX];
	struct buf made = {0};
	enum told told;
	size_t n = 0;

	while (n < WORDS_MAX && (word = strsep(&rest, " ")))
		words[n++] = word;
	if (n && is_earlier(name, words, n)) {
		told = name_command(words, n, false, &made);
		name = told == TOLD || told == UNTOLD ? buf_cstr(&made) : name;
	}
	buf_str(out, name);
	buf_free(&made);
	free(text);
}
