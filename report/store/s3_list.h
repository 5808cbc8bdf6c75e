/*
 * s3_list: one page of the list of a bucket's objects.
 */
#ifndef REPORT_STORE_S3_LIST_H
#define REPORT_STORE_S3_LIST_H

#include "report/store/s3_client.h"

struct s3_list_object {
	const char *key;
	uint64_t size;
	double modified;  /* Unix seconds; NAN: unknown */
	const char *etag; /* as it is, with quotes */
};
typedef int s3_list_each(void *ctx, const struct s3_list_object *o, struct err *e);

struct s3_list_page {
	const char *prefix, *after; /* keys begin with prefix and come after */
	s3_list_each *each;
	void *ctx;
	size_t n;     /* objects */
	bool further; /* there is another page */
};

/* The XML of a page. Keys must ascend, so that a server cannot make us ask for ever. Pure. */
int s3_list_parse(struct s3_list_page *p, const char *xml, size_t n, struct err *e);

/* Asks for a page: the keys of the bucket that begin with to->key. -1 with a sentence. */
int s3_list_fetch(struct s3_client *c, const struct store_address *to, struct s3_list_page *p,
                  struct err *e);

#endif
