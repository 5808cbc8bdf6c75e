/* discover_job: finds who runs the job and on what code. */
#include "collect/job/discover_job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/job/git.h"
#include "collect/redact/redact.h"
#include "core/base/alloc_failed.h"

#define ENVIRON_MAX ((size_t)512 << 10)
#define NAMESPACE   "var/run/secrets/kubernetes.io/serviceaccount/namespace"

static bool has_label(const struct snapshot *s, const char *label)
{
	for (size_t i = 0; i < s->job.labels.n; i++)
		if (strcmp(s->job.labels.v[i].key, label) == 0)
			return true;
	return false;
}

void discover_job_label(struct snapshot *s, const char *label, const char *value)
{
	struct buf b = {0};

	if (!*value || s->job.labels.n == SNAPSHOT_LIST_MAX || has_label(s, label))
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
	char text[JOB_LABEL_MAX];

	if (root_read(r, NAMESPACE, text, sizeof text) <= 0)
		return;
	text[strcspn(text, " \t\r\n")] = '\0';
	discover_job_label(s, "kubernetes.namespace", text);
}

/* The line is "### name: 'TASK'", or "# NEXTFLOW TASK: TASK" from older versions. */
bool discover_job_task(const char *text, size_t n, char out[JOB_LABEL_MAX])
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
		if (length >= JOB_LABEL_MAX)
			length = JOB_LABEL_MAX - 1;
		memcpy(out, line + skip, length);
		out[length] = '\0';
		at += size + 1;
	}
	return length > 0;
}

static void add_task(const struct job_env *env, struct snapshot *s)
{
	const char *dir = job_env_get(env, "NXF_TASK_WORKDIR");
	char path[4096], text[4096], task[JOB_LABEL_MAX];
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
		discover_job_label(s, "nextflow.task", task);
}

static void add_git(struct snapshot *s)
{
	struct git git;

	if (!s->job.cwd || !*s->job.cwd || git_read(s->job.cwd, &git))
		return;
	discover_job_label(s, "git.commit", git.commit);
	discover_job_label(s, "git.branch", git.branch);
}

/* -- labels from the environment --------------------------------------------------------------- */

static void add_provider(const struct job_provider *p, const struct job_env *env,
                         struct snapshot *s)
{
	char value[JOB_LABEL_MAX];

	discover_job_label(s, p->kind, p->name);
	for (size_t i = 0; i < JOB_LABEL_ROWS && p->labels[i].label; i++) {
		const struct job_label *row = &p->labels[i];
		if (job_label_expand(row->from, env, strcmp(row->label, "ci.run_url") == 0, value))
			discover_job_label(s, row->label, value);
	}
}

void discover_job_env(const struct root *r, const struct job_env *env, struct snapshot *s)
{
	for (size_t i = 0; i < job_providers_n; i++) {
		const struct job_provider *p = &job_providers[i];
		if (!job_provider_there(p, env))
			continue;
		add_provider(p, env, s);
		if (strcmp(p->name, "kubernetes") == 0)
			add_namespace(r, s);
		else if (strcmp(p->name, "nextflow") == 0 && !r->replayed)
			add_task(env, s);
	}
}

char *discover_job_environ(const struct root *r, int pid, size_t *n)
{
	char path[64], *text = alloc_failed_note(malloc(ENVIRON_MAX));
	int fd;
	long got;

	*n = 0;
	snprintf(path, sizeof path, "proc/%d/environ", pid);
	fd = text ? root_openat(r, path) : -1;
	if (fd < 0) {
		free(text);
		return NULL;
	}
	got = root_read_fd(fd, text, ENVIRON_MAX);
	/* Of an environment that is too large, use the part that fits. */
	*n = got >= 0 ? (size_t)got : errno == EFBIG ? ENVIRON_MAX - 1 : 0;
	close(fd);
	return text;
}

void discover_job(const struct root *r, const struct job_env *env, struct snapshot *s)
{
	discover_job_env(r, env, s);
	add_git(s);
}
