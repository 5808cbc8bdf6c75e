/* progress: the text of the line; and when it is on the terminal. */
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/output/progress.h"
#include "tests/unit/unit.h"

TEST(texts)
{
	static const struct {
		const char *label, *unit;
		double done, of, rate;
		const char *text;
	} rows[] = {
	    {"reading", "recordings", 1234, 10000, 2100.4,
	     "reading: 1,234 of 10,000 recordings, 2,100/s, 5 s left"},
	    {"reading", "recordings", 0, 10000, 0, "reading: 0 of 10,000 recordings"},
	    {"reading", "recordings", 10000, 10000, 50,
	     "reading: 10,000 of 10,000 recordings, 50/s"},
	    {"reading", "recordings", 5, 3, 50, "reading: 5 of 3 recordings, 50/s"},
	    {"listing", "recordings", 77, 0, 12, "listing: 77 recordings, 12/s"},
	    {"reading", "recordings", 7, 1e6, 0.4,
	     "reading: 7 of 1,000,000 recordings, 28 d 22 h left"},
	    {"sending", NULL, 1536, 3e9, 1048576 * 80,
	     "sending: 1.50 KiB of 2.79 GiB, 80.0 MiB/s, 36 s left"},
	    {"sending", NULL, 0, 0, 0, "sending: 0 B"},
	    {"x", "y", 1e300, 1e301, 1e-300, NULL},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf b = {0};
		progress_text(rows[i].label, rows[i].unit, rows[i].done, rows[i].of, rows[i].rate,
		              &b);
		if (rows[i].text)
			assert_string_equal(buf_cstr(&b), rows[i].text);
		else
			assert_in_range(b.len, 1, 200);
		buf_free(&b);
	}
}

struct terminal_pair {
	int master, slave;
	char text[4096];
};

static void open_terminal(struct terminal_pair *t, unsigned short columns)
{
	struct winsize size = {.ws_row = 24, .ws_col = columns};

	assert_int_equal(setenv("TERM", "vt100", 1), 0);
	assert_int_equal(openpty(&t->master, &t->slave, NULL, NULL, &size), 0);
	assert_int_equal(fcntl(t->master, F_SETFL, O_NONBLOCK), 0);
}

/* What was written since the last time. */
static const char *written_to(struct terminal_pair *t)
{
	ssize_t n = read(t->master, t->text, sizeof t->text - 1);

	t->text[n > 0 ? n : 0] = '\0';
	return t->text;
}

static void close_terminal(struct terminal_pair *t)
{
	close(t->master);
	close(t->slave);
}

TEST(the_line_on_a_terminal)
{
	struct terminal_pair t;
	struct progress p;

	open_terminal(&t, 80);
	progress_begin(&p, t.slave, "reading", "recordings");
	progress_show_at(&p, 500, 1000, p.began + 0.9);
	assert_string_equal(written_to(&t), ""); /* not a second yet */
	progress_clear(&p);
	assert_string_equal(written_to(&t), ""); /* there is nothing to remove */
	progress_show_at(&p, 500, 1000, p.began + 2);
	assert_string_equal(written_to(&t),
	                    "\rreading: 500 of 1,000 recordings, 250/s, 2 s left\x1b[K");
	progress_show_at(&p, 510, 1000, p.began + 2.1);
	assert_string_equal(written_to(&t), "");      /* too soon */
	progress_show_at(&p, 600, 1000, p.began + 3); /* 100/s of late */
	assert_string_equal(written_to(&t),
	                    "\rreading: 600 of 1,000 recordings, 235/s, 2 s left\x1b[K");
	progress_clear(&p);
	assert_string_equal(written_to(&t), "\r\x1b[K");
	progress_clear(&p);
	assert_string_equal(written_to(&t), "");
	progress_show_at(&p, 700, 1000, p.began + 4);
	assert_non_null(strstr(written_to(&t), "reading: 700 of 1,000"));
	close_terminal(&t);
}

TEST(a_narrow_terminal)
{
	static const struct {
		unsigned short columns;
		const char *text;
	} rows[] = {
	    {30, "\rreading: 500 of 1,000 recordi\x1b[K"},
	    {12, "\rreading: 50\x1b[K"}, /* less than text is laid out for */
	    {1, "\r\x1b[K"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct terminal_pair t;
		struct progress p;

		open_terminal(&t, rows[i].columns);
		progress_begin(&p, t.slave, "reading", "recordings");
		progress_show_at(&p, 500, 1000, p.began + 2);
		assert_string_equal(written_to(&t), rows[i].text);
		close_terminal(&t);
	}
}

TEST(no_terminal)
{
	struct progress p = {.fd = -1};
	struct terminal_pair t;
	int ends[2];
	char c;

	progress_show_at(&p, 1, 2, 1e9);
	progress_clear(&p);
	open_terminal(&t, 80);
	assert_int_equal(setenv("TERM", "dumb", 1), 0);
	progress_begin(&p, t.slave, "reading", "recordings");
	progress_show_at(&p, 1, 2, p.began + 100);
	assert_string_equal(written_to(&t), "");
	close_terminal(&t);
	assert_int_equal(pipe(ends), 0);
	progress_begin(&p, ends[1], "reading", "recordings");
	progress_show_at(&p, 1, 2, p.began + 100);
	progress_show(&p, 1, 2);
	progress_clear(&p);
	close(ends[1]);
	assert_int_equal(read(ends[0], &c, 1), 0);
	close(ends[0]);
}
