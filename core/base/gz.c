/* gz: the one door to zlib. */
#include "core/base/gz.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define WINDOW    65536
#define RAW_SLACK ((uint64_t)1 << 20)
#define RAW_FIRST 8192 /* of a descriptor: most files are read for their beginning */

struct gz_in {
	struct gz_source from;
	int fd; /* of the source that reads a descriptor */
	bool started, plain, ended, eof;
	bool stated;         /* gz_member_size */
	uint64_t max, total; /* inflated bytes */
	uint64_t taken;      /* raw bytes */
	z_stream z;
	unsigned char raw[WINDOW];
};

struct gz_head {
	z_stream z;
};

struct gz_out {
	int fd;
	bool plain;
	size_t n; /* plain bytes in .raw */
	z_stream z;
	unsigned char raw[WINDOW];
};

static long read_descriptor(void *ctx, uint64_t at, void *p, size_t n, struct err *e)
{
	const struct gz_in *g = ctx;
	ssize_t got;

	/* It may be a pipe: read(2) follows on its own. */
	if (n > at + RAW_FIRST)
		n = (size_t)at + RAW_FIRST;
	do
		got = read(g->fd, p, n);
	while (got < 0 && errno == EINTR);
	return got < 0 ? err_set(e, "cannot be read: %s", strerror(errno)) : (long)got;
}

struct gz_in *gz_in_new(int fd, uint64_t max, struct err *e)
{
	struct gz_in *g = gz_in_from(&(struct gz_source){.read = read_descriptor}, max, e);

	if (g) {
		g->from.ctx = g;
		g->fd = fd;
	}
	return g;
}

struct gz_in *gz_in_from(const struct gz_source *from, uint64_t max, struct err *e)
{
	struct gz_in *g = malloc(sizeof *g);

	if (g)
		memset(g, 0, offsetof(struct gz_in, raw));
	if (!g || inflateInit2(&g->z, 15 + 16) != Z_OK) {
		free(g);
		err_set(e, "no memory to read a gzip file");
		return NULL;
	}
	g->from = *from;
	g->max = max;
	return g;
}

struct gz_in *gz_in_text(const char *text, size_t n, uint64_t max, struct err *e)
{
	struct gz_in *g = n <= 1u << 30 ? calloc(1, sizeof *g) : NULL;

	if (!g) {
		err_set(e, "no memory to read a text");
		return NULL;
	}
	g->max = max;
	g->started = g->plain = g->eof = true;
	g->z.next_in = (z_const unsigned char *)text;
	g->z.avail_in = (unsigned)n;
	return g;
}

/* Reads more raw bytes after the ones that are not consumed yet. */
static int read_compressed(struct gz_in *g, struct err *e)
{
	size_t room = sizeof g->raw - g->z.avail_in;
	long n;

	memmove(g->raw, g->z.next_in ? g->z.next_in : g->raw, g->z.avail_in);
	g->z.next_in = g->raw;
	n = g->from.read(g->from.ctx, g->taken, g->raw + g->z.avail_in, room, e);
	if (n < 0)
		return -1;
	g->eof = n == 0;
	g->taken += (uint64_t)n;
	/* Empty blocks or members without end inflate to nothing: cap the raw bytes too. */
	if (g->taken > g->max + RAW_SLACK)
		return err_set(e, "more than %llu MiB of compressed data",
		               (unsigned long long)(g->max >> 20));
	g->z.avail_in += (unsigned)n;
	return 0;
}

/* The header of a member with one subfield, "RT": 8 bytes, the size of the member. */
static const unsigned char stated_head[GZ_MEMBER_HEAD - 8] = {0x1f, 0x8b, 8,  4, 0,   0,   0, 0,
                                                              0,    3,    12, 0, 'R', 'T', 8, 0};

uint64_t gz_member_size(const void *p, size_t n)
{
	const unsigned char *head = p;
	uint64_t size = 0;

	if (n < GZ_MEMBER_HEAD || memcmp(head, stated_head, sizeof stated_head) != 0)
		return 0;
	for (int i = 7; i >= 0; i--)
		size = size << 8 | head[sizeof stated_head + (size_t)i];
	return size;
}

bool gz_member_begins(const void *p, size_t n)
{
	return memcmp(p, stated_head, n < sizeof stated_head ? n : sizeof stated_head) == 0;
}

