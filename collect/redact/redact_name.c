/* redact_name: decides whether a name is that of a secret. */
#include "collect/redact/redact_name.h"

#include <string.h>
#include <strings.h>

#include "collect/redact/redact_plain.h"
#include "collect/redact/redact_text.h"
#include "collect/redact/redact_token.h"

#define NAME_MAX_BYTES 64
#define WORDS_MAX      8
#define COUNT(a)       (sizeof(a) / sizeof *(a))
#define AMONG(word, a) is_one_of(word, a, COUNT(a))

/* -- the tables -------------------------------------------------------------------------------- */

/* A name is split into words: dbPassword, DB_PASSWORD and db.password are "db" and "password".
 * Digits at the end of a word do not count. The tables: part: anywhere in a word. whole: a whole
 * word. last: the last word. suffix: the end of a word. A word of "part" makes the name that of a
 * secret wherever it stands; "token", "secret" and the like only at the end, or before a word that
 * says which one: token_prod, but not token_classification. */

static const char *const part[] = {
    "basicauth",  "password",   "passwd",  "passphrase", "passcode",   "passwort", "kennwort",
    "contrasena", "wachtwoord", "pincode", "mnemonic",   "motdepasse", "sessid"};
static const char *const not_part[] = {"passwordless"};
/* "secretkey" and "secretsstring" are secrets; "secretome", "secreted" and "secretary" are not. */
static const char *const after_secret[] = {"",     "s",  "key",   "access", "token",
                                           "pass", "id", "value", "phrase"};
/* Words after "token", "secret" and the like that only say which one it is. */
static const char *const which[] = {
    "prod",   "production", "dev",      "development", "staging", "stage",        "live",
    "test",   "value",      "string",   "raw",         "plain",   "base",         "bytes",
    "hex",    "new",        "old",      "current",     "main",    "backup",       "ro",
    "rw",     "read",       "write",    "admin",       "root",    "app",          "api",
    "web",    "db",         "database", "openai",      "github",  "gitlab",       "slack",
    "aws",    "gcp",        "azure",    "stripe",      "npm",     "pypi",         "user",
    "client", "bot",        "again",    "repeat",      "confirm", "confirmation", "secret",
    "key",    "token",      "password"};
static const char *const whole[] = {
    "pass", "pwd",   "authorization", "bearer", "jwt",   "otp",       "totp",      "pw",
    "pswd", "psswd", "psw",           "pword",  "passw", "tkn",       "passwrd",   "senha",
    "mdp",  "psk",   "wppass",        "clave",  "token", "keyphrase", "seedphrase"};
static const char *const last[] = {"auth", "oauth",        "pin",     "pat",
                                   "dsn",  "authenticate", "webhook", "salt"};
static const char *const suffix[] = {"token", "pwd",        "pw",  "pass",   "psk",
                                     "auth",  "passphrase", "dsn", "secret", "secrets"};
/* Words with such an ending that mean something else. */
static const char *const not_suffix[] = {
    "bypass",     "compass",    "encompass",  "overpass",  "underpass", "trespass", "surpass",
    "multipass",  "lowpass",    "highpass",   "bandpass",  "allpass",   "onepass",  "twopass",
    "singlepass", "subpass",    "renderpass", "preauth",   "xauth",     "noauth",   "untoken",
    "detoken",    "monkey",     "donkey",     "turkey",    "hockey",    "whiskey",  "jockey",
    "hotkey",     "sortkey",    "pubkey",     "publickey", "primkey",   "keykey",   "lackey",
    "mickey",     "smokey",     "flunkey",    "pokey",     "dickey",    "rickey",   "subkey",
    "primarykey", "foreignkey", "partkey",    "hashkey",   "cachekey",  "groupkey", "indexkey",
    "shortkey",   "hostkey",    "knownkey",   "rowkey",    "mapkey",    "dictkey",  "rpass",
    "setkey",     "bykey",      "getpass",    "getkey",    "haskey",    "onkey"};
/* The word before changes the meaning: an end-of-sentence token, a CPU pin. */
static const char *const other_token[] = {
    "pagination",   "paging", "cursor", "resume", "sync",  "cancellation", "pad",  "eos",
    "bos",          "unk",    "mask",   "sep",    "cls",   "special",      "stop", "cancel",
    "image",        "vocab",  "next",   "start",  "end",   "prompt",       "word", "starting",
    "continuation", "page",   "sub",    "pos",    "lookup"};
