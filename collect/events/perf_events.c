/* perf_events: forks, execs, ends and CPU times of a command's processes, from the kernel. */
#include "collect/events/perf_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collect/procfs/scan.h"

#define RECORD_MAX  512
#define LONGEST     72 /* of the kinds that are read */
#define CPUS_MAX    8192
#define SPARE_FILES 48 /* that the recording opens later */
#define LONG_BITS   (8 * sizeof(unsigned long))

_Static_assert(PERF_EVENTS_CPUS == 16, "the sentence of perf_events_open() names it");

/* Offsets in a record. All end with the pid and the tid of the task, and the time. */
#define BODY      sizeof(struct perf_event_header)
#define PID       BODY /* of fork and exit … */
#define PARENT    (BODY + 4)
#define TID       (BODY + 8)
#define OTHER_TID (BODY + 4) /* … and of the others */
#define NAME      (BODY + 8)
#define VALUE     (BODY + 8)
#define TASK_END  (BODY + 24) /* of fork and exit */
#define VALUE_END (BODY + 16)
#define TRAILER   16

/* -- records ----------------------------------------------------------------------------------- */

static int record_id(const unsigned char *record, size_t at)
{
	int32_t v;

	memcpy(&v, record + at, sizeof v);
	return v;
}

static uint64_t record_number(const unsigned char *record, size_t at)
{
	uint64_t v;

	memcpy(&v, record + at, sizeof v);
	return v;
}

static void take_comm(struct perf_events_record *out, const unsigned char *record, size_t n)
{
	size_t room = n - TRAILER - NAME;

	room = room < sizeof out->name - 1 ? room : sizeof out->name - 1;
	memcpy(out->name, record + NAME, strnlen((const char *)record + NAME, room));
}

struct perf_events_record perf_events_parse(const unsigned char *record, size_t n)
{
	struct perf_events_record out = {.kind = PERF_EVENTS_OTHER};
	struct perf_event_header head;

	if (n < BODY + TRAILER)
		return out;
	memcpy(&head, record, sizeof head);
	out.at = record_number(record, n - 8);
	if ((head.type == PERF_RECORD_FORK || head.type == PERF_RECORD_EXIT) &&
	    n >= TASK_END + TRAILER) {
		out.kind = head.type == PERF_RECORD_FORK ? PERF_EVENTS_FORK : PERF_EVENTS_EXIT;
		out.pid = record_id(record, PID);
		out.parent = record_id(record, PARENT);
		out.tid = record_id(record, TID);
	} else if (head.type == PERF_RECORD_COMM && n >= NAME + 8 + TRAILER) {
		out.kind = head.misc & PERF_RECORD_MISC_COMM_EXEC ? PERF_EVENTS_EXEC
		                                                  : PERF_EVENTS_NAME_SET;
		out.pid = record_id(record, PID);
		out.tid = record_id(record, OTHER_TID);
		take_comm(&out, record, n);
	} else if (head.type == PERF_RECORD_READ && n >= VALUE_END + TRAILER) {
		out.kind = PERF_EVENTS_CPU_TIME;
		out.pid = record_id(record, PID);
		out.tid = record_id(record, OTHER_TID);
		out.value = record_number(record, VALUE);
	} else if (head.type == PERF_RECORD_LOST && n >= VALUE_END + TRAILER) {
		out.kind = PERF_EVENTS_LOST;
		out.value = record_number(record, VALUE);
	}
	return out;
}

/* Copies bytes of the ring, which may go round its end. */
static void copy_out(const struct perf_events_ring *r, unsigned char *to, size_t n)
{
	size_t at = (size_t)(r->tail & (r->size - 1)), first = (size_t)r->size - at;

	first = first < n ? first : n;
	memcpy(to, r->data + at, first);
	memcpy(to + first, r->data, n - first);
}

