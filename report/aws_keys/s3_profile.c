/* s3_profile: what the chosen profile of ~/.aws/credentials and ~/.aws/config says. */
#include "report/aws_keys/s3_profile.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "report/aws_keys/s3_keys.h"

static const struct {
	const char *variable, *name;
} files[S3_PROFILE_FILES] = {
    [S3_PROFILE_CREDENTIALS] = {"AWS_SHARED_CREDENTIALS_FILE", "credentials"},
    [S3_PROFILE_CONFIG] = {"AWS_CONFIG_FILE", "config"},
};

struct s3_profile_value {
	struct s3_profile_value *next; /* an earlier one */
	enum s3_profile_file file;
	char *key, *value;
};

/* -- a file ------------------------------------------------------------------------------------ */

static bool is_file_absent(const char *path, int why)
{
	struct stat st;

	return why == ENOENT || why == ENOTDIR || (why == EACCES && stat(path, &st));
}

int s3_profile_read_file(const char *path, size_t max, struct buf *out, bool *absent, struct err *e)
{
	/* A FIFO that nobody writes to must not be waited for. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), rc = -1;
	char piece[4096];
	size_t all = 0;
	ssize_t n;

	*absent = fd < 0 && is_file_absent(path, errno);
	if (fd < 0)
		return *absent ? 0 : err_set(e, "%s: %s", path, strerror(errno));
	if (fcntl(fd, F_SETFL, 0))
		goto failed;
	while ((n = read(fd, piece, sizeof piece)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			goto failed;
		all += (size_t)n;
		if (all > max) {
			err_set(e, "%s: larger than %zu KiB", path, max >> 10);
			goto out;
		}
		buf_add(out, piece, (size_t)n);
	}
	errno = ENOMEM;
	rc = out->failed ? -1 : 0;
failed:
	if (rc)
		err_set(e, "%s: %s", path, strerror(errno));
out:
	explicit_bzero(piece, sizeof piece);
	close(fd);
	return rc;
}

/* -- its grammar ------------------------------------------------------------------------------- */

/* A part of the text, without a NUL. */
struct piece {
	const char *s;
	size_t n;
};

struct config {
	s3_profile_each *each;
	void *ctx;
	struct err *e;
	size_t line;
	struct buf section, key, value;
	bool in_section, in_key;
	size_t indent; /* of the key: lines that are indented more belong to it */
	bool group;    /* the key's own value is empty */
};

static bool is_config_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static struct piece trim_piece(struct piece p)
{
	while (p.n && is_config_blank(p.s[0])) {
		p.s++;
		p.n--;
	}
	while (p.n && is_config_blank(p.s[p.n - 1]))
		p.n--;
	return p;
}

static void set_piece(struct buf *b, struct piece p)
{
	buf_clear(b);
	buf_add(b, p.s, p.n);
}

/* Without the comment after it. */
static struct piece value_piece(struct piece p)
{
	for (size_t i = 0; i < p.n; i++)
		if ((p.s[i] == '#' || p.s[i] == ';') && (i == 0 || is_config_blank(p.s[i - 1])))
			p.n = i;
	return trim_piece(p);
}

static size_t find_any_of(struct piece p, const char *chars)
{
	for (size_t i = 0; i < p.n; i++)
		if (strchr(chars, p.s[i]))
			return i;
	return p.n;
}

static void add_lower(struct buf *b, struct piece p)
{
	for (size_t i = 0; i < p.n; i++)
		buf_char(b, (char)tolower((unsigned char)p.s[i]));
}

/* A key and its value are reported when the next ones begin, because lines that belong to them may
 * follow. */
static void report_key(struct config *c)
{
	if (c->in_key)
		c->each(c->ctx, buf_cstr(&c->section), buf_cstr(&c->key), buf_cstr(&c->value));
	c->in_key = false;
}

static int read_indented(struct config *c, struct piece p)
{
	size_t at = find_any_of(p, "="), base = c->key.len;
	struct buf value = {0};

	if (!c->group) {
		buf_char(&c->value, '\n');
		buf_add(&c->value, p.s, p.n);
		return 0;
	}
	if (at == p.n)
		return err_set(c->e, "line %zu is not KEY = VALUE", c->line);
	buf_char(&c->key, '.');
	add_lower(&c->key, trim_piece((struct piece){p.s, at}));
	set_piece(&value, value_piece((struct piece){p.s + at + 1, p.n - at - 1}));
	c->key.failed |= value.failed;
	c->each(c->ctx, buf_cstr(&c->section), buf_cstr(&c->key), buf_cstr(&value));
	s3_keys_wipe_buf(&value);
	if (c->key.s) {
		c->key.len = base;
		c->key.s[base] = '\0';
	}
	return 0;
}

static int read_key(struct config *c, struct piece p)
{
	size_t at = find_any_of(p, "=:");
	struct piece key = trim_piece((struct piece){p.s, at});

	if (!c->in_section)
		return err_set(c->e, "line %zu stands before the first [section]", c->line);
	if (at == p.n || !key.n)
		return err_set(c->e, "line %zu is neither [section] nor KEY = VALUE", c->line);
	buf_clear(&c->key);
	add_lower(&c->key, key);
	set_piece(&c->value, value_piece((struct piece){p.s + at + 1, p.n - at - 1}));
	c->in_key = true;
	c->group = c->value.len == 0;
	return 0;
}

static int read_config_line(struct config *c, struct piece line)
{
	struct piece p = trim_piece(line);
	size_t indent = (size_t)(p.s - line.s);

	if (memchr(line.s, '\0', line.n))
		return err_set(c->e, "line %zu has a NUL byte", c->line);
	if (!p.n || *p.s == '#' || *p.s == ';')
		return 0;
	if (c->in_key && indent > c->indent)
		return read_indented(c, p);
	report_key(c);
	c->indent = indent;
	if (*p.s != '[')
		return read_key(c, p);
	p = (struct piece){p.s + 1, p.n - 1};
	if (find_any_of(p, "]") == p.n)
		return err_set(c->e, "line %zu has a '[' without a ']'", c->line);
	set_piece(&c->section, trim_piece((struct piece){p.s, find_any_of(p, "]")}));
	c->in_section = true;
	c->each(c->ctx, buf_cstr(&c->section), "", "");
	return 0;
}

int s3_profile_walk(const char *text, size_t n, s3_profile_each *each, void *ctx, struct err *e)
{
	struct config c = {.each = each, .ctx = ctx, .e = e};
	size_t at = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	int rc = -1;

	while (at < n) {
		const char *end = memchr(text + at, '\n', n - at);
		size_t len = end ? (size_t)(end - text) - at : n - at;
		c.line++;
		if (read_config_line(&c, (struct piece){text + at, len}))
			goto out;
		at += len + 1;
	}
	report_key(&c);
	if (c.section.failed || c.key.failed || c.value.failed)
		err_set(e, "%s", strerror(ENOMEM));
	else
		rc = 0;
out:
	s3_keys_wipe_buf(&c.section);
	s3_keys_wipe_buf(&c.key);
	s3_keys_wipe_buf(&c.value);
	return rc;
}

bool s3_profile_is(const char *section, const char *kind, const char *name)
{
	size_t n = strlen(kind), len;

	if (strncmp(section, kind, n) != 0 || !is_config_blank(section[n]))
		return false;
	section += n;
	while (is_config_blank(*section))
		section++;
	len = strlen(section);
	if (len >= 2 && (*section == '"' || *section == '\'') && section[len - 1] == *section) {
		section++;
		len -= 2;
	}
	return len == strlen(name) && strncmp(section, name, len) == 0;
}

/* -- the profile ------------------------------------------------------------------------------- */

const char *s3_profile_env(const char *variable)
{
	const char *v = getenv(variable);

	return v && *v ? v : NULL;
}

static const char *home_folder(void)
{
	const struct passwd *user;
	const char *dir = s3_profile_env("HOME");

	if (dir)
		return dir;
	user = getpwuid(getuid());
	return user && user->pw_dir ? user->pw_dir : NULL;
}

static int find_file(struct s3_profile *p, enum s3_profile_file f, struct err *e)
{
	const char *named = s3_profile_env(files[f].variable), *dir = home_folder();
	int n = 0;

	if (named && (strncmp(named, "~/", 2) != 0 || !dir))
		n = snprintf(p->path[f], PATH_MAX, "%s", named);
	else if (named)
		n = snprintf(p->path[f], PATH_MAX, "%s%s", dir, named + 1);
	else if (dir)
		n = snprintf(p->path[f], PATH_MAX, "%s/.aws/%s", dir, files[f].name);
	if (n < PATH_MAX)
		return 0;
	return err_set(e, "%s: %s", named ? files[f].variable : "HOME", strerror(ENAMETOOLONG));
}

struct walk {
	struct s3_profile *p;
	enum s3_profile_file file;
	const char *services; /* the name of the section with the profile's */
	bool found, failed;
};

static void keep_value(struct walk *w, const char *in, const char *key, const char *value)
{
	struct s3_profile_value *v = alloc_failed_note(calloc(1, sizeof *v));

	if (v && asprintf(&v->key, "%s%s", in, key) < 0)
		v->key = NULL;
	if (!v || !v->key || !(v->value = alloc_failed_note(strdup(value)))) {
		w->failed = true;
		free(v ? v->key : NULL);
		free(v);
		return;
	}
	v->file = w->file;
	v->next = w->p->values;
	w->p->values = v;
}

/* In the credentials file a section is named like its profile; in the other one "profile NAME". */
static void on_profile(void *ctx, const char *section, const char *key, const char *value)
{
	struct walk *w = ctx;
	bool mine = strcmp(section, w->p->name) == 0;

	if (w->file == S3_PROFILE_CONFIG)
		mine = s3_profile_is(section, "profile", w->p->name) ||
		       (mine && strcmp(section, "default") == 0);
	w->found |= mine;
	if (mine && *key)
		keep_value(w, "", key, value);
}

static void on_services(void *ctx, const char *section, const char *key, const char *value)
{
	struct walk *w = ctx;

	if (*key && s3_profile_is(section, "services", w->services))
		keep_value(w, S3_PROFILE_SERVICES, key, value);
}

const char *s3_profile_in(const struct s3_profile *p, enum s3_profile_file f, const char *key)
{
	for (const struct s3_profile_value *v = p->values; v; v = v->next)
		if (v->file == f && strcmp(v->key, key) == 0)
			return v->value;
	return NULL;
}

static int read_profile_file(struct s3_profile *p, enum s3_profile_file f, bool *found,
                             struct err *e)
{
	struct buf text = {.max = S3_PROFILE_FILE_MAX + 2};
	struct walk w = {.p = p, .file = f};
	bool absent;
	int rc = -1;

	if (find_file(p, f, e))
		return -1;
	if (!*p->path[f])
		return 0;
	if (s3_profile_read_file(p->path[f], S3_PROFILE_FILE_MAX, &text, &absent, e))
		goto out;
	if (s3_profile_walk(buf_cstr(&text), text.len, on_profile, &w, e)) {
		err_wrap(e, "%s", p->path[f]);
		goto out;
	}
	w.services = s3_profile_in(p, f, "services");
	if (w.services)
		s3_profile_walk(buf_cstr(&text), text.len, on_services, &w, NULL);
	*found |= w.found;
	rc = w.failed ? err_set(e, "%s: %s", p->path[f], strerror(ENOMEM)) : 0;
out:
	s3_keys_wipe_buf(&text);
	return rc;
}

int s3_profile_load(struct s3_profile *p, struct err *e)
{
	const char *named = s3_profile_env("AWS_PROFILE");
	bool found = false;

	*p = (struct s3_profile){.name = ""};
	if ((size_t)snprintf(p->name, sizeof p->name, "%s", named ? named : "default") >=
	    sizeof p->name)
		return err_set(e, "AWS_PROFILE: no profile has a name of over %zu bytes",
		               sizeof p->name - 1);
	for (enum s3_profile_file f = 0; f < S3_PROFILE_FILES; f++)
		if (read_profile_file(p, f, &found, e))
			return -1;
	if (named && !found)
		return err_set(e, "AWS_PROFILE names the profile %s, which neither %s nor %s has",
		               named, p->path[S3_PROFILE_CONFIG], p->path[S3_PROFILE_CREDENTIALS]);
	return 0;
}

const char *s3_profile_get(const struct s3_profile *p, const char *key)
{
	for (enum s3_profile_file f = 0; f < S3_PROFILE_FILES; f++) {
		const char *v = s3_profile_in(p, f, key);
		if (v && *v)
			return v;
	}
	return NULL;
}

void s3_profile_free(struct s3_profile *p)
{
	struct s3_profile_value *v;

	while ((v = p->values)) {
		p->values = v->next;
		s3_keys_wipe_text(&v->key);
		s3_keys_wipe_text(&v->value);
		free(v);
	}
}

/* -- URLs -------------------------------------------------------------------------------------- */

static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text >= 0x7f || strchr("\\\"<>^`{|}", *text))
			return false;
	return true;
}

