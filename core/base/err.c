/* err: one sentence that says what went wrong. */
#include "core/base/err.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/utf8.h"

#define DIGITS  "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

#define RAW_MAX 6144 /* the longest path, and a sentence */
#define END     200  /* bytes kept of the end of a sentence that is too long */

/* Shortens raw, which vsnprintf may have cut at size bytes, to whole UTF-8 sequences. */
static void trim_cut(char *raw, size_t size)
{
	size_t n = strlen(raw), last = n ? utf8_cut(raw, n, n - 1) : 0;

	if (n + 1 == size && utf8_length(raw + last, n - last) != n - last)
		raw[last] = '\0';
}

/* Cuts the middle of a sentence longer than size - 1 bytes: a path may fill all of it, and the
 * reason stands at the end. */
static void drop_middle(char *raw, size_t size)
{
	static const char gap[] = "…";
	size_t n = strlen(raw), head, tail;

	if (n < size)
		return;
	head = utf8_cut(raw, n, size - END - sizeof gap);
	tail = n - END;
	while (utf8_cut(raw, n, tail) < tail)
		tail++;
	memcpy(raw + head, gap, sizeof gap - 1);
	memmove(raw + head + sizeof gap - 1, raw + tail, n - tail + 1);
}

static void print_safe(char *out, size_t size, const char *in)
{
	size_t at = 0;

	while (*in && at + 5 <= size) {
		size_t n = utf8_length(in, 4); /* the NUL ends a character too */
		if (n == 0 || (unsigned char)*in < 0x20 || *in == 0x7f || utf8_hidden(in, n)) {
			at += (size_t)snprintf(out + at, size - at, "\\x%02x", (unsigned char)*in);
			in++;
			continue;
		}
		memcpy(out + at, in, n);
		at += n;
		in += n;
	}
	out[at] = '\0';
}

/* Bytes before the host of an address: "https://", with one slash too few, or "//". 0: a path. */
static size_t address_scheme(const char *word)
{
	size_t n = strspn(word, LETTERS DIGITS "+.-");
	const char *slashes = word + n + (n && word[n] == ':');
	size_t many = strspn(slashes, "/");

	if (n ? slashes == word + n || !many : many < 2)
		return 0;
	return (size_t)(slashes - word) + many;
}

/* "12:30@node1": a colon within a time of day. */
static bool is_time(const char *text, size_t n)
{
	size_t run = 0;

	for (size_t i = 0; i < n; i++) {
		run = text[i] == ':' ? 0 : run + 1;
		if (run > 2 || (text[i] != ':' && !strchr(DIGITS, text[i])))
			return false;
	}
	return true;
}

/* Whether a segment ends like a file of ours, as no host does: "s:R1@lane2.json.gz". */
static bool is_file(const char *text, size_t n)
{
	static const char *const endings[] = {".json", ".gz", ".partial", ".html", ".csv", ".txt"};

	while (n && strchr(":;,.", text[n - 1]))
		n--;
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t len = strlen(endings[i]);
		if (n > len && memcmp(text + n - len, endings[i], len) == 0)
			return true;
	}
	return false;
}

/* Whether a host may begin at text, where no scheme says so: an address in digits has dots, so that
 * "sub-01:run2@3T" is a name. */
static bool is_host(const char *text, const char *end)
{
	size_t n = strspn(text, LETTERS DIGITS "-");

	return !strchr(DIGITS, *text) || (text + n < end && text[n] == '.');
}

/* The '@' behind a password in the n bytes from text on, a segment of a path; NULL: none. */
static char *password_end(char *text, size_t n)
{
	char *colon = memchr(text, ':', n), *at = memrchr(text, '@', n);

	if (!colon || !at || at <= colon + 1 || is_time(colon + 1, (size_t)(at - colon - 1)) ||
	    strncmp(at, "@sha256:", 8) == 0 || is_file(text, n) || !is_host(at + 1, text + n))
		return NULL;
	return at;
}

/* The password of an address may have a slash; digits behind a colon are a port. */
static char *address_password_end(char *host, size_t n)
{
	size_t authority = strcspn(host, "/?#"), path = strcspn(host, "?#");
	char *colon, *at = memrchr(host, '@', path < n ? path : n);

	if (*host == '[') /* an IPv6 address, without a user */
		return NULL;
	authority = authority < n ? authority : n;
	at = at ? at : memrchr(host, '@', n);
	colon = memchr(host, ':', authority);
	if (!colon && authority) /* a token may stand alone */
		at = memrchr(host, '@', authority);
	if (at && memchr(host, '@', authority))
		return at > host ? at : NULL;
	if (!colon || !at || at <= colon + 1 ||
	    strspn(colon + 1, DIGITS) >= (size_t)(host + authority - colon - 1))
		return NULL;
	return at;
}

