/* cloud_http: one HTTP/1.1 exchange on a non-blocking socket, bounded in size. */
#include "collect/cloud/cloud_http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collect/procfs/scan.h"

/* -- the address ------------------------------------------------------------------------------- */

bool cloud_http_url(const char *url, struct sockaddr_in *to, const char **path)
{
	struct scan s = scan_text(url, strlen(url));
	char host[16];
	int port = 80;
	size_t n;

	if (!scan_literal(&s, "http://"))
		return false;
	n = strcspn(s.p, ":/");
	if (n >= sizeof host)
		return false;
	memcpy(host, s.p, n);
	host[n] = '\0';
	s.p += n;
	if (scan_literal(&s, ":") && (!scan_int(&s, &port) || port < 1 || port > 65535))
		return false;
	if (s.p < s.end && *s.p != '/')
		return false;
	*path = s.p;
	*to = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	if (strcmp(host, "localhost") == 0)
		to->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else if (inet_pton(AF_INET, host, &to->sin_addr) != 1)
		return false;
	return true;
}

/* -- parsing ----------------------------------------------------------------------------------- */

struct head {
	int status;
	bool chunked, has_length;
	size_t length, size; /* bytes of the body; bytes of the head */
};

static bool is_named(struct scan line, const char *name)
{
	size_t n = strlen(name);

	return (size_t)(line.end - line.p) > n && line.p[n] == ':' &&
	       strncasecmp(line.p, name, n) == 0;
}

static struct scan field_value(struct scan line, const char *name)
{
	line.p += strlen(name) + 1;
	scan_blanks(&line);
	while (line.end > line.p && (line.end[-1] == ' ' || line.end[-1] == '\t'))
		line.end--;
	return line;
}

/* Accepts digits only, up to the cap. */
static bool parse_length(struct scan s, size_t *out)
{
	uint64_t length;

	if (s.p == s.end || *s.p == ' ' || !scan_u64(&s, &length) || s.p != s.end ||
	    length > CLOUD_HTTP_MAX)
		return false;
	*out = (size_t)length;
	return true;
}

static int parse_field(struct scan line, struct head *h)
{
	static const char length[] = "Content-Length", coding[] = "Transfer-Encoding";
	size_t n = 0;

	if (is_named(line, length)) {
		if (!parse_length(field_value(line, length), &n) ||
		    (h->has_length && n != h->length))
			return -1;
		h->has_length = true;
		h->length = n;
	} else if (is_named(line, coding)) {
		struct scan value = field_value(line, coding);
		if (value.end - value.p != 7 || strncasecmp(value.p, "chunked", 7) != 0)
			return -1;
		h->chunked = true;
	}
	return 0;
}

static int parse_status(struct scan line, struct head *h)
{
	uint64_t status;

	if (!scan_literal(&line, "HTTP/1.") || line.p == line.end ||
	    (*line.p != '0' && *line.p != '1'))
		return -1;
	line.p++;
	if (line.p == line.end || *line.p != ' ' || !scan_u64(&line, &status) || status < 200 ||
	    status > 599)
		return -1;
	h->status = (int)status;
	return 0;
}

/* The next line, if its newline has arrived. */
static bool whole_line(struct scan *s, struct scan *line)
{
	if (s->p == s->end || !memchr(s->p, '\n', (size_t)(s->end - s->p)) || !scan_line(s, line))
		return false;
	if (line->end > line->p && line->end[-1] == '\r')
		line->end--;
	return true;
}

/* 1: complete; 0: incomplete; -1: malformed. */
static int parse_head(const char *text, size_t n, struct head *h)
{
	struct scan s = scan_text(text, n), line;

	*h = (struct head){0};
	if (!whole_line(&s, &line))
		return 0;
	if (parse_status(line, h))
		return -1;
	while (whole_line(&s, &line)) {
		if (line.p == line.end) {
			h->size = (size_t)(s.p - text);
			return 1;
		}
		if (parse_field(line, h))
			return -1;
	}
	return 0;
}

