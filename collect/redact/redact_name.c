/* redact_name: decides whether a name is that of a secret. */
#include "collect/redact/redact_name.h"

#include <string.h>
#include <strings.h>

#include "collect/redact/redact_text.h"
#include "collect/redact/redact_token.h"

#define NAME_MAX_BYTES 64

/* -- the table of words ------------------------------------------------------------------------ */

/* A name is split into words: dbPassword, DB_PASSWORD and db.password are "db" and "password".
 * Digits at the end of a word do not count. */
enum role {
	PART,        /* anywhere in a word, and in the name without its separators */
	WHOLE,       /* a word; at the end of the name, or before a word of WHICH */
	ENDING,      /* the end of a word, else as WHOLE */
	NOT_ENDING,  /* words with such an ending that mean something else */
	LAST,        /* the last word */
	REFERENCE,   /* before "secret": the name of a secret: "existing secret" */
	WHICH,       /* after "token" and the like: says which one, as in token_prod */
	MAYBE,       /* the last word of a name whose value must look random */
	QUERY,       /* the last word of a key in the query of a URL */
	KEYS,        /* a word, at any place: a key, unless the value is a path */
	OPENING_KEY, /* before "key": keys that give access, at any place in the name */
	OTHER_KEY,   /* before "key": a key to sort or to group by */
	ABOUT_LAST,  /* a fact about a secret, not the secret itself: token-file, password_length */
	ABOUT_FIRST, /* the same: no-auth */
};

static const char *const words_of[] = {
    [PART] =
	"basicauth password passwd passphrase passcode passwort kennwort contrasena wachtwoord "
	"pincode mnemonic motdepasse sessid contraseña contraseÑa lösenord lÖsenord hasło hasŁo "
	"adgangskode salasana parola cléapi пароль Пароль ПАРОЛЬ 密码 密碼 パスワード 비밀번호",
    [WHOLE] =
	"pass pwd authorization bearer jwt otp totp pw pswd psswd psw pword passw tkn passwrd "
	"passcommand senha mdp psk wppass clave token keyphrase seedphrase",
    [ENDING] = "token pwd pw pass psk auth dsn secret secrets",
    [NOT_ENDING] = "bypass compass encompass overpass underpass trespass surpass multipass lowpass "
		   "highpass bandpass allpass onepass twopass singlepass subpass renderpass rpass "
		   "getpass preauth xauth noauth untoken detoken",
    [LAST] = "auth oauth pin pat dsn authenticate webhook salt",
    [REFERENCE] = "existing pull from use tls ref",
    [WHICH] = "prod production dev test live value string content new old again repeat "
	      "confirm secret key token password github",
    [MAYBE] = "appid session sid sessionid code signature sig seed auths tokens",
    [QUERY] = "sig signature key api sas sid session sessionid jsessionid assertion ticket",
    [KEYS] =
	"apikey accesskey privatekey authkey secretkey licensekey accountkey masterkey passkey "
	"sharedaccesskey encryptionkey signingkey appkey hmac cookie cookies cred creds "
	"credential credentials",
    [OPENING_KEY] = "api access secret private signing shared account encryption subscription auth "
		    "license master authkey storage deploy",
    [OTHER_KEY] = "default sort primary foreign partition public cache idempotency group order "
		  "row index join column unique hash",
    [ABOUT_LAST] = "lib library libs flags opts options site warn file files path paths dir name "
		   "names limit count length len size sizes type types ttl url uri policy method "
		   "mode timeout endpoint store class format env var prompt stdin arn expiry index "
		   "version level budget provider jar host port domain helper plugin age days "
		   "interval strength encoding algorithm alg hint rotation lifetime expires "
		   "expiration enabled required field column label prefix suffix backend service "
		   "server realm scope scopes region kind source cmd command script fd issuer "
		   "audience template ref volume namespace chars cache check tests test generator "
		   "user username eval through thru args filenames embedding dim secure samesite "
		   "module manager offset usage requests min max yaml yml json toml txt "
		   "passcommand tfvars enc header headers dataset list lists dictionary reset "
		   "validator validators hasher hashers rounds columns strategy page form "
		   "attribute attr keyring bits vault engine sharing shares threshold ids num "
		   "separator sep delimiter mount mounts operator controller warning expired "
		   "protected rate embeddings parameter",
    [ABOUT_FIRST] = "stdin no without skip disable ask max min require enable use num existing",
};

