/* http_reply: the headers of an answer. */
#include "report/http/http_reply.h"

#include <string.h>
#include <strings.h>

void http_reply_begin(struct http_reply *a)
{
	int tries = a->tries;

	*a = (struct http_reply){.body = "", .size = UINT64_MAX, .at = UINT64_MAX, .tries = tries};
}

static void set_value(char *to, size_t size, const char *v, size_t n)
{
	if (n > size - 1)
		n = size - 1;
	memcpy(to, v, n);
	to[n] = '\0';
}

/* Only digits, and no more than fit; else unknown. */
static uint64_t read_size(const char *v, size_t n)
{
	uint64_t size = 0;

	if (!n || n > 19)
		return UINT64_MAX;
	for (size_t i = 0; i < n; i++) {
		if (v[i] < '0' || v[i] > '9')
			return UINT64_MAX;
		size = size * 10 + (uint64_t)(v[i] - '0');
	}
	return size;
}

/* 4096 in "bytes 4096-8191/10000". */
static uint64_t read_first(const char *v, size_t n)
{
	static const char unit[] = "bytes ";
	const char *dash = memchr(v, '-', n);

	if (!dash || n < sizeof unit || strncasecmp(v, unit, sizeof unit - 1) != 0)
		return UINT64_MAX;
	v += sizeof unit - 1;
	return dash > v ? read_size(v, (size_t)(dash - v)) : UINT64_MAX;
}

/* Some servers send several. */
static void add_digest(struct http_reply *a, const char *v, size_t n)
{
	size_t held = strlen(a->digests);

	if (n + 1 < sizeof a->digests - held) {
		a->digests[held] = ' ';
		set_value(a->digests + held + 1, sizeof a->digests - held - 1, v, n);
	}
}

static bool is_digest(const char *name, size_t n)
{
	static const char amazon[] = "x-amz-checksum-";

	return (n == 11 && (strncasecmp(name, "Content-MD5", n) == 0 ||
	                    strncasecmp(name, "x-goog-hash", n) == 0)) ||
	       (n > sizeof amazon - 1 && strncasecmp(name, amazon, sizeof amazon - 1) == 0);
}

static bool is_header_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void http_reply_header(struct http_reply *a, const char *line, size_t n)
{
	const struct {
		const char *name;
		char *to;
		size_t size;
	} texts[] = {
	    {"ETag", a->etag, sizeof a->etag},
	    {"Content-Type", a->type, sizeof a->type},
	    {"x-amz-bucket-region", a->region, sizeof a->region},
	    {"x-amz-request-id", a->request_id, sizeof a->request_id},
	    {"Date", a->date, sizeof a->date},
	};
	const char *v = memchr(line, ':', n), *end = line + n, *slash;
	size_t name;

	if (n >= 5 && memcmp(line, "HTTP/", 5) == 0)
		http_reply_begin(a);
	else if (v) {
		name = (size_t)(v++ - line);
		while (v < end && is_header_blank(*v))
			v++;
		while (end > v && is_header_blank(end[-1]))
			end--;
		for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
			if (strlen(texts[i].name) == name &&
			    strncasecmp(line, texts[i].name, name) == 0)
				set_value(texts[i].to, texts[i].size, v, (size_t)(end - v));
		if (is_digest(line, name))
			add_digest(a, v, (size_t)(end - v));
		if (name == 14 && strncasecmp(line, "Content-Length", name) == 0 && !a->ranged)
			a->size = read_size(v, (size_t)(end - v));
		if (name != 13 || strncasecmp(line, "Content-Range", name) != 0)
			return;
		slash = memchr(v, '/', (size_t)(end - v));
		a->at = read_first(v, (size_t)(end - v));
		a->ranged = true;
		a->size = slash ? read_size(slash + 1, (size_t)(end - slash) - 1) : UINT64_MAX;
	}
}
