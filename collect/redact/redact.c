/* redact: hides secrets in a command line, a tag or a name. */
#include "collect/redact/redact.h"

#include <string.h>

#include "collect/redact/redact_shell.h"

#define MASK "***"

/* Appends the copy with "***" for each run of NUL bytes. */
static void write_copy(const struct redact_text *t, struct buf *out)
{
	size_t i = 0;

	while (i < t->n) {
		size_t from = i;
		while (i < t->n && t->copy[i])
			i++;
		buf_add(out, t->copy + from, i - from);
		if (i < t->n)
			buf_str(out, MASK);
		while (i < t->n && !t->copy[i])
			i++;
	}
}

/* command: the state if the text is a word of a command line, else NULL. whole: hide all of it. If
 * there is no memory, the output is "***". */
static void redact_one(struct redact_command *command, const char *text, bool whole,
                       struct buf *out)
{
	struct redact_text t = {.s = text, .n = strlen(text)};
	struct buf copy = {0};

	buf_add(&copy, text, t.n);
	if (copy.failed) {
		buf_str(out, MASK);
		buf_free(&copy);
		return;
	}
	t.copy = copy.s;
	if (t.n && whole)
		redact_hide(&t, 0, t.n);
	redact_shell(command, &t);
	if (t.n)
		write_copy(&t, out);
	buf_free(&copy);
}

void redact_word(struct redact *r, const char *word, struct buf *out)
{
	redact_one(&r->command, word, false, out);
}

void redact_value(const char *name, const char *value, struct buf *out)
{
	redact_one(NULL, value,
	           redact_name_hides(redact_name(name, strlen(name), false), value, strlen(value)),
	           out);
}

void redact_text(const char *text, size_t n, struct buf *out)
{
	struct buf copy = {0};

	buf_add(&copy, text, strnlen(text, n));
	if (copy.failed)
		buf_str(out, MASK);
	else
		redact_one(NULL, buf_cstr(&copy), false, out);
	buf_free(&copy);
}

void redact_mark(const char *line, size_t n, struct buf *out)
{
	static const char end[] = " end";
	size_t name;

	while (n && redact_blank(line[n - 1]))
		n--;
	name = n > 4 && memcmp(line + n - 4, end, 4) == 0 ? n - 4 : n;
	redact_text(line, name, out);
	if (name < n)
		buf_str(out, end);
}
