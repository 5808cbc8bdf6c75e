/* s3_config: the grammar of the settings files of AWS' tools. */
#include "report/aws_keys/s3_config.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "core/base/buf.h"
#include "report/aws_keys/s3_wipe.h"

/* A part of the text, without a NUL. */
struct piece {
	const char *s;
	size_t n;
};

struct config {
	s3_config_each *each;
	void *ctx;
	struct err *e;
	size_t line;
	struct buf section, key, value;
	bool in_section, in_key;
	size_t indent; /* of the key: lines that are indented more belong to it */
	bool group;    /* the key's own value is empty */
};

static bool is_config_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static struct piece trim_piece(struct piece p)
{
	while (p.n && is_config_blank(p.s[0])) {
		p.s++;
		p.n--;
	}
	while (p.n && is_config_blank(p.s[p.n - 1]))
		p.n--;
	return p;
}

static void set_piece(struct buf *b, struct piece p)
{
	buf_clear(b);
	buf_add(b, p.s, p.n);
}

/* Without the comment behind it. */
static struct piece value_piece(struct piece p)
{
	for (size_t i = 0; i < p.n; i++)
		if ((p.s[i] == '#' || p.s[i] == ';') && (i == 0 || is_config_blank(p.s[i - 1])))
			p.n = i;
	return trim_piece(p);
}

static size_t find_any_of(struct piece p, const char *chars)
{
	for (size_t i = 0; i < p.n; i++)
		if (strchr(chars, p.s[i]))
			return i;
	return p.n;
}

static void add_lower(struct buf *b, struct piece p)
{
	for (size_t i = 0; i < p.n; i++)
		buf_char(b, (char)tolower((unsigned char)p.s[i]));
}

/* A key and its value are reported when the next ones begin, because lines that belong to them may
 * follow. */
static void report_key(struct config *c)
{
	if (c->in_key)
		c->each(c->ctx, buf_cstr(&c->section), buf_cstr(&c->key), buf_cstr(&c->value));
	c->in_key = false;
}

static int read_indented(struct config *c, struct piece p)
{
	size_t at = find_any_of(p, "="), base = c->key.len;
	struct buf value = {0};

	if (!c->group) {
		buf_char(&c->value, '\n');
		buf_add(&c->value, p.s, p.n);
		return 0;
	}
	if (at == p.n)
		return err_set(c->e, "line %zu is not KEY = VALUE", c->line);
	buf_char(&c->key, '.');
	add_lower(&c->key, trim_piece((struct piece){p.s, at}));
	set_piece(&value, value_piece((struct piece){p.s + at + 1, p.n - at - 1}));
	c->key.failed |= value.failed;
	c->each(c->ctx, buf_cstr(&c->section), buf_cstr(&c->key), buf_cstr(&value));
	s3_wipe_buf(&value);
	if (c->key.s) {
		c->key.len = base;
		c->key.s[base] = '\0';
	}
	return 0;
}

static int read_key(struct config *c, struct piece p)
{
	size_t at = find_any_of(p, "=:");
	struct piece key = trim_piece((struct piece){p.s, at});

	if (!c->in_section)
		return err_set(c->e, "line %zu stands before the first [section]", c->line);
	if (at == p.n || !key.n)
		return err_set(c->e, "line %zu is neither [section] nor KEY = VALUE", c->line);
	buf_clear(&c->key);
	add_lower(&c->key, key);
	set_piece(&c->value, value_piece((struct piece){p.s + at + 1, p.n - at - 1}));
	c->in_key = true;
	c->group = c->value.len == 0;
	return 0;
}

static int read_config_line(struct config *c, struct piece line)
{
	struct piece p = trim_piece(line);
	size_t indent = (size_t)(p.s - line.s);

	if (memchr(line.s, '\0', line.n))
		return err_set(c->e, "line %zu has a NUL byte", c->line);
	if (!p.n || *p.s == '#' || *p.s == ';')
		return 0;
	if (c->in_key && indent > c->indent)
		return read_indented(c, p);
	report_key(c);
	c->indent = indent;
	if (*p.s != '[')
		return read_key(c, p);
	p = (struct piece){p.s + 1, p.n - 1};
	if (find_any_of(p, "]") == p.n)
		return err_set(c->e, "line %zu has a '[' without a ']'", c->line);
	set_piece(&c->section, trim_piece((struct piece){p.s, find_any_of(p, "]")}));
	c->in_section = true;
	c->each(c->ctx, buf_cstr(&c->section), "", "");
	return 0;
}

int s3_config_walk(const char *text, size_t n, s3_config_each *each, void *ctx, struct err *e)
{
	struct config c = {.each = each, .ctx = ctx, .e = e};
	size_t at = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	int rc = 0;

	while (at < n && !rc) {
		const char *end = memchr(text + at, '\n', n - at);
		size_t len = end ? (size_t)(end - text) - at : n - at;
		c.line++;
		rc = read_config_line(&c, (struct piece){text + at, len});
		at += len + 1;
	}
	if (!rc)
		report_key(&c);
	if (!rc && (c.section.failed || c.key.failed || c.value.failed))
		rc = err_set(e, "%s", strerror(ENOMEM));
	s3_wipe_buf(&c.section);
	s3_wipe_buf(&c.key);
	s3_wipe_buf(&c.value);
	return rc;
}

bool s3_config_is(const char *section, const char *kind, const char *name)
{
	size_t n = strlen(kind), len;

	if (strncmp(section, kind, n) != 0 || !is_config_blank(section[n]))
		return false;
	section += n;
	while (is_config_blank(*section))
		section++;
	len = strlen(section);
	if (len >= 2 && (*section == '"' || *section == '\'') && section[len - 1] == *section) {
		section++;
		len -= 2;
	}
	return len == strlen(name) && strncmp(section, name, len) == 0;
}
