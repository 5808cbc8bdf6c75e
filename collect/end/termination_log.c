/* termination_log: in a pod of Kubernetes, the sentence on why the job ended. */
#include "collect/end/termination_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void termination_log_put(const char *path, const char *sentence)
{
	char line[4096]; /* Kubernetes takes no more */
	struct stat st;
	int fd, n;

	if (!*sentence)
		return;
	fd = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = snprintf(line, sizeof line, "%s\n", sentence);
	if (n >= (int)sizeof line) {
		n = (int)sizeof line - 1;
		line[n - 1] = '\n';
	}
	if (n > 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0 &&
	    write(fd, line, (size_t)n) < 0)
		n = 0; /* nowhere to report this */
	close(fd);
}

void termination_log_write(const char *sentence)
{
	const char *host = getenv("KUBERNETES_SERVICE_HOST");

	if (host && *host)
		termination_log_put(TERMINATION_LOG, sentence);
}
