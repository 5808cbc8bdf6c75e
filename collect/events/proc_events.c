/* proc_events: forks, execs and ends of processes, from the kernel. */
#include "collect/events/proc_events.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* <linux/cn_proc.h> of distributions is older than the filter (Linux 6.6), and its enum would clash
 * with the header of a newer one. These numbers are the kernel's ABI. */
#define LISTEN    1u
#define IGNORE    2u
#define WHAT_ACK  0u
#define WHAT_FORK 1u
#define WHAT_EXEC 2u
#define WHAT_EXIT 0x80000000u

/* Offsets in a message: a netlink header, a connector header, and the event. */
#define CONNECTOR ((size_t)NLMSG_HDRLEN)
#define ACK       (CONNECTOR + 12)
#define EVENT     (CONNECTOR + sizeof(struct cn_msg))
#define WHAT      EVENT
#define AT        (EVENT + 8)
#define DATA      (EVENT + 16)
#define TID       DATA
#define PID       (DATA + 4)
#define CODE      (DATA + 8)
#define PARENT    (DATA + 20)
#define END       (DATA + 24)
#define OF_PARENT (DATA + 4) /* of a fork, whose first two numbers are the parent's */
#define CHILD_TID (DATA + 8)
#define CHILD     (DATA + 12)

#define RECEIVE_B     ((int)256 << 10) /* of the socket: about 500 events */
#define MESSAGE_MAX   PROC_EVENTS_MESSAGE
#define PROOF_MS      200 /* for the event of our own child, on a machine that is busy */
#define AT_ONCE       4096
#define TRIAL_STACK_B 16384

/* Whose events, in place of a parent. */
#define OF_ALL    0
#define OF_DEATHS (-1)
#define OF_ENDS   (-2)

static uint32_t message_word(const void *message, size_t at)
{
	uint32_t v;

	memcpy(&v, (const char *)message + at, sizeof v);
	return v;
}

struct proc_event proc_events_parse(const void *message, size_t n)
{
	struct proc_event e = {.kind = PROC_EVENT_OTHER};
	struct cb_id id;

	if (n < END)
		return e;
	memcpy(&id, (const char *)message + CONNECTOR, sizeof id);
	if (id.idx != CN_IDX_PROC || id.val != CN_VAL_PROC)
		return e;
	memcpy(&e.at, (const char *)message + AT, sizeof e.at);
	if (message_word(message, WHAT) == WHAT_ACK) {
		e.kind = PROC_EVENT_ACK;
		e.request = message_word(message, ACK) - 1;
		e.err = message_word(message, DATA);
	} else if (message_word(message, WHAT) == WHAT_FORK) {
		e.kind = PROC_EVENT_FORK;
		e.tid = (int)message_word(message, CHILD_TID);
		e.pid = (int)message_word(message, CHILD);
		e.parent = (int)message_word(message, OF_PARENT);
	} else if (message_word(message, WHAT) == WHAT_EXEC) {
		e.kind = PROC_EVENT_EXEC;
		e.tid = (int)message_word(message, TID);
		e.pid = (int)message_word(message, PID);
	} else if (message_word(message, WHAT) == WHAT_EXIT) {
		e.kind = PROC_EVENT_END;
		e.tid = (int)message_word(message, TID);
		e.pid = (int)message_word(message, PID);
		e.parent = (int)message_word(message, PARENT);
		e.status = (int)(message_word(message, CODE) & 0xff7f);
	}
	return e;
}

bool proc_events_too_many(struct proc_events_rate *r, uint64_t at)
{
	uint64_t window = at / UINT64_C(1000000000);

	/* Events of several CPUs may come in another order: a late one is of this second. */
	if (window > r->window) {
		r->full = r->n > PROC_EVENTS_RATE && window == r->window + 1 ? r->full + 1 : 0;
		r->window = window;
		r->n = 0;
	}
	r->n++;
	return r->full >= PROC_EVENTS_SECONDS;
}

/* -- subscribing ------------------------------------------------------------------------------- */

/* A filter loads words in network order. It passes acknowledgements, and of the ends those of
 * processes (threads only with a status other than 0) whose parent is one of two, or unknown
 * because it has already reaped them. */
