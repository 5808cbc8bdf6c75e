/* input_files: which files a command is given to read, and how large they are. */
#include "collect/job/input_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "collect/redact/redact.h"
#include "core/base/alloc_failed.h"
#include "core/base/same_file.h"
#include "core/head/job_inputs.h"

#define AT_MAX     64   /* bytes of an option's name; a longer one is cut */
#define SEEN_MAX   8192 /* places in the table of files, a power of 2 */
#define LINKS_MAX  1024 /* entries of a directory; one with more is not a task's */
#define STAT_FLAGS (AT_NO_AUTOMOUNT)

/* -- words ------------------------------------------------------------------------------------- */

static bool is_option(const char *word)
{
	return word && word[0] == '-' && word[1] && strcmp(word, "--") != 0;
}

/* -o, -O, --out, --output-dir, -outfile; of=, O=, OUTPUT= */
static bool is_for_output(const char *option, size_t n)
{
	while (n && *option == '-') {
		option++;
		n--;
	}
	return (n == 1 && (*option == 'o' || *option == 'O')) ||
	       (n == 2 && memcmp(option, "of", 2) == 0) ||
	       (n >= 3 && strncasecmp(option, "out", 3) == 0);
}

struct input_word input_files_word(const char *word, const char *before)
{
	struct input_word w = {.file = word};
	const char *is = strchr(word, '=');

	if (is && is > word) {
		w.option = word;
		w.n = (size_t)(is - word);
		w.file = is + 1;
	} else if (is_option(word)) {
		return (struct input_word){.file = NULL};
	} else if (is_option(before) && !strchr(before, '=')) {
		w.option = before;
		w.n = strlen(before);
	}
	w.output = w.option && is_for_output(w.option, w.n);
	if (!*w.file)
		w.file = NULL;
	return w;
}

/* -- looking ----------------------------------------------------------------------------------- */

struct search {
	struct input_files *files;
	struct snapshot *s;
	bool names, late;
	int64_t until_ns;
	struct seen {
		dev_t dev;
		ino_t ino;
	} * seen; /* by hash; ino 0: empty */
	size_t n_seen;
};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Whether path is a regular file. */
static bool regular_file(struct search *k, const char *path, struct stat *out)
{
	if (k->late || fstatat(AT_FDCWD, path, out, STAT_FLAGS))
		memset(out, 0, sizeof *out);
	k->late = k->late || now_ns() > k->until_ns;
	return S_ISREG(out->st_mode);
}

/* True for the first time. A table that is full remembers no more. */
static bool is_new(struct search *k, const struct stat *st)
{
	size_t at = (size_t)(((uint64_t)st->st_ino * 0x9e3779b97f4a7c15u) >> 32);

	for (;; at++) {
		struct seen *one = &k->seen[at % SEEN_MAX];
		if (one->ino == st->st_ino && one->dev == st->st_dev)
			return false;
		if (one->ino)
			continue;
		if (k->n_seen < SEEN_MAX - 1) {
			k->n_seen++;
			*one = (struct seen){st->st_dev, st->st_ino};
		}
		return true;
	}
}

static const char *without_secrets(struct snapshot *s, const char *text, size_t n)
{
	struct buf b = {0};
	const char *out;

	redact_text(text, n, &b);
	out = snapshot_strdup(s, b.failed ? "***" : buf_cstr(&b));
	buf_free(&b);
	return out;
}

/* path: NULL for standard input. name: redacted, or NULL for the path. */
static void list_input_file(struct search *k, const char *path, const char *name, const char *via,
                            const char *at, const struct stat *st)
{
	struct snapshot_inputs *in = &k->s->inputs;
	double bytes = st->st_size > 0 ? (double)st->st_size : 0;
	struct input_file *file;

	if (!is_new(k, st))
		return;
	if (in->n == SNAPSHOT_INPUTS_MAX) {
		in->more.n++;
		in->more.bytes += bytes;
		return;
	}
	file = &k->files->v[in->n];
	file->path = path ? snapshot_alloc(k->s, strlen(path) + 1) : NULL;
	if (file->path)
		memcpy(file->path, path, strlen(path) + 1);
	file->before = *st;
	if (!k->names)
		name = "";
	else if (!name)
		name = without_secrets(k->s, path, strlen(path));
	in->v[in->n++] =
	    (struct snapshot_input){.name = name, .bytes = bytes, .via = via, .at = at};
}