/* Copies the host, and sets *end to what follows it. */
static bool take_host(struct s3_url *u, const char *from, const char **end)
{
	struct in6_addr v6;
	bool brackets = *from == '[';
	size_t n = strcspn(from += brackets, brackets ? "]" : ":/?");

	if (!n || n >= sizeof u->host || (brackets && from[n] != ']'))
		return false;
	for (size_t i = 0; i < n; i++)
		u->host[i] = (char)tolower((unsigned char)from[i]);
	u->host[n] = '\0';
	*end = from + n + brackets;
	if (brackets)
		return inet_pton(AF_INET6, u->host, &v6) == 1;
	return strspn(u->host, "abcdefghijklmnopqrstuvwxyz0123456789-._") == n && u->host[0] != '.';
}

static bool take_port(const char **at)
{
	size_t n;
	long port;

	if (**at != ':')
		return true;
	n = strspn(*at + 1, "0123456789");
	port = n && n <= 5 ? strtol(*at + 1, NULL, 10) : 0;
	*at += n + 1;
	return port > 0 && port < 65536;
}

int s3_profile_url(struct s3_url *u, const char *url, struct err *e)
{
	const char *at;
	size_t n = strlen(url);

	*u = (struct s3_url){.https = strncasecmp(url, "https://", 8) == 0};
	/* Before anything else, for the other sentences might be less clear about it. */
	if (strchr(url, '@'))
		return err_set(e, "a user name or a password in the URL is not used (credentials "
		                  "are taken as AWS' tools take them)");
	if (!u->https && strncasecmp(url, "http://", 7) != 0)
		return err_set(e, "this is not a URL that begins with https:// or http://");
	if (!is_plain(url))
		return err_set(e, "the URL has a character that no URL may have");
	if (strchr(url, '#'))
		return err_set(e, "the URL has a '#'");
	if (!take_host(u, url + (u->https ? 8 : 7), &at))
		return err_set(e, "the URL has no valid host");
	if (!take_port(&at) || !strchr("/?", *at))
		return err_set(e, "the URL's port is none");
	u->query = strchr(at, '?') != NULL;
	while (n && url[n - 1] == '/')
		n--;
	if (n >= sizeof u->base)
		return err_set(e, "the URL is longer than %zu bytes", sizeof u->base - 1);
	snprintf(u->base, sizeof u->base, "%s%.*s", u->https ? "https" : "http",
	         (int)(n - (u->https ? 5 : 4)), url + (u->https ? 5 : 4));
	return 0;
}

