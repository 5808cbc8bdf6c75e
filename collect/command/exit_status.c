/* exit_status: exit statuses that are not the command's own. */
#include "collect/command/exit_status.h"

#include <errno.h>
#include <string.h>

int exit_status_of(int errnum)
{
	return errnum == ENOENT ? EXIT_STATUS_NOT_FOUND : EXIT_STATUS_NOT_RUNNABLE;
}

const char *exit_status_reason(const char *name, int errnum)
{
	return errnum == ENOENT && !strchr(name, '/') ? "command not found" : strerror(errnum);
}