static const char *const other_pass[] = {"two",  "one",  "single", "multi", "first", "second",
                                         "num",  "n",    "low",    "high",  "band",  "all",
                                         "full", "each", "per",    "sub",   "render"};
static const char *const other_pin[] = {"cpu", "gpio", "mem", "memory", "numa", "core", "thread",
                                        "led", "data", "clk", "reset",  "irq",  "tx",   "rx"};
static const char *const other_pat[] = {"file",   "name", "path",    "search",  "match", "glob",
                                        "ignore", "line", "exclude", "include", "test",  "grep"};
static const char *const other_key[] = {
    "default", "sort",   "primary",      "foreign", "partition", "public",   "cache",  "group",
    "host",    "hot",    "range",        "shard",   "index",     "row",      "map",    "dict",
    "object",  "lookup", "order",        "by",      "field",     "column",   "join",   "unique",
    "natural", "hash",   "distribution", "dist",    "pub",       "registry", "config", "any",
    "known",   "arrow",  "trusted",      "verify",  "primitive", "label",    "metric", "json",
    "state",   "return", "value",        "bucket",  "s3",        "press",    "event",  "extra",
    "context", "data",   "input",        "output",  "target",    "feature",  "text",   "image"};
/* "api key", "access key" …: keys that give access, at any place in the name. */
static const char *const open_key[] = {
    "api",          "access", "secret",  "private", "signing", "shared",  "account", "encryption",
    "subscription", "auth",   "license", "master",  "authkey", "storage", "deploy"};
static const char *const code_of[] = {
    "token",  "unlock", "mfa", "verification", "auth", "authorization", "backup",     "recovery",
    "access", "totp",   "sms", "security",     "pin",  "device",        "activation", "login"};
static const char *const phrase_of[] = {"seed", "recovery", "wallet", "backup",
                                        "key",  "pass",     "unlock"};
/* Who gives a key to users of its service: "stripe key", "wandb.key". */
static const char *const service_key[] = {
    "stripe",      "wandb",      "openai",   "anthropic",  "mistral",  "cohere",  "hf",
    "huggingface", "google",     "gemini",   "maps",       "sendgrid", "mailgun", "twilio",
    "datadog",     "dd",         "ncbi",     "entrez",     "tower",    "comet",   "neptune",
    "kaggle",      "github",     "gitlab",   "slack",      "aws",      "azure",   "gcp",
    "groq",        "replicate",  "pinecone", "algolia",    "newrelic", "sentry",  "app",
    "user",        "client",     "service",  "server",     "admin",    "crypt",   "crypto",
    "cipher",      "decryption", "hmac",     "fernet",     "jwt",      "stream",  "session",
    "cookie",      "token",      "product",  "activation", "vault",    "unseal",  "sas"};
static const char *const glued_key[] = {
    "apikey",        "accesskey",  "privatekey", "authkey", "secretkey",
    "licensekey",    "accountkey", "masterkey",  "passkey", "sharedaccesskey",
    "encryptionkey", "signingkey", "appkey"};
static const char *const credential[] = {"hmac",  "cookie",     "cookies",    "cred",
                                         "creds", "credential", "credentials"};
static const char *const plural[] = {"api", "access", "auth", "bearer", "refresh", "session"};
static const char *const query_secret[] = {"sig",       "signature", "key",       "sas",
                                           "sid",       "session",   "sessionid", "jsessionid",
                                           "assertion", "ticket"};
static const char *const random_only[] = {"key",  "session", "sid",       "sessionid",
                                          "code", "hmac",    "signature", "sig",
                                          "seed", "auths",   "tokens",    "pskey"};
/* A secret that is named by its reference: "existing secret", "image pull secrets". */
static const char *const reference[] = {"existing", "pull", "from", "use", "tls", "ref"};

