/*
 * termination_log: in a pod of Kubernetes, the sentence on why the job ended, where kubectl
 * describe shows it (the container's terminationMessagePath, by default /dev/termination-log).
 */
#ifndef COLLECT_END_TERMINATION_LOG_H
#define COLLECT_END_TERMINATION_LOG_H

#define TERMINATION_LOG "/dev/termination-log"

/* Writes the sentence and a newline, unless it is empty, or KUBERNETES_SERVICE_HOST is not set, or
 * the file is not there, may not be written, or has something in it: the job's own message stays.
 * Never fails, and never waits. */
void termination_log_write(const char *sentence);

/* The same into a given file, wherever we run. */
void termination_log_put(const char *path, const char *sentence);

#endif
