/* redact: hides secrets in a command line, a tag or a name. */
#include "collect/redact/redact.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "collect/redact/redact_name.h"
#include "collect/redact/redact_text.h"
#include "collect/redact/redact_token.h"
#include "collect/redact/redact_value.h"

#define MASK       "***"
#define DEPTH_MAX  4
#define WORD_MAX   256 /* bytes of a word that are examined */
#define NAME_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_."

/* -- programs that take a secret without a name that says so ----------------------------------- */

struct redact_program {
	const char *names; /* programs, separated by blanks, like all lists here */
	const char *verbs; /* the row applies after one of these words or options; NULL: always */
	const char *glued; /* letters with an attached secret: -pX */
	const char *next;  /* letters whose secret is the next word: -p X */
	const char *user;  /* letters with "user:password", attached or as the next word */
	const char *flags; /* letters without a value, which may precede the others: -su me:X */
	const char *longs; /* long options with "user:password" */
	const char *refs;  /* long options with the name of a secret, which is shown */
	const char *hides; /* long options with a secret that their names do not show */
	char separator;    /* in "user:password"; NUL: ':' or '%' */
	size_t bare;       /* plain arguments are secrets from this one on, counted from the program
	                    * or the verb; 0: none */
	bool interprets;   /* the first plain argument is a program of its own */
	bool script;       /* the word after -c is a shell script */
	bool pairs;        /* the value of every NAME=VALUE is a secret */
	bool words;        /* plain words name the next word: nmcli … password X */
};