/* Facts about a secret, not the secret itself: token-file, password_length, no-auth. */
static const char *const about_last[] = {
    "lib",        "library",   "libs",       "flags",     "opts",      "options",    "site",
    "warn",       "file",      "files",      "path",      "paths",     "dir",        "name",
    "names",      "limit",     "count",      "length",    "len",       "size",       "sizes",
    "type",       "types",     "ttl",        "url",       "uri",       "policy",     "method",
    "mode",       "timeout",   "endpoint",   "store",     "class",     "format",     "env",
    "var",        "prompt",    "stdin",      "arn",       "expiry",    "index",      "version",
    "level",      "budget",    "provider",   "jar",       "host",      "port",       "domain",
    "helper",     "plugin",    "age",        "days",      "interval",  "strength",   "encoding",
    "algorithm",  "alg",       "hint",       "rotation",  "lifetime",  "expires",    "expiration",
    "enabled",    "required",  "field",      "column",    "label",     "prefix",     "suffix",
    "backend",    "service",   "server",     "realm",     "scope",     "scopes",     "region",
    "kind",       "source",    "cmd",        "command",   "script",    "fd",         "issuer",
    "audience",   "template",  "ref",        "volume",    "namespace", "chars",      "cache",
    "check",      "tests",     "test",       "generator", "user",      "username",   "eval",
    "through",    "thru",      "args",       "filenames", "embedding", "dim",        "secure",
    "samesite",   "module",    "manager",    "offset",    "usage",     "requests",   "min",
    "max",        "yaml",      "yml",        "json",      "toml",      "txt",        "tfvars",
    "enc",        "header",    "headers",    "dataset",   "list",      "lists",      "dictionary",
    "reset",      "validator", "validators", "hasher",    "hashers",   "rounds",     "column",
    "columns",    "strategy",  "page",       "form",      "attribute", "attr",       "keyring",
    "bits",       "vault",     "engine",     "sharing",   "shares",    "threshold",  "ids",
    "num",        "separator", "sep",        "delimiter", "mount",     "mounts",     "operator",
    "controller", "warning",   "expired",    "protected", "rate",      "embeddings", "parameter"};
static const char *const about_first[] = {"stdin", "no",  "without", "skip",    "disable",
                                          "ask",   "max", "min",     "require", "enable",
                                          "use",   "num", "existing"};

/* -- words of a name --------------------------------------------------------------------------- */

struct words {
	char text[NAME_MAX_BYTES + WORDS_MAX + 2];
	const char *v[WORDS_MAX];
	bool part_ends[WORDS_MAX]; /* a "." follows: "pypi-token.x" */
	size_t n;
};

/* Whether a word begins at i: dbPass, APIKey, db_pass. */
static bool word_begins(const char *s, size_t n, size_t i)
{
	if (i == 0 || !(redact_lower(s[i - 1]) || redact_upper(s[i - 1]) || redact_digit(s[i - 1])))
		return true;
	if (!redact_upper(s[i]))
		return false;
	return !redact_upper(s[i - 1]) || (i + 1 < n && redact_lower(s[i + 1]));
}

static void end_word(struct words *w, size_t *at)
{
	size_t begin = w->n ? (size_t)(w->v[w->n - 1] - w->text) : 0, end = *at;

	while (end > begin && redact_digit(w->text[end - 1]))
		end--;
	*at = end > begin ? end : *at;
}

/* Splits a name into lower-case words without digits at their ends. Words after the eighth are
 * joined to it. A last word that is a number is dropped. */
static void split_name(const char *s, size_t n, struct words *w)
{
	size_t at = 0;

	w->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '.' && w->n)
			w->part_ends[w->n - 1] = true;
		if (!redact_lower(s[i]) && !redact_upper(s[i]) && !redact_digit(s[i]))
			continue;
		if (word_begins(s, n, i) && w->n < WORDS_MAX) {
			if (at) {
				end_word(w, &at);
				w->text[at++] = '\0';
			}
			w->part_ends[w->n] = false;
			w->v[w->n++] = w->text + at;
		}
		w->text[at++] = redact_upper(s[i]) ? (char)(s[i] - 'A' + 'a') : s[i];
	}
	end_word(w, &at);
	w->text[at] = '\0';
	if (w->n > 1 && redact_digit(w->v[w->n - 1][0]))
		w->n--;
}

static bool is_one_of(const char *word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(word, list[i]) == 0)
			return true;
	return false;
}

static bool has_beginning(const char *word, const char *begin)
{
	return strncmp(word, begin, strlen(begin)) == 0;
}

static bool has_ending(const char *word, const char *end)
{
	size_t a = strlen(word), b = strlen(end);

	return a >= b && strcmp(word + a - b, end) == 0;
}