static const char *number(struct snapshot *s, size_t i)
{
	char text[24];

	snprintf(text, sizeof text, "%zu", i);
	return snapshot_strdup(s, text);
}

/* Where the word stood. Options' names belong to the command line, which may be left out. */
static const char *argument_place(struct search *k, const struct input_word *w, size_t i)
{
	size_t n = w->n < AT_MAX ? w->n : AT_MAX;

	return w->option && k->names ? without_secrets(k->s, w->option, n) : number(k->s, i);
}

/* The redacted word, without the option: the same text unless it has a secret. */
static const char *argument_name(const struct search *k, const char *word, const char *file,
                                 size_t i)
{
	const struct snapshot_job *job = &k->s->job;

	if (!job->argv || i >= job->argc)
		return NULL;
	return strcmp(job->argv[i], word) == 0 ? snapshot_strdup(k->s, file) : "***";
}

static void add_argument(struct search *k, char *const *command, size_t i)
{
	struct input_word w = input_files_word(command[i], i > 1 ? command[i - 1] : NULL);
	const char *file = w.file;
	struct stat st;

	if (!file || w.output)
		return;
	if (!regular_file(k, file, &st)) {
		/* "date=2026/part" is a name as well. */
		if (file == command[i] || is_option(command[i]) ||
		    !regular_file(k, command[i], &st))
			return;
		file = command[i];
		w.option = NULL;
	}
	list_input_file(k, file, argument_name(k, command[i], file, i), SNAPSHOT_INPUT_ARGUMENT,
	                argument_place(k, &w, i), &st);
}

static void add_stdin(struct search *k)
{
	char name[4096];
	struct stat st;
	off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	ssize_t n;

	if (fstat(STDIN_FILENO, &st) || !S_ISREG(st.st_mode) ||
	    (fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) == O_WRONLY)
		return;
	st.st_size -= at > 0 && at <= st.st_size ? at : 0; /* what is left of it */
	n = readlink("/proc/self/fd/0", name, sizeof name);
	list_input_file(k, NULL, n > 0 ? without_secrets(k->s, name, (size_t)n) : "",
	                SNAPSHOT_INPUT_STDIN, "stdin", &st);
}

/* One that the user names: what is wrong with it is noted. */
static void add_named(struct search *k, const char *path, size_t i)
{
	struct stat st;

	if (regular_file(k, path, &st))
		list_input_file(k, path, NULL, SNAPSHOT_INPUT_OPTION, number(k->s, i), &st);
	else if (!k->late)
		snapshot_note(k->s, "The input %s is not a file that could be found.",
		              k->names ? without_secrets(k->s, path, strlen(path))
		                       : "that was named");
}

static void add_environment(struct search *k, const char *list, size_t i)
{
	while (list && *list) {
		size_t n = strcspn(list, ":");
		char *path = alloc_failed_note(strndup(list, n));
		if (path && *path)
			add_named(k, path, i++);
		free(path);
		list += n + (list[n] == ':');
	}
}

/* Whether a link in the working directory leads out of it. */
static bool leads_out(const char *link, const char *cwd)
{
	char target[4096];
	ssize_t n = readlink(link, target, sizeof target - 1);
	size_t of = strlen(cwd);

	if (n <= 0)
		return false;
	target[n] = '\0';
	if (*target != '/')
		return strncmp(target, "../", 3) == 0;
	return strncmp(target, cwd, of) != 0 || target[of] != '/';
}

