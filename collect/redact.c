/* redact: a command line as it may be written down. */
#include "redact.h"

#include <stdbool.h>
#include <string.h>

#include "secret.h"

#define MASK           "***"
#define PROGRAM_WITHIN 8 /* words in which a program is looked for */

struct text {
	const char *s;
	size_t n;
	size_t done; /* what is before is written */
	struct buf *out;
	size_t key; /* where the words PRIVATE KEY stand; 0: nowhere */
	bool curl;  /* -u is followed by a user and a password */
};

static bool letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static char at(const struct text *t, size_t i)
{
	return i < t->n ? t->s[i] : '\0';
}

/* Where a name that begins at i ends. */
static size_t name_end(const struct text *t, size_t i)
{
	while (letter(at(t, i)) || digit(at(t, i)) || at(t, i) == '-' || at(t, i) == '.')
		i++;
	return i;
}

/* Where the value that begins at i ends, a quoted one before its closing quote; *from is where what
 * is to be hidden begins. */
static size_t value_end(const struct text *t, size_t i, size_t *from)
{
	bool escaped = at(t, i) == '\\' && quote(at(t, i + 1));
	char q;

	i += escaped;
	q = quote(at(t, i)) ? at(t, i) : '\0';
	i += q != '\0';
	*from = i;
	for (; i < t->n; i++) {
		char c = t->s[i];
		if (c == '\\' && i + 1 < t->n && !(escaped && t->s[i + 1] == q))
			i++;
		else if (q ? c == q || c == '\\' : blank(c) || quote(c) || strchr("&;|<>()", c))
			break;
	}
	return i < t->n ? i : t->n;
}

/* A header's value: to the end of the line or of the quote that it stands in. */
static size_t header_end(const struct text *t, size_t i)
{
	while (i < t->n && !quote(t->s[i]) && t->s[i] != '\n' && t->s[i] != '\r' &&
	       !(t->s[i] == '\\' && quote(at(t, i + 1))))
		i++;
	return i;
}

static void copy_to(struct text *t, size_t end)
{
	buf_add(t->out, t->s + t->done, end - t->done);
	t->done = end;
}

/* Hides from..end. Returns end. */
static size_t hide(struct text *t, size_t from, size_t end)
{
	if (end <= from)
		return end;
	copy_to(t, from);
	buf_str(t->out, MASK);
	t->done = end;
	return end;
}

/* ffmpeg -pass 2 is no password. */
static bool small_number(const struct text *t, size_t from, size_t end)
{
	if (end - from > 2)
		return false;
	while (from < end)
		if (!digit(at(t, from++)))
			return false;
	return true;
}

/* An option's value in the next word: --password X. i is behind the name. */
static size_t after_option(struct text *t, size_t i)
{
	size_t from, end, value = i;

	while (blank(at(t, value)))
		value++;
	if (at(t, value) == '-' || value == t->n)
		return i;
	end = value_end(t, value, &from);
	if (small_number(t, from, end))
		return end;
	return hide(t, from, end);
}

/* What a colon after a secret's name means: a header (": X"), JSON (":"X""), or a bare pass:X. */
static size_t after_colon(struct text *t, size_t begin, size_t colon, bool quoted)
{
	size_t value = colon + 1, from, end;
	bool space = blank(at(t, value));

	while (blank(at(t, value)))
		value++;
	if (space && !quoted && !quote(at(t, value)))
		return hide(t, value, header_end(t, value));
	if (at(t, value) == '/' || (begin > 0 && t->s[begin - 1] == '/'))
		return colon;
	end = value_end(t, value, &from);
	return hide(t, from, end);
}

/* A name at i. Returns where to go on, or i where it is none that matters. */
static size_t name(struct text *t, size_t i)
{
	size_t end = name_end(t, i), next = end, from, to;
	char before = i ? t->s[i - 1] : '\0';
	bool option = before == '-', quoted;

	if (!secret_name(t->s + i, end - i, before == '?' || before == '&'))
		return i;
	quoted = quote(at(t, next)) || (at(t, next) == '\\' && quote(at(t, next + 1)));
	next += quoted ? (at(t, next) == '\\' ? 2 : 1) : 0;
	while (quoted && blank(at(t, next)))
		next++;
	if (at(t, next) == '=') {
		to = value_end(t, next + 1, &from);
		return hide(t, from, to);
	}
	if (at(t, next) == ':')
		return after_colon(t, i, next, quoted);
	if (option && !quoted && blank(at(t, end)))
		return after_option(t, end);
	return i;
}