/* -- meaning ----------------------------------------------------------------------------------- */

static bool is_other_thing(const char *word, const char *before)
{
	if (has_ending(word, "token"))
		return AMONG(before, other_token);
	if (strcmp(word, "pass") == 0)
		return AMONG(before, other_pass);
	if (strcmp(word, "pin") == 0)
		return AMONG(before, other_pin);
	return strcmp(word, "pat") == 0 && AMONG(before, other_pat);
}

/* "secret", "clientsecret" and "secretkey", but not "secretome". */
static bool is_secret_itself(const char *word)
{
	const char *at = strstr(word, "secret");

	for (size_t k = 0; at && k < COUNT(after_secret); k++)
		if (strcmp(at + 6, after_secret[k]) == 0 ||
		    (k > 1 && has_beginning(at + 6, after_secret[k])))
			return true;
	return false;
}

static bool is_password_word(const char *word)
{
	if (AMONG(word, not_part))
		return false;
	for (size_t k = 0; k < COUNT(part); k++)
		if (strstr(word, part[k]))
			return true;
	return false;
}

/* "token", "auth", "dbpass" …: secrets if nothing else follows in the name. */
static bool is_secret_at_end(const struct words *w, size_t i)
{
	const char *word = w->v[i];

	if ((i > 0 && is_other_thing(word, w->v[i - 1])) || AMONG(word, not_suffix))
		return false;
	if (is_secret_itself(word))
		return i == 0 || !AMONG(w->v[i - 1], reference);
	for (size_t k = 0; k < COUNT(suffix); k++)
		if (strlen(word) > strlen(suffix[k]) && has_ending(word, suffix[k]))
			return true;
	if (i > 0 && i + 1 == w->n && strcmp(word, "code") == 0)
		return AMONG(w->v[i - 1], code_of);
	if (strcmp(word, "phrase") == 0)
		return i > 0 && AMONG(w->v[i - 1], phrase_of);
	if (strcmp(word, "tokens") == 0)
		return i > 0 && (AMONG(w->v[i - 1], plural) || AMONG(w->v[i - 1], open_key));
	return AMONG(word, whole) || (i + 1 == w->n && AMONG(word, last));
}

/* variable: the name is in capitals. */
static enum redact_name kind_of_secret(const struct words *w, size_t i, bool variable)
{
	/* adminPasswordKey: the key of a password in a secret of Kubernetes. */
	if (is_password_word(w->v[i]))
		return i + 2 == w->n && !variable && strcmp(w->v[i + 1], "key") == 0
		           ? REDACT_NAME_LIKELY
		           : REDACT_NAME_SECRET;
	if (!is_secret_at_end(w, i))
		return REDACT_NAME_PLAIN;
	if (w->part_ends[i] && (is_secret_itself(w->v[i]) || has_ending(w->v[i], "token")))
		return REDACT_NAME_SECRET;
	if (i + 1 == w->n || variable || AMONG(w->v[i + 1], which))
		return REDACT_NAME_SECRET;
	return REDACT_NAME_MAYBE;
}

/* pAsSwOrD, pass-word, mot_de_passe: joins all words to one. */
static bool is_secret_as_one_word(const struct words *w)
{
	char all[NAME_MAX_BYTES + 1];
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		size_t length = strlen(w->v[i]);
		if (AMONG(w->v[i], not_part) || n + length >= sizeof all)
			return false;
		memcpy(all + n, w->v[i], length);
		n += length;
	}
	all[n] = '\0';
	for (size_t k = 0; k < COUNT(part); k++)
		if (strstr(all, part[k]))
			return true;
	return false;
}

/* Tells a key that gives access from one to sort by. */
static enum redact_name kind_of_key(const struct words *w, size_t i, bool capital)
{
	const char *word = w->v[i];
	bool key = strcmp(word, "key") == 0 || strcmp(word, "keys") == 0;

