/* input: what a name on the command line stands for. */
#include "report/input/input.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/standard_input.h"
#include "report/input/page_text.h"
#include "report/input/store_address.h"

/* -- by its name ------------------------------------------------------------------------------- */

const char *input_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (standard_input_is(path))
		return standard_input_name(path);
	return slash ? slash + 1 : path;
}

/* Whether the path, or the nearest folder above it that can be looked at, is somebody else's. */
static bool belongs_to_others(const char *of, struct stat *st)
{
	char path[PATH_MAX], *slash;
	size_t n = strlen(of);

	if (n >= sizeof path)
		return false;
	memcpy(path, of, n + 1);
	for (;;) {
		if (stat(path, st) == 0)
			return st->st_uid != geteuid();
		slash = strrchr(path, '/');
		if (errno != EACCES || !slash || slash == path)
			return false;
		*slash = '\0';
	}
}

bool input_count_others(struct input_others *others, const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), why = errno;
	struct stat st;

	if (fd >= 0)
		close(fd);
	if (fd >= 0 || why != EACCES || !belongs_to_others(path, &st))
		return false;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		others->folders++;
	else
		others->files++;
	return true;
}

static bool name_ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && strcmp(s + n - m, end) == 0;
}

/* OUT.partial; or OUT.partial.2 and so on, if that name was taken. */
static bool is_journal_name(const char *name)
{
	const char *end = strstr(name, ".partial");

	if (!end)
		return false;
	end += strlen(".partial");
	return !*end || (*end == '.' && end[1] && !end[1 + strspn(end + 1, "0123456789")]);
}

enum input_kind input_kind_of(const char *path)
{
	const char *name = input_file_name(path);

	if (is_journal_name(name))
		return INPUT_JOURNAL;
	if (name_ends_in(name, ".json.gz") || name_ends_in(name, ".json"))
		return INPUT_SNAPSHOT;
	if (name_ends_in(name, ".html") || name_ends_in(name, ".htm"))
		return INPUT_PAGE;
	if (name_ends_in(name, ".html.gz") || name_ends_in(name, ".htm.gz"))
		return INPUT_PACKED_PAGE;
	return INPUT_UNKNOWN;
}

bool input_is_recording(const char *name)
{
	enum input_kind kind = input_kind_of(name);

	return *input_file_name(name) != '.' && (kind == INPUT_SNAPSHOT || kind == INPUT_JOURNAL);
}

int input_is_listed(const struct dirent *d)
{
	return input_is_listed_name(d->d_name);
}

bool input_is_listed_name(const char *name)
{
	return input_is_recording(name) || (*name != '.' && input_kind_of(name) == INPUT_PAGE);
}

bool input_may_be_imported(const char *name)
{
	static const char *const ends[] = {".txt", ".tsv",  ".json", ".jsonl",     ".log",  ".out",
	                                   ".err", ".time", ".seff", ".benchmark", ".bench"};

	for (size_t i = 0; *name != '.' && i < sizeof ends / sizeof *ends; i++)
		if (name_ends_in(name, ends[i]))
			return true;
	return false;
}

static enum input_place place_of(const char *name)
{
	enum store_kind store = store_kind_of(name);
	struct stat st;

	if (store != STORE_NONE)
		return store == STORE_S3 ? INPUT_S3 : INPUT_HTTPS;
	if (strcmp(name, STANDARD_INPUT) == 0)
		return INPUT_STANDARD;
	return stat(name, &st) == 0 && S_ISDIR(st.st_mode) ? INPUT_FOLDER : INPUT_FILE;
}

struct input input_of(const char *name)
{
	if (!name)
		return (struct input){.name = NULL};
	return (struct input){place_of(name), input_kind_of(name), name, 0};
}

/* -- by its content ---------------------------------------------------------------------------- */

size_t input_beginning(const char *path, char *head, size_t n)
{
	int fd = standard_input_open(path);
	ssize_t got;

	if (fd < 0)
		return 0;
	do
		got = read(fd, head, n);
	while (got < 0 && errno == EINTR);
	close(fd);
	return got > 0 ? (size_t)got : 0;
}

enum input_html input_html_of(struct input in)
{
	char head[PAGE_TEXT_HEAD];
	struct page_text page = {.s = head};
	struct stat st;

	/* A FIFO is opened once: its writer may be gone the second time. */
	if (in.place != INPUT_STANDARD && (stat(in.name, &st) || !S_ISREG(st.st_mode)))
		return INPUT_NOT_HTML;
	page.n = input_beginning(in.name, head, sizeof head);
	if (!page_text_is_html(page))
		return INPUT_NOT_HTML;
	if (!page_text_is_ours(page))
		return INPUT_HTML;
	return page_text_by_id(page, PAGE_TEXT_ROW).s ? INPUT_OUR_PAGE : INPUT_OUR_HTML;
}

enum input_kind input_look(struct input in)
{
	if (in.kind != INPUT_UNKNOWN && in.kind != INPUT_PAGE)
		return in.kind;
	if (in.place != INPUT_FILE && in.place != INPUT_STANDARD)
		return in.kind;
	return input_html_of(in) == INPUT_NOT_HTML ? INPUT_UNKNOWN : INPUT_PAGE;
}

char *input_unfinished(struct input in)
{
	static const char suffix[] = ".partial";
	size_t n;
	char *journal;
	struct stat st;

	if (in.place != INPUT_FILE || lstat(in.name, &st) == 0 || errno != ENOENT)
		return NULL;
	n = strlen(in.name);
	journal = alloc_failed_note(malloc(n + sizeof suffix));
	if (!journal)
		return NULL;
	memcpy(journal, in.name, n);
	memcpy(journal + n, suffix, sizeof suffix);
	if (stat(journal, &st) == 0 && S_ISREG(st.st_mode))
		return journal;
	free(journal);
	return NULL;
}
