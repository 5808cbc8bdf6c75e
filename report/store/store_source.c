/* store_source: the bytes of one object, by Ranges. */
#include "report/store/store_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/tmpfile.h"

static int read_window(struct store_source *o, uint64_t at, struct store_range *r, struct err *e)
{
	char *wider = realloc(o->window, o->step);

	if (!wider)
		return err_set(e, "%s: no memory to read it", o->address);
	o->window = wider;
	o->n = 0;
	if (store_read(o->store, o->address, at, o->tag, o->window, o->step, r, e))
		return -1;
	if (r->absent)
		return 0;
	/* Without an ETag, only another size shows that the object has changed. */
	if (at && r->size != o->size)
		return err_set(e, "%s: it was replaced while it was being read", o->address);
	o->at = at;
	o->n = r->n;
	o->size = r->size;
	memcpy(o->tag, r->tag, sizeof o->tag);
	o->step = o->step < STORE_SOURCE_MOST / 2 ? 2 * o->step : STORE_SOURCE_MOST;
	return 0;
}

int store_source_open(struct store_source *o, const struct store *s, const char *address,
                      bool *absent, struct err *e)
{
	struct store_range r;

	*o = (struct store_source){.store = s, .address = address, .step = STORE_SOURCE_FIRST};
	if (read_window(o, 0, &r, e))
		return -1;
	*absent = r.absent;
	return 0;
}

static long read_on(struct store_source *o, uint64_t at, void *p, size_t n, struct err *e)
{
	struct store_range r;

	if (at >= o->size)
		return 0;
	if (at < o->at || at >= o->at + o->n) {
		if (read_window(o, at, &r, e))
			return -1;
		if (r.absent)
			return err_set(e, "%s: it was deleted meanwhile", o->address);
		if (!o->n)
			return err_set(e, "%s: ends after %llu of %llu bytes", o->address,
			               (unsigned long long)at, (unsigned long long)o->size);
	}
	if (n > o->n - (size_t)(at - o->at))
		n = o->n - (size_t)(at - o->at);
	memcpy(p, o->window + (at - o->at), n);
	return (long)n;
}

/* The reader of a recording puts its name before the sentence. */
static long read_for_gz(void *ctx, uint64_t at, void *p, size_t n, struct err *e)
{
	struct store_source *o = ctx;
	size_t begin = strlen(o->address);
	struct err why = {0};
	long got = read_on(o, at, p, n, &why);

	if (got >= 0)
		return got;
	if (strncmp(why.msg, o->address, begin) == 0 && strncmp(why.msg + begin, ": ", 2) == 0)
		return err_set(e, "%s", why.msg + begin + 2);
	return err_set(e, "%s", why.msg);
}

struct gz_source store_source_gz(struct store_source *o)
{
	return (struct gz_source){read_for_gz, o};
}

int store_source_copy(struct store_source *o, int fd, struct err *e)
{
	char part[16384];
	uint64_t at = 0;
	long n;

	if (o->size > STORE_SOURCE_COPY)
		return err_set(e, "%s: it is too large", o->address);
	while ((n = read_on(o, at, part, sizeof part, e)) > 0) {
		if (tmpfile_write(fd, part, (size_t)n, (off_t)at))
			return err_set(e, "%s: temporary file: %s", o->address, strerror(errno));
		at += (uint64_t)n;
	}
	return n < 0 ? -1 : 0;
}

void store_source_close(struct store_source *o)
{
	free(o->window);
	*o = (struct store_source){0};
}
