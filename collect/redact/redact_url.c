/* redact_url: hides passwords in URLs, and URLs that are secrets themselves. */
#include "collect/redact/redact_url.h"

#include <string.h>

#include "collect/redact/redact_token.h"
#include "collect/redact/redact_value.h"

#define LOOK 512 /* bytes to search for an "@" */

static bool starts_host(char c)
{
	return redact_ident(c) || (c && strchr("[${%<", c));
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
 * first of these; if it has no "@" and no port after its colon, the search goes on after it. */
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
		if (c == '@' && !query && k + 1 < t->n &&
		    (starts_host(t->s[k + 1]) || t->s[k + 1] == ':') &&
		    (!authority || t->s[k - 1] != '/'))
			sign = k;
	}
	return sign;
}

/* Returns the end of the URL at i, or in its path, which is at most n bytes away. */
static size_t end_of(const struct redact_text *t, size_t i, size_t n)
{
	size_t end = i;

	while (end < t->n && end - i < n && !ends_url(t->s[end]))
		end++;
	return end;
}

/* Whether the scheme of the URL whose "//" is at i is one of the list. */
static bool has_scheme(const struct redact_text *t, size_t i, const char *list)
{
	size_t end = i && t->s[i - 1] == ':' ? i - 1 : i, begin = end;

	while (begin && end - begin < 16 && starts_host(t->s[begin - 1]))
		begin--;
	return end > begin && redact_listed(list, t->s + begin, end - begin);
}

/* The stream key at the end of rtmp://host/app/KEY. Other last parts are names of streams. */
static void hide_stream_key(struct redact_text *t, size_t i)
{
	size_t end = i, begin = i, slashes = 0;
	bool secret = false;

	for (; end < t->n && end - i < LOOK && !ends_url(t->s[end]) && t->s[end] != '?'; end++) {
		secret = secret || redact_begins(t, end, "youtube.com/ twitch.tv/ facebook.com");
		if (t->s[end] == '/') {
			slashes++;
			begin = end + 1;
		}
	}
	for (size_t k = begin; k < end && end - begin >= 8; k++)
		secret = secret || redact_digit(t->s[k]);
	if (secret && slashes >= 2 && redact_value_reference(t, begin, true) == begin)
		redact_hide(t, begin, end);
}

/* The token in the address of a channel of conda: https://conda.anaconda.org/t/TOKEN/name. */
static void hide_channel_token(struct redact_text *t, size_t i)
{
	size_t last = end_of(t, i, LOOK / 4), k, end;
	const char *at = memmem(t->s + i, last - i, "/t/", 3), *slash;

	if (!at)
		return;
	k = (size_t)(at - t->s) + 3;
	end = end_of(t, k, LOOK);
	slash = memchr(t->s + k, '/', end - k);
	end = slash ? (size_t)(slash - t->s) : end;
	if (memmem(t->s + i, k - i, "conda", 5) || redact_token_random(t->s + k, end - k))
		redact_hide(t, k, end);
}

/* The rest of a path after "hooks", "webhookb2" or "integration": whoever knows it may post there.
 * One of its parts must look random: /hooks/how-to-use-hooks.html does not. */
static void hide_hook(struct redact_text *t, size_t i)
{
	size_t last = end_of(t, i, LOOK), next;
	size_t from = 0;

	for (; i < last && t->s[i] != '?'; i = next + 1) {
		next = i;
		while (next < last && !strchr("/@?", t->s[next]))
			next++;
		if (from && !memchr(t->s + i, '.', next - i) &&
		    redact_token_random(t->s + i, next - i)) {
			const char *query = memchr(t->s + from, '?', last - from);
			redact_hide(t, from, query ? (size_t)(query - t->s) : last);
			return;
		}
		if (!from &&
		    (memmem(t->s + i, next - i, "hook", 4) || redact_is(t, i, "integration")))
			from = next + 1;
	}
}

size_t redact_url(struct redact_text *t, size_t i)
{
	size_t from = i + 2, colon, sign = find_at_sign(t, from, &colon), end;

	if (has_scheme(t, i, "rtmp rtmps rtmpt rtmpe srt"))
		hide_stream_key(t, from);
	if (has_scheme(t, i, "http https")) {
		hide_channel_token(t, from);
		hide_hook(t, from);
	}
	if (!sign)
		return i + 1;
	if (colon && colon + 1 < sign && redact_value_reference(t, colon + 1, true) == sign)
		return sign;
	end = colon && colon < sign ? colon : sign;
	if (is_token(t->s + from, end - from))
		redact_hide(t, from, end);
	else if (end == sign)
		return from;
	return end < sign ? redact_hide(t, end + 1, sign) : sign;
}

/* Whether a plain name ends at i, as in "domain/user:password@host". */
static bool is_domain(const struct redact_text *t, size_t i)
{
	size_t begin = i;

	while (begin && i - begin < 64 && (starts_host(t->s[begin - 1]) || t->s[begin - 1] == '.'))
		begin--;
	return begin < i &&
	       (!begin || redact_blank(t->s[begin - 1]) || redact_quote(t->s[begin - 1]));
}

size_t redact_url_bare(struct redact_text *t, size_t i)
{
	/* npm:left-pad@1.3.0, mailto:me@example.org: the word before the colon is not a user. */
	static const char kinds[] =
	    "npm: mailto: sip: sips: acct: xmpp: file: git: workspace: pkg: email: http: https:";
	size_t colon = i, k, sign = 0;

	/* "domain/user:password@host" may begin after a slash, but a URL's port does not. */
	if (i && (t->s[i - 1] == '@' || (t->s[i - 1] == '/' && !is_domain(t, i - 1))))
		return i;
	while (colon < t->n && colon - i < 64 &&
	       (starts_host(t->s[colon]) || strchr("-.+\\", t->s[colon])))
		colon++;
	if (colon == i || colon >= t->n || t->s[colon] != ':' || redact_begins(t, i, kinds) ||
	    t->s[colon + 1] == '/' || t->s[colon + 1] == '\\')
		return i;
	for (k = colon + 1; k < t->n && k - i < LOOK && !ends_url(t->s[k]) && t->s[k] != ','; k++)
		if (t->s[k] == '@' && k + 1 < t->n && starts_host(t->s[k + 1]) && k > colon + 1)
			sign = k;
	/* A container image: name:tag@sha256:…. A time or a range: 12:30:45@UTC. */
	if (!sign || strncmp(t->s + sign, "@sha", 4) == 0 ||
	    i + strspn(t->s + i, "0123456789:.+-") >= sign)
		return i;
	return redact_hide(t, colon + 1, sign);
}

size_t redact_url_webhook(struct redact_text *t, size_t i)
{
	size_t end = i, n;

	while (redact_ident(redact_at(t, end)) || redact_at(t, end) == '.' ||
	       redact_at(t, end) == '-')
		end++;
	if (redact_at(t, end) != '/' && !redact_is(t, end, "://"))
		return i;
	n = redact_begins(
	    t, i,
	    "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/ "
	    "discord.com/api/webhooks/ discordapp.com/api/webhooks/ outlook.office.com/webhook/ "
	    "api.telegram.org/bot hooks.zapier.com/hooks/catch/ maker.ifttt.com/trigger/ "
	    "hc-ping.com/ ntfy.sh/ chat.googleapis.com/v1/spaces/ "
	    /* of apprise */
	    "slack:// tgram:// discord:// pushover:// pover:// pbul:// join:// msteams:// "
	    "mailgun:// twilio:// matrix:// rocket:// signal:// ntfys:// sendgrid://");

	return n ? redact_hide(t, i + n, end_of(t, i + n, t->n)) : i;
}
