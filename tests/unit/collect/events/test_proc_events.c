/* proc_events: messages of the kernel, and when there are too many of them. */
#include <linux/connector.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/wait.h>

#include "collect/events/proc_events.h"
#include "tests/unit/unit.h"

#define EXIT 0x80000000u
#define SIZE 76 /* of a message: two headers of 16 and 20 bytes, and the event */

/* The words of an event: what, CPU, time (two), and its data. */
static size_t make(char out[SIZE], uint32_t idx, uint32_t ack, const uint32_t words[10])
{
	const struct nlmsghdr head = {.nlmsg_len = SIZE};
	const struct cn_msg connector = {
	    .id = {idx, CN_VAL_PROC}, .seq = 7, .ack = ack, .len = SIZE - 36};

	memcpy(out, &head, sizeof head);
	memcpy(out + 16, &connector, sizeof connector);
	memcpy(out + 36, words, 40);
	return SIZE;
}

TEST(reads_ends)
{
	static const struct {
		uint32_t code;
		int exited, signal;
	} ends[] = {{0, 0, 0}, {0x300, 3, 0}, {9, -1, 9}, {0x80 | 11, -1, 11}, {0xff00, 255, 0}};
	char message[SIZE];

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const uint32_t words[10] = {EXIT, 1, 500, 0, 102, 100, ends[i].code, 17, 55, 50};
		struct proc_event e =
		    proc_events_parse(message, make(message, CN_IDX_PROC, 0, words));
		assert_int_equal(e.kind, PROC_EVENT_END);
		assert_int_equal(e.at, 500);
		assert_int_equal(e.tid, 102);
		assert_int_equal(e.pid, 100);
		assert_int_equal(e.parent, 50);
		assert_int_equal(WIFEXITED(e.status) ? WEXITSTATUS(e.status) : -1, ends[i].exited);
		assert_int_equal(WIFSIGNALED(e.status) ? WTERMSIG(e.status) : 0, ends[i].signal);
	}
}

TEST(reads_forks_and_execs)
{
	const uint32_t fork[10] = {1, 0, 500, 0, 41, 40, 52, 50}, exec[10] = {2, 0, 600, 0, 50, 50};
	char message[SIZE];
	struct proc_event e = proc_events_parse(message, make(message, CN_IDX_PROC, 0, fork));

	assert_int_equal(e.kind, PROC_EVENT_FORK);
	assert_int_equal(e.pid, 50);
	assert_int_equal(e.tid, 52);
	assert_int_equal(e.parent, 40);
	e = proc_events_parse(message, make(message, CN_IDX_PROC, 0, exec));
	assert_int_equal(e.kind, PROC_EVENT_EXEC);
	assert_int_equal(e.pid, 50);
}

TEST(reads_answers)
{
	const uint32_t words[10] = {0, 0, 0, 0, 22};
	char message[SIZE];
	struct proc_event e = proc_events_parse(message, make(message, CN_IDX_PROC, 78, words));

	assert_int_equal(e.kind, PROC_EVENT_ACK);
	assert_int_equal(e.request, 77);
	assert_int_equal(e.err, 22);
}

TEST(ignores_the_rest)
{
	static const uint32_t kinds[] = {3, 4, 8, 0x40, 0x80, 0x100, 0x200, 0x40000000, 0x80000001};
	uint32_t words[10] = {EXIT};
	char message[SIZE];

	for (size_t n = 0; n < SIZE; n++) {
		(void)make(message, CN_IDX_PROC, 0, words);
		assert_int_equal(proc_events_parse(message, n).kind, PROC_EVENT_OTHER);
	}
	assert_int_equal(proc_events_parse(message, make(message, 3, 0, words)).kind,
	                 PROC_EVENT_OTHER);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		words[0] = kinds[i];
		assert_int_equal(
		    proc_events_parse(message, make(message, CN_IDX_PROC, 0, words)).kind,
		    PROC_EVENT_OTHER);
	}
}

/* Counts n events in each of a number of seconds; whether it was too much at any time. */
static bool is_too_many(struct proc_events_rate *r, uint64_t from_s, unsigned seconds, unsigned n)
{
	bool too_many = false;

	for (unsigned s = 0; s < seconds; s++)
		for (unsigned i = 0; i < n; i++)
			too_many =
			    proc_events_too_many(r, (from_s + s) * 1000000000u + i) || too_many;
	return too_many;
}

TEST(ends_a_storm)
{
	struct proc_events_rate r = {0};

	assert_false(is_too_many(&r, 10, 60, PROC_EVENTS_RATE));
	r = (struct proc_events_rate){0};
	assert_false(is_too_many(&r, 10, PROC_EVENTS_SECONDS, PROC_EVENTS_RATE + 1));
	assert_true(is_too_many(&r, 10 + PROC_EVENTS_SECONDS, 1, 1));
	/* Late events of another CPU, at each turn of a second. */
	r = (struct proc_events_rate){0};
	for (unsigned s = 0; s < PROC_EVENTS_SECONDS; s++) {
		assert_false(is_too_many(&r, 10 + s, 1, PROC_EVENTS_RATE + 1));
		assert_false(is_too_many(&r, 9 + s, 1, 1));
	}
	assert_true(is_too_many(&r, 10 + PROC_EVENTS_SECONDS, 1, 1));
	/* Four full seconds, a pause, and four more. */
	r = (struct proc_events_rate){0};
	assert_false(is_too_many(&r, 10, PROC_EVENTS_SECONDS - 1, PROC_EVENTS_RATE + 1));
	assert_false(is_too_many(&r, 16, PROC_EVENTS_SECONDS - 1, PROC_EVENTS_RATE + 1));
	assert_false(is_too_many(&r, 20, 1, 1));
}
