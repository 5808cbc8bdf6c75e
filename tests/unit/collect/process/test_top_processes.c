/* Tests of collect/process/top_processes.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collect/process/top_processes.h"
#include "core/base/buf.h"
#include "tests/unit/unit.h"

static void end_one(struct top_processes *p, int pid, const char *name, double cpu_s, double rss_b)
{
	struct top_process *one = top_processes_at(p, 3);

	*one = (struct top_process){.pid = pid,
	                            .ppid = 1,
	                            .start = 10,
	                            .cpu_s = cpu_s,
	                            .peak_rss_b = rss_b,
	                            .read_b = 1,
	                            .write_b = NAN};
	snprintf(one->name, sizeof one->name, "%s", name);
	top_processes_end(p, 3);
}

TEST(nobody)
{
	struct top_processes *p = top_processes_open(8, NULL);

	top_processes_choose(p);
	assert_null(top_processes_find(p, 0, 1, 10));
	top_processes_close(p);
}

/* Of 100,000 processes the ten busiest and the ten largest stay. */
TEST(of_many_the_largest_stay)
{
	struct top_processes *p = top_processes_open(8, NULL);
	size_t kept = 0, chosen = 0;

	for (int i = 1; i <= 100000; i++)
		end_one(p, i, "x", i % 10000 == 1 ? 100 : 0.001 * (i % 7),
		        i % 10000 == 2 ? 1e12 : 1e6 + i);
	top_processes_choose(p);
	for (int i = 1; i <= 100000; i++) {
		bool found = top_processes_find(p, (size_t)i, i, 10);
		kept += found;
		chosen += found && (i % 10000 == 1 || i % 10000 == 2);
	}
	assert_int_equal(chosen, 20);
	assert_true(kept > TOP_PROCESSES_TOP && kept <= 2 * TOP_PROCESSES_TOP);
	top_processes_close(p);
}

/* A pid that was given again is another process. */
TEST(by_pid_and_start)
{
	struct top_processes *p = top_processes_open(8, NULL);

	end_one(p, 7, "x", 1, 1);
	end_one(p, 7, "x", 2, 1);
	top_processes_at(p, 2)->pid = 7;
	top_processes_at(p, 2)->start = 12;
	top_processes_choose(p);
	assert_null(top_processes_find(p, 0, 6, 10));
	assert_null(top_processes_find(p, 0, 8, 10));
	assert_null(top_processes_find(p, 0, 7, 8.5));
	assert_true(top_processes_find(p, 0, 7, 11.9)->start == 12);
	/* One for each row, each time again. */
	for (int i = 0; i < 2; i++) {
		const struct top_process *first = top_processes_find(p, 1, 7, 10.01);
		assert_non_null(first);
		assert_ptr_equal(top_processes_find(p, 1, 7, 10.01), first);
		assert_ptr_not_equal(top_processes_find(p, 2, 7, 10.01), first);
		assert_null(top_processes_find(p, 3, 7, 10.01));
	}
	top_processes_close(p);
}

TEST(one_with_everything)
{
	struct top_processes *p = top_processes_open(8, NULL);
	struct top_process *one = top_processes_at(p, 0);
	struct snapshot_process known;

	*one = (struct top_process){
	    .pid = 7, .cpu_s = 0.25, .peak_pss_b = 10.4, .read_b = NAN, .write_b = 5};
	one->reaped = true;
	one->status = 3 << 8;
	known = top_processes_known(one);
	assert_true(known.exit_code == 3 && !*known.signal);
	assert_true(known.cpu_s == 0.25 && known.peak_pss_b == 10);
	assert_true(isnan(known.read_b) && known.write_b == 5);
	/* never seen alive: its memory is not known, and not 0 */
	assert_true(isnan(known.peak_rss_b));
	one->status = 9;
	known = top_processes_known(one);
	assert_true(isnan(known.exit_code));
	assert_string_equal(known.signal, "KILL");
	one->reaped = false;
	assert_string_equal(top_processes_known(one).signal, "");
	top_processes_close(p);
}

TEST(secrets_of_a_command)
{
	struct buf text = {.max = 1000};
	struct top_process p = {0};

	assert_null(top_processes_command(&p, &text));
	top_processes_set_command(&p, "mysql\0--password=hunter2\0-v", 28, true);
	assert_string_equal(top_processes_command(&p, &text), "mysql --password=*** -v");
	buf_free(&text);
}

TEST(whole_words_of_a_command)
{
	static char text[600];
	struct top_process p = {0};

	memset(text, 'x', sizeof text);
	top_processes_set_command(&p, text, sizeof text, false); /* one word, too long */
	assert_true(p.command_len == 0 && p.cut);
	text[9] = '\0';
	top_processes_set_command(&p, text, sizeof text, false);
	assert_true(p.command_len == 10 && p.cut);
	top_processes_set_command(&p, "title: no NUL", 13, true);
	assert_true(p.command_len == 14 && !p.cut);
	assert_string_equal(p.command, "title: no NUL");
	memset(text, 'y', TOP_PROCESSES_COMMAND_MAX);
	top_processes_set_command(&p, text, TOP_PROCESSES_COMMAND_MAX,
	                          true); /* no room for its NUL */
	assert_true(p.command_len == 0 && p.cut);
	top_processes_set_command(&p, "", 0, true);
	assert_true(p.command_len == 0 && !p.cut);
}
