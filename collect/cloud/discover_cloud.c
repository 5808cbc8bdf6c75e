/* discover_cloud: finds the cloud vendor, instance type and region while the command runs. */
#include "collect/cloud/discover_cloud.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/cloud/cloud_ask.h"
#include "collect/machine/clocks.h"
#include "collect/procfs/scan.h"

#define ALL          ((1U << CLOUD_COUNT) - 1)
#define PIPE_FD      3
#define FDS_MAX      65536
#define DEAD_AFTER_S 3

/* -- where to ask ------------------------------------------------------------------------------ */

static bool parse_base(const char *base, struct sockaddr_in *out)
{
	struct scan s = scan_text(base, strlen(base));
	char host[16];
	int port = 80;
	size_t n;

	if (!scan_literal(&s, "http://"))
		return false;
	n = strcspn(s.p, ":/");
	if (n >= sizeof host)
		return false;
	memcpy(host, s.p, n);
	host[n] = '\0';
	s.p += n;
	if (scan_literal(&s, ":") && (!scan_int(&s, &port) || port < 1 || port > 65535))
		return false;
	(void)scan_literal(&s, "/");
	*out = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	if (strcmp(host, "localhost") == 0)
		out->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else if (inet_pton(AF_INET, host, &out->sin_addr) != 1)
		return false;
	return s.p == s.end && ntohl(out->sin_addr.s_addr) >> 24 == 127;
}

int discover_cloud_open(struct discover_cloud *d, const char *base, struct err *e)
{
	*d = (struct discover_cloud){.opened = true};
	if (!base || !*base)
		return 0;
	if (!parse_base(base, &d->base))
		return err_set(e, "RTRACK_METADATA_BASE: \"%s\" is not http://127.0.0.1:PORT",
		               base);
	d->redirected = true;
	return 0;
}

static unsigned services_to_ask(const struct discover_cloud *d)
{
	if (d->replayed && !d->redirected)
		return 0;
	switch (d->says) {
	case CLOUD_DMI_NOTHING:
		return ALL;
	case CLOUD_DMI_MAYBE:
	case CLOUD_DMI_VENDOR:
		return 1U << d->dmi;
	default:
		return 0;
	}
}

/* -- the process ------------------------------------------------------------------------------- */

/* Closes all file descriptors but the pipe, which becomes PIPE_FD. The standard files become
 * /dev/null: an open end of the command's pipes would keep their readers waiting. */
static void close_all_but_pipe(int pipe_fd)
{
	long max = sysconf(_SC_OPEN_MAX);
	int null;

	if (pipe_fd != PIPE_FD)
		(void)dup2(pipe_fd, PIPE_FD);
	if (max < 0 || max > FDS_MAX)
		max = FDS_MAX;
	if (close_range(PIPE_FD + 1, ~0U, 0))
		for (int fd = PIPE_FD + 1; fd < (int)max; fd++)
			close(fd);
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < PIPE_FD; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
	if (null > PIPE_FD)
		close(null);
}

static void default_signals(void)
{
	const struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &plain, NULL);
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void run_process(const struct discover_cloud *d, int pipe_fd, pid_t parent)
{
	const struct rlimit none = {0};
	struct cloud_found found;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(0);
	(void)prctl(PR_SET_NAME, "rtrack-cloud", 0, 0, 0);
	(void)setsid();
	(void)setrlimit(RLIMIT_CORE, &none);
	close_all_but_pipe(pipe_fd);
	default_signals();
	(void)alarm(DEAD_AFTER_S);
	(void)cloud_ask(services_to_ask(d), d->redirected ? &d->base : NULL,
	                DISCOVER_CLOUD_LIMIT_MS, &found);
	if (write(PIPE_FD, &found, sizeof found) < 0)
		_exit(1);
	_exit(0);
}

static void start_process(struct discover_cloud *d)
{
	pid_t parent = getpid();
	int ends[2];
	long pid;

	if (pipe2(ends, O_CLOEXEC))
		return;
	/* fork(2) with exit signal 0. The order of the arguments depends on the architecture,
	 * but all are 0. */
	pid = syscall(SYS_clone, 0UL, 0UL, 0UL, 0UL, 0UL);
	if (pid == 0)
		run_process(d, ends[1], parent);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return;
	}
	d->pid = (int)pid;
	d->fd = ends[0];
}

