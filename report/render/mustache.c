/* mustache: renders a Mustache template from a JSON tree. */
#include "report/render/mustache.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/json/json_write.h"
#include "report/render/mustache_parse.h"
#include "report/units/model_json.h"

#define PARTIALS_DEPTH_MAX 64
#define PARTIALS_MAX       256
#define NAME_SIZE          256
#define STEPS_MAX          100000000 /* a step: a token, or a key compared with a name */
#define PARTIAL_STEPS      100       /* cost in steps of finding a partial */
#define STEP_BYTES         64        /* bytes of a name or value that cost one more step */
#define CONTEXT_MAX        ((PARTIALS_DEPTH_MAX + 1) * MUSTACHE_SECTIONS_MAX + 1)

/* A parsed template or partial. Each is parsed once, however often it is used. */
struct part {
	const char *text;
	size_t len;
	char name[NAME_SIZE];
	bool trees_only; /* see struct mustache_partials */
	struct mustache_tokens tokens;
};

struct indentation {
	const char *s;
	size_t n;
};

struct render {
	enum escape_kind kind;
	const struct mustache_partials *partials;
	struct buf *out;
	struct err *e;
	uint64_t steps;
	const cJSON *context[CONTEXT_MAX]; /* the stack: context[depth - 1] is the current item */
	size_t depth;
	/* indent[indent_from] to indent[indent_to - 1] precede each line of the current partial. A
	 * partial that is not alone on its line starts without indentation. */
	struct indentation indent[PARTIALS_DEPTH_MAX];
	size_t indent_from, indent_to;
	size_t nested; /* depth of partials now */
	struct part *part[PARTIALS_MAX];
	size_t parts;
};

static int render_fail(const struct render *r, const struct part *p, const struct mustache_token *t,
                       const char *sentence)
{
	return mustache_fail(p->text, t->at, p->name, r->e, sentence);
}

/* -- names ------------------------------------------------------------------------------------- */

/* Like cJSON_GetObjectItemCaseSensitive, but the name is a slice of the template, and each
 * comparison counts as a step: a large object would otherwise make a short template run for
 * hours. */
static const cJSON *find_key(struct render *r, const cJSON *object, const char *name, size_t n)
{
	const cJSON *item;

	r->steps++;
	if (!cJSON_IsObject(object))
		return NULL;
	cJSON_ArrayForEach (item, object) {
		r->steps += 1 + n / STEP_BYTES;
		if (item->string && strnlen(item->string, n + 1) == n &&
		    memcmp(item->string, name, n) == 0)
			return item;
	}
	return NULL;
}

static const cJSON *current_item(const struct render *r)
{
	return r->context[r->depth - 1];
}

/* Returns the value of a name, or NULL. The first part of a dotted name is searched for in the
 * current item and then in the enclosing ones, the other parts only in the value found so far. A
 * leading dot is the current item. */
static const cJSON *look_up(struct render *r, const char *name, size_t n)
{
	const cJSON *v = NULL;
	const char *end = name + n, *dot = memchr(name, '.', n);

	if (n == 1 && *name == '.')
		return current_item(r);
	if (dot == name)
		v = current_item(r);
	for (size_t i = r->depth; i > 0 && !v; i--)
		v = find_key(r, r->context[i - 1], name, dot ? (size_t)(dot - name) : n);
	while (v && dot) {
		name = dot + 1;
		dot = memchr(name, '.', (size_t)(end - name));
		v = find_key(r, v, name, (size_t)((dot ? dot : end) - name));
	}
	return v;
}

static bool is_truthy(const cJSON *v)
{
	if (!v || cJSON_IsNull(v) || cJSON_IsFalse(v) || cJSON_IsInvalid(v))
		return false;
	if (cJSON_IsNumber(v))
		return v->valuedouble != 0 && !isnan(v->valuedouble);
	if (cJSON_IsString(v))
		return v->valuestring && *v->valuestring;
	return !cJSON_IsArray(v) || v->child;
}

/* -- values ------------------------------------------------------------------------------------ */

struct json_target {
	struct buf *out;
	bool raw;
	enum escape_kind kind;
};

/* The JSON writer passes whole tokens, so no UTF-8 character is split between two calls. */
static int escape_json_piece(void *ctx, const char *p, size_t n)
{
	struct json_target *t = ctx;

	if (t->raw)
		buf_add(t->out, p, n);
	else
		escape_add(t->out, t->kind, p, n);
	return t->out->failed ? -1 : 0;
}

static int interpolate_tree(struct render *r, const struct part *p, const struct mustache_token *t,
                            const cJSON *v)
{
	struct json_target to = {.out = r->out, .raw = t->kind == MUSTACHE_RAW, .kind = r->kind};
	struct json_write j = {.sink = escape_json_piece, .ctx = &to, .exponents = true};
	bool ok;

	model_json_write(&j, NULL, v);
	ok = json_write_finish(&j);
	json_write_free(&j);
	if (ok || r->out->failed) /* check_caps reports the latter */
		return 0;
	return render_fail(r, p, t, "the value is nested too deeply to be written as JSON");
}

