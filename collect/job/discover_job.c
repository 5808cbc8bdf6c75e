/* discover_job: finds who runs the job and on what code. */
#include "collect/job/discover_job.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect/job/git.h"
#include "collect/job/schedulers.h"
#include "collect/redact/redact.h"

#define NAMESPACE "var/run/secrets/kubernetes.io/serviceaccount/namespace"

static const char *job_label(const struct snapshot *s, const char *label)
{
	for (size_t i = 0; i < s->job.labels.n; i++)
		if (strcmp(s->job.labels.v[i].key, label) == 0)
			return s->job.labels.v[i].value;
	return NULL;
}

/* Adds a label with a redacted value, unless the value is empty or the label exists. */
static void add_job_label(struct snapshot *s, const char *label, const char *value)
{
	struct buf b = {0};

	if (!*value || s->job.labels.n == SNAPSHOT_LIST_MAX || job_label(s, label))
		return;
	redact_value(label, value, &b);
	snapshot_pairs_add(s, &s->job.labels, snapshot_strdup(s, label),
	                   snapshot_strdup(s, b.failed ? "***" : buf_cstr(&b)));
	buf_free(&b);
}

/* -- labels from files ------------------------------------------------------------------------- */

/* Opens only the file `namespace` of the service account, never its token. */
static void add_namespace(const struct root *r, struct snapshot *s)
{
	char text[DISCOVER_JOB_MAX];

	if (root_read(r, NAMESPACE, text, sizeof text) <= 0)
		return;
	text[strcspn(text, " \t\r\n")] = '\0';
	add_job_label(s, "kubernetes.namespace", text);
}

/* The line is "### name: 'TASK'", or "# NEXTFLOW TASK: TASK" from older versions. */
bool discover_job_task(const char *text, size_t n, char out[DISCOVER_JOB_MAX])
{
	static const char now[] = "### name: '", before[] = "# NEXTFLOW TASK: ";
	size_t at = 0, length = 0;

	out[0] = '\0';
	while (at < n && !length) {
		const char *line = text + at, *end = memchr(line, '\n', n - at);
		size_t size = end ? (size_t)(end - line) : n - at, skip = 0;
		if (size > sizeof now && memcmp(line, now, sizeof now - 1) == 0 &&
		    line[size - 1] == '\'')
			skip = sizeof now - 1, length = size - skip - 1;
		else if (size > sizeof before - 1 && memcmp(line, before, sizeof before - 1) == 0)
			skip = sizeof before - 1, length = size - skip;
		if (length >= DISCOVER_JOB_MAX)
			length = DISCOVER_JOB_MAX - 1;
		memcpy(out, line + skip, length);
		out[length] = '\0';
		at += size + 1;
	}
	return length > 0;
}

static void add_task(const struct job_env *env, struct snapshot *s)
{
	const char *dir = job_env_get(env, "NXF_TASK_WORKDIR");
	char path[4096], text[4096], task[DISCOVER_JOB_MAX];
	struct stat st;
	ssize_t n = -1;
	int fd;

	if (!dir || snprintf(path, sizeof path, "%s/.command.run", dir) >= (int)sizeof path)
		return;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = pread(fd, text, sizeof text, 0);
	close(fd);
	if (n > 0 && discover_job_task(text, (size_t)n, task))
		add_job_label(s, "nextflow.task", task);
}

static void add_git(struct snapshot *s)
{
	struct git git;

	if (!s->job.cwd || !*s->job.cwd || git_read(s->job.cwd, &git))
		return;
	add_job_label(s, "git.commit", git.commit);
	add_job_label(s, "git.branch", git.branch);
}

void discover_job_commit_time(struct snapshot *s)
{
	const char *commit = job_label(s, "git.commit");
	char text[sizeof "2026-11-01T12:00:00Z"];
	time_t at;
	struct tm tm;
	double t = commit ? git_commit_time(s->job.cwd, commit) : (double)NAN;

	if (isnan(t))
		return;
	at = (time_t)t;
	if (gmtime_r(&at, &tm) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm))
		add_job_label(s, "git.commit_time", text);
}