/* Words whose meaning depends on the word before: an end-of-sentence token, a CPU pin; and those
 * that are only then secrets: an MFA code, a seed phrase. */
static const struct {
	const char *word, *before;
	bool secret;
} after[] = {
    {"token",
     "idempotency pagination paging cursor resume sync cancellation pad eos bos unk mask sep cls "
     "special "
     "stop cancel image vocab next start end prompt word starting continuation page sub pos "
     "lookup",
     false},
    {"pass", "two one single multi first second num n low high band all full each per sub render",
     false},
    {"pin", "cpu gpio mem memory numa core thread led data clk reset irq tx rx", false},
    {"pat", "file name path search match glob ignore line exclude include test grep", false},
    {"code",
     "token unlock mfa verification auth authorization backup recovery access totp sms security "
     "pin device activation login",
     true},
    {"phrase", "seed recovery wallet backup key pass unlock", true},
    {"tokens",
     "api access auth bearer refresh session secret private signing shared account encryption "
     "subscription license master authkey storage deploy",
     true},
};

static bool is(const char *word, enum role role)
{
	return redact_listed(words_of[role], word, strlen(word));
}

static bool has_ending(const char *word, const char *end, size_t n)
{
	size_t length = strlen(word);

	return length >= n && memcmp(word + length - n, end, n) == 0;
}

/* -- words of a name --------------------------------------------------------------------------- */

struct words {
	char text[2 * NAME_MAX_BYTES + 1];
	char joined[NAME_MAX_BYTES + 1]; /* pAsSwOrD, pass-word and mot_de_passe as one word */
	const char *v[NAME_MAX_BYTES];
	bool part_ends[NAME_MAX_BYTES]; /* a "." follows: "pypi-token.x" */
	size_t n;
};

/* Returns the length of the letter or digit at s, or 0. In UTF-8 all from U+00C0 on are letters,
 * except the signs of U+2000 to U+2FFF. */
static size_t letter_length(const char *s, size_t n)
{
	unsigned char c = (unsigned char)s[0];
	size_t length = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

	if (c < 0x80)
		return c != '_' && redact_ident(s[0]);
	return c < 0xc3 || c == 0xe2 || length > n ? 0 : length;
}

/* Whether a word begins at i, after another: dbPass, APIKey. */
static bool word_begins(const char *s, size_t n, size_t i)
{
	return redact_upper(s[i]) &&
	       (!redact_upper(s[i - 1]) || (i + 1 < n && redact_lower(s[i + 1])));
}

/* Splits a name into lower-case words without digits at their ends. A last word that is a number is
 * dropped. */
static void split_name(const char *s, size_t n, struct words *w)
{
	char *to = w->text, *all = w->joined, *begin;
	size_t length;

	w->n = 0;
	for (size_t i = 0; i < n;) {
		begin = to;
		while (i < n && !(to > begin && word_begins(s, n, i)) &&
		       (length = letter_length(s + i, n - i)) > 0) {
			to = mempcpy(to, s + i, length);
			if (redact_upper(s[i]))
				to[-1] = (char)(s[i] - 'A' + 'a');
			i += length;
		}
		if (to == begin) {
			if (s[i] == '.' && w->n)
				w->part_ends[w->n - 1] = true;
			i++;
			continue;
		}
		while (to > begin + 1 && redact_digit(to[-1]))
			to--;
		*to++ = '\0';
		all = stpcpy(all, begin);
		w->part_ends[w->n] = false;
		w->v[w->n++] = begin;
	}
	*all = '\0';
	if (w->n > 1 && redact_digit(w->v[w->n - 1][0]))
		w->n--;
}

