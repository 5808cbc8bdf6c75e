/* moved_options: options that rtrack-report had before rtrack-fleet. */
#include "report/options/moved_options.h"

#include <string.h>

#include "core/base/buf.h"
#include "core/base/shell_word.h"

/* Where several are given, the verb is that of the first row. */
static const struct moved {
	const char *option; /* without its dashes */
	const char *verb;
	const char *now; /* the option of rtrack-fleet; NULL: the verb says it */
} moved[] = {
    {"fleet", "groups", NULL},
    {"runs", "runs", NULL},
    {"pipeline", "pipeline", "--run"},
    {"ci", "ci", NULL},
    {"list-runners", "ci", "--list-runners"},
    {"forget", "forget", NULL},
    {"ask-for", "ask", "--input"},
    {"job", "job", NULL},
    {"mail", "mail", "--mail-dir"},
    {"add", "add", "--add"},
    {"catalog", "groups", "--catalog"},
};
#define MOVED (sizeof moved / sizeof *moved)

/* The row of "--fleet" or "--pipeline=RUN". *value: what follows "="; NULL: nothing. */
static const struct moved *find_moved(const char *word, const char **value)
{
	size_t n = strcspn(word, "=");

	*value = word[n] ? word + n + 1 : NULL;
	for (size_t i = 0; n > 2 && strncmp(word, "--", 2) == 0 && i < MOVED; i++)
		if (strlen(moved[i].option) == n - 2 &&
		    strncmp(moved[i].option, word + 2, n - 2) == 0)
			return &moved[i];
	return NULL;
}

static void add_quoted(struct buf *out, const char *word)
{
	buf_char(out, ' ');
	shell_word_add(out, word);
}

static void add_translated(struct buf *out, const struct moved *verb, const char *word)
{
	const char *value;
	const struct moved *row = find_moved(word, &value);

	if (!row) {
		add_quoted(out, word);
		return;
	}
	/* "--pipeline" alone is the newest run, the default; "--add" says what the verb says. */
	if (row->now && (value || strcmp(row->option, "pipeline") != 0) &&
	    !(row == verb && strcmp(row->option, "add") == 0))
		add_quoted(out, row->now);
	if (value)
		add_quoted(out, value);
}

int moved_options_refuse(int argc, char **argv, struct err *e)
{
	const struct moved *verb = NULL;
	struct buf line = {0};
	const char *value;
	int end = 1;

	for (; end < argc && strcmp(argv[end], "--") != 0; end++) {
		const struct moved *row = find_moved(argv[end], &value);
		if (row && (!verb || row < verb))
			verb = row;
	}
	if (!verb)
		return 0;
	buf_printf(&line, "rtrack-fleet %s", verb->verb);
	for (int i = 1; i < argc; i++)
		if (i < end)
			add_translated(&line, verb, argv[i]);
		else
			add_quoted(&line, argv[i]);
	err_set(e, "many runs are the work of rtrack-fleet; type: %s", buf_cstr(&line));
	buf_free(&line);
	return -1;
}