int gz_member_state(struct buf *out, const char *p, size_t n)
{
	static const unsigned char plain_head[4] = {0x1f, 0x8b, 8, 0};
	uint64_t size = n - 10 + GZ_MEMBER_HEAD;
	unsigned char bytes[8];

	if (n < 18 || memcmp(p, plain_head, sizeof plain_head) != 0)
		return -1;
	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(size >> 8 * i);
	buf_add(out, stated_head, sizeof stated_head);
	buf_add(out, bytes, sizeof bytes);
	buf_add(out, p + 10, n - 10);
	return out->failed ? -1 : 0;
}

bool gz_in_is_stated(const struct gz_in *g)
{
	return g->stated;
}

/* A pipe may deliver only one byte at first. */
static int detect_format(struct gz_in *g, struct err *e)
{
	g->z.next_in = g->raw;
	while (g->z.avail_in < GZ_MEMBER_HEAD && !g->eof)
		if (read_compressed(g, e))
			return -1;
	g->plain = g->z.avail_in < 2 || g->raw[0] != 0x1f || g->raw[1] != 0x8b;
	g->stated = gz_member_size(g->raw, g->z.avail_in) != 0;
	g->started = true;
	return 0;
}

static long read_plain(struct gz_in *g, char *p, size_t n, struct err *e)
{
	if (!g->z.avail_in && !g->eof && read_compressed(g, e))
		return -1;
	if (n > g->z.avail_in)
		n = g->z.avail_in;
	memcpy(p, g->z.next_in, n);
	g->z.next_in += n;
	g->z.avail_in -= (unsigned)n;
	return (long)n;
}

/* Behind a gzip member comes the end, or another member: concatenated files have several. */
static int next_member(struct gz_in *g, struct err *e)
{
	while (!g->stated && g->z.avail_in < 2 && !g->eof)
		if (read_compressed(g, e))
			return -1;
	if (!g->stated && g->z.avail_in >= 2 && g->z.next_in[0] == 0x1f && g->z.next_in[1] == 0x8b)
		return inflateReset(&g->z) == Z_OK ? 0 : err_set(e, "no memory");
	g->ended = true;
	return 0;
}

static long read_gzip(struct gz_in *g, char *p, size_t n, struct err *e)
{
	g->z.next_out = (unsigned char *)p;
	g->z.avail_out = (unsigned)n;
	while (g->z.avail_out == n && !g->ended) {
		int r;
		if (!g->z.avail_in && !g->eof && read_compressed(g, e))
			return -1;
		if (!g->z.avail_in)
			return err_set(e,
			               "the gzip data end too early, after %llu bytes of content",
			               (unsigned long long)g->total);
		r = inflate(&g->z, Z_NO_FLUSH);
		if (r == Z_STREAM_END && next_member(g, e))
			return -1;
		if (r == Z_MEM_ERROR)
			return err_set(e, "no memory to read gzip data");
		if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
			return err_set(e, "damaged gzip data after %llu bytes of content: %s",
			               (unsigned long long)(g->total + n - g->z.avail_out),
			               g->z.msg ? g->z.msg : "unknown error");
	}
	return (long)(n - g->z.avail_out);
}

long gz_read(struct gz_in *g, char *p, size_t n, struct err *e)
{
	long got;

	if (n > 1u << 30)
		n = 1u << 30;
	if (!n || (!g->started && detect_format(g, e)))
		return n ? -1 : 0;
	got = g->plain ? read_plain(g, p, n, e) : read_gzip(g, p, n, e);
	if (got > 0)
		g->total += (uint64_t)got;
	if (g->total > g->max)
		return err_set(e, "more than %llu MiB of content",
		               (unsigned long long)(g->max >> 20));
	return got;
}

uint64_t gz_in_total(const struct gz_in *g)
{
	return g->total > g->taken ? g->total : g->taken;
}

void gz_in_free(struct gz_in *g)
{
	if (!g)
		return;
	inflateEnd(&g->z);
	free(g);
}

struct gz_head *gz_head_new(struct err *e)
{
	struct gz_head *g = calloc(1, sizeof *g);

	if (!g || inflateInit2(&g->z, 15 + 16) != Z_OK) {
		free(g);
		err_set(e, "no memory to read a gzip file");
		return NULL;
	}
	return g;
}

long gz_head_read(struct gz_head *g, const void *raw, size_t n, char *out, size_t max)
{
	const unsigned char *magic = raw;
	int r;

	if (n < 2 || magic[0] != 0x1f || magic[1] != 0x8b) {
		n = n < max ? n : max;
		memcpy(out, raw, n);
		return (long)n;
	}
	g->z.next_in = (z_const unsigned char *)raw;
	g->z.avail_in = (unsigned)n;
	g->z.next_out = (unsigned char *)out;
	g->z.avail_out = (unsigned)max;
	r = inflateReset(&g->z) == Z_OK ? inflate(&g->z, Z_SYNC_FLUSH) : Z_MEM_ERROR;
	return r == Z_OK || r == Z_STREAM_END || r == Z_BUF_ERROR ? (long)(max - g->z.avail_out)
	                                                          : -1;
}

