/* store_cli: objects of a store from the command line, through the worker process: tests drive it.
 *
 *   store_cli [LIMIT_S] list ADDRESS | read ADDRESS AT N [TAG] | heads N ADDRESS… | put ADDRESS |
 *             put-new ADDRESS | drop ADDRESS | delete ADDRESS
 *
 * The bucket b may be read, the pieces of s3://b/a deleted, and ADDRESS written.
 * put and drop send standard input. A last line of standard error says how many requests were sent. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/store/store.h"

static int print_object(void *ctx, const struct store_object *o, struct err *e)
{
	(void)ctx;
	(void)e;
	printf("%" PRIu64 " %.3f %s %s\n", o->size, o->modified, o->tag, o->address);
	return 0;
}

static int cli_read(const struct store *s, char **v, struct err *e)
{
	size_t n = strtoul(v[2], NULL, 10);
	struct store_range r;
	char *p = malloc(n + 1);
	int rc = store_read(s, v[0], strtoull(v[1], NULL, 10), v[3] ? v[3] : "", p, n, &r, e);

	if (!rc) {
		fprintf(stderr, "%s%zu of %" PRIu64 " %s\n", r.absent ? "absent " : "", r.n, r.size,
		        r.tag);
		fwrite(p, 1, r.n, stdout);
	}
	free(p);
	return rc;
}

static bool next_address(void *ctx, const char **address, void **item)
{
	char ***v = ctx;
	static char line[4096];

	if (**v && strcmp(**v, "-") == 0) { /* one a line */
		if (!fgets(line, sizeof line, stdin))
			return false;
		line[strcspn(line, "\n")] = '\0';
		*address = line;
		*item = strdup(line);
		return true;
	}
	*address = **v;
	*item = **v ? strdup(**v) : NULL;
	return *(*v)++ != NULL;
}

static void print_head(void *ctx, void *item, const char *p, const struct store_range *r,
                       const struct err *why)
{
	(void)ctx;
	if (*why->msg)
		printf("%s\n", why->msg);
	else
		printf("%s: %s%zu of %" PRIu64 " %s %.*s\n", (char *)item,
		       r->absent ? "absent " : "", r->n, r->size, r->tag,
		       (int)(r->n < 20 ? r->n : 20), p);
	free(item);
}

static int cli_put(const struct store *s, const char *what, const char *address, struct err *e)
{
	struct store_put put = {.address = address, .only_new = strcmp(what, "put-new") == 0};
	static char piece[100000];
	bool exists = false;
	size_t n;
	int rc = store_put_begin(s, &put, e);

	while (!rc && (n = fread(piece, 1, sizeof piece, stdin)) > 0)
		rc = store_put_write(s, piece, n, e);
	if (!rc && strcmp(what, "drop") == 0)
		store_put_drop(s);
	else if (!rc)
		rc = store_put_end(s, &exists, e);
	if (exists)
		puts("exists");
	return rc;
}

static int cli_do(const struct store *s, char **v, struct err *e)
{
	struct store_heads heads = {.next = next_address, .each = print_head};

	if (strcmp(v[0], "list") == 0)
		return store_list(s, v[1], print_object, NULL, e);
	if (strcmp(v[0], "read") == 0)
		return cli_read(s, v + 1, e);
	if (strcmp(v[0], "delete") == 0)
		return store_delete(s, v[1], e);
	if (strcmp(v[0], "heads") != 0)
		return cli_put(s, v[0], v[1], e);
	heads.n = strtoul(v[1], NULL, 10);
	v += 2;
	heads.ctx = &v;
	return store_heads(s, &heads, e);
}

int main(int argc, char **argv)
{
	char **v = argv + 1;
	double limit = STORE_LIMIT_S;
	struct err e = {0};
	struct store s;
	int rc;

	if (argc > 1 && *argv[1] >= '0' && *argv[1] <= '9')
		limit = strtod(*v++, NULL);
	if (!v[0] || !v[1])
		return 2;
	rc = store_start(&s,
	                 (struct store_grant[]){
			     store_rights_grant("s3://b", STORE_MAY_READ),
			     store_rights_grant("s3://b/a", STORE_MAY_PIECE),
			     store_rights_grant(v[1], STORE_MAY_WRITE),
			 },
	                 3, limit, &e);
	if (!rc)
		rc = cli_do(&s, v, &e);
	if (rc)
		fprintf(stderr, "store_cli: %s\n", e.msg);
	fprintf(stderr, "%" PRIu64 " requests\n", s.worker.pid ? store_requests(&s) : 0);
	store_stop(&s);
	return rc ? 1 : 0;
}
