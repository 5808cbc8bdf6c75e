/* ci_patch: where a workflow says on which runner a job runs. */
#include "fleet/ci/ci_patch.h"

#include <stdbool.h>
#include <string.h>

#define LABEL_SIGNS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
#define CONTEXT     3 /* lines around a change */

/* -- lines ------------------------------------------------------------------------------------- */

struct text {
	const char *s;
	size_t n;
};

struct line {
	const char *s; /* without its end */
	size_t n, number, indent;
	bool empty; /* nothing, or a comment alone */
	bool tabs;  /* in its indentation */
};

/* The line that begins at *at, and *at after it; false at the end. number: of the line before. */
static bool next_line(const struct text *t, size_t *at, struct line *l)
{
	const char *lf;

	if (*at >= t->n)
		return false;
	l->s = t->s + *at;
	lf = memchr(l->s, '\n', t->n - *at);
	l->n = lf ? (size_t)(lf - l->s) : t->n - *at;
	*at += l->n + (lf ? 1 : 0);
	l->number++;
	if (l->n && l->s[l->n - 1] == '\r')
		l->n--;
	l->indent = 0;
	while (l->indent < l->n && l->s[l->indent] == ' ')
		l->indent++;
	l->tabs = l->indent < l->n && l->s[l->indent] == '\t';
	l->empty = l->indent == l->n || l->s[l->indent] == '#';
	return true;
}

/* "key: rest", "'key': rest". Returns the key's bytes and sets *rest to the place after the colon;
 * 0: there is none. */
static size_t yaml_key(const struct line *l, const char **key, size_t *rest)
{
	size_t at = l->indent, end;
	char quote = l->s[at] == '"' || l->s[at] == '\'' ? l->s[at] : '\0';
	const char *closed;

	*key = l->s + at + (quote != '\0');
	if (quote) {
		closed = memchr(*key, quote, l->n - at - 1);
		if (!closed || memchr(*key, '\\', (size_t)(closed - *key)))
			return 0;
		end = (size_t)(closed - l->s) + 1;
		*rest = end + 1;
		return end < l->n && l->s[end] == ':' ? (size_t)(closed - *key) : 0;
	}
	for (end = at; end < l->n; end++)
		if (l->s[end] == ':' && (end + 1 == l->n || l->s[end + 1] == ' '))
			break;
	*rest = end + 1;
	return end < l->n ? end - at : 0;
}

static bool has_key(const struct line *l, const char *key, size_t n, size_t *rest)
{
	const char *found;
	size_t width = l->empty ? 0 : yaml_key(l, &found, rest);

	return width && width == n && memcmp(found, key, n) == 0;
}

/* Whether nothing but a comment stands from there on. */
static bool is_rest_empty(const struct line *l, size_t at)
{
	while (at < l->n && l->s[at] == ' ')
		at++;
	return at >= l->n || l->s[at] == '#';
}

/* -- blocks ------------------------------------------------------------------------------------ */

/* The lines of a mapping below its key. */
struct block {
	size_t at, end;   /* bytes */
	size_t number;    /* of the line before */
	size_t indent;    /* of its keys; 0: it is empty */
	struct line head; /* the line with the key */
	size_t rest;      /* after its colon */
};

/* Finds the key among the lines of this indentation from `at` to `end`, and what is below it. */
static int find_block(const struct text *t, const struct block *in, const char *key, size_t n,
                      struct block *out, struct err *e)
{
	const struct text part = {t->s, in->end};
	struct line l = {.number = in->number};
	bool inside = false, found = false;
	size_t rest, before = in->at;

	for (size_t at = in->at; next_line(&part, &at, &l); before = at) {
		if (l.empty)
			continue;
		if (l.tabs)
			return err_set(e, "line %zu is indented with tabs", l.number);
		if (inside && l.indent > in->indent && !out->indent)
			out->indent = l.indent;
		if (l.indent > in->indent)
			continue;
		if (inside)
			out->end = before;
		inside = false;
		if (l.indent < in->indent || !has_key(&l, key, n, &rest))
			continue;
		if (found)
			return err_set(e, "it has %.*s twice", (int)n, key);
		found = inside = true;
		*out = (struct block){
		    .at = at, .end = in->end, .number = l.number, .head = l, .rest = rest};
	}
	return found ? 0 : err_set(e, "there is no %.*s in it", (int)n, key);
}

/* -- labels ------------------------------------------------------------------------------------ */

static int not_plain(const struct line *l, const char *what, struct err *e)
{
	return err_set(e, "line %zu: %s is not a single label", l->number, what);
}