	if (AMONG(word, glued_key) || AMONG(word, credential))
		return REDACT_NAME_KEY;
	if (key && i > 0 && AMONG(w->v[i - 1], open_key))
		return REDACT_NAME_KEY;
	if (key && i + 2 == w->n &&
	    (strcmp(w->v[i + 1], "value") == 0 || strcmp(w->v[i + 1], "material") == 0))
		return REDACT_NAME_KEY;
	if (i + 1 < w->n || AMONG(word, not_suffix))
		return REDACT_NAME_PLAIN;
	if (strcmp(word, "key") == 0 && i > 0) {
		if (AMONG(w->v[i - 1], other_key))
			return REDACT_NAME_PLAIN;
		return capital || AMONG(w->v[i - 1], service_key) ? REDACT_NAME_KEY
		                                                  : REDACT_NAME_LIKELY;
	}
	if (has_ending(word, "key"))
		return capital ? REDACT_NAME_KEY : REDACT_NAME_LIKELY;
	if (strcmp(word, "tokens") == 0)
		return capital ? REDACT_NAME_KEY : REDACT_NAME_MAYBE;
	return AMONG(word, random_only) ? REDACT_NAME_MAYBE : REDACT_NAME_PLAIN;
}

static bool is_about_secret(const struct words *w)
{
	const char *end = w->v[w->n - 1];

	if (AMONG(end, about_last) || AMONG(w->v[0], about_first))
		return true;
	for (size_t i = 0; i + 1 < w->n; i++)
		if (strcmp(w->v[i], "secret") == 0 && strcmp(w->v[i + 1], "keys") == 0 &&
		    i + 2 < w->n)
			return true;
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->v[i], "existing") == 0 || (i && strcmp(w->v[i], "ref") == 0))
			return true;
	return w->n > 1 && strcmp(end, "id") == 0 &&
	       (has_ending(w->v[w->n - 2], "token") || has_ending(w->v[w->n - 2], "key"));
}

/* "webhook url": anybody who knows the URL may post to it. */
static bool is_webhook(const struct words *w)
{
	return w->n > 1 && has_ending(w->v[w->n - 2], "webhook") &&
	       (strcmp(w->v[w->n - 1], "url") == 0 || strcmp(w->v[w->n - 1], "uri") == 0);
}

enum redact_name redact_name(const char *name, size_t n, bool query)
{
	enum redact_name kind = REDACT_NAME_PLAIN, of;
	struct words w;
	bool capital;

	if (n > NAME_MAX_BYTES) {
		name += n - NAME_MAX_BYTES;
		n = NAME_MAX_BYTES;
	}
	if (n < 2)
		return REDACT_NAME_PLAIN;
	if ((n == 3 && memcmp(name, "PWD", 3) == 0) || (n == 6 && memcmp(name, "OLDPWD", 6) == 0))
		return REDACT_NAME_PLAIN;
	split_name(name, n, &w);
	if (w.n == 0)
		return REDACT_NAME_PLAIN;
	if (is_webhook(&w))
		return REDACT_NAME_SECRET;
	if (is_about_secret(&w))
		return REDACT_NAME_PLAIN;
	if (query && AMONG(w.v[w.n - 1], query_secret) &&
	    !(w.n > 1 && AMONG(w.v[w.n - 2], other_key)))
		return REDACT_NAME_SECRET;
	capital = (redact_upper(name[n - 1]) || redact_digit(name[n - 1]) || name[n - 1] == '_') &&
	          redact_upper(name[0]) && (n < 3 || redact_upper(name[1]) || name[1] == '_');
	capital = capital || (redact_upper(name[n - 1]) && redact_upper(name[n - 2]));
	for (size_t i = 0; i < w.n; i++) {
		of = kind_of_secret(&w, i, capital);
		kind = of > kind ? of : kind;
		of = kind_of_key(&w, i, capital);
		kind = of > kind ? of : kind;
	}
	return w.n > 1 && is_secret_as_one_word(&w) ? REDACT_NAME_SECRET : kind;
}

/* -- values ------------------------------------------------------------------------------------ */

bool redact_name_hides(enum redact_name kind, const char *value, size_t n)
{
	if (n == 0 || kind == REDACT_NAME_PLAIN ||
	    (n == 1 && (redact_digit(*value) || *value == '*' || *value == '-')))
		return false;
	if (redact_plain_switch(value, n))
		return false;
	if (has_beginning(value, "file:") || has_beginning(value, "env:")) /* of OpenSSL */
		return false;
	if (kind == REDACT_NAME_MAYBE)
		return redact_token_random(value, n);
	if (kind == REDACT_NAME_LIKELY && redact_plain_words(value, n))
		return false;
	return kind == REDACT_NAME_SECRET || !redact_plain_path(value, n);
}
