/* secret: which names are those of secrets, and which words are such themselves. */
#include "secret.h"

#include <string.h>

#define WORDS_MAX 8
#define COUNT(a)  (sizeof(a) / sizeof *(a))

static bool lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

struct words {
	char text[SECRET_NAME_MAX + WORDS_MAX + 2];
	const char *v[WORDS_MAX];
	size_t n;
};

/* Whether a word begins at i: dbPass, APIKey, db_pass. */
static bool begins(const char *s, size_t n, size_t i)
{
	if (i == 0 || !(lower(s[i - 1]) || upper(s[i - 1]) || digit(s[i - 1])))
		return true;
	if (!upper(s[i]))
		return false;
	return !upper(s[i - 1]) || (i + 1 < n && lower(s[i + 1]));
}

/* Words of a name in lower case. Those beyond the eighth become one with it. */
static void split(const char *s, size_t n, struct words *w)
{
	size_t at = 0;

	w->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (!lower(s[i]) && !upper(s[i]) && !digit(s[i]))
			continue;
		if (begins(s, n, i) && w->n < WORDS_MAX) {
			if (at)
				w->text[at++] = '\0';
			w->v[w->n++] = w->text + at;
		}
		w->text[at++] = upper(s[i]) ? (char)(s[i] - 'A' + 'a') : s[i];
	}
	w->text[at] = '\0';
}

static bool among(const char *word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(word, list[i]) == 0)
			return true;
	return false;
}

static bool ends_with(const char *word, const char *end)
{
	size_t a = strlen(word), b = strlen(end);

	return a >= b && strcmp(word + a - b, end) == 0;
}

static bool secret_word(const char *word)
{
	static const char *const whole[] = {"pass",          "pwd",        "auth",   "oauth",
	                                    "authorization", "creds",      "bearer", "cookie",
	                                    "jwt",           "credential", "otp",    "credentials"};
	static const char *const part[] = {"password", "passwd", "passphrase", "secret"};
	static const char *const end[] = {"token", "apikey", "accesskey", "privatekey", "authkey"};

	for (size_t i = 0; i < COUNT(part); i++)
		if (strstr(word, part[i]))
			return true;
	for (size_t i = 0; i < COUNT(end); i++)
		if (ends_with(word, end[i]))
			return true;
	return among(word, whole, COUNT(whole));
}

/* A key that opens something, not one to sort by. */
static bool secret_key(const struct words *w, size_t i)
{
	static const char *const of[] = {"api",     "access", "secret",       "private",
	                                 "signing", "shared", "encryption",   "account",
	                                 "auth",    "master", "subscription", "license"};

	/* arrayIndexOutOfBoundsCond: i is below w->n */
	return i > 0 && strcmp(w->v[i], "key") == 0 && among(w->v[i - 1], of, COUNT(of));
}

/* token-file, password_length, no-auth: about a secret, but not the secret. */
static bool about(const struct words *w)
{
	static const char *const last[] = {
	    "file",  "files",   "path",   "paths",  "dir",     "name",    "names",    "limit",
	    "count", "length",  "len",    "size",   "sizes",   "type",    "types",    "ttl",
	    "url",   "uri",     "policy", "method", "mode",    "timeout", "endpoint", "store",
	    "class", "format",  "env",    "var",    "prompt",  "stdin",   "arn",      "expiry",
	    "index", "version", "level",  "budget", "provider"};
	static const char *const first[] = {"no", "without", "skip", "disable", "ask"};
	const char *end = w->v[w->n - 1];

	if (among(end, last, COUNT(last)) || among(w->v[0], first, COUNT(first)))
		return true;
	return w->n > 1 && strcmp(end, "id") == 0 && strcmp(w->v[w->n - 2], "token") == 0;
}

bool secret_name(const char *name, size_t n, bool query)
{
	static const char *const in_query[] = {"sig", "signature", "key", "sas"};
	struct words w;

	if (n > SECRET_NAME_MAX) {
		name += n - SECRET_NAME_MAX;
		n = SECRET_NAME_MAX;
	}
	if (n == 0)
		return false;
	if ((n == 3 && memcmp(name, "PWD", 3) == 0) || (n == 6 && memcmp(name, "OLDPWD", 6) == 0))
		return false;
	split(name, n, &w);
	if (w.n == 0 || about(&w))
		return false;
	for (size_t i = 0; i < w.n; i++)
		if (secret_word(w.v[i]) || secret_key(&w, i))
			return true;
	return query && among(w.v[w.n - 1], in_query, COUNT(in_query));
}

