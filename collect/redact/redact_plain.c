/* redact_plain: values that are plainly no secrets. */
#include "collect/redact/redact_plain.h"

#include <string.h>
#include <strings.h>

#include "collect/redact/redact_text.h"

#define COUNT(a)       (sizeof(a) / sizeof *(a))
#define PATH_MAX_BYTES 64 /* of the variable that a path begins with */

/* Values of switches, which are no secrets; the second list: states and methods, which are none
 * either, unless the name is that of a password. */
static const char *const benign[] = {"true", "false", "yes", "no", "none", "null", "on", "off"};
static const char *const state[] = {
    "pending", "error",   "passed",   "denied",   "granted",  "expired", "valid",  "invalid",
    "missing", "unknown", "skipped",  "stdin",    "sha1",     "sha256",  "sha512", "md5",
    "latest",  "enabled", "disabled", "required", "optional", "auto",    "ok",     "failed",
    "success", "ask",     "prompt",   "basic",    "digest",   "oauth",   "oauth2", "oidc",
    "ldap",    "saml",    "pam",      "kerberos", "ntlm",     "always",  "never"};

static bool has_extension(const char *value, size_t n, const char *end)
{
	size_t length = strlen(end);

	return n > length && strncasecmp(value + n - length, end, length) == 0;
}

static bool has_file_ending(const char *value, size_t n)
{
	static const char *const ends[] = {".pem", ".key", ".crt",  ".json",  ".txt",  ".yaml",
	                                   ".yml", ".p12", ".pfx",  ".jks",   ".env",  ".conf",
	                                   ".cfg", ".ini", ".gpg",  ".asc",   ".toml", ".cer",
	                                   ".der", ".ppk", ".kdbx", ".netrc", ".jwk",  ".pub"};

	for (size_t i = 0; i < COUNT(ends); i++)
		if (has_extension(value, n, ends[i]))
			return true;
	return false;
}

/* Whether a value is a path (./a, ../a, ~/a, /etc/x.pem, $HOME/x) rather than a key. */
bool redact_plain_path(const char *value, size_t n)
{
	size_t at = 0, length = 0;

	if (value[0] == '$')
		while (at < n && at < PATH_MAX_BYTES && value[at] != '/')
			at++;
	else if (value[0] == '~')
		at = 1;
	else
		while (at < n && at < 2 && value[at] == '.')
			at++;
	if (at == n || value[at] != '/')
		return has_file_ending(value, n);
	for (; at < n; at++) {
		length = value[at] == '/' ? 0 : length + 1;
		if (value[at] == '+' || value[at] == '=' || length > 40)
			return false;
	}
	return true;
}

/* Whether a value is made of words and short numbers, or is no single word: cell_type, X_pca,
 * part-0001, 2,2n, {"id": 1}. */
bool redact_plain_words(const char *value, size_t n)
{
	size_t letters = 0, digits = 0;

	if (n && *value == '$')
		return true;
	for (size_t i = 0; i < n; i++) {
		bool letter = redact_lower(value[i]) || redact_upper(value[i]);
		if (strchr("{}()[]<>\"' ,", value[i]))
			return true;
		if (strchr("-_./:", value[i])) {
			letters = digits = 0;
			continue;
		}
		/* Letters after digits, or many digits alone: not a word. */
		if ((letter && digits && (letters || i + 1 < n)) || (!letters && digits > 8) ||
		    (!letter && !redact_digit(value[i])))
			return false;
		letters += letter;
		digits += redact_digit(value[i]);
	}
	return n < 32;
}

static bool among_values(const char *value, size_t n, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (n == strlen(list[i]) && strncasecmp(value, list[i], n) == 0)
			return true;
	return false;
}

bool redact_plain_switch(const char *value, size_t n)
{
	if (n == 2 && (*value == '%' || (redact_digit(value[0]) && redact_digit(value[1]))))
		return true; /* %s of printf; a count */
	return among_values(value, n, benign, COUNT(benign)) ||
	       among_values(value, n, state, COUNT(state));
}
