/*
 * discover_cloud: finds the cloud vendor, instance type and region while the command runs.
 *
 * The firmware names the vendor without a network request. Then only this vendor's metadata
 * service is asked, for at most a second; if the firmware says nothing, all eight at once; if it
 * names other hardware, none. A process in the background asks, so that neither a slow service nor
 * a hostile answer touches the recording.
 */
#ifndef COLLECT_CLOUD_DISCOVER_CLOUD_H
#define COLLECT_CLOUD_DISCOVER_CLOUD_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "collect/cloud/cloud_vendor.h"
#include "collect/command/background.h"
#include "collect/procfs/root.h"
#include "core/base/err.h"
#include "core/recording/snapshot.h"

#define DISCOVER_CLOUD_LIMIT_MS 1000 /* for all requests together */

/* The firmware's answer: which vendor this is. */
enum discover_cloud_says {
	DISCOVER_CLOUD_NOTHING,   /* not readable, or the name of a common hypervisor */
	DISCOVER_CLOUD_ELSEWHERE, /* other hardware: none of the eight vendors */
	DISCOVER_CLOUD_MAYBE,     /* .dmi, if its metadata service confirms it */
	DISCOVER_CLOUD_VENDOR,    /* .dmi */
};

/* Valid when zero: discovery is off, and discover_cloud_finish does nothing. */
struct discover_cloud {
	bool opened, replayed;
	bool redirected; /* tests: all requests go to base */
	struct sockaddr_in base;
	enum discover_cloud_says says;
	enum cloud_id dmi;          /* the vendor according to the firmware */
	char type[CLOUD_VALUE_MAX]; /* the instance type according to the firmware */
	bool asked, answered;
	struct background process; /* does not belong to the job */
	int64_t begin_ns, end_ns;
	struct cloud_found found;
};

/* Call before the command starts. base: in tests "http://127.0.0.1:PORT", where all requests go,
 * each with its vendor's Host header; otherwise NULL or "". 0, or -1 with a sentence if base is
 * not a loopback address (127.0.0.0/8 or localhost). */
int discover_cloud_open(struct discover_cloud *d, const char *base, struct err *e);

/* Call once the command runs: reads the firmware's strings, and starts the process if there is a
 * service to ask. Under --root only the strings are read, unless there is a base. A failure only
 * leaves values unknown. Takes well under a millisecond. */
void discover_cloud_start(struct discover_cloud *d, const struct root *r);

/* Once .process has an answer: reads it and reaps the process. Optional: without it the process
 * stays a zombie until the end. */
void discover_cloud_collect(struct discover_cloud *d);

/* Call at the end: waits for a missing answer until a time of CLOCK_MONOTONIC, ends the process,
 * and fills s->cloud. If the service did not answer, adds a note. */
void discover_cloud_finish(struct discover_cloud *d, int64_t deadline_ns, struct snapshot *s);

/* Ends without waiting and without a snapshot, if the command did not run. */
void discover_cloud_close(struct discover_cloud *d);

#endif