static int filter_children(int fd, int parent)
{
	const uint32_t one = htonl((uint32_t)parent), other = htonl((uint32_t)getpid());
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, WHAT),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, WHAT_ACK, 12, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(WHAT_EXIT), 0, 10),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, TID),
	    BPF_STMT(BPF_MISC | BPF_TAX, 0),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, PID),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 2, 0),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, CODE),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, 0),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, PARENT),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, one, 2, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other, 1, 0),
	    BPF_STMT(BPF_RET | BPF_K, 0),
	    BPF_STMT(BPF_RET | BPF_K, MESSAGE_MAX),
	};
	const struct sock_fprog program = {sizeof code / sizeof *code, code};

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/* Passes acknowledgements and execs, and the forks and ends of first threads, with which a process
 * begins and, but rarely, ends. */
static int filter_threads(int fd)
{
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, WHAT),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, WHAT_ACK, 12, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(WHAT_EXEC), 11, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(WHAT_EXIT), 5, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(WHAT_FORK), 0, 8),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, CHILD_TID),
	    BPF_STMT(BPF_MISC | BPF_TAX, 0),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, CHILD),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 5, 4),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, TID),
	    BPF_STMT(BPF_MISC | BPF_TAX, 0),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, PID),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 1, 0),
	    BPF_STMT(BPF_RET | BPF_K, 0),
	    BPF_STMT(BPF_RET | BPF_K, MESSAGE_MAX),
	};
	const struct sock_fprog program = {sizeof code / sizeof *code, code};

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/* Passes acknowledgements, and the ends of first threads: all, or those of our own children and
 * those that a signal ended. */
static int filter_ends(int fd, bool all)
{
	enum { FIRST_THREAD = 7 }; /* where it is one */
	const uint32_t own = htonl((uint32_t)getpid());
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, WHAT),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, WHAT_ACK, 10, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(WHAT_EXIT), 0, 8),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, TID),
	    BPF_STMT(BPF_MISC | BPF_TAX, 0),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, PID),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 4),
	    [FIRST_THREAD] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, CODE),
	    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, htonl(0x7f), 3, 0),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, PARENT),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own, 1, 0),
	    BPF_STMT(BPF_RET | BPF_K, 0),
	    BPF_STMT(BPF_RET | BPF_K, MESSAGE_MAX),
	};
	const struct sock_fprog program = {sizeof code / sizeof *code, code};

	if (all)
		code[FIRST_THREAD] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, MESSAGE_MAX);
	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/* Asks for all events, or for those of one kind only; kernels that know no kinds (before 6.6)
 * ignore the longer request. The answer has the number plus 1 as its .ack; its .seq is not ours. */
static int ask_kernel(int fd, const uint32_t *request, size_t n, uint32_t number)
{
	char message[EVENT + 2 * sizeof *request] = {0};
	const struct nlmsghdr head = {.nlmsg_len = (uint32_t)(EVENT + n), .nlmsg_type = NLMSG_DONE};
	const struct cn_msg connector = {
	    .id = {CN_IDX_PROC, CN_VAL_PROC}, .ack = number, .len = (uint16_t)n};

	memcpy(message, &head, sizeof head);
	memcpy(message + CONNECTOR, &connector, sizeof connector);
	memcpy(message + EVENT, request, n);
	return send(fd, message, EVENT + n, MSG_NOSIGNAL) == (ssize_t)(EVENT + n) ? 0 : -1;
}

/* Receives what there is, up to a batch with those that were not looked at yet. */
static int receive_batch(struct proc_events *p)
{
	const int kept = p->n > p->next ? p->n - p->next : 0;
	int n;
	struct sockaddr_nl from[PROC_EVENTS_BATCH];
	struct iovec parts[PROC_EVENTS_BATCH];
	struct mmsghdr heads[PROC_EVENTS_BATCH];

	memmove(p->messages, p->messages[p->next], (size_t)kept * sizeof p->messages[0]);
	memmove(p->lengths, &p->lengths[p->next], (size_t)kept * sizeof p->lengths[0]);
	for (int i = kept; i < PROC_EVENTS_BATCH; i++) {
		parts[i] = (struct iovec){p->messages[i], sizeof p->messages[i]};
		heads[i] = (struct mmsghdr){.msg_hdr = {.msg_name = &from[i],
		                                        .msg_namelen = sizeof from[i],
		                                        .msg_iov = &parts[i],
		                                        .msg_iovlen = 1}};
	}
	p->next = 0;
	p->n = kept;
	n = recvmmsg(p->fd, &heads[kept], (unsigned)(PROC_EVENTS_BATCH - kept), MSG_DONTWAIT, NULL);
	/* Another process may send to our socket; only the kernel has the port 0. */
	for (int i = 0; i < n; i++, p->n++)
		p->lengths[p->n] = from[p->n].nl_pid == 0 ? heads[p->n].msg_len : 0;
	p->lost = p->lost || (n < 0 && errno == ENOBUFS);
	return n;
}