/* A plain or quoted label from `at` to `end`, with blanks and a comment after it. */
static int read_label(const struct text *t, const struct line *l, size_t at, size_t end,
                      const char *what, struct ci_patch_place *out, struct err *e)
{
	char quote;
	size_t n = 0;

	while (at < end && l->s[at] == ' ')
		at++;
	quote = at < end && (l->s[at] == '"' || l->s[at] == '\'') ? l->s[at] : '\0';
	at += quote != '\0';
	while (at + n < end && l->s[at + n] && strchr(LABEL_SIGNS, l->s[at + n]))
		n++;
	*out = (struct ci_patch_place){l->number, (size_t)(l->s - t->s) + at, n};
	if (quote && !(at + n < end && l->s[at + n] == quote))
		n = 0;
	at += n + (quote != '\0');
	if (!n)
		return not_plain(l, what, e);
	if (at < end && l->s[at] != ' ')
		return not_plain(l, what, e);
	while (at < end && l->s[at] == ' ')
		at++;
	return at == end || l->s[at] == '#' ? 0 : not_plain(l, what, e);
}

/* tags: [label] */
static int read_flow(const struct text *t, const struct line *l, size_t at,
                     struct ci_patch_place *out, struct err *e)
{
	size_t open = at, close;
	const char *end;

	while (open < l->n && l->s[open] == ' ')
		open++;
	end = open < l->n && l->s[open] == '[' ? memchr(l->s + open, ']', l->n - open) : NULL;
	if (!end)
		return not_plain(l, "tags:", e);
	close = (size_t)(end - l->s);
	if (!is_rest_empty(l, close + 1))
		return not_plain(l, "tags:", e);
	return read_label(t, l, open + 1, close, "tags:", out, e);
}

/* tags:, and below it one line "- label", which may stand as far left as the key. */
static int read_runners(const struct text *t, const struct block *tags, size_t end,
                        struct ci_patch_place *out, struct err *e)
{
	const struct text part = {t->s, end};
	struct line l = tags->head;
	size_t found = 0;

	for (size_t at = tags->at; next_line(&part, &at, &l);) {
		if (l.empty)
			continue;
		if (l.n < l.indent + 2 || memcmp(l.s + l.indent, "- ", 2) != 0)
			break;
		if (found++)
			return err_set(e, "line %zu: the job has several tags", l.number);
		if (read_label(t, &l, l.indent + 2, l.n, "the tag", out, e))
			return -1;
	}
	return found ? 0 : not_plain(&tags->head, "tags:", e);
}

/* The line of the key among those of a job. */
static int find_property(const struct text *t, const struct block *job, const char *key,
                         struct block *out, struct err *e)
{
	if (!is_rest_empty(&job->head, job->rest) || !job->indent)
		return err_set(e, "line %zu: the job is not a block of lines", job->head.number);
	return find_block(t, job, key, strlen(key), out, e);
}

static int find_github(const struct text *t, const char *job, struct ci_patch_place *out,
                       struct err *e)
{
	const struct block all = {.end = t->n};
	struct block jobs = {.at = 0}, one = {.at = 0}, runs_on = {.at = 0};

	if (find_block(t, &all, "jobs", 4, &jobs, e))
		return -1;
	if (!is_rest_empty(&jobs.head, jobs.rest) || !jobs.indent)
		return err_set(e, "line %zu: jobs is not a block of lines", jobs.head.number);
	if (find_block(t, &jobs, job, strlen(job), &one, e))
		return -1;
	if (find_property(t, &one, "runs-on", &runs_on, e))
		return err_wrap(e, "the job %s", job);
	if (is_rest_empty(&runs_on.head, runs_on.rest))
		return not_plain(&runs_on.head, "runs-on:", e);
	return read_label(t, &runs_on.head, runs_on.rest, runs_on.head.n, "runs-on:", out, e);
}

/* The name of a job without what `parallel:` appends: "test 1/3", "test: [a, b]". */
static size_t job_name_length(const char *job)
{
	size_t n = strlen(job), digits = n;
	const char *list = strstr(job, ": [");

	if (list && n && job[n - 1] == ']')
		return (size_t)(list - job);
	while (digits && strchr("0123456789/", job[digits - 1]))
		digits--;
	return digits && digits < n && job[digits - 1] == ' ' && strchr(job + digits, '/')
	           ? digits - 1
	           : n;
}

static int find_gitlab(const struct text *t, const char *job, struct ci_patch_place *out,
                       struct err *e)
{
	const struct block all = {.end = t->n};
	struct block one = {.at = 0}, tags = {.at = 0};

