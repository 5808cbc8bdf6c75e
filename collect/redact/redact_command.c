/* redact_command: finds secrets by the program and the options before them. */
#include "collect/redact/redact_command.h"

#include <string.h>
#include <strings.h>

#include "collect/redact/redact_token.h"

static bool word_is(const struct redact_word *w, const char *word)
{
	return strcmp(w->s, word) == 0;
}

/* -- programs ---------------------------------------------------------------------------------- */

/* Returns the i-th row of the program, or an empty one if it needs another verb. */
static const struct redact_program *row_at(const struct redact_command *c, size_t i)
{
	static const struct redact_program none = {.names = ""};

	if (c->rows[i]->verbs &&
	    !(c->verb_n && redact_listed(c->rows[i]->verbs, c->verb, c->verb_n)))
		return &none;
	return c->rows[i];
}

static void take_verb(struct redact_command *c, const struct redact_word *w)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (w->n < sizeof c->verb && c->rows[i]->verbs &&
		    redact_listed(c->rows[i]->verbs, w->s, w->n)) {
			memcpy(c->verb, w->s, w->n);
			c->verb_n = w->n;
			c->bare = 0;
			return;
		}
}

static bool take_program(struct redact_command *c, const char *path, size_t n)
{
	const char *base = redact_base(path, &n);
	size_t found = 0;

	if (n == 0 || n >= REDACT_PROGRAM_MAX)
		return false;
	for (size_t i = 0; i < redact_programs_n && found < REDACT_ROWS_MAX; i++)
		if (redact_listed(redact_programs[i].names, base, n))
			c->rows[found++] = &redact_programs[i];
	if (!found)
		return false;
	c->n_rows = found;
	c->sudo = redact_listed("sudo doas myproxy-logon", base, n);
	c->cloud = redact_listed("az gcloud aws doctl ibmcloud oci openstack heroku", base, n);
	c->verb_n = 0;
	c->bare = 0;
	return true;
}

/* Handles the one-letter option at the k-th byte of the word. Returns false if it takes no secret;
 * *flag: it takes no value at all, so another letter may follow. */
static bool take_letter(struct redact_command *c, struct redact_text *t,
                        const struct redact_word *w, size_t k, bool *flag)
{
	bool last = k + 1 == w->n;

	*flag = false;
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct redact_program *row = row_at(c, i);
		*flag = *flag || (row->flags && strchr(row->flags, w->s[k]));
		if (row->user && strchr(row->user, w->s[k])) {
			c->user = last;
			c->separator = row->separator;
			if (!last)
				redact_word_user(t, w, k + 1 + (w->s[k + 1] == '='),
				                 row->separator);
			return true;
		}
		if (last && row->next && strchr(row->next, w->s[k])) {
			c->secret = true;
			return true;
		}
		if (!last && row->glued && strchr(row->glued, w->s[k])) {
			if (!redact_word_ports(w, k + 1))
				redact_word_hide(
				    t, w, k + 1 + (w->s[k + 1] == '=' || w->s[k + 1] == ':'));
			return true;
		}
	}
	return false;
}

static bool take_letters(struct redact_command *c, struct redact_text *t,
                         const struct redact_word *w)
{
	bool flag = true;

	if (w->s[1] == '-')
		return false;
	for (size_t k = 1; k < w->n && flag; k++)
		if (take_letter(c, t, w, k, &flag))
			return true;
	return false;
}

/* Shows the name of a secret, as in --secret=db-pass, unless it has the form of a token. */
static void show_reference(struct redact_text *t, const struct redact_word *w, size_t k)
{
	if (k < w->n && !redact_token(w->s + k, w->n - k) && !strstr(w->s + k, "//"))
		redact_show(t, w->begin + k, w->end);
}

