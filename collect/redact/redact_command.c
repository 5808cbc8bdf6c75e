/* redact_command: finds secrets by the program and the options before them. */
#include "collect/redact/redact_command.h"

#include <string.h>
#include <strings.h>

#include "collect/redact/redact_token.h"
/* -- programs ---------------------------------------------------------------------------------- */

/* Returns the i-th row of the program, or an empty one if it needs another verb. */
static const struct redact_program *row_at(const struct redact_command *c, size_t i)
{
	static const struct redact_program none = {.names = ""};
	const struct redact_program *row = c->rows[i];

	return row->verbs && !(c->verb_n && redact_listed(row->verbs, c->verb, c->verb_n)) ? &none
	                                                                                   : row;
}

static void take_verb(struct redact_command *c, const struct redact_word *w)
{
	for (size_t i = 0; i < c->n_rows && w->n < sizeof c->verb; i++)
		if (c->rows[i]->verbs && redact_word_is(w, c->rows[i]->verbs)) {
			memcpy(c->verb, w->s, w->n);
			c->verb_n = w->n;
			c->bare = 0;
			return;
		}
}

/* Takes the program at a path of n bytes, without folders and ".exe". */
static bool take_program(struct redact_command *c, const char *path, size_t n)
{
	const char *base = path;
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if (path[i] == '/' || path[i] == '\\')
			base = path + i + 1;
	n -= (size_t)(base - path);
	if (n > 4 && memcmp(base + n - 4, ".exe", 4) == 0)
		n -= 4;
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

static bool has_letter(const char *letters, char c)
{
	return letters && strchr(letters, c);
}

/* Handles the one-letter option at the k-th byte of the word. Returns false if it takes no secret;
 * *flag: it takes no value at all, so another letter may follow. */
static bool take_letter(struct redact_command *c, const struct redact_word *w, size_t k, bool *flag)
{
	char letter = w->s[k], after = w->s[k + 1];

	*flag = false;
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct redact_program *row = row_at(c, i);
		*flag = *flag || has_letter(row->flags, letter);
		if (has_letter(row->user, letter)) {
			c->separator = row->separator;
			if (after)
				redact_word_user(w, k + 1 + (after == '='), row->separator);
			else
				c->next = REDACT_NEXT_USER;
			return true;
		}
		if (!after && has_letter(row->next, letter)) {
			c->next = REDACT_NEXT_SECRET;
			return true;
		}
		if (after && has_letter(row->glued, letter)) {
			if (!redact_word_ports(w, k + 1))
				redact_word_hide(w, k + 1 + (after == '=' || after == ':'));
			return true;
		}
	}
	return false;
}

static bool take_letters(struct redact_command *c, const struct redact_word *w)
{
	bool flag = true;

	for (size_t k = 1; w->s[1] != '-' && k < w->n && flag; k++)
		if (take_letter(c, w, k, &flag))
			return true;
	return false;
}

/* Handles --user me:X, --user=me:X and userid=me/X. Returns false if the option is not such a one.
 * */
static bool take_long(struct redact_command *c, const struct redact_word *w)
{
	size_t name = strspn(w->s, "-"), n = strcspn(w->s + name, "=");
	bool value = w->s[name + n] == '=';

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct redact_program *row = row_at(c, i);
		if (row->refs && redact_listed(row->refs, w->s + name, n)) {
			c->next = REDACT_NEXT_REFERENCE;
			if (value)
				redact_word_show(w, name + n + 1);
		} else if (row->hides && redact_listed(row->hides, w->s + name, n)) {
			c->next = REDACT_NEXT_SECRET;
			if (value)
				redact_word_hide(w, name + n + 1);
		} else if (row->longs && redact_listed(row->longs, w->s + name, n)) {
			c->next = REDACT_NEXT_USER;
			c->separator = row->separator;
			if (value)
				redact_word_user(w, name + n + 1, row->separator);
		} else {
			continue;
		}
		if (value)
			c->next = REDACT_NEXT_ANY;
		return true;
	}
	return false;
}

/* -- words ------------------------------------------------------------------------------------- */

static bool is_scheme(const char *s)
{
	return strcasecmp(s, "bearer") == 0 || strcasecmp(s, "basic") == 0 ||
	       strcasecmp(s, "token") == 0;
}

/* Handles a word that the word before has announced. Returns false if it must be examined like any
 * other. */