static bool receive(struct proc_events *p, struct proc_event *out)
{
	for (int i = 0; i < AT_ONCE && p->fd >= 0; i++) {
		/* The last batch was not full: it had all that there was. */
		if (p->next >= p->n && p->n > 0 && p->n < PROC_EVENTS_BATCH) {
			p->n = p->next = 0;
			return false;
		}
		if (p->next >= p->n && receive_batch(p) <= 0) {
			p->n = p->next = 0;
			if (errno != ENOBUFS && errno != EINTR)
				return false;
			continue;
		}
		*out = proc_events_parse(p->messages[p->next], p->lengths[p->next]);
		p->next++;
		if (out->kind != PROC_EVENT_OTHER)
			return true;
	}
	return false;
}

/* The kernel answers while the request is sent. Other listeners' answers come here too. */
static int await_ack(struct proc_events *p, uint32_t number, struct err *e)
{
	struct proc_event event;

	while (receive(p, &event))
		if (event.kind == PROC_EVENT_ACK && event.request == number)
			return event.err ? err_set(e, "%s", strerror((int)event.err)) : 0;
	return err_set(e, "the kernel does not report processes to this namespace");
}

/* Runs in a child that has our memory until it ends: the wrapper of clone(2) ends it with this
 * status. */
static int end_at_once(void *status)
{
	return *(const int *)status;
}

/* Starts a child that ends at once with a status of its own, and waits for its event: a number of a
 * process is another one outside of a namespace. */
static int await_own_child(struct proc_events *p, bool all, int status, struct err *e)
{
	struct proc_event event;
	bool seen = false, forked = !all;
	_Alignas(16) char stack[TRIAL_STACK_B];
	/* As vfork(2), which copies nothing, but with exit signal 0, as in background.c: no
	 * SIGCHLD. */
	int pid = clone(end_at_once, stack + sizeof stack, CLONE_VM | CLONE_VFORK, &status);

	if (pid < 0)
		return err_set(e, "%s", strerror(errno));
	for (int i = 0; i < PROOF_MS / 10 && !seen; i++) {
		proc_events_wait(p, 10);
		while (!seen && receive(p, &event)) {
			if (event.pid != pid || event.parent != getpid())
				continue;
			forked = forked || event.kind == PROC_EVENT_FORK;
			seen =
			    forked && event.kind == PROC_EVENT_END && event.status == status << 8;
		}
	}
	while (waitpid(pid, NULL, (int)__WCLONE) < 0 && errno == EINTR)
		;
	return seen ? 0 : err_set(e, "the kernel did not report the end of a child");
}

static int filter_for(int fd, int whose)
{
	if (whose == OF_ALL)
		return filter_threads(fd);
	if (whose == OF_ENDS)
		return filter_ends(fd, true);
	return whose == OF_DEATHS ? filter_ends(fd, false) : filter_children(fd, whose);
}

/* Begins to listen. filter: which messages pass, of whose; otherwise all. */
static int listen_to(int fd, const int *filter, uint32_t number)
{
	const struct sockaddr_nl group = {.nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC};
	const uint32_t request = LISTEN;
	const int size = RECEIVE_B;

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
	if (filter && filter_for(fd, *filter))
		return -1;
	if (bind(fd, (const struct sockaddr *)&group, sizeof group))
		return -1;
	return ask_kernel(fd, &request, sizeof request, number);
}

/* The kernel leaves out the kinds that are not wanted. */
static void ask_kinds(int fd, int whose, uint32_t number)
{
	const uint32_t request[] = {LISTEN, whose == OF_ALL ? WHAT_EXIT | WHAT_FORK | WHAT_EXEC
	                                                    : WHAT_EXIT};

	(void)ask_kernel(fd, request, sizeof request, number);
}