/* The size of a chunk, from its line; chunk extensions are ignored. */
static int chunk_size(struct scan line, size_t *out)
{
	size_t size = 0;
	const char *p = line.p;

	for (; p < line.end && scan_hex(*p) >= 0; p++) {
		size = size * 16 + (size_t)scan_hex(*p);
		if (size > CLOUD_HTTP_MAX)
			return -1;
	}
	if (p == line.p || (p < line.end && *p != ';' && *p != ' '))
		return -1;
	*out = size;
	return 0;
}

/* Walks the chunks and, if to is not NULL, joins them there. 1: complete, *n is the body's length;
 * 0: incomplete; -1: malformed. Trailers are ignored. */
static int walk_chunks(const char *text, size_t size, char *to, size_t *n)
{
	struct scan s = scan_text(text, size), line;
	size_t chunk;

	*n = 0;
	for (;;) {
		if (!whole_line(&s, &line))
			return 0;
		if (chunk_size(line, &chunk))
			return -1;
		if (chunk == 0)
			return 1;
		if ((size_t)(s.end - s.p) < chunk)
			return 0;
		if (to)
			memmove(to + *n, s.p, chunk);
		*n += chunk;
		s.p += chunk;
		if (!whole_line(&s, &line))
			return 0;
		if (line.p != line.end)
			return -1;
	}
}

int cloud_http_parse(char *text, size_t n, bool closed, struct cloud_answer *out)
{
	struct head h;
	int got = parse_head(text, n, &h);
	char *body;
	size_t there;

	if (got <= 0)
		return closed ? -1 : got;
	body = text + h.size;
	there = n - h.size;
	if (h.status == 204 || h.status == 304)
		there = 0;
	else if (h.chunked)
		got = walk_chunks(body, there, NULL, &h.length);
	else if (h.has_length)
		got = there >= h.length;
	else
		got = closed;
	if (got <= 0)
		return closed ? -1 : got;
	if (h.chunked && there)
		(void)walk_chunks(body, there, body, &there);
	else if (h.has_length && there > h.length)
		there = h.length;
	body[there] = '\0';
	*out = (struct cloud_answer){.status = h.status, .body = body, .n = there};
	return 1;
}

/* -- the exchange ------------------------------------------------------------------------------ */

int cloud_http_open(struct cloud_http *h, const struct sockaddr_in *to, const char *request,
                    size_t n, char *text)
{
	*h = (struct cloud_http){.fd = -1, .length = n, .text = text};
	if (n == 0 || n > sizeof h->request)
		return -1;
	memcpy(h->request, request, n);
	h->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (h->fd < 0)
		return -1;
	if (connect(h->fd, (const struct sockaddr *)to, sizeof *to) && errno != EINPROGRESS) {
		cloud_http_close(h);
		return -1;
	}
	return 0;
}

short cloud_http_events(const struct cloud_http *h)
{
	return h->sent < h->length ? POLLOUT : POLLIN;
}

static bool would_block(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* A failed connect(2) is reported here, by send(2). */
static int send_rest(struct cloud_http *h)
{
	while (h->sent < h->length) {
		ssize_t n = send(h->fd, h->request + h->sent, h->length - h->sent, MSG_NOSIGNAL);
		if (n < 0)
			return would_block() || errno == ENOTCONN ? 0 : -1;
		h->sent += (size_t)n;
	}
	return 1;
}

int cloud_http_step(struct cloud_http *h, struct cloud_answer *out)
{
	int got = send_rest(h);

	while (got > 0) {
		ssize_t n = recv(h->fd, h->text + h->n, CLOUD_HTTP_MAX - h->n, 0);
		if (n < 0)
			return would_block() ? 0 : -1;
		h->n += (size_t)n;
		got = cloud_http_parse(h->text, h->n, n == 0, out);
		if (got)
			return got;
		if (h->n == CLOUD_HTTP_MAX)
			return -1;
		got = 1;
	}
	return got;
}

void cloud_http_close(struct cloud_http *h)
{
	if (h->fd >= 0)
		close(h->fd);
	h->fd = -1;
}