/* One program may have several rows. */
static const struct redact_program programs[] = {
    /* The first row takes no secrets. Its programs are listed because the options after them are
     * their own, and not those of the program before, as in "curl … | ssh -p 22". */
    {.names =
         "ssh scp sftp rsync mosh docker podman nerdctl kubectl make mkdir tar cp java ps find "
         "git go cargo npm helm nice sudo doas top htop lsof gcc clang grep pytest"},
    {.names = "python python2 python3 pypy3 node deno bun perl ruby php Rscript julia lua",
     .interprets = true},
    {.names = "sh bash dash zsh ksh ash fish su runuser powershell pwsh cmd", .script = true},
    /* plain words name the next word */
    {.names = "sc myproxy-logon hostapd_cli adb jq yq gojq jaq dvc papermill nmcli netsh iwctl "
              "wpa_cli wg redis-cli keydb-cli valkey-cli redis-server valkey-server db2 pdftk",
     .words = true},
    /* names of secrets, which are shown */
    {.names = "gcloud docker podman buildah nerdctl",
     .refs = "secret secrets set-secrets update-secrets secret-add secret-rm from-secret"},
    {.names = "git", .refs = "signingkey"},
    {.names = "aws", .refs = "key"},
    /* -p X and -pX */
    {.names =
         "mstsc winrs certutil cmdkey yt-dlp youtube-dl unar lsar psexec PsExec psexec64 "
         "impacket-psexec ncftp ncftpget ncftpput ncftpls smbmap crackmapexec nxc netexec "
         "evil-winrm hydra medusa xfreerdp wlfreerdp rdesktop wmic winexe ipmipower ipmi-sensors "
         "ipmiconsole bmc-info ipmi-chassis racadm esxcli perccli mycli supervisorctl synapse "
         "mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop "
         "mongofiles cqlsh beeline hdbsql clickhouse-benchmark nodetool couchbase-cli cbq "
         "neo4j-admin cypher-shell elasticsearch-users rabbitmqadmin mutool pdfcrack steghide "
         "fcrackzip veracrypt truecrypt useradd usermod adduser newusers twine poetry flit sshpass "
         "signtool aescrypt mcrypt scrypt",
     .glued = "p",
     .next = "p",
     .flags = "ev"},
    {.names =
         "knife ipmitool mosquitto_pub mosquitto_sub mosquitto_rr sqlcmd bcp osql isql tsql p4",
     .glued = "P",
     .next = "P"},
    {.names = "redis-cli redis-benchmark keydb-cli valkey-cli iredis", .glued = "a", .next = "a"},
    {.names = "http https httpie xh xhs", .glued = "a", .next = "a", .flags = "fjvbhSdIp"},
    {.names = "vsql kadmin kadmin.local", .glued = "w", .next = "w"},
    {.names = "slappasswd", .glued = "s", .next = "s"},
    {.names = "swift", .glued = "K", .next = "K"},
    {.names = "influx", .glued = "tp", .next = "tp"},
    {.names = "ssh-keygen ssh-add", .glued = "NP", .next = "NP"},
    {.names = "gobuster ccrypt", .glued = "PK", .next = "PK", .hides = "key"},
    {.names = "snmpwalk snmpget snmpset snmpbulkwalk snmpbulkget snmpgetnext snmptrap snmptable "
              "snmpstatus snmpdf",
     .glued = "AXc",
     .next = "AXc"},
    {.names = "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldapmodrdn ldapexop",
     .glued = "w",
     .next = "w",
     .flags = "xLZvncMCAWu"},
    {.names = "ldappasswd", .glued = "wsa", .next = "wsa", .flags = "xZvnCAWS"},
    {.names = "zip zipcloak unzip zipinfo funzip",
     .glued = "P",
     .next = "P",
     .flags = "0123456789abcdefghjlmnopqruvyzACDFLMTUVX"},
    {.names = "security",
     .verbs = "unlock-keychain add-generic-password add-internet-password "
              "set-keychain-password create-keychain import",
     .glued = "wpPko",
     .next = "wpPko"},
    /* only -pX */
    {.names = "mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlbinlog mysqlslap "
              "mysqlpump mysqlsh mariadb mariadb-dump mariadb-admin mariadb-import mariadb-show "
              "mariadb-check mariadb-backup xtrabackup innobackupex",
     .glued = "p",
     .flags = "ABbCEfGgHiLNnoqrstVvwX"},
    {.names = "7z 7za 7zr 7zz p7zip rar unrar", .glued = "p", .flags = "h"},
    {.names = "arj unace", .glued = "gp"},
    /* only -p X */
    {.names = "supabase pyega3", .next = "p"},
    {.names =
         "anaconda drone doppler codecov netlify vercel fly flyctl doctl surge sentry-cli railway "
         "turbo linode-cli",
     .next = "t"},
    {.names = "openai ss-server ss-local ss-redir ss-tunnel ntfy aescrypt mcrypt scrypt",
     .next = "k"},
    {.names = "openssl", .next = "kK", .hides = "hmac macopt"},
    {.names = "hatch", .next = "a"},
    {.names = "gitlab-runner", .next = "r"},
    {.names = "squidclient", .next = "w"},
    {.names = "stomp ascp", .next = "W"},
    {.names = "kaggle", .verbs = "set", .next = "v"},
    {.names = "docker podman nerdctl buildah skopeo helm oras crane oc cf az ibmcloud rancher "
              "argocd tsh tkn odo",
     .verbs = "login",
     .glued = "p",
     .next = "pt"},
    {.names = "nuget dotnet", .verbs = "push setapikey", .next = "k"},
    {.names = "op bw rbw", .hides = "session"},
    {.names = "gh", .verbs = "secret variable", .glued = "b", .next = "b", .hides = "body"},
    /* user:password */
    {.names = "curl",
     .user = "uUE",
     .longs = "user proxy-user cert proxy-cert",
     .flags = "#0123456789aBfgGiIjJklLMnNOpqRsSvVZ"},
    {.names = "curl", .user = "b", .longs = "cookie", .separator = '='},
    {.names = "ab hey nikto wscat lynx siege", .user = "APau", .longs = "id auth pauth"},
    {.names = "ffuf wfuzz ab", .user = "bC", .separator = '='},
    {.names = "ntfy", .user = "u"},
    {.names = "transmission-remote", .user = "n"},
    {.names = "etcdctl", .longs = "user"},
    {.names = "lftp open", .user = "u", .separator = ','},
    {.names = "wbinfo", .user = "a"},
    {.names = "sqlplus sqlldr exp imp expdp impdp rman sql sqlcl",
     .longs = "userid target catalog auxiliary",
     .separator = '/'},
    {.names = "kubectl oc k3s microk8s kustomize",
     .verbs = "secret secrets",
     .longs = "from-literal",
     .separator = '='},
    /* NAME=X */
    {.names = "vault bao nomad", .verbs = "put patch", .pairs = true},
    /* long options */
    {.names = "kubeseal", .hides = "from-literal"},
    {.names = "mix", .hides = "key"},
    {.names = "sops", .hides = "set"},
    {.names = "mvn sonar-scanner gradle gradlew mvnw", .hides = "Dsonar.login Dsonar.token"},
    {.names = "databricks", .hides = "string-value"},
    {.names = "schtasks signtool", .hides = "rp p"},
    {.names = "vault bao", .hides = "secret_id id value"},
    {.names = "consul nomad serf", .hides = "encrypt"},
    {.names = "aws az", .verbs = "put-parameter secret", .hides = "value"},
    {.names = "sipp swaks sendemail sendEmail vmrun xtrabackup caddy keytool",
     .hides = "ap xp gp plaintext srcstorepass new"},
    /* plain arguments */
    {.names = "oathtool ConvertTo-SecureString mkpasswd", .bare = 1},
    {.names = "radtest smbclient wpa_passphrase htpasswd", .bare = 2},
    {.names = "mosquitto_passwd isql iusql", .bare = 3},
    {.names = "neo4j-admin db2 qpdf openssl ansible-vault rclone ngrok "
              "grafana-cli grafana nuget pulumi",
     .verbs = "set-initial-password set-default-admin using USING --encrypt passwd "
              "encrypt_string obscure authtoken add-authtoken reset-admin-password setapikey "
              "setApiKey --secret",
     .bare = 1},
    {.names = "mysqladmin mariadb-admin", .verbs = "password", .bare = 1},
    {.names = "vault bao cargo wandb pro", .verbs = "login unseal attach", .bare = 1},
    {.names = "redis-cli keydb-cli valkey-cli", .verbs = "auth AUTH", .bare = 1},
    {.names = "b2", .verbs = "authorize-account authorize", .bare = 1},
    {.names = "bw", .verbs = "unlock", .bare = 1},
    {.names = "etcdctl", .verbs = "add", .bare = 1},
    {.names = "cloudflared", .verbs = "install", .bare = 1},
    {.names = "iwconfig iw", .verbs = "key", .bare = 1},
    {.names = "twilio bw ip confluent drush nifi.sh steamcmd rabbitmqctl",
     .verbs = "login enc auth auth-trunc aead store user:password upwd +login add_user "
              "change_password authenticate_user set-single-user-credentials",
     .bare = 2},
    {.names = "cf", .verbs = "auth", .bare = 2},
    {.names = "conda mamba", .verbs = "token", .bare = 2},
    {.names = "glab netlify vercel credstash", .verbs = "set env:set put", .bare = 2},
    {.names = "bundle", .verbs = "config set", .bare = 2},
    {.names = "samba-tool net", .verbs = "create setpassword user", .bare = 2},
    {.names = "networksetup chamber keyctl virsh mc mcli sops",
     .verbs = "-setairportnetwork write add padd update set set-user-password",
     .bare = 3},
    {.names = "net", .verbs = "use USE", .bare = 3},
    {.names = "poetry composer", .verbs = "config", .bare = 3},
    {.names = "redis-cli keydb-cli valkey-cli", .verbs = "acl ACL", .bare = 3},
    {.names = "jq gojq jaq", .verbs = "--arg"},
};

