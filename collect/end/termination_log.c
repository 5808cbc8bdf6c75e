/* termination_log: in a pod of Kubernetes, the sentence on why the job ended. */
#include "collect/end/termination_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void termination_log_write(const char *sentence)
{
	const char *host = getenv("KUBERNETES_SERVICE_HOST");
	char line[2048]; /* Kubernetes takes 4096 bytes */
	struct stat st;
	int fd, n;

	if (!host || !*host || !*sentence)
		return;
	fd = open(TERMINATION_LOG, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return;
	n = snprintf(line, sizeof line, "%s\n", sentence);
	if (n > 0 && n < (int)sizeof line && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size == 0 && write(fd, line, (size_t)n) < 0)
		n = 0; /* nowhere to report this */
	close(fd);
}