void discover_cloud_start(struct discover_cloud *d, const struct root *r)
{
	struct cloud_dmi dmi;

	if (!d->opened || d->begin_ns)
		return;
	d->begin_ns = clocks_now(CLOCK_MONOTONIC);
	d->replayed = r->replayed;
	cloud_dmi_read(r, &dmi);
	d->says = cloud_dmi_judge(&dmi, &d->dmi, d->type);
	d->end_ns = clocks_now(CLOCK_MONOTONIC);
	if (!services_to_ask(d))
		return;
	d->asked = true;
	start_process(d);
}

int discover_cloud_pid(const struct discover_cloud *d)
{
	return d->pid;
}

int discover_cloud_fd(const struct discover_cloud *d)
{
	return d->pid > 0 ? d->fd : -1;
}

/* The process parsed answers from the network: do not trust what it wrote. */
static bool validate_found(struct cloud_found *f)
{
	char vendor[CLOUD_VALUE_MAX], type[CLOUD_VALUE_MAX] = "", region[CLOUD_VALUE_MAX] = "";

	if (!cloud_value(f->vendor, strnlen(f->vendor, sizeof f->vendor), vendor) ||
	    strlen(vendor) >= sizeof f->vendor)
		return false;
	(void)cloud_value(f->instance_type, strnlen(f->instance_type, sizeof f->instance_type),
	                  type);
	(void)cloud_value(f->region, strnlen(f->region, sizeof f->region), region);
	memcpy(f->vendor, vendor, strlen(vendor) + 1);
	memcpy(f->instance_type, type, sizeof type);
	memcpy(f->region, region, sizeof region);
	return true;
}

static void kill_and_reap(struct discover_cloud *d)
{
	kill(d->pid, SIGKILL);
	while (waitpid(d->pid, NULL, (int)__WCLONE) < 0 && errno == EINTR)
		;
	close(d->fd);
	d->pid = 0;
	d->fd = -1;
	d->end_ns = clocks_now(CLOCK_MONOTONIC);
}

void discover_cloud_collect(struct discover_cloud *d)
{
	struct cloud_found found;
	ssize_t n;

	if (d->pid <= 0)
		return;
	do
		n = read(d->fd, &found, sizeof found);
	while (n < 0 && errno == EINTR);
	if (n == sizeof found && validate_found(&found)) {
		d->found = found;
		d->answered = true;
	}
	kill_and_reap(d);
}

/* -- the snapshot ------------------------------------------------------------------------------ */

void discover_cloud_close(struct discover_cloud *d)
{
	if (d->pid > 0)
		kill_and_reap(d);
	*d = (struct discover_cloud){.fd = -1};
}

static void wait_for_answer(struct discover_cloud *d)
{
	struct pollfd fd = {.fd = d->fd, .events = POLLIN};
	int64_t deadline = clocks_now(CLOCK_MONOTONIC) + (int64_t)DISCOVER_CLOUD_WAIT_MS * 1000000,
		left;
	int got;

	do {
		left = deadline - clocks_now(CLOCK_MONOTONIC);
		got = poll(&fd, 1, left > 0 ? (int)(left / 1000000) : 0);
	} while (got < 0 && errno == EINTR && left > 0);
	if (got > 0)
		discover_cloud_collect(d);
	else
		kill_and_reap(d);
}

static const char *known_or_unknown(struct snapshot *s, const char *told, const char *firmware)
{
	const char *text = *told ? told : firmware;

	return *text ? snapshot_strdup(s, text) : "unknown";
}

void discover_cloud_finish(struct discover_cloud *d, struct snapshot *s)
{
	const char *firmware;

	if (d->pid > 0)
		wait_for_answer(d);
	if (!d->begin_ns)
		return;
	firmware = d->says == CLOUD_DMI_VENDOR ? cloud_vendors[d->dmi].name : "";
	s->cloud.vendor = known_or_unknown(s, d->found.vendor, firmware);
	s->cloud.instance_type = known_or_unknown(s, d->found.instance_type, d->type);
	s->cloud.region = known_or_unknown(s, d->found.region, "");
	s->cloud.discovery_time = (double)(d->end_ns - d->begin_ns) / 1e9;
	s->cloud.known = d->answered || *firmware;
	if (d->asked && !d->answered && *firmware)
		snapshot_note(
		    s,
		    "This is a machine of %s, but its metadata service did not report the "
		    "instance type and region.",
		    firmware);
	discover_cloud_close(d);
}