/* Replaces what is from text to end. Returns the new end. */
static char *hide_between(char *text, char *end)
{
	size_t stars = end - text < 3 ? (size_t)(end - text) : 3;

	memset(text, '*', stars);
	memmove(text + stars, end, strlen(end) + 1);
	return text + stars;
}

/* The query or fragment of an address, where it has a NAME=VALUE, or of another word, where the
 * name is that of a secret: "db#token=X". NULL: none. */
static char *secret_query(char *host, char *end, bool address)
{
	static const char *const secrets[] = {"token", "pass", "secret",
	                                      "key",   "sig",  "credential"};
	char *query = host + strcspn(host, "?#"), *equals;
	size_t n;

	for (char *name = query; name < end; name = name + 1 + strcspn(name + 1, "?#&")) {
		equals = memchr(name, '=', (size_t)(end - name));
		n = equals ? (size_t)(equals - name) : 0;
		if (n && address)
			return query;
		for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
			for (size_t k = 1; k < n; k++)
				if (strncasecmp(name + k, secrets[i], strlen(secrets[i])) == 0)
					return query;
	}
	return NULL;
}

static void hide_in_word(char *word, size_t n)
{
	char *end = word + n, *host = word + address_scheme(word), *at = NULL, *query;

	if (host > word)
		at = address_password_end(host, (size_t)(end - host));
	query = secret_query(at ? at : host, end, host > word);
	if (query)
		end = hide_between(query + 1, end);
	if (at) {
		hide_between(host, at);
		return;
	}
	for (char *segment = word; segment < end; segment++) {
		char *slash = memchr(segment, '/', (size_t)(end - segment));
		char *until = slash ? slash : end;
		at = password_end(segment, (size_t)(until - segment));
		if (at) {
			size_t less = (size_t)(at - hide_between(segment, at));
			end -= less;
			until -= less;
		}
		segment = until;
	}
}

#define BETWEEN " \t\n\"'()<>"

/* The password of an address may have quotes and brackets. */
static size_t address_length(const char *text)
{
	size_t n = strcspn(text, BETWEEN);
	const char *at = memrchr(text, '@', strcspn(text, " \t\n"));

	if (at && at > text + n && address_scheme(text))
		n = (size_t)(at - text) + strcspn(at, BETWEEN);
	return n;
}

void err_hide_address(char *address)
{
	hide_in_word(address, strlen(address));
}

void err_hide_passwords(char *text)
{
	while (*(text += strspn(text, BETWEEN))) {
		hide_in_word(text, address_length(text));
		text += address_length(text);
	}
}

int err_set(struct err *e, const char *fmt, ...)
{
	char raw[RAW_MAX];
	va_list ap;

	if (!e)
		return -1;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof raw, fmt, ap);
	va_end(ap);
	trim_cut(raw, sizeof raw);
	err_hide_passwords(raw);
	drop_middle(raw, sizeof e->msg - 4); /* ctunullpointer: sizeof reads nothing */
	print_safe(e->msg, sizeof e->msg, raw);
	return -1;
}

/* The sentence after its first clause, if the prefix ends with that clause; else all of it. */
static const char *without_repeated(const char *sentence, const char *prefix)
{
	const char *colon = strstr(sentence, ": ");
	size_t n = colon ? (size_t)(colon - sentence) : 0, all = strlen(prefix);

	if (!n || n > all || memcmp(prefix + all - n, sentence, n) != 0 ||
	    (n < all && prefix[all - n - 1] != ' '))
		return sentence;
	return colon + 2;
}

int err_wrap(struct err *e, const char *fmt, ...)
{
	char prefix[sizeof e->msg / 2], old[sizeof e->msg];
	va_list ap;

	if (!e)
		return -1;
	va_start(ap, fmt);
	vsnprintf(prefix, sizeof prefix, fmt, ap);
	va_end(ap);
	trim_cut(prefix, sizeof prefix);
	memcpy(old, e->msg, sizeof old);
	return err_set(e, "%s: %s", prefix, without_repeated(old, prefix));
}