static bool take_announced(struct redact_command *c, const struct redact_word *w)
{
	enum redact_next next = c->next;
	bool letter = redact_lower(w->s[1]) || redact_upper(w->s[1]), lone = c->lone_name;
	bool option = w->s[0] == '-' && (w->s[1] == '-' || (letter && (w->n == 2 || c->single)));

	c->next = REDACT_NEXT_ANY;
	c->lone_name = c->single = false;
	if (lone && redact_word_is(w, "= : == to")) {
		c->next = REDACT_NEXT_VALUE;
		return true;
	}
	/* -n auth.password -v X */
	if (lone && c->name >= REDACT_NAME_KEY && redact_word_is(w, "-v -value -Value --value")) {
		c->next = REDACT_NEXT_SECRET;
		return true;
	}
	if (next == REDACT_NEXT_SCRIPT)
		return true;
	if (option || (lone && !c->sets && next != REDACT_NEXT_SECRET))
		return false;
	switch (next) {
	case REDACT_NEXT_VALUE:
		redact_word_value(w, 0, c->name);
		break;
	case REDACT_NEXT_USER:
		if (!redact_word_group(w, 0))
			redact_word_user(w, 0, c->separator);
		break;
	case REDACT_NEXT_SECRET:
		if (!redact_word_ports(w, 0))
			redact_word_hide(w, 0);
		break;
	case REDACT_NEXT_LIKELY:
		if (c->has_user || c->login ? !redact_word_harmless(w, 0)
		                            : redact_token_chosen(w->s, w->n))
			redact_word_hide(w, 0);
		break;
	case REDACT_NEXT_HEADER:
		if (is_scheme(w->s))
			c->next = REDACT_NEXT_HEADER;
		else if (redact_name_hides(c->name, w->s, w->n))
			redact_word_hide(w, 0);
		break;
	case REDACT_NEXT_REFERENCE:
		redact_word_show(w, 0);
		break;
	default:
		return false;
	}
	return true;
}

static void announce(struct redact_command *c, enum redact_name kind)
{
	c->name = kind;
	c->next = kind ? REDACT_NEXT_VALUE : REDACT_NEXT_ANY;
}

/* Whether "-p" of the program has a meaning of its own. */
static bool knows_p(const struct redact_command *c)
{
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct redact_program *row = row_at(c, i);
		if (row == redact_programs || row->words || has_letter(row->glued, 'p') ||
		    has_letter(row->next, 'p') || has_letter(row->flags, 'p'))
			return true;
	}
	return false;
}

/* Options of programs that are in no row: -u me -p X, login -k X, -u me:X. */
static bool take_unknown(struct redact_command *c, const struct redact_word *w)
{
	size_t name = strspn(w->s, "-");
	bool user = redact_listed("u U user username login", w->s + name, w->n - name);

	if (knows_p(c))
		return false;
	if (redact_word_is(w, "-p") || (c->has_user && redact_word_is(w, "-P")) ||
	    (c->login && redact_word_is(w, "-k -t"))) {
		c->next = REDACT_NEXT_LIKELY;
		return true;
	}
	if (c->has_user && redact_listed("-p -P", w->s, 2) && w->n > 6 && !strchr(w->s, '=') &&
	    redact_name(w->s + 1, w->n - 1, false) < REDACT_NAME_KEY &&
	    !redact_word_harmless(w, 2)) {
		redact_word_hide(w, 2);
		return true;
	}
	c->has_user = c->has_user || user;
	if (c->n_rows || !user)
		return false;
	c->next = REDACT_NEXT_USER;
	c->separator = '\0';
	return name == 1;
}

/* What the name of an option says about its value. */
static enum redact_name option_kind(const struct redact_command *c, const struct redact_word *w,
                                    size_t name, size_t n)
{
	enum redact_name kind = redact_name(w->s + name, n, false);

	if (c->set && redact_listed("value data body text string v", w->s + name, n))
		kind = c->keeps;
	else if (c->sets && redact_listed("value", w->s + name, n))
		kind = REDACT_NAME_LIKELY;
	if (c->login && (kind == REDACT_NAME_MAYBE || kind == REDACT_NAME_LIKELY))
		kind = REDACT_NAME_KEY;
	return kind;
}

