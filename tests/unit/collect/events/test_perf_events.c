/* perf_events: records of the kernel, the ring that they stand in, and the events of a child. */
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/events/perf_events.h"
#include "tests/unit/unit.h"

#define TIME 123456789012345u

static unsigned cpus; /* of the command, as the kernel says; 0: as it is */

/* That of the C library, but for the CPUs. */
long syscall(long number, ...)
{
	long (*kernel)(long, ...);
	void *found = dlsym(RTLD_NEXT, "syscall");
	long a[6];
	va_list args;

	va_start(args, number);
	for (size_t i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	memcpy(&kernel, &found, sizeof kernel);
	if (!cpus || (number != SYS_sched_getaffinity && number != SYS_sched_setaffinity))
		return kernel(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	for (unsigned i = 0; i < cpus && number == SYS_sched_getaffinity; i++)
		((unsigned char *)a[2])[i / 8] |= (unsigned char)(1 << i % 8);
	return number == SYS_sched_getaffinity ? 128 : 0;
}

/* A record: its header, words, and the pid, tid and time that all end with. Its length. */
static size_t make(unsigned char *out, uint32_t type, uint16_t misc, const uint32_t *words,
                   size_t n)
{
	const uint32_t ids[2] = {7, 8};
	const uint64_t at = TIME;
	struct perf_event_header head = {.type = type, .misc = misc};

	head.size = (uint16_t)(sizeof head + 4 * n + 16);
	memcpy(out, &head, sizeof head);
	memcpy(out + sizeof head, words, 4 * n);
	memcpy(out + sizeof head + 4 * n, ids, sizeof ids);
	memcpy(out + sizeof head + 4 * n + 8, &at, sizeof at);
	return head.size;
}

TEST(reads_forks_and_exits)
{
	const uint32_t words[6] = {50, 40, 52, 41, 1, 2};
	unsigned char bytes[64];
	struct perf_events_record r =
	    perf_events_parse(bytes, make(bytes, PERF_RECORD_FORK, 0, words, 6));

	assert_int_equal(r.kind, PERF_EVENTS_FORK);
	assert_int_equal(r.at, TIME);
	assert_int_equal(r.pid, 50);
	assert_int_equal(r.parent, 40);
	assert_int_equal(r.tid, 52);
	r = perf_events_parse(bytes, make(bytes, PERF_RECORD_EXIT, 0, words, 6));
	assert_int_equal(r.kind, PERF_EVENTS_EXIT);
	assert_int_equal(r.tid, 52);
}

TEST(reads_names)
{
	uint32_t words[6] = {50, 50};
	unsigned char bytes[64];
	struct perf_events_record r;

	memcpy(&words[2], "cc1plus\0\xff\xff\xff\xff\xff\xff\xff\xff", 16);
	r = perf_events_parse(bytes,
	                      make(bytes, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, words, 6));
	assert_int_equal(r.kind, PERF_EVENTS_EXEC);
	assert_string_equal(r.name, "cc1plus");
	memcpy(&words[2], "fifteen-letters\0", 16);
	r = perf_events_parse(bytes, make(bytes, PERF_RECORD_COMM, 0, words, 6));
	assert_int_equal(r.kind, PERF_EVENTS_NAME_SET);
	assert_string_equal(r.name, "fifteen-letters");
	/* Without its NUL. */
	memcpy(&words[2], "abcdefgh", 8);
	r = perf_events_parse(bytes, make(bytes, PERF_RECORD_COMM, 0, words, 4));
	assert_string_equal(r.name, "abcdefgh");
}

TEST(reads_cpu_times_and_losses)
{
	const uint32_t words[4] = {50, 52, 0, 1};
	unsigned char bytes[64];
	struct perf_events_record r =
	    perf_events_parse(bytes, make(bytes, PERF_RECORD_READ, 0, words, 4));

	assert_int_equal(r.kind, PERF_EVENTS_CPU_TIME);
	assert_int_equal(r.pid, 50);
	assert_int_equal(r.tid, 52);
	assert_int_equal(r.value, UINT64_C(1) << 32);
	r = perf_events_parse(bytes, make(bytes, PERF_RECORD_LOST, 0, words, 4));
	assert_int_equal(r.kind, PERF_EVENTS_LOST);
	assert_int_equal(r.value, UINT64_C(1) << 32);
}

TEST(leaves_out_what_is_too_short_or_unknown)
{
	const uint32_t words[6] = {50, 40, 52, 41, 1, 2};
	unsigned char bytes[64];
	size_t n = make(bytes, PERF_RECORD_FORK, 0, words, 6);

	for (size_t i = 0; i < n; i++)
		assert_int_equal(perf_events_parse(bytes, i).kind, PERF_EVENTS_OTHER);
	n = make(bytes, PERF_RECORD_THROTTLE, 0, words, 6);
	assert_int_equal(perf_events_parse(bytes, n).kind, PERF_EVENTS_OTHER);
}

TEST(follows_a_ring_round_its_end)
{
	const uint32_t words[6] = {50, 40, 52, 41, 1, 2};
	unsigned char data[64], bytes[64];
	size_t n = make(bytes, PERF_RECORD_EXIT, 0, words, 6);
	struct perf_events_record r;

	for (uint64_t tail = 0; tail < 300; tail += 8) {
		struct perf_events_ring ring = {data, sizeof data, tail, tail + n};
		for (size_t i = 0; i < n; i++)
			data[(tail + i) % sizeof data] = bytes[i];
		assert_int_equal(perf_events_ring_next(&ring, &r), 1);
		assert_int_equal(r.kind, PERF_EVENTS_EXIT);
		assert_int_equal(r.at, TIME);
		assert_int_equal(perf_events_ring_next(&ring, &r), 0);
	}
}

TEST(knows_a_broken_ring)
{
	unsigned char data[64] = {0};
	struct perf_events_record r;
	struct perf_event_header head = {.type = PERF_RECORD_EXIT};
	struct perf_events_ring ring = {data, sizeof data, 0, 40};

	/* A record of no length, a longer one than there is, and more than the ring has. */
	assert_int_equal(perf_events_ring_next(&ring, &r), -1);
	head.size = 48;
	memcpy(data, &head, sizeof head);
	assert_int_equal(perf_events_ring_next(&ring, &r), -1);
	ring.head = 4;
	assert_int_equal(perf_events_ring_next(&ring, &r), -1);
	ring.head = 72;
	assert_int_equal(perf_events_ring_next(&ring, &r), -1);
}

/* A ring of CPU times in a file, as a new one is. */
static void make_ring(struct perf_events_one *c)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	*c = (struct perf_events_one){.fd = memfd_create("ring", MFD_CLOEXEC), .of_times = true};
	c->mapped_b = page + PERF_EVENTS_RING_B;
	assert_int_equal(ftruncate(c->fd, (off_t)c->mapped_b), 0);
	c->mapped = mmap(NULL, c->mapped_b, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
	assert_ptr_not_equal(c->mapped, MAP_FAILED);
	c->ring =
	    (struct perf_events_ring){(unsigned char *)c->mapped + page, PERF_EVENTS_RING_B, 0, 0};
}

TEST(renews_what_was_read)
{
	const uint32_t words[4] = {50, 51, 5, 0};
	struct perf_events p = {.cpus = 1, .n = 1, .poll = -1};
	struct perf_event_mmap_page *page;
	struct perf_events_record r;
	struct perf_events_one *c = &p.one[0];
	size_t page_b = (size_t)sysconf(_SC_PAGESIZE);

	make_ring(c);
	page = c->mapped;
	page->data_head = make((unsigned char *)c->mapped + page_b, PERF_RECORD_READ, 0, words, 4);
	/* There, and looked at already. */
	assert_false(perf_events_renew(&p));
	assert_int_equal(perf_events_next(&p, TIME - 1, &r), 0);
	assert_false(perf_events_renew(&p));
	assert_int_equal(perf_events_next(&p, TIME, &r), 1);
	assert_int_equal(r.kind, PERF_EVENTS_CPU_TIME);
	assert_true(r.of_times && r.value == 5);
	/* What the old ring had no room for is not missing in the new one. */
	c->full = true;
	page->data_head = 0; /* of the kernel's new ring */
	c->ring.tail = 0;
	assert_true(perf_events_renew(&p));
	assert_int_equal(perf_events_next(&p, UINT64_MAX, &r), 0);
	perf_events_close(&p);
}

TEST(says_that_a_ring_is_missing)
{
	struct perf_events p = {.cpus = 1, .n = 1, .poll = -1};

	make_ring(&p.one[0]);
	close(p.one[0].fd);
	p.one[0].fd = -1;
	assert_false(perf_events_renew(&p));
	perf_events_close(&p);
}

/* What a child of ours runs: a shell, of which one child burns CPU time. */
static int start_child(int go[2])
{
	char byte;
	int pid = fork();

	if (pid)
		return pid;
	close(go[1]);
	if (read(go[0], &byte, 1) == 1)
		execl("/bin/sh", "sh", "-c",
		      "(i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; exit 3) & wait",
		      (char *)NULL);
	_exit(1);
}

struct seen {
	int forks, execs, exits, times, child;
	double child_s, all_s;
};

static void look(struct perf_events *p, struct seen *s)
{
	struct perf_events_record r;

	while (perf_events_next(p, UINT64_MAX, &r) > 0) {
		s->forks += r.kind == PERF_EVENTS_FORK;
		s->execs += r.kind == PERF_EVENTS_EXEC;
		s->exits += r.kind == PERF_EVENTS_EXIT;
		s->times += r.kind == PERF_EVENTS_CPU_TIME;
		if (r.kind == PERF_EVENTS_FORK)
			s->child = r.pid;
		if (r.kind == PERF_EVENTS_CPU_TIME && r.pid == s->child)
			s->child_s += (double)r.value / 1e9;
	}
	s->all_s = (double)perf_events_total(p) / 1e9;
}

/* Nothing is tested where the kernel refuses: then the reason is a sentence. */
TEST(follows_a_command)
{
	struct perf_events p;
	struct root root = {0};
	struct err e = {0};
	struct seen s = {0};
	int go[2], pid;

	assert_int_equal(root_open(&root, NULL, &e), 0);
	assert_int_equal(pipe(go), 0);
	pid = start_child(go);
	if (perf_events_open(&p, pid, &root, &e) == 0) {
		assert_true(perf_events_fd(&p) >= 0);
		assert_int_equal(write(go[1], "", 1), 1);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		look(&p, &s);
		assert_int_equal(s.forks, 1);
		assert_int_equal(s.execs, 1);
		assert_int_equal(s.exits, 2);
		/* Of one of the two there is none: it holds the events. */
		assert_int_equal(s.times, p.cpus);
		assert_int_equal(p.n, 2 * p.cpus);
		assert_true(s.all_s > 0.001 && s.all_s < 100);
		assert_true(s.child_s <= s.all_s);
	} else {
		assert_true(*e.msg);
		close(go[1]);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
	perf_events_close(&p);
	assert_int_equal(perf_events_fd(&p), -1);
	root_close(&root);
}

/* Each fork would copy the events of all of them. */
TEST(says_that_there_are_too_many_cpus)
{
	struct perf_events p;
	struct root r;
	struct err e = {0};

	assert_int_equal(root_open(&r, NULL, NULL), 0);
	cpus = PERF_EVENTS_CPUS + 1;
	assert_int_equal(perf_events_open(&p, getpid(), &r, &e), -1);
	cpus = 0;
	assert_string_equal(e.msg, "the command may use 17 CPUs, more than 16");
	assert_non_null(strstr(p.change, "a cpuset of at most 16 CPUs"));
	root_close(&r);
}