static int compare_links(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the links in the working directory, to be freed; none if it has too many entries. */
static size_t find_links(struct search *k, char *links[LINKS_MAX])
{
	DIR *here = opendir(".");
	size_t entries = 0, n = 0;
	struct dirent *d;

	while (here && (d = readdir(here)) && now_ns() < k->until_ns) {
		char *name = NULL;
		if (++entries > LINKS_MAX)
			break;
		if (d->d_type == DT_LNK)
			name = alloc_failed_note(strdup(d->d_name));
		if (name)
			links[n++] = name;
	}
	if (here)
		closedir(here);
	k->late = k->late || now_ns() > k->until_ns;
	while (entries > LINKS_MAX && n)
		free(links[--n]);
	return n;
}

/* Sorted, so that lists that are cut are cut at the same place. */
static void add_staged(struct search *k)
{
	char cwd[4096] = "", *links[LINKS_MAX];
	size_t n = find_links(k, links);
	bool known = n && getcwd(cwd, sizeof cwd);

	qsort(links, n, sizeof *links, compare_links);
	for (size_t i = 0; i < n; i++) {
		const char *name = links[i];
		struct stat st;
		if (known && leads_out(name, cwd) && regular_file(k, name, &st))
			list_input_file(
			    k, name, NULL, SNAPSHOT_INPUT_STAGED,
			    k->names ? without_secrets(k->s, name, strlen(name)) : "staged", &st);
		free(links[i]);
	}
}

/* Standard output and error are not inputs, nor is the program. */
static void leave_out(struct search *k, const char *program)
{
	struct stat st;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
			(void)is_new(k, &st);
	/* One without a slash is found by PATH. */
	if (strchr(program, '/') && regular_file(k, program, &st))
		(void)is_new(k, &st);
}

void input_files_find(struct input_files *f, struct snapshot *s, char *const *command,
                      const struct opts_list *option, bool names)
{
	struct search k = {.files = f,
	                   .s = s,
	                   .names = names,
	                   .until_ns = now_ns() + (int64_t)INPUT_FILES_WAIT_MS * 1000000,
	                   .seen = alloc_failed_note(calloc(SEEN_MAX, sizeof *k.seen))};
	size_t i = 1;

	s->inputs.v = snapshot_alloc(s, SNAPSHOT_INPUTS_MAX * sizeof *s->inputs.v);
	s->inputs.known = k.seen && s->inputs.v;
	if (s->inputs.known) {
		leave_out(&k, command[0]);
		for (size_t o = 0; o < option->n; o++)
			add_named(&k, option->v[o], o + 1);
		add_environment(&k, getenv("RTRACK_INPUT"), option->n + 1);
		for (; command[i] && !k.late; i++)
			add_argument(&k, command, i);
		add_stdin(&k);
		add_staged(&k);
	}
	if (k.late) {
		s->inputs.more.n += 1;
		s->inputs.more.bytes = NAN;
		snapshot_note(s,
		              "Finding the inputs took more than %d ms, so not all of them are "
		              "known: --input names those that count.",
		              INPUT_FILES_WAIT_MS);
	}
	free(k.seen);
	job_inputs_settle(s);
}

/* -- the end ----------------------------------------------------------------------------------- */

static bool is_written(const struct stat *a, const struct stat *b)
{
	return !same_file(a, b) || a->st_size != b->st_size ||
	       a->st_mtim.tv_sec != b->st_mtim.tv_sec || a->st_mtim.tv_nsec != b->st_mtim.tv_nsec;
}

void input_files_end(const struct input_files *f, struct snapshot *s)
{
	struct search k = {.until_ns = now_ns() + (int64_t)INPUT_FILES_WAIT_MS * 1000000};

	for (size_t i = 0; i < s->inputs.n; i++) {
		struct snapshot_input *in = &s->inputs.v[i];
		struct stat st;
		/* One that the user names may grow; one that is gone was read. */
		if (f->v[i].path && strcmp(in->via, SNAPSHOT_INPUT_OPTION) != 0 &&
		    regular_file(&k, f->v[i].path, &st))
			in->written = is_written(&f->v[i].before, &st);
	}
	if (s->inputs.known)
		job_inputs_settle(s);
}