/* -- a word of a command ----------------------------------------------------------------------- */

/* k: the byte of the word from which on it is a value. */

/* The word at begin..end of the text. */
struct redact_word {
	struct redact_text *t;
	char s[WORD_MAX + 1]; /* its first n bytes */
	size_t n, begin, end;
	bool shell; /* a word of a script, without quotes; else a whole argument */
};

/* Whether the list has the word. */
static bool redact_word_is(const struct redact_word *w, const char *list)
{
	return redact_listed(list, w->s, w->n);
}

/* Hides the value. A variable, which a shell replaces, is shown. */
static void redact_word_hide(const struct redact_word *w, size_t k)
{
	size_t from = w->begin + k;

	if (redact_value_reference(w->t, from, false) == from)
		redact_hide(w->t, from, w->end);
}

/* Hides the value if a name of this kind makes it a secret. */
static void redact_word_value(const struct redact_word *w, size_t k, enum redact_name kind)
{
	size_t i = w->begin + k;
	const char *comma;

	/* f("X") was examined as text. */
	if (k >= w->n || (w->shell && redact_at(w->t, i + strspn(w->s + k, NAME_BYTES)) == '('))
		return;
	while (redact_at(w->t, i) == '\\' || redact_quote(redact_at(w->t, i)))
		i++;
	/* KEY=id,N=3: each pair of a list is examined as text. */
	comma = memchr(w->s + k, ',', w->n - k);
	if (comma && kind <= REDACT_NAME_KEY && memchr(comma, '=', w->n - (size_t)(comma - w->s)) &&
	    !redact_name_hides(kind, w->s + k, (size_t)(comma - w->s) - k))
		return;
	if (redact_value_reference(w->t, i, true) == i &&
	    redact_name_hides(kind, w->s + k, w->n - k))
		redact_word_hide(w, k);
}