/* The password in scheme://user:password@host, and a user that is a token; i is at "://". */
static size_t url(struct text *t, size_t i)
{
	size_t from = i + 3, colon = 0, sign = 0, end;

	for (size_t k = from; k < t->n && !blank(t->s[k]) && !quote(t->s[k]); k++) {
		if (strchr("/?#", t->s[k]))
			break;
		if (t->s[k] == ':' && !colon)
			colon = k;
		if (t->s[k] == '@')
			sign = k;
	}
	if (!sign)
		return from;
	end = colon && colon < sign ? colon : sign;
	if (secret_random(t->s + from, end - from) || secret_form(t->s + from, end - from))
		hide(t, from, end);
	else if (end == sign)
		return from;
	return end < sign ? hide(t, end + 1, sign) : sign;
}

/* Addresses that are secrets themselves: whoever knows one may post there. */
static size_t webhook(struct text *t, size_t i)
{
	static const char *const begins[] = {
	    "hooks.slack.com/services/",   "hooks.slack.com/workflows/",
	    "discord.com/api/webhooks/",   "discordapp.com/api/webhooks/",
	    "outlook.office.com/webhook/", "api.telegram.org/bot"};
	size_t end;

	for (size_t k = 0; k < sizeof begins / sizeof *begins; k++) {
		size_t n = strlen(begins[k]);
		if (t->n - i < n || memcmp(t->s + i, begins[k], n) != 0)
			continue;
		for (end = i + n; end < t->n && !blank(t->s[end]) && !quote(t->s[end]);)
			end++;
		return hide(t, i + n, end);
	}
	return i;
}

/* "Bearer X", which is a secret whatever stands before. */
static size_t bearer(struct text *t, size_t i)
{
	size_t from = i + 7, end = from;

	if (t->n - i < 7 || strncasecmp(t->s + i, "bearer ", 7) != 0)
		return i;
	while (end < t->n && !blank(t->s[end]) && !quote(t->s[end]) && t->s[end] != '\\')
		end++;
	return end - from < 8 ? i : hide(t, from, end);
}

/* user:password after curl's -u or --user; i is behind the blank. */
static size_t user(struct text *t, size_t i)
{
	size_t from, end = value_end(t, i, &from), colon = from;

	while (colon < end && t->s[colon] != ':')
		colon++;
	return colon < end ? hide(t, colon + 1, end) : i;
}

static bool is_word(const struct text *t, size_t i, const char *word)
{
	size_t n = strlen(word);

	return t->n - i >= n && memcmp(t->s + i, word, n) == 0;
}

/* What begins at i, the beginning of a word; where to go on, or i where it is nothing of ours. */
static size_t one(struct text *t, size_t i)
{
	size_t n = secret_form(t->s + i, t->n - i), next;

	if (n)
		return hide(t, i, i + n);
	if (i < t->key && is_word(t, i, "-----BEGIN "))
		return hide(t, i, t->n);
	next = bearer(t, i);
	if (next == i)
		next = webhook(t, i);
	if (next == i && (letter(t->s[i]) || digit(t->s[i])))
		next = name(t, i);
	return next;
}

/* Masks t. */
static void scan(struct text *t)
{
	size_t i = 0, within = 0; /* names are tried once: within one, only forms are */

	while (i < t->n) {
		bool inside = i && (letter(t->s[i - 1]) || digit(t->s[i - 1]));
		size_t next = i;
		if (is_word(t, i, "://"))
			next = url(t, i);
		else if (!inside && i >= within)
			next = one(t, i);
		else if (!inside && secret_form(t->s + i, t->n - i))
			next = hide(t, i, i + secret_form(t->s + i, t->n - i));
		if (next == i && !inside && i >= within && (letter(t->s[i]) || digit(t->s[i])))
			within = name_end(t, i);
		if (next == i && t->curl && i && blank(t->s[i - 1]) &&
		    (is_word(t, i, "-u ") || is_word(t, i, "--user "))) {
			i += strcspn(t->s + i, " ") + 1;
			next = user(t, i);
		}
		i = next > i ? next : i + 1;
	}
}

static const char *base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The name of an option word, without its dashes and what follows "=". */
static bool secret_option(const char *word, size_t *name_at, size_t *n)
{
	*name_at = strspn(word, "-");
	*n = strcspn(word + *name_at, "=");
	return *name_at && secret_name(word + *name_at, *n, false);
}

enum how { ATTACHED = 1, SEPARATE = 2, BOTH = 3 };

/* Whether argv[i], "-p" or "-pX", is the option of a program in whose command line it stands that
 * takes a password. The program is among the first words: others (sudo, timeout 5) may stand before
 * it. */
