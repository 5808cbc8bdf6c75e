/* clickhouse_address: a ClickHouse server's address as --catalog takes it. */
#include "fleet/catalog/clickhouse_address.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define FORM    "the address of a catalog is https://HOST:PORT/DATABASE or …?cluster=NAME"

static size_t scheme_length(const char *place)
{
	if (strncmp(place, "https://", 8) == 0)
		return 8;
	return strncmp(place, "http://", 7) == 0 ? 7 : 0;
}

bool clickhouse_is_address(const char *place)
{
	return scheme_length(place) > 0;
}

/* Copies a name of a database or of a cluster, which both stand in SQL. */
static int copy_name(char out[65], const char *text, size_t n)
{
	if (n == 0 || n > 64 || strspn(text, LETTERS "_") < n ||
	    strchr("0123456789", *text) != NULL)
		return -1;
	memcpy(out, text, n);
	out[n] = '\0';
	return 0;
}

int clickhouse_address_parse(const char *place, struct clickhouse_address *out, struct err *e)
{
	static const char option[] = "?cluster=";
	size_t scheme = scheme_length(place);
	const char *host = place + scheme;
	size_t n_host = strcspn(host, "/?#");
	const char *path = host + n_host;

	*out = (struct clickhouse_address){.database = "default"};
	if (!scheme)
		return err_set(e, FORM);
	if (memchr(host, '@', n_host))
		return err_set(e, "the address of a catalog must not hold a user or a password: "
		                  "set RTRACK_CATALOG_USER and RTRACK_CATALOG_PASSWORD_FILE");
	if (!n_host || scheme + n_host >= sizeof out->base ||
	    strspn(host, LETTERS ".-_:[]") < n_host)
		return err_set(e, FORM);
	snprintf(out->base, sizeof out->base, "%s%.*s", scheme == 8 ? "https://" : "http://",
	         (int)n_host, host);
	if (*path == '/' && path[1] && path[1] != '?') {
		size_t n = strcspn(path + 1, "?#");
		if (copy_name(out->database, path + 1, n))
			return err_set(e, FORM "; the name has letters, digits and _");
		path += 1 + n;
	} else if (*path == '/') {
		path++;
	}
	if (!*path)
		return 0;
	if (strncmp(path, option, sizeof option - 1) != 0 ||
	    copy_name(out->cluster, path + sizeof option - 1, strlen(path) - sizeof option + 1))
		return err_set(e, FORM "; the name has letters, digits and _");
	return 0;
}

const char *clickhouse_address_host(const struct clickhouse_address *a)
{
	return a->base + scheme_length(a->base);
}
