/* redact_scan: finds secrets in a text of any kind. */
#include "collect/redact/redact_text.h"

#include <string.h>

#include "collect/redact/redact_name.h"
#include "collect/redact/redact_token.h"
#include "collect/redact/redact_value.h"

#define COUNT(a)    (sizeof(a) / sizeof *(a))
#define LOOK        256  /* bytes of a value that decide whether it is a secret */
#define SQL_LOOK    1024 /* bytes in which a list of columns or of arguments ends */
#define COLUMNS_MAX 64
#define URL_LOOK    512 /* bytes to search for an "@" */

/* -- passwords in URLs, and URLs that are secrets themselves ----------------------------------- */

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
	for (; k < t->n && k - i < URL_LOOK && !ends_url(t->s[k]); k++) {
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

	for (; end < t->n && end - i < URL_LOOK && !ends_url(t->s[end]) && t->s[end] != '?';
	     end++) {
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

/* The rest of a path after "hooks", "webhookb2" or "integration": whoever knows it may post there.
 * One of its parts must look random: /hooks/how-to-use-hooks.html does not. Likewise one part, the
 * first at a host named api, https://api.day.app/KEY/title, and the token of a channel of conda,
 * https://conda.anaconda.org/t/TOKEN/name. */
static void hide_hook(struct redact_text *t, size_t i)
{
	size_t last = end_of(t, i, URL_LOOK), host = i, next, from = 0, key = 0;
	const char *dot, *query;
	bool channel, conda = false;

	for (; i < last && t->s[i] != '?'; i = next + 1) {
		next = i;
		while (next < last && !strchr("/@?", t->s[next]))
			next++;
		dot = memchr(t->s + i, '.', next - i);
		if (i == key && (conda || redact_token_random(
					      t->s + i, dot ? (size_t)(dot - t->s) - i : next - i)))
			redact_hide(t, i, next);
		if (from && !dot && redact_token_random(t->s + i, next - i)) {
			query = memchr(t->s + from, '?', last - from);
			redact_hide(t, from, query ? (size_t)(query - t->s) : last);
			return;
		}
		channel = next == i + 1 && t->s[i] == 't';
		conda = channel && memmem(t->s + host, i - host, "conda", 5);
		if (channel || (i == host && memmem(t->s + i, next - i, "api.", 4)))
			key = next + 1;
		if (!from &&
		    (memmem(t->s + i, next - i, "hook", 4) || redact_is(t, i, "integration")))
			from = next + 1;
	}
}

/* Hides the password in "//user:password@host", and a user that is a token; i is at "//". Returns
 * the position to continue at, which is after i. */
static size_t redact_url(struct redact_text *t, size_t i)
{
	size_t from = i + 2, colon, sign = find_at_sign(t, from, &colon), end;

	if (has_scheme(t, i, "rtmp rtmps rtmpt rtmpe srt"))
		hide_stream_key(t, from);
	if (has_scheme(t, i, "http https"))
		hide_hook(t, from);
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

/* Whether a host may begin at i, where no "//" says so: one in digits has dots. Else it is a name,
 * such as sub-01:run2@3T, or a format: %an@%ae. */
static bool is_bare_host(const struct redact_text *t, size_t i)
{
	size_t end = i;

	while (redact_ident(redact_at(t, end)) || redact_at(t, end) == '-')
		end++;
	if (redact_at(t, i) == '%')
		return redact_value_reference(t, i, false) > i;
	return starts_host(redact_at(t, i)) && (!redact_digit(t->s[i]) || redact_at(t, end) == '.');
}

/* The same in "user:password@host" without "//"; i is at the beginning of a word. Returns i if
 * there is none. */
static size_t redact_url_bare(struct redact_text *t, size_t i)
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
	for (k = colon + 1; k < t->n && k - i < URL_LOOK && !ends_url(t->s[k]) && t->s[k] != ',';
	     k++)
		if (t->s[k] == '@' && k > colon + 1 && is_bare_host(t, k + 1))
			sign = k;
	/* A container image: name:tag@sha256:…. A time or a range: 12:30:45@UTC. 2:ppn=8@node. */
	if (!sign || (colon - i < 3 && strspn(t->s + i, "0123456789") == colon - i) ||
	    strncmp(t->s + sign, "@sha", 4) == 0 || i + strspn(t->s + i, "0123456789:.+-") >= sign)
		return i;
	return redact_hide(t, colon + 1, sign);
}

/* Hides the secret part of a webhook URL, which lets anybody who knows it post. Returns i if there
 * is none. */
static size_t redact_url_webhook(struct redact_text *t, size_t i)
{
	size_t n = redact_begins(
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

/* -- SQL: statements and functions that have a secret without a name directly before it -------- */

/* Functions with a secret among their arguments. first, last: the arguments that are secrets,
 * counted from 1. least: the least number of arguments, so that s3('url', 'CSV') has no key. */
static const struct {
	const char *names;
	unsigned first, last, least;
} functions[] = {
    {"old_password set_api_key", 1, 1, 1},
    {"login", 1, 8, 1},
    {"encryptbypassphrase decryptbypassphrase crypt", 1, 1, 2},
    {"pgp_sym_decrypt pgp_sym_encrypt pgp_sym_decrypt_bytea pgp_sym_encrypt_bytea aes_decrypt "
     "aes_encrypt des_decrypt des_encrypt auth httpbasicauth",
     2, 2, 2},
    {"encrypt decrypt hmac", 2, 2, 3},
    {"encrypt_iv decrypt_iv", 2, 2, 4},
    {"s3", 2, 3, 4},
    {"pgp_pub_decrypt", 3, 3, 3},
    {"s3cluster", 3, 4, 5},
    {"remote remotesecure", 4, 5, 4},
    {"mysql postgresql mongodb azureblobstorage", 5, 5, 5},
};

static size_t next_text(const struct redact_text *t, size_t i)
{
	while (redact_blank(redact_at(t, i)))
		i++;
	return i;
}

/* Returns the position of the text after the keyword at i, or i. */
static size_t after_keyword(const struct redact_text *t, size_t i, const char *word)
{
	size_t n = redact_begins(t, i, word);

	return n && !redact_ident(redact_at(t, i + n)) ? next_text(t, i + n) : i;
}

/* Returns the end of the argument or value at i, which is a comma or a bracket. Strings, and all
 * that is in brackets, are part of it. hide: hides the strings. */
static size_t item_end(struct redact_text *t, size_t i, bool hide)
{
	size_t depth = 0, last = i + SQL_LOOK < t->n ? i + SQL_LOOK : t->n, from, end;

	while (i < last) {
		char c = t->s[i];
		if (!depth && (c == ',' || c == ')'))
			break;
		if ((redact_quote(c) && !redact_closes(t, c)) ||
		    (c == '\\' && redact_quote(redact_at(t, i + 1)))) {
			end = redact_value_end(t, i, &from, true);
			if (hide && from > i)
				redact_hide(t, from, end);
			i = end > i ? end : i + 1;
			while (redact_at(t, i) == '\\')
				i++;
			i += redact_quote(redact_at(t, i)) && !redact_closes(t, t->s[i]);
			continue;
		}
		depth += c == '(';
		depth -= c == ')';
		i++;
	}
	return i;
}

/* The name of the function, of n bytes, is at i. */
static size_t scan_call(struct redact_text *t, size_t i, size_t n)
{
	size_t k = i + n, begin[8];
	unsigned count = 0;
	char name[32];

	for (size_t c = 0; c < n; c++)
		name[c] = redact_upper(t->s[i + c]) ? (char)(t->s[i + c] + 32) : t->s[i + c];
	for (size_t row = 0; row < sizeof functions / sizeof *functions; row++) {
		if (!redact_listed(functions[row].names, name, n))
			continue;
		do {
			begin[count++] = k + 1;
			k = item_end(t, k + 1, false);
		} while (redact_at(t, k) == ',' && count < sizeof begin / sizeof *begin);
		if (count < functions[row].least)
			return i;
		for (unsigned a = functions[row].first; a <= functions[row].last && a <= count; a++)
			item_end(t, begin[a - 1], true);
		return k;
	}
	return i;
}

/* INSERT INTO t (a, b) VALUES (1, 2), (3, 4) */
static size_t scan_insert(struct redact_text *t, size_t i)
{
	bool secret[COLUMNS_MAX] = {false}, any = false;
	size_t k = i, columns = 0, name, end,
	       last = i + SQL_LOOK / 4 < t->n ? i + SQL_LOOK / 4 : t->n;

	while (k < last && t->s[k] != '(')
		k++;
	while (k < t->n && t->s[k] != ')' && columns < COLUMNS_MAX && k - i < SQL_LOOK) {
		name = k + 1;
		while (redact_at(t, name) && strchr(" \t\n\r\"'`[\\", t->s[name]))
			name++;
		for (end = name; redact_ident(redact_at(t, end)); end++)
			;
		secret[columns] = redact_name(t->s + name, end - name, false) >= REDACT_NAME_KEY;
		any = any || secret[columns++];
		k = item_end(t, k + 1, false);
	}
	k = any && redact_at(t, k) == ')' ? next_text(t, k + 1) : t->n;
	if (!redact_is(t, k, "values") || redact_ident(redact_at(t, k + 6)))
		return i;
	for (k = next_text(t, k + 6); redact_at(t, k) == '('; k = next_text(t, k)) {
		for (size_t column = 0; k < t->n && (column == 0 || t->s[k] == ','); column++)
			k = item_end(t, k + 1, column < columns && secret[column]);
		k = next_text(t, k + 1);
		k += redact_at(t, k) == ',';
	}
	return k < t->n ? k : t->n;
}

/* Hides the string after the next "=", which is at most 128 bytes away. */
static size_t scan_equals(struct redact_text *t, size_t i, size_t k)
{
	size_t last = k + 128 < t->n ? k + 128 : t->n;

	while (k < last && t->s[k] != '=' && t->s[k] != ';' && t->s[k] != '\n')
		k++;
	return k < last && t->s[k] == '=' ? item_end(t, next_text(t, k + 1), true) : i;
}

/* If one of these statements or calls begins at i, which is at the beginning of a word, hides its
 * secrets and returns the position to continue at; else returns i.
 *
 *   SET PASSWORD FOR me = 'X'                         PRAGMA rekey = 'X'
 *   INSERT INTO t (name, password) VALUES ('me', 'X')
 *   pgp_sym_decrypt(c, 'X'), aes_encrypt(c, 'X'), crypt('X', s), hmac(c, 'X', 'sha256')
 *   mysql('host', 'db', 'table', 'me', 'X') and other tables elsewhere of ClickHouse
 */
static size_t redact_sql(struct redact_text *t, size_t i)
{
	size_t n = 0, k;

	while (redact_ident(redact_at(t, i + n)) && n < 32)
		n++;
	if (redact_at(t, i + n) == '(')
		return scan_call(t, i, n);
	k = after_keyword(t, i, "set");
	if (k > i && after_keyword(t, k, "password") > k)
		return scan_equals(t, i, k + 8);
	/* IDENTIFIED BY 'X' REPLACE 'Y' of Oracle */
	k = after_keyword(t, i, "replace");
	if (k > i && redact_quote(redact_at(t, k)) && !redact_closes(t, t->s[k]))
		return item_end(t, k, true);
	/* sp_addlogin 'me', 'X' */
	k = after_keyword(t, i, "sp_addlogin sp_password");
	if (k > i)
		return item_end(t, item_end(t, k, false) + 1, true);
	k = after_keyword(t, i, "pragma");
	if (k > i && redact_begins(t, k, "key rekey hexkey"))
		return scan_equals(t, i, k);
	return after_keyword(t, i, "insert replace") > i ? scan_insert(t, i) : i;
}

/* -- a name and its value ---------------------------------------------------------------------- */

/* NAME=VALUE, "name": "value", Name: value, <name>value</name>, name 'value' */

/* Where the scan is, and what it has seen so far. */
struct redact_scan {
	struct redact_text *t;
	bool netrc;    /* has "machine" or "login": then "password X" is a secret */
	bool pem;      /* has a private key */
	bool dsn;      /* has "u=me," of Percona's tools: then "p=X" is a secret */
	bool pgpass;   /* may have lines of ~/.pgpass */
	size_t within; /* end of the current name: inside it only token forms are searched for */
	size_t named;  /* end of a secret's name that is itself a value; "value" may follow it */
};

static size_t skip_blanks(const struct redact_text *t, size_t i)
{
	while (redact_at(t, i) == ' ' || redact_at(t, i) == '\t')
		i++;
	return i;
}

/* Returns the end of the name at i. */
static size_t redact_pair_name_end(const struct redact_text *t, size_t i)
{
	while (redact_name_byte(redact_at(t, i)))
		i++;
	return i;
}

static bool is_name_start(char c)
{
	return c != '-' && c != '.' && redact_name_byte(c);
}

/* Returns how many bytes of the value at i decide whether it is a secret; *from: where they
 * begin. */
static size_t value_head(const struct redact_text *t, size_t i, size_t *from)
{
	size_t n = 0;

	while (redact_at(t, i) == '\\' || redact_quote(redact_at(t, i)))
		i++;
	*from = i;
	while (n < LOOK && i + n < t->n && !redact_blank(t->s[i + n]) &&
	       !redact_quote(t->s[i + n]) && !strchr("&;,|<>()[]{}\\", t->s[i + n]))
		n++;
	return n;
}

/* password = MD5('X'): hides the strings among the arguments of the function whose name of n bytes
 * is at i, unless it is one that reads the value from elsewhere. Returns i if there are none. */
static size_t hide_call(struct redact_scan *s, size_t i, size_t n)
{
	static const char readers[] = "getenv get getpass input read open load encode prompt env "
				      "fetch Sys.getenv environ";
	struct redact_text *t = s->t;
	size_t k = i + n + 1, from, end, word = n;

	if (redact_at(t, i + n) != '(' || !redact_letter(t->s[i]) || !redact_at(t, k) ||
	    !(redact_quote(t->s[k]) || t->s[k] == ')' || t->s[k] == '\\' ||
	      redact_quote(redact_at(t, k + 1))))
		return i;
	while (word && t->s[i + word - 1] != '.')
		word--;
	end = redact_value_inside(t, k, '(', ')');
	if (redact_listed(readers, t->s + i + word, n - word))
		return end;
	while (k < end) {
		size_t last = redact_value_end(t, k, &from, true);
		if (from > k)
			redact_hide(t, from, last);
		k = (last > k ? last : k) + 1;
	}
	return end;
}

/* Hides the value at i of a name of this kind. list: a value in JSON, which "," and brackets end.
 * Returns the position to continue at: i if the value is not a secret. */
static size_t redact_pair_value(struct redact_scan *s, enum redact_name kind, size_t i, bool list)
{
	struct redact_text *t = s->t;
	size_t from, n = value_head(t, i, &from), end;
	char after;
	bool more;

	if (redact_name_pattern(kind, t->s + i) || redact_at(t, i) == ')')
		return i;
	if (redact_value_reference(t, from, true) > from)
		return i;
	end = n ? hide_call(s, from, n) : from;
	if (end > from)
		return end;
	/* "passwords": ["X"], TOKENS=(X Y), auth=("me", "X"), Pwd={X} of ODBC; not {} in JSON */
	if (list && redact_at(t, i) == '{')
		return i;
	for (const char *pair = list ? "[]()" : "{}()"; *pair; pair += 2)
		if (redact_at(t, i) == pair[0])
			return redact_hide(t, i + 1,
			                   redact_value_inside(t, i + 1, pair[0], pair[1]));
	/* More follows: 'a b', ab'cd' */
	after = redact_at(t, from + n);
	more = from > i ? redact_blank(after) : redact_quote(after) && !redact_closes(t, after);
	if (n && !more && !redact_name_hides(kind, t->s + from, n))
		return i;
	end = redact_value_end(t, i, &from, list);
	return redact_hide(t, from, end);
}

/* Returns the position after "Bearer ", "Basic " and other authentication schemes at i, or i. */
static size_t redact_pair_scheme(const struct redact_text *t, size_t i)
{
	static const char *const schemes[] = {"bearer ", "basic ",  "token ", "digest ",
	                                      "apikey ", "splunk ", "ssws ",  "genie"};

	for (size_t k = 0; k < COUNT(schemes); k++)
		if (redact_is(t, i, schemes[k]))
			return skip_blanks(t, i + strlen(schemes[k]));
	return i;
}

/* A YAML value on the indented lines after the colon at *i - 1. Returns its end and moves *i to its
 * beginning, or returns 0 if there is none or it is a mapping. */
static size_t block_end(const struct redact_text *t, size_t *i)
{
	size_t from = *i, end;

	while (redact_at(t, from) && strchr("|>+-", redact_at(t, from)))
		from++;
	if (redact_at(t, from) != '\n' || !redact_blank(redact_at(t, from + 1)))
		return 0;
	for (end = from + 1; end < t->n; end++) {
		if (t->s[end] == '\n' && !redact_blank(redact_at(t, end + 1)))
			break;
		if (from == *i && t->s[end] == ':')
			return 0;
	}
	*i = skip_blanks(t, from + 1);
	return end;
}

/* "auth: ok": the value is one word that is not a secret. */
static bool is_state(const struct redact_text *t, enum redact_name kind, size_t value)
{
	size_t from, n = value_head(t, value, &from);
	char end = redact_at(t, from + n);

	return n && !redact_name_hides(kind, t->s + from, n) &&
	       (!end || strchr("\n\r\"'`,;|)]}", end));
}

/* "pass: 12, fail: 3" */
static bool counts_passes(const struct redact_text *t, size_t begin, size_t value)
{
	size_t n = 0;

	while (redact_digit(redact_at(t, value + n)))
		n++;
	return n && n < 6 && redact_is(t, begin, "pass") &&
	       redact_pair_name_end(t, begin) == begin + 4 &&
	       !redact_letter(redact_at(t, value + n));
}

/* "auth: new token": two words or more, after a name that is not that of a password. */
static bool is_prose(const struct redact_text *t, size_t begin, size_t value)
{
	size_t words = 0, i = value;

	if (!redact_is(t, begin, "auth:") && !redact_is(t, begin, "secret:") &&
	    !redact_is(t, begin, "token:") && !redact_is(t, begin, "secrets:"))
		return false;
	while (redact_letter(redact_at(t, i)) && words < 2) {
		while (redact_letter(redact_at(t, i)))
			i++;
		i += redact_at(t, i) == ',' || redact_at(t, i) == '-';
		if (!redact_letter(redact_at(t, i)) && !redact_blank(redact_at(t, i)) &&
		    redact_at(t, i) && !redact_quote(t->s[i]))
			return false;
		words++;
		i = skip_blanks(t, i);
	}
	return words == 2;
}

/* Returns the end of a header's value: the enclosing quote, or the end of the line. */
static size_t line_end(const struct redact_text *t, size_t i)
{
	while (i < t->n && t->s[i] != '\n' && t->s[i] != '\r' && !redact_closes(t, t->s[i]) &&
	       !(t->s[i] == '\\' && redact_quote(redact_at(t, i + 1))))
		i++;
	return i;
}

/* Where the value after a colon begins. *space: after a blank. */
static size_t value_after_colon(const struct redact_text *t, size_t colon, bool quoted, bool *space)
{
	size_t value = colon;

	while (redact_at(t, value) && strchr(":=>-", redact_at(t, value)))
		value++;
	*space = redact_blank(redact_at(t, value));
	value = skip_blanks(t, value);
	if (*space && quoted && redact_at(t, value) == '\n')
		while (redact_blank(redact_at(t, value)))
			value++;
	return value;
}

/* --secret-file:X, --token-env:X */
static bool is_place_after_colon(const struct redact_text *t, size_t value)
{
	size_t end = redact_pair_name_end(t, value);

	return (redact_is(t, value, "file") || redact_is(t, value, "env")) &&
	       (end == t->n || redact_blank(t->s[end]));
}

/* Hides the value after a secret's name and a colon: of a header (": X"), in JSON (":"X""), or a
 * plain pass:X. begin: where the name begins. */
static size_t after_colon(struct redact_scan *s, enum redact_name kind, size_t begin, size_t colon,
                          bool quoted)
{
	struct redact_text *t = s->t;
	size_t value, from, end, n;
	char before = begin ? t->s[begin - 1] : '\0';
	bool space, header;

	/* TestAuth::test_login, arn:aws:…:secret:name */
	if (redact_at(t, colon + 1) == ':' || (before == ':' && begin > 1 && !quoted))
		return colon;
	value = value_after_colon(t, colon, quoted, &space);
	if (redact_at(t, value) == '/' && redact_at(t, value + 1) == '/')
		return colon;
	end = block_end(t, &value);
	if (end)
		return redact_hide(t, value, end);
	if (before == '/' && begin > 1 && !space && !redact_blank(t->s[begin - 2]))
		return colon;
	/* "Password: " */
	if (redact_quote(redact_at(t, value)) &&
	    (redact_closes(t, t->s[value]) || value + 1 == t->n ||
	     strchr("),;]}", t->s[value + 1])))
		return colon;
	/* db-secret:password is the key of a secret. */
	if (!space && redact_is(t, value, "password") && colon > 6 &&
	    redact_is(t, colon - 7, "-secret"))
		return colon;
	if (quoted || redact_quote(redact_at(t, value)))
		return redact_pair_value(s, kind, value, true);
	if (kind <= REDACT_NAME_LIKELY)
		return redact_pair_value(s, kind, value, false);
	if (!space && before == '-' && is_place_after_colon(t, value))
		return colon;
	if (before == '{' && redact_at(t, value) == '?') /* ${TOKEN:?unset} */
		return colon;
	n = value_head(t, value, &from);
	if (!space && n && redact_pair_scheme(t, value) == value &&
	    !redact_name_hides(kind, t->s + from, n))
		return colon;
	from = redact_pair_scheme(t, value);
	if (is_state(t, kind, value) ||
	    (space && (counts_passes(t, begin, value) || is_prose(t, begin, value))) ||
	    redact_value_reference(t, from, true) > from)
		return colon;
	header = space || begin == 0 || (begin == 2 && t->s[0] == '-');
	if (header || t->open)
		return redact_hide(t, value, line_end(t, value));
	end = redact_value_end(t, from, &from, false);
	return redact_hide(t, value, end);
}

/* The words of a command line as a list: '--password", "X"' and "['--password', 'X']". */
static size_t after_name_in_list(struct redact_scan *s, enum redact_name kind, size_t i)
{
	const struct redact_text *t = s->t;
	size_t value = skip_blanks(t, i);

	if (redact_at(t, value) != ',')
		return i;
	value = skip_blanks(t, value + 1);
	if (!redact_quote(redact_at(t, value)) && redact_at(t, value) != '\\')
		return i;
	return redact_pair_value(s, kind, value, true);
}

/* SQL: "PASSWORD 'X'", "password to 'X'", "IDENTIFIED BY 'X'". .netrc: "login me password X". */
static size_t after_word(struct redact_scan *s, size_t end)
{
	static const char *const links[] = {"by ", "to ", "is ", "as ", "with "};
	const struct redact_text *t = s->t;
	size_t value = end, from, n;
	bool said = false; /* "the password is X" */

	while (redact_blank(redact_at(t, value)))
		value++;
	for (size_t k = 0; value > end && k < COUNT(links); k++)
		if (redact_is(t, value, links[k])) {
			said = *links[k] == 'i';
			value += strlen(links[k]);
		}
	if (value == end && redact_at(t, value) == '(' &&
	    strchr("\"'\\`N", redact_at(t, value + 1)))
		return redact_pair_value(s, REDACT_NAME_SECRET, value, true);
	if (value == end)
		return end;
	if (redact_is(t, value, "$$")) {
		const char *last = strstr(t->s + value + 2, "$$");
		return last ? redact_hide(s->t, value + 2, (size_t)(last - t->s)) : end;
	}
	if ((redact_quote(redact_at(t, value)) && !redact_closes(t, t->s[value])) ||
	    (redact_at(t, value) == '\\' && redact_quote(redact_at(t, value + 1))) || s->netrc ||
	    said)
		return redact_pair_value(s, REDACT_NAME_SECRET, value, true);
	n = value_head(t, value, &from);
	return redact_token_random(t->s + from, n) ? redact_hide(s->t, from, from + n) : end;
}

/* Skips the bytes between a name and its value: quotes, "]", %22. */
static size_t close_name(const struct redact_text *t, size_t i)
{
	size_t from = i;

	while (redact_at(t, i) == '\\')
		i++;
	if (redact_quote(redact_at(t, i)))
		i++;
	else if (redact_is(t, i, "%22") || redact_is(t, i, "%5d"))
		i += 3;
	else if (redact_is(t, i, "%5b%5d"))
		i += 6;
	else
		i = from;
	if (redact_is(t, i, "[]"))
		i++;
	/* TOKENS[prod]= */
	if (i == from && redact_at(t, i) == '[') {
		size_t end = redact_pair_name_end(t, i + 1);
		if (end > i + 1 && redact_is(t, end, "]="))
			return end + 1;
	}
	return redact_at(t, i) == ']' ? i + 1 : i;
}

/* Hides the value after "=", "==" or "=>", with or without blanks around it. */
static size_t after_equals(struct redact_scan *s, enum redact_name kind, size_t end, size_t equals,
                           bool partition)
{
	const struct redact_text *t = s->t;
	size_t value = equals + 1;
	bool capital = t->s[end - 1] >= 'A' && t->s[end - 1] <= 'Z';
	size_t from, n = value_head(t, value, &from);
	const char *slash = memchr(t->s + from, '/', n);

	/* s3://bucket/token=a/part-1 */
	if (slash && partition && redact_name_words(t->s + from, (size_t)(slash - t->s) - from))
		return value;

	while (redact_at(t, value) && strchr("=>~", redact_at(t, value)))
		value++;
	if (end >= 4 && redact_is(t, end - 4, "pass") && counts_passes(t, end - 4, value) &&
	    !redact_digit(redact_at(t, value + 3)))
		return value;
	if (redact_blank(redact_at(t, value))) {
		value = skip_blanks(t, value);
		n = value_head(t, value, &from);
		/* "TOKEN= make" sets an empty variable for a command. */
		if (equals == end && (capital || !redact_token_chosen(t->s + from, n)))
			return equals + 1;
	}
	return redact_pair_value(s, kind, value, equals != end && end + 1 == equals && !capital);
}

/* <password type="a">X</password>: the name is at i and ends at next. */
static size_t after_name_in_element(struct redact_text *t, size_t i, size_t next)
{
	size_t begin = i, value = next;

	while (begin && i - begin < 16 && t->s[begin - 1] != '<' && !redact_blank(t->s[begin - 1]))
		begin--;
	if (!begin || t->s[begin - 1] != '<')
		return i;
	while (redact_at(t, value) && value - next < LOOK && t->s[value] != '>' &&
	       t->s[value] != '<')
		value++;
	if (redact_at(t, value) != '>')
		return i;
	value++;
	if (redact_is(t, value, "<![cdata["))
		value += 9;
	return redact_hide(t, value, redact_value_inside(t, value, '<', '<'));
}

/* Hides the value after a secret's name at i..end; next: the position after the name's quotes. */
static size_t after_name(struct redact_scan *s, enum redact_name kind, size_t i, size_t end,
                         size_t next)
{
	const struct redact_text *t = s->t;
	size_t sign = skip_blanks(t, next);
	char before = i ? t->s[i - 1] : '\0';

	if (redact_is(t, sign, "\\u003d") || redact_is(t, sign, "\\u003a"))
		return redact_pair_value(s, kind, sign + 6, false);
	if (redact_is(t, sign, "%3d") || redact_is(t, sign, "%3a"))
		return redact_pair_value(s, kind,
		                         sign + 3 + (redact_is(t, sign + 3, "%22") ? 3 : 0), false);
	if (redact_at(t, sign) == '=' ||
	    (redact_at(t, sign) && strchr("!+?:", t->s[sign]) && redact_at(t, sign + 1) == '='))
		return after_equals(s, kind, end, redact_at(t, sign) == '=' ? sign : sign + 1,
		                    before == '/' && i > 1 && !redact_blank(t->s[i - 2]));
	if (redact_at(t, sign) == ':')
		return after_colon(s, kind, i, sign, next != end);
	if (before == '<' || before == ':')
		return after_name_in_element(s->t, i, next);
	/* f("TOKEN", "X") */
	if (next != end && (before == '-' || (i > 1 && t->s[i - 2] == '(')))
		return after_name_in_list(s, kind, next);
	next = kind >= REDACT_NAME_KEY && !redact_is(t, end - 3, "key") && before != '-' &&
	               !redact_is(t, i, "auth")
	           ? after_word(s, end)
	           : end;
	return next > end ? next : i;
}

/* Whether the name at i..end is that of an HTTP header: X-Foo-Key: X, Subscription-Key: X. */
static bool names_header(const struct redact_text *t, size_t i, size_t end)
{
	bool capital = redact_upper(t->s[i]), dash = false;

	if (redact_at(t, end) != ':')
		return false;
	for (size_t k = i; k < end; k++) {
		if (t->s[k] == '_' || t->s[k] == '.')
			return false;
		dash = dash || t->s[k] == '-';
		capital = capital && (t->s[k] != '-' || redact_upper(redact_at(t, k + 1)));
	}
	return dash && (capital || redact_is(t, i, "x-"));
}

/* Hides the value of the name at i, if it is that of a secret. Returns the position to continue at,
 * or i. */
static size_t redact_pair(struct redact_scan *s, size_t i)
{
	struct redact_text *t = s->t;
	size_t end = redact_pair_name_end(t, i), next;
	char before = i ? t->s[i - 1] : '\0', open = t->open, outer = t->outer;
	enum redact_name kind;
	bool query;

	while (end > i && redact_at(t, end - 1) == '-')
		end--;
	query = before == '?' || before == '&' || before == ';' || names_header(t, i, end);
	kind = redact_name(t->s + i, end - i, query);
	/* name: TOKEN, value: X */
	if (end - i == 5 && redact_is(t, i, "value") && s->named && i - s->named < LOOK / 2)
		kind = REDACT_NAME_SECRET;
	/* Server=h;PWD=X is not a working directory. */
	if (before == ';' && end - i == 3 && redact_is(t, i, "pwd"))
		kind = REDACT_NAME_SECRET;
	if (kind == REDACT_NAME_PLAIN)
		return i;
	next = close_name(t, end);
	/* A name that has a value of its own is not the value of "name". */
	if (kind >= REDACT_NAME_KEY && before != '-' &&
	    !strchr("=:", redact_at(t, skip_blanks(t, next))))
		s->named = end;
	if (next > end && redact_at(t, end) == open) {
		t->open = outer;
		t->outer = '\0';
	}
	next = after_name(s, kind, i, end, next);
	t->open = open;
	t->outer = outer;
	return next;
}

/* -- the scan ---------------------------------------------------------------------------------- */

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
	if (next == i && is_name_start(t->s[i]))
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
			if (next == i && is_name_start(t->s[i]))
				s.within = redact_pair_name_end(t, i);
		}
		next = next > i ? next : i + 1;
		follow_quotes(t, i, next);
		i = next;
	}
}
