/* job_env: the environment that describes the job. */
#include "collect/job/job_env.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"

bool job_env_read(struct job_env *env, const struct root *r, int pid, char *text)
{
	int fd = proc_pid_open(r, pid, "environ");
	long n;

	*env = (struct job_env){.text = text};
	if (fd < 0)
		return false;
	n = root_read_fd(fd, text, JOB_ENV_MAX);
	if (n < 0 && errno == EFBIG)
		n = JOB_ENV_MAX - 1;
	env->n = n > 0 ? (size_t)n : 0;
	close(fd);
	return true;
}

const char *job_env_get(const struct job_env *env, const char *name)
{
	size_t n = strlen(name), at = 0;

	if (!env->text)
		return getenv(name);
	while (at < env->n) {
		const char *p = env->text + at, *end = memchr(p, '\0', env->n - at);
		if (!end)
			return NULL; /* cut off at the end */
		if ((size_t)(end - p) > n && p[n] == '=' && memcmp(p, name, n) == 0)
			return p + n + 1;
		at += (size_t)(end - p) + 1;
	}
	return NULL;
}

bool job_env_has(const struct job_env *env, const char *name)
{
	const char *value = name ? job_env_get(env, name) : NULL;

	return value && *value;
}