static void interpolate_string(struct render *r, const char *s, bool raw)
{
	size_t n = strlen(s);

	r->steps += n / STEP_BYTES; /* escaping may drop bytes, so out->max alone is not a limit */
	if (raw)
		buf_add(r->out, s, n);
	else
		escape_add(r->out, r->kind, s, n);
}

/* Whether a name without a value is none of the model's: "now.text" is known where now is null. */
static bool lacks_name(struct render *r, const char *name, size_t n)
{
	const cJSON *v = NULL;
	const char *dot;

	while (!v && (dot = memrchr(name, '.', n)) && dot > name) {
		n = (size_t)(dot - name);
		v = look_up(r, name, n);
	}
	return !v || cJSON_IsObject(v);
}

static void note_unknown(struct render *r, const struct part *p, const struct mustache_token *t)
{
	struct err *unknown = r->partials ? r->partials->unknown : NULL;
	struct err sentence = {0};

	if (!unknown || *unknown->msg || p->trees_only || !lacks_name(r, p->text + t->s, t->n))
		return;
	err_set(&sentence, "the model has no \"%.*s\"; it is left empty",
	        (int)(t->n < 64 ? t->n : 64), p->text + t->s);
	(void)mustache_fail(p->text, t->at, p->name, unknown, sentence.msg);
}

static int interpolate(struct render *r, const struct part *p, const struct mustache_token *t)
{
	const cJSON *v = look_up(r, p->text + t->s, t->n);
	char number[32];

	if (!v)
		note_unknown(r, p, t);
	if (!v)
		return 0;
	if (cJSON_IsObject(v) || cJSON_IsArray(v) || cJSON_IsRaw(v) ||
	    (cJSON_IsString(v) && p->trees_only && t->kind == MUSTACHE_RAW))
		return interpolate_tree(r, p, t, v);
	if (cJSON_IsBool(v))
		buf_str(r->out, cJSON_IsTrue(v) ? "true" : "false");
	else if (cJSON_IsNumber(v) && isfinite(v->valuedouble))
		buf_add(r->out, number, json_write_number_text(v->valuedouble, number));
	else if (cJSON_IsString(v) && v->valuestring)
		interpolate_string(r, v->valuestring, t->kind == MUSTACHE_RAW);
	return 0;
}

/* -- partials ---------------------------------------------------------------------------------- */

static bool is_verbatim(const char *name)
{
	const char *end = strrchr(name, '.');

	return end && (strcmp(end, ".css") == 0 || strcmp(end, ".js") == 0);
}

static struct part *parsed_part(struct render *r, const char *text, size_t len, const char *name)
{
	struct part *p;

	for (size_t i = 0; i < r->parts; i++)
		if (r->part[i]->text == text && r->part[i]->len == len)
			return r->part[i];
	if (r->parts == PARTIALS_MAX) {
		err_set(r->e, "%s: more than %d partials", name, PARTIALS_MAX);
		return NULL;
	}
	p = calloc(1, sizeof *p);
	if (!p) {
		err_set(r->e, "%s: no memory for the template", name);
		return NULL;
	}
	p->text = text;
	p->len = len;
	p->trees_only = r->partials && r->partials->trees_only &&
	                r->partials->trees_only(r->partials->ctx, text);
	strncpy(p->name, name, sizeof p->name - 1);
	if (mustache_parse(text, len, p->name, &p->tokens, r->e)) {
		free(p);
		return NULL;
	}
	r->part[r->parts++] = p;
	return p;
}

static int render_part(struct render *r, const struct part *p);

/* misc-no-recursion: at most PARTIALS_DEPTH_MAX deep */
static int render_partial(struct render *r, const struct part *p, const struct mustache_token *t)
{
	size_t from = r->indent_from, to = r->indent_to, len = 0;
	char name[NAME_SIZE];
	const char *text;
	struct part *partial;
	int rc;

	if (t->n >= sizeof name || !r->partials || memchr(p->text + t->s, '\0', t->n))
		return 0;
	memcpy(name, p->text + t->s, t->n);
	name[t->n] = '\0';
	r->steps += PARTIAL_STEPS;
	text = r->partials->find(r->partials->ctx, name, &len);
	if (!text && r->partials->why && *r->partials->why->msg)
		return render_fail(r, p, t, r->partials->why->msg);
	if (text && is_verbatim(name))
		buf_add(r->out, text, len);
	if (!text || is_verbatim(name))
		return 0;
	if (r->nested == PARTIALS_DEPTH_MAX)
		return render_fail(r, p, t, "more than 64 nested partials");
	partial = parsed_part(r, text, len, name);
	if (!partial)
		return -1;
	if (t->line && t->at > t->other)
		r->indent[r->indent_to++] =
		    (struct indentation){p->text + t->other, t->at - t->other};
	else if (!t->line)
		r->indent_from = r->indent_to;
	r->nested++;
	/* clang-analyzer-unix.Malloc: r->part[] owns it until the end */
	rc = render_part(r, partial);
	r->nested--;
	r->indent_from = from;
	r->indent_to = to;
	return rc;
}

