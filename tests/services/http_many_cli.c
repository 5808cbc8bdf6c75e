/* http_many_cli: sends the requests of standard input, many at the same time, for http_many.test.mjs.
 *
 * http_many_cli AT_ONCE LIMIT_MS [quiet | wake | WAIT_MS]
 *
 * A line of standard input is a request, its words separated by blanks: METHOD URL [NAME=VALUE …]
 * with header=NAME:VALUE, sign=ACCESS:SECRET:REGION, clear=1, text=BODY (its real digest is sent),
 * file=PATH:FROM:N, max=BYTES, sink=BYTES (ends after so many; 0: takes all), tries=N, connect=MS,
 * stall=SECONDS, try=MS, if-reached=1, gzip=1, times=N (the same again), then=URL (a GET of this once
 * it has ended) and digest=1 (adds x-amz-content-sha256). Prints one line of JSON for each, as they end, and one for all. quiet:
 * only that of all. wake, WAIT_MS: the requests end with an empty line; works once, until there is
 * more on standard input, or for so long. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/sha256.h"
#include "core/json/json_write.h"
#include "report/http/http_many.h"

#define PRINTED_MAX 400 /* of a body */

struct asked {
	struct http_call call;
	struct http_sign sign;
	size_t n_headers, index;
	uint64_t sunk, sink_max;
	struct buf got; /* of the sink */
	bool digest;
	char *then;
	unsigned long times;
	void *text; /* its own, of the line or of a header */
	struct asked *next;
};

static bool quiet;
static struct http_many *many;
static size_t calls;
static struct asked *all;

