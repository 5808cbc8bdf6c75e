/*
 * exit_status: exit statuses of rtrack-collect that are not the command's own, as env(1), nohup(1)
 * and timeout(1) use them, and the words for a command that cannot be executed.
 */
#ifndef COLLECT_COMMAND_EXIT_STATUS_H
#define COLLECT_COMMAND_EXIT_STATUS_H

#define EXIT_STATUS_NOT_STARTED  125 /* rtrack-collect failed before it started the command */
#define EXIT_STATUS_NOT_RUNNABLE 126 /* the command was found, but cannot be executed */
#define EXIT_STATUS_NOT_FOUND    127

/* The status for the errno of command_exec(). */
int exit_status_of(int errnum);

/* The reason for a sentence: "command not found" for a name that PATH was searched for, else
 * strerror(errnum). */
const char *exit_status_reason(const char *name, int errnum);

#endif
