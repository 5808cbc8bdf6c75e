/* catalog_fetcher: sends the requests to a ClickHouse server from a worker process. */
#include "fleet/catalog/catalog_fetcher.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"

#define USER          "RTRACK_CATALOG_USER"
#define PASSWORD      "RTRACK_CATALOG_PASSWORD"
#define PASSWORD_FILE "RTRACK_CATALOG_PASSWORD_FILE"
#define SECRET_MAX    1024

/* -- in the worker: who the user is ------------------------------------------------------------ */

/* The worker keeps the header until it ends. */
static int add_header(struct http_call *c, const char *name, const char *value, const char *from,
                      struct err *e)
{
	size_t i = 0;
	char *header;

	if (strlen(value) > SECRET_MAX)
		return err_set(e, "%s: longer than %d bytes", from, SECRET_MAX);
	for (const char *p = value; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			return err_set(e, "%s: has a control character", from);
	if (asprintf(&header, "%s: %s", name, value) < 0)
		return err_set(e, "%s", strerror(ENOMEM));
	while (c->headers[i])
		i++;
	c->headers[i] = header;
	return 0;
}

/* As psql does with ~/.pgpass: a file that others can read holds no secret. */
static int read_secret_file(const char *path, char out[SECRET_MAX + 2], struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st)) {
		err_set(e, PASSWORD_FILE ": %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	if (!S_ISREG(st.st_mode) || st.st_mode & (S_IRWXG | S_IRWXO)) {
		close(fd);
		return err_set(e, PASSWORD_FILE ": %s: %s", path,
		               S_ISREG(st.st_mode) ? "others have access to it; chmod 600 is needed"
		                                   : "this is not a regular file");
	}
	n = read(fd, out, SECRET_MAX + 1);
	close(fd);
	if (n < 0)
		return err_set(e, PASSWORD_FILE ": %s: %s", path, strerror(errno));
	out[n] = '\0';
	out[strcspn(out, "\r\n")] = '\0';
	return 0;
}

static int log_in(struct http_call *c, struct err *e)
{
	const char *user = getenv(USER), *password = getenv(PASSWORD),
		   *file = getenv(PASSWORD_FILE);
	char secret[SECRET_MAX + 2];
	int rc = 0;

	if (password && file && *file)
		return err_set(e, PASSWORD " and " PASSWORD_FILE " are both set: only one of "
		                           "them may be");
	if (!user || !*user)
		user = "default"; /* as the server has it, but 18.16 not beside a password */
	if (add_header(c, "X-ClickHouse-User", user, USER, e))
		return -1;
	if (file && *file) {
		rc = read_secret_file(file, secret, e);
		password = rc ? NULL : secret;
	}
	if (password && *password)
		rc = add_header(c, "X-ClickHouse-Key", password,
		                file && *file ? PASSWORD_FILE : PASSWORD, e);
	explicit_bzero(secret, sizeof secret);
	return rc;
}

/* -- in this process --------------------------------------------------------------------------- */

/* This process reads recordings, and so do workers that are started later. */
static void forget_password(void)
{
	char *password = getenv(PASSWORD);

	if (!password)
		return;
	explicit_bzero(password, strlen(password));
	unsetenv(PASSWORD);
}

int catalog_fetcher_start(struct catalog_fetcher *f, const char *place, struct err *e)
{
	const struct fetcher_service clickhouse = {
	    .base = f->address.base,
	    .call = {.method = "POST", .gzip = true, .stall_s = CATALOG_FETCHER_TIMEOUT_MS / 1000},
	    .stream = true,
	    .ping = "/ping",
	    .quiet_ms = CATALOG_FETCHER_QUIET_MS,
	    .ping_ms = CATALOG_FETCHER_PING_MS,
	    .log_in = log_in};
	int rc = 0;

	*f = (struct catalog_fetcher){0};
	if (place && clickhouse_is_address(place)) {
		rc = clickhouse_address_parse(place, &f->address, e);
		if (!rc)
			rc = fetcher_start(&f->fetcher, &clickhouse, e);
	}
	forget_password();
	return rc;
}

int catalog_fetcher_send(const struct catalog_fetcher *f, const struct catalog_request *q,
                         fetcher_piece *each, void *ctx, struct err *e)
{
	struct fetcher_request request = {.body = q->body,
	                                  .len = q->len,
	                                  .limit_ms = CATALOG_FETCHER_TIMEOUT_MS,
	                                  .asked = q->asked};
	struct buf url = {0};
	int rc;

	buf_printf(&url, "%s/?%s", f->address.base, q->parameters);
	request.url = buf_cstr(&url);
	rc = url.failed ? err_set(e, "%s", strerror(ENOMEM))
	                : fetcher_send(&f->fetcher, &request, each, ctx, e);
	buf_free(&url);
	return rc;
}

void catalog_fetcher_stop(struct catalog_fetcher *f)
{
	fetcher_stop(&f->fetcher);
}