/* Handles --user me:X, --user=me:X and userid=me/X. Returns false if the option is no such one. */
static bool take_long(struct redact_command *c, struct redact_text *t, const struct redact_word *w)
{
	size_t name = strspn(w->s, "-"), n = strcspn(w->s + name, "=");

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct redact_program *row = row_at(c, i);
		if (row->refs && redact_listed(row->refs, w->s + name, n)) {
			c->reference = w->s[name + n] != '=';
			if (!c->reference)
				show_reference(t, w, name + n + 1);
			return true;
		}
		bool whole = row->hides && redact_listed(row->hides, w->s + name, n);
		if (!whole && !(row->longs && redact_listed(row->longs, w->s + name, n)))
			continue;
		if (whole) {
			c->secret = w->s[name + n] != '=';
			if (!c->secret)
				redact_word_hide(t, w, name + n + 1);
			return true;
		}
		if (w->s[name + n] == '=')
			redact_word_user(t, w, name + n + 1, row->separator);
		else
			c->user = true;
		c->separator = row->separator;
		return true;
	}
	return false;
}

/* -- words ------------------------------------------------------------------------------------- */

/* Handles a word that the word before has announced. Returns false if it must be examined like any
 * other. */
static bool take_announced(struct redact_command *c, struct redact_text *t,
                           const struct redact_word *w)
{
	struct redact_command was = *c;
	bool letter = redact_lower(w->s[1]) || redact_upper(w->s[1]);
	bool option = w->s[0] == '-' && (w->s[1] == '-' || (letter && (w->n == 2 || was.single)));

	c->name = REDACT_NAME_PLAIN;
	c->user = c->secret = c->header = c->script = c->lone_name = false;
	c->likely = c->reference = c->single = false;
	if (was.lone_name &&
	    (word_is(w, "=") || word_is(w, ":") || word_is(w, "==") || word_is(w, "to"))) {
		c->name = was.name;
		return true;
	}
	if (was.script)
		return true;
	if (was.reference && !option) {
		show_reference(t, w, 0);
		return true;
	}
	if (was.header && !option) {
		c->header = strcasecmp(w->s, "bearer") == 0 || strcasecmp(w->s, "basic") == 0 ||
		            strcasecmp(w->s, "token") == 0;
		if (!c->header && redact_name_hides(REDACT_NAME_SECRET, w->s, w->n))
			redact_word_hide(t, w, 0);
		return true;
	}
	/* -n auth.password -v X */
	if (was.lone_name && was.name >= REDACT_NAME_KEY &&
	    redact_listed("-v -value -Value --value", w->s, w->n)) {
		c->secret = true;
		return true;
	}
	if (option || (was.lone_name && !was.sets && !was.secret))
		return false;
	if (was.likely && (was.has_user || was.login ? !redact_word_harmless(w, 0)
	                                             : redact_token_chosen(w->s, w->n)))
		redact_word_hide(t, w, 0);
	else if (was.user && !redact_word_group(w, 0))
		redact_word_user(t, w, 0, was.separator);
	else if (was.secret && !redact_word_ports(w, 0))
		redact_word_hide(t, w, 0);
	else if (was.name != REDACT_NAME_PLAIN)
		redact_word_value(t, w, 0, was.name);
	return was.user || was.secret || was.likely || was.name != REDACT_NAME_PLAIN;
}

static bool knows_letter(const struct redact_command *c, char letter)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (row_at(c, i)->words ||
		    (row_at(c, i)->glued && strchr(row_at(c, i)->glued, letter)) ||
		    (row_at(c, i)->next && strchr(row_at(c, i)->next, letter)) ||
		    (row_at(c, i)->flags && strchr(row_at(c, i)->flags, letter)))
			return true;
	return false;
}

/* Options of programs that are in no row: -u me -p X, login -k X, -u me:X. */
static bool take_unknown(struct redact_command *c, struct redact_text *t,
                         const struct redact_word *w)
{
	size_t name = strspn(w->s, "-");
	bool user = redact_listed("u U user username login", w->s + name, w->n - name);

	if (c->n_rows && (c->rows[0] == redact_programs || knows_letter(c, 'p')))
		return false;
	if (word_is(w, "-p") || (c->has_user && word_is(w, "-P")) ||
	    (c->login && name == 1 && w->n == 2 && strchr("kt", w->s[1]))) {
		c->likely = true;
		return true;
	}
	if (c->has_user && redact_listed("-p -P", w->s, 2) && w->n > 6 && !strchr(w->s, '=') &&
	    redact_name(w->s + 1, w->n - 1, false) < REDACT_NAME_KEY &&
	    !redact_word_harmless(w, 2)) {
		redact_word_hide(t, w, 2);
		return true;
	}
	c->has_user = c->has_user || user;
	if (c->n_rows)
		return false;
	c->user = user;
	c->separator = '\0';
	return user && name == 1;
}

