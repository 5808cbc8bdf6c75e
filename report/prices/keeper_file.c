/* keeper_file: answers of the Keeper API in one file. Each is a line "LENGTH KEY", its text with a
 * NUL behind it, and a line feed. */
#include "report/prices/keeper_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/gz.h"
#include "core/base/quantity.h"

#define MAGIC   "rtrack-keeper-file 1 "
#define KEY_MAX ((size_t)64 << 10)

void keeper_file_free(struct keeper_file *f)
{
	buf_free(&f->text);
}

/* No row has these, so the answer depends on them; with frameworks, on the vendors, too
 * (keeper.c). */
static bool is_kept(const char *param, bool frameworks)
{
	static const char *const kept[] = {
	    "regions=",  "vendor_regions=", "countries=",       "compliance_framework=",
	    "currency=", "benchmark_id=",   "benchmark_config="};

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (strncmp(param, kept[i], strlen(kept[i])) == 0)
			return true;
	return frameworks && strncmp(param, "vendor=", 7) == 0;
}

void keeper_file_key(const char *path, bool servers, struct buf *out)
{
	size_t n = servers ? strcspn(path, "?") : strlen(path);

	buf_add(out, path, n);
	for (const char *at = path + n; *at; at += strcspn(at, "&")) {
		at++;
		if (!is_kept(at, strstr(path, "compliance_framework=")))
			continue;
		buf_char(out, '&');
		buf_add(out, at, strcspn(at, "&"));
	}
}

void keeper_file_add(struct keeper_file *f, const char *path, bool servers, const char *body,
                     size_t n)
{
	struct buf key = {.max = KEY_MAX};

	f->text.max = KEEPER_FILE_MAX;
	if (!f->text.len) {
		buf_printf(&f->text, MAGIC "%.0f\n", f->saved_at);
		f->first = f->text.len;
	}
	keeper_file_key(path, servers, &key);
	buf_printf(&f->text, "%zu %s\n", n, buf_cstr(&key));
	buf_add(&f->text, body, n);
	buf_add(&f->text, "\0\n", 2);
	f->text.failed |= key.failed;
	buf_free(&key);
}

/* An answer of the text. */
struct entry {
	const char *key, *body;
	size_t key_n, n;
};

/* Reads the one at *at, and moves *at behind it; false at the end, and where the text is
 * damaged. */
static bool next_entry(const struct buf *text, size_t *at, struct entry *out)
{
	const char *p = buf_cstr(text) + *at;
	size_t left = text->len - *at;
	const char *lf = memchr(p, '\n', left < KEY_MAX ? left : KEY_MAX);
	double length;
	size_t digits = lf ? quantity_number(p, &length) : 0;

	if (!digits || digits != strspn(p, "0123456789") || p[digits] != ' ' || p + digits >= lf)
		return false;
	out->key = p + digits + 1;
	out->body = lf + 1;
	left -= (size_t)(out->body - p);
	if (left < 2 || length > (double)(left - 2))
		return false;
	out->n = (size_t)length;
	if (out->body[out->n] != '\0' || out->body[out->n + 1] != '\n')
		return false;
	out->key_n = (size_t)(lf - out->key);
	*at += (size_t)(out->body - p) + out->n + 2;
	return true;
}

static bool is_keyed(const struct entry *one, const char *key, size_t n)
{
	return one->key_n >= n && memcmp(one->key, key, n) == 0;
}

const char *keeper_file_get(const struct keeper_file *f, const char *path, bool servers, size_t *n,
                            bool *other)
{
	static const char scores[] = "&benchmark_id=";
	struct buf key = {.max = KEY_MAX};
	const char *found = NULL, *any = NULL, *measure;
	size_t at = f->first, any_n = 0, base;
	struct entry one;

	keeper_file_key(path, servers, &key);
	measure = strstr(buf_cstr(&key), scores);
	base = measure ? (size_t)(measure - buf_cstr(&key)) : key.len;
	while (next_entry(&f->text, &at, &one)) {
		if (is_keyed(&one, buf_cstr(&key), key.len) && one.key_n == key.len) {
			found = one.body;
			*n = one.n;
		} else if (is_keyed(&one, buf_cstr(&key), base) && one.key_n > base &&
		           strncmp(one.key + base, scores, sizeof scores - 1) == 0) {
			any = one.body;
			any_n = one.n;
		}
	}
	/* Without a benchmark in the path, the scores of any do no harm. */
	if (!found && any && !measure) {
		found = any;
		*n = any_n;
	}
	*other = any != NULL;
	buf_free(&key);
	return found;
}

int keeper_file_pack(const struct keeper_file *f, struct buf *out, struct err *e)
{
	if (f->text.failed)
		return err_set(e, "the answers are too large");
	return gz_pack(out, buf_cstr(&f->text), f->text.len, 9, e);
}

int keeper_file_parse(struct keeper_file *f, struct err *e)
{
	const char *text = buf_cstr(&f->text);
	const char *lf = memchr(text, '\n', f->text.len);
	struct entry one;
	size_t n, at;

	if (!lf || strncmp(text, MAGIC, sizeof MAGIC - 1) != 0)
		return err_set(e, "not a file of --keeper-save");
	n = quantity_number(text + sizeof MAGIC - 1, &f->saved_at);
	if (text + sizeof MAGIC - 1 + n != lf || !n || !(f->saved_at < 4e11))
		return err_set(e, "its date cannot be read");
	at = f->first = (size_t)(lf + 1 - text);
	while (at < f->text.len)
		if (!next_entry(&f->text, &at, &one))
			return err_set(e, "it is damaged (byte %zu)", at);
	return 0;
}

static int inflate_file(int fd, struct buf *out, struct err *e)
{
	struct gz_in *in = gz_in_new(fd, KEEPER_FILE_MAX, e);
	char piece[65536];
	long got = in ? 1 : -1;

	while (got > 0) {
		got = gz_read(in, piece, sizeof piece, e);
		if (got > 0)
			buf_add(out, piece, (size_t)got);
	}
	gz_in_free(in);
	return got == 0 && out->failed ? err_set(e, "no memory") : (int)got;
}

int keeper_file_read(struct keeper_file *f, const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;

	*f = (struct keeper_file){.text.max = KEEPER_FILE_MAX};
	if (fd < 0)
		return err_set(e, "%s: %s", path, strerror(errno));
	rc = inflate_file(fd, &f->text, e);
	if (!rc)
		rc = keeper_file_parse(f, e);
	close(fd);
	return rc ? err_wrap(e, "%s", path) : 0;
}
