/* store_address: s3://bucket/key → its parts, and keys as URLs have them. */
#include "report/input/store_address.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char s3[] = "s3://", https[] = "https://";

static bool place_begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

enum store_kind store_kind_of(const char *place)
{
	if (place_begins(place, s3))
		return STORE_S3;
	return place_begins(place, https) ? STORE_HTTPS : STORE_NONE;
}

/* AWS allows fewer names; other stores allow these, too. Exactly the names that fit into the path
 * of a URL as they are. */
static bool is_bucket(const char *name, size_t n)
{
	if (n == 0 || n >= STORE_BUCKET_MAX || (n == 1 && *name == '.') ||
	    (n == 2 && strncmp(name, "..", 2) == 0))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("-._", name[i]))
			return false;
	return true;
}

int store_address_parse(struct store_address *a, const char *place, struct err *e)
{
	char shown[STORE_SHOWN_MAX];
	const char *bucket = place + strlen(s3), *key;
	size_t n;

	*a = (struct store_address){.bucket = ""};
	store_address_shown(place, shown);
	if (store_kind_of(place) != STORE_S3)
		return err_set(e, "%s: this is not s3://BUCKET/KEY", shown);
	n = strcspn(bucket, "/");
	if (!is_bucket(bucket, n))
		return err_set(
		    e, "%s: no bucket can have this name (letters, digits, '-', '.', '_')", shown);
	key = bucket + n + (bucket[n] == '/');
	if (strlen(key) >= STORE_KEY_MAX)
		return err_set(e, "%s: the key is longer than %d bytes", shown, STORE_KEY_MAX - 1);
	for (const char *c = key; *c; c++)
		if (iscntrl((unsigned char)*c))
			return err_set(e, "%s: the key has a control character", shown);
	memcpy(a->bucket, bucket, n);
	memcpy(a->key, key, strlen(key));
	return 0;
}

/* Some tools take s3://KEY:SECRET@bucket, and a URL may have a password before its host; so nothing
 * up to the '@' is shown, and nothing at all if the bucket has a colon: a secret may have a slash.
 */
const char *store_address_shown(const char *place, char out[STORE_SHOWN_MAX])
{
	static const char more[] = "…";
	static const char *const schemes[] = {
	    [STORE_NONE] = "", [STORE_S3] = s3, [STORE_HTTPS] = https};
	enum store_kind kind = store_kind_of(place);
	const char *scheme = schemes[kind];
	const char *from = place + strlen(scheme), *hidden = "";
	size_t authority = strcspn(from, kind == STORE_HTTPS ? "/?#" : "/"), n, room;

	bool secret = kind == STORE_S3 || (kind == STORE_HTTPS && from[authority] &&
	                                   from[authority] != '/' && strchr(from, '@'));

	/* An https:// address may have a password with '?' or '#'. */
	if (secret && memchr(from, ':', authority)) {
		from += strlen(from);
		hidden = "***";
	}
	for (size_t i = 0; kind != STORE_NONE && i < authority && *from; i++)
		if (from[i] == '@') {
			from += i + 1;
			authority -= i + 1;
			i = (size_t)-1;
			hidden = "***@";
		}
	n = kind == STORE_HTTPS ? strcspn(from, "?#") : strlen(from);
	room = STORE_SHOWN_MAX - 1 - strlen(scheme) - strlen(hidden) - strlen(more);
	snprintf(out, STORE_SHOWN_MAX, "%s%s%.*s%s", scheme, hidden, (int)(n < room ? n : room),
	         from, n <= room ? "" : more);
	return out;
}

bool store_address_is_glob(const struct store_address *a)
{
	const char *slash = strrchr(a->key, '/');

	return strpbrk(slash ? slash : a->key, "*?[") != NULL;
}

void store_address_encode(struct buf *out, const char *key)
{
	for (const char *c = key; *c; c++)
		if (isalnum((unsigned char)*c) || strchr("-._~/", *c))
			buf_char(out, *c);
		else
			buf_printf(out, "%%%02X", (unsigned char)*c);
}