void gz_head_free(struct gz_head *g)
{
	if (!g)
		return;
	inflateEnd(&g->z);
	free(g);
}

long gz_zlib_head(const void *raw, size_t n, char *out, size_t max)
{
	z_stream z = {.next_in = (z_const unsigned char *)raw,
	              .avail_in = (unsigned)n,
	              .next_out = (unsigned char *)out,
	              .avail_out = (unsigned)max};
	int r;

	if (inflateInit(&z) != Z_OK)
		return -1;
	r = inflate(&z, Z_SYNC_FLUSH);
	inflateEnd(&z);
	return r == Z_OK || r == Z_STREAM_END || r == Z_BUF_ERROR ? (long)(max - z.avail_out) : -1;
}

struct gz_out *gz_out_new(int fd, struct err *e)
{
	struct gz_out *g = calloc(1, sizeof *g);

	/* Memory level 7 and a 16 KiB window keep the collector within its 3 MiB RSS. */
	if (!g || deflateInit2(&g->z, 6, Z_DEFLATED, 14 + 16, 7, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(g);
		err_set(e, "no memory to write a gzip file");
		return NULL;
	}
	g->fd = fd;
	return g;
}

struct gz_out *gz_out_plain(int fd, struct err *e)
{
	struct gz_out *g = calloc(1, sizeof *g);

	if (!g) {
		err_set(e, "no memory to write a file");
		return NULL;
	}
	g->fd = fd;
	g->plain = true;
	return g;
}

static int write_out(struct gz_out *g, size_t n, struct err *e)
{
	for (size_t at = 0; at < n;) {
		ssize_t w = write(g->fd, g->raw + at, n - at);
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return err_set(e, "%s", strerror(w ? errno : EIO));
		at += (size_t)w;
	}
	return 0;
}

static int flush_plain(struct gz_out *g, struct err *e)
{
	size_t n = g->n;

	g->n = 0;
	return write_out(g, n, e);
}

static int deflate_all(struct gz_out *g, int mode, struct err *e)
{
	do {
		g->z.next_out = g->raw;
		g->z.avail_out = sizeof g->raw;
		deflate(&g->z, mode);
		if (write_out(g, sizeof g->raw - g->z.avail_out, e))
			return -1;
	} while (g->z.avail_out == 0);
	return 0;
}

static int write_plain(struct gz_out *g, const char *p, size_t n, struct err *e)
{
	while (n) {
		size_t part = n < sizeof g->raw - g->n ? n : sizeof g->raw - g->n;
		memcpy(g->raw + g->n, p, part);
		g->n += part;
		p += part;
		n -= part;
		if (g->n == sizeof g->raw && flush_plain(g, e))
			return -1;
	}
	return 0;
}

int gz_write(struct gz_out *g, const char *p, size_t n, struct err *e)
{
	if (g->plain)
		return write_plain(g, p, n, e);
	while (n) {
		size_t part = n < (1u << 30) ? n : (1u << 30);
		g->z.next_in = (z_const unsigned char *)p;
		g->z.avail_in = (unsigned)part;
		if (deflate_all(g, Z_NO_FLUSH, e))
			return -1;
		p += part;
		n -= part;
	}
	return 0;
}

int gz_finish(struct gz_out *g, struct err *e)
{
	if (g->plain)
		return flush_plain(g, e);
	g->z.avail_in = 0;
	return deflate_all(g, Z_FINISH, e);
}

void gz_out_free(struct gz_out *g)
{
	if (!g)
		return;
	if (!g->plain)
		deflateEnd(&g->z);
	free(g);
}

int gz_pack(struct buf *out, const char *p, size_t n, int level, struct err *e)
{
	struct gz_out *g = n <= 1u << 30 ? calloc(1, sizeof *g) : NULL;
	int r = Z_OK;

	if (!g || deflateInit2(&g->z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(g);
		return err_set(e, "no memory to pack %zu bytes", n);
	}
	g->z.next_in = (z_const unsigned char *)p;
	g->z.avail_in = (unsigned)n;
	while (r == Z_OK) {
		g->z.next_out = g->raw;
		g->z.avail_out = sizeof g->raw;
		r = deflate(&g->z, Z_FINISH);
		buf_add(out, g->raw, sizeof g->raw - g->z.avail_out);
	}
	gz_out_free(g);
	return out->failed ? err_set(e, "no room for %zu packed bytes", n) : 0;
}
