/* store_find: the recordings that a SOURCE in an object store stands for. */
#include "report/store/store_find.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "report/store/store_pieces.h"

static const char *name_in(const char *key)
{
	const char *slash = strrchr(key, '/');

	return slash ? slash + 1 : key;
}

bool store_find_is_many(const struct store_address *a)
{
	size_t n = strlen(a->key);

	return !n || a->key[n - 1] == '/' || store_address_is_glob(a);
}

int store_find_source(const struct store_find_taker *t, const char *source, size_t *n,
                      struct err *e)
{
	struct store_address a;
	struct buf prefix = {0};
	int failed = 0;

	*n = 0;
	if (store_address_parse(&a, source, e))
		return -1;
	if (store_find_is_many(&a))
		failed = t->many(t->ctx, source, n, e);
	if (!failed && !*n && (store_address_is_glob(&a) || !store_find_is_many(&a)))
		failed = t->one(t->ctx, source, n, e);
	if (failed || *n || store_find_is_many(&a))
		return failed;
	buf_printf(&prefix, "%s/", source);
	failed = prefix.failed ? err_set(e, "%s: no memory to list it", source)
	                       : t->many(t->ctx, buf_cstr(&prefix), n, e);
	buf_free(&prefix);
	return failed;
}

int store_find_begin(struct store_find *f, const char *place, struct err *e)
{
	if (store_address_parse(&f->at, place, e))
		return -1;
	f->key_at = sizeof "s3:///" - 1 + strlen(f->at.bucket);
	f->literal = strlen(f->at.key);
	if (store_address_is_glob(&f->at)) {
		f->pattern = name_in(f->at.key);
		f->literal = (size_t)(f->pattern - f->at.key) + strcspn(f->pattern, STORE_GLOB);
	}
	return 0;
}

/* Whether the glob, if there is one, has this key. */
static bool matches(const struct store_find *f, const char *key)
{
	size_t folder = f->pattern ? (size_t)(f->pattern - f->at.key) : 0;

	return !f->pattern || (strncmp(key, f->at.key, folder) == 0 &&
	                       fnmatch(f->pattern, key + folder, FNM_PATHNAME | FNM_PERIOD) == 0);
}

/* Remembers which beginnings of this key are keys of objects. Those that stand before it in the
 * order of keys have been listed. */
static void note_key(struct store_find *f, const char *key)
{
	size_t same = 0, n = strlen(key);

	while (key[same] && key[same] == f->key[same])
		same++;
	memset(f->whole + same + 1, 0, (sizeof f->whole / sizeof *f->whole - same - 1));
	memcpy(f->key, key, n + 1);
	f->whole[n] = true;
}

/* -- pieces ------------------------------------------------------------------------------------ */

/* Hands over the pieces that were listed, unless the whole object is there. */
static int end_pieces(struct store_find *f, struct err *e)
{
	struct store_found pieces = f->pieces;
	char key[STORE_KEY_MAX];
	const char *folder = f->folder + f->key_at;
	size_t n = f->pieces_key;

	f->pieces = (struct store_found){.size = 0};
	if (!pieces.pieces)
		return 0;
	snprintf(key, sizeof key, "%.*s", (int)n, folder);
	if ((strncmp(f->key, key, n) == 0 && f->whole[n]) || *name_in(key) == '.' ||
	    (!matches(f, key) && !matches(f, folder)))
		return 0;
	pieces.address = f->folder;
	pieces.tag = f->tag;
	f->n++;
	return f->each(f->ctx, &pieces, e);
}

/* A folder without a piece at 0 is what is left of one that is being deleted. */
static int add_piece(struct store_find *f, const struct store_object *o, size_t folder, uint64_t at,
                     struct err *e)
{
	struct store_found *p = &f->pieces;

	if (!p->pieces || strlen(f->folder) != folder - 1 ||
	    strncmp(f->folder, o->address, folder - 1) != 0) {
		if (end_pieces(f, e))
			return -1;
		if (at != 0)
			return 0;
		p->pieces = true;
		f->pieces_key = store_pieces_key(o->address, folder) - f->key_at;
		snprintf(f->folder, sizeof f->folder, "%.*s", (int)folder - 1, o->address);
	}
	p->size += o->size;
	p->modified = o->modified > p->modified ? o->modified : p->modified;
	memcpy(f->tag, o->tag, sizeof f->tag);
	return 0;
}

/* -- all objects ------------------------------------------------------------------------------- */

int store_find_object(void *find, const struct store_object *o, struct err *e)
{
	struct store_find *f = find;
	const char *key = o->address + f->key_at;
	struct store_found found = {
	    .address = o->address, .size = o->size, .modified = o->modified, .tag = o->tag};
	uint64_t at;
	size_t folder;

	if (strlen(o->address) < f->key_at || strlen(key) >= sizeof f->key)
		return err_set(e, "%s: the key is too long", o->address);
	/* A bucket may have such a name, too. */
	if (store_pieces_parse(o->address, &folder, &at) && folder > f->key_at)
		return add_piece(f, o, folder, at, e);
	if (end_pieces(f, e))
		return -1;
	note_key(f, key);
	if (!matches(f, key) || (!f->pattern && !f->is_recording(name_in(key))))
		return 0;
	f->n++;
	return f->each(f->ctx, &found, e);
}

int store_find_end(struct store_find *f, struct err *e)
{
	return end_pieces(f, e);
}

int store_find(const struct store *s, const char *place, struct store_find *f, struct err *e)
{
	struct buf prefix = {0};
	int failed = store_find_begin(f, place, e);

	if (failed)
		return -1;
	buf_printf(&prefix, "s3://%s/%.*s", f->at.bucket, (int)f->literal, f->at.key);
	failed = prefix.failed ? err_set(e, "%s: no memory to list it", place)
	                       : store_list(s, buf_cstr(&prefix), store_find_object, f, e) ||
	                             store_find_end(f, e);
	buf_free(&prefix);
	return failed ? -1 : 0;
}