/* Handles an option: one of the program's rows, or one whose name is that of a secret. */
static void take_option(struct redact_command *c, const struct redact_word *w)
{
	size_t name = strspn(w->s, "-"), n = strcspn(w->s + name, "="), value = name + n + 1;
	enum redact_name kind;

	take_verb(c, w);
	c->reads_in = c->reads_in || redact_command_reads(w->s, w->n) ||
	              (c->sudo && w->s[1] != '-' && strchr(w->s, 'S'));
	if (redact_word_is(w, "--")) {
		c->verb_n = 0;
		return;
	}
	for (size_t i = 0; i < c->n_rows && w->s[1] != '-' && strchr(w->s, 'c') && w->n <= 5; i++)
		if (row_at(c, i)->script)
			c->next = REDACT_NEXT_SCRIPT;
	if (take_unknown(c, w))
		return;
	if (take_letters(c, w)) {
		/* Handled as -pX, but it may be -password X as well. */
		if (redact_listed("pass password passwd pw pwd", w->s + name, n))
			announce(c, REDACT_NAME_SECRET);
		return;
	}
	if (take_long(c, w) || (n < 2 && !c->set))
		return;
	if (name + n < w->n && memchr(w->s, ':', name + n)) /* -HAccept:X */
		return;
	kind = option_kind(c, w, name, n);
	c->sets = c->sets || redact_word_is(w, "--set -set");
	/* Only for unknown programs: known ones may mean a user and a group. */
	if (c->n_rows == 0 && redact_listed("login user userpwd basic", w->s + name, n)) {
		if (w->s[name + n] != '=')
			c->next = REDACT_NEXT_USER;
		else if (!redact_word_group(w, value))
			redact_word_user(w, value, ':');
	}
	if (name + n == w->n && kind && c->next == REDACT_NEXT_ANY && !memchr(w->s, ':', w->n)) {
		announce(c, kind);
		c->single = name == 1;
	}
	if (w->s[name + n] != '=')
		return;
	redact_word_value(w, value, kind);
	/* --command=mysql -pX */
	if (w->shell)
		(void)take_program(c, w->s + value, w->n - value);
}

/* Handles NAME=VALUE. The value extends to the end of the word, blanks included. */
static void take_assignment(struct redact_command *c, const struct redact_word *w, size_t equals)
{
	size_t n = equals - (equals && strchr("+:?", w->s[equals - 1]) ? 1 : 0);
	const char *bracket = memchr(w->s, '[', n); /* TOKENS[prod]= */
	enum redact_name kind;
	size_t digits;

	while (w->s[equals + 1] == '=')
		equals++;
	digits = strspn(w->s + equals + 1, "0123456789");
	if (take_long(c, w))
		return;
	/* PASS=12 FAIL=0, pass=2:keyint=60 */
	if (n == 4 && strncasecmp(w->s, "pass", 4) == 0 && digits &&
	    strchr(" ,:", w->s[equals + 1 + digits]))
		return;
	n = bracket ? (size_t)(bracket - w->s) : n;
	kind = redact_name(w->s, n, false);
	for (size_t i = 0; i < c->n_rows; i++) {
		if (row_at(c, i)->pairs) { /* whatever the name, and a PIN or "true" as well */
			redact_word_hide(w, equals + 1);
			return;
		}
		if (row_at(c, i)->words && kind && equals + 1 == w->n) /* password= X */
			announce(c, REDACT_NAME_SECRET);
	}
	if (redact_listed("user username", w->s, n) && !kind && !redact_word_group(w, equals + 1))
		redact_word_user(w, equals + 1, ':');
	else if (kind || c->set)
		redact_word_value(w, equals + 1, kind ? kind : c->keeps);
	else if (c->sets && redact_token_chosen(w->s + equals + 1, w->n - equals - 1))
		redact_word_hide(w, equals + 1); /* config:set NAME=X */
	else                                     /* ProxyCommand=ssh … */
		(void)take_program(c, w->s + equals + 1, w->n - equals - 1);
}

/* /rp X, /password:X, /password X of Windows. */
static void take_slash_option(struct redact_command *c, const struct redact_word *w)
{
	size_t n = strcspn(w->s + 1, ":=");

	if (w->s[n + 1]) {
		redact_word_value(w, n + 2, redact_name(w->s + 1, n, false));
		return;
	}
	if (n > 2 && redact_listed("password passwd pass pwd PASSWORD Password", w->s + 1, n))
		announce(c, REDACT_NAME_SECRET);
	for (size_t i = 0; i < c->n_rows; i++)
		if (row_at(c, i)->hides && redact_listed(row_at(c, i)->hides, w->s + 1, n))
			c->next = REDACT_NEXT_SECRET;
}

/* Handles "password" as a plain word before its value: after "set", or if the program has such
 * words. */
static void take_secret_name(struct redact_command *c, const struct redact_word *w)
{
	const char *dot = strrchr(w->s, '.');
	size_t from = w->n;

	while (from && w->s[from - 1] != '/' && w->s[from - 1] != ':')
		from--;
	for (size_t i = 0; i < c->n_rows; i++)
		c->sets = c->sets || row_at(c, i)->words;
	/* .items.key is a path of jq. */
	if (from == w->n || memchr(w->s, ' ', w->n) || w->s[0] == '.' ||
	    redact_word_is(w, "wpa-psk"))
		return;
	for (size_t i = 0; i < c->n_rows && dot; i++)
		if (row_at(c, i)->refs &&
		    redact_listed(row_at(c, i)->refs, dot + 1, strlen(dot + 1)))
			return;
	announce(c, redact_name(w->s + from, w->n - from, false));
	/* jq --arg p X */
	if (redact_word_is(w, "p") && redact_listed("--arg", c->verb, c->verb_n))
		announce(c, REDACT_NAME_SECRET);
	c->lone_name = c->next == REDACT_NEXT_VALUE;
	c->reads_in = c->reads_in || (c->reads && c->name >= REDACT_NAME_KEY);
}