int perf_events_ring_next(struct perf_events_ring *r, struct perf_events_record *out)
{
	unsigned char record[RECORD_MAX];
	struct perf_event_header head;
	uint64_t there = r->head - r->tail;

	if (there == 0)
		return 0;
	if (there > r->size || there < sizeof head)
		return -1;
	copy_out(r, record, sizeof head);
	memcpy(&head, record, sizeof head);
	if (head.size < sizeof head || head.size > there)
		return -1;
	*out = (struct perf_events_record){.kind = PERF_EVENTS_OTHER};
	if (head.size <= sizeof record) {
		copy_out(r, record, head.size);
		*out = perf_events_parse(record, head.size);
	}
	r->tail += head.size;
	return 1;
}

/* -- opening ----------------------------------------------------------------------------------- */

/* The CPUs that the command could use, in ascending order, the first PERF_EVENTS_CPUS: those of its
 * cpuset, as it may widen its affinity. The kernel cuts a wider mask to them
 * (sched_setaffinity(2)); our own is put back. Returns how many there are, or -1 with errno. */
static int cpus_of_command(int cpus[PERF_EVENTS_CPUS])
{
	unsigned long mask[CPUS_MAX / LONG_BITS], own[CPUS_MAX / LONG_BITS] = {0};
	long size = syscall(SYS_sched_getaffinity, 0, sizeof own, own);
	int n = 0;

	if (size < 0)
		return -1;
	memcpy(mask, own, sizeof mask);
	memset(mask, 0xff, (size_t)size);
	if (syscall(SYS_sched_setaffinity, 0, size, mask) == 0) {
		memset(mask, 0, sizeof mask);
		(void)syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
		(void)syscall(SYS_sched_setaffinity, 0, size, own);
	} else {
		memcpy(mask, own, sizeof mask);
	}
	for (int i = 0; i < CPUS_MAX; i++)
		if (mask[(size_t)i / LONG_BITS] >> (size_t)i % LONG_BITS & 1) {
			if (n < PERF_EVENTS_CPUS)
				cpus[n] = i;
			n++;
		}
	return n;
}

static long kernel_limit(const struct root *r, const char *path)
{
	char text[32];
	long n = root_read(r, path, text, sizeof text);
	struct scan s = scan_text(text, n > 0 ? (size_t)n : 0);
	int64_t v;

	return scan_i64(&s, &v) ? (long)v : 0;
}

int perf_events_allowed(const struct root *r, const char **change, struct err *e)
{
	long paranoid = kernel_limit(r, "proc/sys/kernel/perf_event_paranoid");

	if (paranoid <= 2)
		return 0;
	*change = "kernel.perf_event_paranoid may be 2 (sysctl), or rtrack-collect may have "
		  "CAP_PERFMON";
	return err_set(e, "perf_event_paranoid is %ld", paranoid);
}

static int explain_open(struct perf_events *p, const struct root *r, int why, struct err *e)
{
	if (why == EACCES && perf_events_allowed(r, &p->change, e))
		return -1;
	if (why == EACCES || why == EPERM) {
		p->change = "the container's seccomp profile may allow perf_event_open";
		return err_set(e, "perf_event_open: %s (a seccomp filter or a security module)",
		               strerror(why));
	}
	if (why == ENOSYS) {
		p->change = "the container's seccomp profile may allow perf_event_open";
		return err_set(e,
		               "the kernel has no perf_event_open, or a seccomp filter hides it");
	}
	if (why == EMFILE) {
		p->change = "the limit of open files (ulimit -n) may be higher";
		return err_set(e, "too many open files (ulimit -n)");
	}
	return err_set(e, "perf_event_open: %s", strerror(why));
}

