/* redact_scan: finds secrets in a text of any kind. */
#include "collect/redact/redact_scan.h"

#include <string.h>

#include "collect/redact/redact_name.h"
#include "collect/redact/redact_pair.h"
#include "collect/redact/redact_sql.h"
#include "collect/redact/redact_token.h"
#include "collect/redact/redact_url.h"
#include "collect/redact/redact_value.h"

#define LOOK 256 /* bytes of a value that decide whether it is a secret */

/* "Bearer X" is a secret in any context; "Basic X" if X is base64. */
static size_t scan_bearer(struct redact_text *t, size_t i)
{
	bool basic = redact_is(t, i, "basic ");
	size_t from, end;

	if (!basic && !redact_is(t, i, "bearer "))
		return i;
	from = end = redact_pair_scheme(t, i);
	if (redact_value_reference(t, from, true) > from)
		return i;
	while (end < t->n && !redact_blank(t->s[end]) && !redact_quote(t->s[end]) &&
	       t->s[end] != '\\')
		end++;
	if (end - from < 8 ||
	    (basic && t->s[end - 1] != '=' && !redact_token(t->s + from, end - from) &&
	     !redact_token_random(t->s + from, end - from)))
		return i;
	return redact_hide(t, from, end);
}

/* A private key in PEM, up to its END line. */
static size_t scan_private_key(struct redact_text *t, size_t i)
{
	size_t head = t->n - i < 64 ? t->n - i : 64;
	const char *line = memmem(t->s + i, head, "PRIVATE KEY", 11), *end;

	if (!line)
		return i;
	end = strstr(line, "-----END ");
	end = end ? strstr(end, "KEY-----") : NULL;
	return redact_hide(t, i, end ? (size_t)(end - t->s) + 8 : t->n);
}

/* qemu's -object secret,id=a,data=X */
static size_t scan_qemu_object(struct redact_scan *s, size_t i)
{
	size_t head = s->t->n - i < LOOK ? s->t->n - i : LOOK;
	const char *data;

	if (!redact_is(s->t, i, "secret,"))
		return i;
	data = memmem(s->t->s + i, head, "data=", 5);
	if (!data)
		return i;
	return redact_pair_value(s, REDACT_NAME_SECRET, (size_t)(data - s->t->s) + 5, true);
}

/* host:port:database:user:X of ~/.pgpass */
static size_t scan_pgpass(struct redact_text *t, size_t i)
{
	size_t end = i, colons = 0, password = 0;

	for (; end < t->n && end - i < LOOK && !redact_blank(t->s[end]) && !redact_quote(t->s[end]);
	     end++)
		if (t->s[end] == ':' && ++colons == 4)
			password = end + 1;
	return password ? redact_hide(t, password, end) : i;
}

/* Handles the beginning of a word at i. Returns the position to continue at, or i for no secret. */
static size_t scan_at_word_start(struct redact_scan *s, size_t i)
{
	struct redact_text *t = s->t;
	size_t next = i;

	if (s->pem && redact_is(t, i, "-----begin "))
		next = scan_private_key(t, i);
	if (next == i)
		next = scan_bearer(t, i);
	if (next == i)
		next = redact_url_webhook(t, i);
	if (next == i && s->pgpass &&
	    (i == 0 || redact_blank(t->s[i - 1]) || redact_quote(t->s[i - 1])))
		next = scan_pgpass(t, i);
	if (next == i)
		next = redact_url_bare(t, i);
	if (next == i && redact_is(t, i, "identified by "))
		next = redact_pair_value(s, REDACT_NAME_SECRET, i + 14, true);
	if (next == i && t->s[i] == 's')
		next = scan_qemu_object(s, i);
	if (next == i && s->dsn && redact_is(t, i, "p=") && i && t->s[i - 1] == ',')
		next = redact_pair_value(s, REDACT_NAME_SECRET, i + 2, true);
	if (next == i && redact_ident(t->s[i]))
		next = redact_pair(s, i);
	return next;
}

static void follow_quotes(struct redact_text *t, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		char c = t->s[i];
		if (!redact_quote(c) || (i && t->s[i - 1] == '\\'))
			continue;
		if (c == t->open) {
			t->open = t->outer;
			t->outer = '\0';
		} else if (c == t->outer) {
			t->open = t->outer = '\0';
		} else if (!t->outer) {
			t->outer = t->open;
			t->open = c;
		}
	}
}

/* sha512-X and sha256:X are digests, not secrets. Returns the position after one, or i. */
static size_t skip_digest(const struct redact_text *t, size_t i)
{
	size_t end = i + 3;

	if (!redact_is(t, i, "sha"))
		return i;
	while (redact_digit(redact_at(t, end)))
		end++;
	if (end == i + 3 || (redact_at(t, end) != '-' && redact_at(t, end) != ':'))
		return i;
	while (redact_ident(redact_at(t, end)) || (redact_at(t, end) && strchr("-:+/", t->s[end])))
		end++;
	return end;
}

/* Hides a token at i. If it is an identifier and ":" and a random word follow, hides that as
 * well. */
static size_t scan_token(struct redact_text *t, size_t i)
{
	size_t end = i + redact_token(t->s + i, t->n - i), from = end + 1;

	if (end > i && redact_at(t, end) == ':') {
		size_t n = 0;
		while (n < LOOK && redact_ident(redact_at(t, from + n)))
			n++;
		if (redact_token_random(t->s + from, n))
			return redact_hide(t, i, from + n);
	}
	return redact_hide(t, i, end);
}

void redact_scan(struct redact_text *t)
{
	struct redact_scan s = {.t = t};
	size_t i = 0;

	s.netrc = strstr(t->s, "machine ") || strstr(t->s, "login ");
	s.pem = strstr(t->s, "PRIVATE KEY") != NULL;
	s.dsn = strstr(t->s, "u=") != NULL;
	s.pgpass = strstr(t->s, ".pgpass") || strstr(t->s, ":5432:");
	while (i < t->n) {
		bool inside = i && redact_ident(t->s[i - 1]) && t->s[i - 1] != '_';
		size_t next = i;
		if (redact_is(t, i, "//"))
			next = redact_url(t, i);
		else if (!inside)
			next = skip_digest(t, i);
		if (next == i && !inside)
			next = scan_token(t, i);
		if (next == i && !inside)
			next = redact_sql(t, i);
		if (next == i && !inside && i >= s.within) {
			next = scan_at_word_start(&s, i);
			if (next == i && redact_ident(t->s[i]))
				s.within = redact_pair_name_end(t, i);
		}
		next = next > i ? next : i + 1;
		follow_quotes(t, i, next);
		i = next;
	}
}
