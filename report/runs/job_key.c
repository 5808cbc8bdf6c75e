/* job_key: which runs are of the same job. */
#include "report/runs/job_key.h"

#include <string.h>

#include "report/runs/load.h"

/* One key as written in the list. */
struct key_word {
	const char *s;
	size_t n;
};

struct key_kind {
	const char *name; /* ends in ":" if the name of a tag or label follows */
	const char *why;  /* the reason if runs differ in it */
	void (*value)(const struct run *run, struct key_word rest, struct buf *out);
};

const char *job_key_name(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	if (s->job.name && *s->job.name)
		return s->job.name;
	if (s->job.argc && *s->job.argv[0])
		return input_file_name(s->job.argv[0]);
	return input_file_name(run->file);
}

/* Not the file's name, which job_key_name falls back to only to have something to show. */
static void key_name(const struct run *run, struct key_word rest, struct buf *out)
{
	const struct snapshot *s = &run->snapshot;

	(void)rest;
	if ((s->job.name && *s->job.name) || (s->job.argc && *s->job.argv[0]))
		buf_str(out, job_key_name(run));
}

/* A separator that no argument has: "a b" is not "a" and "b". */
static void key_command(const struct run *run, struct key_word rest, struct buf *out)
{
	(void)rest;
	for (size_t i = 0; i < run->snapshot.job.argc; i++)
		buf_printf(out, "%s%s", i ? "\x1f" : "", run->snapshot.job.argv[i]);
}

static void add_or_empty(struct buf *out, const char *text)
{
	buf_str(out, text ? text : "");
}

static void key_directory(const struct run *run, struct key_word rest, struct buf *out)
{
	(void)rest;
	add_or_empty(out, run->snapshot.job.cwd);
}

static void key_host(const struct run *run, struct key_word rest, struct buf *out)
{
	(void)rest;
	add_or_empty(out, run->snapshot.job.host);
}

static void key_user(const struct run *run, struct key_word rest, struct buf *out)
{
	(void)rest;
	add_or_empty(out, run->snapshot.job.user);
}

static void key_instance(const struct run *run, struct key_word rest, struct buf *out)
{
	(void)rest;
	add_or_empty(out, run->snapshot.cloud.instance_type);
}

static void key_pair(const struct snapshot_pairs *pairs, struct key_word key, struct buf *out)
{
	for (size_t i = 0; i < pairs->n; i++)
		if (strlen(pairs->v[i].key) == key.n &&
		    memcmp(pairs->v[i].key, key.s, key.n) == 0) {
			add_or_empty(out, pairs->v[i].value);
			return;
		}
}

static void key_tag(const struct run *run, struct key_word rest, struct buf *out)
{
	key_pair(&run->snapshot.job.tags, rest, out);
}

static void key_label(const struct run *run, struct key_word rest, struct buf *out)
{
	key_pair(&run->snapshot.job.labels, rest, out);
}

static const struct key_kind keys_known[] = {
    {"name", "another job", key_name},
    {"command", "another command", key_command},
    {"directory", "another directory", key_directory},
    {"host", "another host", key_host},
    {"user", "another user", key_user},
    {"instance", "another type of server", key_instance},
    {"tag:", "another tag", key_tag},
    {"label:", "another label", key_label},
};
#define KEYS (sizeof keys_known / sizeof *keys_known)

/* *rest is set to the part after the colon. NULL if w is not a key. */
static const struct key_kind *find_key(struct key_word w, struct key_word *rest)
{
	for (size_t i = 0; i < KEYS; i++) {
		const struct key_kind *k = &keys_known[i];
		size_t n = strlen(k->name);
		bool open = k->name[n - 1] == ':';
		if ((open ? w.n <= n : w.n != n) || memcmp(w.s, k->name, n) != 0)
			continue;
		*rest = (struct key_word){w.s + n, w.n - n};
		return k;
	}
	return NULL;
}

/* The next key; *list and *at keep the position. */
static bool next_key(const struct opts_list *keys, size_t *list, const char **at,
                     struct key_word *out)
{
	static const struct opts_list usual = {.v = {JOB_KEY_DEFAULT}, .n = 1};

	if (!keys || !keys->n)
		keys = &usual;
	if (!*at && *list < keys->n)
		*at = keys->v[(*list)++];
	if (!*at)
		return false;
	*out = (struct key_word){*at, strcspn(*at, ",")};
	*at = (*at)[out->n] ? *at + out->n + 1 : NULL;
	return true;
}

int job_key_check(const struct opts_list *keys, struct err *e)
{
	const char *at = NULL;
	size_t list = 0;
	struct key_word w, rest;

	while (next_key(keys, &list, &at, &w))
		if (!find_key(w, &rest))
			return err_set(e,
			               "--group-by: \"%.*s\" is not a key; keys are name, command, "
			               "directory, host, user, instance, tag:KEY and label:KEY",
			               (int)w.n, w.s);
	return 0;
}

const char *job_key_differs(const struct opts_list *keys, const struct run *a, const struct run *b)
{
	const char *at = NULL, *why = "";
	size_t list = 0;
	struct key_word w, rest;

	while (!*why && next_key(keys, &list, &at, &w)) {
		const struct key_kind *k = find_key(w, &rest);
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
	struct key_word w, rest;

	while (next_key(keys, &list, &at, &w)) {
		const struct key_kind *k = find_key(w, &rest);
		struct buf value = {0};
		if (!k)
			continue;
		k->value(run, rest, &value);
		for (char *c = value.s; c && *c; c++)
			*c = *c == '\x1f' ? ' ' : *c;
		buf_printf(out, "%s%.*s %s", out->len ? ", " : "", (int)w.n, w.s,
		           value.len ? buf_cstr(&value) : "(unknown)");
		buf_free(&value);
	}
}