	if (find_block(t, &all, job, strlen(job), &one, NULL) &&
	    find_block(t, &all, job, job_name_length(job), &one, e))
		return -1;
	if (find_property(t, &one, "tags", &tags, e))
		return err_wrap(e, "the job %s", job);
	if (is_rest_empty(&tags.head, tags.rest))
		return read_runners(t, &tags, one.end, out, e);
	return read_flow(t, &tags.head, tags.rest, out, e);
}

int ci_patch_find(enum ci_patch_kind kind, const char *text, size_t n, const char *job,
                  struct ci_patch_place *out, struct err *e)
{
	const struct text t = {text, n};
	struct line l = {.number = 0};

	for (size_t at = 0; next_line(&t, &at, &l);)
		if (l.number > 1 && l.n >= 3 && memcmp(l.s, "---", 3) == 0)
			return err_set(e, "it has several documents");
	if (!*job)
		return err_set(e, "the job has no name");
	return kind == CI_PATCH_GITHUB ? find_github(&t, job, out, e)
	                               : find_gitlab(&t, job, out, e);
}

void ci_patch_name(const char *text, size_t n, struct buf *out)
{
	const struct text t = {text, n};
	const struct block all = {.end = n};
	struct block name = {.at = 0};
	size_t at, end;

	if (find_block(&t, &all, "name", 4, &name, NULL))
		return;
	at = name.rest;
	end = name.head.n;
	while (at < end && name.head.s[at] == ' ')
		at++;
	if (at < end && (name.head.s[at] == '"' || name.head.s[at] == '\'')) {
		const char *close = memchr(name.head.s + at + 1, name.head.s[at], end - at - 1);
		end = close ? (size_t)(close - name.head.s) : at + 1;
		at++;
	} else {
		for (size_t i = at; i + 1 < end; i++)
			if (name.head.s[i] == ' ' && name.head.s[i + 1] == '#')
				end = i;
		while (end > at && name.head.s[end - 1] == ' ')
			end--;
	}
	buf_add(out, name.head.s + at, end - at);
}

/* -- the patch --------------------------------------------------------------------------------- */

/* The bytes of line `number` (from 1) with its end. */
static struct text numbered_line(const char *text, size_t size, size_t number)
{
	const char *at = text, *end = text + size, *lf;

	for (; number > 1 && (lf = memchr(at, '\n', (size_t)(end - at))); number--)
		at = lf + 1;
	lf = memchr(at, '\n', (size_t)(end - at));
	return (struct text){at, (size_t)((lf ? lf + 1 : end) - at)};
}

static void put_patch_line(struct buf *out, char sign, const char *s, size_t n)
{
	buf_char(out, sign);
	buf_add(out, s, n);
	if (!n || s[n - 1] != '\n')
		buf_str(out, "\n\\ No newline at end of file\n");
}

static void put_change(struct buf *out, const char *text, const struct text *line,
                       const struct ci_patch_change *c)
{
	size_t at = c->place.at - (size_t)(line->s - text);
	struct buf changed = {0};

	put_patch_line(out, '-', line->s, line->n);
	buf_add(&changed, line->s, at);
	buf_str(&changed, c->label);
	buf_add(&changed, line->s + at + c->place.n, line->n - at - c->place.n);
	put_patch_line(out, '+', buf_cstr(&changed), changed.len);
	buf_free(&changed);
}

static size_t lines_of(const char *text, size_t size)
{
	size_t n = size && text[size - 1] != '\n';

	for (const char *at = text; (at = memchr(at, '\n', (size_t)(text + size - at))); at++)
		n++;
	return n;
}

/* Changes whose surroundings touch are one hunk. */
void ci_patch_diff(const char *path, const char *text, size_t size, const struct ci_patch_change *v,
                   size_t n, struct buf *out)
{
	size_t lines = lines_of(text, size), first, last;

	buf_printf(out, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n", path, path, path, path);
	for (size_t i = 0, next; i < n; i = next) {
		first = v[i].place.line > CONTEXT ? v[i].place.line - CONTEXT : 1;
		for (next = i + 1;
		     next < n && v[next].place.line <= v[next - 1].place.line + 2 * CONTEXT;)
			next++;
		last = v[next - 1].place.line + CONTEXT;
		last = last < lines ? last : lines;
		buf_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", first, last - first + 1, first,
		           last - first + 1);
		for (size_t k = first, at = i; k <= last; k++) {
			struct text line = numbered_line(text, size, k);
			if (at < next && v[at].place.line == k)
				put_change(out, text, &line, &v[at++]);
			else
				put_patch_line(out, ' ', line.s, line.n);
		}
	}
}
