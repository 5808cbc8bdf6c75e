/* gnu_time: what time -v writes. */
#include "fleet/import/gnu_time.h"

#include "tests/unit/fleet/import/imported.h"

#define FILES "tests/fixtures/import/time/"

/* Written by GNU time 1.9: the output of a script that timed three commands. */
TEST(recorded)
{
	struct imported i;

	imported_file(&i, FILES "log.txt");
	assert_int_equal(i.kind, IMPORT_TIME);
	imported_expect(&i, 3, 0, 0);
	assert_string_equal(
	    buf_cstr(&i.jobs),
	    "!1: name=python3 wall_s=2.84 status=exited code=0 cpu_s=1.3 cores_mean=0.457746478873239 "
	    "memory_peak_bytes=223334400 memory_peak_known=bound read_bytes=0 written_bytes=0\n"
	    "!2: name=sh wall_s=0 status=exited code=3 cpu_s=0 memory_peak_bytes=1609728 "
	    "memory_peak_known=bound read_bytes=0 written_bytes=0\n"
	    "!3: name=sh wall_s=0 status=signaled signal=KILL cpu_s=0 memory_peak_bytes=1511424 "
	    "memory_peak_known=bound read_bytes=0 written_bytes=0\n");
	imported_free(&i);
	imported_file(&i, FILES "one.txt");
	assert_string_equal(imported_value(&i, 0, "name"), "dd");
	assert_string_equal(imported_value(&i, 0, "written_bytes"), "20971520");
	imported_free(&i);
}

#define BLOCK(command, user, elapsed, rss, exit)                                                   \
	"\tCommand being timed: \"" command "\"\n\tUser time (seconds): " user                     \
	"\n\tSystem time (seconds): 0.50\n\tElapsed (wall clock) time (h:mm:ss or m:ss): " elapsed \
	"\n\tMaximum resident set size (kbytes): " rss "\n\tExit status: " exit

TEST(values)
{
	static const struct {
		const char *text, *name, *cpu, *wall, *memory, *code;
		size_t unknown;
	} cases[] = {
	    {BLOCK("/opt/a b --password x", "1.25", "0:02.50", "1024", "0\n"), "a", "1.75", "2.5",
	     "1048576", "0", 0},
	    {BLOCK("a", "1.25", "26:03:04", "1024", "255\n"), "a", "1.75", "93784", "1048576",
	     "255", 0},
	    {BLOCK("a", "1,25", "0:02.50", "0", "0\n"), "a", "1.75", "2.5", "", "0", 0},
	    {BLOCK("a", "-1.25", "0:02.50", "x", "0\n"), "a", "", "2.5", "", "0", 2},
	    {BLOCK("a", "1.25", "0:02.50", "1024", "25"), "a", "1.75", "2.5", "1048576", "", 1},
	    {BLOCK("", "1.25", "0:02.50", "1024", "0\r\n"), "", "1.75", "2.5", "1048576", "0", 0},
	    {BLOCK("\xff\x01", "1.25", "0:02.50", "1024", "0\n"), "\xef\xbf\xbd?", "1.75", "2.5",
	     "1048576", "0", 0},
	};

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct imported i;
		imported_text(&i, "log", cases[k].text);
		imported_expect(&i, 1, cases[k].unknown, 0);
		assert_string_equal(imported_value(&i, 0, "name"), cases[k].name);
		assert_string_equal(imported_value(&i, 0, "cpu_s"), cases[k].cpu);
		assert_string_equal(imported_value(&i, 0, "wall_s"), cases[k].wall);
		assert_string_equal(imported_value(&i, 0, "memory_peak_bytes"), cases[k].memory);
		assert_string_equal(imported_value(&i, 0, "code"), cases[k].code);
		assert_string_equal(imported_value(&i, 0, "command"), "");
		imported_free(&i);
	}
}

TEST(elapsed)
{
	static const struct {
		const char *text;
		double v; /* -1: it is not understood */
	} cases[] = {
	    {"0:00.00", 0},
	    {"0:01.23", 1.23},
	    {"59:59.99", 3599.99},
	    {"1:00:00", 3600},
	    {"100:00:59", 360059},
	    {"1:60.00", -1},
	    {"1:02", 62},
	    {"12", -1},
	    {"", -1},
	    {":", -1},
	    {"1:2:3:4", -1},
	    {"1.5:00", -1},
	    {"1:0.0.0", -1},
	    {"1:00 h", -1},
	    {"-1:00", -1},
	    {"0m 16.70s", 16.7}, /* BusyBox */
	    {"1h 02m 03s", 3723},
	    {"2m", -1},
	    {"16.7s 2m", -1},
	    {"1.5m 3s", -1},
	    {"m", -1},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double v = -1;
		int failed = gnu_time_elapsed(cases[i].text, &v);
		if ((failed != 0) != (cases[i].v < 0) || (!failed && fabs(v - cases[i].v) > 1e-9))
			fail_msg("%s: %d, %g", cases[i].text, failed, v);
	}
}