/* Handles an option: one of the program's row, or one whose name is that of a secret. */
static void take_option(struct redact_command *c, struct redact_text *t,
                        const struct redact_word *w)
{
	size_t name = strspn(w->s, "-"), n = strcspn(w->s + name, "=");
	enum redact_name kind;

	take_verb(c, w);
	c->reads_in = c->reads_in || redact_command_reads(w->s, w->n) ||
	              (c->sudo && w->s[1] != '-' && strchr(w->s, 'S'));
	if (word_is(w, "--")) {
		c->verb_n = 0;
		return;
	}
	if (w->s[1] != '-' && strchr(w->s, 'c') && w->n <= 5)
		for (size_t i = 0; i < c->n_rows; i++)
			c->script = c->script || row_at(c, i)->script;
	if (take_unknown(c, t, w))
		return;
	if (take_letters(c, t, w)) {
		/* Handled as -pX, but it may be -password X too. */
		if (redact_listed("pass password passwd pw pwd", w->s + name, n))
			c->name = REDACT_NAME_SECRET;
		return;
	}
	if (take_long(c, t, w) || n < 2)
		return;
	if (name + n < w->n && memchr(w->s, ':', name + n)) /* -HAccept:X */
		return;
	kind = redact_name(w->s + name, n, false);
	if (c->sets && n == 5 && memcmp(w->s + name, "value", 5) == 0)
		kind = REDACT_NAME_LIKELY;
	c->sets = c->sets || (n == 3 && memcmp(w->s + name, "set", 3) == 0 && name + n == w->n);
	/* --password-command='echo X' */
	if (w->s[name + n] == '=' && strstr(w->s, "pass") &&
	    (strstr(w->s, "=echo ") || strstr(w->s, "=printf ")))
		kind = REDACT_NAME_SECRET;
	if (c->login && (kind == REDACT_NAME_MAYBE || kind == REDACT_NAME_LIKELY))
		kind = REDACT_NAME_KEY;
	/* Only for unknown programs: known ones may mean a user and a group. */
	if (c->n_rows == 0 && redact_listed("login user userpwd basic", w->s + name, n)) {
		c->user = w->s[name + n] != '=';
		if (!c->user && !redact_word_group(w, name + n + 1))
			redact_word_user(t, w, name + n + 1, ':');
	}
	if (name + n == w->n && !memchr(w->s, ':', w->n)) {
		c->name = kind;
		c->single = name == 1;
	}
	if (w->s[name + n] != '=')
		return;
	redact_word_value(t, w, name + n + 1, kind);
	/* --command=mysql -pX */
	if (w->shell)
		(void)take_program(c, w->s + name + n + 1, w->n - name - n - 1);
}

static bool has_pairs(const struct redact_command *c)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (row_at(c, i)->pairs)
			return true;
	return false;
}

/* Handles NAME=VALUE. The value extends to the end of the word, blanks included. */
static void take_assignment(struct redact_command *c, struct redact_text *t,
                            const struct redact_word *w, size_t equals)
{
	size_t n = equals - (equals && strchr("+:?", w->s[equals - 1]) ? 1 : 0);

	while (w->s[equals + 1] == '=')
		equals++;

	if (take_long(c, t, w))
		return;
	/* PASS=12 FAIL=0 */
	if (n == 4 && strncasecmp(w->s, "pass", 4) == 0 &&
	    w->s[equals + 1 + strspn(w->s + equals + 1, "0123456789")] == ' ')
		return;
	if (memchr(w->s, '[', n)) /* TOKENS[prod]= */
		n = (size_t)((char *)memchr(w->s, '[', n) - w->s);
	if (has_pairs(c)) {
		if (!redact_word_reference(t, w, equals + 1))
			redact_word_hide(t, w, equals + 1);
	} else if (redact_listed("user username", w->s, n) && !redact_word_group(w, equals + 1)) {
		redact_word_user(t, w, equals + 1, ':');
	} else if (redact_name(w->s, n, false) != REDACT_NAME_PLAIN) {
		redact_word_value(t, w, equals + 1, redact_name(w->s, n, false));
		for (size_t i = 0; i < c->n_rows && equals + 1 == w->n; i++)
			if (row_at(c, i)->words)
				c->name = REDACT_NAME_SECRET;
	} else /* ProxyCommand=ssh … */
		(void)take_program(c, w->s + equals + 1, w->n - equals - 1);
}