bool s3_profile_is_loopback(const struct s3_url *u)
{
	struct in6_addr v6;
	struct in_addr v4;

	if (inet_pton(AF_INET, u->host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	if (inet_pton(AF_INET6, u->host, &v6) == 1)
		return IN6_IS_ADDR_LOOPBACK(&v6);
	return strcmp(u->host, "localhost") == 0;
}

/* -- settings ---------------------------------------------------------------------------------- */

bool s3_profile_find(struct s3_profile_setting *s, const struct s3_profile *p, const char *names)
{
	static const size_t services = sizeof S3_PROFILE_SERVICES - 1;
	const char *value = NULL;
	char name[64];

	for (; *names && !value; names += strspn(names, " ")) {
		size_t n = strcspn(names, " ");
		snprintf(name, sizeof name, "%.*s", (int)n, names);
		value =
		    isupper((unsigned char)*name) ? s3_profile_env(name) : s3_profile_get(p, name);
		names += n;
	}
	if (!value)
		return false;
	s->value = value;
	if (isupper((unsigned char)*name))
		snprintf(s->from, sizeof s->from, "%s", name);
	else
		snprintf(s->from, sizeof s->from, "%s of the profile %s",
		         name + (*name == '[' ? services : 0), p->name);
	return true;
}

int s3_profile_on(const struct s3_profile *p, const char *names, bool *on, struct err *e)
{
	struct s3_profile_setting s;

	*on = false;
	if (!s3_profile_find(&s, p, names))
		return 0;
	*on = strcasecmp(s.value, "true") == 0;
	if (*on || strcasecmp(s.value, "false") == 0)
		return 0;
	return err_set(e, "%s is neither true nor false", s.from);
}

int s3_profile_endpoint(const struct s3_profile *p, const char *names, struct s3_url *u,
                        bool *found, struct err *e)
{
	struct s3_profile_setting s;
	bool ignored;

	*found = false;
	if (s3_profile_on(p, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS ignore_configured_endpoint_urls",
	                  &ignored, e))
		return -1;
	if (ignored || !s3_profile_find(&s, p, names))
		return 0;
	if (s3_profile_url(u, s.value, e))
		return err_wrap(e, "%s", s.from);
	if (u->query)
		return err_set(e, "%s: an endpoint has no '?'", s.from);
	*found = true;
	return 0;
}

bool s3_profile_is_region(const char *name, bool aws)
{
	size_t n = strlen(name);

	if (!n || n >= S3_PROFILE_REGION_MAX || (aws && *name == '-'))
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr(aws ? "-" : "-._", *name))
			return false;
	return true;
}

int s3_profile_region(const struct s3_profile *p, bool aws, char out[S3_PROFILE_REGION_MAX],
                      struct err *e)
{
	struct s3_profile_setting s = {.value = "us-east-1"};

	s3_profile_find(&s, p, "AWS_REGION AWS_DEFAULT_REGION region");
	if (!s3_profile_is_region(s.value, aws))
		return err_set(e, "%s: \"%.100s\" is not the name of a region", s.from, s.value);
	snprintf(out, S3_PROFILE_REGION_MAX, "%s", s.value);
	return 0;
}

int s3_profile_ca(const struct s3_profile *p, char out[PATH_MAX], struct err *e)
{
	struct s3_profile_setting s = {.value = ""};

	s3_profile_find(&s, p, "AWS_CA_BUNDLE ca_bundle");
	if (snprintf(out, PATH_MAX, "%s", s.value) >= PATH_MAX)
		return err_set(e, "%s: %s", s.from, strerror(ENAMETOOLONG));
	if (*out && access(out, R_OK))
		return err_set(e, "%s: %s: %s", s.from, out, strerror(errno));
	return 0;
}
