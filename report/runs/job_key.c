/* job_key: which runs are of the same job. */
#include "report/runs/job_key.h"

#include <string.h>

#include "report/runs/load.h"

/* One key, as it stands in the list. */
struct word {
	const char *s;
	size_t n;
};

struct key {
	const char *name; /* ends in ":" where the rest is whose value is meant */
	const char *why;  /* it differs */
	void (*value)(const struct run *run, struct word rest, struct buf *out);
};

const char *job_key_name(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	if (s->job.name && *s->job.name)
		return s->job.name;
	if (s->job.argc && *s->job.argv[0])
		return load_file_name(s->job.argv[0]);
	return load_file_name(run->file);
}

/* A recording that tells neither name nor command has the name of its file only to be called by. */
static void add_name(const struct run *run, struct word rest, struct buf *out)
{
	const struct snapshot *s = &run->snapshot;

	(void)rest;
	if ((s->job.name && *s->job.name) || (s->job.argc && *s->job.argv[0]))
		buf_str(out, job_key_name(run));
}

/* Words apart by what no shell line has: "a b" is not "a" and "b". */
static void add_command(const struct run *run, struct word rest, struct buf *out)
{
	(void)rest;
	for (size_t i = 0; i < run->snapshot.job.argc; i++)
		buf_printf(out, "%s%s", i ? "\x1f" : "", run->snapshot.job.argv[i]);
}

static void add_told(struct buf *out, const char *text)
{
	buf_str(out, text ? text : "");
}

static void add_directory(const struct run *run, struct word rest, struct buf *out)
{
	(void)rest;
	add_told(out, run->snapshot.job.cwd);
}

static void add_host(const struct run *run, struct word rest, struct buf *out)
{
	(void)rest;
	add_told(out, run->snapshot.job.host);
}

static void add_user(const struct run *run, struct word rest, struct buf *out)
{
	(void)rest;
	add_told(out, run->snapshot.job.user);
}

static void add_instance(const struct run *run, struct word rest, struct buf *out)
{
	(void)rest;
	add_told(out, run->snapshot.cloud.instance_type);
}

static void add_pair(const struct snapshot_pairs *pairs, struct word key, struct buf *out)
{
	for (size_t i = 0; i < pairs->n; i++)
		if (strlen(pairs->v[i].key) == key.n &&
		    memcmp(pairs->v[i].key, key.s, key.n) == 0) {
			add_told(out, pairs->v[i].value);
			return;
		}
}

static void add_tag(const struct run *run, struct word rest, struct buf *out)
{
	add_pair(&run->snapshot.job.tags, rest, out);
}

static void add_label(const struct run *run, struct word rest, struct buf *out)
{
	add_pair(&run->snapshot.job.labels, rest, out);
}

static const struct key keys_known[] = {
    {"name", "another job", add_name},
    {"command", "another command", add_command},
    {"directory", "another directory", add_directory},
    {"host", "another host", add_host},
    {"user", "another user", add_user},
    {"instance", "another type of server", add_instance},
    {"tag:", "another tag", add_tag},
    {"label:", "another label", add_label},
};
#define KEYS (sizeof keys_known / sizeof *keys_known)

/* rest gets what is behind the colon. NULL where it is no key. */
static const struct key *find(struct word w, struct word *rest)
{
	for (size_t i = 0; i < KEYS; i++) {
		const struct key *k = &keys_known[i];
		size_t n = strlen(k->name);
		bool open = k->name[n - 1] == ':';
		if ((open ? w.n <= n : w.n != n) || memcmp(w.s, k->name, n) != 0)
			continue;
		*rest = (struct word){w.s + n, w.n - n};
		return k;
	}
	return NULL;
}

/* The next key of the list, which *list and *at walk over. */
static bool next(const struct opts_list *keys, size_t *list, const char **at, struct word *out)
{
	static const struct opts_list usual = {.v = {JOB_KEY_DEFAULT}, .n = 1};

	if (!keys || !keys->n)
		keys = &usual;
	if (!*at && *list < keys->n)
		*at = keys->v[(*list)++];
	if (!*at)
		return false;
	*out = (struct word){*at, strcspn(*at, ",")};
	*at = (*at)[out->n] ? *at + out->n + 1 : NULL;
	return true;
}

int job_key_check(const struct opts_list *keys, struct err *e)
{
	const char *at = NULL;
	size_t list = 0;
	struct word w, rest;

	while (next(keys, &list, &at, &w))
		if (!find(w, &rest))
			return err_set(e,
			               "--group-by: \"%.*s\" is none of name, command, directory, "
			               "host, user, instance, tag:KEY and label:KEY",
			               (int)w.n, w.s);
	return 0;
}

const char *job_key_differs(const struct opts_list *keys, const struct run *a, const struct run *b)
{
	const char *at = NULL, *why = "";
	size_t list = 0;
	struct word w, rest;

	while (!*why && next(keys, &list, &at, &w)) {
		const struct key *k = find(w, &rest);
		struct buf x = {0}, y = {0};
		if (!k)
			continue;
		k->value(a, rest, &x);
		k->value(b, rest, &y);
		if (strcmp(buf_cstr(&x), buf_cstr(&y)) != 0)
			why = k->why;
		buf_free(&x);
		buf_free(&y);
	}
	return why;
}

void job_key_text(const struct opts_list *keys, const struct run *run, struct buf *out)
{
	const char *at = NULL;
	size_t list = 0;
	struct word w, rest;

	while (next(keys, &list, &at, &w)) {
		const struct key *k = find(w, &rest);
		struct buf value = {0};
		if (!k)
			continue;
		k->value(run, rest, &value);
		for (char *c = value.s; c && *c; c++)
			*c = *c == '\x1f' ? ' ' : *c;
		buf_printf(out, "%s%.*s %s", out->len ? ", " : "", (int)w.n, w.s,
		           value.len ? buf_cstr(&value) : "(not told)");
		buf_free(&value);
	}
}
