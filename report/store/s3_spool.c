/* s3_spool: what is to be written, until it is sent. */
#include "report/store/s3_spool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/tmpfile.h"

/* -- what is to be written --------------------------------------------------------------------- */

void s3_spool_init(struct s3_spool *p, int fd)
{
	*p = (struct s3_spool){.fd = fd};
}

void s3_spool_close(struct s3_spool *p)
{
	if (p->fd >= 0)
		close(p->fd);
	s3_spool_init(p, -1);
}

int s3_spool_begin(struct s3_spool *p, const char *place, bool only_new, struct err *e)
{
	char shown[STORE_SHOWN_MAX];

	s3_spool_drop(p);
	p->kind = store_kind_of(place);
	if (p->kind == STORE_NONE)
		return err_set(e, "%s: this is not the address of an object",
		               store_address_shown(place, shown));
	if (p->kind == STORE_S3 && store_address_parse(&p->to, place, e))
		return -1;
	if (p->kind == STORE_S3 && !*p->to.key)
		return err_set(e, "%s: this address has no key", store_address_shown(place, shown));
	if (p->fd < 0)
		return err_set(e,
		               "%s: cannot be written: no temporary file in $TMPDIR, /var/tmp "
		               "or /tmp",
		               store_address_shown(place, shown));
	snprintf(p->place, sizeof p->place, "%s", place);
	p->only_new = only_new;
	p->open = true;
	sha256_begin(&p->digest);
	s3_digest_begin(&p->sums);
	return 0;
}

void s3_spool_more(struct s3_spool *p, const void *bytes, size_t n)
{
	char shown[STORE_SHOWN_MAX];

	if (!p->open || *p->why.msg)
		return;
	if (tmpfile_write(p->fd, bytes, n, (off_t)p->n)) {
		err_set(&p->why, "%s: cannot be written: the temporary file: %s",
		        store_address_shown(p->place, shown), strerror(errno));
		return;
	}
	if (p->n <= STORE_PART_AT) /* else, each part has its own */
		sha256_add(&p->digest, bytes, n);
	s3_digest_add(&p->sums, bytes, n);
	p->n += n;
}

void s3_spool_drop(struct s3_spool *p)
{
	if (p->n && p->fd >= 0 && ftruncate(p->fd, 0)) {
		/* The next bytes are written over it; its length is counted here. */
	}
	s3_spool_init(p, p->fd);
}

/* -- its type ---------------------------------------------------------------------------------- */

static bool ends_so(const char *path, size_t n, const char *ending)
{
	size_t len = strlen(ending);

	return n >= len && strncasecmp(path + n - len, ending, len) == 0;
}

/* No Content-Encoding: readers that inflate by themselves would change the file. */
const char *s3_spool_type(const char *place)
{
	static const struct {
		const char *ending, *header;
	} types[] = {
	    {".gz", "Content-Type: application/gzip"},
	    {".html", "Content-Type: text/html; charset=utf-8"},
	    {".json", "Content-Type: application/json"},
	    {".csv", "Content-Type: text/csv; charset=utf-8"},
	    {".md", "Content-Type: text/markdown; charset=utf-8"},
	    {".txt", "Content-Type: text/plain; charset=utf-8"},
	    {".xml", "Content-Type: application/xml"},
	    {"", "Content-Type: application/octet-stream"},
	};
	size_t n = store_kind_of(place) == STORE_HTTPS ? strcspn(place, "?") : strlen(place);

	for (size_t i = 0;; i++)
		if (ends_so(place, n, types[i].ending))
			return types[i].header;
}
