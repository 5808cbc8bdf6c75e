/* phases: the named parts of a run. */
#include "core/numbers/phases.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/utf8.h"

#define LINE_MAX_BYTES (PHASES_NAME_MAX + 4) /* a name, and " end" */

/* Stores a name in the pool once, as names repeat. NULL if the pool is full. */
static const char *intern_name(struct phases *p, const char *name)
{
	size_t n = strlen(name) + 1;

	for (size_t at = 0; at < p->pool_len; at += strlen(p->pool + at) + 1)
		if (strcmp(p->pool + at, name) == 0)
			return p->pool + at;
	if (p->pool_len + n > sizeof p->pool)
		return NULL;
	memcpy(p->pool + p->pool_len, name, n);
	p->pool_len += n;
	return p->pool + p->pool_len - n;
}

void phases_add(struct phases *p, const char *name, double start, double end)
{
	const char *kept = p->n < PHASES_MAX ? intern_name(p, name) : NULL;

	if (kept)
		p->v[p->n++] = (struct phase){kept, start, end};
	else
		p->left_out++;
}

static bool is_open(const struct phases *p)
{
	return p->n && isnan(p->v[p->n - 1].end);
}

void phases_close(struct phases *p, double t)
{
	if (is_open(p))
		p->v[p->n - 1].end = t;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Copies the mark as printable UTF-8, without the blanks around it. */
static void clean_mark(const char *line, size_t n, char out[LINE_MAX_BYTES + 1])
{
	struct buf valid = {.max = 4096};
	size_t len;

	while (n && is_blank(*line)) {
		line++;
		n--;
	}
	while (n && is_blank(line[n - 1]))
		n--;
	buf_utf8(&valid, line, n < 1024 ? n : 1024);
	len = utf8_cut(buf_cstr(&valid), valid.len, LINE_MAX_BYTES);
	for (size_t i = 0; i < len; i++)
		out[i] = (unsigned char)valid.s[i] < 0x20 || valid.s[i] == 0x7f ? '?' : valid.s[i];
	out[len] = '\0';
	buf_free(&valid);
}

/* Removes a trailing " end". False if there is none. */
static bool is_end(char *mark)
{
	size_t n = strlen(mark);

	if (n < 5 || strcmp(mark + n - 4, " end") != 0)
		return false;
	n -= 4;
	while (n && is_blank(mark[n - 1]))
		n--;
	mark[n] = '\0';
	return true;
}

void phases_mark(struct phases *p, double t, const char *line, size_t n)
{
	char mark[LINE_MAX_BYTES + 1];
	bool end;

	clean_mark(line, n, mark);
	if (!*mark)
		return;
	end = is_end(mark);
	mark[utf8_cut(mark, strlen(mark), PHASES_NAME_MAX)] = '\0';
	if (end && !(is_open(p) && strcmp(p->v[p->n - 1].name, mark) == 0)) {
		p->unmatched++;
		return;
	}
	phases_close(p, t);
	if (!end)
		phases_add(p, mark, t, NAN);
}