/* -- forms ------------------------------------------------------------------------------------- */

static const struct {
	const char *prefix;
	size_t min;       /* bytes that must follow */
	bool needs_digit; /* one of them is a digit: words of plain letters are names */
} forms[] = {
    {"ghp_", 20, false},     {"gho_", 20, false},     {"ghu_", 20, false},
    {"ghs_", 20, false},     {"ghr_", 20, false},     {"github_pat_", 20, false},
    {"glpat-", 16, false},   {"gldt-", 16, false},    {"xoxa-", 10, false},
    {"xoxb-", 10, false},    {"xoxp-", 10, false},    {"xoxr-", 10, false},
    {"xoxs-", 10, false},    {"xapp-", 10, false},    {"AKIA", 16, false},
    {"ASIA", 16, false},     {"sk-", 20, true},       {"sk_live_", 16, false},
    {"rk_live_", 16, false}, {"sk_test_", 16, false}, {"hf_", 30, false},
    {"npm_", 30, false},     {"pypi-", 30, true},     {"AIza", 30, false},
    {"ya29.", 20, false},    {"dop_v1_", 30, false},  {"dckr_pat_", 20, false},
    {"SG.", 30, true},       {"hvs.", 20, false},     {"hvb.", 20, false},
    {"glptt-", 16, false},   {"glrt-", 16, false},    {"glcbt-", 16, false},
    {"gloas-", 16, false},   {"shpat_", 20, false},   {"whsec_", 20, false},
    {"rubygems_", 30, true}, {"tskey-", 20, true},    {"nvapi-", 30, false},
    {"gsk_", 30, false},     {"dapi", 32, true},      {"AGE-SECRET-KEY-1", 30, false},
};

static bool of_token(char c)
{
	return lower(c) || upper(c) || digit(c) || c == '_' || c == '-' || c == '.' || c == '=' ||
	       c == '+';
}

/* How many bytes at the beginning of the text a token may have, at most max. */
static size_t length_of(const char *text, size_t n, size_t max)
{
	size_t run = 0;

	while (run < n && run < max && of_token(text[run]))
		run++;
	return run;
}

static bool has(const char *text, size_t n, bool (*kind)(char))
{
	for (size_t i = 0; i < n; i++)
		if (kind(text[i]))
			return true;
	return false;
}

static bool dot(char c)
{
	return c == '.';
}

/* What tells it stands near the beginning: text that only looks alike is not read to its end again
 * and again. */
#define LOOK 1024

/* A JSON web token: three parts, the first of which begins a JSON object in base64. */
static bool is_web_token(const char *text, size_t n)
{
	size_t run;

	if (n < 20 || memcmp(text, "eyJ", 3) != 0)
		return false;
	run = length_of(text, n, LOOK);
	return run >= 20 && (run == LOOK || has(text, run, dot));
}

static bool is_form(const char *text, size_t n)
{
	for (size_t i = 0; i < COUNT(forms); i++) {
		size_t length = strlen(forms[i].prefix), run;
		if (n < length + forms[i].min || memcmp(text, forms[i].prefix, length) != 0)
			continue;
		run = length_of(text, n, LOOK / 8);
		if (run >= length + forms[i].min &&
		    (!forms[i].needs_digit || has(text + length, run - length, digit)))
			return true;
	}
	return false;
}

size_t secret_form(const char *text, size_t n)
{
	if (n == 0 || !strchr("gxAsrhnpydSewt", *text))
		return 0;
	return is_form(text, n) || is_web_token(text, n) ? length_of(text, n, n) : 0;
}

bool secret_random(const char *text, size_t n)
{
	size_t letters = 0, digits = 0;

	for (size_t i = 0; i < n; i++) {
		if (!of_token(text[i]))
			return false;
		letters += lower(text[i]) || upper(text[i]);
		digits += digit(text[i]);
	}
	return n >= 20 && letters && digits >= 2;
}