static int explain_refusal(int why, struct err *e)
{
	if (why == ECONNREFUSED)
		return err_set(e, "the kernel reports processes in its first namespace of network "
		                  "alone, or not at all");
	if (why == EPERM)
		return err_set(e, "%s (before Linux 6.6 CAP_NET_ADMIN is needed)", strerror(why));
	return err_set(e, "%s", strerror(why));
}

/* whose: OF_ALL, OF_DEATHS, OF_ENDS or the parent. */
static int subscribe(struct proc_events *p, int whose, struct err *e)
{
	uint32_t number;

	if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
		number = (uint32_t)getpid();
	if (listen_to(p->fd, &whose, number))
		return explain_refusal(errno, e);
	if (await_ack(p, number, e))
		return -1;
	ask_kinds(p->fd, whose, number);
	return await_own_child(p, whose == OF_ALL, (int)(number % 255) + 1, e);
}

static int open_netlink(struct proc_events *p, struct err *e)
{
	*p = (struct proc_events){
	    .fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR)};
	return p->fd < 0 ? err_set(e, "%s", strerror(errno)) : 0;
}

static int open_for(struct proc_events *p, int whose, struct err *e)
{
	if (open_netlink(p, e))
		return -1;
	if (subscribe(p, whose, e) == 0)
		return 0;
	proc_events_close(p);
	return -1;
}

int proc_events_open(struct proc_events *p, int parent, struct err *e)
{
	return open_for(p, parent, e);
}

int proc_events_open_all(struct proc_events *p, struct err *e)
{
	return open_for(p, OF_ALL, e);
}

int proc_events_open_deaths(struct proc_events *p, struct err *e)
{
	return open_for(p, OF_DEATHS, e);
}

int proc_events_begin_ends(struct proc_events *p, struct err *e)
{
	if (open_netlink(p, e))
		return -1;
	if (listen_to(p->fd, NULL, 0) == 0)
		return 0;
	explain_refusal(errno, e);
	proc_events_close(p);
	return -1;
}

int proc_events_prove_ends(struct proc_events *p, struct err *e)
{
	struct proc_events trial;
	int failed = open_for(&trial, OF_ENDS, e);

	proc_events_close(&trial);
	if (failed) {
		proc_events_close(p);
		return -1;
	}
	(void)filter_for(p->fd, OF_ENDS);
	ask_kinds(p->fd, OF_ENDS, 0);
	return 0;
}

bool proc_events_next(struct proc_events *p, struct proc_event *out)
{
	while (receive(p, out)) {
		if (proc_events_too_many(&p->rate, out->at)) {
			p->ended_early = true;
			proc_events_close(p);
			return false;
		}
		if (out->kind != PROC_EVENT_ACK)
			return true;
	}
	return false;
}

bool proc_events_have_end(const struct proc_events *p, int pid)
{
	for (int i = p->next; i < p->n; i++) {
		struct proc_event e = proc_events_parse(p->messages[i], p->lengths[i]);
		if (e.kind == PROC_EVENT_END && e.pid == pid && e.tid == pid)
			return true;
	}
	return false;
}

bool proc_events_have_child_end(struct proc_events *p, int parent)
{
	if (p->n < PROC_EVENTS_BATCH || p->next)
		(void)receive_batch(p);
	for (int i = p->next; i < p->n; i++) {
		struct proc_event e = proc_events_parse(p->messages[i], p->lengths[i]);
		if (e.kind == PROC_EVENT_END && e.parent == parent)
			return true;
	}
	return p->lost || p->n == PROC_EVENTS_BATCH;
}

void proc_events_wait(const struct proc_events *p, int ms)
{
	struct pollfd fd = {.fd = p->fd, .events = POLLIN};

	(void)poll(&fd, 1, ms);
}

void proc_events_close(struct proc_events *p)
{
	const uint32_t request = IGNORE;

	if (p->fd >= 0) {
		/* Before Linux 6.6 closing alone leaves the kernel sending. */
		(void)ask_kernel(p->fd, &request, sizeof request, 0);
		close(p->fd);
	}
	p->fd = -1;
}