/* Hides the password in user:password, and the user if it is a token. separator: NUL: any. */
static void redact_word_user(const struct redact_word *w, size_t k, char separator)
{
	const char *colon = strpbrk(w->s + k, separator ? (char[]){separator, 0} : ":%");
	size_t n;

	if (colon && strncmp(colon, "%40", 3) == 0) /* me%40example.org:X */
		colon = strchr(colon, ':');
	n = colon ? (size_t)(colon - w->s) - k : w->n - k;

	if (n >= 16 && (redact_token_random(w->s + k, n) || redact_token(w->s + k, n)))
		redact_hide(w->t, w->begin + k, w->begin + k + n);
	if (colon)
		redact_word_hide(w, k + n + 1);
}

/* Shows the name of a secret, as in --secret=db-pass, unless it has the form of a token. */
static void redact_word_show(const struct redact_word *w, size_t k)
{
	if (k < w->n && !redact_token(w->s + k, w->n - k) && !strstr(w->s + k, "//"))
		redact_show(w->t, w->begin + k, w->end);
}

/* 8080:80 and 1000:1000 are ports or user IDs, not user:password. */
static bool redact_word_ports(const struct redact_word *w, size_t k)
{
	return memchr(w->s + k, ':', w->n - k) && strspn(w->s + k, "0123456789.:-") == w->n - k;
}

/* app:app, me:users and the like are a user and a group; so are ports. */
static bool redact_word_group(const struct redact_word *w, size_t k)
{
	const char *group = memchr(w->s + k, ':', w->n - k);
	size_t n = group ? strlen(++group) : 0;

	return redact_word_ports(w, k) ||
	       (n &&
	        (strncmp(w->s + k, group, n) == 0 ||
	         redact_listed("root users nogroup staff wheel nobody www-data app", group, n)));
}

/* Numbers, process IDs, paths and files. */
static bool redact_word_harmless(const struct redact_word *w, size_t k)
{
	size_t n = w->n - k;

	return (n <= 6 && strspn(w->s + k, "0123456789.,:-") == n) ||
	       (memchr(w->s + k, '/', n) && redact_name_words(w->s + k, n)) ||
	       !redact_name_hides(REDACT_NAME_KEY, w->s + k, n);
}

/* "set", "env:set", "hex.config", "Set-Item": a name and its value may follow. */
static bool redact_word_sets(const struct redact_word *w)
{
	size_t from = w->n;

	while (from && w->s[from - 1] != ':' && w->s[from - 1] != '.')
		from--;
	return redact_listed("set SET Set setenv setx config CONFIG configure put PUT set-item "
	                     "Set-Item",
	                     w->s + from, w->n - from);
}

/* "set-password", "user:password", "walletpassphrase": verbs before a new password. */
static bool redact_word_names_password(const struct redact_word *w)
{
	static const char *const parts[] = {"password", "passphrase", "credentials", "passwd"};

	for (size_t k = 0; k < sizeof parts / sizeof *parts && !strpbrk(w->s, "/. "); k++)
		if (w->n > strlen(parts[k]) && strstr(w->s, parts[k]))
			return true;
	return false;
}

/* -- the words of one command: its program ----------------------------------------------------- */

/* Returns the i-th row of the program, or an empty one if it needs another verb. */
static const struct redact_program *row_at(const struct redact *c, size_t i)
{
	static const struct redact_program none = {.names = ""};
	const struct redact_program *row = c->rows[i];

	return row->verbs && !(c->verb_n && redact_listed(row->verbs, c->verb, c->verb_n)) ? &none
	                                                                                   : row;
}

static void take_verb(struct redact *c, const struct redact_word *w)
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
static bool take_program(struct redact *c, const char *path, size_t n)
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
	for (size_t i = 0; i < sizeof programs / sizeof *programs && found < REDACT_ROWS_MAX; i++)
		if (redact_listed(programs[i].names, base, n))
			c->rows[found++] = &programs[i];
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
static bool take_letter(struct redact *c, const struct redact_word *w, size_t k, bool *flag)
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

static bool take_letters(struct redact *c, const struct redact_word *w)
{
	bool flag = true;

	for (size_t k = 1; w->s[1] != '-' && k < w->n && flag; k++)
		if (take_letter(c, w, k, &flag))
			return true;
	return false;
}

/* Handles --user me:X, --user=me:X and userid=me/X. Returns false if the option is not such a one.
 * */
static bool take_long(struct redact *c, const struct redact_word *w)
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