static bool short_option(char *const *argv, size_t i, enum how how)
{
	static const struct {
		const char *program, *verb; /* which must follow; NULL: none */
		char option;
		enum how how;
		size_t within; /* words behind the program; 0: any */
	} rows[] = {
	    {"sshpass", NULL, 'p', BOTH, 1},       {"mysql", NULL, 'p', ATTACHED, 0},
	    {"mysqldump", NULL, 'p', ATTACHED, 0}, {"mysqladmin", NULL, 'p', ATTACHED, 0},
	    {"mariadb", NULL, 'p', ATTACHED, 0},   {"mariadb-dump", NULL, 'p', ATTACHED, 0},
	    {"redis-cli", NULL, 'a', SEPARATE, 0}, {"ldapsearch", NULL, 'w', BOTH, 0},
	    {"ldapadd", NULL, 'w', BOTH, 0},       {"ldapmodify", NULL, 'w', BOTH, 0},
	    {"zip", NULL, 'P', BOTH, 0},           {"unzip", NULL, 'P', BOTH, 0},
	    {"7z", NULL, 'p', ATTACHED, 0},        {"7za", NULL, 'p', ATTACHED, 0},
	    {"docker", "login", 'p', BOTH, 0},     {"podman", "login", 'p', BOTH, 0},
	    {"mosquitto_pub", NULL, 'P', BOTH, 0}, {"mosquitto_sub", NULL, 'P', BOTH, 0},
	};

	for (size_t at = 0; at < i && at < PROGRAM_WITHIN; at++) {
		for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
			if (argv[i][1] == rows[k].option && (rows[k].how & how) &&
			    strcmp(base(argv[at]), rows[k].program) == 0 &&
			    (!rows[k].within || i - at <= rows[k].within) &&
			    (!rows[k].verb || strcmp(argv[at + 1], rows[k].verb) == 0))
				return true;
		}
	}
	return false;
}

/* Whether the word before asks for a secret, and this is it. */
static bool is_value(char *const *argv, size_t i)
{
	const char *before = i ? argv[i - 1] : "", *word = argv[i];
	struct text t = {.s = word, .n = strlen(word)};
	size_t from, n;

	if (!secret_option(before, &from, &n) || before[from + n] == '=')
		return before[0] == '-' && before[1] && !before[2] &&
		       short_option(argv, i - 1, SEPARATE);
	return !(word[0] == '-' && (word[1] == '-' || (letter(word[1]) && !word[2]))) &&
	       !small_number(&t, 0, t.n);
}

/* A word NAME=VALUE or --NAME=VALUE is a secret to its end, blanks and all. Where to hide from, or
 * 0. */
static size_t assigned(const char *word, const char *before)
{
	size_t from = strspn(word, "-"), n = strcspn(word + from, "=");
	size_t plain = strspn(word + from, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	                                   "0123456789_-.");
	bool script = before[0] == '-' && before[1] != '-' && strchr(before, 'c');

	if (word[from + n] != '=' || plain != n || (script && !from))
		return 0;
	return secret_name(word + from, n, false) ? from + n + 1 : 0;
}

/* Whether the word is what curl is told by an option of this kind: user:password. */
static bool is_user(char *const *argv, size_t i)
{
	static const char *const options[] = {"-u", "--user", "-U", "--proxy-user"};

	for (size_t k = 0; i && k < sizeof options / sizeof *options; k++)
		if (strcmp(argv[i - 1], options[k]) == 0)
			return strcmp(base(argv[0]), "curl") == 0 && strchr(argv[i], ':');
	return false;
}

/* Where the words of a private key stand. */
static size_t key_at(const char *text)
{
	const char *key = strstr(text, "PRIVATE KEY-----");

	return key ? (size_t)(key - text) : 0;
}

void redact_word(char *const *argv, size_t i, struct buf *out)
{
	const char *word = argv[i];
	struct text t = {.s = word, .n = strlen(word), .out = out, .key = key_at(word)};
	size_t from = assigned(word, i ? argv[i - 1] : "");

	t.curl = strstr(word, "curl ") != NULL;
	if (is_value(argv, i))
		hide(&t, 0, t.n);
	else if (from)
		hide(&t, from, t.n);
	else if (word[0] == '-' && word[1] && word[2] && short_option(argv, i, ATTACHED))
		hide(&t, 2, t.n);
	else if (is_user(argv, i))
		hide(&t, strcspn(word, ":") + 1, t.n);
	else
		scan(&t);
	copy_to(&t, t.n);
}

void redact_value(const char *name, const char *value, struct buf *out)
{
	struct text t = {.s = value, .n = strlen(value), .out = out, .key = key_at(value)};

	if (secret_name(name, strlen(name), false))
		hide(&t, 0, t.n);
	else
		scan(&t);
	copy_to(&t, t.n);
}
