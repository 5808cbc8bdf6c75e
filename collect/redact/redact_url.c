/* redact_url: hides passwords in URLs, and URLs that are secrets themselves. */
#include "collect/redact/redact_url.h"

#include <string.h>
#include <strings.h>

#include "collect/redact/redact_token.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define LOOK     512 /* bytes to search for an "@" */

static bool starts_host(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '[' || c == '$' || c == '{' || c == '_' || c == '%' || c == '<';
}

static bool ends_url(char c)
{
	return redact_blank(c) || redact_quote(c) || c == '\0';
}

static bool is_port(const char *s, size_t n)
{
	return n > 0 && n <= 5 && strspn(s, "0123456789") >= n;
}

/* Whether a user name is a token itself. */
static bool is_token(const char *s, size_t n)
{
	return (n >= 20 && redact_token_random(s, n)) || redact_token(s, n) > 0;
}

/* Returns the position of the "@" that ends the user and the password at i, or 0. *colon: the first
 * colon, or 0. An unescaped password may contain "/", "#" and "?". The authority would end at the
 * first of these; if it has no "@" and no port after its colon, the search goes on behind it. */
static size_t find_at_sign(const struct redact_text *t, size_t i, size_t *colon)
{
	size_t authority = 0, sign = 0, k = i;
	bool query = false;

	*colon = 0;
	for (; k < t->n && k - i < LOOK && !ends_url(t->s[k]); k++) {
		char c = t->s[k];
		if (!authority && (c == '/' || c == '?' || c == '#')) {
			authority = k;
			if (!sign && (!*colon || is_port(t->s + *colon + 1, k - *colon - 1)))
				return 0;
		}
		query = query || (c == '?' && sign);
		if (c == ':' && !*colon && !authority)
			*colon = k;
		/* "/@" is the scope of an npm package. */
		if (c == '@' && !query && k + 1 < t->n && starts_host(t->s[k + 1]) &&
		    (!authority || t->s[k - 1] != '/'))
			sign = k;
	}
	return sign;
}

size_t redact_url(struct redact_text *t, size_t i)
{
	size_t from = i + 2, colon, sign = find_at_sign(t, from, &colon), end;

	if (!sign)
		return i + 1;
	end = colon && colon < sign ? colon : sign;
	if (is_token(t->s + from, end - from))
		redact_hide(t, from, end);
	else if (end == sign)
		return from;
	return end < sign ? redact_hide(t, end + 1, sign) : sign;
}

/* npm:left-pad@1.3.0, mailto:me@example.org: the word before the colon is not a user. */
static bool is_not_user(const char *s, size_t n)
{
	static const char *const kinds[] = {"npm",   "mailto", "sip",  "sips",      "acct",
	                                    "xmpp",  "file",   "git",  "workspace", "pkg",
	                                    "email", "http",   "https"};

	for (size_t k = 0; k < COUNT(kinds); k++)
		if (n == strlen(kinds[k]) && strncasecmp(s, kinds[k], n) == 0)
			return true;
	return false;
}

size_t redact_url_bare(struct redact_text *t, size_t i)
{
	size_t colon = i, k, sign = 0;

	/* "domain/user:password@host" may begin after a slash, but a URL's port does not. */
	if (i && (t->s[i - 1] == '@' ||
	          (t->s[i - 1] == '/' && (!t->word || i > LOOK || strstr(t->s, "//")))))
		return i;
	while (colon < t->n && colon - i < 64 &&
	       (starts_host(t->s[colon]) || strchr("-.+\\", t->s[colon])))
		colon++;
	if (colon == i || colon >= t->n || t->s[colon] != ':' || is_not_user(t->s + i, colon - i) ||
	    t->s[colon + 1] == '/' || t->s[colon + 1] == '\\')
		return i;
	for (k = colon + 1; k < t->n && k - i < LOOK && !ends_url(t->s[k]) && t->s[k] != ','; k++)
		if (t->s[k] == '@' && k + 1 < t->n && starts_host(t->s[k + 1]) && k > colon + 1)
			sign = k;
	/* A container image: name:tag@sha256:… */
	if (!sign || strncmp(t->s + sign, "@sha", 4) == 0)
		return i;
	return redact_hide(t, colon + 1, sign);
}

size_t redact_url_webhook(struct redact_text *t, size_t i)
{
	static const char *const begins[] = {"hooks.slack.com/services/",
	                                     "hooks.slack.com/workflows/",
	                                     "hooks.slack.com/triggers/",
	                                     "discord.com/api/webhooks/",
	                                     "discordapp.com/api/webhooks/",
	                                     "outlook.office.com/webhook/",
	                                     "api.telegram.org/bot",
	                                     "hooks.zapier.com/hooks/catch/",
	                                     "maker.ifttt.com/trigger/",
	                                     "hc-ping.com/",
	                                     "ntfy.sh/",
	                                     "chat.googleapis.com/v1/spaces/"};
	size_t end;

	for (size_t k = 0; k < COUNT(begins); k++) {
		size_t n = strlen(begins[k]);
		if (t->n - i < n || strncasecmp(t->s + i, begins[k], n) != 0)
			continue;
		for (end = i + n; end < t->n && !ends_url(t->s[end]);)
			end++;
		return redact_hide(t, i + n, end);
	}
	return i;
}