/* -- the words of one command: options, names and values --------------------------------------- */

static bool is_scheme(const char *s)
{
	return strcasecmp(s, "bearer") == 0 || strcasecmp(s, "basic") == 0 ||
	       strcasecmp(s, "token") == 0;
}

/* Handles a word that the word before has announced. Returns false if it must be examined like any
 * other. */
static bool take_announced(struct redact *c, const struct redact_word *w)
{
	enum redact_next next = c->next;
	bool letter = redact_lower(w->s[1]) || redact_upper(w->s[1]), lone = c->lone_name;
	bool option = w->s[0] == '-' && (w->s[1] == '-' || (letter && (w->n == 2 || c->single)));
	size_t n = w->n > 2 && w->s[w->n - 2] == '\\' ? w->n - 2 : w->n; /* without \r at its end */

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
	if (next == REDACT_NEXT_LIKELY && redact_word_is(w, "--")) {
		c->next = next;
		return true;
	}
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
		                            : redact_token_chosen(w->s, n))
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

static void announce(struct redact *c, enum redact_name kind)
{
	c->name = kind;
	c->next = kind ? REDACT_NEXT_VALUE : REDACT_NEXT_ANY;
}

/* Whether a word of n bytes implies that the command reads a secret from its standard input. */
static bool redact_command_reads(const char *word, size_t n)
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

/* Whether "-p" of the program has a meaning of its own. */
static bool knows_p(const struct redact *c)
{
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct redact_program *row = row_at(c, i);
		if (row == programs || row->words || has_letter(row->glued, 'p') ||
		    has_letter(row->next, 'p') || has_letter(row->flags, 'p'))
			return true;
	}
	return false;
}

/* Options of programs without a row for them: -u me -p X, login -k X, -u me:X; of all: -U me%X. */
static bool take_unknown(struct redact *c, const struct redact_word *w)
{
	size_t name = strspn(w->s, "-"), n = strcspn(w->s + name, "="), value = name + n + 1;
	bool is_u = strcmp(w->s, "-u") == 0;

	if (redact_listed("u U user username login userpwd basic", w->s + name, n)) {
		/* Known programs may mean a user and a group. */
		c->separator = c->n_rows ? '%' : is_u ? ':' : '\0';
		c->has_user = true;
		if (value > w->n && !(c->n_rows && is_u))
			c->next = REDACT_NEXT_USER;
		else if (value < w->n && !redact_word_group(w, value))
			redact_word_user(w, value, c->separator);
		return c->next && name == 1 && !c->n_rows;
	}
	if (redact_listed("-U", w->s, 2) && strchr(w->s, '%') && !strpbrk(w->s, "=:/")) {
		redact_word_user(w, 2, '%');
		return true;
	}
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
	return false;
}

/* Classifies an option by its name. */
static enum redact_name option_kind(const struct redact *c, const struct redact_word *w,
                                    size_t name, size_t n)
{
	enum redact_name kind = redact_name(w->s + name, n, false);

	if (c->set && redact_listed("value values data body text string v", w->s + name, n))
		kind = c->keeps;
	else if (c->sets && redact_listed("value", w->s + name, n))
		kind = REDACT_NAME_LIKELY;
	if (c->login && (kind == REDACT_NAME_MAYBE || kind == REDACT_NAME_LIKELY))
		kind = REDACT_NAME_KEY;
	return kind;
}

/* Handles an option: one of the program's rows, or one whose name is that of a secret. */
static void take_option(struct redact *c, const struct redact_word *w)
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
	kind = option_kind(c, w, name, n);
	c->sets = c->sets || redact_word_is(w, "--set -set");
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
static void take_assignment(struct redact *c, const struct redact_word *w, size_t equals)
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
		redact_word_user(w, equals + 1, '\0');
	else if (kind || c->set)
		redact_word_value(w, equals + 1, c->set && c->keeps > kind ? c->keeps : kind);
	else if (c->sets && redact_token_chosen(w->s + equals + 1, w->n - equals - 1))
		redact_word_hide(w, equals + 1); /* config:set NAME=X */
	else                                     /* ProxyCommand=ssh … */
		(void)take_program(c, w->s + equals + 1, w->n - equals - 1);
}

