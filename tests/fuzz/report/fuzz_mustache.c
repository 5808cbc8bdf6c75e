/* fuzz_mustache: any template, partial, model and value, with any kind of escaping. */
#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/render/mustache.h"
#include "report/render/text_layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define OUT_MAX ((size_t)1 << 20)

struct piece {
	const char *s;
	size_t n;
};

/* The only partial, whatever its name: it may call itself. */
static const char *find(void *ctx, const char *name, size_t *len)
{
	const struct piece *p = ctx;

	(void)name;
	*len = p->n;
	return p->s;
}

/* Up to the next NUL, which is taken away too. */
static struct piece cut(struct piece *rest)
{
	const char *nul = rest->n ? memchr(rest->s, '\0', rest->n) : NULL;
	struct piece p = {rest->s, nul ? (size_t)(nul - rest->s) : rest->n};

	rest->s += nul ? p.n + 1 : p.n;
	rest->n -= nul ? p.n + 1 : p.n;
	return p;
}

/* What may never come out of an escape. */
static void check_escape(enum escape_kind kind, const char *s, size_t n)
{
	static const char *const never[] = {
	    [ESCAPE_NONE] = "\r\x1b\b\x7f",           [ESCAPE_HTML] = "<>\"'`\x1b\b\x7f",
	    [ESCAPE_HTML_WORDS] = "<>\"'`\x1b\b\x7f", [ESCAPE_MARKDOWN] = "<`@\n\r\x1b\b\x7f",
	    [ESCAPE_XML] = "<>\"'\x1b\b\x7f",         [ESCAPE_LINE] = "\n\r\t\x1b\b\x7f",
	    [ESCAPE_LABEL] = "\n\r\t\x1b\b\x7f",      [ESCAPE_CSV] = "\x1b\b\x7f",
	    [ESCAPE_JSON] = "<>&\n\r\t\x1b\b\x7f",
	};
	struct buf b = {.max = OUT_MAX};

	escape_add(&b, kind, s, n);
	if (strlen(buf_cstr(&b)) != b.len || strpbrk(buf_cstr(&b), never[kind]))
		abort();
	/* A spreadsheet would compute such a cell. */
	if (kind == ESCAPE_CSV && b.len && strchr("=+-@", *buf_cstr(&b)))
		abort();
	buf_free(&b);
}

/* A page of any lines: nothing that a terminal or the log of a CI system obeys. */
static void check_fold(const char *s, size_t n, size_t width)
{
	struct buf text = {.max = OUT_MAX}, page = {.max = OUT_MAX};

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\n' || s[i] == '\t')
			buf_char(&text, s[i]);
		else
			escape_add(&text, ESCAPE_LINE, s + i, 1);
	}
	text_layout(&page, buf_cstr(&text), text.len, width, false);
	if (strpbrk(buf_cstr(&page), "\r\x1b\b\x7f") || strstr(buf_cstr(&page), "##") ||
	    strstr(buf_cstr(&page), "\n::") || strstr(buf_cstr(&page), "\n  ::"))
		abort();
	buf_free(&text);
	buf_free(&page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char usual[] =
	    "{\"s\":\"<&>\",\"n\":1.5,\"t\":true,\"f\":false,\"z\":null,\"o\":{\"s\":\"x\","
	    "\"o\":{\"n\":2}},\"l\":[1,\"a\",{\"s\":\"y\"},[3,4]],\"e\":[]}";
	struct piece rest = {(const char *)data, size}, text, partial, json;
	struct mustache_partials partials = {.find = find, .ctx = &partial};
	struct buf out = {.max = OUT_MAX};
	struct err e = {0};
	enum escape_kind kind;
	cJSON *model;

	if (size == 0)
		return 0;
	kind = (enum escape_kind)(data[0] % (ESCAPE_JSON + 1));
	rest.s++;
	rest.n--;
	check_escape(kind, rest.s, rest.n);
	check_fold(rest.s, rest.n, rest.n % 90);
	text = cut(&rest);
	partial = cut(&rest);
	json = cut(&rest);
	model = cJSON_ParseWithLength(json.s, json.n);
	if (!model)
		model = cJSON_Parse(usual);
	if (mustache_render(text.s, text.n, "t", model, kind, &partials, &out, &e) && !e.msg[0])
		abort();
	cJSON_Delete(model);
	buf_free(&out);
	return 0;
}
