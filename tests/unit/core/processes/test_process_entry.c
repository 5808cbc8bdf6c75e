/* process_entry: what is packed comes back; other bytes are no entry. */
#include <math.h>
#include <string.h>

#include "core/processes/process_entry.h"
#include "tests/unit/unit.h"

static const struct process_entry one = {.kind = PROCESS_ENTRY_ENDED,
                                         .id = 7,
                                         .parent = 3,
                                         .n = 1,
                                         .pid = 4711,
                                         .status = -9,
                                         .start_s = 1.5,
                                         .end_s = 2.25,
                                         .cpu_s = 0.5,
                                         .memory_b = 4096,
                                         .cpu_exact = 1,
                                         .name = "cc1",
                                         .command = "cc1 -quiet a.c"};

TEST(comes_back)
{
	unsigned char bytes[2 * PROCESS_ENTRY_MAX];
	struct process_entry out, unknown = one;
	size_t at = 0, n = process_entry_pack(&one, bytes, sizeof bytes);

	unknown.end_s = unknown.cpu_s = unknown.memory_b = unknown.cpu_exact = NAN;
	unknown.name[0] = '\0';
	n += process_entry_pack(&unknown, bytes + n, sizeof bytes - n);
	assert_true(process_entry_next(bytes, n, &at, &out));
	assert_int_equal(out.kind, one.kind);
	assert_int_equal(out.id, 7);
	assert_int_equal(out.parent, 3);
	assert_int_equal(out.pid, 4711);
	assert_int_equal(out.status, -9);
	assert_true(out.start_s == 1.5 && out.end_s == 2.25 && out.cpu_s == 0.5);
	assert_true(out.cpu_exact > 0);
	assert_string_equal(out.name, "cc1");
	assert_string_equal(out.command, "cc1 -quiet a.c");
	assert_true(process_entry_next(bytes, n, &at, &out));
	assert_true(isnan(out.end_s) && isnan(out.cpu_s) && isnan(out.memory_b));
	assert_true(isnan(out.cpu_exact));
	assert_string_equal(out.name, "");
	assert_int_equal(at, n);
	assert_false(process_entry_next(bytes, n, &at, &out));
}

TEST(older_journals_do_not_say_what_is_exact)
{
	unsigned char bytes[PROCESS_ENTRY_MAX];
	struct process_entry out, least = one;
	size_t n, at = 0;

	least.cpu_exact = 0;
	n = process_entry_pack(&least, bytes, sizeof bytes);
	assert_true(process_entry_next(bytes, n, &at, &out));
	assert_true(out.cpu_exact <= 0);
	memset(bytes + PROCESS_ENTRY_FIXED - 4, 0, 4);
	at = 0;
	assert_true(process_entry_next(bytes, n, &at, &out));
	assert_true(isnan(out.cpu_exact));
}

TEST(what_does_not_fit_is_not_packed)
{
	unsigned char bytes[PROCESS_ENTRY_MAX];
	size_t n = process_entry_pack(&one, bytes, sizeof bytes);

	assert_int_equal(n, 60 + 3 + 14);
	assert_int_equal(process_entry_pack(&one, bytes, n - 1), 0);
}

TEST(other_bytes_are_no_entry)
{
	unsigned char bytes[PROCESS_ENTRY_MAX];
	size_t n = process_entry_pack(&one, bytes, sizeof bytes), at = 0;
	struct process_entry out;

	for (size_t cut = 0; cut < n; cut++, at = 0)
		assert_false(process_entry_next(bytes, cut, &at, &out));
	for (int kind = 0; kind < 256; kind++, at = 0) {
		bytes[0] = (unsigned char)kind;
		assert_int_equal(process_entry_next(bytes, n, &at, &out), kind >= 1 && kind <= 5);
	}
	bytes[0] = 2;
	bytes[1] = 255; /* length of the name */
	assert_false(process_entry_next(bytes, sizeof bytes, &at, &out));
	memset(bytes, 0, sizeof bytes);
	assert_false(process_entry_next(bytes, sizeof bytes, &at, &out));
}

TEST(records_of_the_processes_now)
{
	unsigned char bytes[PROCESS_ENTRY_MAX];
	struct process_entry now = one, out;
	size_t n, at = 0;

	now.kind = PROCESS_ENTRY_NOW;
	now.n = 2500;
	n = process_entry_pack(&now, bytes, sizeof bytes);
	assert_true(process_entry_is_now(bytes, n));
	assert_true(process_entry_is_now(bytes, 0));
	assert_true(process_entry_next(bytes, n, &at, &out));
	assert_int_equal(out.kind, PROCESS_ENTRY_NOW);
	assert_int_equal(out.n, 2500);
	n = process_entry_pack(&one, bytes, sizeof bytes);
	assert_false(process_entry_is_now(bytes, n));
}
