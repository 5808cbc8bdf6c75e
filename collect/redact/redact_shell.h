/*
 * redact_shell: finds secrets in a command line's argument, in a shell script, and in what is
 * quoted in it.
 */
#ifndef COLLECT_REDACT_REDACT_SHELL_H
#define COLLECT_REDACT_REDACT_SHELL_H

#include "collect/redact/redact_command.h"

/* Hides the secrets in the text, which is the next argument of a command, or any text if command is
 * NULL. Takes linear time: quotes in quotes are followed to a depth of four. */
void redact_shell(struct redact_command *command, struct redact_text *t);

#endif