/* Blocks that are cut, by the end of the file or by the next block, and one that a command line imitates. */
TEST(broken_blocks)
{
	struct imported i;

	imported_text(
	    &i, "log",
	    "\tCommand being timed: \"a\"\n\tUser time (seconds): 1.00\n\tSystem time (seconds): 1.00\n");
	assert_int_equal(i.kind, IMPORT_TIME);
	imported_expect(&i, 0, 0, 1);
	assert_string_equal(i.in.example.msg, "log:3: the lines about a command end too soon");
	imported_free(&i);
	imported_text(&i, "log",
	              "\tCommand being timed: \"a\"\n\tUser time (seconds): 1.00\n" BLOCK(
			  "b", "1", "0:02.00", "4", "0\n"));
	imported_expect(&i, 1, 0, 1);
	assert_string_equal(imported_value(&i, 0, "name"), "b");
	imported_free(&i);
	/* Half of the CPU time is not the CPU time. */
	imported_text(&i, "log",
	              "\tCommand being timed: \"a\"\n\tUser time (seconds): 1.00\n"
	              "\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:02.00\n");
	imported_expect(&i, 1, 0, 0);
	assert_string_equal(buf_cstr(&i.jobs), "!1: name=a wall_s=2\n");
	imported_free(&i);
	imported_text(
	    &i, "log",
	    "x\n" BLOCK("a\n\tUser time (seconds): 9\n\tMaximum resident set size (kbytes): 9", "1",
	                "0:02.00", "4", "0\n"));
	imported_expect(&i, 1, 1, 0);
	assert_string_equal(imported_value(&i, 0, "memory_peak_bytes"), "4096");
	assert_string_equal(imported_value(&i, 0, "cpu_s"), "");
	imported_free(&i);
	/* The signal of a block is not that of the next. */
	imported_text(
	    &i, "log",
	    "Command terminated by signal 15\n" BLOCK("a", "1", "0:02.00", "4", "0\n")
		BLOCK("b", "1", "0:02.00", "4", "0\n") "Command terminated by signal 40\n" BLOCK(
		    "c", "1", "0:02.00", "4",
		    "0\n") "Command terminated by signal x\n" BLOCK("d", "1", "0:02.00", "4",
	                                                            "0\n"));
	imported_expect(&i, 4, 0, 0);
	assert_string_equal(imported_value(&i, 0, "signal"), "TERM");
	assert_string_equal(imported_value(&i, 0, "code"), "");
	assert_string_equal(imported_value(&i, 1, "signal"), "");
	assert_string_equal(imported_value(&i, 1, "code"), "0");
	assert_string_equal(imported_value(&i, 2, "signal"), "40");
	assert_string_equal(imported_value(&i, 3, "signal"), "");
	imported_free(&i);
}

TEST(what_is_not_of_gnu_time)
{
	static const char *const texts[] = {
	    "the log says Command being timed: \"x\"\n\tUser time (seconds): 1\n",
	    "Command being timed: \"x\"\nit was fast\n",
	    "\tUser time (seconds): 1\n\tCommand being timed: \"x\"\nand that\n",
	    "real\t0m1.2s\nuser\t0m1.0s\nsys\t0m0.1s\n",
	    "1.00user 0.02system 0:01.20elapsed 85%CPU (0avgtext+0avgdata 9000maxresident)k\n",
	    "Command being timed:\n\tUser time (seconds): 1\n",
	};
	const char *block = BLOCK("a", "1", "0:02.00", "4", "0\n");

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (import_kind_of(texts[i], strlen(texts[i])))
			fail_msg("%s", texts[i]);
	/* Cut within a long command line. */
	assert_int_equal(import_kind_of(block, 25), IMPORT_TIME);
	assert_int_equal(import_kind_of(block, 10), IMPORT_NONE);
	assert_string_equal(import_origins[import_origin_of(IMPORT_TIME)], "time");
}