/* times: for CPU times; else for all else. */
static int open_event(int pid, int cpu, bool times)
{
	struct perf_event_attr a = {.size = sizeof a,
	                            .type = PERF_TYPE_SOFTWARE,
	                            .config =
	                                times ? PERF_COUNT_SW_TASK_CLOCK : PERF_COUNT_SW_DUMMY,
	                            .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	                            .disabled = 1,
	                            .enable_on_exec = 1,
	                            .inherit = 1,
	                            .inherit_stat = times,
	                            .task = !times,
	                            .comm = !times,
	                            .comm_exec = !times,
	                            /* perf_event_paranoid 2 demands it; the task clock counts
	                             * the time in the kernel all the same. */
	                            .exclude_kernel = 1,
	                            .exclude_hv = 1,
	                            .sample_id_all = 1,
	                            .use_clockid = 1,
	                            .clockid = CLOCK_MONOTONIC,
	                            .watermark = 1,
	                            .wakeup_watermark = times ? PERF_EVENTS_RING_B / 8 : 1};

	return (int)syscall(SYS_perf_event_open, &a, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Where little memory may be locked, a smaller ring. 0, or -1 with errno. */
static int map_ring(struct perf_events_one *c)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = PERF_EVENTS_RING_B / page;
	void *at = MAP_FAILED;

	for (n = n ? n : 1; n > 0; n /= 2) {
		at = mmap(NULL, (n + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
		if (at != MAP_FAILED || errno != EPERM || n * page <= PERF_EVENTS_RING_B / 4)
			break;
	}
	if (at == MAP_FAILED)
		return -1;
	c->mapped = at;
	c->mapped_b = (n + 1) * page;
	c->ring = (struct perf_events_ring){(unsigned char *)at + page, n * page, 0, 0};
	return 0;
}

static int open_one(struct perf_events *p, int pid, int cpu, bool times, const struct root *r,
                    struct err *e)
{
	struct perf_events_one *c = &p->one[p->n];
	/* Edge-triggered: an event whose tasks have all ended would be ready for ever. */
	struct epoll_event wake = {.events = EPOLLIN | EPOLLET};

	*c = (struct perf_events_one){.fd = open_event(pid, cpu, times), .of_times = times};
	if (c->fd < 0)
		return explain_open(p, r, errno, e);
	p->n++;
	if (map_ring(c) && errno == EPERM) {
		p->change = "kernel.perf_event_mlock_kb may be higher (sysctl)";
		return err_set(e, "no more memory may be locked (perf_event_mlock_kb is %ld)",
		               kernel_limit(r, "proc/sys/kernel/perf_event_mlock_kb"));
	}
	if (!c->mapped || epoll_ctl(p->poll, EPOLL_CTL_ADD, c->fd, &wake))
		return err_set(e, "the ring of an event: %s", strerror(errno));
	return 0;
}

/* Whether the descriptors that a recording opens later have room. */
static bool has_spare_files(const struct perf_events *p)
{
	struct rlimit files;

	return getrlimit(RLIMIT_NOFILE, &files) ||
	       files.rlim_cur > (rlim_t)p->one[p->n - 1].fd + SPARE_FILES;
}

int perf_events_open(struct perf_events *p, int pid, const struct root *r, struct err *e)
{
	int cpus[PERF_EVENTS_CPUS], n = cpus_of_command(cpus), failed = 0;

	*p = (struct perf_events){.poll = -1};
	if (n < 0)
		return err_set(e, "the CPUs of the command: %s", strerror(errno));
	if (n > PERF_EVENTS_CPUS) {
		p->change = "the job may have a cpuset of at most 16 CPUs (an affinity, as of "
			    "taskset, is not enough)";
		return err_set(e, "the command may use %d CPUs, more than %d", n, PERF_EVENTS_CPUS);
	}
	p->poll = epoll_create1(EPOLL_CLOEXEC);
	if (p->poll < 0)
		return errno == EMFILE ? explain_open(p, r, errno, e)
		                       : err_set(e, "epoll: %s", strerror(errno));
	/* By CPU: the copies of a child stand in this order, and where the kernel exchanges the
	 * events of two tasks instead of switching them, it exchanges counts by their place. */
	for (int i = 0; i < 2 * n && !failed; i++)
		failed = open_one(p, pid, cpus[i / 2], i % 2 == 1, r, e);
	if (!failed && !has_spare_files(p))
		failed = explain_open(p, r, EMFILE, e);
	p->cpus = n;
	if (failed)
		perf_events_close(p);
	return failed;
}

/* -- reading ----------------------------------------------------------------------------------- */

int perf_events_fd(const struct perf_events *p)
{
	return p->n > 0 ? p->poll : -1;
}

void perf_events_with(struct perf_events *p, int fd)
{
	struct epoll_event wake = {.events = EPOLLIN};

	if (p->n > 0 && fd >= 0)
		(void)epoll_ctl(p->poll, EPOLL_CTL_ADD, fd, &wake);
}

void perf_events_woken(struct perf_events *p)
{
	struct epoll_event none[2 * PERF_EVENTS_CPUS];

	if (p->n > 0)
		(void)epoll_wait(p->poll, none, 2 * PERF_EVENTS_CPUS, 0);
}

/* The kernel says how many records it had no room for only with the next one, and there may be
 * none. */
static int say_full(struct perf_events_one *c)
{
	c->full = false;
	c->next = (struct perf_events_record){
	    .kind = PERF_EVENTS_LOST, .at = c->next.at, .value = 1, .of_times = c->of_times};
	c->has_next = true;
	return 0;
}

/* Reads the next record of a CPU into .next, if there is one. 0, or -1: the ring is broken. */
static int look_ahead(struct perf_events_one *c)
{
	struct perf_event_mmap_page *page = c->mapped;
	int more;

	if (c->has_next || !page)
		return 0;
	if (c->ring.tail == c->ring.head) {
		c->ring.head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
		if (c->ring.head == c->ring.tail && c->full)
			return say_full(c);
		c->full = c->full || c->ring.size - (c->ring.head - c->ring.tail) < LONGEST;
	}
	more = perf_events_ring_next(&c->ring, &c->next);
	c->has_next = more > 0;
	c->next.of_times = c->of_times;
	/* Its bytes are copied: the kernel may use them again. */
	if (c->has_next)
		__atomic_store_n(&page->data_tail, c->ring.tail, __ATOMIC_RELEASE);
	return more < 0 ? -1 : 0;
}

int perf_events_next(struct perf_events *p, uint64_t until, struct perf_events_record *out)
{
	struct perf_events_one *first = NULL;

	for (int i = 0; i < p->n; i++) {
		struct perf_events_one *c = &p->one[i];
		if (look_ahead(c))
			return -1;
		if (c->has_next && c->next.at <= until && (!first || c->next.at < first->next.at))
			first = c;
	}
	if (!first)
		return 0;
	*out = first->next;
	first->has_next = false;
	return 1;
}

/* A ring that the kernel has stopped is empty as soon as it was read. */
static bool has_no_records(const struct perf_events_one *c)
{
	const struct perf_event_mmap_page *page = c->mapped;

	return !c->has_next &&
	       (!page || __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) == c->ring.tail);
}

bool perf_events_renew(struct perf_events *p)
{
	bool all = true;

	for (int i = 0; i < p->n; i++) {
		struct perf_events_one *c = &p->one[i];
		if (!c->of_times)
			continue;
		if (!has_no_records(c)) {
			all = false;
			continue;
		}
		if (c->mapped)
			munmap(c->mapped, c->mapped_b);
		c->mapped = NULL;
		c->full = false;
		c->ring = (struct perf_events_ring){0};
		all = map_ring(c) == 0 && all;
	}
	return all;
}

uint64_t perf_events_total(const struct perf_events *p)
{
	uint64_t total = 0, one;

	for (int i = 0; i < p->n; i++)
		if (p->one[i].of_times && read(p->one[i].fd, &one, sizeof one) == sizeof one)
			total += one;
	return total;
}

void perf_events_close(struct perf_events *p)
{
	const char *change = p->change;

	for (int i = 0; i < p->n; i++) {
		if (p->one[i].mapped)
			munmap(p->one[i].mapped, p->one[i].mapped_b);
		close(p->one[i].fd);
	}
	if (p->poll >= 0)
		close(p->poll);
	*p = (struct perf_events){.poll = -1, .change = change};
}