static const char *value_of(const char *word, const char *name)
{
	size_t n = strlen(name);

	return strncmp(word, name, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

static int take(void *ctx, long status, const char *piece, size_t n)
{
	struct asked *a = ctx;

	(void)status;
	a->sunk += n;
	if (a->got.len < PRINTED_MAX)
		buf_add(&a->got, piece, n);
	return a->sink_max && a->sunk >= a->sink_max;
}

static void key_text(struct buf *b, const char *key, const char *text)
{
	buf_printf(b, ",\"%s\":", key);
	json_write_quote(b, text, strlen(text));
}

static void print_end(struct http_call *c, const struct http_reply *r, const struct err *why)
{
	struct asked *a = c->ctx;
	struct buf b = {0};
	size_t n = r->len < PRINTED_MAX ? r->len : PRINTED_MAX;

	if (!quiet) {
		buf_printf(&b, "{\"index\":%zu,\"status\":%ld,\"tries\":%d,\"len\":%zu", a->index,
		           r->status, r->tries, r->len);
		if (r->size != UINT64_MAX)
			buf_printf(&b, ",\"size\":%llu", (unsigned long long)r->size);
		buf_printf(&b, ",\"sunk\":%llu,\"body\":", (unsigned long long)a->sunk);
		if (a->got.len)
			json_write_quote(&b, a->got.s, a->got.len);
		else
			json_write_quote(&b, r->body, n);
		key_text(&b, "etag", r->etag);
		key_text(&b, "type", r->type);
		key_text(&b, "region", r->region);
		key_text(&b, "request_id", r->request_id);
		key_text(&b, "date", r->date);
		key_text(&b, "why", why ? why->msg : "");
		printf("%s}\n", buf_cstr(&b));
		buf_free(&b);
	}
	buf_free(&a->got);
	calls++;
	if (!a->then)
		return;
	c->method = "GET";
	c->url = a->then;
	a->then = NULL;
	http_many_add(many, c, NULL);
}

static void add_head(struct asked *a, const char *text)
{
	if (a->n_headers < HTTP_HEADERS_MAX)
		a->call.headers[a->n_headers++] = text;
}

static void read_file_part(struct asked *a, char *text)
{
	a->call.sent_fd = open(strsep(&text, ":"), O_RDONLY | O_CLOEXEC);
	a->call.sent_at = strtoull(strsep(&text, ":"), NULL, 10);
	a->call.sent_n = strtoull(text, NULL, 10);
}

static void read_word(struct asked *a, char *word)
{
	char *v;

	if ((v = (char *)value_of(word, "header"))) {
		for (char *p = v; (p = strchr(p, '~')); p++)
			*p = ' ';
		add_head(a, v);
	} else if ((v = (char *)value_of(word, "sign"))) {
		a->sign.access = strsep(&v, ":");
		a->sign.secret = strsep(&v, ":");
		a->sign.region = v;
		a->sign.service = "s3";
		a->call.sign = &a->sign;
	} else if (value_of(word, "clear"))
		a->call.clear = true;
	else if ((v = (char *)value_of(word, "text"))) {
		a->call.sent = v;
		a->call.sent_n = strlen(v);
	} else if ((v = (char *)value_of(word, "file")))
		read_file_part(a, v);
	else if ((v = (char *)value_of(word, "max")))
		a->call.body_max = strtoull(v, NULL, 10);
	else if ((v = (char *)value_of(word, "sink"))) {
		a->call.sink = take;
		a->sink_max = strtoull(v, NULL, 10);
	} else if ((v = (char *)value_of(word, "tries")))
		a->call.tries = (int)strtol(v, NULL, 10);
	else if ((v = (char *)value_of(word, "connect")))
		a->call.connect_ms = strtol(v, NULL, 10);
	else if ((v = (char *)value_of(word, "stall")))
		a->call.stall_s = strtol(v, NULL, 10);
	else if ((v = (char *)value_of(word, "try")))
		a->call.try_ms = strtol(v, NULL, 10);
	else if (value_of(word, "if-reached"))
		a->call.if_reached = true;
	else if (value_of(word, "gzip"))
		a->call.gzip = true;
	else if ((v = (char *)value_of(word, "then")))
		a->then = v;
	else if ((v = (char *)value_of(word, "times")))
		a->times = strtoul(v, NULL, 10);
	else if (value_of(word, "digest"))
		a->digest = true;
}

/* Until the end. */
static void keep(void *text)
{
	struct asked *a = calloc(1, sizeof *a);

	if (!a)
		exit(1);
	a->text = text;
	a->next = all;
	all = a;
}

static void free_all(void)
{
	struct asked *a;

	while ((a = all)) {
		all = a->next;
		free(a->text);
		free(a);
	}
}

static void add_digest(struct asked *a)
{
	struct http_call *c = &a->call;
	struct sha256 s;
	char hex[SHA256_HEX], piece[65536], *head;

	sha256_begin(&s);
	if (c->sent)
		sha256_add(&s, c->sent, c->sent_n);
	else
		for (uint64_t at = 0; at < c->sent_n;) {
			size_t n =
			    c->sent_n - at < sizeof piece ? (size_t)(c->sent_n - at) : sizeof piece;
			ssize_t got = pread(c->sent_fd, piece, n, (off_t)(c->sent_at + at));
			if (got <= 0)
				break;
			sha256_add(&s, piece, (size_t)got);
			at += (uint64_t)got;
		}
	sha256_end(&s, hex);
	if (asprintf(&head, "x-amz-content-sha256: %s", hex) > 0) {
		add_head(a, head);
		keep(head);
	}
}

static int read_request(char *line, size_t *index)
{
	struct asked one = {.times = 1}, *a;
	char *word;

	line[strcspn(line, "\n")] = '\0';
	one.call.method = strsep(&line, " ");
	one.call.url = strsep(&line, " ");
	while ((word = strsep(&line, " ")))
		read_word(&one, word);
	if (one.digest)
		add_digest(&one);
	for (unsigned long i = 0; i < one.times; i++) {
		if (!(a = malloc(sizeof *a)))
			return -1;
		*a = one;
		a->next = all;
		all = a;
		a->index = (*index)++;
		a->call.ctx = a;
		a->call.sink_ctx = a;
		a->call.done = print_end;
		if (a->call.sign)
			a->call.sign = &a->sign;
		if (http_many_add(many, &a->call, NULL))
			return -1;
	}
	return 0;
}

/* -1 at the end of the requests. */
static int read_line(size_t *index)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t got = getline(&line, &cap, stdin);

	keep(line);
	return got > 1 ? read_request(line, index) : -1;
}

int main(int argc, char **argv)
{
	struct err e = {0};
	size_t index = 0;

	signal(SIGPIPE, SIG_IGN);
	if (argc < 3)
		return 2;
	quiet = argc > 3 && strcmp(argv[3], "quiet") == 0;
	many = http_many_new((unsigned)strtoul(argv[1], NULL, 10), strtol(argv[2], NULL, 10), &e);
	if (!many)
		return 1;
	while (read_line(&index) == 0)
		continue;
	if (argc > 3 && !quiet)
		http_many_work(many, STDIN_FILENO,
		               *argv[3] == 'w' ? -1 : (int)strtol(argv[3], NULL, 10));
	else
		while (http_many_work(many, -1, -1))
			continue;
	printf("{\"calls\":%zu,\"sent\":%llu}\n", calls, (unsigned long long)http_many_sent(many));
	http_many_free(many);
	free_all();
	return 0;
}
