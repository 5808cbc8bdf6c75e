/*
 * discover_cloud: whose machine this is, its instance type and region, found out beside the
 * recording.
 *
 * The firmware names the vendor without a network. Only that vendor's metadata service is asked
 * then, for at most a second; all eight, at once, where the firmware says nothing; none where it
 * names other hardware. A process of our own does it, so that neither a slow service nor a hostile
 * answer touches the recording: it has no descriptor but a pipe and its sockets, a session of its
 * own, no signals of ours, and dies with us. It is made with no exit signal: a wait(2) for the
 * command and its orphans neither reaps it nor waits for it, and no SIGCHLD comes of it.
 */
#ifndef COLLECT_CLOUD_DISCOVER_CLOUD_H
#define COLLECT_CLOUD_DISCOVER_CLOUD_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "collect/cloud/cloud_dmi.h"
#include "collect/procfs/root.h"
#include "core/err.h"
#include "core/snapshot.h"

#define DISCOVER_CLOUD_LIMIT_MS 1000 /* for all requests together */
#define DISCOVER_CLOUD_WAIT_MS  40   /* at the end, for an answer that has not come yet */

/* Valid when zero: nothing was asked for, and discover_cloud_finish does nothing. */
struct discover_cloud {
	bool opened, replayed;
	bool redirected; /* tests: all requests go to base */
	struct sockaddr_in base;
	enum cloud_dmi_says says;
	enum cloud_id dmi;          /* whom the firmware names */
	char type[CLOUD_VALUE_MAX]; /* the firmware's word */
	bool asked, answered;
	int pid, fd; /* while the process is there; pid 0: it is not */
	int64_t begin_ns, end_ns;
	struct cloud_found found;
};

/* Before the command starts. base: "http://127.0.0.1:PORT" in tests, which all requests are sent
 * to, each with the Host of its vendor; NULL or "" else. 0, or -1 with a sentence where base is not
 * of this machine (127.0.0.0/8 or localhost). */
int discover_cloud_open(struct discover_cloud *d, const char *base, struct err *e);

/* Once the command runs: reads the firmware's strings, and starts the process where someone is to
 * be asked. Of a captured machine only the strings are read, unless there is a base. What fails
 * lowers the detail. Takes well under a millisecond. */
void discover_cloud_start(struct discover_cloud *d, const struct root *r);

/* The process, which is none of the tree's, or 0. */
int discover_cloud_pid(const struct discover_cloud *d);

/* A descriptor to poll for POLLIN, or -1; when it is ready, discover_cloud_collect takes the answer
 * and reaps the process. Polling it is not needed; without, the process stays a zombie until the
 * end. */
int discover_cloud_fd(const struct discover_cloud *d);
void discover_cloud_collect(struct discover_cloud *d);

/* At the end: waits DISCOVER_CLOUD_WAIT_MS at most, ends and reaps the process, and fills s->cloud;
 * a service that did not answer is noted. */
void discover_cloud_finish(struct discover_cloud *d, struct snapshot *s);

/* The same without a snapshot and without waiting, where the command did not run. */
void discover_cloud_close(struct discover_cloud *d);

#endif