/* -- rendering --------------------------------------------------------------------------------- */

/* A section that is being rendered; next is the list's next item, or NULL. */
struct section_frame {
	const cJSON *next;
};

static void write_text_token(struct render *r, const struct part *p, const struct mustache_token *t)
{
	if (t->line)
		for (size_t i = r->indent_from; i < r->indent_to; i++)
			buf_add(r->out, r->indent[i].s, r->indent[i].n);
	buf_add(r->out, p->text + t->s, t->n);
}

/* Enters a section or skips it. Returns the token at which to continue. */
static size_t enter_section(struct render *r, const struct part *p, size_t i,
                            struct section_frame *f)
{
	const struct mustache_token *t = &p->tokens.v[i];
	const cJSON *v = look_up(r, p->text + t->s, t->n);

	if (is_truthy(v) != (t->kind == MUSTACHE_SECTION))
		return t->other + 1;
	f->next = NULL;
	if (cJSON_IsArray(v) && t->kind == MUSTACHE_SECTION) {
		f->next = v->child->next;
		v = v->child;
	}
	/* An inverted section pushes the current item again, because END always pops one. */
	r->context[r->depth] = t->kind == MUSTACHE_SECTION ? v : current_item(r);
	r->depth++;
	return i + 1;
}

/* misc-no-recursion: see render_partial */
static int render_token(struct render *r, const struct part *p, const struct mustache_token *t)
{
	if (t->kind == MUSTACHE_TEXT)
		write_text_token(r, p, t);
	else if (t->kind == MUSTACHE_PARTIAL)
		return render_partial(r, p, t);
	else
		return interpolate(r, p, t);
	return 0;
}

static int check_caps(struct render *r, const struct part *p, const struct mustache_token *t)
{
	if (r->out->failed)
		return render_fail(r, p, t, "the output is too large, or memory ran out");
	if (++r->steps > STEPS_MAX)
		return render_fail(r, p, t, "the template takes too long with this model");
	return 0;
}

/* misc-no-recursion: see render_partial */
static int render_part(struct render *r, const struct part *p)
{
	struct section_frame frame[MUSTACHE_SECTIONS_MAX];
	size_t base = r->depth, i = 0;

	while (i < p->tokens.n) {
		const struct mustache_token *t = &p->tokens.v[i];
		struct section_frame *top = &frame[r->depth - base]; /* the next free one */
		if (t->kind == MUSTACHE_SECTION || t->kind == MUSTACHE_INVERTED) {
			i = enter_section(r, p, i, top);
			/* clang-analyzer-core.uninitialized.Branch: each END follows its section */
		} else if (t->kind == MUSTACHE_END && top[-1].next) {
			r->context[r->depth - 1] = top[-1].next;
			top[-1].next = top[-1].next->next;
			i = t->other + 1;
		} else {
			if (t->kind == MUSTACHE_END)
				r->depth--;
			else if (render_token(r, p, t))
				return -1;
			i++;
		}
		if (check_caps(r, p, t))
			return -1;
	}
	return 0;
}

int mustache_render(const char *text, size_t len, const char *name, const struct cJSON *model,
                    enum escape_kind kind, const struct mustache_partials *partials,
                    struct buf *out, struct err *e)
{
	struct render r = {.kind = kind, .partials = partials, .out = out, .e = e, .depth = 1};
	const struct part *p;
	int rc = -1;

	r.context[0] = model;
	p = parsed_part(&r, text, len, name);
	/* clang-analyzer-unix.Malloc: part[] holds each part, freed below */
	if (p)
		rc = render_part(&r, p);
	for (size_t i = 0; i < r.parts; i++) {
		mustache_tokens_free(&r.part[i]->tokens);
		free(r.part[i]);
	}
	return rc;
}

enum escape_kind mustache_kind_of(const char *file_name)
{
	static const struct {
		const char *end;
		enum escape_kind kind;
	} kinds[] = {
	    {".html", ESCAPE_HTML},  {".htm", ESCAPE_HTML},  {".md", ESCAPE_MARKDOWN},
	    {".xml", ESCAPE_XML},    {".json", ESCAPE_JSON}, {".tsv", ESCAPE_LINE},
	    {".prom", ESCAPE_LABEL},
	};
	const char *end = strrchr(file_name, '.');

	for (size_t i = 0; end && i < sizeof kinds / sizeof *kinds; i++)
		if (strcasecmp(end, kinds[i].end) == 0)
			return kinds[i].kind;
	return ESCAPE_NONE;
}