/* /rp X, /password:X, /password X of Windows. */
static void take_slash_option(struct redact_command *c, struct redact_text *t,
                              const struct redact_word *w)
{
	size_t n = strcspn(w->s + 1, ":=");

	if (w->s[n + 1])
		redact_word_value(t, w, n + 2, redact_name(w->s + 1, n, false));
	else if (n > 2 && redact_listed("password passwd pass pwd PASSWORD Password", w->s + 1, n))
		c->name = REDACT_NAME_SECRET;
	for (size_t i = 0; i < c->n_rows && !w->s[n + 1]; i++)
		c->secret = c->secret || (row_at(c, i)->hides &&
		                          redact_listed(row_at(c, i)->hides, w->s + 1, n));
}

/* Oracle's user/password@database. */
static void take_slash(const struct redact_command *c, struct redact_text *t,
                       const struct redact_word *w)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (row_at(c, i)->separator == '/' && w->s[0] != '/' && w->s[0] != '@' &&
		    w->s[0] != '.')
			redact_word_user(t, w, 0, '/');
}

/* Handles "password" as a plain word before its value: after "set", or if the program has such
 * words. */
static void take_secret_name(struct redact_command *c, const struct redact_word *w)
{
	size_t from = w->n;

	while (from && w->s[from - 1] != '/' && w->s[from - 1] != ':')
		from--;
	for (size_t i = 0; i < c->n_rows && !c->sets; i++)
		c->sets = row_at(c, i)->words;
	/* .items.key is a path of jq. */
	if (from == w->n || memchr(w->s, ' ', w->n) || w->s[0] == '.' || word_is(w, "wpa-psk"))
		return;
	for (size_t i = 0; i < c->n_rows; i++)
		if (row_at(c, i)->refs && strrchr(w->s, '.') &&
		    redact_listed(row_at(c, i)->refs, strrchr(w->s, '.') + 1,
		                  strlen(strrchr(w->s, '.') + 1)))
			return;
	/* jq --arg p X */
	if (w->n == 1 && *w->s == 'p' && c->verb_n == 5 && memcmp(c->verb, "--arg", 5) == 0) {
		c->name = REDACT_NAME_SECRET;
		c->lone_name = true;
	}
	if (w->n < 2)
		return;
	c->name = redact_name(w->s + from, w->n - from, false);
	c->lone_name = c->name != REDACT_NAME_PLAIN;
	c->reads_in = c->reads_in || (c->reads && c->name >= REDACT_NAME_KEY);
}

/* "set", "env:set", "hex.config", "Set-Item": a name and its value may follow. */
static bool sets_something(const struct redact_word *w)
{
	static const char *const verbs[] = {"set",       "setenv", "setx",     "config",
	                                    "configure", "put",    "set-item", "user-secrets"};

	for (size_t k = 0; k < sizeof verbs / sizeof *verbs; k++) {
		size_t n = strlen(verbs[k]);
		if (w->n >= n && strcasecmp(w->s + w->n - n, verbs[k]) == 0 &&
		    (w->n == n || strchr(":.", w->s[w->n - n - 1])))
			return true;
	}
	return false;
}

/* "set-password", "user:password", "walletpassphrase": verbs before a new password. */
static bool names_password(const struct redact_word *w)
{
	static const char *const parts[] = {"password", "passphrase", "credentials", "passwd"};

	if (strpbrk(w->s, "/. "))
		return false;
	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
		if (w->n > strlen(parts[k]) && strstr(w->s, parts[k]))
			return true;
	return false;
}

