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
	return place_begins(place, s3)      ? STORE_S3
	       : place_begins(place, https) ? STORE_HTTPS
	                                    : STORE_NONE;
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

/* Some tools take s3://KEY:SECRET@bucket, and the secret may have a slash: so a bucket with a colon
 * is not shown, "@" or not. A key is shown as it is. */
const char *store_address_shown(const char *place, char out[STORE_SHOWN_MAX])
{
	static const char more[] = "…";
	enum store_kind kind = store_kind_of(place);
	const char *bucket = kind == STORE_S3 ? place + strlen(s3) : "", *at, *shown;
	size_t n = strcspn(bucket, "/"), room = STORE_SHOWN_MAX - sizeof more;
	struct buf address = {0};

	at = memrchr(bucket, '@', n);
	if (at || memchr(bucket, ':', n))
		buf_printf(&address, "%s***%s", s3, memchr(bucket, ':', n) ? "" : at);
	else
		buf_str(&address, place);
	if (address.len && kind == STORE_HTTPS)
		err_hide_address(address.s);
	shown = buf_cstr(&address);
	n = kind == STORE_HTTPS ? strcspn(shown, "?#") : strlen(shown);
	snprintf(out, STORE_SHOWN_MAX, "%.*s%s", (int)(n < room ? n : room), shown,
	         n <= room ? "" : more);
	buf_free(&address);
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