/* -- meaning ----------------------------------------------------------------------------------- */

/* "dbpassword", "mysessid"; not "passwordless". */
static bool has_password(const char *word)
{
	size_t length = strlen(word), n;
	const char *at;

	for (const char *p = words_of[PART]; *p; p += n + (p[n] == ' ')) {
		n = strcspn(p, " ");
		at = memmem(word, length, p, n);
		if (at && strncmp(at + n, "less", 4) != 0)
			return true;
	}
	return false;
}

/* "secret", "clientsecret" and "secrets", but not "secretome". */
static bool has_secret(const char *word)
{
	return has_ending(word, "secret", 6) || has_ending(word, "secrets", 7);
}

static bool has_secret_ending(const char *word)
{
	size_t n;

	for (const char *p = words_of[ENDING]; *p; p += n + (p[n] == ' ')) {
		n = strcspn(p, " ");
		if (word[n] && has_ending(word, p, n))
			return true;
	}
	return false;
}

/* "token", "auth", "dbpass" …: secrets if nothing else follows in the name. */
static bool is_secret_at_end(const struct words *w, size_t i)
{
	const char *word = w->v[i];

	for (size_t k = 0; k < sizeof after / sizeof *after; k++)
		if (strcmp(word, after[k].word) == 0 ||
		    (k == 0 && has_ending(word, after[k].word, strlen(after[k].word)))) {
			bool found = i > 0 && redact_listed(after[k].before, w->v[i - 1],
			                                    strlen(w->v[i - 1]));
			if (after[k].secret || found)
				return after[k].secret && found;
		}
	if (has_secret(word))
		return i == 0 || !is(w->v[i - 1], REFERENCE);
	return is(word, WHOLE) || (i + 1 == w->n && is(word, LAST)) ||
	       (has_secret_ending(word) && !is(word, NOT_ENDING));
}

/* variable: the name is in capitals. */
static enum redact_name kind_of_secret(const struct words *w, size_t i, bool variable)
{
	bool token;

	/* adminPasswordKey: the key of a password in a secret of Kubernetes. */
	if (has_password(w->v[i]))
		return i + 2 == w->n && !variable && strcmp(w->v[i + 1], "key") == 0
		           ? REDACT_NAME_LIKELY
		           : REDACT_NAME_SECRET;
	if (!is_secret_at_end(w, i))
		return REDACT_NAME_PLAIN;
	token = has_ending(w->v[i], "token", 5) || strcmp(w->v[i], "salt") == 0;
	if ((w->part_ends[i] && (has_secret(w->v[i]) || token)) || i + 1 == w->n || variable ||
	    is(w->v[i + 1], WHICH))
		return token ? REDACT_NAME_KEY : REDACT_NAME_SECRET;
	return REDACT_NAME_MAYBE;
}

/* Distinguishes a key that gives access from one to sort by. */
static enum redact_name kind_of_key(const struct words *w, size_t i, bool capital)
{
	const char *word = w->v[i], *next = i + 1 < w->n ? w->v[i + 1] : "";
	bool key = strcmp(word, "key") == 0;

	if (is(word, KEYS))
		return REDACT_NAME_KEY;
	if ((key || strcmp(word, "keys") == 0) && i > 0 && is(w->v[i - 1], OPENING_KEY))
		return REDACT_NAME_KEY;
	if (key && i + 2 == w->n && (strcmp(next, "value") == 0 || strcmp(next, "material") == 0))
		return REDACT_NAME_KEY;
	if (i + 1 < w->n)
		return REDACT_NAME_PLAIN;
	if (key && i > 0 && is(w->v[i - 1], OTHER_KEY))
		return REDACT_NAME_PLAIN;
	if (has_ending(word, "key", 3))
		return capital ? REDACT_NAME_KEY : REDACT_NAME_LIKELY;
	if (capital && strcmp(word, "tokens") == 0)
		return REDACT_NAME_KEY;
	return is(word, MAYBE) ? REDACT_NAME_MAYBE : REDACT_NAME_PLAIN;
}