static void take_bare(struct redact_command *c, struct redact_text *t, const struct redact_word *w)
{
	c->reads_in = c->reads_in || redact_command_reads(w->s, w->n) ||
	              (c->n_rows && redact_listed("secret secrets", w->s, w->n));
	c->reads = c->reads || word_is(w, "read");
	/* Words that are verbs as well, and names of registries after "login". */
	if (!c->login && !c->cloud &&
	    !(c->sets && redact_name(w->s, w->n, false) >= REDACT_NAME_KEY) &&
	    !(c->n_rows && !c->sudo &&
	      redact_listed("sql open net exp imp swift mc security", w->s, w->n)) &&
	    take_program(c, w->s, w->n))
		return;
	c->bare++;
	if (c->login && (redact_token_random(w->s, w->n) || redact_token_chosen(w->s, w->n))) {
		redact_word_hide(t, w, 0);
		return;
	}
	for (size_t i = 0; i < c->n_rows; i++)
		if (row_at(c, i)->interprets) {
			*c = (struct redact_command){.reads_in = c->reads_in};
			break;
		}
	for (size_t i = 0; i < c->n_rows; i++)
		if (row_at(c, i)->bare && c->bare >= row_at(c, i)->bare) {
			redact_word_hide(t, w, 0);
			return;
		}
	take_verb(c, w);
	take_slash(c, t, w);
	take_secret_name(c, w);
	c->sets = c->sets || sets_something(w);
	c->login = c->login ||
	           redact_listed("login auth signin authenticate api-key", w->s, w->n) ||
	           names_password(w);
}

void redact_command_word(struct redact_command *c, struct redact_text *t,
                         const struct redact_word *w)
{
	size_t plain, colon;

	if (c->all) {
		redact_word_hide(t, w, 0);
		return;
	}
	if (take_announced(c, t, w) || w->n == 0)
		return;
	plain = strspn(w->s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.[]");
	plain += w->s[plain] && strchr(":+?", w->s[plain]);
	colon = w->n && w->s[w->n - 1] == ':' ? w->n - 1 : 0;
	if (colon && !w->shell && redact_name(w->s, colon, false) == REDACT_NAME_SECRET)
		c->header = true;
	else if (strcasecmp(w->s, "bearer") == 0 ||
	         strcasecmp(w->s, "authorization: bearer") == 0 ||
	         strcasecmp(w->s, "authorization: basic") == 0 ||
	         strcasecmp(w->s, "authorization: token") == 0 ||
	         strcasecmp(w->s, "authorization:bearer") == 0)
		c->header = true;
	else if (w->s[0] == '-' && w->n > 1)
		take_option(c, t, w);
	else if (w->s[0] == '/' && w->n > 3 && w->s[2] == ':')
		(void)take_letter(c, t, w, 1, &(bool){false});
	else if (w->s[0] == '/' && !memchr(w->s + 1, '/', w->n - 1))
		take_slash_option(c, t, w);
	else if (w->s[plain] == '=' && plain)
		take_assignment(c, t, w, plain);
	else
		take_bare(c, t, w);
}

bool redact_command_reads(const char *word, size_t n)
{
	if (memchr(word, '/', n))
		return false;
	if (n > 6 && memmem(word, n, "stdin", 5) && (word[0] == '-' || memmem(word, n, "pass", 4)))
		return true;
	if (n > 6 && (memmem(word, n, "passwd", 6) || memmem(word, n, "=passphrase", 11)))
		return true;
	if (n > 2 && memcmp(word + n - 2, "=-", 2) == 0) /* password=- */
		return redact_name(word, n - 2, false) >= REDACT_NAME_KEY;
	return redact_listed(
	    "--passphrase-fd --with-token --stdin chpasswd passwd smbpasswd cryptsetup iinit "
	    "--key-file=- gpg login --pinentry-mode stdin fd:0 kinit -K --config insert load-key "
	    "secret-tool vncpasswd htpasswd pinentry",
	    word, n);
}