/* -- labels from the environment --------------------------------------------------------------- */

struct label_value {
	char *out;
	size_t n;
	bool url;
};

static void append_value(struct label_value *t, const char *s, size_t n)
{
	for (size_t i = 0; i < n && (unsigned char)s[i] >= ' ' && s[i] != 0x7f; i++) {
		const char *as = t->url && s[i] == ' ' ? "%20" : NULL;
		size_t length = as ? 3 : 1;
		if (t->n + length >= DISCOVER_JOB_MAX)
			return;
		memcpy(t->out + t->n, as ? as : s + i, length);
		t->n += length;
	}
}

/* Appends the variable whose name begins at *at, and moves *at after its brace. Returns false if it
 * is empty, or "undefined", as SGE says it. */
static bool append_variable(struct label_value *t, const char **at, const struct job_env *env)
{
	size_t n = strcspn(*at, "}");
	char name[64];
	const char *value;

	if (n >= sizeof name || !(*at)[n])
		return false;
	memcpy(name, *at, n);
	name[n] = '\0';
	*at += n + 1;
	value = job_env_get(env, name);
	if (!value || !*value || strcmp(value, "undefined") == 0)
		return false;
	append_value(t, value, strlen(value));
	return true;
}

bool discover_job_expand(const char *from, const struct job_env *env, bool url,
                         char out[DISCOVER_JOB_MAX])
{
	struct label_value t = {.out = out, .url = url};
	bool whole = true;

	while (*from && whole) {
		size_t n = strcspn(from, "{");
		append_value(&t, from, n);
		from += n;
		if (*from == '{') {
			from++;
			whole = append_variable(&t, &from, env);
		}
	}
	out[t.n] = '\0';
	if (url && strncmp(out, "https://", 8) != 0 && strncmp(out, "http://", 7) != 0)
		whole = false;
	if (!whole)
		out[0] = '\0';
	return *out != '\0';
}

static void add_labels(const struct scheduler *p, const struct job_env *env, struct snapshot *s)
{
	static const char *const kinds[] = {[SCHEDULERS_CI] = "ci.provider",
	                                    [SCHEDULERS_SCHEDULER] = "scheduler",
	                                    [SCHEDULERS_WORKFLOW] = "workflow"};
	char value[DISCOVER_JOB_MAX];

	add_job_label(s, kinds[p->kind], p->name);
	for (size_t i = 0; i < SCHEDULERS_LABELS && p->labels[i].label; i++) {
		const struct schedulers_label *row = &p->labels[i];
		bool url = strcmp(row->label, "ci.run_url") == 0;
		if (discover_job_expand(row->from, env, url, value))
			add_job_label(s, row->label, value);
	}
}

/* Last: the catalog has it in a column of its own, and labels that stand before it are not cut. */
static void add_workflow_run(const struct job_env *env, struct snapshot *s)
{
	char value[DISCOVER_JOB_MAX];

	if (discover_job_expand("{RTRACK_WORKFLOW_RUN}", env, false, value))
		add_job_label(s, "workflow.run", value);
}

void discover_job_env(const struct root *r, const struct job_env *env, struct snapshot *s)
{
	for (size_t i = 0; i < schedulers_n; i++) {
		const struct scheduler *p = &schedulers[i];
		if (p->kind == SCHEDULERS_LAUNCHER || !schedulers_runs(p, env))
			continue;
		add_labels(p, env, s);
		if (strcmp(p->name, "kubernetes") == 0)
			add_namespace(r, s);
		else if (strcmp(p->name, "nextflow") == 0 && !r->replayed)
			add_task(env, s);
	}
	add_workflow_run(env, s);
}

void discover_job(const struct root *r, const struct job_env *env, struct snapshot *s)
{
	discover_job_env(r, env, s);
	add_git(s);
}