/* /rp X, /password:X, /password X of Windows. */
static void take_slash_option(struct redact *c, const struct redact_word *w)
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
static void take_secret_name(struct redact *c, const struct redact_word *w)
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
static void keep_secrets(struct redact *c, const struct redact_word *w)
{
	size_t n = strcspn(w->s, ":"), verb = n < w->n ? n + 1 : 0;

	if (redact_listed("secret secrets user-secrets", w->s, n))
		c->keeps = REDACT_NAME_SECRET;
	else if (redact_word_is(w, "key keys variable variables env"))
		c->keeps = REDACT_NAME_LIKELY;
	if (c->keeps && !c->set &&
	    redact_listed("set put add create init update write", w->s + verb, w->n - verb))
		c->set = 1;
}

static void take_bare(struct redact *c, const struct redact_word *w, bool after_option)
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
			*c = (struct redact){.reads_in = c->reads_in};
	for (size_t i = 0; i < c->n_rows; i++)
		if (row_at(c, i)->bare && c->bare >= row_at(c, i)->bare &&
		    !(after_option && strchr("/~", w->s[0]))) {
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

/* Takes the next word, and hides it in the text, or a part of it, if that is a secret. */
static void redact_command_word(struct redact *c, const struct redact_word *w)
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
	for (name = 0; redact_name_byte(w->s[name]) || w->s[name] == '[' || w->s[name] == ']';)
		name++;
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

/* -- arguments and shell scripts --------------------------------------------------------------- */

/* Bytes to search for the reader of a pipe, or for a closing bracket. */
#define AHEAD 1024

static bool is_operator(char c)
{
	return c && strchr(";|&<>()\n", c);
}

/* Whether the comma or bracket at i separates the quoted words of a list: ['mysql', '-pX']. */
static bool between_quotes(const struct redact_text *t, size_t i, size_t begin, size_t end)
{
	if (!strchr(",[]", t->s[i]))
		return false;
	return (i > begin && redact_quote(t->s[i - 1])) ||
	       (i + 1 < end && (redact_quote(t->s[i + 1]) || t->s[i + 1] == '\\'));
}

/* -- arguments and shell scripts: words -------------------------------------------------------- */

static void set_word(struct redact_word *w, struct redact_text *t, size_t begin, size_t end,
                     bool shell)
{
	w->n = end - begin < WORD_MAX ? end - begin : WORD_MAX;
	memcpy(w->s, t->s + begin, w->n);
	w->s[w->n] = '\0';
	w->t = t;
	w->begin = begin;
	w->end = end;
	w->shell = shell;
}

/* Returns the end of the "$(…)" or "${…}" at i, or i if there is none. */
static size_t substitution_end(const struct redact_text *t, size_t i, size_t end)
{
	char open = t->s[i] == '$' && i + 1 < end ? t->s[i + 1] : '\0';
	struct redact_text near = {.s = t->s, .n = end};
	size_t behind = 0;

	if (open == '(' || open == '{')
		behind = redact_value_near(&near, i + 2, open, open == '(' ? ')' : '}');
	return behind ? behind : i;
}

/* Returns the position after the quote that closes the one at i, or i if it is not closed. */
static size_t quote_end(const struct redact_text *t, size_t i, size_t end)
{
	for (size_t k = i + 1; k < end; k++) {
		if (t->s[k] == t->s[i])
			return k + 1;
		k += t->s[k] == '\\' && t->s[i] != '\'';
	}
	return i;
}

/* Returns the end of the word at i. *within: the first "$(" or "${" that is not in quotes, or 0.
 * *quoted: it has quotes or backslashes. A quote that is not closed is an apostrophe: then all
 * quotes are plain bytes. */
static size_t word_end(const struct redact_text *t, size_t begin, size_t end, size_t *within,
                       bool *quoted)
{
	size_t i = begin, behind;
	bool plain = false;

	*within = 0;
	*quoted = false;
	while (i < end) {
		char c = t->s[i];
		if (!plain && c == '\\') {
			*quoted = true;
			i += i + 1 < end ? 2 : 1;
			continue;
		}
		if (!plain && redact_quote(c)) {
			behind = quote_end(t, i, end);
			plain = behind == i;
			*quoted = !plain;
			i = plain ? begin : behind;
			continue;
		}
		if (redact_blank(c) || is_operator(c) || between_quotes(t, i, begin, end))
			break;
		behind = plain ? i : substitution_end(t, i, end);
		if (behind > i && !*within)
			*within = i + 2;
		i = behind > i ? behind : i + 1;
	}
	return i;
}

/* Removes the quotes of the word at i..end, and notes where each byte was. Returns the length. */
static size_t unquote(const struct redact_text *t, size_t i, size_t end, char *text, uint32_t *at)
{
	size_t k = 0;
	char quote = '\0';

	for (; i < end; i++) {
		char c = t->s[i];
		if (quote ? c == quote : redact_quote(c)) {
			quote = quote ? '\0' : c;
			continue;
		}
		if (c == '\\' && quote != '\'' && i + 1 < end) {
			if (t->s[i + 1] == '\n') { /* a continued line */
				i++;
				continue;
			}
			i += !quote || strchr("\"\\$`", t->s[i + 1]);
		}
		at[k] = (uint32_t)i;
		text[k++] = t->s[i];
	}
	at[k] = (uint32_t)end;
	text[k] = '\0';
	return k;
}

/* -- arguments and shell scripts: commands ----------------------------------------------------- */

/* Whether the output of the echo before i goes to a program that reads a secret. */
static bool is_piped(const struct redact_text *t, size_t i, size_t end)
{
	size_t last = end - i > AHEAD / 4 ? i + AHEAD / 4 : end, word;
	bool sudo = false, keeper = false;
	int pipes = 0;

	for (; i<last; i = word> i ? word : i + 1) {
		word = i;
		if (!pipes && redact_quote(t->s[i])) {
			word = redact_value_behind(t, i + 1, t->s[i], t->s[i]);
			continue;
		}
		pipes += t->s[i] == '|';
		if (t->s[i] == '\n' || pipes > 2 || (t->s[i] == ';' && pipes))
			return false;
		while (word < last && !redact_blank(t->s[word]) && !is_operator(t->s[word]) &&
		       !redact_quote(t->s[word]))
			word++;
		if (!pipes)
			continue;
		if (redact_command_reads(t->s + i, word - i))
			return true;
		keeper = keeper ||
		         redact_listed("docker podman gh gcloud kubectl oc fly flyctl vault aws az "
		                       "doppler heroku wrangler npx",
		                       t->s + i, word - i);
		sudo = sudo || redact_listed("sudo doas", t->s + i, word - i);
		if ((keeper && redact_listed("secret secrets", t->s + i, word - i)) ||
		    (sudo && word - i >= 2 && t->s[i] == '-' && memchr(t->s + i, 'S', word - i)))
			return true;
	}
	return false;
}

/* Hides the lines of the here-document whose "<<" is at i, at most 4 KiB of them. */
static void hide_document(struct redact_text *t, size_t i, size_t end)
{
	size_t name = i + 2, n = 0, line;

	while (name < end && strchr("-'\"\\ ", t->s[name]))
		name++;
	while (redact_ident(redact_at(t, name + n)))
		n++;
	for (i = name; i < end && t->s[i] != '\n';)
		i++;
	end = end - i > 4 * (size_t)AHEAD ? i + 4 * (size_t)AHEAD : end;
	for (line = ++i; n && line < end; line++)
		if (t->s[line - 1] == '\n' && t->n - line >= n &&
		    memcmp(t->s + line, t->s + name, n) == 0)
			break;
	if (line > i)
		redact_hide(t, i, line < end ? line - 1 : end);
}

static void scan_argument(struct redact *c, struct redact_text *t, int depth, bool asks);

/* Hides the secrets of the word at begin..end in what a shell makes of it, and passes it to the
 * command. Without memory, hides all of the word. */
static void scan_quoted(struct redact *c, struct redact_text *t, size_t begin, size_t end,
                        int depth, bool asks)
{
	size_t n = end - begin + 1;
	char *text = malloc(n), *copy = malloc(n);
	uint32_t *at = malloc(n * sizeof *at);
	struct redact_text inner = {.s = text, .copy = copy};

	if (text && copy && at) {
		inner.n = unquote(t, begin, end, text, at);
		for (size_t k = 0; k < inner.n; k++)
			copy[k] = (char)(t->copy[at[k]] ? text[k] : 0);
		scan_argument(c, &inner, depth, asks);
		for (size_t k = 0; k < inner.n; k++)
			if (copy[k])
				t->copy[at[k]] = text[k];
			else
				memset(t->copy + at[k], 0,
				       k + 1 < inner.n && !copy[k + 1] ? at[k + 1] - at[k] : 1);
	} else {
		redact_hide(t, begin, end);
	}
	free(text);
	free(copy);
	free(at);
}

static void scan_script(struct redact_text *t, size_t begin, size_t end, int depth, bool asks)
{
	struct redact c = {.n_rows = 0};
	bool first = true, fed = false, quoted;
	size_t word, last, within;
	struct redact_word w;

	for (size_t i = begin; i<end; i = word> i ? word : i + 1) {
		char ch = t->s[i];
		word = i;
		if (end - i > 3 && memcmp(t->s + i, "<<<", 3) == 0) {
			if (c.reads_in)
				c.next = REDACT_NEXT_SECRET;
			word = i + 3;
			continue;
		}
		if (c.reads_in && ch == '<' && i + 1 < end && t->s[i + 1] == '<')
			hide_document(t, i, end);
		if (is_operator(ch) && ch != '<' && ch != '>') {
			c = (struct redact){.n_rows = 0};
			first = true;
			fed = ch == '(' && i > begin && t->s[i - 1] == '<';
		}
		if (is_operator(ch) || redact_blank(ch) || between_quotes(t, i, begin, end))
			continue;
		word = word_end(t, i, end, &within, &quoted);
		/* Brackets of the text around it: {"a": "X"} */
		for (last = word; !within && last > i + 1 && strchr("]}),;", t->s[last - 1]);)
			last--;
		set_word(&w, t, i, last, true);
		if (quoted && depth < DEPTH_MAX)
			scan_quoted(&c, t, i, last, depth + 1, asks);
		else
			redact_command_word(&c, &w);
		if (within && depth < DEPTH_MAX)
			scan_script(t, within, word, depth + 1, asks);
		if (first && redact_listed("echo printf yes", w.s, w.n))
			c.all = fed || is_piped(t, word, end);
		else if (first && redact_listed("send exp_send", w.s, w.n)) { /* of expect(1) */
			c.all = asks;
			c.next = REDACT_NEXT_LIKELY;
		}
		first = first && strchr(w.s, '=');
	}
}

/* Hides the secrets in the text, which is the next argument of a command, or any text if c is NULL.
 * Takes linear time: quotes in quotes are followed to a depth of four. */
static void scan_argument(struct redact *c, struct redact_text *t, int depth, bool asks)
{
	struct redact_word w;

	t->word = c && !strpbrk(t->s, " \t\n");
	redact_scan(t);
	if (c) {
		set_word(&w, t, 0, t->n, false);
		redact_command_word(c, &w);
	}
	if (!t->word)
		scan_script(t, 0, t->n, depth, asks);
}

/* -- a line, a value, a text ------------------------------------------------------------------- */

/* Appends the copy with "***" for each run of NUL bytes. */
static void write_copy(const struct redact_text *t, struct buf *out)
{
	size_t i = 0;

	while (i < t->n) {
		size_t from = i;
		while (i < t->n && t->copy[i])
			i++;
		buf_add(out, t->copy + from, i - from);
		if (i < t->n)
			buf_str(out, MASK);
		while (i < t->n && !t->copy[i])
			i++;
	}
}

/* command: the state if the text is a word of a command line, else NULL. whole: hide all of it. If
 * there is no memory, the output is "***". */
static void redact_one(struct redact *command, const char *text, bool whole, struct buf *out)
{
	struct redact_text t = {.s = text, .n = strlen(text)};
	struct buf copy = {0};

	buf_add(&copy, text, t.n);
	if (copy.failed) {
		buf_str(out, MASK);
		buf_free(&copy);
		return;
	}
	t.copy = copy.s;
	if (t.n && whole)
		redact_hide(&t, 0, t.n);
	/* expect(1) waits for "assword:" and sends the password. */
	scan_argument(command, &t, 0, strstr(text, "assword") != NULL);
	if (t.n)
		write_copy(&t, out);
	buf_free(&copy);
}

void redact_word(struct redact *r, const char *word, struct buf *out)
{
	redact_one(r, word, false, out);
}

void redact_value(const char *name, const char *value, struct buf *out)
{
	redact_one(NULL, value,
	           redact_name_hides(redact_name(name, strlen(name), false), value, strlen(value)),
	           out);
}

void redact_text(const char *text, size_t n, struct buf *out)
{
	struct buf copy = {0};

	buf_add(&copy, text, strnlen(text, n));
	if (copy.failed)
		buf_str(out, MASK);
	else
		redact_one(NULL, buf_cstr(&copy), false, out);
	buf_free(&copy);
}

void redact_mark(const char *line, size_t n, struct buf *out)
{
	static const char end[] = " end";
	size_t name;

	while (n && redact_blank(line[n - 1]))
		n--;
	name = n > 4 && memcmp(line + n - 4, end, 4) == 0 ? n - 4 : n;
	redact_text(line, name, out);
	if (name < n)
		buf_str(out, end);
}