/* "secrets set", "secret put", "secrets:set": a name and its secret may follow. */
static void keep_secrets(struct redact_command *c, const struct redact_word *w)
{
	if (redact_word_is(w, "secret secrets user-secrets secrets:set secret:set"))
		c->keeps = REDACT_NAME_SECRET;
	else if (redact_word_is(w, "key keys variable variables env"))
		c->keeps = REDACT_NAME_LIKELY;
	if (c->keeps && !c->set &&
	    redact_word_is(w, "set put add create update write secrets:set secret:set"))
		c->set = 1;
}

static void take_bare(struct redact_command *c, const struct redact_word *w, bool after_option)
{
	c->reads_in = c->reads_in || redact_command_reads(w->s, w->n) ||
	              (c->n_rows && redact_word_is(w, "secret secrets"));
	c->reads = c->reads || redact_word_is(w, "read");
	/* Words that are verbs as well, and names of registries after "login". */
	if (!c->login && !c->cloud &&
	    !(c->sets && redact_name(w->s, w->n, false) >= REDACT_NAME_KEY) &&
	    !(c->n_rows && !c->sudo &&
	      redact_word_is(w, "sql open net exp imp swift mc security")) &&
	    take_program(c, w->s, w->n))
		return;
	c->bare++;
	if (c->set && !after_option) {
		if (++c->set > 2 && !redact_word_harmless(w, 0))
			redact_word_value(w, 0, c->keeps);
		return;
	}
	if (c->login && (redact_token_random(w->s, w->n) || redact_token_chosen(w->s, w->n))) {
		redact_word_hide(w, 0);
		return;
	}
	for (size_t i = 0; i < c->n_rows; i++)
		if (row_at(c, i)->interprets)
			*c = (struct redact_command){.reads_in = c->reads_in};
	for (size_t i = 0; i < c->n_rows; i++)
		if (row_at(c, i)->bare && c->bare >= row_at(c, i)->bare) {
			redact_word_hide(w, 0);
			return;
		}
	take_verb(c, w);
	/* Oracle's user/password@database */
	for (size_t i = 0; i < c->n_rows; i++)
		if (row_at(c, i)->separator == '/' && !strchr("/@.", w->s[0]))
			redact_word_user(w, 0, '/');
	take_secret_name(c, w);
	c->sets = c->sets || redact_word_sets(w);
	keep_secrets(c, w);
	c->login = c->login || redact_word_names_password(w) ||
	           redact_word_is(w, "login auth signin authenticate api-key");
}

void redact_command_word(struct redact_command *c, const struct redact_word *w)
{
	size_t name, scheme, colon = w->n && w->s[w->n - 1] == ':' ? w->n - 1 : 0;
	enum redact_name kind =
	    colon && !w->shell ? redact_name(w->s, colon, false) : REDACT_NAME_PLAIN;
	bool is_base64, after_option;

	if (c->all) {
		redact_word_hide(w, 0);
		return;
	}
	if (take_announced(c, w) || w->n == 0)
		return;
	scheme = strncasecmp(w->s, "authorization:", 14) == 0 ? 14 + (w->s[14] == ' ') : 0;
	if (is_scheme(w->s + scheme) && (scheme || strcasecmp(w->s, "bearer") == 0))
		kind = REDACT_NAME_SECRET;
	name = strspn(w->s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-[]");
	/* A key in base64 may end in "=". */
	is_base64 = name >= 16 && name < w->n && strspn(w->s + name, "=") == w->n - name;
	name += w->s[name] && strchr(":+?", w->s[name]);
	after_option = c->after_option;
	c->after_option = w->s[0] == '-' && !memchr(w->s, '=', w->n);
	if (kind >= REDACT_NAME_KEY) {
		c->name = kind;
		c->next = REDACT_NEXT_HEADER;
	} else if (w->s[0] == '-' && w->n > 1)
		take_option(c, w);
	else if (w->s[0] == '/' && w->n > 3 && w->s[2] == ':')
		(void)take_letter(c, w, 1, &(bool){false});
	else if (w->s[0] == '/' && !memchr(w->s + 1, '/', w->n - 1))
		take_slash_option(c, w);
	else if (w->s[name] == '=' && name && !is_base64)
		take_assignment(c, w, name);
	else
		take_bare(c, w, after_option);
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
	    "--passphrase-fd --with-token --stdin chpasswd passwd smbpasswd cryptsetup "
	    "iinit --key-file=- gpg login --pinentry-mode stdin fd:0 kinit -K --config "
	    "insert load-key keyring secret-tool vncpasswd htpasswd pinentry",
	    word, n);
}