static bool is_about_secret(const struct words *w)
{
	const char *end = w->v[w->n - 1];

	if (is(end, ABOUT_LAST) || is(w->v[0], ABOUT_FIRST))
		return true;
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->v[i], "existing") == 0 || (i && strcmp(w->v[i], "ref") == 0) ||
		    (i + 2 < w->n && strcmp(w->v[i], "secret") == 0 &&
		     strcmp(w->v[i + 1], "keys") == 0))
			return true;
	return w->n > 1 && strcmp(end, "id") == 0 &&
	       (has_ending(w->v[w->n - 2], "token", 5) || has_ending(w->v[w->n - 2], "key", 3));
}

/* "webhook url": anybody who knows the URL may post to it. */
static bool is_webhook(const struct words *w)
{
	return w->n > 1 && has_ending(w->v[w->n - 2], "webhook", 7) &&
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
	if (n < 2 || redact_listed("PWD OLDPWD", name, n))
		return REDACT_NAME_PLAIN;
	split_name(name, n, &w);
	if (w.n == 0)
		return REDACT_NAME_PLAIN;
	if (is_webhook(&w))
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
	if (w.n > 1 && has_password(w.joined))
		kind = REDACT_NAME_SECRET;
	else if (query && kind < REDACT_NAME_KEY && is(w.v[w.n - 1], QUERY) &&
	         !(w.n > 1 && is(w.v[w.n - 2], OTHER_KEY)))
		kind = REDACT_NAME_KEY;
	if (kind && is_about_secret(&w))
		return has_ending(w.v[w.n - 1], "command", 7) || strcmp(w.v[w.n - 1], "cmd") == 0
		           ? REDACT_NAME_COMMAND
		           : REDACT_NAME_PLAIN;
	return kind;
}

/* -- values ------------------------------------------------------------------------------------ */

/* Values of switches, states and methods: true, none, enabled, oidc; a count; %s of printf. */
static bool is_switch(const char *value, size_t n)
{
	static const char states[] =
	    "true false yes no none null on off pending error passed denied granted expired "
	    "valid invalid missing unknown skipped stdin sha1 sha256 sha512 md5 latest enabled "
	    "disabled required optional auto ok failed success ask prompt basic digest oauth "
	    "oauth2 oidc ldap saml pam kerberos ntlm always never";
	char lower[16];

	if (n == 2 && (*value == '%' || (redact_digit(value[0]) && redact_digit(value[1]))))
		return true;
	if (n >= sizeof lower)
		return false;
	for (size_t i = 0; i < n; i++)
		lower[i] = redact_upper(value[i]) ? (char)(value[i] - 'A' + 'a') : value[i];
	return redact_listed(states, lower, n);
}

/* Whether a value is a path (./a, ../a, ~/a, /etc/x.pem, $HOME/x) or a file rather than a key. */
static bool is_path(const char *value, size_t n)
{
	static const char endings[] =
	    "tar gz zip csv tsv parquet h5 log bam py sh jar pem key crt json txt yaml yml p12 pfx "
	    "jks env conf cfg ini gpg asc toml cer der "
	    "ppk kdbx netrc jwk pub";
	size_t at = 0, length = 0;
	const char *dot = memrchr(value, '.', n);

	if (value[0] == '$')
		while (at < n && at < NAME_MAX_BYTES && value[at] != '/')
			at++;
	else if (value[0] == '~')
		at = 1;
	else
		while (at < n && at < 2 && value[at] == '.')
			at++;
	if (at == n || value[at] != '/')
		return dot && dot > value &&
		       redact_listed(endings, dot + 1, n - (size_t)(dot + 1 - value));
	for (; at < n; at++) {
		length = value[at] == '/' ? 0 : length + 1;
		if (value[at] == '+' || value[at] == '=' || length > 40)
			return false;
	}
	return true;
}

bool redact_name_words(const char *value, size_t n)
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

/* Whether n bytes are a number: -100, 0.15, 1e-3, 0x00FF00, 12:30; without a sign or a point of at
 * most 5 digits, and "0.15*molar". */
