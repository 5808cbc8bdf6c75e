/* s3_list: one page of the list of a bucket's objects. */
#include "report/store/s3_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/iso_time.h"
#include "report/aws_keys/s3_xml.h"
#include "report/store/store_protocol.h"

#define BODY_MAX ((size_t)16 << 20) /* 1,000 keys of 1,024 bytes, each as %XX, are 4 MB */

/* -- the XML ----------------------------------------------------------------------------------- */

struct list_walk {
	struct s3_list_page *page;
	bool is_list, encoded, truncated;
	bool has_key, has_size;
	char key[STORE_KEY_MAX], last[STORE_KEY_MAX], etag[160];
	struct s3_list_object object;
};

/* An element about the whole page may stand anywhere in it. */
static int note_page(void *ctx, const char *path, const char *text, struct err *e)
{
	struct list_walk *w = ctx;

	(void)e;
	if (strcmp(path, "ListBucketResult") == 0)
		w->is_list = true;
	else if (strcmp(path, "ListBucketResult/EncodingType") == 0)
		w->encoded = strcmp(text, "url") == 0;
	else if (strcmp(path, "ListBucketResult/IsTruncated") == 0)
		w->truncated = strcmp(text, "true") == 0;
	return 0;
}

static int key_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* AWS writes a blank as '+'. False if it is not a key: too long, or with a NUL. */
static bool decode_key(const char *text, bool encoded, char out[STORE_KEY_MAX])
{
	size_t n = 0;

	for (const char *p = text; *p; p++) {
		char c = *p;
		if (encoded && c == '+')
			c = ' ';
		if (encoded && c == '%') {
			int high = key_digit(p[1]), low = high < 0 ? -1 : key_digit(p[2]);
			if (low < 0 || !(high | low))
				return false;
			c = (char)(high * 16 + low);
			p += 2;
		}
		if (n + 1 == STORE_KEY_MAX)
			return false;
		out[n++] = c;
	}
	out[n] = '\0';
	return n > 0;
}

static bool read_object_size(const char *text, uint64_t *size)
{
	char *end;

	if (*text < '0' || *text > '9' || strlen(text) > 19)
		return false;
	*size = strtoull(text, &end, 10);
	return !*end;
}

static int end_object(struct list_walk *w, struct err *e)
{
	struct s3_list_page *p = w->page;

	if (!w->has_key || !w->has_size)
		return err_set(e, "the list has an object without a valid key or size");
	if (strncmp(w->key, p->prefix, strlen(p->prefix)) != 0)
		return err_set(e, "the list has a key that was not asked for");
	if (p->n == STORE_LIST_PAGE)
		return err_set(e, "the list has more than %d keys on a page", STORE_LIST_PAGE);
	if (strcmp(w->key, w->last) <= 0)
		return err_set(e, "the list is not in the order of its keys");
	memcpy(w->last, w->key, sizeof w->last);
	p->n++;
	w->object.key = w->key;
	w->object.etag = w->etag;
	if (p->each(p->ctx, &w->object, e))
		return -1;
	w->has_key = w->has_size = false;
	w->etag[0] = '\0';
	w->object = (struct s3_list_object){.modified = NAN};
	return 0;
}

static int note_object(void *ctx, const char *path, const char *text, struct err *e)
{
	static const char in[] = "ListBucketResult/Contents";
	struct list_walk *w = ctx;
	const char *name = path + sizeof in;

	if (strncmp(path, in, sizeof in - 1) != 0)
		return 0;
	if (!path[sizeof in - 1])
		return end_object(w, e);
	if (strcmp(name, "Key") == 0)
		w->has_key = decode_key(text, w->encoded, w->key);
	else if (strcmp(name, "Size") == 0)
		w->has_size = read_object_size(text, &w->object.size);
	else if (strcmp(name, "LastModified") == 0)
		w->object.modified = iso_time_read(text);
	else if (strcmp(name, "ETag") == 0)
		snprintf(w->etag, sizeof w->etag, "%s", text);
	return 0;
}

int s3_list_parse(struct s3_list_page *p, const char *xml, size_t n, struct err *e)
{
	struct list_walk w = {.page = p, .object.modified = NAN};

	p->n = 0;
	p->further = false;
	snprintf(w.last, sizeof w.last, "%s", p->after);
	if (s3_xml_walk(xml, n, note_page, &w, e))
		return -1;
	if (!w.is_list)
		return err_set(e, "the answer is not a list of objects");
	if (s3_xml_walk(xml, n, note_object, &w, e))
		return -1;
	if (w.truncated && !p->n)
		return err_set(e, "the list has a page without objects before its end");
	p->further = w.truncated;
	return 0;
}

/* -- asking for it ----------------------------------------------------------------------------- */

struct list_answer {
	struct s3_list_page *page;
	int rc;
	struct err why;
};

static void on_list(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct list_answer *answer = r->ctx;
	struct err e;

	answer->rc = -1;
	if (why)
		answer->why = *why;
	else if (a->status != 200)
		s3_client_refused(r, a, &answer->why);
	else if ((answer->rc = s3_list_parse(answer->page, a->body, a->len, &e)))
		s3_client_failed(r, &e, &answer->why);
}

int s3_list_fetch(struct s3_client *c, const struct store_address *to, struct s3_list_page *p,
                  struct err *e)
{
	struct list_answer answer = {.page = p};
	struct buf query = {0};
	struct s3_request r = {.to = *to,
	                       .of_bucket = true,
	                       .doing = S3_LISTING,
	                       .method = "GET",
	                       .body_max = BODY_MAX,
	                       .done = on_list,
	                       .ctx = &answer};
	int rc;

	buf_str(&query, "encoding-type=url&list-type=2&max-keys=1000");
	s3_client_query(&query, "prefix", p->prefix);
	if (*p->after)
		s3_client_query(&query, "start-after", p->after);
	r.query = buf_cstr(&query);
	rc = query.failed ? err_set(e, "no memory") : s3_client_run(c, &r, e);
	buf_free(&query);
	if (rc)
		return -1;
	return answer.rc ? err_set(e, "%s", answer.why.msg) : 0;
}