static bool is_plain_number(const char *value, size_t n)
{
	bool hex = n > 2 && memcmp(value, "0x", 2) == 0;
	size_t i = hex ? 2 : (n && strchr("+-=", *value));
	bool sign = i > 0;

	for (; i < n && (redact_digit(value[i]) || strchr(".:", value[i]) ||
	                 (hex && strchr("abcdefABCDEF", value[i])));
	     i++)
		sign = sign || !redact_digit(value[i]);
	if (i && i + 1 < n && value[i] == 'e')
		return is_plain_number(value + i + 1, n - i - 1);
	return i && (i == n || value[i] == '*') &&
	       (hex ? i <= 10 || memchr(value, ':', i) : sign || i <= 5);
}

/* Whether a value has the form of no token: up to 3 bytes, a number, a word of 4 letters, lists of
 * these, a pattern such as \\d+ or [a-z]+. */
static bool is_no_token(const char *value, size_t n)
{
	for (size_t i = 0, item, letters, digits; i < n; i += item + 1) {
		const char *comma = memchr(value + i, ',', n - i);
		item = comma ? (size_t)(comma - value) - i : n - i;
		for (letters = digits = 0;
		     letters + digits < item && redact_ident(value[i + letters + digits]);)
			redact_digit(value[i + letters + digits]) ? digits++ : letters++;
		if (!(letters + digits == item && (item < 4 || (item == 4 && !digits))) &&
		    !is_plain_number(value + i, item))
			return memchr(value, '\\', n) || strchr("[(<", *value);
	}
	return true;
}

/* 1.0, v2.1.3 */
static bool is_version(const char *value, size_t n)
{
	size_t i = n && *value == 'v', dots = 0;

	for (; i < n && (redact_digit(value[i]) || value[i] == '.'); i++)
		dots += value[i] == '.';
	return i == n && dots && n < 12;
}

/* ".*", "\S+", "[^ ]+" up to the end of a word: what follows would be a secret's own text. */
static bool is_pattern_whole(const char *s)
{
	size_t n = *s == '[' ? strcspn(s, "] ") + 1 : *s == '\\' ? 2 : 1;

	if (strnlen(s, n) < n) /* "[^" of "[^ ]+", cut at the blank */
		return *s == '[' && n == 3;
	n += strspn(s + n, "*+?");
	return !redact_letter(s[n]) && !redact_digit(s[n]);
}

bool redact_name_pattern(enum redact_name kind, const char *s)
{
	if (kind >= REDACT_NAME_SECRET && !is_pattern_whole(s))
		return false;
	if ((s[0] == '[' && s[1] == '^') || (s[0] == '.' && s[1] && strchr("*+", s[1])))
		return true;
	if (s[0] == '\\' && redact_letter(s[1]))
		return kind < REDACT_NAME_SECRET || (s[2] && strchr("+*{", s[2]));
	return kind < REDACT_NAME_SECRET && (s[0] == '<' || (s[0] == '[' && s[1] && s[2] == '-'));
}

bool redact_name_hides(enum redact_name kind, const char *value, size_t n)
{
	if (kind == REDACT_NAME_COMMAND)
		return strncmp(value, "echo ", 5) == 0 || strncmp(value, "printf ", 7) == 0;
	if (n == 0 || kind == REDACT_NAME_PLAIN || is_switch(value, n) || is_version(value, n) ||
	    (n == 1 && redact_digit(*value)) || strspn(value, "*-/") >= n)
		return false;
	if (strncmp(value, "file:", 5) == 0 || strncmp(value, "env:", 4) == 0) /* of OpenSSL */
		return false;
	if (redact_name_pattern(kind, value))
		return false;
	if (kind == REDACT_NAME_MAYBE)
		return redact_token_random(value, n);
	if (kind == REDACT_NAME_LIKELY && redact_name_words(value, n))
		return false;
	return kind == REDACT_NAME_SECRET || !(is_path(value, n) || is_no_token(value, n));
}
